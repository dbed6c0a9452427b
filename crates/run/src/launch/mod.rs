//! Launches of kernels as data: the kernel, its range, its arguments, and the expected outputs.
//!
//! A launch is written in JSON ([`Launch::from_json`]) or on a command line ([`Argument::from_flag`]); `docs/launch.md` has both grammars.
//! It does not depend on an engine.
//!
//! ```
//! use reconverge_run::launch::{Argument, Launch};
//!
//! let launch = Launch::from_json(r#"{
//!     "kernel": "scale", "global": [64], "local": [8],
//!     "args": [
//!         { "kind": "buffer", "type": "f32", "count": 64, "init": { "rule": "zero" }, "output": true },
//!         { "kind": "scalar", "type": "f32", "value": 0.5 }
//!     ]
//! }"#).unwrap();
//! assert_eq!(launch.global, [64, 1, 1]);
//! assert_eq!(launch.arguments[1], Argument::from_flag("f32=0.5").unwrap());
//! ```

mod compare;
mod element;
mod error;
mod files;
mod flag;
mod format_name;
mod image;
mod image_file;
mod json;
mod kernel_launch;
mod npy;
mod picture;
#[cfg_attr(not(feature = "png"), path = "without_png.rs")]
mod png;
mod rule;
mod sampler;
mod similar;

pub use compare::{Mismatch, compare};
pub use element::Element;
pub use files::FileMisfit;
pub use format_name::{format_name, format_named};
pub(crate) use image::shape as image_shape;
pub use image::{Image, element_of};
pub use image_file::{ImageFile, is_named_png, is_png};
pub use kernel_launch::{Argument, Buffer, Launch, OutputBuffer, Role, Tolerance, Value, ValueType};
pub use npy::{is_named_npy, is_npy, no_array, read_npy, write_npy};
pub use rule::Rule;
pub use sampler::{AddressMode, Coordinates, Filter, Sampler};
