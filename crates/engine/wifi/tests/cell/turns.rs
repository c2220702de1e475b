//! In which order an access point's PPDUs go to two stations of which one has nothing for a while: by a round, and as ath9k's
//! kernels had it.

use crate::lab::{AGGREGATION, AP, BEACONS, FULL, Lab, Sent, adapter, ms};
use airloom_observe::{FrameKind, NodeId};
use airloom_sim::{Duration, NameError, Time};
use airloom_wifi::{
    Adapter, Aggregation, Fetch, PowerSave, Scheduler, Station, Turns, Waiting, register_scheduler,
};

const A: NodeId = NodeId(1);
const B: NodeId = NodeId(2);

/// A driver that gives turns like this, with PPDUs of up to four MPDUs.
fn of_four(turns: Turns) -> Adapter {
    Adapter { turns, aggregation: Aggregation { ampdu_mpdus: 4, ..AGGREGATION }, ..adapter() }
}

/// The data on the air.
fn data(lab: &Lab) -> impl Iterator<Item = Sent> {
    lab.ppdus().into_iter().filter(|ppdu| matches!(ppdu.kind, FrameKind::Data | FrameKind::Ampdu))
}

/// The PPDUs of an access point whose hardware holds two, of up to four MPDUs, each with its receiver and its MPDUs. Two packets for
/// A go into hardware as they come; behind them come eight for B and `more` for A.
fn order(turns: Turns, more: usize) -> Vec<(NodeId, u16)> {
    let adapter = of_four(turns);
    let mut lab = Lab::new(1, adapter, Duration::from_secs(1), 0, |cell| {
        cell.add_station(Lab::plain(A, "a", adapter));
        cell.add_station(Lab::plain(B, "b", adapter));
    });
    for (to, packets) in [(A, 2), (B, 8), (A, more)] {
        for _ in 0..packets {
            assert!(lab.send_at(Time::ZERO, AP, to, FULL));
        }
    }
    lab.run(Time::ZERO + ms(100));
    assert_eq!(lab.acked(AP), 10 + more as u64);
    data(&lab).map(|ppdu| (ppdu.to.expect("it has a receiver"), ppdu.mpdus)).collect()
}

/// A is in the round still, ahead of B, though nothing waited for it as the packets for B came.
#[test]
fn a_round_keeps_the_turn_of_one_that_has_sent() {
    assert_eq!(order(Turns::Round, 4), [(A, 1), (A, 1), (A, 4), (B, 4), (B, 4)]);
}

/// One that remembers nothing and gives the first of a round its turn, or one receiver whenever it is there.
struct Prefers(Option<&'static str>);

impl Scheduler for Prefers {
    fn next(&mut self, _now: Time, waiting: &[Waiting<'_>]) -> usize {
        waiting.iter().position(|one| Some(one.receiver) == self.0).unwrap_or_default()
    }
}

#[test]
fn a_scheduler_that_is_brought_gives_the_turns() {
    let own =
        |name, of| Turns::Own(register_scheduler(name, &[], move |_| Box::new(Prefers(of))).expect("a name"));
    assert_eq!(order(own("first", None), 4), order(Turns::Round, 4));
    assert_eq!(order(own("b-first", Some("b")), 4), [(A, 1), (A, 1), (B, 4), (B, 4), (A, 4)]);
    let refused = register_scheduler("round", &[], |_| Box::new(Prefers(None)));
    assert_eq!(refused, Err(NameError::BuiltIn("round".to_owned())));
}

/// A left the list with its last packet, and joined it behind B.
#[test]
fn ath9k_gives_the_turn_to_the_one_that_joined_first() {
    assert_eq!(order(Turns::Linux3_2, 4), [(A, 1), (A, 1), (B, 4), (A, 4), (B, 4)]);
    assert_eq!(order(Turns::Linux3_2, 3), [(A, 1), (A, 1), (B, 4), (A, 3), (B, 4)]);
}

/// Each of A's packets finds the hardware full and moves the list on by one: after four B is first again, and A loses the turn after
/// that, as B's PPDU fills the hardware; after three A is first.
#[test]
fn later_ath9k_moves_on_with_each_packet_that_finds_hardware_full() {
    assert_eq!(order(Turns::Linux3_15, 4), [(A, 1), (A, 1), (B, 4), (B, 4), (A, 4)]);
    assert_eq!(order(Turns::Linux3_15, 3), [(A, 1), (A, 1), (A, 3), (B, 4), (B, 4)]);
}

/// Two user priorities of best effort find empty hardware as the station wakes: the older driver fills it from one of them.
#[test]
fn one_has_its_turn_until_the_hardware_is_full() {
    let tids = |turns| {
        let adapter = of_four(turns);
        let power_save =
            Some(PowerSave { timeout: ms(100), listen_interval: 1, fetch: Fetch::Null, uapsd: false });
        let mut lab = Lab::new(1, adapter, BEACONS, 64, |cell| {
            cell.add_station(Station { power_save, ..Lab::plain(A, "a", adapter) });
        });
        lab.run(Time::ZERO + ms(150));
        for tid in [0, 3] {
            (0..8).for_each(|_| assert!(lab.send_as(Time::ZERO + ms(150), AP, A, (FULL, tid))));
        }
        lab.run(Time::ZERO + ms(400));
        data(&lab).map(|ppdu| ppdu.tid).collect::<Vec<u8>>()
    };
    assert_eq!(tids(Turns::Round), [0, 3, 0, 3]);
    assert_eq!(tids(Turns::Linux3_2), [0, 0, 3, 3]);
}
