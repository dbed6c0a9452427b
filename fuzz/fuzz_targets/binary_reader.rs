//! Any bytes as the binary form: the reader answers, and what it accepts is written and reads back.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| reconverge_testing::fuzz::binary_reader(bytes));
