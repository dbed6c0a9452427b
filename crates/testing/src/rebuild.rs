//! Structured functions of many origins, read as trees and rebuilt from them.
//!
//! ```text
//! module ─▶ text ─▶ module ─▶ tree ─▶ all of it taken out, and a copy put back ─▶ text ─▶ module
//!             │ equal bytes ▲                                       │ equal behaviour
//!             └─────────────┘                                       ▼
//! ```
//!
//! The origins: every graph of up to four blocks and a part of those of five, random graphs, programs of lanes with values, and such
//! programs that were taken apart with their merges kept, all structurized; in two of three the ways of some selections meet early.

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

/// What was seen.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Figures {
    /// Functions with a body, all of which have a tree.
    pub functions: usize,
    /// Scopes in them.
    pub scopes: usize,
    /// Runs that were compared.
    pub runs: usize,
}

impl Figures {
    /// Both together.
    pub fn and(self, other: Figures) -> Figures {
        Figures {
            functions: self.functions + other.functions,
            scopes: self.scopes + other.scopes,
            runs: self.runs + other.runs,
        }
    }
}

/// The graph of a seed: of four, one is small and one of each of the others' kinds.
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

/// A structured module. In two of three the ways of selections meet early.
///
/// # Errors
/// The structurizer met a limit.
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

/// Checks that every structured function of a module that the verifier accepts has a tree, that its text reads back as it is, and that
/// what is built again from the trees does the same.
///
/// # Errors
/// What does not hold.
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
            // What the interpreter does not know says nothing.
            Err(message) if message.contains("before: unsupported") => 0,
            compared => compared?,
        };
    }
    Ok(figures)
}

/// The module that the text of a module says, which prints as the same text.
fn read_back(module: &Module) -> Result<Module, String> {
    let printed = text::print(module);
    let read = text::parse(&printed).map_err(|error| format!("its text: {error}"))?;
    if text::print(&read) == printed { Ok(read) } else { Err("its text reads back as another".to_owned()) }
}

/// Takes out the whole body of a function and puts a copy in its place, block by block as the tree has them.
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
