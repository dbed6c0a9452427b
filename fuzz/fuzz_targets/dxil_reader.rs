//! Any bytes: the DXIL reader answers, and what it accepts is printed and has its views computed.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| reconverge_testing::fuzz::dxil_reader(bytes));
