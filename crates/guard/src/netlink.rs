//! The kernel's side, over netlink: scans as they start and end, aborting one, the signal, the bytes moved.

use neli::consts::genl::{CtrlAttr, CtrlAttrMcastGrp, CtrlCmd, Index};
use neli::consts::nl::{GenlId, NlmF};
use neli::consts::nl80211::Nl80211Command as Command;
use neli::consts::rtnl::{Ifla, RtAddrFamily, Rtm};
use neli::consts::socket::{Msg, NlFamily};
use neli::err::SocketError;
use neli::genl::{AttrTypeBuilder, Genlmsghdr, GenlmsghdrBuilder, NlattrBuilder, NoUserHeader};
use neli::nl::{NlPayload, NlmsghdrBuilder};
use neli::rtnl::{Ifinfomsg, IfinfomsgBuilder};
use neli::socket::NlSocket;
use neli::socket::synchronous::NlSocketHandle;
use neli::types::{GenlBuffer, NlBuffer};
use neli::utils::Groups;
use neli::{FromBytesWithInput, Size, ToBytes};
use std::fmt::{Debug, Display};
use std::fs;
use std::io::{Cursor, ErrorKind};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

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
type Control = Genlmsghdr<CtrlCmd, CtrlAttr>;

/// An interface's index, as long as there is such an interface.
pub(crate) fn index_of(interface: &str) -> Option<u32> {
    let safe = !interface.contains('/') && !interface.starts_with('.');
    let path = format!("/sys/class/net/{interface}/ifindex");
    fs::read_to_string(path).ok().filter(|_| safe)?.trim().parse().ok()
}

/// What the kernel reports about scans.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ScanNews {
    /// A scan of so many channels has begun.
    Started {
        /// Zero when the kernel does not say.
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
        let groups = Groups::new_groups(&[nl80211()?.scan]);
        Ok(Self(NlSocketHandle::connect(NlFamily::Generic, None, groups).map_err(say)?))
    }

    /// Gives `take` the index of every interface that has news, and the news, from a thread of its own: until `take` returns
    /// false, or the feed is dropped, or there can be no more news and `lost` hears why.
    pub(crate) fn feed(
        self,
        take: impl FnMut(u32, ScanNews) -> bool + Send + 'static,
        lost: impl FnOnce(String) + Send + 'static,
    ) -> Feed {
        let feed = Feed { events: Arc::new(self), ended: Arc::default() };
        let (events, ended) = (Arc::clone(&feed.events), Arc::clone(&feed.ended));
        thread::spawn(move || {
            if let Err(e) = pump(&ended, || events.next(), take) {
                lost(format!("scans are not seen: {}", say(e)));
            }
        });
        feed
    }

    /// Waits for what comes next: interface index and news, in a batch.
    fn next(&self) -> Result<Batch, SocketError> {
        let (messages, _) = self.0.recv::<u16, Message>()?;
        Ok(messages.flatten().filter_map(|message| news(message.get_payload()?)).collect())
    }
}

/// Interface index and news.
type Batch = Vec<(u32, ScanNews)>;

/// A stream of scan events, until it is dropped.
pub(crate) struct Feed {
    events: Arc<ScanEvents>,
    ended: Arc<AtomicBool>,
}

impl Drop for Feed {
    fn drop(&mut self) {
        self.ended.store(true, Ordering::Relaxed);
        // The thread waits for the kernel: it answers a request for nothing. If that cannot be sent, the thread gets an error.
        let nothing = NlmsghdrBuilder::<u16, u16>::default()
            .nl_type(NOOP)
            .nl_flags(NlmF::REQUEST | NlmF::ACK)
            .nl_payload(NlPayload::Empty)
            .build();
        let _ = nothing.map(|nothing| self.events.0.send(&nothing));
    }
}

/// Hands on what comes, until it is ended or `take` wants no more; an error if nothing more can come.
fn pump(
    ended: &AtomicBool,
    mut next: impl FnMut() -> Result<Batch, SocketError>,
    mut take: impl FnMut(u32, ScanNews) -> bool,
) -> Result<(), SocketError> {
    loop {
        let batch = match next() {
            Err(e) if !passes(&e) => return Err(e),
            other => other.unwrap_or_default(),
        };
        if ended.load(Ordering::Relaxed) || !batch.into_iter().all(|(link, news)| take(link, news)) {
            return Ok(());
        }
    }
}

