//! libFuzzer on TCP endpoints.

#![no_main]

libfuzzer_sys::fuzz_target!(|octets: &[u8]| airloom_fuzz::tcp(octets));
