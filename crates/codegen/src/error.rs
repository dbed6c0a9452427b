//! Errors of code generation.

use std::fmt;

use reconverge_diagnose::{SourcePlace, Sources};
use reconverge_diagnostic::{Code, Diagnostic, Kind};
use reconverge_ir::text::Printer;
use reconverge_ir::{Inst, Module};
use reconverge_rewrite::session::Failure;

reconverge_diagnostic::codes! {
    /// Codes of code generation.
    pub enum CodegenCode in "Machine code" {
        Request = "codegen-request" Rejected
            "The launches for which code is requested do not fit the kernel."
            "compare the size of the work-group and the name of the kernel with the message";
        CpuUnsupported = "run-cpu-unsupported" Unsupported
            "The CPU engine does not support the instruction, or this machine does not support the engine (exit code 3)."
            "--on interpreter or --on vulkan may run the kernel; without --width the engine takes the widest vectors of this CPU";
        Vc4Unsupported = "vc4-unsupported" Unsupported
            "The VC4 does not have what the instruction needs, or the compiler does not support it there (exit code 3)."
            "docs/qpu.md lists what is not supported; --target vulkan and --on cpu take the kernel";
        Vc4Limit = "vc4-limit" Limit
            "The kernel exceeds a limit of the VC4: registers, rows of the vertex pipe memory, addresses; or it takes too long on the emulator (exit code 4)."
            "the message has the number; make private arrays or the work-group smaller, or split the kernel";
    }
}

/// The error of a kernel without machine code.
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
        CodegenError::new(CodegenCode::Request, message)
    }

    pub(crate) fn new(code: CodegenCode, message: impl Into<String>) -> CodegenError {
        CodegenError { code: code.declared(), message: message.into(), place: Box::default() }
    }

    /// An error at an instruction.
    pub(crate) fn at(self, module: &Module, inst: Inst) -> CodegenError {
        CodegenError { place: Box::new(InstructionText::of(module, inst)), ..self }
    }

    /// The error of a pass.
    pub(crate) fn of_pass(failure: Failure, module: &Module) -> CodegenError {
        let Diagnostic { code, place, message, .. } = failure.error;
        let error = CodegenError { code, message, place: Box::default() };
        match Inst::of_place(place) {
            Some(inst) => error.at(module, inst),
            None => error,
        }
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
