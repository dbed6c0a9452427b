//! The combinations of an operation and types that exist: those that the verifier of the IR accepts.
//!
//! The operations are the ops whose row of the op table says that they compute a value from values, and the instructions of `GLSL.std.450`, with
//! every number of operands up to four. Each is tried with all types of the result and the operands, at most two in all: no rule of the verifier
//! relates more. The verifier decides, as [`EXCLUDED`] names what it accepts and no back end has to.
//!
//! The candidates are instructions of one function. A violation of one family of rules hides those of later families, so that the rest is verified
//! again until nothing is found: O(candidates) a round, and as many rounds as families.

use std::collections::HashSet;
use std::fmt::{self, Write};

use reconverge_ir::{Effects, Inst, Module, Op, OpGroup, OperandKind};
use reconverge_lanes::patterns::{Operation, Typed};
use reconverge_verify::verify;
use spirv::GlslStd450Op as Glsl;

use super::scalar::Scalar;

/// An operation with its types.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Combination {
    pub(super) operation: Operation,
    /// The type of the result.
    pub(super) result: Scalar,
    pub(super) operands: Vec<Scalar>,
    /// The part of a result that has two.
    pub(super) part: Option<Part>,
}

/// A part of a result.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Part {
    /// The types of both parts.
    pub(super) types: [Scalar; 2],
    pub(super) index: usize,
}

/// Groups of ops that compute a value from values, or seem to, and that this test does not judge, each with the reason.
const EXCLUDED: [(OpGroup, &str); 3] = [
    (OpGroup::Address, "the result is the address of a part of a variable; the tests of memory judge it"),
    (OpGroup::ImageValue, "the operand is the result of an access to an image; no engine has images"),
    (OpGroup::Size, "the operand is a type or what has no value in an engine; the result is a constant"),
];

/// The most operands of an operation.
const OPERANDS: usize = 4;

/// All combinations.
pub(super) fn combinations() -> Vec<Combination> {
    let mut rest = candidates();
    loop {
        let module = module_of(&rest);
        let wrong: HashSet<Inst> = verify(&module).into_iter().filter_map(|finding| finding.inst).collect();
        let function = module.functions().next().expect("the module has a function");
        let entry = module.blocks(function).next().expect("the function has a block");
        let tried: Vec<Inst> = module.children(entry).skip(Scalar::ALL.len()).take(rest.len()).collect();
        let count = rest.len();
        let valid = rest.into_iter().zip(tried).filter(|(_, inst)| !wrong.contains(inst));
        rest = valid.map(|(combination, _)| combination).collect();
        assert!(wrong.is_empty() || rest.len() < count, "the verifier finds something in the frame of the candidates");
        if wrong.is_empty() {
            return rest;
        }
    }
}

fn candidates() -> Vec<Combination> {
    let mut candidates = Vec::new();
    let is_excluded = |op: Op| EXCLUDED.iter().any(|&(group, _)| group == op.group());
    for &op in Op::ALL.iter().filter(|&&op| computes(op) && !is_excluded(op)) {
        match (op.group(), op.required_operands()) {
            (OpGroup::WideArithmetic, count) => add_pairs(Operation::Op(op), count, &mut candidates),
            (_, count) => add_scalars(Operation::Op(op), count, &mut candidates),
        }
    }
    for function in (0..256).filter_map(Glsl::from_u32).map(Operation::Glsl) {
        for count in 1..OPERANDS {
            add_scalars(function, count, &mut candidates);
        }
        add_pairs(function, 1, &mut candidates);
    }
    candidates
}

/// Returns whether an op computes a value from other values alone.
fn computes(op: Op) -> bool {
    let is_pure = op.effects().is_pure() || op.effects() == Effects::TRAPS;
    let count = op.required_operands();
    let are_values = (0..count).all(|place| op.operand_kind(place) == Some(OperandKind::Value));
    is_pure && op.has_type() && are_values && (1..=OPERANDS).contains(&count)
}

