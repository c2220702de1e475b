//! libFuzzer on capture files.

#![no_main]

libfuzzer_sys::fuzz_target!(|octets: &[u8]| airloom_fuzz::capture(octets));
