//! Hidden stations, by node instead of name.

use crate::Scenario;
use airloom_observe::NodeId;
use airloom_sim::IndexVec;
use std::collections::BTreeMap;

impl Scenario {
    /// For each node the stations that it does not hear, in order. Being hidden is symmetric.
    pub fn hidden(&self) -> IndexVec<NodeId, Vec<NodeId>> {
        let mut called: BTreeMap<&str, Vec<NodeId>> = BTreeMap::new();
        for (id, station) in self.stations() {
            for name in std::iter::once(&station.name).chain(&station.group) {
                called.entry(name).or_default().push(id);
            }
        }
        let mut hidden: IndexVec<NodeId, _> = self.nodes().map(|_| Vec::new()).collect();
        for (id, station) in self.stations() {
            let names = station.hidden_from.iter().flatten();
            for &other in
                names.filter_map(|name| called.get(name.as_str())).flatten().filter(|&&other| other != id)
            {
                hidden[id].push(other);
                hidden[other].push(id);
            }
        }
        for of_one in &mut hidden {
            of_one.sort_unstable();
            of_one.dedup();
        }
        hidden
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::load;

    #[test]
    fn groups_hide_from_each_other_and_from_themselves() {
        let text = r#"
            title = "three rooms"
            [air]
            standard = "802.11a"
            band = "5 GHz"
            width = "20 MHz"
            [[ap]]
            name = "ap"
            adapter = "ath9k"
            [[station]]
            name = "left"
            count = 2
            host = "linux-6.18"
            adapter = "ath9k"
            distance = "5 m"
            hidden_from = ["right"]
            [[station]]
            name = "right"
            count = 2
            host = "linux-6.18"
            adapter = "ath9k"
            distance = "5 m"
            hidden_from = ["right"]
            [[station]]
            name = "middle"
            host = "linux-6.18"
            adapter = "ath9k"
            distance = "5 m"
            [[server]]
            name = "server"
            host = "linux-6.18"
            link = { rate = "1 Gbit/s", delay = "1 ms" }
            [[flow]]
            from = "left"
            to = "server"
        "#;
        let scenario = load(text, "rooms.toml", &[], None).unwrap();
        let names: Vec<&str> = scenario.station.iter().map(|s| s.name.as_str()).collect();
        assert_eq!(names, ["left1", "left2", "right1", "right2", "middle"]);
        let flows: Vec<&str> = scenario.flow.iter().map(|f| f.from.as_str()).collect();
        assert_eq!(flows, ["left1", "left2"]);
        let nodes = |of: &[u16]| of.iter().map(|&n| NodeId(n)).collect::<Vec<_>>();
        let hidden = scenario.hidden();
        let hidden: Vec<_> = scenario.stations().map(|(id, _)| hidden[id].clone()).collect();
        let expected = [nodes(&[3, 4]), nodes(&[3, 4]), nodes(&[1, 2, 4]), nodes(&[1, 2, 3]), nodes(&[])];
        assert_eq!(hidden, expected);
        let again = load(&scenario.to_toml(), "again.toml", &[], None).unwrap();
        assert_eq!(again, scenario);
    }
}