/// Whether a socket goes on after an error: after an overrun events are lost, and the next says how things stand.
fn passes(error: &SocketError) -> bool {
    let SocketError::Io(e) = error else { return false };
    let errno = rustix::io::Errno::from_io_error(e);
    matches!(errno, Some(rustix::io::Errno::NOBUFS | rustix::io::Errno::INTR))
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
    requests: Requests,
    family: u16,
}

impl Wireless {
    /// Finds nl80211.
    pub(crate) fn open() -> Result<Self, String> {
        Ok(Self { family: nl80211()?.family, requests: Requests::open(NlFamily::Generic)? })
    }

    /// Breaks off the scan that goes on. Needs CAP_NET_ADMIN; drivers whose firmware scans may not heed it.
    pub(crate) fn abort_scan(&mut self, link: u32) -> Result<(), String> {
        self.ask(Command::AbortScan, NlmF::ACK, link).map(|_| ())
    }

    /// The access point's signal in dBm, if the station is associated and its driver reports it.
    pub(crate) fn signal(&mut self, link: u32) -> Result<Option<i16>, String> {
        let stations = self.ask(Command::GetStation, NlmF::DUMP, link)?;
        Ok(stations.first().and_then(signal))
    }

    /// Sends a command about an interface and gathers what comes back.
    fn ask(&mut self, command: Command, flags: NlmF, link: u32) -> Result<Vec<Message>, String> {
        let kind = AttrTypeBuilder::default().nla_type(IFINDEX).build().map_err(say)?;
        let about = NlattrBuilder::default().nla_type(kind).nla_payload(link).build().map_err(say)?;
        let payload = GenlmsghdrBuilder::<Command, u16, NoUserHeader>::default()
            .cmd(command)
            .version(1)
            .attrs([about].into_iter().collect::<GenlBuffer<_, _>>())
            .build()
            .map_err(say)?;
        self.requests.ask(GenlId::from(self.family), flags, payload)
    }
}

fn signal(station: &Message) -> Option<i16> {
    let attributes = station.attrs().get_attr_handle();
    let info = attributes.get_nested_attributes::<u16>(STA_INFO).ok()?;
    let octet = |kind| info.get_attr_payload_as::<u8>(kind).ok();
    octet(SIGNAL_AVG).or_else(|| octet(SIGNAL)).map(|dbm| i16::from(dbm.cast_signed()))
}

/// Interface counters, from rtnetlink.
pub(crate) struct Counters(Requests);

impl Counters {
    pub(crate) fn open() -> Result<Self, String> {
        Ok(Self(Requests::open(NlFamily::Route)?))
    }

    /// Bytes sent and received by an interface since it was made; an error if there is none with this index.
    pub(crate) fn moved(&mut self, link: u32) -> Result<u64, String> {
        let about = IfinfomsgBuilder::default()
            .ifi_family(RtAddrFamily::Unspecified)
            .ifi_index(i32::try_from(link).map_err(say)?)
            .build()
            .map_err(say)?;
        let links: Vec<Ifinfomsg> = self.0.ask(Rtm::Getlink, NlmF::ACK, about)?;
        links.first().and_then(moved).ok_or_else(|| say("an interface without counters"))
    }
}

fn moved(link: &Ifinfomsg) -> Option<u64> {
    let attributes = link.rtattrs().get_attr_handle();
    // struct rtnl_link_stats64 begins with rx_packets, tx_packets, rx_bytes, tx_bytes.
    let stats = attributes.get_attribute(Ifla::Stats64)?.rta_payload().as_ref();
    let word = |n: usize| Some(u64::from_ne_bytes(stats.get(8 * n..8 * (n + 1))?.try_into().ok()?));
    Some(word(2)?.wrapping_add(word(3)?))
}

/// What nl80211 is called here.
struct Nl80211 {
    family: u16,
    /// Its multicast group `scan`.
    scan: u32,
}

