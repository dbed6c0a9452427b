//! Program-scope variables, and module constants whose pointers are mixed with pointers to them and to arguments: memory that the host
//! allocates once.
//!
//! ```text
//! %counter = variable CrossWorkgroup u32 5              bytes 05 00 00 00 0c 00 00 00 …
//! %where = variable CrossWorkgroup ptr %counter    ⇒    the word at 8 is the address of byte 0
//!                                                       kernels read the address of byte 0 from their push constants
//! ```
//!
//! Linear in the variables and their initializers.

use reconverge_analysis::Layouts;
use reconverge_diagnostic::Diagnostic;
use reconverge_ir::{Function, Inst, Module, Op};
use rustc_hash::FxHashMap;

use super::cells::{Cells, Start};
use super::classes::{Class, Host};
use super::constants::Image;
use super::demands::variable_alignment;
use super::lowering::Lowering;
use super::points_to::{Memory, PointsTo};
use super::space::{Space, initializer, space_of};
use crate::arguments::{binding_of, reserve_program_data};
use crate::error;
use crate::{Context, Printf, ProgramData, Relocation};

/// The program-scope variables.
#[derive(Debug, Default)]
pub(super) struct ProgramMemory {
    starts: FxHashMap<Inst, u64>,
    /// The address of the data, by the function that loads it.
    address: FxHashMap<Function, Inst>,
}

impl ProgramMemory {
    /// Computes the layout of the variables that have addresses, and records it in the reflection.
    ///
    /// # Errors
    /// Unknown initializers; variables without a size.
    pub(super) fn lay_out(
        module: &Module,
        layouts: &mut Layouts,
        points_to: &mut PointsTo,
        cells: &FxHashMap<Class, Cells>,
        context: &mut Context,
    ) -> Result<ProgramMemory, Diagnostic> {
        let variables: Vec<Inst> = module.globals().filter(|&global| is_outside(module, points_to, global)).collect();
        let mut data = ProgramMemory::default();
        let (mut end, mut greatest) = (0_u64, 1);
        for &variable in &variables {
            let ty = module.pointee(variable).expect("invariant: a variable is a pointer");
            let size = layouts.of(module, ty);
            let size = size.map_err(|error| error::unsupported(variable, format!("a variable of {error}")))?.size;
            let alignment = variable_alignment(module, layouts, variable)?;
            greatest = greatest.max(alignment);
            let start = end.next_multiple_of(u64::from(alignment));
            data.starts.insert(variable, start);
            end = start.saturating_add(size);
        }
        let Some(&first) = variables.first() else { return Ok(data) };
        let mut image = Image::zeros(end, first)?;
        for &variable in &variables {
            if let Some(initializer) = initializer(module, variable) {
                image.put(module, layouts, data.starts[&variable], initializer)?;
            }
        }
        let mut relocations = Vec::new();
        for pointer in std::mem::take(&mut image.pointers) {
            if points_to.classes.host() == Host::Bindings {
                let message = "an address in the initial contents of memory of the program, with bindings for pointers";
                return Err(error::unsupported(pointer.variable, message));
            }
            match data.starts.get(&pointer.variable) {
                Some(&start) => {
                    let target = start.wrapping_add_signed(pointer.offset) as u32;
                    relocations.push(Relocation { at: pointer.at as u32, target });
                    image.write(pointer.at, &u64::from(target).to_le_bytes());
                }
                None => image.write(pointer.at, &bits_in_cells(points_to, cells, pointer.variable, pointer.offset)?),
            }
        }
        let printf = context.printf.take().and_then(|(buffer, printf)| {
            let &start = data.starts.get(&buffer)?;
            Some(Printf { offset: start as u32, ..printf })
        });
        relocations.sort_unstable_by_key(|relocation| relocation.at);
        let (bytes, alignment) = (image.bytes, greatest);
        context.reflection.program_data = Some(ProgramData { bytes, alignment, relocations, printf });
        Ok(data)
    }

    /// The offset of a variable in the data.
    pub(super) fn start(&self, variable: Inst) -> i64 {
        self.starts.get(&variable).copied().unwrap_or(0).cast_signed()
    }

    /// The variables in the data, in order.
    pub(super) fn variables(&self) -> Vec<Inst> {
        let mut variables: Vec<Inst> = self.starts.keys().copied().collect();
        variables.sort_unstable();
        variables
    }
}

/// Returns whether a module-level instruction is a variable in the data.
fn is_outside(module: &Module, points_to: &mut PointsTo, global: Inst) -> bool {
    if module.op(global) != Op::Variable || !matches!(space_of(module, global), Some(Space::Global | Space::Constant)) {
        return false;
    }
    let is_host = |memory| matches!(memory, Memory::Outside | Memory::Bindings);
    binding_of(module, global).is_none()
        && points_to.class(global).is_some_and(|class| is_host(points_to.memory(class)))
}

/// The bits of a pointer to a variable in cells, in its memory representation.
pub(super) fn bits_in_cells(
    points_to: &mut PointsTo,
    cells: &FxHashMap<Class, Cells>,
    variable: Inst,
    offset: i64,
) -> Result<[u8; 8], Diagnostic> {
    let start = points_to.class(variable).and_then(|class| cells.get(&class)).map(|cells| cells.start(variable));
    match start {
        Some(Start::Byte(start)) => Ok(u64::from(start.wrapping_add(offset as u32)).to_le_bytes()),
        _ => {
            Err(error::unsupported(variable, "an initializer with the address of a variable whose place is not known"))
        }
    }
}

impl Lowering<'_> {
    /// The address of the program data, loaded at the start of the function.
    pub(super) fn program_data_address(&mut self) -> Result<Inst, Diagnostic> {
        if let Some(&address) = self.data.address.get(&self.function) {
            return Ok(address);
        }
        let address = reserve_program_data(self.module, self.context, self.function)?;
        self.data.address.insert(self.function, address);
        Ok(address)
    }
}
