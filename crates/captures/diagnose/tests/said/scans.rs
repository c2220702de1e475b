//! A host that asks very many ports of another.

use crate::host::Host;

const CLIENT: usize = 0;
const SERVER: usize = 1;

/// What is said where a client asks so many ports: every tenth is open, the one behind it refuses; how many attempts have an entry, and the scan's ports, silent, refused, open and unacknowledged ones.
fn scanned(ports: u16) -> (usize, Vec<[usize; 5]>) {
    let mut host = Host::default();
    for port in 0..ports {
        (host.server_port, host.next) = (1000 + port, [0, 0]);
        host.sends(10 * u32::from(port), CLIENT, 2, 0);
        match port % 10 {
            0 => host.sends(10 * u32::from(port) + 5, SERVER, 0x12, 0),
            1 => host.sends(10 * u32::from(port) + 5, SERVER, 0x14, 0),
            _ => {}
        }
    }
    host.sends(10_000, CLIENT, 2, 0);
    let diagnosis = host.diagnosis();
    let counts =
        |one: &airloom_diagnose::ScanSeen| [one.ports, one.silent, one.refused, one.open, one.unacknowledged];
    (diagnosis.attempts.len(), diagnosis.scans.iter().map(counts).collect())
}

#[test]
fn very_many_ports_of_one_host_are_a_scan() {
    assert_eq!(scanned(100), (0, vec![[100, 80, 10, 10, 10]]));
    let (attempts, scans) = scanned(40);
    assert!(attempts > 30 && scans.is_empty());
}
