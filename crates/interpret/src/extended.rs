//! Extended instructions: the arithmetic of `GLSL.std.450` and `OpenCL.std`.
//!
//! The two sets name the same functions by different numbers; this file says which number is which, `extended_table.rs` what each
//! function does. Functions that are not exact (roots excepted) are computed in 64 bits and rounded. What is in neither table is
//! unsupported.

use crate::Value;
use crate::arithmetic::rounded;
use crate::extended_table as table;
use crate::extended_table::Formula;
use crate::lift::{binary, float_one, float_pair, int_one, int_pair, ternary, unary};
use crate::outcome::Fault;
use reconverge_ir::Op;

/// A set of extended instructions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum InstructionSet {
    Glsl,
    OpenCl,
    /// Any set whose instructions do nothing.
    NonSemantic,
}

impl InstructionSet {
    pub(crate) fn from_name(name: &str) -> Option<InstructionSet> {
        match name {
            "GLSL.std.450" => Some(InstructionSet::Glsl),
            "OpenCL.std" => Some(InstructionSet::OpenCl),
            "DebugInfo" | "OpenCL.DebugInfo.100" => Some(InstructionSet::NonSemantic),
            _ if name.starts_with("NonSemantic.") => Some(InstructionSet::NonSemantic),
            _ => None,
        }
    }

    fn name(self) -> &'static str {
        match self {
            InstructionSet::Glsl => "GLSL.std.450",
            InstructionSet::OpenCl => "OpenCL.std",
            InstructionSet::NonSemantic => "a non-semantic set",
        }
    }
}

/// The result of an extended instruction.
pub(crate) fn evaluate(set: InstructionSet, number: u32, operands: &[&Value]) -> Result<Value, Fault> {
    let formula = match set {
        InstructionSet::Glsl => table::glsl(number),
        InstructionSet::OpenCl => table::open_cl(number),
        InstructionSet::NonSemantic => None,
    };
    let unsupported = || Fault::unsupported(format!("op ext_inst {number} of {}", set.name()));
    apply(formula.ok_or_else(unsupported)?, operands)
}

fn apply(formula: Formula, operands: &[&Value]) -> Result<Value, Fault> {
    let op = Op::ExtInst;
    match (formula, operands) {
        (Formula::Float1(function), [a]) => unary(a, float_one(op, |width, a| rounded(width, function(a)))),
        (Formula::Float2(function), [a, b]) => {
            binary(op, a, b, float_pair(op, |width, a, b| rounded(width, function(a, b))))
        }
        (Formula::Float3(function), &[a, b, c]) => ternary(op, [a, b, c], |operands| {
            let [Some(a), Some(b), Some(c)] = operands.map(Value::as_f64) else { return undefined_among(&operands) };
            match *operands[0] {
                Value::Float { width, .. } => Ok(rounded(width, function(width, [a, b, c]))),
                _ => Err(Fault::operands(op)),
            }
        }),
        (Formula::Int1(function), [a]) => unary(a, int_one(op, |width, a| Value::int(width, function(width, a)))),
        (Formula::Int2(function), [a, b]) => {
            binary(op, a, b, int_pair(op, |width, a, b| Ok(Value::int(width, function(width, a, b)))))
        }
        (Formula::Int3(function), &[a, b, c]) => ternary(op, [a, b, c], |operands| match operands {
            [&Value::Int { width, bits: a }, &Value::Int { bits: b, .. }, &Value::Int { bits: c, .. }] => {
                Ok(Value::int(width, function(width, [a, b, c])))
            }
            _ => undefined_among(&operands),
        }),
        (Formula::Length, [a]) => Ok(length(a)?.map_or(Value::Undefined, |(width, length)| rounded(width, length))),
        (Formula::Distance, [a, b]) => {
            let difference = binary(op, a, b, float_pair(op, |width, a, b| rounded(width, a - b)))?;
            apply(Formula::Length, &[&difference])
        }
        (Formula::Normalize, [a]) => match length(a)? {
            Some((_, length)) => unary(a, float_one(op, |width, a| rounded(width, a / length))),
            None => Ok(Value::Undefined),
        },
        (Formula::Cross, [a, b]) => cross(a, b),
        _ => Err(Fault::operands(op)),
    }
}

fn undefined_among(operands: &[&Value]) -> Result<Value, Fault> {
    match operands.iter().any(|operand| operand.is_undefined()) {
        true => Ok(Value::Undefined),
        false => Err(Fault::operands(Op::ExtInst)),
    }
}

/// The width of the elements and the length of the vector; `None` if one is undefined.
fn length(vector: &Value) -> Result<Option<(u8, f64)>, Fault> {
    let elements = vector.elements().unwrap_or(std::slice::from_ref(vector));
    let mut squares = 0.0;
    let mut found = 64;
    for element in elements {
        match (element, element.as_f64()) {
            (Value::Float { width, .. }, Some(value)) => (found, squares) = (*width, squares + value * value),
            (Value::Undefined, _) => return Ok(None),
            _ => return Err(Fault::operands(Op::ExtInst)),
        }
    }
    Ok(Some((found, squares.sqrt())))
}

fn cross(a: &Value, b: &Value) -> Result<Value, Fault> {
    let op = Op::ExtInst;
    if a.is_undefined() || b.is_undefined() {
        return Ok(Value::Undefined);
    }
    let (Some([a0, a1, a2]), Some([b0, b1, b2])) = (a.elements(), b.elements()) else {
        return Err(Fault::operands(op));
    };
    let product = float_pair(op, |width, a, b| rounded(width, a * b));
    let difference = float_pair(op, |width, a, b| rounded(width, a - b));
    let component = |a: &Value, b: &Value, c: &Value, d: &Value| difference(&product(a, b)?, &product(c, d)?);
    Ok(Value::composite(vec![component(a1, b2, a2, b1)?, component(a2, b0, a0, b2)?, component(a0, b1, a1, b0)?]))
}
