//! A sender of datagrams: at its own pace, or as fast as the queue below takes them.

use super::{Content, End, Envelope, OwnTraffic, Packet, PublicationId, Socket, SocketId, World};
use airloom_observe::{DatagramEvent, NodeId, Observation, Probe};
use airloom_scenario::Spacing;
use airloom_sim::{BitRate, Duration, Handle, Slot, Stream, Time};

/// After how long a saturating sender without datagrams below tries again, if other flows fill the queue.
const RETRY: Duration = Duration::from_millis(1);

/// When datagrams are sent.
pub(crate) enum Pace {
    /// Keeps this many below, in queue, driver and card: more than driver or card hold, and no more than the queue does.
    Filling { below: u64 },
    /// Keeps one in the queue, and the next follows as that one leaves: the queue never has a reason to drop one.
    Following,
    /// Bits of payload per second.
    Paced { rate: BitRate, spacing: Spacing, departures: Stream },
    /// As an application hands over bytes that somebody brings.
    Own(Box<OwnTraffic>),
}

/// The sending end of a UDP flow.
pub(crate) struct Sender {
    pace: Pace,
    payload: u32,
    /// Fires when the next datagram is due.
    due: Slot,
    /// Datagrams below, those of a paced flow included; of one that follows, those in the queue alone.
    held: u64,
    sent: u64,
    /// When the first datagram was sent.
    began: Option<Time>,
    /// The group that its datagrams are for, if they are for one.
    publication: Option<PublicationId>,
    pub(super) stopped: bool,
}

impl Sender {
    pub(crate) fn new(pace: Pace, payload: u32, due: Slot) -> Self {
        Self { pace, payload, due, held: 0, sent: 0, began: None, publication: None, stopped: false }
    }

    /// The same to a group.
    pub(crate) fn publishing(self, publication: PublicationId) -> Self {
        Self { publication: Some(publication), ..self }
    }

    /// Datagrams have left the host; whether more are sent at once.
    pub(super) fn freed(&mut self, datagrams: u64) -> bool {
        if self.follows() {
            return false;
        }
        self.held -= datagrams;
        matches!(self.pace, Pace::Filling { .. })
    }

    /// A datagram was dropped by the host's own queue.
    pub(super) fn dropped(&mut self) {
        self.held -= 1;
    }

    /// Whether the next datagram is sent as the one before leaves the queue.
    pub(crate) fn follows(&self) -> bool {
        matches!(self.pace, Pace::Following)
    }

    /// How many datagrams it sends now.
    fn lacking(&self) -> u64 {
        match self.pace {
            Pace::Filling { below } => below.saturating_sub(self.held),
            Pace::Following => 1 - self.held.min(1),
            Pace::Paced { .. } | Pace::Own(_) => 0,
        }
    }

    /// When the next datagram leaves, one having been sent at `now`. Even spacing is counted from the first one, so that neither
    /// roundings nor what is late add up.
    fn next_due(&mut self, now: Time) -> Option<Time> {
        let Pace::Paced { rate, spacing, departures } = &mut self.pace else { return None };
        let bits = u128::from(self.payload) * 8;
        let began = *self.began.get_or_insert(now);
        let since = |bits: u128| (bits * 1_000_000_000 / u128::from(rate.as_bps())) as u64;
        let even = began + Duration::from_nanos(since(bits * u128::from(self.sent)));
        Some(match spacing {
            Spacing::Constant => even,
            Spacing::Late(most) => {
                let late = departures.uniform() * most.as_nanos() as f64;
                (even + Duration::from_nanos(late as u64)).max(now)
            }
            Spacing::Poisson => {
                let mean = since(bits) as f64;
                now + Duration::from_nanos((-libm::log(1.0 - departures.uniform()) * mean) as u64)
            }
        })
    }
}

impl<P: Probe> World<P> {
    /// Sends the datagrams due: one, or as many as there is room for.
    pub(crate) fn send_datagrams(&mut self, now: Time, socket: SocketId) {
        let End::Udp(sender) = &self.sockets[socket].end else { return };
        if sender.stopped {
            return;
        }
        let payload = sender.payload;
        if let Pace::Own(_) = sender.pace {
            self.send_what_is_due(now, socket);
        } else if let Pace::Paced { .. } = sender.pace {
            self.send_datagram(now, socket, payload);
            let End::Udp(sender) = &mut self.sockets[socket].end else { return };
            if let Some(at) = sender.next_due(now) {
                self.calendar.set(sender.due, at);
            }
        } else {
            while self.lacks_datagrams(socket) {
                if !self.send_datagram(now, socket, payload) {
                    break;
                }
            }
            self.retry_if_idle(now, socket);
        }
    }

