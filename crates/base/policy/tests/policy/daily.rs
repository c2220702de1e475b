//! Days as a daemon sees them: samples every second, events in between.

use airloom_policy::{Calls, Cause, Count, Effect, Exchange, Input, Policy, ScanPolicyConfig, State, Weak};
use airloom_sim::{Bytes, Duration, Time};

const TERMS: ScanPolicyConfig = ScanPolicyConfig {
    threshold: Bytes(1000),
    look: Duration::from_secs(5),
    calls: Some(Calls {
        rate: 20,
        marked_rate: 5,
        size: Bytes(400),
        after: Duration::from_secs(3),
        lapse: Duration::from_secs(5),
    }),
    cap: Some(Duration::from_secs(60)),
    opening: Duration::from_secs(20),
    weak: Some(Weak { below_dbm: -75, fall_db: 6, within: Duration::from_secs(30) }),
};

fn s(n: u64) -> Time {
    Time::ZERO + Duration::from_secs(n)
}

/// A connected station, with a transfer of 1000 bytes a second while `busy`; what came of it, with the second.
struct Day {
    policy: Policy,
    second: u64,
    moved: u64,
    log: Vec<(u64, Effect)>,
}

impl Day {
    fn new() -> Self {
        Self { policy: Policy::new(TERMS, true), second: 0, moved: 0, log: Vec::new() }
    }

    fn input(&mut self, input: Input) {
        let mut effects = Vec::new();
        self.policy.handle(s(self.second), input, &mut effects);
        self.log.extend(effects.into_iter().map(|effect| (self.second, effect)));
    }

    fn pass(&mut self, seconds: u64, busy: bool) {
        for _ in 0..seconds {
            self.second += 1;
            self.moved += if busy { 1000 } else { 0 };
            self.input(Input::Moved(self.moved));
        }
    }

    fn took(&mut self) -> Vec<(u64, Effect)> {
        std::mem::take(&mut self.log)
    }
}

#[test]
fn a_transfer_is_held_for_and_let_go_when_it_is_over() {
    let mut day = Day::new();
    day.pass(30, false);
    assert_eq!(day.took(), []);
    day.pass(30, true);
    assert_eq!(day.took(), [(32, Effect::Hold)]);
    day.pass(30, false);
    assert_eq!(day.took(), [(65, Effect::Release)]);
    assert_eq!(day.policy.cause(), Cause::Quiet);
}

#[test]
fn requests_are_refused_while_it_holds_and_only_then() {
    let mut day = Day::new();
    day.input(Input::ScanRequested);
    day.pass(10, true);
    day.took();
    day.input(Input::ScanRequested);
    assert_eq!(day.took(), [(10, Effect::Refuse)]);
}

#[test]
fn after_the_cap_one_scan_is_let_through_and_then_it_holds_again() {
    let mut day = Day::new();
    day.pass(2, true);
    day.pass(60, true);
    assert_eq!(day.took(), [(2, Effect::Hold), (62, Effect::Release)]);
    day.pass(3, true);
    day.input(Input::ScanRequested);
    day.pass(4, true);
    day.input(Input::ScanDone);
    assert_eq!(day.took(), [(65, Effect::LetThrough), (69, Effect::Hold)]);
}

#[test]
fn an_opening_that_nobody_uses_closes() {
    let mut day = Day::new();
    day.pass(62, true);
    day.took();
    day.pass(30, true);
    assert_eq!(day.took(), [(83, Effect::Hold)]);
}

#[test]
fn a_link_that_weakens_gets_its_scans_back() {
    let mut day = Day::new();
    day.pass(5, true);
    day.input(Input::Signal(-60));
    day.pass(5, true);
    day.took();
    day.input(Input::Signal(-80));
    assert_eq!(day.took(), [(10, Effect::Release)]);
    assert_eq!(day.policy.cause(), Cause::Weakening);
    assert!(day.policy.needs_signal(), "or it would never hear that the signal is steady again");
    day.input(Input::ScanRequested);
    assert_eq!(day.took(), []);
}

#[test]
fn a_link_that_is_lost_gets_its_scans_back() {
    let mut day = Day::new();
    day.pass(5, true);
    day.took();
    day.input(Input::Completed(false));
    day.input(Input::ScanRequested);
    assert_eq!(day.took(), [(5, Effect::Release)]);
}

#[test]
fn a_user_in_a_call_holds_without_a_transfer_but_not_past_the_cap() {
    let mut day = Day::new();
    day.input(Input::HoldUntil(s(100)));
    day.pass(200, false);
    assert_eq!(
        day.took(),
        [(0, Effect::Hold), (60, Effect::Release), (81, Effect::Hold), (100, Effect::Release)]
    );
}

#[test]
fn a_user_who_lets_go_and_holds_again_and_again_does_not_hold_past_the_cap() {
    let mut day = Day::new();
    for _ in 0..9 {
        day.input(Input::HoldUntil(s(1000)));
        day.pass(9, false);
        day.input(Input::Release);
        day.pass(1, false);
    }
    let mut expected: Vec<_> =
        (0..6).flat_map(|n| [(10 * n, Effect::Hold), (10 * n + 9, Effect::Release)]).collect();
    // Six times nine seconds, and six to the cap; an opening of twenty, asked or not; then from the beginning.
    expected.extend([(60, Effect::Hold), (66, Effect::Release), (87, Effect::Hold), (89, Effect::Release)]);
    assert_eq!(day.took(), expected);
}

