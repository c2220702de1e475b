//! Roaming: frames by which a station comes to an access point, and what becomes of its way.

use crate::NodeId;
use airloom_sim::Duration;

/// A frame of a station's way to an access point, or of its end there.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum JoiningFrame {
    /// A probe (802.11-2020 9.3.3.9, 9.3.3.10): a request goes to all on the channel.
    Probe {
        /// It is the answer.
        answer: bool,
    },
    /// Authentication (802.11-2020 9.3.3.11).
    Authentication {
        /// It is the answer.
        answer: bool,
        /// It is that of a fast transition (13.5.2), rather than an open one.
        fast: bool,
    },
    /// Reassociation (9.3.3.7, 9.3.3.8).
    Reassociation {
        /// It is the answer.
        answer: bool,
        /// It is that of a fast transition.
        fast: bool,
    },
    /// A message of the four-way handshake, 1 to 4 (12.7.6).
    Key(u8),
    /// Disassociation of a station by its access point (9.3.3.4).
    Disassociation {
        /// Its reason (table 9-49).
        reason: u16,
    },
    /// Deauthentication of a station by an access point (9.3.3.12).
    Deauthentication {
        /// Its reason (table 9-49).
        reason: u16,
    },
    /// An access point asks a station to go to another one (BSS Transition Management, 9.6.13.9).
    TransitionRequest {
        /// Which one it names.
        to: NodeId,
    },
    /// The station's answer (9.6.13.10).
    TransitionResponse {
        /// Where it goes if it agrees.
        to: Option<NodeId>,
        /// Zero if it agrees (table 9-428).
        status: u8,
    },
    /// A station asks its access point which others are there (802.11k, 9.6.6.6).
    NeighborRequest,
    /// The access point's answer (9.6.6.7).
    NeighborReport {
        /// How many access points it names.
        named: u8,
    },
}

/// A step of a station's way from one access point to another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RoamEvent {
    /// It has missed beacons of its access point for so long that it takes that for gone.
    Lost,
    /// An access point has given up on it, although it may still be there (`disassoc_low_ack` of hostapd).
    GivenUp {
        /// Which one.
        by: NodeId,
    },
    /// Its access point has told it that it is not associated there.
    Dismissed {
        /// Why (802.11-2020 table 9-49).
        reason: u16,
    },
    /// Its access point has asked it to go, and it does.
    Asked,
    /// Its connection manager has decided.
    Decided {
        /// Where to.
        to: NodeId,
        /// For how long it would have gone to another access point already, had it known of all as they were.
        late: Duration,
    },
    /// It is at no access point any more, and its radio is on the channel of the next one.
    Left {
        /// Where it was.
        from: NodeId,
        /// Whose channel it is tuned to.
        to: NodeId,
    },
    /// It may send and receive data.
    Associated {
        /// Where it is.
        to: NodeId,
    },
    /// No answer came: it is at no access point.
    Failed {
        /// Who did not answer.
        to: NodeId,
    },
    /// So many packets for it, or its own, have been dropped above a driver, since it had left.
    Dropped {
        /// How many.
        packets: u32,
    },
}
