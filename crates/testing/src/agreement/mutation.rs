//! Mutations of a valid module, similar to bugs of compilers: one in most modules, two in some.
//!
//! | share | change |
//! |---|---|
//! | 16 % | the type of a result |
//! | 24 % | an operand: another value, constant, type or block |
//! | 12 % | the op, to another with operands of the same kinds |
//! | 8 % | a literal of a type: width, count, dimension |
//! | 12 % | an instruction without a result, dropped: capability, extension, entry point, decoration, store |
//! | 4 % | such an instruction, repeated |
//! | 12 % | an enumerant: storage class, decoration, built-in, execution mode, dimension, format, control |
//! | 4 % | a literal of a decoration, an execution mode or a constant |
//! | 4 % | two neighbours, exchanged |
//! | 2 % | the version |
//! | 2 % | an import or an extension, by another name |
//!
//! Merge instructions are not removed: unstructured control flow is valid input of this tool and is not rejected.

use rspirv::grammar::{INSTRUCTION_TABLE, OperandKind};
use spirv::Op;

use super::words::{HEADER, Instruction, Role, instructions};
use crate::random::Random;

const MERGES: [Option<Op>; 2] = [Some(Op::LoopMerge), Some(Op::SelectionMerge)];
/// Words for literals of types, decorations and constants.
const NUMBERS: [u32; 12] = [0, 1, 2, 3, 4, 5, 8, 16, 32, 64, 7, u32::MAX];

/// A module with a mutation. The seed determines it.
pub fn mutate(bytes: &[u8], seed: u64) -> Vec<u8> {
    let mut random = Random::new(seed);
    let words: Vec<u32> =
        bytes.chunks_exact(4).map(|word| u32::from_le_bytes([word[0], word[1], word[2], word[3]])).collect();
    let mut words = words;
    for _ in 0..1 + usize::from(random.chance(15)) {
        change(&mut words, &mut random);
    }
    words.into_iter().flat_map(u32::to_le_bytes).collect()
}

fn change(words: &mut Vec<u32>, random: &mut Random) {
    let all = instructions(words);
    if all.is_empty() {
        return;
    }
    match random.below(100) {
        0..16 => retype(words, &all, random),
        16..40 => exchange_operand(words, &all, random),
        40..52 => exchange_op(words, &all, random),
        52..60 => change_type(words, &all, random),
        60..72 => drop_instruction(words, &all, random),
        72..76 => repeat_instruction(words, &all, random),
        76..88 => change_enumerant(words, &all, random),
        88..92 => change_literal(words, &all, random),
        92..96 => exchange_neighbours(words, &all, random),
        96..98 => words[1] = 0x0001_0000 | (random.below(7) as u32) << 8,
        _ => rename(words, &all, random),
    }
}

/// A random one of the matching instructions, with its index among them.
fn choose<'a>(
    all: &'a [Instruction],
    random: &mut Random,
    is_right: impl Fn(&Instruction) -> bool,
) -> Option<&'a Instruction> {
    let found: Vec<&Instruction> = all.iter().filter(|instruction| is_right(instruction)).collect();
    (!found.is_empty()).then(|| *random.choose(&found))
}

fn is_type(instruction: &Instruction) -> bool {
    instruction.ty().is_none() && instruction.result().is_some() && name(instruction.opcode).starts_with("Type")
}

fn name(opcode: u16) -> &'static str {
    INSTRUCTION_TABLE.lookup_opcode(opcode.into()).map_or("", |row| row.opname)
}

fn retype(words: &mut [u32], all: &[Instruction], random: &mut Random) {
    let Some(target) = choose(all, random, |instruction| instruction.ty().is_some()) else { return };
    let Some(ty) = choose(all, random, is_type).and_then(Instruction::result) else { return };
    words[target.start + 1] = ty;
}

fn exchange_operand(words: &mut [u32], all: &[Instruction], random: &mut Random) {
    let has_ids = |instruction: &Instruction| {
        !instruction.places(|role| role == Role::Id).is_empty() && !MERGES.contains(&instruction.op())
    };
    let Some(target) = choose(all, random, has_ids) else { return };
    let places = target.places(|role| role == Role::Id);
    let at = *random.choose(&places);
    let old = target.words[at];
    let definition = all.iter().find(|instruction| instruction.result() == Some(old));
    let is_value = definition.is_some_and(|definition| definition.ty().is_some());
    // A value mostly becomes another value that is defined before it, so that only its type is wrong.
    let is_near = random.chance(85);
    let new = choose(all, random, |instruction| {
        let is_before = instruction.start < target.start;
        instruction.result().is_some() && (!is_near || (is_before && instruction.ty().is_some() == is_value))
    });
    if let Some(new) = new.and_then(Instruction::result) {
        words[target.start + at] = new;
    }
}

fn exchange_op(words: &mut [u32], all: &[Instruction], random: &mut Random) {
    let Some(target) = choose(all, random, |instruction| instruction.ty().is_some()) else { return };
    let kinds = |opcode: u16| -> Vec<(OperandKind, String)> {
        let row = INSTRUCTION_TABLE.lookup_opcode(opcode.into());
        row.map_or_else(Vec::new, |row| {
            row.operands.iter().map(|operand| (operand.kind, format!("{:?}", operand.quantifier))).collect()
        })
    };
    let own = kinds(target.opcode);
    let alike: Vec<u16> = INSTRUCTION_TABLE
        .iter()
        .map(|row| row.opcode as u16)
        .filter(|&opcode| opcode != target.opcode && opcode < 420 && kinds(opcode) == own)
        .collect();
    if !alike.is_empty() {
        words[target.start] = (target.words[0] & 0xFFFF_0000) | u32::from(*random.choose(&alike));
    }
}

