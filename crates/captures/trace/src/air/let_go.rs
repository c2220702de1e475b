//! PPDUs that waited for what a far end sent, and not for the air: they begin the shortest round trip of their link behind the acknowledgment that let their data go.

use crate::{Frame, Packet, Transport};
use hdrhistogram::Histogram;
use std::collections::VecDeque;
use std::net::SocketAddr;

/// The most clock values of a radio whose echo is waited for; the oldest make room for newer ones.
const MOST: usize = 512;
/// Round trips this much longer than the shortest are as long: clock values are whole milliseconds (Linux 6.6, `tcp_time_stamp` of tcp.h), in microseconds.
const AS_SHORT_US: u64 = 1000;
/// Longer round trips are none to wait for, in microseconds.
const LONGEST_US: u64 = 10_000_000;
/// Significant digits of a round trip.
const DIGITS: u8 = 3;

/// A clock value (RFC 7323) of TCP from one end to another, and when it first passed.
#[derive(Clone, Copy, Debug)]
struct Passed {
    ends: [SocketAddr; 2],
    value: u32,
    at_ns: u64,
}

/// Clock values that passed one way over a link, by which those that come back show how long their round trip took.
#[derive(Clone, Debug, Default)]
pub(super) struct Clocks(VecDeque<Passed>);

impl Clocks {
    /// A frame passed.
    pub(super) fn passed(&mut self, at_ns: u64, frame: &Frame) {
        let Some((ends, [value, _])) = frame.packet.as_ref().and_then(stamps) else { return };
        let known = self.0.iter().rev().find(|one| one.ends == ends);
        if known.is_some_and(|one| value.wrapping_sub(one.value) as i32 <= 0) {
            return;
        }
        if self.0.len() == MOST {
            self.0.pop_front();
        }
        self.0.push_back(Passed { ends, value, at_ns });
    }

    /// How long ago the value passed that a PPDU's first frame is the first to echo, as the PPDU begins; none if it is not the first, or echoes none that is known.
    pub(super) fn echoed(&mut self, begin_ns: u64, frame: &Frame) -> Option<u64> {
        let ([from, to], [_, echo]) = frame.packet.as_ref().and_then(stamps)?;
        let place = self.0.iter().position(|one| one.ends == [to, from] && one.value == echo)?;
        let passed_ns = self.0[place].at_ns;
        // What the same end sent before it has its echo in it.
        let mut at = 0;
        self.0.retain(|one| {
            at += 1;
            at > place + 1 || one.ends != [to, from]
        });
        begin_ns.checked_sub(passed_ns)
    }
}

/// The ends of a packet of TCP, and its clock value with the echo in it.
fn stamps(packet: &Packet) -> Option<([SocketAddr; 2], [u32; 2])> {
    let Transport::Tcp(segment) = &packet.transport else { return None };
    let (header, stamps) = (&segment.header, segment.header.options.timestamps?);
    let ends = [(packet.src, header.src_port), (packet.dst, header.dst_port)];
    Some((ends.map(SocketAddr::from), [stamps.value, stamps.echo]))
}

/// Round trips from the air to the far end and back that ended with PPDUs.
#[derive(Clone, Debug, Default)]
pub(super) struct LetGo {
    /// In microseconds, of those that did not begin as soon as they could: how many there are, and for how many microseconds nothing was heard before them. None until there is one.
    late: Option<Box<[Histogram<u64>; 2]>>,
    least_us: Option<u64>,
}

impl LetGo {
    /// A PPDU began so long behind what it is the first to echo, and behind the last PPDU of any kind, both in nanoseconds; `pressed`: it began as soon as it could.
    pub(super) fn came(&mut self, trip_ns: u64, idle_ns: u64, pressed: bool) {
        let trip_us = (trip_ns / 1000).max(1);
        if trip_us > LONGEST_US {
            return;
        }
        self.least_us = Some(self.least_us.map_or(trip_us, |least| least.min(trip_us)));
        if pressed {
            return;
        }
        let counts = || Histogram::new(DIGITS).expect("three digits are allowed");
        let [ppdus, idle] = &mut **self.late.get_or_insert_with(|| Box::new([counts(), counts()]));
        for (noted, many) in [(ppdus, 1), (idle, idle_ns / 1000)] {
            noted.record_n(trip_us, many).expect("it grows with its greatest value");
        }
    }

    /// PPDUs that did not begin as soon as they could since their data had only just come, the shortest round trip behind what let it go; and for how long nothing was heard before
    /// them, in nanoseconds.
    pub(super) fn ppdus(&self) -> (u64, u64) {
        let (Some(late), Some(least)) = (&self.late, self.least_us) else { return (0, 0) };
        let [ppdus, idle_us] = [0, 1].map(|which| late[which].count_between(0, least + AS_SHORT_US));
        (ppdus, idle_us.saturating_mul(1000))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::link::frame_of;

    /// A frame of a segment without payload between two hosts, the server's or the station's, with a clock value and an echo.
    fn frame(from_server: bool, value: u32, echo: u32) -> Frame {
        let (mac, way) = ([2, 0, 0, 0, 0, 1], if from_server { 2 } else { 1 });
        let header = [&[8, way, 0, 0][..], &mac, &mac, &mac, &[0, 0]].concat();
        let llc = [0xaa, 0xaa, 3, 0, 0, 0, 8, 0];
        let hosts = [[10, 0, 0, 1], [10, 0, 0, 2]];
        let [src, dst] = if from_server { hosts } else { [hosts[1], hosts[0]] };
        let ip = [&[0x45, 0, 0, 52, 0, 0, 0, 0, 64, 6, 0, 0][..], &src, &dst].concat();
        let ports: [u8; 4] = if from_server { [0x13, 0x89, 0x9c, 0x40] } else { [0x9c, 0x40, 0x13, 0x89] };
        let tcp = [&ports[..], &[0; 8], &[0x80, 0x10, 1, 0, 0, 0, 0, 0, 1, 1, 8, 10]].concat();
        let octets = [&header[..], &llc, &ip, &tcp, &value.to_be_bytes(), &echo.to_be_bytes()].concat();
        frame_of(&octets)
    }

    #[test]
    fn the_first_echo_of_a_clock_value_ends_a_round_trip() {
        let mut clocks = Clocks::default();
        for (at_ms, value) in [(0, 100), (1, 100), (5, 105), (9, 109)] {
            clocks.passed(at_ms * 1_000_000, &frame(false, value, 0));
        }
        let mut echoed = |at_ms: u64, echo| clocks.echoed(at_ms * 1_000_000, &frame(true, 7, echo));
        assert_eq!(echoed(24, 100), Some(24_000_000));
        assert_eq!(echoed(26, 100), None, "a second echo");
        assert_eq!(echoed(30, 109), Some(21_000_000));
        assert_eq!(echoed(31, 105), None, "a later one passed before");
        assert_eq!(echoed(31, 111), None, "none that passed");
    }

    #[test]
    fn what_comes_a_shortest_round_trip_behind_its_acknowledgment_did_not_wait_for_the_air() {
        let mut let_go = LetGo::default();
        for (trip_us, pressed) in [(24_100, false), (24_900, false), (24_050, true), (30_000, false)] {
            let_go.came(trip_us * 1000, 20_000_000, pressed);
        }
        assert_eq!(let_go.ppdus(), (2, 40_000_000));
    }
}
