//! Atomics. They are relaxed, so an atomic that orders other memory is refused, unless its scope is its own lane.
//!
//! ```text
//! atomic_i_add %counter, Device, Relaxed, 1      ⇒      atomicAdd(&counter, 1u)
//! ```

use reconverge_diagnostic::Diagnostic;
use reconverge_ir::{Inst, Op, view};
use spirv::MemorySemantics;

use super::super::function::{Body, Numbers};
use super::super::uses::root;
use crate::syntax::{
    Binary, Effects, Expr, Loop, Member, Scalar, ScalarKind, Shape, Statement, StatementKind, Struct, Type, TypeShape,
};
use crate::write::WriteCode;

impl Body<'_, '_> {
    /// An atomic operation.
    pub(in crate::lower) fn wgsl_atomic(&mut self, inst: Inst) -> Result<(), Diagnostic> {
        let Some(atomic) = view::Atomic::of(self.source, inst) else { return self.unknown(inst) };
        self.check_order(inst, &atomic)?;
        let mut pointer = atomic.pointer;
        while self.source.op(pointer) == Op::CopyObject {
            pointer = self.source.operand(pointer, 0);
        }
        if self.source.op(pointer) == Op::ImageTexelPointer {
            return self.refuse(WriteCode::Image, inst, "atomics on images in WGSL");
        }
        if self.source.op(root(self.source, pointer)) != Op::Variable {
            return self.refuse(WriteCode::Pointer, inst, "an atomic on memory that is a parameter, in WGSL");
        }
        let place = self.place(pointer)?;
        let TypeShape::Atomic(scalar) = self.cx.text.types[self.type_of(place)] else { return self.unknown(inst) };
        let value = self.wgsl_atomic_value(inst, &atomic, place, scalar)?;
        match self.source.ty(inst) {
            Some(_) => {
                let value = self.as_result(inst, value)?;
                self.define(inst, value)
            }
            None => {
                self.statement(StatementKind::Expression(value));
                Ok(())
            }
        }
    }

    fn wgsl_atomic_value(
        &mut self,
        inst: Inst,
        atomic: &view::Atomic,
        place: Expr,
        scalar: Scalar,
    ) -> Result<Expr, Diagnostic> {
        let op = self.source.op(inst);
        let own = self.cx.text.types.numbers(scalar, 1);
        if op == Op::AtomicLoad {
            return Ok(self.atomic_load(place));
        }
        let meant = match op {
            Op::AtomicSMin | Op::AtomicSMax => ScalarKind::Int,
            Op::AtomicUMin | Op::AtomicUMax => ScalarKind::Uint,
            _ => scalar.kind,
        };
        let value = match (op, atomic.value) {
            (Op::AtomicIIncrement | Op::AtomicIDecrement, _) => self.splat(1, Numbers { scalar, size: 1 }),
            (_, Some(value)) => self.value_as(value, meant)?,
            _ => return self.unknown(inst),
        };
        if matches!(op, Op::AtomicCompareExchange | Op::AtomicCompareExchangeWeak) {
            let Some(comparator) = atomic.comparator else { return self.unknown(inst) };
            let expected = self.value_as(comparator, scalar.kind)?;
            return Ok(self.exchanged_if(place, [expected, value], scalar));
        }
        let is_float = scalar.kind == ScalarKind::Float;
        if is_float {
            return self.refuse(WriteCode::Op, inst, format!("{} of floats in WGSL", op.name()));
        }
        let name = match op {
            Op::AtomicStore => {
                let void = self.cx.text.types.of(TypeShape::Void);
                return Ok(self.call_with("atomicStore", &[place, value], void, Effects::WRITES));
            }
            Op::AtomicExchange => "atomicExchange",
            Op::AtomicIAdd | Op::AtomicIIncrement => "atomicAdd",
            Op::AtomicISub | Op::AtomicIDecrement => "atomicSub",
            Op::AtomicAnd => "atomicAnd",
            Op::AtomicOr => "atomicOr",
            Op::AtomicXor => "atomicXor",
            Op::AtomicSMin | Op::AtomicUMin if meant == scalar.kind => "atomicMin",
            Op::AtomicSMax | Op::AtomicUMax if meant == scalar.kind => "atomicMax",
            Op::AtomicSMin | Op::AtomicUMin => return Ok(self.replaced_by("min", place, value, scalar)),
            Op::AtomicSMax | Op::AtomicUMax => return Ok(self.replaced_by("max", place, value, scalar)),
            _ => return self.unknown(inst),
        };
        Ok(self.call_with(name, &[place, value], own, Effects::WRITES))
    }

    /// A compare exchange, again while it fails although the value is the expected one.
    ///
    /// ```text
    /// loop { let r = atomicCompareExchangeWeak(&p, expected, value); old = r.old_value; if (r.exchanged || old != expected) { break; } }
    /// ```
    fn exchanged_if(&mut self, place: Expr, [expected, value]: [Expr; 2], scalar: Scalar) -> Expr {
        let own = self.cx.text.types.numbers(scalar, 1);
        let boolean = self.cx.text.types.numbers(Scalar::BOOL, 1);
        let (expected, value) = (self.repeated(expected), self.repeated(value));
        let old = self.variable("old", own);
        let (compared, stored) = (self.local(expected), self.local(value));
        let (first, exchanged, seen) = self.exchange_once(place, [compared, stored], (old, own));
        let known = self.local(expected);
        let differs = self.binary(Binary::NotEqual, seen, known, boolean);
        let condition = self.binary(Binary::Or, exchanged, differs, boolean);
        let leave =
            StatementKind::If { condition, accept: vec![Statement::from(StatementKind::Break)], reject: Vec::new() };
        let mut body = first;
        body.push(leave.into());
        self.statement(StatementKind::Loop(Box::new(Loop { body, ..Loop::default() })));
        self.local(old)
    }

