//! Reads structured functions of many kinds as control trees and rebuilds them from the trees.
//!
//! ```text
//! module ─▶ text ─▶ module ─▶ tree ─▶ all of it taken out, and a copy put back ─▶ text ─▶ module
//!             │ equal bytes ▲                                       │ equal behaviour
//!             └─────────────┘                                       ▼
//! ```
//!
//! Sources: all graphs of up to four blocks and a part of those of five, random graphs, lane programs with values, and such programs after
//! transformations that keep their merges, all structurized; in two of three, some selections have early joins.

use std::sync::LazyLock;

use reconverge_control_tree::{ControlTree, Cursor, TreeEditor};
use reconverge_ir::{Copies, Function, Module, Stage, text};
use reconverge_restructure::{Options, structurize};
use reconverge_verify::verify;

use crate::behaviour::Version;
use crate::early_joins::join_early;
use crate::equivalence::compare_versions;
use crate::generators::exhaustive::exhaustive;
use crate::generators::lanes::{LaneOptions, Outside, lanes_program, lower};
use crate::generators::random::{Cycles, random};
use crate::generators::structured::{Form, structured};
use crate::generators::{tortured, wild};
use crate::plain_graph::PlainGraph;
use crate::program_from_graph;
use crate::random::{Random, mix};
use crate::unstructure::MergeKeeper;

/// Every graph of up to five blocks, the smaller ones first.
static SMALL: LazyLock<Vec<PlainGraph>> = LazyLock::new(|| (1..=5).flat_map(exhaustive).collect());

/// The counters.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Figures {
    /// Functions with a body; each must have a tree.
    pub functions: usize,
    /// The scopes in them.
    pub scopes: usize,
    /// Compared runs.
    pub runs: usize,
}

impl Figures {
    /// The sum.
    pub fn and(self, other: Figures) -> Figures {
        Figures {
            functions: self.functions + other.functions,
            scopes: self.scopes + other.scopes,
            runs: self.runs + other.runs,
        }
    }
}

/// The graph of a seed: one in four is small, the others are one of each other kind.
fn graph(seed: u64) -> PlainGraph {
    let (number, size) = (seed / 2, 3 + (seed as usize / 2) % 31);
    match number % 6 {
        0 => structured(number, size, Form::Optimized),
        1 => structured(number, size, Form::Plain),
        2 => random(number, size, Cycles::Reducible),
        3 => random(number, size, Cycles::Irreducible),
        4 => wild::wild(number, size),
        _ => tortured::tortured(number, size),
    }
}

/// A structured module. Two of three have selections with early joins.
///
/// # Errors
/// The structurizer reached a limit.
pub fn structured_module(seed: u64) -> Result<Module, String> {
    let mut module = match seed % 4 {
        0 => program_from_graph::with_calls(&[SMALL[(seed / 4) as usize % SMALL.len()].clone()], seed).module,
        1 => program_from_graph::with_calls(&[graph(seed)], seed).module,
        kind => {
            let options = LaneOptions { kill: seed % 7 == 3, ..LaneOptions::default() };
            let lowered = lower(&lanes_program(seed, 3 + seed as usize % 40, &options), Outside::Calls);
            let mut module = lowered.module;
            let mut random = Random::new(mix(seed));
            for &function in lowered.functions.iter().filter(|_| kind == 3) {
                module.edit().set_stage(function, Stage::Graph);
                for destroyer in MergeKeeper::SEQUENCE {
                    destroyer.run(&mut module, function, &mut random);
                }
            }
            module
        }
    };
    for function in module.functions().collect::<Vec<_>>() {
        structurize(&mut module, function, &Options::default()).map_err(|error| error.to_string())?;
        if module.entry(function).is_some() && !seed.is_multiple_of(3) {
            join_early(&mut module, function, 3, &mut Random::new(seed));
        }
    }
    Ok(module)
}

/// Checks that every structured function of a valid module has a tree, that the printed text reads back as the same module, and that the
/// function rebuilt from its tree has the same behaviour.
///
/// # Errors
/// The failed check.
pub fn judge(module: &Module, seed: u64) -> Result<Figures, String> {
    if let Some(finding) = verify(module).first() {
        return Err(format!("the module as it came: {finding}"));
    }
    let before = read_back(module)?;
    let mut after = before.clone();
    let mut figures = Figures::default();
    let functions: Vec<Function> = before.functions().filter(|&function| before.entry(function).is_some()).collect();
    for &function in functions.iter().filter(|&&function| before.stage(function) == Stage::Structured) {
        let tree = ControlTree::compute(&before, function).map_err(|error| format!("no tree: {error}"))?;
        let is_scope = |construct: &&reconverge_control_tree::ConstructData| {
            construct.kind == reconverge_control_tree::ConstructKind::Scope
        };
        figures.functions += 1;
        figures.scopes += tree.constructs().filter(is_scope).count();
        rebuild(&mut after, function)?;
    }
    read_back(&after)?;
    if let Some(finding) = verify(&after).first() {
        return Err(format!("built anew: {finding}\n{}", text::print(&after)));
    }
    let versions = [&before, &after].map(Version::new);
    for &function in &functions {
        figures.runs += match compare_versions(&versions[0], &versions[1], function, seed) {
            // A run that the interpreter does not support counts as no comparison.
            Err(message) if message.contains("before: unsupported") => 0,
            compared => compared?,
        };
    }
    Ok(figures)
}

/// The module of a printed text, which must print as the same text.
fn read_back(module: &Module) -> Result<Module, String> {
    let printed = text::print(module);
    let read = text::parse(&printed).map_err(|error| format!("its text: {error}"))?;
    if text::print(&read) == printed { Ok(read) } else { Err("its text reads back as another".to_owned()) }
}

/// Removes the body of a function and inserts a copy, block by block from the tree.
fn rebuild(module: &mut Module, function: Function) -> Result<(), String> {
    let mut editor = TreeEditor::new(module, function).map_err(|error| error.to_string())?;
    let tree = editor.tree().map_err(|error| error.to_string())?;
    let root = tree.root();
    let (begin, end) = (Cursor::begin(&tree, root), Cursor::end(editor.module(), &tree, root));
    let body = editor.extract(begin, end).map_err(|error| error.to_string())?;
    let copy = editor.clone_fragment(&body, &mut Copies::new()).map_err(|error| error.to_string())?;
    let origin = body.origin().ok_or("a body knows where it was")?;
    editor.delete(body);
    editor.insert(origin, copy).map_err(|refused| refused.to_string())
}
