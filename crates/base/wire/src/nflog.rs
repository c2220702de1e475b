//! Packets that Linux's packet filter logs (tcpdump.org, `LINKTYPE_NFLOG`).

use crate::Error;
use crate::bytes::{Cursor, Order};

/// The attribute that is the packet (`NFULA_PAYLOAD`).
const PAYLOAD: u16 = 9;
/// Length of an attribute's own length and type in octets.
const HEADER: usize = 4;

/// Returns the IP packet among the attributes of a log entry. They are in the byte order of the machine, which nothing tells.
///
/// # Errors
///
/// [`Error::Truncated`] if the header is not complete, [`Error::Unsupported`] for another version, [`Error::Malformed`] if no attribute
/// is a packet.
pub fn logged_packet(bytes: &[u8]) -> Result<&[u8], Error> {
    let mut cursor = Cursor::new(bytes);
    let (_family, version) = (cursor.u8()?, cursor.u8()?);
    cursor.be16()?;
    if version != 0 {
        return Err(Error::Unsupported("version of NFLOG"));
    }
    let found = [Order::Little, Order::Big].into_iter().find_map(|order| payload(cursor, order));
    found.ok_or(Error::Malformed("no packet among the attributes"))
}

fn payload(mut attributes: Cursor<'_>, order: Order) -> Option<&[u8]> {
    loop {
        let (length, kind) =
            (usize::from(order.u16(&mut attributes).ok()?), order.u16(&mut attributes).ok()?);
        let length = length.checked_sub(HEADER)?;
        if kind == PAYLOAD {
            // A capture may have cut it.
            let rest = attributes.rest();
            return Some(&rest[..rest.len().min(length)]);
        }
        attributes.take(length.next_multiple_of(4)).ok()?;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_packet_is_one_of_the_attributes() {
        // A prefix of five octets with its padding, then a packet of one, of which nothing pads the end.
        let little = [2, 0, 0, 0, 9, 0, 10, 0, 1, 2, 3, 4, 5, 0, 0, 0, 5, 0, 9, 0, 0x45];
        assert_eq!(logged_packet(&little), Ok(&[0x45][..]));
        let big = [2, 0, 0, 0, 0, 9, 0, 10, 1, 2, 3, 4, 5, 0, 0, 0, 0, 5, 0, 9, 0x45];
        assert_eq!(logged_packet(&big), Ok(&[0x45][..]));
        assert!(logged_packet(&little[..16]).is_err());
        // An attribute without room for itself leads nowhere.
        assert!(logged_packet(&[2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]).is_err());
    }
}
