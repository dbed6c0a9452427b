//! Control: terminators, phis, calls.

use std::collections::BTreeSet;

use reconverge_diagnostic::Diagnostic;

use super::Body;
use crate::error::Code;
use crate::module::{Argument, Case, Incoming, MetadataId, Operation, Type};
use crate::read::integer;
use crate::read::operands::Operands;

/// The bit of a call that says that its function type is there.
const EXPLICIT_TYPE: u32 = 1 << 15;

/// The bits of a call with its calling convention; below is whether it is a tail call.
const CONVENTION: u32 = 0x7ff;

/// The high bits of the first operand of a switch in a form of LLVM 3.3.
const OLD_SWITCH: u64 = 0x4b5;

impl Body<'_, '_> {
    /// `[value]` or nothing
    pub(super) fn return_value(&mut self, mut operands: Operands<'_>) -> Result<(), Diagnostic> {
        let value = match operands.left() {
            0 => None,
            _ => Some(self.typed(&mut operands)?),
        };
        let ty = value.map_or(self.void, |(_, ty)| ty);
        Self::require(ty == self.result, "a value of the type that the function returns", &operands)?;
        self.push(Operation::Return { value: value.map(|(value, _)| value) }, self.void, &operands)
    }

    /// `[target]` or `[if true, if false, condition]`
    pub(super) fn branch(&mut self, mut operands: Operands<'_>) -> Result<(), Diagnostic> {
        let target = self.block(&mut operands)?;
        if operands.left() == 0 {
            return self.push(Operation::Branch { target }, self.void, &operands);
        }
        let if_false = self.block(&mut operands)?;
        let condition = self.of_type(self.boolean, &mut operands)?;
        let operation = Operation::ConditionalBranch { condition, if_true: target, if_false };
        self.push(operation, self.void, &operands)
    }

    /// `[type, selector, default, (value, target)…]`; values of cases are numbers of constants, not relative.
    pub(super) fn switch(&mut self, mut operands: Operands<'_>) -> Result<(), Diagnostic> {
        if operands.rest_at(0) >> 16 == OLD_SWITCH {
            return Err(operands.unsupported("a switch in an old form"));
        }
        let ty = self.first_class(&mut operands)?;
        let is_selector = matches!(self.types().integer_width(ty), Some(1..=64));
        Self::require(is_selector, "an integer of at most 64 bits as the selector", &operands)?;
        let selector = self.of_type(ty, &mut operands)?;
        let default = self.block(&mut operands)?;
        let mut cases = Vec::with_capacity(operands.left() / 2);
        let mut found = BTreeSet::new();
        while operands.left() > 0 {
            let number = operands.small("a value")?;
            let (value, _) = self.use_value(number, Some(ty), &operands)?;
            let Some(integer) = self.value(number).and_then(integer) else {
                return Err(operands.error(Code::Operand, "expected constant integers as the values of cases"));
            };
            if !found.insert(integer) {
                return Err(operands.error(Code::Operand, format!("expected different cases, found {integer} twice")));
            }
            cases.push(Case { value, target: self.block(&mut operands)? });
        }
        self.push(Operation::Switch { selector, default, cases }, self.void, &operands)
    }

    pub(super) fn unreachable(&mut self, operands: Operands<'_>) -> Result<(), Diagnostic> {
        self.push(Operation::Unreachable, self.void, &operands)
    }

    /// `[type, (value, block)…]`; values are relative, with their sign in the low bit.
    pub(super) fn phi(&mut self, mut operands: Operands<'_>) -> Result<(), Diagnostic> {
        let ty = self.first_class(&mut operands)?;
        let is_first = self.instructions.get(self.block_start as usize..).is_some_and(|before| {
            before.iter().all(|instruction| matches!(instruction.operation, Operation::Phi { .. }))
        });
        if !is_first {
            return Err(operands.error(Code::Phi, "expected phis before all other instructions of a block"));
        }
        let mut incoming = Vec::with_capacity(operands.left() / 2);
        while operands.left() > 0 {
            let relative = operands.small("a value")?;
            let back = if relative & 1 == 0 { relative >> 1 } else { (relative >> 1).wrapping_neg() };
            let number = self.next().wrapping_sub(back);
            let (value, _) = self.use_value(number, Some(ty), &operands)?;
            incoming.push(Incoming { value, block: self.block(&mut operands)? });
        }
        self.push(Operation::Phi { incoming }, ty, &operands)
    }

    /// `[attributes, convention | flags, (function type), callee, argument…]`
    pub(super) fn call(&mut self, mut operands: Operands<'_>) -> Result<(), Diagnostic> {
        let memory = self.reader.attributes.effect(&mut operands)?;
        let flags = operands.small("a calling convention")?;
        let explicit = if flags & EXPLICIT_TYPE != 0 { Some(self.reader.ty(&mut operands)?) } else { None };
        let (callee, callee_type) = self.typed(&mut operands)?;
        let Some(function) = self.reader.module.function_of(callee) else {
            return Err(operands.unsupported("a call of a value that is no function of the module"));
        };
        let ty = self.reader.module.functions[function.index()].ty;
        let is_same = explicit.is_none_or(|explicit| explicit == ty) && self.types().pointee(callee_type) == Some(ty);
        Self::require(is_same, "a function of the type of the call", &operands)?;
        let Type::Function { is_variadic, result, ref parameters } = self.types()[ty] else {
            return Err(operands.error(Code::Operand, "expected a function"));
        };
        let parameters = parameters.clone();
        let mut arguments = Vec::with_capacity(parameters.len().min(operands.left()));
        for parameter in parameters {
            arguments.push(match self.types()[parameter] {
                Type::Metadata => Argument::Metadata(self.metadata_argument(&mut operands)?),
                _ => Argument::Value(self.of_type(parameter, &mut operands)?),
            });
        }
        if is_variadic && operands.left() > 0 {
            return Err(operands.unsupported("a call with more arguments than parameters"));
        }
        let (calling_convention, is_tail) = ((flags & CONVENTION) >> 1, flags & 1 != 0);
        let operation = Operation::Call { callee, arguments, memory, calling_convention, is_tail };
        self.push(operation, result, &operands)
    }

    /// The next operand as metadata, which is counted back from the next value.
    fn metadata_argument(&self, operands: &mut Operands<'_>) -> Result<MetadataId, Diagnostic> {
        let number = self.relative(operands)?;
        let count = self.reader.module.metadata.len() + self.metadata.len();
        match (number as usize) < count {
            true => Ok(MetadataId::new(number)),
            false => {
                Err(operands.error(Code::Reference, format!("expected one of {count} metadata, found number {number}")))
            }
        }
    }
}
