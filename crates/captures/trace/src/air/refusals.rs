//! Requests to associate that were refused.

use crate::{Frame, Joining, Subtype};
use airloom_wire::MacAddr;
use airloom_wire::ieee80211::Security;

/// The security that a station asks for, and that of the access point.
pub type Securities = (Security, Security);

/// Requests to associate that were refused between two times of a station's data.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Refused {
    /// How many.
    pub times: u32,
    /// The status of the last (802.11-2020 table 9-50).
    pub status: u16,
    /// What was asked for and offered then; none where either was not heard.
    pub security: Option<Securities>,
}

/// Refusals of a station that was let in by a later answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LetIn {
    /// Answers that refused it, each once though it was sent again.
    pub times: u64,
    /// The access point of the last refusal.
    pub by: MacAddr,
    /// The status of the last refusal (802.11-2020 table 9-50).
    pub status: u16,
    /// What was asked for and offered then; none where either was not heard.
    pub security: Option<Securities>,
    /// When the first refusal was captured, and the answer that let it in, in nanoseconds since 1970.
    pub span_ns: (u64, u64),
}

/// The refusals of a station.
#[derive(Clone, Copy, Debug, Default)]
pub struct Refusals {
    /// Answers that refuse it, each once though it was sent again.
    pub times: u64,
    /// Its requests that were heard, each once.
    pub asked: u64,
    /// The access point of the last refusal.
    pub by: MacAddr,
    /// The status of the last refusal (802.11-2020 table 9-50).
    pub status: u16,
    /// What was asked for and offered then; none where either was not heard.
    pub security: Option<Securities>,
    /// When the first and the last refusal was captured, in nanoseconds since 1970.
    pub span_ns: Option<(u64, u64)>,
    /// Those before it was let in, of which that took longest.
    pub let_in: Option<LetIn>,
    /// How many there were since it was last let in, or had data, and when the first was.
    since: Option<(u64, u64)>,
    /// Whether it ever was let in, or had data.
    is_in: bool,
}

impl Refusals {
    /// Takes an answer that refuses an association.
    pub(super) fn refused(
        &mut self,
        at_ns: u64,
        (by, status, security): (MacAddr, u16, Option<Securities>),
        frame: &Frame,
    ) {
        (self.by, self.status, self.security) = (by, status, security);
        let (first, _) = *self.span_ns.get_or_insert((at_ns, at_ns));
        self.span_ns = Some((first, at_ns));
        self.times += u64::from(!frame.retry);
        self.since.get_or_insert((0, at_ns)).0 += u64::from(!frame.retry);
    }

    /// Takes any other frame between the station and an access point.
    pub(super) fn told(&mut self, at_ns: u64, frame: &Frame) {
        match (frame.subtype, frame.joining) {
            (Subtype::Association { response: true, .. }, Some(Joining::Answer(0))) => {
                self.is_in = true;
                self.is_let_in(at_ns);
            }
            (Subtype::Association { response: false, .. }, _) => self.asked += u64::from(!frame.retry),
            _ if frame.way == crate::Way::Up || frame.eapol.is_some() => {
                self.is_in = true;
                self.since = None;
            }
            _ => {}
        }
    }

    fn is_let_in(&mut self, at_ns: u64) {
        let Some((times @ 1.., first_ns)) = self.since.take() else { return };
        let lasted_ns = |one: LetIn| one.span_ns.1.saturating_sub(one.span_ns.0);
        let Self { by, status, security, .. } = *self;
        let one = LetIn { times, by, status, security, span_ns: (first_ns, at_ns) };
        if self.let_in.is_none_or(|known| lasted_ns(one) > lasted_ns(known)) {
            self.let_in = Some(one);
        }
    }

    /// How often, as of a station that was never let in; none of any other.
    pub const fn never_in(&self) -> Option<u64> {
        if self.is_in || self.times == 0 { None } else { Some(self.times) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Air;
    use crate::link::frame_of;

    #[test]
    fn a_refusal_before_a_grant_is_known_with_the_time_that_it_cost() {
        const STATION: MacAddr = MacAddr([2, 0, 0, 0, 0, 1]);
        const AP: MacAddr = MacAddr([2, 0, 0, 0, 0, 8]);
        let answer = |status: u8, number: u8| {
            let mut octets = vec![0x10, 0, 0, 0];
            [STATION, AP, AP].iter().for_each(|address| octets.extend(address.0));
            octets.extend([number << 4, 0, 1, 0, status, 0, 1, 0xc0]);
            frame_of(&octets)
        };
        let mut air = Air::default();
        for (at_s, status) in [(1, 0), (11, 30), (12, 30), (15, 0), (20, 17), (21, 0)] {
            air.see(at_s * 1_000_000_000, at_s as u32, &answer(status, at_s as u8));
        }
        air.finish();
        let refusals = air.radio(STATION).map(|station| station.refusals).unwrap_or_default();
        let span_ns = (11_000_000_000, 15_000_000_000);
        assert_eq!(refusals.let_in, Some(LetIn { times: 2, by: AP, status: 30, security: None, span_ns }));
        assert_eq!(refusals.never_in(), None);
    }

    #[test]
    fn what_was_asked_for_and_offered_is_kept_with_a_refusal() {
        const STATION: MacAddr = MacAddr([2, 0, 0, 0, 0, 1]);
        const AP: MacAddr = MacAddr([2, 0, 0, 0, 0, 8]);
        let frame = |kind: u8, [to, from]: [MacAddr; 2], number: u8, body: &[u8]| {
            let octets = [&[kind, 0, 0, 0][..], &to.0, &from.0, &AP.0, &[number << 4, 0], body].concat();
            frame_of(&octets)
        };
        let rsne = [48, 20, 1, 0, 0, 0x0f, 0xac, 4, 1, 0, 0, 0x0f, 0xac, 4, 1, 0, 0, 0x0f, 0xac, 8, 0xc0, 0];
        let beacon = [&[0; 8][..], &[100, 0, 0x11, 0, 0, 1, b'a'], &rsne].concat();
        let mut air = Air::default();
        let frames = [
            frame(0x80, [MacAddr::BROADCAST, AP], 1, &beacon),
            frame(0x00, [AP, STATION], 1, &[0x11, 0, 10, 0, 0, 1, b'a']),
            frame(0x10, [STATION, AP], 2, &[0x11, 0, 43, 0, 0, 0]),
        ];
        for (number, frame) in (1..).zip(frames) {
            air.see(u64::from(number) * 1_000_000_000, number, &frame);
        }
        air.finish();
        let refusals = air.radio(STATION).map(|station| station.refusals).unwrap_or_default();
        let Some((Security::Without, Security::Rsn(offered))) = refusals.security else {
            panic!("{refusals:?}")
        };
        assert_eq!((offered.akms, offered.mfp_required), (1 << 8, true));
    }
}
