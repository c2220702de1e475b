//! The ends of a TCP connection: a writer that always has data, and a reader.

use super::{Content, End, Envelope, LinkRateFeedback, OwnTraffic, SocketId, World};
use airloom_observe::Probe;
use airloom_sim::{Duration, Slot, Time};
use airloom_tcp::{Effects, Endpoint, Outgoing, Timer, TimerChange};

/// How much an unlimited application offers at a time, in bytes.
const CHUNK: u64 = 1 << 20;

/// The application at a socket.
pub(crate) enum Application {
    /// Writes this many more bytes, or without limit; at its own pace, or whenever there is room.
    Writer { left: Option<u64>, pace: Option<Writes>, stopped: bool },
    /// Reads all data at once.
    Reader,
}

/// When an application writes.
pub(crate) struct Writes {
    pub(crate) plan: Plan,
    pub(crate) due: Slot,
    /// Bytes that it has and that the socket has not taken yet.
    pub(crate) ready: u64,
}

/// How much it writes at a time, and when.
pub(crate) enum Plan {
    /// The same at equal intervals.
    Even { size: u64, every: Duration },
    /// As one does that somebody brings.
    Own(Box<OwnTraffic>),
}

impl Writes {
    /// Takes what is due into what the application has; when the next is due. None if there is no more, as far as it knows now.
    fn next(&mut self, now: Time) -> Option<Time> {
        match &mut self.plan {
            Plan::Even { size, every } => {
                self.ready += *size;
                Some(now + *every)
            }
            Plan::Own(own) => {
                self.ready += own.due();
                own.ask(now)
            }
        }
    }

    /// Whether it is asked again as all is acknowledged.
    fn awaits_delivery(&self) -> bool {
        matches!(&self.plan, Plan::Own(own) if own.awaits_delivery)
    }
}

/// One end of a TCP connection.
pub(crate) struct Tcp {
    pub(crate) endpoint: Endpoint,
    /// The endpoint's effects.
    pub(crate) fx: Box<Effects>,
    pub(crate) application: Application,
    pub(crate) slots: [Slot; Timer::ALL.len()],
    /// The application waits until all that it wrote is acknowledged.
    pub(crate) awaits_delivery: bool,
    /// How it learns the rate of its radio link.
    pub(crate) link_rate_feedback: LinkRateFeedback,
}

impl Tcp {
    pub(super) fn reads(&self) -> bool {
        matches!(self.application, Application::Reader)
    }
}

impl<P: Probe> World<P> {
    fn tcp(&mut self, socket: SocketId) -> &mut Tcp {
        match &mut self.sockets[socket].end {
            End::Tcp(tcp) => tcp,
            _ => unreachable!("timers, segments and credits of TCP belong to its sockets"),
        }
    }

    pub(super) fn open(&mut self, now: Time, socket: SocketId) {
        let End::Tcp(tcp) = &mut self.sockets[socket].end else { return };
        tcp.endpoint.open(now, &mut tcp.fx, &mut self.probe);
        self.write_next(now, socket);
        self.write(now, socket);
        self.settle_tcp(now, socket);
        self.read_link_rate(now, socket);
    }

    pub(super) fn stop_writing(&mut self, now: Time, socket: SocketId) {
        if let Application::Writer { stopped, .. } = &mut self.tcp(socket).application {
            *stopped = true;
        }
        self.write(now, socket);
        self.settle_tcp(now, socket);
    }

    /// The application has more to write.
    pub(crate) fn write_more(&mut self, now: Time, socket: SocketId) {
        if let Application::Writer { left, stopped, .. } = &self.tcp(socket).application
            && (*stopped || *left == Some(0))
        {
            return;
        }
        self.write_next(now, socket);
        self.write(now, socket);
        self.settle_tcp(now, socket);
    }

    /// The application has what is due, and says when the next is.
    fn write_next(&mut self, now: Time, socket: SocketId) {
        let Application::Writer { pace: Some(pace), .. } = &mut self.tcp(socket).application else { return };
        let (next, awaits) = (pace.next(now), pace.awaits_delivery());
        self.await_next(socket, next, awaits);
        // Where nothing was written yet, nothing has to be delivered first.
        if next.is_none() && awaits {
            self.look_for_delivery(now, socket);
        }
    }

    /// The application writes next at this time; if at none, either as all is delivered or, after what it has, never again.
    fn await_next(&mut self, socket: SocketId, next: Option<Time>, awaits: bool) {
        let tcp = self.tcp(socket);
        tcp.awaits_delivery = next.is_none() && awaits;
        let Application::Writer { left, pace: Some(pace), .. } = &mut tcp.application else { return };
        if next.is_none() && !awaits {
            *left = Some(left.unwrap_or(u64::MAX).min(pace.ready));
        }
        let due = pace.due;
        if let Some(at) = next {
            self.calendar.set(due, at);
        }
    }

