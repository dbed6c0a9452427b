//! Errors of code generation.

use std::fmt;

use reconverge_diagnose::{SourcePlace, Sources};
use reconverge_ir::text::Printer;
use reconverge_ir::{Inst, Module};
use reconverge_rewrite::pass::PassErrorKind;
use reconverge_rewrite::session::Failure;

/// The error of a kernel without machine code.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CodegenError {
    /// The kind of the error.
    pub kind: CodegenErrorKind,
    /// A sentence without a full stop.
    pub message: String,
    /// The instruction that it is about; empty if it is about none.
    pub place: Box<InstructionText>,
}

/// Kinds of errors of code generation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum CodegenErrorKind {
    /// The request does not fit the kernel.
    Request,
    /// The machine does not have what the kernel needs, or its back end does not support it.
    Unsupported,
    /// The code exceeds a limit of the machine.
    Limit,
}

/// An instruction in words, for messages: the module that contains it may no longer exist.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct InstructionText {
    /// The function that contains it, by its name in the text form.
    pub function: Option<String>,
    /// The block that contains it, by its name in the text form.
    pub block: Option<String>,
    /// The instruction in text form.
    pub instruction: Option<String>,
    /// The place in the source of the kernel.
    pub source: Option<SourcePlace>,
}

impl InstructionText {
    /// The words for an instruction of a module.
    pub fn of(module: &Module, inst: Inst) -> InstructionText {
        let printer = Printer::new(module);
        let name = |inst: Inst| printer.operand_text(inst);
        let block = module.block_of(inst);
        InstructionText {
            function: module.function_of(inst).map(|function| name(function.into())),
            block: block.map(|block| name(block.into())),
            instruction: block.map(|_| printer.statement(inst).trim().to_owned()),
            source: Sources::new(module).place(inst),
        }
    }
}

impl CodegenError {
    /// An error about the request.
    pub(crate) fn request(message: impl Into<String>) -> CodegenError {
        CodegenError::new(CodegenErrorKind::Request, message)
    }

    pub(crate) fn new(kind: CodegenErrorKind, message: impl Into<String>) -> CodegenError {
        CodegenError { kind, message: message.into(), place: Box::default() }
    }

    /// Something at an instruction that the machine does not support.
    pub(crate) fn unsupported(message: impl Into<String>, module: &Module, at: Inst) -> CodegenError {
        let place = Box::new(InstructionText::of(module, at));
        CodegenError { place, ..CodegenError::new(CodegenErrorKind::Unsupported, message) }
    }

    /// The error of a pass.
    pub(crate) fn of_pass(failure: Failure, module: &Module) -> CodegenError {
        let Failure { error, .. } = failure;
        let kind = match error.kind {
            PassErrorKind::Unsupported => CodegenErrorKind::Unsupported,
            PassErrorKind::Limit => CodegenErrorKind::Limit,
            PassErrorKind::Rejected | PassErrorKind::Options => CodegenErrorKind::Request,
        };
        let place = error.at.map(|at| InstructionText::of(module, at)).unwrap_or_default();
        CodegenError { kind, message: error.message, place: Box::new(place) }
    }
}

impl fmt::Display for CodegenError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.message)
    }
}

impl std::error::Error for CodegenError {}
