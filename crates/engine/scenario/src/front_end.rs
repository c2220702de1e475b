//! What an adapter's radio sends with, and how much noise it adds to what it receives.

use airloom_config::form::{level, power};
use airloom_config::record;
use airloom_propagation::{NOISE_FIGURE_DB, TRANSMIT_POWER_DBM};

record! {
    /// What an adapter's radio sends with, and how much noise it adds to what it receives.
    pub struct FrontEnd {
        /// The power that it sends with, such as "20 dBm", spread over what a frame fills.
        tx_power: f64 = power(-10.0, 36.0), default TRANSMIT_POWER_DBM;
        /// What its antenna adds to what it sends and to what it receives, such as "2 dB" over an isotropic one.
        antenna_gain: f64 = level(-20.0, 30.0), default 0.0;
        /// By how much its receiver is noisier than the thermal noise of 290 K, such as "7 dB".
        noise_figure: f64 = level(0.0, 30.0), default NOISE_FIGURE_DB;
    }
}

impl FrontEnd {
    /// By how many dB what it sends is above the usual power, in every direction.
    pub(crate) fn sent_db(&self) -> f64 {
        (self.tx_power - TRANSMIT_POWER_DBM) + self.antenna_gain
    }

    /// By how many dB `by` receives it above what it would with usual powers and antennas.
    pub(crate) fn received_db(&self, by: &Self) -> f64 {
        self.sent_db() + by.antenna_gain
    }

    /// By how many dB `by` receives it above that over its noise.
    pub(crate) fn ratio_db(&self, by: &Self) -> f64 {
        self.received_db(by) - (by.noise_figure - NOISE_FIGURE_DB)
    }

    /// By how many dB `its` hears it better than it hears `its`, or worse if it is negative. Gains count both ways and cancel.
    pub(crate) fn up_db(&self, its: &Self) -> f64 {
        self.ratio_db(its) - its.ratio_db(self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::load;
    use airloom_sim::Duration;

    /// IEEE 802.11-14/0980r16, table of common parameters: access points of 20 dBm and 0 dBi, stations of 15 dBm and -2 dBi, both with a noise
    /// figure of 7 dB.
    const AP: FrontEnd = FrontEnd { tx_power: 20.0, antenna_gain: 0.0, noise_figure: 7.0 };
    const STATION: FrontEnd = FrontEnd { tx_power: 15.0, antenna_gain: -2.0, noise_figure: 7.0 };

    const WORLD: &str = r#"
        title = "unlike ends"
        air = { standard = "802.11a", band = "5 GHz", width = "20 MHz" }
        ap = [{ name = "ap", adapter = { profile = "dcf", tx_power = "20 dBm" } }]
        station = [{ name = "sta", host = "linux-6.18", distance = "10 m", adapter = { profile = "dcf", tx_power = "15 dBm", antenna_gain = "-2 dB" } }]
    "#;

    /// 20 - 2 - 17 = 1 dB above the usual down, 15 - 2 - 17 = -4 up.
    #[test]
    fn powers_decide_how_much_the_directions_differ() {
        let close = |one: f64, other: f64| assert!((one - other).abs() < 1e-9, "{one} {other}");
        close(AP.ratio_db(&STATION), 1.0);
        close(STATION.ratio_db(&AP), -4.0);
        close(STATION.up_db(&AP), -5.0);
        close(STATION.up_db(&FrontEnd { antenna_gain: 6.0, noise_figure: 11.0, ..AP }), -9.0);
        let quiet = FrontEnd { noise_figure: 4.0, ..AP };
        close(STATION.ratio_db(&quiet), -1.0);
        close(STATION.received_db(&quiet), -4.0);
    }

    /// A station 10 m off has 34.3 dB in 20 MHz with the usual powers (docs/rates.md).
    #[test]
    fn a_distance_gives_what_the_powers_leave() {
        let scenario = load(WORLD, "a.toml", &[], None).unwrap();
        let (station, ap) = (&scenario.station[0], &scenario.ap[0]);
        assert!((station.snr - 35.3).abs() < 0.05, "{}", station.snr);
        assert!((station.up_db(ap) - -5.0).abs() < 1e-9);
        let again = load(&scenario.to_toml(), "b.toml", &[], None).unwrap();
        assert!((again.station[0].snr - station.snr).abs() < 0.006 && again.station[0].snr_up.is_none());
    }

    #[test]
    fn a_station_may_say_both_ratios() {
        let text = WORLD.replace("distance = \"10 m\"", "snr = \"20 dB\", snr_up = \"12 dB\"");
        let scenario = load(&text, "a.toml", &[], None).unwrap();
        assert!((scenario.station[0].up_db(&scenario.ap[0]) - -8.0).abs() < 1e-9);
    }

    #[test]
    fn a_ratio_upward_stands_beside_a_ratio_and_lets_acknowledgements_through() {
        let mistake = |signal: &str| {
            let text = WORLD.replace("distance = \"10 m\"", signal);
            let mistakes = load(&text, "a.toml", &[], None).expect_err("a mistake");
            mistakes.all().last().map(|one| one.message.clone()).unwrap_or_default()
        };
        let both = "station `sta` has both `snr_up` and `distance`";
        assert_eq!(mistake("distance = \"10 m\", snr_up = \"12 dB\""), both);
        assert_eq!(mistake("snr_up = \"12 dB\""), "station `sta` has `snr_up` without `snr`");
        let deaf = "station `sta` is not heard by its access point: -9.5 dB is too little";
        assert_eq!(mistake("snr = \"20 dB\", snr_up = \"-9.5 dB\""), deaf);
    }

    /// At -79 dBm from the access point and -84 from the station, only one hears the other's preamble among strangers; of its own access point
    /// a station is heard as far as its acknowledgements get through.
    #[test]
    fn one_may_hear_another_that_does_not_hear_it() {
        let placed = |adapter: &str| {
            format!(
                r#"title = "two networks"
                air = {{ standard = "802.11a", band = "5 GHz", width = "20 MHz" }}
                station = [{{ name = "sta", ap = "weak", host = "linux-6.18", adapter = "dcf", position = ["60 m", "1 m"] }}]
                [[ap]]
                name = "strong"
                channel = 36
                adapter = {{ profile = "dcf", {adapter} }}
                position = ["0 m", "0 m"]
                [[ap]]
                name = "weak"
                channel = 36
                adapter = "dcf"
                position = ["60 m", "0 m"]"#
            )
        };
        let between = |adapter: &str| {
            let scenario = load(&placed(adapter), "a.toml", &[], None).unwrap();
            let place = scenario.place().expect("positions");
            let [strong, weak] = [0, 1].map(airloom_observe::NodeId);
            [[strong, weak], [weak, strong]].map(|[from, by]| place.received(from, by, Duration::ZERO))
        };
        // 17 - 46.73 - 53.34 = -83.07 dBm, below -82.
        assert_eq!(between("tx_power = \"17 dBm\"").map(|way| way.heard), [false, false]);
        assert_eq!(between("tx_power = \"20 dBm\"").map(|way| way.heard), [true, false]);
        assert_eq!(between("antenna_gain = \"3 dB\"").map(|way| way.heard), [true, true]);
    }
}
