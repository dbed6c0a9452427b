//! Codes, options and limits of the reader of WGSL, in builds with it and without it.

use reconverge_diagnostic::{Diagnostic, Severity};

/// The maximum nesting of a text: brackets, statements without braces and operators before an operand together.
pub const MAX_DEPTH: usize = 2_000;

/// Options for reading a text.
#[derive(Clone, Copy, Debug)]
pub struct SourceOptions<'a> {
    /// The name of the file, which source locations name.
    pub file: &'a str,
    /// The treatment of indices out of range.
    pub indices: Indices,
}

/// The treatment of an index, a coordinate or a level that may be out of range.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Indices {
    /// It is clamped: accesses outside of an array are defined in WGSL, but not in SPIR-V and other languages.
    #[default]
    Clamped,
    /// It is unchanged, for a module that becomes WGSL again.
    AsWritten,
}

const BETTER_SOURCE: &str = "correct the text where the message points";

reconverge_diagnostic::codes! {
    /// Codes of reading a text. The place is a line and a column.
    pub enum ReadCode in "Reading WGSL" {
        Syntax = "source-syntax" Rejected
            "The text breaks the grammar, or uses a name that is not declared."
            BETTER_SOURCE;
        Invalid = "source-invalid" Rejected
            "The text breaks a rule about types, resources or entry points."
            BETTER_SOURCE;
        Unsupported = "source-unsupported" Unsupported
            "The parser does not know what the text uses, though the language may have it."
            "compile it to SPIR-V with another front end, such as Tint, and give that";
        Limit = "source-limit" Limit
            "The text nests too deep."
            "split the expression or the function";
        Language = "source-language" Rejected
            "GLSL, HLSL and MSL are written and not read, as far as the library goes. The command has front ends for GLSL and HLSL."
            "compile the source to SPIR-V first";
    }
}

const SAME_FOR_ALL: &str =
    "call it where all invocations go the same way; `workgroupUniformLoad` makes a value the same for all";

reconverge_diagnostic::codes! {
    /// Codes of what has to be uniform, by the names of WGSL's diagnostics.
    pub enum UniformityRule in "Uniformity in WGSL" {
        Barrier = "uniformity-barrier" Rejected
            "A barrier, or `workgroupUniformLoad`, is called where the invocations of a workgroup may go different ways. WGSL does not accept such a shader."
            SAME_FOR_ALL;
        Derivative = "uniformity-derivative" Rejected
            "A derivative, or a sample with an implicit level of detail, is computed where invocations may go different ways (`derivative_uniformity` in WGSL)."
            "compute it before the branch, or choose the level of detail";
        Subgroup = "uniformity-subgroup" Rejected
            "A subgroup operation is called where the invocations of a subgroup may go different ways, or an argument that has to be the same for all may differ (`subgroup_uniformity` in WGSL)."
            "call it before the branch";
    }
}

impl UniformityRule {
    /// The name by which WGSL's `diagnostic` filters it, if it can be filtered.
    pub const fn filter(self) -> Option<&'static str> {
        match self {
            UniformityRule::Barrier => None,
            UniformityRule::Derivative => Some("derivative_uniformity"),
            UniformityRule::Subgroup => Some("subgroup_uniformity"),
        }
    }
}

/// A violation of the rules.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct UniformityFinding {
    /// The rule.
    pub rule: UniformityRule,
    /// The severity, by the filters of the text.
    pub severity: Severity,
    /// The call, and what it needs; the notes say why that may not hold: the calls down to the operation, the control flow, and the value that
    /// may be non-uniform.
    pub diagnostic: Diagnostic,
}
