//! The verifier of the target: what the VC4 does not compute is refused by name, before any instruction is selected.
//!
//! A refusal is a row as a rule is: operations and types ⇒ a name. An operation without effects that the table does not refuse has a rule (`select/rules/`).

use std::sync::LazyLock;

use reconverge_diagnostic::Diagnostic;
use reconverge_ir::{Function, Inst, Module, Op, OpGroup, view};
use reconverge_lanes::patterns::{Operation, Pattern, Row, Scalar, Support, Table, Typed, Types};
use spirv::GlslStd450Op as Glsl;

use crate::error::unsupported;
use crate::select::rules;

const DOUBLES: &str = "64-bit floats";
const DOTS: &str = "integer dot products";
const SATURATION: &str = "conversions that saturate";
const QUANTIZATION: &str = "rounding to the precision of a half";
const POINTERS: &str = "distances and memory semantics of pointers";
/// The types of the operands, which the message names.
const THESE_TYPES: &str = "of these types";
const HALVES: &str = "arithmetic of halves";

const LONG_LANES: &str = "64-bit values of other lanes";
const SHORT_LANES: &str = "an operation of a subgroup on values of 8 and 16 bits";

const ALL: Types = Types::ALL;
const NARROW: Types = Types::INT8.or(Types::INT16);
const LONG: Types = Types::INT64;
const NOT_WORDS: Types = Types::INT8.or(Types::INT16).or(Types::INT64);

