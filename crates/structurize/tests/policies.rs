//! Each policy on every small graph, on random graphs and with odd options: valid, equal traces, and no exit that it does not allow.

use crate::common::generate::{self, for_each_small_or_some};
use crate::common::{Lists, Random, verify};
use reconverge_structurize::{Options, Policy};

type Generate = fn(&mut Random, usize) -> Lists;

const KINDS: [Generate; 5] =
    [generate::reducible, generate::irreducible, generate::structured, generate::loop_simplified, generate::wild];

fn all() -> impl Iterator<Item = Options> {
    Policy::ALL.into_iter().map(|policy| Options::new().policy(policy))
}

#[test]
fn graphs_of_up_to_four_blocks() {
    for options in all() {
        for (nesting_limit, chain_limit) in [(64, 6), (0, 6), (3, 2), (64, 0)] {
            let options = options.clone().nesting_limit(nesting_limit).chain_limit(chain_limit);
            for_each_small_or_some(|graph| {
                verify(graph, &options);
                verify(&Lists { passes_values: true, ..graph.clone() }, &options);
            });
        }
    }
}

#[test]
fn random_graphs() {
    for options in all() {
        for (nesting_limit, chain_limit) in [(64, 6), (0, 6), (3, 2), (7, 0), (64, 0)] {
            let options = options.clone().nesting_limit(nesting_limit).chain_limit(chain_limit);
            for generate in KINDS {
                for size in [6, 14, 30, 60] {
                    for seed in 0..(240 / size as u64) {
                        let graph = generate(&mut Random::new(seed * 1000 + size as u64), size);
                        verify(&graph, &options);
                        verify(&Lists { passes_values: true, ..graph }, &options);
                    }
                }
            }
        }
    }
}
