//! The combinations of an operation and types that exist: those that the verifier of the IR accepts.
//!
//! The operations are the ops whose row of the op table says that they compute a value from values, and the instructions of `GLSL.std.450`, with
//! every number of operands up to three. Each is tried with all types of the result and the operands, at most two in all, because no rule of the verifier
//! relates more; bit fields also with an offset and a count of different types. The verifier decides; [`EXCLUDED`] names what this test leaves out.
//! Optional operands, such as the size of a cluster, are left out. An atomic operation has memory of its own in each lane; its old value and what memory
//! holds after it are two combinations.
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
    /// The name of what an operation of a subgroup does with the values of its lanes.
    over_lanes: Option<&'static str>,
    /// The value of memory that is the result of an atomic operation, whose first operand is what memory holds before.
    pub(super) memory: Option<Memory>,
}

/// A value of memory.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Memory {
    /// Before the operation, which gives it.
    Before,
    /// After the operation.
    After,
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

/// Operations on pointers that differ from those of this domain, each with the reason.
const OF_OTHER_POINTERS: [(Operation, &str); 4] = [
    (
        Operation::Op(Op::PtrCastToGeneric),
        "the result points into the generic space, which kernels lose before selection",
    ),
    (Operation::Op(Op::GenericCastToPtr), "the operand points into the generic space"),
    (Operation::Op(Op::GenericCastToPtrExplicit), "the operand points into the generic space"),
    (Operation::Glsl(Glsl::Modf), "the operand points to a float"),
];

/// What an operation of a subgroup does with the values of its lanes, where it has the choice.
const OVER_LANES: [&str; 3] = ["Reduce", "InclusiveScan", "ExclusiveScan"];

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
        let tried: Vec<Inst> = module.children(entry).skip(Scalar::ALL.len() + MEMORY.len()).take(rest.len()).collect();
        let count = rest.len();
        let valid = rest.into_iter().zip(tried).filter(|(_, inst)| !wrong.contains(inst));
        rest = valid.map(|(combination, _)| combination).collect();
        assert!(wrong.is_empty() || rest.len() < count, "the verifier finds something in the frame of the candidates");
        if wrong.is_empty() {
            return rest;
        }
    }
}

/// Returns whether the pointers of an operation are not those of the domain.
pub(super) fn takes_other_pointers(operation: Operation) -> bool {
    OF_OTHER_POINTERS.iter().any(|&(other, _)| other == operation)
}

fn candidates() -> Vec<Combination> {
    let mut candidates = Vec::new();
    let is_excluded = |op: Op| EXCLUDED.iter().any(|&(group, _)| group == op.group());
    for &op in Op::ALL.iter().filter(|&&op| computes(op) && !is_excluded(op)) {
        let count = kinds(op).filter(|&kind| kind == OperandKind::Value).count();
        match op.group() {
            OpGroup::Atomic => add_atomics(op, count, &mut candidates),
            OpGroup::WideArithmetic => add_pairs(Operation::Op(op), count, &mut candidates),
            OpGroup::Subgroup if kinds(op).any(|kind| kind == OperandKind::GroupOperation) => {
                OVER_LANES.iter().for_each(|&name| add_scalars(Operation::Op(op), count, Some(name), &mut candidates));
            }
            _ => add_scalars(Operation::Op(op), count, None, &mut candidates),
        }
        if op.group() == OpGroup::BitField {
            add_fields(op, count, &mut candidates);
        }
    }
    for function in (0..256).filter_map(Glsl::from_u32).map(Operation::Glsl) {
        for count in 1..OPERANDS {
            add_scalars(function, count, None, &mut candidates);
        }
        add_pairs(function, 1, &mut candidates);
    }
    candidates
}

