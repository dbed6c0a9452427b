//! The tests of this crate, as one program: it links once.

mod checked;
mod cpu;
mod images;
mod launch_json;
mod safe;
mod selection;
mod vc4;
mod vulkan;
