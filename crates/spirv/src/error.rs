//! Codes of reading bytes or assembly, and of writing a module.

use reconverge_diagnostic::{Diagnostic, Place};
use reconverge_ir::Inst;

const BETTER_FILE: &str =
    "compile the source again, or check that the file is complete; `spirv-val FILE` checks it independently";
const BETTER_ASSEMBLY: &str = "compare the line with the output of `spirv-dis`";
const BUG: &str = "this is a bug of the compiler: report it, with the folder that the message names";

reconverge_diagnostic::codes! {
    /// Codes of reading bytes. The place is a word of the file.
    pub enum ReadCode in "Reading SPIR-V" {
        Length = "spirv-length" Rejected
            "The file is not a whole number of words, or is shorter than the header."
            BETTER_FILE;
        Magic = "spirv-magic" Rejected
            "The first word is not the magic number of SPIR-V."
            "give a SPIR-V module, or `--from text` for text";
        Version = "spirv-version" Unsupported
            "The version is not one of 1.0 to 1.6."
            "compile for an older version, such as 1.6";
        WordCount = "spirv-word-count" Rejected
            "The word count of an instruction is zero, or extends past the end of the file."
            BETTER_FILE;
        OperandMissing = "spirv-operand-missing" Rejected
            "An instruction ends before its operands do."
            BETTER_FILE;
        OperandSurplus = "spirv-operand-surplus" Rejected
            "An instruction has words after its last operand."
            BETTER_FILE;
        Text = "spirv-text" Rejected
            "A string does not end inside its instruction."
            BETTER_FILE;
        LiteralWidth = "spirv-literal-width" Rejected
            "The width of a literal differs from that of its type."
            BETTER_FILE;
        IdRange = "spirv-id-range" Rejected
            "An id is 0, or not below the bound in the header."
            BETTER_FILE;
        IdRedefined = "spirv-id-redefined" Rejected
            "Two instructions have the same result id."
            BETTER_FILE;
        IdUndefined = "spirv-id-undefined" Rejected
            "An id is used but never defined."
            BETTER_FILE;
        ForwardReference = "spirv-forward-reference" Rejected
            "An id is used before its definition where SPIR-V does not allow it, or in a cycle."
            BETTER_FILE;
        Layout = "spirv-layout" Rejected
            "An instruction is in the wrong section of the module, or a required one is missing."
            BETTER_FILE;
        Terminator = "spirv-terminator" Rejected
            "A block has no terminator."
            BETTER_FILE;
        BranchTarget = "spirv-branch-target" Rejected
            "A branch or merge names something that is not a block of the function."
            BETTER_FILE;
        Merge = "spirv-merge" Rejected
            "A merge instruction is in a place where none is allowed."
            "`compile` without --strict structurizes the function again";
        Phi = "spirv-phi" Rejected
            "The parents of an OpPhi are not the predecessors of its block."
            BETTER_FILE;
        Limit = "spirv-limit" Limit
            "The module exceeds a limit of the IR: the words of the file, the operands of an instruction, or the phis of a block."
            "split the function";
        Unsupported = "spirv-unsupported" Unsupported
            "The module may be valid, but uses a feature that is not supported."
            "compile the source without the feature that the message names";
    }
}

reconverge_diagnostic::codes! {
    /// Codes of writing a module. The place is an instruction.
    pub enum WriteCode in "Writing" {
        Op = "write-op" Unsupported
            "The op has no SPIR-V instruction."
            "write text (--to text), or run the pass that lowers the op";
        Generic = "write-generic" Unsupported
            "Generics or interfaces are left, which SPIR-V does not have. The message has the chain of uses that needs them."
            "specialize the module; link the modules that define what it imports";
        Operand = "write-operand" Internal
            "An operand has no result. This is a bug of the compiler."
            BUG;
        Block = "write-block" Internal
            "A block or function part is in a wrong place. This is a bug of the compiler."
            BUG;
        Arguments = "write-arguments" Internal
            "A branch passes the wrong number of arguments. This is a bug of the compiler."
            BUG;
        Version = "write-version" Unsupported
            "The version in the header is not one of 1.0 to 1.6."
            "change `spirv_header` in the text";
        Layout = "write-layout" Rejected
            "The module has no memory model, so it is not a SPIR-V module."
            "add `memory_model` to the text";
        Limit = "write-limit" Limit
            "An instruction would have more words, or the module more ids, than SPIR-V allows."
            "split the module";
    }
}

reconverge_diagnostic::codes! {
    /// Codes of reading a text as assembly. The place is a line and a column.
    pub enum AssemblyCode in "Reading SPIR-V assembly" {
        Character = "assembly-character" Rejected
            "The text contains a NUL character."
            BETTER_ASSEMBLY;
        Text = "assembly-text" Rejected
            "A string does not end."
            BETTER_ASSEMBLY;
        Syntax = "assembly-syntax" Rejected
            "An instruction must begin here."
            BETTER_ASSEMBLY;
        Opcode = "assembly-opcode" Rejected
            "No instruction has this name."
            BETTER_ASSEMBLY;
        Result = "assembly-result" Rejected
            "A result is missing, or the instruction has none."
            BETTER_ASSEMBLY;
        OperandMissing = "assembly-operand-missing" Rejected
            "An instruction ends before its operands do."
            BETTER_ASSEMBLY;
        OperandSurplus = "assembly-operand-surplus" Rejected
            "An instruction has too many operands."
            BETTER_ASSEMBLY;
        OperandKind = "assembly-operand-kind" Rejected
            "The operand is of the wrong kind."
            BETTER_ASSEMBLY;
        Enumerant = "assembly-enumerant" Rejected
            "The enumeration or mask has no such name."
            BETTER_ASSEMBLY;
        Id = "assembly-id" Rejected
            "This is not an id: ids are names of letters, digits and underscores, or numbers above 0."
            BETTER_ASSEMBLY;
        Literal = "assembly-literal" Rejected
            "The literal is not a number of the kind that its type requires."
            BETTER_ASSEMBLY;
        LiteralRange = "assembly-literal-range" Rejected
            "The number does not fit its type."
            BETTER_ASSEMBLY;
        LiteralType = "assembly-literal-type" Rejected
            "The type of the literal is not numeric, or is defined too late."
            BETTER_ASSEMBLY;
        InstructionSet = "assembly-instruction-set" Rejected
            "The id is not an extended instruction set."
            BETTER_ASSEMBLY;
        ExtendedInstruction = "assembly-extended-instruction" Rejected
            "The extended instruction set has no instruction of this name."
            BETTER_ASSEMBLY;
        Version = "assembly-version" Rejected
            "The version in the comment is not one of 1.0 to 1.6."
            BETTER_ASSEMBLY;
        Limit = "assembly-limit" Limit
            "An instruction has more words, or the module more ids, than SPIR-V allows."
            BETTER_ASSEMBLY;
    }
}

/// An error at a word of the file.
#[cold]
pub(crate) fn at_word(code: ReadCode, word: usize, message: impl Into<String>) -> Diagnostic {
    Diagnostic::new(code, Place::Word(word), message)
}

/// An error at an instruction that cannot be written.
#[cold]
pub(crate) fn at_inst(code: WriteCode, inst: impl Into<Inst>, message: impl Into<String>) -> Diagnostic {
    Diagnostic::new(code, inst.into(), message)
}
