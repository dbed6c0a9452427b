//! Reconverge and spirt on the same graphs, in one table.
//!
//! `cd benches && cargo run --release` (with `-- --quick` without what takes the validator minutes; `-- --only WORD` for the sets whose
//! name holds the word). Every graph is filled out into a Vulkan compute shader without merge instructions, which both
//! structurizers get as SPIR-V bytes. What is measured is measured on the SPIR-V bytes that come out, by code that belongs to
//! neither: blocks, phis, nesting, whether `spirv-val` accepts them, and whether they write the same trace as the input and as the graph
//! itself when the interpreter runs them on random decisions.
//!
//! Three times, each the best of three (plans: of fifteen): the *plan* is what the crate `structurize` does on a bare graph; the *step* is what turns a
//! module in memory into a structured one (spirt has no plan that stands alone); *whole* is from bytes to bytes, with our verifier before
//! and after.
//!
//! spirt recurses along the graph, so everything runs on a thread with a large stack (`-- --stack MIB`). Each set runs in a process of
//! its own: one that crashes or does not end is counted, and the set goes on behind the graph that did it.
//!
//! Two tables come out: the sets, and the bars that the structurizer is held to.

mod bars;
mod contestant;
mod isolation;
mod measure;
mod sets;
mod statistics;
mod trace;

use std::process::ExitCode;

use contestant::Contestant;
use isolation::{Request, answer, ask};
use sets::Set;
use statistics::{Row, print_header};

/// What was asked for on the command line.
#[derive(Clone, Debug)]
pub(crate) struct Arguments {
    /// Leave out what takes the validator minutes.
    pub(crate) is_quick: bool,
    /// A part of the names of the sets.
    pub(crate) only: String,
    /// Stack of the thread that structurizes, in MiB.
    pub(crate) stack: usize,
}

fn arguments(mut words: impl Iterator<Item = String>) -> Result<Arguments, String> {
    let mut arguments = Arguments { is_quick: false, only: String::new(), stack: 2048 };
    while let Some(word) = words.next() {
        let mut value = || words.next().ok_or(format!("{word} needs a value"));
        match word.as_str() {
            "--quick" => arguments.is_quick = true,
            "--only" => arguments.only = value()?,
            "--stack" => arguments.stack = value()?.parse().map_err(|_| "--stack takes a number of MiB")?,
            other => return Err(format!("{other}? It is --quick, --only WORD, --stack MIB")),
        }
    }
    Ok(arguments)
}

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    if let Some(request) = Request::parse(&words) {
        answer(request);
        return ExitCode::SUCCESS;
    }
    match arguments(words.into_iter()) {
        Ok(arguments) => {
            compare(&arguments);
            ExitCode::SUCCESS
        }
        Err(message) => {
            eprintln!("{message}");
            ExitCode::from(2)
        }
    }
}

fn compare(arguments: &Arguments) {
    let mut rows: Vec<Row> = Vec::new();
    print_header();
    for (number, set) in Set::all().iter().enumerate().filter(|(_, set)| set.name.contains(&arguments.only)) {
        for contestant in Contestant::on(set) {
            let row = Row::new(set, contestant, &ask(number, set, contestant, arguments));
            println!("{row}");
            rows.push(row);
        }
    }
    if arguments.only.is_empty() {
        println!();
        bars::print(&rows);
    }
}
