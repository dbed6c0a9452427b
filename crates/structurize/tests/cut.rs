//! Graphs that nest deeper than the limit: at every small limit the plan is valid, equal and no deeper, and what is cut stays structured as
//! far as the limit leaves room.

use crate::common::generate::{self, for_each_small_or_some};
use crate::common::{Lists, Random, adversaries, shapes, verify};
use reconverge_structurize::{Options, Origin, Plan, Policy, Reason, Terminator};

fn all_options() -> Vec<Options> {
    Policy::ALL.map(|policy| Options::new().policy(policy)).to_vec()
}

/// How many cases the flat forms of a plan have.
fn cases(plan: &Plan) -> usize {
    let cases = plan.blocks.iter().map(|block| match (&block.origin, &block.terminator) {
        (Origin::Added(Reason::FlatSwitch { .. }), Terminator::Switch { cases, .. }) => cases.len() + 1,
        _ => 0,
    });
    cases.sum()
}

#[test]
fn graphs_of_up_to_four_blocks_at_every_small_limit() {
    let is_deep = std::env::var_os("RECONVERGE_DEEP").is_some();
    let (limits, chain_limits) = if is_deep { (1..=7, &[0, 6][..]) } else { (3..=5, &[6][..]) };
    for options in all_options() {
        for nesting_limit in limits.clone() {
            for &chain_limit in chain_limits {
                let options = options.clone().nesting_limit(nesting_limit).chain_limit(chain_limit);
                for_each_small_or_some(|graph| {
                    verify(graph, &options);
                });
            }
        }
    }
}

#[test]
fn random_graphs_at_every_small_limit() {
    type Generate = fn(&mut Random, usize) -> Lists;
    let kinds: [Generate; 8] = [
        generate::reducible,
        generate::irreducible,
        generate::structured,
        generate::loop_simplified,
        generate::wild,
        adversaries::reducible,
        adversaries::irreducible,
        adversaries::locally_irreducible,
    ];
    let seeds = if std::env::var_os("RECONVERGE_DEEP").is_some() { 60 } else { 3 };
    for (index, options) in all_options().into_iter().enumerate() {
        for nesting_limit in 3..=12 {
            let options = options.clone().nesting_limit(nesting_limit).chain_limit([6, 0][index % 2]);
            for generate in kinds {
                for size in [12, 30, 80] {
                    for seed in 0..seeds {
                        let seed = seed * 1000 + u64::from(nesting_limit) * 100 + size as u64;
                        verify(&generate(&mut Random::new(seed), size), &options);
                    }
                }
            }
        }
    }
}

#[test]
fn deep_shapes_at_every_small_limit() {
    for options in all_options() {
        for nesting_limit in 3..=20 {
            let options = options.clone().nesting_limit(nesting_limit);
            let graphs = [
                shapes::nest_loops(25),
                shapes::nest_ifs(25),
                shapes::nest_returns(25),
                adversaries::nested_switches(75),
                adversaries::break_to_every_level(75),
                adversaries::break_blocks_out_of_nest(100),
                adversaries::nested_irreducible(40),
            ];
            for graph in graphs {
                verify(&graph, &options);
            }
        }
    }
}

/// What is cut, and how many cases it may take: `(limit, cases)`.
fn expect(name: &str, graph: &Lists, rows: &[(u32, usize)]) {
    for &(nesting_limit, most) in rows {
        let plan = verify(graph, &Options::new().nesting_limit(nesting_limit));
        let found = cases(&plan);
        println!("{name} at {nesting_limit}: {found} cases; {}", plan.statistics());
        assert!(found > 0 && found <= most, "{name} at {nesting_limit}: {found} cases\n{}", plan.explain().join("\n"));
    }
}

#[test]
fn only_the_cut_dispatches() {
    // A case for each loop that neither stands around the cut nor fits into a piece.
    expect("100 nested loops", &shapes::nest_loops(100), &[(64, 40), (16, 88), (8, 96)]);
    expect("100 loops that return", &shapes::nest_returns(100), &[(64, 40), (16, 88), (8, 96)]);
    // A case for each merge, and one for so many levels as a piece holds.
    expect("100 nested ifs", &shapes::nest_ifs(100), &[(64, 42), (16, 110), (8, 125)]);
    // Inner loops are loops again, and so are selections.
    for seed in 1..20 {
        let graph = generate::structured(&mut Random::new(seed), 300);
        let blocks = graph.successors.len();
        let plan = verify(&graph, &Options::new().nesting_limit(5));
        assert!(cases(&plan) * 5 < blocks, "seed {seed}: {} cases of {blocks} blocks", cases(&plan));
        assert!(plan.blocks.len() <= blocks + 8, "seed {seed}: {} of {blocks} blocks", plan.blocks.len());
    }
}
