//! Errors, by kind. The kinds are never mixed: bad input, something not supported, a limit, and a bug of ours.

use std::fmt;

use reconverge_ir::text::{ErrorCode, ParseError};
use reconverge_ir::{Block, Inst};
use reconverge_opencl::{KernelError, KernelErrorKind};
use reconverge_optimize::structured::StructuredError;
use reconverge_restructure::StructurizeError;
use reconverge_rewrite::RepairError;
use reconverge_spirv::{AssemblyCode, AssemblyError, ReadCode, ReadError, WriteCode, WriteError};
use reconverge_verify::Finding;

/// Why a module did not come through.
#[derive(Debug)]
pub enum Error {
    /// The input is no module in the text form.
    Text(ParseError),
    /// The input is no SPIR-V assembly.
    Assembly(AssemblyError),
    /// The input is no SPIR-V module, or one with a feature that is not supported.
    Spirv(ReadError),
    /// The input is a module that breaks rules; all of them.
    Invalid(Vec<Finding>),
    /// An OpenCL kernel could not be lowered.
    Kernel {
        /// The pass that could not.
        pass: &'static str,
        /// What stood in the way, and where in the module as the pass left it.
        error: KernelError,
    },
    /// A function could not be structurized within the declared limits.
    Structurize {
        /// The function, as the text form calls it.
        function: String,
        /// What stood in the way, in the names of the text form.
        message: String,
        /// The same as data.
        error: StructurizeError,
    },
    /// A pass on request refused a function.
    Structured {
        /// The pass.
        pass: &'static str,
        /// The function, as the text form calls it.
        function: String,
        /// What stood in the way.
        error: StructuredError,
    },
    /// A pass on request works on the control tree, and a function has none although it keeps the rules: ways of a selection come
    /// together before its merge block. Structured anew ([`strip_merges`](crate::CompileOptions::strip_merges)) it has one.
    NoTree {
        /// The pass.
        pass: &'static str,
        /// The function, as the text form calls it.
        function: String,
        /// The block where the ways come together, as the text form calls it.
        block: String,
        /// The same as data.
        at: Block,
    },
    /// A pass made more of a function than SPIR-V has room for. The input is right, and so is the pass.
    Outgrown {
        /// The pass.
        pass: &'static str,
        /// The function, as the text form calls it; none where what outgrew the limit is in no function.
        function: Option<String>,
        /// Which limit.
        limit: Outgrown,
    },
    /// The module cannot be written in the format asked for.
    Write(WriteError),
    /// What was written as SPIR-V cannot be printed as assembly, for this reason: a bug.
    Disassembly(String),
    /// A pass of ours broke rules: a bug.
    Internal {
        /// The pass after which the rules no longer held.
        pass: &'static str,
        /// What was found.
        findings: Vec<Finding>,
    },
}

/// A limit of SPIR-V (section 2.17) that a pass goes past by growing what it works on.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Outgrown {
    /// Constructs around a block.
    Nesting {
        /// How many there would be around the deepest block.
        depth: usize,
        /// How many are allowed.
        limit: usize,
    },
    /// One of the IR itself, as of the operands of an instruction, in its words.
    Instruction {
        /// What is allowed.
        allowed: String,
    },
    /// Another one, in the words of the rule that holds it.
    Rule {
        /// The code of the rule.
        code: reconverge_verify::Code,
        /// What is too much.
        message: String,
    },
}

impl fmt::Display for Outgrown {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Outgrown::Nesting { depth, limit } => {
                write!(formatter, "would nest constructs {depth} deep, more than SPIR-V's limit of {limit}")
            }
            Outgrown::Instruction { allowed } => write!(formatter, "would exceed a limit: {allowed}"),
            Outgrown::Rule { code, message } => write!(formatter, "exceeds a limit of SPIR-V ({code}): {message}"),
        }
    }
}

