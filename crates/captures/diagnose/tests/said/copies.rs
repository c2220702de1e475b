//! A capture that is given twice.

use crate::diagnosis_of;
use crate::host::Host;

/// The records of a capture, each cut behind so many octets.
fn cut(mut records: &[u8], kept: usize) -> Vec<u8> {
    let mut octets = Vec::new();
    while let Some((head, rest)) = records.split_at_checked(16) {
        let length = u32::from_le_bytes([head[8], head[9], head[10], head[11]]) as usize;
        let (frame, behind) = rest.split_at(length);
        let frame = &frame[..length.min(kept)];
        octets.extend([&head[..8], &(frame.len() as u32).to_le_bytes(), &head[12..], frame].concat());
        records = behind;
    }
    octets
}

#[test]
fn a_copy_under_another_name_is_left_out_and_named() {
    let mut host = Host::default();
    (0..50).for_each(|turn| host.sends(20 * turn, (turn % 2) as usize, 0x18, 100));
    let whole = ("whole.pcap", &host.octets[..]);
    let cut = cut(&host.octets, 60);
    let left_out = |files: &[(&str, &[u8])]| {
        let diagnosis = diagnosis_of(files, 1);
        let [capture] = &diagnosis.captures[..] else { panic!("one capture") };
        assert_eq!(diagnosis.connections.len(), 2, "each direction once");
        (capture.file.clone(), capture.also.clone())
    };
    let named = |file: &str, also: &[&str]| (file.to_owned(), also.iter().map(ToString::to_string).collect());
    assert_eq!(left_out(&[whole, ("copy.pcap", whole.1)]), named("whole.pcap", &["copy.pcap"]));
    // Whichever is given first, the one is kept of which more is there.
    assert_eq!(left_out(&[whole, ("cut.pcap", &cut)]), named("whole.pcap", &["cut.pcap"]));
    assert_eq!(left_out(&[("cut.pcap", &cut), whole]), named("whole.pcap", &["cut.pcap"]));
}
