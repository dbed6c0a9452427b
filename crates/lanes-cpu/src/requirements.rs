//! The verifier of the target: what the engine does not compute is refused by name, before any instruction is selected.
//!
//! A refusal is a row as a rule is: operations and types ⇒ a name. An operation without effects that the table does not refuse has a rule (`select/rules.rs`).

use std::sync::LazyLock;

use reconverge_diagnostic::Diagnostic;
use reconverge_ir::{Function, Module, Op};
use reconverge_lanes::patterns::{Operation, Pattern, Row, Support, Table, Typed, Types};
use spirv::GlslStd450Op as Glsl;

use crate::error::unsupported;
use crate::select::rules;

const ALL: Types = Types::ALL;

const REMAINDERS: &[Operation] = &[Operation::Op(Op::FRem), Operation::Op(Op::FMod)];
const SATURATING: &[Operation] = &[Operation::Op(Op::SatConvertSToU), Operation::Op(Op::SatConvertUToS)];
const OF_POINTERS: &[Operation] = &[Operation::Op(Op::PtrDiff), Operation::Op(Op::GenericPtrMemSemantics)];
/// Products of the bytes of words.
const INTEGER_DOTS: &[Operation] = &[
    Operation::Op(Op::SDot),
    Operation::Op(Op::UDot),
    Operation::Op(Op::SUDot),
    Operation::Op(Op::SDotAccSat),
    Operation::Op(Op::UDotAccSat),
    Operation::Op(Op::SUDotAccSat),
];
/// Functions of vectors, which take scalars too.
const OF_VECTORS: &[Operation] = &[
    Operation::Glsl(Glsl::Length),
    Operation::Glsl(Glsl::Distance),
    Operation::Glsl(Glsl::Normalize),
    Operation::Glsl(Glsl::FaceForward),
    Operation::Glsl(Glsl::Reflect),
    Operation::Glsl(Glsl::Refract),
];
/// Functions with a second result.
const TWO_RESULTS: &[Operation] = &[
    Operation::Glsl(Glsl::Modf),
    Operation::Glsl(Glsl::Frexp),
    Operation::Glsl(Glsl::ModfStruct),
    Operation::Glsl(Glsl::FrexpStruct),
];

const CLOCKS: &[Operation] = &[Operation::Op(Op::ReadClockKHR)];

/// A row of the table.
type Refusal = Row<&'static str>;

const REFUSALS: &[Refusal] = &[
    Refusal::new(REMAINDERS, &[Types::DOUBLE], Types::DOUBLE, "remainders of 64-bit floats"),
    Refusal::new(SATURATING, &[ALL], ALL, "conversions that saturate"),
    Refusal::new(OF_POINTERS, &[ALL], ALL, "distances and memory semantics of pointers"),
    Refusal::new(INTEGER_DOTS, &[ALL], ALL, "integer dot products"),
    Refusal::new(CLOCKS, &[], ALL, "clocks"),
    Refusal::new(OF_VECTORS, &[ALL], ALL, "functions of vectors"),
    Refusal::new(TWO_RESULTS, &[ALL], ALL, "functions with two results"),
];

static TABLE: LazyLock<Table<&str>> = LazyLock::new(|| Table::new(&[REFUSALS]));

/// The support of an operation on scalars, without effects or of a subgroup: a rule, or a refusal by name; `None` would be a gap. The operations
/// of subgroups have a selector of their own, and need no rule.
pub fn support(typed: &Typed) -> Option<Support> {
    match TABLE.find(typed) {
        Some(what) => Some(Support::Refused(what)),
        None => (rules::has_rule(typed) || typed.operation.is_of_subgroup()).then_some(Support::Selected),
    }
}

/// The patterns of all rules and refusals.
pub fn patterns() -> impl Iterator<Item = &'static Pattern> {
    rules::patterns().chain(REFUSALS.iter().map(|row| &row.pattern))
}

/// Verifies that the engine has what the instructions of a function need. Linear in its instructions.
///
/// # Errors
/// The first instruction that is refused.
pub(crate) fn check(module: &Module, function: Function) -> Result<(), Diagnostic> {
    for inst in module.blocks(function).flat_map(|block| module.children(block)) {
        if let Some(typed) = Typed::of(module, inst)
            && let Some(what) = TABLE.find(&typed)
        {
            return Err(unsupported(inst, format!("`{}`: {what}", typed.operation)));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::patterns;
    use reconverge_lanes::patterns::overlaps;

    #[test]
    fn no_instruction_matches_two_rows() {
        assert_eq!(overlaps(patterns()), Vec::<String>::new());
    }
}
