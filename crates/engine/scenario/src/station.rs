//! Stations: hosts with a radio.

use airloom_queue::Discipline;
use airloom_wifi::{PowerSave, RateChoice};

use crate::access_point::AccessPoint;
use crate::adapter::Adapter;
use crate::air::{Air, Only80211b};
use crate::common::SharedRates;
use crate::front_end::FrontEnd;
use crate::host::Host;
use crate::multi_link;
use crate::multi_link::{MultiLink, StationLink, StationLinkText, links};
use crate::not_yet;
use crate::position::{IN_SPACE, PathForm, WalkText};
use crate::power_save::PowerSaveTable;
use crate::profiles::{ProfileKind, profiled};
use crate::rate_form::RateForm;
use crate::rate_text::RateText;
use crate::roam::{Roam, RoamForm};
use crate::scan::{Scan, ScanForm};
use crate::signal::{LEAST_SNR, MOST_SNR, Signal, SignalForm, SignalStep};
use airloom_config::error::{Faults, shown};
use airloom_config::form::{List, Name, Optional, count, distance, level, words};
use airloom_config::record;
use airloom_config::record::{Layers, MOST_ENTITIES, nested};
use airloom_config::toml_tree::Value;
use airloom_propagation::{Plan, Point, Track, Waypoint, snr_at, snr_of};
use airloom_sim::Duration;

/// A host with a radio.
#[derive(Clone, Debug, PartialEq)]
pub struct Station {
    /// Its name.
    pub name: String,
    /// The group it belongs to, by which other stations may refer to it.
    pub group: Option<String>,
    /// The name of the access point at which it is.
    pub ap: String,
    /// The host itself.
    pub host: Host,
    /// Its adapter.
    pub adapter: Adapter,
    /// The signal-to-noise ratio with which it hears its access point as the run begins, in dB.
    pub snr: f64,
    /// The ratios that it has later, in the order of their times; none if it keeps the first, or follows from its place.
    pub later: Vec<SignalStep>,
    /// The one with which its access point hears it, if that was given.
    pub snr_up: Option<f64>,
    /// The distance from which that follows, in metres, if it was given.
    pub distance: Option<f64>,
    /// How many walls stand in between, if that was given with the distance.
    pub walls: Option<u32>,
    /// Where it is, if that was given.
    pub position: Option<Point>,
    /// Where it goes, if that was given.
    pub path: Option<Vec<Waypoint>>,
    /// How the rate of data frames is chosen, in both directions.
    pub rate: RateChoice,
    /// Stations and groups that it does not hear and that do not hear it.
    pub hidden_from: Option<Vec<String>>,
    /// How it scans for other networks; it does not if this is none.
    pub scan: Option<Scan>,
    /// How it goes to other access points; it stays at its own if this is none.
    pub roam: Option<Roam>,
    /// How it dozes to save power; it does not if this is none.
    pub power_save: Option<PowerSave>,
    /// Its links, if its access point has several: all of them, the first one first.
    pub links: Option<Vec<StationLink>>,
    /// How it uses them, if it has several.
    pub multi_link: Option<MultiLink>,
}

