//! The kinds of algorithms an endpoint can be given, and the word for each.

use airloom_sim::kinds;

kinds! {
    /// The congestion control.
    pub enum Congestion {
        /// NewReno (RFC 5681 and RFC 6582; Linux `tcp_reno`).
        NewReno = "newreno",
        /// CUBIC (RFC 9438; Linux `tcp_cubic`).
        Cubic = "cubic",
        /// BBR, version 1 (Linux `tcp_bbr`), which paces.
        Bbr = "bbr",
    }
}

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
        /// idle times (`tcp_cwnd_restart`), and decay towards the window used per RTO, but not while the application
        /// waits for room in the send buffer (`tcp_cwnd_application_limited` tests `SOCK_NOSPACE`).
        Linux = "linux",
        /// As `Linux`, but growth only while the window is full (`tcp_ack`, Linux 2.4).
        LinuxFull = "linux-full",
        /// RFC 2861 to the letter: as `Linux`, but the decay towards the window used does not ask what limits the sender.
        Rfc2861 = "rfc2861",
        /// RFC 7661: growth only if at least half of the window was acknowledged within a round trip; an unused window is
        /// kept for five minutes.
        Rfc7661 = "rfc7661",
    }
}

kinds! {
    /// What is taken for lost, with SACK.
    pub enum Detection {
        /// What has `duplicate_threshold` SACKed segments above it (RFC 6675).
        Sacks = "sacks",
        /// What lies `duplicate_threshold` segments below the highest SACKed one (FACK; `tcp_update_scoreboard`, Linux
        /// 2.4 to 4.14).
        ForwardAck = "fack",
        /// What was sent long enough before something that has arrived (RACK, RFC 8985; `tcp_rack_detect_loss`, Linux
        /// 4.4).
        Time = "rack",
    }
}

kinds! {
    /// How the window comes down to the threshold during recovery.
    pub enum Reduction {
        /// In proportion to what is delivered (RFC 6937; `tcp_cwnd_reduction`, Linux 3.2).
        Proportional = "proportional",
        /// By one for every second ACK, and never more than one above what is in flight; after trouble never more than
        /// three above it (`tcp_cwnd_down`, `tcp_moderate_cwnd`, Linux 2.4 to 3.1).
        RateHalving = "rate-halving",
    }
}
