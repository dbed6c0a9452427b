//! What node splitting brings: blocks, dispatches and phis of irreducible graphs, by how large a block may be that is copied.
//!
//! ```text
//! cargo run --release -p reconverge-testing --example node_splitting
//! ```
//!
//! Medians and maxima over 100 random irreducible graphs of 10 to 200 blocks, the set of the side-by-side bench, and over small ones of
//! 5 to 20. Blocks of the bare graphs are told to have 1 to 12 instructions; filled blocks have 12 to 40, so they need a larger N.

use reconverge_plan_check::Lists;
use reconverge_restructure::{Options, structurize};
use reconverge_structurize::{ControlFlow, InputBlock, SplitGraph, Statistics, split_nodes};
use reconverge_testing::generators::random::{Cycles, random};
use reconverge_testing::plain_graph::PlainGraph;
use reconverge_testing::program_from_graph::{Filled, Values, as_shader_and};
use reconverge_testing::random::mix;
use reconverge_testing::trial::written_phis;

/// Copies, growth in percent, blocks out for 100 in, irreducible dispatches, phis.
type Row = [usize; 5];

fn main() {
    println!("| graphs | N | graphs with copies | copies | growth, % | blocks out/in, % | dispatches | phis |");
    println!("|---|---|---|---|---|---|---|---|");
    for (sizes, least, most) in [("10–200", 10, 200), ("5–20", 5, 20)] {
        let graph = |index: usize| random(index as u64, least + index * (most - least) / 99, Cycles::Irreducible);
        let graphs: Vec<PlainGraph> = (0..100).map(graph).collect();
        for largest in [0, 4, 8, 12] {
            let rows = graphs.iter().enumerate().map(|(index, graph)| of_graph(graph, index as u64, largest));
            tell(&format!("{sizes}, bare"), largest, &rows.collect::<Vec<_>>());
        }
        for (name, values) in [("one a join", Values::Origin), ("mixed values", Values::Mixed)] {
            for largest in [0, 32] {
                let rows = graphs.iter().map(|graph| of_function(graph, values, largest));
                tell(&format!("{sizes}, {name}"), largest, &rows.collect::<Vec<_>>());
            }
        }
    }
}

fn tell(name: &str, largest: u32, rows: &[Row]) {
    let column = |column: usize| -> Vec<usize> { rows.iter().map(|row| row[column]).collect() };
    let with_copies = column(0).into_iter().filter(|&copies| copies > 0).count();
    let [copies, dispatches]: [usize; 2] = [0, 3].map(|at| column(at).iter().sum());
    let [growth, blocks, phis] = [1, 2, 4].map(|at| median_and_max(column(at)));
    println!("| {name} | {largest} | {with_copies} | {copies} | {growth} | {blocks} | {dispatches} | {phis} |");
}

fn of_graph(graph: &PlainGraph, seed: u64, largest: u32) -> Row {
    let graph = &Lists::new(&graph.to_successors());
    let size = |block: InputBlock| 1 + (mix(seed * 1000 + block.index() as u64) % 12) as u32;
    let total: u64 = (0..graph.block_count()).map(|block| u64::from(size(InputBlock::new(block))) + 1).sum();
    let split = split_nodes(graph, largest, |block| Some(size(block)));
    let plan = match &split {
        Some(split) => reconverge_structurize::structurize(split, &Options::default()),
        None => reconverge_structurize::structurize(graph, &Options::default()),
    };
    row(split.as_ref(), total as usize, &plan.expect("within the limits").statistics(), 0)
}

fn of_function(graph: &PlainGraph, values: Values, largest: u32) -> Row {
    let Filled { mut module, functions } = as_shader_and(std::slice::from_ref(graph), 1, values);
    let before = module.blocks(functions[0]).map(|block| module.children(block).count()).sum();
    let options = Options::new().split_blocks(largest);
    let report = structurize(&mut module, functions[0], &options).expect("no limit is met").expect("it has a body");
    row(report.split.as_ref(), before, &report.plan.statistics(), written_phis(&module))
}

fn row(split: Option<&SplitGraph>, before: usize, statistics: &Statistics, phis: usize) -> Row {
    let copies = split.map_or(0, |split| split.copies().len());
    let added = split.map_or(0, |split| split.added_size() as usize);
    let dispatches = statistics.added.get("irreducible dispatch").copied().unwrap_or(0);
    let blocks = statistics.plan_blocks * 100 / (statistics.input_blocks - copies);
    [copies, added * 100 / before, blocks, dispatches, phis]
}

fn median_and_max(mut values: Vec<usize>) -> String {
    values.sort_unstable();
    format!("{} ({})", values[values.len() / 2], values[values.len() - 1])
}
