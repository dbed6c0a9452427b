//! How long the straight way through takes for many if/else in a row: read, verify, values of variables, value numbering, code motion,
//! structurize, write.
//!
//! ```text
//! cargo run --release -p reconverge-testing --example if_else_speed
//! ```
//!
//! From SPIR-V to SPIR-V in memory, with the structure of the input forgotten. A column for each step, in milliseconds of the best of
//! several runs, at numbers of if/else that double; twelve instructions each. The verifier looks at what was read and at what is written.
//! `--time-passes` tells the same of all that `-O1` does, and `if_else_program` writes the program for it.

use reconverge_optimize::Promotion;
use reconverge_rewrite::module_facts::ModuleFacts;
use std::time::Instant;

use reconverge::{CompileOptions, Format, Level, Merges, Source, compile, read_source, write};
use reconverge_optimize::{Analyses, MotionOptions, gcm, gvn, mem2reg};
use reconverge_restructure::{Options, structurize};
use reconverge_testing::generators::motion_shapes::if_else_program;
use reconverge_verify::verify;

const COUNTS: [usize; 3] = [1_000, 2_000, 4_000];
const RUNS: usize = 25;
const STEPS: [&str; 8] = ["read", "verify", "mem2reg", "numbering", "motion", "structurize", "verify", "write"];

fn main() {
    print!("{:>8} {:>12}", "if/else", "instructions");
    STEPS.iter().for_each(|step| print!(" {step:>11}"));
    println!(" {:>9}", "sum, ms");
    for count in COUNTS {
        let text = if_else_program(count);
        let compiled = compile(text.as_bytes(), Format::TEXT, Format::SPIRV, &CompileOptions::new().level(Level::None));
        let bytes = compiled.expect("the program is valid").bytes;
        let mut best = [f64::INFINITY; STEPS.len()];
        let mut instructions = 0;
        for _ in 0..RUNS {
            let (times, seen) = compile_once(&bytes);
            best.iter_mut().zip(times).for_each(|(best, time)| *best = best.min(time));
            instructions = seen;
        }
        print!("{count:>8} {instructions:>12}");
        best.iter().for_each(|time| print!(" {time:>11.2}"));
        println!(" {:>9.2}", best.iter().sum::<f64>());
    }
}

/// What each step takes, and how many instructions were read.
fn compile_once(bytes: &[u8]) -> ([f64; STEPS.len()], usize) {
    let mut times = Vec::with_capacity(STEPS.len());
    let source = Source::new(bytes).merges(Merges::Strip);
    let read = timed(&mut times, || read_source(Format::SPIRV, source).expect("it was written by us"));
    let mut module = read.module;
    let function = module.functions().next().expect("the program is a function");
    let instructions = module.blocks(function).map(|block| module.children(block).count()).sum();
    timed(&mut times, || assert_eq!(verify(&module), []));
    timed(&mut times, || mem2reg(&mut module, function, &ModuleFacts::default(), Promotion::All));
    let mut analyses = Analyses::default();
    timed(&mut times, || gvn(&mut module, function, &mut analyses));
    timed(&mut times, || gcm(&mut module, function, &MotionOptions::default(), &mut analyses));
    timed(&mut times, || structurize(&mut module, function, &Options::default()).expect("within limits"));
    timed(&mut times, || assert_eq!(verify(&module), []));
    timed(&mut times, || write(&module, Format::SPIRV).expect("SPIR-V can say it"));
    (times.try_into().expect("one time a step"), instructions)
}

fn timed<T>(times: &mut Vec<f64>, work: impl FnOnce() -> T) -> T {
    let start = Instant::now();
    let done = work();
    times.push(start.elapsed().as_secs_f64() * 1e3);
    done
}
