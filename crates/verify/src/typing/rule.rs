//! Type rules: lists of checks, each about the types of one or two operands or results of an instruction.
//!
//! A rule is data, and most ops need only few checks, such as "the result is a float or a vector of floats, and the operands have the
//! result's type". Other checks are functions ([`Check::By`]) next to the rules of their group.

use reconverge_ir::{Inst, Module, Op, view};

use super::facts::{Kinds, OTHER, SIGNED, TypeFacts, Types, UNSIGNED, describe};
use crate::Extent;
use crate::declared::Declared;
use crate::layout::Layout;
use crate::report::Report;

/// An operand or result with a type.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum TypedPart {
    /// The instruction's own type.
    Result,
    /// The operand with this number. An optional operand that is absent is not checked.
    Operand(usize),
    /// Every operand.
    Operands,
}

/// The instruction's own type.
pub(crate) const RESULT: TypedPart = TypedPart::Result;
/// Every operand.
pub(crate) const ALL: TypedPart = TypedPart::Operands;
pub(crate) const FIRST: TypedPart = TypedPart::Operand(0);
pub(crate) const SECOND: TypedPart = TypedPart::Operand(1);
pub(crate) const THIRD: TypedPart = TypedPart::Operand(2);
pub(crate) const FOURTH: TypedPart = TypedPart::Operand(3);
pub(crate) const FIFTH: TypedPart = TypedPart::Operand(4);
pub(crate) const SIXTH: TypedPart = TypedPart::Operand(5);

/// One condition on the types of an instruction.
#[derive(Clone, Copy)]
pub(crate) enum Check {
    /// The type has one of these kinds.
    Is(TypedPart, Kinds),
    /// Both have the same type.
    Same(TypedPart, TypedPart),
    /// Both have the same number of components.
    Count(TypedPart, TypedPart),
    /// Both have numbers of the same width.
    Width(TypedPart, TypedPart),
    /// Both have numbers of different widths.
    OtherWidth(TypedPart, TypedPart),
    /// The numbers have one of these widths.
    Bits(TypedPart, &'static [u32]),
    /// The first is the component type of the second, or its pointee type.
    PartOf(TypedPart, TypedPart),
    /// Any other condition: returns the error, if there is one.
    By(fn(&Asked<'_, '_>) -> Option<String>),
}

/// The checks of an op, in order: the first violation is reported.
pub(crate) type Rule = &'static [Check];

/// Facts about a module for the rules.
pub(crate) struct Context<'m> {
    pub(crate) module: &'m Module,
    pub(crate) types: Types,
    pub(crate) declared: Declared,
    /// The name of GLSL's instruction set, as a literal.
    pub(crate) glsl: Vec<u32>,
    /// The name of OpenCL's instruction set, as a literal.
    pub(crate) opencl: Vec<u32>,
}

