//! Everything that nl80211 announces, in octets.

use crate::message::{DATAGRAM, Messages};
use crate::nl80211::{GENERIC_HEADER, Nl80211};
use crate::protocol::{receive, socket};
use crate::say;
use netlink_sys::Socket;
use netlink_sys::protocols::NETLINK_GENERIC;
use rustix::io::Errno;
use std::io::ErrorKind;

/// What is announced to groups of nl80211.
pub struct Events {
    socket: Socket,
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
        let family = Nl80211::open()?;
        let numbers: Vec<_> = groups.iter().filter_map(|group| family.group(group)).collect();
        let socket = socket(NETLINK_GENERIC, &numbers).map_err(say)?;
        Ok(Self { socket, datagram: vec![0; DATAGRAM] })
    }

    /// What has come since the last call; does not wait.
    pub fn take(&mut self) -> Result<Vec<Event>, String> {
        let mut events = Vec::new();
        loop {
            match receive(&self.socket, &mut self.datagram) {
                Ok(n) => events.extend(announced(&self.datagram[..n])),
                Err(e) if e.kind() == ErrorKind::WouldBlock => return Ok(events),
                // After an overrun events are lost, and the next come again.
                Err(e) if Errno::from_io_error(&e) == Some(Errno::NOBUFS) => {}
                Err(e) => return Err(say(e)),
            }
        }
    }
}

/// The announcements of a datagram.
fn announced(datagram: &[u8]) -> impl Iterator<Item = Event> {
    Messages(datagram).filter_map(|message| {
        let (header, attributes) = message.payload.split_at_checked(GENERIC_HEADER)?;
        Some(Event { command: header[0], attributes: attributes.to_vec() })
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::message::message;

    #[test]
    fn announcements_of_a_datagram_are_told_apart_and_cut_ones_end_it() {
        let one = |command, attributes: &[u8]| message(28, 0, 0, &[&[command, 1, 0, 0], attributes].concat());
        let datagram = [one(33, &[1, 2, 3, 4]), one(34, &[])].concat();
        let expected = [(33, vec![1, 2, 3, 4]), (34, vec![])];
        let events: Vec<_> = announced(&datagram).collect();
        assert_eq!(events, expected.map(|(command, attributes)| Event { command, attributes }));
        for end in 0..datagram.len() {
            assert!(announced(&datagram[..end]).count() < 2);
        }
    }
}
