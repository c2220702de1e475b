//! What waits between a sender's TCP and the capture in its host shows by the clock values of that TCP alone (W301).

/// A segment: when it passes in us, the end that sends it, its flags, its numbers, its clock values and its payload in octets.
type Passed = (u64, usize, u8, [u32; 2], [u32; 2], usize);

/// Its record in a file, in a frame of Ethernet.
fn record(&(at_us, end, flags, [seq, ack], stamps, payload): &Passed) -> Vec<u8> {
    let hosts = [[10, 0, 0, 1], [10, 0, 0, 2]];
    let ports: [[u8; 2]; 2] = [40_000_u16.to_be_bytes(), 80_u16.to_be_bytes()];
    let [value, echo] = stamps.map(u32::to_be_bytes);
    let length = (52 + payload as u16).to_be_bytes();
    let ip = [&[0x45, 0][..], &length, &[0, 0, 0x40, 0, 64, 6, 0, 0], &hosts[end], &hosts[1 - end]].concat();
    let tcp = [
        &ports[end][..],
        &ports[1 - end],
        &seq.to_be_bytes(),
        &ack.to_be_bytes(),
        &[0x80, flags, 0xff, 0xff, 0, 0, 0, 0, 1, 1, 8, 10],
        &value,
        &echo,
    ]
    .concat();
    let macs = [[2, 0, 0, 0, 0, 2, 2, 0, 0, 0, 0, 1], [2, 0, 0, 0, 0, 1, 2, 0, 0, 0, 0, 2]];
    let frame = [&macs[end][..], &[8, 0], &ip, &tcp, &vec![7; payload]].concat();
    let length = frame.len() as u32;
    let head = [(at_us / 1_000_000) as u32, (at_us % 1_000_000) as u32, length, length];
    head.into_iter().flat_map(u32::to_le_bytes).chain(frame).collect()
}

/// Ten seconds of a connection: 1000 octets every so many ms, which wait for `held` ms below their TCP from 2 s on, acknowledged 5 ms after they pass; by a wall clock that is set so
/// many ms ahead at 3 s.
fn sent(apart: u32, held: u32, set: u32) -> Vec<Passed> {
    sent_from(2_000, apart, held, set)
}

/// The same where they wait from so many ms on.
fn sent_from(from: u32, apart: u32, held: u32, set: u32) -> Vec<Passed> {
    let mut all = vec![
        (0, 0, 2, [0, 0], [1, 0], 0),
        (5_000, 1, 0x12, [0, 1], [5, 1], 0),
        (5_020, 0, 0x10, [1, 1], [5, 5], 0),
    ];
    let passes = |sent: u32| sent + if sent >= from { held } else { 0 };
    let mut acknowledged = Vec::new();
    for place in 0..10_000 / apart {
        let sent = 100 + place * apart;
        let (next, passes) = (1 + 1000 * place, passes(sent));
        // The last acknowledgment that had come when it was sent.
        let echo = acknowledged.iter().rev().find(|&&came| came < sent).copied().unwrap_or(5);
        all.push((1_000 * u64::from(passes) + 20, 0, 0x18, [next, 1], [sent, echo], 1000));
        all.push((1_000 * u64::from(passes + 5), 1, 0x10, [1, next + 1000], [passes + 5, sent], 0));
        acknowledged.push(passes + 5);
    }
    all.sort_by_key(|one| one.0);
    for one in all.iter_mut().filter(|one| one.0 >= 3_000_000) {
        one.0 += 1_000 * u64::from(set);
    }
    all
}

/// What W301 says: that it found something, and that it cannot tell.
fn w301(segments: &[Passed]) -> [Option<String>; 2] {
    let records: Vec<u8> = segments.iter().flat_map(record).collect();
    let told = crate::diagnosis(1, &records);
    let found = told.findings.into_iter().find(|one| one.code == "W301").map(|one| one.finding.says);
    [found, told.abstained.into_iter().find(|one| one.code == "W301").map(|one| one.because)]
}

#[test]
fn a_queue_in_the_senders_host_is_found() {
    let [found, _] = w301(&sent(5, 60, 0));
    assert!(found.is_some_and(|says| says.contains("They wait in the sender's own host")));
}

#[test]
fn one_that_stands_before_its_clock_is_known_is_found() {
    let [found, _] = w301(&sent_from(500, 5, 60, 0));
    assert!(found.is_some_and(|says| says.starts_with("In 100 % of the seconds")));
}

#[test]
fn a_clock_that_is_set_is_none() {
    assert_eq!(w301(&sent(5, 0, 2_000)), [None, None]);
}

#[test]
fn long_waits_of_too_few_packets_for_a_share_of_the_time_are_told() {
    let [found, because] = w301(&sent_from(500, 98, 700, 0));
    assert_eq!(found, None);
    let because = because.unwrap_or_default();
    assert!(because.contains("had waited for more than 7"), "{because}");
}

#[test]
fn few_packets_that_wait_there_are_no_long_round_trips() {
    assert_eq!(w301(&sent(20, 60, 0)), [None, None]);
}
