//! Integer functions (OpenCL C 3.0, section 6.15.3), `any`, `all`, `select`, `bitselect` and the functions of `cl_khr_extended_bit_ops`.

use super::number::{Number, Type};
use super::row::{Lengths, Row, Wanted};

fn int(value: Number) -> i128 {
    match value {
        Number::Int(value) => value,
        Number::Float(value) => panic!("invariant: {value} is an integer"),
    }
}

/// The bits of an integer.
fn bits(ty: Type, value: Number) -> u128 {
    ty.as_unsigned().wrap(int(value)) as u128
}

macro_rules! define {
    (|$ty:ident, [$($name:ident),*]| $value:expr) => {
        |row: &Row, operands: &[Number]| {
            let $ty = row.operand();
            let [$($name),*] = operands[..] else { panic!("invariant: the row has its operands") };
            $(let $name = int($name);)*
            let _ = $ty;
            Wanted::Int($value)
        }
    };
}

/// The upper half of a product. The product of two numbers of 64 bits without a sign needs all 128.
fn high(a: i128, b: i128, bits: u32) -> i128 {
    match (u128::try_from(a), u128::try_from(b)) {
        (Ok(a), Ok(b)) => ((a * b) >> bits) as i128,
        _ => (a * b) >> bits,
    }
}

/// The functions on integers of one type.
pub(super) fn rows() -> Vec<Row> {
    Type::INTEGERS.into_iter().flat_map(of_type).collect()
}

fn of_type(ty: Type) -> Vec<Row> {
    let unsigned = ty.as_unsigned();
    let (one, two, three) = (&[ty][..], &[ty, ty][..], &[ty, ty, ty][..]);
    let mut rows = vec![
        Row::new("abs(a)", one, unsigned, define!(|ty, [a]| a.abs())),
        Row::new("abs_diff(a, b)", two, unsigned, define!(|ty, [a, b]| (a - b).abs())),
        Row::new("add_sat(a, b)", two, ty, define!(|ty, [a, b]| ty.saturate(a + b))),
        Row::new("sub_sat(a, b)", two, ty, define!(|ty, [a, b]| ty.saturate(a - b))),
        Row::new("hadd(a, b)", two, ty, define!(|ty, [a, b]| (a + b) >> 1)),
        Row::new("rhadd(a, b)", two, ty, define!(|ty, [a, b]| (a + b + 1) >> 1)),
        Row::new("max(a, b)", two, ty, define!(|ty, [a, b]| a.max(b))),
        Row::new("min(a, b)", two, ty, define!(|ty, [a, b]| a.min(b))),
        Row::new("max(a, ($t)3)", one, ty, define!(|ty, [a]| a.max(3))),
        Row::new("min(a, ($t)3)", one, ty, define!(|ty, [a]| a.min(3))),
        Row::new("clamp(a, ($t)2, ($t)9)", one, ty, define!(|ty, [a]| a.clamp(2, 9))),
        Row::new("clamp(a, min(b, c), max(b, c))", three, ty, define!(|ty, [a, b, c]| a.clamp(b.min(c), b.max(c)))),
        Row::new("mul_hi(a, b)", two, ty, define!(|ty, [a, b]| high(a, b, ty.bits()))),
        Row::new("mad_hi(a, b, c)", three, ty, define!(|ty, [a, b, c]| high(a, b, ty.bits()) + c)),
        Row::new(
            "mad_sat(a, b, c)",
            three,
            ty,
            define!(|ty, [a, b, c]| ty.saturate(a.saturating_mul(b).saturating_add(c))),
        ),
        Row::new("rotate(a, b)", two, ty, |row, operands| {
            let width = row.operand().bits();
            let (value, by) = (bits(row.operand(), operands[0]), bits(row.operand(), operands[1]) % u128::from(width));
            Wanted::Int((value << by | value >> (u128::from(width) - by)) as i128)
        }),
        Row::new("clz(a)", one, ty, |row, operands| {
            let unused = 128 - row.operand().bits();
            Wanted::Int(i128::from(bits(row.operand(), operands[0]).leading_zeros() - unused))
        }),
        Row::new("ctz(a)", one, ty, |row, operands| {
            Wanted::Int(i128::from(bits(row.operand(), operands[0]).trailing_zeros().min(row.operand().bits())))
        }),
        Row::new("popcount(a)", one, ty, |row, operands| {
            Wanted::Int(i128::from(bits(row.operand(), operands[0]).count_ones()))
        }),
        Row::new("bitselect(a, b, c)", three, ty, define!(|ty, [a, b, c]| a & !c | b & c)),
        Row::new("select(a, b, c)", three, ty, define!(|ty, [a, b, c]| if c != 0 { b } else { a })).of(Lengths::Scalar),
        Row::new("select(a, b, c)", three, ty, define!(|ty, [a, b, c]| if ty.as_signed().wrap(c) < 0 { b } else { a }))
            .of(Lengths::Vectors),
        Row::new(
            "select(a, b, as_$U(c))",
            three,
            ty,
            define!(|ty, [a, b, c]| if ty.as_signed().wrap(c) < 0 { b } else { a }),
        )
        .of(Lengths::Vectors),
    ];
    rows.extend(arithmetic(ty));
    rows.extend(extended(ty));
    if ty.bits() < 64 {
        let low = ty.as_unsigned();
        rows.push(Row::new("upsample(a, b)", &[ty, low], ty.doubled(), |row, operands| {
            let low = bits(row.operand(), operands[1]) as i128;
            Wanted::Int((int(operands[0]) << row.operand().bits()) | low)
        }));
    }
    if ty.bits() == 32 {
        rows.push(Row::new("mul24(a, b)", two, ty, |row, operands| product_of_24_bits(row, operands, 0)));
        rows.push(Row::new("mad24(a, b, c)", three, ty, |row, operands| {
            product_of_24_bits(row, operands, int(operands[2]))
        }));
    }
    if ty.is_signed() {
        let word = Type::Int { is_signed: true, bits: 32 };
        let any = |_: &Row, operands: &[Vec<Number>]| {
            vec![Wanted::Int(operands[0].iter().any(|&value| int(value) < 0).into())]
        };
        let all = |_: &Row, operands: &[Vec<Number>]| {
            vec![Wanted::Int(operands[0].iter().all(|&value| int(value) < 0).into())]
        };
        rows.push(Row::whole("any(a)", one, word, any).of(Lengths::AllToScalar));
        rows.push(Row::whole("all(a)", one, word, all).of(Lengths::AllToScalar));
    }
    rows
}

