//! Mutations of the structure of SPIR-V modules: blocks and branches stay, merge instructions change.
//!
//! | mutation | rules that may be violated |
//! |---|---|
//! | a merge instruction is removed, or all of them | R14 to R16 |
//! | it names another merge block or continue target | R12, R17, R18, R20 to R28 |
//! | merge block and continue target change places | R20 to R27 |
//! | it stands one instruction further up, or twice | R11 |
//! | one is where none was | R11, R18, R19 |
//! | the cases of a switch are in another order | R32 to R34 |
//! | two blocks change places | R3 |
//!
//! Some mutations violate no rule.

use crate::opcode::{FUNCTION, FUNCTION_END, LABEL, LOOP_MERGE, PHI, SELECTION_MERGE, SWITCH, VARIABLE};
use crate::random::Random;

/// Words before the first instruction.
const HEADER: usize = 5;

/// One instruction, all its words.
type Words = Vec<u32>;

/// A valid SPIR-V module with one to three mutations of its structure; the module itself if it has no function with two blocks.
pub fn damage_structure(bytes: &[u8], seed: u64) -> Vec<u8> {
    let words: Words =
        bytes.chunks_exact(4).map(|word| u32::from_le_bytes([word[0], word[1], word[2], word[3]])).collect();
    let mut instructions = instructions(&words);
    let mut random = Random::new(seed);
    for _ in 0..random.between(1, 3) {
        let functions = functions(&instructions);
        if functions.is_empty() {
            break;
        }
        let range = random.choose(&functions).clone();
        let mut function: Vec<Words> = instructions[range.clone()].to_vec();
        damage(&mut function, &mut random);
        instructions.splice(range, function);
    }
    let damaged = words[..HEADER].iter().copied().chain(instructions.into_iter().flatten());
    damaged.flat_map(u32::to_le_bytes).collect()
}

fn opcode(instruction: &Words) -> u32 {
    instruction[0] & 0xffff
}

fn instructions(words: &[u32]) -> Vec<Words> {
    let (mut found, mut at) = (Vec::new(), HEADER);
    while at < words.len() {
        let length = (words[at] >> 16).max(1) as usize;
        found.push(words[at..at + length].to_vec());
        at += length;
    }
    found
}

/// The instructions of each function that has more than one block.
fn functions(instructions: &[Words]) -> Vec<std::ops::Range<usize>> {
    let (mut found, mut start) = (Vec::new(), 0);
    for (index, instruction) in instructions.iter().enumerate() {
        match opcode(instruction) {
            FUNCTION => start = index,
            FUNCTION_END if labels(&instructions[start..index]).len() > 1 => found.push(start..index + 1),
            _ => {}
        }
    }
    found
}

fn labels(function: &[Words]) -> Vec<u32> {
    function.iter().filter(|instruction| opcode(instruction) == LABEL).map(|label| label[1]).collect()
}

fn is_merge(instruction: &Words) -> bool {
    matches!(opcode(instruction), LOOP_MERGE | SELECTION_MERGE)
}

fn places(function: &[Words], is_wanted: impl Fn(&Words) -> bool) -> Vec<usize> {
    (0..function.len()).filter(|&index| is_wanted(&function[index])).collect()
}

fn damage(function: &mut Vec<Words>, random: &mut Random) {
    let labels = labels(function);
    let merges = places(function, is_merge);
    if merges.is_empty() || random.chance(20) {
        return match random.below(3) {
            0 => add_merge(function, &labels, random),
            1 => exchange_cases(function, &labels, random),
            _ => exchange_blocks(function, random),
        };
    }
    let at = *random.choose(&merges);
    match random.below(8) {
        0 | 1 => {
            function.remove(at);
        }
        2 if random.chance(30) => function.retain(|instruction| !is_merge(instruction)),
        2 | 3 => function[at][1] = *random.choose(&labels),
        4 if opcode(&function[at]) == LOOP_MERGE => function[at][2] = *random.choose(&labels),
        5 if opcode(&function[at]) == LOOP_MERGE => function[at].swap(1, 2),
        6 if may_stand_behind(&function[at - 1]) => function.swap(at - 1, at),
        7 => {
            let again = function[at].clone();
            function.insert(at, again);
        }
        _ => function[at][1] = *random.choose(&labels),
    }
}

/// Returns whether the reader accepts a merge instruction before an instruction.
fn may_stand_behind(instruction: &Words) -> bool {
    !matches!(opcode(instruction), LABEL | PHI | VARIABLE)
}

/// Adds a merge instruction before a terminator without one.
fn add_merge(function: &mut Vec<Words>, labels: &[u32], random: &mut Random) {
    let entry = function.iter().position(|instruction| opcode(instruction) == LABEL).unwrap_or(0);
    let ends = |index: usize| matches!(opcode(&function[index + 1]), LABEL | FUNCTION_END);
    let bare = (entry + 1..function.len() - 1).filter(|&index| ends(index) && !is_merge(&function[index - 1]));
    let at = *random.choose(&bare.collect::<Vec<_>>());
    let merge = match random.chance(50) {
        true => vec![4 << 16 | LOOP_MERGE, *random.choose(labels), *random.choose(labels), 0],
        false => vec![3 << 16 | SELECTION_MERGE, *random.choose(labels), 0],
    };
    function.insert(at, merge);
}

/// Reorders the literals of a switch, with their targets; only one-word literals.
fn exchange_cases(function: &mut [Words], labels: &[u32], random: &mut Random) {
    let has_short_literals = |switch: &Words| switch[4..].iter().step_by(2).all(|target| labels.contains(target));
    let is_wanted = |instruction: &Words| {
        opcode(instruction) == SWITCH && instruction.len() >= 7 && has_short_literals(instruction)
    };
    let switches = places(function, is_wanted);
    if switches.is_empty() {
        return;
    }
    let switch = &mut function[*random.choose(&switches)];
    let cases = (switch.len() - 3) / 2;
    let [one, other] = [random.below(cases), random.below(cases)];
    switch.swap(3 + 2 * one, 3 + 2 * other);
    switch.swap(4 + 2 * one, 4 + 2 * other);
}

/// Exchanges two blocks after the entry.
fn exchange_blocks(function: &mut Vec<Words>, random: &mut Random) {
    let starts = places(function, |instruction| opcode(instruction) == LABEL);
    if starts.len() < 3 {
        return;
    }
    let one = random.between(1, starts.len() - 2);
    let other = random.between(one + 1, starts.len() - 1);
    let end = starts.get(other + 1).copied().unwrap_or(function.len() - 1);
    let (first, second) = (starts[one]..starts[one + 1], starts[other]..end);
    let between = function[first.end..second.start].to_vec();
    let order = [function[second].to_vec(), between, function[first.clone()].to_vec()].concat();
    function.splice(first.start..end, order);
}
