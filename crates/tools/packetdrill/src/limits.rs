//! What limits a sender, and for how long (`tcp_chrono_start`, Linux 6.18): `TCP_INFO` tells it.

use crate::send_queue::Sender;
use airloom_sim::{Duration, Time};

/// What limits a sender that has something to send.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Limit {
    /// Its window or the network.
    Network,
    /// The window that the peer offers.
    Peer,
    /// Its send buffer.
    Buffer,
}

/// The times for which a sender was limited.
#[derive(Default)]
pub(crate) struct Limits {
    now: Option<Limit>,
    since: Time,
    spent: [Duration; 3],
}

impl Limits {
    /// Something has happened to the sender; `refused` if the application found no room.
    pub(crate) fn changed(&mut self, at: Time, sender: &Sender, refused: bool) {
        let next = sender.unsent.min(sender.mss);
        let flight = sender.unacknowledged - sender.unsent;
        let limit = match sender.unacknowledged {
            0 => None,
            _ if sender.in_flight >= sender.cwnd => Some(Limit::Network),
            _ if next > 0 && flight + next > sender.peer_window => Some(Limit::Peer),
            _ if next == 0 && refused => Some(Limit::Buffer),
            _ => Some(Limit::Network),
        };
        if limit != self.now {
            self.spent = self.times(at);
            self.now = limit;
            self.since = at;
        }
    }

    /// The times until now, by limit.
    fn times(&self, at: Time) -> [Duration; 3] {
        let mut spent = self.spent;
        if let Some(limit) = self.now {
            spent[limit as usize] += at.since(self.since);
        }
        spent
    }

    /// How long there was something to send, and how long of this the peer's window, and the send buffer, was the limit.
    pub(crate) fn until(&self, at: Time) -> (Duration, Duration, Duration) {
        let [network, peer, buffer] = self.times(at);
        (network + peer + buffer, peer, buffer)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(ms: u64) -> Time {
        Time::ZERO + Duration::from_millis(ms)
    }

    #[test]
    fn every_millisecond_counts_for_one_limit() {
        let sender = |unsent, unacknowledged, peer_window| Sender {
            written: 10_000,
            unsent,
            unacknowledged,
            mss: 1000,
            cwnd: 10,
            in_flight: (unacknowledged - unsent) / 1000,
            peer_window,
        };
        let mut limits = Limits::default();
        limits.changed(at(0), &sender(0, 0, 0), false);
        limits.changed(at(10), &sender(1000, 1000, 0), false);
        limits.changed(at(40), &sender(0, 1000, 2000), false);
        limits.changed(at(60), &sender(0, 5000, 9000), true);
        limits.changed(at(65), &sender(0, 0, 9000), false);
        let ms = Duration::from_millis;
        assert_eq!(limits.until(at(99)), (ms(55), ms(30), ms(5)));
    }
}
