//! What a frame says of the security of a network: its RSNE (802.11-2020 clause 9.4.2.24).

use super::any::Subtype;
use super::element::next;
use super::header::FrameControl;
use crate::Error;
use crate::bytes::Cursor;

/// The element's identifier (802.11-2020 table 9-92), and the identifier of the standard's own suites (clause 9.4.2.24.2).
const ID: u8 = 48;
const OWN: [u8; 3] = [0x00, 0x0f, 0xac];
/// The suites of an element that says none: CCMP-128 and 802.1X (clause 9.4.2.24.1).
const CCMP: u8 = 4;
const BY_8021X: u8 = 1;
/// Bits of the capabilities (figure 9-287): management frame protection is required, and possible.
const REQUIRED: u16 = 1 << 6;
const CAPABLE: u16 = 1 << 7;

/// What an RSNE says. A suite of the standard's own is a bit, by its number in tables 9-149 and 9-151; others are left out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rsn {
    /// The version; 1 is the only one.
    pub version: u16,
    /// The cipher of frames to groups.
    pub group: u32,
    /// The ciphers of frames to one station.
    pub pairwise: u32,
    /// The ways of authentication and key management.
    pub akms: u32,
    /// Whether management frames have to be protected.
    pub mfp_required: bool,
    /// Whether they can be.
    pub mfp_capable: bool,
}

/// The security that a frame offers or asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Security {
    /// It has no RSNE.
    Without,
    /// It has one.
    Rsn(Rsn),
}

impl Security {
    /// Reads it from a beacon, an answer to a probe or a request to associate; none if the frame is of another kind, encrypted, cut before the element, or if that cannot be read.
    pub fn read(mpdu: &[u8]) -> Option<Self> {
        Self::parse(mpdu).ok().flatten()
    }

    fn parse(mpdu: &[u8]) -> Result<Option<Self>, Error> {
        let (control, mut cursor) = FrameControl::before_body(mpdu)?;
        let fixed = match Subtype::of(control.kind, control.subtype) {
            // A timer, an interval and capabilities (clauses 9.3.3.2 and 9.3.3.10).
            Subtype::Beacon | Subtype::ProbeResponse => 12,
            // Capabilities and an interval, and the access point that a station comes from (clauses 9.3.3.5 and 9.3.3.7).
            Subtype::Association { response: false, again } => 4 + if again { 6 } else { 0 },
            _ => return Ok(None),
        };
        if control.flags.protected {
            return Ok(None);
        }
        cursor.take(fixed)?;
        while let Some((id, body)) = next(&mut cursor)? {
            if id == ID {
                return Rsn::parse(body).map(|rsn| Some(Self::Rsn(rsn)));
            }
        }
        Ok(Some(Self::Without))
    }
}

impl Rsn {
    /// An element may end behind any field: what it does not say is the default.
    fn parse(mut cursor: Cursor<'_>) -> Result<Self, Error> {
        let version = cursor.le16()?;
        let mut told = Self {
            version,
            group: 1 << CCMP,
            pairwise: 1 << CCMP,
            akms: 1 << BY_8021X,
            mfp_required: false,
            mfp_capable: false,
        };
        if !cursor.is_empty() {
            told.group = suite(cursor.array()?);
        }
        for list in [&mut told.pairwise, &mut told.akms] {
            if !cursor.is_empty() {
                *list = suites(&mut cursor)?;
            }
        }
        if !cursor.is_empty() {
            let capabilities = cursor.le16()?;
            told.mfp_required = capabilities & REQUIRED != 0;
            told.mfp_capable = capabilities & CAPABLE != 0;
        }
        Ok(told)
    }
}

/// A count, and as many suites.
fn suites(cursor: &mut Cursor<'_>) -> Result<u32, Error> {
    let many = cursor.le16()?;
    (0..many).try_fold(0, |all, _| Ok(all | suite(cursor.array()?)))
}

/// A suite as a bit; none of one that is not the standard's own.
const fn suite([first, second, third, number]: [u8; 4]) -> u32 {
    let is_own = first == OWN[0] && second == OWN[1] && third == OWN[2];
    if is_own && number < 32 { 1 << number } else { 0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A frame of this subtype with so many octets before its elements.
    fn frame(subtype: u8, fixed: usize, elements: &[u8]) -> Vec<u8> {
        [&[subtype << 4, 0, 0, 0][..], &[2; 18], &[0, 0], &vec![0; fixed], elements].concat()
    }

    /// An SSID, and the RSNE of a network of WPA2 and WPA3 that can protect management frames.
    const BOTH: [u8; 28] = [
        0, 2, b'a', b'b', 48, 22, 1, 0, 0, 0x0f, 0xac, 4, 1, 0, 0, 0x0f, 0xac, 4, 2, 0, 0, 0x0f, 0xac, 2, 0,
        0x0f, 0xac, 8,
    ];

    #[test]
    fn an_rsne_is_read_of_every_frame_that_has_one() {
        let both = [&BOTH[..5], &[24], &BOTH[6..], &[0x80, 0]].concat();
        let rsn = Rsn {
            version: 1,
            group: 16,
            pairwise: 16,
            akms: 1 << 2 | 1 << 8,
            mfp_required: false,
            mfp_capable: true,
        };
        for (subtype, fixed) in [(8, 12), (5, 12), (0, 4), (2, 10)] {
            let whole = frame(subtype, fixed, &both);
            assert_eq!(Security::read(&whole), Some(Security::Rsn(rsn)));
            assert_eq!(Security::read(&whole[..whole.len() - 3]), None, "cut");
            let encrypted = [&whole[..1], &[0x40], &whole[2..]].concat();
            assert_eq!(Security::read(&encrypted), None);
        }
        let short = frame(8, 12, &BOTH);
        assert_eq!(Security::read(&short), Some(Security::Rsn(Rsn { mfp_capable: false, ..rsn })));
        assert_eq!(Security::read(&frame(4, 0, &BOTH)), None, "a probe request asks for none");
        assert_eq!(Security::read(&frame(0, 4, &BOTH[..4])), Some(Security::Without));
    }

    #[test]
    fn what_an_rsne_leaves_out_is_the_default_and_foreign_suites_are_none() {
        let of = |body: &[u8]| Security::read(&frame(8, 12, &[&[48, body.len() as u8], body].concat()));
        let plain =
            Rsn { version: 1, group: 16, pairwise: 16, akms: 2, mfp_required: false, mfp_capable: false };
        assert_eq!(of(&[1, 0]), Some(Security::Rsn(plain)));
        assert_eq!(of(&[1, 0, 0, 0x0f, 0xac, 2]), Some(Security::Rsn(Rsn { group: 4, ..plain })));
        assert_eq!(of(&[1, 0, 0, 0x50, 0xf2, 2]), Some(Security::Rsn(Rsn { group: 0, ..plain })));
        assert_eq!(of(&[1]), None);
        assert_eq!(
            of(&[1, 0, 0, 0x0f, 0xac, 4, 0xff, 0xff, 0, 0x0f, 0xac, 4]),
            None,
            "a count without its suites"
        );
    }
}
