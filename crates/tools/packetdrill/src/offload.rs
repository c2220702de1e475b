//! Segmentation offload as far as the wire shows it: the PSH bit that Linux puts on every burst that a device divides
//! (`__tcp_transmit_skb`), and keeps for what is sent again.

use airloom_tcp::{Burst, Figures, Outgoing};
use airloom_wire::TcpFlags;

/// A burst is what the rate sends in 1 / 2^10 s (`sk_pacing_shift`).
const SHIFT: u32 = 10;

/// The bursts of a connection.
#[derive(Default)]
pub(crate) struct Offload {
    /// Where bursts of several segments begin and end.
    bursts: Vec<(u32, u32)>,
    /// Where segments end that were pushed with their buffer.
    pushed: Vec<u32>,
}

fn burst(figures: &Figures, cwnd: u32, least: u32) -> usize {
    let &Figures { mss, pacing_rate, least_rtt, .. } = figures;
    Burst { mss, pacing_rate, shift: SHIFT, least_rtt, cwnd, least }.segments() as usize
}

fn ends(out: &Outgoing) -> u32 {
    out.segment.header.seq.wrapping_add(out.segment.payload)
}

fn push(out: &mut Outgoing) {
    out.segment.header.flags = out.segment.header.flags | TcpFlags::PSH;
}

impl Offload {
    /// Sets the PSH bits of segments that leave at once. `buffers` says where those of the send queue end, as sequence numbers, and
    /// which of them are pushed. The endpoint's buffers hold one segment: its bits count only where everything ends.
    pub(crate) fn mark(
        &mut self,
        segments: &mut [Outgoing],
        buffers: &[(u32, bool)],
        figures: &Figures,
        cwnd: u32,
        least: u32,
    ) {
        let most = burst(figures, cwnd, least);
        for out in segments.iter_mut().filter(|out| out.segment.payload > 0) {
            if buffers.last().is_some_and(|last| last.0 != ends(out)) {
                out.segment.header.flags.0 &= !TcpFlags::PSH.0;
            }
            if buffers.contains(&(ends(out), true)) {
                push(out);
            }
        }
        let together = |a: &Outgoing, b: &Outgoing| {
            ends(a) == b.segment.header.seq
                && a.segment.payload > 0
                && b.segment.payload > 0
                && a.segment.retransmission == b.segment.retransmission
        };
        for run in segments.chunk_by_mut(together) {
            if run[0].segment.retransmission {
                self.mark_again(run);
            } else {
                let inside = |a: &Outgoing, _: &Outgoing| !buffers.iter().any(|buffer| buffer.0 == ends(a));
                run.chunk_by_mut(inside).for_each(|part| self.mark_new(part, most));
            }
        }
    }

    fn mark_new(&mut self, run: &mut [Outgoing], most: usize) {
        for out in run.iter() {
            if out.segment.header.flags.contains(TcpFlags::PSH) && out.segment.payload > 0 {
                self.pushed.push(ends(out));
            }
        }
        for burst in run.chunks_mut(most) {
            if let [first, .., last] = burst {
                self.bursts.push((first.segment.header.seq, ends(last)));
                push(last);
            }
        }
    }

    fn mark_again(&mut self, run: &mut [Outgoing]) {
        for part in
            run.chunk_by_mut(|a, b| self.burst_of(a).is_some_and(|burst| self.burst_of(b) == Some(burst)))
        {
            let several = part.len() > 1;
            if let Some(last) = part.last_mut()
                && last.segment.payload > 0
                && (several || self.pushed.contains(&ends(last)))
            {
                push(last);
            }
        }
    }

    fn burst_of(&self, out: &Outgoing) -> Option<(u32, u32)> {
        let seq = out.segment.header.seq;
        let within = |burst: &&(u32, u32)| seq.wrapping_sub(burst.0) < burst.1.wrapping_sub(burst.0);
        self.bursts.iter().find(within).copied()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use airloom_sim::Duration;
    use airloom_tcp::Segment;
    use airloom_wire::TcpRepr;

    fn figures(least_rtt: Duration, pacing_rate: u64) -> Figures {
        Figures {
            mss: 1000,
            timestamps: false,
            reordering: 3,
            sacked: 0,
            lost: 0,
            retransmitted: 0,
            timeouts: 0,
            probes: 0,
            peer_window: 0,
            pacing_rate,
            least_rtt: Some(least_rtt),
        }
    }

    fn segments(seqs: &[u32], retransmission: bool) -> Vec<Outgoing> {
        let one = |&seq: &u32| Outgoing {
            segment: Segment {
                header: TcpRepr { seq, ..TcpRepr::default() },
                payload: 1000,
                retransmission,
                ..Segment::default()
            },
            truesize: 0,
        };
        seqs.iter().map(one).collect()
    }

    fn pushed(segments: &[Outgoing]) -> Vec<u32> {
        let marked = segments.iter().filter(|out| out.segment.header.flags.contains(TcpFlags::PSH));
        marked.map(|out| out.segment.header.seq).collect()
    }

    #[test]
    fn every_burst_of_several_is_pushed_and_so_is_what_is_left_of_it() {
        let mut offload = Offload::default();
        let far = figures(Duration::from_millis(100), 0);
        let mut new = segments(&[0, 1000, 2000, 3000, 4000], false);
        offload.mark(&mut new, &[], &far, 10, 2);
        assert_eq!(pushed(&new), [1000, 3000], "the fifth goes alone");
        let mut again = segments(&[1000, 2000, 3000, 4000], true);
        offload.mark(&mut again, &[], &far, 10, 2);
        assert_eq!(pushed(&again), [3000], "half a burst is one segment");
    }

    #[test]
    fn a_burst_ends_with_its_buffer() {
        let far = figures(Duration::from_millis(100), 0);
        let mut new = segments(&[0, 1000, 2000, 3000], false);
        Offload::default().mark(&mut new, &[(3000, false), (4000, true)], &far, 10, 2);
        assert_eq!(pushed(&new), [1000, 3000]);
    }

    #[test]
    fn what_was_pushed_with_its_buffer_is_pushed_again() {
        let mut offload = Offload::default();
        let far = figures(Duration::from_millis(100), 0);
        let mut new = segments(&[0, 1000], false);
        push(&mut new[0]);
        offload.mark(&mut new[..1], &[(2000, true)], &far, 10, 2);
        assert!(pushed(&new[..1]).is_empty(), "the endpoint's bit is none of a buffer's");
        offload.mark(&mut new[1..], &[(2000, true)], &far, 10, 2);
        assert_eq!(pushed(&new[1..]), [1000]);
        let mut again = segments(&[1000], true);
        offload.mark(&mut again, &[(2000, true)], &far, 10, 2);
        assert_eq!(pushed(&again), [1000]);
    }
}
