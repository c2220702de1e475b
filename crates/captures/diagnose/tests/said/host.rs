//! What captures of hosts hold, for tests.

use airloom_diagnose::Diagnosis;

/// A capture of connections of a client at that, on Ethernet.
#[derive(Default)]
pub(crate) struct Host {
    /// The records.
    pub(crate) octets: Vec<u8>,
    /// The next octet of each end of the connection at hand: the client's and the server's.
    pub(crate) next: [u32; 2],
    /// Its number.
    pub(crate) connection: u16,
    /// The server's port; 80 if it is 0.
    pub(crate) server_port: u16,
    /// The clock value and the echo of what is sent (RFC 7323), if it has any.
    pub(crate) stamps: Option<[u32; 2]>,
}

impl Host {
    /// A segment of an end at so many milliseconds, with its flags and so many octets of payload.
    pub(crate) fn sends(&mut self, at_ms: u32, end: usize, flags: u8, payload: usize) {
        let packet = self.packet(end, flags, payload);
        let macs = if end == 0 {
            [2, 0, 0, 0, 0, 2, 2, 0, 0, 0, 0, 1]
        } else {
            [2, 0, 0, 0, 0, 1, 2, 0, 0, 0, 0, 2]
        };
        record(&mut self.octets, 1000 * at_ms, &[&macs[..], &[8, 0], &packet].concat());
    }

    /// The packet of the Internet Protocol that has a segment of an end.
    pub(crate) fn packet(&mut self, end: usize, flags: u8, payload: usize) -> Vec<u8> {
        let hosts = [[10, 0, 0, 1], [10, 0, 0, 2]];
        let ports: [u16; 2] =
            [40_000 + self.connection, if self.server_port == 0 { 80 } else { self.server_port }];
        let octets = |one: u16| one.to_be_bytes();
        let option = self.stamps.map_or_else(Vec::new, |[value, echo]| {
            [&[1, 1, 8, 10][..], &value.to_be_bytes(), &echo.to_be_bytes()].concat()
        });
        let length = octets((40 + option.len() + payload) as u16);
        let [own, other] = [end, 1 - end];
        let ip =
            [&[0x45, 0][..], &length, &[0, 0, 0x40, 0, 64, 6, 0, 0], &hosts[own], &hosts[other]].concat();
        let mut tcp = [octets(ports[own]), octets(ports[other])].concat();
        tcp.extend(self.next[own].to_be_bytes());
        tcp.extend(self.next[other].to_be_bytes());
        let words = 5 + option.len() as u8 / 4;
        tcp.extend([words << 4, flags, 0xff, 0xff, 0, 0, 0, 0]);
        tcp.extend(option);
        self.next[own] += payload as u32 + u32::from(flags & 2 != 0);
        [ip, tcp, vec![7; payload]].concat()
    }

    /// What is found in the capture.
    pub(crate) fn diagnosis(self) -> Diagnosis {
        crate::diagnosis(1, &self.octets)
    }
}

/// Puts a record behind others, stamped at so many microseconds.
pub(crate) fn record(octets: &mut Vec<u8>, at_us: u32, frame: &[u8]) {
    let length = frame.len() as u32;
    for word in [at_us / 1_000_000, at_us % 1_000_000, length, length] {
        octets.extend(word.to_le_bytes());
    }
    octets.extend(frame);
}
