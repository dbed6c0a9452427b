//! A small assembler, so that tests can say what they mean.
//!
//! One instruction a line: `%3 = TypeInt 32 0`. The name is SPIR-V's without `Op`; `%n` is the id n; a number is a literal word;
//! text in quotes is a string literal; `;` begins a comment. A result type comes first among the operands: `%5 = IAdd %3 %4 %4`.

use rspirv::grammar::{INSTRUCTION_TABLE, OperandKind};

/// Little-endian bytes of a module of version 1.`minor`; the bound is one above the greatest id.
pub(crate) fn assemble(minor: u8, text: &str) -> Vec<u8> {
    bytes(&assemble_words(minor, text))
}

/// The bytes of words, little-endian.
pub(crate) fn bytes(words: &[u32]) -> Vec<u8> {
    words.iter().flat_map(|word| word.to_le_bytes()).collect()
}

/// As [`assemble`], in words.
pub(crate) fn assemble_words(minor: u8, text: &str) -> Vec<u32> {
    let mut words = vec![spirv::MAGIC_NUMBER, 0x0001_0000 | u32::from(minor) << 8, 0, 0, 0];
    let mut bound = 1;
    for line in text.lines() {
        let line = line.split(';').next().unwrap_or("").trim();
        if !line.is_empty() {
            instruction(line, &mut words, &mut bound);
        }
    }
    words[3] = bound;
    words
}

fn instruction(line: &str, words: &mut Vec<u32>, bound: &mut u32) {
    let (result, rest) = match line.split_once(" = ") {
        Some((result, rest)) => (Some(id(result.trim(), bound)), rest.trim()),
        None => (None, line),
    };
    let (name, operands) = rest.split_once(' ').unwrap_or((rest, ""));
    let (opcode, has_type) = match name.parse::<u32>() {
        Ok(opcode) => (opcode, false),
        Err(_) => {
            let row = INSTRUCTION_TABLE.iter().find(|row| row.opname == name);
            let row = row.unwrap_or_else(|| panic!("no instruction {name}"));
            (row.opcode as u32, row.operands.first().is_some_and(|operand| operand.kind == OperandKind::IdResultType))
        }
    };
    let start = words.len();
    words.push(opcode);
    if let Some(result) = result.filter(|_| !has_type) {
        words.push(result);
    }
    let mut rest = operands.trim();
    let mut is_first = true;
    while !rest.is_empty() {
        rest = operand(rest, words, bound);
        if let Some(result) = result.filter(|_| has_type && is_first) {
            words.push(result);
        }
        is_first = false;
    }
    words[start] |= ((words.len() - start) as u32) << 16;
}

/// Takes one operand off the text.
fn operand<'t>(text: &'t str, words: &mut Vec<u32>, bound: &mut u32) -> &'t str {
    if let Some(quoted) = text.strip_prefix('"') {
        let (string, rest) = quoted.split_once('"').expect("a closing quote");
        words.extend(reconverge_ir::literal::text_words(string.as_bytes()));
        return rest.trim();
    }
    let (token, rest) = text.split_once(' ').unwrap_or((text, ""));
    words.push(match token.starts_with('%') {
        true => id(token, bound),
        false => token.parse().unwrap_or_else(|_| panic!("no number: {token}")),
    });
    rest.trim()
}

fn id(token: &str, bound: &mut u32) -> u32 {
    let id: u32 = token.strip_prefix('%').and_then(|digits| digits.parse().ok()).expect("an id");
    *bound = (*bound).max(id.saturating_add(1));
    id
}

/// What every shader of these tests begins with: ids 1 to 19 are taken.
pub(crate) const SHADER: &str = "
    Capability 1
    MemoryModel 0 1
    EntryPoint 5 %10 \"main\"
    ExecutionMode %10 17 1 1 1
    %1 = TypeVoid
    %2 = TypeFunction %1
    %3 = TypeBool
    %4 = TypeInt 32 0
    %5 = ConstantTrue %3
    %6 = Constant %4 0
    %7 = Constant %4 1
    %8 = Constant %4 10
";

/// What every kernel of these tests begins with: ids 1 to 19 are taken.
pub(crate) const KERNEL: &str = "
    Capability 4
    Capability 6
    MemoryModel 2 2
    EntryPoint 6 %10 \"main\"
    %1 = TypeVoid
    %2 = TypeFunction %1
    %3 = TypeBool
    %4 = TypeInt 32 0
    %5 = ConstantTrue %3
    %6 = Constant %4 0
    %7 = Constant %4 1
    %8 = Constant %4 10
";

/// A shader whose one function has this body.
pub(crate) fn shader(body: &str) -> Vec<u8> {
    assemble(3, &format!("{SHADER}%10 = Function %1 0 %2\n{body}\nFunctionEnd"))
}

/// A kernel whose one function has this body.
pub(crate) fn kernel(body: &str) -> Vec<u8> {
    assemble(3, &format!("{KERNEL}%10 = Function %1 0 %2\n{body}\nFunctionEnd"))
}

/// A small generator of numbers, the same on every run.
pub(crate) struct Numbers(pub(crate) u64);

impl Numbers {
    /// The next number, below a bound.
    pub(crate) fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as usize % bound.max(1)
    }
}
