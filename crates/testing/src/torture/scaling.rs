//! T6: families of growing graphs, and the growth of size and time.
//!
//! Size is counted, so its bounds are always checked: blocks after within [`block_bound`], growth with an exponent of at most [`EXPONENT`]
//! in blocks and edges before, at most four selectors for each block before, nesting within the limit plus four. Time is measured only with
//! [`Timed::Yes`], each point several times, and a slope steeper than [`TIME_EXPONENT`] is measured again.

use std::time::Instant;

use reconverge_structurize::{Options, structurize};

use super::plan::{block_bound, judge_plan, to_lists};
use super::pool::{Effort, in_parallel};
use super::tally::{Fault, FaultKind, Tally};
use crate::generators::random::{Cycles, random};
use crate::generators::shapes::{Maker, SHAPES};
use crate::plain_graph::PlainGraph;

/// The maximal exponent of growth in blocks and edges before.
pub const EXPONENT: f64 = 1.15;

/// The same for time. It only distinguishes near-linear algorithms from others: caches and page clearing increase the exponent of linear
/// work up to 1.25 (`docs/structurize.md`). `cargo xtask instructions` checks machine instructions with a closer bound.
pub const TIME_EXPONENT: f64 = 1.3;

/// The measurement of time.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Timed {
    /// Only sizes are checked.
    No,
    /// Time too: on an idle machine.
    Yes,
}

/// One graph and its results.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Point {
    /// Blocks before.
    pub blocks: usize,
    /// Edges before.
    pub edges: usize,
    /// Blocks after.
    pub after: usize,
    /// Blocks after with a selector.
    pub selectors: usize,
    /// The nesting depth of constructs.
    pub nesting: u32,
    /// The shortest time of several.
    pub seconds: f64,
}

/// The points of one family, from small to large.
#[derive(Clone, Debug)]
pub struct Curve {
    /// The family.
    pub name: &'static str,
    /// Its points.
    pub points: Vec<Point>,
}

impl Curve {
    /// The exponent of blocks after in blocks and edges before, by least squares.
    pub fn size_exponent(&self) -> f64 {
        self.exponent(|point| point.after as f64)
    }

    /// The exponent of time in blocks and edges before, by least squares.
    pub fn time_exponent(&self) -> f64 {
        self.exponent(|point| point.seconds)
    }

    fn exponent(&self, value: impl Fn(&Point) -> f64) -> f64 {
        let pairs = self.points.iter().map(|point| ((point.blocks + point.edges) as f64, value(point)));
        exponent(&pairs.collect::<Vec<_>>())
    }
}

/// The exponent with which the second number grows in the first one, by least squares of their logarithms.
pub fn exponent(figures: &[(f64, f64)]) -> f64 {
    let pairs: Vec<(f64, f64)> = figures.iter().map(|&(size, figure)| (size.ln(), figure.ln())).collect();
    let count = pairs.len() as f64;
    let mean = |of: fn(&(f64, f64)) -> f64| pairs.iter().map(of).sum::<f64>() / count;
    let (x, y) = (mean(|pair| pair.0), mean(|pair| pair.1));
    let covariance: f64 = pairs.iter().map(|pair| (pair.0 - x) * (pair.1 - y)).sum();
    let variance: f64 = pairs.iter().map(|pair| (pair.0 - x).powi(2)).sum();
    covariance / variance
}

/// A random graph whose size does not depend on the seed.
fn irreducible(count: usize) -> PlainGraph {
    random(count as u64, count, Cycles::Irreducible)
}

/// All families, and random graphs.
pub fn shapes() -> impl Iterator<Item = (&'static str, Maker)> {
    SHAPES.iter().copied().chain([("random", irreducible as Maker)])
}

/// The sizes of a family: four, each twice the previous one, with a maximal number of blocks and edges.
fn sizes(make: Maker, most: usize) -> Vec<usize> {
    let weight = |size: usize| {
        let graph = make(size);
        graph.len() + (0..graph.len()).map(|block| graph.successor_count(block)).sum::<usize>()
    };
    let mut size = 4;
    while size < most && weight(2 * size) <= most {
        size *= 2;
    }
    (0..4).rev().map(|step| size >> step).filter(|&size| size > 0).collect()
}

