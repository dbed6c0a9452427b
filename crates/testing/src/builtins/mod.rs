//! Every built-in function of OpenCL C on every type, compared with its definition.
//!
//! ```text
//! rows ─▶ OpenCL C ─▶ clang ─▶ SPIR-V ─▶ interpreter, CPU, lavapipe ─▶ results ─┐
//!   └───────────────────── operands ─▶ definition ─▶ what has to come out ──────┴─▶ faults
//! ```
//!
//! The definitions are arithmetic on integers of 128 bits and floats of 64 bits; they share no code with the compiler. So the test also
//! finds what clang gets wrong, in this version and in the next. Operands are edges of the types (zero, one, least, greatest, NaN,
//! infinities, denormals, halves between integers) and random values; the seed is the number of the kernel.

mod conversion;
mod float;
mod integer;
mod judge;
mod memory;
mod number;
mod row;
mod source;

pub use judge::{Engine, Report};

/// The numbers of components that types have.
const COUNTS: [usize; 6] = [1, 2, 3, 4, 8, 16];

/// How much is compared.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Scope {
    /// One kernel of so many, in turn among the numbers of components.
    OneOf(usize),
    /// Every kernel.
    Whole,
}

/// Compares the functions with their definitions.
///
/// # Errors
/// clang cannot be started, or refuses a file; its message says why.
pub fn compare_builtins(scope: Scope, engines: &[Engine]) -> Result<Report, String> {
    let rows: Vec<row::Row> =
        [integer::rows(), float::rows(), conversion::rows(), memory::rows()].into_iter().flatten().collect();
    let mut report = Report::default();
    for (place, count) in COUNTS.into_iter().enumerate() {
        let groups = source::groups(&rows, count).into_iter().enumerate();
        let is_chosen = |index: usize| match scope {
            Scope::Whole => true,
            Scope::OneOf(number) => index % number == place % number,
        };
        let chosen: Vec<source::Group> =
            groups.filter(|&(index, _)| is_chosen(index)).map(|(_, group)| group).collect();
        let spirv = judge::module_of(&chosen)?;
        judge::judge(&spirv, &chosen, engines, &mut report);
    }
    Ok(report)
}