impl<'m> Context<'m> {
    /// The facts about a module. It is a fragment if it has no memory model or if only parts are checked. Linear in its globals.
    pub(crate) fn of(module: &'m Module, layout: &Layout, extent: Extent) -> Context<'m> {
        let declared = Declared::of(module, layout, extent);
        let types = Types::compute(module, layout, &declared);
        let [glsl, opencl] = [&b"GLSL.std.450"[..], b"OpenCL.std"].map(reconverge_ir::literal::text_words);
        Context { module, types, declared, glsl, opencl }
    }

    /// Returns whether values of a type can only be loaded, stored and converted.
    pub(crate) fn is_storage_only(&self, ty: Inst) -> bool {
        self.types.of(ty).storage_only != 0
    }

    /// Returns whether an instruction has a decoration.
    pub(crate) fn is_decorated(&self, inst: Inst, wanted: spirv::Decoration) -> bool {
        self.module.decorated(inst).has(wanted)
    }

    /// The length of an array, if it is known before pipeline creation.
    pub(crate) fn length(&self, array: Inst) -> Option<u64> {
        self.constant(view::TypeArray::of(self.module, array)?.length)
    }

    /// The value of an integer constant that is not a specialization constant, sign-extended.
    pub(crate) fn constant(&self, inst: Inst) -> Option<u64> {
        if self.module.op(inst) == Op::ConstantNull {
            return Some(0);
        }
        let words = view::Constant::of(self.module, inst)?.value;
        let facts = self.types.of(self.module.ty(inst)?);
        let low = u64::from(*words.first()?);
        match (facts.kind, facts.width) {
            (SIGNED | UNSIGNED, 33..) => Some(low | u64::from(*words.get(1)?) << 32),
            (SIGNED, _) => Some(i64::from(low as u32 as i32) as u64),
            (UNSIGNED, _) => Some(low),
            _ => None,
        }
    }
}

/// The checked instruction.
pub(crate) struct Asked<'c, 'm> {
    pub(crate) context: &'c Context<'m>,
    pub(crate) inst: Inst,
    pub(crate) op: Op,
    /// The number of the operand that the rule calls the first: an extended instruction has its set and number before it.
    pub(crate) first: usize,
    pub(crate) report: &'c Report<'m>,
}

impl<'m> Asked<'_, 'm> {
    pub(crate) fn module(&self) -> &'m Module {
        self.context.module
    }

    /// The number of operands.
    pub(crate) fn count(&self) -> usize {
        self.module().operand_count(self.inst) - self.first
    }

    /// An operand, if it is present.
    pub(crate) fn operand(&self, number: usize) -> Option<Inst> {
        self.module().operands(self.inst).nth(self.first + number)
    }

    /// The word of a literal operand.
    pub(crate) fn word(&self, number: usize) -> Option<u32> {
        self.operand(number).and_then(|operand| self.module().literal_word(operand))
    }

    /// The type of a single operand or of the result.
    pub(crate) fn type_of(&self, part: TypedPart) -> Option<Inst> {
        match part {
            TypedPart::Result => self.module().ty(self.inst),
            TypedPart::Operand(number) => self.operand(number).and_then(|operand| self.module().ty(operand)),
            TypedPart::Operands => None,
        }
    }

    /// The facts about a type.
    pub(crate) fn about(&self, ty: Inst) -> &TypeFacts {
        self.context.types.of(ty)
    }

    /// The facts about the type of a single operand or of the result.
    pub(crate) fn facts(&self, part: TypedPart) -> Option<&TypeFacts> {
        self.type_of(part).map(|ty| self.about(ty))
    }

    /// The name of a type in messages.
    pub(crate) fn name(&self, inst: Inst) -> String {
        self.report.name(inst)
    }

    /// The name of a type and, of numbers and vectors, what they are: `%6 (a float of 32 bits)`.
    fn described(&self, ty: Inst) -> String {
        let (name, facts) = (self.name(ty), self.about(ty));
        match facts.width {
            0 => name,
            width => format!("{name} ({} of {width} bits)", describe(facts.kind)),
        }
    }
}

impl Check {
    /// The error, if there is one. Constant time, except for checks of all operands and for functions.
    pub(crate) fn problem(self, asked: &Asked<'_, '_>) -> Option<String> {
        match self {
            Check::By(function) => function(asked),
            Check::Is(TypedPart::Operands, kinds) => each(asked, |part| Check::Is(part, kinds)),
            Check::Same(TypedPart::Operands, other) => each(asked, |part| Check::Same(part, other)),
            Check::Count(TypedPart::Operands, other) => each(asked, |part| Check::Count(part, other)),
            Check::Width(TypedPart::Operands, other) => each(asked, |part| Check::Width(part, other)),
            Check::Is(part, kinds) => {
                let ty = asked.type_of(part);
                let is_right = match (ty, part) {
                    (Some(ty), _) => asked.about(ty).kind & (kinds | OTHER) != 0,
                    (None, TypedPart::Operand(number)) => asked.operand(number).is_none(),
                    _ => true,
                };
                (!is_right).then(|| format!("{} should be {}, found {}", noun(part), describe(kinds), found(asked, ty)))
            }
            Check::Bits(part, widths) => {
                let facts = asked.facts(part)?;
                (facts.width != 0 && !widths.contains(&facts.width)).then(|| {
                    let widths: Vec<String> = widths.iter().map(u32::to_string).collect();
                    format!("{} should have {} bits, found {}", noun(part), widths.join(" or "), facts.width)
                })
            }
            Check::Same(part, other) => same(asked, part, other),
            Check::Count(part, other) => related(asked, [part, other], &AS_MANY_COMPONENTS),
            Check::Width(part, other) => related(asked, [part, other], &AS_WIDE),
            Check::OtherWidth(part, other) => related(asked, [part, other], &NOT_AS_WIDE),
            Check::PartOf(part, whole) => {
                let (ty, whole_facts) = (asked.type_of(part)?, asked.facts(whole)?);
                let is_right = whole_facts.kind == OTHER || whole_facts.part.is_none_or(|part| part == ty);
                (!is_right).then(|| {
                    let expected = whole_facts.part.map_or_else(String::new, |part| asked.name(part));
                    format!(
                        "{} should be of type {expected}, a part of {}, found {}",
                        noun(part),
                        noun(whole),
                        asked.name(ty)
                    )
                })
            }
        }
    }
}

