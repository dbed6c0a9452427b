//! The functions of `cl_amd_media_ops` and `cl_amd_media_ops2`, by the definitions of these extensions.
//!
//! All are operations on the components of vectors, except `amd_pack` and `amd_sad4`, which take vectors of four. Shift amounts are masked
//! as the definitions say, so no shift is as wide as its operand. A sum of absolute differences takes four bytes of each operand;
//! `amd_qsad` and `amd_mqsad` take it at four offsets of the first operand.

use super::integer::difference;
use super::table::Formula;
use crate::formula::{FormulaWriter, Scalar, Shape, Shared, Value};
use crate::{Driver, Fma};
use reconverge_ir::{Inst, Module, Signedness};

const WORD: Scalar = Scalar::Int(32);
const LONG: Scalar = Scalar::Int(64);
const FLOAT: Scalar = Scalar::Float(32);

/// A function: its name, whether it is the one for signed integers, the components of its operands, and its formula.
struct MediaFunction {
    name: &'static str,
    signedness: Signedness,
    operands: &'static [Scalar],
    formula: Formula,
}

const fn unsigned(name: &'static str, operands: &'static [Scalar], formula: Formula) -> MediaFunction {
    MediaFunction { name, signedness: Signedness::Unsigned, operands, formula }
}

const fn signed(name: &'static str, operands: &'static [Scalar], formula: Formula) -> MediaFunction {
    MediaFunction { name, signedness: Signedness::Signed, operands, formula }
}

const WORDS: &[Scalar] = &[WORD; 3];
const FLOATS: &[Scalar] = &[FLOAT; 3];

const FUNCTIONS: [MediaFunction; 28] = [
    unsigned("amd_pack", &[FLOAT], pack),
    unsigned("amd_unpack0", &[WORD], |operands| unpack(operands[0], 0)),
    unsigned("amd_unpack1", &[WORD], |operands| unpack(operands[0], 1)),
    unsigned("amd_unpack2", &[WORD], |operands| unpack(operands[0], 2)),
    unsigned("amd_unpack3", &[WORD], |operands| unpack(operands[0], 3)),
    unsigned("amd_bitalign", WORDS, |operands| align(operands, operands[2] & 31)),
    unsigned("amd_bytealign", WORDS, |operands| align(operands, (operands[2] & 3) << 3)),
    unsigned("amd_lerp", WORDS, interpolate),
    unsigned("amd_sad", WORDS, |operands| operands[2] + differences(operands, difference)),
    unsigned("amd_sadhi", WORDS, |operands| operands[2] + (differences(operands, difference) << 16)),
    unsigned("amd_sad4", WORDS, differences_of_four),
    unsigned("amd_msad", WORDS, |operands| operands[2] + differences(operands, masked_difference)),
    unsigned("amd_sadw", WORDS, differences_of_halves),
    unsigned("amd_sadd", WORDS, |operands| operands[2] + difference(&operands[..2])),
    unsigned("amd_qsad", &[LONG, WORD, LONG], |operands| at_four_offsets(operands, difference)),
    unsigned("amd_mqsad", &[LONG, WORD, LONG], |operands| at_four_offsets(operands, masked_difference)),
    unsigned("amd_bfm", &[WORD; 2], mask),
    unsigned("amd_bfe", WORDS, |operands| extract(operands, |a, by| a >> by)),
    signed("amd_bfe", WORDS, |operands| extract(operands, Value::shift_right_signed)),
    unsigned("amd_min3", WORDS, |operands| three(operands, smaller)),
    unsigned("amd_max3", WORDS, |operands| three(operands, larger)),
    unsigned("amd_median3", WORDS, |operands| median(operands, smaller, larger)),
    signed("amd_min3", WORDS, |operands| three(operands, signed_smaller)),
    signed("amd_max3", WORDS, |operands| three(operands, signed_larger)),
    signed("amd_median3", WORDS, |operands| median(operands, signed_smaller, signed_larger)),
    unsigned("amd_min3", FLOATS, |operands| three(operands, smaller)),
    unsigned("amd_max3", FLOATS, |operands| three(operands, larger)),
    unsigned("amd_median3", FLOATS, |operands| median(operands, smaller, larger)),
];

/// Returns whether a function belongs to these extensions.
pub(crate) fn is_media_function(name: &str) -> bool {
    FUNCTIONS.iter().any(|function| function.name == name)
}

/// Emits the value of a function before an instruction; `None` if the operands or the result have other types than the function.
pub(crate) fn media_value(
    module: &mut Module,
    before: Inst,
    name: &str,
    signedness: Signedness,
    operands: &[Inst],
) -> Option<Inst> {
    let result = Shape::of(module, module.ty(before)?)?;
    let mut shared = Shared::new(Fma::Device, Driver::ANY);
    let writer = FormulaWriter::before(module, &mut shared, before);
    let values: Vec<Value<'_>> = operands.iter().map(|&operand| writer.existing(operand)).collect::<Option<_>>()?;
    let fits = |function: &&MediaFunction| {
        let scalars = values.iter().map(|value| value.shape().scalar);
        function.name == name && function.signedness == signedness && function.operands.iter().copied().eq(scalars)
    };
    let function = FUNCTIONS.iter().find(fits)?;
    let counts: Vec<u32> = values.iter().map(|value| value.shape().count).collect();
    let (are_right, count) = match name {
        "amd_pack" => (counts == [4], 1),
        "amd_sad4" => (counts == [4, 4, 1], 1),
        _ => (counts.iter().all(|count| *count == counts[0]), counts[0]),
    };
    if !are_right || result.count != count {
        return None;
    }
    let value = (function.formula)(&values);
    (value.shape() == result).then(|| value.inst())
}

