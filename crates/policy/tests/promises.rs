//! Properties that hold for any sequence of inputs.

use airloom_policy::{Effect, Input, Policy, State, Terms, Weak};
use airloom_sim::{Bytes, Duration, Time};
use proptest::prelude::*;

const CAP: u64 = 60;

fn terms() -> impl Strategy<Value = Terms> {
    (0u64..2000, 0u64..10, 0u64..30, any::<bool>()).prop_map(|(threshold, look, opening, weak)| Terms {
        threshold: Bytes(threshold),
        look: Duration::from_secs(look),
        cap: Some(Duration::from_secs(CAP)),
        opening: Duration::from_secs(opening),
        weak: weak.then_some(Weak { below_dbm: -75, fall_db: 6, within: Duration::from_secs(30) }),
    })
}

/// What may happen, in seconds since the last; times of holds are counted from then.
#[derive(Clone, Debug)]
enum Happening {
    Input(Input),
    Moves(u64),
    HoldFor(u64),
}

fn happenings() -> impl Strategy<Value = Vec<(u64, Happening)>> {
    let what = prop_oneof![
        6 => (0u64..3000).prop_map(Happening::Moves),
        2 => (-90i16..-40).prop_map(|dbm| Happening::Input(Input::Signal(dbm))),
        1 => any::<bool>().prop_map(|up| Happening::Input(Input::Completed(up))),
        2 => Just(Happening::Input(Input::ScanRequested)),
        2 => Just(Happening::Input(Input::ScanDone)),
        1 => (0u64..200).prop_map(Happening::HoldFor),
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
    let (mut now, mut moved) = (Time::ZERO, 0);
    let mut step = |policy: &mut Policy, now, input| {
        let mut effects = Vec::new();
        policy.handle(now, input, &mut effects);
        look(policy, now, input, &effects);
    };
    for (gap, happening) in happenings {
        let then = now + Duration::from_secs(*gap);
        while let Some(due) = policy.due().filter(|due| *due < then) {
            assert!(due >= now, "it is never due in the past");
            now = now.max(due);
            step(policy, now, Input::Tick);
        }
        now = then;
        let input = match *happening {
            Happening::Input(input) => input,
            Happening::Moves(bytes) => {
                moved += bytes;
                Input::Moved(moved)
            }
            Happening::HoldFor(seconds) => Input::HoldUntil(now + Duration::from_secs(seconds)),
        };
        step(policy, now, input);
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
                policy.handle(now, Input::Moved(1 << 40), &mut effects);
                policy.handle(now + terms.look, Input::Moved(1 << 40), &mut effects);
            }
        }
        let turns = effects.iter().filter(|effect| matches!(effect, Effect::Hold | Effect::Release)).count();
        assert_eq!(held, turns % 2 == 1);
        assert_eq!(policy.state(), State::Free);
    }
}
