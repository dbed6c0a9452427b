//! Constants that tell where control came from take the place of selectors, and what they tell stays true.

use reconverge_restructure::Options;
use reconverge_testing::behaviour::Version;
use reconverge_testing::equivalence::compare_walks;
use reconverge_testing::generators::random::{Cycles, random};
use reconverge_testing::generators::wild;
use reconverge_testing::plain_graph::PlainGraph;
use reconverge_testing::program_from_graph::{Values, with_calls_and};
use reconverge_testing::trial::{structurized, written_phis};
use reconverge_verify::verify;

/// Phis before and after. Every edge must be taken as before, with the same values.
fn phis(graph: &PlainGraph, seed: u64, values: Values, options: &Options) -> (usize, usize) {
    let graphs = std::slice::from_ref(graph);
    let before = with_calls_and(graphs, seed, values);
    let after = structurized(&before, options, graphs).unwrap_or_else(|message| panic!("{message}"));
    assert!(verify(&after.module).is_empty(), "seed {seed}, {values:?}: {graph}");
    let versions = (Version::new(&before.module), Version::new(&after.module));
    if let Err(message) = compare_walks(&versions.0, &versions.1, before.functions[0], graph, seed) {
        panic!("seed {seed}, {values:?}, {graph}\n{message}");
    }
    (written_phis(&before.module), written_phis(&after.module))
}

#[test]
fn every_walk_sees_the_same_constants() {
    let limits = [64, 64, 64, 3, 7];
    for seed in 0..400 {
        let size = 4 + seed as usize % 36;
        let options = Options::new().nesting_limit(limits[seed as usize % limits.len()]);
        for values in [Values::Origin, Values::Passed] {
            let _ = phis(&random(seed, size, Cycles::Reducible), seed, values, &options);
            let _ = phis(&random(seed, size, Cycles::Irreducible), seed, values, &options);
            let _ = phis(&wild::wild(seed, size), seed, values, &options);
        }
    }
}

#[test]
fn one_phi_a_join_becomes_few_more() {
    for (cycles, most) in [(Cycles::Reducible, 70), (Cycles::Irreducible, 85)] {
        let all = (0..100).map(|index| {
            let graph = random(index, 10 + index as usize * 190 / 99, cycles);
            phis(&graph, 1, Values::Origin, &Options::default()).1
        });
        let mut all: Vec<usize> = all.collect();
        all.sort_unstable();
        assert!(all[50] <= most, "{cycles:?}: {} phis, median of 100 graphs", all[50]);
    }
}
