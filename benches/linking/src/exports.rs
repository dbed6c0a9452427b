//! A library of a million exports of which a program uses some: the time to link the program.
//!
//! ```text
//! cargo run --release -p linking --bin exports -- [EXPORTS]
//! ```
//!
//! The library and the program are in the binary form. Each exported function has a constant of its own; the program calls every n-th. Opening
//! a file reads its head and its tables; linking finds the symbols, reads what is reached and copies it. A time is the shortest of several runs.
//! The exponent is that of the time beyond linking a program that uses one export: from one row to the next, and over all rows.

use std::time::Instant;

use reconverge_ir::binary::{self, Archive};
use reconverge_ir::{Module, text};
use reconverge_link::{ArchiveInput, LinkOptions, Roots, link};

const RUNS: usize = 9;

fn main() {
    let exports = std::env::args().nth(1).and_then(|exports| exports.parse().ok()).unwrap_or(1_000_000);
    let library = binary::write(&library(exports));
    let open = shortest(|| Archive::open(&library).expect("it was written").symbols().len());
    println!("library: {exports} exports, {:.1} MB, tables read in {:.1} ms\n", library.len() as f64 / 1e6, open * 1e3);
    println!("| used | instructions | link, ms | exponent |\n|---|---|---|---|");
    let archive = Archive::open(&library).expect("it was written");
    let names = ["all".to_owned()];
    let options = LinkOptions::new().roots(Roots::Named(&names));
    let mut first = 0.0;
    let mut rows: Vec<(f64, f64)> = Vec::new();
    let counts = [1].into_iter().chain((0..).map(|step| 100 << step)).take_while(|&count| count <= exports / 4);
    for count in counts {
        let program = binary::write(&program(count, exports / count));
        let mut instructions = 0;
        let seconds = shortest(|| {
            let program = Archive::open(&program).expect("it was written");
            let inputs = [("program", &program), ("library", &archive)];
            let mut inputs = inputs.map(|(name, archive)| ArchiveInput::new(name, archive).expect("it was written"));
            let linked = link(&mut inputs, &options).expect("every import has a definition");
            instructions = linked.descendants(linked.root()).count();
            instructions
        });
        let row = ((count as f64).ln(), (seconds - first).ln());
        let exponent = rows.last().map(|last| format!("{:.2}", (row.1 - last.1) / (row.0 - last.0)));
        println!("| {count} | {instructions} | {:.2} | {} |", seconds * 1e3, exponent.unwrap_or_default());
        match count {
            1 => first = seconds,
            _ => rows.push(row),
        }
    }
    println!("\nexponent over all rows: {:.2}", slope(&rows));
}

/// The slope of the line with the least squares of distances.
fn slope(points: &[(f64, f64)]) -> f64 {
    let mean = |of: &dyn Fn(&(f64, f64)) -> f64| points.iter().map(of).sum::<f64>() / points.len() as f64;
    let [x, y] = [mean(&|point| point.0), mean(&|point| point.1)];
    mean(&|point| (point.0 - x) * (point.1 - y)) / mean(&|point| (point.0 - x).powi(2))
}

const HEAD: &str = "capability Kernel\ncapability Linkage\nmemory_model Physical64, OpenCL\n%u32 = type_int 32, 0\n\
     %type = type_function %u32, %u32\n";

fn library(exports: usize) -> Module {
    let mut source = HEAD.to_owned();
    for index in 0..exports {
        source += &format!("%c{index}: %u32 = constant {index}\n");
    }
    for index in 0..exports {
        source += &format!(
            "func %f{index}: %u32 (%x: %u32) type %type {{decorate LinkageAttributes \"f{index}\" 0}} {{\nblock ^b:\n  \
             %y: %u32 = i_add %x, %c{index}\n  return_value %y\n}}\n"
        );
    }
    text::parse(&source).expect("the source is a module")
}

fn program(count: usize, step: usize) -> Module {
    let mut source = HEAD.to_owned();
    let mut calls = String::new();
    let mut last = "%n".to_owned();
    for index in (0..count).map(|number| number * step) {
        source +=
            &format!("func %f{index}: %u32 (%x: %u32) type %type {{decorate LinkageAttributes \"f{index}\" 1}}\n");
        calls += &format!("  %r{index}: %u32 = function_call %f{index}, {last}\n");
        last = format!("%r{index}");
    }
    source += &format!(
        "func %all: %u32 (%n: %u32) type %type {{decorate LinkageAttributes \"all\" 0}} {{\nblock ^b:\n{calls}  return_value {last}\n}}\n"
    );
    text::parse(&source).expect("the source is a module")
}

/// The time of the shortest run, in seconds.
fn shortest(mut run: impl FnMut() -> usize) -> f64 {
    let timed = |_| {
        let start = Instant::now();
        std::hint::black_box(run());
        start.elapsed().as_secs_f64()
    };
    (0..RUNS).map(timed).fold(f64::INFINITY, f64::min)
}
