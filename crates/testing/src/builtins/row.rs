//! Rows of built-in functions: the function, and its expected results.

use super::judge::Engine;
use super::number::{Number, Rounding, Type};

/// The expected result for one component.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) enum Wanted {
    /// This integer, reduced to the result type.
    Int(i128),
    /// A float within this number of ulp of this exact value; zero ulp is the value rounded to the nearest.
    Float { exact: f64, ulps: f64 },
    /// A float within this distance of the exact value.
    Near { exact: f64, distance: f64 },
    /// Any value: the specification leaves the result open.
    Any,
}

/// The definition of a function.
#[derive(Clone, Copy)]
pub(super) enum Definition {
    /// Of one component of the result, by the same components of the operands.
    Components(fn(&Row, &[Number]) -> Wanted),
    /// Of the whole result, by whole operands.
    Whole(fn(&Row, &[Vec<Number>]) -> Vec<Wanted>),
}

/// The number of components that the operands have.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Lengths {
    /// Any number, and the result has as many.
    Each,
    /// Those of one scalar alone.
    Scalar,
    /// Vectors alone, and the result has as many.
    Vectors,
    /// Up to four, and the result is a scalar.
    ToScalar,
    /// Up to four, and the result has as many.
    UpToFour,
    /// Four, and the result is a scalar.
    FourToScalar,
    /// Any number but three; the result has as many bits.
    SameBits,
    /// Any number, and the result is a scalar.
    AllToScalar,
    /// Three or four, and the result has as many.
    Cross,
    /// Vectors alone whose number of components is a power of two.
    Shuffled,
}

/// A function on operands of certain types.
#[derive(Clone)]
pub(super) struct Row {
    /// The call, with `a`, `b` and `c` for the operands, and `$T`, `$R`, `$I` for the types of the first operand, of the result and of
    /// as many `int`; `$t` and `$r` are their scalar types, `$U` is the unsigned type of the first operand, and `$N` the number
    /// of components in names, none for a scalar. `$L` and `$G` point to local and to global memory for one value of type `$T`, `$J` and
    /// `$H` for one of `$I`; `$K` are the first operands in constant memory.
    pub(super) text: String,
    /// The types of the operands.
    pub(super) operands: Vec<Type>,
    /// The type of the result.
    pub(super) result: Type,
    /// The number of components that there may be.
    pub(super) lengths: Lengths,
    /// The bound for compiled code, in ulp of the result type.
    pub(super) ulps: f64,
    /// The error of the definition, in ulp of 64 bits.
    pub(super) inexact: f64,
    /// True if the interpreter returns the nearest float.
    pub(super) is_nearest: bool,
    /// The rounding mode, of conversions.
    pub(super) rounding: Rounding,
    /// True if operands for which the result is open must not occur: the behaviour is undefined.
    pub(super) is_partial: bool,
    /// A further key of kernels: an engine may refuse all functions of one kind, and no others.
    pub(super) apart: &'static str,
    /// The definition.
    pub(super) definition: Definition,
}

impl Row {
    /// A function of components.
    pub(super) fn new(text: &str, operands: &[Type], result: Type, definition: fn(&Row, &[Number]) -> Wanted) -> Row {
        Row {
            text: text.to_owned(),
            operands: operands.to_vec(),
            result,
            lengths: Lengths::Each,
            ulps: 0.0,
            inexact: 0.0,
            is_nearest: false,
            rounding: Rounding::Nearest,
            is_partial: false,
            apart: "",
            definition: Definition::Components(definition),
        }
    }

    /// A function of whole operands.
    pub(super) fn whole(
        text: &str,
        operands: &[Type],
        result: Type,
        definition: fn(&Row, &[Vec<Number>]) -> Vec<Wanted>,
    ) -> Row {
        let unused = |_: &Row, _: &[Number]| Wanted::Any;
        Row { definition: Definition::Whole(definition), ..Row::new(text, operands, result, unused) }
    }

    /// The same with these lengths.
    pub(super) fn of(self, lengths: Lengths) -> Row {
        Row { lengths, ..self }
    }

    /// The same with a precision.
    pub(super) fn within(self, ulps: f64) -> Row {
        Row { ulps, ..self }
    }

