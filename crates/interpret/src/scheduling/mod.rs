//! Scheduling of lanes: which lanes execute together, where they synchronize and reconverge, and which run next.
//!
//! `tangle.rs` splits a tangle at a branch and joins tangles at reconvergence points; `rejoin.rs` stores the points where lanes are
//! expected. `rendezvous.rs` implements barriers and group operations, where lanes wait for each other. `work_group.rs` contains the lanes
//! and tangles of a work-group, `schedule.rs` chooses the tangle that runs next, and `observer.rs` has
//! the interface for observers.

pub(crate) mod observer;
mod rejoin;
pub(crate) mod rendezvous;
mod schedule;
pub(crate) mod tangle;
pub(crate) mod work_group;
