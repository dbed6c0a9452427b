//! How many blocks come out: bounds that hold for every graph of up to five blocks and for random graphs of every kind.

mod common;

use common::{Lists, Random, generate};
use reconverge_structurize::{Options, structurize};

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
