//! What is wrong with a program that is valid: control flow that its author cannot have meant, or that a target forbids.
//!
//! [`check`] asks every check and answers with all diagnoses: each has a [`Code`], the instruction that it is about, and the path
//! that leads to it, step by step. Each code has a page ([`Code::page`]) with a program that fires it and one that just does not.
//!
//! | file | what it finds | codes |
//! |---|---|---|
//! | `recursion.rs` | cycles of calls | F01 |
//! | `missing_return.rs` | ends of functions that return nothing where something is due | F02 |
//! | `read_before_write/` | reads of variables that nothing was written to, on some path | F03 |
//! | `endless_loop.rs` | loops that cannot be left | F04 |
//! | `unreachable_code.rs` | code that no path leads to | F05 |
//! | `forced_unroll.rs` | loops to be unrolled whose length is not known | F06 |
//! | `uniformity/` | what lanes must do together, where they may not be together | W01 to W06 |
//!
//! The checks take modules that the verifier accepts, structured or not. Nothing here is a proof that a program is right; the
//! checks are made to be quiet about sane programs, and each page says what its check does not see.
//!
//! | file | what the checks share |
//! |---|---|
//! | `program.rs`, `flow.rs` | the module and its functions, with what constants decide decided |
//! | `path.rs` | ways through a program, told in steps |
//! | `source.rs` | where instructions come from in the source |
//! | `vocabulary.rs` | SPIR-V's numbers, and questions about single instructions |
//! | `code.rs`, `diagnosis.rs`, `options.rs` | what comes out, and how loud |

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
pub use diagnosis::{Diagnosis, Severity, Step};
pub use options::{Level, Options, codes_named};
pub use source::{SourcePlace, Sources};

use program::{Program, Report};
use reconverge_ir::Module;

/// Asks every check about a module that the verifier accepts. The diagnoses come in program order, always the same.
///
/// Near-linear in instructions, but for reads before writes, where the search for a path that a program can take is bounded by fuel:
/// where that of a function is spent, this is reported. No recursion.
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
/// # Ok::<(), reconverge_ir::text::ParseError>(())
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
