//! The controller's walk through its two lists, one transaction after the other.

use crate::config::Traversal;
use crate::endpoint::Endpoint;
use crate::frame::{self, FRAME_BYTES, FULL_TRANSACTION, NAKED_IN, START_OF_FRAME, TRANSACTION_OVERHEAD};
use airloom_sim::Time;

/// The two bulk endpoints of the adapter. Each has a queue head with its TDs below; the lists lie in this order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Pipe {
    /// From the host to the adapter.
    Out,
    /// From the adapter to the host.
    In,
}

const LISTS: [Pipe; 2] = [Pipe::Out, Pipe::In];

/// The contents of the lists and the state of the adapter. Constant during a walk.
pub(crate) struct View {
    pub(crate) traversal: Traversal,
    pub(crate) reclamation: bool,
    /// Whether the driver has handed down a packet for the adapter.
    pub(crate) out: bool,
    /// Whether the adapter has room for a packet whose first transaction is yet to come.
    pub(crate) room: bool,
    /// Whether the driver waits for a packet of the adapter.
    pub(crate) posted: bool,
    /// From when on the adapter has a packet for the host.
    pub(crate) ready: Time,
}

/// A place in the schedule. It is copied to look ahead.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Walk {
    /// The frame.
    pub(crate) frame: u64,
    /// Byte times since the frame began.
    pub(crate) at: u32,
    /// The list to be visited next; past the last one when the traversal is over.
    list: usize,
    /// Bytes still to be moved of the first packet of each list, and whether none of it has been.
    pub(crate) out: Progress,
    pub(crate) input: Progress,
    pub(crate) endpoint: Endpoint,
}

/// How far the first packet of a list has come.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Progress {
    /// Transactions left.
    left: u32,
    /// Bytes that the last of them carries.
    last: u32,
    /// Whether none was done yet.
    fresh: bool,
}

impl Progress {
    /// A packet that fills every transaction, as `bytes` rounded up: the driver pads what it sends.
    pub(crate) const fn padded(bytes: u32) -> Self {
        Self { left: bytes.div_ceil(frame::MAX_PAYLOAD), last: frame::MAX_PAYLOAD, fresh: true }
    }

    /// A packet whose end is marked by a transaction that is not full, and may be empty (USB 1.1 section 5.8.3).
    pub(crate) const fn ended_short(bytes: u32) -> Self {
        Self { left: bytes / frame::MAX_PAYLOAD + 1, last: bytes % frame::MAX_PAYLOAD, fresh: true }
    }

    /// Whether none of it has been moved yet.
    pub(crate) const fn is_fresh(self) -> bool {
        self.fresh
    }

    /// One transaction is done; whether it was the last.
    fn advance(&mut self) -> bool {
        self.left -= 1;
        self.fresh = false;
        self.left == 0
    }

    /// Bytes that the next transaction carries.
    const fn next(&self) -> u32 {
        if self.left == 1 { self.last } else { frame::MAX_PAYLOAD }
    }
}

/// One transaction on the bus.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Transaction {
    pub(crate) pipe: Pipe,
    /// Byte times that it takes.
    pub(crate) takes: u32,
    /// Whether data moved: the answer was no NAK.
    pub(crate) done: bool,
    /// Whether it was the last one of its packet.
    pub(crate) completes: bool,
}

impl Walk {
    pub(crate) const fn new(endpoint: Endpoint) -> Self {
        const NONE: Progress = Progress { left: 0, last: 0, fresh: true };
        Self { frame: 0, at: START_OF_FRAME, list: 0, out: NONE, input: NONE, endpoint }
    }

    /// The instant of this place.
    pub(crate) const fn time(&self) -> Time {
        frame::instant(self.frame, self.at)
    }

    /// Goes on to the beginning of another frame. Every frame is walked from its first list: the frame list leads there
    /// (UHCI 1.1 section 3.4).
    pub(crate) fn enter(&mut self, frame: u64) {
        (self.frame, self.at, self.list) = (frame, START_OF_FRAME, 0);
    }

    /// Does the next transaction of this frame; none if no more is begun in it.
    pub(crate) fn step(&mut self, view: &View) -> Option<Transaction> {
        loop {
            // A transaction that might not end within the frame is not begun (UHCI 1.1 section 2.1.1).
            if self.at + FULL_TRANSACTION > FRAME_BYTES {
                return None;
            }
            match LISTS.get(self.list) {
                Some(Pipe::Out) if view.out => return Some(self.send(view)),
                Some(Pipe::In) if view.posted => return Some(self.fetch(view)),
                Some(_) => self.list += 1,
                None if view.reclamation && (view.out || view.posted) => self.list = 0,
                None => return None,
            }
        }
    }

    fn send(&mut self, view: &View) -> Transaction {
        self.at += FULL_TRANSACTION;
        let room = view.room || !self.out.fresh;
        let done = room && self.endpoint.take(self.time());
        let completes = done && self.out.advance();
        self.go_on(view, done);
        Transaction { pipe: Pipe::Out, takes: FULL_TRANSACTION, done, completes }
    }

    fn fetch(&mut self, view: &View) -> Transaction {
        let done = view.ready <= self.time();
        let takes = if done { self.input.next() + TRANSACTION_OVERHEAD } else { NAKED_IN };
        self.at += takes;
        let completes = done && self.input.advance();
        self.go_on(view, done);
        Transaction { pipe: Pipe::In, takes, done, completes }
    }

    /// A list is left after each transaction, or, depth first, when it can do no more now.
    fn go_on(&mut self, view: &View, done: bool) {
        if view.traversal == Traversal::Breadth || !done {
            self.list += 1;
        }
    }
}
