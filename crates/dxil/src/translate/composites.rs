//! Structs and vectors as values.

use reconverge_diagnostic::Diagnostic;
use reconverge_ir::Op;

use super::function::{Body, Translated};
use crate::module::{Constant, TypeId, ValueId};

/// Composites.
impl Body<'_, '_> {
    pub(super) fn insert_value(
        &mut self,
        aggregate: ValueId,
        value: ValueId,
        indices: &[u32],
    ) -> Result<Translated, Diagnostic> {
        let [index] = indices[..] else { return Err(self.unsupported("members of members are not supported")) };
        let Translated::Members(mut members) = self.translated(aggregate)? else {
            return Err(self.unsupported("arrays as values are not supported"));
        };
        let value = self.value(value)?;
        match members.get_mut(index as usize) {
            Some(member) => *member = Some(value),
            None => return Err(self.invalid("expected the index of a member")),
        }
        Ok(Translated::Members(members))
    }

    pub(super) fn extract_element(
        &mut self,
        ty: TypeId,
        vector: ValueId,
        index: ValueId,
    ) -> Result<Translated, Diagnostic> {
        let target = self.shader.value_type(ty, self.offset)?;
        let inst = self.value(vector)?;
        let inst = match self.known_element(vector, index) {
            Some(known) => {
                let known = self.shader.build.editor().word(known);
                self.emit(Op::CompositeExtract, target, &[inst, known])
            }
            None => {
                let index = self.unsigned(index)?;
                self.emit(Op::VectorExtractDynamic, target, &[inst, index])
            }
        };
        self.relax(inst, ty);
        Ok(Translated::Value(inst))
    }

    pub(super) fn insert_element(
        &mut self,
        ty: TypeId,
        vector: ValueId,
        element: ValueId,
        index: ValueId,
    ) -> Result<Translated, Diagnostic> {
        let target = self.shader.value_type(ty, self.offset)?;
        let (inst, element) = (self.value(vector)?, self.value(element)?);
        let inst = match self.known_element(vector, index) {
            Some(known) => {
                let known = self.shader.build.editor().word(known);
                self.emit(Op::CompositeInsert, target, &[element, inst, known])
            }
            None => {
                let index = self.unsigned(index)?;
                self.emit(Op::VectorInsertDynamic, target, &[inst, element, index])
            }
        };
        self.relax(inst, ty);
        Ok(Translated::Value(inst))
    }

    /// An index that is a constant and in a vector.
    fn known_element(&self, vector: ValueId, index: ValueId) -> Option<u32> {
        let length = self.shader.dxil.types.vector_length(self.type_of(vector))?;
        let known = u32::try_from(self.known_integer(index)?).ok()?;
        (known < length).then_some(known)
    }

    pub(super) fn shuffle(
        &mut self,
        ty: TypeId,
        first: ValueId,
        second: ValueId,
        mask: ValueId,
    ) -> Result<Translated, Diagnostic> {
        let target = self.shader.value_type(ty, self.offset)?;
        let length = self.shader.dxil.types.vector_length(ty).unwrap_or(0);
        let mut operands = vec![self.value(first)?, self.value(second)?];
        for index in 0..length as usize {
            let component = match self.shader.dxil.constant(self.function, mask) {
                Some(Constant::Null) => Some(0),
                Some(Constant::Data(elements)) => elements.get(index).copied(),
                Some(Constant::Aggregate(elements)) => {
                    elements.get(index).and_then(|&element| self.known_integer(element))
                }
                _ => None,
            };
            // An index that is undefined selects an undefined element.
            operands.push(self.shader.build.editor().word(component.map_or(u32::MAX, |component| component as u32)));
        }
        let inst = self.emit(Op::VectorShuffle, target, &operands);
        self.relax(inst, ty);
        Ok(Translated::Value(inst))
    }
}
