//! What the threads around the daemon report to it.

use airloom_netlink::ScanNews;
use airloom_sim::Duration;
use std::collections::VecDeque;

/// What has happened to the daemon.
#[derive(Debug, Default)]
pub(crate) struct News {
    /// It shall end.
    pub(crate) stop: bool,
    /// A connection to the bus has ended.
    pub(crate) bus_gone: bool,
    /// wpa_supplicant came, went, or has changed its state.
    pub(crate) supplicant: bool,
    /// What the user wants; the last wish counts.
    pub(crate) asked: Option<Asked>,
    /// A game or a cast goes on in a session, for so long.
    pub(crate) engaged: Option<Duration>,
    /// What the kernel said of scans, and on which interface.
    pub(crate) scans: VecDeque<(u32, ScanNews)>,
    /// Why the kernel says no more of scans.
    pub(crate) scans_lost: Option<String>,
}

/// What a user may want.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Asked {
    /// Scans held off for so long.
    HoldFor(Duration),
    /// Scans back.
    Release,
}
