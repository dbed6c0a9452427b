//! Runs shaders on the software drivers that `cargo xtask setup` installs.

mod common;
mod dispatch;
mod errors;
