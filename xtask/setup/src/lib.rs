//! What the tasks of the workspace need before they are built: the folders, how another program is run, and the tools of the tests.
//!
//! The package has no dependencies, so that the first words of `cargo xtask` come after a second. The tasks are in the package `xtask`.

pub mod tools;
pub mod workspace;
