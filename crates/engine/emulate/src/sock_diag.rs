//! What a kernel tells of its TCP sockets: netlink's `sock_diag`, as `ss -tin` asks it (Linux: include/uapi/linux/inet_diag.h).

use airloom_observe::CaState;
use airloom_sim::Duration;
use std::net::{Ipv4Addr, SocketAddrV4};

/// `SOCK_DIAG_BY_FAMILY`, the type of requests and of what is told.
const BY_FAMILY: u16 = 20;
/// `NLMSG_DONE` and `NLMSG_ERROR`, which end an answer.
const ENDS: [u16; 2] = [3, 2];
/// `NLM_F_REQUEST | NLM_F_DUMP`.
const DUMP: u16 = 0x301;
const IPPROTO_TCP: u8 = 6;
/// `INET_DIAG_INFO`: a `tcp_info`.
const INFO: u16 = 2;
/// `INET_DIAG_CONG`: the name of the congestion control.
const CONGESTION: u16 = 4;
/// Both asked for.
const EXTENSIONS: u8 = 1 << (INFO - 1) | 1 << (CONGESTION - 1);
/// All states but `TCP_LISTEN`, `TCP_CLOSE` and `TCP_TIME_WAIT`, of which there is no `tcp_info`.
const STATES: u32 = 1 << 1 | 1 << 2 | 1 << 3 | 1 << 4 | 1 << 5 | 1 << 8 | 1 << 9 | 1 << 11;
/// `TCP_CLOSE`: the last that is told of a socket.
const CLOSED: u8 = 7;
/// Octets of `nlmsghdr`, `inet_diag_req_v2` and `inet_diag_msg`.
const HEADER: usize = 16;
const REQUEST: usize = 56;
const MESSAGE: usize = 72;
/// `TCP_INFINITE_SSTHRESH`.
const NO_THRESHOLD: u32 = 0x7fff_ffff;

/// `AF_INET` and `AF_INET6`; sockets of the latter may carry IPv4.
pub(crate) const FAMILIES: [u8; 2] = [2, 10];

/// A TCP socket as its kernel sees it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Socket {
    /// Its own address.
    pub local: SocketAddrV4,
    /// That of the other end.
    pub remote: SocketAddrV4,
    /// Whether this is the last of it.
    pub closed: bool,
    /// The kernel's word for its congestion control.
    pub congestion: String,
    /// Its congestion state.
    pub state: CaState,
    /// Congestion window in segments.
    pub cwnd: u32,
    /// Slow-start threshold in segments; `u32::MAX` while unset.
    pub ssthresh: u32,
    /// Segments in flight by the sender's own estimate (`tcp_packets_in_flight`).
    pub in_flight: u32,
    /// Smoothed round-trip time; zero before the first sample.
    pub srtt: Duration,
    /// Retransmission timeout.
    pub rto: Duration,
    /// Segments retransmitted so far.
    pub retransmissions: u32,
    /// Expiries of the retransmission timer so far (`tcpi_total_rto`, since Linux 6.7; zero before).
    pub timeouts: u16,
    /// Bytes acknowledged so far; SYN and FIN count as one each.
    pub acknowledged: u64,
    /// Bytes that the application wrote and that are not acknowledged.
    pub unacknowledged: u32,
    /// Bytes received in order so far; FIN counts as one.
    pub received: u64,
}

/// A request for all sockets of a family.
pub(crate) fn request(family: u8) -> [u8; HEADER + REQUEST] {
    let mut octets = [0; HEADER + REQUEST];
    octets[..4].copy_from_slice(&((HEADER + REQUEST) as u32).to_ne_bytes());
    octets[4..6].copy_from_slice(&BY_FAMILY.to_ne_bytes());
    octets[6..8].copy_from_slice(&DUMP.to_ne_bytes());
    octets[16..19].copy_from_slice(&[family, IPPROTO_TCP, EXTENSIONS]);
    octets[20..24].copy_from_slice(&STATES.to_ne_bytes());
    octets
}

/// Takes what a read gave apart: tells of each socket, and returns whether the answer ends here.
pub(crate) fn told(mut octets: &[u8], mut of: impl FnMut(Socket)) -> bool {
    while let (Some(length), Some(kind)) = (u32_at(octets, 0), u16_at(octets, 4)) {
        let length = length as usize;
        let Some(body) = octets.get(HEADER..length) else { return true };
        match kind {
            BY_FAMILY => socket(body).into_iter().for_each(&mut of),
            end if ENDS.contains(&end) => return true,
            _ => {}
        }
        octets = octets.get(length.next_multiple_of(4)..).unwrap_or_default();
    }
    false
}

/// A socket of an `inet_diag_msg` with its attributes; none without a `tcp_info`, or of IPv6.
fn socket(body: &[u8]) -> Option<Socket> {
    let family = *body.first()?;
    let end = |port, address| {
        let ip = ipv4(family, body.get(address..address + 16)?)?;
        Some(SocketAddrV4::new(ip, u16::from_be_bytes(body.get(port..port + 2)?.try_into().ok()?)))
    };
    let (local, remote) = (end(4, 8)?, end(6, 24)?);
    let (mut info, mut congestion) = (None, String::new());
    let mut rest = body.get(MESSAGE..)?;
    while let (Some(length), Some(kind)) = (u16_at(rest, 0), u16_at(rest, 2)) {
        let length = usize::from(length);
        let value = rest.get(4..length)?;
        match kind {
            INFO => info = Some(value),
            CONGESTION => congestion = name(value),
            _ => {}
        }
        rest = rest.get(length.next_multiple_of(4)..).unwrap_or_default();
    }
    let info = info?;
    let number = |at| u32_at(info, at);
    let [unacked, sacked, lost, out_again] = [24, 28, 32, 36].map(|at| number(at).unwrap_or(0));
    Some(Socket {
        local,
        remote,
        closed: *body.get(1)? == CLOSED,
        congestion,
        state: state(*info.get(1)?),
        cwnd: number(80)?,
        ssthresh: number(76).map(|limit| if limit >= NO_THRESHOLD { u32::MAX } else { limit })?,
        in_flight: unacked.saturating_add(out_again).saturating_sub(sacked.saturating_add(lost)),
        srtt: Duration::from_micros(number(68)?.into()),
        rto: Duration::from_micros(number(8)?.into()),
        retransmissions: number(100)?,
        timeouts: u16_at(info, 240).unwrap_or(0),
        acknowledged: u64_at(info, 120)?,
        unacknowledged: u32_at(body, 60)?,
        received: u64_at(info, 128)?,
    })
}

