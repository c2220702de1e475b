//! The example of Nomoto et al., INNOV 2017, section III.C: a retry-out index of two, seven A-MPDUs over the sequence
//! numbers 1 to 10.

use airloom_sim::{BitRate, Duration, Handle, Time};
use airloom_wifi::pseudo_retry_out::{PseudoRetryOut, Verdict};
use airloom_wifi::reorder::{Arrival, Reorder};

/// What an A-MPDU brings, damaged MPDUs marked with `!`, and what is done about each sequence number: data goes `up`, is
/// kept (`keep`) or ignored (`ignore`), a damaged MPDU is counted as so many retransmissions or is lost (`lost`).
const EXAMPLE: [(&str, [&str; 10]); 7] = [
    ("1 2! 3 4! 5", ["up", "0", "keep", "0", "keep", "", "", "", "", ""]),
    ("6! 7 8", ["", "", "", "", "", "0", "keep", "keep", "", ""]),
    ("2! 4! 9! 10!", ["", "1", "", "1", "", "", "", "", "0", "0"]),
    ("2 4! 9 10!", ["", "up", "up", "lost", "up", "", "", "", "keep", "1"]),
    ("6", ["", "", "", "", "", "up", "up", "up", "up", ""]),
    ("4! 10", ["", "", "", "3", "", "", "", "", "", "up"]),
    ("4", ["", "", "", "ignore", "", "", "", "", "", ""]),
];

#[test]
fn the_worked_example_comes_out_cell_by_cell() {
    let mut reorder = Reorder::new(Duration::from_millis(100));
    reorder.advance(1, &mut Vec::new());
    let mut remedy = PseudoRetryOut::default();
    for (n, (ampdu, row)) in (1..).zip(EXAMPLE) {
        let mut cells = [const { String::new() }; 10];
        for mpdu in ampdu.split(' ') {
            let seq: u16 = mpdu.trim_end_matches('!').parse().expect("a number");
            let mut up = Vec::new();
            remedy.heard(BitRate::from_bps(6_500_000));
            let done = if mpdu.ends_with('!') {
                match remedy.damaged(seq, true, &mut reorder, &mut up) {
                    Verdict::Counted(retransmissions) => retransmissions.to_string(),
                    Verdict::Lost => "lost".to_owned(),
                    Verdict::Incredible => "incredible".to_owned(),
                }
            } else {
                match reorder.receive(Time::ZERO, seq, Handle(u32::from(seq)), &mut up) {
                    Arrival::Accepted => "keep".to_owned(),
                    Arrival::Stale | Arrival::GivenUp => "ignore".to_owned(),
                }
            };
            cells[usize::from(seq) - 1] = done;
            for packet in up {
                cells[packet.0 as usize - 1] = "up".to_owned();
            }
        }
        assert_eq!(cells, row, "A-MPDU({n})");
    }
    assert_eq!((reorder.head(), reorder.len()), (11, 0));
}
