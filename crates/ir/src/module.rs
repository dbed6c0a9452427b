//! A module: read access to the program.
//!
//! One arena contains everything; see [`crate`] for the design. This file has the queries of a module; every change goes through an
//! [`Editor`], which borrows the module mutably. A traversal borrows the module immutably: code that edits during a traversal does not
//! compile. Collect what to edit first (Slang's IR design describes this under "best practices").
//!
//! ```compile_fail,E0502
//! # let mut module = reconverge_ir::Module::new();
//! # let entry = module.root();
//! for inst in module.children(entry) {
//!     module.edit().delete(inst); // cannot borrow `module` as mutable because it is also borrowed as immutable
//! }
//! ```
//!
//! ```
//! # let mut module = reconverge_ir::Module::new();
//! # let entry = module.root();
//! let children: Vec<_> = module.children(entry).collect();
//! for inst in children {
//!     module.edit().delete(inst);
//! }
//! ```

use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use crate::binary::UnknownSection;
use crate::debug_records::DebugRecords;
use crate::hoist;
use crate::side_table::SideTable;
use crate::storage::{NONE, Storage};
use crate::undefs::Undefs;
use crate::{Block, Editor, Function, Handle, Inst, Location, Op, Parameter, Stage, Terminator, view};

/// A program, or a part of one: types, constants, functions and what describes them.
#[derive(Clone, Debug)]
pub struct Module {
    pub(crate) storage: Storage,
    pub(crate) interned: FxHashMap<u64, SmallVec<[Inst; 1]>>,
    pub(crate) undefs: Undefs,
    pub(crate) decorations: SideTable<SmallVec<[Inst; 2]>>,
    pub(crate) locations: SideTable<Location>,
    pub(crate) records: DebugRecords,
    pub(crate) numbers: u32,
    pub(crate) first_function: Option<Inst>,
    /// Sections of a file in the binary form that its reader did not know, by kind.
    pub(crate) unknown_sections: Vec<UnknownSection>,
    pub(crate) root: Inst,
}

/// A use of a value: the user and the slot in it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Use {
    /// The instruction that uses the value.
    pub user: Inst,
    /// The slot in the user.
    pub slot: Slot,
}

/// A slot for a value in an instruction.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Slot {
    /// The type of the instruction.
    Type,
    /// The operand with this number.
    Operand(usize),
}

impl Default for Module {
    fn default() -> Self {
        Self::new()
    }
}

impl Module {
    /// An empty module.
    pub fn new() -> Module {
        Self::with_numbers(0)
    }

    /// An empty module in which the numbers below `bound` are reserved for instructions with given numbers ([`Editor::create_numbered`]),
    /// as in SPIR-V and in the text form. Memory is proportional to `bound`.
    pub fn with_numbers(bound: u32) -> Module {
        Self::with_room(bound, 0, 0)
    }

    /// As [`Module::with_numbers`], with memory for this number of further instructions and operands.
    pub(crate) fn with_room(bound: u32, instructions: usize, operands: usize) -> Module {
        let mut storage = Storage::with_room(bound as usize + instructions, operands);
        storage.reserve_numbers(bound);
        let root = Inst(storage.create(None, Op::Module, NONE, &[]));
        Module {
            storage,
            interned: FxHashMap::default(),
            undefs: Undefs::default(),
            decorations: SideTable::default(),
            locations: SideTable::default(),
            records: DebugRecords::default(),
            numbers: bound,
            first_function: None,
            unknown_sections: Vec::new(),
            root,
        }
    }

    /// The module instruction, parent of everything at module level.
    pub fn root(&self) -> Inst {
        self.root
    }

    /// Exclusive bound of the numbers that [`Module::with_numbers`] reserved.
    pub fn number_bound(&self) -> u32 {
        self.numbers
    }

    /// One more than the largest index of an instruction.
    pub fn capacity(&self) -> usize {
        self.storage.records.len()
    }

