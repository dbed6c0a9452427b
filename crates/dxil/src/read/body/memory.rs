//! Memory: variables, addresses, accesses, atomics.

use reconverge_diagnostic::Diagnostic;

use super::Body;
use crate::error::Code;
use crate::module::{AtomicOp, Operation, Ordering, Scope, Type, TypeId, ValueId};
use crate::read::element_pointer::{Index, element_type};
use crate::read::integer;
use crate::read::operands::{Operands, alignment};

/// Bits beside the alignment of a variable.
const IN_ALLOCA: u64 = 1 << 5;
const EXPLICIT_TYPE: u64 = 1 << 6;

impl Body<'_, '_> {
    /// `[type, type of the count, count, alignment | flags]`; the count is the number of a value, not relative.
    pub(super) fn alloca(&mut self, mut operands: Operands<'_>) -> Result<(), Diagnostic> {
        let named = self.first_class(&mut operands)?;
        let count_type = self.first_class(&mut operands)?;
        let number = operands.small("a value")?;
        let (count, _) = self.use_value(number, Some(count_type), &operands)?;
        let flags = operands.number("an alignment")?;
        if flags & IN_ALLOCA != 0 {
            return Err(operands.unsupported("inalloca"));
        }
        let alignment = alignment(flags & !EXPLICIT_TYPE)
            .ok_or_else(|| operands.error(Code::Record, "expected an alignment of at most 2^29"))?;
        let ty = match self.types().pointee(named) {
            _ if flags & EXPLICIT_TYPE != 0 => named,
            Some(pointee) => pointee,
            None => return Err(operands.error(Code::Operand, "expected a pointer to the variable")),
        };
        Self::require(self.types().is_sized(ty), "a variable of a type with a size", &operands)?;
        Self::require(self.types().is_integer(count_type), "an integer as the count", &operands)?;
        let pointer = self.reader.module.types.intern(Type::Pointer { pointee: ty, address_space: 0 });
        self.push(Operation::Alloca { ty, count, alignment }, pointer, &operands)
    }

    /// `[in bounds, type, base, index…]`
    pub(super) fn element_pointer(&mut self, mut operands: Operands<'_>) -> Result<(), Diagnostic> {
        let is_inbounds = operands.number("whether it is in bounds")? != 0;
        let source = self.reader.ty(&mut operands)?;
        let (base, base_type) = self.typed(&mut operands)?;
        let Type::Pointer { pointee, address_space } = self.types()[base_type] else {
            return Err(operands.error(Code::Operand, "expected a pointer"));
        };
        Self::require(pointee == source, "a pointer to the type of the instruction", &operands)?;
        let (mut indices, mut list) = (Vec::new(), Vec::new());
        while operands.left() > 0 {
            let (index, ty) = self.typed(&mut operands)?;
            let constant = self.value(index.number()).and_then(integer);
            indices.push(index);
            list.push(Index { ty, constant });
        }
        let element =
            element_type(self.types(), source, list).map_err(|message| operands.error(Code::Operand, message))?;
        let pointer = self.reader.module.types.intern(Type::Pointer { pointee: element, address_space });
        self.push(Operation::ElementPointer { is_inbounds, source, base, indices }, pointer, &operands)
    }

    /// `[pointer, (type), alignment, volatile]`
    pub(super) fn load(&mut self, mut operands: Operands<'_>) -> Result<(), Diagnostic> {
        let (pointer, pointee) = self.pointer(&mut operands)?;
        if operands.left() == 3 {
            let ty = self.reader.ty(&mut operands)?;
            Self::require(ty == pointee, "a pointer to the type of the instruction", &operands)?;
        }
        let (alignment, is_volatile) = (operands.alignment()?, operands.number("whether it is volatile")? != 0);
        self.push(Operation::Load { pointer, alignment, is_volatile }, pointee, &operands)
    }

