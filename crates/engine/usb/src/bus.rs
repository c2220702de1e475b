//! The bus: packets queued at either end, and when they are transferred.

use crate::config::Config;
use crate::effects::Effects;
use crate::endpoint::Endpoint;
use crate::frame::{self, FRAME, FRAME_BYTES, INTERRUPT_LATENCY};
use crate::hold::Hold;
use crate::walk::{Pipe, Progress, Transaction, View, Walk};
use airloom_observe::{BusFrame, HoldSpell, NodeId, Observation, Probe};
use airloom_sim::{Duration, Handle, Stream, Time};
use std::collections::VecDeque;

/// A packet on its way to the host.
struct Incoming {
    packet: Handle,
    bytes: u32,
    /// The time from which the adapter passes it on.
    ready: Time,
}

/// A packet transferred, but not yet reported to the driver.
struct Completion {
    /// When the driver's handler runs.
    due: Time,
    /// The packet, if it is for the host.
    received: Option<Handle>,
}

/// A host controller, its bus and the adapter's end of it.
pub struct Bus {
    node: NodeId,
    config: Config,
    hold: Option<Hold>,
    /// The end of the last spell reported.
    held_until: Time,
    walk: Walk,
    /// Packets that the driver has handed down and the adapter does not have yet, in bytes with the descriptor.
    out: VecDeque<(Handle, u32)>,
    incoming: VecDeque<Incoming>,
    completions: VecDeque<Completion>,
    /// Whether the driver waits for a packet of the adapter.
    posted: bool,
    /// Whether the adapter has room for one more packet.
    room: bool,
    /// The packet whose last transaction is under way, and when it ends.
    landing: Option<(Time, Pipe)>,
    /// The frame being walked, and the progress in it.
    seen: BusFrame,
    timer: Option<Time>,
}

impl Bus {
    /// The bus of host `node`, at rest.
    pub fn new(node: NodeId, config: Config, stream: Stream) -> Self {
        let hold = config.hold.as_ref().map(|holding| Hold::new(holding, stream));
        let walk = Walk::new(Endpoint::new(config.drain));
        Self {
            node,
            config,
            hold,
            held_until: Time::ZERO,
            walk,
            out: VecDeque::new(),
            incoming: VecDeque::new(),
            completions: VecDeque::new(),
            posted: true,
            room: true,
            landing: None,
            seen: blank(node, 0),
            timer: None,
        }
    }

    /// Whether the driver accepts a packet. If not, [`Effects::wake`] reports when it does again.
    pub fn accepts(&self) -> bool {
        let unknown = self.completions.iter().filter(|c| c.received.is_none()).count();
        self.out.len() + unknown < self.config.queue as usize
    }

    /// Whether the adapter has room for a packet once those it is receiving are in.
    pub fn set_room<P: Probe>(&mut self, now: Time, room: bool, fx: &mut Effects, probe: &mut P) {
        if room != self.room {
            self.catch_up(now, fx, probe);
            self.room = room;
            self.rearm(fx);
        }
    }

    /// The host hands `packet`, an IP packet of `bytes`, to its driver, which [accepts](Self::accepts) it.
    pub fn submit<P: Probe>(
        &mut self,
        now: Time,
        packet: Handle,
        bytes: u32,
        fx: &mut Effects,
        probe: &mut P,
    ) {
        self.catch_up(now, fx, probe);
        self.out.push_back((packet, bytes + self.config.descriptor));
        if self.out.len() == 1 {
            self.next_out();
        }
        self.rearm(fx);
    }

    /// The adapter has received `packet`, an IP packet of `bytes`, from the air.
    pub fn incoming<P: Probe>(
        &mut self,
        now: Time,
        packet: Handle,
        bytes: u32,
        fx: &mut Effects,
        probe: &mut P,
    ) {
        self.catch_up(now, fx, probe);
        let mut ready = self.incoming.back().map_or(now, |before| before.ready.max(now));
        if let Some((start, end)) = self.hold.as_mut().and_then(|hold| hold.spell(now)) {
            ready = ready.max(end);
            if self.held_until < end {
                self.held_until = end;
                probe.see(now, Observation::Hold(HoldSpell { node: self.node, start, end }));
            }
        }
        self.incoming.push_back(Incoming { packet, bytes: bytes + self.config.descriptor, ready });
        if self.incoming.len() == 1 {
            self.next_in();
        }
        self.rearm(fx);
    }

    /// The time of [`Effects::timer`] has come.
    pub fn timer<P: Probe>(&mut self, now: Time, fx: &mut Effects, probe: &mut P) {
        self.timer = None;
        self.catch_up(now, fx, probe);
        while let Some(first) = self.completions.front()
            && first.due <= now
        {
            match first.received {
                Some(packet) => {
                    fx.received.push(packet);
                    self.posted = true;
                }
                None => fx.wake = true,
            }
            self.completions.pop_front();
        }
        self.rearm(fx);
    }

    fn view(&self) -> View {
        View {
            traversal: self.config.traversal,
            reclamation: self.config.reclamation,
            out: !self.out.is_empty(),
            room: self.room,
            posted: self.posted,
            ready: self.incoming.front().map_or(Time::NEVER, |first| first.ready),
        }
    }

