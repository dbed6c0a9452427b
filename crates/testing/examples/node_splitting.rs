//! What node splitting brings: blocks, dispatches and phis of irreducible graphs, by how large a block may be that is copied.
//!
//! ```text
//! cargo run --release -p reconverge-testing --example node_splitting
//! ```
//!
//! Medians and maxima over 100 random irreducible graphs of 10 to 200 blocks, the set of the side-by-side bench, and over small ones of
//! 5 to 20. Fleshed blocks are larger than most: the first table says their size, and what is copied of them goes by that.

use reconverge_passes::{Options, structurize};
use reconverge_structurize::ControlFlow;
use reconverge_testing::flesh::{Fleshed, Values, as_shader_and};
use reconverge_testing::generators::random::{Cycles, random};
use reconverge_testing::plain_graph::PlainGraph;
use reconverge_testing::trial::written_phis;

fn main() {
    println!(
        "| graphs | N | functions with copies | copies | growth in instructions, % | blocks out/in, % | dispatches | phis |"
    );
    println!("|---|---|---|---|---|---|---|---|");
    for (name, values) in [("one a join", Values::Origin), ("mixed values", Values::Mixed)] {
        for (sizes, least, most) in [("10–200", 10, 200), ("5–20", 5, 20)] {
            let graphs: Vec<PlainGraph> = (0..100)
                .map(|index| random(index as u64, least + index * (most - least) / 99, Cycles::Irreducible))
                .collect();
            for largest in [0, 4, 8, 16, 32] {
                let rows: Vec<[usize; 6]> = graphs.iter().map(|graph| measure(graph, values, largest)).collect();
                let column = |column: usize| -> Vec<usize> { rows.iter().map(|row| row[column]).collect() };
                let with_copies = column(0).into_iter().filter(|&copies| copies > 0).count();
                let copies: usize = column(0).iter().sum();
                let dispatches: usize = column(3).iter().sum();
                let [growth, blocks, phis] = [1, 2, 4].map(|at| median_and_max(column(at)));
                println!(
                    "| {sizes}, {name} | {largest} | {with_copies} | {copies} | {growth} | {blocks} | {dispatches} | {phis} |"
                );
            }
        }
    }
}

/// Copies, growth, blocks out for those in, irreducible dispatches, phis.
fn measure(graph: &PlainGraph, values: Values, largest: u32) -> [usize; 6] {
    let Fleshed { mut module, functions } = as_shader_and(std::slice::from_ref(graph), 1, values);
    let instructions = |module: &reconverge_ir::Module| -> usize {
        module.blocks(functions[0]).map(|block| module.children(block).count()).sum()
    };
    let before = instructions(&module);
    let options = Options { split_blocks: largest, ..Options::default() };
    let report = structurize(&mut module, functions[0], &options).expect("no limit is met").expect("it has a body");
    let copies = report.split.as_ref().map_or(0, |split| split.copies().len());
    let added = report.split.as_ref().map_or(0, |split| split.added_size() as usize);
    let statistics = report.plan.statistics();
    let blocks_in = report.split.as_ref().map_or(statistics.input_blocks, |split| split.block_count() - copies);
    let dispatches =
        statistics.added.iter().filter(|(name, _)| name.contains("irreducible")).map(|(_, count)| *count).sum();
    [copies, added * 100 / before, statistics.plan_blocks * 100 / blocks_in, dispatches, written_phis(&module), before]
}

fn median_and_max(mut values: Vec<usize>) -> String {
    values.sort_unstable();
    format!("{} ({})", values[values.len() / 2], values[values.len() - 1])
}
