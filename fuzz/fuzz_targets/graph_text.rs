//! Any text: the reader of graphs answers, and what it accepts prints, reads back, and has a plan.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| reconverge_testing::fuzz::graph_text(bytes));
