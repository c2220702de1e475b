//! A device: the MAC entity of a node with its driver. It has radios, and peers with which it has agreements.

use crate::adapter::{Adapter, Ahead, Pull, Reports};
use crate::aql::Pending;
use crate::category::{Category, PerCategory};
use crate::id::{PeerId, RadioId, TidId, TimerId};
use crate::roaming::Roamer;
use crate::send_window::Settled;
use airloom_observe::{LossCause, NodeId};
use std::collections::VecDeque;

/// A device.
pub(crate) struct Device {
    /// The node that it belongs to.
    pub(crate) node: NodeId,
    /// Its radios.
    pub(crate) radios: Vec<RadioId>,
    /// The peers that it sends to.
    pub(crate) peers: Vec<PeerId>,
    /// The peer that stands for the group of its stations, if it is an access point that sends to that.
    pub(crate) group: Option<PeerId>,
    /// Its association, if it is a station; of one on its way the next one, and before that the last.
    pub(crate) association: Option<Association>,
    /// Where it may go, if it is a station that roams.
    pub(crate) roamer: Option<Box<Roamer>>,
    /// Frames in driver and hardware beyond which the queue above is stopped, in each category.
    pub(crate) driver_limit: u32,
    /// How its driver pulls packets, if it does.
    pub(crate) pull: Option<Pull>,
    /// Firmware that its driver pulls ahead for.
    pub(crate) firmware: Option<Box<Firmware>>,
    /// What its driver keeps of each category.
    pub(crate) queues: PerCategory<DriverQueue>,
    /// Frames in driver and hardware, of all categories.
    pub(crate) held: u32,
    /// MPDU bytes sent and received since the beginning.
    pub(crate) moved: u64,
    /// The driver accepts no packets: a radio is about to leave its channel, or away.
    pub(crate) stopped: bool,
    /// Packets wait above the driver.
    pub(crate) backlog: bool,
}

/// A station's association with an access point: a peer for each way.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Association {
    /// To the access point.
    pub(crate) up: PeerId,
    /// From there.
    pub(crate) down: PeerId,
}

/// What a driver keeps of a category.
#[derive(Default)]
pub(crate) struct DriverQueue {
    /// Frames in driver and hardware.
    pub(crate) held: u32,
    /// The driver accepted no packets when last asked, for lack of room.
    pub(crate) full: bool,
    /// TIDs for which packets wait above a driver that pulls ahead, in the order of their turns.
    pub(crate) offered: VecDeque<TidId>,
}

/// Firmware that a driver pulls ahead for.
pub(crate) struct Firmware {
    /// The driver pulls as PPDUs are reported too.
    pub(crate) on_report: bool,
    /// What the driver holds, under airtime queue limits.
    pub(crate) pending: Option<Pending>,
    /// Reports that have not reached the driver, if they come late.
    pub(crate) late: Option<Late>,
}

/// Reports that wait for an interrupt.
pub(crate) struct Late {
    /// When it comes.
    pub(crate) when: Reports,
    /// Its timer.
    pub(crate) timer: TimerId,
    /// The packets that it reports, with their TIDs and why they were lost, if they were.
    pub(crate) waiting: Vec<(TidId, LossCause, Settled)>,
}

impl Device {
    /// The device of a node with this adapter, without radios; `register` makes the timer of its reports.
    pub(crate) fn new(node: NodeId, adapter: &Adapter, register: impl FnOnce() -> TimerId) -> Self {
        Self {
            node,
            radios: Vec::new(),
            peers: Vec::new(),
            group: None,
            association: None,
            roamer: None,
            driver_limit: adapter.depth.driver_limit,
            pull: adapter.pull,
            firmware: Firmware::of(adapter, register),
            queues: PerCategory::default(),
            held: 0,
            moved: 0,
            stopped: false,
            backlog: false,
        }
    }

    /// The reports of its firmware that wait, if they come late.
    pub(crate) fn late(&mut self) -> Option<&mut Late> {
        self.firmware.as_mut()?.late.as_mut()
    }

    /// Whether its peers share air time rather than PPDUs.
    pub(crate) fn shares_air_time(&self) -> bool {
        self.pull.is_some_and(|pull| pull.share.is_some())
    }
}

impl Firmware {
    /// The firmware that an adapter's driver pulls ahead for, if it does.
    fn of(adapter: &Adapter, register: impl FnOnce() -> TimerId) -> Option<Box<Self>> {
        let Ahead { on_report, aql, reports } = adapter.pull?.ahead?;
        let late = reports.map(|when| Late { when, timer: register(), waiting: Vec::new() });
        Some(Box::new(Self { on_report, pending: aql.map(Pending::new), late }))
    }

    /// Whether airtime queue limits let the driver hold more: none do so without being asked.
    pub(crate) fn allows(&self, asked: impl Fn(&Pending) -> bool) -> bool {
        self.pending.as_ref().is_none_or(asked)
    }

    /// Whether its driver pulls as an exchange ends.
    pub(crate) fn pulls_at_end(&self) -> bool {
        self.on_report && self.late.as_ref().is_none_or(|late| late.waiting.is_empty())
    }

    /// Packets of a category to a peer have been settled: they are no longer pending.
    #[cold]
    pub(crate) fn settled(&mut self, of: (PeerId, Category), settled: &[Settled]) {
        if let Some(pending) = &mut self.pending {
            settled.iter().for_each(|one| pending.settle(of, one.packet));
        }
    }
}
