//! The library through its C interface, as packetdrill calls it. One process holds one stack, so this is one test.
#![allow(unsafe_code, reason = "calls through a C interface")]

use airloom_packetdrill::abi::Interface;
use airloom_packetdrill::packetdrill_interface_init;
use airloom_wire::{Ipv4Repr, Packet, Payload, TcpFlags, TcpOptions, TcpRepr, Transport};
use libc::{c_int, c_void, sockaddr, sockaddr_in, socklen_t};
use std::mem::{MaybeUninit, zeroed};
use std::net::Ipv4Addr;
use std::os::fd::AsRawFd;
use std::ptr::{null, null_mut};

const HERE: Ipv4Addr = Ipv4Addr::new(192, 168, 0, 1);
const THERE: Ipv4Addr = Ipv4Addr::new(192, 0, 2, 1);
const PORT: u16 = 8080;
const PEER: u16 = 40_000;

/// The interface as packetdrill holds it.
struct Tool(Interface);

impl Tool {
    fn new() -> Self {
        let mut interface = MaybeUninit::uninit();
        // SAFETY: room for an interface, which is filled; no flags.
        unsafe {
            packetdrill_interface_init(null(), interface.as_mut_ptr());
            Self(interface.assume_init())
        }
    }

    fn inject(&self, header: TcpRepr, payload: usize) {
        let packet = Packet {
            ip: Ipv4Repr::new(THERE, HERE),
            transport: Transport::Tcp(TcpRepr { src_port: PEER, dst_port: PORT, window: 60_000, ..header }),
            payload: Payload::Zeros(payload),
        };
        let mut bytes = Vec::new();
        packet.emit(usize::MAX, &mut bytes).expect("a short packet");
        // SAFETY: a packet with its length.
        let answer = unsafe { (self.0.netdev_send)(self.0.userdata, bytes.as_ptr().cast(), bytes.len()) };
        assert_eq!(answer, 0);
    }

    /// The next packet that leaves: its time in microseconds, header and length of payload; none if there will be none.
    fn sniff(&self) -> Option<(i64, TcpRepr, usize)> {
        let (mut bytes, mut when) = (vec![0_u8; 4096], 0);
        let mut count = bytes.len();
        // SAFETY: room with its length.
        let answer = unsafe {
            (self.0.netdev_receive)(self.0.userdata, bytes.as_mut_ptr().cast(), &raw mut count, &raw mut when)
        };
        assert_eq!(answer, 0);
        let (ip, rest) =
            Ipv4Repr::parse(bytes.get(..count).filter(|bytes| !bytes.is_empty())?).expect("IPv4");
        assert_eq!((ip.src, ip.dst), (HERE, THERE));
        let (header, payload) = TcpRepr::parse(rest).expect("TCP");
        Some((when, header, payload.len()))
    }

    fn now(&self) -> i64 {
        // SAFETY: room for a time.
        unsafe {
            let mut now: libc::timeval = zeroed();
            assert_eq!((self.0.gettimeofday)(self.0.userdata, &raw mut now, null_mut()), 0);
            now.tv_sec * 1_000_000 + now.tv_usec
        }
    }

    fn sleep(&self, micros: u32) {
        // SAFETY: no pointers but `userdata`.
        assert_eq!(unsafe { (self.0.usleep)(self.0.userdata, micros) }, 0);
    }

    fn write(&self, fd: c_int, bytes: usize) -> isize {
        let data = vec![0_u8; bytes];
        // SAFETY: a buffer with its length.
        unsafe { (self.0.write)(self.0.userdata, fd, data.as_ptr().cast(), bytes) }
    }

    /// A connection that a peer has opened: its descriptor and our initial sequence number.
    fn accepted(&self) -> (c_int, u32) {
        // SAFETY: addresses with their lengths; plain numbers otherwise.
        unsafe {
            let fd = (self.0.socket)(self.0.userdata, libc::AF_INET, libc::SOCK_STREAM, libc::IPPROTO_TCP);
            let at = sockaddr_in {
                sin_family: libc::AF_INET as u16,
                sin_port: PORT.to_be(),
                sin_addr: libc::in_addr { s_addr: u32::from(HERE).to_be() },
                sin_zero: [0; 8],
            };
            let at = (&raw const at).cast::<sockaddr>();
            assert_eq!((self.0.bind)(self.0.userdata, fd, at, size_of::<sockaddr_in>() as socklen_t), 0);
            assert_eq!((self.0.listen)(self.0.userdata, fd, 1), 0);
            assert_eq!((self.0.accept)(self.0.userdata, fd, null_mut(), null_mut()), -1, "nobody has called");
            let options = TcpOptions { mss: Some(1000), sack_permitted: true, ..TcpOptions::default() };
            self.inject(TcpRepr { flags: TcpFlags::SYN, options, ..TcpRepr::default() }, 0);
            let (_, answer, _) = self.sniff().expect("a SYN-ACK");
            assert_eq!((answer.flags, answer.ack), (TcpFlags::SYN | TcpFlags::ACK, 1));
            assert!(answer.options.sack_permitted && answer.options.timestamps.is_none());
            self.sleep(10_000);
            self.inject(ack(answer.seq, 1), 0);
            let mut remote: sockaddr_in = zeroed();
            let mut len = size_of::<sockaddr_in>() as socklen_t;
            let fd = (self.0.accept)(self.0.userdata, fd, (&raw mut remote).cast(), &raw mut len);
            assert_eq!((remote.sin_port, remote.sin_addr.s_addr), (PEER.to_be(), u32::from(THERE).to_be()));
            (fd, answer.seq)
        }
    }

