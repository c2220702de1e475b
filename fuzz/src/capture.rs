//! Whole files.

use crate::frame;
use airloom_diagnose::{Diagnosis, Evidence, Layers, Roams, gather};
use airloom_trace::Capture;
use airloom_wire::{Captured, Reader, Stop};
use std::io::Cursor;

/// Reads a file to its end, every packet as far up as it goes: an error is the last item, no octet is yielded twice,
/// as many records are traced, and every rule judges them.
pub fn capture(file: &[u8]) {
    let traced = traced(file);
    let Ok(mut reader) = Reader::new(file) else {
        // Only a compressed file, and what ping prints, is traced that is no capture by itself.
        let others: [&[u8]; 3] = [&[0x1f, 0x8b], b"PI", b"["];
        return assert!(traced.is_none() || others.iter().any(|start| file.starts_with(start)));
    };
    let (mut packets, mut octets, mut stop) = (0, 0, None);
    while let Some(item) = reader.next() {
        assert_eq!(stop, None, "nothing follows an error");
        match item {
            Ok(Captured { data, comment, .. }) => {
                packets += 1;
                octets += data.len() + comment.map_or(0, str::len);
                assert!(packets <= file.len() && octets <= file.len(), "each packet takes octets of its own");
                frame(data);
            }
            Err(error) => {
                let (Stop::Truncated { offset }
                | Stop::Malformed { offset, .. }
                | Stop::Unreadable { offset, .. }) = error;
                assert!(offset < file.len() as u64);
                stop = Some(error);
            }
        }
    }
    assert_eq!(traced, Some((packets, stop)));
}

/// How many records a file has, and what ends them before its end; none if it is no capture.
fn traced(file: &[u8]) -> Option<(usize, Option<Stop>)> {
    let mut capture = Capture::new(Box::new(Cursor::new(file.to_vec()))).ok()?;
    let open = || Capture::new(Box::new(Cursor::new(file.to_vec()))).ok();
    let mut evidence = Evidence::of(vec![("fuzz.pcapng".into(), open()?)]);
    let told = Diagnosis::of(&mut evidence);
    let excerpts = gather(&evidence, &told.findings, |_| open());
    assert!(excerpts.iter().all(|excerpt| excerpt.rows.len() <= 200));
    _ = Layers::of(&evidence);
    // The same beside itself: what both have, and their clocks.
    let mut both = Evidence::of(vec![("one".into(), open()?), ("other".into(), open()?)]);
    _ = Diagnosis::of(&mut both);
    _ = Roams::of(&both, |_| Capture::new(Box::new(Cursor::new(file.to_vec()))));
    let mut records = 0;
    while let Some(record) = capture.next() {
        match record {
            Ok(_) => records += 1,
            Err(stop) => return Some((records, Some(stop))),
        }
    }
    Some((records, None))
}
