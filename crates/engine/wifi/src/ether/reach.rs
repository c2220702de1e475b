//! Which media hear which radios: for each radio those that sense its frames, so that a frame costs nothing elsewhere.

use super::attempt::Attempt;
use crate::id::{MediumId, RadioId};
use crate::spectrum::Sensed;
use airloom_rate::Width;
use airloom_sim::IndexVec;

/// What is sensed of a radio's frames, by their width.
pub(super) type ByWidth = [Sensed; Width::ALL.len()];

/// For each radio the media of which some frame of it is sensed, in order, with what is.
#[derive(Default)]
pub(super) struct Reach(IndexVec<RadioId, Vec<(MediumId, ByWidth)>>);

impl Reach {
    /// On a medium this is sensed of a radio's frames from now on.
    pub(super) fn set(&mut self, medium: MediumId, radio: RadioId, sensed: ByWidth) {
        let hearers = self.0.grown_to(radio);
        let nothing = sensed == ByWidth::default();
        match hearers.binary_search_by_key(&medium, |hearer| hearer.0) {
            Ok(place) if nothing => drop(hearers.remove(place)),
            Ok(place) => hearers[place].1 = sensed,
            Err(_) if nothing => {}
            Err(place) => hearers.insert(place, (medium, sensed)),
        }
    }

    /// What is sensed on a medium of a radio's frames.
    fn on(&self, medium: MediumId, radio: RadioId) -> ByWidth {
        let hearers = &self.0[radio];
        let place = hearers.binary_search_by_key(&medium, |hearer| hearer.0);
        place.map_or_else(|_| ByWidth::default(), |place| hearers[place].1)
    }

    /// Whether a radio is heard on a medium, if it fills all of its channel.
    pub(super) fn hears(&self, medium: MediumId, radio: RadioId) -> bool {
        let [.., widest] = self.on(medium, radio);
        widest != Sensed::Nothing
    }

    /// What is sensed on a medium of an attempt: of the transmitter, or else of a receiver that has sent something too.
    pub(super) fn sensed_of(&self, attempt: &Attempt, medium: MediumId) -> Sensed {
        let width = attempt.width().index();
        match (self.on(medium, attempt.radio)[width], attempt.answerer()) {
            (Sensed::Nothing, Some(radio)) => self.on(medium, radio)[width],
            (sensed, _) => sensed,
        }
    }

    /// Where a radio's frames of this width are sensed, and what of them.
    #[inline]
    pub(super) fn of(&self, (radio, width): (RadioId, Width)) -> impl Iterator<Item = (MediumId, Sensed)> {
        self.0[radio].iter().map(move |&(medium, sensed)| (medium, sensed[width.index()]))
    }

    /// The same where that other one is not heard.
    #[inline]
    pub(super) fn beyond(
        &self,
        sender: (RadioId, Width),
        other: RadioId,
    ) -> impl Iterator<Item = (MediumId, Sensed)> {
        let mut others = self.0[other].iter().map(|hearer| hearer.0).peekable();
        self.of(sender).filter(move |&(medium, _)| {
            while others.next_if(|&other| other < medium).is_some() {}
            others.peek() != Some(&medium)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use airloom_sim::Index;
    use proptest::prelude::*;

    const WIDE: ByWidth = [Sensed::Primary; Width::ALL.len()];
    /// What is sensed of a radio whose primary channel is the other half of ours.
    const HALF: ByWidth =
        [Sensed::Nothing, Sensed::Primary, Sensed::Primary, Sensed::Primary, Sensed::Primary];

    proptest! {
        /// Against a table of all media and radios, in whatever order hearing begins and ceases.
        #[test]
        fn agrees_with_a_table(changes in prop::collection::vec((0usize..9, 0usize..4, 0usize..3), 1..80)) {
            let kinds = [ByWidth::default(), WIDE, HALF];
            let (mut reach, mut table) = (Reach::default(), [[ByWidth::default(); 4]; 9]);
            (0..4).for_each(|radio| reach.set(MediumId::new(0), RadioId::new(radio), kinds[0]));
            for (medium, radio, kind) in changes {
                reach.set(MediumId::new(medium), RadioId::new(radio), kinds[kind]);
                table[medium][radio] = kinds[kind];
            }
            let (sender, other, width) = (RadioId::new(1), RadioId::new(2), Width::Mhz20);
            for (medium, row) in table.iter().enumerate() {
                let medium = MediumId::new(medium);
                prop_assert_eq!(reach.hears(medium, sender), row[1] != kinds[0]);
                let found = |mut all: Box<dyn Iterator<Item = (MediumId, Sensed)> + '_>| {
                    all.find(|one| one.0 == medium).map_or(Sensed::Nothing, |one| one.1)
                };
                let sensed = row[1][width.index()];
                prop_assert_eq!(found(Box::new(reach.of((sender, width)))), sensed);
                let beyond = if row[2] == kinds[0] { sensed } else { Sensed::Nothing };
                prop_assert_eq!(found(Box::new(reach.beyond((sender, width), other))), beyond);
            }
        }
    }
}