/// Kinds of errors, as a caller would tell them apart.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ErrorKind {
    /// The input is wrong.
    Rejected,
    /// The input may be right, but needs something that is not there yet.
    Unsupported,
    /// The input goes past a declared limit.
    Limit,
    /// A bug of ours.
    Internal,
}

/// Where in an input an error is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Place {
    /// Line and column of a text, from 1.
    Line(usize, usize),
    /// Word of a binary, from 0.
    Word(usize),
}

impl Error {
    /// The kind of error.
    pub fn kind(&self) -> ErrorKind {
        match self {
            Error::Text(ParseError { code: ErrorCode::Limit, .. })
            | Error::Assembly(AssemblyError { code: AssemblyCode::Limit, .. })
            | Error::Spirv(ReadError { code: ReadCode::Limit, .. })
            | Error::Write(WriteError { code: WriteCode::Limit, .. })
            | Error::Kernel { error: KernelError { kind: KernelErrorKind::Limit, .. }, .. }
            | Error::Structurize { error: StructurizeError::Limit(_), .. }
            | Error::Structured { error: StructuredError::Growth(_), .. }
            | Error::NoTree { .. }
            | Error::Outgrown { .. } => ErrorKind::Limit,
            Error::Spirv(ReadError { code: ReadCode::Unsupported | ReadCode::Version, .. })
            | Error::Write(WriteError { code: WriteCode::Op | WriteCode::Version, .. })
            | Error::Kernel { error: KernelError { kind: KernelErrorKind::Unsupported, .. }, .. }
            | Error::Structurize { error: StructurizeError::Repair(_), .. } => ErrorKind::Unsupported,
            Error::Write(WriteError { code: WriteCode::Layout, .. })
            | Error::Kernel { .. }
            | Error::Structured { .. }
            | Error::Text(_)
            | Error::Assembly(_)
            | Error::Spirv(_)
            | Error::Invalid(_) => ErrorKind::Rejected,
            Error::Write(_) | Error::Disassembly(_) | Error::Internal { .. } => ErrorKind::Internal,
        }
    }

    /// A stable code: `text-…`, `assembly-…` and `spirv-…` for what cannot be read, `write-…` for what cannot be written, `kernel-…`,
    /// `structurize-…`, those of passes on request, `tree-limit` where they need a control tree and a valid function has none, `nesting-limit` and `growth-limit` for what a pass would make too much of,
    /// `internal`, and the code of the first finding for a module that breaks rules.
    pub fn code(&self) -> String {
        match self {
            Error::Text(error) => error.code.to_string(),
            Error::Assembly(error) => error.code.to_string(),
            Error::Disassembly(_) => "internal".to_owned(),
            Error::Spirv(error) => format!("spirv-{}", error.code),
            Error::Invalid(findings) => findings.first().map_or_else(String::new, |finding| finding.code.to_string()),
            Error::Kernel { error, .. } => match error.kind {
                KernelErrorKind::Unsupported => "kernel-unsupported".to_owned(),
                KernelErrorKind::Rejected => "kernel-rejected".to_owned(),
                KernelErrorKind::Limit => "kernel-limit".to_owned(),
            },
            Error::Structurize { error: StructurizeError::Limit(_), .. } => "structurize-limit".to_owned(),
            Error::Structurize { error: StructurizeError::Repair(_), .. } => "structurize-opaque".to_owned(),
            Error::Structured { error: StructuredError::Impossible { code, .. }, .. } => (*code).to_owned(),
            Error::Structured {
                error: StructuredError::NotStructured { .. } | StructuredError::WaysMeet { .. },
                ..
            } => "not-structured".to_owned(),
            Error::NoTree { .. } => "tree-limit".to_owned(),
            Error::Structured { error: StructuredError::Growth(_), .. }
            | Error::Outgrown { limit: Outgrown::Rule { .. } | Outgrown::Instruction { .. }, .. } => {
                "growth-limit".to_owned()
            }
            Error::Outgrown { limit: Outgrown::Nesting { .. }, .. } => "nesting-limit".to_owned(),
            Error::Write(error) => format!("write-{}", error.code),
            Error::Internal { .. } => "internal".to_owned(),
        }
    }

