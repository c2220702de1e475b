//! Which access points share spectrum, and how strongly they receive each other.

use crate::Scenario;
use airloom_sim::Duration;

/// Two access points whose channels overlap.
#[derive(Clone, Debug, PartialEq)]
pub struct Sharing {
    /// Their names, in the order of the scenario.
    pub names: [String; 2],
    /// The power in dBm at which they receive each other, the lower one if they differ.
    pub dbm: f64,
    /// Whether they keep quiet for each other's frames.
    pub heard: bool,
}

impl Scenario {
    /// All pairs of access points whose channels overlap, as they receive each other as the run begins; none where radios have no places.
    pub fn sharing(&self) -> Vec<Sharing> {
        let Some(place) = self.place() else { return Vec::new() };
        let mut pairs = Vec::new();
        for (one, ap) in self.access_points() {
            let near: Vec<_> = place.on_spectrum_of(one).filter(|&other| other > one).collect();
            for (other, its) in self.access_points().filter(|(other, _)| near.contains(other)) {
                let [there, back] = place.between([one, other], Duration::ZERO);
                let (dbm, heard) = (there.dbm.min(back.dbm), there.heard && back.heard);
                pairs.push(Sharing { names: [ap.name.clone(), its.name.clone()], dbm, heard });
            }
        }
        pairs
    }
}

#[cfg(test)]
mod tests {
    use crate::load;

    /// 17 dBm less free space over 16 m at 5180 MHz, 46.73 dB and 20 log10(16), less two concrete walls of 25.72 dB, or one and 8 m.
    #[test]
    fn access_points_of_one_channel_are_told_with_their_powers() {
        let text = include_str!("../../../../examples/apartments.toml");
        let scenario = load(text, "apartments.toml", &[], None).unwrap();
        let told = |scenario: &crate::Scenario| -> Vec<(String, f64, bool)> {
            scenario.sharing().into_iter().map(|one| (one.names.join(" "), one.dbm, one.heard)).collect()
        };
        let far = told(&scenario);
        let names: Vec<_> = far.iter().map(|(names, ..)| names.as_str()).collect();
        assert_eq!(names, ["router1 router3", "router2 router4"]);
        let walls = 2.0 * (5.0 + 4.0 * 5.18);
        let free = 46.73 + 20.0 * libm::log10(16.0);
        assert!((far[0].1 - (17.0 - free - walls)).abs() < 0.1, "{far:?}");
        let one = ["ap.router2.channel", "ap.router4.channel"].map(|key| (key.to_owned(), "36".to_owned()));
        let near = told(&load(text, "apartments.toml", &one, None).unwrap());
        assert_eq!(near.len(), 6);
        assert!(near[0].2 && near[0].1 > far[0].1 + 25.0, "{near:?}");
        let plain = include_str!("../../../../examples/download.toml");
        assert!(load(plain, "download.toml", &[], None).unwrap().sharing().is_empty());
    }
}
