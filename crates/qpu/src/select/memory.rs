//! The memory of a function: where its variables and inputs are, and what its addresses point into.

use reconverge_analysis::Layouts;
use reconverge_diagnostic::Diagnostic;
use reconverge_ir::{Inst, Op};

use super::frame::Frame;
use super::roots::Roots;
use super::units::Inputs;
use super::values::Values;

/// A step of an access chain.
pub(super) enum Step {
    /// Constant bytes.
    Constant(u32),
    /// The bytes of an element, of which an index says how many.
    Scaled(u32),
}

/// The memory of a function.
///
/// Invariant: the frame and the roots are those of the whole function, and do not change while it is selected. The inputs grow: each has
/// one register, which the entry block defines (`units.rs`).
pub(crate) struct Memory {
    pub(crate) frame: Frame,
    pub(super) inputs: Inputs,
    roots: Roots,
    layouts: Layouts,
}

impl Memory {
    /// The memory of a function with these variables and roots of addresses, which reads no input yet.
    pub(crate) fn new(frame: Frame, roots: Roots) -> Memory {
        Memory { frame, inputs: Inputs::default(), roots, layouts: Layouts::new() }
    }

    /// Returns whether the function writes nothing that a pointer may point to.
    pub(super) fn is_only_read(&self, pointer: Inst) -> bool {
        self.roots.is_only_read(pointer)
    }

    /// The type and the distance that an index of an access chain leads to, from a type.
    ///
    /// # Errors
    /// A type without a known layout.
    pub(super) fn step(
        &mut self,
        values: &Values<'_>,
        ty: Inst,
        index: Inst,
        at: Inst,
    ) -> Result<(Inst, Step), Diagnostic> {
        let unknown = || values.unsupported(at, "an access chain into a type without a known layout");
        let constant = values.module.constant_bits(index).filter(|_| values.module.op(index) == Op::Constant);
        let constant = constant.or((values.module.op(index) == Op::ConstantNull).then_some(0));
        if values.module.op(ty) == Op::TypeStruct {
            let member = constant.ok_or_else(unknown)? as usize;
            let part = values.module.part_type(ty, member).ok_or_else(unknown)?;
            let offset = self.layouts.member_offset(values.module, ty, member).map_err(|_| unknown())?;
            return Ok((part, Step::Constant(offset as u32)));
        }
        let part = values.module.element_type(ty).ok_or_else(unknown)?;
        let stride = self.layouts.element_stride(values.module, ty).map_err(|_| unknown())? as u32;
        Ok(match constant {
            Some(index) => (part, Step::Constant((index as u32).wrapping_mul(stride))),
            None => (part, Step::Scaled(stride)),
        })
    }
}
