//! Atomics. Their memory is of an atomic type, so a plain load or store of it is an atomic one.
//!
//! WGSL's atomics are relaxed. An atomic that orders other memory is rejected there, unless its scope is its own lane.

use naga::{AtomicFunction, Expression, Handle, Literal, Scalar, Statement};
use reconverge_diagnostic::Diagnostic;
use reconverge_ir::{Inst, Op, view};
use spirv::MemorySemantics;

use super::super::{Language, WriteCode};
use super::{Body, arithmetic};

/// The memory of an atomic.
#[derive(Clone, Copy)]
struct Memory {
    pointer: Handle<Expression>,
    scalar: Scalar,
}

impl Body<'_, '_> {
    pub(super) fn atomic(&mut self, inst: Inst) -> Result<(), Diagnostic> {
        let Some(atomic) = view::Atomic::of(self.source, inst) else { return self.unknown(inst) };
        self.check_semantics(inst, &atomic)?;
        if self.source.op(atomic.pointer) == Op::ImageTexelPointer {
            let (function, Some(value)) = (self.function_of(inst), atomic.value) else { return self.unknown(inst) };
            let Some(function) = function else { return self.unknown(inst) };
            return self.image_atomic(inst, atomic.pointer, function, value);
        }
        let pointer = self.memory(atomic.pointer)?;
        let scalar = self.source.pointee(atomic.pointer).and_then(|ty| self.module.scalar(ty));
        let Some(scalar) = scalar else { return self.unknown(inst) };
        match self.source.op(inst) {
            Op::AtomicLoad => {
                let handle = self.push(Expression::Load { pointer });
                self.define(inst, handle)
            }
            Op::AtomicStore => {
                let Some(value) = atomic.value else { return self.unknown(inst) };
                let value = self.value_as(value, scalar.kind)?;
                self.statement(Statement::Store { pointer, value });
                Ok(())
            }
            Op::AtomicCompareExchange | Op::AtomicCompareExchangeWeak => self.exchange(inst, &atomic, pointer, scalar),
            op => {
                let is_step = matches!(op, Op::AtomicIIncrement | Op::AtomicIDecrement);
                let Some(fun) = self.function_of(inst) else { return self.unknown(inst) };
                self.check_sign(inst, scalar)?;
                let value = match atomic.value {
                    Some(value) => self.value_as(value, scalar.kind)?,
                    None if is_step => self.one(inst, scalar)?,
                    None => return self.unknown(inst),
                };
                self.read_modify_write(inst, Memory { pointer, scalar }, fun, value)
            }
        }
    }

    fn read_modify_write(
        &mut self,
        inst: Inst,
        memory: Memory,
        fun: AtomicFunction,
        value: Handle<Expression>,
    ) -> Result<(), Diagnostic> {
        let Memory { pointer, scalar } = memory;
        let ty = self.module.plain_type(naga::TypeInner::Scalar(scalar));
        let result = self.push_result(Expression::AtomicResult { ty, comparison: false });
        self.statement(Statement::Atomic { pointer, fun, value, result: Some(result) });
        let Some(kind) = self.module.kind_of(inst) else { return self.unknown(inst) };
        let handle = arithmetic::cast(self, result, scalar.kind, kind);
        self.define(inst, handle)
    }

    /// A compare exchange: the old value is the first member of naga's result.
    fn exchange(
        &mut self,
        inst: Inst,
        atomic: &view::Atomic,
        pointer: Handle<Expression>,
        scalar: Scalar,
    ) -> Result<(), Diagnostic> {
        let (Some(value), Some(comparator)) = (atomic.value, atomic.comparator) else { return self.unknown(inst) };
        let (value, compare) = (self.value_as(value, scalar.kind)?, self.value_as(comparator, scalar.kind)?);
        let weak = naga::PredeclaredType::AtomicCompareExchangeWeakResult(scalar);
        let ty = self.module.output.generate_predeclared_type(weak);
        let result = self.push_result(Expression::AtomicResult { ty, comparison: true });
        let fun = AtomicFunction::Exchange { compare: Some(compare) };
        self.statement(Statement::Atomic { pointer, fun, value, result: Some(result) });
        let old = self.push(Expression::AccessIndex { base: result, index: 0 });
        let Some(kind) = self.module.kind_of(inst) else { return self.unknown(inst) };
        let handle = arithmetic::cast(self, old, scalar.kind, kind);
        self.define(inst, handle)
    }

    fn function_of(&self, inst: Inst) -> Option<AtomicFunction> {
        Some(match self.source.op(inst) {
            Op::AtomicIAdd | Op::AtomicIIncrement | Op::AtomicFAddEXT => AtomicFunction::Add,
            Op::AtomicISub | Op::AtomicIDecrement => AtomicFunction::Subtract,
            Op::AtomicAnd => AtomicFunction::And,
            Op::AtomicOr => AtomicFunction::InclusiveOr,
            Op::AtomicXor => AtomicFunction::ExclusiveOr,
            Op::AtomicSMin | Op::AtomicUMin => AtomicFunction::Min,
            Op::AtomicSMax | Op::AtomicUMax => AtomicFunction::Max,
            Op::AtomicExchange => AtomicFunction::Exchange { compare: None },
            _ => return None,
        })
    }

    /// Checks that a minimum or maximum has the signedness of the memory.
    fn check_sign(&self, inst: Inst, scalar: Scalar) -> Result<(), Diagnostic> {
        let is_signed = scalar.kind == naga::ScalarKind::Sint;
        let fits = match self.source.op(inst) {
            Op::AtomicSMin | Op::AtomicSMax => is_signed,
            Op::AtomicUMin | Op::AtomicUMax => !is_signed,
            _ => true,
        };
        if fits {
            Ok(())
        } else {
            self.refuse(WriteCode::Op, inst, "an atomic minimum or maximum of the other sign than its memory")
        }
    }

    /// Checks that an atomic does not order other memory, which WGSL's atomics cannot.
    fn check_semantics(&self, inst: Inst, atomic: &view::Atomic) -> Result<(), Diagnostic> {
        let orders = |value: Inst| {
            let semantics = MemorySemantics::from_bits_retain(self.word(value).unwrap_or_default());
            let order = MemorySemantics::ACQUIRE | MemorySemantics::RELEASE | MemorySemantics::ACQUIRE_RELEASE;
            let order = order | MemorySemantics::SEQUENTIALLY_CONSISTENT;
            let memory =
                MemorySemantics::UNIFORM_MEMORY | MemorySemantics::WORKGROUP_MEMORY | MemorySemantics::IMAGE_MEMORY;
            semantics.intersects(order) && semantics.intersects(memory)
        };
        let is_ordering = orders(atomic.semantics) || atomic.unequal_semantics.is_some_and(orders);
        if is_ordering && self.module.language == Language::Wgsl {
            return self.refuse(
                WriteCode::Op,
                inst,
                "an atomic that orders other memory in WGSL, whose atomics do not",
            );
        }
        Ok(())
    }

    fn one(&mut self, inst: Inst, scalar: Scalar) -> Result<Handle<Expression>, Diagnostic> {
        let literal = match (scalar.kind, scalar.width) {
            (naga::ScalarKind::Sint, 4) => Literal::I32(1),
            (naga::ScalarKind::Uint, 4) => Literal::U32(1),
            (naga::ScalarKind::Sint, 8) => Literal::I64(1),
            (naga::ScalarKind::Uint, 8) => Literal::U64(1),
            _ => {
                return self.refuse(WriteCode::Type, inst, "an atomic on a number of another width than 32 or 64 bits");
            }
        };
        Ok(self.push(Expression::Literal(literal)))
    }
}
