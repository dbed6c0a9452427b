//! Filled compute shaders: valid for Vulkan before and after, and the same words in the trace buffer.

use reconverge_interpret::Interpreter;
use reconverge_ir::Module;
use reconverge_restructure::{Options, structurize};
use reconverge_spirv::{WriteOptions, write};
use reconverge_testing::equivalence::TRIES;
use reconverge_testing::generators::structured::{Form, structured};
use reconverge_testing::generators::{shapes, wild};
use reconverge_testing::judge::{Environment, Validator};
use reconverge_testing::plain_graph::PlainGraph;
use reconverge_testing::program_from_graph::{Filled, as_shader, trace};
use reconverge_testing::walk::compute_walks;
use reconverge_verify::verify;

fn graphs() -> Vec<PlainGraph> {
    let mut graphs: Vec<PlainGraph> = (0..40).map(|seed| wild::wild(seed, 3 + seed as usize % 20)).collect();
    graphs.extend((0..20).map(|seed| structured(seed, 30, Form::Optimized)));
    graphs.extend(shapes::SHAPES.iter().map(|(_, shape)| shape(5)));
    graphs
}

fn structurized(before: &Filled) -> Module {
    let mut module = before.module.clone();
    let functions: Vec<_> = module.functions().collect();
    for function in functions {
        structurize(&mut module, function, &Options::default()).expect("within the limits");
    }
    module
}

fn check_verified(module: &Module) {
    let findings = verify(module);
    assert!(findings.is_empty(), "{}: {}\n{}", findings[0].code, findings[0].message, findings[0].context);
}

#[test]
fn structurized_shaders_are_valid_for_vulkan() {
    let validator = Validator::find().unwrap();
    let before = as_shader(&graphs(), 1);
    check_verified(&before.module);
    let after = structurized(&before);
    check_verified(&after);
    let bytes = write(&after, &WriteOptions::default()).unwrap();
    for environment in [Environment::Vulkan1_1, Environment::Vulkan1_3] {
        if let Err(message) = validator.validate(&bytes, environment) {
            panic!("{}: {message}", environment.name());
        }
    }
}

#[test]
fn structurized_shaders_write_the_same_trace() {
    let graphs = graphs();
    let before = as_shader(&graphs, 1);
    let after = structurized(&before);
    let interpreters = [Interpreter::new(&before.module), Interpreter::new(&after)];
    for (&function, graph) in before.functions.iter().zip(&graphs) {
        for walk in compute_walks(graph, 1, TRIES).iter().filter(|walk| walk.is_finished) {
            let old = trace(&before.module, &interpreters[0], function, walk);
            let blocks: Vec<usize> = old.iter().step_by(2).map(|&word| word as usize).collect();
            assert_eq!(blocks, walk.blocks, "{graph}");
            assert_eq!(trace(&after, &interpreters[1], function, walk), old, "{graph}");
        }
    }
}
