//! The algorithms of an endpoint by kind, and the word for each.

use airloom_sim::kinds;

kinds! {
    /// The slow start.
    pub enum SlowStart {
        /// It ends at the threshold or with a loss (RFC 5681).
        Standard = "standard",
        /// HyStart with CUBIC, of which it is a part in Linux (`tcp_cubic`), and the standard one with any other control.
        Linux = "linux",
        /// It ends when delay grows or ACK trains are long (HyStart; Linux `hystart_update`).
        HyStart = "hystart",
        /// The first one ends when delay has grown for five rounds of slower growth (HyStart++, RFC 9406).
        HyStartPlusPlus = "hystart++",
    }
}

kinds! {
    /// Whether a congestion window may grow, or survive, without being used.
    pub enum Validation {
        /// It grows with every ACK and never decays.
        None = "none",
        /// Linux 3.2 to 3.13: growth only while in flight + 3 >= cwnd (`tcp_is_cwnd_limited` without GSO), decay after
        /// idle times (`tcp_cwnd_restart`), and decay towards the window used after an RTO without an ACK that could
        /// raise it, but not while the application waits for room in the send buffer (`tcp_cwnd_application_limited`
        /// tests `SOCK_NOSPACE`).
        Linux = "linux",
        /// As `Linux`, but growth if the window was full at some time since a window ago, and in slow start also while it is
        /// less than twice the most that was out since then (`tcp_is_cwnd_limited`, `tcp_cwnd_validate`, Linux 6.x).
        LinuxUsed = "linux-used",
        /// As `Linux`, but growth only while the window is full (`tcp_ack`, Linux 2.4).
        LinuxFull = "linux-full",
        /// RFC 2861 exactly: as `Linux`, but the decay towards the window used does not depend on what limits the
        /// sender.
        Rfc2861 = "rfc2861",
        /// RFC 7661: growth only if at least half of the window was acknowledged within a round trip; an unused window is
        /// kept for five minutes.
        Rfc7661 = "rfc7661",
    }
}

kinds! {
    /// How the receive buffer and the window grow.
    pub enum RightSizing {
        /// The buffer begins with a cushion and follows twice what was read in a round trip; a fixed share of it is window
        /// (`tcp_init_buffer_space`, `tcp_rcv_space_adjust`, Linux 3.13).
        TwiceRead = "twice-read",
        /// The buffer holds twice what was read in a round trip, twice as much more as that has grown, and what lies above a
        /// hole. The window is the share of it that a full segment's data has of its memory, and while it grows every
        /// segment is acknowledged (`tcp_rcvbuf_grow`, `tcp_grow_window`, `scaling_ratio`, Linux 6.18).
        Growth = "growth",
        /// As `Growth`, but with sixteen segments more, and nothing for what lies above a hole (`tcp_rcv_space_adjust`, Linux
        /// 6.12).
        CushionedGrowth = "cushioned-growth",
    }
}

impl RightSizing {
    /// Whether the window is that part of the buffer which data has of its memory, and every segment is acknowledged while it
    /// grows (`scaling_ratio`, `tcp_grow_window`).
    pub(crate) const fn goes_by_memory(self) -> bool {
        !matches!(self, Self::TwiceRead)
    }
}

kinds! {
    /// Loss detection with SACK.
    pub enum Detection {
        /// A segment with `duplicate_threshold` SACKed segments above it is lost (RFC 6675).
        Sacks = "sacks",
        /// A segment `duplicate_threshold` segments below the highest SACKed one is lost (FACK;
        /// `tcp_update_scoreboard`, Linux 2.4 to 4.14).
        ForwardAck = "fack",
        /// A segment sent long enough before one that has arrived is lost (RACK, RFC 8985; `tcp_rack_detect_loss`,
        /// Linux 4.4).
        Time = "rack",
    }
}

kinds! {
    /// How the window is reduced to the threshold during recovery.
    pub enum Reduction {
        /// In proportion to segments delivered (RFC 6937; `tcp_cwnd_reduction`, Linux 3.2).
        Proportional = "proportional",
        /// The same, but below the threshold one segment more than delivered leaves only upon an ACK that advances and
        /// reports no loss, and as much as delivered otherwise (RFC 6937bis; `tcp_cwnd_reduction`, Linux 6.x).
        Safe = "proportional-safe",
        /// By one for every second ACK, and at most one above the segments in flight; after recovery at most three
        /// above them (`tcp_cwnd_down`, `tcp_moderate_cwnd`, Linux 2.4 to 3.1).
        RateHalving = "rate-halving",
    }
}
