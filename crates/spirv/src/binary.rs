//! The binary form below the grammar: words, header, instructions.
//!
//! A module is five words of header and then instructions, each with its word count in the upper half of its first word and its
//! opcode in the lower half (SPIR-V section 2.3). The byte order is that of the magic number.

use reconverge_diagnostic::Diagnostic;

use crate::error::{ReadCode, at_word};

/// Words of the header.
pub(crate) const HEADER_WORDS: usize = 5;
/// First word of a module in the byte order of the module.
pub(crate) const MAGIC: u32 = spirv::MAGIC_NUMBER;
/// The maximum number of words of a module: 256 MiB. The IR creates at most a few instructions for each word, so that the indices of all of
/// them leave room for passes that grow the module within their limits.
const MAX_MODULE_WORDS: usize = 1 << 26;
/// The maximum number of words of an instruction.
pub(crate) const MAX_INSTRUCTION_WORDS: usize = 65_535;
/// The largest bound of ids that every consumer must accept (SPIR-V section 2.17).
pub(crate) const GREATEST_BOUND: u32 = 4_194_303;

/// One instruction: its position and its words, the first one included.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Instruction<'a> {
    /// The index of its first word in the file.
    pub(crate) offset: usize,
    pub(crate) opcode: u16,
    pub(crate) words: &'a [u32],
}

impl Instruction<'_> {
    /// The index in the file of the word after the instruction.
    pub(crate) fn end(&self) -> usize {
        self.offset + self.words.len()
    }
}

/// Returns whether bytes begin with the magic number of SPIR-V, in either byte order.
pub fn is_binary(bytes: &[u8]) -> bool {
    let first = bytes.first_chunk().map(|&word| u32::from_le_bytes(word));
    first.is_some_and(|word| word == MAGIC || word.swap_bytes() == MAGIC)
}

/// The words of a file, in this machine's byte order. The first five exist and begin with the magic number.
pub(crate) fn words(bytes: &[u8]) -> Result<Vec<u32>, Diagnostic> {
    if let Some(first) = bytes.first_chunk().filter(|_| !is_binary(bytes)) {
        let first = u32::from_le_bytes(*first);
        let message = format!("expected the magic number {MAGIC:#010x} in either byte order, found {first:#010x}");
        return Err(at_word(ReadCode::Magic, 0, message));
    }
    let (word_count, rest) = (bytes.len() / 4, bytes.len() % 4);
    if word_count < HEADER_WORDS {
        let message = truncated(word_count, HEADER_WORDS, &format!("the header has {HEADER_WORDS} words"));
        return Err(at_word(ReadCode::Length, word_count, message));
    }
    if rest != 0 {
        let noun = if rest == 1 { "byte" } else { "bytes" };
        let message = truncated(word_count, word_count + 1, &format!("the next word has {rest} {noun} instead of 4"));
        return Err(at_word(ReadCode::Length, word_count, message));
    }
    check_size(word_count)?;
    let quads = bytes.chunks_exact(4).map(|quad| [quad[0], quad[1], quad[2], quad[3]]);
    let little: Vec<u32> = quads.clone().map(u32::from_le_bytes).collect();
    Ok(if little[0] == MAGIC { little } else { quads.map(u32::from_be_bytes).collect() })
}

/// The message about a file that ends too early.
fn truncated(words: usize, needed: usize, reason: &str) -> String {
    format!("the module is truncated after word {words} of at least {needed}: {reason}")
}

fn check_size(word_count: usize) -> Result<(), Diagnostic> {
    if word_count > MAX_MODULE_WORDS {
        let message = format!("expected at most {MAX_MODULE_WORDS} words, found {word_count}");
        return Err(at_word(ReadCode::Limit, MAX_MODULE_WORDS, message));
    }
    Ok(())
}

/// The instructions in a range of words that begins at an instruction.
pub(crate) fn instructions(words: &[u32], range: std::ops::Range<usize>) -> Instructions<'_> {
    Instructions { words, at: range.start, end: range.end }
}

/// The instructions of a module.
pub(crate) fn all_instructions(words: &[u32]) -> Instructions<'_> {
    instructions(words, HEADER_WORDS..words.len())
}

/// The instruction at the position of an instruction that was read before.
pub(crate) fn instruction_at(words: &[u32], offset: usize) -> Instruction<'_> {
    let instruction = instructions(words, offset..words.len()).next().and_then(Result::ok);
    instruction.expect("invariant: an instruction was found there before")
}

/// Iterator over instructions; ends after an error.
#[derive(Clone, Debug)]
pub(crate) struct Instructions<'a> {
    words: &'a [u32],
    at: usize,
    end: usize,
}

impl<'a> Iterator for Instructions<'a> {
    type Item = Result<Instruction<'a>, Diagnostic>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.at >= self.end {
            return None;
        }
        let offset = self.at;
        let first = self.words[offset];
        let count = (first >> 16) as usize;
        let left = self.end - offset;
        if count == 0 || count > left {
            self.at = self.end;
            let message = match count {
                0 => "expected an instruction of at least 1 word, found a word count of 0".to_owned(),
                _ => {
                    truncated(self.end, offset + count, &format!("the instruction at word {offset} has {count} words"))
                }
            };
            return Some(Err(at_word(ReadCode::WordCount, offset, message)));
        }
        self.at += count;
        Some(Ok(Instruction { offset, opcode: (first & 0xffff) as u16, words: &self.words[offset..offset + count] }))
    }
}
