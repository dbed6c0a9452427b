//! The printers: a syntax tree as text in GLSL, HLSL, MSL or WGSL.
//!
//! A printer spells what the tree says. It decides nothing about the meaning, and asks no version: what a language lacks is refused by the
//! lowering.
//!
//! | file | what it spells |
//! |---|---|
//! | `declarations.rs`, `functions.rs` | lines at the top, structs, globals; functions |
//! | `statements.rs`, `loops.rs` | statements |
//! | `expressions.rs`, `operands.rs` | expressions; where an operand has parentheses |
//! | `literals.rs` | numbers |
//! | `types.rs`, and a file for each language | names of types |
//! | `lines.rs` | breaks of long lines |
//! | `uses.rs` | the structs that are declared |

mod declarations;
mod expressions;
mod functions;
mod glsl;
mod hlsl;
mod lines;
mod literals;
mod loops;
mod msl;
mod operands;
mod statements;
#[cfg(test)]
pub(crate) mod tests;
mod types;
mod uses;
mod wgsl;

use reconverge_ir::Inst;

pub(crate) use uses::structs as declared_structs;

use crate::Language;
use crate::syntax::{Function, Global, GlobalId, Text};

/// Whether the text names lines of the source.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Lines {
    None,
    /// `#line 7 "a.comp"`.
    Directives,
    /// `#line 7`, where the language has no names of files.
    Numbers,
    /// `// a.comp:7`.
    Comments,
}

/// The names of floating-point types of 16 bits in HLSL.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Halves {
    /// `half`.
    Half,
    /// `float16_t`.
    Float16,
}

/// A line of the source.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Place<'a> {
    pub(crate) file: &'a str,
    pub(crate) line: u32,
}

/// What is spelled in several ways in one language.
#[derive(Clone, Copy)]
pub(crate) struct Spelling<'a> {
    pub(crate) lines: Lines,
    /// The line of the source that an instruction was made of.
    pub(crate) places: &'a dyn Fn(Inst) -> Option<Place<'a>>,
    pub(crate) halves: Halves,
}

impl Default for Spelling<'_> {
    fn default() -> Self {
        Spelling { lines: Lines::None, places: &|_| None, halves: Halves::Half }
    }
}

/// The name of the type of an image or sampler in GLSL.
pub(crate) fn image_name(shape: crate::syntax::TypeShape) -> String {
    glsl::opaque(shape)
}

/// The text of a tree. Every local has a name.
pub(crate) fn print<'a>(text: &'a Text, language: Language, options: &'a Spelling<'a>) -> String {
    let mut printer = Printer::new(text, language, options);
    printer.declarations();
    printer.functions();
    printer.result
}

/// What is printed, and where.
struct Printer<'a> {
    text: &'a Text,
    language: Language,
    spelling: &'a Spelling<'a>,
    /// The function that is printed.
    function: Option<&'a Function>,
    indent: usize,
    /// The last line of the source that the text names.
    place: Option<Place<'a>>,
    result: String,
}

impl<'a> Printer<'a> {
    fn new(text: &'a Text, language: Language, spelling: &'a Spelling<'a>) -> Printer<'a> {
        Printer { text, language, spelling, function: None, indent: 0, place: None, result: String::new() }
    }

    fn is_wgsl(&self) -> bool {
        self.language == Language::Wgsl
    }

    fn global(&self, global: GlobalId) -> &'a Global {
        self.text.global(global)
    }

    /// Writes a line, in several lines if it is long.
    fn line(&mut self, line: &str) {
        lines::write(&mut self.result, line, self.indent);
    }

    /// A blank line, unless it is the first or there is one.
    fn blank_line(&mut self) {
        if !self.result.is_empty() && !self.result.ends_with("\n\n") {
            self.result.push('\n');
        }
    }

    /// Names the line of the source of an instruction, if it is another one than the last.
    fn origin(&mut self, origin: Option<Inst>) {
        if self.spelling.lines == Lines::None {
            return;
        }
        let Some(place) = origin.and_then(self.spelling.places) else { return };
        if self.place == Some(place) {
            return;
        }
        self.place = Some(place);
        let Place { file, line } = place;
        match self.spelling.lines {
            Lines::None => {}
            Lines::Directives => self.result.push_str(&format!("#line {line} \"{}\"\n", file.replace('\\', "/"))),
            Lines::Numbers => self.result.push_str(&format!("#line {line}\n")),
            Lines::Comments => self.line(&format!("// {file}:{line}")),
        }
    }
}

/// Words separated by a blank, without those that are empty.
fn joined(parts: &[&str]) -> String {
    let parts: Vec<&str> = parts.iter().copied().filter(|part| !part.is_empty()).collect();
    parts.join(" ")
}
