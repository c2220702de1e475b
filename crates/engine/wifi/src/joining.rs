//! A station's way into a network: the frames that it and the access point exchange, one after the other, and how long each of the two
//! thinks before its next one.
//!
//! ```text
//!  station: authentication  ->                  reassociation ->                  message 2 ->            message 4 ->
//!  access point:              <- authentication                <- reassociation, message 1    <- message 3
//! ```
//! With a fast transition (802.11-2020 13.5.2) the keys are agreed on in the first four, and no handshake follows.

use airloom_observe::JoiningFrame;
use airloom_sim::{Duration, Time};

/// Who sends a frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum End {
    Station,
    AccessPoint,
}

/// How long a station's host thinks before its frames.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Pace {
    /// From the decision on the port is closed for so long, and then the old association ends.
    pub(crate) closed: Duration,
    /// Before messages 2 and 4 of the handshake.
    keys: [Duration; 2],
}

/// Medians of ten walks each on Linux 6.12 with mac80211_hwsim (`tests/beside_daemons/daemons.txt`). Two grace periods of RCU, of
/// 12 ms each there, are behind the end of the old association, one before it where wpa_supplicant, which has closed the port
/// (`eapol_sm_notify_portValid`), deletes keys (`wpa_clear_keys`, both `sme_send_authentication`), and one before iwd's message 4.
impl Pace {
    /// wpa_supplicant 2.10.
    pub(crate) const WPA_SUPPLICANT: Self = Self { closed: us(12_000), keys: [us(2_110), us(540)] };
    /// iwd 3.8.
    pub(crate) const IWD: Self = Self { closed: us(0), keys: [us(730), us(9_750)] };

    /// How long the sender of a frame thinks before it: this station, or hostapd 2.10 in the same walks.
    const fn before(self, frame: JoiningFrame) -> Duration {
        match frame {
            JoiningFrame::Authentication { answer: false, .. } => us(24_200),
            JoiningFrame::Authentication { answer: true, fast: false } => us(560),
            JoiningFrame::Authentication { answer: true, fast: true } => us(1_260),
            JoiningFrame::Reassociation { answer: false, fast: false } => us(3_210),
            JoiningFrame::Reassociation { answer: false, fast: true } => us(2_510),
            JoiningFrame::Reassociation { answer: true, fast: false } => us(210),
            JoiningFrame::Reassociation { answer: true, fast: true } => us(360),
            JoiningFrame::Key(2) => self.keys[0],
            JoiningFrame::Key(4) => self.keys[1],
            JoiningFrame::Key(3) => us(460),
            JoiningFrame::Key(_) => us(2_090),
            JoiningFrame::Probe { .. }
            | JoiningFrame::Disassociation { .. }
            | JoiningFrame::Deauthentication { .. }
            | JoiningFrame::TransitionRequest { .. }
            | JoiningFrame::TransitionResponse { .. }
            | JoiningFrame::NeighborRequest
            | JoiningFrame::NeighborReport { .. } => Duration::ZERO,
        }
    }
}

const fn us(n: u64) -> Duration {
    Duration::from_micros(n)
}

/// A frame of the exchange, and who sends it.
type Step = (JoiningFrame, End);

const fn authentication(answer: bool, fast: bool) -> JoiningFrame {
    JoiningFrame::Authentication { answer, fast }
}

const fn reassociation(answer: bool, fast: bool) -> JoiningFrame {
    JoiningFrame::Reassociation { answer, fast }
}

const WITH_HANDSHAKE: [Step; 8] = [
    (authentication(false, false), End::Station),
    (authentication(true, false), End::AccessPoint),
    (reassociation(false, false), End::Station),
    (reassociation(true, false), End::AccessPoint),
    (JoiningFrame::Key(1), End::AccessPoint),
    (JoiningFrame::Key(2), End::Station),
    (JoiningFrame::Key(3), End::AccessPoint),
    (JoiningFrame::Key(4), End::Station),
];
const FAST: [Step; 4] = [
    (authentication(false, true), End::Station),
    (authentication(true, true), End::AccessPoint),
    (reassociation(false, true), End::Station),
    (reassociation(true, true), End::AccessPoint),
];

/// A station asks again after this long without an answer (mac80211 `IEEE80211_AUTH_TIMEOUT`, `IEEE80211_ASSOC_TIMEOUT`), and so often in
/// all (`IEEE80211_AUTH_MAX_TRIES`, `IEEE80211_ASSOC_MAX_TRIES`).
const ASKS_AGAIN: Duration = Duration::from_millis(200);
const ASKS: u32 = 3;
/// An access point sends a message of the handshake again (hostapd `eapol_key_timeout_first` and `eapol_key_timeout_subseq`), and so often
/// in all (`wpa_pairwise_update_count`).
const FIRST_KEY_AGAIN: Duration = Duration::from_millis(100);
const KEY_AGAIN: Duration = Duration::from_secs(1);
const KEYS: u32 = 4;

/// What becomes of the exchange next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Next {
    /// Call [`Joining::timer`] at this time.
    Arm(Time),
    /// This end sends this frame; its fate is awaited ([`Joining::sent`]).
    Send(End, JoiningFrame),
    /// The station may send and receive data.
    Associated,
    /// Nobody answers any more.
    Failed,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    /// The sender of the frame thinks.
    Thinking,
    /// The frame contends for the air.
    Sending,
    /// The frame did not arrive; who asked waits for an answer.
    Waiting,
}

