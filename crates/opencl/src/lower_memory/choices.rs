//! Accesses of pointers that may point into several buffers: control flow selects the buffer.
//!
//! ```text
//!                            b:     …          switch %number default ^one [2 ^two]
//! b:  …                      one:   %x = load %a[%i]                      branch ^rest(%x)
//!     %v = load %p     ⇒     two:   %y = load %b[%i]                      branch ^rest(%y)
//!     …                      rest(%v): …
//! ```
//!
//! The access is first written as one to the first buffer, and copied at the end, the last access of a block first, so that every
//! instruction moves to another block once. Linear in the accesses, each as often as there are buffers.

use reconverge_ir::{Inst, Op, Position, Slot};

use super::buffers::BufferSlot;
use super::lowering::Lowering;
use crate::blocks::keep_loop_hints;

/// A pointer to a word of one of several buffers.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Choice {
    /// The pointer to the word of the first buffer.
    pub(super) pointer: Inst,
    pub(super) slots: Vec<BufferSlot>,
    /// The number of the buffer, from 1.
    pub(super) number: Inst,
    /// The index of the word.
    pub(super) index: Inst,
}

/// An access through a pointer to one of several buffers.
struct Chosen {
    access: Inst,
    choice: usize,
    place: usize,
}

impl Lowering<'_> {
    /// Creates the control flow of all accesses to one of several buffers.
    pub(super) fn expand_choices(&mut self) {
        let choices = std::mem::take(&mut self.choices);
        let mut places = rustc_hash::FxHashMap::default();
        if !choices.is_empty() {
            let blocks = self.module.functions().flat_map(|function| self.module.blocks(function));
            places.extend(blocks.flat_map(|block| self.module.children(block)).zip(0..));
        }
        let mut accesses: Vec<Chosen> = Vec::new();
        for (index, choice) in choices.iter().enumerate() {
            let users = self.module.uses(choice.pointer).filter(|used| used.slot != Slot::Type).map(|used| used.user);
            accesses.extend(users.map(|access| Chosen { access, choice: index, place: places[&access] }));
        }
        accesses.sort_unstable_by_key(|chosen| std::cmp::Reverse(chosen.place));
        for Chosen { access, choice, .. } in accesses {
            self.expand_choice(access, &choices[choice]);
        }
        for choice in choices {
            self.module.edit().delete(choice.pointer);
        }
    }

    fn expand_choice(&mut self, access: Inst, choice: &Choice) {
        let block = self.module.block_of(access).expect("invariant: the access stands in a block");
        self.function = self.module.function_of(access).expect("invariant: the block stands in a function");
        let result = self.module.ty(access);
        let (op, operands): (Op, Vec<Inst>) = (self.module.op(access), self.module.operands(access).collect());
        let next = self.module.next(access);
        let mut editor = self.module.edit();
        let mut last: Inst = block.into();
        let arms: Vec<Inst> = choice
            .slots
            .iter()
            .map(|_| {
                last = editor.insert(Position::After(last), Op::Block, None, &[]);
                last
            })
            .collect();
        let rest = editor.insert(Position::After(last), Op::Block, None, &[]);
        let mut moved = next;
        while let Some(inst) = moved {
            moved = editor.module().next(inst);
            editor.move_to(inst, Position::AtEnd(rest));
        }
        if let Some(ty) = result {
            let value = editor.insert(Position::AtStart(rest), Op::BlockParameter, Some(ty), &[]);
            editor.replace_all_uses(access, value);
        }
        editor.delete(access);
        let mut selection = vec![choice.number, arms[0]];
        for (number, &arm) in arms.iter().enumerate().skip(1) {
            selection.extend([editor.word(number as u32 + 1), arm]);
        }
        editor.append(block, Op::Switch, None, &selection);
        for (&slot, &arm) in choice.slots.iter().zip(&arms) {
            let end = self.module.edit().append(arm, Op::Branch, None, &[rest]);
            self.at = end;
            let buffer = self.buffer(slot);
            let mut operands = operands.clone();
            operands[0] = self.word_pointer(buffer, choice.index);
            match result {
                Some(ty) => {
                    let value = self.emit(op, ty, &operands);
                    self.module.edit().set_operands(end, &[rest, value]);
                }
                None => {
                    self.emit_plain(op, &operands);
                }
            }
        }
        keep_loop_hints(self.module, block.into(), rest);
        self.cache.clear();
    }

    /// The number of the buffer that a pointer of a class points into, from 1.
    pub(super) fn buffer_number(&mut self, pointer: Inst, shift: u32) -> Inst {
        let shift = self.word(shift);
        self.binary(Op::ShiftRightLogical, pointer, shift)
    }

    /// The part of a pointer without the number of the buffer.
    pub(super) fn without_number(&mut self, pointer: Inst, shift: u32) -> Inst {
        let mask = self.word((1_u32 << shift) - 1);
        if let Some(bits) = self.module.constant_word(pointer) {
            return self.word(bits & ((1 << shift) - 1));
        }
        self.binary(Op::BitwiseAnd, pointer, mask)
    }
}
