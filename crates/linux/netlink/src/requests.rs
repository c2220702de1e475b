//! Requests to the kernel, each with its answer.

use crate::say;
use neli::consts::nl::NlmF;
use neli::consts::socket::{Msg, NlFamily};
use neli::nl::{NlPayload, NlmsghdrBuilder};
use neli::socket::NlSocket;
use neli::types::NlBuffer;
use neli::utils::Groups;
use neli::{FromBytesWithInput, Size, ToBytes};
use std::fmt::Debug;
use std::io::{Cursor, ErrorKind};
use std::thread;
use std::time::{Duration, Instant};

/// `NLMSG_DONE`, the end of a dump.
const DONE: u16 = 3;

/// A socket for requests to one part of the kernel.
pub(crate) struct Requests {
    socket: NlSocket,
    sequence: u32,
    answer: Vec<u8>,
}

/// The kernel answers a request while it is being sent. That an answer is late means that it was lost.
const ANSWER_WITHIN: Duration = Duration::from_secs(2);
const BETWEEN_TRIES: Duration = Duration::from_millis(10);
/// The kernel makes no larger datagram for one answer (`netlink_dump`, net/netlink/af_netlink.c).
const DATAGRAM: usize = 32 << 10;

impl Requests {
    pub(crate) fn open(protocol: NlFamily) -> Result<Self, String> {
        let socket = NlSocket::connect(protocol, None, Groups::empty()).map_err(say)?;
        socket.nonblock().map_err(say)?;
        Ok(Self { socket, sequence: 0, answer: vec![0; DATAGRAM] })
    }

    /// Sends a request and gathers what comes back until it is answered: by an acknowledgement, an error or the end of a dump.
    pub(crate) fn ask<T, P, A>(&mut self, kind: T, flags: NlmF, payload: P) -> Result<Vec<A>, String>
    where
        T: neli::consts::nl::NlType + Debug,
        P: Size + ToBytes + Debug,
        A: Size + FromBytesWithInput<Input = usize> + Clone + Debug,
    {
        self.sequence += 1;
        let message = NlmsghdrBuilder::default()
            .nl_type(kind)
            .nl_flags(NlmF::REQUEST | flags)
            .nl_seq(self.sequence)
            .nl_payload(NlPayload::Payload(payload))
            .build()
            .map_err(say)?;
        let mut octets = Cursor::new(vec![0; message.padded_size()]);
        message.to_bytes(&mut octets).map_err(say)?;
        self.socket.send(octets.get_ref(), Msg::empty()).map_err(say)?;
        let late = Instant::now() + ANSWER_WITHIN;
        let mut found = Vec::new();
        loop {
            for mut message in self.receive::<A>(late)? {
                // What answers an earlier request came too late for it.
                if *message.nl_seq() != self.sequence {
                    continue;
                }
                if *message.nl_type() == DONE || matches!(message.nl_payload(), NlPayload::Ack(_)) {
                    return Ok(found);
                }
                if let Some(error) = message.get_err() {
                    return Err(std::io::Error::from_raw_os_error(-*error.error()).to_string());
                }
                found.extend(message.get_payload().cloned());
            }
        }
    }

    /// Receives one datagram, until it is too late.
    fn receive<A>(&mut self, late: Instant) -> Result<NlBuffer<u16, A>, String>
    where
        A: Size + FromBytesWithInput<Input = usize> + Debug,
    {
        loop {
            match self.socket.recv(&mut self.answer, Msg::empty()) {
                Ok((n, _)) => {
                    let octets = &self.answer[..n];
                    return NlBuffer::from_bytes_with_input(&mut Cursor::new(octets), n).map_err(say);
                }
                Err(e) if e.kind() == ErrorKind::WouldBlock && Instant::now() < late => {
                    thread::sleep(BETWEEN_TRIES);
                }
                Err(e) if e.kind() == ErrorKind::WouldBlock => {
                    return Err(say(format!("no answer within {} s", ANSWER_WITHIN.as_secs())));
                }
                Err(e) => return Err(say(e)),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use neli::consts::rtnl::{RtAddrFamily, Rtm};
    use neli::rtnl::{Ifinfomsg, IfinfomsgBuilder};

    #[test]
    fn an_answer_that_never_comes_is_an_error_and_does_not_confuse_the_next() {
        let mut requests = Requests::open(NlFamily::Route).unwrap();
        let about = || {
            IfinfomsgBuilder::default().ifi_family(RtAddrFamily::Unspecified).ifi_index(1).build().unwrap()
        };
        // Neither a dump nor acknowledged: the answer itself is the last word, and it does not end the gathering.
        let began = Instant::now();
        let late = requests.ask::<_, _, Ifinfomsg>(Rtm::Getlink, NlmF::empty(), about()).unwrap_err();
        assert!(late.contains("no answer within 2 s") && began.elapsed() < ANSWER_WITHIN * 2, "{late}");
        let next: Vec<Ifinfomsg> = requests.ask(Rtm::Getlink, NlmF::ACK, about()).unwrap();
        assert_eq!(next.len(), 1);
    }
}