/// Returns whether an op computes a value from other values, or from those of the lanes of a subgroup, alone, changes memory atomically, or reads a
/// clock.
fn computes(op: Op) -> bool {
    let is_pure = op.effects().is_pure() || op.effects() == Effects::TRAPS;
    let of_subgroup = [OperandKind::Value, OperandKind::Scope, OperandKind::GroupOperation];
    let (is_known, count) = match op.group() {
        OpGroup::Subgroup => (kinds(op).all(|kind| of_subgroup.contains(&kind)), 1),
        OpGroup::Atomic | OpGroup::Clock => (true, 1),
        _ => (is_pure && kinds(op).all(|kind| kind == OperandKind::Value), kinds(op).count()),
    };
    is_known && op.has_type() && (1..=OPERANDS).contains(&count)
}

/// The kinds of the operands that every instruction of an op has.
fn kinds(op: Op) -> impl Iterator<Item = OperandKind> {
    (0..op.required_operands()).filter_map(move |place| op.operand_kind(place))
}

fn add_scalars(
    operation: Operation,
    count: usize,
    over_lanes: Option<&'static str>,
    candidates: &mut Vec<Combination>,
) {
    let free = if count > 2 { count - 1 } else { count };
    for number in 0..Scalar::ALL.len().pow(free as u32 + 1) {
        let mut types: Vec<Scalar> = digits(number, free + 1).collect();
        if count > 2 {
            types.push(types[free]);
        }
        let mut different = types.clone();
        different.sort_unstable();
        different.dedup();
        if different.len() <= 2 && extension_takes(operation, &types) {
            let result = types.remove(0);
            candidates.push(Combination { operation, result, operands: types, part: None, over_lanes, memory: None });
        }
    }
}

/// Returns whether the extensions whose operations the verifier does not type, SPV_KHR_subgroup_vote and SPV_KHR_shader_ballot, permit the types
/// of a result and operands; true for all other operations.
fn extension_takes(operation: Operation, types: &[Scalar]) -> bool {
    match (operation, types) {
        (Operation::Op(Op::SubgroupAllKHR | Op::SubgroupAnyKHR | Op::SubgroupAllEqualKHR), _) => {
            types.iter().all(|&ty| ty == Scalar::Bool)
        }
        // The result is a vector.
        (Operation::Op(Op::SubgroupBallotKHR), _) => false,
        (Operation::Op(Op::SubgroupFirstInvocationKHR), [result, value]) => result == value,
        (Operation::Op(Op::SubgroupReadInvocationKHR), [result, value, index]) => {
            result == value && *index == Scalar::Int(32)
        }
        _ => true,
    }
}

/// Atomic operations on memory of a type that their values have.
fn add_atomics(op: Op, count: usize, candidates: &mut Vec<Combination>) {
    for &result in MEMORY {
        for memory in [Memory::Before, Memory::After] {
            // In the place of the pointer is the value that memory holds before.
            let operands = vec![result; count];
            let (operation, memory) = (Operation::Op(op), Some(memory));
            candidates.push(Combination { operation, result, operands, part: None, over_lanes: None, memory });
        }
    }
}

/// Bit fields whose offset and count have different types.
fn add_fields(op: Op, count: usize, candidates: &mut Vec<Combination>) {
    for number in 0..Scalar::ALL.len().pow(3) {
        let types: Vec<Scalar> = digits(number, 3).collect();
        let mut operands = vec![types[0]; count - 2];
        operands.extend(&types[1..]);
        if types[1] != types[2] {
            let operation = Operation::Op(op);
            candidates.push(Combination {
                operation,
                result: types[0],
                operands,
                part: None,
                over_lanes: None,
                memory: None,
            });
        }
    }
}

