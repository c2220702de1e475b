//! The kernel's side, over netlink: scans as they start and end, aborting one, the signal, the bytes moved.

use neli::consts::nl::{GenlId, NlmF};
use neli::consts::nl80211::Nl80211Command as Command;
use neli::consts::rtnl::{Ifla, RtAddrFamily, Rtm};
use neli::consts::socket::NlFamily;
use neli::genl::{AttrTypeBuilder, Genlmsghdr, GenlmsghdrBuilder, NlattrBuilder, NoUserHeader};
use neli::nl::{NlPayload, Nlmsghdr, NlmsghdrBuilder};
use neli::router::synchronous::NlRouter;
use neli::rtnl::{Ifinfomsg, IfinfomsgBuilder};
use neli::socket::synchronous::NlSocketHandle;
use neli::types::GenlBuffer;
use neli::utils::Groups;
use std::fmt::Display;
use std::fs;
use std::thread;

/// `NL80211_ATTR_IFINDEX`.
const IFINDEX: u16 = 3;
/// `NL80211_ATTR_STA_INFO`: what is known of the peer.
const STA_INFO: u16 = 21;
/// `NL80211_ATTR_SCAN_FREQUENCIES`: the channels of a scan, one nested attribute each.
const SCAN_FREQUENCIES: u16 = 44;
/// `NL80211_STA_INFO_SIGNAL` and `NL80211_STA_INFO_SIGNAL_AVG`, both in dBm as one signed octet.
const SIGNAL: u16 = 7;
const SIGNAL_AVG: u16 = 13;

type Message = Genlmsghdr<Command, u16>;

/// An interface's index, as long as there is such an interface.
pub(crate) fn index_of(interface: &str) -> Option<u32> {
    let safe = !interface.contains('/') && !interface.starts_with('.');
    let path = format!("/sys/class/net/{interface}/ifindex");
    fs::read_to_string(path).ok().filter(|_| safe)?.trim().parse().ok()
}

/// What the kernel tells about scans.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ScanNews {
    /// A scan of so many channels has begun.
    Started {
        /// Zero when the kernel does not tell.
        channels: usize,
    },
    /// It has come to its end.
    Done,
    /// It was broken off.
    Aborted,
}

/// The stream of scan events of all interfaces.
pub(crate) struct ScanEvents(NlSocketHandle);

impl ScanEvents {
    /// Joins nl80211's multicast group `scan`, which needs no privilege.
    pub(crate) fn open() -> Result<Self, String> {
        let (router, _) = NlRouter::connect(NlFamily::Generic, None, Groups::empty()).map_err(say)?;
        let group = router.resolve_nl_mcast_group("nl80211", "scan").map_err(|_| NO_WIRELESS)?;
        let socket =
            NlSocketHandle::connect(NlFamily::Generic, None, Groups::new_groups(&[group])).map_err(say)?;
        Ok(Self(socket))
    }

    /// Gives `take` the index of every interface that has news, and the news, from a thread of its own, until it returns
    /// false.
    pub(crate) fn feed(self, mut take: impl FnMut(u32, ScanNews) -> bool + Send + 'static) {
        thread::spawn(move || while self.next().into_iter().all(|(link, news)| take(link, news)) {});
    }

    /// Waits for what comes next: interface index and news, in a batch.
    fn next(&self) -> Vec<(u32, ScanNews)> {
        // An error here is an overrun: events were lost, and the next will say how things stand.
        let Ok((messages, _)) = self.0.recv::<u16, Message>() else { return Vec::new() };
        messages.flatten().filter_map(|message| news(message.get_payload()?)).collect()
    }
}

fn news(message: &Message) -> Option<(u32, ScanNews)> {
    let attributes = message.attrs().get_attr_handle();
    let link = attributes.get_attr_payload_as(IFINDEX).ok()?;
    let channels =
        || attributes.get_nested_attributes::<u16>(SCAN_FREQUENCIES).map_or(0, |list| list.iter().count());
    match message.cmd() {
        Command::TriggerScan => Some((link, ScanNews::Started { channels: channels() })),
        Command::NewScanResults => Some((link, ScanNews::Done)),
        Command::ScanAborted => Some((link, ScanNews::Aborted)),
        _ => None,
    }
}

/// Requests to nl80211.
pub(crate) struct Wireless {
    socket: NlSocketHandle,
    family: u16,
    sequence: u32,
}

impl Wireless {
    /// Finds nl80211.
    pub(crate) fn open() -> Result<Self, String> {
        let (router, _) = NlRouter::connect(NlFamily::Generic, None, Groups::empty()).map_err(say)?;
        let family = router.resolve_genl_family("nl80211").map_err(|_| NO_WIRELESS)?;
        let socket = NlSocketHandle::connect(NlFamily::Generic, None, Groups::empty()).map_err(say)?;
        Ok(Self { socket, family, sequence: 0 })
    }

