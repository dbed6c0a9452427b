//! Prints blocks, nesting and time for doublings of shapes that grow. Figures, not a test:
//! `cargo run --release -p reconverge-structurize --example growth`.

#[path = "../tests/common/mod.rs"]
mod common;

use std::time::Instant;

use common::{Lists, Random, generate, shapes};
use reconverge_structurize::{Options, structurize};

fn row(name: &str, size: usize, graph: &Lists, before: Option<f64>) -> f64 {
    let start = Instant::now();
    let plan = structurize(graph, &Options::default()).expect("within the limits");
    let milliseconds = start.elapsed().as_secs_f64() * 1000.0;
    let exponent = before.map_or(String::new(), |before| format!("{:5.2}", (milliseconds / before).log2()));
    let statistics = plan.statistics();
    println!(
        "{name:16} {size:7} {:8} {:8} {:5} {:6} {milliseconds:9.1} {exponent:>6} {}",
        statistics.input_blocks,
        statistics.plan_blocks,
        statistics.nesting_depth,
        statistics.selectors,
        if statistics.fell_back { "FELL BACK" } else { "" },
    );
    milliseconds
}

type Make = fn(usize) -> Lists;

fn random_of(generate: fn(&mut Random, usize) -> Lists, size: usize) -> Lists {
    generate(&mut Random::new(7), size)
}

fn main() {
    let families: [(&str, usize, Make); 17] = [
        ("3-break", 2048, shapes::three_break),
        ("nested ifs", 4096, shapes::nestif),
        ("diamonds", 4096, shapes::seqif),
        ("loops in a row", 4096, shapes::loopseq),
        ("early returns", 4096, shapes::earlyret),
        ("else-if ladder", 4096, shapes::elseif_ladder),
        ("two exits", 4096, shapes::two_exit_ladder),
        ("and-or", 4096, shapes::andor),
        ("fall-through", 4096, shapes::fallthrough),
        ("Duff", 4096, shapes::duff),
        ("switch web", 4096, shapes::switchweb),
        ("irreducible", 4096, shapes::irrcycle),
        ("nested loops", 3000, shapes::nest_loops),
        ("loop returns", 3000, shapes::nest_returns),
        ("nested diamonds", 3000, shapes::nest_ifs),
        ("wild", 2048, |size| random_of(generate::wild, size)),
        ("structured", 4096, |size| random_of(generate::structured, size)),
    ];
    println!("shape               size       in      out  nest  selec        ms   exponent");
    let only = std::env::args().nth(1);
    for (name, first, make) in families {
        if only.as_ref().is_some_and(|only| !name.contains(only.as_str())) {
            continue;
        }
        let mut before = None;
        for size in [first, first * 2, first * 4, first * 8] {
            before = Some(row(name, size, &make(size), before));
        }
    }
    for size in [12, 32, 128] {
        row("complete", size, &shapes::complete(size), None);
    }
}
