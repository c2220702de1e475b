//! Any calls with any numbers, in any order: none panics, which would end packetdrill, and every answer is a result or an error. Pointers
//! are null or lead somewhere, as the interface promises. One process holds one stack, so this is one test.
#![allow(unsafe_code, reason = "calls through a C interface")]

use airloom_packetdrill::abi::Interface;
use airloom_packetdrill::packetdrill_interface_init;
use airloom_sim::Stream;
use airloom_wire::{Ipv4Repr, Packet, Payload, TcpFlags, TcpOptions, TcpRepr, Timestamps, Transport};
use libc::{c_int, c_void, iovec, msghdr, sockaddr, sockaddr_in, socklen_t};
use std::mem::{MaybeUninit, zeroed};
use std::net::Ipv4Addr;
use std::ptr::{null, null_mut};

const HERE: Ipv4Addr = Ipv4Addr::new(192, 168, 0, 1);
const THERE: Ipv4Addr = Ipv4Addr::new(192, 0, 2, 1);
/// Sequences of calls, and how many calls each has: a second.
const SEQUENCES: u32 = 1000;
const CALLS: u32 = 60;

/// Something that makes calls by chance.
struct Caller {
    interface: Interface,
    random: Stream,
    /// Descriptors that calls have returned.
    fds: Vec<c_int>,
    /// The peer's port, and the last segment that left.
    peer: u16,
    last: TcpRepr,
    /// Room for whatever is read or written.
    room: Vec<u8>,
}

impl Caller {
    fn new() -> Self {
        let mut interface = MaybeUninit::uninit();
        // SAFETY: room for an interface, which is filled; no flags.
        let interface = unsafe {
            packetdrill_interface_init(null(), interface.as_mut_ptr());
            interface.assume_init()
        };
        let random = Stream::new(1, "packetdrill", "calls");
        Self { interface, random, fds: Vec::new(), peer: 0, last: TcpRepr::default(), room: vec![0; 1 << 17] }
    }

    fn up_to(&mut self, most: u32) -> u32 {
        self.random.up_to(most)
    }

    fn one_of<T: Copy>(&mut self, list: &[T]) -> T {
        list[self.up_to(list.len() as u32 - 1) as usize]
    }

    /// Small, or any.
    fn number(&mut self) -> c_int {
        match self.up_to(3) {
            0 => self.random.up_to(u32::MAX) as c_int,
            1 => self.one_of(&[-1, 0, 1, 2, c_int::MAX, c_int::MIN]),
            _ => self.up_to(5000) as c_int,
        }
    }

    fn fd(&mut self) -> c_int {
        match self.fds.len() {
            0 => -1,
            _ if self.up_to(19) == 0 => self.number(),
            count => self.fds[self.random.up_to(count as u32 - 1) as usize],
        }
    }

    /// Room for so many bytes at most, or none, and a length within it.
    fn buffer(&mut self) -> (*mut c_void, usize) {
        let count = self.up_to(100_000) as usize;
        match self.up_to(9) {
            0 => (null_mut(), count),
            1 => (null_mut(), 0),
            _ => (self.room.as_mut_ptr().cast(), count),
        }
    }

    fn address(&mut self, host: Ipv4Addr) -> sockaddr_in {
        sockaddr_in {
            sin_family: self.one_of(&[libc::AF_INET, libc::AF_INET, libc::AF_INET, libc::AF_INET6]) as u16,
            sin_port: self.one_of(&[8080_u16, 8081]).to_be(),
            sin_addr: libc::in_addr { s_addr: u32::from(host).to_be() },
            sin_zero: [0; 8],
        }
    }

    /// A packet that follows from the last one that left, or any.
    fn packet(&mut self) -> Vec<u8> {
        if self.up_to(9) == 0 {
            let count = self.up_to(100);
            return (0..count).map(|_| self.up_to(255) as u8).collect();
        }
        let near = |caller: &mut Self, base: u32| match caller.up_to(4) {
            0 => caller.random.up_to(u32::MAX),
            1 => base.wrapping_add(caller.up_to(70_000)).wrapping_sub(35_000),
            _ => base,
        };
        let (next, edge) = (self.last.ack, self.last.seq.wrapping_add(self.up_to(3000)));
        let mut options = TcpOptions::default();
        if self.up_to(2) == 0 {
            options.sack.push(near(self, edge), near(self, edge));
        }
        if self.up_to(3) == 0 {
            options.timestamps = Some(Timestamps { value: self.random.up_to(u32::MAX), echo: self.up_to(9) });
        }
        options.mss = (self.up_to(3) == 0).then(|| self.random.up_to(u16::MAX.into()) as u16);
        let usual = [TcpFlags::ACK, TcpFlags::ACK, TcpFlags::SYN, TcpFlags::SYN | TcpFlags::ACK];
        let flags = if self.up_to(3) == 0 { TcpFlags(self.up_to(0x1ff) as u16) } else { self.one_of(&usual) };
        let header = TcpRepr {
            src_port: self.peer,
            dst_port: self.one_of(&[8080, 8081, self.last.src_port]),
            seq: near(self, next),
            ack: near(self, edge),
            window: self.random.up_to(u16::MAX.into()) as u16,
            flags,
            options,
            ..TcpRepr::default()
        };
        let payload = self.one_of(&[0, 0, 1, 1000]);
        segment(header, payload)
    }

