//! What nobody needs goes, and nothing else.

use reconverge_optimize::dce;
use reconverge_testing::behaviour::Version;
use reconverge_testing::equivalence::compare_walks;
use reconverge_testing::generators::wild::wild;
use reconverge_testing::plain_graph::PlainGraph;
use reconverge_testing::program_from_graph;
use reconverge_testing::programs::{check_verified, functions, module};

#[test]
fn random_graphs_do_the_same() {
    for seed in 0..12 {
        let graphs: Vec<PlainGraph> = (0..10).map(|index| wild(seed * 100 + index, 4 + index as usize * 2)).collect();
        let before = program_from_graph::with_calls(&graphs, seed);
        let mut after = before.module.clone();
        for &function in &before.functions {
            dce(&mut after, function);
        }
        check_verified(&after);
        let versions = (Version::new(&before.module), Version::new(&after));
        for (&function, graph) in before.functions.iter().zip(&graphs) {
            if let Err(message) = compare_walks(&versions.0, &versions.1, function, graph, seed) {
                panic!("seed {seed}, {graph}: {message}");
            }
        }
    }
}

/// Many parameters at one block, half of them dead: each jump is written once.
#[test]
fn wide_blocks_take_linear_time() {
    let parameters = 20_000;
    let list =
        |prefix: &str| (0..parameters).map(|number| format!("%{prefix}{number}: %u32")).collect::<Vec<_>>().join(", ");
    let arguments = |value: &str| vec![value; parameters].join(", ");
    let mut sum = String::new();
    for number in (0..parameters).step_by(2) {
        sum += &format!("  %s{number}: %u32 = i_add %p{number}, %n\n");
        sum += &format!("  store %v, %s{number} 1\n");
    }
    let source = format!(
        "%pointer = type_pointer Function, %u32
         func %f: %u32 (%n: %u32, %c: %bool) {{
         block ^entry:
           %v: %pointer = variable Function
           branch_if %c ^a ^b
         block ^a:
           branch ^m({})
         block ^b:
           branch ^m({})
         block ^m({}):
         {sum}
           return_value %n
         }}",
        arguments("%one"),
        arguments("%n"),
        list("p")
    );
    let mut wide = module(&source);
    let function = functions(&wide)[0];
    assert_eq!(dce(&mut wide, function), parameters / 2);
}
