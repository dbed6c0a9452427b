//! Functions that move values: loads and stores of halves (OpenCL C 3.0, section 6.15.7), shuffles (6.15.14), and vectors in memory.

use super::number::{Number, Rounding, Type};
use super::row::{Lengths, Row, Wanted};

const HALF: Type = Type::Float { bits: 16 };
const FLOAT: Type = Type::Float { bits: 32 };
const MODES: [(&str, Rounding); 5] = [
    ("", Rounding::Nearest),
    ("_rte", Rounding::Nearest),
    ("_rtz", Rounding::Zero),
    ("_rtp", Rounding::Up),
    ("_rtn", Rounding::Down),
];

pub(super) fn rows() -> Vec<Row> {
    let mut rows = Vec::new();
    for from in [FLOAT, Type::Float { bits: 64 }] {
        for (suffix, rounding) in MODES {
            for aligned in ["", "a"] {
                let lengths = if aligned.is_empty() { Lengths::Each } else { Lengths::Vectors };
                let private = ("half p[32] __attribute__((aligned(32)));", "p", 1);
                for (variable, place, index) in [private, ("", "(local half *)$L", 0), ("", "(global half *)$G", 0)] {
                    let store = format!("vstore{aligned}_half$N{suffix}(a, {index}, {place})");
                    let text = format!("({{ {variable} {store}; vload{aligned}_half$N({index}, {place}); }})");
                    rows.push(Row { rounding, lengths, ..Row::new(&text, &[from], FLOAT, through_half) });
                }
            }
        }
    }
    for ty in Type::INTEGERS.into_iter().chain(Type::FLOATS) {
        let mask = ty.as_unsigned();
        rows.push(Row::whole("shuffle2(a, b, c)", &[ty, ty, mask], ty, shuffled).of(Lengths::Shuffled));
        rows.push(Row::whole("shuffle(a, b)", &[ty, mask], ty, shuffled).of(Lengths::Shuffled));
        let places = [
            "({ $t p[20]; vstore$N(a, 0, p + 1); vload$N(0, p + 1); })",
            "({ vstore$N(a, 0, (local $t *)$L); vload$N(0, (local $t *)$L); })",
            "({ vstore$N(a, 0, (global $t *)$G); vload$N(0, (global $t *)$G); })",
            "vload$N(i, $K)",
            "({ prefetch(pa + i, 1); a; })",
        ];
        let moved = |_: &Row, operands: &[Number]| same(operands[0]);
        rows.extend(places.map(|text| Row::new(text, &[ty], ty, moved).of(Lengths::Vectors)));
        let addressed =
            ["({ $T p = a; *to_private(&p); })", "({ *$L = a; *to_local($L); })", "({ *$G = a; *to_global($G); })"];
        rows.extend(addressed.map(|text| Row::new(text, &[ty], ty, moved)));
    }
    for (text, lengths) in [
        ("vload_half$N(i, $K)", Lengths::Each),
        ("vload_half$N(i, pa)", Lengths::Each),
        ("vloada_half$N(i, $K)", Lengths::Shuffled),
        ("vloada_half$N(i, pa)", Lengths::Shuffled),
    ] {
        rows.push(Row::new(text, &[HALF], FLOAT, |_, operands| same(operands[0])).of(lengths));
    }
    rows
}

fn same(value: Number) -> Wanted {
    match value {
        Number::Int(value) => Wanted::Int(value),
        Number::Float(exact) => Wanted::Float { exact, ulps: 0.0 },
    }
}

fn through_half(row: &Row, operands: &[Number]) -> Wanted {
    match operands[0] {
        Number::Float(value) => Wanted::Near { exact: HALF.round(value, row.rounding), distance: 0.0 },
        Number::Int(value) => Wanted::Int(value),
    }
}

/// The components of all vectors but the last, chosen by the low bits of the components of the last.
fn shuffled(_: &Row, operands: &[Vec<Number>]) -> Vec<Wanted> {
    let (mask, vectors) = operands.split_last().expect("invariant: a shuffle has a mask");
    let all: Vec<Number> = vectors.iter().flatten().copied().collect();
    let choose = |number: &Number| match number {
        Number::Int(index) => same(all[index.rem_euclid(all.len() as i128) as usize]),
        Number::Float(_) => Wanted::Any,
    };
    mask.iter().map(choose).collect()
}
