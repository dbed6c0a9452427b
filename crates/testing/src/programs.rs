//! Common parts of the tests of passes: a program before and after, and the checks.

use crate::behaviour::Version;
use crate::equivalence::compare_versions;
use reconverge_ir::{Block, Edge, Function, Inst, Module, Op, text};
use reconverge_restructure::{Options, structurize};
use reconverge_verify::verify;

/// The types and constants of the programs.
pub const HEAD: &str = "\
%void = type_void
%bool = type_bool
%u32 = type_int 32, 0
%f32 = type_float 32
%true: %bool = constant_true
%zero: %u32 = constant 0
%one: %u32 = constant 1
%two: %u32 = constant 2
%three: %u32 = constant 3
%ten: %u32 = constant 10
";

/// A module of the head and this text.
pub fn module(body: &str) -> Module {
    plain_module(&format!("{HEAD}{body}"))
}

/// A module of this text alone.
pub fn plain_module(source: &str) -> Module {
    text::parse(source).unwrap_or_else(|error| panic!("{error:?}\n{source}"))
}

/// The functions that have a body.
pub fn functions(module: &Module) -> Vec<Function> {
    module.functions().filter(|&function| module.entry(function).is_some()).collect()
}

/// Gives each edge from a block with several successors to a block with several predecessors a block of its own.
pub fn split_critical_edges(module: &mut Module, function: Function) {
    let blocks: Vec<Block> = module.blocks(function).collect();
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

/// Checks that the verifier finds nothing.
pub fn check_verified(module: &Module) {
    let findings = verify(module);
    if let Some(finding) = findings.first() {
        panic!("{} findings, the first: {finding}\n{}", findings.len(), text::print(module));
    }
}

/// Checks that every function that can be run has the same behaviour in both modules. Returns the number of compared starts.
pub fn check_equal(before: &Module, after: &Module) -> usize {
    let versions = (Version::new(before), Version::new(after));
    let mut compared = 0;
    for function in functions(before) {
        match compare_versions(&versions.0, &versions.1, function, 7) {
            Ok(count) => compared += count,
            Err(message) => panic!("{message}\n{}\n{}", text::print(before), text::print(after)),
        }
    }
    compared
}

/// Structurizes every function of a valid module; checks that the result is valid and has the same behaviour.
pub fn structurized(before: &Module) -> Module {
    structurized_with(before, &Options::default())
}

/// [`structurized`] with options.
pub fn structurized_with(before: &Module, options: &Options) -> Module {
    let after = structurized_alone(before, options);
    assert!(check_equal(before, &after) > 0, "nothing was run");
    after
}

/// [`structurized_with`] for modules that the interpreter cannot run.
pub fn structurized_alone(before: &Module, options: &Options) -> Module {
    check_verified(before);
    let mut after = before.clone();
    for function in functions(before) {
        if let Err(error) = structurize(&mut after, function, options) {
            panic!("{error}\n{}", text::print(before));
        }
    }
    check_verified(&after);
    after
}

/// The instruction with that name.
pub fn named(module: &Module, name: &str) -> Inst {
    let root = module.root();
    let mut pending = vec![root];
    while let Some(inst) = pending.pop() {
        if module.name(inst).as_deref() == Some(name) {
            return inst;
        }
        pending.extend(module.children(inst));
    }
    panic!("nothing is named {name}");
}

/// The number of instructions with an op in the functions.
pub fn count(module: &Module, op: Op) -> usize {
    let blocks = module.functions().flat_map(|function| module.blocks(function));
    blocks.flat_map(|block| module.children(block)).filter(|&inst| module.op(inst) == op).count()
}

/// The number of block parameters that become phis in SPIR-V.
pub fn phis(module: &Module) -> usize {
    let blocks = module.functions().flat_map(|function| module.blocks(function));
    blocks.filter(|&block| !module.is_bare_edge(block)).map(|block| module.parameters(block).count()).sum()
}

/// Options that put every function into flat form.
pub fn flat() -> Options {
    Options::new().nesting_limit(0)
}
