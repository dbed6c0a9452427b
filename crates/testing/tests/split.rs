//! Node splitting in filled shaders: blocks with values, stores and loads are copied, and the words in the trace buffer stay the same.

use reconverge_interpret::Interpreter;
use reconverge_restructure::{Options, structurize};
use reconverge_spirv::{WriteOptions, write};
use reconverge_structurize::ControlFlow;
use reconverge_testing::equivalence::TRIES;
use reconverge_testing::generators::random::{Cycles, random};
use reconverge_testing::generators::wild;
use reconverge_testing::judge::{Environment, Validator};
use reconverge_testing::plain_graph::PlainGraph;
use reconverge_testing::program_from_graph::{Values, as_shader_and, trace};
use reconverge_testing::walk::compute_walks;
use reconverge_verify::verify;

/// Larger than any block that is filled.
const LARGEST: u32 = 200;

/// Splits all functions. How many blocks were copied.
fn split(graphs: &[PlainGraph], seed: u64, values: Values, validator: &Validator) -> usize {
    let before = as_shader_and(graphs, seed, values);
    let mut after = before.module.clone();
    let options = Options::new().split_blocks(LARGEST);
    let mut copied = 0;
    for &function in &before.functions {
        let report = structurize(&mut after, function, &options).expect("within the limits").expect("it has a body");
        if let Some(split) = report.split {
            copied += split.copies().len();
            assert_eq!(report.input_blocks.len(), split.block_count());
            assert_eq!(report.plan.statistics().input_blocks, split.block_count());
        }
    }
    let findings = verify(&after);
    assert!(findings.is_empty(), "seed {seed}: {}: {}\n{}", findings[0].code, findings[0].message, findings[0].context);
    let bytes = write(&after, &WriteOptions::default()).expect("it can be written");
    validator.validate(&bytes, Environment::Vulkan1_1).unwrap_or_else(|message| panic!("seed {seed}: {message}"));
    let interpreters = [Interpreter::new(&before.module), Interpreter::new(&after)];
    for (&function, graph) in before.functions.iter().zip(graphs) {
        for walk in compute_walks(graph, seed, TRIES).iter().filter(|walk| walk.is_finished) {
            let old = trace(&before.module, &interpreters[0], function, walk);
            assert_eq!(trace(&after, &interpreters[1], function, walk), old, "seed {seed}, {values:?}: {graph}");
        }
    }
    copied
}

#[test]
fn every_walk_sees_the_same_values() {
    let validator = Validator::find().expect("cargo xtask setup installs the validator");
    let mut copied = 0;
    for seed in 0..16 {
        for values in [Values::Mixed, Values::Distant, Values::Passed, Values::Origin] {
            let size = 4 + seed as usize % 36;
            let mut graphs: Vec<PlainGraph> =
                (0..6).map(|index| random(seed * 8 + index, size, Cycles::Irreducible)).collect();
            graphs.extend((0..6).map(|index| wild::wild(seed * 8 + index, 3 + size / 2)));
            copied += split(&graphs, seed, values, &validator);
        }
    }
    println!("{copied} copies");
    assert!(copied > 200, "{copied}");
}
