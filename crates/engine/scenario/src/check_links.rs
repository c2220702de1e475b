//! Checks links of multi-link devices: what an access point with several has beside them, and which of them stations use.

use crate::Scenario;
use crate::access_point::AccessPoint;
use crate::air::{Air, Standard};
use crate::flow::FlowKind;
use crate::link_rate::LinkRate;
use crate::multi_link::{self, EXAMPLE, MultiLink};
use crate::rate_text::RateText;
use crate::station::StationText;
use airloom_config::error::{At, Faults};
use airloom_config::toml_tree::{Table, TomlNode};
use airloom_wifi::Channel;

/// Fills in the links of access points, of which the first is what `band`, `channel` and `width` say of one. Reports what does not go together;
/// looks no further at an access point of which anything is reported.
pub(super) fn access_points(faults: &Faults, root: &Table, shared: &Air, aps: &mut [Option<AccessPoint>]) {
    for (place, node) in aps.iter_mut().zip(root.items("ap")) {
        let Some(ap) = place.as_mut().filter(|ap| ap.links.is_some()) else { continue };
        ap.links.iter_mut().flatten().for_each(|link| link.fill(shared));
        let found = beside(ap, shared).or_else(|| first(ap)).or_else(|| channels(ap, shared));
        if let Some((key, link, message, hint)) = found {
            let at = link.map_or_else(|| node.place_of(key), |link| at_link(node, link, key));
            faults.fail(at, message, Some(hint));
            *place = None;
            continue;
        }
        let first = ap.links()[0].clone();
        (ap.own.band, ap.own.width, ap.channel) = (first.band, first.width, first.channel);
    }
}

