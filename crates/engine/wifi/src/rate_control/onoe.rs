//! Onoe, the first rate control of MadWifi and of FreeBSD's ath driver (sys/dev/ath/ath_rate/onoe/onoe.c,
//! `ath_rate_ctl()`): once in a period it looks at all frames of that period; it goes one rate down if there were more
//! retries than frames, and one up after many periods with few retries. A collision or two do not mislead it.
//!
//! What differs: the period of a station is as long as that of an access point, where FreeBSD halves it; a frame falls back
//! to two lower rates and not to the lowest after that; frames of one A-MPDU count one by one.

use super::chain::Stage;
use super::{Chain, RateControl, Setup};
use crate::id::RateId;
use airloom_rate::Rate;
use airloom_sim::{BitRate, Duration, Index, Time};

/// Frames of a period that are enough to judge it by.
const MIN_FRAMES: u32 = 10;
/// Attempts at the rate, and at each of the two below it (`ath_rate_update()`).
const ATTEMPTS: [u16; 3] = [4, 2, 2];
/// The highest rate to begin with, where there is more than 802.11b (`ath_rate_ctl_start()`).
const START: BitRate = BitRate::from_mbps(36);

airloom_sim::parameters! {
    /// Onoe.
    pub struct Onoe {
        /// The period (`ath_rateinterval`).
        period: Duration = time(Duration::from_millis(1), Duration::from_secs(60)), default Duration::from_secs(1);
        /// Retries per hundred frames below which a period earns a credit (`ath_rate_raise`).
        raise: u32 = count(1, 100), default 10;
        /// Credits that lead to the next rate up (`ath_rate_raise_threshold`).
        credits: u32 = count(1, 1_000), default 10;
    }
}

impl Onoe {
    /// The rates that it chooses from, and its control over them.
    pub(super) fn control(&self, setup: Setup<'_>) -> (Vec<Rate>, Box<dyn RateControl>) {
        let rates = setup.steps();
        let highest = rates.len() - 1;
        let dsss = rates.iter().all(|rate| rate.bit_rate() < BitRate::from_mbps(12));
        let moderate = rates.iter().rposition(|rate| rate.bit_rate() <= START).unwrap_or(0);
        let control = Control::new(if dsss { highest } else { moderate }, highest, self.clone());
        (rates, Box::new(control))
    }
}

/// See the module; rates are indices, slowest first.
pub(super) struct Control {
    law: Onoe,
    rate: usize,
    highest: usize,
    credits: u32,
    /// When the period ends.
    until: Time,
    /// Frames of the period that got through and that did not, and attempts beyond their first.
    good: u32,
    bad: u32,
    retries: u32,
}

impl Control {
    fn new(rate: usize, highest: usize, law: Onoe) -> Self {
        let until = Time::ZERO + law.period;
        Self { law, rate, highest, credits: 0, until, good: 0, bad: 0, retries: 0 }
    }

    /// A period is over.
    fn judge(&mut self) {
        let enough = self.good + self.bad >= MIN_FRAMES;
        let none = self.bad > 0 && self.good == 0;
        let poor = enough && self.good < self.retries;
        let fine = enough && self.bad == 0 && self.retries < self.good * self.law.raise / 100;
        let before = self.rate;
        if none || poor {
            self.rate = self.rate.saturating_sub(1);
            self.credits = 0;
        } else if fine {
            self.credits += 1;
            if self.credits >= self.law.credits {
                self.rate = self.highest.min(self.rate + 1);
                self.credits = 0;
            }
        } else if enough {
            self.credits = self.credits.saturating_sub(1);
        }
        if enough || self.rate != before {
            (self.good, self.bad, self.retries) = (0, 0, 0);
        }
    }
}

impl RateControl for Control {
    fn preferred(&self) -> RateId {
        RateId::new(self.rate)
    }

    fn choose(&self, _: Option<RateId>) -> Chain {
        let stage = |down: usize| Stage {
            rate: RateId::new(self.rate.saturating_sub(down)),
            attempts: ATTEMPTS[down],
            reserves: false,
        };
        Chain::of_three([stage(0), stage(1), stage(2)])
    }

    fn is_in_hardware(&self) -> bool {
        false
    }

    fn completed(&mut self, now: Time, _: &Chain, attempts: u32, mpdus: u32, succeeded: u32) {
        self.good += succeeded;
        self.bad += mpdus - succeeded;
        self.retries += (attempts - 1) * mpdus;
        if now >= self.until {
            self.until = now + self.law.period;
            self.judge();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use airloom_sim::Defaults;

    fn onoe() -> Control {
        Control::new(3, 3, Onoe::walk(None, &mut Defaults).expect("each parameter has a default"))
    }

    /// `n` frames within the period `period` took this many attempts each and got through, or did not; the rate after
    /// it.
    fn after(onoe: &mut Control, period: u64, n: u32, attempts: u32, good: u32) -> usize {
        let chain = onoe.choose(None);
        for i in 1..=n {
            let share = Duration::from_secs(1).as_nanos() * u64::from(i) / u64::from(n);
            let now = Time::ZERO + Duration::from_secs(period) + Duration::from_nanos(share);
            onoe.completed(now, &chain, attempts, 1, good);
        }
        onoe.preferred().place()
    }

    #[test]
    fn a_period_of_retries_leads_down_and_ten_without_lead_up() {
        let mut onoe = onoe();
        assert_eq!(after(&mut onoe, 0, 20, 2, 1), 3, "as many retries as frames are borne");
        assert_eq!(after(&mut onoe, 1, 20, 3, 1), 2);
        assert_eq!(after(&mut onoe, 2, 1, 4, 0), 1, "when nothing gets through one frame is enough");
        for period in 3..12 {
            assert_eq!(after(&mut onoe, period, 20, 1, 1), 1, "period {period}");
        }
        assert_eq!(after(&mut onoe, 12, 20, 1, 1), 2);
    }

    #[test]
    fn a_period_with_some_retries_costs_a_credit_and_one_with_few_frames_nothing() {
        let mut onoe = onoe();
        after(&mut onoe, 0, 20, 3, 1);
        (1..=5).for_each(|period| _ = after(&mut onoe, period, 20, 1, 1));
        after(&mut onoe, 6, 20, 2, 1);
        assert_eq!(onoe.credits, 4);
        assert_eq!(after(&mut onoe, 7, 5, 1, 1), 2);
        assert_eq!(onoe.credits, 4);
    }
}
