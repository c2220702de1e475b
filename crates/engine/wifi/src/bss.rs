//! A network (basic service set): an access point's radio, the channel that it has chosen, and what all of its radios go by.

use crate::adapter::Adapter;
use crate::category::Edca;
use crate::id::{ChannelId, RadioId, TimerId};
use crate::phy::Phy;
use crate::spectrum::Channel;
use airloom_observe::NodeId;
use airloom_sim::Duration;

/// A network.
pub(crate) struct Bss {
    /// The radio of its access point.
    pub(crate) ap: RadioId,
    /// Its channel.
    pub(crate) channel: ChannelId,
    /// Its timing, basic rates and protection.
    pub(crate) phy: Phy,
    /// Time between beacons.
    pub(crate) beacon_interval: Duration,
    /// The timer of its beacons.
    pub(crate) beacon_timer: TimerId,
    /// Beacons sent.
    pub(crate) beacons: u64,
    /// Packets parked for one dozing station at most.
    pub(crate) park_limit: usize,
}

/// An access point whose network is to be added.
#[derive(Clone, Debug)]
pub struct AccessPoint<'a> {
    /// Its node.
    pub id: NodeId,
    /// Its name, which names its random streams.
    pub name: &'a str,
    /// Its adapter.
    pub adapter: Adapter,
    /// How each category of its data contends; without QoS all data contends as best effort.
    pub edca: Edca,
    /// The channel of its network.
    pub channel: Channel,
    /// Timing, basic rates and protection of its network.
    pub phy: Phy,
    /// Time between beacons.
    pub beacon_interval: Duration,
    /// Packets parked for one dozing station at most.
    pub park_limit: usize,
}
