//! What frames say of a station's way into a network: authentication, association, fast transition, and leaving.

use super::any::Subtype;
use super::header::FrameControl;
use crate::Error;
use crate::MacAddr;

/// Action category "Fast BSS Transition" (802.11-2020 table 9-51), and its actions (clause 9.6.8.1).
const FAST_TRANSITION: u8 = 6;
const FT_REQUEST: u8 = 1;
const FT_RESPONSE: u8 = 2;

/// The algorithm of authentication by a shared key (802.11-2020 clause 9.4.1.1).
const SHARED_KEY: u16 = 1;

/// What a management frame says of a station's way into a network, as far as it is not encrypted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Joining {
    /// Authentication (802.11-2020 clause 9.3.3.11): the algorithm (clause 9.4.1.1).
    Authentication(u16),
    /// A request to associate (clauses 9.3.3.5 and 9.3.3.7); of one to reassociate, the access point that the station comes from.
    Request(Option<MacAddr>),
    /// The answer to it (clauses 9.3.3.6 and 9.3.3.8): its status, zero for success (clause 9.4.1.9).
    Answer(u16),
    /// A disassociation or deauthentication (clauses 9.3.3.4 and 9.3.3.12): its reason (clause 9.4.1.7).
    Leave(u16),
    /// A request for a fast transition over the distribution system, or its answer (clauses 9.6.8.2 and 9.6.8.3): the access point that the
    /// station wants to go to.
    OverDs(MacAddr),
}

impl Joining {
    /// Reads it from a frame; none if the frame is of another kind, encrypted or cut.
    pub fn read(mpdu: &[u8]) -> Option<Self> {
        Self::parse(mpdu).ok().flatten()
    }

    fn parse(mpdu: &[u8]) -> Result<Option<Self>, Error> {
        let (control, mut cursor) = FrameControl::before_body(mpdu)?;
        let subtype = Subtype::of(control.kind, control.subtype);
        if control.flags.protected {
            // The third frame of authentication by a shared key is encrypted, and no other of authentication (clause 12.3.3.3.4).
            return Ok((subtype == Subtype::Authentication).then_some(Self::Authentication(SHARED_KEY)));
        }
        Ok(match subtype {
            Subtype::Authentication => Some(Self::Authentication(cursor.le16()?)),
            Subtype::Association { response: true, .. } => {
                cursor.le16()?;
                Some(Self::Answer(cursor.le16()?))
            }
            Subtype::Association { again, .. } => {
                // Capabilities and the listen interval come first.
                cursor.le32()?;
                Some(Self::Request(if again { Some(MacAddr(cursor.array()?)) } else { None }))
            }
            Subtype::Leave => Some(Self::Leave(cursor.le16()?)),
            Subtype::Action => match cursor.array()? {
                [FAST_TRANSITION, FT_REQUEST | FT_RESPONSE] => {
                    let _station: [u8; 6] = cursor.array()?;
                    Some(Self::OverDs(MacAddr(cursor.array()?)))
                }
                _ => None,
            },
            _ => None,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A management frame of this subtype with a body, in hexadecimal digits.
    fn frame(subtype: u8, flags: u8, body: &[u8]) -> Vec<u8> {
        [&[subtype << 4, flags, 0, 0][..], &[2; 18], &[0, 0], body].concat()
    }

    #[test]
    fn bodies_are_read_as_the_standard_has_them() {
        let (other, target) = (MacAddr([2, 0, 0, 0, 0, 8]), MacAddr([2, 0, 0, 0, 0, 9]));
        let cases = [
            (11, vec![2, 0, 1, 0, 0, 0], Joining::Authentication(2)),
            (0, vec![0x11, 4, 10, 0, 0, 0], Joining::Request(None)),
            (2, [&[0x11, 4, 10, 0][..], &other.0].concat(), Joining::Request(Some(other))),
            (1, vec![0x11, 4, 17, 0, 0, 0], Joining::Answer(17)),
            (3, vec![0x11, 4, 0, 0, 1, 0xc0], Joining::Answer(0)),
            (12, vec![7, 0], Joining::Leave(7)),
            (10, vec![8, 0], Joining::Leave(8)),
            (13, [&[6, 1][..], &[2; 6], &target.0].concat(), Joining::OverDs(target)),
        ];
        for (subtype, body, told) in cases {
            let whole = frame(subtype, 0, &body);
            assert_eq!(Joining::read(&whole), Some(told));
            let encrypted = (subtype == 11).then_some(Joining::Authentication(SHARED_KEY));
            assert_eq!(Joining::read(&frame(subtype, 0x40, &body)), encrypted);
            assert_eq!(Joining::read(&whole[..25]), None, "cut");
        }
        assert_eq!(Joining::read(&frame(8, 0, &[0; 20])), None);
        assert_eq!(Joining::read(&frame(13, 0, &[3, 0, 1, 0, 0, 0])), None);
    }
}
