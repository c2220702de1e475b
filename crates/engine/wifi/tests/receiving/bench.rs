//! A sender and a receiver with a scripted channel between them.

use airloom_rate::{GuardInterval, Ht, Rate, Width};
use airloom_sim::{BitRate, Duration, Handle, Time};
use airloom_wifi::aggregate::{Batch, Limits};
use airloom_wifi::reorder::{Arrival, Reorder, distance};
use airloom_wifi::reordering::pseudo_retry_out::{PseudoRetryOut, Verdict};
use airloom_wifi::send_window::SendWindow;
use proptest::prelude::*;
use std::collections::BTreeMap;

pub(crate) const TIMEOUT: Duration = Duration::from_millis(100);

/// What becomes of one MPDU.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Luck {
    Good,
    /// Damaged, and its number can be read.
    Damaged,
    /// Damaged, and this is what its number seems to be.
    Lie(u16),
    /// Nothing of it can be read.
    Gone,
}

/// One exchange: what becomes of each MPDU, whether the response comes back, and how long it takes.
#[derive(Clone, Debug)]
pub(crate) struct Exchange {
    /// Of the first MPDUs; those that follow share it in turn.
    pub(crate) luck: Vec<Luck>,
    pub(crate) answered: bool,
    pub(crate) pause: Duration,
}

/// An exchange in which an MPDU is damaged with this probability, of which as many lie as `lies` says.
pub(crate) fn exchange(damaged: u32, lies: u32) -> impl Strategy<Value = Exchange> {
    let luck = prop_oneof![
        100 - damaged => Just(Luck::Good),
        damaged => Just(Luck::Damaged),
        lies => (0u16..4096).prop_map(Luck::Lie),
        1 => Just(Luck::Gone),
    ];
    (prop::collection::vec(luck, 32), prop::bool::weighted(0.9), 1u64..12)
        .prop_map(|(luck, answered, pause)| Exchange { luck, answered, pause: Duration::from_millis(pause) })
}

/// Sender and receiver, the ledger of all packets, and the checks that hold after every step.
pub(crate) struct Bench {
    now: Time,
    window: SendWindow,
    retry_limit: u32,
    pushed: u32,
    batch: Batch,
    pub(crate) reorder: Reorder,
    remedy: Option<PseudoRetryOut>,
    /// Good copies that were accepted and are not delivered yet, by packet, with the time of arrival.
    held: BTreeMap<u32, Time>,
    /// Numbers given up that the receiver has not moved past: they come round again.
    pub(crate) given_up: Vec<u16>,
    pub(crate) delivered: Vec<u32>,
    /// Packets of which a good copy came for the first time when the receiver had moved past them.
    pub(crate) too_late: u32,
}

impl Bench {
    /// Both under an agreement of `window` MPDUs.
    pub(crate) fn new(window: u16, retry_limit: u32, remedy: bool) -> Self {
        Self {
            now: Time::ZERO,
            window: SendWindow::new(window),
            retry_limit,
            pushed: 0,
            batch: Batch::new(window, 0),
            reorder: Reorder::new(TIMEOUT, window),
            remedy: remedy.then(|| PseudoRetryOut::new(window)),
            held: BTreeMap::new(),
            given_up: Vec::new(),
            delivered: Vec::new(),
            too_late: 0,
        }
    }

    /// The sender sends what it has, at 6.5 Mbit/s, and everybody draws conclusions.
    pub(crate) fn play(&mut self, exchange: &Exchange) {
        let size = u32::from(self.window.size());
        while self.window.len() < size + size / 4 {
            self.window.push(self.now, Handle(self.pushed), 1538, true, None);
            self.pushed += 1;
        }
        let limits = Limits::new(
            Rate::Ht(Ht { mcs: 15, width: Width::Mhz40, guard: GuardInterval::Ns400 }),
            size / 2,
            u32::MAX,
            Duration::from_secs(1),
            Duration::ZERO,
        );
        if self.batch.is_empty() {
            let first = self.window.ready().expect("a frame waits");
            self.batch = self.window.select(first, &limits);
        }
        self.now += exchange.pause;
        let mut up = Vec::new();
        self.reorder.expire(self.now, &mut up);
        self.check(&mut up);
        let seqs: Vec<u16> = self.batch.seqs().collect();
        for (&seq, &luck) in seqs.iter().zip(exchange.luck.iter().cycle()) {
            self.window.frame(seq).good = matches!(luck, Luck::Good);
            self.receive(seq, luck, &mut up);
            self.check(&mut up);
        }
        self.reorder.expire(self.now, &mut up);
        let mut settled = Vec::new();
        let heard = exchange.answered && seqs.iter().any(|&seq| self.window.frame(seq).good);
        let gave_up = if heard {
            let batch = std::mem::replace(&mut self.batch, Batch::new(self.window.size(), 0));
            self.window.acknowledged(&batch, self.retry_limit, &mut settled)
        } else {
            self.window.unanswered(&mut self.batch, &limits, self.retry_limit, &mut settled)
        };
        if gave_up {
            self.reorder.advance(self.window.start(), &mut up);
        }
        self.reorder.expire(self.now, &mut up);
        self.check(&mut up);
    }

    fn receive(&mut self, seq: u16, luck: Luck, up: &mut Vec<Handle>) {
        if let Some(remedy) = &mut self.remedy {
            remedy.heard(BitRate::from_bps(6_500_000), self.reorder.head());
        }
        let claimed = match luck {
            Luck::Good => {
                let frame = self.window.frame(seq);
                let (packet, repeated) = (frame.packet, std::mem::replace(&mut frame.arrived, true));
                match self.reorder.receive(self.now, seq, packet, up) {
                    Arrival::Accepted => {
                        let before = self.held.insert(packet.0, self.now);
                        let new = self.delivered.last().is_none_or(|&last| packet.0 > last);
                        assert!(before.is_none() && new, "{packet:?} accepted twice");
                    }
                    Arrival::Stale => self.too_late += u32::from(!repeated),
                    Arrival::GivenUp => assert!(self.given_up.contains(&seq)),
                }
                return;
            }
            Luck::Damaged => seq,
            Luck::Lie(claimed) => claimed,
            Luck::Gone => return,
        };
        if let Some(remedy) = &mut self.remedy
            && let Verdict::Overdue(_) = remedy.damaged(claimed, true)
            && self.reorder.give_up(claimed, up)
        {
            self.given_up.push(claimed);
        }
    }

    /// In order, once, in time; nothing waits behind a number given up.
    fn check(&mut self, up: &mut Vec<Handle>) {
        for packet in up.drain(..) {
            assert!(self.delivered.last().is_none_or(|&last| packet.0 > last), "{packet:?} is out of order");
            let since =
                self.held.remove(&packet.0).expect("what is delivered was accepted and not delivered before");
            assert!(self.now - since <= TIMEOUT + Duration::from_millis(12), "{packet:?} waited too long");
            self.delivered.push(packet.0);
        }
        assert_eq!(self.held.len() as u32, self.reorder.len(), "what was accepted is delivered or held");
        let head = self.reorder.head();
        self.given_up.retain(|&seq| distance(head, seq) < 2048);
        assert!(
            self.reorder.is_empty() || !self.given_up.contains(&head),
            "{head} is given up, and {:?} wait behind it",
            self.held
        );
    }
}
