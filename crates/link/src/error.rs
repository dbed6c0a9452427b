//! Errors of linking: a stable code, a message, and the places in the inputs.

use std::fmt;

use reconverge_ir::text::Printer;
use reconverge_ir::view;
use reconverge_ir::{Inst, Module};

use crate::Input;

/// Declares the codes with their names and meanings.
macro_rules! codes {
    ($( $(#[doc = $doc:literal])+ $code:ident = $name:literal, )*) => {
        /// The code of an error.
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
        pub enum Code { $( $(#[doc = $doc])+ $code, )* }

        impl Code {
            /// Every code.
            pub const ALL: &'static [Code] = &[ $( Code::$code, )* ];

            /// The name, which is stable.
            pub const fn name(self) -> &'static str {
                match self { $( Code::$code => $name, )* }
            }

            /// What it means, in a sentence.
            pub const fn meaning(self) -> &'static str {
                match self { $( Code::$code => concat!($( $doc ),+).trim_ascii(), )* }
            }
        }
    };
}

codes! {
    /// A module imports a symbol that no input exports.
    Undefined = "link-undefined",
    /// Two inputs define one symbol.
    Duplicate = "link-duplicate",
    /// An input exports a symbol that it only declares.
    NoBody = "link-no-body",
    /// An import and its definition have different types, or are different things: a function, a variable, a type, a generic …
    Type = "link-type",
    /// The decorations of an import and of its definition contradict each other.
    Decoration = "link-decoration",
    /// Two inputs have different addressing or memory models.
    MemoryModel = "link-memory-model",
    /// Two inputs have an entry point of the same name and execution model.
    EntryPoint = "link-entry-point",
    /// No input has an entry point or export of the name of a root.
    Root = "link-root",
    /// An entry point reaches a function that calls itself, which SPIR-V does not allow.
    Recursion = "link-recursion",
    /// An input breaks rules of the IR in a place that is copied.
    Malformed = "link-malformed",
    /// A part of an input cannot be read.
    Read = "link-read",
}

impl fmt::Display for Code {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.name())
    }
}

/// An error of linking. Displays as message and code.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LinkError {
    /// The stable code.
    pub code: Code,
    /// What is wrong: lower case, no full stop.
    pub message: String,
    /// Where, in the order of the message.
    pub places: Vec<LinkPlace>,
}

/// A place in an input.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LinkPlace {
    /// What happens there: lower case, no full stop.
    pub role: String,
    /// The number of the input.
    pub input: usize,
    /// The name of the input.
    pub name: String,
    /// The instruction.
    pub inst: Inst,
    /// The instruction, printed without its location.
    pub statement: String,
    /// Its source location, if it has one: file, line, column.
    pub source: Option<(String, u32, u32)>,
}

impl LinkError {
    pub(crate) fn new(code: Code, message: String) -> LinkError {
        LinkError { code, message, places: Vec::new() }
    }

    /// Adds a place. Linear in the module, because all of it is named.
    pub(crate) fn at<I: Input>(mut self, role: &str, inputs: &[I], site: Site) -> LinkError {
        let input = &inputs[site.input];
        let module = input.module();
        self.places.push(LinkPlace {
            role: role.to_owned(),
            input: site.input,
            name: input.name().to_owned(),
            inst: site.inst,
            statement: Printer::new(module).statement(site.inst),
            source: source_of(module, site.inst),
        });
        self
    }
}

fn source_of(module: &Module, inst: Inst) -> Option<(String, u32, u32)> {
    let line = module.explicit_location(inst)?.line?;
    let file = view::String::of(module, line.file)?;
    Some((file.text.to_string(), line.line, line.column))
}

impl fmt::Display for LinkError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{} [{}]", self.message, self.code)?;
        self.places.iter().try_for_each(|place| write!(formatter, "\n  {place}"))
    }
}

impl std::error::Error for LinkError {}

impl fmt::Display for LinkPlace {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{} in {}: {}", self.role, self.name, self.statement)?;
        match &self.source {
            Some((file, line, column)) => write!(formatter, " ({file}:{line}:{column})"),
            None => Ok(()),
        }
    }
}

/// An instruction of an input.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Site {
    /// The number of the input.
    pub(crate) input: usize,
    /// The instruction.
    pub(crate) inst: Inst,
}
