//! Where radios are, if they have places, and what follows from that: how strongly they receive each other, and which of them
//! hear each other.

use crate::air::Air;
use crate::check_reachability::hears;
use crate::front_end::FrontEnd;
use crate::walk::Walk;
use crate::wall;
use crate::{Role, Scenario};
use airloom_observe::NodeId;
use airloom_propagation::{Plan, Point, TRANSMIT_POWER_DBM, Track, snr_of};
use airloom_sim::{Duration, IndexVec};
use airloom_wifi::{Channel, is_heard};

/// How often a station that walks is elsewhere. In this time it goes 14 cm at a walking pace of 1.4 m/s, which is 0.5 dB at 4 m from its
/// access point and less farther off; no rate control asks more often (`update_interval` of mac80211's rc80211_minstrel_ht.c is 50 ms), and
/// ten steps a second cost nothing beside the frames of that time.
const STEP: Duration = Duration::from_millis(100);

/// The place of all radios.
pub struct Place {
    plan: Plan,
    radios: IndexVec<NodeId, Radio>,
    /// For each node the nodes that are hidden from it by name.
    listed: IndexVec<NodeId, Vec<NodeId>>,
}

/// A radio.
struct Radio {
    track: Track,
    /// The access point at which it is, or itself.
    home: NodeId,
    /// Where else it may go, in order.
    ways: Vec<NodeId>,
    /// The air of its network.
    air: Air,
    channel: Channel,
    carrier_hz: f64,
    front_end: FrontEnd,
}

/// How a radio receives another.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Hearing {
    /// The power in dBm.
    pub dbm: f64,
    /// Whether it keeps quiet for its frames.
    pub heard: bool,
}

impl Place {
    /// How radio `by` receives radio `from` after this time of the run.
    pub fn received(&self, from: NodeId, by: NodeId, at: Duration) -> Hearing {
        let [there, back] = self.between([from, by], at);
        if from < by { there } else { back }
    }

    /// How two radios receive each other after this time of the run: first what the one with the higher number receives, then what the one with
    /// the lower number does. A station and its access point hear each other as far as the slowest of their frames get through; others at the
    /// level at which the standard has them detect a preamble.
    pub fn between(&self, pair: [NodeId; 2], at: Duration) -> [Hearing; 2] {
        let (one, other) = (pair[0].min(pair[1]), pair[0].max(pair[1]));
        if self.listed[one].binary_search(&other).is_ok() {
            return [Hearing { dbm: f64::NEG_INFINITY, heard: false }; 2];
        }
        let [a, b] = [one, other].map(|id| &self.radios[id]);
        let [from, to] = [a, b].map(|radio| radio.track.position(at));
        let usual = self.plan.received_dbm(from, to, a.carrier_hz) + self.plan.shadow_db(from, to);
        let [there, back] =
            [usual + a.front_end.received_db(&b.front_end), usual + b.front_end.received_db(&a.front_end)];
        if b.home == one || b.ways.binary_search(&one).is_ok() {
            let snr = self.snr_to(other, one, at);
            let ratios = [snr, snr + self.up_db(other, one)];
            let [down, up] = ratios.map(|snr| hears(&a.air, snr));
            return [Hearing { dbm: there, heard: down }, Hearing { dbm: back, heard: up }];
        }
        let (width, decodable) = (a.channel.width.min(b.channel.width), a.channel.has_primary_of(&b.channel));
        [there, back].map(|dbm| Hearing { dbm, heard: is_heard(dbm, width, decodable) })
    }

    /// By how many dB an access point hears a station better than that hears it, or worse if it is negative.
    pub fn up_db(&self, station: NodeId, access_point: NodeId) -> f64 {
        let [own, its] = [station, access_point].map(|id| &self.radios[id].front_end);
        own.up_db(its)
    }

    /// The ratio with which a station hears its access point after this time of the run, in dB.
    pub fn snr(&self, station: NodeId, at: Duration) -> f64 {
        self.snr_to(station, self.radios[station].home, at)
    }

    /// The ratio with which a station hears an access point that it is at, or may go to.
    pub fn snr_to(&self, station: NodeId, access_point: NodeId, at: Duration) -> f64 {
        let home = &self.radios[access_point];
        let (there, position) = (home.track.position(at), self.radios[station].track.position(at));
        let dbm = self.plan.received_dbm(there, position, home.carrier_hz);
        let above = home.front_end.ratio_db(&self.radios[station].front_end);
        snr_of(dbm + above, home.channel.width) + self.plan.shadow_db(there, position)
    }

