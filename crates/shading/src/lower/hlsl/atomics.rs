//! Atomics: the functions `Interlocked…` on places, and the methods of raw buffers.
//!
//! ```text
//! uint previous; InterlockedAdd(counts[i], 1u, previous);      uint previous; buffer.InterlockedAdd(offset, 1u, previous);
//! ```
//!
//! They are relaxed. An order that the module asks for is a memory barrier before and after, which orders at least as much.

use reconverge_diagnostic::Diagnostic;
use reconverge_ir::{Inst, Op, view};
use spirv::{MemorySemantics, Scope};

use super::super::function::{Body, Numbers};
use super::super::glsl::atomics::Operation;
use super::raw::{Form, RawPlace};
use crate::syntax::{
    Binary, Callee, Effects, Expr, LocalId, Loop, Scalar, ScalarKind, Shape, Statement, StatementKind, TypeShape,
};
use crate::write::WriteCode;

/// The memory of an atomic.
enum Target {
    Place(Expr),
    Raw(RawPlace),
}

impl Body<'_, '_> {
    /// An atomic operation.
    pub(in crate::lower) fn hlsl_atomic(&mut self, inst: Inst) -> Result<(), Diagnostic> {
        let Some(atomic) = view::Atomic::of(self.source, inst) else { return self.unknown(inst) };
        let order = MemorySemantics::from_bits_retain(self.word(atomic.semantics).unwrap_or_default());
        let scope = self.word(atomic.memory).and_then(Scope::from_u32);
        let acquires = MemorySemantics::ACQUIRE | MemorySemantics::ACQUIRE_RELEASE;
        let releases = MemorySemantics::RELEASE | MemorySemantics::ACQUIRE_RELEASE;
        if order.intersects(MemorySemantics::SEQUENTIALLY_CONSISTENT) {
            return self.refuse(WriteCode::Op, inst, "a sequentially consistent atomic in HLSL");
        }
        let has_fence = scope != Some(Scope::Invocation);
        if order.intersects(releases) && has_fence {
            self.fence_all();
        }
        self.interlocked(inst, atomic)?;
        if order.intersects(acquires) && has_fence {
            self.fence_all();
        }
        Ok(())
    }

    fn interlocked(&mut self, inst: Inst, atomic: view::Atomic) -> Result<(), Diagnostic> {
        let op = self.source.op(inst);
        let Some(pointee) = self.source.pointee(atomic.pointer) else { return self.unknown(inst) };
        let Some(operation) = Operation::of(op) else { return self.unknown(inst) };
        let target = self.atomic_target(inst, atomic)?;
        let ty = self.cx.ty(pointee)?;
        let in_memory = self.numbers_of_type(ty).scalar;
        let meant = match op {
            Op::AtomicSMin | Op::AtomicSMax => in_memory.with(ScalarKind::Int),
            Op::AtomicUMin | Op::AtomicUMax => in_memory.with(ScalarKind::Uint),
            Op::AtomicFAddEXT | Op::AtomicFMinEXT | Op::AtomicFMaxEXT => in_memory,
            // The bits are all that an exchange needs.
            _ if in_memory.is_float() && matches!(target, Target::Raw(_)) => in_memory.with(ScalarKind::Uint),
            _ => in_memory,
        };
        if let Some(chosen) = by_exchange(operation, &target, [in_memory, meant]) {
            self.check_exchange(inst, in_memory)?;
            return self.exchange_loop(inst, atomic, chosen, [in_memory, meant]);
        }
        self.check_interlocked(inst, operation, &target, [in_memory, meant])?;
        let name = function_name(operation);
        let own = self.cx.text.types.numbers(meant, 1);
        let mut arguments = Vec::new();
        if operation == Operation::CompareExchange {
            let Some(comparator) = atomic.comparator else { return self.unknown(inst) };
            arguments.push(self.atomic_operand(comparator, meant, inst)?);
        }
        arguments.push(self.last_operand(inst, atomic, operation, meant)?);
        let is_used = self.source.ty(inst).is_some() && self.source.is_used(inst);
        let needs_result = is_used || matches!(operation, Operation::Exchange | Operation::CompareExchange);
        let previous: Option<LocalId> = needs_result.then(|| self.variable("previous", own));
        if let Some(previous) = previous {
            arguments.push(self.local(previous));
        }
        self.interlocked_call(name, target, &arguments, meant.width);
        let Some(previous) = previous.filter(|_| is_used) else { return Ok(()) };
        let read = self.local(previous);
        let result = self.cx.type_of(inst)?;
        let value = self.bit_cast(read, result, inst)?;
        match self.cx.text.expressions[value].shape {
            Shape::Local(local) => self.know(inst, local),
            _ => self.define(inst, value),
        }
    }

