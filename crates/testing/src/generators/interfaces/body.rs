//! The lines of one function.

use std::fmt::Write as _;

use super::{Field, Formula};

/// A function that is being written, with the constants that it needs.
#[derive(Debug, Default)]
pub(super) struct Body {
    pub(super) lines: String,
    pub(super) constants: std::collections::BTreeSet<u32>,
    next: usize,
}

impl Body {
    /// A line with a result of a type.
    pub(super) fn value(&mut self, ty: &str, right: &str) -> String {
        let name = self.fresh("%v");
        writeln!(self.lines, "  {name}: {ty} = {right}").expect("a string takes everything");
        name
    }

    /// A line of type-level code.
    pub(super) fn code(&mut self, right: &str) -> String {
        let name = self.fresh("%t");
        writeln!(self.lines, "  {name} = {right}").expect("a string takes everything");
        name
    }

    /// A line without a result.
    pub(super) fn line(&mut self, line: &str) {
        writeln!(self.lines, "  {line}").expect("a string takes everything");
    }

    /// A line before all others.
    pub(super) fn first_line(&mut self, head: &str, line: &str) {
        let at = self.lines.find(head).map_or(0, |at| at + head.len());
        self.lines.insert_str(at, &format!("\n  {line}"));
    }

    /// Starts a block.
    pub(super) fn block(&mut self, name: &str, parameters: &str) {
        writeln!(self.lines, "block {name}{parameters}:").expect("a string takes everything");
    }

    /// A new name.
    pub(super) fn fresh(&mut self, prefix: &str) -> String {
        self.next += 1;
        format!("{prefix}{}", self.next)
    }

    /// A constant number.
    pub(super) fn constant(&mut self, number: u32) -> String {
        self.constants.insert(number);
        format!("%c{number}")
    }

    /// An operation on numbers.
    pub(super) fn number(&mut self, op: &str, left: &str, right: &str) -> String {
        self.value("%u32", &format!("{op} {left}, {right}"))
    }

    /// The result of a formula.
    pub(super) fn formula(&mut self, formula: &Formula, inputs: &[String]) -> String {
        let mut numbers = inputs.to_vec();
        for step in &formula.steps {
            let left = numbers[step.left % numbers.len()].clone();
            let right = match step.right {
                Ok(index) => numbers[index % numbers.len()].clone(),
                Err(constant) => self.constant(constant),
            };
            numbers.push(self.number(step.op, &left, &right));
        }
        numbers.pop().expect("a formula has steps")
    }

    /// A value of a field, made of a number.
    pub(super) fn make(&mut self, field: Field, number: &str) -> String {
        match field {
            Field::Word => number.to_owned(),
            Field::Long => {
                let wide = self.value("%u64", &format!("u_convert {number}"));
                self.value("%u64", &format!("i_mul {wide}, %twice"))
            }
            Field::Short => self.value("%u16", &format!("u_convert {number}")),
            Field::Float => {
                let mask = self.constant(1023);
                let small = self.number("bitwise_and", number, &mask);
                self.value("%f32", &format!("convert_u_to_f {small}"))
            }
            Field::Boolean => {
                let [one, zero] = [1, 0].map(|number| self.constant(number));
                let bit = self.number("bitwise_and", number, &one);
                self.value("%bool", &format!("i_not_equal {bit}, {zero}"))
            }
            Field::Pair => {
                let five = self.constant(5);
                let other = self.number("bitwise_xor", number, &five);
                self.value("%pair", &format!("composite_construct {number}, {other}"))
            }
            Field::Array => {
                let seven = self.constant(7);
                let other = self.number("i_add", number, &seven);
                self.value("%array", &format!("composite_construct {number}, {other}, {number}"))
            }
        }
    }

    /// The number that a value of a field has.
    pub(super) fn number_of(&mut self, field: Field, value: &str) -> String {
        match field {
            Field::Word => value.to_owned(),
            Field::Long => {
                let high = self.value("%u64", &format!("shift_right_logical {value}, %half"));
                self.value("%u32", &format!("u_convert {high}"))
            }
            Field::Short => self.value("%u32", &format!("u_convert {value}")),
            Field::Float => self.value("%u32", &format!("convert_f_to_u {value}")),
            Field::Boolean => {
                let [one, zero] = [1, 0].map(|number| self.constant(number));
                self.value("%u32", &format!("select {value}, {one}, {zero}"))
            }
            Field::Pair | Field::Array => {
                let first = self.value("%u32", &format!("composite_extract {value}, 0"));
                let second = self.value("%u32", &format!("composite_extract {value}, 1"));
                self.number("i_sub", &second, &first)
            }
        }
    }
}

/// The name of a field's type.
pub(super) fn type_name(field: Field) -> &'static str {
    match field {
        Field::Word => "%u32",
        Field::Long => "%u64",
        Field::Short => "%u16",
        Field::Float => "%f32",
        Field::Boolean => "%bool",
        Field::Pair => "%pair",
        Field::Array => "%array",
    }
}