    /// The same with a definition that is this inexact, in ulp of 64 bits; the interpreter returns the nearest float.
    pub(super) fn inexact(self, inexact: f64) -> Row {
        Row { inexact, is_nearest: true, ..self }
    }

    /// The error of the definition in ulp of the result: next to nothing for narrow types.
    pub(super) fn definition_error(&self) -> f64 {
        if self.result.bits() == 64 { self.inexact } else { 1e-4 * self.inexact.min(1.0) }
    }

    /// Returns the expected result with the bound of an engine: of the interpreter, or of compiled code.
    pub(super) fn bounded(&self, wanted: Wanted, engine: Engine) -> Wanted {
        let (is_nearest, error) = (engine == Engine::Interpreter && self.is_nearest, self.definition_error());
        let limited = |bound: f64, half: f64| if is_nearest { bound.min(half) } else { bound };
        match wanted {
            Wanted::Float { exact, ulps } => Wanted::Float { exact, ulps: limited(ulps, 0.5) + error },
            Wanted::Near { exact, distance } => {
                let ulp = self.result.ulp(exact);
                Wanted::Near { exact, distance: limited(distance, 0.5 * ulp) + error * ulp }
            }
            open => open,
        }
    }

    /// The same for operands with a defined result alone.
    pub(super) fn partial(self) -> Row {
        Row { is_partial: true, ..self }
    }

    /// The same in kernels for functions of this kind alone.
    pub(super) fn apart(self, apart: &'static str) -> Row {
        Row { apart, ..self }
    }

    /// The number of components of the result for operands of `count`; `None` if there is no such function.
    pub(super) fn result_count(&self, count: usize) -> Option<usize> {
        match self.lengths {
            Lengths::Each => Some(count),
            Lengths::Scalar => (count == 1).then_some(1),
            Lengths::Vectors => (count > 1).then_some(count),
            Lengths::ToScalar => (count <= 4).then_some(1),
            Lengths::UpToFour => (count <= 4).then_some(count),
            Lengths::FourToScalar => (count == 4).then_some(1),
            Lengths::SameBits => {
                let bits = count * self.operand().bits() as usize;
                let results = bits / self.result.bits() as usize;
                let is_vector = results.is_power_of_two() && results <= 16;
                (count != 3 && is_vector && results * self.result.bits() as usize == bits).then_some(results)
            }
            Lengths::AllToScalar => Some(1),
            Lengths::Cross => matches!(count, 3 | 4).then_some(count),
            Lengths::Shuffled => (count > 1 && count.is_power_of_two()).then_some(count),
        }
    }

    /// The first operand's type.
    pub(super) fn operand(&self) -> Type {
        self.operands[0]
    }

    /// Returns the expected results for operands of `count` components each.
    pub(super) fn wanted(&self, operands: &[Vec<Number>]) -> Vec<Wanted> {
        match self.definition {
            Definition::Whole(definition) => definition(self, operands),
            Definition::Components(definition) => {
                let at = |index| operands.iter().map(|operand| operand[index]).collect::<Vec<_>>();
                (0..operands[0].len()).map(|index| definition(self, &at(index))).collect()
            }
        }
    }
}

impl Wanted {
    /// Returns whether a value is right.
    pub(super) fn accepts(self, ty: Type, found: Number) -> bool {
        match (self, found) {
            (Wanted::Any, _) => true,
            (Wanted::Int(wanted), Number::Int(found)) => ty.wrap(wanted) == found,
            (Wanted::Float { exact, ulps }, Number::Float(found)) => is_within(ty, exact, found, ulps * ty.ulp(exact)),
            (Wanted::Near { exact, distance }, Number::Float(found)) => is_within(ty, exact, found, distance),
            _ => false,
        }
    }
}

fn is_within(ty: Type, exact: f64, found: f64, distance: f64) -> bool {
    if exact.is_nan() {
        return found.is_nan();
    }
    let nearest = ty.round(exact, Rounding::Nearest);
    let overflows = |value: f64| value.abs() + distance > ty.greatest_float();
    found == nearest
        || (found - exact).abs() <= distance
        || found.is_infinite() && overflows(exact) && (found > 0.0) == (exact > 0.0)
        || exact.is_infinite() && (found - ty.greatest_float().copysign(exact)).abs() <= distance && distance > 0.0
}
