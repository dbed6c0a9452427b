//! Prints words as text for `vc4asm`, the assembler for this processor.
//!
//! A line is a word. The text is complete: the assembler may choose a register file, an ALU or an encoding where the text permits several,
//! so the text permits one. Registers that both files have are numbers where the name would be ambiguous, packs have their types, and
//! operations that both ALUs have are named with their ALU.
//!
//! ```text
//! nop; fmul.ifz r2, ra5.16a, r1; ldtmu0     the adder, the multiplier, a signal
//! ldipeu ra3, [0,1,2,3,…]                   a load
//! brr.anynz -, :L12                         a branch to line 12
//! .long 0x…  # or ra1, 0, 0: …              data, with what the word would be and why it has no text
//! ```
//!
//! Targets of relative branches inside the code are labels, named by the index of the word. Absolute targets are addresses of the machine
//! and stay numbers.

mod alu;
mod branch;
mod data;
mod fields;
mod load;
mod names;

use fields::Word;

/// The text of a program. `vc4asm` assembles it to the same words, for any words.
///
/// ```
/// let words = [0x1002_0827_159e_7240, 0x3000_09e7_009e_7000, 0xd002_0027_159c_3fc0];
///
/// assert_eq!(
///     reconverge_qpu_check::disassemble(&words),
///     "mov r0, r1\n\
///      nop; thrend\n\
///      .long 0xd0020027159c3fc0 # or ra0, 3, 3: an immediate that the assembler loads instead\n"
/// );
/// ```
pub fn disassemble(words: &[u64]) -> String {
    lines(words).into_iter().fold(String::new(), |text, (_, line)| text + &line + "\n")
}

/// The lines of the text of a program ([`disassemble`]), each with the index of its word. The line of a label has the index of the word after it.
/// Linear.
pub fn lines(words: &[u64]) -> Vec<(usize, String)> {
    let decoded: Vec<Word> = words.iter().map(|&word| Word::decode(word)).collect();
    let has_label = labels(&decoded);
    let mut lines = Vec::with_capacity(words.len());
    for (index, (word, &bits)) in decoded.iter().zip(words).enumerate() {
        if has_label[index] {
            lines.push((index, format!(":L{index}")));
        }
        let line = line(word, index, words.len());
        let line = match data::reason(word) {
            None => line,
            Some(reason) => format!(".long {bits:#018x} # {line}: {reason}"),
        };
        lines.push((index, line));
    }
    if has_label[words.len()] {
        lines.push((words.len(), format!(":L{}", words.len())));
    }
    lines
}

/// The reason why a word is printed as data by [`disassemble`]; `None` for a word that has a text of its own.
pub fn data_reason(word: u64) -> Option<&'static str> {
    data::reason(&Word::decode(word))
}

/// For each word, and for the end, whether it is the target of a branch that has a text.
fn labels(words: &[Word]) -> Vec<bool> {
    let mut has_label = vec![false; words.len() + 1];
    for (index, word) in words.iter().enumerate() {
        if data::reason(word).is_none()
            && let Some(target) = target(word, index, words.len())
        {
            has_label[target] = true;
        }
    }
    has_label
}

/// The word that a branch goes to, if that is inside the code or its end.
fn target(word: &Word, index: usize, end: usize) -> Option<usize> {
    let Word::Branch(branch) = word else { return None };
    let target = usize::try_from(branch.target(index)?).ok()?;
    (target <= end).then_some(target)
}

fn line(word: &Word, index: usize, end: usize) -> String {
    match word {
        Word::Alu(alu) => alu::text(alu),
        Word::Load(load) => load::text(load),
        Word::Branch(branch) => branch::text(branch, target(word, index, end).map(|target| format!("L{target}"))),
    }
}
