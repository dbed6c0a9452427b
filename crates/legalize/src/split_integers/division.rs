//! Division of pairs, in a function that is created once.
//!
//! ```text
//! divide(n, d) = (n / d, n % d), unsigned:
//!     q = 0, r = 0
//!     64 times:  r = r << 1 | n >> 63;  n = n << 1;  q = q << 1
//!                if r >= d:  r = r - d;  q = q | 1
//! ```
//!
//! Shift and subtract (Warren, *Hacker's Delight*, 9-4). The remainder is below the divisor, so doubling it overflows only if the divisor
//! has its top bit set; that bit is saved and makes the comparison true.

use reconverge_ir::{Builder, Function, Inst, Op};

use super::arithmetic::{as_word, compare, negate, select, subtract};
use super::bits::{self, shift};
use super::pairs::{Pair, Pairs};
use reconverge_rewrite::scalars::{vector_type, word};

/// Quotient and remainder of an operation, at the builder's position.
pub(super) fn divide(pairs: &mut Pairs<'_>, before: Inst, op: Op, a: Pair, b: Pair) -> Pair {
    let function = division_function(pairs);
    let mut build = Builder::new(pairs.module);
    build.before(before);
    let is_signed = matches!(op, Op::SDiv | Op::SRem | Op::SMod);
    let (n, d) = if is_signed { (magnitude(&mut build, a), magnitude(&mut build, b)) } else { (a, b) };
    let [quotient, remainder] = call(&mut build, function, n, d);
    match op {
        Op::UDiv => quotient,
        Op::UMod => remainder,
        Op::SDiv => {
            let signs = bits::bitwise(&mut build, Op::BitwiseXor, &[a, b]);
            with_sign_of(&mut build, quotient, signs)
        }
        Op::SRem => with_sign_of(&mut build, remainder, a),
        _ => {
            // The remainder has the dividend's sign. If it is not zero and the divisor has another sign, the divisor is added.
            let remainder = with_sign_of(&mut build, remainder, a);
            let (u32_type, bool_type, zero) = (build.int_type(32), build.bool_type(), word(&mut build, 0));
            let signs = build.bitwise_xor(u32_type, &[remainder.high, b.high]);
            let differ = build.s_less_than(bool_type, &[signs, zero]);
            let some = compare(&mut build, Op::INotEqual, remainder, Pair { low: zero, high: zero });
            let adjust = build.logical_and(bool_type, &[differ, some]);
            let (adjusted, _) = super::arithmetic::add(&mut build, remainder, b);
            select(&mut build, adjust, adjusted, remainder)
        }
    }
}

fn magnitude(build: &mut Builder<'_>, value: Pair) -> Pair {
    with_sign_of(build, value, value)
}

/// The value, negated if the other is negative.
fn with_sign_of(build: &mut Builder<'_>, value: Pair, other: Pair) -> Pair {
    let (bool_type, zero) = (build.bool_type(), word(build, 0));
    let is_negative = build.s_less_than(bool_type, &[other.high, zero]);
    let negated = negate(build, value);
    select(build, is_negative, negated, value)
}

fn call(build: &mut Builder<'_>, function: Function, n: Pair, d: Pair) -> [Pair; 2] {
    let u32_type = build.int_type(32);
    let result_type = vector_type(build, u32_type, 4);
    let result = build.function_call(result_type, &[function.into(), n.low, n.high, d.low, d.high]);
    let mut part = |index| {
        let index = build.editor().word(index);
        build.composite_extract(u32_type, &[result, index])
    };
    [Pair { low: part(0), high: part(1) }, Pair { low: part(2), high: part(3) }]
}

fn division_function(pairs: &mut Pairs<'_>) -> Function {
    if let Some(&function) = pairs.functions.get("divide") {
        return function;
    }
    let mut build = Builder::new(pairs.module);
    let u32_type = build.int_type(32);
    let result_type = vector_type(&mut build, u32_type, 4);
    let function = build.add_function(result_type, &[u32_type; 4]);
    build.editor().set_name(function, "divide_unsigned_64");
    write_division(&mut build, function);
    pairs.functions.insert("divide", function);
    function
}

fn write_division(build: &mut Builder<'_>, function: Function) {
    let u32_type = build.int_type(32);
    let bool_type = build.bool_type();
    let operands: Vec<Inst> = build.module().parameters(function).map(Inst::from).collect();
    let divisor = Pair { low: operands[2], high: operands[3] };
    let [entry, step, again, done] = std::array::from_fn(|_| build.add_block(function));
    let state: [Inst; 7] = std::array::from_fn(|_| build.add_parameter(step, u32_type).into());
    let [count, rest_low, rest_high, low, high, quotient_low, quotient_high] = state;
    let (zero, one, last) = (word(build, 0), word(build, 1), word(build, 64));

    build.at_end(entry);
    build.branch(&[step.into(), zero, operands[0], operands[1], zero, zero, zero, zero]);

    build.at_end(step);
    let remainder = Pair { low, high };
    let (top, out) = (bits::sign(build, rest_high), bits::sign(build, high));
    let doubled = shift(build, Op::ShiftLeftLogical, remainder, one);
    let entering = build.bitwise_and(u32_type, &[top, one]);
    let low = build.bitwise_or(u32_type, &[doubled.low, entering]);
    let remainder = Pair { low, high: doubled.high };
    let rest = shift(build, Op::ShiftLeftLogical, Pair { low: rest_low, high: rest_high }, one);
    let quotient = shift(build, Op::ShiftLeftLogical, Pair { low: quotient_low, high: quotient_high }, one);
    let reaches = compare(build, Op::UGreaterThanEqual, remainder, divisor);
    let overflows = build.i_not_equal(bool_type, &[out, zero]);
    let takes = build.logical_or(bool_type, &[reaches, overflows]);
    let (reduced, _) = subtract(build, remainder, divisor);
    let remainder = select(build, takes, reduced, remainder);
    let bit = as_word(build, takes);
    let quotient_low = build.bitwise_or(u32_type, &[quotient.low, bit]);
    let next = build.i_add(u32_type, &[count, one]);
    let more = build.u_less_than(bool_type, &[next, last]);
    build.branch_if(&[more, again.into(), done.into()]);

    build.at_end(again);
    let Pair { low, high } = remainder;
    build.branch(&[step.into(), next, rest.low, rest.high, low, high, quotient_low, quotient.high]);

    build.at_end(done);
    let result_type = vector_type(build, u32_type, 4);
    let result = build.composite_construct(result_type, &[quotient_low, quotient.high, low, high]);
    build.return_value(&[result]);
}
