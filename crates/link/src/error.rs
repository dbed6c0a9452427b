//! Errors of linking: a stable code, a message, and the places in the inputs.

use std::fmt;

use reconverge_ir::text::Printer;
use reconverge_ir::view;
use reconverge_ir::{Inst, Module};

use crate::Input;

reconverge_diagnostic::codes! {
    /// Codes of linking. That of an import that nothing defines is [`ImportCode`](reconverge_ir::ImportCode).
    pub enum Code in "Linking" {
        Duplicate = "link-duplicate" Rejected
            "Two inputs define one symbol."
            "remove one of the definitions, or make all of them LinkOnceODR";
        NoBody = "link-no-body" Rejected
            "An input exports a symbol that it only declares."
            "export the function where its body is, and import it elsewhere";
        Type = "link-type" Rejected
            "An import and its definition have different types, or are different things."
            "declare it alike in all sources";
        Decoration = "link-decoration" Rejected
            "The decorations of an import and of its definition contradict each other."
            "declare it alike in all sources, with the same attributes";
        MemoryModel = "link-memory-model" Rejected
            "Two inputs have different addressing or memory models."
            "compile all modules for the same target";
        EntryPoint = "link-entry-point" Rejected
            "Two inputs have an entry point of the same name and execution model."
            "rename one of them, or choose the inputs that are linked";
        Root = "link-root" Rejected
            "No input has an entry point or export of the name that --root gives."
            "`reconverge link IN... --list` lists all exports";
        Recursion = "link-recursion" Rejected
            "An entry point reaches a function that calls itself, which SPIR-V does not allow."
            "replace the recursion by a loop";
        Malformed = "link-malformed" Rejected
            "An input breaks rules in a place that is linked."
            "`reconverge check IN` lists all errors of an input";
        Read = "link-read" Rejected
            "A part of an input cannot be read."
            "check that the file is complete";
    }
}

/// An error of linking. Displays as message and code.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LinkError {
    /// The stable code.
    pub code: &'static reconverge_diagnostic::Code,
    /// The message: lower case, no full stop.
    pub message: String,
    /// The places, in the order of the message.
    pub places: Vec<LinkPlace>,
}

/// A place in an input.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LinkPlace {
    /// The event at the place: lower case, no full stop.
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
    /// An error without a place.
    pub fn new(code: impl Into<&'static reconverge_diagnostic::Code>, message: String) -> LinkError {
        LinkError { code: code.into(), message, places: Vec::new() }
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
