//! Fleshed compute shaders: valid for Vulkan before and after, and the same words in the trace buffer.

use reconverge_interpret::{Contents, Interpreter, Launch, Value, no_externals};
use reconverge_ir::{Inst, Module};
use reconverge_passes::{Options, structurize};
use reconverge_spirv::{WriteOptions, write};
use reconverge_testing::equivalence::TRIES;
use reconverge_testing::flesh::{ANSWERS, Fleshed, TRACE, as_shader};
use reconverge_testing::generators::structured::{Form, structured};
use reconverge_testing::generators::{shapes, wild};
use reconverge_testing::judge::{Environment, Validator};
use reconverge_testing::plain_graph::PlainGraph;
use reconverge_testing::walk::{Walk, compute_walks};
use reconverge_verify::verify;

fn graphs() -> Vec<PlainGraph> {
    let mut graphs: Vec<PlainGraph> = (0..40).map(|seed| wild::wild(seed, 3 + seed as usize % 20)).collect();
    graphs.extend((0..20).map(|seed| structured(seed, 30, Form::Optimized)));
    graphs.extend(shapes::SHAPES.iter().map(|(_, shape)| shape(5)));
    graphs
}

fn structurized(before: &Fleshed) -> Module {
    let mut module = before.module.clone();
    let functions: Vec<_> = module.functions().collect();
    for function in functions {
        structurize(&mut module, function, &Options::default()).expect("within the limits");
    }
    module
}

fn hold_verified(module: &Module) {
    let findings = verify(module);
    assert!(findings.is_empty(), "{}: {}\n{}", findings[0].code, findings[0].message, findings[0].context);
}

#[test]
fn structurized_shaders_are_valid_for_vulkan() {
    let validator = Validator::find().unwrap();
    let before = as_shader(&graphs(), 1);
    hold_verified(&before.module);
    let after = structurized(&before);
    hold_verified(&after);
    let bytes = write(&after, &WriteOptions::default()).unwrap();
    for environment in [Environment::Vulkan1_1, Environment::Vulkan1_3] {
        if let Err(message) = validator.validate(&bytes, environment) {
            panic!("{}: {message}", environment.name());
        }
    }
}

fn global(module: &Module, name: &str) -> Inst {
    module.globals().find(|&inst| module.name(inst).as_deref() == Some(name)).expect("the shader has the buffer")
}

/// A buffer block that holds these words.
fn block(words: impl Iterator<Item = u32>) -> Value {
    Value::composite(vec![Value::composite(words.map(Value::u32).collect())])
}

/// The words that a function writes when it is answered as the walk says.
fn trace(module: &Module, interpreter: &Interpreter<'_>, function: reconverge_ir::Function, walk: &Walk) -> Vec<u32> {
    let (answers, trace) = (global(module, ANSWERS), global(module, TRACE));
    let contents = |variable, value| Contents { variable, lane: None, value };
    let launch = Launch {
        contents: vec![
            contents(answers, block(walk.answers.iter().copied().chain([0]))),
            contents(trace, block((0..2 * walk.blocks.len()).map(|_| 0))),
        ],
        observed: vec![trace],
        ..Launch::default()
    };
    let outcome = interpreter.run(function, &launch, &mut no_externals).expect("the launch fits");
    assert!(matches!(outcome.only().end, reconverge_interpret::End::Returned(None)), "{}", outcome.only().end);
    let Some(Value::Composite(members)) = outcome.variable(trace, 0) else { panic!("a block is a composite") };
    let Value::Composite(words) = &members[0] else { panic!("an array is a composite") };
    words.iter().map(|word| word.as_u32().expect("every word was written")).collect()
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
