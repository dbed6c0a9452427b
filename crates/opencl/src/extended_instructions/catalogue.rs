//! The table of OpenCL.std as data for other code.

use super::table::{Form, Lowering, OpenClLowering, ROWS, Widths};

/// The lowering of an instruction of OpenCL.std.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct OpenClInstruction {
    /// Its number in OpenCL.std.
    pub number: u32,
    /// Its name in OpenCL.std.
    pub name: String,
    /// Its lowering: an instruction of GLSL.std.450 by its name, or the kind of expansion.
    pub becomes: String,
    /// The types that are computed in another width, or not supported.
    pub types: &'static str,
    /// The precision that OpenCL requires, in 32 bits.
    pub required: &'static str,
    /// The precision after lowering.
    pub given: &'static str,
}

/// The lowering of each instruction of OpenCL.std, in the order of their numbers.
pub fn open_cl_instructions() -> impl Iterator<Item = OpenClInstruction> {
    ROWS.iter().map(|row| OpenClInstruction {
        number: row.instruction as u32,
        name: format!("{:?}", row.instruction),
        becomes: becomes(row),
        types: types(row),
        required: row.required,
        given: row.given,
    })
}

fn becomes(row: &OpenClLowering) -> String {
    let kind = match (row.lowering, row.form) {
        (Lowering::Glsl(instruction), _) => return format!("{instruction:?}"),
        (Lowering::Formula(_), Form::InPlace) => "formula",
        (Lowering::Formula(_), Form::Function) => "function",
        (Lowering::Stored(..), Form::InPlace) => "two formulas",
        (Lowering::Stored(..), Form::Function) => "two functions",
        (Lowering::Special(_), _) => "loads, stores, shuffles",
        (Lowering::Earlier, _) => "what an earlier pass makes of it",
    };
    kind.to_owned()
}

fn types(row: &OpenClLowering) -> &'static str {
    match row.widths {
        Widths::All => "",
        Widths::Wide => "halves in 32 bits",
        Widths::Single => "halves in 32 bits, no doubles",
    }
}

#[cfg(test)]
mod tests {
    use super::open_cl_instructions;

    #[test]
    fn every_instruction_has_a_row() {
        let numbers: Vec<u32> = open_cl_instructions().map(|row| row.number).collect();
        let all: Vec<u32> = (0..=110).chain(141..=187).chain(201..=204).collect();
        assert_eq!(numbers, all);
    }
}
