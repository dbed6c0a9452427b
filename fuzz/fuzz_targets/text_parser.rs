//! Any text: the parser answers, and what it accepts prints and reads back.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| reconverge_testing::fuzz::text_parser(bytes));
