//! How many blocks come out: bounds that hold for every graph of up to five blocks and for random graphs of every kind. And that the
//! rows of switches, which are all that a plan holds beside blocks, are no more than the graph accounts for.

use crate::common::{Lists, Random, adversaries, generate};
use reconverge_structurize::{Options, Terminator, structurize};

/// Blocks and edges of the input as they count for the bound: reachable blocks, and distinct edges.
fn blocks_and_edges(graph: &Lists) -> (usize, usize) {
    let reachable = graph.reachable();
    let blocks = (0..reachable.len()).filter(|&block| reachable[block]);
    let edges = blocks.clone().map(|block| {
        let mut targets = graph.targets(block);
        targets.sort_unstable();
        targets.dedup();
        targets.len()
    });
    (blocks.count(), edges.sum())
}

/// The greatest excess over four blocks for each of the input, and over two for each block and edge.
fn excess(graph: &Lists, worst: &mut [i64; 2]) {
    let plan = structurize(graph, &Options::default()).expect("within the limits");
    let (blocks, edges) = blocks_and_edges(graph);
    let out = plan.blocks.len() as i64;
    worst[0] = worst[0].max(out - 4 * blocks as i64);
    worst[1] = worst[1].max(out - 2 * (blocks + edges) as i64);
}

#[test]
fn small_graphs_stay_within_four_blocks_for_each() {
    let mut worst = [i64::MIN; 2];
    for count in 1..=4 {
        generate::for_each_small(count, |graph| excess(graph, &mut worst));
    }
    println!("small: {worst:?}");
    assert!(worst[0] <= 0 && worst[1] <= 0, "{worst:?}");
}

#[test]
fn random_graphs_stay_within_four_blocks_for_each_and_eight() {
    let kinds: [fn(&mut Random, usize) -> Lists; 5] =
        [generate::reducible, generate::irreducible, generate::structured, generate::loop_simplified, generate::wild];
    let mut worst = [i64::MIN; 2];
    for (kind, generate) in kinds.into_iter().enumerate() {
        for size in [3, 4, 5, 6, 8, 10, 14, 25, 60] {
            for seed in 0..300 {
                let mut random = Random::new(seed * 5 + kind as u64 + 1000 * size as u64);
                excess(&generate(&mut random, size), &mut worst);
            }
        }
    }
    println!("random: {worst:?}");
    assert!(worst[0] <= 8 && worst[1] <= 0, "{worst:?}");
}

/// Rows of all switches in the plan, and the room that was taken for them.
fn rows(graph: &Lists) -> [usize; 2] {
    let plan = structurize(graph, &Options::default()).expect("within the limits");
    let mut sum = [0; 2];
    for block in &plan.blocks {
        if let Terminator::Switch { cases, .. } = &block.terminator {
            sum[0] += cases.len();
            sum[1] += cases.capacity();
        }
    }
    sum
}

/// One dispatch stands for most of the targets of a large irreducible graph, and its number is handed from block to block: what all
/// of them but a few do must not be written down again each time, nor room be taken for it.
#[test]
fn rows_of_switches_grow_with_the_graph() {
    for generate in [adversaries::irreducible, adversaries::locally_irreducible, generate::wild] {
        for size in [1_000, 10_000, 80_000] {
            let graph = generate(&mut Random::new(11), size);
            let (blocks, edges) = blocks_and_edges(&graph);
            let [rows, room] = rows(&graph);
            println!("{blocks} blocks, {edges} edges: {rows} rows, room for {room}");
            assert!(
                rows <= 2 * edges && room <= 2 * rows,
                "{blocks} blocks, {edges} edges: {rows} rows, room for {room}"
            );
        }
    }
}
