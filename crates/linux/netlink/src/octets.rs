//! Requests in octets, for the many answers of the kernel that are read here once and have no type of their own.

use crate::family::nl80211;
use crate::requests::Requests;
use neli::consts::nl::NlmF;
use neli::consts::socket::NlFamily;
use neli::types::Buffer;

/// Length of a generic netlink header: command, version and two octets for nothing.
const GENERIC_HEADER: usize = 4;

/// How much is asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Extent {
    /// One thing, with an acknowledgement.
    One,
    /// All there are.
    All,
}

impl Extent {
    fn flags(self) -> NlmF {
        match self {
            Self::One => NlmF::ACK,
            Self::All => NlmF::DUMP,
        }
    }
}

/// One of netlink's protocols that number their own messages: rtnetlink, or that of socket statistics.
pub struct Protocol(Requests);

impl Protocol {
    /// Links, queue disciplines and the like.
    pub fn route() -> Result<Self, String> {
        Ok(Self(Requests::open(NlFamily::Route)?))
    }

    /// Statistics of sockets (`sock_diag(7)`).
    pub fn sockets() -> Result<Self, String> {
        Ok(Self(Requests::open(NlFamily::SockOrInetDiag)?))
    }

    /// Sends a message of a kind and gathers the payloads of the answer's messages.
    pub fn ask(&mut self, kind: u16, extent: Extent, payload: Vec<u8>) -> Result<Vec<Vec<u8>>, String> {
        let answers: Vec<Buffer> = self.0.ask(kind, extent.flags(), Buffer::from(payload))?;
        Ok(answers.into_iter().map(Vec::from).collect())
    }
}

/// nl80211, of which any attribute may be read.
pub struct Nl80211 {
    requests: Requests,
    family: u16,
}

impl Nl80211 {
    /// Finds nl80211, which is there as long as something for Wi-Fi is loaded.
    pub fn open() -> Result<Self, String> {
        Ok(Self { family: nl80211()?.family, requests: Requests::open(NlFamily::Generic)? })
    }

    /// Sends a command with attributes and gathers the attributes of the answer's messages.
    pub fn ask(&mut self, command: u8, extent: Extent, attributes: &[u8]) -> Result<Vec<Vec<u8>>, String> {
        let mut payload = vec![command, 1, 0, 0];
        payload.extend(attributes);
        let answers: Vec<Buffer> = self.requests.ask(self.family, extent.flags(), Buffer::from(payload))?;
        let within = |answer: Buffer| answer.as_ref().get(GENERIC_HEADER..).unwrap_or(&[]).to_vec();
        Ok(answers.into_iter().map(within).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Attributes;
    use neli::consts::rtnl::Rtm;

    #[test]
    fn octets_are_answered_as_types_are() {
        let mut route = Protocol::route().unwrap();
        // struct ifinfomsg: the loopback interface has index 1.
        let mut about = vec![0; 16];
        about[4] = 1;
        let answers = route.ask(u16::from(Rtm::Getlink), Extent::One, about).unwrap();
        assert_eq!(answers.len(), 1);
        assert_eq!(Attributes(&answers[0][16..]).get(3).map(|name| name.text()), Some("lo".to_owned()));
        let all = route.ask(u16::from(Rtm::Getlink), Extent::All, vec![0; 16]).unwrap();
        assert!(all.iter().any(|link| link[4] == 1));
        route.ask(u16::from(Rtm::Getlink), Extent::One, vec![0; 16]).unwrap_err();
    }
}