/// Asks the kernel for nl80211, which is there as long as something for Wi-Fi is loaded.
fn nl80211() -> Result<Nl80211, String> {
    let kind = AttrTypeBuilder::default().nla_type(CtrlAttr::FamilyName).build().map_err(say)?;
    let name = NlattrBuilder::default().nla_type(kind).nla_payload("nl80211").build().map_err(say)?;
    let payload = GenlmsghdrBuilder::<CtrlCmd, CtrlAttr, NoUserHeader>::default()
        .cmd(CtrlCmd::Getfamily)
        .version(1)
        .attrs([name].into_iter().collect::<GenlBuffer<_, _>>())
        .build()
        .map_err(say)?;
    let mut requests = Requests::open(NlFamily::Generic)?;
    let families: Vec<Control> = requests.ask(GenlId::Ctrl, NlmF::ACK, payload).map_err(|_| NO_WIRELESS)?;
    Ok(families.first().and_then(described).ok_or(NO_WIRELESS)?)
}

fn described(family: &Control) -> Option<Nl80211> {
    let attributes = family.attrs().get_attr_handle();
    let groups = attributes.get_nested_attributes::<Index>(CtrlAttr::McastGroups).ok()?;
    let scan = groups.iter().find_map(|group| {
        let group = group.get_attr_handle::<CtrlAttrMcastGrp>().ok()?;
        let name = group.get_attr_payload_as_with_len::<String>(CtrlAttrMcastGrp::Name).ok()?;
        if name == "scan" { group.get_attr_payload_as::<u32>(CtrlAttrMcastGrp::Id).ok() } else { None }
    })?;
    Some(Nl80211 { family: attributes.get_attr_payload_as(CtrlAttr::FamilyId).ok()?, scan })
}

/// Requests to the kernel, each with its answer.
struct Requests {
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
    fn open(protocol: NlFamily) -> Result<Self, String> {
        let socket = NlSocket::connect(protocol, None, Groups::empty()).map_err(say)?;
        socket.nonblock().map_err(say)?;
        Ok(Self { socket, sequence: 0, answer: vec![0; DATAGRAM] })
    }

    /// Sends a request and gathers what comes back until it is answered: by an acknowledgement, an error or the end of a dump.
    fn ask<T, P, A>(&mut self, kind: T, flags: NlmF, payload: P) -> Result<Vec<A>, String>
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

/// `NLMSG_NOOP`.
const NOOP: u16 = 1;
/// `NLMSG_DONE`, the end of a dump.
const DONE: u16 = 3;

const NO_WIRELESS: &str = "the kernel has no nl80211: is there a Wi-Fi adapter?";

fn say(error: impl Display) -> String {
    format!("netlink: {error}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_loopback_interface_has_counters_and_none_has_index_zero() {
        let mut counters = Counters::open().unwrap();
        let before = counters.moved(index_of("lo").unwrap()).unwrap();
        let socket = std::net::UdpSocket::bind("127.0.0.1:0").unwrap();
        socket.send_to(&[0; 1000], socket.local_addr().unwrap()).unwrap();
        assert!(counters.moved(index_of("lo").unwrap()).unwrap() >= before + 2000);
        counters.moved(u32::MAX >> 1).unwrap_err();
    }

    #[test]
    fn a_feed_ends_with_what_it_was_given_to() {
        let socket = NlSocketHandle::connect(NlFamily::Generic, None, Groups::empty()).unwrap();
        let (alive, ended) = std::sync::mpsc::channel::<()>();
        let lost = alive.clone();
        let take = move |_, _| alive.send(()).is_ok();
        let feed = ScanEvents(socket).feed(take, move |_| lost.send(()).unwrap());
        let wait = Duration::from_millis(100);
        assert_eq!(ended.recv_timeout(wait).unwrap_err(), std::sync::mpsc::RecvTimeoutError::Timeout);
        drop(feed);
        let end = ended.recv_timeout(Duration::from_secs(10)).unwrap_err();
        assert_eq!(
            end,
            std::sync::mpsc::RecvTimeoutError::Disconnected,
            "the thread has ended, and lost nothing"
        );
    }

    #[test]
    fn an_overrun_passes_and_other_errors_end_the_feed() {
        use rustix::io::Errno;
        let error = |errno: Errno| Err(SocketError::from(std::io::Error::from(errno)));
        let comes =
            [error(Errno::NOBUFS), error(Errno::INTR), Ok(vec![(3, ScanNews::Done)]), error(Errno::BADF)];
        let (mut comes, mut taken) = (comes.into_iter(), Vec::new());
        let take = |link, news| {
            taken.push((link, news));
            true
        };
        pump(&AtomicBool::new(false), || comes.next().unwrap(), take).unwrap_err();
        assert_eq!(taken, [(3, ScanNews::Done)]);
    }

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