/// Operators: what compilers do with them is as much a definition as a function. Divisions that are undefined may return anything.
fn arithmetic(ty: Type) -> Vec<Row> {
    let two = &[ty, ty][..];
    vec![
        Row::new("($T)(a + b)", two, ty, define!(|ty, [a, b]| a + b)),
        Row::new("($T)(a - b)", two, ty, define!(|ty, [a, b]| a - b)),
        Row::new("($T)(a * b)", two, ty, define!(|ty, [a, b]| a.wrapping_mul(b))),
        Row::new("($T)(a ^ (b | ~a))", two, ty, define!(|ty, [a, b]| a ^ (b | !a))),
        Row::new("($T)(a / (b == ($T)0 ? ($T)1 : b))", two, ty, |row, operands| divide(row, operands, |a, b| a / b))
            .partial(),
        Row::new("($T)(a % (b == ($T)0 ? ($T)1 : b))", two, ty, |row, operands| divide(row, operands, |a, b| a % b))
            .partial(),
        Row::new("($T)(a << (b & ($t)7))", two, ty, define!(|ty, [a, b]| a << (b & 7))),
        Row::new("($T)(a >> (b & ($t)7))", two, ty, define!(|ty, [a, b]| a >> (b & 7))),
    ]
}

fn divide(row: &Row, operands: &[Number], by: fn(i128, i128) -> i128) -> Wanted {
    let (a, b) = (int(operands[0]), int(operands[1]));
    match b {
        -1 if a == row.operand().least() => Wanted::Any,
        0 => Wanted::Int(by(a, 1)),
        _ => Wanted::Int(by(a, b)),
    }
}

/// A product that is defined if the factors have 24 bits.
fn product_of_24_bits(row: &Row, operands: &[Number], more: i128) -> Wanted {
    let range = if row.operand().is_signed() { -(1 << 23)..1 << 23 } else { 0..1 << 24 };
    let (a, b) = (int(operands[0]), int(operands[1]));
    if range.contains(&a) && range.contains(&b) { Wanted::Int(a * b + more) } else { Wanted::Any }
}

fn extended(ty: Type) -> Vec<Row> {
    let (one, two) = (&[ty][..], &[ty, ty][..]);
    vec![
        Row::new("bit_reverse(a)", one, ty, |row, operands| {
            let unused = 128 - row.operand().bits();
            Wanted::Int((bits(row.operand(), operands[0]).reverse_bits() >> unused) as i128)
        }),
        Row::new("bitfield_insert(a, b, 2u, 5u)", two, ty, define!(|ty, [a, b]| a & !(31 << 2) | (b & 31) << 2)),
        Row::new(
            "bitfield_extract_signed(a, 2u, 5u)",
            one,
            ty.as_signed(),
            define!(|ty, [a]| (((a >> 2) & 31) ^ 16) - 16),
        ),
        Row::new("bitfield_extract_unsigned(a, 2u, 5u)", one, ty.as_unsigned(), define!(|ty, [a]| (a >> 2) & 31)),
    ]
}
