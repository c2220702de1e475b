//! How well stations and their access points receive each other in a run.

use crate::wall;
use crate::{AccessPoint, Scenario, Station};
use airloom_propagation::{Plan, snr_of};
use airloom_sim::{Duration, Stream};

/// The signals of a run, whose plan is made once for all stations.
pub struct Signals<'a> {
    scenario: &'a Scenario,
    plan: Plan,
}

impl Scenario {
    /// The signals of this run.
    pub fn signals(&self) -> Signals<'_> {
        Signals { scenario: self, plan: wall::plan(&self.air, &self.wall, &self.floor, self.seed) }
    }
}

impl Signals<'_> {
    /// The mean signal-to-noise ratio between a station and its access point, in dB: that of the station's place and the shadowing that
    /// the seed draws for it, or for its place on the plan. Of one that walks, as the run begins.
    pub fn snr(&self, station: &Station) -> f64 {
        let Self { scenario, plan } = self;
        if let (Some(track), Some(home)) = (station.track(), scenario.access_point_of(station).1.position) {
            return station.snr + plan.shadow_db(home, track.position(Duration::ZERO));
        }
        station.snr + scenario.air.shadowing * Stream::new(scenario.seed, &station.name, "shadowing").normal()
    }

    /// The best of these ratios in the run, of a station that roams of those with any access point that it may go to: of a station that
    /// does not walk, the [only one](Self::snr), of one that does, the best of so many moments of its way.
    pub(crate) fn best_snr(&self, station: &Station) -> f64 {
        let ratios = self.moments(station).into_iter().map(|at| self.snr_at(station, at));
        ratios.fold(f64::NEG_INFINITY, f64::max)
    }

    /// The moments of a station's way at which its ratios are looked at, in their order: the last one is where it stays until the run ends.
    /// One alone of a station that does not walk.
    pub(crate) fn moments(&self, station: &Station) -> Vec<Duration> {
        const MOMENTS: u64 = 200;
        if !station.later.is_empty() {
            let until = self.scenario.duration;
            let steps = station.later.iter().map(|step| step.at).filter(|&at| at <= until);
            return std::iter::once(Duration::ZERO).chain(steps).collect();
        }
        let end = station.path.as_ref().and_then(|path| path.last()).map(|last| last.at);
        let until = end.map_or(Duration::ZERO, |end| end.min(self.scenario.duration));
        if until == Duration::ZERO {
            return vec![Duration::ZERO];
        }
        (0..=MOMENTS).map(|moment| until * moment / MOMENTS).collect()
    }

    /// The ratio after this time of the run, of a station that roams the best one with any access point that it may go to.
    pub(crate) fn snr_at(&self, station: &Station, at: Duration) -> f64 {
        let ways = self.scenario.ways_of(station).into_iter().map(|(_, ap)| self.snr_to(station, ap, at));
        ways.fold(self.snr_to(station, self.scenario.access_point_of(station).1, at), f64::max)
    }

    fn snr_to(&self, station: &Station, home: &AccessPoint, at: Duration) -> f64 {
        let Self { scenario, plan } = self;
        let walks = station.path.as_ref().is_some_and(|path| !path.is_empty());
        let (Some(position), Some(track), true) = (home.position, station.track(), walks) else {
            return self.snr(station) + station.signal().at(at) - station.snr;
        };
        let air = scenario.air_of(home);
        let (carrier_hz, width) = (1e6 * f64::from(home.primary_mhz(air.band)), air.width);
        let there = track.position(at);
        let above = home.adapter.front_end.ratio_db(&station.adapter.front_end);
        snr_of(plan.received_dbm(position, there, carrier_hz) + above, width)
            + plan.shadow_db(position, there)
    }
}

#[cfg(test)]
mod tests {
    use crate::load;
    use airloom_sim::Duration;

    /// Three networks of three widths, each with a station, and walls and shadowing among them.
    const HOUSE: &str = r#"
        title = "three widths"
        seed = 3
        air = { standard = "802.11ac", band = "5 GHz", width = "80 MHz", shadowing = "4 dB" }
        ap = [
            { name = "wide", adapter = "edca-ac", channel = 36, position = ["0 m", "0 m"] },
            { name = "half", adapter = "edca-ac", channel = 44, width = "40 MHz", position = ["20 m", "0 m"] },
            { name = "least", adapter = "edca-ac", channel = 52, width = "20 MHz", position = ["40 m", "0 m"] },
        ]
        station = [
            { name = "one", ap = "wide", host = "linux-6.18", adapter = "edca-ac", position = ["4 m", "3 m"] },
            { name = "two", ap = "half", host = "linux-6.18", adapter = "edca-ac", position = ["24 m", "3 m"] },
            { name = "three", ap = "least", host = "linux-6.18", adapter = "edca-ac", position = ["44 m", "3 m"] },
        ]
        wall = [{ from = ["22 m", "-5 m"], to = ["22 m", "5 m"], material = "heavy" }]
    "#;

    /// Five metres each: the noise of 80 MHz is 3 dB above that of 40 and 6 above that of 20; the wall takes 6.9 dB of the second. Path loss grows with
    /// the carrier by 20 log10(f): 5260 MHz over 5180 are 0.13 dB, 5220 are 0.07.
    #[test]
    fn each_station_has_the_noise_of_its_own_width() {
        let plain = HOUSE.replace("shadowing = \"4 dB\"", "shadowing = \"0 dB\"");
        let scenario = load(&plain, "a.toml", &[], None).unwrap();
        let signals = scenario.signals();
        let [one, two, three] = [0, 1, 2].map(|n| signals.snr(&scenario.station[n]));
        assert!((two - (one + 3.01 - 6.9 - 0.07)).abs() < 0.02, "{one} {two}");
        assert!((three - (one + 6.02 - 0.13)).abs() < 0.02, "{one} {three}");
    }

    #[test]
    #[expect(clippy::float_cmp, reason = "the same to the last bit is meant")]
    fn signals_are_those_of_the_place_with_its_shadowing() {
        let scenario = load(HOUSE, "a.toml", &[], None).unwrap();
        let (signals, place) = (scenario.signals(), scenario.place().expect("positions"));
        let shadowed =
            scenario.stations().filter(|(_, station)| (signals.snr(station) - station.snr).abs() > 0.1);
        assert!(shadowed.count() > 0);
        for (node, station) in scenario.stations() {
            assert!(
                (signals.snr(station) - place.snr(node, Duration::ZERO)).abs() < 0.006,
                "{}",
                station.name
            );
            assert_eq!(signals.best_snr(station), signals.snr(station));
        }
    }
}