/// `enum tcp_ca_state`.
fn state(number: u8) -> CaState {
    match number {
        0 => CaState::Open,
        1 => CaState::Disorder,
        2 => CaState::Cwr,
        3 => CaState::Recovery,
        _ => CaState::Loss,
    }
}

/// An address of IPv4, which sockets of IPv6 may have as `::ffff:a.b.c.d`.
fn ipv4(family: u8, octets: &[u8]) -> Option<Ipv4Addr> {
    let octets = match (family, octets) {
        (2, [a, b, c, d, ..]) | (10, [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff, a, b, c, d]) => {
            [*a, *b, *c, *d]
        }
        _ => return None,
    };
    Some(octets.into())
}

/// A text that may end in zeros.
fn name(octets: &[u8]) -> String {
    let end = octets.iter().position(|&octet| octet == 0).unwrap_or(octets.len());
    String::from_utf8_lossy(&octets[..end]).into_owned()
}

fn u16_at(octets: &[u8], at: usize) -> Option<u16> {
    octets.get(at..at + 2)?.try_into().ok().map(u16::from_ne_bytes)
}

fn u32_at(octets: &[u8], at: usize) -> Option<u32> {
    octets.get(at..at + 4)?.try_into().ok().map(u32::from_ne_bytes)
}

fn u64_at(octets: &[u8], at: usize) -> Option<u64> {
    octets.get(at..at + 8)?.try_into().ok().map(u64::from_ne_bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A message as Linux makes it, of a socket of IPv6 that carries IPv4.
    fn message() -> Vec<u8> {
        let mut info = [0; 248];
        let mut put = |at: usize, octets: &[u8]| info[at..at + octets.len()].copy_from_slice(octets);
        put(1, &[3]);
        for (at, value) in [(8, 204_000_u32), (24, 40), (28, 10), (32, 4), (36, 2), (68, 31_000), (76, 25)] {
            put(at, &value.to_ne_bytes());
        }
        put(80, &30_u32.to_ne_bytes());
        put(100, &7_u32.to_ne_bytes());
        put(120, &1_000_000_u64.to_ne_bytes());
        put(128, &1_u64.to_ne_bytes());
        put(240, &2_u16.to_ne_bytes());
        let mut body = vec![10, 1, 0, 0];
        body.extend(40_000_u16.to_be_bytes());
        body.extend(5201_u16.to_be_bytes());
        for last in [1, 2] {
            body.extend([0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 255, 255, 10, 0, 0, last]);
        }
        body.resize(60, 0);
        body.extend(14_480_u32.to_ne_bytes());
        body.resize(MESSAGE, 0);
        body.extend([10, 0, 4, 0]);
        body.extend(b"cubic\0\0\0");
        body.extend(252_u16.to_ne_bytes());
        body.extend(2_u16.to_ne_bytes());
        body.extend(info);
        let mut octets = ((HEADER + body.len()) as u32).to_ne_bytes().to_vec();
        octets.extend(BY_FAMILY.to_ne_bytes());
        octets.resize(HEADER, 0);
        octets.extend(body);
        octets
    }

    #[test]
    fn a_socket_is_as_ss_shows_it() {
        let mut sockets = Vec::new();
        assert!(!told(&message(), |socket| sockets.push(socket)));
        let expected = Socket {
            local: SocketAddrV4::new([10, 0, 0, 1].into(), 40_000),
            remote: SocketAddrV4::new([10, 0, 0, 2].into(), 5201),
            closed: false,
            congestion: "cubic".to_owned(),
            state: CaState::Recovery,
            cwnd: 30,
            ssthresh: 25,
            in_flight: 28,
            srtt: Duration::from_millis(31),
            rto: Duration::from_millis(204),
            retransmissions: 7,
            timeouts: 2,
            acknowledged: 1_000_000,
            unacknowledged: 14_480,
            received: 1,
        };
        assert_eq!(sockets, [expected]);
    }

    #[test]
    fn an_answer_ends_with_done_or_where_it_is_cut() {
        let mut done = message();
        done.extend([16, 0, 0, 0, 3, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]);
        let mut count = 0;
        assert!(told(&done, |_| count += 1));
        assert_eq!(count, 1);
        let whole = message();
        for length in 0..whole.len() {
            told(&whole[..length], |socket| panic!("{socket:?} of {length} octets"));
        }
    }

    #[test]
    fn no_octets_make_it_panic_or_go_on_for_ever() {
        let whole = message();
        for place in 0..whole.len() {
            for value in [0, 1, 3, 255] {
                let mut octets = whole.clone();
                octets[place] = value;
                told(&octets, |_| ());
            }
        }
    }
}