/// What is wrong, with its key, and the link if it is of one; and what to write.
type Found = Option<(&'static str, Option<usize>, String, String)>;

/// The place of a key of a link, or of the link.
fn at_link(node: &TomlNode, link: usize, key: &str) -> At {
    let item = node.table().and_then(|table| table.items("links").get(link));
    item.map_or_else(|| node.place_of("links"), |item| item.place_of(key))
}

/// What an access point has that does not go with links.
fn beside(ap: &AccessPoint, shared: &Air) -> Found {
    let name = &ap.name;
    let standard = ap.own.standard.unwrap_or(shared.standard);
    if standard != Standard::Be80211 {
        let message = format!(
            "access point `{name}` has `links`, which are of 802.11be (clause 35.3), but its network is of {}",
            standard.name()
        );
        return Some(("links", None, message, "write standard = \"802.11be\"".to_owned()));
    }
    let unsupported = [
        ("position", ap.position.is_some()),
        ("switch", ap.switch.is_some()),
        ("off", ap.off.is_some()),
        ("steer", ap.steer.is_some()),
        ("pseudo_retry_out", ap.pseudo_retry_out),
    ];
    let (key, _) = unsupported.into_iter().find(|(_, given)| *given)?;
    let message = format!("access point `{name}` has `links` and `{key}`, which is not supported yet");
    let hint = match key {
        "position" => "leave all places out, and give stations `snr` or `distance`".to_owned(),
        _ => format!("leave `{key}` out"),
    };
    Some((key, None, message, hint))
}

/// What an access point says of its channel that is not so of its first link.
fn first(ap: &AccessPoint) -> Found {
    let first = ap.links().first()?;
    let other = [
        ("band", ap.own.band.is_some_and(|band| first.band != Some(band))),
        ("width", ap.own.width.is_some_and(|width| first.width != Some(width))),
        ("channel", ap.channel.is_some_and(|channel| first.channel != Some(channel))),
    ];
    let (key, _) = other.into_iter().find(|(_, differs)| *differs)?;
    let message = format!("access point `{}` has both `links` and `{key}`", ap.name);
    Some((key, None, message, format!("leave `{key}` out: each link has its own")))
}

/// Links without a channel, or with one that another has too.
fn channels(ap: &AccessPoint, shared: &Air) -> Found {
    let mut earlier: Vec<Channel> = Vec::new();
    for (n, link) in ap.links().iter().enumerate() {
        let one = ap.with_link(n);
        let mut own = one.into_owned();
        (own.own.band, own.own.width, own.channel) = (link.band, link.width, link.channel);
        let air = own.air(shared).into_owned();
        if let Some((key, message, hint)) = air.contradictions().into_iter().next() {
            return Some((key, Some(n), message, hint));
        }
        if ap.adapter.widest() < air.width {
            let (widest, width) = (ap.adapter.widest().name(), air.width.name());
            let message = format!(
                "the adapter of access point `{}` has channels of up to {widest}, not of {width}",
                ap.name
            );
            return Some(("width", Some(n), message, format!("write width = \"{widest}\"")));
        }
        // That there is none is reported with those of all networks.
        let Some(channel) = air.band.channel(own.primary(air.band), air.width) else { continue };
        let guard = air.band.guard_mhz();
        if earlier.iter().any(|other| !other.is_apart(&channel, guard)) {
            let message = format!(
                "two links of access point `{}` share spectrum: {} overlaps another; the links of a device are on channels of their own \
                 (IEEE 802.11be-2024 35.3)",
                ap.name,
                link.said()
            );
            return Some(("channel", Some(n), message, EXAMPLE.to_owned()));
        }
        earlier.push(channel);
    }
    None
}

/// Reports links that a station cannot have, and what does not go with several; `homes` has the access point of each.
pub(super) fn stations(
    faults: &Faults,
    root: &Table,
    shared: &Air,
    homes: &[Option<&AccessPoint>],
    stations: &[Option<StationText>],
) {
    for ((station, home), node) in stations.iter().zip(homes).zip(root.items("station")) {
        let (Some(station), Some(home)) = (station, home) else { continue };
        let found = has(station, home, shared).or_else(|| several(station, home, shared));
        if let Some((key, link, message, hint)) = found {
            let at = link.map_or_else(|| node.place_of(key), |link| at_link(node, link, key));
            faults.fail(at, message, Some(hint));
        }
    }
}

/// What is wrong with the links of a station by themselves.
fn has(station: &StationText, home: &AccessPoint, shared: &Air) -> Found {
    let (name, ap) = (&station.name, &home.name);
    let key = if station.links.is_some() { "links" } else { "multi_link" };
    if home.links().is_empty() {
        (station.links.is_some() || station.multi_link.is_some()).then_some(())?;
        let message = format!("station `{name}` has `{key}`, but its access point `{ap}` has no `links`");
        return Some((key, None, message, EXAMPLE.replace("write", "give that")));
    }
    if station.roam.is_some() {
        let message =
            format!("station `{name}` roams from an access point with `links`, which is not supported yet");
        return Some(("roam", None, message, "leave `roam` out".to_owned()));
    }
    let wanted = station.links.as_deref().unwrap_or_default();
    if let Err((link, why)) = multi_link::places(wanted, home.links(), shared) {
        let message = format!("station `{name}` has a link {why}");
        let known: Vec<String> = home.links().iter().map(|link| link.said()).collect();
        return Some((
            "band",
            Some(link),
            message,
            format!("access point `{ap}` has {}", known.join(" and ")),
        ));
    }
    let how = station.multi_link?;
    if !how.is_built() {
        let message = format!("multi_link = \"{}\" is not supported yet", how.name());
        return Some(("multi_link", None, message, "write \"str\" or \"mlsr\"".to_owned()));
    }
    let links = station.places_of_links(home, shared).len();
    (links == 1 && how != MultiLink::SingleRadio).then(|| {
        let message =
            format!("station `{name}` has one link, and multi_link = \"{}\" takes several", how.name());
        ("multi_link", None, message, "leave it out, or give `links` another one".to_owned())
    })
}

/// What a station has that does not go with several links.
fn several(station: &StationText, home: &AccessPoint, shared: &Air) -> Found {
    if station.places_of_links(home, shared).len() < 2 {
        return None;
    }
    let name = &station.name;
    if station.adapter.standard != Standard::Be80211 {
        let message = format!(
            "station `{name}` has several links, which are of 802.11be (clause 35.3), but its adapter speaks {}",
            station.adapter.standard.name()
        );
        return Some((
            "adapter",
            None,
            message,
            "give it an adapter such as \"edca-be\", or one link".to_owned(),
        ));
    }
    let changes = station.snr.as_ref().is_some_and(|signal| !signal.later.is_empty());
    let alone = |rate: &Option<RateText>| rate.as_ref().is_some_and(RateText::is_of_legacy);
    let of_link = station.links.iter().flatten().any(|link| alone(&link.rate));
    let unsupported = [
        ("position", station.has_place(), "a place"),
        ("scan", station.scan.is_some(), "`scan`"),
        ("power_save", station.power_save.is_some(), "`power_save`"),
        ("adapter", station.adapter.usb.is_some(), "an adapter on USB"),
        ("snr", changes, "an `snr` that changes"),
        ("rate", alone(&station.rate) || of_link, "a rate that sends MPDUs one by one"),
        ("host", station.host.link_rate != LinkRate::Ignored, "`link_rate`"),
    ];
    let (key, _, what) = unsupported.into_iter().find(|(_, given, _)| *given)?;
    let message = format!("station `{name}` has several links and {what}, which is not supported yet");
    Some((key, None, message, "leave it out, or give the station one link".to_owned()))
}

/// Reports flows that do not go with links.
pub(super) fn flows(faults: &Faults, root: &Table, scenario: &Scenario) {
    if scenario.ap.iter().all(|ap| ap.links().is_empty()) {
        return;
    }
    for (flow, node) in scenario.flow.iter().zip(root.items("flow")) {
        let several = |name: &str| {
            let station = scenario.station.iter().find(|station| station.name == name);
            station.is_some_and(|station| !station.further_links().is_empty())
        };
        let feedback = matches!(&flow.kind, FlowKind::Tcp { tcp, .. } if tcp.link_rate.is_some_and(|rate| rate != LinkRate::Ignored));
        let what = match &flow.kind {
            FlowKind::Publish { .. } => "goes to a group, and an access point has `links`",
            _ if feedback && several(&flow.from) => "has `link_rate`, and its station several links",
            _ => continue,
        };
        let message = format!("flow `{}` {what}: not supported yet", flow.name);
        faults.fail(node.at, message, Some("leave one of the two out".to_owned()));
    }
}