    /// A connection that `peer` opens; its descriptor, or -1.
    fn accepted(&mut self, peer: u16) -> c_int {
        self.peer = peer;
        let data = null_mut();
        let at = sockaddr_in {
            sin_family: libc::AF_INET as u16,
            sin_port: 8080_u16.to_be(),
            sin_addr: libc::in_addr { s_addr: u32::from(HERE).to_be() },
            sin_zero: [0; 8],
        };
        // SAFETY: an address with its length.
        let listens = unsafe {
            let i = &self.interface;
            let fd = (i.socket)(data, libc::AF_INET, libc::SOCK_STREAM, 0);
            (i.bind)(data, fd, (&raw const at).cast(), size_of::<sockaddr_in>() as socklen_t);
            (i.listen)(data, fd, 1);
            fd
        };
        let options = TcpOptions { mss: Some(1000), sack_permitted: true, ..TcpOptions::default() };
        self.send(TcpRepr { flags: TcpFlags::SYN, options, ..self.answer() }, 0);
        while self.sniff() && self.last.dst_port != peer {}
        self.send(self.answer(), 0);
        self.fds.push(listens);
        // SAFETY: no address is wanted.
        let fd = unsafe { (self.interface.accept)(data, listens, null_mut(), null_mut()) };
        self.fds.extend(Some(fd).filter(|fd| *fd >= 0));
        fd
    }

    /// An acknowledgment of the last segment that left.
    fn answer(&self) -> TcpRepr {
        TcpRepr {
            seq: self.last.ack,
            ack: self.last.seq.wrapping_add(1),
            flags: TcpFlags::ACK,
            ..TcpRepr::default()
        }
    }

    fn send(&self, header: TcpRepr, payload: usize) {
        let bytes =
            segment(TcpRepr { src_port: self.peer, dst_port: 8080, window: 60_000, ..header }, payload);
        // SAFETY: a packet with its length.
        assert_eq!(
            unsafe { (self.interface.netdev_send)(null_mut(), bytes.as_ptr().cast(), bytes.len()) },
            0
        );
    }

    /// Takes the next segment that leaves; false if there is none.
    fn sniff(&mut self) -> bool {
        let (mut count, mut when) = (self.room.len(), 0);
        let to = self.room.as_mut_ptr().cast();
        // SAFETY: room with its length.
        let answer =
            unsafe { (self.interface.netdev_receive)(null_mut(), to, &raw mut count, &raw mut when) };
        assert_eq!(answer, 0);
        if count > 0 {
            let (_, rest) = Ipv4Repr::parse(&self.room[..count]).expect("IPv4");
            self.last = TcpRepr::parse(rest).expect("TCP").0;
        }
        count > 0
    }

    /// Makes a call that has to do with descriptors and data; true if it is well.
    fn transfer(&mut self) -> bool {
        let (data, fd, flags) = (null_mut(), self.fd(), self.one_of(&[0, libc::MSG_PEEK, libc::MSG_MORE]));
        let (at, count) = self.buffer();
        let parts = [iovec { iov_base: at, iov_len: count }; 3];
        let vectors = self.one_of(&[-1, 0, 1, 3]);
        // SAFETY: buffers with their lengths; a message without buffers has none to lead to.
        unsafe {
            let mut message: msghdr = zeroed();
            let mut control = [0_u64; 8];
            message.msg_iov = parts.as_ptr().cast_mut();
            message.msg_iovlen = vectors.max(0) as usize;
            message.msg_control = control.as_mut_ptr().cast();
            message.msg_controllen = self.one_of(&[0, 8, 64]);
            let i = &self.interface;
            let answer = match self.random.up_to(9) {
                0 => (i.read)(data, fd, at, count),
                1 => (i.readv)(data, fd, parts.as_ptr(), vectors),
                2 => (i.recv)(data, fd, at, count, flags),
                3 => (i.recvfrom)(data, fd, at, count, flags, null_mut(), null_mut()),
                4 => (i.recvmsg)(data, fd, &raw mut message, flags),
                5 => (i.write)(data, fd, at, count),
                6 => (i.writev)(data, fd, parts.as_ptr(), vectors),
                7 => (i.send)(data, fd, at, count, flags),
                8 => (i.sendto)(data, fd, at, count, flags, null(), 0),
                _ => (i.sendmsg)(data, fd, &raw const message, flags),
            };
            (-1..=3 * 100_000).contains(&answer)
        }
    }

