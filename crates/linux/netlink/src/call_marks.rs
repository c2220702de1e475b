//! Sockets that are marked as a call's: UDP sockets whose program gave them a DSCP for voice or video, or a priority for what
//! interacts with a person. The kernel lists sockets of all users to every user (sock_diag(7)), with their marks but without what
//! goes through them.

use crate::Attributes;
use crate::message::{DATAGRAM, DONE, DUMP, Messages, REQUEST, message};
use crate::protocol::{receive, socket};
use netlink_sys::protocols::NETLINK_SOCK_DIAG;

/// Datagrams that are read of the list for one address family, of some hundred sockets each. Anybody may open more sockets than
/// that, so the rest is not looked at.
const DATAGRAMS: usize = 64;
const ADDRESS_FAMILIES: [u8; 2] = [2, 10];
/// `IPPROTO_UDP`.
const UDP: u8 = 17;
/// `SOCK_DIAG_BY_FAMILY`.
const BY_FAMILY: u16 = 20;
/// `struct inet_diag_req_v2` and `struct inet_diag_msg`, in octets.
const ABOUT: usize = 56;
const SOCKET: usize = 72;
/// `INET_DIAG_TOS`, `INET_DIAG_TCLASS` and `INET_DIAG_CLASS_ID`: the octet with the DSCP, of IPv4 and of IPv6, and a number that is
/// the priority unless the socket's control group has a class (`inet_diag_msg_attrs_fill`, net/ipv4/inet_diag.c).
const TOS: u16 = 5;
const TCLASS: u16 = 6;
const CLASS_ID: u16 = 17;
/// `TC_PRIO_INTERACTIVE`, the highest priority that needs no privilege, and `TC_PRIO_CONTROL`.
const INTERACTIVE: std::ops::RangeInclusive<u32> = 6..=7;

/// Whether any UDP socket of this machine is marked as a call's; an error in one line.
pub fn a_call_is_marked() -> Result<bool, String> {
    for family in ADDRESS_FAMILIES {
        if in_family(family).map_err(|e| format!("UDP sockets cannot be listed: {e}"))? {
            return Ok(true);
        }
    }
    Ok(false)
}

/// The list is read from a socket of its own: what is left of it goes with that.
fn in_family(family: u8) -> std::io::Result<bool> {
    let socket = socket(NETLINK_SOCK_DIAG, &[])?;
    socket.send(&request(family), 0)?;
    let mut octets = vec![0; DATAGRAM];
    for _ in 0..DATAGRAMS {
        // The kernel answers while it is asked, so an answer that has to be waited for is none.
        let length = receive(&socket, &mut octets)?;
        match look(&octets[..length]) {
            ListPart::Marked => return Ok(true),
            ListPart::End => break,
            ListPart::Error(number) => return Err(std::io::Error::from_raw_os_error(number)),
            ListPart::Unmarked => {}
        }
    }
    Ok(false)
}

/// Asks for all UDP sockets of one address family, with their marks.
fn request(family: u8) -> Vec<u8> {
    // The priority comes with the traffic class: the number of its own attribute does not fit in the octet that names them.
    let mut about = vec![family, UDP, 1 << (TOS - 1) | 1 << (TCLASS - 1), 0];
    about.extend(u32::MAX.to_ne_bytes());
    about.resize(ABOUT, 0);
    message(BY_FAMILY, REQUEST | DUMP, 0, &about)
}

/// What a datagram of the list shows.
#[derive(Debug, PartialEq, Eq)]
enum ListPart {
    Unmarked,
    Marked,
    End,
    Error(i32),
}

/// Looks through one datagram. What is cut off or malformed is the end.
fn look(datagram: &[u8]) -> ListPart {
    let mut messages = Messages(datagram);
    for one in messages.by_ref() {
        match one.error() {
            Some(number) => return ListPart::Error(number),
            None if one.kind == DONE => return ListPart::End,
            None if is_marked(Attributes(one.payload.get(SOCKET..).unwrap_or_default())) => {
                return ListPart::Marked;
            }
            None => {}
        }
    }
    if messages.0.is_empty() { ListPart::Unmarked } else { ListPart::End }
}

