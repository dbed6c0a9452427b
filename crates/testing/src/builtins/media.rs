//! The functions of `cl_amd_media_ops` and `cl_amd_media_ops2`, by the definitions of these extensions, in integers of 128 bits.

use super::float::float;
use super::number::{Number, Type, signed, unsigned};
use super::row::{Lengths, Row, Wanted};

const FLOAT: Type = Type::Float { bits: 32 };

const UINT: Type = unsigned(32);
const ULONG: Type = unsigned(64);

fn whole(number: Number) -> i128 {
    match number {
        Number::Int(value) => value,
        Number::Float(value) => panic!("invariant: {value} is an integer"),
    }
}

fn field(value: i128, index: u32, bits: u32) -> i128 {
    (value >> (index * bits)) & ((1 << bits) - 1)
}

macro_rules! define {
    (|[$($name:ident),*]| $value:expr) => {
        |_: &Row, operands: &[Number]| {
            let [$($name),*] = operands[..] else { panic!("invariant: the row has its operands") };
            $(let $name = whole($name);)*
            Wanted::Int($value)
        }
    };
}

/// Every function.
pub(super) fn rows() -> Vec<Row> {
    let mut rows = bytes();
    rows.extend(sums());
    rows.extend(fields());
    rows.extend([UINT, signed(32)].into_iter().flat_map(|ty| {
        let three = &[ty, ty, ty][..];
        [
            Row::new("amd_min3(a, b, c)", three, ty, define!(|[a, b, c]| a.min(b).min(c))),
            Row::new("amd_max3(a, b, c)", three, ty, define!(|[a, b, c]| a.max(b).max(c))),
            Row::new("amd_median3(a, b, c)", three, ty, define!(|[a, b, c]| a.max(b).min(a.min(b).max(c)))),
        ]
    }));
    let three = &[FLOAT; 3][..];
    rows.extend([
        Row::new("amd_min3(a, b, c)", three, FLOAT, |_, operands| ordered(operands, 0)),
        Row::new("amd_median3(a, b, c)", three, FLOAT, |_, operands| ordered(operands, 1)),
        Row::new("amd_max3(a, b, c)", three, FLOAT, |_, operands| ordered(operands, 2)),
    ]);
    rows
}

/// One of three floats in their order; for NaN the result is open.
fn ordered(operands: &[Number], place: usize) -> Wanted {
    let mut values: Vec<f64> = operands.iter().map(|&operand| float(operand)).collect();
    if values.iter().any(|value| value.is_nan()) {
        return Wanted::Any;
    }
    values.sort_by(f64::total_cmp);
    Wanted::Float { exact: values[place], ulps: 0.0 }
}

fn bytes() -> Vec<Row> {
    let three = &[UINT, UINT, UINT][..];
    let unpacked = |index: u32| format!("amd_unpack{index}(a)");
    fn byte(operands: &[Number], index: u32) -> Wanted {
        Wanted::Float { exact: field(whole(operands[0]), index, 8) as f64, ulps: 0.0 }
    }
    vec![
        Row::whole("amd_pack(a)", &[FLOAT], UINT, |_, operands| vec![packed(&operands[0])]).of(Lengths::FourToScalar),
        Row::new(&unpacked(0), &[UINT], FLOAT, |_, operands| byte(operands, 0)),
        Row::new(&unpacked(1), &[UINT], FLOAT, |_, operands| byte(operands, 1)),
        Row::new(&unpacked(2), &[UINT], FLOAT, |_, operands| byte(operands, 2)),
        Row::new(&unpacked(3), &[UINT], FLOAT, |_, operands| byte(operands, 3)),
        Row::new("amd_bitalign(a, b, c)", three, UINT, define!(|[a, b, c]| (a << 32 | b) >> (c & 31))),
        Row::new("amd_bytealign(a, b, c)", three, UINT, define!(|[a, b, c]| (a << 32 | b) >> ((c & 3) * 8))),
        Row::new(
            "amd_lerp(a, b, c)",
            three,
            UINT,
            define!(|[a, b, c]| {
                let of = |index| (field(a, index, 8) + field(b, index, 8) + (field(c, index, 8) & 1)) >> 1;
                (0..4).map(|index| of(index) << (8 * index)).sum()
            }),
        ),
    ]
}

