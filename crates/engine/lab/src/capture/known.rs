//! What the capture of the air knows of a radio, and how strong its frames are in it.

use airloom_observe::NodeId;
use airloom_propagation::NOISE_FIGURE_DB;
use airloom_scenario::{AccessPoint, Role, Scenario};

/// Noise floor in 20 MHz with a noise figure of 7 dB: -174 dBm/Hz + 73 dB + 7 dB, in dBm.
pub(super) const NOISE_20MHZ: i8 = -94;
/// Signal of the access point, which is right beside the monitor, in dBm.
const BESIDE: i8 = -30;

/// What is known of a radio.
pub(super) struct Known {
    /// Its access point, or itself if it is one.
    pub(super) ap: NodeId,
    /// The place of its channel.
    pub(super) channel: usize,
    /// Which link of its access point it is on, of several the first.
    pub(super) link: u8,
    /// Its signal at that monitor, in dBm.
    pub(super) signal: i8,
    /// The ratio with which a station hears its access point, in dB.
    snr_db: f64,
    /// By how many dB each access point's antenna gets a station's frames above that ratio over the usual noise; nothing of an access point.
    above_db: Vec<f64>,
    /// Whether it sends QoS data.
    pub(super) qos: bool,
    /// The access point that it comes from, if it is on its way to another one.
    pub(super) came_from: NodeId,
}

/// The signal in dBm that has this ratio to the noise, in dB.
fn signal_at(snr_db: f64) -> i8 {
    (f64::from(NOISE_20MHZ) + snr_db).clamp(-127.0, 0.0) as i8
}

impl Known {
    /// What a scenario says of a node's radio; none of a server.
    pub(super) fn of(
        scenario: &Scenario,
        (id, role): (NodeId, Role<'_>),
        channel: Option<usize>,
    ) -> Option<Self> {
        let (channel, qos) = (channel?, role.adapter()?.qos);
        let beside = Self {
            ap: id,
            channel,
            link: 0,
            signal: BESIDE,
            snr_db: 0.0,
            above_db: vec![],
            qos,
            came_from: id,
        };
        let Role::Station(station) = role else { return Some(beside) };
        let ap = scenario.access_point_of(station).0;
        // What the receiver's own noise takes of the ratio, it does not take of the power.
        let above =
            |ap: &AccessPoint| station.up_db(ap) + (ap.adapter.front_end.noise_figure - NOISE_FIGURE_DB);
        let above_db = scenario.ap.iter().map(above).collect();
        let link = station.first_link() as u8;
        let mut known = Self { ap, link, came_from: ap, above_db, ..beside };
        known.hears(station.snr);
        Some(known)
    }

    /// It hears its access point with this ratio, in dB, from now on.
    pub(super) fn hears(&mut self, snr_db: f64) {
        self.snr_db = snr_db;
        if let Some(above_db) = self.above_db.get(usize::from(self.ap.0)) {
            self.signal = signal_at(snr_db + above_db);
        }
    }

    /// The signal in dBm of a frame of it that fading takes so many dB off its mean: a monitor beside the access point hears a station over the path of that, and the access point beside it without
    /// any.
    pub(super) fn faded(&self, fade_db: f64) -> i8 {
        let fade_db = if self.above_db.is_empty() { 0.0 } else { fade_db };
        (f64::from(self.signal) + fade_db).round().clamp(-127.0, 0.0) as i8
    }

    /// It goes from one access point to another, on the channel at this place.
    pub(super) fn goes(&mut self, [from, to]: [NodeId; 2], channel: usize) {
        (self.came_from, self.ap, self.channel) = (from, to, channel);
        self.hears(self.snr_db);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The ends of IEEE 802.11-14/0980: 5 dB less upward. At 10 m a station with the usual power has 34.3 dB in 20 MHz (docs/rates.md), so that
    /// its frames arrive with -59.7 dBm, 4 dB less with 15 dBm and -2 dB.
    const HOUSE: &str = r#"
        title = "two homes"
        air = { standard = "802.11a", band = "5 GHz", width = "20 MHz" }
        [[ap]]
        name = "hall"
        channel = 36
        adapter = { profile = "dcf", tx_power = "20 dBm" }
        [[ap]]
        name = "attic"
        channel = 100
        adapter = { profile = "dcf", tx_power = "30 dBm", noise_figure = "11 dB" }
        [[station]]
        name = "phone"
        ap = "hall"
        host = "linux-6.18"
        distance = "10 m"
        adapter = { profile = "dcf", tx_power = "15 dBm", antenna_gain = "-2 dB" }
    "#;

    fn phone(text: &str) -> Known {
        let scenario = airloom_scenario::load(text, "a.toml", &[], None).unwrap();
        let channel_of = scenario.channel_of();
        let mut nodes = scenario.nodes().zip(&channel_of);
        let (node, channel) = nodes.find(|((_, role), _)| matches!(role, Role::Station(_))).unwrap();
        Known::of(&scenario, node, *channel).unwrap()
    }

    #[test]
    fn the_noise_of_a_receiver_changes_no_power() {
        for adapter in ["tx_power = \"20 dBm\" }", "tx_power = \"15 dBm\", antenna_gain = \"-2 dB\" }"] {
            for figure in [3, 7, 11] {
                let noisy = adapter.replace(" }", &format!(", noise_figure = \"{figure} dB\" }}"));
                let text = HOUSE.replace(adapter, &noisy);
                assert_eq!(phone(&text).signal, -63, "{noisy}");
            }
        }
    }

    #[test]
    fn a_monitor_beside_the_access_point_hears_a_stations_fades_and_none_of_the_access_points() {
        let phone = phone(HOUSE);
        assert_eq!([0.0, -6.5, 3.2, -200.0].map(|fade_db| phone.faded(fade_db)), [-63, -70, -60, -127]);
        let scenario = airloom_scenario::load(HOUSE, "a.toml", &[], None).unwrap();
        let hall = Known::of(&scenario, scenario.nodes().next().unwrap(), Some(0)).unwrap();
        assert_eq!(hall.faded(-6.5), BESIDE);
    }

    #[test]
    fn a_station_is_received_by_the_access_point_at_which_it_is() {
        let (mut phone, [hall, attic]) = (phone(HOUSE), [0, 1].map(NodeId));
        phone.goes([hall, attic], 1);
        // The attic sends with 15 dB more than the phone, the hall with 5.
        phone.hears(20.0);
        assert_eq!((phone.signal, phone.ap, phone.channel), (-89, attic, 1));
        phone.goes([attic, hall], 0);
        assert_eq!((phone.signal, phone.ap, phone.channel), (-79, hall, 0));
    }
}
