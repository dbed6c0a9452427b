//! Functions that are not exact, against a table of results rounded from hundreds of digits.
//!
//! `extended_reference.txt` was made with mpmath at 400 to 5000 bits. A row is the name and the number of an instruction of
//! `OpenCL.std`, the width, the operands as bits in hexadecimal (integers in decimal behind an `i`), `=` and the nearest result. A
//! longer table of that form can be given in the environment variable `EXTENDED_REFERENCE`.

use std::collections::BTreeMap;

use crate::common::Ty;
use crate::extended_common::open_cl;
use reconverge_interpret::Value;

/// The operands of an instruction, and the result.
type Row = (Vec<Value>, u64);

fn operand(width: u8, text: &str) -> Value {
    match text.strip_prefix('i') {
        Some(integer) => Value::i32(integer.parse().expect("an integer")),
        None => Value::Float { width, bits: u64::from_str_radix(text, 16).expect("bits in hexadecimal") },
    }
}

fn rows(table: &str) -> BTreeMap<(&str, u32, u8), Vec<Row>> {
    let mut rows: BTreeMap<(&str, u32, u8), Vec<Row>> = BTreeMap::new();
    for line in table.lines() {
        let (left, result) = line.split_once(" = ").expect("operands and a result");
        let words: Vec<&str> = left.split(' ').collect();
        let width = words[2].parse().expect("a width");
        let operands = words[3..].iter().map(|word| operand(width, word)).collect();
        let result = u64::from_str_radix(result, 16).expect("bits in hexadecimal");
        rows.entry((words[0], words[1].parse().expect("a number"), width)).or_default().push((operands, result));
    }
    rows
}

/// How many representable numbers lie between two of one sign.
fn distance(a: u64, b: u64) -> u64 {
    a.abs_diff(b)
}

#[test]
fn functions_give_the_nearest_number() {
    let longer = std::env::var("EXTENDED_REFERENCE").ok();
    let longer = longer.map(|path| std::fs::read_to_string(path).expect("the table can be read"));
    let table = longer.as_deref().unwrap_or(include_str!("extended_reference.txt"));
    let mut failures = Vec::new();
    for ((name, number, width), rows) in rows(table) {
        let types: Vec<Ty> = rows[0]
            .0
            .iter()
            .map(|operand| match operand {
                Value::Int { .. } => Ty::Int(32),
                _ => Ty::Float(width),
            })
            .collect();
        let unit = open_cl(number, &types, Ty::Float(width));
        let found = unit.values(rows.iter().map(|(operands, _)| operands.clone()));
        let mut wrong = 0;
        for ((operands, expected), found) in rows.iter().zip(found) {
            let Value::Float { bits, .. } = found else { panic!("{name} of {operands:?} is {found:?}") };
            if bits != *expected {
                wrong += 1;
                if wrong <= 4 {
                    let off = distance(bits, *expected);
                    failures.push(format!("{name} {operands:?}: {found:?}, {off} off"));
                }
            }
        }
        if wrong > 0 {
            failures.push(format!("{name} of {width} bits: {wrong} of {} wrong", rows.len()));
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}
