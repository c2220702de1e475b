//! Effects of the ether.

use crate::category::Category;
use crate::id::TimerId;
use crate::spectrum::Channel;
use airloom_observe::NodeId;
use airloom_rate::Rate;
use airloom_sim::{Handle, Time};

/// A packet that the transmitting driver has finished with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Done {
    /// The transmitter.
    pub node: NodeId,
    /// The packet.
    pub packet: Handle,
    /// Whether it was acknowledged.
    pub acked: bool,
}

/// A rate control changed its preferred rate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RateChange {
    /// The transmitter.
    pub node: NodeId,
    /// The receiver.
    pub peer: NodeId,
    /// The rate that is now preferred between them.
    pub rate: Rate,
}

/// A station is on its way from one access point to another, or an access point has lost it, or its power.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Move {
    /// It has decided to leave its access point, and is still there: its port is closed, so that data go neither up nor down through it.
    Closed {
        /// The station.
        station: NodeId,
    },
    /// Its radio is tuned to the channel of this access point, and it is at none.
    Tuned {
        /// The station.
        station: NodeId,
        /// The access point.
        access_point: NodeId,
    },
    /// It may send and receive data, and all that know access points have learnt where it is.
    Arrived {
        /// The station.
        station: NodeId,
        /// The access point that it was at before.
        from: NodeId,
        /// That at which it is.
        to: NodeId,
    },
    /// An access point does not know a station any more that takes itself for one of its own.
    Forgotten {
        /// The station.
        station: NodeId,
        /// The access point.
        access_point: NodeId,
    },
    /// A radio has gone to another channel, as its network does.
    Retuned {
        /// Its node.
        node: NodeId,
        /// Where it is; none of a radio of a station that is elsewhere.
        channel: Option<Channel>,
    },
    /// An access point has lost its power.
    Off {
        /// Which one.
        access_point: NodeId,
    },
    /// An access point has power again.
    On {
        /// Which one.
        access_point: NodeId,
    },
}

/// Effects of one call; the caller owns the buffer, carries it out and clears it.
///
/// A packet handed to [`Ether::send`](super::Ether::send) is held until it appears in `done`. Meanwhile its receiver may
/// take a second hold on it: it appears in `kept` when that begins and in `arrived` when the receiver passes it up.
#[derive(Default)]
pub struct Effects {
    /// Packets now held by a receiver as well.
    pub kept: Vec<Handle>,
    /// Packets passed up, in order, at these nodes.
    pub arrived: Vec<(NodeId, Handle)>,
    /// Packets to a group that a station has received.
    pub to_group: Vec<(NodeId, Handle)>,
    /// Packets the transmitter has finished with.
    pub done: Vec<Done>,
    /// Nodes whose driver accepts packets of a category again.
    pub wake: Vec<(NodeId, Category)>,
    /// Drivers that form a PPDU, its receiver and its TID: they accept as much as [`Ether::room`](super::Ether::room) returns,
    /// and wait for [`Ether::refill`](super::Ether::refill).
    pub pulls: Vec<(NodeId, NodeId, u8)>,
    /// Links whose preferred rate changed.
    pub rates: Vec<RateChange>,
    /// Stations on their way: to be carried out before all other effects, of which there are always some then, and to be taken out.
    pub moves: Vec<Move>,
    /// Timers to arm, or to disarm.
    pub timers: Vec<(TimerId, Option<Time>)>,
}

impl Effects {
    /// Arms a timer.
    pub(crate) fn arm(&mut self, timer: TimerId, at: Time) {
        self.timers.push((timer, Some(at)));
    }

    /// Whether there are no effects.
    #[inline]
    pub fn is_empty(&self) -> bool {
        let packets = self.kept.len() | self.arrived.len() | self.to_group.len() | self.done.len();
        packets | self.wake.len() | self.pulls.len() | self.rates.len() | self.timers.len() == 0
    }

    /// Clears all effects.
    pub fn clear(&mut self) {
        self.kept.clear();
        self.arrived.clear();
        self.to_group.clear();
        self.done.clear();
        self.wake.clear();
        self.pulls.clear();
        self.rates.clear();
        self.timers.clear();
    }
}
