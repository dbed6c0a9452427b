//! Atomics on buffers, workgroup memory and images.
//!
//! The functions of the language are relaxed. An order that the module asks for is a memory barrier before and after, which orders at
//! least as much.

use reconverge_diagnostic::Diagnostic;
use reconverge_ir::{Inst, Op, view};
use spirv::{MemorySemantics, Scope};

use super::super::function::Body;
use crate::syntax::{Effects, Expr, Literal, Scalar, ScalarKind, StatementKind, Unary};
use crate::write::WriteCode;

/// Effects of an atomic.
const ATOMIC: Effects = Effects::WRITES;

impl Body<'_, '_> {
    /// An atomic operation.
    pub(in crate::lower) fn glsl_atomic(&mut self, inst: Inst) -> Result<(), Diagnostic> {
        let Some(atomic) = view::Atomic::of(self.source, inst) else { return self.unknown(inst) };
        let order = MemorySemantics::from_bits_retain(self.word(atomic.semantics).unwrap_or_default());
        let scope = self.word(atomic.memory).and_then(Scope::from_u32);
        let acquires = MemorySemantics::ACQUIRE | MemorySemantics::ACQUIRE_RELEASE;
        let releases = MemorySemantics::RELEASE | MemorySemantics::ACQUIRE_RELEASE;
        if order.intersects(MemorySemantics::SEQUENTIALLY_CONSISTENT) {
            return self.refuse(WriteCode::Op, inst, "a sequentially consistent atomic in GLSL");
        }
        if order.intersects(releases) {
            self.fence(scope);
        }
        let value = self.atomic_call(inst, atomic)?;
        match self.source.ty(inst) {
            Some(_) => self.define(inst, value)?,
            None => self.statement(StatementKind::Expression(value)),
        }
        if order.intersects(acquires) {
            self.fence(scope);
        }
        Ok(())
    }

    fn fence(&mut self, scope: Option<Scope>) {
        match scope {
            Some(Scope::Invocation) => {}
            Some(Scope::Workgroup) => self.call_statement("groupMemoryBarrier", &[]),
            _ => self.call_statement("memoryBarrier", &[]),
        }
    }

    /// The call, as a value of the type of the instruction.
    fn atomic_call(&mut self, inst: Inst, atomic: view::Atomic) -> Result<Expr, Diagnostic> {
        let Some(pointee) = self.source.pointee(atomic.pointer) else { return self.unknown(inst) };
        let texel = self.texel_of(atomic.pointer);
        let mut arguments = match texel {
            Some(texel) => self.texel_arguments(texel)?,
            None => vec![self.place(atomic.pointer)?],
        };
        let target = self.cx.ty(pointee)?;
        let numbers = self.numbers_of_type(target);
        self.check_atomic(inst, numbers.scalar)?;
        let names = if texel.is_some() { IMAGE } else { MEMORY };
        let op = self.source.op(inst);
        // The function works on numbers of the type in memory.
        let ty = target;
        let Some(operation) = Operation::of(op) else { return self.unknown(inst) };
        let meant = match op {
            Op::AtomicSMin | Op::AtomicSMax => Some(ScalarKind::Int),
            Op::AtomicUMin | Op::AtomicUMax => Some(ScalarKind::Uint),
            _ => None,
        };
        if meant.is_some_and(|meant| meant != numbers.scalar.kind) {
            return self.min_max_by_exchange(inst, atomic, meant.unwrap_or(ScalarKind::Int));
        }
        match operation {
            Operation::Load if numbers.scalar.kind == ScalarKind::Float => {
                for word in ["gl_ScopeDevice", "gl_StorageSemanticsNone", "gl_SemanticsRelaxed"] {
                    let int = self.cx.text.types.numbers(Scalar::INT, 1);
                    let global = self.cx.built_in(word, int);
                    arguments.push(self.cx.global(global));
                }
                return self.atomic_result(inst, names.load, &arguments, ty);
            }
            // One that changes nothing.
            Operation::Load => {
                let zero = self.splat(0, numbers);
                arguments.push(zero);
                return self.atomic_result(inst, names.or, &arguments, ty);
            }
            Operation::CompareExchange => {
                let (Some(comparator), Some(value)) = (atomic.comparator, atomic.value) else {
                    return self.unknown(inst);
                };
                for operand in [comparator, value] {
                    arguments.push(self.value_as(operand, numbers.scalar.kind)?);
                }
                return self.atomic_result(inst, names.compare, &arguments, ty);
            }
            Operation::Step(step) => {
                let one = match (step, numbers.scalar.kind) {
                    (1, _) | (_, ScalarKind::Int) => self.splat(step, numbers),
                    // One less is the largest number more.
                    _ => self.splat(-1, numbers),
                };
                arguments.push(one);
                return self.atomic_result(inst, names.add, &arguments, ty);
            }
            _ => {}
        }
        let Some(value) = atomic.value else { return self.unknown(inst) };
        let mut value = self.value_as(value, numbers.scalar.kind)?;
        let name = match operation {
            Operation::Add => names.add,
            Operation::Subtract => {
                value = self.negated(value);
                names.add
            }
            Operation::Min => names.min,
            Operation::Max => names.max,
            Operation::And => names.and,
            Operation::Or => names.or,
            Operation::Xor => names.xor,
            _ => names.exchange,
        };
        arguments.push(value);
        self.atomic_result(inst, name, &arguments, ty)
    }

