//! Rules that had too little to look at do not count as rules that looked.

use airloom_diagnose::{Diagnosis, Evidence, RULES};
use airloom_trace::Capture;
use std::io::Cursor;
use std::path::{Path, PathBuf};

/// A capture of a connection at its client, on Ethernet.
#[derive(Default)]
struct Host {
    octets: Vec<u8>,
    /// The next octet of each end: the client's and the server's.
    next: [u32; 2],
}

impl Host {
    /// A segment of an end at so many milliseconds, with its flags and so many octets of payload.
    fn sends(&mut self, at_ms: u32, end: usize, flags: u8, payload: usize) {
        let hosts = [[10, 0, 0, 1], [10, 0, 0, 2]];
        let ports: [u16; 2] = [40_000, 80];
        let octets = |one: u16| one.to_be_bytes();
        let length = octets(40 + payload as u16);
        let [own, other] = [end, 1 - end];
        let ip =
            [&[0x45, 0][..], &length, &[0, 0, 0x40, 0, 64, 6, 0, 0], &hosts[own], &hosts[other]].concat();
        let mut tcp = [octets(ports[own]), octets(ports[other])].concat();
        tcp.extend(self.next[own].to_be_bytes());
        tcp.extend(self.next[other].to_be_bytes());
        tcp.extend([0x50, flags, 0xff, 0xff, 0, 0, 0, 0]);
        self.next[own] += payload as u32 + u32::from(flags & 2 != 0);
        let macs = if end == 0 {
            [2, 0, 0, 0, 0, 2, 2, 0, 0, 0, 0, 1]
        } else {
            [2, 0, 0, 0, 0, 1, 2, 0, 0, 0, 0, 2]
        };
        let frame = [&macs[..], &[8, 0], &ip, &tcp, &vec![7; payload]].concat();
        let length = frame.len() as u32;
        for word in [at_ms / 1000, at_ms % 1000 * 1000, length, length] {
            self.octets.extend(word.to_le_bytes());
        }
        self.octets.extend(frame);
    }

    /// The rules that cannot tell, and why.
    fn silent(&self) -> Vec<(&'static str, String)> {
        let head: Vec<u8> =
            [0xa1b2_c3d4_u32, 0x0004_0002, 0, 0, 65_535, 1].into_iter().flat_map(u32::to_le_bytes).collect();
        let file = [&head[..], &self.octets].concat();
        let open = |_: &Path| Capture::new(Box::new(Cursor::new(file.clone())));
        let mut evidence = Evidence::read(&[PathBuf::from("host.pcap")], open).unwrap();
        let abstained = Diagnosis::of(&mut evidence).abstained;
        abstained.into_iter().map(|one| (one.code, one.because)).collect()
    }
}

/// Questions of 100 octets and their answers, 30 ms later, in one connection.
fn asked(times: u32) -> Host {
    let mut host = Host::default();
    host.sends(0, 0, 2, 0);
    host.sends(20, 1, 0x12, 0);
    host.sends(20, 0, 0x10, 0);
    for turn in 1..=times {
        host.sends(200 * turn, 0, 0x18, 100);
        host.sends(200 * turn + 30, 1, 0x18, 100);
        host.sends(200 * turn + 31, 0, 0x10, 0);
    }
    host
}

#[test]
fn a_rule_with_less_than_it_takes_to_find_something_has_not_looked() {
    let silent = asked(11).silent();
    let looked: Vec<_> =
        RULES.iter().map(|rule| rule.code).filter(|code| silent.iter().all(|(one, _)| one != code)).collect();
    assert_eq!(looked, ["W303", "W306", "W404", "W406", "W407", "W408"], "{silent:#?}");
    // That of the handshake is one more.
    let because = |code| &silent.iter().find(|(one, _)| *one == code).unwrap().1;
    assert_eq!(
        because("W109"),
        "too little data: no more than 12 round trips of single packets between two hosts, of 20 that it takes"
    );
    assert_eq!(because("W301"), "too little data: no flow of 100 kB or more");
    assert_eq!(because("W307"), "too little data: no packet with more than 1160 octets of payload");
    // With more of them it has.
    assert!(asked(40).silent().iter().all(|(code, _)| *code != "W109"));
}
