//! Prints `docs/rules.md`, the table of all rules: `cargo run -p reconverge-verify --example rules > docs/rules.md`.

use std::fmt::Write as _;

use reconverge_verify::Code;

fn main() {
    print!("{}", markdown());
}

const INTRODUCTION: &str = "# Rules

Generated from `crates/verify/src/code.rs` by `cargo run -p reconverge-verify --example rules > docs/rules.md`.

This page lists the rules of the verifier. Section numbers are those of the SPIR-V specification. The rules N, D and E apply to whole
modules, which have a memory model: to the input and the output of the compiler, and not between passes. The rules C compare a module before
and after code motion. Errors in the encoding of a module have codes that begin with `spirv-`.

## Differences from spirv-val

`cargo xtask agreement DIR...` compares the verifier with `spirv-val` on real modules and on mutations of them. With `--instructions TRIALS` it
compares them on small modules with every instruction and enumerant.

The verifier rejects the following modules, which `spirv-val` accepts:

- R9: a switch with the same literal twice.
- I06: a function without parameters whose function type has parameters.
- T01: a dot product with an accumulator whose type differs from the result type.
- T05: an `OpCopyLogical` between equal types.
- T06: an `OpGenericPtrMemSemantics` whose result type is not a 32-bit integer.
- T12: an integer type with a signedness greater than 1 and a width other than 32.
- T01: a dot product whose result type is not an integer type.
- T06: a lifetime instruction whose operand is not a pointer; an `OpInBoundsPtrAccessChain` whose element index is not an integer.
- T12: a signed integer type in a module for kernels, with a width other than 32.
- I03, D01, `spirv-text`: an `OpDecorateString` without a string.
- D01: `FPRoundingMode` on an instruction that is not a conversion.
- D03: an array in a block whose elements have no explicit layout, or an inner array, an array at the end of a block or one with the stride
  zero, outside of Vulkan's environments. Section 2.16.2 requires a layout.
- A decoration group is checked as its decorations on each target. The group must not decorate a target that one of its decorations must not
  decorate.

The verifier accepts the following modules, which `spirv-val` rejects:

- Input that the compiler repairs: control flow that is not structured, types and constants that are declared twice, conversions that clang
  omits.
- Types of extensions that the op table does not contain, and arguments of non-semantic instructions.
- Operands of instructions that the op table does not contain. Two rules apply to them: functions and types are not values, and ray queries and
  hit objects are in memory.
- Enumerants that this version of `spirv-val` does not contain.
- Constant composites of pointers whose pointee type differs from the declared type. clang writes them for tables of strings.

";

/// The whole page.
pub(crate) fn markdown() -> String {
    let mut page = String::from(INTRODUCTION);
    page.push_str("## All rules\n\n| code | rule | what usually helps |\n|---|---|---|\n");
    for code in Code::ALL {
        writeln!(page, "| {code} | {} | {} |", code.rule(), code.suggestion()).expect("a string takes everything");
    }
    page
}
