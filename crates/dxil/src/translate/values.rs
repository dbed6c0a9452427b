//! Values of DXIL as values of the shader: what was translated already, constants, and members of structs.

use reconverge_diagnostic::Diagnostic;
use reconverge_ir::{Inst, Op};

use super::function::{Body, Members, Translated};
use super::numbers::Number;
use crate::module::{Constant, Function, Operation, Type, TypeId, ValueId, ValueKind};

/// For each value of a function the members that something extracts from it.
pub(super) fn used_members(first: usize, function: &Function) -> Vec<u32> {
    let mut used = vec![0; function.values.len()];
    for instruction in &function.instructions {
        let mut note = |value: ValueId, mask: u32| {
            if let Some(slot) = value.index().checked_sub(first).and_then(|index| used.get_mut(index)) {
                *slot |= mask;
            }
        };
        match &instruction.operation {
            Operation::ExtractValue { aggregate, indices } if indices[0] < 32 => note(*aggregate, 1 << indices[0]),
            operation => operation.for_each_operand(|value| note(value, u32::MAX)),
        }
    }
    used
}

pub(super) fn is_used(mask: u32, index: usize) -> bool {
    index >= 32 || mask >> index & 1 != 0
}

/// Values.
impl Body<'_, '_> {
    pub(super) fn define(&mut self, value: ValueId, translated: Translated) {
        let index = value.index() - self.shader.dxil.values.len();
        self.values[index] = Some(translated);
    }

    /// The members of a value that are needed, one bit each.
    pub(super) fn used_members(&self, value: ValueId) -> u32 {
        value.index().checked_sub(self.shader.dxil.values.len()).map_or(u32::MAX, |index| self.used[index])
    }

    /// Returns whether something needs a member of a value.
    pub(super) fn uses_member(&self, value: ValueId, index: usize) -> bool {
        is_used(self.used_members(value), index)
    }

    /// The translation of a value.
    pub(super) fn translated(&mut self, value: ValueId) -> Result<Translated, Diagnostic> {
        let local = value.index().checked_sub(self.shader.dxil.values.len());
        if let Some(translated) = local.and_then(|index| self.values[index].clone()) {
            return Ok(translated);
        }
        let dxil = self.shader.dxil;
        let found = dxil.value(self.function, value);
        match &found.kind {
            ValueKind::Constant(constant) => {
                let translated = self.constant(found.ty, constant)?;
                if local.is_some() {
                    self.define(value, translated.clone());
                }
                Ok(translated)
            }
            ValueKind::Global(global) => Ok(Translated::Pointer(self.global_pointer(*global)?)),
            ValueKind::Function(_) => Err(self.unsupported("functions as values are not supported")),
            ValueKind::Parameter(_) | ValueKind::Instruction(_) => {
                // The reader checked dominance: what is missing has no translation of its own.
                Err(self.unsupported("resources as values are not supported"))
            }
        }
    }

    /// A scalar or vector.
    pub(super) fn value(&mut self, value: ValueId) -> Result<Inst, Diagnostic> {
        match self.translated(value)? {
            Translated::Value(inst) => Ok(inst),
            Translated::Nothing => Err(self.unsupported("resources as values are not supported")),
            Translated::Members(_) => Err(self.unsupported("structs and arrays as values are not supported")),
            Translated::Pointer(_) => Err(self.unsupported("addresses as values are not supported")),
        }
    }

    /// A member of a struct or array.
    pub(super) fn member(&mut self, value: ValueId, index: usize) -> Result<Inst, Diagnostic> {
        match self.translated(value)? {
            Translated::Members(members) => match members.get(index).copied().flatten() {
                Some(member) => Ok(member),
                None => Err(self.unsupported("members of members are not supported")),
            },
            _ => Err(self.unsupported("structs and arrays that no operation returns are not supported")),
        }
    }

    /// The type of a value in DXIL.
    pub(super) fn type_of(&self, value: ValueId) -> TypeId {
        self.shader.dxil.value(self.function, value).ty
    }

    /// The number that a value is, or its elements.
    pub(super) fn number_of(&self, value: ValueId) -> Result<Number, Diagnostic> {
        let ty = self.type_of(value);
        self.shader
            .number(ty)
            .ok_or_else(|| self.unsupported(format!("values of type {} are not supported", self.shader.type_name(ty))))
    }

    /// The integer that a value is, if it is a constant.
    pub(super) fn known_integer(&self, value: ValueId) -> Option<u64> {
        match self.shader.dxil.constant(self.function, value)? {
            Constant::Integer(bits) => Some(*bits),
            _ => None,
        }
    }

    /// Returns whether a value is undefined, as arguments are that an operation does not have.
    pub(super) fn is_undefined(&self, value: ValueId) -> bool {
        matches!(self.shader.dxil.constant(self.function, value), Some(Constant::Undef))
    }

    fn constant(&mut self, ty: TypeId, constant: &Constant) -> Result<Translated, Diagnostic> {
        let dxil = self.shader.dxil;
        if let Type::Struct { members: Some(types), .. } = &dxil.types[ty] {
            let members: Result<Members, Diagnostic> = match constant {
                Constant::Null | Constant::Undef => types
                    .iter()
                    .map(|&ty| {
                        let ty = self.shader.value_type(ty, self.offset)?;
                        let is_null = matches!(constant, Constant::Null);
                        Ok(Some(if is_null { self.shader.null(ty) } else { self.shader.undef(ty) }))
                    })
                    .collect(),
                Constant::Aggregate(values) => values.iter().map(|&value| Ok(Some(self.value(value)?))).collect(),
                _ => Err(self.unsupported("constants of this form are not supported")),
            };
            return Ok(Translated::Members(members?));
        }
        match constant {
            Constant::Cast { .. } | Constant::ElementPointer { .. } => {
                Ok(Translated::Pointer(self.constant_pointer(ty, constant)?))
            }
            _ => Ok(Translated::Value(self.constant_value(ty, constant)?)),
        }
    }

    /// A constant scalar or vector.
    fn constant_value(&mut self, ty: TypeId, constant: &Constant) -> Result<Inst, Diagnostic> {
        let value_type = self.shader.value_type(ty, self.offset)?;
        let number = self.shader.number(ty).expect("invariant: values are numbers or vectors of them");
        Ok(match constant {
            Constant::Undef => self.shader.undef(value_type),
            Constant::Integer(bits) | Constant::Float(bits) => self.shader.constant(number, *bits),
            Constant::Null => self.shader.null(value_type),
            Constant::Data(elements) => {
                let elements: Vec<Inst> = elements.iter().map(|&bits| self.shader.constant(number, bits)).collect();
                self.shader.build.emit(Op::ConstantComposite, Some(value_type), &elements)
            }
            Constant::Aggregate(elements) => {
                let elements = elements.iter().map(|&element| self.value(element)).collect::<Result<Vec<_>, _>>()?;
                self.shader.build.emit(Op::ConstantComposite, Some(value_type), &elements)
            }
            _ => return Err(self.unsupported("constants of this form are not supported")),
        })
    }
}
