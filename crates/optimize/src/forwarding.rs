//! Store-to-load forwarding: the value of a load whose store is known.
//!
//! ```text
//! store %p, %x                store %p, %x
//! %y = load %p         ⇒
//! use %y                      use %x
//! ```
//!
//! The memory state of the load begins with a store to the same address, through a pointer of the same alias class, of a value of the
//! load's type; or it begins with the function, and the address is a variable with an initializer.

use reconverge_analysis::effects::is_local_variable;
use reconverge_analysis::memory::{Definition, MemoryState, MemoryStates};
use reconverge_ir::{Module, Op, view};

use crate::body::{Body, OUTSIDE};

/// A function, and the memory states that readers see.
#[derive(Clone, Copy)]
pub(crate) struct Stored<'a> {
    pub(crate) module: &'a Module,
    pub(crate) body: &'a Body,
    pub(crate) memory: &'a MemoryStates,
}

impl Stored<'_> {
    /// The value that a load reads in a state, as an operand: a number, or a value outside the function's code. `are_equal` says whether
    /// two pointers are equal; the pointer of the store is the first.
    pub(crate) fn value(&self, load: u32, state: MemoryState, are_equal: impl Fn(u32, u32) -> bool) -> Option<u32> {
        let Stored { module, body, memory } = *self;
        if body.op(load) != Op::Load {
            return None;
        }
        let handle = body.inst(load);
        let pointer = body.operands(load)[view::Load::SLOT.pointer];
        let value = match memory.definition(state) {
            Definition::Clobber(store) if module.op(store) == Op::Store => {
                let is_same_place =
                    memory.class_of(handle).is_some() && memory.class_of(store) == memory.class_of(handle);
                let store = body.number(store)?;
                let operands = body.operands(store);
                let (target, object) = (operands[view::Store::SLOT.pointer], operands[view::Store::SLOT.object]);
                (is_same_place && are_equal(target, pointer)).then_some(object)
            }
            Definition::Entry if pointer & OUTSIDE == 0 && is_local_variable(module, body.inst(pointer)) => {
                let initializer = body.operands(pointer).get(view::Variable::SLOT.initializer).copied();
                initializer.filter(|initializer| initializer & OUTSIDE != 0)
            }
            _ => None,
        };
        value.filter(|&value| module.ty(body.operand_inst(value)) == module.ty(handle))
    }
}
