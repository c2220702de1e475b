//! The example of Nomoto et al., INNOV 2017, section III.C: a retry-out index of two, seven A-MPDUs over the sequence
//! numbers 1 to 10.

use airloom_sim::BitRate;
use airloom_wifi::reordering::receive_script::play;

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
    let rows = play(BitRate::from_bps(6_500_000), 1, &EXAMPLE.map(|(ampdu, _)| ampdu)).expect("numbers");
    assert_eq!(rows.len(), EXAMPLE.len());
    for ((n, row), (_, cells)) in (1..).zip(&rows).zip(EXAMPLE) {
        let ours: [_; 10] =
            std::array::from_fn(|i| row.get(&(i as u16 + 1)).map_or_else(String::new, ToString::to_string));
        assert_eq!(ours, cells, "A-MPDU({n})");
    }
}

#[test]
fn on_a_fast_link_nothing_is_given_up() {
    let rows = play(BitRate::from_mbps(150), 1, &["1! 2"; 300]).expect("numbers");
    assert!(rows.iter().all(|row| !row.values().any(|done| done.to_string() == "lost")));
}

#[test]
fn a_long_good_time_leaves_no_mark() {
    for good in [100, 2000, 3000, 4096, 5000] {
        // After 5, damaged twice and then received, `good` MPDUs come in well; the next comes in damaged three times.
        let next = (6 + good) % 4096;
        let well = (5..6 + good).map(|n: u16| (n % 4096).to_string()).collect::<Vec<_>>().join(" ");
        let damaged = format!("{next}! {}", (next + 1) % 4096);
        let rows = play(BitRate::from_bps(6_500_000), 5, &["5!", "5!", &well, &damaged, &damaged, &damaged]);
        let rows = rows.expect("numbers");
        let counted: Vec<_> = rows[3..].iter().map(|row| row[&next].to_string()).collect();
        assert_eq!(counted, ["0", "1", "lost"], "{good}");
    }
}

#[test]
fn what_is_no_number_is_refused() {
    for text in ["x", "4096", "1!!", "-1"] {
        assert!(play(BitRate::from_mbps(6), 1, &[text]).is_err(), "{text}");
    }
}
