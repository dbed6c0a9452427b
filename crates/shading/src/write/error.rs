//! Codes of writing a module as text.

use reconverge_diagnostic::{Diagnostic, Place};
use reconverge_ir::Inst;

const OTHER_LANGUAGE: &str = "choose another language, or SPIR-V; docs/shading.md has what each can express";

reconverge_diagnostic::codes! {
    /// Codes of writing. The place is an instruction, or the module as a whole.
    pub enum WriteCode in "Writing WGSL, GLSL, HLSL and MSL" {
        Op = "shading-op" Unsupported
            "An instruction has no equivalent in the language, or the writer has none."
            OTHER_LANGUAGE;
        Type = "shading-type" Unsupported
            "A type has no equivalent in the language."
            OTHER_LANGUAGE;
        Layout = "shading-layout" Unsupported
            "The language places the members of a struct or the elements of an array elsewhere, and padding does not help."
            "use the layout std430 with matrices in columns, or write SPIR-V";
        Constant = "shading-constant" Unsupported
            "The language has no form for a constant, such as two specialization constants with one number and different default values."
            "compute the value at run time, or give each specialization constant a number of its own";
        Pointer = "shading-pointer" Unsupported
            "A pointer is stored, chosen or computed. In these languages it goes from a variable to a load, a store or an atomic."
            "compile with -O1, which removes many pointers, or write SPIR-V";
        Stage = "shading-stage" Unsupported
            "The language has no such stage, or the writer has none."
            OTHER_LANGUAGE;
        Interface = "shading-interface" Unsupported
            "A variable between stages, or a built-in, has no equivalent in the language."
            OTHER_LANGUAGE;
        Image = "shading-image" Unsupported
            "A use of an image or sampler has no equivalent in the language."
            OTHER_LANGUAGE;
        Flow = "shading-flow" Unsupported
            "An edge has no statement in the language, such as fall-through in WGSL."
            "leave out --policy if it is given, or choose another language, or SPIR-V";
        Recursion = "shading-recursion" Unsupported
            "A function calls itself."
            "replace the recursion by a loop";
        Unstructured = "shading-unstructured" Options
            "A function is not structured (exit code 2)."
            "let the pass structurize run last";
        Entry = "shading-entry" Options
            "There is no such entry point, or several in a language with one in each file (exit code 2)."
            "give --entry one of the names in the message, or choose by --stage";
        Version = "shading-version" Options
            "There is no such version of the language (exit code 2)."
            "give --shader-version one of the versions in the message";
        Bindings = "shading-bindings" Rejected
            "The file of --text-bindings is not what docs/shading.md describes, or does not fit the module or the language."
            "see the example in docs/shading.md; --reflection names the resources of the module";
        Options = "shading-options" Options
            "An option does not apply to the language of the text or to its version (exit code 2)."
            "leave out the option, or choose the language and version that it is for";
        Nesting = "shading-nesting" Limit
            "Blocks nest deeper than 127, the limit of WGSL (exit code 4)."
            "leave out --policy and --nesting-limit, so that the structurizer stays within the limit";
    }
}

/// An error at an instruction that cannot be written.
#[cold]
pub(crate) fn at_inst(code: WriteCode, inst: impl Into<Inst>, message: impl Into<String>) -> Diagnostic {
    Diagnostic::new(code, inst.into(), sentence(code, message.into()))
}

/// An error of the module as a whole.
#[cold]
pub(crate) fn of_module(code: WriteCode, message: impl Into<String>) -> Diagnostic {
    Diagnostic::new(code, Place::Whole, sentence(code, message.into()))
}

/// The message of an error: those of most codes name a construct, which alone does not say what is wrong with it.
fn sentence(code: WriteCode, message: String) -> String {
    match code {
        WriteCode::Op
        | WriteCode::Type
        | WriteCode::Layout
        | WriteCode::Constant
        | WriteCode::Stage
        | WriteCode::Pointer
        | WriteCode::Interface
        | WriteCode::Image
        | WriteCode::Flow
        | WriteCode::Recursion => format!("not supported: {message}"),
        _ => message,
    }
}
