//! Allocators in front of another, for a process that is short and one that makes many lists.
//!
//! [`Pool`] serves the first blocks of a process; [`SizeClasses`] asks for few sizes whatever it is asked for. Both count sizes in classes,
//! each twice as large as the one before.

#![expect(unsafe_code, reason = "the trait of allocators is unsafe")]

#[cfg(test)]
mod ledger;
mod lists;
mod pool;
mod size_classes;

pub use pool::Pool;
pub use size_classes::SizeClasses;

/// How many bytes the pool has.
pub const SIZE: usize = 1 << 20;
/// The smallest block, in bytes, and what every block of the pool is aligned to.
pub const LEAST: usize = 32;
/// The largest block of the pool, in bytes.
pub const LARGEST: usize = SIZE / 4;
/// Above so many bytes a block fills pages by itself, and [`SizeClasses`] leaves its size as it is.
pub const LIMIT: usize = 1 << 16;
