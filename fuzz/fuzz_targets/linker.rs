//! Any two modules: the linker answers, and valid modules give a valid one.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    reconverge_testing::fuzz::linker(bytes);
});
