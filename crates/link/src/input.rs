//! The interface between the linker and an input.
//!
//! An input has a module that may be loaded in part: the linker calls [`Input::load`] before it reads an instruction, which loads the
//! instruction with its contents and with everything that it names. A module in memory ([`ModuleInput`]) is always complete; of a file in
//! the binary form ([`crate::ArchiveInput`]), only requested instructions are created.

use std::borrow::Cow;

use reconverge_ir::{Inst, Module, Op, debug_info::DebugSet, view};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use crate::Symbol;
use crate::table::Table;

/// A module to link.
pub trait Input {
    /// The name for messages.
    fn name(&self) -> &str;

    /// The module, with the parts that are loaded.
    fn module(&self) -> &Module;

    /// Creates an instruction at module level with its contents, and transitively all instructions at module level that these name, with
    /// their decorations. The contents of named functions and generics may be missing. Constant time if the instruction is loaded.
    ///
    /// # Errors
    /// The reason why the file cannot be read.
    fn load(&mut self, inst: Inst) -> Result<(), String>;

    /// Does the same as [`Input::load`], but loads only the parts of a symbol that `symbol_type` and `type_text` need: functions may have
    /// no contents.
    ///
    /// # Errors
    /// The reason why the file cannot be read.
    fn load_signature(&mut self, inst: Inst) -> Result<(), String> {
        self.load(inst)
    }

    /// The entry points, in order. They are loaded.
    fn entry_points(&self) -> Cow<'_, [Inst]>;

    /// The instructions that describe the whole module: header, capabilities, extensions, memory model, sources, in order. They are loaded.
    fn descriptions(&self) -> Cow<'_, [Inst]>;

    /// All symbols, in order. The instructions need not be loaded.
    fn symbols(&mut self) -> Cow<'_, [Symbol]>;

    /// The symbols of a name, which need not be loaded. The time does not depend on the number of symbols, except in the first call.
    fn find(&mut self, name: &[u8]) -> SmallVec<[Symbol; 2]>;

    /// The instructions about this one that nothing names: execution modes, debug information. The instruction is loaded.
    fn notes(&self, inst: Inst) -> &[Inst];

    /// The position of an instruction among those at module level. The instruction is loaded.
    fn position(&self, inst: Inst) -> Place;
}

/// Inputs of different kinds are linked together as boxes.
impl Input for Box<dyn Input + '_> {
    fn name(&self) -> &str {
        (**self).name()
    }

    fn module(&self) -> &Module {
        (**self).module()
    }

    fn load(&mut self, inst: Inst) -> Result<(), String> {
        (**self).load(inst)
    }

    fn load_signature(&mut self, inst: Inst) -> Result<(), String> {
        (**self).load_signature(inst)
    }

    fn entry_points(&self) -> Cow<'_, [Inst]> {
        (**self).entry_points()
    }

    fn descriptions(&self) -> Cow<'_, [Inst]> {
        (**self).descriptions()
    }

    fn symbols(&mut self) -> Cow<'_, [Symbol]> {
        (**self).symbols()
    }

    fn find(&mut self, name: &[u8]) -> SmallVec<[Symbol; 2]> {
        (**self).find(name)
    }

    fn notes(&self, inst: Inst) -> &[Inst] {
        (**self).notes(inst)
    }

    fn position(&self, inst: Inst) -> Place {
        (**self).position(inst)
    }
}

/// The position of an instruction at module level. Its order is that of the module.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Place {
    /// Before the functions.
    Before(u32),
    /// A function, or after the first function.
    After(u32),
}

/// A module in memory.
///
/// Creating it is linear in the instructions at module level.
#[derive(Debug)]
pub struct ModuleInput {
    name: String,
    module: Module,
    outline: Outline,
    symbols: Vec<Symbol>,
    by_name: FxHashMap<Vec<u8>, SmallVec<[u32; 1]>>,
    positions: Table<u32>,
    functions_from: u32,
}

impl ModuleInput {
    /// The input for a module, under a name for messages.
    pub fn new(name: impl Into<String>, module: Module) -> ModuleInput {
        let mut input = ModuleInput {
            name: name.into(),
            outline: Outline::default(),
            symbols: Vec::new(),
            by_name: FxHashMap::default(),
            positions: Table::new(module.capacity()),
            functions_from: 0,
            module,
        };
        input.index();
        input
    }

    /// The module.
    pub fn into_module(self) -> Module {
        self.module
    }

