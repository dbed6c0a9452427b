//! The instruction sets of debug information, as far as more than one part of the project reads them.
//!
//! Three sets share their numbers: `DebugInfo`, `OpenCL.DebugInfo.100`, and `NonSemantic.Shader.DebugInfo.100`, which adds to them
//! and says with constants what the others say with literals.

use crate::{Inst, Module, Op};

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
    /// `DebugInfoNone`: nothing is known.
    pub const NONE: u32 = 0;
    /// `DebugFunction`.
    pub const FUNCTION: u32 = 20;
    /// `DebugScope`: what follows belongs to a lexical scope.
    pub const SCOPE: u32 = 23;
    /// `DebugNoScope`: what follows belongs to none.
    pub const NO_SCOPE: u32 = 24;
    /// `DebugInlinedAt`: the call in whose place a body stands.
    pub const INLINED_AT: u32 = 25;
    /// `DebugDeclare`: the variable that holds a variable of the source.
    pub const DECLARE: u32 = 28;
    /// `DebugValue`: the value of a variable of the source from here on.
    pub const VALUE: u32 = 29;
    /// `DebugSource`.
    pub const SOURCE: u32 = 35;
    /// `DebugFunctionDefinition`: the `DebugFunction` of the function that it stands in.
    pub const FUNCTION_DEFINITION: u32 = 101;
    /// `DebugSourceContinued`: more text of the `DebugSource` before it.
    pub const SOURCE_CONTINUED: u32 = 102;
    /// `DebugLine`: what follows comes from these lines.
    pub const LINE: u32 = 103;
    /// `DebugNoLine`: what follows comes from no known line.
    pub const NO_LINE: u32 = 104;
}

/// First operand of an extended instruction behind set and number.
pub const OPERANDS: usize = 2;

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
        let name = (module.op(import) == Op::ExtInstImport).then(|| module.operands(import).next()).flatten()?;
        DebugSet::from_name(module.literal_text(name).as_bytes())
    }

    /// The set and number of an instruction of debug information; `None` for every other.
    pub fn of_inst(module: &Module, inst: Inst) -> Option<(DebugSet, u32)> {
        if module.op(inst) != Op::ExtInst {
            return None;
        }
        let mut operands = module.operands(inst);
        let set = operands.next().and_then(|import| DebugSet::of_import(module, import))?;
        Some((set, operands.next().and_then(|number| module.literal_word(number))?))
    }
}
