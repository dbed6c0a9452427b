//! Judges debug information of values: a program with variables of the source before and after a pass.
//!
//! ```text
//! before   store %x, %v … call record       the variable holds what was last stored in its memory
//! after    DebugValue x %v … call record    it holds what was last said of it, or what was last stored where it is declared
//! ```
//!
//! Both programs run from the same start, and make the same calls. At each call, what debug information says of a variable must be what the
//! variable held before; an undefined value may become any. Nothing has to be said; how much is said is counted, so that a judge that sees
//! nothing is noticed.
//!
//! | file | content |
//! |---|---|
//! | `sources.rs` | random programs whose variables are declared |
//! | `watch.rs` | what variables hold in a run |

mod sources;
mod watch;

pub use sources::source;
pub use watch::{Part, Snapshot, watch};

use reconverge_interpret::Value;
use reconverge_ir::{Function, Module};

/// The numbers of what was compared.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Told {
    /// The values that were said and true.
    pub known: usize,
    /// The values that variables had.
    pub all: usize,
}

/// Compares what is said of variables after a pass with what they held before it, in a run of a function that answers requests by `seed`.
///
/// # Errors
/// The first value that is not true, or why the programs do not run.
pub fn judge(before: &Module, after: &Module, function: Function, seed: u64) -> Result<Told, String> {
    let held = watch(before, function, seed)?;
    let said = watch(after, function, seed)?;
    let mut told = Told::default();
    for (call, (held, said)) in held.iter().zip(&said).enumerate() {
        let is_defined = |value: &&Value| !value.is_undefined();
        told.all += held.values().flatten().filter(is_defined).count();
        for (part, said) in said.iter() {
            let held = held.get(part).and_then(Option::as_ref).filter(is_defined);
            let (Some(said), Some(held)) = (said, held) else { continue };
            if said != held {
                return Err(format!("at call {call}, {part:?} is said to be {said:?}, and is {held:?}"));
            }
            told.known += 1;
        }
    }
    Ok(told)
}
