//! Compiles one module of a shape that grows. `cargo xtask instructions --compile` runs it under valgrind; by hand:
//!
//! ```text
//! growth list                       names of all shapes
//! growth SHAPE SIZE [WAY] [ROUNDS]  bytes of the SPIR-V that goes in and comes out, and milliseconds, the best of ROUNDS
//! growth SHAPE SIZE write           writes the SPIR-V that would go in
//! ```
//!
//! WAY is one of `O0`, `O1`, `Os`, and for kernels `split` (`--int64 split` at level 1) and `lavapipe`.

use std::io::Write as _;
use std::time::Instant;

use reconverge::{CompileOptions, Format, Output, compile};
use reconverge_spirv::{WriteOptions, write};
use reconverge_testing::generators::growth::{GROWTH_SHAPES, way};

/// What is measured: valgrind counts within this function alone.
#[inline(never)]
fn measured(bytes: &[u8], options: &CompileOptions) -> Output {
    compile(bytes, Format::SPIRV, Format::SPIRV, options).expect("the shape compiles")
}

fn main() {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let [name, size, rest @ ..] = &words[..] else {
        return GROWTH_SHAPES.iter().for_each(|shape| println!("{}", shape.name));
    };
    let shape = GROWTH_SHAPES.iter().find(|shape| shape.name == name).expect("SHAPE is one of the list");
    let module = shape.module(size.parse().expect("SIZE is a number"));
    let bytes = write(&module, &WriteOptions::default()).expect("it can be written");
    let chosen = rest.first().map_or("O1", String::as_str);
    if chosen == "write" {
        return std::io::stdout().write_all(&bytes).expect("somebody reads it");
    }
    let options = way(chosen).expect("WAY is known");
    let rounds = rest.get(1).map_or(1, |rounds| rounds.parse().expect("ROUNDS is a number"));
    let (mut best, mut after) = (f64::INFINITY, 0);
    for _ in 0..rounds {
        let start = Instant::now();
        after = measured(&bytes, &options).bytes.len();
        best = best.min(start.elapsed().as_secs_f64());
    }
    println!("{} {after} {:.2}", bytes.len(), best * 1e3);
}