    /// Makes a call that changes descriptors; true if it is well.
    fn manage(&mut self) -> bool {
        let (data, fd, number) = (null_mut(), self.fd(), self.number());
        let host = self.one_of(&[HERE, THERE]);
        let at = self.address(host);
        let len = self.one_of(&[0, 15, 16]) as socklen_t;
        let kind = self.one_of(&[libc::SOCK_STREAM, libc::SOCK_STREAM | libc::SOCK_NONBLOCK, number]);
        let family = self.one_of(&[libc::AF_INET, libc::AF_INET, number]);
        let what = self.up_to(11);
        // SAFETY: addresses and a number with their lengths.
        let (answer, opens) = unsafe {
            let i = &self.interface;
            let address = (&raw const at).cast::<sockaddr>();
            let mut told = at;
            let mut room = len;
            let to = (&raw mut told).cast::<sockaddr>();
            match what {
                0 | 1 => ((i.socket)(data, family, kind, libc::IPPROTO_TCP), true),
                2 => ((i.bind)(data, fd, address, len), false),
                3 => ((i.listen)(data, fd, number), false),
                4 | 5 => ((i.accept)(data, fd, to, &raw mut room), true),
                6 => ((i.connect)(data, fd, address, 16), false),
                7 => ((i.fcntl)(data, fd, libc::F_SETFL, number.into()), false),
                8 => ((i.shutdown)(data, fd, number & 3), false),
                9 => ((i.epoll_create)(data, number), true),
                10 => {
                    let mut event = libc::epoll_event { events: number as u32, u64: 1 };
                    let operation = number & 3;
                    (
                        (i.epoll_ctl)(data, fd, operation, *self.fds.last().unwrap_or(&-1), &raw mut event),
                        false,
                    )
                }
                _ => {
                    self.fds.retain(|open| *open != fd);
                    // Not one of the test's own.
                    if !(0..=2).contains(&fd) { ((i.close)(data, fd), false) } else { (0, false) }
                }
            }
        };
        if opens && answer >= 0 {
            self.fds.push(answer);
        }
        answer >= -1
    }

    /// Asks or sets something; true if it is well.
    fn ask(&mut self) -> bool {
        let (data, fd, number) = (null_mut(), self.fd(), self.number());
        let level = self.one_of(&[libc::SOL_SOCKET, libc::IPPROTO_TCP, libc::IPPROTO_IP]);
        let name = if self.up_to(1) == 0 { number } else { self.up_to(40) as c_int };
        let mut len = self.one_of(&[0, 1, 4, 280]) as socklen_t;
        let (to, what) = (self.room.as_mut_ptr().cast::<c_void>(), self.up_to(6));
        let wait = self.up_to(3000) as c_int;
        // SAFETY: room of 128 kB for whatever is told.
        let answer = unsafe {
            let i = &self.interface;
            match what {
                0 => (i.getsockopt)(data, fd, level, name, to, &raw mut len),
                1 => (i.setsockopt)(data, fd, level, name, to, len),
                2 => (i.setsockopt)(data, fd, level, name, (&raw const number).cast(), 4),
                3 => (i.ioctl)(data, fd, libc::FIONREAD, to.cast()),
                4 => {
                    let mut one = libc::pollfd { fd, events: number as i16, revents: 0 };
                    (i.poll)(data, &raw mut one, 1, wait)
                }
                5 => (i.epoll_wait)(data, fd, to.cast(), number & 7, wait),
                _ => (i.pipe)(data, to.cast())
                    .min((i.splice)(data, fd, null_mut(), fd, null_mut(), 1, 0) as c_int),
            }
        };
        answer >= -1
    }

    /// Time passes, or a packet does; true if it is well.
    fn pass(&mut self) -> bool {
        let data = null_mut();
        let packet = self.packet();
        let wait = self.random.up_to(3_000_000);
        let what = self.up_to(7);
        // SAFETY: packets with their lengths, and room for one.
        unsafe {
            let i = &self.interface;
            match what {
                0 => (i.usleep)(data, wait) == 0,
                1 => {
                    let mut now: libc::timeval = zeroed();
                    (i.gettimeofday)(data, &raw mut now, null_mut()) == 0 && now.tv_sec > 0
                }
                2 | 3 => {
                    self.sniff();
                    true
                }
                4 => (i.netdev_send)(data, null(), 0) <= 0,
                _ => (i.netdev_send)(data, packet.as_ptr().cast(), packet.len()) == 0,
            }
        }
    }
}

/// A packet from the peer.
fn segment(header: TcpRepr, payload: usize) -> Vec<u8> {
    let mut bytes = Vec::new();
    let transport = Transport::Tcp(header);
    Packet { ip: Ipv4Repr::new(THERE, HERE), transport, payload: Payload::Zeros(payload) }
        .emit(usize::MAX, &mut bytes)
        .expect("a short packet");
    bytes
}

#[test]
fn no_call_panics() {
    let mut caller = Caller::new();
    let mut accepted = 0;
    for sequence in 0..SEQUENCES {
        accepted += u32::from(caller.accepted(1024 + (sequence % 60_000) as u16) >= 0);
        for call in 0..CALLS {
            let well = match caller.up_to(3) {
                0 => caller.transfer(),
                1 => caller.manage(),
                2 => caller.ask(),
                _ => caller.pass(),
            };
            assert!(well, "sequence {sequence}, call {call}");
        }
        for fd in std::mem::take(&mut caller.fds) {
            // SAFETY: a descriptor of the stack.
            unsafe { (caller.interface.close)(null_mut(), fd) };
        }
    }
    assert_eq!(accepted, SEQUENCES);
}