/// Arithmetic of floats.
const ARITHMETIC: &[Operation] = &[
    Operation::Op(Op::FAdd),
    Operation::Op(Op::FSub),
    Operation::Op(Op::FMul),
    Operation::Op(Op::FDiv),
    Operation::Op(Op::FRem),
    Operation::Op(Op::FMod),
];
const TWO_PARTS: &[Operation] = &[
    Operation::Op(Op::IAddCarry),
    Operation::Op(Op::ISubBorrow),
    Operation::Op(Op::UMulExtended),
    Operation::Op(Op::SMulExtended),
];
/// Reductions and scans.
const INTEGER_REDUCTIONS: &[Operation] = &[
    Operation::Op(Op::GroupNonUniformIAdd),
    Operation::Op(Op::GroupNonUniformIMul),
    Operation::Op(Op::GroupNonUniformSMin),
    Operation::Op(Op::GroupNonUniformUMin),
    Operation::Op(Op::GroupNonUniformSMax),
    Operation::Op(Op::GroupNonUniformUMax),
    Operation::Op(Op::GroupNonUniformBitwiseAnd),
    Operation::Op(Op::GroupNonUniformBitwiseOr),
    Operation::Op(Op::GroupNonUniformBitwiseXor),
];
const FLOAT_REDUCTIONS: &[Operation] = &[
    Operation::Op(Op::GroupNonUniformFAdd),
    Operation::Op(Op::GroupNonUniformFMul),
    Operation::Op(Op::GroupNonUniformFMin),
    Operation::Op(Op::GroupNonUniformFMax),
];
/// Operations that give a lane the value of another one, or compare them.
const OF_OTHER_LANES: &[Operation] = &[
    Operation::Op(Op::GroupNonUniformAllEqual),
    Operation::Op(Op::GroupNonUniformBroadcast),
    Operation::Op(Op::GroupNonUniformBroadcastFirst),
    Operation::Op(Op::GroupNonUniformShuffle),
    Operation::Op(Op::GroupNonUniformShuffleXor),
    Operation::Op(Op::GroupNonUniformShuffleUp),
    Operation::Op(Op::GroupNonUniformShuffleDown),
    Operation::Op(Op::SubgroupFirstInvocationKHR),
    Operation::Op(Op::SubgroupReadInvocationKHR),
];
/// Operations of quads, and rotations.
const OF_QUADS: &[Operation] = &[
    Operation::Op(Op::GroupNonUniformQuadBroadcast),
    Operation::Op(Op::GroupNonUniformQuadSwap),
    Operation::Op(Op::GroupNonUniformRotateKHR),
];
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
/// The functions of floats that have a rule for floats of 32 bits.
const FUNCTIONS: &[Operation] = &[
    Operation::Glsl(Glsl::FAbs),
    Operation::Glsl(Glsl::FSign),
    Operation::Glsl(Glsl::Trunc),
    Operation::Glsl(Glsl::Floor),
    Operation::Glsl(Glsl::Ceil),
    Operation::Glsl(Glsl::Round),
    Operation::Glsl(Glsl::RoundEven),
    Operation::Glsl(Glsl::Fract),
    Operation::Glsl(Glsl::FMin),
    Operation::Glsl(Glsl::NMin),
    Operation::Glsl(Glsl::FMax),
    Operation::Glsl(Glsl::NMax),
    Operation::Glsl(Glsl::FClamp),
    Operation::Glsl(Glsl::NClamp),
    Operation::Glsl(Glsl::FMix),
    Operation::Glsl(Glsl::Fma),
    Operation::Glsl(Glsl::Step),
    Operation::Glsl(Glsl::Sqrt),
    Operation::Glsl(Glsl::InverseSqrt),
    Operation::Glsl(Glsl::Exp2),
    Operation::Glsl(Glsl::Log2),
    Operation::Glsl(Glsl::Exp),
    Operation::Glsl(Glsl::Log),
    Operation::Glsl(Glsl::Pow),
    Operation::Glsl(Glsl::Sin),
    Operation::Glsl(Glsl::Cos),
    Operation::Glsl(Glsl::Tan),
    Operation::Glsl(Glsl::Ldexp),
];
/// The other functions of floats.
const OTHER_FUNCTIONS: &[Operation] = &[
    Operation::Glsl(Glsl::Radians),
    Operation::Glsl(Glsl::Degrees),
    Operation::Glsl(Glsl::Asin),
    Operation::Glsl(Glsl::Acos),
    Operation::Glsl(Glsl::Atan),
    Operation::Glsl(Glsl::Sinh),
    Operation::Glsl(Glsl::Cosh),
    Operation::Glsl(Glsl::Tanh),
    Operation::Glsl(Glsl::Asinh),
    Operation::Glsl(Glsl::Acosh),
    Operation::Glsl(Glsl::Atanh),
    Operation::Glsl(Glsl::Atan2),
    Operation::Glsl(Glsl::SmoothStep),
    Operation::Glsl(Glsl::Length),
    Operation::Glsl(Glsl::Distance),
    Operation::Glsl(Glsl::Normalize),
    Operation::Glsl(Glsl::FaceForward),
    Operation::Glsl(Glsl::Reflect),
    Operation::Glsl(Glsl::Refract),
    Operation::Glsl(Glsl::Modf),
    Operation::Glsl(Glsl::Frexp),
    Operation::Glsl(Glsl::ModfStruct),
    Operation::Glsl(Glsl::FrexpStruct),
];
/// The functions of integers without a rule for 64 bits.
const FUNCTIONS_OF_WORDS: &[Operation] =
    &[Operation::Glsl(Glsl::SSign), Operation::Glsl(Glsl::SClamp), Operation::Glsl(Glsl::UClamp)];

const CLOCKS: &[Operation] = &[Operation::Op(Op::ReadClockKHR)];

/// A row of the table.
type Refusal = Row<&'static str>;

/// What is refused, beside 64-bit floats.
const REFUSALS: &[Refusal] = &[
    Refusal::new(ARITHMETIC, &[Types::HALF], Types::HALF, HALVES),
    Refusal::new(TWO_PARTS, &[NOT_WORDS], NOT_WORDS, THESE_TYPES),
    Refusal::new(&[Operation::Op(Op::QuantizeToF16)], &[ALL], ALL, QUANTIZATION),
    Refusal::new(SATURATING, &[ALL], ALL, SATURATION),
    Refusal::new(OF_POINTERS, &[ALL], ALL, POINTERS),
    Refusal::new(INTEGER_DOTS, &[ALL], ALL, DOTS),
    Refusal::new(CLOCKS, &[], ALL, "clocks"),
    Refusal::new(INTEGER_REDUCTIONS, &[NARROW, ALL], NARROW, SHORT_LANES),
    Refusal::new(FLOAT_REDUCTIONS, &[Types::HALF, ALL], Types::HALF, SHORT_LANES),
    Refusal::new(INTEGER_REDUCTIONS, &[LONG, ALL], LONG, LONG_LANES),
    Refusal::new(OF_OTHER_LANES, &[LONG, ALL], ALL, LONG_LANES),
    Refusal::new(OF_QUADS, &[ALL], ALL, "this operation of a subgroup"),
    Refusal::new(FUNCTIONS, &[Types::HALF, ALL], Types::HALF, THESE_TYPES),
    Refusal::new(&[Operation::Glsl(Glsl::Ldexp)], &[Types::FLOAT, LONG], Types::FLOAT, THESE_TYPES),
    Refusal::new(OTHER_FUNCTIONS, &[Types::HALF.or(Types::FLOAT), ALL], ALL, THESE_TYPES),
    Refusal::new(FUNCTIONS_OF_WORDS, &[LONG], LONG, THESE_TYPES),
];

