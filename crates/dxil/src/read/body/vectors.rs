//! Parts of structs, arrays and vectors.

use reconverge_diagnostic::Diagnostic;

use super::Body;
use crate::error::Code;
use crate::module::{Operation, Type, TypeId};
use crate::read::is_constant;
use crate::read::operands::Operands;

impl Body<'_, '_> {
    /// `[vector, index]`
    pub(super) fn extract_element(&mut self, mut operands: Operands<'_>) -> Result<(), Diagnostic> {
        let (vector, ty) = self.typed(&mut operands)?;
        let (index, index_type) = self.typed(&mut operands)?;
        let Type::Vector { element, .. } = self.types()[ty] else {
            return Err(operands.error(Code::Operand, "expected a vector"));
        };
        Self::require(self.types().is_integer(index_type), "an integer as the index", &operands)?;
        self.push(Operation::ExtractElement { vector, index }, element, &operands)
    }

    /// `[vector, element, index]`
    pub(super) fn insert_element(&mut self, mut operands: Operands<'_>) -> Result<(), Diagnostic> {
        let (vector, ty) = self.typed(&mut operands)?;
        let Type::Vector { element: element_type, .. } = self.types()[ty] else {
            return Err(operands.error(Code::Operand, "expected a vector"));
        };
        let element = self.of_type(element_type, &mut operands)?;
        let (index, index_type) = self.typed(&mut operands)?;
        Self::require(self.types().is_integer(index_type), "an integer as the index", &operands)?;
        self.push(Operation::InsertElement { vector, element, index }, ty, &operands)
    }

    /// `[first, second, mask]`
    pub(super) fn shuffle_vector(&mut self, mut operands: Operands<'_>) -> Result<(), Diagnostic> {
        let (first, ty) = self.typed(&mut operands)?;
        let second = self.of_type(ty, &mut operands)?;
        let (mask, mask_type) = self.typed(&mut operands)?;
        let (Type::Vector { element, .. }, Type::Vector { element: index, length }) =
            (&self.types()[ty], &self.types()[mask_type])
        else {
            return Err(operands.error(Code::Operand, "expected vectors"));
        };
        let (element, length) = (*element, *length);
        Self::require(self.types().integer_width(*index) == Some(32), "indices of 32 bits", &operands)?;
        let is_mask = self.value(mask.number()).is_some_and(is_constant);
        Self::require(is_mask, "a constant vector of indices", &operands)?;
        let result = self.reader.module.types.intern(Type::Vector { element, length });
        self.push(Operation::ShuffleVector { first, second, mask }, result, &operands)
    }

    /// `[aggregate, index…]`
    pub(super) fn extract_value(&mut self, mut operands: Operands<'_>) -> Result<(), Diagnostic> {
        let (aggregate, ty) = self.typed(&mut operands)?;
        let (indices, member) = self.member(ty, &mut operands)?;
        self.push(Operation::ExtractValue { aggregate, indices }, member, &operands)
    }

    /// `[aggregate, value, index…]`
    pub(super) fn insert_value(&mut self, mut operands: Operands<'_>) -> Result<(), Diagnostic> {
        let (aggregate, ty) = self.typed(&mut operands)?;
        let (value, value_type) = self.typed(&mut operands)?;
        let (indices, member) = self.member(ty, &mut operands)?;
        Self::require(member == value_type, "a value of the type of the member", &operands)?;
        self.push(Operation::InsertValue { aggregate, value, indices }, ty, &operands)
    }

    /// The operands that are left as indices, and the type of the member that they lead to.
    fn member(&self, aggregate: TypeId, operands: &mut Operands<'_>) -> Result<(Vec<u32>, TypeId), Diagnostic> {
        let mut ty = aggregate;
        let mut indices = Vec::with_capacity(operands.left());
        while operands.left() > 0 {
            let index = operands.small("an index")?;
            let member = match self.types()[ty] {
                Type::Struct { .. } | Type::Array { .. } => self.types().member(ty, u64::from(index)),
                _ => None,
            };
            ty = member
                .ok_or_else(|| operands.error(Code::Operand, format!("expected a member with the index {index}")))?;
            indices.push(index);
        }
        Self::require(!indices.is_empty(), "an index", operands)?;
        Ok((indices, ty))
    }
}