record! {
    /// A station as written.
    pub(crate) struct StationText {
        /// Its name.
        name: String = Name;
        /// How many there are of it: `sta` with a count of 3 is `sta1`, `sta2` and `sta3` of the group `sta`, and a
        /// flow from or to `sta` is one for each.
        count: Option<u64> = Optional(count(1, MOST_ENTITIES as u64)), default None;
        /// The group it belongs to, by which other stations may refer to it.
        group: Option<String> = Optional(Name), default None;
        /// The access point at which it is, by its name; may be left out where there is one alone.
        ap: Option<String> = Optional(Name), default None;
        /// The host itself.
        host: Host = profiled::<Host>(ProfileKind::Host);
        /// Its adapter.
        adapter: Adapter = profiled::<Adapter>(ProfileKind::Adapter);
        /// The mean signal-to-noise ratio with which it hears its access point; or say `distance`. Both may stand here only if
        /// they agree, as where every default is spelled out. A script is an array, as `[{ at = "0 s", snr = "40 dB" }, { at = "9 s", snr = "12 dB" }]`;
        /// `{ trace = "walk.csv" }` reads one from a file with the columns `time_s` and `snr_db`.
        snr: Option<Signal> = Optional(SignalForm), default None;
        /// The same as its access point hears it, beside `snr`; if left out, as much less or more as the `tx_power` and the `noise_figure` of
        /// the two adapters say.
        snr_up: Option<f64> = Optional(level(LEAST_SNR, MOST_SNR)), default None;
        /// The distance to its access point, from which a log-distance path loss gives the ratio; or say `snr`.
        distance: Option<f64> = Optional(distance(0.1, 10_000.0)), default None;
        /// How many walls stand in between, beside the distance.
        walls: Option<u32> = Optional(airloom_config::form::count(0, 100)), default None;
        /// Where it is, as `["5 m", "2 m"]`, from which and the walls (`[[wall]]`) the ratio follows, and who hears it; a third value is
        /// the height. Every radio has a place, or none.
        position: Option<Point> = Optional(IN_SPACE), default None;
        /// Where it goes, as `[{ at = "0 s", position = ["1 m", "0 m"] }, { at = "9 s", position = ["9 m", "0 m"] }]`: in a line from each
        /// place to the next. Before the first and after the last it stands.
        path: Option<Vec<Waypoint>> = Optional(PathForm), default None;
        /// The same from one place to another, as `{ from = ["1 m", "0 m"], to = ["9 m", "0 m"], speed = "1.4 m/s" }`.
        walk: Option<WalkText> = Optional(nested::<WalkText>()), default None;
        /// The rate of data frames in both directions, such as "MCS 15" or "11 Mbit/s", or what chooses it, such as
        /// "minstrel"; its adapter's `rate_control` if left out.
        rate: Option<RateText> = Optional(RateForm), default None;
        /// Stations and groups that it does not hear and that do not hear it, as `["left", "right"]`; none if left out.
        hidden_from: Option<Vec<String>> = Optional(List(Name)), default None;
        /// How it scans for other networks.
        scan: Option<Scan> = Optional(ScanForm), default None;
        /// Who decides when it goes to another access point of its network: "wpa_supplicant", "iwd" or "sticky", or a table with `by`. It
        /// stays at its own if left out.
        roam: Option<Roam> = Optional(RoamForm), default None;
        /// How it dozes to save power, as `{}`; it stays awake if left out.
        power_save: Option<PowerSave> = Optional(nested::<PowerSaveTable>()), default None;
        /// Which links of its access point it has, as `[{ band = "5 GHz" }, { band = "6 GHz" }]`; if left out, all of them where it has
        /// `multi_link`, and else the first alone.
        links: Option<Vec<StationLinkText>> = Optional(links::<StationLinkText>()), default None;
        /// How it uses several links: "str", all at once, or "mlsr", one at a time, the first.
        multi_link: Option<MultiLink> = Optional(words(MultiLink::WORDS, &[])), default None;
    }
    elsewhere not_yet::of_station;
    look one_signal;
    check bus;
}

fn bus(station: &StationText, faults: &Faults, layers: &Layers<'_>) {
    if let (Discipline::Mac80211(_), Some(_)) = (&station.host.queue, &station.adapter.usb) {
        let message =
            format!("the driver of `{}`'s adapter on USB does not pull from `mac80211`", station.name);
        let hint = "give its host another `queue`, or the adapter no `usb`".to_owned();
        faults.fail(layers.place("host"), message, Some(hint));
    }
}

/// Whether a text in place of a level names a file, such as a trace.
fn is_a_file(text: &str) -> bool {
    [".csv", ".txt", ".json", ".mat", ".parquet", ".tr"].iter().any(|suffix| text.ends_with(suffix))
}

