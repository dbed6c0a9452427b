//! Conversions of pointers to the pointee type that a module expects of an import.
//!
//! ```text
//! func %f: %int (%p: %bytes) {Import}                          func %f: %int (%p: %words) { … }
//! %x: %int = function_call %f, %p                        ⇒     %q: %words = bitcast %p
//!                                                              %x: %int = function_call %f, %q
//! ```
//!
//! LLVM's pointers have no pointee type, and its SPIR-V back end guesses one in each module. The check allows such differences where
//! pointers are addresses, which are converted without changing a bit. Each use of a variable and each argument gets its own conversion, so
//! that linking in steps gives the same result.

use reconverge_ir::view::{self, TypeView};
use reconverge_ir::{Inst, Op, Position};
use smallvec::SmallVec;

use super::Copier;
use crate::error::Site;
use crate::{Input, LinkError};

/// Returns whether the operands of an op are values, whose types matter.
pub(super) fn is_about_values(op: Op) -> bool {
    !matches!(op, Op::EntryPoint | Op::ExecutionMode | Op::ExecutionModeId | Op::ExtInst | Op::OpaquePlain)
}

impl<I: Input> Copier<'_, I> {
    /// Converts the variables among the operands of an instruction at module level.
    pub(super) fn convert_constants(&mut self, site: Site, operands: &mut [Inst]) -> Result<(), LinkError> {
        for (index, ty) in self.mismatched_operands(site)? {
            let mut edit = self.copied.module.edit();
            let opcode = edit.word(u32::from(Op::Bitcast.opcode().expect("invariant: SPIR-V has bitcasts")));
            operands[index] = edit.append_global(Op::SpecConstantOp, Some(ty), &[opcode, operands[index]]);
        }
        Ok(())
    }

    /// Converts the variables among the operands of an instruction that is appended to a block.
    pub(super) fn convert_operands(&mut self, site: Site, block: Inst, operands: &mut [Inst]) -> Result<(), LinkError> {
        for (index, ty) in self.mismatched_operands(site)? {
            operands[index] = self.copied.module.edit().append(block, Op::Bitcast, Some(ty), &[operands[index]]);
        }
        Ok(())
    }

    /// The operands that are variables of another type than expected, with their actual type.
    fn mismatched_operands(&self, site: Site) -> Result<SmallVec<[(usize, Inst); 1]>, LinkError> {
        let mut found = SmallVec::new();
        if self.mismatched.is_empty() {
            return Ok(found);
        }
        let module = self.module_of(site);
        for (index, inst) in module.operands(site.inst).enumerate() {
            let operand = Site { inst, ..site };
            if let Some(ty) = module.ty(inst).filter(|_| self.mismatched.contains(&operand)) {
                found.push((index, self.image(Site { inst: ty, ..site })?));
            }
        }
        Ok(found)
    }

    /// Converts the arguments of a call, and returns the type of its result, if the callee has other types than the module expects.
    ///
    /// `expected` are the types of the arguments; arguments without an image have none.
    pub(super) fn convert_call(
        &mut self,
        block: Inst,
        operands: &mut [Inst],
        expected: &[Option<Inst>],
    ) -> Option<Inst> {
        let module = &self.copied.module;
        let callee = view::Function::of(module, *operands.first()?)?;
        let TypeView::Function { result, parameters } = module.type_view(callee.function_type)? else { return None };
        let parameters: SmallVec<[Inst; 8]> = parameters.iter().collect();
        for ((argument, parameter), expected) in operands[1..].iter_mut().zip(parameters).zip(expected) {
            let ty = expected.map(|ty| self.copied.module.resolve(ty));
            if ty.is_some_and(|ty| ty != parameter && self.are_pointers(ty, parameter)) {
                *argument = self.copied.module.edit().append(block, Op::Bitcast, Some(parameter), &[*argument]);
            }
        }
        Some(result)
    }

    pub(super) fn are_pointers(&self, one: Inst, other: Inst) -> bool {
        [one, other].into_iter().all(|ty| self.copied.module.op(ty) == Op::TypePointer)
    }

    /// The result of a call in the type that its module expects.
    pub(super) fn converted_result(&mut self, call: Inst, expected: Inst) -> Inst {
        self.copied.module.edit().insert(Position::After(call), Op::Bitcast, Some(expected), &[call])
    }
}
