//! Programs whose values go through memory do the same where loads behind joins are parameters.

use crate::memory_seasoning::{check_on_graphs, check_on_lanes};
use reconverge_ir::{Function, Module};
use reconverge_optimize::Analyses;
use reconverge_optimize::{gvn, load_pre};

fn run(module: &mut Module, function: Function) -> usize {
    gvn(module, function, &mut Analyses::default());
    load_pre(module, function, &mut Analyses::default())
}

#[test]
fn any_graph() {
    let gone = check_on_graphs(20, run);
    assert!(gone > 10, "{gone} loads went");
}

#[test]
fn lanes_that_part() {
    let (gone, compared) = check_on_lanes(run);
    assert!(gone > 10 && compared > 50, "{gone} loads went, {compared} runs");
}
