//! The editor: the only way to change a module.
//!
//! Every edit maintains three things: use lists, the list of children, and uniqueness of hoistable instructions. Uniqueness can affect many
//! instructions: if an operand of a hoistable instruction changes, the instruction may become equal to another (and is merged into it), or
//! may belong in a wider scope (and moves there), and the same may then be true of its users. This cascade is a worklist (`hoist.rs`), not
//! a recursion, and is part of every edit.
//!
//! Operands may name instructions that were merged away: they resolve to the remaining instruction.

use crate::hoist;
use crate::storage::NONE;
use crate::{Block, Function, Inst, Location, Module, Op, Slot, Stage, Use, undefs};

/// The place of an instruction.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Position {
    /// After the last child of a container.
    AtEnd(Inst),
    /// Before the first child of a container.
    AtStart(Inst),
    /// Right before another instruction.
    Before(Inst),
    /// Right after another instruction.
    After(Inst),
}

/// Edits a module. The head of this file says what every edit maintains.
#[derive(Debug)]
pub struct Editor<'m> {
    pub(crate) module: &'m mut Module,
}

impl<'m> Editor<'m> {
    pub(crate) fn new(module: &'m mut Module) -> Editor<'m> {
        Editor { module }
    }

    /// The module, to read.
    pub fn module(&self) -> &Module {
        self.module
    }

    /// Reserves memory for copies: this number of copies of an instruction with its contents. Unused memory costs address space alone.
    pub fn reserve_copies(&mut self, original: impl Into<Inst>, copies: usize) {
        let (mut instructions, mut slots, mut decorated) = (0, 0, 0);
        for inst in self.module.descendants(original) {
            instructions += 1;
            slots += self.module.storage.slot_count(inst.0);
            decorated += usize::from(!self.module.decorations(inst).is_empty());
        }
        self.module.storage.reserve(instructions * copies, slots * copies);
        let end = self.module.capacity() + instructions * copies;
        self.module.decorations.reserve(end, decorated * copies);
    }

    /// The literal of these words. Equal literals are one instruction.
    pub fn literal(&mut self, words: &[u32]) -> Inst {
        hoist::literal(self.module, Op::LiteralWords, words)
    }

    /// The literal of one word.
    pub fn word(&mut self, word: u32) -> Inst {
        self.literal(&[word])
    }

    /// The literal of a string. Equal literals are one instruction.
    pub fn text(&mut self, text: &str) -> Inst {
        self.text_from_words(&crate::literal::text_words(text.as_bytes()))
    }

    /// The string literal that these words spell in SPIR-V's packing.
    pub fn text_from_words(&mut self, words: &[u32]) -> Inst {
        hoist::literal(self.module, Op::LiteralText, words)
    }

    /// The hoistable instruction with this op, type and operands: the existing one, or a new one in the widest scope in which its operands
    /// are defined.
    pub fn unique(&mut self, op: Op, ty: Option<Inst>, operands: &[Inst]) -> Inst {
        self.unique_decorated(op, ty, operands, &[])
    }

    /// As [`Editor::unique`], with decorations, which are part of the identity of a type or constant.
    pub fn unique_decorated(&mut self, op: Op, ty: Option<Inst>, operands: &[Inst], decorations: &[Inst]) -> Inst {
        self.unique_numbered(None, hoist::Key { op, ty, operands, decorations })
    }

    fn unique_numbered(&mut self, number: Option<u32>, key: hoist::Key<'_>) -> Inst {
        debug_assert!(key.op.is_hoistable());
        let (ty, operands) = self.resolved(key.ty, key.operands);
        hoist::unique(self.module, number, hoist::Key { ty, operands: &operands, ..key })
    }

    /// Creates an instruction that is not placed yet. For hoistable ops it is [`Editor::unique`].
    pub fn create(&mut self, op: Op, ty: Option<Inst>, operands: &[Inst]) -> Inst {
        if op.is_hoistable() {
            return self.unique(op, ty, operands);
        }
        self.create_raw(None, op, ty, operands)
    }

    /// As [`Editor::create`], under a number below the bound given to [`Module::with_numbers`].
    ///
    /// An existing hoistable instruction keeps its own number and is returned. Decorations are given here, since they are part of the
    /// identity of a hoistable instruction. Panics if the number is taken or not reserved.
    #[expect(clippy::too_many_arguments, reason = "a number and everything that an instruction is")]
    pub fn create_numbered(
        &mut self,
        number: u32,
        op: Op,
        ty: Option<Inst>,
        operands: &[Inst],
        decorations: &[Inst],
    ) -> Inst {
        assert!(self.is_vacant(number), "number {number} is taken or was not kept");
        match op.is_hoistable() {
            true => self.unique_numbered(Some(number), hoist::Key { op, ty, operands, decorations }),
            false => {
                let inst = self.create_raw(Some(number), op, ty, operands);
                decorations.iter().for_each(|&decoration| self.decorate(inst, decoration));
                inst
            }
        }
    }

    /// Returns whether a number is reserved and not taken.
    pub fn is_vacant(&self, number: u32) -> bool {
        number < self.module.numbers && self.module.storage.record(number).is_vacant()
    }

    pub(crate) fn create_raw(&mut self, number: Option<u32>, op: Op, ty: Option<Inst>, operands: &[Inst]) -> Inst {
        let resolved = |inst: Inst| self.module.resolve(inst).0;
        let operands: smallvec::SmallVec<[u32; 8]> = operands.iter().map(|&operand| resolved(operand)).collect();
        let ty = ty.map_or(NONE, resolved);
        Inst(self.module.storage.create(number, op, ty, &operands))
    }

    fn resolved(&self, ty: Option<Inst>, operands: &[Inst]) -> (Option<Inst>, smallvec::SmallVec<[Inst; 8]>) {
        let ty = ty.map(|ty| self.module.resolve(ty));
        (ty, operands.iter().map(|&operand| self.module.resolve(operand)).collect())
    }

    /// Creates an instruction and places it. For hoistable ops it is [`Editor::unique`], and the position is ignored.
    pub fn insert(&mut self, position: Position, op: Op, ty: Option<Inst>, operands: &[Inst]) -> Inst {
        let inst = self.create(op, ty, operands);
        if !op.is_hoistable() {
            self.move_to(inst, position);
        }
        inst
    }

    /// As [`Editor::insert`], at the end of a container.
    pub fn append(&mut self, container: impl Into<Inst>, op: Op, ty: Option<Inst>, operands: &[Inst]) -> Inst {
        self.insert(Position::AtEnd(container.into()), op, ty, operands)
    }

    /// As [`Editor::insert`], at module level, before the functions.
    pub fn append_global(&mut self, op: Op, ty: Option<Inst>, operands: &[Inst]) -> Inst {
        let inst = self.create(op, ty, operands);
        if !op.is_hoistable() {
            self.place_global(inst);
        }
        inst
    }

    /// Places an instruction at module level: functions at the end, everything else before the first function.
    pub fn place_global(&mut self, inst: Inst) {
        let position = match self.module.first_function {
            Some(function) if self.module.op(inst) != Op::Function => Position::Before(function),
            _ => Position::AtEnd(self.module.root()),
        };
        self.move_to(inst, position);
    }

    /// Removes an instruction from its place, if it has one, and places it.
    pub fn move_to(&mut self, inst: impl Into<Inst>, position: Position) {
        let inst = inst.into();
        assert!(self.module.is_live(inst), "a deleted instruction cannot be placed");
        debug_assert!(!matches!(position, Position::Before(other) | Position::After(other) if other == inst));
        self.unlink(inst);
        let module = &self.module;
        let (parent, previous, next) = match position {
            Position::AtEnd(container) => (container, module.last_child(container), None),
            Position::AtStart(container) => (container, None, module.first_child(container)),
            Position::Before(other) => {
                (module.parent(other).expect("the other instruction is placed"), module.previous(other), Some(other))
            }
            Position::After(other) => {
                (module.parent(other).expect("the other instruction is placed"), Some(other), module.next(other))
            }
        };
        self.attach(inst, parent, previous, next);
    }

    fn attach(&mut self, inst: Inst, parent: Inst, previous: Option<Inst>, next: Option<Inst>) {
        assert!(self.module.is_live(parent), "nothing can be placed in what was deleted");
        let storage = &mut self.module.storage;
        let (mut first, mut last) = storage.ends(parent.0);
        match previous {
            Some(previous) => storage.record_mut(previous.0).next = inst.0,
            None => first = inst.0,
        }
        match next {
            Some(next) => storage.record_mut(next.0).previous = inst.0,
            None => last = inst.0,
        }
        storage.set_ends(parent.0, first, last);
        let record = storage.record_mut(inst.0);
        record.parent = parent.0;
        record.previous = previous.map_or(NONE, |previous| previous.0);
        record.next = next.map_or(NONE, |next| next.0);
        let opens_functions = record.op == Op::Function
            && parent == self.module.root
            && (next.is_none() || next == self.module.first_function);
        if opens_functions && (self.module.first_function.is_none() || next.is_some()) {
            self.module.first_function = Some(inst);
        }
        if next.is_none() {
            self.adopt_records(parent, inst);
        }
        undefs::note(self.module, inst);
    }

    /// Removes an instruction from its parent's children. It still exists, but is not placed.
    pub fn detach(&mut self, inst: impl Into<Inst>) {
        let inst = inst.into();
        self.leave_records(inst);
        self.unlink(inst);
    }

    fn unlink(&mut self, inst: Inst) {
        let Some(parent) = self.module.parent(inst) else { return };
        if self.module.first_function == Some(inst) {
            self.module.first_function = self.module.next(inst);
        }
        let (previous, next) = (self.module.previous(inst), self.module.next(inst));
        let storage = &mut self.module.storage;
        let (mut first, mut last) = storage.ends(parent.0);
        match previous {
            Some(previous) => storage.record_mut(previous.0).next = next.map_or(NONE, |next| next.0),
            None => first = next.map_or(NONE, |next| next.0),
        }
        match next {
            Some(next) => storage.record_mut(next.0).previous = previous.map_or(NONE, |previous| previous.0),
            None => last = previous.map_or(NONE, |previous| previous.0),
        }
        storage.set_ends(parent.0, first, last);
        let record = storage.record_mut(inst.0);
        (record.parent, record.next, record.previous) = (NONE, NONE, NONE);
    }

    /// Replaces one operand. Cascades if the instruction is hoistable.
    pub fn set_operand(&mut self, inst: impl Into<Inst>, index: usize, value: impl Into<Inst>) {
        let used = Use { user: inst.into(), slot: Slot::Operand(index) };
        let value = self.module.resolve(value);
        hoist::replace(self.module, &[used], value);
    }

    /// Replaces the type. Cascades if the instruction is hoistable.
    pub fn set_type(&mut self, inst: impl Into<Inst>, ty: impl Into<Inst>) {
        let used = Use { user: inst.into(), slot: Slot::Type };
        let ty = self.module.resolve(ty);
        hoist::replace(self.module, &[used], ty);
    }

    /// Replaces the list of operands, by one of any length. Cascades if the instruction is hoistable.
    pub fn set_operands(&mut self, inst: impl Into<Inst>, operands: &[Inst]) {
        let inst = inst.into();
        let operands: Vec<u32> = operands.iter().map(|&operand| self.module.resolve(operand).0).collect();
        hoist::change(self.module, inst, |module| module.storage.set_operands(inst.0, &operands));
    }

    /// Replaces every use of `old`, as operand or type, by `new`. Cascades. `old` itself stays.
    ///
    /// Linear in the uses and in what the cascade changes.
    pub fn replace_all_uses(&mut self, old: impl Into<Inst>, new: impl Into<Inst>) {
        let (old, new) = (old.into(), self.module.resolve(new));
        if old == new {
            return;
        }
        let uses: Vec<Use> = self.module.uses(old).collect();
        hoist::replace(self.module, &uses, new);
        let new = self.module.resolve(new);
        self.rename_in_records(old, new);
    }

    /// Replaces every use of `old` and removes it; its handle resolves to `new` from now on.
    ///
    /// Linear in the uses and in what the cascade changes.
    pub fn merge_into(&mut self, old: Inst, new: Inst) {
        let new = self.module.resolve(new);
        self.replace_all_uses(old, new);
        let new = self.module.resolve(new);
        self.delete(old);
        self.module.storage.forward(old.0, new.0);
    }

    /// Deletes an instruction with its contents. Remaining uses become dead operands, which the verifier reports.
    pub fn delete(&mut self, inst: impl Into<Inst>) {
        let inst = inst.into();
        self.detach(inst);
        let (top, mut doomed) = (inst, vec![inst]);
        while let Some(inst) = doomed.pop() {
            doomed.extend(self.module.children(inst));
            match inst == top && !self.module.op(inst).is_container() {
                true => self.forget_records(inst),
                false => doomed.extend(self.bury_records(inst)),
            }
            hoist::forget(self.module, inst);
            self.module.decorations.remove(inst);
            self.module.locations.remove(inst);
            self.module.storage.bury(inst.0);
        }
    }

    /// Adds a decoration to an instruction. This changes the identity of a type or constant: it may be merged into an equal one.
    pub fn decorate(&mut self, inst: impl Into<Inst>, decoration: Inst) {
        let inst = self.module.resolve(inst);
        hoist::change(self.module, inst, |module| module.decorations.get_or_default(inst).push(decoration));
    }

    /// Removes decorations from an instruction.
    pub fn retain_decorations(&mut self, inst: impl Into<Inst>, mut keep: impl FnMut(&Module, Inst) -> bool) {
        let inst = self.module.resolve(inst);
        hoist::change(self.module, inst, |module| {
            if let Some(mut list) = module.decorations.remove(inst) {
                list.retain(|decoration| keep(module, *decoration));
                if !list.is_empty() {
                    module.decorations.insert(inst, list);
                }
            }
        });
    }

    /// Sets the name of an instruction.
    pub fn set_name(&mut self, inst: impl Into<Inst>, name: &str) {
        let inst = self.module.resolve(inst);
        self.retain_decorations(inst, |module, decoration| module.op(decoration) != Op::Name);
        let text = self.text(name);
        let decoration = self.unique(Op::Name, None, &[text]);
        self.decorate(inst, decoration);
    }

    /// Sets or removes the source location of an instruction.
    pub fn set_location(&mut self, inst: impl Into<Inst>, location: Option<Location>) {
        match location {
            Some(location) => self.module.locations.insert(inst.into(), location),
            None => drop(self.module.locations.remove(inst.into())),
        }
    }

    /// Sets the stage of a function.
    pub fn set_stage(&mut self, function: Function, stage: Stage) {
        let word = self.word(stage as u32);
        self.set_operand(function, crate::function::STAGE, word);
    }

    /// Splits an edge with an edge block without parameters, placed after the edge's source. Returns the block.
    ///
    /// ```text
    /// a ──▶ c     ⇒     a ──▶ edge ──▶ c
    /// ```
    ///
    /// Only for targets without parameters, or if the caller then adds the arguments to the new block's branch.
    pub fn split_edge(&mut self, edge: crate::Edge) -> Block {
        let target = self.module.operand(edge.terminator, edge.operand);
        let source = self.module.parent(edge.terminator).expect("the terminator is placed");
        let block = self.insert(Position::After(source), Op::EdgeBlock, None, &[]);
        self.append(block, Op::Branch, None, &[target]);
        self.set_operand(edge.terminator, edge.operand, block);
        self.module.cast(block).expect("an edge block is a block")
    }
}