    /// Sends what an application hands over now, in datagrams of at most the flow's payload, and asks it when the next comes.
    fn send_what_is_due(&mut self, now: Time, socket: SocketId) {
        let End::Udp(Sender { pace: Pace::Own(own), payload, due, .. }) = &mut self.sockets[socket].end
        else {
            return;
        };
        let (mut left, most, due) = (own.due(), *payload, *due);
        if let Some(at) = own.ask(now) {
            self.calendar.set(due, at);
        }
        while left > 0 {
            let payload = left.min(u64::from(most)) as u32;
            self.send_datagram(now, socket, payload);
            left -= u64::from(payload);
        }
    }

    fn lacks_datagrams(&self, socket: SocketId) -> bool {
        matches!(&self.sockets[socket].end, End::Udp(sender) if sender.lacking() > 0)
    }

    /// A packet of `node` has left its queue downwards: a flow that follows sends the next.
    #[inline]
    pub(crate) fn left_queue(&mut self, now: Time, node: NodeId, packet: Handle) {
        if self.datagrams_follow {
            let socket = self.passed_queue(node, packet);
            if let Some(socket) = socket {
                self.send_datagrams(now, socket);
            }
        }
    }

    /// A packet of `node` has been accepted below its queue; the flow that it is of, if that follows.
    pub(crate) fn passed_queue(&mut self, node: NodeId, packet: Handle) -> Option<SocketId> {
        let &Packet { home, from, .. } = self.packets.get(packet);
        match &mut self.sockets[from].end {
            End::Udp(sender) if home == node && sender.follows() => {
                sender.held -= 1;
                Some(from)
            }
            _ => None,
        }
    }

    /// Sends one datagram; false if the queue refused it. One of a flow with a pace of its own is lost then.
    fn send_datagram(&mut self, now: Time, socket: SocketId, payload: u32) -> bool {
        let End::Udp(sender) = &mut self.sockets[socket].end else { return false };
        sender.held += 1;
        let datagram = match sender.publication {
            None => Content::Datagram { payload, sent: now },
            Some(publication) => Content::Published { payload, sent: now, publication },
        };
        let accepted = self.send(now, socket, Envelope::of(&datagram), || datagram);
        let Socket { flow, end: End::Udp(sender), .. } = &mut self.sockets[socket] else { return false };
        sender.held -= u64::from(!accepted);
        if accepted || matches!(sender.pace, Pace::Paced { .. } | Pace::Own(_)) {
            sender.sent += 1;
            match sender.publication {
                None => {
                    let (flow, event) = (*flow, DatagramEvent::Sent);
                    self.probe.see(now, Observation::Datagram { flow, event });
                }
                Some(publication) => self.published(now, publication),
            }
        }
        accepted
    }

    /// A saturating sender with nothing below gets no credits, so it must retry by a timer.
    pub(super) fn retry_if_idle(&mut self, now: Time, socket: SocketId) {
        if let End::Udp(sender @ Sender { held: 0, due, .. }) = &self.sockets[socket].end
            && sender.lacking() > 0
        {
            self.calendar.set(*due, now + RETRY);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Event;
    use airloom_sim::Calendar;

    const MS: Duration = Duration::from_millis(1);

    /// The instants at which a flow of one datagram a millisecond sends, late by up to `most`, over a second.
    fn departures(most: Duration, seed: u64) -> Vec<Duration> {
        let mut calendar = Calendar::default();
        let pace = Pace::Paced {
            rate: BitRate::from_mbps(8),
            spacing: Spacing::Late(most),
            departures: Stream::new(seed, "flow", "departures of datagrams"),
        };
        let mut sender = Sender::new(pace, 1000, calendar.reserve(Event::Due(SocketId(0))));
        let mut now = Time::ZERO;
        let mut all = vec![Duration::ZERO];
        for sent in 1..1000 {
            sender.sent = sent;
            now = sender.next_due(now).expect("it has a pace");
            all.push(now.since(Time::ZERO));
        }
        all
    }

    #[test]
    fn what_is_late_does_not_add_up_and_has_the_mean_of_what_is_drawn() {
        let late = MS / 2;
        let all = departures(late, 1);
        let lateness: Vec<Duration> = (0..).zip(&all).map(|(n, at)| *at - MS * n).collect();
        assert!(lateness.iter().all(|&by| by <= late), "each is due by the clock that the first began");
        // Uniform up to 500 us: the mean of 999 has a standard deviation of 500 / sqrt(12 x 999) = 4.6 us.
        let mean = lateness[1..].iter().map(|by| by.as_nanos() as f64 * 1e-3).sum::<f64>() / 999.0;
        assert!((mean - 250.0).abs() < 4.0 * 4.6, "{mean} us");
        assert_ne!(all, departures(late, 2));
    }

    #[test]
    fn what_is_later_than_the_next_is_due_leaves_with_it() {
        let all = departures(MS * 3, 1);
        assert!(all.is_sorted(), "in the order in which they are due");
        assert!(all.windows(2).any(|pair| pair[0] == pair[1]), "some leave at once");
        assert!((0..).zip(&all).all(|(n, &at)| (MS * n..=MS * n + MS * 3).contains(&at)));
    }
}