    /// Walks the schedule as far as `now`.
    fn catch_up<P: Probe>(&mut self, now: Time, fx: &mut Effects, probe: &mut P) {
        self.land(now, fx);
        while self.walk.time() < now {
            self.skip_rest(now, probe);
            let view = self.view();
            if let Some(transaction) = self.walk.step(&view) {
                self.count(&transaction);
                if transaction.completes {
                    self.landing = Some((self.walk.time(), transaction.pipe));
                    self.land(now, fx);
                }
            } else if frame::start(self.walk.frame + 1) <= now {
                self.enter(now, self.walk.frame + 1, probe);
            } else {
                // The rest of the frame is idle as far as is known.
                self.walk.at = self.walk.at.max(frame::place(now).1);
                return;
            }
        }
    }

    /// Skips frames without data to send.
    fn skip_rest<P: Probe>(&mut self, now: Time, probe: &mut P) {
        let view = self.view();
        if view.out || (view.posted && view.ready < now) {
            return;
        }
        let frame = frame::place(now).0;
        if frame > self.walk.frame {
            self.enter(now, frame, probe);
        }
    }

    /// Advances to another frame, and reports the observations of the one before.
    fn enter<P: Probe>(&mut self, now: Time, frame: u64, probe: &mut P) {
        let BusFrame { out, out_refused, r#in, .. } = self.seen;
        if out + out_refused + r#in > 0 {
            probe.see(now, Observation::Bus(self.seen));
        }
        self.walk.enter(frame);
        self.seen = blank(self.node, frame);
    }

    fn count(&mut self, transaction: &Transaction) {
        let &Transaction { pipe, takes, done, completes } = transaction;
        let counter = match (pipe, done) {
            (Pipe::Out, true) => &mut self.seen.out,
            (Pipe::Out, false) => &mut self.seen.out_refused,
            (Pipe::In, true) => &mut self.seen.r#in,
            (Pipe::In, false) => &mut self.seen.in_empty,
        };
        *counter += 1;
        self.seen.busy += Duration::from_nanos(u64::from(takes) * FRAME.as_nanos() / u64::from(FRAME_BYTES));
        if completes {
            match pipe {
                Pipe::Out => self.seen.out_packets += 1,
                Pipe::In => self.seen.in_packets += 1,
            }
        }
    }

    /// The packet whose last transaction was under way is across; its interrupt comes when the frame ends.
    fn land(&mut self, now: Time, fx: &mut Effects) {
        let Some((_, pipe)) = self.landing.take_if(|(end, _)| *end <= now) else { return };
        let due = frame::start(self.walk.frame + 1) + INTERRUPT_LATENCY;
        let received = match pipe {
            Pipe::Out => {
                let (packet, _) = self.out.pop_front().expect("its last transaction was done");
                fx.arrived.push(packet);
                self.next_out();
                None
            }
            Pipe::In => {
                let first = self.incoming.pop_front().expect("its last transaction was done");
                self.posted = false;
                self.next_in();
                Some(first.packet)
            }
        };
        self.completions.push_back(Completion { due, received });
    }

    fn next_out(&mut self) {
        if let Some(&(_, bytes)) = self.out.front() {
            self.walk.out = Progress::padded(bytes);
        }
    }

    fn next_in(&mut self) {
        if let Some(first) = self.incoming.front() {
            self.walk.input = Progress::ended_short(first.bytes);
        }
    }

    /// The time of the next event that is not caused from outside.
    fn next(&self) -> Option<Time> {
        let interrupt = self.completions.front().map(|c| c.due);
        let across = self.landing.map(|(end, _)| end).or_else(|| self.next_completion());
        interrupt.into_iter().chain(across).min()
    }

    /// Looks ahead for the first packet to be transferred, if there is no input before.
    fn next_completion(&self) -> Option<Time> {
        let (view, mut walk, mut moved) = (self.view(), self.walk, false);
        if !view.out && (!view.posted || view.ready == Time::NEVER) {
            return None;
        }
        // A packet without room in the adapter changes nothing, however often it is offered.
        let offers = view.out && (view.room || !walk.out.is_fresh());
        loop {
            match walk.step(&view) {
                Some(Transaction { completes: true, .. }) => return Some(walk.time()),
                Some(transaction) => moved |= transaction.done,
                None => {
                    let end = frame::start(walk.frame + 1);
                    let later = (view.posted && view.ready < Time::NEVER && view.ready > walk.time())
                        || walk.endpoint.idle() > walk.time();
                    if !std::mem::take(&mut moved) && !later && walk.frame > self.walk.frame {
                        return None;
                    }
                    let waits = !offers && view.posted && view.ready < Time::NEVER;
                    let skipped = if waits { view.ready.max(end) } else { end };
                    walk.enter(frame::place(skipped).0);
                }
            }
        }
    }

    fn rearm(&mut self, fx: &mut Effects) {
        let next = self.next();
        if next != self.timer {
            self.timer = next;
            fx.timer = Some(next);
        }
    }
}

fn blank(node: NodeId, frame: u64) -> BusFrame {
    BusFrame {
        node,
        start: frame::start(frame),
        out: 0,
        out_refused: 0,
        r#in: 0,
        in_empty: 0,
        out_packets: 0,
        in_packets: 0,
        busy: Duration::ZERO,
    }
}
