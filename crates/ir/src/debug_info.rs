//! The instruction sets of debug information, as used by several parts of the project.
//!
//! Three sets share their numbers: `DebugInfo`, `OpenCL.DebugInfo.100`, and `NonSemantic.Shader.DebugInfo.100`, which extends them and uses
//! constants where the others use literals.

use smallvec::SmallVec;

use crate::{Inst, Module, view};

/// A set of debug information.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum DebugSet {
    /// `DebugInfo` or `OpenCL.DebugInfo.100`: numbers are literals, and `DebugFunction` names its function.
    Literals,
    /// `NonSemantic.Shader.DebugInfo`: numbers are constants, and a function names its `DebugFunction`.
    Constants,
}

/// Numbers of instructions.
pub mod number {
    use spirv::NonsemanticShaderDebuginfo100Op as Debug;

    /// `DebugInfoNone`: nothing is known.
    pub const NONE: u32 = Debug::DebugInfoNone as u32;
    /// `DebugTypeArray`.
    pub const TYPE_ARRAY: u32 = Debug::DebugTypeArray as u32;
    /// `DebugFunction`.
    pub const FUNCTION: u32 = Debug::DebugFunction as u32;
    /// `DebugScope`: what follows belongs to a lexical scope.
    pub const SCOPE: u32 = Debug::DebugScope as u32;
    /// `DebugNoScope`: what follows belongs to none.
    pub const NO_SCOPE: u32 = Debug::DebugNoScope as u32;
    /// `DebugInlinedAt`: the call that a body replaces.
    pub const INLINED_AT: u32 = Debug::DebugInlinedAt as u32;
    /// `DebugDeclare`: the variable that holds a variable of the source.
    pub const DECLARE: u32 = Debug::DebugDeclare as u32;
    /// `DebugGlobalVariable`.
    pub const GLOBAL_VARIABLE: u32 = Debug::DebugGlobalVariable as u32;
    /// `DebugOperation`: a step of an expression.
    pub const OPERATION: u32 = Debug::DebugOperation as u32;
    /// `DebugExpression`: what is done with a value or an address to get at the variable of the source.
    pub const EXPRESSION: u32 = Debug::DebugExpression as u32;
    /// `DebugValue`: the value of a variable of the source from here on.
    pub const VALUE: u32 = Debug::DebugValue as u32;
    /// `DebugSource`.
    pub const SOURCE: u32 = Debug::DebugSource as u32;
    /// `DebugFunctionDefinition`: the `DebugFunction` of the function that contains it.
    pub const FUNCTION_DEFINITION: u32 = Debug::DebugFunctionDefinition as u32;
    /// `DebugSourceContinued`: more text of the `DebugSource` before it.
    pub const SOURCE_CONTINUED: u32 = Debug::DebugSourceContinued as u32;
    /// `DebugLine`: what follows comes from these lines.
    pub const LINE: u32 = Debug::DebugLine as u32;
    /// `DebugNoLine`: what follows comes from no known line.
    pub const NO_LINE: u32 = Debug::DebugNoLine as u32;
}

/// Numbers of the operands of instructions, counted after the number of the instruction ([`operand_of`]).
pub mod operand {
    /// `DebugSource`: the name of the file.
    pub const SOURCE_FILE: usize = 0;
    /// `DebugSource`: the text, if it is embedded.
    pub const SOURCE_TEXT: usize = 1;
    /// `DebugSourceContinued`: the text.
    pub const SOURCE_CONTINUED_TEXT: usize = 0;
    /// `DebugTypeArray`: the first number of elements.
    pub const ARRAY_COUNTS: usize = 1;
    /// `DebugFunction`: the source.
    pub const FUNCTION_SOURCE: usize = 2;
    /// `DebugFunction`: the line.
    pub const FUNCTION_LINE: usize = 3;
    /// `DebugFunction`: the column.
    pub const FUNCTION_COLUMN: usize = 4;
    /// `DebugFunctionDefinition`: the `DebugFunction`.
    pub const DEFINITION_FUNCTION: usize = 0;
    /// `DebugFunctionDefinition`: the function that contains it.
    pub const DEFINITION_OWNER: usize = 1;
    /// `DebugFunction` of the sets with literals: the function.
    pub const FUNCTION_FUNCTION: usize = 9;
    /// `DebugGlobalVariable`: the variable or constant.
    pub const GLOBAL_VARIABLE_VARIABLE: usize = 7;
    /// `DebugDeclare`, `DebugValue`: the variable of the source.
    pub const LOCAL_VARIABLE: usize = 0;
    /// `DebugDeclare`, `DebugValue`: the expression.
    pub const VALUE_EXPRESSION: usize = 2;
    /// `DebugDeclare`: the variable or parameter that holds the variable of the source.
    pub const DECLARE_VARIABLE: usize = 1;
    /// `DebugInlinedAt`: the call that the body of this call was inlined with, if there is one.
    pub const INLINED_AT_INLINED: usize = 2;
}

/// An operand of an instruction of debug information, by its number in [`operand`].
pub fn operand_of(module: &Module, inst: Inst, number: usize) -> Option<Inst> {
    view::ExtInst::of(module, inst)?.operands.at(number)
}

impl DebugSet {
    /// The set of that name, if it is one of debug information.
    pub fn from_name(name: &[u8]) -> Option<DebugSet> {
        match name {
            b"DebugInfo" | b"OpenCL.DebugInfo.100" => Some(DebugSet::Literals),
            _ => name.starts_with(b"NonSemantic.Shader.DebugInfo.").then_some(DebugSet::Constants),
        }
    }

    /// The set that an import imports.
    pub fn of_import(module: &Module, import: Inst) -> Option<DebugSet> {
        let name = view::ExtInstImport::of(module, import)?.name;
        DebugSet::from_name(&name.bytes().collect::<SmallVec<[u8; 64]>>())
    }

    /// The set and number of an instruction of debug information; `None` for every other.
    pub fn of_inst(module: &Module, inst: Inst) -> Option<(DebugSet, u32)> {
        let view::ExtInst { set, instruction, .. } = view::ExtInst::of(module, inst)?;
        Some((DebugSet::of_import(module, set)?, instruction))
    }
}