    fn atomic_result(
        &mut self,
        inst: Inst,
        name: &'static str,
        arguments: &[Expr],
        ty: crate::syntax::Type,
    ) -> Result<Expr, Diagnostic> {
        let value = self.call_with(name, arguments, ty, ATOMIC);
        match self.source.ty(inst) {
            Some(_) if self.source.is_used(inst) => self.as_result(inst, value),
            _ => Ok(value),
        }
    }

    /// A minimum or maximum of integers whose type in memory has the other sign: the comparison and an exchange, until nothing came in
    /// between.
    ///
    /// ```text
    /// uint old = p; while (true) { uint seen = atomicCompSwap(p, old, uint(min(int(old), v))); if (seen == old) { break; } old = seen; }
    /// ```
    fn min_max_by_exchange(&mut self, inst: Inst, atomic: view::Atomic, meant: ScalarKind) -> Result<Expr, Diagnostic> {
        use crate::syntax::{Binary, Loop, Statement};
        let Some(value) = atomic.value else { return self.unknown(inst) };
        if self.texel_of(atomic.pointer).is_some() {
            return self.refuse(WriteCode::Op, inst, "a minimum of an image of the other sign in GLSL");
        }
        let value = self.value_as(value, meant)?;
        let value = self.repeated(value);
        let place = self.place(atomic.pointer)?;
        let ty = self.type_of(place);
        let numbers = self.numbers_of_type(ty);
        let old = self.variable("old", ty);
        let (target, zero) = (self.local(old), self.splat(0, numbers));
        let first = self.call_with(MEMORY.or, &[place, zero], ty, ATOMIC);
        self.assign_to(target, first);
        self.open_loop_body(inst)?;
        let seen = {
            let read = self.local(old);
            let (read, value) = (self.cast(read, meant), self.local(value));
            let own = self.type_of(read);
            let name = if matches!(self.source.op(inst), Op::AtomicSMin | Op::AtomicUMin) { "min" } else { "max" };
            let chosen = self.call(name, &[read, value], own);
            let chosen = self.cast(chosen, numbers.scalar.kind);
            let (place, read) = (self.place(atomic.pointer)?, self.local(old));
            let swap = self.call_with(MEMORY.compare, &[place, read, chosen], ty, ATOMIC);
            self.name_value(swap)
        };
        let boolean = self.cx.text.types.numbers(Scalar::BOOL, 1);
        let (left, right) = (self.local(seen), self.local(old));
        let is_done = self.binary(Binary::Equal, left, right, boolean);
        let accept = vec![Statement::from(StatementKind::Break)];
        self.statement(StatementKind::If { condition: is_done, accept, reject: Vec::new() });
        let (target, read) = (self.local(old), self.local(seen));
        self.assign_to(target, read);
        let body = self.close_loop_body();
        self.statement(StatementKind::Loop(Box::new(Loop { body, ..Loop::default() })));
        let read = self.local(old);
        self.as_result(inst, read)
    }