    fn set(&self, fd: c_int, name: c_int, value: c_int) {
        let at = std::ptr::from_ref(&value).cast();
        // SAFETY: a whole number with its length.
        let set = unsafe { (self.0.setsockopt)(self.0.userdata, fd, libc::IPPROTO_TCP, name, at, 4) };
        assert_eq!(set, 0);
    }

    fn info(&self, fd: c_int) -> [u8; 280] {
        let mut bytes = [0; 280];
        let mut len = 280;
        let to = bytes.as_mut_ptr().cast::<c_void>();
        // SAFETY: room with its length.
        let answer = unsafe {
            (self.0.getsockopt)(self.0.userdata, fd, libc::IPPROTO_TCP, libc::TCP_INFO, to, &raw mut len)
        };
        assert_eq!((answer, len), (0, 280));
        bytes
    }
}

/// An acknowledgment up to `end` of our data.
fn ack(isn: u32, end: u32) -> TcpRepr {
    TcpRepr { seq: 1, ack: isn + end, flags: TcpFlags::ACK, ..TcpRepr::default() }
}

fn whole(bytes: &[u8], at: usize) -> u32 {
    u32::from_ne_bytes(bytes[at..at + 4].try_into().expect("four bytes"))
}

#[test]
fn packetdrill_opens_writes_loses_and_closes() {
    let tool = Tool::new();
    let before = tool.now();
    assert_eq!(tool.now() - before, 1, "a clock that is waited for moves");
    tool.sleep(5000);
    assert_eq!(tool.now() - before, 5001);

    let (fd, isn) = tool.accepted();
    refuses_what_leads_nowhere(&tool, fd);
    asks_by_the_c_library(&tool, fd);
    let began = tool.now();
    assert_eq!(tool.write(fd, 3000), 3000);
    for n in 0..3 {
        let (at, segment, payload) = tool.sniff().expect("data");
        assert_eq!((segment.seq, payload), (isn + 1 + 1000 * n, 1000));
        assert!(at - began <= 1, "at once");
    }
    assert_eq!((whole(&tool.info(fd), 24), whole(&tool.info(fd), 80)), (3, 10), "three out of ten segments");

    // Nothing is acknowledged. The probe repeats the last segment after two round trips of 10 ms and 2 ms, and the timeout the first
    // 10 ms and 200 ms after that.
    let (at, probe, _) = tool.sniff().expect("a probe");
    assert_eq!((probe.seq, at - began), (isn + 2001, 22_000));
    let (at, again, _) = tool.sniff().expect("a retransmission");
    assert_eq!((again.seq, at - began), (isn + 1, 22_000 + 210_000));
    let info = tool.info(fd);
    assert_eq!((info[1], whole(&info, 80)), (4, 1), "Loss, with a window of one segment");

    let mut options = TcpOptions::default();
    options.sack.push(isn + 2001, isn + 3001);
    tool.inject(TcpRepr { options, ..ack(isn, 1001) }, 0);
    let (_, again, _) = tool.sniff().expect("the second segment again");
    assert_eq!(again.seq, isn + 1001);
    tool.inject(ack(isn, 3001), 0);

    // Data that was not read is lost as the application closes, which the peer is told by a reset.
    tool.inject(ack(isn, 3001), 500);
    let (_, answer, _) = tool.sniff().expect("an acknowledgment");
    assert_eq!(answer.ack, 501);
    // SAFETY: no pointers but `userdata`.
    assert_eq!(unsafe { (tool.0.close)(tool.0.userdata, fd) }, 0);
    let (_, reset, _) = tool.sniff().expect("a reset");
    assert!(reset.flags.contains(TcpFlags::RST));
    assert_eq!(tool.sniff(), None, "it is over");
    assert_eq!(tool.write(fd, 1), -1);
    assert_eq!(std::io::Error::last_os_error().raw_os_error(), Some(libc::EBADF));
    holds_back_what_was_corked_before(&tool);
}