/// The first violation of a check by one of the operands.
fn each(asked: &Asked<'_, '_>, check: impl Fn(TypedPart) -> Check) -> Option<String> {
    (0..asked.count()).find_map(|number| check(TypedPart::Operand(number)).problem(asked))
}

fn same(asked: &Asked<'_, '_>, part: TypedPart, other: TypedPart) -> Option<String> {
    if matches!(part, TypedPart::Operand(number) if asked.operand(number).is_none()) {
        return None;
    }
    let (ty, expected) = (asked.type_of(part), asked.type_of(other));
    let is_known = |ty: Option<Inst>| ty.is_none_or(|ty| asked.about(ty).kind != OTHER);
    (ty != expected && (is_known(ty) || is_known(expected))).then(|| {
        let expected = expected.map_or_else(String::new, |expected| format!(", {}", asked.described(expected)));
        let found = ty.map_or_else(|| "no value".to_owned(), |ty| asked.described(ty));
        format!("{} should be of the type of {}{expected}, found {found}", noun(part), noun(other))
    })
}

/// A relation between two types: of a number that each has.
struct Relation {
    number: fn(&TypeFacts) -> u32,
    unit: &'static str,
    holds: fn(&u32, &u32) -> bool,
    words: &'static str,
}

const AS_MANY_COMPONENTS: Relation = Relation {
    number: |facts| facts.count,
    unit: "component",
    holds: u32::eq,
    words: "should have as many components as",
};
const AS_WIDE: Relation =
    Relation { number: |facts| facts.width, unit: "bit", holds: u32::eq, words: "should be as wide as" };
const NOT_AS_WIDE: Relation = Relation { holds: u32::ne, words: "should not be as wide as", ..AS_WIDE };

fn related(asked: &Asked<'_, '_>, parts: [TypedPart; 2], relation: &Relation) -> Option<String> {
    let [one, two] = [asked.facts(parts[0])?, asked.facts(parts[1])?];
    let [first, second] = [one, two].map(relation.number);
    let is_right = one.kind == OTHER || two.kind == OTHER || (relation.holds)(&first, &second);
    (!is_right).then(|| {
        let ([part, other], [one, two]) = (parts.map(noun), parts.map(|part| found(asked, asked.type_of(part))));
        let [first, second] = [first, second].map(|number| match number {
            1 => format!("1 {}", relation.unit),
            _ => format!("{number} {}s", relation.unit),
        });
        format!("{part} {} {other}: found {one} ({first}) and {two} ({second})", relation.words)
    })
}

/// The name of an operand or result in a message.
pub(crate) fn noun(part: TypedPart) -> String {
    match part {
        TypedPart::Result => "the result".to_owned(),
        TypedPart::Operand(number) => format!("operand {number}"),
        TypedPart::Operands => "each operand".to_owned(),
    }
}

fn found(asked: &Asked<'_, '_>, ty: Option<Inst>) -> String {
    ty.map_or_else(|| "no value".to_owned(), |ty| asked.name(ty))
}