/// Floats as bytes; the conversion of others is undefined.
fn packed(operand: &[Number]) -> Wanted {
    let values: Vec<f64> = operand.iter().map(|&value| float(value)).collect();
    if values.iter().any(|value| !(0.0..256.0).contains(value)) {
        return Wanted::Any;
    }
    Wanted::Int(values.iter().enumerate().map(|(index, &value)| (value.trunc() as i128) << (8 * index)).sum())
}

/// A sum of absolute differences of four bytes.
fn differences(a: i128, b: i128) -> i128 {
    (0..4).map(|index| (field(a, index, 8) - field(b, index, 8)).abs()).sum()
}

/// The same of the bytes for which that of the second operand is not zero.
fn masked_differences(a: i128, b: i128) -> i128 {
    let pairs = (0..4).map(|index| (field(a, index, 8), field(b, index, 8)));
    pairs.filter(|&(_, b)| b != 0).map(|(a, b)| (a - b).abs()).sum()
}

/// Sums at four offsets of the first operand, each of 16 bits.
fn at_offsets([a, b, c]: [i128; 3], sum: fn(i128, i128) -> i128) -> i128 {
    let of = |index: u32| (sum(a >> (8 * index), b) + field(c, index, 16)) & 0xffff;
    (0..4).map(|index| of(index) << (16 * index)).sum()
}

fn sums() -> Vec<Row> {
    let (three, long) = (&[UINT, UINT, UINT][..], &[ULONG, UINT, ULONG][..]);
    vec![
        Row::new("amd_sad(a, b, c)", three, UINT, define!(|[a, b, c]| c + differences(a, b))),
        Row::new("amd_sadhi(a, b, c)", three, UINT, define!(|[a, b, c]| c + (differences(a, b) << 16))),
        Row::new("amd_msad(a, b, c)", three, UINT, define!(|[a, b, c]| c + masked_differences(a, b))),
        Row::new("amd_sadd(a, b, c)", three, UINT, define!(|[a, b, c]| c + (a - b).abs())),
        Row::new(
            "amd_sadw(a, b, c)",
            three,
            UINT,
            define!(|[a, b, c]| {
                c + (0..2).map(|index| (field(a, index, 16) - field(b, index, 16)).abs()).sum::<i128>()
            }),
        ),
        Row::whole("amd_sad4(a, b, c.x)", three, UINT, |_, operands| {
            let pairs = operands[0].iter().zip(&operands[1]);
            let sum: i128 = pairs.map(|(&a, &b)| differences(whole(a), whole(b))).sum();
            vec![Wanted::Int(sum + whole(operands[2][0]))]
        })
        .of(Lengths::FourToScalar),
        Row::new("amd_qsad(a, b, c)", long, ULONG, define!(|[a, b, c]| at_offsets([a, b, c], differences))),
        Row::new("amd_mqsad(a, b, c)", long, ULONG, define!(|[a, b, c]| at_offsets([a, b, c], masked_differences))),
    ]
}

fn fields() -> Vec<Row> {
    let int = signed(32);
    vec![
        Row::new("amd_bfm(a, b)", &[UINT, UINT], UINT, define!(|[a, b]| ((1 << (a & 31)) - 1) << (b & 31))),
        Row::new("amd_bfe(a, b, c)", &[UINT, UINT, UINT], UINT, define!(|[a, b, c]| extracted(UINT, a, b, c))),
        Row::new("amd_bfe(a, b, c)", &[int, UINT, UINT], int, define!(|[a, b, c]| extracted(signed(32), a, b, c))),
    ]
}

/// The bits of a field; a field that reaches the last bit is a shift. A field of a signed type has a sign of its own.
fn extracted(ty: Type, value: i128, offset: i128, width: i128) -> i128 {
    let (offset, width) = (offset & 31, width & 31);
    if width == 0 || offset + width >= 32 {
        return if width == 0 { 0 } else { value >> offset };
    }
    let low = (value >> offset) & ((1 << width) - 1);
    if ty.is_signed() && low >> (width - 1) == 1 { low - (1 << width) } else { low }
}
