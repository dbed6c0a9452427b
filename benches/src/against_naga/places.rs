//! Which instruction naga means by a place in a SPIR-V module.
//!
//! naga 30 counts bytes as it reads them, but not the interface of an entry point, the operands of an execution mode and the
//! parameters of a function type, which it takes past its counter. What follows them is for naga that much further to the front:
//!
//! ```text
//! OpEntryPoint GLCompute %f "f" %in    bytes 64 to 84     for naga 64 to 80
//! OpExecutionMode %f LocalSize 64 1 1        84 to 108            80 to 92
//! OpFunction ...                            108                   92
//! ```
//!
//! So the instructions are counted here as naga counts them.

use naga::Span;

/// Words before the first instruction.
const HEADER: usize = 5;

const ENTRY_POINT: u32 = 15;
const EXECUTION_MODE: u32 = 16;
const TYPE_FUNCTION: u32 = 33;
const FUNCTION: u32 = 54;
const FUNCTION_END: u32 = 56;
const BRANCH_CONDITIONAL: u32 = 250;
const SWITCH: u32 = 251;

/// An instruction of a module.
#[derive(Clone, Copy)]
pub struct Instruction<'a> {
    words: &'a [u32],
    /// The bytes that naga takes it to be at.
    start: usize,
    end: usize,
}

impl Instruction<'_> {
    /// The condition of a branch.
    pub fn condition(&self) -> Option<u32> {
        matches!(self.opcode(), BRANCH_CONDITIONAL | SWITCH).then(|| self.words.get(1).copied()).flatten()
    }

    /// The result of an instruction that has a type and a result.
    pub fn result(&self) -> Option<u32> {
        self.words.get(2).copied()
    }

    fn opcode(&self) -> u32 {
        self.words[0] & 0xffff
    }

    /// The words that naga does not count.
    fn uncounted(&self) -> usize {
        match self.opcode() {
            ENTRY_POINT => self.words.len() - 3 - string_length(&self.words[3..]),
            EXECUTION_MODE | TYPE_FUNCTION => self.words.len() - 3,
            _ => 0,
        }
    }
}

/// Words of the string at the beginning of some words: up to the first that ends in a zero byte.
fn string_length(words: &[u32]) -> usize {
    words.iter().position(|word| word.to_le_bytes()[3] == 0).map_or(words.len(), |last| last + 1)
}

/// The instructions of a module, in order.
pub fn instructions(words: &[u32]) -> Vec<Instruction<'_>> {
    let mut found = Vec::new();
    let (mut next, mut counted) = (HEADER, 4 * HEADER);
    while next < words.len() {
        let end = (next + (words[next] >> 16).max(1) as usize).min(words.len());
        let mut instruction = Instruction { words: &words[next..end], start: counted, end: counted };
        counted += 4 * (instruction.words.len() - instruction.uncounted());
        instruction.end = counted;
        found.push(instruction);
        next = end;
    }
    found
}

/// The instruction in which the bytes of a place end, as naga counts them.
pub fn at<'a>(instructions: &[Instruction<'a>], place: Span) -> Option<Instruction<'a>> {
    let last = place.to_range()?.end.checked_sub(1)?;
    let index = instructions.partition_point(|instruction| instruction.start <= last).checked_sub(1)?;
    instructions.get(index).filter(|instruction| last < instruction.end).copied()
}

/// Whether a place is that of a function, from `OpFunction` to `OpFunctionEnd`.
pub fn is_function(instructions: &[Instruction<'_>], place: Span) -> bool {
    let Some(place) = place.to_range() else { return false };
    let starts_at =
        |instruction: &Instruction<'_>| instruction.start == place.start && instruction.opcode() == FUNCTION;
    let ends_at = |instruction: &Instruction<'_>| instruction.end == place.end && instruction.opcode() == FUNCTION_END;
    instructions.iter().any(starts_at) && instructions.iter().any(ends_at)
}
