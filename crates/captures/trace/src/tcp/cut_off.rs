//! Times in which nothing came through to an end, by what it sends again.

/// So many repetitions of what had been acknowledged show that no acknowledgment comes through: one or two follow a long wait.
const TIMES: u32 = 3;
/// So many packets of the other end pass meanwhile.
const PACKETS: u32 = 3;

/// What passes on its way to an end, and whether that end shows that it came. An end acknowledges what comes in order and echoes the clock of it (RFC 7323
/// section 4.3), and sends nothing again that it knows to have arrived (RFC 6298 section 5).
#[derive(Clone, Copy, Debug, Default)]
pub struct CutOff {
    /// The longest time in nanoseconds for which nothing came through; zero without any.
    pub longest_ns: u64,
    /// What it acknowledged last, and which clock value it echoed.
    said: Option<(u32, u32)>,
    /// When the first packet passed of those that it has not shown to have.
    since_ns: Option<u64>,
    packets: u32,
    times: u32,
}

impl CutOff {
    /// A packet to the end passes.
    pub(super) fn passed(&mut self, now_ns: u64) {
        self.since_ns.get_or_insert(now_ns);
        self.packets = self.packets.saturating_add(1);
    }

    /// The end acknowledges up to a number and echoes a clock value, none without timestamps; whether it sends data that had been acknowledged here.
    pub(super) fn says(&mut self, now_ns: u64, ack: u32, echo: Option<u32>, in_vain: bool) {
        let said = echo.map(|echo| (ack, echo));
        if said.is_none() || said != self.said {
            *self = Self { longest_ns: self.longest_ns, said, ..Self::default() };
            return;
        }
        self.times += u32::from(in_vain);
        if let Some(since_ns) = self.since_ns
            && in_vain
            && self.times >= TIMES
            && self.packets >= PACKETS
        {
            self.longest_ns = self.longest_ns.max(now_ns.saturating_sub(since_ns));
        }
    }
}