    /// The statements that try an exchange, whether it was one, and the value that was there.
    fn exchange_once(
        &mut self,
        place: Expr,
        [expected, value]: [Expr; 2],
        (old, own): (crate::syntax::LocalId, Type),
    ) -> (Vec<Statement>, Expr, Expr) {
        let boolean = self.cx.text.types.numbers(Scalar::BOOL, 1);
        let ty = self.language_struct("exchange_result", [("old_value", own), ("exchanged", boolean)]);
        let name = "atomicCompareExchangeWeak";
        let call = self.call_with(name, &[place, expected, value], ty, Effects::WRITES | Effects::READS);
        let kind = crate::syntax::LocalKind::Value;
        let name = Some("exchange".to_owned());
        let result = self.function.add(crate::syntax::Local { name, ty, kind, prefix: "" });
        let base = self.local(result);
        let seen = self.pure(Shape::Member { base, member: 0 }, own);
        let target = self.local(old);
        let statements = vec![
            StatementKind::Declare { local: result, value: Some(call) }.into(),
            StatementKind::Assign { target, operator: None, value: seen }.into(),
        ];
        let base = self.local(result);
        let exchanged = self.pure(Shape::Member { base, member: 1 }, boolean);
        (statements, exchanged, self.local(old))
    }

    /// A minimum or maximum of integers of the other sign than those of the memory.
    ///
    /// ```text
    /// old = atomicLoad(&p); loop { let r = atomicCompareExchangeWeak(&p, old, u32(min(i32(old), value))); … old = r.old_value }
    /// ```
    fn replaced_by(&mut self, name: &'static str, place: Expr, value: Expr, scalar: Scalar) -> Expr {
        let own = self.cx.text.types.numbers(scalar, 1);
        let value = self.repeated(value);
        let meant = self.function[value].ty;
        let kind = self.kind_of(meant);
        let old = self.variable("old", own);
        let again = self.cx.text.expressions.copy(place);
        let first = self.atomic_load(again);
        let target = self.local(old);
        self.assign_to(target, first);
        let (read, bound) = (self.local(old), self.local(value));
        let signed = self.cast(read, kind);
        let chosen = self.call(name, &[signed, bound], meant);
        let chosen = self.cast(chosen, scalar.kind);
        let expected = self.local(old);
        let (mut body, exchanged, _) = self.exchange_once(place, [expected, chosen], (old, own));
        body.push(
            StatementKind::If {
                condition: exchanged,
                accept: vec![Statement::from(StatementKind::Break)],
                reject: Vec::new(),
            }
            .into(),
        );
        self.statement(StatementKind::Loop(Box::new(Loop { body, ..Loop::default() })));
        self.local(old)
    }

    /// A struct that the language declares, the result of one of its functions.
    pub(super) fn language_struct<const N: usize>(&mut self, name: &str, members: [(&str, Type); N]) -> Type {
        let is_it = |known: &Struct| {
            known.is_block
                && known.members.len() == N
                && known.members.iter().zip(&members).all(|(one, other)| one.name == other.0 && one.ty == other.1)
        };
        let id = match self.cx.text.structs.iter().position(is_it) {
            Some(known) => crate::syntax::StructId(known as u32),
            None => {
                let member = |(name, ty): (&str, Type)| Member {
                    name: name.to_owned(),
                    ty,
                    prefix: String::new(),
                    suffix: String::new(),
                };
                let members = members.into_iter().map(member).collect();
                self.cx.text.add_struct(Struct { name: name.to_owned(), members, is_block: true })
            }
        };
        self.cx.text.types.of(TypeShape::Struct(id))
    }

    /// Refuses an atomic that orders other memory, which the atomics of WGSL do not.
    fn check_order(&self, inst: Inst, atomic: &view::Atomic) -> Result<(), Diagnostic> {
        let orders = |value: Inst| {
            let semantics = MemorySemantics::from_bits_retain(self.word(value).unwrap_or_default());
            let order = MemorySemantics::ACQUIRE | MemorySemantics::RELEASE | MemorySemantics::ACQUIRE_RELEASE;
            let order = order | MemorySemantics::SEQUENTIALLY_CONSISTENT;
            let memory =
                MemorySemantics::UNIFORM_MEMORY | MemorySemantics::WORKGROUP_MEMORY | MemorySemantics::IMAGE_MEMORY;
            semantics.intersects(order) && semantics.intersects(memory)
        };
        if orders(atomic.semantics) || atomic.unequal_semantics.is_some_and(orders) {
            let message = "an atomic that orders other memory in WGSL, whose atomics do not";
            return self.refuse(WriteCode::Op, inst, message);
        }
        Ok(())
    }
}
