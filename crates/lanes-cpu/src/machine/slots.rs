//! Spill slots share memory.
//!
//! [`regalloc2::Algorithm::Fastalloc`] gives every spilled value a slot of its own, so that the frame of a large function takes a megabyte
//! for thirty values at a time. Here slots get new numbers. A slot that is written before it is read, and is used in one block only, is
//! free again after its last use in the block. The others keep theirs to themselves.
//!
//! Vector slots come first, because they are aligned to their size.

use super::flatten::Flat;
use regalloc2::{Allocation, Edit, Function, Inst, Output, ProgPoint, RegClass, SpillSlot};

/// A slot while its uses are counted.
#[derive(Clone, Copy)]
struct Slot {
    /// The block that uses it; `None` before the first use.
    block: Option<u32>,
    /// True if it cannot share.
    is_alone: bool,
    is_vector: bool,
    /// The uses that are still to come.
    uses: u32,
    /// Its number among the slots of its size.
    number: Option<u32>,
}

/// A use of a slot.
struct Access {
    block: u32,
    slot: usize,
    is_vector: bool,
    is_write: bool,
}

/// Calls a function for each use of a slot, in the order of the code.
fn for_each_access(flat: &Flat<'_>, output: &Output, mut visit: impl FnMut(Access)) {
    let mut edits = output.edits.iter().peekable();
    for (number, block) in (0..).zip(&flat.blocks) {
        for inst in block.insts.clone().map(|inst| Inst::new(inst as usize)) {
            for point in [ProgPoint::before(inst), ProgPoint::after(inst)] {
                while let Some((_, Edit::Move { from, to })) = edits.next_if(|(at, _)| *at <= point) {
                    for (allocation, other, is_write) in [(from, to, false), (to, from, true)] {
                        if let Some(slot) = allocation.as_stack() {
                            let class = other.as_reg().map(|register| register.class());
                            let is_vector = class == Some(RegClass::Float);
                            visit(Access { block: number, slot: slot.index(), is_vector, is_write });
                        }
                    }
                }
                if point != ProgPoint::before(inst) {
                    continue;
                }
                for (operand, allocation) in flat.inst_operands(inst).iter().zip(output.inst_allocs(inst)) {
                    if let Some(slot) = allocation.as_stack() {
                        let is_vector = operand.class() == RegClass::Float;
                        visit(Access { block: number, slot: slot.index(), is_vector, is_write: false });
                    }
                }
            }
        }
    }
}

/// Gives slots new numbers, so that those that are never used at once share memory.
pub(super) fn share_slots(flat: &Flat<'_>, output: &mut Output) {
    let empty = Slot { block: None, is_alone: false, is_vector: false, uses: 0, number: None };
    let mut slots = vec![empty; output.num_spillslots];
    for_each_access(flat, output, |access| {
        let slot = &mut slots[access.slot];
        slot.is_alone |= slot.block.map_or(!access.is_write, |block| block != access.block);
        slot.block = Some(access.block);
        slot.is_vector |= access.is_vector;
        slot.uses += 1;
    });
    // By size: the next new number, and numbers that are free again.
    let mut next = [0, 0];
    let mut free = [Vec::new(), Vec::new()];
    for_each_access(flat, output, |access| {
        let slot = &mut slots[access.slot];
        let size = usize::from(slot.is_vector);
        let number = *slot.number.get_or_insert_with(|| {
            let reused = if slot.is_alone { None } else { free[size].pop() };
            reused.unwrap_or_else(|| {
                next[size] += 1;
                next[size] - 1
            })
        });
        slot.uses -= 1;
        if slot.uses == 0 && !slot.is_alone {
            free[size].push(number);
        }
    });
    let [words, vectors] = next;
    let vector_words = flat.spillslot_size(RegClass::Float) as u32;
    let renumber = |allocation: &mut Allocation| {
        if let Some(slot) = allocation.as_stack() {
            let slot = slots[slot.index()];
            let number = slot.number.expect("invariant: a slot in use has a number");
            let index = if slot.is_vector { number * vector_words } else { vectors * vector_words + number };
            *allocation = Allocation::stack(SpillSlot::new(index as usize));
        }
    };
    for (_, Edit::Move { from, to }) in &mut output.edits {
        renumber(from);
        renumber(to);
    }
    output.allocs.iter_mut().for_each(renumber);
    output.num_spillslots = (vectors * vector_words + words) as usize;
}
