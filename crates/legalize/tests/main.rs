//! The tests of this crate, as one program: it links once.

use reconverge_diagnostic::Code;
use reconverge_rewrite::GrowthCode;

mod lanes;
mod split_integers;
mod words;

/// The code of refusals in these tests: any one.
const CODE: &Code = GrowthCode::Limit.declared();
