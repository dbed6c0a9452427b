//! How fast the uniformity analysis is, and how its time grows: whole modules of random programs, and shapes that are meant to hurt.
//!
//! ```text
//! cargo run --release -p reconverge-testing --example uniformity_speed
//! ```
//!
//! `uniformity_speed NAME` measures the shapes whose names hold NAME, `uniformity_speed NAME SIZE` runs them once at one size: what a
//! profiler wants to see.
//!
//! For each shape the processor time of the best of three runs at sizes that double, instructions a second at the largest, and the
//! exponent of the growth over all doublings. Instructions are all that stand in functions. The exponent holds what caches do: small
//! sizes fit into them. What the work itself grows like is told by
//! `valgrind --tool=callgrind --toggle-collect='*ModuleUniformity*compute*'` at several sizes.

use std::time::Instant;

use reconverge_analysis::uniformity::{ModuleUniformity, Scope};
use reconverge_ir::{Module, Stage, text};
use reconverge_testing::generators::lanes::{LaneOptions, Outside, lanes_program, lower};
use reconverge_testing::generators::shapes::{Maker, SHAPES};
use reconverge_testing::uniformity_judge::scattered;

const RUNS: usize = 3;

fn main() {
    println!("{:<28} {:>12} {:>9} {:>12} {:>9}", "shape", "instructions", "ms", "per second", "exponent");
    let random = |size: usize| {
        let options = LaneOptions { depth: 12, ..LaneOptions::default() };
        lower(&lanes_program(7, size, &options), Outside::Calls).module
    };
    measure("random program, structured", &[32_000, 64_000, 128_000, 256_000], &random);
    measure("many functions and calls", &[16_000, 32_000, 64_000, 128_000], &calls);
    measure("deep selections", &[25_000, 50_000, 100_000, 200_000], &|size| structured(&nested_ifs(size)));
    measure("deep loops", &[10_000, 20_000, 40_000, 80_000], &|size| structured(&nested_loops(size)));
    measure("one loop, many exits", &[25_000, 50_000, 100_000, 200_000], &|size| structured(&exits(size)));
    measure("wide switch", &[4_000, 8_000, 16_000, 32_000], &|size| structured(&switch(size)));
    for (name, shape) in SHAPES {
        let graph = |size: usize| scattered(&shape(size), 1).0;
        let largest = largest(*shape);
        measure(&format!("graph {name}"), &[largest / 8, largest / 4, largest / 2, largest], &graph);
    }
}

/// How large a shape is measured: a few hundred thousand edges, none of its blocks with more ways out than an instruction has operands.
fn largest(shape: Maker) -> usize {
    let fits = |&size: &usize| {
        let graph = shape(size);
        let ways = |block| graph.successors(block).len();
        (0..graph.len()).map(ways).sum::<usize>() <= 400_000 && (0..graph.len()).all(|block| ways(block) <= 16_000)
    };
    let sizes = std::iter::successors(Some(100), |size| Some(size * 2));
    sizes.take(11).take_while(fits).last().unwrap_or(100)
}

/// Times a shape at each size.
fn measure(name: &str, sizes: &[usize], make: &dyn Fn(usize) -> Module) {
    let mut wanted = std::env::args().skip(1);
    if wanted.next().is_some_and(|only| !name.contains(&only)) {
        return;
    }
    let single: Option<usize> = wanted.next().map(|size| size.parse().expect("SIZE is a number"));
    let (sizes, runs) = single.as_ref().map_or((sizes, RUNS), |size| (std::slice::from_ref(size), 1));
    let mut points = Vec::new();
    for &size in sizes {
        let module = make(size);
        let count = instructions(&module);
        let best = (0..runs).map(|_| time(&module)).fold(f64::INFINITY, f64::min);
        points.push((count as f64, best));
    }
    let (first, last) = (points[0], points[points.len() - 1]);
    let exponent = (last.1 / first.1).ln() / (last.0 / first.0).ln();
    println!("{name:<28} {:>12} {:>9.1} {:>12.0} {exponent:>9.2}", last.0, last.1 * 1e3, last.0 / last.1);
}

fn instructions(module: &Module) -> usize {
    let blocks = module.functions().flat_map(|function| module.blocks(function));
    blocks.map(|block| module.children(block).count()).sum()
}

fn time(module: &Module) -> f64 {
    let (start, clock) = (Instant::now(), on_processor());
    let uniformity = ModuleUniformity::compute(module, Scope::Subgroup);
    let seconds = start.elapsed().as_secs_f64();
    let seconds = clock.zip(on_processor()).map_or(seconds, |(start, end)| end - start);
    drop(uniformity);
    seconds
}

/// How long this thread has been running, where the system says so: others on the machine do not count. The system brings the number up to
/// date when it looks for whom to run next, so it is asked to: else a short run would seem to take no time, and growth would seem steep.
fn on_processor() -> Option<f64> {
    std::thread::yield_now();
    let written = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    Some(written.split(' ').next()?.parse::<f64>().ok()? / 1e9)
}

