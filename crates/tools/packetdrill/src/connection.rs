//! One connection: an endpoint with its timers, and what the application has not read yet.

use crate::device::{Device, Ends};
use crate::limits::Limits;
use crate::offload::Offload;
use crate::send_queue::{SendQueue, Sender};
use crate::settings::Host;
use airloom_observe::{Direction, FlowId};
use airloom_sim::{Bytes, Duration, Time};
use airloom_tcp::{Effects, Endpoint, Phase, Role, Segment, Timer, TimerChange};
use airloom_wire::TcpFlags;
use libc::c_int;

/// The initial sequence number of every connection.
const ISN: u32 = 1_000_000;
/// How long a connection that is over still answers (`TCP_TIMEWAIT_LEN`).
const TIME_WAIT: Duration = Duration::from_secs(60);
/// How long one without a descriptor waits for the end of what the peer sends (`TCP_FIN_TIMEOUT`).
const FIN_TIMEOUT: Duration = Duration::from_secs(60);
/// How often it repeats what nobody acknowledges (`tcp_orphan_retries`).
const ORPHAN_RETRIES: u32 = 8;

/// A connection, with or without a descriptor.
pub(crate) struct Connection {
    pub(crate) ends: Ends,
    pub(crate) endpoint: Endpoint,
    pub(crate) host: Host,
    timers: [Option<Time>; Timer::ALL.len()],
    offload: Offload,
    pub(crate) queue: SendQueue,
    pub(crate) limits: Limits,
    /// This side closed before it knew that the peer had: it waits for late segments (`TIME_WAIT`).
    closed_first: bool,
    /// Bytes that have arrived in order and were not read.
    pub(crate) readable: u64,
    /// The next operation fails so (`sk_err`).
    pub(crate) error: Option<c_int>,
    /// The handshake is complete.
    pub(crate) established: bool,
    /// It ended: by FINs on both sides, a reset or a timeout.
    pub(crate) over: Option<Time>,
    /// Reading, or writing, was shut down.
    pub(crate) shut: (bool, bool),
    /// No descriptor leads to it.
    pub(crate) orphaned: bool,
    /// Since when, with its FIN acknowledged.
    half_closed: Option<Time>,
    /// How often a reader, and a writer, that waits for an edge was woken.
    pub(crate) wakes: (u64, u64),
    /// The largest number of unsent bytes at which it is writable (`TCP_NOTSENT_LOWAT`), if it has one of its own.
    pub(crate) unsent_limit: Option<u32>,
    /// When data last arrived.
    pub(crate) last_data: Time,
}

impl Connection {
    pub(crate) fn new(host: Host, role: Role, ends: Ends) -> Self {
        let mut tcp = host.tcp;
        tcp.offer.ecn |= role == Role::Passive && host.ecn_if_asked;
        let mut endpoint = Endpoint::new(tcp, role, FlowId(0), Direction::Forward, ISN);
        endpoint.stay_open();
        // What is taken from the application is decided here, by buffers of several segments.
        endpoint.set_send_buffer(Bytes(1 << 40));
        Self {
            ends,
            endpoint,
            host,
            timers: [None; Timer::ALL.len()],
            offload: Offload::default(),
            queue: SendQueue::new(host.tcp.send.send_buffer_initial.0, host.tcp.send.send_buffer_max.0),
            limits: Limits::default(),
            closed_first: false,
            readable: 0,
            error: None,
            established: false,
            over: None,
            shut: (false, false),
            orphaned: false,
            half_closed: None,
            wakes: (0, 0),
            unsent_limit: None,
            last_data: Time::ZERO,
        }
    }

    /// Does something with the endpoint and carries out what follows.
    pub(crate) fn with<T>(
        &mut self,
        now: Time,
        device: &mut Device,
        act: impl FnOnce(&mut Endpoint, &mut Effects) -> T,
    ) -> T {
        let mut fx = Effects::default();
        let answer = act(&mut self.endpoint, &mut fx);
        self.carry_out(now, fx, device);
        self.looked_at(now);
        if self.orphaned && self.endpoint.close_acknowledged() {
            self.half_closed.get_or_insert(now);
        }
        answer
    }

