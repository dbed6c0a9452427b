//! The acceptance list of the control tree: checks N1 to N11, N13 to N24 and N30 to N34 of the study of NIR's control flow, each a
//! test of that name; attacks on the editor; and its growth.

#![expect(clippy::unwrap_used, reason = "the helpers of tests are tests")]

mod attack;
mod editing;
mod growth;
mod scopes;
mod shape;
mod support;
mod tools;
