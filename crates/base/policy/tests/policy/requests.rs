//! Days as a simulated station sees them: asked only when a scan is requested, with all that moved since the last time.

use airloom_policy::{Effect, Input, Policy, ScanPolicyConfig};
use airloom_sim::{Bytes, Duration, Time};
use proptest::prelude::*;

fn policy(threshold: u64, cap: Option<u64>) -> Policy {
    let terms = ScanPolicyConfig {
        threshold: Bytes(threshold),
        look: Duration::ZERO,
        calls: None,
        cap: cap.map(Duration::from_secs),
        opening: Duration::ZERO,
        weak: None,
    };
    Policy::new(terms, true)
}

/// What becomes of a request: `Refuse`, `LetThrough`, or nothing, which is a scan as any other.
fn request(policy: &mut Policy, second: u64, moved: u64) -> Option<Effect> {
    let now = Time::ZERO + Duration::from_secs(second);
    let mut effects = Vec::new();
    policy.handle(now, Input::Moved(moved), &mut effects);
    policy.handle(now, Input::ScanRequested, &mut effects);
    effects.retain(|effect| matches!(effect, Effect::Refuse | Effect::LetThrough));
    effects.pop()
}

#[test]
fn a_transfer_holds_scans_off_and_idleness_lets_them_pass() {
    let mut p = policy(0, None);
    assert_eq!(request(&mut p, 0, 0), None);
    assert_eq!(request(&mut p, 120, 1), Some(Effect::Refuse));
    assert_eq!(request(&mut p, 240, 1), None);
}

#[test]
fn small_talk_is_no_transfer() {
    let mut p = policy(1000, None);
    assert_eq!(request(&mut p, 0, 1000), None);
    assert_eq!(request(&mut p, 120, 2001), Some(Effect::Refuse));
}

#[test]
fn one_scan_is_let_through_now_and_then() {
    let mut p = policy(0, Some(300));
    let verdicts: Vec<_> = (1..=8).filter_map(|n| request(&mut p, 120 * n, n)).collect();
    use Effect::{LetThrough, Refuse};
    assert_eq!(verdicts, [Refuse, Refuse, Refuse, LetThrough, Refuse, Refuse, Refuse, LetThrough]);
}

proptest! {
    /// With a cap, scans are never further apart than it and one interval between requests.
    #[test]
    fn roaming_survives(gaps in prop::collection::vec(1u64..200, 1..100), cap in 1u64..600) {
        let mut p = policy(0, Some(cap));
        let (mut now, mut moved) = (0, 0);
        let mut last_scan = None;
        for gap in gaps {
            now += gap;
            moved += 1;
            let origin = *last_scan.get_or_insert(now);
            if request(&mut p, now, moved) != Some(Effect::Refuse) {
                last_scan = Some(now);
            } else {
                prop_assert!(now - origin < cap + 200);
            }
        }
    }
}