fn change_type(words: &mut [u32], all: &[Instruction], random: &mut Random) {
    let Some(target) = choose(all, random, is_type) else { return };
    let places = target.places(|role| !matches!(role, Role::Result | Role::ResultType));
    if places.is_empty() {
        return;
    }
    let at = *random.choose(&places);
    words[target.start + at] = match target.roles[at] {
        Some(Role::Id) => match choose(all, random, |instruction| instruction.start < target.start) {
            Some(other) => other.result().unwrap_or(target.words[at]),
            None => return,
        },
        Some(Role::Enumerant(_)) => random.below(13) as u32,
        _ => *random.choose(&NUMBERS),
    };
}

fn is_plain(instruction: &Instruction) -> bool {
    instruction.result().is_none() && !MERGES.contains(&instruction.op()) && !instruction.op().is_some_and(is_frame)
}

/// Instructions that delimit functions and blocks: without them a file is not read at all.
fn is_frame(op: Op) -> bool {
    use Op::{
        Branch, BranchConditional, FunctionEnd, Kill, Return, ReturnValue, Switch, TerminateInvocation, Unreachable,
    };
    let ends = [Branch, BranchConditional, Switch, Kill, Return, ReturnValue, Unreachable, TerminateInvocation];
    op == FunctionEnd || ends.contains(&op)
}

fn drop_instruction(words: &mut Vec<u32>, all: &[Instruction], random: &mut Random) {
    // Names are ignored, so their absence is no error.
    const NAMES: [Op; 6] = [Op::Source, Op::SourceExtension, Op::Name, Op::MemberName, Op::String, Op::Line];
    let is_name = |instruction: &Instruction| instruction.op().is_some_and(|op| NAMES.contains(&op));
    let is_dropped = |instruction: &Instruction| is_plain(instruction) && !is_name(instruction);
    let Some(target) = choose(all, random, is_dropped) else { return };
    words.drain(target.start..target.start + target.words.len());
}

fn repeat_instruction(words: &mut Vec<u32>, all: &[Instruction], random: &mut Random) {
    let Some(target) = choose(all, random, is_plain) else { return };
    words.splice(target.start..target.start, target.words.iter().copied());
}

fn change_enumerant(words: &mut [u32], all: &[Instruction], random: &mut Random) {
    let is_right = |role: Role| matches!(role, Role::Enumerant(_));
    let Some(target) = choose(all, random, |instruction| {
        !MERGES.contains(&instruction.op()) && !instruction.places(is_right).is_empty()
    }) else {
        return;
    };
    let places = target.places(is_right);
    let at = *random.choose(&places);
    let others: Vec<u32> = all
        .iter()
        .flat_map(|other| {
            let same = other.places(|role| Some(role) == target.roles[at]);
            same.into_iter().map(|at| other.words[at]).collect::<Vec<u32>>()
        })
        .collect();
    // A literal that occurs elsewhere in the module, or any small one.
    words[target.start + at] = if random.chance(50) { *random.choose(&others) } else { random.below(45) as u32 };
}

fn change_literal(words: &mut [u32], all: &[Instruction], random: &mut Random) {
    const DESCRIBED: [Op; 8] = [
        Op::ExecutionMode,
        Op::Constant,
        Op::SpecConstant,
        Op::Decorate,
        Op::MemberDecorate,
        Op::CompositeExtract,
        Op::CompositeInsert,
        Op::VectorShuffle,
    ];
    let Some(target) = choose(all, random, |instruction| {
        instruction.op().is_some_and(|op| DESCRIBED.contains(&op))
            && !instruction.places(|role| role == Role::Literal).is_empty()
    }) else {
        return;
    };
    let places = target.places(|role| role == Role::Literal);
    let at = *random.choose(&places);
    words[target.start + at] = match random.below(3) {
        0 => target.words[at].wrapping_add(1),
        1 => target.words[at] ^ 1 << random.below(32),
        _ => *random.choose(&NUMBERS),
    };
}

fn exchange_neighbours(words: &mut Vec<u32>, all: &[Instruction], random: &mut Random) {
    if all.len() < 2 {
        return;
    }
    let first = random.below(all.len() - 1);
    let (one, two) = (&all[first], &all[first + 1]);
    let both: Vec<u32> = two.words.iter().chain(&one.words).copied().collect();
    words.splice(one.start..two.start + two.words.len(), both);
}

fn rename(words: &mut [u32], all: &[Instruction], random: &mut Random) {
    let Some(target) =
        choose(all, random, |instruction| matches!(instruction.op(), Some(Op::Extension | Op::ExtInstImport)))
    else {
        return;
    };
    let at = target.start + target.words.len() - 1;
    debug_assert!(at > HEADER);
    // The first letter of the last word; the terminating byte of the string stays.
    words[at] ^= 1;
}
