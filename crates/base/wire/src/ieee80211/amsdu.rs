//! The body of an A-MSDU: subframes with a packet each (802.11-2020 clause 9.3.2.2.2).

use crate::bytes::Cursor;
use crate::{Error, MacAddr};

/// A subframe without its padding.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Subframe<'a> {
    /// The destination.
    pub destination: MacAddr,
    /// The source.
    pub source: MacAddr,
    /// LLC first, as in a frame with one packet.
    pub body: &'a [u8],
}

impl<'a> Subframe<'a> {
    /// Octets of its header.
    pub const HEADER: usize = 14;

    /// Appends it to a body that begins at `start`, where the one before it is padded to a multiple of four octets; the last one is not.
    ///
    /// # Errors
    ///
    /// [`Error::TooLong`] if its length exceeds 16 bits; nothing is appended then.
    pub fn emit(&self, start: usize, out: &mut Vec<u8>) -> Result<(), Error> {
        let length = u16::try_from(self.body.len()).map_err(|_| Error::TooLong("subframe of an A-MSDU"))?;
        let padded = start + (out.len() - start).next_multiple_of(4);
        out.resize(padded, 0);
        out.extend_from_slice(&self.destination.0);
        out.extend_from_slice(&self.source.0);
        out.extend_from_slice(&length.to_be_bytes());
        out.extend_from_slice(self.body);
        Ok(())
    }

    /// The subframes of a body, each with the length that its header has; the last ones may be cut as the capture was.
    pub fn all(body: &'a [u8]) -> impl Iterator<Item = (Self, u32)> {
        let mut at = 0;
        std::iter::from_fn(move || {
            let rest = body.get(at..)?;
            let mut cursor = Cursor::new(rest);
            let destination = MacAddr(cursor.array().ok()?);
            let source = MacAddr(cursor.array().ok()?);
            let length = usize::from(cursor.be16().ok()?);
            let rest = cursor.rest();
            at += (Self::HEADER + length).next_multiple_of(4);
            Some((Self { destination, source, body: &rest[..length.min(rest.len())] }, length as u32))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn address(last: u8) -> MacAddr {
        MacAddr([2, 0, 0, 0, 0, last])
    }

    fn emitted(bodies: &[Vec<u8>], before: usize) -> Vec<u8> {
        let mut out = vec![0xee; before];
        for body in bodies {
            let subframe = Subframe { destination: address(1), source: address(2), body };
            subframe.emit(before, &mut out).unwrap();
        }
        out.split_off(before)
    }

    /// Written out by hand: addresses, a length in network order, the body, padding behind the first alone.
    #[test]
    fn two_subframes() {
        let expected = [
            &[2, 0, 0, 0, 0, 1, 2, 0, 0, 0, 0, 2, 0, 3, 7, 8, 9, 0, 0, 0][..],
            &[2, 0, 0, 0, 0, 1, 2, 0, 0, 0, 0, 2, 0, 1, 5],
        ];
        assert_eq!(emitted(&[vec![7, 8, 9], vec![5]], 26), expected.concat());
    }

    #[test]
    fn what_is_too_long_leaves_no_trace() {
        let (mut out, body) = (Vec::new(), vec![0; 65_536]);
        let subframe = Subframe { destination: address(1), source: address(2), body: &body };
        assert!(matches!(subframe.emit(0, &mut out), Err(Error::TooLong(_))));
        assert!(out.is_empty());
    }

    proptest! {
        /// What was written is read, wherever the body begins; of a body that is cut, its front.
        #[test]
        fn subframes_come_back(
            bodies in prop::collection::vec(prop::collection::vec(any::<u8>(), 0..40), 1..6),
            before in 0usize..40,
            cut in any::<prop::sample::Index>(),
        ) {
            let octets = emitted(&bodies, before);
            let read = |octets: &[u8]| Subframe::all(octets).map(|(of, _)| of.body.to_vec()).collect::<Vec<_>>();
            let lengths: Vec<_> = Subframe::all(&octets).map(|(_, length)| length as usize).collect();
            prop_assert_eq!(lengths, bodies.iter().map(Vec::len).collect::<Vec<_>>());
            prop_assert_eq!(read(&octets), bodies.clone());
            let cut = read(&octets[..cut.index(octets.len())]);
            prop_assert!(cut.len() <= bodies.len());
            for (part, whole) in cut.iter().zip(&bodies) {
                prop_assert!(whole.starts_with(part));
            }
        }

        #[test]
        fn any_octets_end(octets in prop::collection::vec(any::<u8>(), 0..4000)) {
            prop_assert!(Subframe::all(&octets).count() <= octets.len() / 12);
        }
    }
}
