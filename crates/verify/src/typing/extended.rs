//! Imports of instruction sets (T14), and extended instructions of GLSL.std.450 (its specification, section 2): T11.

use reconverge_ir::debug_info::number;
use reconverge_ir::{Inst, view};
use spirv::{GlslStd450Op, OpenclStd100Op};

use super::facts::{FLOAT, FLOATS, INT, INTS, MATRIX, OTHER, POINTER, STRUCT, TypeFacts, VOID};
use super::rule::Check::{Bits, By, Count, Is, PartOf, Same, Width};
use super::rule::{ALL, Asked, FIRST, RESULT, Rule, SECOND, THIRD};
use super::{opencl, unknown};

/// The import of a set.
pub(super) const IMPORT: Rule = &[By(names_a_known_set)];
/// The known sets, except non-semantic ones, of which each tool may define its own.
const SETS: [&str; 10] = [
    "GLSL.std.450",
    "OpenCL.std",
    "DebugInfo",
    "OpenCL.DebugInfo.100",
    "SPV_AMD_gcn_shader",
    "SPV_AMD_shader_ballot",
    "SPV_AMD_shader_explicit_vertex_parameter",
    "SPV_AMD_shader_trinary_minmax",
    "TOSA.001000.1",
    "Arm.MotionEngine.100",
];
/// The beginning of the names of non-semantic sets (SPV_KHR_non_semantic_info).
const NON_SEMANTIC: &str = "NonSemantic.";

/// An instruction of any set.
pub(super) const EXTENDED: Rule = &[By(keeps_the_rule_of_its_set)];

const OF_FLOATS: Rule = &[Is(RESULT, FLOAT | FLOATS), Same(ALL, RESULT)];
/// The same for 16 and 32 bits only.
const OF_SHORT_FLOATS: Rule = &[Is(RESULT, FLOAT | FLOATS), Bits(RESULT, &[16, 32]), Same(ALL, RESULT)];
const OF_INTEGERS: Rule = &[Is(RESULT, INT | INTS), Is(ALL, INT | INTS), Count(ALL, RESULT), Width(ALL, RESULT)];
/// Bit searches, in 32-bit integers.
const FIND: Rule =
    &[Is(RESULT, INT | INTS), Is(FIRST, INT | INTS), Count(FIRST, RESULT), Width(FIRST, RESULT), Bits(RESULT, &[32])];
const DETERMINANT: Rule = &[Is(RESULT, FLOAT), Is(FIRST, MATRIX), By(is_square_of_result)];
const INVERSE: Rule = &[Is(RESULT, MATRIX), By(is_square), Same(FIRST, RESULT)];
const MODF: Rule = &[Is(RESULT, FLOAT | FLOATS), Same(FIRST, RESULT), Is(SECOND, POINTER), PartOf(RESULT, SECOND)];
const MODF_STRUCT: Rule = &[Is(RESULT, STRUCT), Is(FIRST, FLOAT | FLOATS), By(gives_both_parts)];
const FREXP: Rule = &[Is(RESULT, FLOAT | FLOATS), Same(FIRST, RESULT), Is(SECOND, POINTER), By(points_to_exponent)];
const FREXP_STRUCT: Rule = &[Is(RESULT, STRUCT), Is(FIRST, FLOAT | FLOATS), By(gives_part_and_exponent)];
const LDEXP: Rule = &[Is(RESULT, FLOAT | FLOATS), Same(FIRST, RESULT), Is(SECOND, INT | INTS), Count(SECOND, RESULT)];
const PACK_4X8: Rule = &[Is(RESULT, INT), Bits(RESULT, &[32]), Is(FIRST, FLOATS), By(takes_4), Bits(FIRST, &[32])];
const PACK_2X16: Rule = &[Is(RESULT, INT), Bits(RESULT, &[32]), Is(FIRST, FLOATS), By(takes_2), Bits(FIRST, &[32])];
const PACK_2X32: Rule = &[Is(RESULT, FLOAT), Bits(RESULT, &[64]), Is(FIRST, INTS), By(takes_2), Bits(FIRST, &[32])];
const UNPACK_4X8: Rule = &[Is(RESULT, FLOATS), By(gives_4), Bits(RESULT, &[32]), Is(FIRST, INT), Bits(FIRST, &[32])];
const UNPACK_2X16: Rule = &[Is(RESULT, FLOATS), By(gives_2), Bits(RESULT, &[32]), Is(FIRST, INT), Bits(FIRST, &[32])];
const UNPACK_2X32: Rule = &[Is(RESULT, INTS), By(gives_2), Bits(RESULT, &[32]), Is(FIRST, FLOAT), Bits(FIRST, &[64])];
const LENGTH: Rule = &[Is(RESULT, FLOAT), Is(FIRST, FLOAT | FLOATS), By(is_of_components)];
const DISTANCE: Rule = &[Is(RESULT, FLOAT), Is(FIRST, FLOAT | FLOATS), By(is_of_components), Same(SECOND, FIRST)];
const CROSS: Rule = &[Is(RESULT, FLOATS), By(gives_3), Same(ALL, RESULT)];
const REFRACT: Rule = &[Is(RESULT, FLOAT | FLOATS), Same(FIRST, RESULT), Same(SECOND, RESULT), Is(THIRD, FLOAT)];
const INTERPOLATE: Rule = &[Is(RESULT, FLOAT | FLOATS), Is(FIRST, POINTER), PartOf(RESULT, FIRST), By(is_input)];
const AT_SAMPLE: Rule = &[
    Is(RESULT, FLOAT | FLOATS),
    Is(FIRST, POINTER),
    PartOf(RESULT, FIRST),
    By(is_input),
    Is(SECOND, INT),
    Bits(SECOND, &[32]),
];
const AT_OFFSET: Rule = &[
    Is(RESULT, FLOAT | FLOATS),
    Is(FIRST, POINTER),
    PartOf(RESULT, FIRST),
    By(is_input),
    Is(SECOND, FLOATS),
    Bits(SECOND, &[32]),
    By(is_offset_in_plane),
];

