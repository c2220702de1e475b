//! An event as it is remembered: small, since a tenth of a second of them is kept at any time.

use airloom_observe::{BlockAck, Fate, FlowId, FrameKind, NodeId, Ppdu, QueueLayer, SegmentSent, User};
use airloom_rate::Rate;
use airloom_sim::{Duration, IndexVec, Time};

/// Something that happened, and when it was seen.
#[derive(Clone, Copy, Debug)]
pub(super) struct Event {
    pub(super) at: Time,
    pub(super) what: What,
}

/// What happened.
#[derive(Clone, Copy, Debug)]
pub(super) enum What {
    /// A flow's sender sent a segment.
    Sent { flow: FlowId, seq: u32, payload: u32, again: bool },
    /// An acknowledgment reached a flow's sender.
    Acknowledged { flow: FlowId, ack: u32 },
    /// A flow's congestion window changed.
    Window { flow: FlowId, packets: u32 },
    /// Bytes reached a flow's receiving application since `start`.
    Delivered { flow: FlowId, bytes: u32, start: Time },
    /// A queue has held as many packets since `since`.
    Depth { node: NodeId, layer: QueueLayer, packets: u32, since: Time },
    /// A PPDU.
    Frame(FrameDetail),
    /// The bitmap of the BlockAck just seen, or its first part.
    Bitmap { start: u16, bitmap: u64 },
}

/// A PPDU for one of its users.
#[derive(Clone, Copy, Debug)]
pub(super) struct FrameDetail {
    pub(super) start: Time,
    pub(super) nanos: u32,
    pub(super) from: NodeId,
    /// Its receiver; none for a broadcast.
    pub(super) to: Option<NodeId>,
    pub(super) kind: FrameKind,
    pub(super) fate: Fate,
    pub(super) rate: Rate,
    pub(super) mpdus: u16,
    pub(super) good: u16,
    pub(super) retries: u16,
}

impl Event {
    #[inline(always)]
    pub(super) fn segment(at: Time, sent: &SegmentSent) -> Self {
        let &SegmentSent { flow, seq, payload, retransmission: again, .. } = sent;
        Self { at, what: What::Sent { flow, seq, payload, again } }
    }

    #[inline(always)]
    pub(super) fn acknowledgment(at: Time, flow: FlowId, ack: u32) -> Self {
        Self { at, what: What::Acknowledged { flow, ack } }
    }

    #[inline(always)]
    pub(super) fn window(at: Time, flow: FlowId, packets: u32) -> Self {
        Self { at, what: What::Window { flow, packets } }
    }

    #[inline(always)]
    pub(super) fn frame(at: Time, ppdu: &Ppdu, user: &User) -> Self {
        let &Ppdu { start, end, from, kind, .. } = ppdu;
        let &User { to, rate, mpdus, good, retries, fate, .. } = user;
        let nanos = end.since(start).as_nanos() as u32;
        Self {
            at,
            what: What::Frame(FrameDetail { start, nanos, from, to, kind, fate, rate, mpdus, good, retries }),
        }
    }

    #[inline(always)]
    pub(super) fn block_ack(at: Time, block_ack: &BlockAck) -> Self {
        let &BlockAck { start, bitmap } = block_ack;
        Self { at, what: What::Bitmap { start, bitmap } }
    }
}

/// How often the depth of a queue, or what was delivered, is remembered at most.
const SLOT: Duration = Duration::from_millis(1);

/// What changes with every packet, gathered over a millisecond each.
pub(super) struct Slots {
    /// The depths of each node's queue discipline and driver.
    depths: IndexVec<NodeId, [Slot; 2]>,
    /// The bytes of each flow.
    bytes: IndexVec<FlowId, Slot>,
}

/// A value, since when it is so, until when it is only gathered, and whether it has been remembered.
#[derive(Clone, Copy, Default)]
struct Slot {
    value: u32,
    start: Time,
    until: Time,
    known: bool,
}

impl Slots {
    pub(super) fn new(nodes: usize, flows: usize) -> Self {
        Self {
            depths: (0..nodes).map(|_| Default::default()).collect(),
            bytes: (0..flows).map(|_| Slot::default()).collect(),
        }
    }

    /// One more flow.
    pub(super) fn flow(&mut self) {
        self.bytes.push(Slot::default());
    }

    /// A queue's depth changes: what it was since its last change, if a millisecond is over.
    #[inline(always)]
    pub(super) fn depth(
        &mut self,
        now: Time,
        node: NodeId,
        layer: QueueLayer,
        packets: u32,
    ) -> Option<Event> {
        let slot = &mut self.depths[node][usize::from(layer == QueueLayer::Driver)];
        let last = (now >= slot.until).then(|| {
            slot.until = now + SLOT;
            Event { at: now, what: What::Depth { node, layer, packets: slot.value, since: slot.start } }
        });
        (slot.start, slot.value, slot.known) = (now, packets, false);
        last
    }

    /// Bytes were delivered: those of the last millisecond with any, if a new one begins.
    #[inline(always)]
    pub(super) fn delivered(&mut self, now: Time, flow: FlowId, bytes: u64) -> Option<Event> {
        let slot = &mut self.bytes[flow];
        let last = (now >= slot.until && slot.value > 0).then(|| {
            let (bytes, start) = (std::mem::take(&mut slot.value), slot.start);
            Event { at: now, what: What::Delivered { flow, bytes, start } }
        });
        if now >= slot.until {
            (slot.start, slot.until) = (now, now + SLOT);
        }
        slot.value += bytes as u32;
        last
    }

    /// What has been gathered and not been remembered, as events of the time `at`.
    pub(super) fn flush(&mut self, at: Time, mut remember: impl FnMut(Event)) {
        for node in self.depths.ids() {
            for (layer, slot) in
                [QueueLayer::Discipline, QueueLayer::Driver].into_iter().zip(&mut self.depths[node])
            {
                if !std::mem::replace(&mut slot.known, true) {
                    remember(Event {
                        at,
                        what: What::Depth { node, layer, packets: slot.value, since: slot.start },
                    });
                }
            }
        }
        for flow in self.bytes.ids() {
            let Slot { value, start, .. } = &mut self.bytes[flow];
            let bytes = std::mem::take(value);
            if bytes > 0 {
                remember(Event { at, what: What::Delivered { flow, bytes, start: *start } });
            }
        }
    }
}
