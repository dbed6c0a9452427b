//! Variables that begin with a value.
//!
//! A private variable that nothing writes is a table: its bytes are constants of the code, once for all lanes. Another one is written by
//! stores, scalar by scalar, where the function begins or where the variable is made.

use reconverge_diagnostic::Diagnostic;
use reconverge_ir::{Inst, Module, view};
use reconverge_lanes::{Leaf, initial_scalars, is_table};

use super::frame::{Places, Root};
use super::selector::Selector;
use super::value::ScalarType;
use crate::error::unsupported;
use crate::machine::MachineFunction;

/// Writes the tables of a module into the constants of a function.
pub(super) fn place_tables(
    module: &Module,
    machine: &mut MachineFunction,
    places: &mut Places,
    variables: &[Inst],
) -> Result<(), Diagnostic> {
    for &variable in variables.iter().filter(|&&variable| is_table(module, variable)) {
        let start = machine.constants.len().next_multiple_of(64);
        // Offsets are kept within the room, and a displacement within the variable is added.
        let size = 2 * places.room(variable) as usize;
        machine.constants.resize(start + size, 0);
        for leaf in scalars(module, variable)? {
            leaf.write(module, &mut machine.constants[start..]);
        }
        places.set_root(variable, Root::Table(start as u32));
    }
    Ok(())
}

/// The scalars of the initializer of a variable.
fn scalars(module: &Module, variable: Inst) -> Result<Vec<Leaf>, Diagnostic> {
    let refused = || unsupported(variable, "an initializer of this type");
    initial_scalars(module, variable).ok_or_else(refused)
}

impl Selector<'_> {
    /// Writes the initializer of a variable that is not a table.
    pub(super) fn initialize(&mut self, variable: Inst) -> Result<(), Diagnostic> {
        let initializer = view::Variable::of(self.values.module, variable).and_then(|view| view.initializer);
        if initializer.is_none() || is_table(self.values.module, variable) {
            return Ok(());
        }
        for leaf in scalars(self.values.module, variable)? {
            let ty = self
                .values
                .scalar_of(leaf.ty)
                .ok_or_else(|| self.values.unsupported(variable, "an initializer of this type"))?;
            let bits = leaf.bits(self.values.module);
            let mut pointer = self.memory.root_pointer(&self.values, variable)?;
            pointer.displacement = leaf.offset;
            let value = self.emit.constant(if ty == ScalarType::Bool { ScalarType::Int(8) } else { ty }, bits);
            self.store_at(&pointer, ty, value, variable)?;
        }
        Ok(())
    }
}