fn one_signal(faults: &Faults, layers: &Layers<'_>) {
    let given = |key: &str| layers.found(key).first().copied();
    let station = match given("name").and_then(|node| node.text()) {
        Some(name) => format!("station `{}`", shown(name)),
        None => "the station".to_owned(),
    };
    if let Some(node) = given("snr").filter(|node| node.text().is_some_and(is_a_file)) {
        let hint = format!("write snr = {{ trace = \"{}\" }}", shown(node.text().unwrap_or_default()));
        faults.fail(node.at, "`snr` is no file", Some(hint));
    }
    for (key, node) in ["snr_up", "distance"].into_iter().filter_map(|key| Some((key, given(key)?))) {
        let changes = matches!(node.value, Value::List(_) | Value::Table(_));
        if changes || node.text().is_some_and(is_a_file) {
            let hint = not_yet::serves("mobility").map(str::to_owned);
            let message = format!("`{key}` does not change with time, and no trace of it is read");
            faults.fail(node.at, message, hint);
        }
    }
    let may_be = |key: &str| given(key).is_some() || layers.unknown.may_be(key);
    let placed = PLACES.iter().chain(&["distance"]).find(|key| given(key).is_some());
    if let (Some(up), Some(place)) = (given("snr_up"), placed) {
        let hint = "leave it out: what the directions differ by is said by `tx_power` and `noise_figure` of the adapters".to_owned();
        faults.fail(up.at, format!("{station} has both `snr_up` and `{place}`"), Some(hint));
    } else if let (Some(up), false) = (given("snr_up"), may_be("snr")) {
        let hint = "write for example snr = \"35 dB\" beside it".to_owned();
        faults.fail(up.at, format!("{station} has `snr_up` without `snr`"), Some(hint));
    }
    if let (Some(walls), false) = (given("walls"), may_be("distance")) {
        let hint = match PLACES.iter().find(|key| given(key).is_some()) {
            Some(place) => format!(
                "the walls between a `{place}` and the access point are [[wall]], each with `from`, `to` and `material`"
            ),
            None => "walls weaken what a `distance` leaves; an `snr` is what is left in the end".to_owned(),
        };
        faults.fail(walls.at, format!("{station} has `walls` without `distance`"), Some(hint));
    }
    let scripted = given("snr").filter(|node| matches!(node.value, Value::List(_)));
    if let (Some(script), Some(place)) = (scripted, placed) {
        let hint = format!("leave `snr` out, and it follows from `{place}`; or leave `{place}` out");
        faults.fail(script.at, format!("{station} has both a script of `snr` and `{place}`"), Some(hint));
    }
    one_place(faults, layers, &station);
    let is_placed = PLACES.iter().any(|key| may_be(key));
    let of_links = given("links").is_some_and(|links| match &links.value {
        Value::List(items) => {
            items.iter().all(|item| item.table().is_some_and(|table| table.get("snr").is_some()))
        }
        _ => false,
    });
    if !is_placed && !of_links && !may_be("snr") && !may_be("distance") {
        let hint = "write for example distance = \"3 m\" or snr = \"35 dB\", or position = [\"3 m\", \"0 m\"] where radios have places".to_owned();
        faults.lack(layers.at, format!("{station} has neither `snr` nor `distance`"), Some(hint));
    }
}

/// The keys that say where a station is.
const PLACES: [&str; 3] = ["position", "path", "walk"];

/// Reports a place that is said twice.
fn one_place(faults: &Faults, layers: &Layers<'_>, station: &str) {
    let given = |key: &&str| layers.found(key).first().map(|node| (node.at, key.to_string()));
    let said: Vec<_> = PLACES.iter().chain(&["distance"]).filter_map(given).collect();
    if let [(one, first), (other, second), ..] = &said[..] {
        let message = format!("{station} has both `{first}` and `{second}`");
        let hint = format!("leave `{first}` or `{second}` out");
        faults.fail(*one.max(other), message, Some(hint));
    }
}

impl StationText {
    /// Whether it says where the station is.
    pub(crate) fn has_place(&self) -> bool {
        self.position.is_some() || self.path.is_some() || self.walk.is_some()
    }

