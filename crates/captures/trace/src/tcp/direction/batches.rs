//! What a sender sends at a time, before it waits until all of it is acknowledged.

/// The most sizes that are counted apart.
const MOST: usize = 32;

/// What is sent at a time, in octets: fewer are one segment or two, and wait for nothing else in any program. Fewer times of one size are chance.
const MIN_OCTETS: u64 = 5000;
const MIN_TIMES: u64 = 10;

/// Fewer that begin early may be chance.
const FEWEST: u64 = 3;

/// Batches: what was sent between silences of half of the shortest round trip or longer, by whose end all of it had been acknowledged.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Batches {
    /// Those that another one followed.
    pub all: u64,
    /// Where the one begins that is under way.
    begins: Option<u64>,
    /// Those that began sooner after all was acknowledged than that can have reached the sender: a window that moved on with earlier acknowledgments.
    moved: u64,
    /// The receiver has sent data since, which the next one may answer.
    is_answered: bool,
    /// Some of it was sent again: what waits until all is acknowledged then may be a sender that recovers.
    recovers: bool,
    /// Sizes in octets of those between which the receiver sent no data and nothing was sent again, each with how often it was.
    sizes: Vec<(u64, u64)>,
}

impl Batches {
    /// The size that comes most often, in octets, and how often it came.
    pub fn usual(&self) -> Option<(u64, u64)> {
        self.sizes.iter().copied().max_by_key(|&(_, times)| times)
    }

    /// Whether acknowledgments before the last let most of them go on, as a window does. A program's bursts may begin early, too, by chance.
    pub const fn moves(&self) -> bool {
        self.moved >= FEWEST && 2 * self.moved >= self.all
    }

    /// Whether most have one size, and nothing more was sent until all was acknowledged: a program that writes so much at a time does so, and a sender with a
    /// buffer of that size; a line or a queue on the way does not.
    pub fn are_alike(&self) -> bool {
        let are_most =
            |(size, times): (u64, u64)| size >= MIN_OCTETS && times >= MIN_TIMES && 2 * times >= self.all;
        !self.moves() && self.usual().is_some_and(are_most)
    }

    /// New data is sent from an octet on, with nothing outstanding, so long after the last acknowledgment; the shortest round trip to the sender.
    pub(super) fn begins(&mut self, at: u64, since_ns: u64, to_sender_ns: u64) {
        self.moved += u64::from(self.begins.is_some() && since_ns < to_sender_ns / 10 * 9);
        let is_answered = std::mem::take(&mut self.is_answered) | std::mem::take(&mut self.recovers);
        let Some(from) = self.begins.replace(at) else { return };
        self.all += 1;
        if is_answered {
            return;
        }
        let size = at.saturating_sub(from);
        match self.sizes.iter().position(|known| known.0 == size) {
            Some(place) => self.sizes[place].1 += 1,
            None if self.sizes.len() < MOST => self.sizes.push((size, 1)),
            None => {}
        }
    }

    /// The stream begins anew.
    pub(super) const fn anew(&mut self) {
        self.begins = None;
    }

    /// Data was sent again.
    pub(super) const fn again(&mut self) {
        self.recovers = true;
    }

    /// The receiver sent data.
    pub(super) const fn answered(&mut self) {
        self.is_answered = true;
    }
}

#[cfg(test)]
mod tests {
    use super::Batches;

    /// Ten batches of 100 octets, so many of which begin at once, with 10 ms to the sender and back.
    fn of_early(early: u64) -> Batches {
        let mut batches = Batches::default();
        (0..10).for_each(|n| {
            batches.begins(100 * n, if n < early { 1_000_000 } else { 40_000_000 }, 10_000_000)
        });
        batches
    }

    /// Batches of so many octets each, with 10 ms to the sender and back, so long after all was acknowledged.
    fn of_sizes(sizes: impl IntoIterator<Item = u64>, since_ns: u64) -> Batches {
        let (mut batches, mut at) = (Batches::default(), 0);
        for size in sizes {
            batches.begins(at, since_ns, 10_000_000);
            at += size;
        }
        batches
    }

    #[test]
    fn most_batches_of_one_size_are_alike() {
        let late = 40_000_000;
        assert!(of_sizes([20_000; 12], late).are_alike());
        assert!(!of_sizes([20_000; 12], 1_000_000).are_alike(), "a window");
        assert!(!of_sizes([1_000; 12], late).are_alike(), "a segment");
        assert!(!of_sizes([20_000; 8], late).are_alike(), "too few");
        assert!(!of_sizes((0..40).map(|n| 20_000 + 1_500 * (n % 3)), late).are_alike(), "of many sizes");
    }

    #[test]
    fn what_ends_with_a_loss_is_no_size_that_is_sent_at_a_time() {
        let mut batches = Batches::default();
        for n in 0..30 {
            batches.begins(5_000_000 * n, 70_000_000, 10_000_000);
            batches.again();
        }
        assert!(!batches.are_alike() && batches.usual().is_none() && batches.all == 29);
    }

    #[test]
    fn a_few_that_begin_early_are_no_window() {
        assert!(!of_early(4).moves());
        assert!(of_early(9).moves());
    }
}
