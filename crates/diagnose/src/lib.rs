//! Checks of valid programs: control flow that cannot be intended, or that a target forbids.
//!
//! [`check`] runs all checks and returns all diagnoses: each has a [`Code`], an instruction, and the path to it, step by step. Each code
//! has a page (`docs/codes`) with a program that it reports and a similar one that it does not.
//!
//! | file | what it finds | codes |
//! |---|---|---|
//! | `recursion.rs` | cycles of calls | F01 |
//! | `missing_return.rs` | ends of functions that return no value but must | F02 |
//! | `read_before_write/` | reads of variables that nothing was written to, on some path | F03 |
//! | `endless_loop.rs` | loops without an exit | F04 |
//! | `unreachable_code.rs` | code that no path leads to | F05 |
//! | `forced_unroll.rs` | loops that must be unrolled, but whose trip count is not known | F06 |
//! | `uniformity/` | operations that lanes must execute together, but may not | W01 to W06 |
//!
//! The checks accept modules that the verifier accepts, structured or not. They do not prove that a program is correct; they are designed
//! to report nothing about correct programs, and each page says what its check does not detect.
//!
//! | file | shared parts |
//! |---|---|
//! | `program.rs`, `flow.rs` | the module and its functions, with constant conditions evaluated |
//! | `path.rs` | paths through a program, as steps |
//! | `source.rs` | source locations of instructions |
//! | `vocabulary.rs` | SPIR-V's numbers, and queries about single instructions |
//! | `code.rs`, `diagnosis.rs`, `options.rs` | diagnoses and their levels |

mod code;
mod diagnosis;
mod endless_loop;
mod flow;
mod forced_unroll;
mod missing_return;
mod options;
mod path;
mod program;
mod read_before_write;
mod recursion;
mod source;
mod uniformity;
mod unreachable_code;
mod vocabulary;

pub use code::Code;
pub use diagnosis::{Diagnosis, Step};
pub use options::{Level, Options, WGSL, codes_named};
pub use reconverge_diagnostic::Severity;
pub use source::{SourcePlace, Sources};

use program::{Program, Report};
use reconverge_ir::Module;

/// Runs every check on a module that the verifier accepts. The diagnoses are in program order and deterministic.
///
/// Near-linear in instructions, except for reads before writes, where fuel bounds the search for a path that a program can take: if the
/// fuel of a function is exhausted, this is reported. No recursion.
///
/// ```
/// use reconverge_diagnose::{Code, Options, check};
/// use reconverge_ir::text::parse;
///
/// let module = parse("
/// %void = type_void
/// func %spin: %void () stage graph {
/// block ^entry:
///   branch ^again
/// block ^again:
///   branch ^again
/// }
/// ")?;
/// let found = check(&module, &Options::default());
/// assert_eq!(found[0].code, Code::F04);
/// # Ok::<(), reconverge_diagnostic::Diagnostic>(())
/// ```
pub fn check(module: &Module, options: &Options) -> Vec<Diagnosis> {
    let program = Program::compute(module, options);
    let mut report = Report::default();
    recursion::check(&program, &mut report);
    missing_return::check(&program, &mut report);
    read_before_write::check(&program, &mut report);
    endless_loop::check(&program, &mut report);
    unreachable_code::check(&program, &mut report);
    forced_unroll::check(&program, &mut report);
    uniformity::check(&program, &mut report);
    report.into_sorted(&program)
}
