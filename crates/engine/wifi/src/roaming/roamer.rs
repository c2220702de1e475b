//! A station that may go from one access point to another: the radio that it has for each, and where it is on its way.

use super::{Heard, Manager, RoamPolicy, Wish};
use crate::device::Association;
use crate::id::{BssId, ChannelId, RadioId, TimerId};
use crate::joining::Joining;
use crate::rate_control::RateChoice;
use crate::steering::{Steered, Watch};
use airloom_rate::Rate;
use airloom_sim::{Duration, Time};
use std::sync::Arc;

/// How a station roams.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Roaming {
    /// Who decides.
    pub policy: RoamPolicy,
    /// How many channels beside its own a scan of its connection manager visits.
    pub channels: u16,
    /// What it makes of an access point's request to go to another one.
    pub steered: Steered,
    /// How long a search for an access point, while it is at none, stays on each channel.
    pub dwell: Duration,
}

/// What a station has for an access point: it tunes one of its radios at a time.
pub(crate) struct Berth {
    pub(crate) radio: RadioId,
    pub(crate) bss: BssId,
    pub(crate) association: Association,
    /// How the rates of an association are chosen, and from which.
    pub(crate) rate: (RateChoice, Vec<Rate>),
    /// Its access point is one between which stations go by fast transitions.
    pub(crate) ft: bool,
}

/// Where a station is on its way. Berths are told by their places.
#[derive(Clone, Debug)]
pub(crate) enum Way {
    /// It is at an access point.
    Here,
    /// It leaves for another berth, as soon as its radio is not on the air.
    Leaving(usize),
    /// It and the access point of its berth exchange frames.
    Joining(Joining),
    /// The exchange is over; the one that it comes from forgets it, as soon as that is not on the air.
    Arriving,
    /// It has lost its access point, and gives up on it as soon as its radio is not on the air.
    Parting {
        /// It comes back to it at once, without a search.
        back: bool,
    },
    /// It is at no access point, and searches for one.
    Searching,
}

/// How far a station is with a request to go to the access point of a berth.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Request {
    /// It looks whether it hears that.
    Scans {
        /// Which one.
        berth: usize,
        /// By a scan of its own, not one that was under way.
        begun: bool,
    },
    /// It tells its own access point that it goes.
    Answers(usize),
}

/// See the module.
pub(crate) struct Roamer {
    /// The station's name, which names its random streams.
    pub(crate) name: String,
    pub(crate) how: Roaming,
    pub(crate) berths: Vec<Berth>,
    /// The berth whose radio it uses.
    pub(crate) at: usize,
    /// The berth that it comes from: its access point has not learnt yet that the station has left.
    pub(crate) from: usize,
    pub(crate) way: Way,
    /// The next step of its way.
    pub(crate) timer: TimerId,
    pub(crate) manager: Box<dyn Manager>,
    /// The next step of its connection manager.
    pub(crate) manager_timer: TimerId,
    /// Its connection manager has not been told yet where it is: one that somebody brings may wish for what is on the air at once, so that the
    /// run has to have begun.
    pub(crate) begins: bool,
    /// A scan that waits for a frame under way.
    pub(crate) scan_timer: TimerId,
    /// The scan under way is one that its connection manager wanted.
    pub(crate) own_scan: bool,
    /// The channels that this visits, as far as access points that it may go to are on them.
    pub(crate) visits: Vec<Option<ChannelId>>,
    /// The channel that this visits beside those, in MHz, if it is known which one.
    pub(crate) further: Option<u32>,
    /// Where it goes on to look for such channels.
    pub(crate) looked: usize,
    /// Beacons of its access point that it has missed, one after the other.
    pub(crate) missed: u32,
    /// Since when its connection manager would go to another one, as its own beacons have shown; none if it would not.
    pub(crate) better: Option<Time>,
    /// Null frames that it has sent to ask whether that is still there, since it last had a sign of it.
    pub(crate) asked: u32,
    /// When it may have had nothing of its access point for long.
    pub(crate) idle_timer: TimerId,
    /// Associations made.
    pub(crate) associations: u32,
    /// What its access point knows of it that may ask it to go.
    pub(crate) watch: Watch,
    /// Such a request under way.
    pub(crate) request: Option<Request>,
}

impl Roamer {
    /// A station at the first of its berths, where access points have these names; a manager that somebody brings has this seed.
    pub(crate) fn new(
        (name, seed): (&str, u64),
        how: Roaming,
        (berths, names): (Vec<Berth>, impl FnOnce() -> Arc<[String]>),
        [timer, manager_timer, scan_timer, idle_timer]: [TimerId; 4],
    ) -> Self {
        Self {
            name: name.to_owned(),
            how,
            berths,
            at: 0,
            from: 0,
            way: Way::Here,
            timer,
            manager: how.policy.manager(seed, names),
            manager_timer,
            begins: matches!(how.policy, RoamPolicy::Own(_)),
            scan_timer,
            own_scan: false,
            visits: Vec::new(),
            further: None,
            looked: 0,
            missed: 0,
            better: None,
            asked: 0,
            idle_timer,
            associations: 1,
            watch: Watch::default(),
            request: None,
        }
    }

    /// The berth that it uses.
    pub(crate) fn berth(&self) -> &Berth {
        &self.berths[self.at]
    }

    /// Whether it is at an access point, and not about to leave.
    pub(crate) fn is_here(&self) -> bool {
        matches!(self.way, Way::Here)
    }

    /// Whether the scan under way visits `visits`.
    pub(crate) fn visits_known(&self) -> bool {
        self.own_scan || matches!(self.request, Some(Request::Scans { begun: true, .. }))
    }

    /// The place of the berth of a network.
    pub(crate) fn place_of(&self, bss: BssId) -> Option<usize> {
        self.berths.iter().position(|berth| berth.bss == bss)
    }

    /// What its connection manager wants after this.
    pub(crate) fn ask(&mut self, tell: impl FnOnce(&mut dyn Manager, &mut Vec<Wish>)) -> Vec<Wish> {
        let mut wishes = Vec::new();
        tell(&mut *self.manager, &mut wishes);
        wishes
    }

    /// The strongest of the networks that it hears.
    pub(crate) fn strongest(&self, heard: &[Heard]) -> Option<usize> {
        let strongest = heard.iter().max_by_key(|one| one.dbm)?;
        self.place_of(strongest.bss)
    }
}
