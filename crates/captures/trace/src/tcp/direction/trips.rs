//! Round trips of the data of a direction, from where the capture was made.

use crate::Bins;
use crate::tcp::round_trips::RoundTrips;

/// Round trips of the data of a direction, to either end and back.
#[derive(Clone, Debug, Default)]
pub struct Trips {
    /// From data to its acknowledgment, to the receiver and back, of data that was sent once (Karn's rule) and by its first SACK or
    /// acknowledgment.
    pub acknowledged: RoundTrips,
    /// The same by timestamps (RFC 7323): from a clock value to its echo in an acknowledgment without payload.
    pub echoed: RoundTrips,
    /// From a clock value of the receiver to its echo in data, to the sender and back. Only of echoes with data close before them: behind a
    /// pause of the sender, the pause would count.
    pub to_sender: RoundTrips,
    /// From its sender's TCP to the capture, by that end's clock values, beyond what the most prompt packet took: no trips there and back. None where the clock's tick is
    /// not known.
    pub waited: Option<Box<RoundTrips>>,
}

impl Trips {
    /// Those to the receiver: by acknowledgments, or by timestamps if there are ten times more of those.
    pub fn to_receiver(&self) -> &RoundTrips {
        if self.echoed.count() > 10 * self.acknowledged.count() { &self.echoed } else { &self.acknowledged }
    }

    /// All that is kept over time.
    pub(super) fn bins(&self) -> impl Iterator<Item = &Bins> {
        let all = [&self.acknowledged, &self.echoed, &self.to_sender];
        all.into_iter().chain(self.waited.as_deref()).flat_map(|trips| [&trips.over_time, &trips.unheld])
    }

    /// The same, to be changed.
    pub(super) fn bins_mut(&mut self) -> impl Iterator<Item = &mut Bins> {
        let Self { acknowledged, echoed, to_sender, waited } = self;
        let all = [acknowledged, echoed, to_sender];
        all.into_iter()
            .chain(waited.as_deref_mut())
            .flat_map(|trips| [&mut trips.over_time, &mut trips.unheld])
    }
}