static TABLE: LazyLock<Table<&str>> = LazyLock::new(|| Table::new(&[REFUSALS]));

/// The support of an operation on scalars, without effects or of a subgroup: a rule, or a refusal by name; `None` would be a gap. The operations
/// of subgroups have a selector of their own, and need no rule.
pub fn support(typed: &Typed) -> Option<Support> {
    match refusal(typed) {
        Some(what) => Some(Support::Refused(what)),
        None => (rules::has_rule(typed) || typed.operation.is_of_subgroup()).then_some(Support::Selected),
    }
}

fn refusal(typed: &Typed) -> Option<&'static str> {
    let is_double = |&ty: &Scalar| ty == Scalar::Float(64);
    let has_doubles = is_double(&typed.result) || typed.operands.iter().any(is_double);
    if has_doubles { Some(DOUBLES) } else { TABLE.find(typed).copied() }
}

/// The patterns of all rules and refusals.
pub fn patterns() -> impl Iterator<Item = &'static Pattern> {
    rules::patterns().chain(REFUSALS.iter().map(|row| &row.pattern))
}

/// Verifies that the VC4 has what the instructions of a function need. Linear in its instructions.
///
/// # Errors
/// The first block parameter that is refused, else the first instruction.
pub(crate) fn check(module: &Module, function: Function) -> Result<(), Diagnostic> {
    let parameters = module.blocks(function).flat_map(|block| module.parameters(block).map(Inst::from));
    let insts = module.blocks(function).flat_map(|block| module.children(block));
    parameters.chain(insts).try_for_each(|inst| check_inst(module, inst))
}

fn check_inst(module: &Module, inst: Inst) -> Result<(), Diagnostic> {
    let operands = (0..module.operand_count(inst)).map(|place| module.operand(inst, place));
    let scalar = |value: Inst| module.ty(value).and_then(|ty| Scalar::of(module, ty));
    if let Some(value) = std::iter::once(inst).chain(operands).find(|&value| scalar(value) == Some(Scalar::Float(64))) {
        return Err(error(module, value, DOUBLES));
    }
    let is_part = module.op(inst).group() == OpGroup::Composite;
    let typed = Typed::of(module, inst).filter(|_| !is_part);
    match typed.as_ref().and_then(refusal) {
        Some(what) => Err(error(module, inst, what)),
        None => Ok(()),
    }
}

/// The error of an instruction that is no operation on scalars, or that has no rule.
pub(crate) fn without_rule(module: &Module, inst: Inst) -> Diagnostic {
    let scalar = |value: Inst| module.ty(value).map(|ty| Scalar::of(module, ty));
    let is_foreign =
        view::ExtInst::of(module, inst).is_some_and(|view| !module.is_instruction_set(view.set, "GLSL.std.450"));
    let what = match scalar(inst) {
        None => "a value without a type",
        Some(None) => "a value that is not a scalar",
        Some(Some(_)) if is_foreign => "an instruction of this set",
        Some(Some(_)) => THESE_TYPES,
    };
    error(module, inst, what)
}

fn error(module: &Module, at: Inst, what: &str) -> Diagnostic {
    let typed = Typed::of(module, at).filter(|_| what == THESE_TYPES);
    let Some(typed) = typed else { return unsupported(at, format!("`{}`: {what}", module.op(at).name())) };
    let types = typed.operand_types();
    match typed.operation {
        function @ Operation::Glsl(_) => unsupported(at, format!("the function {function} of {types}")),
        Operation::Op(op) => unsupported(at, format!("`{}` of {types}", op.name())),
    }
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
