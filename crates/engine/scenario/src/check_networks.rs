//! Checks which networks there are: access points on channels that do not overlap in part, each station at one of them.

use crate::access_point::AccessPoint;
use crate::air::Air;
use crate::band::Band;
use crate::own_air::OwnAir;
use crate::station::StationText;
use airloom_config::error::{At, Faults, choose, there_are};
use airloom_config::record::Unknown;
use airloom_config::toml_tree::{Table, TomlNode, Value};
use airloom_wifi::Channel;
use std::collections::BTreeMap;

/// The most access points: each has queues for all radios.
const MOST: usize = 64;

/// Reports that there is no access point, or that there are too many.
pub(super) fn some(faults: &Faults, root: &Table, unknown: &Unknown) {
    let none = match root.get("ap").map(|node| &node.value) {
        None => !unknown.may_be("ap"),
        Some(Value::List(items)) => items.is_empty(),
        Some(_) => false,
    };
    if none {
        let hint = "write [[ap]] with name = \"ap\" and adapter = \"ath9k\"".to_owned();
        faults.lack(At::TOP, "there is no access point", Some(hint));
    }
    if let Some(further) = root.items("ap").get(MOST) {
        faults.fail(further.at, format!("more than {MOST} access points"), None);
    }
}

/// Reports what an access point has of its own that does not go together, or not with the air of all; looks no further at that one.
pub(super) fn airs(faults: &Faults, root: &Table, shared: &Air, aps: &mut [Option<AccessPoint>]) {
    for (place, node) in aps.iter_mut().zip(root.items("ap")) {
        let Some(ap) = place.as_ref().filter(|ap| ap.own != OwnAir::NONE) else { continue };
        let found = ap.air(shared).contradictions();
        if found.is_empty() {
            continue;
        }
        let inherits = ap.own.standard.is_none();
        for (key, message, hint) in found {
            let hint = match key {
                "band" if inherits => format!("{hint}, or give it a `standard` of its own"),
                _ => hint,
            };
            faults.fail(node.place_of(key), message, Some(hint));
        }
        *place = None;
    }
}

/// Reports channels that do not exist, are not named although there are several access points, or overlap otherwise than as parts
/// of one another.
pub(super) fn channels(faults: &Faults, root: &Table, shared: &Air, aps: &[Option<AccessPoint>]) {
    // One access point of each channel, its number, and what that is.
    let mut earlier: Vec<(&str, u8, Channel)> = Vec::new();
    for (ap, node) in aps.iter().zip(root.items("ap")) {
        let Some(ap) = ap else { continue };
        let air = ap.air(shared);
        if aps.len() > 1 && ap.channel.is_none() {
            let message = format!("access point `{}` needs a `channel`, since there are several", ap.name);
            let hint = format!(
                "write for example channel = {}; those of one channel share the air",
                air.band.usual_channel()
            );
            faults.lack(node.at, message, Some(hint));
            continue;
        }
        let switches = node.table().map_or(&[][..], |table| table.items("switch"));
        let at_switch = |place: usize| switches.get(place).map_or(node.at, |one| one.place_of("channel"));
        let goes = ap.switches().enumerate().map(|(n, one)| (one.channel, at_switch(n)));
        let first = (ap.primary(air.band), node.place_of("channel"));
        let all: Vec<(u8, At)> = std::iter::once(first).chain(goes).collect();
        for two in all.windows(2) {
            let [before, after] = [two[0], two[1]];
            let [Some(one), Some(other)] =
                [before, after].map(|(number, _)| air.band.channel(number, air.width))
            else {
                continue;
            };
            if one.overlaps(&other) {
                let which =
                    if one == other { "on which it is" } else { "which overlaps the one on which it is" };
                let message = format!("access point `{}` is to go to channel {}, {which}", ap.name, after.0);
                let is_apart = |&number: &u8| {
                    air.band
                        .channel(number, air.width)
                        .is_some_and(|channel| channel.is_apart(&one, air.band.guard_mhz()))
                };
                let apart = air.band.channels(air.width).find(is_apart);
                let hint = apart.map(|number| format!("write a `channel` apart from that, such as {number}"));
                faults.fail(after.1, message, hint);
            }
        }
        for (primary, at) in all {
            if let Some(channel) = free(faults, (ap, &air), (primary, at), &earlier)
                && earlier.iter().all(|(_, _, its)| *its != channel)
            {
                earlier.push((&ap.name, primary, channel));
            }
        }
        for number in 1..ap.links().len() {
            let link = ap.with_link(number);
            let air = link.air(shared);
            let item = node.table().and_then(|table| table.items("links").get(number));
            let at = item.map_or(node.at, |item| item.place_of("channel"));
            let primary = link.primary(air.band);
            if let Some(channel) = free(faults, (&link, &air), (primary, at), &earlier)
                && earlier.iter().all(|(_, _, its)| *its != channel)
            {
                earlier.push((&ap.name, primary, channel));
            }
        }
    }
}

