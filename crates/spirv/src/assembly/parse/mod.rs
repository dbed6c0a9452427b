//! Assembler: the text of `spirv-as` to binary SPIR-V.
//!
//! The syntax is that of `spirv-as` (SPIRV-Tools, `docs/syntax.md`): `%result = OpName operands` or `OpName operands`, in any arrangement of
//! lines. Which operands an instruction has is data, the tables of the `rspirv` crate. They are kept on a stack, the next one on top: an
//! enumerant that brings parameters pushes those, an extended instruction those of its row, and an operand that may stand any number of
//! times itself again. So one loop reads every instruction. The words of literals follow the type of the constant or selector,
//! which has to be known by then.
//!
//! `!<number>` gives any word, at any place but before `=`. Behind one nothing is known of the operands that are still to come: ids, numbers,
//! strings and further words are taken until the next instruction begins. What is checked is what has to be known to write words: no
//! rules of SPIR-V, for which there is the verifier.
//!
//! It differs from `spirv-as` in this:
//!
//! - Ids that are numbers keep them (`--preserve-numeric-ids`), always.
//! - Comments at the beginning tell version, generator and bound, as disassemblers write them. Without one the version is that of
//!   [`Header::default`](crate::Header), and the bound is one above the greatest id.
//! - An import of an extended instruction set is taken whatever its name is, and an extended instruction by its number, too.
//! - `OpSpecConstantOp` takes every operation that has a type and a result.
//! - Names newer than SPIRV-Tools v2025.5 are known.
//! - No number is octal, and a string ends a token.
//! - Numbers in the encodings of 4 and 6 bits and in E8M0 have to be words. So have integers above 64 bits.
//!
//! Linear in the text.

mod comments;
mod cursor;
mod debug_enumerants;
mod enumerants;
mod fault;
mod float;
mod ids;
mod instruction;
mod literal;
mod opcodes;
mod operands;
mod raw;
mod set;
mod tokens;

use reconverge_diagnostic::{Diagnostic, Place};
use rspirv::grammar::{OperandKind, OperandQuantifier};
use rustc_hash::FxHashMap;

use self::cursor::Cursor;
use self::fault::Fault;
use self::ids::Ids;
use self::literal::NumberType;
use self::set::Set;
use self::tokens::{TokenKind, Tokens};

/// Assembles a module. Linear.
///
/// The syntax is that of `spirv-as`. Ids that are numbers keep them. Comments before the first instruction tell the version
/// (`; Version: 1.5`), the generator as a number, and the bound; without one the version is that of [`Header::default`](crate::Header).
///
/// ```
/// use reconverge_spirv::{AssemblyCode, assemble, disassemble};
///
/// let words = assemble("OpCapability Shader ; of a few\n%void = OpTypeVoid\n%main = OpTypeFunction %void\n")?;
/// let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
/// assert!(disassemble(&bytes)?.ends_with("OpCapability Shader\n%1 = OpTypeVoid\n%2 = OpTypeFunction %1\n"));
///
/// let error = assemble("%1 = OpTypeVoyd\n").unwrap_err();
/// assert_eq!((error.place, error.code), (Place::Line(1, 6), AssemblyCode::Opcode.declared()));
/// assert_eq!(error.message, "expected the name of an instruction, found `OpTypeVoyd`; did you mean `OpTypeVoid`?");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// The first error, with what was expected there. Raw words given by `!` are not checked: they may not form a module.
pub fn assemble(text: &str) -> Result<Vec<u32>, Diagnostic> {
    Ok(Assembled::of(text)?.words)
}

/// Assembles a module, and records where each instruction is written.
#[derive(Debug)]
pub struct Assembled<'t> {
    text: &'t str,
    /// The words, including the header.
    pub words: Vec<u32>,
    /// For each instruction its first word and its first byte in the text, ascending.
    starts: Vec<(usize, usize)>,
}

impl<'t> Assembled<'t> {
    /// As [`assemble`].
    ///
    /// # Errors
    /// Those of [`assemble`].
    pub fn of(text: &'t str) -> Result<Assembled<'t>, Diagnostic> {
        module(text).map_err(|fault| fault.placed_in(text))
    }

    /// The place of the instruction that a word belongs to; the first line for the header. Linear in the text.
    pub fn place_of(&self, word: usize) -> Place {
        let behind = self.starts.partition_point(|&(start, _)| start <= word);
        let offset = behind.checked_sub(1).map_or(0, |index| self.starts[index].1);
        Place::in_text(self.text, offset)
    }

    /// An error of reading the words, with its place in the text.
    pub fn placed(&self, error: Diagnostic) -> Diagnostic {
        let Place::Word(word) = error.place else { return error };
        error.at(self.place_of(word))
    }
}

/// Whether a text is assembly, according to its first instruction. Linear in the comments before it.
pub fn is_assembly(text: &str) -> bool {
    let mut tokens = Tokens::of(text).map_while(Result::ok);
    match tokens.next().map(|token| token.kind) {
        Some(TokenKind::Opcode) => true,
        Some(TokenKind::Id) => {
            tokens.next().is_some_and(|token| token.is_sign("="))
                && tokens.next().is_some_and(|token| token.kind == TokenKind::Opcode)
        }
        _ => false,
    }
}

fn module(text: &str) -> Result<Assembled<'_>, Fault> {
    let header = comments::header(text)?;
    let tokens = Tokens::of(text).collect::<Result<Vec<_>, _>>()?;
    let mut assembler = Assembler {
        ids: Ids::of(&tokens),
        cursor: Cursor::new(tokens, text.len()),
        words: header.to_vec(),
        start: header.len(),
        expected: Vec::new(),
        numbers: FxHashMap::default(),
        sets: FxHashMap::default(),
    };
    let mut starts = Vec::new();
    while let Some(token) = assembler.cursor.next() {
        starts.push((assembler.words.len(), token.offset));
        assembler.instruction(&token)?;
    }
    let Assembler { mut words, ids, .. } = assembler;
    words[3] = words[3].max(ids.bound);
    Ok(Assembled { text, words, starts })
}

/// Reads a module, instruction by instruction.
struct Assembler<'t> {
    cursor: Cursor<'t>,
    ids: Ids<'t>,
    words: Vec<u32>,
    /// Number of the word at which the instruction starts that is read.
    start: usize,
    /// Operands of it that are still to come, the next one last.
    expected: Vec<(OperandKind, OperandQuantifier)>,
    /// The number types by id, and those of values of such a type.
    numbers: FxHashMap<u32, NumberType>,
    sets: FxHashMap<u32, Set>,
}