/// The rule of an instruction of GLSL.std.450, and the number of its operands.
const fn glsl_rule(op: GlslStd450Op) -> Option<(Rule, usize)> {
    use spirv::GlslStd450Op as G;
    Some(match op {
        G::Round
        | G::RoundEven
        | G::Trunc
        | G::FAbs
        | G::FSign
        | G::Floor
        | G::Ceil
        | G::Fract
        | G::Sqrt
        | G::InverseSqrt
        | G::Normalize => (OF_FLOATS, 1),
        G::SAbs | G::SSign => (OF_INTEGERS, 1),
        G::Radians
        | G::Degrees
        | G::Sin
        | G::Cos
        | G::Tan
        | G::Asin
        | G::Acos
        | G::Atan
        | G::Sinh
        | G::Cosh
        | G::Tanh
        | G::Asinh
        | G::Acosh
        | G::Atanh
        | G::Exp
        | G::Log
        | G::Exp2
        | G::Log2 => (OF_SHORT_FLOATS, 1),
        G::Atan2 | G::Pow => (OF_SHORT_FLOATS, 2),
        G::Determinant => (DETERMINANT, 1),
        G::MatrixInverse => (INVERSE, 1),
        G::Modf => (MODF, 2),
        G::ModfStruct => (MODF_STRUCT, 1),
        G::FMin | G::FMax | G::Step | G::Reflect | G::NMin | G::NMax => (OF_FLOATS, 2),
        G::UMin | G::SMin | G::UMax | G::SMax => (OF_INTEGERS, 2),
        G::FClamp | G::FMix | G::SmoothStep | G::Fma | G::FaceForward | G::NClamp => (OF_FLOATS, 3),
        G::UClamp | G::SClamp => (OF_INTEGERS, 3),
        G::Frexp => (FREXP, 2),
        G::FrexpStruct => (FREXP_STRUCT, 1),
        G::Ldexp => (LDEXP, 2),
        _ => return glsl_rule_of_composites(op),
    })
}

/// The same for packing, unpacking, lengths and distances, bit searches and interpolation.
const fn glsl_rule_of_composites(op: GlslStd450Op) -> Option<(Rule, usize)> {
    use spirv::GlslStd450Op as G;
    Some(match op {
        G::PackSnorm4x8 | G::PackUnorm4x8 => (PACK_4X8, 1),
        G::PackSnorm2x16 | G::PackUnorm2x16 | G::PackHalf2x16 => (PACK_2X16, 1),
        G::PackDouble2x32 => (PACK_2X32, 1),
        G::UnpackSnorm2x16 | G::UnpackUnorm2x16 | G::UnpackHalf2x16 => (UNPACK_2X16, 1),
        G::UnpackSnorm4x8 | G::UnpackUnorm4x8 => (UNPACK_4X8, 1),
        G::UnpackDouble2x32 => (UNPACK_2X32, 1),
        G::Length => (LENGTH, 1),
        G::Distance => (DISTANCE, 2),
        G::Cross => (CROSS, 2),
        G::Refract => (REFRACT, 3),
        G::FindILsb => (OF_INTEGERS, 1),
        G::FindSMsb | G::FindUMsb => (FIND, 1),
        G::InterpolateAtCentroid => (INTERPOLATE, 1),
        G::InterpolateAtSample => (AT_SAMPLE, 2),
        G::InterpolateAtOffset => (AT_OFFSET, 2),
        _ => return None,
    })
}

