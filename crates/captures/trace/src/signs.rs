//! Whether a station is still there: its signs, and the data to it that nothing answers.

/// So many frames to a station of which none was answered show that it is gone, if as many signs of it were heard before.
const UNANSWERED: u32 = 20;

/// The signs of a station, with when each was.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Signs<T> {
    last: Option<T>,
    heard: u32,
    unanswered: u32,
}

impl<T: Copy> Signs<T> {
    /// Takes a sign: a frame that names the station as its sender.
    pub(crate) fn heard(&mut self, at: T) {
        self.last = Some(at);
        self.heard = self.heard.saturating_add(1);
        self.unanswered = 0;
    }

    /// Takes data, which nothing has answered yet.
    pub(crate) const fn tried(&mut self) {
        self.unanswered = self.unanswered.saturating_add(1);
    }

    /// What was tried has come to the station.
    pub(crate) const fn answered(&mut self) {
        self.unanswered = 0;
    }

    /// The last one.
    pub(crate) const fn last(&self) -> Option<T> {
        self.last
    }

    /// The last one of a station that is gone: what its access point tries since then arrives nowhere.
    pub(crate) fn gone(&self) -> Option<T> {
        self.last.filter(|_| self.unanswered >= UNANSWERED && self.heard >= UNANSWERED)
    }
}
