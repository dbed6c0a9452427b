//! The tests of this crate, as one program: it links once.

mod launch_json;
mod vulkan;
