//! What a load reads, where the store is known that wrote it.
//!
//! ```text
//! store %p, %x                store %p, %x
//! %y = load %p         ⇒
//! use %y                      use %x
//! ```
//!
//! The state of memory that the load sees begins with a store to the very same place, through a pointer of the same class, of a value
//! of the load's type; or with the function itself, and the place is a variable that has an initializer.

use reconverge_analysis::effects::is_local_variable;
use reconverge_analysis::memory::{Definition, State};
use reconverge_ir::Op;

use super::congruence::Sweep;
use crate::body::OUTSIDE;

/// The value that a load of a state reads, as an operand: a number, or something outside.
pub(super) fn stored_value(sweep: &Sweep<'_>, load: u32, state: State) -> Option<u32> {
    let (module, body, memory) = (sweep.module, sweep.body, sweep.memory?);
    if body.op(load) != Op::Load {
        return None;
    }
    let handle = body.inst(load);
    let pointer = body.operands(load)[0];
    let value = match memory.definition(state) {
        Definition::Clobber(store) if module.op(store) == Op::Store => {
            let is_same_place = memory.class_of(handle).is_some() && memory.class_of(store) == memory.class_of(handle);
            let store = body.number(store)?;
            let operands = body.operands(store);
            let is_same_pointer = sweep.class(operands[0]) == sweep.class(pointer);
            (is_same_place && is_same_pointer).then_some(operands[1])
        }
        Definition::Entry if pointer & OUTSIDE == 0 && is_local_variable(module, body.inst(pointer)) => {
            let initializer = body.operands(pointer).get(1).copied();
            initializer.filter(|initializer| initializer & OUTSIDE != 0)
        }
        _ => None,
    };
    value.filter(|&value| module.ty(body.operand_inst(value)) == module.ty(handle))
}
