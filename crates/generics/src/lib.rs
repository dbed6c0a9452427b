//! Generics and interfaces: from stage Generic to stage Graph.
//!
//! Linked modules still have generics, which compute functions and types from types, and witness tables, which say how a type fulfils an
//! interface. No later stage knows them:
//!
//! ```text
//! generic %twice { %T, %shape: T is Shape                 func %twice.circle(%x: %circle) {
//!   %area = lookup_witness %shape, %Shape.area              %a = function_call %circle.area, %x
//!   func %body(%x: %T) {                           ⇒        return_value (f_add %a, %a)
//!     %a = function_call %area, %x                        }
//!     return_value (f_add %a, %a) }                       … function_call %twice.circle, %c
//!   return_value %body }
//! … function_call (specialize %twice, %circle, %circle.Shape), %c
//! ```
//!
//! | folder | content |
//! |---|---|
//! | `specialize/` | each request for a generic becomes a copy of what the generic returns; lookups in known tables become their entries |
//! | `dispatch/` | values of interface type become tags and words, and calls through them switches |
//!
//! `docs/ir.md` describes the ops. The design follows Slang's IR, where generics are ordinary instructions and a request is hoistable, so that
//! equal requests are one instruction.

mod dispatch;
mod error;
mod specialize;

pub use error::GenericsCode;
pub(crate) use specialize::Specializer;
pub use specialize::{Limits, Specialized, lower_generics, specialize, specialize_within};
