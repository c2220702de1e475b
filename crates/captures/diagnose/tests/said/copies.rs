//! A capture that is given twice.

use crate::diagnosis_under;
use crate::host::Host;

#[test]
fn a_copy_under_another_name_is_left_out_and_named() {
    let mut host = Host::default();
    (0..50).for_each(|turn| host.sends(20 * turn, (turn % 2) as usize, 0x18, 100));
    let diagnosis = diagnosis_under(&["one.pcap", "copy.pcap"], 1, &host.octets);
    let [capture] = &diagnosis.captures[..] else { panic!("one capture") };
    assert_eq!((capture.file.as_str(), &capture.also[..]), ("one.pcap", &["copy.pcap".to_owned()][..]));
    assert_eq!(diagnosis.connections.len(), 2, "each direction once");
}
