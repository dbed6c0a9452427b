//! Assembler: the text of `spirv-as` to binary SPIR-V.
//!
//! The syntax is that of `spirv-as` (SPIRV-Tools, `docs/syntax.md`): `%result = OpName operands` or `OpName operands`, in any arrangement
//! of lines. The operands of each instruction are data, the tables of the `rspirv` crate. They are kept on a stack, the next one on top: an
//! enumerant with parameters pushes those, an extended instruction those of its row, and an operand that may be repeated pushes itself
//! again. So one loop reads every instruction. The words of a literal depend on the type of the constant or selector, which has to be
//! declared before.
//!
//! `!<number>` is any word, anywhere except before `=`. After one, the remaining operands are unknown: ids, numbers, strings and further
//! words are accepted until the next instruction begins. Only what determines the words is checked; the rules of SPIR-V are left to the
//! verifier.
//!
//! It differs from `spirv-as`:
//!
//! - Ids that are numbers keep them (`--preserve-numeric-ids`), always.
//! - Comments at the beginning state version, generator and bound, as disassemblers write them. Without them the version is that of
//!   [`Header::default`](crate::Header), and the bound is one above the greatest id.
//! - An import of an extended instruction set is accepted whatever its name is, and so is an extended instruction by its number.
//! - `OpSpecConstantOp` accepts every operation that has a type and a result.
//! - Names newer than SPIRV-Tools v2025.5 are known.
//! - No number is octal, and a string ends a token.
//! - Numbers in the encodings of 4 and 6 bits and in E8M0 must be written as words, and so must integers above 64 bits.
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
/// The syntax is that of `spirv-as`. Ids that are numbers keep them. Comments before the first instruction state the version (`; Version:
/// 1.5`), the generator as a number, and the bound; without them the version is that of [`Header::default`](crate::Header).
///
/// ```
/// use reconverge_diagnostic::Place;
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
/// The first error, with the expected text. Raw words given by `!` are not checked: the result may be no valid module.
pub fn assemble(text: &str) -> Result<Vec<u32>, Diagnostic> {
    Ok(Assembled::of(text)?.words)
}

/// An assembled module, and the position of each instruction in the text.
#[derive(Debug)]
pub struct Assembled<'t> {
    text: &'t str,
    /// The words, including the header.
    pub words: Vec<u32>,
    /// For each instruction, its first word and its first byte in the text, ascending.
    starts: Vec<(usize, usize)>,
}

impl<'t> Assembled<'t> {
    /// Assembles a module, as [`assemble`] does.
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

/// Returns whether a text is assembly, according to its first instruction. Linear in the comments before it.
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
    /// The index of the first word of the current instruction.
    start: usize,
    /// Its remaining operands, the next one last.
    expected: Vec<(OperandKind, OperandQuantifier)>,
    /// The number types by id, and those of values of such a type.
    numbers: FxHashMap<u32, NumberType>,
    sets: FxHashMap<u32, Set>,
}