#[test]
fn a_scan_between_two_holds_has_the_cap_begin_anew() {
    let mut day = Day::new();
    day.input(Input::HoldUntil(s(50)));
    day.pass(55, false);
    day.input(Input::ScanDone);
    day.input(Input::HoldUntil(s(1000)));
    day.pass(70, false);
    let holds = [(0, Effect::Hold), (50, Effect::Release), (55, Effect::Hold), (115, Effect::Release)];
    assert_eq!(day.took(), holds);
}

#[test]
fn a_user_who_wants_scans_has_them_until_the_transfer_is_over() {
    let mut day = Day::new();
    day.pass(10, true);
    day.input(Input::Release);
    day.pass(30, true);
    assert_eq!(day.took(), [(2, Effect::Hold), (10, Effect::Release)]);
    day.pass(10, false);
    day.pass(10, true);
    assert_eq!(day.took().len(), 1, "the next transfer is another matter");
}

#[test]
fn a_user_who_changes_their_mind_is_obeyed() {
    let mut day = Day::new();
    day.pass(10, true);
    day.input(Input::Release);
    day.input(Input::HoldUntil(s(30)));
    assert!(matches!(day.policy.state(), State::Holding { .. }));
    day.input(Input::Release);
    assert_eq!(day.policy.state(), State::Free);
}

/// Packets of `size` bytes a second, as many each way.
fn talk(day: &mut Day, seconds: u64, packets: u64, size: u64) {
    for _ in 0..seconds {
        day.second += 1;
        day.moved += packets;
        let count = Count { packets: day.moved, bytes: day.moved * size };
        day.input(Input::Exchanged(Exchange { sent: count, received: count }));
    }
}

#[test]
fn a_call_is_held_for_although_it_moves_little_and_not_past_the_cap() {
    let mut day = Day::new();
    talk(&mut day, 10, 25, 4);
    assert_eq!((day.took(), day.policy.cause()), (vec![(4, Effect::Hold)], Cause::Call));
    day.input(Input::ScanRequested);
    assert_eq!(day.took(), [(10, Effect::Refuse)]);
    talk(&mut day, 80, 25, 4);
    assert_eq!(day.took(), [(64, Effect::Release), (85, Effect::Hold)], "an opening of twenty seconds");
    talk(&mut day, 10, 0, 4);
    assert_eq!(day.took(), [(95, Effect::Release)]);
}

#[test]
fn a_call_and_a_transfer_are_one_hold() {
    let mut day = Day::new();
    talk(&mut day, 10, 25, 300);
    assert_eq!(day.policy.cause(), Cause::Call, "it is both");
    talk(&mut day, 9, 25, 1500);
    assert_eq!((day.took(), day.policy.cause()), (vec![(2, Effect::Hold)], Cause::Transfer));
}

#[test]
fn a_user_who_wants_scans_has_them_until_the_call_is_over() {
    let mut day = Day::new();
    talk(&mut day, 10, 25, 4);
    day.input(Input::Release);
    talk(&mut day, 30, 25, 4);
    assert_eq!(day.took(), [(4, Effect::Hold), (10, Effect::Release)]);
    talk(&mut day, 6, 0, 4);
    talk(&mut day, 10, 25, 4);
    assert_eq!(day.took().len(), 1);
}

#[test]
fn a_game_that_a_session_reports_is_a_call_within_the_cap() {
    let mut day = Day::new();
    day.input(Input::EngagedUntil(s(100)));
    assert_eq!(day.policy.cause(), Cause::Call);
    day.pass(200, false);
    let holds = [(0, Effect::Hold), (60, Effect::Release), (81, Effect::Hold), (100, Effect::Release)];
    assert_eq!(day.took(), holds);
}

#[test]
fn what_a_session_reports_again_and_again_does_not_take_scans_from_a_user_who_wants_them() {
    let mut day = Day::new();
    day.input(Input::EngagedUntil(s(60)));
    day.pass(10, false);
    day.input(Input::Release);
    day.pass(20, false);
    day.input(Input::EngagedUntil(s(90)));
    day.pass(10, false);
    assert_eq!(day.took(), [(0, Effect::Hold), (10, Effect::Release)]);
    day.input(Input::EngagedUntil(s(0)));
    day.pass(1, false);
    day.input(Input::EngagedUntil(s(100)));
    assert_eq!(day.took(), [(41, Effect::Hold)], "the next game is another matter");
}

#[test]
fn what_was_moved_before_it_looked_is_no_transfer() {
    let mut day = Day::new();
    let count = Count { packets: 1 << 30, bytes: 1 << 40 };
    for _ in 0..10 {
        day.second += 1;
        day.input(Input::Exchanged(Exchange { sent: count, received: count }));
    }
    assert_eq!(day.took(), []);
}
