//! libFuzzer on single frames.

#![no_main]

libfuzzer_sys::fuzz_target!(|octets: &[u8]| airloom_fuzz::frame(octets));
