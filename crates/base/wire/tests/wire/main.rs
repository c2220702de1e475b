//! The crate judged by octets that are not its own: worked by hand from the standards, written by other tools, and read
//! back by other tools; and by properties that must hold for any octets.

mod etherparse;
mod foreign;
mod golden;
mod golden_capture;
mod golden_links;
mod robustness;
mod roundtrip;
mod strategies;
mod tshark;

use airloom_wire::{LinkType, Reader, Stop};

/// Octets from hexadecimal text; white space is for the reader.
fn hex(text: &str) -> Vec<u8> {
    let digits: Vec<u32> =
        text.chars().filter(|c| !c.is_whitespace()).map(|c| c.to_digit(16).unwrap()).collect();
    assert!(digits.len().is_multiple_of(2));
    digits.chunks(2).map(|pair| (pair[0] * 16 + pair[1]) as u8).collect()
}

/// A packet of a capture file that is read to its end.
#[derive(Clone, Debug, PartialEq)]
struct Kept {
    interface: u32,
    link: LinkType,
    stamp_ns: Option<u64>,
    data: Vec<u8>,
    original_len: u32,
    comment: Option<String>,
}

/// What a reader yields of a file; that it does not even begin to read one is the only item then.
fn items(file: &[u8]) -> Vec<Result<Kept, Stop>> {
    let mut reader = match Reader::new(file) {
        Ok(reader) => reader,
        Err(stop) => return vec![Err(stop)],
    };
    let mut items = Vec::new();
    while let Some(item) = reader.next() {
        items.push(item.map(|seen| Kept {
            interface: seen.interface,
            link: seen.link,
            stamp_ns: seen.stamp_ns,
            data: seen.data.to_vec(),
            original_len: seen.original_len,
            comment: seen.comment.map(str::to_owned),
        }));
    }
    items
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
