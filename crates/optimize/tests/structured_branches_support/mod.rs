//! What the tests of the passes over branches share: a program before and after, run in several lanes.

#![allow(clippy::unwrap_used, reason = "the helpers of tests are tests")]

use reconverge_interpret::{Argument, Interpreter, Launch, Value};
use reconverge_ir::{Block, Edge, Function, Inst, Module, Op, text};
use reconverge_optimize::structured::StructuredError;
use reconverge_testing::random::Random;
use reconverge_verify::verify;

/// A pass.
pub(crate) type Pass = fn(&mut Module, Function) -> Result<bool, StructuredError>;

/// Types, constants and what writes things down.
const HEAD: &str = "\
%void = type_void
%bool = type_bool
%u32 = type_int 32, 0
%f32 = type_float 32
%v2 = type_vector %f32, 2
%v4 = type_vector %u32, 4
%true: %bool = constant_true
%false: %bool = constant_false
%zero: %u32 = constant 0
%one: %u32 = constant 1
%two: %u32 = constant 2
%three: %u32 = constant 3
%ten: %u32 = constant 10
%local = type_pointer Function, %u32
func %record: %void (%at: %u32, %who: %u32)
func %value: %void (%at: %u32)
";

/// A module of the head and this text. A line `RECORD %x` writes down which lanes came there together.
pub(crate) fn module(body: &str) -> Module {
    let mut source = String::from(HEAD);
    for (number, line) in body.lines().enumerate() {
        match line.trim().strip_prefix("RECORD ") {
            Some(at) => {
                let lines = format!(
                    "%b{number}: %v4 = group_non_uniform_ballot %three, %true
                     %w{number}: %u32 = composite_extract %b{number}, 0
                     %r{number}: %void = function_call %record, {at}, %w{number}\n"
                );
                source.push_str(&lines);
            }
            None => {
                source.push_str(line);
                source.push('\n');
            }
        }
    }
    let mut module = text::parse(&source).unwrap_or_else(|error| panic!("{error:?}\n{source}"));
    split_critical_edges(&mut module);
    module
}

fn split_critical_edges(module: &mut Module) {
    let blocks: Vec<Block> = module.blocks(function(module)).collect();
    for block in blocks {
        let edges: Vec<Edge> = module.out_edges(block).collect();
        for &edge in &edges {
            let is_shared = module.target(edge).is_some_and(|target| module.in_edges(target).nth(1).is_some());
            if edges.len() > 1 && is_shared {
                module.edit().split_edge(edge);
            }
        }
    }
}

/// The function with a body.
pub(crate) fn function(module: &Module) -> Function {
    module.functions().find(|&function| module.entry(function).is_some()).unwrap()
}

/// The verifier finds nothing.
pub(crate) fn hold_verified(module: &Module) {
    let findings = verify(module);
    if let Some(finding) = findings.first() {
        panic!("{} findings, the first: {finding}\n{}", findings.len(), text::print(module));
    }
}

/// What a pass makes of a program, with everything held that must hold: the verifier before and after, the same calls with the same
/// lanes, nothing to do when it runs again.
pub(crate) fn after(body: &str, pass: Pass) -> Module {
    let before = module(body);
    hold_verified(&before);
    let mut after = before.clone();
    let function = function(&before);
    let changed = pass(&mut after, function).unwrap_or_else(|error| panic!("{error}"));
    hold_verified(&after);
    let is_same = text::print(&before) == text::print(&after);
    assert_eq!(changed, !is_same, "what the pass says is not so:\n{}", text::print(&after));
    let once = text::print(&after);
    assert!(!pass(&mut after, function).unwrap(), "the pass goes on:\n{once}\nthen\n{}", text::print(&after));
    assert_eq!(once, text::print(&after));
    hold_equal(&before, &after);
    after
}

/// What a pass makes of a program that it changes.
pub(crate) fn changed(body: &str, pass: Pass) -> Module {
    let result = after(body, pass);
    assert_ne!(text::print(&module(body)), text::print(&result), "nothing changed");
    result
}

/// The pass leaves a program as it is.
pub(crate) fn hold_unchanged(body: &str, pass: Pass) {
    assert_eq!(text::print(&module(body)), text::print(&after(body, pass)));
}

/// Lanes do the same in two versions of a module.
pub(crate) fn hold_equal(before: &Module, after: &Module) {
    let function = function(before);
    for seed in 0..24 {
        let lanes = [1, 3, 8][seed as usize % 3];
        let (old, new) = (observe(before, function, lanes, seed), observe(after, function, lanes, seed));
        if old.iter().flatten().any(|event| event.contains("fuel")) {
            continue;
        }
        assert_eq!(old, new, "seed {seed}\n{}\n{}", text::print(before), text::print(after));
    }
}

/// For each lane what it called with what, and how it ended.
pub(crate) fn observe(module: &Module, function: Function, lanes: usize, seed: u64) -> Vec<Vec<String>> {
    let mut random = Random::new(seed);
    let mut launch = Launch::default().with_lanes(lanes).with_fuel(20_000);
    for parameter in module.parameters(function) {
        let ty = module.ty(parameter).unwrap();
        let values = (0..lanes).map(|_| random_value(module, ty, &mut random)).collect();
        launch.arguments.push(Argument::PerLane(values));
    }
    let mut seen = vec![Vec::new(); lanes];
    let mut external = |lane: usize, callee: Function, arguments: &[Value]| {
        seen[lane].push(format!("{} {arguments:?}", module.name(callee).unwrap_or_default()));
        Ok(None)
    };
    let outcome = Interpreter::new(module).run(function, &launch, &mut external).unwrap();
    for (lane, outcome) in outcome.lanes.iter().enumerate() {
        seen[lane].push(outcome.end.to_string());
    }
    seen
}

fn random_value(module: &Module, ty: Inst, random: &mut Random) -> Value {
    match module.op(ty) {
        Op::TypeBool => Value::Bool(random.chance(50)),
        Op::TypeInt => Value::u32(random.below(5) as u32),
        Op::TypeFloat if random.chance(20) => Value::float(32, f64::NAN),
        Op::TypeFloat => Value::float(32, random.below(5) as f64 - 2.0),
        Op::TypeVector => {
            let component = module.operand(ty, 0);
            let count = module.literal_word(module.operand(ty, 1)).unwrap();
            Value::composite((0..count).map(|_| random_value(module, component, random)).collect())
        }
        op => panic!("no value of {op:?}"),
    }
}

/// How many instructions of an op stand in the function with a body.
pub(crate) fn count(module: &Module, op: Op) -> usize {
    let blocks = module.blocks(function(module));
    blocks.flat_map(|block| module.children(block)).filter(|&inst| module.op(inst) == op).count()
}

/// How many blocks the function has.
pub(crate) fn blocks(module: &Module) -> usize {
    module.blocks(function(module)).count()
}

/// The first instruction of an op in the function.
pub(crate) fn find(module: &Module, op: Op) -> Inst {
    let mut all = module.blocks(function(module)).flat_map(|block| module.children(block));
    all.find(|&inst| module.op(inst) == op).unwrap_or_else(|| panic!("no {op:?}\n{}", text::print(module)))
}