/// The exchange of a station with an access point.
#[derive(Clone, Debug)]
pub(crate) struct Joining {
    fast: bool,
    pace: Pace,
    /// Which frame is next.
    at: usize,
    state: State,
    /// How often the question under way was asked.
    asked: u32,
}

impl Joining {
    /// Begins; with a fast transition or with a handshake, at the pace of the station's host.
    pub(crate) fn begin(now: Time, fast: bool, pace: Pace) -> (Self, Next) {
        let joining = Self { fast, pace, at: 0, state: State::Thinking, asked: 0 };
        let next = joining.think(now);
        (joining, next)
    }

    fn steps(&self) -> &'static [Step] {
        if self.fast { &FAST } else { &WITH_HANDSHAKE }
    }

    fn think(&self, now: Time) -> Next {
        Next::Arm(now + self.pace.before(self.steps()[self.at].0))
    }

    /// The time that was asked for has come.
    pub(crate) fn timer(&mut self) -> Next {
        if self.state == State::Waiting {
            // Who asked asks again, whichever of question and answer was lost.
            self.at &= !1;
        }
        if self.at.is_multiple_of(2) {
            let most = if self.is_of_keys() { KEYS } else { ASKS };
            if self.asked == most {
                return Next::Failed;
            }
            self.asked += 1;
        }
        self.state = State::Sending;
        let (frame, by) = self.steps()[self.at];
        Next::Send(by, frame)
    }

    /// The frame is sent; it `arrived`, or its sender's hardware gave up on it.
    pub(crate) fn sent(&mut self, now: Time, arrived: bool) -> Next {
        if !arrived {
            self.state = State::Waiting;
            return Next::Arm(now + self.again());
        }
        if self.at + 1 == self.steps().len() {
            return Next::Associated;
        }
        self.at += 1;
        self.state = State::Thinking;
        if self.at.is_multiple_of(2) {
            self.asked = 0;
        }
        self.think(now)
    }

    fn is_of_keys(&self) -> bool {
        matches!(self.steps()[self.at].0, JoiningFrame::Key(_))
    }

    /// How long who asked waits before it asks again.
    fn again(&self) -> Duration {
        match (self.is_of_keys(), self.asked) {
            (false, _) => ASKS_AGAIN,
            (true, 1) => FIRST_KEY_AGAIN,
            (true, _) => KEY_AGAIN,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Plays an exchange in which the frame is lost that `lost` says: what was sent, and how it ended.
    fn play(fast: bool, lost: impl Fn(JoiningFrame, u32) -> bool) -> (Vec<(u64, End, JoiningFrame)>, Next) {
        let (mut joining, mut next) = Joining::begin(Time::ZERO, fast, Pace::WPA_SUPPLICANT);
        let (mut now, mut sent) = (Time::ZERO, Vec::<(u64, End, JoiningFrame)>::new());
        loop {
            next = match next {
                Next::Arm(at) => {
                    now = at;
                    joining.timer()
                }
                Next::Send(by, frame) => {
                    let before = sent.iter().filter(|(.., earlier)| *earlier == frame).count() as u32;
                    sent.push((now.as_nanos() / 1000, by, frame));
                    joining.sent(now, !lost(frame, before))
                }
                ended => return (sent, ended),
            }
        }
    }

    #[test]
    fn a_fast_transition_has_four_frames_and_any_other_eight() {
        let (sent, ended) = play(true, |_, _| false);
        let at: Vec<u64> = sent.iter().map(|(at, ..)| *at).collect();
        assert_eq!((at, ended), (vec![24_200, 25_460, 27_970, 28_330], Next::Associated));
        let (sent, ended) = play(false, |_, _| false);
        let by: Vec<End> = sent.iter().map(|(_, by, _)| *by).collect();
        let (station, ap) = (End::Station, End::AccessPoint);
        assert_eq!(by, [station, ap, station, ap, ap, station, ap, station]);
        assert_eq!((sent.last().map(|(at, ..)| *at), ended), (Some(33_380), Next::Associated));
    }

    #[test]
    fn who_asked_asks_again() {
        let answer = JoiningFrame::Authentication { answer: true, fast: false };
        let (sent, ended) = play(false, |frame, before| frame == answer && before == 0);
        let frames: Vec<_> = sent.iter().take(4).map(|(at, by, _)| (*at, *by)).collect();
        let (station, ap) = (End::Station, End::AccessPoint);
        assert_eq!(frames, [(24_200, station), (24_760, ap), (224_760, station), (224_760 + 560, ap)]);
        assert_eq!((sent.len(), ended), (10, Next::Associated));
    }

    #[test]
    fn nobody_asks_for_ever() {
        let (sent, ended) = play(true, |_, _| true);
        let at: Vec<u64> = sent.iter().map(|(at, ..)| *at / 1000).collect();
        assert_eq!((at, ended), (vec![24, 224, 424], Next::Failed));
        let (sent, ended) = play(false, |frame, _| frame == JoiningFrame::Key(3));
        let keys = sent.iter().filter(|(.., frame)| *frame == JoiningFrame::Key(3)).count();
        let last = sent.last().expect("frames were sent").0;
        assert_eq!((keys, ended), (4, Next::Failed));
        assert!((2_100_000..2_200_000).contains(&(last - 32_840)), "{last}: after 100 ms, 1 s and 1 s");
    }
}
