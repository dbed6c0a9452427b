//! Reconverge and spirt on the same graphs, in one table.
//!
//! `cd benches && cargo run --release` (about five minutes on two cores, most of them spent in the validator). Every graph is
//! fleshed out into a Vulkan compute shader without merge instructions, which both structurizers get as SPIR-V bytes. What is
//! measured is measured on the SPIR-V bytes that come out, by code that belongs to neither: blocks, phis, nesting, and whether
//! `spirv-val` accepts them. Times are those of the whole way from bytes to bytes, best of three; they are for comparison within a
//! row. spirt recurses along the graph, so everything runs on a thread with a stack large enough for it.

mod contestant;
mod measure;
mod sets;
mod statistics;

use contestant::Contestant;
use sets::Set;
use statistics::{Row, print_header};

/// For spirt: it recurses over the length of a graph.
const STACK_BYTES: usize = 2 << 30;

fn main() {
    let thread = std::thread::Builder::new().stack_size(STACK_BYTES).spawn(|| {
        print_header();
        for set in Set::all() {
            for contestant in Contestant::ALL {
                println!("{}", Row::measure(&set, contestant));
            }
        }
    });
    thread.expect("the machine gives a thread").join().expect("the bench does not panic");
}
