//! The outside of network devices (Linux's `tun` without packet information), one for each host, and of the machine's clock.
#![expect(clippy::disallowed_types, reason = "what is outside has a clock")]

use crate::control::{Control, Request};
use crate::live::Outside;
use crate::sock_diag::Socket;
use crate::watch::Watch;
use airloom_observe::NodeId;
use airloom_sim::{Duration, Time};
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use std::fs::File;
use std::io::{Read, Write};
use std::thread::available_parallelism;
use std::time::Instant;

/// Before a time that is nearer than this the loop spins: a process sleeps some 50 us too long (Linux's timer slack). Not on a
/// machine's only processor, which the hosts need meanwhile.
const SPIN: Duration = Duration::from_micros(70);
/// The longest packet that a device hands over, in octets.
const LONGEST: usize = 65_536;
/// How many packets are taken between two looks at whether it goes on.
const LOOK_EVERY: u32 = 64;

/// Network devices of hosts.
#[derive(Debug)]
pub struct Devices {
    hosts: Vec<(NodeId, File)>,
    watch: Watch,
    control: Control,
    /// Readable as soon as it is to end.
    stop: File,
    /// When it was first looked at.
    begin: Option<Instant>,
    /// How long it spins.
    spin: Duration,
    /// The host that is asked next.
    next: usize,
    looks: u32,
    buffer: Box<[u8]>,
}

impl Devices {
    /// Devices that do not block, by host; it ends when `stop` can be read. The clock starts as it is
    /// first looked at.
    pub fn new(hosts: Vec<(NodeId, File)>, watch: Watch, control: Control, stop: File) -> Self {
        let alone = available_parallelism().is_ok_and(|processors| processors.get() == 1);
        let spin = if alone { Duration::ZERO } else { SPIN };
        Self {
            hosts,
            watch,
            control,
            stop,
            begin: None,
            spin,
            next: 0,
            looks: 0,
            buffer: vec![0; LONGEST].into(),
        }
    }

    /// Waits until a device or the end has something; whether the end has.
    fn poll(&self, timeout: Option<Duration>) -> bool {
        let mut all: Vec<_> =
            self.hosts.iter().map(|(_, device)| PollFd::new(device, PollFlags::IN)).collect();
        all.push(PollFd::new(&self.stop, PollFlags::IN));
        let timeout = timeout.map(|time| Timespec {
            tv_sec: (time.as_nanos() / 1_000_000_000) as i64,
            tv_nsec: (time.as_nanos() % 1_000_000_000) as i64,
        });
        // An interrupted wait is a short one.
        let _ = poll(&mut all, timeout.as_ref());
        all.last().is_some_and(|stop| !stop.revents().is_empty())
    }
}

impl Outside for Devices {
    fn now(&mut self) -> Time {
        let begin = self.begin.get_or_insert_with(Instant::now);
        Time::from_nanos(begin.elapsed().as_nanos() as u64)
    }

    fn wait(&mut self, until: Option<Time>) {
        let left = until.map(|until| until.since(self.now()));
        if left.is_none_or(|left| left > self.spin) {
            self.poll(left.map(|left| left.saturating_sub(self.spin)));
        }
    }

    fn sent(&mut self) -> Option<(NodeId, Vec<u8>)> {
        for _ in 0..self.hosts.len() {
            let (node, device) = &mut self.hosts[self.next];
            if let Ok(length) = device.read(&mut self.buffer) {
                return Some((*node, self.buffer[..length].to_vec()));
            }
            self.next = (self.next + 1) % self.hosts.len();
        }
        None
    }

    fn deliver(&mut self, node: NodeId, packet: &[u8]) {
        if let Some((_, device)) = self.hosts.iter_mut().find(|(host, _)| *host == node) {
            // A device that is down takes nothing, as a network card without a driver.
            let _ = device.write(packet);
        }
    }

    fn look_again(&mut self) {
        self.watch.look();
    }

    fn socket(&mut self) -> Option<Socket> {
        self.watch.next()
    }

    fn request(&mut self) -> Option<Request> {
        self.control.next()
    }

    fn goes_on(&mut self) -> bool {
        self.looks = (self.looks + 1) % LOOK_EVERY;
        self.looks != 0 || !self.poll(Some(Duration::ZERO))
    }
}