    /// An operation that the language does not have on these numbers: what it computes, and an exchange, until nothing came in between. A
    /// load of a floating-point number is an exchange that changes nothing.
    ///
    /// ```text
    /// float old = p;
    /// while (true) { float seen; InterlockedCompareExchangeFloatBitwise(p, old, old + v, seen); if (asuint(seen) == asuint(old)) { break; } old = seen; }
    /// ```
    fn exchange_loop(
        &mut self,
        inst: Inst,
        atomic: view::Atomic,
        operation: Operation,
        [in_memory, meant]: [Scalar; 2],
    ) -> Result<(), Diagnostic> {
        let own = self.cx.text.types.numbers(in_memory, 1);
        let one = Numbers { scalar: in_memory, size: 1 };
        let old = self.variable("old", own);
        let compared = if in_memory.is_float() { FLOAT_EXCHANGE } else { function_name(Operation::CompareExchange) };
        if operation == Operation::Load {
            let target = self.atomic_target(inst, atomic)?;
            let unchanged = [self.splat(0, one), self.splat(0, one), self.local(old)];
            self.interlocked_call(FLOAT_EXCHANGE, target, &unchanged, in_memory.width);
            return self.know(inst, old);
        }
        let Some(value) = atomic.value else { return self.unknown(inst) };
        let value = self.atomic_operand(value, meant, inst)?;
        let value = self.repeated(value);
        // A guess, which the exchange confirms or corrects.
        let guess = match self.atomic_target(inst, atomic)? {
            Target::Place(place) => place,
            Target::Raw(_) => self.read_memory(atomic.pointer, inst)?,
        };
        let target = self.local(old);
        self.assign_to(target, guess);
        self.open_loop_body(inst)?;
        let seen = self.variable("seen", own);
        let read = self.local(old);
        let (read, value) = (self.cast(read, meant.kind), self.local(value));
        let ty = self.type_of(read);
        let computed = match operation {
            Operation::Min => self.call("min", &[read, value], ty),
            Operation::Max => self.call("max", &[read, value], ty),
            _ => self.binary(Binary::Add, read, value, ty),
        };
        let computed = self.cast(computed, in_memory.kind);
        let target = self.atomic_target(inst, atomic)?;
        let arguments = [self.local(old), computed, self.local(seen)];
        self.interlocked_call(compared, target, &arguments, in_memory.width);
        // The bits are compared: a NaN differs from itself, and the zeros do not differ.
        let word = self.cx.text.types.numbers(in_memory.with(ScalarKind::Uint), 1);
        let (left, right) = (self.local(seen), self.local(old));
        let (left, right) = (self.bit_cast(left, word, inst)?, self.bit_cast(right, word, inst)?);
        let boolean = self.cx.text.types.numbers(Scalar::BOOL, 1);
        let is_done = self.binary(Binary::Equal, left, right, boolean);
        let accept = vec![Statement::from(StatementKind::Break)];
        self.statement(StatementKind::If { condition: is_done, accept, reject: Vec::new() });
        let (target, read) = (self.local(old), self.local(seen));
        self.assign_to(target, read);
        let body = self.close_loop_body();
        self.statement(StatementKind::Loop(Box::new(Loop { body, ..Loop::default() })));
        match self.source.ty(inst) {
            Some(_) => self.know(inst, old),
            None => Ok(()),
        }
    }

    /// The memory of an atomic.
    fn atomic_target(&mut self, inst: Inst, atomic: view::Atomic) -> Result<Target, Diagnostic> {
        Ok(match (self.texel_target(atomic.pointer, inst)?, self.raw_place(atomic.pointer)?) {
            (Some(texel), _) => Target::Place(texel),
            (_, Some(place)) if place.form == Form::Bytes => Target::Raw(place),
            _ => Target::Place(self.place(atomic.pointer)?),
        })
    }

    /// Refuses an exchange that the shader model does not have.
    fn check_exchange(&self, inst: Inst, in_memory: Scalar) -> Result<(), Diagnostic> {
        let name = self.source.op(inst).name();
        if in_memory.width != 32 {
            return self.refuse(WriteCode::Op, inst, format!("{name} of {} bits in HLSL", in_memory.width));
        }
        if in_memory.is_float() && !self.cx.target.hlsl().has(6, 0) {
            let message = format!("{name} of floating-point numbers in this shader model; 6.0 has it");
            return self.refuse(WriteCode::Op, inst, message);
        }
        Ok(())
    }

