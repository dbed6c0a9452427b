//! The last steps, when everything is copied.
//!
//! | file | contents |
//! |---|---|
//! | `descriptions.rs` | merged descriptions of modules |
//! | `interfaces.rs` | the variables that entry points use |
//! | `recursion.rs` | functions that call themselves |

mod calls;
mod descriptions;
mod interfaces;
mod recursion;

use crate::copy::Copied;
use crate::reach::Reached;
use crate::{Input, LinkError};
use calls::Calls;

/// Finishes the result.
///
/// # Errors
/// Models that differ, and recursion.
pub(crate) fn finish<I: Input>(inputs: &[I], reached: &Reached, copied: &mut Copied) -> Result<(), Vec<LinkError>> {
    descriptions::merge(inputs, copied)?;
    let calls = Calls::of(&copied.module);
    recursion::check(inputs, reached, copied, &calls)?;
    interfaces::complete(&mut copied.module, &calls);
    Ok(())
}
