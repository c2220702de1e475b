//! Who hears whom: for each radio the media that sense its frames, so that a frame costs nothing elsewhere.

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