fn add_scalars(operation: Operation, count: usize, candidates: &mut Vec<Combination>) {
    let free = if count > 2 { count - 1 } else { count };
    for number in 0..Scalar::ALL.len().pow(free as u32 + 1) {
        let mut types: Vec<Scalar> = digits(number, free + 1).collect();
        if count > 2 {
            types.push(types[free]);
        }
        let mut different = types.clone();
        different.sort_unstable();
        different.dedup();
        if different.len() <= 2 {
            let result = types.remove(0);
            candidates.push(Combination { operation, result, operands: types, part: None });
        }
    }
}

fn add_pairs(operation: Operation, count: usize, candidates: &mut Vec<Combination>) {
    for first in Scalar::ALL {
        for second in Scalar::ALL {
            for index in [0, 1] {
                let types = [first, second];
                let part = Some(Part { types, index });
                let combination = Combination { operation, result: types[index], operands: vec![first; count], part };
                candidates.push(combination);
            }
        }
    }
}

/// The types whose positions are the digits of a number.
fn digits(number: usize, count: usize) -> impl Iterator<Item = Scalar> {
    let base = Scalar::ALL.len();
    (0..count).map(move |place| Scalar::ALL[number / base.pow(place as u32) % base])
}

/// A function with one instruction for each candidate.
fn module_of(candidates: &[Combination]) -> Module {
    let mut text = String::from("%glsl = ext_inst_import \"GLSL.std.450\"\n%void = type_void\n");
    text += &Scalar::ALL.iter().map(|ty| declaration(*ty)).collect::<String>();
    for first in Scalar::ALL {
        for second in Scalar::ALL {
            writeln!(text, "%pair_{first}_{second} = type_struct %{first}, %{second}").expect("text grows");
        }
    }
    text += "func %f: %void () stage structured {\nblock ^entry:\n";
    for ty in Scalar::ALL {
        writeln!(text, "  %a_{ty}: %{ty} = undef").expect("text grows");
    }
    for (index, combination) in candidates.iter().enumerate() {
        let operands: Vec<String> = combination.operands.iter().map(|ty| format!("%a_{ty}")).collect();
        writeln!(text, "  {}", combination.instruction(&format!("r{index}"), &operands)).expect("text grows");
    }
    text += "  return\n}\n";
    reconverge::ir::text::parse(&text).unwrap_or_else(|error| panic!("{error}"))
}

/// The declaration of a type.
pub(super) fn declaration(ty: Scalar) -> String {
    match ty {
        Scalar::Bool => "%bool = type_bool\n".to_owned(),
        Scalar::Int(bits) => format!("%{ty} = type_int {bits}, 0\n"),
        Scalar::Float(bits) => format!("%{ty} = type_float {bits}\n"),
        Scalar::Pointer => "%pointer = type_pointer PhysicalStorageBuffer, %i32\n".to_owned(),
    }
}

impl Combination {
    /// The combination as the back ends' tables know it.
    pub(super) fn typed(&self) -> Typed {
        let result = self.part.map_or(self.result, |part| part.types[0]);
        let operands = self.operands.iter().map(|&ty| ty.into()).collect();
        Typed { operation: self.operation, operands, result: result.into() }
    }

    /// Returns whether some divisors have no result.
    pub(super) fn divides(&self) -> bool {
        matches!(self.operation, Operation::Op(op) if op.group() == OpGroup::IntegerDivision)
    }

    /// The instruction as text, with this result; if that has two parts, it is the pair.
    pub(super) fn instruction(&self, result: &str, operands: &[String]) -> String {
        let ty = match self.part {
            None => self.result.to_string(),
            Some(Part { types: [first, second], .. }) => format!("pair_{first}_{second}"),
        };
        let operands = operands.join(", ");
        match self.operation {
            Operation::Op(op) => format!("%{result}: %{ty} = {} {operands}", op.name()),
            Operation::Glsl(op) => format!("%{result}: %{ty} = ext_inst %glsl, {}, {operands}", op as u32),
        }
    }
}

impl fmt::Display for Combination {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let operands: Vec<String> = self.operands.iter().map(ToString::to_string).collect();
        write!(formatter, "{}({}) -> {}", self.operation, operands.join(", "), self.result)?;
        match self.part {
            None => Ok(()),
            Some(part) => write!(formatter, " part {}", part.index),
        }
    }
}
