//! Properties that hold for any sequence of inputs.

use airloom_policy::{Calls, Count, Effect, Exchange, Input, Policy, ScanPolicyConfig, State, Weak};
use airloom_sim::{Bytes, Duration, Time};
use proptest::prelude::*;

const CAP: u64 = 60;

fn terms() -> impl Strategy<Value = ScanPolicyConfig> {
    (0u64..2000, 0u64..10, 0u64..30, any::<bool>()).prop_map(|(threshold, look, opening, weak)| {
        ScanPolicyConfig {
            threshold: Bytes(threshold),
            look: Duration::from_secs(look),
            calls: Some(Calls::default()),
            cap: Some(Duration::from_secs(CAP)),
            opening: Duration::from_secs(opening),
            weak: weak.then_some(Weak { below_dbm: -75, fall_db: 6, within: Duration::from_secs(30) }),
        }
    })
}

/// What may happen, in seconds since the last; times of holds are counted from then.
#[derive(Clone, Debug)]
enum Happening {
    Input(Input),
    Moves(u64),
    /// So many packets a second each way, for so many seconds.
    Talks(u64, u64),
    HoldFor(u64),
    EngagedFor(u64),
}

fn happenings() -> impl Strategy<Value = Vec<(u64, Happening)>> {
    let what = prop_oneof![
        6 => (0u64..3000).prop_map(Happening::Moves),
        6 => (0u64..60, 1u64..40).prop_map(|(rate, seconds)| Happening::Talks(rate, seconds)),
        1 => any::<bool>().prop_map(|marked| Happening::Input(Input::Marked(marked))),
        2 => (-90i16..-40).prop_map(|dbm| Happening::Input(Input::Signal(dbm))),
        1 => any::<bool>().prop_map(|up| Happening::Input(Input::Completed(up))),
        2 => Just(Happening::Input(Input::ScanRequested)),
        2 => Just(Happening::Input(Input::ScanDone)),
        1 => (0u64..200).prop_map(Happening::HoldFor),
        1 => (0u64..200).prop_map(Happening::EngagedFor),
        1 => Just(Happening::Input(Input::Release)),
        2 => Just(Happening::Input(Input::Tick)),
    ];
    prop::collection::vec((0u64..15, what), 1..300)
}

/// Plays what happens, waking the policy whenever it is due; `look` sees each input and its effects.
fn play(
    policy: &mut Policy,
    happenings: &[(u64, Happening)],
    mut look: impl FnMut(&Policy, Time, Input, &[Effect]),
) {
    let (mut now, mut moved, mut packets) = (Time::ZERO, 0, 0);
    let mut step = |policy: &mut Policy, then: Time, input| {
        let mut effects = Vec::new();
        while let Some(due) = policy.due().filter(|due| *due < then) {
            assert!(due >= now, "it is never due in the past");
            now = now.max(due);
            policy.handle(now, Input::Tick, &mut effects);
            look(policy, now, Input::Tick, &effects);
            effects.clear();
        }
        now = then;
        policy.handle(now, input, &mut effects);
        look(policy, now, input, &effects);
    };
    let mut then = Time::ZERO;
    for (gap, happening) in happenings {
        then += Duration::from_secs(*gap);
        match *happening {
            Happening::Input(input) => step(policy, then, input),
            Happening::Moves(bytes) => {
                moved += bytes;
                step(policy, then, Input::Moved(moved + 200 * packets));
            }
            Happening::Talks(rate, seconds) => {
                for _ in 0..seconds {
                    then += Duration::from_secs(1);
                    packets += rate;
                    let count = |others| Count { packets, bytes: 100 * packets + others };
                    step(policy, then, Input::Exchanged(Exchange { sent: count(moved), received: count(0) }));
                }
            }
            Happening::HoldFor(seconds) => {
                step(policy, then, Input::HoldUntil(then + Duration::from_secs(seconds)));
            }
            Happening::EngagedFor(seconds) => {
                step(policy, then, Input::EngagedUntil(then + Duration::from_secs(seconds)));
            }
        }
    }
}

proptest! {
    #[test]
    fn it_never_holds_past_the_cap(terms in terms(), day in happenings()) {
        let mut policy = Policy::new(terms, true);
        let mut since = None;
        play(&mut policy, &day, |_, now, _, effects| {
            for effect in effects {
                match effect {
                    Effect::Hold => since = Some(now),
                    Effect::Release => {
                        let held = now.since(since.take().unwrap());
                        assert!(held <= Duration::from_secs(CAP), "held {held:?}");
                    }
                    _ => {}
                }
            }
            if let Some(since) = since {
                assert!(now.since(since) < Duration::from_secs(CAP));
            }
        });
    }

    /// Letting go for a moment does not make room for a longer hold.
    #[test]
    fn between_two_scans_or_openings_it_never_holds_past_the_cap_in_all(terms in terms(), day in happenings()) {
        let mut policy = Policy::new(terms, true);
        let (mut held, mut since, mut ended) = (Duration::ZERO, None, None);
        play(&mut policy, &day, |_, now, input, effects| {
            if input == Input::ScanDone && since.is_none() {
                held = Duration::ZERO;
            }
            for effect in effects {
                match effect {
                    Effect::Hold => {
                        if ended.is_none_or(|ended| now.since(ended) >= terms.opening) {
                            held = Duration::ZERO;
                        }
                        since = Some(now);
                    }
                    Effect::Release => {
                        held += now.since(since.take().unwrap());
                        ended = Some(now);
                        assert!(held <= Duration::from_secs(CAP), "held {held:?}");
                    }
                    _ => {}
                }
            }
        });
    }

    #[test]
    fn it_never_holds_or_refuses_unless_connected(terms in terms(), day in happenings(), mut up: bool) {
        let mut policy = Policy::new(terms, up);
        play(&mut policy, &day, |policy, _, input, effects| {
            if let Input::Completed(completed) = input {
                up = completed;
            }
            if !up {
                assert!(effects.iter().all(|effect| *effect == Effect::Release));
                assert_eq!(policy.state(), State::Free);
            }
        });
    }

    #[test]
    fn it_always_restores(terms in terms(), day in happenings(), last in 0..3) {
        let mut policy = Policy::new(terms, true);
        let mut held = false;
        play(&mut policy, &day, |policy, _, _, effects| {
            for effect in effects {
                match effect {
                    Effect::Hold => assert!(!std::mem::replace(&mut held, true)),
                    Effect::Release => assert!(std::mem::replace(&mut held, false)),
                    Effect::Refuse => assert!(held),
                    Effect::LetThrough => assert!(!held),
                }
            }
            assert_eq!(held, matches!(policy.state(), State::Holding { .. }));
        });
        // The user's release, a lost link and the end of a transfer each end the hold, at the latest after a look.
        let now = Time::ZERO + Duration::from_secs(1 << 20);
        let mut effects = Vec::new();
        match last {
            0 => policy.handle(now, Input::Release, &mut effects),
            1 => policy.handle(now, Input::Completed(false), &mut effects),
            _ => {
                let quiet = Input::Exchanged(Exchange::default());
                policy.handle(now, quiet, &mut effects);
                policy.handle(now + terms.look.max(Duration::from_secs(1)), quiet, &mut effects);
            }
        }
        let turns = effects.iter().filter(|effect| matches!(effect, Effect::Hold | Effect::Release)).count();
        assert_eq!(held, turns % 2 == 1);
        assert_eq!(policy.state(), State::Free);
    }
}