/// packetdrill asks for `TCP_INFO` by the C library's `getsockopt`: it is the stack's for its descriptors, and the kernel's for any
/// other.
fn asks_by_the_c_library(tool: &Tool, fd: c_int) {
    let mut told = [0; 280];
    let mut len = 280;
    // SAFETY: room with its length.
    let answer = unsafe {
        libc::getsockopt(fd, libc::IPPROTO_TCP, libc::TCP_INFO, told.as_mut_ptr().cast(), &raw mut len)
    };
    assert_eq!((answer, len), (0, 280));
    assert_eq!(told, tool.info(fd));

    let kernels = std::net::TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).expect("a socket of the kernel");
    let (mut kind, mut len): (c_int, _) = (0, 4);
    // SAFETY: room for a whole number.
    let answer = unsafe {
        let (fd, to) = (kernels.as_raw_fd(), (&raw mut kind).cast());
        libc::getsockopt(fd, libc::SOL_SOCKET, libc::SO_TYPE, to, &raw mut len)
    };
    assert_eq!((answer, kind), (0, libc::SOCK_STREAM));
}

/// A cork that was put in before there is a connection holds from the first byte on (`TCP_CORK`).
fn holds_back_what_was_corked_before(tool: &Tool) {
    let address = |at: Ipv4Addr, port: u16| sockaddr_in {
        sin_family: libc::AF_INET as u16,
        sin_port: port.to_be(),
        sin_addr: libc::in_addr { s_addr: u32::from(at).to_be() },
        sin_zero: [0; 8],
    };
    let len = size_of::<sockaddr_in>() as socklen_t;
    let (here, there) = (address(HERE, PORT), address(THERE, PEER));
    let Tool(interface) = tool;
    // SAFETY: addresses with their lengths; plain numbers otherwise.
    let fd = unsafe {
        let kind = libc::SOCK_STREAM | libc::SOCK_NONBLOCK;
        let fd = (interface.socket)(interface.userdata, libc::AF_INET, kind, libc::IPPROTO_TCP);
        tool.set(fd, libc::TCP_CORK, 1);
        let at = (&raw const here).cast();
        assert_eq!((interface.bind)(interface.userdata, fd, at, len), 0);
        let at = (&raw const there).cast();
        assert_eq!((interface.connect)(interface.userdata, fd, at, len), -1, "under way");
        fd
    };
    let (_, syn, _) = tool.sniff().expect("a SYN");
    let options = TcpOptions { mss: Some(1000), ..TcpOptions::default() };
    let flags = TcpFlags::SYN | TcpFlags::ACK;
    tool.inject(TcpRepr { seq: 0, ack: syn.seq + 1, flags, options, ..TcpRepr::default() }, 0);
    assert_eq!(tool.sniff().expect("an ACK").2, 0);
    assert_eq!((tool.write(fd, 300), tool.write(fd, 400)), (300, 400));
    tool.set(fd, libc::TCP_CORK, 0);
    assert_eq!(tool.sniff().expect("data").2, 700);
}

/// What a script may pass that leads nowhere is refused, as a kernel does.
fn refuses_what_leads_nowhere(tool: &Tool, fd: c_int) {
    let error = || std::io::Error::last_os_error().raw_os_error();
    let room = libc::iovec { iov_base: std::ptr::dangling_mut(), iov_len: isize::MAX as usize };
    let most = [room, room];
    // SAFETY: no buffer is read or written where the call is refused, and none is there where nothing is asked for.
    unsafe {
        let Tool(interface) = tool;
        let data = interface.userdata;
        assert_eq!((interface.poll)(data, std::ptr::null_mut(), 0, 0), 0);
        assert_eq!((interface.writev)(data, fd, most.as_ptr(), 0), 0);
        assert_eq!((interface.writev)(data, fd, most.as_ptr(), -1), -1);
        assert_eq!(error(), Some(libc::EINVAL));
        assert_eq!((interface.writev)(data, fd, most.as_ptr(), 2), -1);
        assert_eq!(error(), Some(libc::EINVAL));
        assert_eq!((interface.writev)(data, fd, std::ptr::null(), 1), -1);
        assert_eq!(error(), Some(libc::EFAULT));
        for (mss, expected) in [(0, 0), (87, -1), (88, 0), (32_767, 0), (32_768, -1), (-1, -1)] {
            let value: libc::c_int = mss;
            let at = std::ptr::from_ref(&value).cast();
            let set = (interface.setsockopt)(data, fd, libc::IPPROTO_TCP, libc::TCP_MAXSEG, at, 4);
            assert_eq!(set, expected, "an MSS of {mss}");
        }
    }
}
