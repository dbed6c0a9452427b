//! Atomics on buffers, workgroup memory and images.
//!
//! ```text
//! atomic_i_add %counter, Device, Relaxed, 1      ⇒      atomic_fetch_add_explicit((device atomic_uint*)&counter, 1u, memory_order_relaxed)
//! ```
//!
//! The functions of the language are relaxed. An order that the module asks for is a fence before and after, which MSL 3.2 has.

use reconverge_diagnostic::Diagnostic;
use reconverge_ir::{Inst, Op, view};
use spirv::MemorySemantics;

use super::super::function::{Body, Numbers};
use super::super::uses::root;
use super::Memory;
use super::images::Call;
use crate::syntax::{
    Binary, Effects, Expr, LocalId, Loop, Scalar, ScalarKind, Shape, Statement, StatementKind, Type, TypeShape, Unary,
};
use crate::write::WriteCode;

impl Body<'_, '_> {
    /// An atomic operation.
    pub(in crate::lower) fn msl_atomic(&mut self, inst: Inst) -> Result<(), Diagnostic> {
        let Some(atomic) = view::Atomic::of(self.source, inst) else { return self.unknown(inst) };
        let order = MemorySemantics::from_bits_retain(self.word(atomic.semantics).unwrap_or_default());
        let ordered = MemorySemantics::ACQUIRE
            | MemorySemantics::RELEASE
            | MemorySemantics::ACQUIRE_RELEASE
            | MemorySemantics::SEQUENTIALLY_CONSISTENT;
        let is_ordered = order.intersects(ordered);
        if is_ordered {
            self.msl_fence(inst, atomic.memory, order)?;
        }
        let value = self.atomic_value(inst, atomic)?;
        match self.source.ty(inst) {
            Some(_) => self.define(inst, value)?,
            None => self.statement(StatementKind::Expression(value)),
        }
        if is_ordered {
            self.msl_fence(inst, atomic.memory, order)?;
        }
        Ok(())
    }

    fn atomic_value(&mut self, inst: Inst, atomic: view::Atomic) -> Result<Expr, Diagnostic> {
        let mut pointer = atomic.pointer;
        while self.source.op(pointer) == Op::CopyObject {
            pointer = self.source.operand(pointer, 0);
        }
        if let Some(texel) = view::ImageTexelPointer::of(self.source, pointer) {
            return self.texel_atomic(inst, atomic, texel);
        }
        let Some(pointee) = self.source.pointee(pointer) else { return self.unknown(inst) };
        let ty = self.cx.ty(pointee)?;
        let numbers = self.numbers_of_type(ty);
        let op = self.source.op(inst);
        let meant = match op {
            Op::AtomicSMin | Op::AtomicSMax => ScalarKind::Int,
            Op::AtomicUMin | Op::AtomicUMax => ScalarKind::Uint,
            _ => numbers.scalar.kind,
        };
        let scalar = numbers.scalar.with(meant);
        let own = self.cx.text.types.numbers(scalar, 1);
        let name = self.atomic_function(inst, op, scalar)?;
        let address = self.address(inst, pointer, scalar)?;
        let relaxed = self.keyword_of("memory_order_relaxed");
        if op == Op::AtomicCompareExchange || op == Op::AtomicCompareExchangeWeak {
            return self.compare_exchange(inst, atomic, (scalar, own), |body, [out, value]| {
                let address = body.address(inst, pointer, scalar)?;
                let relaxed = [(); 2].map(|()| body.keyword_of("memory_order_relaxed"));
                let boolean = body.cx.text.types.numbers(Scalar::BOOL, 1);
                Ok(body.call_with(name, &[address, out, value, relaxed[0], relaxed[1]], boolean, Effects::WRITES))
            });
        }
        let arguments = match self.msl_atomic_operand(atomic, op, scalar)? {
            Some(operand) => vec![address, operand, relaxed],
            None => vec![address, relaxed],
        };
        let result = if op == Op::AtomicStore { self.void() } else { own };
        let value = self.call_with(name, &arguments, result, Effects::WRITES);
        match self.source.ty(inst) {
            Some(_) if self.source.is_used(inst) => self.as_result(inst, value),
            _ => Ok(value),
        }
    }

    /// The operand of an atomic: its value, or one.
    fn msl_atomic_operand(&mut self, atomic: view::Atomic, op: Op, scalar: Scalar) -> Result<Option<Expr>, Diagnostic> {
        let one = Numbers { scalar, size: 1 };
        Ok(match (op, atomic.value) {
            (Op::AtomicIIncrement | Op::AtomicIDecrement, _) => Some(self.splat(1, one)),
            (_, Some(value)) => Some(self.value_as(value, scalar.kind)?),
            _ => None,
        })
    }

