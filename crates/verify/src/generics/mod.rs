//! Generics and interfaces: the rules of stage Generic. They hold before generics are linked and replaced, so that a module is checked alone.
//!
//! | file | codes |
//! |---|---|
//! | `places.rs` | G01, G02: what generics and interfaces contain and return; I02 |
//! | `escapes.rs` | G03: nothing is used outside the generic that defines it |
//! | `requests.rs` | G04, G06: arguments of requests, requirements that are looked up; I04 |
//! | `tables.rs` | G05: witness tables fulfil their interfaces |
//! | `existentials.rs` | G07: values of interface type |
//! | `stages.rs` | G08: the stages of functions with type-level code |
//! | `calls.rs` | I07: calls, after substitution |
//!
//! `terms.rs` has the normal forms by which types are compared after substitution, `kinds.rs` tells types, witnesses, functions and values apart.

mod calls;
mod escapes;
mod existentials;
mod kinds;
mod places;
mod requests;
mod stages;
mod tables;
mod terms;

use crate::layout::Line;
use crate::report::Report;
use terms::Terms;

/// Checks the type-level code of a module. Linear in the module, and in the types that requests and lookups denote.
pub(crate) fn verify_generics(report: &mut Report<'_>, everything: &[Line]) {
    let before = report.len();
    places::verify_places(report, everything);
    escapes::verify_escapes(report, everything);
    if report.len() > before {
        return;
    }
    let mut terms = Terms::new(report.module());
    requests::verify_requests(report, &mut terms, everything);
    tables::verify_tables(report, &mut terms, everything);
    existentials::verify_existentials(report, &mut terms, everything);
    stages::verify_stages(report, everything);
    calls::verify_calls(report, &mut terms, everything);
}
