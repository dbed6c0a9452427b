//! Random graphs of several kinds, with ordinary and odd options; the sizes of what comes out.

use crate::common::{Lists, Random, generate, verify};
use reconverge_structurize::Options;

type Generate = fn(&mut Random, usize) -> Lists;

const KINDS: [(&str, Generate); 5] = [
    ("reducible", generate::reducible),
    ("irreducible", generate::irreducible),
    ("structured", generate::structured),
    ("loop-simplified", generate::loop_simplified),
    ("wild", generate::wild),
];

fn run(generate: Generate, sizes: &[usize], seeds: u64, options: &Options) {
    for &size in sizes {
        for seed in 0..seeds {
            let mut random = Random::new(seed * 1000 + size as u64);
            let graph = generate(&mut random, size);
            verify(&graph, options);
        }
    }
}

#[test]
fn ordinary_options() {
    for (_, generate) in KINDS {
        run(generate, &[5, 8, 12, 25], 60, &Options::default());
        run(generate, &[60, 120], 10, &Options::default());
    }
}

#[test]
fn odd_options() {
    for (nesting_limit, chain_limit) in [(0, 6), (3, 2), (7, 0), (64, 0), (2, 6)] {
        let options = Options::new().nesting_limit(nesting_limit).chain_limit(chain_limit);
        for (_, generate) in KINDS {
            run(generate, &[6, 14, 30], 25, &options);
            run(generate, &[70], 4, &options);
        }
    }
}

/// Median of output blocks to input blocks, times 100.
fn median_ratio(generate: Generate, sizes: &[usize], seeds: u64) -> usize {
    let mut ratios = Vec::new();
    for &size in sizes {
        for seed in 0..seeds {
            let mut random = Random::new(seed * 77 + size as u64);
            let graph = generate(&mut random, size);
            let plan = reconverge_structurize::structurize(&graph, &Options::default()).expect("within the limits");
            let statistics = plan.statistics();
            assert!(!statistics.fell_back);
            ratios.push(statistics.plan_blocks * 100 / statistics.input_blocks);
        }
    }
    ratios.sort_unstable();
    println!("median {} max {}", ratios[ratios.len() / 2], ratios[ratios.len() - 1]);
    ratios[ratios.len() / 2]
}

#[test]
fn growth_in_blocks_stays_within_bounds() {
    let sizes = [10, 20, 50, 100, 200];
    for ((name, generate), bound) in KINDS.into_iter().zip([165, 176, 105, 111, 225]) {
        print!("{name}: ");
        let ratio = median_ratio(generate, &sizes, 40);
        assert!(ratio <= bound, "{name}: {ratio} % of the input, bound {bound} %");
    }
}

#[test]
fn equal_input_gives_equal_output() {
    for seed in 0..20 {
        let graph = generate::wild(&mut Random::new(seed), 40);
        let one = reconverge_structurize::structurize(&graph, &Options::default());
        let other = reconverge_structurize::structurize(&graph.clone(), &Options::default());
        assert_eq!(one, other);
    }
}