    fn carry_out(&mut self, now: Time, mut fx: Effects, device: &mut Device) {
        let mut segments = Vec::new();
        loop {
            for (timer, change) in self.timers.iter_mut().zip(fx.timers) {
                match change {
                    TimerChange::Keep => {}
                    TimerChange::Set(at) => *timer = Some(at),
                    TimerChange::Cancel => *timer = None,
                }
            }
            self.readable += fx.delivered;
            if fx.established {
                self.established = true;
                self.last_data = now;
                self.queue.expand(&self.sender());
            }
            self.wakes.0 += u64::from(fx.delivered > 0 || fx.finished);
            self.wakes.1 += u64::from(fx.established || fx.finished);
            if fx.finished && self.over.is_none() {
                self.over = Some(now);
            }
            let left: u64 = fx.segments.iter().map(|out| u64::from(out.truesize)).sum();
            segments.append(&mut fx.segments);
            fx.clear();
            if left == 0 {
                break;
            }
            self.endpoint.sent(now, left, &mut fx, &mut ());
        }
        let (figures, cwnd) = (self.endpoint.figures(), self.endpoint.cwnd());
        let wire = |(end, pushed): (u64, bool)| (ISN.wrapping_add(1).wrapping_add(end as u32), pushed);
        let buffers: Vec<_> = self.queue.buffers().map(wire).collect();
        self.offload.mark(&mut segments, &buffers, &figures, cwnd, self.host.least_burst);
        for out in &segments {
            device.send(now, self.ends, &out.segment);
        }
    }

    /// Notes what limits the sender now.
    fn looked_at(&mut self, now: Time) {
        self.limits.changed(now, &self.sender(), self.queue.is_refused());
    }

    fn sender(&self) -> Sender {
        let (endpoint, figures) = (&self.endpoint, self.endpoint.figures());
        Sender {
            written: endpoint.bytes_written(),
            unsent: endpoint.unsent(),
            unacknowledged: endpoint.bytes_written() - endpoint.bytes_acked(),
            mss: figures.mss.into(),
            cwnd: endpoint.cwnd().into(),
            in_flight: endpoint.in_flight().into(),
            peer_window: figures.peer_window,
        }
    }

    /// A segment for this connection arrived.
    pub(crate) fn receive(&mut self, now: Time, segment: &Segment, device: &mut Device) {
        let reset = segment.header.flags.contains(TcpFlags::RST);
        let (was_over, phase) = (self.over.is_some(), self.endpoint.phase());
        let ends_at = segment.header.seq.wrapping_add(segment.payload);
        let news = segment.payload > 0 && ends_at.wrapping_sub(self.endpoint.expected()) as i32 > 0;
        if self.orphaned && news && !was_over {
            // Nobody is left to read it (`tcp_rcv_state_process`).
            device.refuse(now, self.ends, segment);
            self.drop_out(now);
            return;
        }
        let closed_before = self.endpoint.peer_closed();
        self.with(now, device, |endpoint, fx| endpoint.receive(now, segment, fx, &mut ()));
        if segment.payload > 0 {
            self.last_data = now;
        }
        self.queue.offered(self.endpoint.figures().peer_window);
        let (sender, limit) = (self.sender(), self.unsent_limit());
        self.wakes.1 += u64::from(self.queue.acknowledged(&sender, limit));
        self.looked_at(now);
        self.wakes.0 += u64::from(self.endpoint.peer_closed() && !closed_before);
        if reset && self.over == Some(now) && !was_over {
            self.error = Some(match phase {
                Phase::SynSent => libc::ECONNREFUSED,
                _ if closed_before => libc::EPIPE,
                _ => libc::ECONNRESET,
            });
        }
    }

    /// It ends without another word.
    fn drop_out(&mut self, now: Time) {
        self.over = Some(now);
        self.timers = [None; Timer::ALL.len()];
    }

    /// When the next timer is due.
    pub(crate) fn due(&self) -> Option<Time> {
        self.timers.iter().flatten().min().copied()
    }

    /// Fires the timers that are due. One without a descriptor is given up once it has tried often enough (`tcp_write_timeout`,
    /// `tcp_probe_timer`).
    pub(crate) fn fire(&mut self, now: Time, device: &mut Device) {
        let figures = self.endpoint.figures();
        let tried = figures.timeouts.max(figures.probes);
        if self.orphaned && tried >= ORPHAN_RETRIES && self.due().is_some_and(|at| at <= now) {
            return self.drop_out(now);
        }
        for timer in Timer::ALL {
            if self.timers[timer.index()].is_some_and(|at| at <= now) {
                self.timers[timer.index()] = None;
                self.with(now, device, |endpoint, fx| endpoint.timer(now, timer, fx, &mut ()));
            }
        }
    }