    /// Asks an application what comes next that waits until all that it wrote is acknowledged, if it is.
    #[cold]
    pub(super) fn look_for_delivery(&mut self, now: Time, socket: SocketId) {
        let Tcp { endpoint, application, .. } = self.tcp(socket);
        let Application::Writer { left, pace: Some(pace), stopped: false } = application else { return };
        if *left == Some(0) || pace.ready > 0 || endpoint.bytes_acked() < endpoint.bytes_written() {
            return;
        }
        let Plan::Own(own) = &mut pace.plan else { return };
        let next = own.delivered(now);
        self.await_next(socket, next, false);
        if next.is_none() {
            self.write(now, socket);
            self.settle_tcp(now, socket);
        }
    }

    /// A timer of an endpoint is due.
    pub(crate) fn tcp_timer(&mut self, now: Time, socket: SocketId, timer: Timer) {
        let End::Tcp(tcp) = &mut self.sockets[socket].end else { return };
        tcp.endpoint.timer(now, timer, &mut tcp.fx, &mut self.probe);
        self.settle_tcp(now, socket);
    }

    pub(super) fn credit_tcp(&mut self, now: Time, socket: SocketId, truesize: u64) {
        let End::Tcp(tcp) = &mut self.sockets[socket].end else { return };
        tcp.endpoint.sent(now, truesize, &mut tcp.fx, &mut self.probe);
        self.settle_tcp(now, socket);
    }

    /// The application writes as much as the socket takes.
    fn write(&mut self, now: Time, socket: SocketId) {
        let End::Tcp(tcp) = &mut self.sockets[socket].end else { return };
        let Tcp { endpoint, fx, application, .. } = &mut **tcp;
        let Application::Writer { left, pace, stopped } = application else { return };
        loop {
            let all = if *stopped { 0 } else { left.unwrap_or(CHUNK) };
            if all == 0 {
                endpoint.close(now, fx, &mut self.probe);
                return;
            }
            let offer = pace.as_ref().map_or(all, |pace| pace.ready.min(all));
            if offer == 0 {
                return;
            }
            let taken = endpoint.write(now, offer, fx, &mut self.probe);
            if let Some(left) = left {
                *left -= taken;
            }
            if let Some(pace) = pace {
                pace.ready -= taken;
            }
            if taken < offer {
                return;
            }
        }
    }

    fn arm_tcp(&mut self, socket: SocketId, changes: &[TimerChange; Timer::ALL.len()]) {
        let End::Tcp(tcp) = &self.sockets[socket].end else { return };
        for (&slot, change) in tcp.slots.iter().zip(changes) {
            match *change {
                TimerChange::Keep => {}
                TimerChange::Set(at) => self.calendar.set(slot, at),
                TimerChange::Cancel => self.calendar.cancel(slot),
            }
        }
    }

    /// The local queue has no room for the first of these segments, so the rest are not offered.
    #[cold]
    fn refuse(&mut self, now: Time, socket: SocketId, segments: &[Outgoing]) {
        let End::Tcp(tcp) = &mut self.sockets[socket].end else { return };
        if let Some(first) = segments.first() {
            tcp.endpoint.refused(now, &first.segment, &mut self.probe);
        }
        for outgoing in segments {
            tcp.endpoint.handed_back(now, &outgoing.segment, &mut tcp.fx, &mut self.probe);
        }
    }

    /// Carries out an endpoint's effects until none are left.
    #[inline]
    pub(crate) fn settle_tcp(&mut self, now: Time, socket: SocketId) {
        while let End::Tcp(tcp) = &mut self.sockets[socket].end
            && !tcp.fx.is_empty()
        {
            let fx = std::mem::replace(&mut tcp.fx, self.tcp_spare.take().unwrap_or_default());
            self.carry_out_tcp(now, socket, fx);
        }
    }

    fn carry_out_tcp(&mut self, now: Time, socket: SocketId, mut fx: Box<Effects>) {
        if fx.changes_timers() {
            self.arm_tcp(socket, &fx.timers);
        }
        for (n, outgoing) in fx.segments.iter().enumerate() {
            let Outgoing { segment, truesize } = outgoing;
            let envelope = Envelope::of_segment(segment, *truesize);
            if !self.send(now, socket, envelope, || Content::Segment(*segment)) {
                self.refuse(now, socket, &fx.segments[n..]);
                break;
            }
        }
        if fx.writable {
            self.write(now, socket);
        }
        fx.clear();
        self.tcp_spare = Some(fx);
    }
}
