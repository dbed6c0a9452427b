//! Any graph: structurized, it is valid and does the same.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| reconverge_testing::fuzz::structurizer(bytes));