    /// The operand of an operation: that of the module, or the number that the operation stands for.
    fn last_operand(
        &mut self,
        inst: Inst,
        atomic: view::Atomic,
        operation: Operation,
        meant: Scalar,
    ) -> Result<Expr, Diagnostic> {
        let one = Numbers { scalar: meant, size: 1 };
        match (operation, atomic.value) {
            (Operation::Load, _) => Ok(self.splat(0, one)),
            (Operation::Step(step), _) => Ok(self.splat(step, one)),
            (Operation::Subtract, Some(value)) => {
                let value = self.atomic_operand(value, meant, inst)?;
                Ok(self.negated(value))
            }
            (_, Some(value)) => self.atomic_operand(value, meant, inst),
            _ => self.unknown(inst),
        }
    }

    /// An operand as a number of this type with the same bits.
    fn atomic_operand(&mut self, value: Inst, meant: Scalar, inst: Inst) -> Result<Expr, Diagnostic> {
        let value = self.value(value)?;
        let ty = self.cx.text.types.numbers(meant, 1);
        self.bit_cast(value, ty, inst)
    }

    fn interlocked_call(&mut self, name: [&'static str; 2], target: Target, arguments: &[Expr], width: u8) {
        let void = self.cx.text.types.of(TypeShape::Void);
        let effects = Effects::READS | Effects::WRITES;
        let call = match target {
            Target::Place(place) => {
                let arguments = std::iter::once(place).chain(arguments.iter().copied()).collect();
                self.with_effects(Shape::Call { callee: Callee::Intrinsic(name[0]), arguments }, void, effects)
            }
            Target::Raw(place) => {
                let offset = self.offset(&place.offset);
                let arguments = std::iter::once(offset).chain(arguments.iter().copied()).collect();
                let name = name[usize::from(width == 64)];
                self.with_effects(Shape::Method { object: place.object, name, arguments }, void, effects)
            }
        };
        self.statement(StatementKind::Expression(call));
    }

    /// Refuses what the shader model does not have.
    fn check_interlocked(
        &self,
        inst: Inst,
        operation: Operation,
        target: &Target,
        [in_memory, meant]: [Scalar; 2],
    ) -> Result<(), Diagnostic> {
        let name = self.source.op(inst).name();
        let is_place = matches!(target, Target::Place(_));
        if in_memory.is_float() {
            let is_exchange = match operation {
                Operation::Exchange => true,
                Operation::CompareExchange | Operation::Load => !is_place,
                _ => false,
            };
            if !is_exchange || in_memory.width != 32 {
                return self.refuse(WriteCode::Op, inst, format!("{name} of floating-point numbers in HLSL"));
            }
            return Ok(());
        }
        if is_place && in_memory.kind != meant.kind {
            return self.refuse(WriteCode::Op, inst, format!("{name} on integers of the other sign in HLSL"));
        }
        match meant.width {
            32 => Ok(()),
            64 if self.cx.target.hlsl().has(6, 6) => Ok(()),
            64 => self.refuse(WriteCode::Op, inst, format!("{name} of 64 bits in this shader model; 6.6 has it")),
            width => self.refuse(WriteCode::Op, inst, format!("{name} of {width} bits in HLSL")),
        }
    }
}

/// The exchange of floating-point numbers, which compares bits.
const FLOAT_EXCHANGE: [&str; 2] = ["InterlockedCompareExchangeFloatBitwise", "InterlockedCompareExchangeFloatBitwise"];

/// The operation, if the language has it on these numbers only by an exchange.
fn by_exchange(operation: Operation, target: &Target, [in_memory, meant]: [Scalar; 2]) -> Option<Operation> {
    let is_place = matches!(target, Target::Place(_));
    let has_it = match operation {
        Operation::Add | Operation::Min | Operation::Max if in_memory.is_float() => false,
        Operation::Load => !is_place || !in_memory.is_float(),
        Operation::Min | Operation::Max => !is_place || in_memory.kind == meant.kind,
        _ => true,
    };
    (!has_it).then_some(operation)
}

/// The function on a place and on numbers of 32 bits in a raw buffer, and the method on 64 bits there.
fn function_name(operation: Operation) -> [&'static str; 2] {
    match operation {
        Operation::Step(_) | Operation::Add | Operation::Subtract => ["InterlockedAdd", "InterlockedAdd64"],
        Operation::Load | Operation::Or => ["InterlockedOr", "InterlockedOr64"],
        Operation::Min => ["InterlockedMin", "InterlockedMin64"],
        Operation::Max => ["InterlockedMax", "InterlockedMax64"],
        Operation::And => ["InterlockedAnd", "InterlockedAnd64"],
        Operation::Xor => ["InterlockedXor", "InterlockedXor64"],
        Operation::Exchange => ["InterlockedExchange", "InterlockedExchange64"],
        Operation::CompareExchange => ["InterlockedCompareExchange", "InterlockedCompareExchange64"],
    }
}
