//! Functions with two results: one is the result of the instruction, the other one is stored or is the second member of a struct.

use reconverge_ir::Op;

use crate::Value;
use crate::compute::arithmetic::rounded;
use crate::extended::{circular, exact, gamma};
use crate::fault::Fault;
use crate::types::{TypeId, TypeKind, TypeTable};

/// A function with two results.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Second {
    Fract,
    Frexp,
    GlslFrexp,
    LnGamma,
    Modf,
    Remainder,
    SinCos,
}

/// The kind of a scalar type, or of the elements of a vector type.
pub(crate) fn element_kind(types: &TypeTable, ty: TypeId) -> Option<&TypeKind> {
    match types.kind(ty)? {
        TypeKind::Sequence { element, .. } => types.kind(*element),
        kind => Some(kind),
    }
}

impl Second {
    /// The result and the stored value; the latter has the type `pointee`.
    pub(crate) fn results(
        self,
        types: &TypeTable,
        pointee: TypeId,
        operands: &[&Value],
    ) -> Result<(Value, Value), Fault> {
        let wrong = || Fault::operands(Op::ExtInst);
        let integer_width = match element_kind(types, pointee) {
            Some(&TypeKind::Int(width)) => width,
            _ => 32,
        };
        let Some(length) = operands.iter().find_map(|operand| operand.elements()).map(<[Value]>::len) else {
            return self.of_scalars(integer_width, operands);
        };
        let mut results = (Vec::with_capacity(length), Vec::with_capacity(length));
        for index in 0..length {
            let pick = |operand: &&Value| match operand {
                Value::Composite(elements) => elements.get(index).cloned().ok_or_else(wrong),
                Value::Undefined => Ok(Value::Undefined),
                _ => Err(wrong()),
            };
            let picked = operands.iter().map(pick).collect::<Result<Vec<Value>, Fault>>()?;
            let (first, second) = self.of_scalars(integer_width, &picked.iter().collect::<Vec<&Value>>())?;
            results.0.push(first);
            results.1.push(second);
        }
        Ok((Value::composite(results.0), Value::composite(results.1)))
    }

    fn of_scalars(self, integer_width: u8, operands: &[&Value]) -> Result<(Value, Value), Fault> {
        if operands.iter().any(|operand| operand.is_undefined()) {
            return Ok((Value::Undefined, Value::Undefined));
        }
        let (Some(&&Value::Float { width, .. }), Some(x)) =
            (operands.first(), operands.first().and_then(|operand| operand.as_f64()))
        else {
            return Err(Fault::operands(Op::ExtInst));
        };
        let integer = |value: i32| Value::int(integer_width, i64::from(value).cast_unsigned());
        let floats = |(first, second): (f64, f64)| (rounded(width, first), rounded(width, second));
        Ok(match self {
            Second::Fract => floats(exact::fract(width, x)),
            Second::Modf => floats(exact::modf(x)),
            Second::GlslFrexp if !x.is_finite() => (Value::Undefined, Value::Undefined),
            Second::Frexp | Second::GlslFrexp => {
                let (fraction, exponent) = exact::frexp(x);
                (rounded(width, fraction), integer(exponent))
            }
            Second::LnGamma => {
                let (logarithm, sign) = gamma::ln_gamma(x);
                (logarithm.rounded(width), sign.map_or(Value::Undefined, |sign| integer(i32::from(sign))))
            }
            Second::SinCos => (circular::sin(x).rounded(width), circular::cos(x).rounded(width)),
            Second::Remainder => {
                let y = operands.get(1).and_then(|y| y.as_f64()).ok_or_else(|| Fault::operands(Op::ExtInst))?;
                let (remainder, quotient) = exact::remainder_and_quotient(x, y);
                (rounded(width, remainder), integer(quotient))
            }
        })
    }
}

/// Both results as a struct (`GLSL.std.450`): the second one is of the type of the second member.
pub(super) fn as_struct(second: Second, types: &TypeTable, ty: TypeId, value: &Value) -> Result<Value, Fault> {
    let (member, _) = types.element(ty, 1).ok_or_else(|| Fault::operands(Op::ExtInst))?;
    let (first, other) = second.results(types, member, &[value])?;
    Ok(Value::composite(vec![first, other]))
}