    fn index(&mut self) {
        let module = &self.module;
        let first_function = module.functions().next().map(Inst::from);
        self.functions_from = u32::MAX;
        for (place, inst) in (0..).zip(module.children(module.root())) {
            self.positions.set(inst, place);
            if Some(inst) == first_function {
                self.functions_from = place;
            }
            self.outline.add(module, inst);
            if !module.decorations(inst).is_empty() {
                self.symbols.extend(Symbol::of(module, inst));
            }
        }
        for (number, symbol) in (0..).zip(&self.symbols) {
            self.by_name.entry(symbol.name.clone()).or_default().push(number);
        }
    }
}

impl Input for ModuleInput {
    fn name(&self) -> &str {
        &self.name
    }

    fn module(&self) -> &Module {
        &self.module
    }

    fn load(&mut self, _: Inst) -> Result<(), String> {
        Ok(())
    }

    fn entry_points(&self) -> Cow<'_, [Inst]> {
        Cow::Borrowed(&self.outline.entry_points)
    }

    fn descriptions(&self) -> Cow<'_, [Inst]> {
        Cow::Borrowed(&self.outline.descriptions)
    }

    fn symbols(&mut self) -> Cow<'_, [Symbol]> {
        Cow::Borrowed(&self.symbols)
    }

    fn find(&mut self, name: &[u8]) -> SmallVec<[Symbol; 2]> {
        let numbers = self.by_name.get(name).into_iter().flatten();
        numbers.map(|&number| self.symbols[number as usize].clone()).collect()
    }

    fn notes(&self, inst: Inst) -> &[Inst] {
        self.outline.notes(inst)
    }

    fn position(&self, inst: Inst) -> Place {
        let place = self.positions.get(inst).unwrap_or(u32::MAX);
        if place < self.functions_from { Place::Before(place) } else { Place::After(place) }
    }
}

/// The instructions at module level that nothing names.
#[derive(Debug, Default)]
pub(crate) struct Outline {
    pub(crate) entry_points: Vec<Inst>,
    pub(crate) descriptions: Vec<Inst>,
    notes: FxHashMap<Inst, SmallVec<[Inst; 1]>>,
}

impl Outline {
    /// Adds an instruction, if it is one of them.
    pub(crate) fn add(&mut self, module: &Module, inst: Inst) {
        match module.op(inst) {
            Op::EntryPoint => self.entry_points.push(inst),
            op if describes_module(op) => self.descriptions.push(inst),
            _ => {}
        }
        for subject in subjects(module, inst) {
            self.notes.entry(subject).or_default().push(inst);
        }
    }

    /// The instructions about an instruction that nothing names.
    pub(crate) fn notes(&self, inst: Inst) -> &[Inst] {
        self.notes.get(&inst).map_or(&[], |notes| notes)
    }
}

/// Returns whether an instruction describes the module as a whole.
fn describes_module(op: Op) -> bool {
    matches!(
        op,
        Op::SpirvHeader
            | Op::Capability
            | Op::Extension
            | Op::MemoryModel
            | Op::Source
            | Op::SourceContinued
            | Op::SourceExtension
            | Op::ModuleProcessed
    )
}

/// The subjects of an instruction at module level that nothing names. It is copied with each of these.
///
/// The subjects of debug information are the functions and variables that it names; if there are none, the first debug information that it
/// names. So the description of a variable is not kept because other descriptions are.
fn subjects(module: &Module, inst: Inst) -> SmallVec<[Inst; 1]> {
    let is_subject = |&operand: &Inst| matches!(module.op(operand), Op::Function | Op::Variable);
    match module.op(inst) {
        Op::ExecutionMode | Op::ExecutionModeId | Op::TypeForwardPointer => module.operands(inst).take(1).collect(),
        Op::OpaquePlain => module.operands(inst).filter(is_subject).collect(),
        Op::ExtInst => {
            let direct: SmallVec<[Inst; 1]> = module.operands(inst).filter(is_subject).collect();
            if !direct.is_empty() || module.is_used(inst) || !is_debug(module, inst) {
                return direct;
            }
            module.operands(inst).filter(|&operand| module.op(operand) == Op::ExtInst).take(1).collect()
        }
        _ => SmallVec::new(),
    }
}

/// Returns whether an extended instruction belongs to debug information.
pub(crate) fn is_debug(module: &Module, inst: Inst) -> bool {
    view::ExtInst::of(module, inst).is_some_and(|extended| DebugSet::of_import(module, extended.set).is_some())
}