    /// The places of its links among those of its access point, in the air of all: the first one alone if it says nothing of any.
    pub(crate) fn places_of_links(&self, ap: &AccessPoint, shared: &Air) -> Vec<usize> {
        match (&self.links, self.multi_link) {
            _ if ap.links().is_empty() => vec![0],
            (Some(links), _) => multi_link::places(links, ap.links(), shared).unwrap_or_else(|_| vec![0]),
            (None, Some(_)) => (0..ap.links().len()).collect(),
            (None, None) => vec![0],
        }
    }

    /// The station at this access point, over these of its links; the air is that of all.
    pub(crate) fn resolve_links(
        self,
        faults: &Faults,
        shared: &Air,
        ap: &AccessPoint,
        plan: &Plan,
    ) -> Station {
        let places = self.places_of_links(ap, shared);
        let one = |place: usize| {
            let seen = ap.with_link(place);
            let mut air = seen.air(shared).into_owned();
            air.fill(Only80211b { own: false, near: false });
            let of_link =
                self.links.iter().flatten().nth(places.iter().position(|&at| at == place).unwrap_or(0));
            let mut text = self.clone();
            if let Some(StationLinkText { snr, rate, .. }) = of_link {
                text.snr = snr.map(|snr| Signal { snr, later: Vec::new() }).or(text.snr);
                text.rate = rate.clone().or(text.rate);
            }
            (place, air.band, seen.primary(air.band), air.width, text.resolve(faults, &air, &seen, plan))
        };
        if ap.links().is_empty() {
            return self.resolve(faults, &ap.air(shared), ap, plan);
        }
        let of_each: Vec<_> = places.iter().map(|&place| one(place)).collect();
        let links = of_each.iter().map(|(number, band, channel, width, station)| StationLink {
            number: *number,
            band: *band,
            channel: *channel,
            width: *width,
            snr: station.snr,
            rate: station.rate.clone(),
        });
        let links: Vec<StationLink> = links.collect();
        let usual = (links.len() > 1).then_some(MultiLink::Simultaneous);
        let multi_link = self.multi_link.or(usual);
        let (.., first) = of_each.into_iter().next().expect("a station has a link");
        Station { links: Some(links), multi_link, ..first }
    }

    /// The station in this air, at this access point with a single link.
    fn resolve(self, faults: &Faults, air: &Air, ap: &AccessPoint, plan: &Plan) -> Station {
        let path = self.path.or_else(|| self.walk.as_ref().map(WalkText::path));
        let place = track(self.position, path.as_deref());
        let front_end = &self.adapter.front_end;
        let by_place = || snr_by_place(place.as_ref(), front_end, air, ap, plan);
        let by_distance = || snr_by_distance(self.distance, self.walls, front_end, air, ap);
        let Signal { snr, later } = self.snr.unwrap_or_else(|| Signal {
            snr: by_place().or_else(by_distance).unwrap_or(0.0),
            later: Vec::new(),
        });
        let rate = match self.rate {
            Some(rate) => rate.on(faults, air, &self.adapter, &ap.adapter),
            None => match &self.adapter.rate_control {
                Some(control) => RateChoice::Adaptive(control.clone()),
                None => RateChoice::Fixed(SharedRates::of(air, &self.adapter, &ap.adapter).highest()),
            },
        };
        let ap = ap.name.clone();
        let Self {
            name,
            group,
            host,
            adapter,
            snr_up,
            distance,
            walls,
            position,
            hidden_from,
            scan,
            roam,
            power_save,
            ..
        } = self;
        Station {
            name,
            group,
            ap,
            host,
            adapter,
            snr,
            later,
            snr_up,
            distance,
            walls,
            position,
            path,
            rate,
            hidden_from,
            scan,
            roam,
            power_save,
            links: None,
            multi_link: None,
        }
    }
}