    /// The editor of the module.
    pub fn edit(&mut self) -> Editor<'_> {
        Editor::new(self)
    }

    /// The op of the instruction. [`Op::Dead`] and [`Op::Merged`] for removed ones.
    pub fn op(&self, inst: impl Into<Inst>) -> Op {
        self.storage.record(inst.into().0).op
    }

    /// Returns whether the instruction is neither deleted nor merged away.
    pub fn is_live(&self, inst: impl Into<Inst>) -> bool {
        self.storage.record(inst.into().0).is_live()
    }

    /// The instruction itself, or, if it was merged, the remaining one. Linear in the merges on the path.
    pub fn resolve(&self, inst: impl Into<Inst>) -> Inst {
        let mut current = inst.into().0;
        while self.storage.record(current).op == Op::Merged {
            current = self.storage.record(current).next;
        }
        Inst(current)
    }

    /// The handle of this kind, if the instruction's op allows it.
    pub fn cast<H: Handle>(&self, inst: impl Into<Inst>) -> Option<H> {
        let inst = inst.into();
        H::accepts(self.op(inst)).then(|| H::from_accepted(inst))
    }

    /// The type of a value; the return type of a function; `None` if the op has none.
    pub fn ty(&self, inst: impl Into<Inst>) -> Option<Inst> {
        let inst = inst.into().0;
        if !self.storage.record(inst).op.has_type() {
            return None;
        }
        Some(self.storage.ty(inst)).filter(|&ty| ty != NONE).map(Inst)
    }

    /// The literal of one word, if it exists. It may remain from removed instructions. Constant time.
    ///
    /// ```
    /// use reconverge_ir::Module;
    ///
    /// let mut module = Module::new();
    /// assert_eq!(module.find_word(7), None);
    /// let seven = module.edit().word(7);
    /// assert_eq!((module.find_word(7), module.find_word(8)), (Some(seven), None));
    /// ```
    pub fn find_word(&self, word: u32) -> Option<Inst> {
        hoist::lookup_literal(self, Op::LiteralWords, &[word])
    }

    /// The operands, without the type.
    pub fn operands(
        &self,
        inst: impl Into<Inst>,
    ) -> impl DoubleEndedIterator<Item = Inst> + ExactSizeIterator + Clone + '_ {
        self.storage.operands(inst.into().0).iter().map(|&value| Inst(value))
    }

    /// Operand number `index`. Panics past the end.
    pub fn operand(&self, inst: impl Into<Inst>, index: usize) -> Inst {
        Inst(self.storage.operands(inst.into().0)[index])
    }

    /// The number of operands.
    pub fn operand_count(&self, inst: impl Into<Inst>) -> usize {
        self.storage.record(inst.into().0).count as usize
    }

    /// The words of a literal; empty for everything else.
    pub fn literal_words(&self, inst: impl Into<Inst>) -> &[u32] {
        let inst = inst.into().0;
        if self.storage.record(inst).op.is_literal() { self.storage.literal_words(inst) } else { &[] }
    }

    /// The first word of a literal, or of the literal that is a constant's operand; `None` for everything else.
    pub fn literal_word(&self, inst: impl Into<Inst>) -> Option<u32> {
        let inst = inst.into();
        match self.op(inst) {
            Op::LiteralWords => self.literal_words(inst).first().copied(),
            _ => self.constant_words(inst).and_then(|words| words.first().copied()),
        }
    }

    /// The string of a text literal. Bytes that are not UTF-8 are shown as the replacement character.
    pub fn literal_text(&self, inst: impl Into<Inst>) -> String {
        String::from_utf8_lossy(&crate::literal::text_bytes(self.literal_words(inst))).into_owned()
    }

    /// The parent of this instruction; `None` for the module, for literals and decorations, and for instructions that are not placed.
    pub fn parent(&self, inst: impl Into<Inst>) -> Option<Inst> {
        Some(self.storage.record(inst.into().0).parent).filter(|&parent| parent != NONE).map(Inst)
    }

    /// The next instruction with the same parent.
    pub fn next(&self, inst: impl Into<Inst>) -> Option<Inst> {
        Some(self.storage.record(inst.into().0).next).filter(|&next| next != NONE).map(Inst)
    }

    /// The previous instruction with the same parent.
    pub fn previous(&self, inst: impl Into<Inst>) -> Option<Inst> {
        Some(self.storage.record(inst.into().0).previous).filter(|&previous| previous != NONE).map(Inst)
    }

    /// The first child of a module, function or block.
    pub fn first_child(&self, container: impl Into<Inst>) -> Option<Inst> {
        let container = container.into().0;
        let is_container = self.storage.record(container).op.is_container();
        is_container.then(|| self.storage.ends(container).0).filter(|&child| child != NONE).map(Inst)
    }

    /// The last child of a module, function or block.
    pub fn last_child(&self, container: impl Into<Inst>) -> Option<Inst> {
        let container = container.into().0;
        let is_container = self.storage.record(container).op.is_container();
        is_container.then(|| self.storage.ends(container).1).filter(|&child| child != NONE).map(Inst)
    }

    /// The children of a module, function or block, in order.
    pub fn children(&self, container: impl Into<Inst>) -> impl Iterator<Item = Inst> + '_ {
        std::iter::successors(self.first_child(container), |&child| self.next(child))
    }

    /// The functions at module level, in order.
    pub fn functions(&self) -> impl Iterator<Item = Function> + '_ {
        std::iter::successors(self.first_function, |&child| self.next(child)).filter_map(|child| self.cast(child))
    }

    /// The functions at module level and in generics, in order. Linear in the instructions at module level and in generics.
    pub fn all_functions(&self) -> impl Iterator<Item = Function> + '_ {
        let top = self.children(self.root).filter(|&child| matches!(self.op(child), Op::Function | Op::Generic));
        let within = move |top| std::iter::successors(Some(top), move |&inst| self.next_container(inst, top));
        top.flat_map(within).filter_map(|inst| self.cast(inst))
    }

    /// The instruction after `inst` in a generic, without the contents of functions.
    fn next_container(&self, inst: Inst, top: Inst) -> Option<Inst> {
        if self.op(inst) == Op::Generic
            && let Some(child) = self.first_child(inst)
        {
            return Some(child);
        }
        let mut current = inst;
        while current != top {
            if let Some(next) = self.next(current) {
                return Some(next);
            }
            current = self.parent(current)?;
        }
        None
    }

    /// The instructions at module level before the functions, in order of creation.
    pub fn globals(&self) -> impl Iterator<Item = Inst> + '_ {
        self.children(self.root).take_while(|&child| Some(child) != self.first_function)
    }

    /// The instructions at module level after the first function that are not functions: they describe functions.
    pub fn trailing(&self) -> impl Iterator<Item = Inst> + '_ {
        let behind = std::iter::successors(self.first_function, |&child| self.next(child));
        behind.filter(|&child| self.op(child) != Op::Function)
    }

    /// The function that contains an instruction, at any depth.
    pub fn function_of(&self, inst: impl Into<Inst>) -> Option<Function> {
        let mut current = Some(inst.into());
        while let Some(inst) = current {
            if let Some(function) = self.cast(inst) {
                return Some(function);
            }
            current = self.parent(inst);
        }
        None
    }

    /// The block that contains an instruction.
    pub fn block_of(&self, inst: impl Into<Inst>) -> Option<Block> {
        self.parent(inst).and_then(|parent| self.cast(parent))
    }

    /// The parameters of a function or block, in order. They come before everything else in it.
    pub fn parameters(&self, container: impl Into<Inst>) -> impl Iterator<Item = Parameter> + '_ {
        self.children(container).map_while(|child| self.cast(child))
    }

    /// The blocks of a function, in order; the first is the entry. None for a function that is only declared.
    pub fn blocks(&self, function: Function) -> impl Iterator<Item = Block> + '_ {
        self.children(function).filter_map(|child| self.cast(child))
    }

    /// The entry block of a function that has a body.
    pub fn entry(&self, function: Function) -> Option<Block> {
        self.blocks(function).next()
    }

    /// The stage of a function; of one that lacks the operand, stage Graph.
    pub fn stage(&self, function: Function) -> Stage {
        let operand = self.operands(function).nth(crate::function::STAGE);
        operand.and_then(|operand| self.literal_word(operand)).and_then(Stage::from_word).unwrap_or(Stage::Graph)
    }

    /// The terminator of a block; `None` while the block is being built.
    pub fn terminator(&self, block: Block) -> Option<Terminator> {
        self.last_child(block).and_then(|last| self.cast(last))
    }

    /// The uses of a value: the newest first; those of an instruction that was created with several uses are in order.
    ///
    /// A repeated use by one instruction is as many uses. Linear in the uses.
    pub fn uses(&self, value: impl Into<Inst>) -> impl Iterator<Item = Use> + Clone + '_ {
        self.storage.uses(value.into().0)
    }

    /// Returns whether anything uses the value.
    pub fn is_used(&self, value: impl Into<Inst>) -> bool {
        self.storage.is_used(value.into().0)
    }

    /// The decorations of an instruction, including names, in the order of their addition.
    pub fn decorations(&self, inst: impl Into<Inst>) -> &[Inst] {
        self.decorations.get(inst.into()).map_or(&[], |list| list)
    }

    /// The source name of an instruction.
    pub fn name(&self, inst: impl Into<Inst>) -> Option<String> {
        let name = self.decorations(inst).iter().find_map(|&decoration| view::Name::of(self, decoration))?;
        Some(name.name.to_string())
    }

    /// The explicit source location of this instruction.
    pub fn explicit_location(&self, inst: impl Into<Inst>) -> Option<Location> {
        self.locations.get(inst.into()).map(|location| location.resolved(self))
    }

    /// The source location that applies to an instruction: its own, or the nearest before it in the same block.
    ///
    /// Linear in the distance to it.
    pub fn location(&self, inst: impl Into<Inst>) -> Option<Location> {
        let mut current = Some(inst.into());
        while let Some(inst) = current {
            if let Some(location) = self.explicit_location(inst) {
                return Some(location).filter(|location| *location != Location::NONE);
            }
            current = self.previous(inst);
        }
        None
    }

    /// The sections of the file that the module was read from which its reader did not know ([`crate::binary`]), by kind. They are written
    /// again in the binary form, and are in no other form.
    pub fn unknown_sections(&self) -> &[UnknownSection] {
        &self.unknown_sections
    }

    /// Memory of instructions and operands in bytes, without side tables (names, locations, uniqueness).
    pub fn memory(&self) -> MemoryUse {
        let (instruction_bytes, operand_bytes) = self.storage.bytes();
        MemoryUse { instruction_bytes, operand_bytes }
    }
}

/// The memory of a module's arena.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MemoryUse {
    /// Bytes of the instruction records.
    pub instruction_bytes: usize,
    /// Bytes of the operand slots and of literal payloads.
    pub operand_bytes: usize,
}
