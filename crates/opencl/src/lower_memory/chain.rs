//! The sum of pointer arithmetic: a constant number of bytes and scaled indices.
//!
//! ```text
//! in_bounds_ptr_access_chain %p(struct { u32, f32[8] }*), %i, 1, %j     ⇒     4 + %i × 36 + %j × 4
//! ```
//!
//! Indices are signed, whatever their width. Linear in the operands.

use reconverge_analysis::Layouts;
use reconverge_diagnostic::Diagnostic;
use reconverge_ir::view::TypeView;
use reconverge_ir::{Inst, Module, Op};
use smallvec::SmallVec;

use super::multiples::Multiples;
use crate::error;
use crate::scalars::constant_value;

/// The bytes that a chain adds to its base.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Chain {
    /// The constant part.
    pub(super) constant: i64,
    /// Indices that are not constants, each with the size of one step in bytes.
    pub(super) indices: SmallVec<[(Inst, u64); 2]>,
    /// The type that it points to.
    pub(super) end: Inst,
}

impl Chain {
    /// The greatest power of two that is known to divide the sum.
    pub(super) fn alignment(&self, module: &Module, multiples: &Multiples) -> u32 {
        let of_indices = self
            .indices
            .iter()
            .map(|&(index, scale)| multiples.zeros(module, index).saturating_add(scale.trailing_zeros()));
        1 << of_indices.chain([self.constant.trailing_zeros()]).min().unwrap_or(0).min(30)
    }

    fn add(&mut self, module: &Module, index: Inst, scale: u64) {
        match integer_constant(module, index) {
            Some(value) => self.constant = self.constant.wrapping_add(value.wrapping_mul(scale.cast_signed())),
            None if scale == 0 => {}
            None => self.indices.push((index, scale)),
        }
    }
}

/// The sum of a chain. `op` and `operands` are those of the instruction, or of the operation of a `spec_constant_op`.
///
/// # Errors
/// Types without a layout, indices that do not match the type.
pub(super) fn compute_chain(
    module: &Module,
    layouts: &mut Layouts,
    op: Op,
    operands: &[Inst],
    at: Inst,
) -> Result<Chain, Diagnostic> {
    let malformed = || error::rejected(at, "pointer arithmetic that does not fit the type of its base");
    let base = *operands.first().ok_or_else(malformed)?;
    let mut ty = module.pointee(base).ok_or_else(malformed)?;
    let mut chain = Chain { constant: 0, indices: SmallVec::new(), end: ty };
    let mut indices = &operands[1..];
    if matches!(op, Op::PtrAccessChain | Op::InBoundsPtrAccessChain) {
        let (&element, rest) = indices.split_first().ok_or_else(malformed)?;
        if integer_constant(module, element) != Some(0) {
            let layout = layouts.of(module, ty).map_err(|error| error::unsupported(at, error.to_string()))?;
            chain.add(module, element, layout.size);
        }
        indices = rest;
    }
    for &index in indices {
        ty = match module.type_view(ty) {
            Some(TypeView::Struct { members }) => {
                let member = integer_constant(module, index).and_then(|member| usize::try_from(member).ok());
                let member = member.filter(|&member| member < members.len()).ok_or_else(malformed)?;
                let offset = layouts.member_offset(module, ty, member);
                let offset = offset.map_err(|error| error::unsupported(at, error.to_string()))?;
                chain.constant = chain.constant.wrapping_add_unsigned(offset);
                members.at(member).ok_or_else(malformed)?
            }
            Some(
                TypeView::Array { element, .. }
                | TypeView::RuntimeArray { element }
                | TypeView::Vector { component: element, .. },
            ) => {
                let stride = layouts.element_stride(module, ty);
                let stride = stride.map_err(|error| error::unsupported(at, error.to_string()))?;
                chain.add(module, index, stride);
                element
            }
            _ => return Err(malformed()),
        };
    }
    chain.end = ty;
    Ok(chain)
}

/// The value of an integer constant, sign-extended.
pub(super) fn integer_constant(module: &Module, value: Inst) -> Option<i64> {
    let TypeView::Int { width, .. } = module.type_view(module.ty(value)?)? else { return None };
    let shift = 64 - width.clamp(1, 64);
    constant_value(module, value).map(|bits| (bits << shift).cast_signed() >> shift)
}
