//! Publications: flows of kind `publish` that are one to several stations.

use crate::{Flow, FlowKind, Scenario};

impl Scenario {
    /// The flows of each publication by their places, in the order of their first ones: those of a group that differ in name and receiver
    /// alone.
    pub fn publications(&self) -> Vec<Vec<usize>> {
        let mut all: Vec<Vec<usize>> = Vec::new();
        for (place, flow) in self.flow.iter().enumerate() {
            let FlowKind::Publish { .. } = flow.kind else { continue };
            let alike =
                |one: &Flow| Flow { name: flow.name.clone(), to: flow.to.clone(), ..one.clone() } == *flow;
            let same = |of: &&mut Vec<usize>| flow.group.is_some() && alike(&self.flow[of[0]]);
            match all.iter_mut().find(same) {
                Some(publication) => publication.push(place),
                None => all.push(vec![place]),
            }
        }
        all
    }
}

#[cfg(test)]
mod tests {
    use crate::load;

    const CELL: &str = r#"
        title = "maps"
        air = { standard = "802.11a", band = "5 GHz", width = "20 MHz" }
        ap = [{ name = "ap", adapter = "dcf" }]
        station = [
            { name = "robot", count = 3, host = "linux-6.18", adapter = "dcf", distance = "5 m" },
            { name = "desk", host = "linux-6.18", adapter = "dcf", distance = "5 m" },
        ]
        server = [{ name = "server", host = "linux-6.18", link = { rate = "1 Gbit/s", delay = "1 ms" } }]
        flow = [
            { kind = "publish", from = "server", to = "robot", rate = "1 Mbit/s" },
            { kind = "publish", from = "server", to = "robot", rate = "2 Mbit/s", name = "map" },
            { kind = "publish", from = "server", to = "desk", rate = "2 Mbit/s" },
            { kind = "udp", from = "server", to = "robot", rate = "2 Mbit/s" },
        ]
    "#;

    #[test]
    fn flows_to_a_group_are_one_publication() {
        let scenario = load(CELL, "a.toml", &[], None).unwrap();
        assert_eq!(scenario.publications(), [vec![0, 1, 2], vec![3, 4, 5], vec![6]]);
        let again = load(&scenario.to_toml(), "b.toml", &[], None).unwrap();
        assert_eq!(again, scenario);
    }
}
