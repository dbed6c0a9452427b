//! Prints what becomes of graphs that nest deeper than the limit. Figures, not a test:
//! `cargo run --release -p reconverge-structurize --example deep`.

#[path = "../tests/common/mod.rs"]
mod common;

use std::time::Instant;

use common::{Lists, Random, adversaries, generate, shapes};
use reconverge_structurize::{Options, Origin, Plan, Policy, Reason, Terminator, structurize};

/// What is counted of the plans of some graphs.
#[derive(Default)]
struct Sum {
    blocks: usize,
    plan_blocks: usize,
    selectors: usize,
    flat: usize,
    cases: usize,
    nesting: u32,
    milliseconds: f64,
}

impl Sum {
    fn add(&mut self, graph: &Lists, options: &Options) {
        let start = Instant::now();
        let plan = structurize(graph, options).expect("within the limits");
        self.milliseconds += start.elapsed().as_secs_f64() * 1000.0;
        assert!(plan.fell_back.is_none(), "{:?}", plan.fell_back);
        assert!(plan.nesting_depth <= options.nesting_limit.max(3), "nesting {}", plan.nesting_depth);
        let statistics = plan.statistics();
        self.blocks += statistics.input_blocks;
        self.plan_blocks += statistics.plan_blocks;
        self.selectors += statistics.selectors;
        let [flat, cases] = flat_forms(&plan);
        self.flat += flat;
        self.cases += cases;
        self.nesting = self.nesting.max(statistics.nesting_depth);
    }
}

/// How many flat forms there are, and how many cases they have together.
fn flat_forms(plan: &Plan) -> [usize; 2] {
    let mut counts = [0, 0];
    for block in &plan.blocks {
        if let (Origin::Added(Reason::FlatSwitch { .. }), Terminator::Switch { cases, .. }) =
            (&block.origin, &block.terminator)
        {
            counts[0] += 1;
            counts[1] += cases.len() + 1;
        }
    }
    counts
}

fn random_of(make: fn(&mut Random, usize) -> Lists) -> Vec<Lists> {
    (1..=50).map(|seed| make(&mut Random::new(seed), 400)).collect()
}

fn main() {
    let sets: [(&str, Vec<Lists>); 12] = [
        ("break to every level 512", vec![adversaries::break_to_every_level(3 * 512)]),
        ("break blocks of 512 levels", vec![adversaries::break_blocks_out_of_nest(4 * 512)]),
        ("2000 nested loops", vec![shapes::nest_loops(2000)]),
        ("2000 loops that return", vec![shapes::nest_returns(2000)]),
        ("2000 nested ifs", vec![shapes::nest_ifs(2000)]),
        ("700 nested switches", vec![adversaries::nested_switches(2100)]),
        ("nested irreducible", vec![adversaries::nested_irreducible(2000)]),
        ("reducible", random_of(generate::reducible)),
        ("irreducible", random_of(generate::irreducible)),
        ("structured", random_of(generate::structured)),
        ("loop-simplified", random_of(generate::loop_simplified)),
        ("wild", random_of(generate::wild)),
    ];
    println!("graphs                       limit       in      out  out/in   flat   cases  select  nest        ms");
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let policy = Policy::ALL.into_iter().find(|policy| arguments.iter().any(|name| name == policy.name()));
    for (name, graphs) in &sets {
        for nesting_limit in [1023, 127, 64, 16, 8, 5, 3, 0] {
            let options = Options::new().nesting_limit(nesting_limit).policy(policy.unwrap_or_default());
            let mut sum = Sum::default();
            graphs.iter().for_each(|graph| sum.add(graph, &options));
            println!(
                "{name:28} {nesting_limit:5} {:8} {:8}  {:6.3} {:6} {:7} {:7} {:5} {:9.1}",
                sum.blocks,
                sum.plan_blocks,
                sum.plan_blocks as f64 / sum.blocks as f64,
                sum.flat,
                sum.cases,
                sum.selectors,
                sum.nesting,
                sum.milliseconds
            );
        }
    }
}
