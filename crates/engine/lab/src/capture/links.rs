//! Links of multi-link devices in a capture: on which channel each is, and its address.
//!
//! The device's own address is that of its first link; each other link has one of its own (IEEE 802.11be-2024 35.3).

use airloom_observe::NodeId;
use airloom_scenario::Scenario;
use airloom_sim::IndexVec;
use airloom_wire::MacAddr;
use airloom_world::addresses::mac;

/// See the module.
pub(super) struct Links {
    /// For each node the places of the channels of its access point's links, where that has several.
    channels: IndexVec<NodeId, Vec<usize>>,
    /// The links of nodes that have several.
    several: Vec<(NodeId, u8)>,
}

impl Links {
    pub(super) fn of(scenario: &Scenario) -> Self {
        let several: Vec<_> =
            scenario.node_links().into_iter().map(|link| (link.node, link.number)).collect();
        let channels = match several.is_empty() {
            true => IndexVec::default(),
            false => scenario.nodes().map(|(_, role)| scenario.channels_of_links(role)).collect(),
        };
        Self { channels, several }
    }

    /// The place of the channel of a node's frames over this link, where its access point has several.
    pub(super) fn channel(&self, node: NodeId, link: u8) -> Option<usize> {
        self.channels.get(node).filter(|all| all.len() > 1)?.get(usize::from(link)).copied()
    }

    /// The address of a node's link.
    pub(super) fn mac(&self, node: NodeId, link: u8) -> MacAddr {
        let mut address = mac(node);
        let first =
            || self.several.iter().find(|(its, _)| *its == node).is_some_and(|(_, first)| *first == link);
        if self.several.contains(&(node, link)) && !first() {
            // Links count from zero, and the first one has the node's.
            address.0[3] = link + 1;
        }
        address
    }
}