    /// The function of an atomic on numbers of a type.
    fn atomic_function(&mut self, inst: Inst, op: Op, scalar: Scalar) -> Result<&'static str, Diagnostic> {
        let msl = self.cx.target.msl();
        let is_float = scalar.kind == ScalarKind::Float;
        let is_known = match scalar.width {
            32 if is_float => {
                let is_plain = matches!(op, Op::AtomicLoad | Op::AtomicStore | Op::AtomicExchange | Op::AtomicFAddEXT);
                if !is_plain {
                    return self.refuse(WriteCode::Op, inst, format!("{} of floats in MSL", op.name()));
                }
                if !msl.has(3, 0) {
                    return self.refuse(WriteCode::Op, inst, format!("{} of floats before MSL 3.0", op.name()));
                }
                true
            }
            32 => true,
            // The 64-bit functions have no result.
            _ => false,
        };
        if !is_known {
            return self.refuse(WriteCode::Op, inst, format!("{} of {} bits in MSL", op.name(), scalar.width));
        }
        Ok(match op {
            Op::AtomicLoad => "atomic_load_explicit",
            Op::AtomicStore => "atomic_store_explicit",
            Op::AtomicExchange => "atomic_exchange_explicit",
            Op::AtomicIIncrement | Op::AtomicIAdd | Op::AtomicFAddEXT => "atomic_fetch_add_explicit",
            Op::AtomicIDecrement | Op::AtomicISub => "atomic_fetch_sub_explicit",
            Op::AtomicSMin | Op::AtomicUMin => "atomic_fetch_min_explicit",
            Op::AtomicSMax | Op::AtomicUMax => "atomic_fetch_max_explicit",
            Op::AtomicAnd => "atomic_fetch_and_explicit",
            Op::AtomicOr => "atomic_fetch_or_explicit",
            Op::AtomicXor => "atomic_fetch_xor_explicit",
            Op::AtomicCompareExchange | Op::AtomicCompareExchangeWeak => "atomic_compare_exchange_weak_explicit",
            _ => return self.unknown(inst),
        })
    }

    /// The address of a number as that of an atomic.
    fn address(&mut self, inst: Inst, pointer: Inst, scalar: Scalar) -> Result<Expr, Diagnostic> {
        let memory = self.source.storage_class(pointer).and_then(Memory::of);
        let is_buffer = memory == Some(Memory::Constant)
            && self.source.storage_class(root(self.source, pointer)) == Some(spirv::StorageClass::Uniform);
        let is_device = memory == Some(Memory::Device) || is_buffer || self.is_address(pointer);
        let cast = match (is_device, memory, scalar.kind) {
            (true, _, ScalarKind::Int) => "(device atomic_int*)&",
            (true, _, ScalarKind::Uint) => "(device atomic_uint*)&",
            (true, _, ScalarKind::Float) => "(device atomic_float*)&",
            (_, Some(Memory::Threadgroup), ScalarKind::Int) => "(threadgroup atomic_int*)&",
            (_, Some(Memory::Threadgroup), ScalarKind::Uint) => "(threadgroup atomic_uint*)&",
            _ => return self.refuse(WriteCode::Pointer, inst, "an atomic on this kind of memory in MSL"),
        };
        let place = self.place(pointer)?;
        let ty = self.type_of(place);
        // A component has no address of its own.
        let is_component = match self.cx.text.expressions[place].shape {
            Shape::Swizzle { .. } => true,
            Shape::Index { base, .. } => {
                matches!(self.cx.text.types[self.type_of(base)], TypeShape::Vector { .. } | TypeShape::Packed { .. })
            }
            _ => false,
        };
        if is_component {
            return self.refuse(WriteCode::Pointer, inst, "an atomic on a component of a vector in MSL");
        }
        Ok(self.call(cast, &[place], ty))
    }

    /// A compare exchange, again while it fails although the value is the expected one. What is in memory is a number, or the texel that begins with it.
    ///
    /// ```text
    /// uint old = expected; while (!atomic_compare_exchange_weak_explicit(p, &old, value, …) && old == expected) {}
    /// ```
    fn compare_exchange(
        &mut self,
        inst: Inst,
        atomic: view::Atomic,
        (scalar, stored): (Scalar, Type),
        exchange: impl FnOnce(&mut Self, [Expr; 2]) -> Result<Expr, Diagnostic>,
    ) -> Result<Expr, Diagnostic> {
        let (Some(comparator), Some(value)) = (atomic.comparator, atomic.value) else { return self.unknown(inst) };
        let expected = self.value_as(comparator, scalar.kind)?;
        let value = self.value_as(value, scalar.kind)?;
        let (expected, value) = (self.repeated(expected), self.repeated(value));
        let is_texel = !matches!(self.cx.text.types[stored], TypeShape::Scalar(_));
        let as_stored = |body: &mut Self, number: LocalId| {
            let number = body.local(number);
            if is_texel { body.construct([number], stored) } else { number }
        };
        let old = self.variable("old", stored);
        let (target, first) = (self.local(old), as_stored(self, expected));
        self.assign_to(target, first);
        let target = self.local(old);
        let out = self.call("&", &[target], stored);
        let value = as_stored(self, value);
        let swapped = exchange(self, [out, value])?;
        let boolean = self.cx.text.types.numbers(Scalar::BOOL, 1);
        let failed = self.unary(Unary::Not, swapped);
        let number = |body: &mut Self| {
            let whole = body.local(old);
            if is_texel { body.swizzle(whole, &[0]) } else { whole }
        };
        let (seen, expected) = (number(self), self.local(expected));
        let is_same = self.binary(Binary::Equal, seen, expected, boolean);
        let condition = self.binary(Binary::And, failed, is_same, boolean);
        let done = self.unary(Unary::Not, condition);
        let accept = vec![Statement::from(StatementKind::Break)];
        let body = vec![Statement::from(StatementKind::If { condition: done, accept, reject: Vec::new() })];
        self.statement(StatementKind::Loop(Box::new(Loop { body, ..Loop::default() })));
        let read = number(self);
        self.as_result(inst, read)
    }

    /// An atomic on a texel, which MSL 3.1 has.
    fn texel_atomic(
        &mut self,
        inst: Inst,
        atomic: view::Atomic,
        texel: view::ImageTexelPointer,
    ) -> Result<Expr, Diagnostic> {
        if !self.cx.target.msl().has(3, 1) {
            return self.refuse(WriteCode::Image, inst, "an atomic on an image before MSL 3.1");
        }
        let (object, image) = self.texture(texel.image, inst)?;
        let op = self.source.op(inst);
        let name = match op {
            Op::AtomicLoad => "atomic_load",
            Op::AtomicStore => "atomic_store",
            Op::AtomicExchange => "atomic_exchange",
            Op::AtomicIIncrement | Op::AtomicIAdd => "atomic_fetch_add",
            Op::AtomicIDecrement | Op::AtomicISub => "atomic_fetch_sub",
            Op::AtomicSMin | Op::AtomicUMin => "atomic_fetch_min",
            Op::AtomicSMax | Op::AtomicUMax => "atomic_fetch_max",
            Op::AtomicAnd => "atomic_fetch_and",
            Op::AtomicOr => "atomic_fetch_or",
            Op::AtomicXor => "atomic_fetch_xor",
            Op::AtomicCompareExchange | Op::AtomicCompareExchangeWeak => "atomic_compare_exchange_weak",
            _ => return self.refuse(WriteCode::Image, inst, format!("{} on an image in MSL", op.name())),
        };
        let meant = match op {
            Op::AtomicSMin | Op::AtomicSMax => ScalarKind::Int,
            Op::AtomicUMin | Op::AtomicUMax => ScalarKind::Uint,
            _ => image.component.kind,
        };
        if image.component != Scalar::INT.with(meant)
            || image.is_multisampled
            || image.dim == crate::syntax::ImageDim::Cube
        {
            return self.refuse(WriteCode::Image, inst, format!("{} on this kind of image in MSL", op.name()));
        }
        let mut call = Call { object, image, arguments: Vec::new() };
        let texels = self.type_of_numbers(Numbers { scalar: image.component, size: 4 });
        if matches!(op, Op::AtomicCompareExchange | Op::AtomicCompareExchangeWeak) {
            self.add_texel(&mut call, texel.coordinate, None)?;
            return self.compare_exchange(inst, atomic, (image.component, texels), |body, [out, value]| {
                call.arguments.extend([out, value]);
                let boolean = body.cx.text.types.numbers(Scalar::BOOL, 1);
                Ok(body.method(call, name, boolean, Effects::WRITES))
            });
        }
        let operand = self.msl_atomic_operand(atomic, op, image.component)?;
        self.add_texel(&mut call, texel.coordinate, None)?;
        call.arguments.extend(operand);
        if op == Op::AtomicStore {
            // The value comes first.
            call.arguments.rotate_right(1);
            let void = self.void();
            return Ok(self.method(call, name, void, Effects::WRITES));
        }
        let value = self.method(call, name, texels, Effects::WRITES);
        if !self.source.is_used(inst) {
            return Ok(value);
        }
        let first = self.swizzle(value, &[0]);
        self.as_result(inst, first)
    }
}