fn byte(a: Value<'_>, index: u64) -> Value<'_> {
    (a >> (8 * index)) & 0xff
}

fn pack<'w>(operands: &[Value<'w>]) -> Value<'w> {
    let bytes = operands[0].to_unsigned(32) & 0xff;
    let shifted = |index: u32| bytes.component(index) << u64::from(8 * index);
    shifted(0) | shifted(1) | shifted(2) | shifted(3)
}

fn unpack(a: Value<'_>, index: u64) -> Value<'_> {
    byte(a, index).unsigned_to_float(32)
}

/// The low word of two words that are shifted right together.
fn align<'w>(operands: &[Value<'w>], by: Value<'w>) -> Value<'w> {
    let (high, low) = (operands[0], operands[1]);
    (low >> by) | ((high << 1) << (by.constant(31) - by))
}

/// The mean of each two bytes, rounded up where the lowest bit of the third is set.
fn interpolate<'w>(operands: &[Value<'w>]) -> Value<'w> {
    let mean = |index| {
        let sum = byte(operands[0], index) + byte(operands[1], index) + (byte(operands[2], index) & 1);
        (sum >> 1) << (8 * index)
    };
    mean(0) + mean(1) + mean(2) + mean(3)
}

/// The sum of the differences of the four bytes of two words.
fn differences<'w>(operands: &[Value<'w>], difference: Formula) -> Value<'w> {
    let at = |index| difference(&[byte(operands[0], index), byte(operands[1], index)]);
    at(0) + at(1) + at(2) + at(3)
}

/// The difference of two bytes; none if the second is zero.
fn masked_difference<'w>(operands: &[Value<'w>]) -> Value<'w> {
    let second = operands[1];
    second.equals(0).select(second.constant(0), difference(operands))
}

fn differences_of_four<'w>(operands: &[Value<'w>]) -> Value<'w> {
    let all = differences(operands, difference);
    operands[2] + all.component(0) + all.component(1) + all.component(2) + all.component(3)
}

fn differences_of_halves<'w>(operands: &[Value<'w>]) -> Value<'w> {
    let (a, b) = (operands[0], operands[1]);
    operands[2] + difference(&[a & 0xffff, b & 0xffff]) + difference(&[a >> 16, b >> 16])
}

/// Four sums of 16 bits, of the words that begin at the first four bytes.
fn at_four_offsets<'w>(operands: &[Value<'w>], difference: Formula) -> Value<'w> {
    let sum = |index: u64| {
        let word = (operands[0] >> (8 * index)).to_width(32);
        let before = (operands[2] >> (16 * index)).to_width(32) & 0xffff;
        let sum = (before + differences(&[word, operands[1]], difference)) & 0xffff;
        sum.to_width(64) << (16 * index)
    };
    sum(0) | sum(1) | sum(2) | sum(3)
}

fn mask<'w>(operands: &[Value<'w>]) -> Value<'w> {
    let one = operands[0].constant(1);
    ((one << (operands[0] & 31)) - 1) << (operands[1] & 31)
}

fn extract<'w>(operands: &[Value<'w>], shift_right: fn(Value<'w>, Value<'w>) -> Value<'w>) -> Value<'w> {
    let (a, offset, width) = (operands[0], operands[1] & 31, operands[2] & 31);
    let above = offset.constant(32) - offset - width;
    let inside = shift_right(a << (above & 31), -width & 31);
    let field = (offset + width).less(32).select(inside, shift_right(a, offset));
    width.equals(0).select(a.constant(0), field)
}

type Choice = for<'w> fn(Value<'w>, Value<'w>) -> Value<'w>;

/// The smaller of two unsigned integers or floats; of a NaN and a number, the number.
fn smaller<'w>(a: Value<'w>, b: Value<'w>) -> Value<'w> {
    beside_nan(a.less(b), b).select(a, b)
}

fn larger<'w>(a: Value<'w>, b: Value<'w>) -> Value<'w> {
    beside_nan(a.greater(b), b).select(a, b)
}

/// A condition, or that a float is NaN.
fn beside_nan<'w>(is_first: Value<'w>, b: Value<'w>) -> Value<'w> {
    if b.shape().is_float() { is_first | b.is_nan() } else { is_first }
}

fn signed_smaller<'w>(a: Value<'w>, b: Value<'w>) -> Value<'w> {
    a.signed_less(b).select(a, b)
}

fn signed_larger<'w>(a: Value<'w>, b: Value<'w>) -> Value<'w> {
    a.signed_greater(b).select(a, b)
}

/// The choice among three operands.
fn three<'w>(operands: &[Value<'w>], choice: Choice) -> Value<'w> {
    choice(choice(operands[0], operands[1]), operands[2])
}

fn median<'w>(operands: &[Value<'w>], smaller: Choice, larger: Choice) -> Value<'w> {
    let (a, b, c) = (operands[0], operands[1], operands[2]);
    larger(smaller(a, b), smaller(larger(a, b), c))
}
