//! Any bytes: the SPIR-V reader answers, and what it accepts goes through everything after it.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| reconverge_testing::fuzz::spirv_reader(bytes));
