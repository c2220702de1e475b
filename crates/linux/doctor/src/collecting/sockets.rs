//! TCP's own view of its connections: `struct tcp_info`, by the kernel's socket statistics.

use super::Lines;
use super::folder::Folder;
use airloom_netlink::{Attributes, Extent, Protocol};
use serde_json::{Map, Value, json};
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};

/// `SOCK_DIAG_BY_FAMILY`.
const BY_FAMILY: u16 = 20;
const AF_INET: u8 = 2;
const AF_INET6: u8 = 10;
const IPPROTO_TCP: u8 = 6;
/// Established connections, `1 << TCP_ESTABLISHED`.
const ESTABLISHED: u32 = 1 << 1;
/// `INET_DIAG_INFO` and `INET_DIAG_CONG`, and the bits that ask for them.
const INFO: u16 = 2;
const CONGESTION: u16 = 4;
const ASKED: u8 = 1 << (INFO - 1) | 1 << (CONGESTION - 1);
/// Lengths of `struct inet_diag_req_v2` and `struct inet_diag_msg`.
const REQUEST: usize = 56;
const MESSAGE: usize = 72;
/// Connections that are recorded in one look, at most.
const MOST: usize = 200;

/// A recording that goes on, in `sockets.jsonl`.
pub(super) struct Sockets {
    kernel: Protocol,
    lines: Lines,
    looks: usize,
    failed: Option<String>,
}

impl Sockets {
    /// Begins.
    pub(super) fn begin(folder: &Folder) -> Result<Self, String> {
        let lines = Lines::create(folder, "sockets.jsonl")?;
        Ok(Self { kernel: Protocol::sockets()?, lines, looks: 0, failed: None })
    }

    /// Looks at all established connections.
    pub(super) fn look(&mut self) -> Result<(), String> {
        for family in [AF_INET, AF_INET6] {
            let mut request = [0; REQUEST];
            request[..4].copy_from_slice(&[family, IPPROTO_TCP, ASKED, 0]);
            request[4..8].copy_from_slice(&ESTABLISHED.to_ne_bytes());
            match self.kernel.ask(BY_FAMILY, Extent::All, &request) {
                Ok(answers) => {
                    for connection in answers.iter().filter_map(|answer| connection(answer)).take(MOST) {
                        self.lines.write(connection)?;
                    }
                }
                // What a kernel without IPv6 says is not of interest.
                Err(because) if family == AF_INET => self.failed = Some(because),
                Err(_) => {}
            }
        }
        self.looks += 1;
        Ok(())
    }

    /// How often it has looked.
    pub(super) fn looks(&self) -> usize {
        self.looks
    }

    /// What is missing.
    pub(super) fn missing(&self) -> Option<String> {
        self.failed.as_ref().map(|because| format!("TCP's connections: {because}"))
    }
}

/// A connection, unless it stays within the machine.
fn connection(message: &[u8]) -> Option<Value> {
    let address = |at: usize, port: usize| -> Option<SocketAddr> {
        let octets: [u8; 16] = message.get(at..at + 16)?.try_into().ok()?;
        let ip = match message[0] {
            AF_INET => IpAddr::V4(Ipv4Addr::from(*octets.first_chunk::<4>()?)),
            _ => IpAddr::V6(Ipv6Addr::from(octets)),
        };
        Some(SocketAddr::new(ip, u16::from_be_bytes(message.get(port..port + 2)?.try_into().ok()?)))
    };
    // struct inet_diag_msg: family, state, timer and retransmissions, then the ports, source and destination.
    let (local, peer) = (address(8, 4)?, address(24, 6)?);
    if peer.ip().is_loopback() {
        return None;
    }
    let told = Attributes(message.get(MESSAGE..)?);
    let mut object = json!({
        "local": local.to_string(),
        "peer": peer.to_string(),
        "congestion": told.get(CONGESTION).map(|name| name.text()),
    });
    object.as_object_mut()?.append(&mut info(told.get(INFO)?.payload));
    Some(object)
}

/// Members of `struct tcp_info`: name, place and length (include/uapi/linux/tcp.h). Kernels add to its end only.
const MEMBERS: [(&str, usize, usize); 24] = [
    ("ca_state", 1, 1),
    ("rto_us", 8, 4),
    ("snd_mss", 16, 4),
    ("unacked", 24, 4),
    ("sacked", 28, 4),
    ("lost", 32, 4),
    ("retrans", 36, 4),
    ("rtt_us", 68, 4),
    ("rttvar_us", 72, 4),
    ("snd_ssthresh", 76, 4),
    ("snd_cwnd", 80, 4),
    ("reordering", 88, 4),
    ("rcv_space", 96, 4),
    ("total_retrans", 100, 4),
    ("pacing_rate", 104, 8),
    ("bytes_acked", 120, 8),
    ("bytes_received", 128, 8),
    ("notsent_bytes", 144, 4),
    ("min_rtt_us", 148, 4),
    ("delivery_rate", 160, 8),
    ("busy_us", 168, 8),
    ("rwnd_limited_us", 176, 8),
    ("sndbuf_limited_us", 184, 8),
    ("reord_seen", 220, 4),
];

fn info(octets: &[u8]) -> Map<String, Value> {
    let number = |at: usize, length: usize| -> Option<u64> {
        let octets = octets.get(at..at + length)?;
        Some(match length {
            1 => octets[0].into(),
            4 => u32::from_ne_bytes(octets.try_into().ok()?).into(),
            _ => u64::from_ne_bytes(octets.try_into().ok()?),
        })
    };
    let members = MEMBERS.into_iter();
    members.filter_map(|(name, at, length)| Some((name.to_owned(), number(at, length)?.into()))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::net::{TcpListener, TcpStream};

    #[test]
    fn the_kernels_view_of_a_connection_is_read() {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let stream = TcpStream::connect(listener.local_addr().unwrap()).unwrap();
        let mut kernel = Protocol::sockets().unwrap();
        let mut request = [0; REQUEST];
        request[..4].copy_from_slice(&[AF_INET, IPPROTO_TCP, ASKED, 0]);
        request[4..8].copy_from_slice(&ESTABLISHED.to_ne_bytes());
        let answers = kernel.ask(BY_FAMILY, Extent::All, &request).unwrap();
        let port = stream.local_addr().unwrap().port();
        let ours = answers.iter().find(|answer| answer[4..6] == port.to_be_bytes()).unwrap();
        assert_eq!(connection(ours), None, "it stays within the machine");
        let seen = info(Attributes(&ours[MESSAGE..]).get(INFO).unwrap().payload);
        // RFC 6928, and the loopback interface's segments.
        assert_eq!(seen["snd_cwnd"], 10);
        assert!(seen["snd_mss"].as_u64().unwrap() > 500 && seen["rto_us"].as_u64().unwrap() >= 200_000);
        assert_eq!((seen["total_retrans"].as_u64(), seen["bytes_received"].as_u64()), (Some(0), Some(0)));
    }

    #[test]
    fn what_an_older_kernel_does_not_tell_is_left_out() {
        assert!(info(&[0; 104]).contains_key("snd_cwnd") && !info(&[0; 104]).contains_key("min_rtt_us"));
        assert!(info(&[]).is_empty());
    }
}
