//! The crate judged by octets that are not its own: worked by hand from the standards, written by other tools, and read
//! back by other tools; and by properties that must hold for any octets.

mod etherparse;
mod foreign;
mod golden;
mod golden_capture;
mod robustness;
mod roundtrip;
mod strategies;
mod tshark;

/// Octets from hexadecimal text; white space is for the reader.
fn hex(text: &str) -> Vec<u8> {
    let digits: Vec<u32> =
        text.chars().filter(|c| !c.is_whitespace()).map(|c| c.to_digit(16).unwrap()).collect();
    assert!(digits.len().is_multiple_of(2));
    digits.chunks(2).map(|pair| (pair[0] * 16 + pair[1]) as u8).collect()
}

/// What `emit` appends.
fn emitted(emit: impl FnOnce(&mut Vec<u8>)) -> Vec<u8> {
    // Offsets must be counted from where emission began, not from the start of the caller's buffer.
    let before = [0xee; 3];
    let mut out = before.to_vec();
    emit(&mut out);
    assert_eq!(out[..3], before);
    out.split_off(3)
}
