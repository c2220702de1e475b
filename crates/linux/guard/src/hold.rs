//! A hold: the lever, kept where it is wanted. What failed is tried again, and the hold goes with the station from network to
//! network.

use crate::lever::Lever;
use crate::supplicant::{Network, Supplicant};
use airloom_sim::{Duration, Time};

/// How long it waits before it tries again to pull, where nothing has been changed.
const PULL_AGAIN: Duration = Duration::from_secs(30);
/// How long it waits before it tries again where something may have to be put back.
const RESTORE_AGAIN: Duration = Duration::from_secs(1);

/// The lever, and where it is wanted.
pub(crate) struct Hold {
    lever: Lever,
    /// The network whose background scanning shall be off.
    wanted: Option<Network>,
    /// Before this, the same is not tried again.
    retry_at: Time,
}

impl Hold {
    pub(crate) fn new(lever: Lever) -> Self {
        Self { lever, wanted: None, retry_at: Time::ZERO }
    }

    /// The lever, for what does not follow a policy.
    pub(crate) fn lever(&mut self) -> &mut Lever {
        &mut self.lever
    }

    /// Whether there is something to put back.
    pub(crate) fn is_pulled(&self) -> bool {
        self.lever.is_pulled()
    }

    /// Brings the lever to where it is wanted: pulled for a network, or not at all. `None` if there is nothing to do, or not yet.
    pub(crate) fn follow(
        &mut self,
        supplicant: &impl Supplicant,
        wanted: Option<&Network>,
        now: impl Fn() -> Time,
    ) -> Option<Result<(), String>> {
        if self.wanted.as_ref() != wanted {
            self.wanted = wanted.cloned();
            // A pull that failed is no reason to wait with a restoration, nor one network's with another's.
            self.retry_at = Time::ZERO;
        }
        let there = wanted.map_or(!self.lever.is_pulled(), |network| self.lever.is_off(network));
        if there || now() < self.retry_at {
            return None;
        }
        let done = match wanted {
            Some(network) => self.lever.pull(supplicant, network),
            None => self.lever.restore(supplicant),
        };
        // A network without background scans has nothing to pull: no need to ask each second.
        self.retry_at = now() + if self.lever.is_pulled() { RESTORE_AGAIN } else { PULL_AGAIN };
        Some(done)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lever::tests::{BGSCAN, Fake, in_a_folder};

    fn at(seconds: u64) -> impl Fn() -> Time {
        move || Time::ZERO + Duration::from_secs(seconds)
    }

    #[test]
    fn a_restoration_does_not_wait_for_a_pull_that_failed() {
        in_a_folder(|record, fake| {
            let (mut hold, network) = (Hold::new(Lever::take(record).unwrap()), Fake::network("/net/0"));
            // Its value is answered, and nothing after that: neither switching it off nor taking that back.
            fake.answers.set(Some(1));
            hold.follow(fake, Some(&network), at(0)).unwrap().unwrap_err();
            assert_eq!(fake.value().unwrap(), "", "it was heard");
            fake.answers.set(None);
            hold.follow(fake, None, at(0)).unwrap().unwrap();
            assert_eq!(fake.value().unwrap(), BGSCAN);
            assert!(hold.follow(fake, None, at(100)).is_none());
        });
    }

    #[test]
    fn a_pull_that_failed_is_made_again_in_its_time() {
        in_a_folder(|record, fake| {
            let (mut hold, network) = (Hold::new(Lever::take(record).unwrap()), Fake::network("/net/0"));
            fake.answers.set(Some(0));
            hold.follow(fake, Some(&network), at(0)).unwrap().unwrap_err();
            fake.answers.set(None);
            assert!(hold.follow(fake, Some(&network), at(29)).is_none());
            hold.follow(fake, Some(&network), at(30)).unwrap().unwrap();
            assert_eq!(fake.value().unwrap(), "");
            hold.follow(fake, None, at(30)).unwrap().unwrap();
        });
    }

    #[test]
    fn a_hold_goes_with_the_station_to_another_network() {
        in_a_folder(|record, fake| {
            let mut hold = Hold::new(Lever::take(record).unwrap());
            hold.follow(fake, Some(&Fake::network("/net/0")), at(0)).unwrap().unwrap();
            hold.follow(fake, Some(&Fake::network("/net/1")), at(0)).unwrap().unwrap();
            assert_eq!(
                (fake.value().unwrap(), fake.other.borrow().clone().unwrap()),
                (BGSCAN.into(), String::new())
            );
            assert!(hold.follow(fake, Some(&Fake::network("/net/1")), at(0)).is_none());
            hold.follow(fake, None, at(0)).unwrap().unwrap();
            assert_eq!(fake.other.borrow().as_deref(), Some("other"));
        });
    }

    #[test]
    fn a_network_without_background_scans_is_not_asked_each_second() {
        in_a_folder(|record, fake| {
            *fake.other.borrow_mut() = None;
            let (mut hold, network) = (Hold::new(Lever::take(record).unwrap()), Fake::network("/net/1"));
            hold.follow(fake, Some(&network), at(0)).unwrap().unwrap();
            assert!(hold.follow(fake, Some(&network), at(1)).is_none());
            assert!(hold.follow(fake, None, at(1)).is_none());
        });
    }
}