    /// Breaks off the scan that goes on. Needs CAP_NET_ADMIN; drivers whose firmware scans may not heed it.
    pub(crate) fn abort_scan(&mut self, link: u32) -> Result<(), String> {
        self.ask(Command::AbortScan, NlmF::ACK, link).map(|_| ())
    }

    /// The access point's signal in dBm, if the station is associated and its driver tells.
    pub(crate) fn signal(&mut self, link: u32) -> Option<i16> {
        let stations = self.ask(Command::GetStation, NlmF::DUMP, link).ok()?;
        let attributes = stations.first()?.attrs().get_attr_handle();
        let info = attributes.get_nested_attributes::<u16>(STA_INFO).ok()?;
        let octet = |kind| info.get_attr_payload_as::<u8>(kind).ok();
        octet(SIGNAL_AVG).or_else(|| octet(SIGNAL)).map(|dbm| i16::from(dbm.cast_signed()))
    }

    /// Sends a command about an interface and gathers what comes back.
    fn ask(&mut self, command: Command, flags: NlmF, link: u32) -> Result<Vec<Message>, String> {
        self.sequence += 1;
        let kind = AttrTypeBuilder::default().nla_type(IFINDEX).build().map_err(say)?;
        let about = NlattrBuilder::default().nla_type(kind).nla_payload(link).build().map_err(say)?;
        let payload = GenlmsghdrBuilder::<Command, u16, NoUserHeader>::default()
            .cmd(command)
            .version(1)
            .attrs([about].into_iter().collect::<GenlBuffer<_, _>>())
            .build()
            .map_err(say)?;
        let message = NlmsghdrBuilder::default()
            .nl_type(GenlId::from(self.family))
            .nl_flags(NlmF::REQUEST | flags)
            .nl_seq(self.sequence)
            .nl_payload(NlPayload::Payload(payload))
            .build()
            .map_err(say)?;
        self.socket.send(&message).map_err(say)?;
        gather::<Message>(&self.socket, self.sequence)
    }
}

/// Interface counters, from rtnetlink.
pub(crate) struct Counters {
    socket: NlSocketHandle,
    sequence: u32,
}

impl Counters {
    pub(crate) fn open() -> Result<Self, String> {
        let socket = NlSocketHandle::connect(NlFamily::Route, None, Groups::empty()).map_err(say)?;
        Ok(Self { socket, sequence: 0 })
    }

    /// Bytes sent and received by an interface since it was made, or `None` if there is none with this index.
    pub(crate) fn moved(&mut self, link: u32) -> Option<u64> {
        self.sequence += 1;
        let about = IfinfomsgBuilder::default()
            .ifi_family(RtAddrFamily::Unspecified)
            .ifi_index(i32::try_from(link).ok()?)
            .build()
            .ok()?;
        let message = NlmsghdrBuilder::default()
            .nl_type(Rtm::Getlink)
            .nl_flags(NlmF::REQUEST | NlmF::ACK)
            .nl_seq(self.sequence)
            .nl_payload(NlPayload::Payload(about))
            .build()
            .ok()?;
        self.socket.send(&message).ok()?;
        let links = gather::<Ifinfomsg>(&self.socket, self.sequence).ok()?;
        let attributes = links.first()?.rtattrs().get_attr_handle();
        // struct rtnl_link_stats64 begins with rx_packets, tx_packets, rx_bytes, tx_bytes.
        let stats = attributes.get_attribute(Ifla::Stats64)?.rta_payload().as_ref();
        let word = |n: usize| Some(u64::from_ne_bytes(stats.get(8 * n..8 * (n + 1))?.try_into().ok()?));
        Some(word(2)?.wrapping_add(word(3)?))
    }
}

/// Receives until the request with this number is answered: by an acknowledgement, an error or the end of a dump.
fn gather<P>(socket: &NlSocketHandle, sequence: u32) -> Result<Vec<P>, String>
where
    P: neli::Size + neli::FromBytesWithInput<Input = usize> + Clone + std::fmt::Debug,
{
    let mut found = Vec::new();
    loop {
        let (messages, _) = socket.recv::<u16, P>().map_err(say)?;
        for message in messages {
            let mut message: Nlmsghdr<u16, P> = message.map_err(say)?;
            if *message.nl_seq() != sequence {
                continue;
            }
            let done = *message.nl_type() == DONE;
            if done || matches!(message.nl_payload(), NlPayload::Ack(_)) {
                return Ok(found);
            }
            if let Some(error) = message.get_err() {
                return Err(std::io::Error::from_raw_os_error(-*error.error()).to_string());
            }
            found.extend(message.get_payload().cloned());
        }
    }
}

/// `NLMSG_DONE`, the end of a dump.
const DONE: u16 = 3;

const NO_WIRELESS: &str = "the kernel has no nl80211: is there a Wi-Fi adapter?";

fn say(error: impl Display) -> String {
    format!("netlink: {error}")
}
