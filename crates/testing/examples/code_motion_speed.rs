//! How fast value numbering and code motion are, and how their time grows, on shapes that are meant to hurt.
//!
//! ```text
//! cargo run --release -p reconverge-testing --example code_motion_speed
//! ```
//!
//! `code_motion_speed NAME` measures the shapes whose names hold NAME, `code_motion_speed NAME SIZE` runs them once at one size: what a
//! profiler wants to see.
//!
//! A line for each shape: nanoseconds of processor time an instruction, value numbering, code motion and both, at the largest size; and
//! the exponent of the growth of both, by least squares over all sizes and over the last two. The best of several runs counts. The
//! uniformity that code motion asks for is computed before: the pipeline computes it once for a module. What numbering found out about the
//! function, code motion gets, as it does in the pipeline where nothing in between changes the function. The exponent of time holds what
//! caches do; that of machine instructions does not:
//!
//! ```text
//! valgrind --tool=callgrind --toggle-collect='*measured*' … code_motion_speed NAME SIZE
//! ```

use std::time::Instant;

use reconverge_ir::{Function, Module};
use reconverge_optimize::{Analyses, MotionOptions, gcm, gvn};
use reconverge_testing::generators::motion_shapes::MOTION_SHAPES;

const SIZES: [usize; 5] = [100, 1_000, 10_000, 100_000, 1_000_000];

/// What was measured at one size, in nanoseconds an instruction.
#[derive(Clone, Copy)]
struct Point {
    instructions: f64,
    numbering: f64,
    motion: f64,
}

impl Point {
    fn both(self) -> f64 {
        self.numbering + self.motion
    }
}

fn main() {
    let mut arguments = std::env::args().skip(1);
    let only = arguments.next().unwrap_or_default();
    let single: Option<usize> = arguments.next().map(|size| size.parse().expect("SIZE is a number"));
    println!(
        "{:<22} {:>12} {:>10} {:>10} {:>10} {:>9} {:>9}  at each size",
        "shape", "instructions", "numbering", "motion", "both, ns", "exponent", "last"
    );
    for shape in MOTION_SHAPES.iter().filter(|shape| shape.name.contains(&only)) {
        let sizes = single.as_ref().map_or(&SIZES[..], std::slice::from_ref);
        let points: Vec<Point> = sizes.iter().map(|&size| measure(&shape.module(size))).collect();
        let last = points[points.len() - 1];
        let each: Vec<String> = points.iter().map(|point| format!("{:.0}", point.both())).collect();
        println!(
            "{:<22} {:>12} {:>10.0} {:>10.0} {:>10.0} {:>9.2} {:>9.2}  {}",
            shape.name,
            last.instructions,
            last.numbering,
            last.motion,
            last.both(),
            exponent(&points),
            exponent(&points[points.len().saturating_sub(2)..]),
            each.join(" ")
        );
    }
}

/// The best of several runs: of small programs more.
fn measure(module: &Module) -> Point {
    let function = module.functions().next().expect("a shape is a function");
    let instructions: usize = module.blocks(function).map(|block| module.children(block).count()).sum();
    let runs = (300_000 / instructions).clamp(5, 300);
    let mut best = (f64::INFINITY, f64::INFINITY);
    for _ in 0..runs {
        let mut copy = module.clone();
        let mut analyses = Analyses::default();
        let numbering = timed(|| measured_numbering(&mut copy, function, &mut analyses));
        analyses.uniformity(&copy, function);
        let motion = timed(|| measured_motion(&mut copy, function, &mut analyses));
        best = (best.0.min(numbering), best.1.min(motion));
    }
    let instructions = instructions as f64;
    Point { instructions, numbering: best.0 / instructions, motion: best.1 / instructions }
}

#[inline(never)]
fn measured_numbering(module: &mut Module, function: Function, analyses: &mut Analyses) {
    gvn(module, function, analyses);
}

#[inline(never)]
fn measured_motion(module: &mut Module, function: Function, analyses: &mut Analyses) {
    gcm(module, function, &MotionOptions::default(), analyses);
}

/// Nanoseconds of processor time where the system tells them and they are many; else of the clock.
fn timed(work: impl FnOnce()) -> f64 {
    let (start, clock) = (Instant::now(), on_processor());
    work();
    let wall = start.elapsed().as_nanos() as f64;
    let processor = clock.zip(on_processor()).map_or(wall, |(start, end)| end - start);
    if processor > 1e6 { processor } else { wall }
}

/// How long this thread has been running; see the example `uniformity_speed`.
fn on_processor() -> Option<f64> {
    std::thread::yield_now();
    let written = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    written.split(' ').next()?.parse().ok()
}

/// The slope of the line through the logarithms, by least squares.
fn exponent(points: &[Point]) -> f64 {
    let logarithms: Vec<(f64, f64)> =
        points.iter().map(|point| (point.instructions.ln(), (point.both() * point.instructions).ln())).collect();
    let count = logarithms.len() as f64;
    let mean = logarithms.iter().fold((0.0, 0.0), |sum, (x, y)| (sum.0 + x / count, sum.1 + y / count));
    let (mut both, mut square) = (0.0, 0.0);
    for (x, y) in &logarithms {
        both += (x - mean.0) * (y - mean.1);
        square += (x - mean.0).powi(2);
    }
    both / square
}