    /// `[pointer, value, alignment, volatile]`
    pub(super) fn store(&mut self, mut operands: Operands<'_>) -> Result<(), Diagnostic> {
        let (pointer, pointee) = self.pointer(&mut operands)?;
        let (value, ty) = self.typed(&mut operands)?;
        Self::require(ty == pointee, "a pointer to the type of the value", &operands)?;
        let (alignment, is_volatile) = (operands.alignment()?, operands.number("whether it is volatile")? != 0);
        self.push(Operation::Store { pointer, value, alignment, is_volatile }, self.void, &operands)
    }

    /// `[pointer, value, operation, volatile, ordering, scope]`
    pub(super) fn atomic_rmw(&mut self, mut operands: Operands<'_>) -> Result<(), Diagnostic> {
        let (pointer, pointee) = self.pointer(&mut operands)?;
        let value = self.of_type(pointee, &mut operands)?;
        Self::require(self.types().is_integer(pointee), "a pointer to an integer", &operands)?;
        let op = operands.choice(AtomicOp::ALL, "an atomic operation")?;
        let is_volatile = operands.number("whether it is volatile")? != 0;
        let (ordering, scope) = (atomic_ordering(&mut operands)?, scope(&mut operands)?);
        let operation = Operation::AtomicRmw { op, pointer, value, is_volatile, ordering, scope };
        self.push(operation, pointee, &operands)
    }

    /// `[pointer, expected, value, volatile, ordering, scope, ordering of failure, weak]`
    pub(super) fn compare_exchange(&mut self, mut operands: Operands<'_>) -> Result<(), Diagnostic> {
        let (pointer, pointee) = self.pointer(&mut operands)?;
        let (expected, ty) = self.typed(&mut operands)?;
        let value = self.of_type(ty, &mut operands)?;
        let is_legal = ty == pointee && self.types().is_integer(ty);
        Self::require(is_legal, "a pointer to an integer of the type of the values", &operands)?;
        if operands.left() < 5 {
            return Err(operands.unsupported("a cmpxchg in an old form"));
        }
        let is_volatile = operands.number("whether it is volatile")? != 0;
        let (success, scope) = (atomic_ordering(&mut operands)?, scope(&mut operands)?);
        let failure = atomic_ordering(&mut operands)?;
        let is_weak = operands.number("whether it is weak")? != 0;
        let members = Some(vec![ty, self.boolean]);
        let result = self.reader.module.types.intern(Type::Struct { name: None, is_packed: false, members });
        let operation =
            Operation::CompareExchange { pointer, expected, value, is_volatile, is_weak, success, failure, scope };
        self.push(operation, result, &operands)
    }

    /// `[ordering, scope]`
    pub(super) fn fence(&mut self, mut operands: Operands<'_>) -> Result<(), Diagnostic> {
        let (ordering, scope) = (atomic_ordering(&mut operands)?, scope(&mut operands)?);
        self.push(Operation::Fence { ordering, scope }, self.void, &operands)
    }

    /// The next operand as a pointer to a value; returns the type of that as well.
    fn pointer(&mut self, operands: &mut Operands<'_>) -> Result<(ValueId, TypeId), Diagnostic> {
        let (pointer, ty) = self.typed(operands)?;
        match self.types().pointee(ty) {
            Some(pointee) if self.types().is_sized(pointee) => Ok((pointer, pointee)),
            _ => Err(operands.error(Code::Operand, "expected a pointer to a type with a size")),
        }
    }
}

fn atomic_ordering(operands: &mut Operands<'_>) -> Result<Ordering, Diagnostic> {
    match operands.choice(Ordering::ALL, "an ordering")? {
        Ordering::NotAtomic => Err(operands.error(Code::Record, "expected an ordering of an atomic operation")),
        ordering => Ok(ordering),
    }
}

fn scope(operands: &mut Operands<'_>) -> Result<Scope, Diagnostic> {
    operands.choice(Scope::ALL, "a scope")
}