/// Many functions, each called by the next ones.
fn calls(size: usize) -> Module {
    let mut functions = String::new();
    for number in 0..size {
        functions
            .push_str(&format!("func %f{number}: %u32 (%p{number}: %u32) type %fn1 control 0 stage structured {{\n"));
        functions.push_str(&format!("block ^e{number}:\n  %v{number}: %u32 = i_mul %p{number}, %c3\n"));
        let mut last = format!("%v{number}");
        for callee in [number.checked_sub(1), number.checked_sub(7)].into_iter().flatten() {
            let result = format!("%r{number}_{callee}");
            functions.push_str(&format!("  {result}: %u32 = function_call %f{callee}, {last}\n"));
            last = result;
        }
        functions.push_str(&format!("  return_value {last}\n}}\n"));
    }
    parse(&functions)
}

fn parse(functions: &str) -> Module {
    let head = "capability Shader\nmemory_model Logical, GLSL450\n%void = type_void\n%bool = type_bool\n\
                %u32 = type_int 32, 0\n%fn = type_function %void\n%fn1 = type_function %u32, %u32\n\
                %input = type_pointer Input, %u32\n%c0: %u32 = constant 0\n%c1: %u32 = constant 1\n\
                %c3: %u32 = constant 3\n%lane: %input = variable Input {decorate BuiltIn 41}\n";
    let module = text::parse(&format!("{head}{functions}")).unwrap_or_else(|error| panic!("{error}"));
    debug_assert!(module.functions().all(|function| module.stage(function) == Stage::Structured));
    module
}

fn structured(body: &str) -> Module {
    parse(&format!(
        "func %main: %void () type %fn control 0 stage structured {{\nblock ^entry:\n  %l: %u32 = load %lane\n  \
         %d: %u32 = i_mul %l, %l\n  %c: %bool = i_equal %d, %c3\n{body}}}\n"
    ))
}

fn nested_ifs(size: usize) -> String {
    let mut written = String::new();
    for number in 0..size {
        written.push_str(&format!(
            "  if %c ^in{number} ^join{number} merge ^join{number} control 0\nblock ^in{number}:\n"
        ));
        written.push_str(&format!("  %v{number}: %u32 = i_add %d, %c1\n"));
    }
    for number in (0..size).rev() {
        written.push_str(&format!("  branch ^join{number}\nblock ^join{number}:\n"));
    }
    written + "  return\n"
}

fn nested_loops(size: usize) -> String {
    let mut written = String::new();
    for n in 0..size {
        written.push_str(&format!(
            "  loop ^h{n}(%c0) break ^out{n} continue ^next{n} control 0\nblock ^h{n}(%k{n}: %u32):\n"
        ));
        written.push_str(&format!("  %m{n}: %bool = u_less_than %k{n}, %d\n  branch_if %m{n} ^body{n} ^leave{n}\n"));
        written.push_str(&format!("edge ^leave{n}:\n  branch ^out{n}\nblock ^body{n}:\n"));
    }
    for n in (0..size).rev() {
        written.push_str(&format!("  branch ^next{n}\nblock ^next{n}:\n  %y{n}: %u32 = i_add %k{n}, %c1\n"));
        written.push_str(&format!("  branch ^h{n}(%y{n})\nblock ^out{n}:\n  %after{n}: %u32 = i_add %k{n}, %c3\n"));
    }
    written + "  return\n"
}

fn exits(size: usize) -> String {
    let mut written = String::from("  loop ^h(%c0) break ^out continue ^next control 0\nblock ^h(%k: %u32):\n");
    for n in 0..size {
        written.push_str(&format!("  %v{n}: %u32 = i_add %k, %d\n  %t{n}: %bool = i_equal %v{n}, %c3\n"));
        written.push_str(&format!(
            "  branch_if %t{n} ^leave{n} ^in{n}\nedge ^leave{n}:\n  branch ^out(%v{n})\nblock ^in{n}:\n"
        ));
    }
    written.push_str("  branch ^next\nblock ^next:\n  %y: %u32 = i_add %k, %c1\n  branch ^h(%y)\n");
    written + "block ^out(%z: %u32):\n  return\n"
}

fn switch(size: usize) -> String {
    let cases: Vec<String> = (0..size).map(|n| format!("{n} ^case{n}")).collect();
    let mut written = format!("  structured_switch %d default ^other merge ^join control 0 [{}]\n", cases.join("] ["));
    written.push_str("edge ^other:\n  branch ^join(%c0)\n");
    for n in 0..size {
        written.push_str(&format!("block ^case{n}:\n  %v{n}: %u32 = i_add %d, %c1\n  branch ^join(%v{n})\n"));
    }
    written + "block ^join(%z: %u32):\n  return\n"
}