    /// The number with the other sign, of the same type.
    pub(in crate::lower) fn negated(&mut self, value: Expr) -> Expr {
        let ty = self.type_of(value);
        let width = u32::from(self.numbers_of(value).scalar.width);
        match self.cx.text.expressions.literal(value) {
            Some(Literal::Uint(number)) => {
                let unused = 64 - width;
                self.cx.literal(Literal::Uint(number.wrapping_neg() << unused >> unused), ty)
            }
            Some(Literal::Int(number)) => {
                let unused = 64 - width;
                self.cx.literal(Literal::Int(number.wrapping_neg() << unused >> unused), ty)
            }
            _ => self.unary(Unary::Negate, value),
        }
    }

    /// Notes what the language needs for an atomic on these numbers.
    fn check_atomic(&mut self, inst: Inst, scalar: crate::syntax::Scalar) -> Result<(), Diagnostic> {
        let op = self.source.op(inst);
        match (scalar.kind, scalar.width) {
            (ScalarKind::Int | ScalarKind::Uint, 32) => {}
            (ScalarKind::Int | ScalarKind::Uint, 64) => self.cx.require("GL_EXT_shader_atomic_int64", inst),
            (ScalarKind::Float, width) => {
                let is_basic = matches!(op, Op::AtomicFAddEXT | Op::AtomicExchange | Op::AtomicLoad | Op::AtomicStore);
                let extension =
                    if is_basic && width != 16 { "GL_EXT_shader_atomic_float" } else { "GL_EXT_shader_atomic_float2" };
                self.cx.require(extension, inst);
                if op == Op::AtomicLoad {
                    self.cx.require("GL_KHR_memory_scope_semantics", inst);
                }
            }
            _ => return self.refuse(WriteCode::Op, inst, format!("{} of {} bits in GLSL", op.name(), scalar.width)),
        }
        Ok(())
    }
}

/// What an atomic does.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(in crate::lower) enum Operation {
    Load,
    Exchange,
    CompareExchange,
    Step(i64),
    Add,
    Subtract,
    Min,
    Max,
    And,
    Or,
    Xor,
}

impl Operation {
    pub(in crate::lower) fn of(op: Op) -> Option<Operation> {
        Some(match op {
            Op::AtomicLoad => Operation::Load,
            Op::AtomicStore | Op::AtomicExchange => Operation::Exchange,
            Op::AtomicCompareExchange | Op::AtomicCompareExchangeWeak => Operation::CompareExchange,
            Op::AtomicIIncrement => Operation::Step(1),
            Op::AtomicIDecrement => Operation::Step(-1),
            Op::AtomicIAdd | Op::AtomicFAddEXT => Operation::Add,
            Op::AtomicISub => Operation::Subtract,
            Op::AtomicSMin | Op::AtomicUMin | Op::AtomicFMinEXT => Operation::Min,
            Op::AtomicSMax | Op::AtomicUMax | Op::AtomicFMaxEXT => Operation::Max,
            Op::AtomicAnd => Operation::And,
            Op::AtomicOr => Operation::Or,
            Op::AtomicXor => Operation::Xor,
            _ => return None,
        })
    }
}

/// The functions on a kind of memory.
struct Names {
    load: &'static str,
    add: &'static str,
    min: &'static str,
    max: &'static str,
    and: &'static str,
    or: &'static str,
    xor: &'static str,
    exchange: &'static str,
    compare: &'static str,
}

const MEMORY: Names = Names {
    load: "atomicLoad",
    add: "atomicAdd",
    min: "atomicMin",
    max: "atomicMax",
    and: "atomicAnd",
    or: "atomicOr",
    xor: "atomicXor",
    exchange: "atomicExchange",
    compare: "atomicCompSwap",
};

const IMAGE: Names = Names {
    load: "imageAtomicLoad",
    add: "imageAtomicAdd",
    min: "imageAtomicMin",
    max: "imageAtomicMax",
    and: "imageAtomicAnd",
    or: "imageAtomicOr",
    xor: "imageAtomicXor",
    exchange: "imageAtomicExchange",
    compare: "imageAtomicCompSwap",
};
