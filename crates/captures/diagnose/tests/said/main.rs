//! What is said of captures, from their octets on.

mod below_tcp;
mod copies;
mod dead;
mod gaps;
mod hopeless;
mod host;
mod lost_on_air;
mod monitor;
mod receiver;
mod scans;
mod standstill;
mod too_big;
mod too_little;

use airloom_diagnose::{Diagnosis, Evidence};
use airloom_trace::Capture;
use std::io::Cursor;
use std::path::{Path, PathBuf};

/// What is said of a pcap file with these records of a link type (1: Ethernet, 127: radiotap).
fn diagnosis(link_type: u32, records: &[u8]) -> Diagnosis {
    diagnosis_of(&[("only.pcap", records)], link_type)
}

/// The same of several files, each with its name.
fn diagnosis_of(files: &[(&str, &[u8])], link_type: u32) -> Diagnosis {
    let head = [0xa1b2_c3d4_u32, 0x0004_0002, 0, 0, 65_535, link_type].map(u32::to_le_bytes).concat();
    let open = |path: &Path| {
        let (_, records) = files.iter().find(|(name, _)| Path::new(name) == path).unwrap();
        Capture::new(Box::new(Cursor::new([&head[..], records].concat())))
    };
    let paths: Vec<_> = files.iter().map(|(name, _)| PathBuf::from(name)).collect();
    Diagnosis::of(&mut Evidence::read(&paths, open).unwrap())
}
