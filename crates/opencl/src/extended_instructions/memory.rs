//! Vectors in memory: `vloadn`, `vstoren` and the variants for half floats in memory.
//!
//! ```text
//! %v: %f32x4 = ext_inst vloadn %offset, %p     ⇒     %start: %pointer = ptr_access_chain %p, 4 * %offset
//!                                                    %a: %f32 = load %start Aligned 4
//!                                                    %next: %pointer = ptr_access_chain %start, 1
//!                                                    …
//! ```
//!
//! The memory is aligned to an element, not to a vector (OpenCL C 3.0, section 6.15.9), so it is accessed element by element. Halves
//! are loaded and stored as integers of 16 bits, so no arithmetic with halves is needed.

use reconverge_diagnostic::Diagnostic;
use reconverge_ir::{Inst, Op};
use spirv::{FPRoundingMode, GlslStd450Op};

use super::call::Call;
use super::conversion::narrow;
use crate::formula::{Format, FormulaWriter, Scalar, Shape, Value};
use crate::scalars::aligned;

/// The result of a store, which has none, or the value of a load.
type Answer<'w> = Result<Option<Value<'w>>, Diagnostic>;

/// Consecutive elements in memory.
struct Elements<'w> {
    writer: &'w FormulaWriter<'w>,
    /// Points to the first of all.
    base: Inst,
    pointer_type: Inst,
    /// Of an element.
    shape: Shape,
}

impl<'w> Elements<'w> {
    /// The elements of a shape at a pointer, operand `index` of a call.
    fn new(writer: &'w FormulaWriter<'w>, call: &Call, index: usize, shape: Shape) -> Result<Elements<'w>, Diagnostic> {
        let pointee = writer.ty(shape);
        let (base, pointer_type) = call.pointer(writer, index, pointee)?;
        Ok(Elements { writer, base, pointer_type, shape })
    }

    /// The same, starting `stride` times operand `index` of a call elements further.
    fn at(self, call: &Call, index: usize, stride: u32) -> Result<Elements<'w>, Diagnostic> {
        let offset = call.integer(self.writer, index)?;
        let index = if stride == 1 { offset } else { offset * u64::from(stride) };
        let base = self.step(self.base, index.inst());
        Ok(Elements { base, ..self })
    }

    fn step(&self, from: Inst, index: Inst) -> Inst {
        self.writer.build(|build| build.ptr_access_chain(self.pointer_type, &[from, index]))
    }

    fn pointer(&self, index: u32) -> Inst {
        if index == 0 {
            return self.base;
        }
        let shape = Shape { scalar: Scalar::Int(64), count: 1 };
        let index = self.writer.constant(shape, u64::from(index));
        self.step(self.base, index.inst())
    }

    fn alignment(&self) -> [Inst; 2] {
        self.writer.build(|build| aligned(build, self.shape.width() / 8))
    }

    fn load(&self, count: u32) -> Value<'w> {
        let alignment = self.alignment();
        let elements: Vec<Value<'w>> = (0..count)
            .map(|index| self.writer.emit_raw(Op::Load, self.shape, &[self.pointer(index), alignment[0], alignment[1]]))
            .collect();
        self.writer.vector(&elements)
    }

    fn store(&self, value: Value<'w>) {
        let alignment = self.alignment();
        for index in 0..value.shape().count {
            let operands = [self.pointer(index), value.component(index).inst(), alignment[0], alignment[1]];
            self.writer.build(|build| build.store(&operands));
        }
    }
}

const HALF_BITS: Shape = Shape { scalar: Scalar::Int(16), count: 1 };

/// `vloadn(offset, p, n)`.
pub(super) fn load_vector<'w>(writer: &'w FormulaWriter<'w>, call: &Call) -> Answer<'w> {
    let shape = call.result_shape(writer)?;
    let elements = Elements::new(writer, call, 1, shape.times(1))?;
    Ok(Some(elements.at(call, 0, shape.count)?.load(shape.count)))
}

/// `vstoren(data, offset, p)`.
pub(super) fn store_vector<'w>(writer: &'w FormulaWriter<'w>, call: &Call) -> Answer<'w> {
    let data = call.value(writer, 0)?;
    if data.shape().scalar == Scalar::Bool {
        return Err(call.wrong(0));
    }
    let count = data.shape().count;
    Elements::new(writer, call, 2, data.shape().times(1))?.at(call, 1, count)?.store(data);
    Ok(None)
}

/// The distance of aligned vectors of halves.
fn stride(count: u32) -> u32 {
    if count == 3 { 4 } else { count }
}

/// `vload_half(offset, p)`, `vload_halfn(offset, p, n)`.
pub(super) fn load_halves<'w>(writer: &'w FormulaWriter<'w>, call: &Call) -> Answer<'w> {
    load_halves_apart(writer, call, |count| count)
}

/// `vloada_halfn(offset, p, n)`: vectors of three have the distance of four.
pub(super) fn load_aligned_halves<'w>(writer: &'w FormulaWriter<'w>, call: &Call) -> Answer<'w> {
    load_halves_apart(writer, call, stride)
}

fn load_halves_apart<'w>(writer: &'w FormulaWriter<'w>, call: &Call, stride: impl Fn(u32) -> u32) -> Answer<'w> {
    let shape = call.result_shape(writer)?;
    if !shape.is_float() {
        return Err(call.wrong_result());
    }
    let elements = Elements::new(writer, call, 1, HALF_BITS)?.at(call, 0, stride(shape.count))?;
    let halves = elements.load(shape.count).to_width(32);
    let pair = Shape { scalar: Scalar::Float(32), count: 2 };
    let singles: Vec<Value<'w>> = (0..shape.count)
        .map(|index| writer.glsl(GlslStd450Op::UnpackHalf2x16, pair, &[halves.component(index)]).component(0))
        .collect();
    Ok(Some(writer.vector(&singles).to_float_width(shape.width())))
}

/// `vstore_half(data, offset, p)`, `vstore_halfn` and their forms with a rounding mode.
pub(super) fn store_halves<'w>(writer: &'w FormulaWriter<'w>, call: &Call) -> Answer<'w> {
    store_halves_apart(writer, call, |count| count)
}

/// `vstorea_halfn(data, offset, p)` and its form with a rounding mode.
pub(super) fn store_aligned_halves<'w>(writer: &'w FormulaWriter<'w>, call: &Call) -> Answer<'w> {
    store_halves_apart(writer, call, stride)
}

fn store_halves_apart<'w>(writer: &'w FormulaWriter<'w>, call: &Call, stride: impl Fn(u32) -> u32) -> Answer<'w> {
    /// The additional operand of the variants with a rounding mode.
    const MODE: usize = 3;
    let data = call.float(writer, 0)?;
    let count = data.shape().count;
    let mode = call.literal(writer, MODE).and_then(FPRoundingMode::from_u32).unwrap_or(FPRoundingMode::RTE);
    let elements = Elements::new(writer, call, 2, HALF_BITS)?.at(call, 1, stride(count))?;
    elements.store(narrow(data, Format::of(16), mode));
    Ok(None)
}

/// `prefetch(p, count)`: a hint, which is removed.
pub(super) fn prefetch<'w>(_: &'w FormulaWriter<'w>, _: &Call) -> Answer<'w> {
    Ok(None)
}