fn add_pairs(operation: Operation, count: usize, candidates: &mut Vec<Combination>) {
    for first in Scalar::ALL {
        for second in Scalar::ALL {
            for index in [0, 1] {
                let types = [first, second];
                let part = Some(Part { types, index });
                let combination = Combination {
                    operation,
                    result: types[index],
                    operands: vec![first; count],
                    part,
                    over_lanes: None,
                    memory: None,
                };
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
    text += &MEMORY.iter().map(|&ty| pointer_declaration(ty)).collect::<String>();
    text += "%n0: %i32 = constant 0\n%n1: %i32 = constant 1\n%n3: %i32 = constant 3\nfunc %f: %void () stage structured {\nblock ^entry:\n";
    for ty in Scalar::ALL {
        writeln!(text, "  %a_{ty}: %{ty} = undef").expect("text grows");
    }
    for &ty in MEMORY {
        writeln!(text, "  %at_{ty}: %{} = undef", pointer_to(ty)).expect("text grows");
    }
    for (index, combination) in candidates.iter().enumerate() {
        let mut operands: Vec<String> = combination.operands.iter().map(|ty| format!("%a_{ty}")).collect();
        if combination.memory.is_some() {
            operands[0] = format!("%at_{}", combination.result);
        }
        writeln!(text, "  {}", combination.instruction(&format!("r{index}"), &operands)).expect("text grows");
    }
    text += "  return\n}\n";
    reconverge::ir::text::parse(&text).unwrap_or_else(|error| panic!("{error}"))
}

/// The types of memory.
pub(super) const MEMORY: &[Scalar] = &[
    Scalar::Int(8),
    Scalar::Int(16),
    Scalar::Int(32),
    Scalar::Int(64),
    Scalar::Float(16),
    Scalar::Float(32),
    Scalar::Float(64),
];

/// The name of the type of pointers to memory of a type.
pub(super) fn pointer_to(ty: Scalar) -> String {
    if ty == Scalar::Int(32) { "pointer".to_owned() } else { format!("pointer_{ty}") }
}

/// The declaration of that type, where that of scalars does not have it.
pub(super) fn pointer_declaration(ty: Scalar) -> String {
    match ty {
        Scalar::Int(32) => String::new(),
        _ => format!("%{} = type_pointer PhysicalStorageBuffer, %{ty}\n", pointer_to(ty)),
    }
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

    /// Returns whether it is an operation of a subgroup.
    pub(super) fn is_of_subgroup(&self) -> bool {
        self.operation.is_of_subgroup()
    }

    /// The operand that all lanes of a subgroup have to share.
    pub(super) fn shared_operand(&self) -> Option<usize> {
        let Operation::Op(op) = self.operation else { return None };
        let shares = matches!(
            op,
            Op::GroupNonUniformBroadcast
                | Op::GroupNonUniformQuadBroadcast
                | Op::GroupNonUniformQuadSwap
                | Op::GroupNonUniformRotateKHR
                | Op::SubgroupReadInvocationKHR
        );
        shares.then_some(1)
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
        let op = match self.operation {
            Operation::Op(op) => op,
            Operation::Glsl(op) => {
                return format!("%{result}: %{ty} = ext_inst %glsl, {}, {}", op as u32, operands.join(", "));
            }
        };
        let mut values = operands.iter();
        let operands = kinds(op).filter_map(|kind| match kind {
            OperandKind::Scope if self.memory.is_some() => Some("%n1"),
            OperandKind::Scope => Some("%n3"),
            OperandKind::Semantics => Some("%n0"),
            OperandKind::GroupOperation => self.over_lanes,
            _ => values.next().map(String::as_str),
        });
        format!("%{result}: %{ty} = {} {}", op.name(), operands.collect::<Vec<_>>().join(", "))
    }
}

impl fmt::Display for Combination {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let operands: Vec<String> = self.operands.iter().map(ToString::to_string).collect();
        write!(formatter, "{}({}) -> {}", self.operation, operands.join(", "), self.result)?;
        self.over_lanes.map_or(Ok(()), |name| write!(formatter, " {name}"))?;
        self.memory.map_or(Ok(()), |memory| write!(formatter, ", memory {memory:?}"))?;
        match self.part {
            None => Ok(()),
            Some(part) => write!(formatter, " part {}", part.index),
        }
    }
}
