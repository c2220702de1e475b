//! A receiver with pseudo retry-out played by hand: A-MPDUs in, what it does about each MPDU out.

use super::pseudo_retry_out::{PseudoRetryOut, Verdict};
use crate::reorder::{Arrival, HT_WINDOW, Reorder, SEQ_MODULO};
use airloom_sim::{BitRate, Duration, Handle, Time};
use std::collections::BTreeMap;
use std::fmt;

/// What is done about an MPDU.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Done {
    /// Its data goes up.
    Up,
    /// It is kept behind a hole.
    Keep,
    /// It is ignored: it had gone up, or been given up.
    Ignore,
    /// Damaged, it counts as lost.
    Lost,
    /// Damaged, it has been retransmitted this often without success.
    Count(u8),
    /// Damaged, its number is not believed.
    Incredible,
}

impl fmt::Display for Done {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Up => write!(f, "up"),
            Self::Keep => write!(f, "keep"),
            Self::Ignore => write!(f, "ignore"),
            Self::Lost => write!(f, "lost"),
            Self::Count(n) => write!(f, "{n}"),
            Self::Incredible => write!(f, "incredible"),
        }
    }
}

/// Plays A-MPDUs that come in at `rate` to a receiver that awaits the number `first`. Each is the numbers of its MPDUs,
/// `!` after those that are damaged: `"1 2! 3"`. Answers with what each of them brings about, by number.
///
/// # Errors
/// What is no number of an MPDU.
pub fn play(rate: BitRate, first: u16, ampdus: &[&str]) -> Result<Vec<BTreeMap<u16, Done>>, String> {
    let mut reorder = Reorder::new(Duration::from_millis(100), HT_WINDOW);
    reorder.advance(first, &mut Vec::new());
    let mut remedy = PseudoRetryOut::new(HT_WINDOW);
    let mut receive = |mpdu: &str, row: &mut BTreeMap<u16, Done>| {
        let number = mpdu.strip_suffix('!');
        let seq = number.unwrap_or(mpdu).parse().ok().filter(|&seq: &u16| seq < SEQ_MODULO);
        let seq = seq.ok_or_else(|| format!("\"{mpdu}\" is no number from 0 to {}", SEQ_MODULO - 1))?;
        let mut up = Vec::new();
        remedy.heard(rate, reorder.head());
        let done = if number.is_some() {
            match remedy.damaged(seq, true) {
                Verdict::Overdue(_) if reorder.give_up(seq, &mut up) => Done::Lost,
                Verdict::Overdue(n) | Verdict::Counted(n) => Done::Count(n),
                Verdict::Incredible => Done::Incredible,
            }
        } else {
            match reorder.receive(Time::ZERO, seq, Handle(u32::from(seq)), &mut up) {
                Arrival::Accepted => Done::Keep,
                Arrival::Stale | Arrival::GivenUp => Done::Ignore,
            }
        };
        row.insert(seq, done);
        row.extend(up.into_iter().map(|packet| (packet.0 as u16, Done::Up)));
        Ok(())
    };
    ampdus
        .iter()
        .map(|ampdu| {
            let mut row = BTreeMap::new();
            ampdu.split_whitespace().try_for_each(|mpdu| receive(mpdu, &mut row)).map(|()| row)
        })
        .collect()
}