/// Whether a socket's attributes mark it.
fn is_marked(mut attributes: Attributes<'_>) -> bool {
    attributes.any(|one| match one.kind {
        TOS | TCLASS => one.payload.first().is_some_and(|octet| is_for_calls(octet >> 2)),
        CLASS_ID => {
            one.payload.first_chunk().is_some_and(|octets| INTERACTIVE.contains(&u32::from_ne_bytes(*octets)))
        }
        _ => false,
    })
}

/// EF for voice, AF41 to AF43 for conferences (RFC 4594 clauses 4.1 and 4.3).
fn is_for_calls(dscp: u8) -> bool {
    matches!(dscp, 46 | 34 | 36 | 38)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::message::ERROR;
    use crate::put;
    use rustix::net::sockopt;
    use std::net::UdpSocket;

    /// Other programs on this machine may have such sockets too: only what is marked here is known.
    #[test]
    fn a_marked_socket_is_seen_in_both_families() {
        for (address, family) in [("127.0.0.1:0", 2), ("[::1]:0", 10)] {
            let Ok(socket) = UdpSocket::bind(address) else { continue };
            match family {
                2 => sockopt::set_ip_tos(&socket, 46 << 2).unwrap(),
                _ => sockopt::set_ipv6_tclass(&socket, 34 << 2).unwrap(),
            }
            assert!(in_family(family).unwrap());
            assert!(a_call_is_marked().unwrap());
        }
    }

    fn attribute(kind: u16, value: &[u8]) -> Vec<u8> {
        let mut octets = Vec::new();
        put(&mut octets, kind, value);
        octets
    }

    fn socket(attributes: &[u8]) -> Vec<u8> {
        message(BY_FAMILY, 0, 0, &[&[0; SOCKET], attributes].concat())
    }

    #[test]
    fn voice_video_and_what_interacts_are_marks_and_nothing_else_is() {
        let seen = |kind, value: &[u8]| look(&socket(&attribute(kind, value)));
        for dscp in 0..64_u8 {
            let expected =
                if [46, 34, 36, 38].contains(&dscp) { ListPart::Marked } else { ListPart::Unmarked };
            assert_eq!(seen(TOS, &[dscp << 2 | 2]), expected, "{dscp}");
            assert_eq!(seen(TCLASS, &[dscp << 2]), expected, "{dscp}");
        }
        for priority in 0..10_u32 {
            let expected = if [6, 7].contains(&priority) { ListPart::Marked } else { ListPart::Unmarked };
            assert_eq!(seen(CLASS_ID, &priority.to_ne_bytes()), expected, "{priority}");
        }
    }

    #[test]
    fn the_end_an_error_and_sockets_behind_others_are_told_apart() {
        let plain = socket(&attribute(TOS, &[0]));
        let marked = socket(&[attribute(8, &[0]), attribute(TOS, &[46 << 2])].concat());
        assert_eq!(look(&[plain.clone(), plain.clone()].concat()), ListPart::Unmarked);
        assert_eq!(look(&[plain.clone(), marked].concat()), ListPart::Marked);
        assert_eq!(look(&[plain, message(DONE, 0, 0, &[0; 4])].concat()), ListPart::End);
        assert_eq!(look(&message(ERROR, 0, 0, &(-2_i32).to_ne_bytes())), ListPart::Error(2));
    }

    #[test]
    fn what_is_cut_off_ends_the_list() {
        let whole = [socket(&attribute(TOS, &[0])), socket(&attribute(CLASS_ID, &[0; 4]))].concat();
        for length in 1..whole.len() {
            look(&whole[..length]);
            for octet in [0, 1, 255] {
                let mut changed = whole.clone();
                changed[length] = octet;
                look(&changed);
            }
        }
        assert_eq!(look(&[0; 40]), ListPart::End);
    }
}