    /// What is wrong, without the code and the place, which [`code`](Self::code) and [`place`](Self::place) give.
    pub fn message(&self) -> String {
        match self {
            Error::Text(error) => error.message.clone(),
            Error::Assembly(error) => error.message.clone(),
            Error::Disassembly(message) => message.clone(),
            Error::Spirv(error) => error.message.clone(),
            Error::Write(error) => error.message.clone(),
            Error::Kernel { error, .. } => error.message.clone(),
            Error::Structurize { message, .. } => message.clone(),
            Error::Structured { pass, error: error @ StructuredError::Growth(_), .. } => format!("{pass}: {error}"),
            Error::Structured { error, .. } => error.to_string(),
            Error::NoTree { pass, function, block, .. } => no_tree(pass, function, block),
            Error::Outgrown { pass, limit, .. } => format!("{pass} {limit}"),
            Error::Invalid(_) | Error::Internal { .. } => self.to_string(),
        }
    }

    /// The function that the error is about, as the text form calls it, if it is about one.
    pub fn function(&self) -> Option<&str> {
        match self {
            Error::Structurize { function, .. }
            | Error::Structured { function, .. }
            | Error::NoTree { function, .. } => Some(function),
            Error::Outgrown { function, .. } => function.as_deref(),
            _ => None,
        }
    }

    /// The instruction that the error is about, in the module as the failing step left it, if it is about one.
    pub fn inst(&self) -> Option<Inst> {
        match self {
            Error::Kernel { error, .. } => Some(error.at),
            Error::Write(error) => Some(error.inst),
            Error::Structured { error, .. } => error.inst(),
            Error::NoTree { at, .. } => Some((*at).into()),
            Error::Structurize { error: StructurizeError::Repair(RepairError::Opaque { user, .. }), .. } => Some(*user),
            _ => None,
        }
    }

    /// Where the error is, if it is at one place of the input.
    pub fn place(&self) -> Option<Place> {
        match self {
            Error::Text(error) => Some(Place::Line(error.line, error.column)),
            Error::Assembly(error) => Some(Place::Line(error.line, error.column)),
            Error::Spirv(error) => {
                Some(error.line.map_or(Place::Word(error.word), |(line, column)| Place::Line(line, column)))
            }
            _ => None,
        }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::Text(error) => write!(formatter, "{error}"),
            Error::Assembly(error) => write!(formatter, "{error}"),
            Error::Disassembly(message) => formatter.write_str(message),
            Error::Spirv(error) => write!(formatter, "{error}"),
            Error::Invalid(findings) => write!(formatter, "the module violates rules in {}", places(findings.len())),
            Error::Kernel { error, .. } => write!(formatter, "{error}"),
            Error::Structurize { function, message, .. } => write!(formatter, "in function {function}: {message}"),
            Error::Structured { function, error, .. } => write!(formatter, "in function {function}: {error}"),
            Error::NoTree { pass, function, block, .. } => formatter.write_str(&no_tree(pass, function, block)),
            Error::Outgrown { pass, function: Some(function), limit } => {
                write!(formatter, "in function {function}: {pass} {limit}")
            }
            Error::Outgrown { pass, function: None, limit } => write!(formatter, "{pass} {limit}"),
            Error::Write(error) => write!(formatter, "{error}"),
            Error::Internal { pass, findings } => {
                let first = findings.first();
                let first =
                    first.map_or_else(String::new, |first| format!("; first {}: {}", first.code, first.message));
                write!(formatter, "after {pass} the module violates rules in {}{first}", places(findings.len()))
            }
        }
    }
}

impl std::error::Error for Error {}

fn no_tree(pass: &str, function: &str, block: &str) -> String {
    format!(
        "{pass} needs a control tree, but {function} has none: paths of a selection join at {block}, before its merge block"
    )
}

fn places(count: usize) -> String {
    format!("{count} {}", if count == 1 { "place" } else { "places" })
}
