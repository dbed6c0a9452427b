//! Explicit conversions and reinterpretations (OpenCL C 3.0, sections 6.4.3 and 6.4.4).

use super::number::{Number, Rounding, Type, round_to_int};
use super::row::{Lengths, Row, Wanted};

/// The rounding modes by their suffixes; without one, floats become integers toward zero and everything becomes floats to the nearest.
const MODES: [(&str, Option<Rounding>); 5] = [
    ("", None),
    ("_rte", Some(Rounding::Nearest)),
    ("_rtz", Some(Rounding::Zero)),
    ("_rtp", Some(Rounding::Up)),
    ("_rtn", Some(Rounding::Down)),
];

/// Every conversion between two types, with each mode and with saturation.
pub(super) fn rows() -> Vec<Row> {
    let types = || Type::INTEGERS.into_iter().chain(Type::FLOATS);
    let pairs = types().flat_map(|from| types().map(move |to| (from, to)));
    pairs.flat_map(|(from, to)| between(from, to)).collect()
}

fn between(from: Type, to: Type) -> Vec<Row> {
    let mut rows = Vec::new();
    for (suffix, mode) in MODES {
        let rounding = mode.unwrap_or(if to.is_float() { Rounding::Nearest } else { Rounding::Zero });
        let convert = |text: String, definition| Row { rounding, ..Row::new(&text, &[from], to, definition) };
        let row = convert(format!("convert_$R{suffix}(a)"), converted);
        rows.push(if from.is_float() && !to.is_float() { row.partial() } else { row });
        if !to.is_float() {
            rows.push(convert(format!("convert_$R_sat{suffix}(a)"), saturated));
        }
    }
    if from.bits() != to.bits() {
        rows.push(Row::whole("as_$R(a)", &[from], to, reinterpreted).of(Lengths::SameBits));
    }
    if from.bits() == to.bits() {
        rows.push(Row::new("as_$R(a)", &[from], to, |row, operands| {
            let value = row.result.read(&row.operand().write(operands[0]));
            match (value, operands[0]) {
                // A NaN may lose its bits on the way through an operation on floats.
                (_, Number::Float(float)) if float.is_nan() => Wanted::Any,
                (Number::Int(value), _) => Wanted::Int(value),
                (Number::Float(exact), _) => Wanted::Float { exact, ulps: 0.0 },
            }
        }));
    }
    rows
}

/// The bits of a vector as components of another width.
fn reinterpreted(row: &Row, operands: &[Vec<Number>]) -> Vec<Wanted> {
    let is_open = |number: &Number| matches!(number, Number::Float(value) if value.is_nan());
    let bytes: Vec<u8> = operands[0].iter().flat_map(|&value| row.operand().write(value)).collect();
    let components = bytes.chunks(row.result.bytes());
    if operands[0].iter().any(is_open) {
        return components.map(|_| Wanted::Any).collect();
    }
    let value = |bytes: &[u8]| match row.result.read(bytes) {
        Number::Int(value) => Wanted::Int(value),
        Number::Float(value) if value.is_nan() => Wanted::Any,
        Number::Float(exact) => Wanted::Float { exact, ulps: 0.0 },
    };
    components.map(value).collect()
}

fn converted(row: &Row, operands: &[Number]) -> Wanted {
    match (operands[0], row.result.is_float()) {
        (Number::Int(value), false) => Wanted::Int(value),
        (Number::Int(value), true) => rounded(row.result.round_int(value, row.rounding)),
        (Number::Float(value), true) => rounded(row.result.round(value, row.rounding)),
        (Number::Float(value), false) => {
            let whole = round_to_int(value, row.rounding);
            let fits = whole >= row.result.least() as f64 && whole <= row.result.greatest() as f64;
            // The greatest integers of 32 and 64 bits are not floats: the float above them does not fit.
            let fits = fits && whole as i128 <= row.result.greatest();
            if fits { Wanted::Int(whole as i128) } else { Wanted::Any }
        }
    }
}

fn saturated(row: &Row, operands: &[Number]) -> Wanted {
    match operands[0] {
        Number::Int(value) => Wanted::Int(row.result.saturate(value)),
        Number::Float(value) if value.is_nan() => Wanted::Int(0),
        Number::Float(value) => Wanted::Int(row.result.saturate(round_to_int(value, row.rounding) as i128)),
    }
}

/// A value of the result type, which has to come out.
fn rounded(value: f64) -> Wanted {
    Wanted::Near { exact: value, distance: 0.0 }
}