/// The ratio that follows from a distance from this access point behind walls, if that is given.
fn snr_by_distance(
    distance: Option<f64>,
    walls: Option<u32>,
    front_end: &FrontEnd,
    air: &Air,
    ap: &AccessPoint,
) -> Option<f64> {
    let carrier_hz = 1e6 * f64::from(ap.primary_mhz(air.band));
    let usual = |metres| snr_at(metres, walls.unwrap_or(0), &air.path_loss, carrier_hz, air.width);
    let above = ap.adapter.front_end.ratio_db(front_end);
    distance.map(|metres| libm::round(100.0 * (usual(metres) + above)) / 100.0)
}

/// The ratio that follows from the place at which a station begins, without shadowing, if it has one and its access point too.
fn snr_by_place(
    place: Option<&Track>,
    front_end: &FrontEnd,
    air: &Air,
    ap: &AccessPoint,
    plan: &Plan,
) -> Option<f64> {
    let carrier_hz = 1e6 * f64::from(ap.primary_mhz(air.band));
    let dbm = plan.received_dbm(ap.position?, place?.position(Duration::ZERO), carrier_hz);
    Some(snr_of(dbm + ap.adapter.front_end.ratio_db(front_end), air.width))
}

/// The way of a station that is there, or goes there, if either is given.
fn track(position: Option<Point>, path: Option<&[Waypoint]>) -> Option<Track> {
    path.map(|path| Track::through(path.to_vec())).or_else(|| position.map(Track::standing))
}

impl Station {
    /// Its way, if it has a place.
    pub fn track(&self) -> Option<Track> {
        track(self.position, self.path.as_deref())
    }

    /// The place of its first link among those of its access point.
    pub fn first_link(&self) -> usize {
        self.links.iter().flatten().next().map_or(0, |link| link.number)
    }

    /// The links that it uses at once beside the first.
    pub fn further_links(&self) -> &[StationLink] {
        let links = self.links.as_deref().unwrap_or_default();
        let at_once = self.multi_link.is_some_and(|how| how != MultiLink::SingleRadio);
        if at_once { &links[1..] } else { &[] }
    }

    /// How well it hears its access point, before shadowing.
    pub(crate) fn signal(&self) -> Signal {
        Signal { snr: self.snr, later: self.later.clone() }
    }

    /// By how many dB this access point hears it better than it hears that, or worse if it is negative.
    pub fn up_db(&self, ap: &AccessPoint) -> f64 {
        let (own, its) = (&self.adapter.front_end, &ap.adapter.front_end);
        self.snr_up.map_or_else(|| own.up_db(its), |up| up - self.snr)
    }

    /// The ratio that follows from its place or its distance, if that is given and is not the one it has.
    pub(super) fn contradiction(&self, air: &Air, ap: &AccessPoint, plan: &Plan) -> Option<f64> {
        let front_end = &self.adapter.front_end;
        let by_place = snr_by_place(self.track().as_ref(), front_end, air, ap, plan);
        let snr = by_place.or_else(|| snr_by_distance(self.distance, self.walls, front_end, air, ap));
        snr.filter(|snr| (snr - self.snr).abs() >= 0.005)
    }

    /// The station as it would be written with everything spelled out.
    pub(crate) fn text(&self) -> StationText {
        StationText {
            name: self.name.clone(),
            count: None,
            group: self.group.clone(),
            ap: Some(self.ap.clone()),
            host: self.host.clone(),
            adapter: self.adapter.clone(),
            // Out of reach, where a place may be, it is less than may be written.
            snr: Some(self.signal()).filter(|signal| (LEAST_SNR..=MOST_SNR).contains(&signal.snr)),
            snr_up: self.snr_up,
            distance: self.distance,
            walls: self.walls,
            position: self.position,
            path: self.path.clone(),
            walk: None,
            rate: Some(RateText::of(&self.rate)),
            hidden_from: self.hidden_from.clone(),
            scan: self.scan.clone(),
            roam: self.roam.clone(),
            power_save: self.power_save,
            links: self.links.as_ref().map(|links| links.iter().map(StationLink::text).collect()),
            multi_link: self.multi_link,
        }
    }
}
