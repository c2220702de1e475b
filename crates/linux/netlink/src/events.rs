//! Everything that nl80211 announces, in octets.

use crate::family::nl80211;
use crate::say;
use neli::consts::socket::{Msg, NlFamily};
use neli::socket::NlSocket;
use neli::utils::Groups;
use std::io::ErrorKind;

/// Lengths of a netlink header, and of a generic one behind it.
const HEADER: usize = 16;
const GENERIC_HEADER: usize = 4;
/// The kernel makes no larger datagram (`netlink_dump`, net/netlink/af_netlink.c).
const DATAGRAM: usize = 32 << 10;

/// What is announced to groups of nl80211.
pub struct Events {
    socket: NlSocket,
    datagram: Vec<u8>,
}

/// One announcement.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Event {
    /// The command by which it goes (`enum nl80211_commands`).
    pub command: u8,
    /// Its attributes.
    pub attributes: Vec<u8>,
}

impl Events {
    /// Joins groups, such as `scan` and `mlme`, which needs no privilege.
    pub fn open(groups: &[&str]) -> Result<Self, String> {
        let family = nl80211()?;
        let numbers: Vec<_> = groups.iter().filter_map(|group| family.group(group)).collect();
        let socket = NlSocket::connect(NlFamily::Generic, None, Groups::new_groups(&numbers)).map_err(say)?;
        socket.nonblock().map_err(say)?;
        Ok(Self { socket, datagram: vec![0; DATAGRAM] })
    }

    /// What has come since the last call; does not wait.
    pub fn take(&mut self) -> Result<Vec<Event>, String> {
        let mut events = Vec::new();
        loop {
            match self.socket.recv(&mut self.datagram, Msg::empty()) {
                Ok((n, _)) => read(&self.datagram[..n], &mut events),
                Err(e) if e.kind() == ErrorKind::WouldBlock => return Ok(events),
                // After an overrun events are lost, and the next come again.
                Err(e) if rustix::io::Errno::from_io_error(&e) == Some(rustix::io::Errno::NOBUFS) => {}
                Err(e) => return Err(say(e)),
            }
        }
    }
}

/// The messages of a datagram: each has its length in front, and begins at a multiple of four octets.
fn read(mut datagram: &[u8], events: &mut Vec<Event>) {
    while let Some(&length) = datagram.first_chunk::<4>() {
        let length = u32::from_ne_bytes(length) as usize;
        let Some(message) = datagram.get(HEADER..length).filter(|message| message.len() >= GENERIC_HEADER)
        else {
            return;
        };
        events.push(Event { command: message[0], attributes: message[GENERIC_HEADER..].to_vec() });
        datagram = datagram.get(length.next_multiple_of(4)..).unwrap_or(&[]);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_of_a_datagram_are_told_apart_and_cut_ones_end_it() {
        let mut datagram = Vec::new();
        for (command, attributes) in [(33, &[1, 2, 3, 4][..]), (34, &[])] {
            datagram.extend(u32::try_from(HEADER + GENERIC_HEADER + attributes.len()).unwrap().to_ne_bytes());
            datagram.extend([0; 12]);
            datagram.extend([command, 1, 0, 0]);
            datagram.extend(attributes);
        }
        let mut events = Vec::new();
        read(&datagram, &mut events);
        let expected = [(33, vec![1, 2, 3, 4]), (34, vec![])];
        assert_eq!(events, expected.map(|(command, attributes)| Event { command, attributes }));
        for end in 0..datagram.len() {
            let mut events = Vec::new();
            read(&datagram[..end], &mut events);
            assert!(events.len() < 2);
        }
    }
}
