//! Each rule, where it applies and where it must not; and all rules on random functions.

mod build;
mod differential;
mod print;
mod random;
mod run;
mod statements;

use super::Dialect;

const WGSL: Dialect = Dialect { has_continuing: true, steps: 1, nests_continues: true };
const C: Dialect = Dialect { has_continuing: false, steps: 2, nests_continues: false };
