//! Which rates Minstrel-HT since Linux 5.12 tries beside those in use: faster ones, each group's next and one by chance in turn, and now
//! and then one that is slower than the fastest in use and faster than the slowest.

use super::rates::{Rates, share};
use crate::id::RateId;
use airloom_sim::{Duration, Stream, Time};

/// Time from one sample to the next (`MINSTREL_SAMPLE_INTERVAL`).
const PERIOD: Duration = Duration::from_millis(20);
/// Rates of a kind that wait to be tried (`MINSTREL_SAMPLE_RATES`).
const ROOM: usize = 5;
/// Orders in which the rates of a group are tried (`SAMPLE_COLUMNS`).
const ORDERS: usize = 10;
/// Places in such an order (`MCS_GROUP_RATES`); more where a group has more rates, as those of 802.11ax.
const PLACES: usize = 10;
/// The kinds of samples (`minstrel_sample_type`).
const NEXT: usize = 0;
const JUMP: usize = 1;
const SLOW: usize = 2;
/// The kinds in the order in which they take turns (`minstrel_sample_seq`).
const TURNS: [usize; 6] = [NEXT, JUMP, NEXT, JUMP, NEXT, SLOW];

/// Rates that wait to be tried; an empty place is none.
type Waiting = [Option<RateId>; ROOM];

/// Which rates are tried, and when.
pub(super) struct Samples {
    /// The rates of each kind that wait.
    waiting: [Waiting; 3],
    /// The group whose rate was last to wait, of the next rates and of those by chance (`sample_group`).
    groups: [usize; 2],
    /// The place of each group in the orders.
    places: Vec<usize>,
    /// Places of rates in a group, in several orders one behind the other.
    pub(super) orders: Vec<u8>,
    /// Whose turn it is, as a place in `TURNS`.
    turn: usize,
    /// The next sample may be sent from then on.
    due: Time,
}

/// Air times of a packet at the fastest and the slowest of the rates in use, in nanoseconds.
#[derive(Clone, Copy)]
pub(super) struct InUse {
    pub(super) fastest: u64,
    pub(super) slowest: u64,
    /// The same of the one with the best throughput.
    pub(super) best: u64,
}

impl Samples {
    /// None wait yet.
    pub(super) fn new(rates: &Rates, chance: &mut Stream) -> Self {
        let groups = rates.groups.iter();
        let places = groups.map(|group| group.rates.len()).max().unwrap_or(0).max(PLACES);
        Self {
            waiting: [[None; ROOM]; 3],
            groups: [rates.before_first; 2],
            places: vec![0; rates.groups.len()],
            orders: (0..ORDERS).flat_map(|_| order(places, chance)).collect(),
            turn: 0,
            due: Time::ZERO,
        }
    }

    /// The rate that a packet is to try, if it is time for one (`minstrel_ht_get_rate`).
    pub(super) fn take(&mut self, now: Time) -> Option<RateId> {
        if now < self.due {
            return None;
        }
        self.due = now + PERIOD;
        let kind = TURNS[self.turn];
        self.turn = (self.turn + 1) % TURNS.len();
        self.waiting[kind].iter_mut().find_map(Option::take)
    }

    /// Averages were taken: makes good what has been tried (`minstrel_ht_refill_sample_rates`).
    pub(super) fn refill(&mut self, now: Time, rates: &Rates, used: InUse) {
        self.due = now;
        let faster = |air: u64| air < used.fastest;
        for place in retain(&mut self.waiting[NEXT], rates, faster)..ROOM {
            self.waiting[NEXT][place] = self.next_rate(rates, used.best);
            if self.waiting[NEXT][place].is_none() {
                break;
            }
        }
        let between = |air: u64| used.fastest < air && air < used.slowest;
        let mut slow = retain(&mut self.waiting[SLOW], rates, between);
        for place in retain(&mut self.waiting[JUMP], rates, faster)..ROOM {
            self.waiting[JUMP][place] = self.jump(rates, used, &mut slow);
            if self.waiting[JUMP][place].is_none() {
                break;
            }
        }
    }

