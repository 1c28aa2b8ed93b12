#![no_main]

libfuzzer_sys::fuzz_target!(|octets: &[u8]| sevenbit_fuzz::must_hold("view", octets));