    /// Whether it is forgotten: it has been over for long, or without a descriptor after a reset.
    pub(crate) fn is_gone(&self, now: Time) -> bool {
        let waits = self.closed_first && self.endpoint.peer_closed() && self.endpoint.close_acknowledged();
        let over = self.over.is_some_and(|at| now.since(at) >= TIME_WAIT || (self.orphaned && !waits));
        let alone = self.half_closed.is_some_and(|at| now.since(at) >= FIN_TIMEOUT);
        over || alone && self.over.is_none()
    }

    /// The application closes its side.
    pub(crate) fn finish(&mut self, now: Time, device: &mut Device) {
        self.closed_first |= !self.endpoint.peer_closed();
        self.with(now, device, |endpoint, fx| endpoint.close(now, fx, &mut ()));
    }

    /// The application closes the connection (`tcp_close`). If data was not read, a reset tells the peer that it is lost.
    pub(crate) fn close(&mut self, now: Time, device: &mut Device) {
        self.orphaned = true;
        if !self.established {
            self.drop_out(now);
        } else if self.readable > 0 {
            self.with(now, device, |endpoint, fx| endpoint.abort(now, fx, &mut ()));
        } else {
            self.finish(now, device);
        }
    }

    /// Whether writing is over, and why.
    fn unwritable(&mut self) -> Option<c_int> {
        if let Some(error) = self.error.take() {
            return Some(error);
        }
        let broken = self.shut.1 || self.over.is_some() || self.endpoint.is_closing();
        broken.then_some(libc::EPIPE)
    }

    /// The number of unsent bytes from which on it is not writable.
    fn unsent_limit(&self) -> u64 {
        self.unsent_limit.unwrap_or(self.host.unsent_limit).into()
    }

    /// Takes bytes from the application, buffer by buffer; none yet if there is no room.
    pub(crate) fn write(
        &mut self,
        now: Time,
        count: u64,
        more: bool,
        device: &mut Device,
    ) -> Option<Result<u64, c_int>> {
        if let Some(error) = self.unwritable() {
            return Some(Err(error));
        }
        if !self.established {
            return None;
        }
        let mut written = 0;
        while written < count {
            let part = self.queue.admit(&self.sender(), count - written, self.unsent_limit());
            if part == 0 {
                break;
            }
            written += part;
            self.queue.filled(self.endpoint.bytes_written() + part, written == count && !more);
            let more = more || written < count;
            self.with(now, device, |endpoint, fx| match more {
                true => endpoint.write_part(now, part, fx, &mut ()),
                false => endpoint.write(now, part, fx, &mut ()),
            });
        }
        self.looked_at(now);
        (written > 0 || count == 0).then_some(Ok(written))
    }

    /// Whether `poll` calls it writable (`tcp_poll`); if not, an acknowledgment that makes it so wakes.
    fn is_writable(&mut self) -> bool {
        let sender = self.sender();
        let room = self.queue.has_room(&sender) && sender.unsent.saturating_mul(2) < self.unsent_limit();
        if !room {
            self.queue.refuse();
        }
        room
    }

    /// Gives the application bytes that have arrived; none yet if there are none.
    pub(crate) fn read(&mut self, count: u64, peek: bool) -> Option<Result<u64, c_int>> {
        let taken = self.readable.min(count);
        if taken > 0 || count == 0 {
            if !peek {
                self.readable -= taken;
            }
            return Some(Ok(taken));
        }
        if let Some(error) = self.error.take() {
            return Some(Err(error));
        }
        (self.endpoint.peer_closed() || self.shut.0 || self.over.is_some()).then_some(Ok(0))
    }

    /// What `poll` reports (`tcp_poll`).
    pub(crate) fn events(&mut self) -> c_int {
        let peer_closed = self.endpoint.peer_closed() || self.over.is_some();
        let half = self.shut.0 || peer_closed;
        let mut events = 0;
        if (self.shut.0 && self.shut.1) || self.over.is_some() {
            events |= libc::EPOLLHUP;
        }
        if half {
            events |= libc::EPOLLIN | libc::EPOLLRDNORM | libc::EPOLLRDHUP;
        }
        if self.error.is_some() {
            events |= libc::EPOLLERR;
        }
        if self.established {
            if self.readable > 0 {
                events |= libc::EPOLLIN | libc::EPOLLRDNORM;
            }
            if self.shut.1 || self.is_writable() {
                events |= libc::EPOLLOUT | libc::EPOLLWRNORM;
            }
        }
        events
    }
}
