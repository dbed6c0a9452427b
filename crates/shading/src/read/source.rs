//! Removes the source text that naga embeds in SPIR-V; its name and the language stay.

use spirv::Op;

/// The number of words of the header of a module (SPIR-V, section 2.3).
const HEADER: usize = 5;

/// The number of words of an `OpSource` up to the file: opcode, language, version, file.
const WITHOUT_TEXT: usize = 4;

/// The words of a module, with `OpSource` without its text and without `OpSourceContinued`. Linear.
pub(super) fn without_text(words: &[u32]) -> impl Iterator<Item = u32> {
    let (header, mut rest) = words.split_at(words.len().min(HEADER));
    let instructions = std::iter::from_fn(move || {
        let count = (*rest.first()? >> 16) as usize;
        let (instruction, after) = rest.split_at(count.clamp(1, rest.len()));
        rest = after;
        Some(shortened(instruction))
    });
    header.iter().copied().chain(instructions.flatten())
}

/// The words of an instruction that are kept.
fn shortened(instruction: &[u32]) -> impl Iterator<Item = u32> {
    let (source, continued) = (Op::Source as u32, Op::SourceContinued as u32);
    let opcode = instruction[0] & 0xffff;
    let kept = match opcode {
        _ if opcode == continued => 0,
        _ if opcode == source => instruction.len().min(WITHOUT_TEXT),
        _ => instruction.len(),
    };
    let first = (kept > 0).then_some((kept as u32) << 16 | opcode);
    first.into_iter().chain(instruction[1.min(kept)..kept].iter().copied())
}
