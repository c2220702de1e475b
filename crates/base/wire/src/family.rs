//! What BSD's and macOS's loopback and tunnel interfaces put before packets: the number of an address family, of four octets.

use crate::Error;
use crate::bytes::Cursor;

/// AF_INET everywhere, and what AF_INET6 is in Linux, Windows, NetBSD and OpenBSD, FreeBSD, macOS (tcpdump.org, `LINKTYPE_NULL`).
const KNOWN: [u32; 6] = [2, 10, 23, 24, 28, 30];

/// Takes the family off, in the byte order of the machine that captured (`LINKTYPE_NULL`) or the network's (`LINKTYPE_LOOP`), and
/// returns the IP packet behind it.
///
/// # Errors
///
/// [`Error::Truncated`] below four octets, [`Error::Unsupported`] for a family that has no IP.
pub fn without_family(bytes: &[u8]) -> Result<&[u8], Error> {
    let mut cursor = Cursor::new(bytes);
    let family: [u8; 4] = cursor.array()?;
    let orders = [u32::from_le_bytes(family), u32::from_be_bytes(family)];
    match orders.iter().any(|number| KNOWN.contains(number)) {
        true => Ok(cursor.rest()),
        false => Err(Error::Unsupported("address family")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_family_is_read_in_either_order() {
        assert_eq!(without_family(&[2, 0, 0, 0, 0x45]), Ok(&[0x45][..]));
        assert_eq!(without_family(&[0, 0, 0, 30, 0x60]), Ok(&[0x60][..]));
        assert!(without_family(&[7, 0, 0, 0, 0x45]).is_err());
        assert_eq!(without_family(&[2, 0, 0]), Err(Error::Truncated));
    }
}
