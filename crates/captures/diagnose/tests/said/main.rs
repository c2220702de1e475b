//! What is said of captures, from their octets on.

mod below_tcp;
mod copies;
mod dead;
mod gaps;
mod host;
mod lost_on_air;
mod monitor;
mod receiver;
mod standstill;
mod too_little;

use airloom_diagnose::{Diagnosis, Evidence};
use airloom_trace::Capture;
use std::io::Cursor;
use std::path::{Path, PathBuf};

/// What is said of a pcap file with these records of a link type (1: Ethernet, 127: radiotap).
fn diagnosis(link_type: u32, records: &[u8]) -> Diagnosis {
    diagnosis_under(&["only.pcap"], link_type, records)
}

/// The same of a file that is given under several names.
fn diagnosis_under(names: &[&str], link_type: u32, records: &[u8]) -> Diagnosis {
    let head = [0xa1b2_c3d4_u32, 0x0004_0002, 0, 0, 65_535, link_type];
    let file: Vec<u8> = head.into_iter().flat_map(u32::to_le_bytes).chain(records.iter().copied()).collect();
    let open = |_: &Path| Capture::new(Box::new(Cursor::new(file.clone())));
    let paths: Vec<_> = names.iter().map(PathBuf::from).collect();
    Diagnosis::of(&mut Evidence::read(&paths, open).unwrap())
}
