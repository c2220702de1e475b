//! Octets: what a capture file, a radio and a wire carry, parsed and emitted.
//!
//! Every format is a plain `Repr`-like struct whose `emit` appends to a caller's `Vec<u8>` and whose `parse` borrows
//! from the caller's slice. Nothing an input contains can make a parser panic or loop. Nothing here allocates per packet:
//! a reader keeps a piece of its file and, of a pcapng section, a small record for each interface described.
//!
//! Two levels stand above the single headers, because they remove repetition: [`Packet`] is a whole IPv4 packet and
//! [`AirFrame`] a whole capture record of a radio, from radiotap to the frame check sequence. Both know only the
//! *length* of a simulated payload and materialise no more of it than the capture's snap length.
//!
//! ```
//! use airloom_wire::pcapng::{Interface, Record, Writer};
//! use airloom_wire::{EthernetRepr, EtherType, Ipv4Repr, LinkType, MacAddr, Packet, Payload, Protocol, TcpRepr, Transport};
//!
//! let interface = Interface { link: LinkType::ETHERNET, name: "host0", description: "", snap_len: 96 };
//! let mut writer = Writer::new(Vec::new(), "airloom")?;
//! let host0 = writer.interface(&interface)?;
//!
//! let packet = Packet {
//!     ip: Ipv4Repr::new([10, 0, 0, 1].into(), [10, 0, 0, 2].into()),
//!     transport: Transport::Tcp(TcpRepr { src_port: 5001, dst_port: 40000, ..TcpRepr::default() }),
//!     payload: Payload::Zeros(1448),
//! };
//! let mut frame = Vec::new();
//! EthernetRepr { dst: MacAddr([2, 0, 0, 0, 0, 2]), src: MacAddr([2, 0, 0, 0, 0, 1]), ethertype: EtherType::IPV4 }
//!     .emit(&mut frame);
//! let original = frame.len() + packet.emit(interface.room() - frame.len(), &mut frame)?;
//! assert_eq!((frame.len(), original), (96, 14 + 20 + 20 + 1448));
//! writer.record(&Record { interface: host0, stamp_ns: 1_500, data: &frame, original_len: 1502, comment: None })?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod air;
mod bytes;
mod capture;
pub mod checksum;
mod cooked;
mod error;
mod ethernet;
mod family;
mod five_tuple;
mod gre;
mod hdlc;
mod icmp;
pub mod ieee80211;
mod ipv4;
mod ipv6;
mod llc;
mod mac_addr;
mod nflog;
mod octets;
mod packet;
mod payload;
mod pcap;
pub mod pcapng;
mod ppi;
mod ppp;
mod prism;
pub mod radiotap;
mod snoop;
mod tcp;
mod tunnels;
mod udp;

pub use air::{AirFrame, Fcs, Mpdu};
pub use capture::{Captured, LinkType, Reader, Stop};
pub use cooked::CookedRepr;
pub use error::Error;
pub use ethernet::{EtherType, EthernetRepr};
pub use family::without_family;
pub use five_tuple::FiveTuple;
pub use hdlc::HdlcRepr;
pub use icmp::{EchoKind, EchoRepr};
pub use ipv4::{Ecn, Ipv4Repr, Protocol};
pub use ipv6::Ipv6Repr;
pub use llc::SnapRepr;
pub use mac_addr::MacAddr;
pub use nflog::logged_packet;
pub use packet::{Packet, Transport};
pub use payload::Payload;
pub use ppi::{PpiRadio, PpiRepr};
pub use ppp::PppRepr;
pub use prism::PrismRepr;
pub use radiotap::RadiotapRepr;
pub use tcp::{SackBlock, SackBlocks, TcpFlags, TcpOptions, TcpRepr, Timestamps};
pub use tunnels::session;
pub use udp::UdpRepr;
