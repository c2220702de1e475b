//! What a link has sent since anything of it last arrived.

use super::ppdu::Ppdu;

/// Records that are named.
const NAMED: usize = 16;

/// PPDUs with data since the last of which an ACK, or a BlockAck, showed that anything arrived.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Futile {
    /// How many.
    pub ppdus: u64,
    /// Their MPDUs without the retry bit: each tried once or more.
    pub mpdus: u64,
    /// Its MPDUs, each as often as it was tried.
    pub tries: u64,
    /// When the first and the last ended, in nanoseconds since 1970.
    pub span_ns: (u64, u64),
    /// The records with which the first of them begin.
    pub numbers: Vec<u32>,
}

impl Futile {
    /// A PPDU was sent.
    pub(super) fn sent(&mut self, ppdu: &Ppdu) {
        let first_ns = if self.ppdus == 0 { ppdu.end_ns } else { self.span_ns.0 };
        self.span_ns = (first_ns, ppdu.end_ns);
        self.ppdus += 1;
        self.mpdus += u64::from(ppdu.mpdus.saturating_sub(ppdu.retried));
        self.tries += u64::from(ppdu.mpdus);
        if self.numbers.len() < NAMED {
            self.numbers.push(ppdu.number);
        }
    }

    /// Something arrived.
    pub(super) fn arrived(&mut self) {
        self.numbers.clear();
        (self.ppdus, self.mpdus, self.tries) = (0, 0, 0);
    }
}
