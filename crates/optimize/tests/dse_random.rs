//! Programs whose values go through memory do the same without the stores that make no difference.

use crate::memory_seasoning::{check_on_graphs, check_on_lanes};
use reconverge_ir::{Function, Module};
use reconverge_optimize::Analyses;
use reconverge_optimize::{dse, gvn};

fn run(module: &mut Module, function: Function) -> usize {
    gvn(module, function, &mut Analyses::default());
    dse(module, function, &mut Analyses::default())
}

#[test]
fn any_graph() {
    let gone = check_on_graphs(6, run);
    assert!(gone > 200, "{gone} stores went");
}

#[test]
fn lanes_that_part() {
    let (gone, compared) = check_on_lanes(run);
    assert!(gone > 100 && compared > 50, "{gone} stores went, {compared} runs");
}
