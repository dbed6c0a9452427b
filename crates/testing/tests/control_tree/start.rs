//! Random structured functions to begin with.

use reconverge_ir::{Function, Module};
use reconverge_restructure::Options;
use reconverge_testing::generators::random::{Cycles, random};
use reconverge_testing::generators::structured::{Form, structured};
use reconverge_testing::plain_graph::PlainGraph;
use reconverge_testing::program_from_graph;
use reconverge_testing::trial::structurized;

fn graph(seed: u64) -> PlainGraph {
    let size = 3 + seed as usize % 23;
    match seed % 4 {
        0 => structured(seed, size, Form::Optimized),
        1 => structured(seed, size, Form::Plain),
        2 => random(seed, size, Cycles::Reducible),
        _ => random(seed, size, Cycles::Irreducible),
    }
}

/// A random graph, structurized.
pub(crate) fn structured_function(seed: u64) -> (Module, Function) {
    let graphs = [graph(seed)];
    let after = structurized(&program_from_graph::with_calls(&graphs, seed), &Options::default(), &graphs).unwrap();
    (after.module, after.functions[0])
}