    /// Where a station may be: at its access point, and at those that it may go to.
    pub fn ways(&self, station: NodeId) -> impl Iterator<Item = NodeId> + '_ {
        let Radio { home, ways, .. } = &self.radios[station];
        ways.iter().copied().chain(Some(*home).filter(|home| *home != station && !ways.contains(home)))
    }

    /// A station is tuned to the channel of another access point from now on.
    pub fn tune(&mut self, station: NodeId, access_point: NodeId) {
        let Radio { channel, carrier_hz, .. } = self.radios[access_point];
        let radio = &mut self.radios[station];
        let old = std::mem::replace(&mut radio.home, access_point);
        if let Err(place) = radio.ways.binary_search(&old) {
            radio.ways.insert(place, old);
        }
        (radio.channel, radio.carrier_hz) = (channel, carrier_hz);
    }

    /// A radio is on another channel of its band from now on.
    pub fn retune(&mut self, node: NodeId, channel: Channel) {
        let radio = &mut self.radios[node];
        (radio.channel, radio.carrier_hz) = (channel, 1e6 * f64::from(channel.primary_mhz));
    }

    /// A radio sends with this power from now on, in dBm.
    pub fn set_power(&mut self, node: NodeId, dbm: f64) {
        self.radios[node].front_end.tx_power = dbm;
    }

    /// The stations at an access point, and those that may go to it.
    pub fn stations_of(&self, access_point: NodeId) -> impl Iterator<Item = NodeId> + '_ {
        self.radios.ids().filter(move |&one| self.ways(one).any(|there| there == access_point))
    }

    /// A radio leaves its way after this time of the run, for a walk to another place.
    pub fn send(&mut self, node: NodeId, after: Duration, walk: &Walk) {
        let track = &mut self.radios[node].track;
        let (to, lasts) = walk.from(track.position(after));
        let way = std::mem::replace(track, Track::standing(to));
        *track = way.turned(after, to, after + lasts);
    }

    /// The power in dBm at which a receiver without gain at a place gets what a radio sends on this carrier, in Hz, after this time of the run.
    pub fn level_from(&self, place: Point, carrier_hz: f64, node: NodeId, at: Duration) -> f64 {
        self.level_at(place, carrier_hz, node, at) + self.radios[node].front_end.tx_power - TRANSMIT_POWER_DBM
    }

    /// The power at which a radio receives what sends with the usual power from this place, in dBm.
    pub fn level_at(&self, place: Point, carrier_hz: f64, node: NodeId, at: Duration) -> f64 {
        let Radio { track, front_end, .. } = &self.radios[node];
        let there = track.position(at);
        self.plan.received_dbm(place, there, carrier_hz)
            + self.plan.shadow_db(place, there)
            + front_end.antenna_gain
    }

    /// Where a radio is after this time of the run.
    pub fn position(&self, node: NodeId, at: Duration) -> Point {
        self.radios[node].track.position(at)
    }

    /// When a radio is next elsewhere, after this time; none if it stays.
    pub fn next_step(&self, node: NodeId, after: Duration) -> Option<Duration> {
        self.radios[node].track.moves_from(after).map(|from| from + STEP)
    }

    /// The radios that share spectrum with a radio, and those that it may go to, or that may come to it.
    pub fn on_spectrum_of(&self, node: NodeId) -> impl Iterator<Item = NodeId> + '_ {
        let Radio { channel, ways, .. } = &self.radios[node];
        self.radios.ids().filter(move |&other| {
            let it = &self.radios[other];
            let may_meet = || ways.binary_search(&other).is_ok() || it.ways.binary_search(&node).is_ok();
            other != node && (it.channel.overlaps(channel) || may_meet())
        })
    }

    /// All radios.
    pub fn radios(&self) -> impl Iterator<Item = NodeId> + '_ {
        self.radios.ids()
    }

    /// Whether it ever changes which radios hear each other: one moves, or may go to another channel.
    pub fn moves(&self) -> bool {
        let changes =
            |radio: &Radio| radio.track.moves_from(Duration::ZERO).is_some() || !radio.ways.is_empty();
        self.radios.iter().any(changes)
    }

    /// For each node the nodes that it does not hear as the run begins, in order: those that are named, and those out of reach.
    pub fn hidden(&self) -> IndexVec<NodeId, Vec<NodeId>> {
        let mut hidden: IndexVec<NodeId, Vec<NodeId>> = self.listed.iter().cloned().collect();
        for one in self.radios.ids() {
            for other in self.on_spectrum_of(one).filter(|&other| other > one) {
                let [there, back] = self.between([one, other], Duration::ZERO);
                if !back.heard {
                    hidden[one].push(other);
                }
                if !there.heard {
                    hidden[other].push(one);
                }
            }
        }
        for of_one in &mut hidden {
            of_one.sort_unstable();
            of_one.dedup();
        }
        hidden
    }
}

impl Scenario {
    /// Whether radios have a place: all access points have one, or none.
    pub(crate) fn has_places(&self) -> bool {
        self.ap.iter().all(|ap| ap.position.is_some())
    }

