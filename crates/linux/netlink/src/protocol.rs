//! Netlink's protocols: a socket for each, for requests with their answers or for what is announced to its groups.

use crate::message::{ACK, DATAGRAM, DONE, DUMP, Message, Messages, REQUEST, message};
use crate::say;
use netlink_sys::Socket;
use netlink_sys::protocols::{NETLINK_GENERIC, NETLINK_ROUTE, NETLINK_SOCK_DIAG};
use std::io::{self, ErrorKind};
use std::thread;
use std::time::{Duration, Instant};

/// The kernel answers a request while it is being sent. That an answer is late means that it was lost.
const ANSWER_WITHIN: Duration = Duration::from_secs(2);
const BETWEEN_TRIES: Duration = Duration::from_millis(10);

/// How much is asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Extent {
    /// One thing, with an acknowledgement.
    One,
    /// All there are.
    All,
}

/// A socket for requests to one of netlink's protocols: rtnetlink, that of socket statistics, or generic netlink.
pub struct Protocol {
    socket: Socket,
    sequence: u32,
    answer: Vec<u8>,
}

impl Protocol {
    /// Links, queue disciplines and the like.
    pub fn route() -> Result<Self, String> {
        Self::open(NETLINK_ROUTE)
    }

    /// Statistics of sockets (`sock_diag(7)`).
    pub fn sockets() -> Result<Self, String> {
        Self::open(NETLINK_SOCK_DIAG)
    }

    pub(crate) fn generic() -> Result<Self, String> {
        Self::open(NETLINK_GENERIC)
    }

    fn open(protocol: isize) -> Result<Self, String> {
        let socket = socket(protocol, &[]).map_err(say)?;
        Ok(Self { socket, sequence: 0, answer: vec![0; DATAGRAM] })
    }

    /// Sends a message of a kind and gathers the payloads of what comes back until it is answered: by an acknowledgement, an error
    /// or the end of a dump.
    pub fn ask(&mut self, kind: u16, extent: Extent, payload: &[u8]) -> Result<Vec<Vec<u8>>, String> {
        let flags = match extent {
            Extent::One => ACK,
            Extent::All => DUMP,
        };
        self.ask_with(kind, flags, payload)
    }

    fn ask_with(&mut self, kind: u16, flags: u16, payload: &[u8]) -> Result<Vec<Vec<u8>>, String> {
        self.sequence += 1;
        self.socket.send(&message(kind, REQUEST | flags, self.sequence, payload), 0).map_err(say)?;
        let late = Instant::now() + ANSWER_WITHIN;
        let mut found = Vec::new();
        loop {
            let length = self.receive(late)?;
            // What answers an earlier request came too late for it.
            let answers = |one: &Message<'_>| one.sequence == self.sequence;
            for one in Messages(&self.answer[..length]).filter(answers) {
                match one.error() {
                    Some(0) => return Ok(found),
                    Some(number) => return Err(io::Error::from_raw_os_error(number).to_string()),
                    None if one.kind == DONE => return Ok(found),
                    None => found.push(one.payload.to_vec()),
                }
            }
        }
    }

    /// Receives one datagram, until it is too late; its length.
    fn receive(&mut self, late: Instant) -> Result<usize, String> {
        loop {
            match receive(&self.socket, &mut self.answer) {
                Err(e) if e.kind() == ErrorKind::WouldBlock && Instant::now() < late => {
                    thread::sleep(BETWEEN_TRIES);
                }
                Err(e) if e.kind() == ErrorKind::WouldBlock => {
                    return Err(say(format!("no answer within {} s", ANSWER_WITHIN.as_secs())));
                }
                other => return other.map_err(say),
            }
        }
    }
}

/// A socket of a protocol that hears these of its groups, and does not wait.
pub(crate) fn socket(protocol: isize, groups: &[u32]) -> io::Result<Socket> {
    let mut socket = Socket::new(protocol)?;
    socket.bind_auto()?;
    socket.set_non_blocking(true)?;
    for &group in groups {
        socket.add_membership(group)?;
    }
    Ok(socket)
}

/// Receives one datagram; its length.
pub(crate) fn receive(socket: &Socket, mut datagram: &mut [u8]) -> io::Result<usize> {
    socket.recv(&mut datagram, 0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Attributes;

    /// `RTM_GETLINK`.
    const GET_LINK: u16 = 18;

    /// `struct ifinfomsg` with an index.
    fn link(index: u8) -> Vec<u8> {
        let mut about = vec![0; 16];
        about[4] = index;
        about
    }

    #[test]
    fn one_link_and_all_of_them_are_answered_and_none_is_an_error() {
        let mut route = Protocol::route().unwrap();
        // The loopback interface has index 1.
        let answers = route.ask(GET_LINK, Extent::One, &link(1)).unwrap();
        assert_eq!(answers.len(), 1);
        assert_eq!(Attributes(&answers[0][16..]).get(3).map(|name| name.text()), Some("lo".to_owned()));
        let all = route.ask(GET_LINK, Extent::All, &link(0)).unwrap();
        assert!(all.iter().any(|link| link[4] == 1));
        route.ask(GET_LINK, Extent::One, &link(0)).unwrap_err();
    }

    #[test]
    fn an_answer_that_never_comes_is_an_error_and_does_not_confuse_the_next() {
        let mut route = Protocol::route().unwrap();
        // Neither a dump nor acknowledged: the answer itself is the last word, and it does not end the gathering.
        let began = Instant::now();
        let late = route.ask_with(GET_LINK, 0, &link(1)).unwrap_err();
        assert!(late.contains("no answer within 2 s") && began.elapsed() < ANSWER_WITHIN * 2, "{late}");
        assert_eq!(route.ask(GET_LINK, Extent::One, &link(1)).unwrap().len(), 1);
    }
}
