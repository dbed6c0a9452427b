//! What carrying values costs: SPIR-V's phis before and after structurizing, and where they come from.
//!
//! ```text
//! cargo run --release -p reconverge-testing --example values -- [SET]
//! ```
//!
//! Medians and maxima over the sets that the side-by-side bench uses. "own" are the input's phis, "before" what the plan and the
//! repair asked for, "gone" how many parameters said nothing new. In the rows "one a join" every join has one phi of constants and
//! nothing else is handed on, as in the figures that others publish.

use std::time::Instant;

use reconverge_restructure::{Options, structurize};
use reconverge_testing::generators::random::{Cycles, random};
use reconverge_testing::generators::shapes::{multi_break, nested_loops};
use reconverge_testing::generators::structured::{Form, structured};
use reconverge_testing::plain_graph::PlainGraph;
use reconverge_testing::program_from_graph::{Filled, Values, as_shader_and};
use reconverge_testing::trial::written_phis;

type Set = (String, Vec<PlainGraph>, Content, u32);

#[derive(Clone, Copy)]
enum Content {
    Mixed,
    OneAJoin,
}

fn main() {
    let wanted = std::env::args().nth(1).unwrap_or_default();
    println!("| set | own | after | selectors before | slots before | repair | variables | gone | ms in all |");
    println!("|---|---|---|---|---|---|---|---|---|");
    for (name, graphs, content, limit) in sets().into_iter().filter(|(name, ..)| name.contains(&wanted)) {
        let start = Instant::now();
        let rows: Vec<[usize; 7]> = graphs.iter().map(|graph| measure(graph, content, limit)).collect();
        let columns = (0..7).map(|column| median_and_max(rows.iter().map(|row| row[column]).collect()));
        let columns: Vec<String> = columns.map(|(median, greatest)| format!("{median} ({greatest})")).collect();
        println!("| {name} | {} | {} |", columns.join(" | "), start.elapsed().as_millis());
    }
}

fn sets() -> Vec<Set> {
    let sized = |generate: &dyn Fn(u64, usize) -> PlainGraph| -> Vec<PlainGraph> {
        (0..100).map(|index| generate(index as u64, 10 + index * 190 / 99)).collect()
    };
    let all = [
        ("reducible", sized(&|seed, size| random(seed, size, Cycles::Reducible))),
        ("irreducible", sized(&|seed, size| random(seed, size, Cycles::Irreducible))),
        ("structured", sized(&|seed, size| structured(seed, size, Form::Plain))),
        ("loop-simplified", sized(&|seed, size| structured(seed, size, Form::LoopSimplified))),
    ];
    let mut sets: Vec<Set> = Vec::new();
    for (name, graphs) in all {
        sets.push((name.to_owned(), graphs.clone(), Content::Mixed, 64));
        sets.push((format!("{name}, one a join"), graphs, Content::OneAJoin, 64));
    }
    for (count, limit) in [(128, 64), (512, 64), (128, 1023), (512, 1023)] {
        sets.push((
            format!("break to every level {count}, limit {limit}"),
            vec![multi_break(count)],
            Content::Mixed,
            limit,
        ));
    }
    for count in [375, 750, 1500] {
        sets.push((format!("{count} nested loops"), vec![nested_loops(count)], Content::Mixed, 64));
    }
    sets
}

/// The columns of the table.
fn measure(graph: &PlainGraph, content: Content, limit: u32) -> [usize; 7] {
    let Filled { mut module, functions } = match content {
        Content::Mixed => as_shader_and(std::slice::from_ref(graph), 1, Values::Mixed),
        Content::OneAJoin => as_shader_and(std::slice::from_ref(graph), 1, Values::Origin),
    };
    let own = written_phis(&module);
    let options = Options::new().nesting_limit(limit);
    let report = structurize(&mut module, functions[0], &options).expect("no limit is met").expect("it has a body");
    let (values, repair) = (report.values, report.repair);
    let after = written_phis(&module);
    [own, after, values.selectors, values.slots, repair.parameters, repair.variables, values.removed]
}

fn median_and_max(mut values: Vec<usize>) -> (usize, usize) {
    values.sort_unstable();
    (values[values.len() / 2], values[values.len() - 1])
}
