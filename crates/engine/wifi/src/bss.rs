//! A network (basic service set): an access point's radio, the channel that it has chosen, and what all of its radios go by.

use crate::adapter::Adapter;
use crate::category::Edca;
use crate::id::{ChannelId, LinkId, RadioId, TimerId};
use crate::phy::Phy;
use crate::spectrum::Channel;
use crate::steering::Steering;
use airloom_observe::NodeId;
use airloom_propagation::Curve;
use airloom_sim::{Duration, Stream, Time};
use std::collections::VecDeque;

/// A network.
pub(crate) struct Bss {
    /// The radio of its access point.
    pub(crate) ap: RadioId,
    /// Its place among the links of that, where they are several.
    pub(crate) link: u8,
    /// The channels that it is ever on, the one on which it begins first.
    pub(crate) channels: Vec<ChannelId>,
    /// How it goes from one to the next, if there are several.
    pub(crate) switching: Option<Switching>,
    /// Its timing, basic rates and protection.
    pub(crate) phy: Phy,
    /// Time between beacons.
    pub(crate) beacon_interval: Duration,
    /// When the first is due.
    pub(crate) first_beacon: Time,
    /// The timer of its beacons.
    pub(crate) beacon_timer: TimerId,
    /// Beacons sent.
    pub(crate) beacons: u64,
    /// Packets parked for one dozing station at most.
    pub(crate) park_limit: usize,
    /// Every how many beacons what waits for the group goes (DTIM, 802.11-2020 11.2.3.4).
    pub(crate) dtim_period: u8,
    /// What goes to all of its stations at once, if anything does.
    pub(crate) group: Option<Group>,
    /// When its access point has power.
    pub(crate) power: PowerSwitch,
    /// Its access point gives up on stations that acknowledge nothing.
    pub(crate) disassoc_low_ack: bool,
    /// For how long a station may be silent before its access point ends the association, if it does.
    pub(crate) max_inactivity: Option<Duration>,
    /// When it asks stations to go to another one, and the timer of its looks at them.
    pub(crate) steering: Option<(Steering, TimerId)>,
    /// How many access points its neighbor reports name, if it gives any.
    pub(crate) reports: Option<u8>,
}

/// A switch of an access point to another channel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ChannelSwitch {
    /// From when on it announces that.
    pub at: Time,
    /// Where it goes.
    pub channel: Channel,
    /// After how many beacon intervals it goes, which the beacons until then count down; at once and unannounced with 0 or 1.
    pub count: u8,
}

/// How an access point goes to other channels.
pub(crate) struct Switching {
    /// When it begins to, where to and after how many beacon intervals, in the order of time.
    pub(crate) plan: VecDeque<(Time, ChannelId, u8)>,
    /// The timer of the next of them.
    pub(crate) timer: TimerId,
    /// The switch that it is about to make: where to, and what its last beacon said of the intervals that are left.
    pub(crate) under_way: Option<(ChannelId, u8)>,
}

/// When an access point has power.
pub(crate) struct PowerSwitch {
    /// Whether it is to have any: it loses it, or has it back, as soon as it is not on the air.
    pub(crate) wanted: bool,
    /// When that changes, and to what, in the order of time.
    pub(crate) plan: VecDeque<(Time, bool)>,
    /// The timer of the next change.
    pub(crate) timer: TimerId,
}

impl PowerSwitch {
    /// Of one that has power but in these times, which follow each other.
    pub(crate) fn off(times: &[[Time; 2]], timer: TimerId) -> Self {
        let plan = times.iter().flat_map(|&[from, to]| [(from, false), (to, true)]).collect();
        Self { wanted: true, plan, timer }
    }
}

/// All stations of a network as one receiver (group addressed frames).
pub(crate) struct Group {
    /// The link to all of them, whose receiver stands for them: the access point's radio itself.
    pub(crate) link: LinkId,
    /// They.
    pub(crate) members: Vec<Member>,
}

/// A station as a receiver of frames to its group.
pub(crate) struct Member {
    /// The link to it from its access point.
    pub(crate) link: LinkId,
    /// How frames at the group's rate fare on their way to it.
    pub(crate) curve: Curve,
    /// It listens to what follows the last DTIM beacon, although it may doze.
    pub(crate) listens: bool,
}

/// When the first beacon of an access point is due: after an interval, or somewhat later, by chance, if others share its spectrum.
/// Their clocks know nothing of each other; with one phase their beacons would collide for good.
pub(crate) fn first_beacon(interval: Duration, shared: bool, seed: u64, name: &str) -> Time {
    let most = (interval.as_micros() as u32).saturating_sub(1);
    let phase = if shared { Stream::new(seed, name, "first beacon").up_to(most) } else { 0 };
    Time::ZERO + interval + Duration::from_micros(phase.into())
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
    /// Every how many beacons it sends what it keeps for the group of its stations.
    pub dtim_period: u8,
    /// Whether it sends anything to that group.
    pub has_group: bool,
    /// When it has no power, in times that follow each other.
    pub off: Vec<[Time; 2]>,
    /// Whether it gives up on stations that acknowledge nothing: of those that roam, which alone come back with frames of an association.
    pub disassoc_low_ack: bool,
    /// For how long a station that roams may be silent before the access point asks it, and ends the association if it does not answer.
    pub max_inactivity: Option<Duration>,
    /// When it goes to another channel, in the order of time.
    pub switches: Vec<ChannelSwitch>,
    /// When it asks stations that roam to go to another one, if it does.
    pub steering: Option<Steering>,
    /// How many access points its neighbor reports name, itself among them, if it answers requests for any (802.11k).
    pub reports: Option<u8>,
    /// Nodes that it does not hear and that do not hear it, in order.
    pub hidden: Vec<NodeId>,
}