fn names_a_known_set(asked: &Asked<'_, '_>) -> Option<String> {
    let name = view::ExtInstImport::of(asked.module(), asked.inst)?.name.to_string();
    let is_known = SETS.contains(&&*name) || name.starts_with(NON_SEMANTIC);
    (asked.context.declared.is_whole && !is_known).then(|| format!("there is no instruction set {name:?}"))
}

fn keeps_the_rule_of_its_set(asked: &Asked<'_, '_>) -> Option<String> {
    let set = asked.operand(view::ExtInst::SLOT.set)?;
    let module = asked.module();
    if module.op(set) != reconverge_ir::Op::ExtInstImport {
        return Some(format!("operand 0 should be an imported instruction set, found {}", asked.name(set)));
    }
    let number = asked.word(view::ExtInst::SLOT.instruction)?;
    let name = view::ExtInstImport::of(module, set)?.name;
    if let Some(problem) = place_problem(asked, &name.to_string(), number) {
        return Some(problem);
    }
    let name = name.words();
    if name == asked.context.opencl {
        let inner = Asked { first: view::ExtInst::SLOT.operands, ..*asked };
        let rule = OpenclStd100Op::from_u32(number).map(opencl::rule)?;
        let problem = rule.iter().find_map(|check| check.problem(&inner))?;
        return Some(format!("instruction {number} of OpenCL.std: {problem}"));
    }
    if name != asked.context.glsl {
        return None;
    }
    let Some((rule, count)) = GlslStd450Op::from_u32(number).and_then(glsl_rule) else {
        return Some(format!("GLSL.std.450 has no instruction {number}"));
    };
    let inner = Asked { first: view::ExtInst::SLOT.operands, ..*asked };
    if inner.count() != count {
        return Some(format!("instruction {number} of GLSL.std.450 has {count} operands, found {}", inner.count()));
    }
    let problem = rule.iter().find_map(|check| check.problem(&inner))?;
    Some(format!("instruction {number} of GLSL.std.450: {problem}"))
}

/// Sets whose instructions describe a program and have no result value.
const TELLING: [&str; 3] = ["OpenCL.DebugInfo.100", "NonSemantic.Shader.DebugInfo.", "NonSemantic.ClspvReflection."];
/// Debug instructions in functions: places, scopes and values of variables.
const IN_FUNCTIONS: [u32; 8] = [
    number::SCOPE,
    number::NO_SCOPE,
    number::DECLARE,
    number::VALUE,
    number::FUNCTION_DEFINITION,
    number::SOURCE_CONTINUED,
    number::LINE,
    number::NO_LINE,
];

/// Only non-semantic instructions may be outside functions; those that describe types and scopes must be there.
fn place_problem(asked: &Asked<'_, '_>, set: &str, number: u32) -> Option<String> {
    let module = asked.module();
    let is_outside = module.parent(asked.inst) == Some(module.root());
    let tells = TELLING.iter().any(|&telling| set.starts_with(telling));
    let is_debug = tells && set.contains("DebugInfo");
    match () {
        () if tells && asked.facts(RESULT).is_some_and(|facts| facts.kind & (VOID | OTHER) == 0) => {
            Some(format!("instruction {number} of {set} should have type void"))
        }
        () if is_outside && !set.starts_with(NON_SEMANTIC) && !set.contains("DebugInfo") => {
            Some(format!("an instruction of {set} should be in a block"))
        }
        () if is_outside && unknown::names_a_local(module, asked.inst) => {
            Some("a value of a function cannot be used outside the function".to_owned())
        }
        () if is_debug && !is_outside && !IN_FUNCTIONS.contains(&number) => {
            Some(format!("instruction {number} of {set} should be outside functions"))
        }
        () => None,
    }
}

fn is_square(asked: &Asked<'_, '_>) -> Option<String> {
    square_problem(asked, asked.type_of(RESULT)?)
}

