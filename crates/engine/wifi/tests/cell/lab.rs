//! The ether on a bench: a calendar for its timers, and a ledger of every packet handed down.

use airloom_observe::{Fate, FrameKind, NodeId, Observation, Ppdu, User};
use airloom_rate::{Eht, GuardInterval, He, Ht, Padding, Punctured, Rate, Training, Width};
use airloom_sim::{Calendar, Duration, Handle, Slot, Time};
use airloom_wifi::reorder::HT_WINDOW;
use airloom_wifi::scan::{OffChannel, Procedure, Scanner};
use airloom_wifi::{
    Access, AccessPoint, Adapter, Aggregation, BssId, Category, Channel, Depth, Done, DscpMap, Edca, Effects,
    Ether, Ladder, MinstrelHt, NullFrames, Payload, Phy, RateChoice, Reordering, Retries, RtsRate, Station,
    TimerId, Turns,
};

/// The access point's node.
pub(crate) const AP: NodeId = NodeId(0);
/// Bytes of a full-sized IP packet.
pub(crate) const FULL: u32 = 1500;
/// The time from one beacon to the next.
pub(crate) const BEACONS: Duration = Duration::from_micros(102_400);

/// MCS 15 in 40 MHz with the short guard interval: 300 Mbit/s.
pub(crate) const FAST: Rate = Rate::Ht(Ht { mcs: 15, width: Width::Mhz40, guard: GuardInterval::Ns400 });

/// MCS 5 of 802.11ax in 40 MHz, under whose BlockAcks 256 MPDUs go.
pub(crate) const WIDE: Rate = Rate::He(He {
    mcs: 5,
    streams: 2,
    width: Width::Mhz40,
    guard: GuardInterval::Ns800,
    training: Training::X2,
    padding: Padding::Us16,
});

/// MCS 5 of 802.11be in 80 MHz, under whose BlockAcks 1,024 MPDUs go.
pub(crate) const WIDEST: Rate = Rate::Eht(Eht {
    mcs: 5,
    streams: 2,
    width: Width::Mhz80,
    guard: GuardInterval::Ns800,
    training: Training::X2,
    padding: Padding::Us20,
    punctured: Punctured::None,
});

pub(crate) fn ms(n: u64) -> Duration {
    Duration::from_millis(n)
}

/// Node n, the n-th station.
pub(crate) fn sta(n: u16) -> NodeId {
    NodeId(n)
}

/// The categories with another AIFSN and other windows of best effort.
pub(crate) fn best_effort(aifsn: u32, cw_min: u32, cw_max: u32) -> Edca {
    Edca::STATION.with_best_effort(Access::new(aifsn, cw_min, cw_max))
}

/// What an ath9k-like adapter aggregates.
pub(crate) const AGGREGATION: Aggregation = Aggregation {
    block_ack_window: HT_WINDOW,
    amsdu_packets: 1,
    mpdu_bytes: 11_454,
    ampdu_mpdus: 32,
    ampdu_bytes: 65_535,
    ampdu_receive_bytes: None,
    ampdu_duration: Duration::from_millis(4),
    ampdu_spacing: Duration::from_micros(8),
};

/// What it holds.
pub(crate) const DEPTH: Depth = Depth { hardware_queue: 2, driver_limit: 123 };

/// How often it sends.
pub(crate) const RETRIES: Retries =
    Retries { limit: 10, counts_hardware: true, limit_by_rate: false, short_limit: 7, long_limit: 4 };

/// An ath9k-like adapter whose transmitter is free of noise.
pub(crate) fn adapter() -> Adapter {
    Adapter {
        qos: true,
        aggregation: AGGREGATION,
        depth: DEPTH,
        retries: RETRIES,
        reorder_timeout: ms(100),
        reordering: Reordering::Timeout,
        rts_threshold: None,
        dscp_map: DscpMap::Rfc8325,
        control_rate: Rate::ofdm(24),
        rts_rate: RtsRate::Basic,
        beacon_rate: Rate::ofdm(6).expect("a rate"),
        firmware: Ladder::PLAIN,
        minstrel: MinstrelHt::Linux3_13,
        evm_db: -100.0,
        noise_figure_db: 7.0,
        null: NullFrames {
            attempts: 20,
            rts_after: 4,
            deaf_before_leaving: Duration::from_micros(1600),
            deaf_after_return: Duration::from_micros(1100),
        },
        turns: Turns::Round,
        pull: None,
    }
}

/// Three channels of 111 ms each, first at `first`, then every `every`.
pub(crate) fn scanning(first: Duration, every: Duration, how: OffChannel) -> (Scanner, Procedure) {
    (Scanner::new(first, every, Duration::ZERO, every), Procedure::new(how, 3))
}

