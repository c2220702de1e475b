//! libFuzzer on scenarios.

#![no_main]

libfuzzer_sys::fuzz_target!(|text: &str| airloom_fuzz::scenario(text));
