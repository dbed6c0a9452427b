//! Many lanes: which execute together, where they meet and come together again, and which run next.
//!
//! `tangle.rs` splits a tangle at a branch and joins it where the structure says so, `rejoin.rs` keeps the places where lanes are expected.
//! `rendezvous.rs` has barriers and group operations, where lanes wait for each other. `work_group.rs` holds the lanes and tangles of a
//! work-group, and `schedule.rs` chooses the tangle that runs next.

mod rejoin;
pub(crate) mod rendezvous;
mod schedule;
pub(crate) mod tangle;
pub(crate) mod work_group;
