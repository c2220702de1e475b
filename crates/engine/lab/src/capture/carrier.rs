//! The PPDU that carries a frame of a capture.

use airloom_observe::{Ppdu, User};
use airloom_sim::Time;

/// A PPDU as it carries one of its frames.
#[derive(Clone, Copy)]
pub(super) struct Carrier<'a> {
    pub(super) ppdu: &'a Ppdu,
    pub(super) user: &'a User,
    /// The place of the frame among those of its user.
    pub(super) place: u16,
    /// Whether a monitor beside the access point hears it.
    pub(super) beside: bool,
}

impl Carrier<'_> {
    /// When the frame begins and ends, if all of its user are as long.
    pub(super) fn span(&self) -> (Time, Time) {
        let (start, end) = (self.ppdu.start, self.ppdu.end);
        let each = (end - start) / u64::from(self.user.mpdus.max(1));
        let begins = start + each * u64::from(self.place);
        (begins, (begins + each).min(end))
    }
}