    /// The place of all radios, if they have one.
    pub fn place(&self) -> Option<Place> {
        let radios = self.nodes().take_while(|(_, role)| role.adapter().is_some());
        let radio = |(id, role): (NodeId, Role<'_>)| {
            let (track, home, ap, ways) = match role {
                Role::AccessPoint(ap) => (Track::standing(ap.position?), id, ap, Vec::new()),
                Role::Station(station) => {
                    let (home, ap) = self.access_point_of(station);
                    let ways = self.ways_of(station).into_iter().map(|(node, _)| node).collect();
                    (station.track()?, home, ap, ways)
                }
                Role::Server(_) => return None,
            };
            let air = self.air_of(ap).into_owned();
            let carrier_hz = 1e6 * f64::from(ap.primary_mhz(air.band));
            let front_end = role.adapter()?.front_end.clone();
            Some(Radio { track, home, ways, channel: ap.spectrum(&air), air, carrier_hz, front_end })
        };
        let radios = radios.map(radio).collect::<Option<IndexVec<NodeId, Radio>>>()?;
        let plan = wall::plan(&self.air, &self.wall, &self.floor, self.seed);
        Some(Place { plan, radios, listed: self.hidden() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::load;
    use airloom_sim::Index;

    const HEAD: &str = r#"
        title = "a place"
        duration = "20 s"
        air = { standard = "802.11a", band = "5 GHz", width = "20 MHz" }
        [[ap]]
        name = "ap"
        adapter = "dcf"
        position = ["0 m", "0 m"]
        [[station]]
        name = "left"
        host = "linux-6.18"
        adapter = "dcf"
        position = ["-30 m", "0 m"]
        [[station]]
        name = "right"
        host = "linux-6.18"
        adapter = "dcf"
        walk = { from = ["30 m", "0 m"], to = ["-30 m", "0 m"], speed = "4 m/s" }
    "#;

    fn nodes() -> [NodeId; 3] {
        [0, 1, 2].map(NodeId::new)
    }

    /// 17 - 46.73 - 30 log10(d) dBm: -82 dBm are at 55.2 m.
    #[test]
    fn stations_hear_each_other_from_minus_82_dbm_on() {
        let scenario = load(HEAD, "a.toml", &[], None).unwrap();
        let place = scenario.place().expect("positions");
        let [ap, left, right] = nodes();
        let heard = |ms| place.received(left, right, Duration::from_millis(ms)).heard;
        assert!(!heard(0), "they are 60 m apart");
        assert!(!heard(1100) && heard(1300), "55.6 m and 54.8 m");
        assert_eq!(place.hidden()[left], [right]);
        assert!(place.received(ap, right, Duration::ZERO).heard);
        let by_name = load(
            &HEAD.replace("position = [\"-30 m\"", "hidden_from = [\"right\"]\nposition = [\"-30 m\""),
            "a.toml",
            &[],
            None,
        );
        let place = by_name.unwrap().place().expect("positions");
        let there = place.received(left, right, Duration::from_secs(10));
        assert!(!there.heard && there.dbm == f64::NEG_INFINITY, "{there:?}");
    }

    #[test]
    #[expect(clippy::float_cmp, reason = "the same to the last bit is meant")]
    fn a_position_gives_what_its_distance_gives() {
        let set = |overrides: &[(&str, &str)]| {
            let overrides: Vec<_> =
                overrides.iter().map(|(k, v)| ((*k).to_owned(), (*v).to_owned())).collect();
            load(HEAD, "a.toml", &overrides, None).unwrap()
        };
        let placed = set(&[("station.left.position", "[\"1 m\", \"2 m\", \"2 m\"]")]);
        let left = placed.station[0].snr;
        let plan = crate::wall::plan(&placed.air, &[], &[], 1);
        assert_eq!(
            left,
            airloom_propagation::snr_at(3.0, 0, &plan.path_loss, 5.18e9, placed.channels()[0].width)
        );
        let place = placed.place().expect("positions");
        assert_eq!(place.snr(NodeId(1), Duration::ZERO), left);
    }

    #[test]
    fn steps_are_made_while_somebody_walks() {
        let place = load(HEAD, "a.toml", &[], None).unwrap().place().expect("positions");
        let [ap, left, right] = nodes();
        assert!(place.moves());
        assert_eq!([ap, left].map(|node| place.next_step(node, Duration::ZERO)), [None, None]);
        let steps = std::iter::successors(Some(Duration::ZERO), |&at| place.next_step(right, at));
        assert_eq!(steps.last(), Some(Duration::from_secs(15)));
    }

    #[test]
    fn what_is_written_with_everything_spelled_out_is_the_same_place() {
        let with_walls = format!(
            "{HEAD}\n[[wall]]\nfrom = [\"1 m\", \"-5 m\"]\nto = [\"1 m\", \"5 m\"]\nmaterial = \"heavy\"\n[[floor]]\nheight = \"2.8 m\"\n"
        );
        let scenario = load(&with_walls, "a.toml", &[], None).unwrap();
        let again = load(&scenario.to_toml(), "b.toml", &[], None).unwrap();
        assert_eq!(again, scenario);
        let open = load(HEAD, "a.toml", &[], None).unwrap();
        assert!((open.station[1].snr - scenario.station[1].snr - 6.9).abs() < 0.011);
    }
}