/// The channel of this number, of an access point in this air; none, and reported, if there is none or it overlaps one of these in part.
fn free(
    faults: &Faults,
    (ap, air): (&AccessPoint, &Air),
    (primary, at): (u8, At),
    earlier: &[(&str, u8, Channel)],
) -> Option<Channel> {
    let Some(channel) = air.band.channel(primary, air.width) else {
        let (band, width) = (air.band.name(), air.width.name());
        let hint = there_are_channels(air, primary);
        faults.fail(at, format!("there is no channel {primary} of {width} at {band}"), Some(hint));
        return None;
    };
    let guard = air.band.guard_mhz();
    let clash = |&&(_, _, its): &&(&str, u8, Channel)| !its.is_apart(&channel, guard) && !its.nests(&channel);
    let Some(&(other, number, its)) = earlier.iter().find(clash) else { return Some(channel) };
    let is_apart = |&one: &u8| air.band.channel(one, air.width).is_some_and(|one| one.is_apart(&its, guard));
    let further = air.band.channels(air.width).find(is_apart);
    if other == ap.name {
        let message = format!(
            "access point `{other}` is to go to channel {primary}, which overlaps in part with channel {number}, on which it is at another time: \
             not supported, since stations may be left there"
        );
        faults.fail(
            at,
            message,
            further.map(|one| format!("write a `channel` apart from that, such as {one}")),
        );
        return None;
    }
    let message = format!(
        "channel {primary} of `{}` overlaps in part with channel {number} of `{other}`, which is not supported: its radios would hear no \
         preamble of the other's, and some of its power",
        ap.name
    );
    let further = further.map_or(String::new(), |one| format!(", or one apart such as {one}"));
    faults.fail(at, message, Some(format!("give both the same `channel`{further}")));
    None
}

/// Which channels this air has, and what this number is elsewhere: the middle of a wider one, or a channel of another band.
fn there_are_channels(air: &Air, number: u8) -> String {
    let numbers: Vec<u8> = air.band.channels(air.width).collect();
    let written: Vec<String> = numbers.iter().map(u8::to_string).collect();
    let all = match &written[..] {
        [first, second, third, .., last] => {
            format!("there are {first}, {second}, {third} and so on up to {last}")
        }
        few => there_are(few.iter().map(String::as_str)),
    };
    let middle = air.band.centre_mhz(number);
    let of_block = |one: &&u8| air.band.channel(**one, air.width).is_some_and(|one| one.centre_mhz == middle);
    let other = Band::WORDS.iter().find(|(_, band)| {
        *band != air.band && air.standard.works_in(*band) && band.channel(number, air.width).is_some()
    });
    match (numbers.iter().find(of_block), other) {
        (Some(one), _) if air.band != Band::Ghz2 => {
            format!(
                "{number} is the middle of a channel: give the number of its primary 20 MHz, such as {one}"
            )
        }
        (_, Some((band, _))) if numbers.len() > 3 => format!("{all}; {number} is one at {band}"),
        _ => all,
    }
}

/// By station the place of its access point among all; none, and reported, if it names none although there are several, or one
/// that does not exist.
pub(super) fn places(
    faults: &Faults,
    root: &Table,
    unknown: &Unknown,
    stations: &[Option<StationText>],
) -> Vec<Option<usize>> {
    let aps = root.items("ap");
    let places: BTreeMap<&str, usize> =
        aps.iter().enumerate().filter_map(|(at, node)| Some((name(node)?, at))).collect();
    let known = || aps.iter().filter_map(name);
    let place_of = |(station, node): (&Option<StationText>, &TomlNode)| {
        let station = station.as_ref()?;
        let Some(wanted) = &station.ap else {
            if aps.len() > 1 {
                let called = station.group.as_ref().unwrap_or(&station.name);
                let message = format!("station `{called}` needs an `ap`, since there are several");
                let hint = known().next().map(|one| format!("write ap = \"{one}\"; {}", there_are(known())));
                faults.lack(node.at, message, hint);
                return None;
            }
            return Some(0);
        };
        let found = places.get(wanted.as_str()).copied();
        // One without a name that can be read may be meant.
        if found.is_none() && !aps.is_empty() && known().count() == aps.len() && !unknown.seems("ap") {
            let message = format!("station `{}` is at `{wanted}`, which is no access point", station.name);
            faults.fail(node.place_of("ap"), message, Some(choose(wanted, known())));
        }
        found
    };
    stations.iter().zip(root.items("station")).map(place_of).collect()
}

fn name(node: &TomlNode) -> Option<&str> {
    node.table()?.get("name")?.text()
}
