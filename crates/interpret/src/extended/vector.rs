//! Bitwise selection, shuffles and composition, for elements of any type.

use reconverge_ir::Op;

use super::formula::undefined_among;
use crate::Value;
use crate::compute::arithmetic::rounded;
use crate::fault::Fault;

/// The bits of the second operand where the third has ones, of the first otherwise.
pub(super) fn bit_select(operands: &[&Value]) -> Result<Value, Fault> {
    let &[a, b, c] = operands else { return Err(wrong()) };
    let (Some(low), Some(high), Some(choice)) = (bits(a), bits(b), bits(c)) else { return Err(wrong()) };
    let chosen = low & !choice | high & choice;
    match *a {
        Value::Int { width, .. } => Ok(Value::Int { width, bits: chosen }),
        Value::Float { width, .. } => Ok(Value::Float { width, bits: chosen }),
        _ => Err(wrong()),
    }
}

/// The second operand where the third is true: a scalar that is not zero, or an element of a vector with its highest bit set.
pub(crate) fn select(operands: &[&Value]) -> Result<Value, Fault> {
    let &[a, b, choice] = operands else { return Err(wrong()) };
    let choose = |a: &Value, b: &Value, is_second: bool| if is_second { b.clone() } else { a.clone() };
    let element = |value: &Value, index: usize| match value.elements() {
        Some(elements) => elements.get(index).cloned().ok_or_else(wrong),
        None => undefined_among(&[value]),
    };
    match choice {
        Value::Int { bits, .. } => Ok(choose(a, b, *bits != 0)),
        Value::Undefined => Ok(Value::Undefined),
        Value::Composite(choices) => {
            let one = |(index, choice): (usize, &Value)| match *choice {
                Value::Int { width, bits } => {
                    Ok(choose(&element(a, index)?, &element(b, index)?, bits >> (width - 1) == 1))
                }
                _ => undefined_among(&[choice]),
            };
            choices.iter().enumerate().map(one).collect::<Result<Vec<Value>, Fault>>().map(Value::composite)
        }
        _ => Err(wrong()),
    }
}

/// The elements of one or two vectors that a mask selects. A vector of three counts as one of four with an undefined last element.
pub(crate) fn shuffle(operands: &[&Value]) -> Result<Value, Fault> {
    let Some((Value::Composite(mask), vectors)) = operands.split_last() else { return undefined_among(operands) };
    let Some(length) = vectors.iter().find_map(|vector| vector.elements()).map(<[Value]>::len) else {
        return undefined_among(vectors);
    };
    let length = length.next_power_of_two() as u64;
    let count = length * vectors.len() as u64;
    let one = |index: &Value| match *index {
        Value::Int { bits, .. } => {
            let index = bits & (count - 1);
            let elements = vectors[(index / length) as usize].elements();
            Ok(elements
                .and_then(|elements| elements.get((index % length) as usize))
                .cloned()
                .unwrap_or(Value::Undefined))
        }
        _ => undefined_among(&[index]),
    };
    mask.iter().map(one).collect::<Result<Vec<Value>, Fault>>().map(Value::composite)
}

/// An integer of twice the width from its upper and its lower half.
pub(super) fn upsample(operands: &[&Value]) -> Result<Value, Fault> {
    match operands {
        [Value::Int { width, bits: high }, Value::Int { width: other, bits: low }] if width == other && *width < 64 => {
            Ok(Value::int(2 * width, high << width | low))
        }
        _ => Err(wrong()),
    }
}

/// NaN, of the width of an integer; always with the same bits.
pub(super) fn nan(operands: &[&Value]) -> Result<Value, Fault> {
    match operands {
        [Value::Int { width, .. }] if *width >= 16 => Ok(rounded(*width, f64::NAN)),
        _ => Err(wrong()),
    }
}

fn bits(value: &Value) -> Option<u64> {
    match value {
        Value::Int { bits, .. } | Value::Float { bits, .. } => Some(*bits),
        _ => None,
    }
}

fn wrong() -> Fault {
    Fault::operands(Op::ExtInst)
}