/// Structurizes a shape at four sizes.
pub fn measure(name: &'static str, make: Maker, most: usize, timed: Timed) -> Curve {
    let repeats = if timed == Timed::Yes { 5 } else { 1 };
    let points = sizes(make, most).into_iter().map(|size| {
        let graph = make(size);
        let lists = to_lists(&graph);
        let mut seconds = f64::INFINITY;
        let mut plan = None;
        for _ in 0..repeats {
            let start = Instant::now();
            plan = Some(structurize(&lists, &Options::default()).expect("within the limits"));
            seconds = seconds.min(start.elapsed().as_secs_f64());
        }
        let plan = plan.expect("invariant: it was made at least once");
        assert!(plan.fell_back.is_none(), "{name} {size} fell back");
        assert!(plan.blocks.len() <= block_bound(&graph), "{name} {size}: {} blocks", plan.blocks.len());
        let statistics = plan.statistics();
        Point {
            blocks: graph.len(),
            edges: (0..graph.len()).map(|block| graph.successor_count(block)).sum(),
            after: plan.blocks.len(),
            selectors: statistics.selectors,
            nesting: plan.nesting_depth,
            seconds,
        }
    });
    Curve { name, points: points.collect() }
}

/// Measures every family up to a number of blocks and edges. Small graphs are also checked as plans.
pub fn run(effort: &Effort, most: usize, timed: Timed) -> (Tally, Vec<Curve>) {
    let makers: Vec<(&'static str, Maker)> = shapes().collect();
    let small = [1, 2, 3, 5, 8, 13, 30];
    let mut tally = in_parallel(makers.len(), effort, |number, worker| {
        let (name, make) = makers[number];
        for size in small {
            let graph = make(size.max(if name == "random" { 3 } else { 1 }));
            worker.attempt(|| format!("{name} {size}"), || judge_plan(&graph, &Options::default()));
        }
    });
    let mut curves = Vec::new();
    for (name, make) in makers {
        if effort.is_over() {
            tally.is_cut_off = true;
            break;
        }
        let curve = measure(name, make, most, timed);
        let curve = again_if_steep(curve, make, most, timed);
        curve.points.iter().for_each(|point| tally.grow(point.blocks, point.after));
        tally.tried += curve.points.len() as u64;
        faults(&curve, timed).into_iter().for_each(|fault| tally.push(fault));
        curves.push(curve);
    }
    (tally, curves)
}

/// A slope of time that is too steep is measured twice more; the least steep counts.
fn again_if_steep(mut curve: Curve, make: Maker, most: usize, timed: Timed) -> Curve {
    for _ in 0..2 {
        if timed == Timed::Yes && curve.time_exponent() > TIME_EXPONENT {
            let other = measure(curve.name, make, most, timed);
            if other.time_exponent() < curve.time_exponent() {
                curve = other;
            }
        }
    }
    curve
}

fn faults(curve: &Curve, timed: Timed) -> Vec<Fault> {
    let name = curve.name;
    let mut found = Vec::new();
    let mut fault = |message: String| found.push(Fault::new(FaultKind::Growth, format!("{name}: {message}")));
    if curve.size_exponent() > EXPONENT {
        fault(format!("blocks grow with exponent {:.2}", curve.size_exponent()));
    }
    if timed == Timed::Yes && curve.time_exponent() > TIME_EXPONENT {
        fault(format!("time grows with exponent {:.2}", curve.time_exponent()));
    }
    let limit = Options::default().nesting_limit + 4;
    for point in &curve.points {
        if point.nesting > limit {
            fault(format!("{} blocks nest {} deep, the limit is {limit}", point.blocks, point.nesting));
        }
        if point.selectors > 4 * point.blocks {
            fault(format!("{} selectors for {} blocks", point.selectors, point.blocks));
        }
    }
    found
}
