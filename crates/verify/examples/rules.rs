//! Prints `docs/rules.md`, the table of all rules: `cargo run -p reconverge-verify --example rules > docs/rules.md`.

use std::fmt::Write as _;

use reconverge_verify::Code;

fn main() {
    print!("{}", markdown());
}

const INTRODUCTION: &str = "# Rules

Generated from `crates/verify/src/code.rs` by `cargo run -p reconverge-verify --example rules > docs/rules.md`.

What the verifier checks. Sections are those of the SPIR-V specification. The rules N, D and E are checked in whole modules, which
have a memory model: in what comes in and in what goes out, and not between passes. C compares a module before and after code
motion. Bytes that are no module at all have errors of their own, which begin with `spirv-`.

## Beside spirv-val

`cargo xtask agreement DIR...` asks both about real modules, and about modules with one thing changed; with `--instructions TRIALS` about
small modules of every instruction and enumerant. What `spirv-val` accepts is
accepted, except these:

- R9: the same literal twice in a switch, which `spirv-val` does not compare.
- I06: a function whose type has parameters that it does not have, which `spirv-val` counts only if there are some.
- T01: an accumulator of a dot product of another type than the result. T05: an `OpCopyLogical` between equal types. T06: an
  `OpGenericPtrMemSemantics` of another type than an integer of 32 bits. T12: a signedness beyond 1 at other widths than 32. The
  specification asks for each.
- T01: a dot product that is no integer. T06: the lifetime of what is no pointer, and an element whose number is no integer in an
  `OpInBoundsPtrAccessChain`. T12: signed integers in modules for kernels, at other widths than 32. I03, D01 and
  `spirv-text`: an `OpDecorateString` without a string. D01: `FPRoundingMode` of what is no conversion.
- D03: elements of arrays in a block that are not laid out: section 2.16.2 asks for everything in it, and `spirv-val` does not look there.
- Decorations of groups are judged where they are written out: a group may not decorate what each of its decorations could not.

What `spirv-val` refuses is refused, except this:

- What is repaired: control flow that is not structured, types and constants that are declared twice, conversions that clang leaves out.
- Types of extensions that the op table does not know, and arguments of non-semantic instructions: no rule of ours is about what a newer
  version may mean.
- Operands of instructions that the op table does not know, except what holds for all of them: functions and types are no values, and
  rays and hits are asked about in memory. Enumerants that are newer than `spirv-val`.
- Constants made of pointers of another type, which clang writes for tables of strings.

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
