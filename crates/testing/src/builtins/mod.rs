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

mod async_copies;
mod atomics;
mod case;
mod coarse;
mod collective;
mod common;
mod conversion;
mod exact;
mod float;
mod fold;
mod geometric;
mod integer;
mod integer_dot;
mod judge;
mod media;
mod memory;
#[cfg(test)]
mod mutants;
mod number;
mod relational;
mod row;
mod shared;
mod source;
mod special;
mod transcendental;
mod work_items;

pub use judge::{Engine, Report};

/// The numbers of components that types have.
const COUNTS: [usize; 6] = [1, 2, 3, 4, 8, 16];

/// The scope of the comparison.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Scope {
    /// One kernel of this number, from the first one on, in turn among the numbers of components.
    OneOf {
        /// The number of kernels that are compared for each.
        number: usize,
        /// The first of them that is compared.
        first: usize,
    },
    /// Every kernel.
    Whole,
}

/// Compares the functions with their definitions.
///
/// # Errors
/// clang cannot be started, or refuses a file; its message says why.
pub fn compare_builtins(scope: Scope, engines: &[Engine]) -> Result<Report, String> {
    let mut report = Report::default();
    let rows = rows();
    for (place, count) in COUNTS.into_iter().enumerate() {
        let chosen = scope.chosen(source::groups(&rows, count), place);
        let spirv = judge::module_of(chosen.iter().map(source::Group::source))?;
        judge::judge(&spirv, &chosen, engines, &mut report);
    }
    let families = [work_items::cases(), async_copies::cases(), collective::cases(), shared::cases()];
    for (place, cases) in families.into_iter().enumerate() {
        let chosen = scope.chosen(cases, place);
        let spirv = judge::module_of(chosen.iter().map(|case| case.source.clone()))?;
        judge::judge_cases(&spirv, &chosen, engines, &mut report);
    }
    Ok(report)
}

/// The functions of operands.
fn rows() -> Vec<row::Row> {
    let families = [
        integer::rows(),
        float::rows(),
        conversion::rows(),
        memory::rows(),
        atomics::rows(),
        media::rows(),
        integer_dot::rows(),
    ];
    families.into_iter().flatten().collect()
}

impl Scope {
    /// The kernels of one file that are compared.
    fn chosen<K>(self, kernels: Vec<K>, place: usize) -> Vec<K> {
        let is_chosen = |index: usize| match self {
            Scope::Whole => true,
            Scope::OneOf { number, first } => index % number == (first + place) % number,
        };
        kernels.into_iter().enumerate().filter(|&(index, _)| is_chosen(index)).map(|(_, kernel)| kernel).collect()
    }
}