fn square_problem(asked: &Asked<'_, '_>, ty: Inst) -> Option<String> {
    let matrix = asked.about(ty);
    (matrix.kind == MATRIX && asked.about(matrix.part?).count != matrix.count)
        .then(|| format!("the matrix should have as many rows as columns, found {}", asked.name(ty)))
}

fn is_square_of_result(asked: &Asked<'_, '_>) -> Option<String> {
    let ty = asked.type_of(FIRST)?;
    square_problem(asked, ty).or_else(|| {
        let column = asked.about(asked.about(ty).part?);
        (column.part != asked.type_of(RESULT))
            .then(|| "the result should be of the type of the matrix's components".to_owned())
    })
}

fn members(asked: &Asked<'_, '_>) -> Option<[Inst; 2]> {
    let ty = asked.type_of(RESULT).filter(|&ty| asked.about(ty).kind == STRUCT)?;
    let mut members = asked.module().operands(ty);
    let pair = [members.next()?, members.next()?];
    members.next().is_none().then_some(pair)
}

fn gives_both_parts(asked: &Asked<'_, '_>) -> Option<String> {
    let ty = asked.type_of(FIRST)?;
    let is_right = members(asked).is_some_and(|members| members == [ty; 2]) || asked.facts(RESULT)?.kind == OTHER;
    (!is_right).then(|| format!("the result should be a struct of two members of type {}", asked.name(ty)))
}

/// Returns whether a type is that of the exponents of floats.
fn is_exponent(of: &TypeFacts, exponent: &TypeFacts) -> bool {
    exponent.kind == OTHER
        || exponent.kind & (INT | INTS) != 0
            && exponent.count == of.count
            && (exponent.width == 32 || exponent.width == 16 && of.width == 16)
}

fn gives_part_and_exponent(asked: &Asked<'_, '_>) -> Option<String> {
    let (ty, of) = (asked.type_of(FIRST)?, asked.facts(FIRST)?);
    let is_right = match members(asked) {
        Some([part, exponent]) => part == ty && is_exponent(of, asked.about(exponent)),
        None => asked.facts(RESULT)?.kind == OTHER,
    };
    (!is_right).then(|| {
        format!(
            "the result should be a struct of {} and a 32-bit integer (or vector) with the same number of components",
            asked.name(ty)
        )
    })
}

fn points_to_exponent(asked: &Asked<'_, '_>) -> Option<String> {
    let (of, pointer) = (asked.facts(RESULT)?, asked.facts(SECOND)?);
    let is_right = pointer.kind == OTHER || pointer.part.is_some_and(|part| is_exponent(of, asked.about(part)));
    (!is_right).then(|| "operand 1 should point to as many integers of 32 bits as the result has components".to_owned())
}

fn components(asked: &Asked<'_, '_>, part: super::rule::TypedPart, wanted: u32) -> Option<String> {
    let facts = asked.facts(part)?;
    (facts.kind != OTHER && facts.count != wanted)
        .then(|| format!("there should be {wanted} components, found {}", facts.count))
}

fn takes_4(asked: &Asked<'_, '_>) -> Option<String> {
    components(asked, FIRST, 4)
}

fn takes_2(asked: &Asked<'_, '_>) -> Option<String> {
    components(asked, FIRST, 2)
}

fn gives_4(asked: &Asked<'_, '_>) -> Option<String> {
    components(asked, RESULT, 4)
}

fn gives_2(asked: &Asked<'_, '_>) -> Option<String> {
    components(asked, RESULT, 2)
}

fn gives_3(asked: &Asked<'_, '_>) -> Option<String> {
    components(asked, RESULT, 3)
}

fn is_of_components(asked: &Asked<'_, '_>) -> Option<String> {
    let (ty, facts) = (asked.type_of(FIRST)?, asked.facts(FIRST)?);
    let component = if facts.kind & FLOATS != 0 { facts.part? } else { ty };
    (facts.kind != OTHER && asked.type_of(RESULT) != Some(component))
        .then(|| format!("the result should be of type {}, that of the components", asked.name(component)))
}

fn is_input(asked: &Asked<'_, '_>) -> Option<String> {
    let pointer = asked.facts(FIRST).filter(|facts| facts.kind == POINTER)?;
    (pointer.class != spirv::StorageClass::Input as u32).then(|| "operand 0 should point to an input".to_owned())
}

fn is_offset_in_plane(asked: &Asked<'_, '_>) -> Option<String> {
    components(asked, SECOND, 2)
}