    /// The slowest rate of the next group that has one faster than the best rate (`minstrel_ht_next_inc_rate`).
    fn next_rate(&mut self, rates: &Rates, best: u64) -> Option<RateId> {
        for _ in 0..rates.groups.len() {
            let group = self.advance(NEXT);
            let rate = rates.groups[group].rates.iter().find(|&&rate| rates.air(rate) < best);
            if let Some(&rate) = rate.filter(|&&rate| !self.waits(NEXT, rate)) {
                return Some(rate);
            }
        }
        None
    }

    /// A rate by chance that is faster than those in use. What is found between the fastest and the slowest of these goes
    /// to the slow ones, of which there are `slow`, unless little is lost at it (`minstrel_ht_next_jump_rate`).
    fn jump(&mut self, rates: &Rates, used: InUse, slow: &mut usize) -> Option<RateId> {
        for _ in 0..rates.groups.len() {
            let bound = if *slow < ROOM { used.slowest } else { used.fastest };
            let group = self.advance(JUMP);
            let of = &rates.groups[group].rates;
            let Some(first) = of.iter().position(|&rate| rates.air(rate) < bound) else { continue };
            let Some(rate) = self.by_chance(group, of, first) else { continue };
            let air = rates.air(rate);
            if air < used.fastest {
                if self.waits(JUMP, rate) {
                    continue;
                }
                return Some(rate);
            }
            let lossless = rates.share(rate) > share(95, 100);
            if *slow < ROOM && air < used.slowest && !lossless && !self.waits(SLOW, rate) {
                self.waiting[SLOW][*slow] = Some(rate);
                *slow += 1;
            }
        }
        None
    }

    /// The next rate of a group in the order in which it is tried, of those from the place `first` on
    /// (`minstrel_ht_next_group_sample_rate`).
    fn by_chance(&mut self, group: usize, rates: &[RateId], first: usize) -> Option<RateId> {
        let places = self.orders.len() / ORDERS;
        (0..places).find_map(|_| {
            let at = self.places[group];
            self.places[group] = (at + 1) % self.orders.len();
            let place = usize::from(self.orders[at]);
            rates.get(place).copied().filter(|_| place >= first)
        })
    }

    /// The group that is next for a kind.
    fn advance(&mut self, kind: usize) -> usize {
        self.groups[kind] = (self.groups[kind] + 1) % self.places.len();
        self.groups[kind]
    }

    /// Whether a rate waits before the first empty place (`minstrel_ht_find_sample_rate`).
    fn waits(&self, kind: usize, rate: RateId) -> bool {
        self.waiting[kind].iter().map_while(|&waits| waits).any(|waits| waits == rate)
    }
}

/// Keeps what is still worth trying, and answers how many places are taken from the front; as in Linux one that need not be moved is not
/// counted, and gives way (`minstrel_ht_move_sample_rates`).
fn retain(waiting: &mut Waiting, rates: &Rates, worth: impl Fn(u64) -> bool) -> usize {
    let mut taken = 0;
    for place in 0..ROOM {
        let Some(rate) = waiting[place] else { continue };
        let stays = worth(rates.air(rate));
        if stays && place == taken {
            continue;
        }
        waiting[place] = None;
        if stays {
            waiting[taken] = Some(rate);
            taken += 1;
        }
    }
    taken
}

/// Places in a new order: each goes a random way on and then to the next that is free (`init_sample_table`).
fn order(places: usize, chance: &mut Stream) -> Vec<u8> {
    let mut order = vec![None; places];
    for place in 0..places {
        let mut to = (place + chance.up_to(255) as usize) % places;
        while order[to].is_some() {
            to = (to + 1) % places;
        }
        order[to] = Some(place as u8);
    }
    order.into_iter().flatten().collect()
}
