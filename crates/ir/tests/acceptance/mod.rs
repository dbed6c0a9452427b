//! The acceptance list of the IR: checks S1 to S15, S20, S21 and S23 of the study of Slang's IR design, each a test of that name.

#![expect(clippy::unwrap_used, reason = "the helpers of tests are tests")]

mod blocks;
mod hoisting;
mod instructions;
mod round_trip;
mod support;
mod uses;
