//! The cell for an offset.
//!
//! ```text
//! unit = cell      index = offset
//! unit = 1         index = offset >> log2(cell)
//! one cell         no index: every other would be out of bounds
//! a buffer         the same, below the bits with the number of the buffer
//! ```

use reconverge_ir::{Builder, Inst, Op};

use super::choices::Choice;
use super::lowering::{Lowering, PointerTarget, Spot};

impl Lowering<'_> {
    /// The pointer to a cell, at a distance from the cell of a place in a class with cells.
    pub(super) fn cell_pointer(&mut self, spot: Spot, further: u32) -> Inst {
        let function = self.function;
        if self.cells[&spot.class].bound.is_some() {
            return self.bound_pointer(spot, further);
        }
        let cells = self.cells.get_mut(&spot.class).expect("invariant: the class has cells");
        let variable = cells.variable(self.module, function);
        if cells.is_single() {
            return variable;
        }
        let (cell, storage_class) = (cells.stored, cells.storage_class());
        let index = self.cell_index(spot, further);
        let ty = Builder::new(self.module).pointer_type(storage_class as u32, cell);
        self.access_chain(variable, index, ty)
    }

    /// The pointer to a word of a buffer; of the first one if there are several, which `choices.rs` corrects.
    fn bound_pointer(&mut self, spot: Spot, further: u32) -> Inst {
        let cells = &self.cells[&spot.class];
        let bound = cells.bound.clone().expect("invariant: the class has buffers");
        let unit = cells.unit;
        let first = *bound.slots.first().expect("invariant: a class with buffers has one");
        let buffer = self.buffer(first);
        let Some(shift) = bound.shift else {
            let index = self.cell_index(spot, further);
            return self.cached_word_pointer(buffer, index);
        };
        let value = self.value(spot);
        let number = self.buffer_number(value, shift - unit.trailing_zeros());
        let mut index = self.without_number(value, shift - unit.trailing_zeros());
        if unit == 1 {
            let two = self.word(2);
            index = self.binary(Op::ShiftRightLogical, index, two);
        }
        if further > 0 {
            let further = self.word(further);
            index = self.binary(Op::IAdd, index, further);
        }
        if bound.slots.len() == 1 {
            return self.cached_word_pointer(buffer, index);
        }
        let pointer = self.word_pointer(buffer, index);
        self.choices.push(Choice { pointer, slots: bound.slots, number, index });
        pointer
    }

    fn cached_word_pointer(&mut self, buffer: Inst, index: Inst) -> Inst {
        let key = super::lowering::Key::Binary(Op::AccessChain, buffer, index);
        if let Some(&known) = self.cache.get(&key) {
            return known;
        }
        let pointer = self.word_pointer(buffer, index);
        self.cache.insert(key, pointer);
        pointer
    }

    fn access_chain(&mut self, variable: Inst, index: Inst, ty: Inst) -> Inst {
        let key = super::lowering::Key::Binary(Op::AccessChain, variable, index);
        if let Some(&known) = self.cache.get(&key) {
            return known;
        }
        let inst = self.emit(Op::AccessChain, ty, &[variable, index]);
        self.cache.insert(key, inst);
        inst
    }

    fn cell_index(&mut self, spot: Spot, further: u32) -> Inst {
        let cells = &self.cells[&spot.class];
        let (bytes, unit) = (cells.bytes, cells.unit);
        if unit == bytes {
            return self.value(spot.moved(i64::from(further) * i64::from(bytes)));
        }
        let PointerTarget { base, offset } = spot.place;
        let first = match base {
            None => return self.word((offset as u32 / bytes).wrapping_add(further)),
            Some(_) => {
                let value = self.value(spot);
                let shift = self.word(bytes.trailing_zeros());
                self.binary(Op::ShiftRightLogical, value, shift)
            }
        };
        match further {
            0 => first,
            _ => {
                let further = self.word(further);
                self.binary(Op::IAdd, first, further)
            }
        }
    }
}
