//! Errors of code generation.

use std::fmt;

use reconverge_diagnose::{SourcePlace, Sources};
use reconverge_diagnostic::{Code, Diagnostic, Kind};
use reconverge_ir::text::Printer;
use reconverge_ir::{Function, Inst, Module};

reconverge_diagnostic::codes! {
    /// Codes of code generation.
    pub enum CodegenCode in "Machine code" {
        Request = "codegen-request" Rejected
            "The launches for which code is requested do not fit the kernel."
            "compare the size of the work-group and the name of the kernel with the message";
    }
}

/// The error of a kernel without machine code: a diagnostic with its place in words, because the module of the place is a copy that no longer exists.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CodegenError {
    /// The code, which says the kind of the error.
    pub code: &'static Code,
    /// A sentence without a full stop.
    pub message: String,
    /// The instruction that it is about; empty if it is about none.
    pub place: Box<InstructionText>,
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
            function: module
                .cast(inst)
                .or_else(|| module.function_of(inst))
                .map(|function: Function| name(function.into())),
            block: block.map(|block| name(block.into())),
            instruction: block.map(|_| printer.statement(inst).trim().to_owned()),
            source: Sources::new(module).place(inst),
        }
    }
}

impl CodegenError {
    /// An error about the request.
    pub(crate) fn request(message: impl Into<String>) -> CodegenError {
        CodegenError { code: CodegenCode::Request.declared(), message: message.into(), place: Box::default() }
    }

    /// An error about a function, or an instruction of it.
    pub(crate) fn new(error: Diagnostic, module: &Module, function: Function) -> CodegenError {
        let Diagnostic { code, place, message, .. } = error;
        let place = InstructionText::of(module, Inst::of_place(place).unwrap_or(function.inst()));
        CodegenError { code, message, place: Box::new(place) }
    }

    /// An error about no instruction.
    pub(crate) fn whole(error: Diagnostic) -> CodegenError {
        CodegenError { code: error.code, message: error.message, place: Box::default() }
    }

    /// An error about launches of a kernel.
    pub(crate) fn of_kernel(error: Diagnostic, name: &str) -> CodegenError {
        let message = format!("the kernel {name}: {}", error.message);
        CodegenError { message, ..CodegenError::whole(error) }
    }

    /// Returns true if the machine does not support something, which another form of the code may not need.
    pub(crate) fn is_unsupported(&self) -> bool {
        self.code.kind == Kind::Unsupported
    }
}

impl fmt::Display for CodegenError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.message)
    }
}

impl std::error::Error for CodegenError {}