/// A kernel that empties its queue before it announces that it leaves.
pub(crate) const MODERN: OffChannel = OffChannel {
    dwell: Duration::from_millis(111),
    home: Duration::from_millis(200),
    flush_first: true,
    flush_timeout: Duration::from_millis(200),
    flush_drops: false,
    drain_at_start: false,
    longest_absence: Duration::from_millis(125),
};

/// A kernel that announces first and then drops what it cannot flush.
pub(crate) const OLD: OffChannel = OffChannel {
    dwell: Duration::from_millis(111),
    home: Duration::from_millis(200),
    flush_first: false,
    flush_timeout: Duration::from_micros(1500),
    flush_drops: true,
    drain_at_start: true,
    longest_absence: Duration::from_millis(1024),
};

/// One packet's life.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Life {
    pub(crate) from: NodeId,
    pub(crate) to: NodeId,
    pub(crate) tid: u8,
    pub(crate) kept: bool,
    pub(crate) arrived: Option<Time>,
    /// When its transmitter had done with it, and whether it was acknowledged.
    pub(crate) done: Option<(Time, bool)>,
}

/// An access point of this node, on channel 36 with 40 MHz.
pub(crate) fn access_point(
    id: NodeId,
    (adapter, edca): (Adapter, Edca),
    phy: Phy,
    beacon_interval: Duration,
    park_limit: usize,
) -> AccessPoint<'static> {
    let channel = Channel::from_primary(5180, Width::Mhz40);
    let hidden = Vec::new();
    let (dtim_period, has_group) = (2, false);
    AccessPoint {
        id,
        name: "ap",
        adapter,
        edca,
        channel,
        phy,
        beacon_interval,
        park_limit,
        dtim_period,
        off: Vec::new(),
        switches: Vec::new(),
        disassoc_low_ack: false,
        max_inactivity: None,
        steering: None,
        reports: None,
        has_group,
        hidden,
    }
}

/// A PPDU as one of its users sees it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Sent {
    pub(crate) start: Time,
    pub(crate) end: Time,
    pub(crate) from: NodeId,
    pub(crate) link: u8,
    pub(crate) to: Option<NodeId>,
    pub(crate) kind: FrameKind,
    pub(crate) rate: Rate,
    pub(crate) mpdus: u16,
    pub(crate) good: u16,
    pub(crate) retries: u16,
    pub(crate) bytes: u32,
    pub(crate) fate: Fate,
    pub(crate) nav: Duration,
    pub(crate) tid: u8,
}

impl Sent {
    fn of(ppdu: &Ppdu, user: &User) -> Self {
        let &Ppdu { start, end, from, link, kind, nav, .. } = ppdu;
        let &User { to, rate, mpdus, good, retries, bytes, fate, tid, .. } = user;
        Self { start, end, from, link, to, kind, rate, mpdus, good, retries, bytes, fate, nav, tid }
    }
}

/// A network that is being built.
pub(crate) struct Network<'a> {
    ether: &'a mut Ether,
    bss: BssId,
}

impl Network<'_> {
    pub(crate) fn add_station(&mut self, station: Station<'_>) {
        self.ether.add_station(self.bss, station);
    }
}

/// The ether, its timers, and what became of every packet.
pub(crate) struct Lab {
    pub(crate) ether: Ether,
    calendar: Calendar<TimerId>,
    slots: Vec<Slot>,
    fx: Effects,
    pub(crate) seen: Vec<(Time, Observation)>,
    pub(crate) packets: Vec<Life>,
    /// Packets in the order in which they were passed up, with the receiver.
    pub(crate) order: Vec<(NodeId, usize)>,
    /// These always have a packet of this many bytes to send to these, of this user priority.
    pub(crate) saturated: Vec<(NodeId, NodeId, u32, u8)>,
}

impl Lab {
    /// A cell whose access point has this adapter, and whatever `build` adds.
    pub(crate) fn new(
        seed: u64,
        ap: Adapter,
        beacons: Duration,
        park: usize,
        build: impl FnOnce(&mut Network<'_>),
    ) -> Self {
        Self::with(seed, Phy::OFDM_5GHZ, (ap, Edca::STATION), beacons, park, build)
    }

    /// The same with another PHY, and an access point that contends like this.
    pub(crate) fn with(
        seed: u64,
        phy: Phy,
        ap: (Adapter, Edca),
        beacons: Duration,
        park: usize,
        build: impl FnOnce(&mut Network<'_>),
    ) -> Self {
        let mut ether = Ether::new(seed);
        let bss = ether.add_access_point(access_point(AP, ap, phy, beacons, park));
        build(&mut Network { ether: &mut ether, bss });
        Self::of(ether)
    }

    /// What is built already.
    pub(crate) fn of(ether: Ether) -> Self {
        let mut calendar = Calendar::default();
        let slots = (0..ether.timers()).map(|n| calendar.reserve(TimerId(n))).collect();
        let (packets, order, saturated) = (Vec::new(), Vec::new(), Vec::new());
        let (fx, seen) = (Effects::default(), Vec::new());
        let mut lab = Self { ether, calendar, slots, fx, seen, packets, order, saturated };
        lab.ether.start(&mut lab.fx);
        lab.settle(Time::ZERO);
        lab
    }

    /// A station of this name without noise, scanning or anything else out of the ordinary.
    pub(crate) fn plain(id: NodeId, name: &str, adapter: Adapter) -> Station<'_> {
        Station {
            id,
            name,
            adapter,
            edca: Edca::STATION,
            snr_db: 100.0,
            up_db: 0.0,
            fading_db: 0.0,
            slow_fading: None,
            outages: None,
            rate: RateChoice::Fixed(FAST),
            rates: Vec::new(),
            hidden: Vec::new(),
            scanning: None,
            power_save: None,
            search: Duration::ZERO,
        }
    }

    /// Hands a packet to the driver of `from` at `now`, if it accepts one; returns whether it did. Everything due
    /// before `now` has been run.
    pub(crate) fn send_at(&mut self, now: Time, from: NodeId, to: NodeId, bytes: u32) -> bool {
        self.send_as(now, from, to, (bytes, 0))
    }

    /// The same of a packet with this many bytes and this user priority.
    pub(crate) fn send_as(&mut self, now: Time, from: NodeId, to: NodeId, packet: (u32, u8)) -> bool {
        let accepted = self.hand_down(now, from, to, packet);
        self.settle(now);
        accepted
    }

    fn hand_down(&mut self, now: Time, from: NodeId, to: NodeId, (bytes, tid): (u32, u8)) -> bool {
        let Some(radio) = self.ether.accepting(from, Category::of_tid(tid)) else { return false };
        let handle = Handle(self.packets.len() as u32);
        self.packets.push(Life { from, to, tid, kept: false, arrived: None, done: None });
        let payload = Payload { packet: handle, bytes, tcp: true, tid };
        self.ether.send(now, (radio, to), payload, &mut self.fx, &mut self.seen);
        true
    }

    /// Runs until `end`; every event later than that stays for the next call.
    pub(crate) fn run(&mut self, end: Time) {
        let now = self.calendar.now();
        self.refill(now);
        self.settle(now);
        while let Some((now, timer)) = self.calendar.pop(end) {
            self.ether.timer(now, timer, &mut self.fx, &mut self.seen);
            self.settle(now);
        }
    }

    fn refill(&mut self, now: Time) {
        for n in 0..self.saturated.len() {
            self.refill_one(now, n);
        }
    }

    fn refill_one(&mut self, now: Time, n: usize) {
        let (from, to, bytes, tid) = self.saturated[n];
        while self.hand_down(now, from, to, (bytes, tid)) {}
    }

    /// Carries out the effects, holding them against the rules of [`Effects`].
    fn settle(&mut self, now: Time) {
        while !self.fx.is_empty() {
            let fx = std::mem::take(&mut self.fx);
            for (timer, at) in fx.timers {
                self.calendar.set_or_cancel(self.slots[timer.0 as usize], at);
            }
            for handle in fx.kept {
                let life = self.life(handle);
                assert!(!life.kept, "{handle:?} kept twice: {life:?}");
                assert!(life.done.is_none(), "{handle:?} received after its sender was done: {life:?}");
                life.kept = true;
            }
            for (node, handle) in fx.arrived {
                let life = self.life(handle);
                assert!(
                    life.kept && life.to == node && life.arrived.is_none(),
                    "{handle:?} at {node:?}: {life:?}"
                );
                life.arrived = Some(now);
                self.order.push((node, handle.0 as usize));
            }
            for Done { node, packet, acked } in fx.done {
                let life = self.life(packet);
                assert!(life.from == node && life.done.is_none(), "{packet:?} done twice: {life:?}");
                life.done = Some((now, acked));
                let tid = self.packets[packet.0 as usize].tid;
                if let Some(n) = self.saturated.iter().position(|s| (s.0, s.3) == (node, tid)) {
                    self.refill_one(now, n);
                }
            }
        }
    }

    fn life(&mut self, handle: Handle) -> &mut Life {
        &mut self.packets[handle.0 as usize]
    }

    /// Every PPDU for each of its users, in the order of its start.
    pub(crate) fn ppdus(&self) -> Vec<Sent> {
        let ppdus = self.seen.iter().filter_map(|(_, seen)| match seen {
            Observation::Ppdu(ppdu) => Some(ppdu),
            _ => None,
        });
        let mut sent: Vec<Sent> =
            ppdus.flat_map(|ppdu| ppdu.users.iter().map(|user| Sent::of(ppdu, user))).collect();
        sent.sort_by_key(|p| p.start);
        sent
    }

    /// Packets acknowledged to `from`.
    pub(crate) fn acked(&self, from: NodeId) -> u64 {
        self.packets.iter().filter(|p| p.from == from && matches!(p.done, Some((_, true)))).count() as u64
    }
}
