//! Compiles OpenCL kernels to Vulkan compute shaders: one purpose per pass, over the module as a whole.
//!
//! ```text
//! Kernel, Physical64, OpenCL memory model        Shader, PhysicalStorageBuffer64, Vulkan memory model
//! kernel void k(global int *a, int n)        ⇒   entry point k, arguments in push constants
//! ```
//!
//! Every pass takes the module and a [`Context`]: the options, and the [`Reflection`] that the passes fill. Between passes the module is
//! valid IR; pointers have OpenCL's semantics until the pass `lower_memory` converts them to addresses and offsets.

mod arguments;
mod atomics;
mod blocks;
mod bounded_indices;
mod builtins;
mod check_operands;
mod check_support;
mod check_words;
mod constant_addresses;
mod constants_as_code;
mod context;
mod driver;
mod entry_points;
mod environment;
mod error;
mod exchanged_atomics;
mod extended_instructions;
mod feature;
mod formula;
mod found;
mod group_functions;
mod image_argument;
mod image_format;
mod images;
mod inline_calls;
mod keep_entry_points;
mod known_faults;
mod loop_results;
mod lower_memory;
mod memory_model;
mod missing_conversions;
mod passes;
mod printf;
mod promote;
mod reflection;
#[cfg(feature = "json")]
mod reflection_json;
mod relaxed_atomics;
mod repairs;
mod resolve_builtins;
mod scalars;
mod sign_extensions;
mod signed_operands;
mod specialization_constants;
mod uneven_barriers;
mod volatile_fences;
mod wide_vectors;
mod widen_variables;

pub use arguments::arguments;
pub use atomics::atomics;
pub use bounded_indices::bounded_indices;
pub use builtins::builtins;
pub use check_operands::check_operands;
pub use check_support::check_support;
pub use check_words::check_words;
pub use constant_addresses::constant_addresses;
pub use context::{
    BufferOffsets, Context, FloatAtomics, Fma, GlobalOffset, Int64, KernelOptions, LaunchConstant, Pointers,
};
pub use driver::{Driver, LoopResults, Quirks};
pub use environment::environment;
pub use error::KernelCode;
pub use extended_instructions::{OpenClInstruction, extended_instructions, open_cl_instructions};
pub use feature::Feature;
pub use group_functions::group_functions;
pub use image_argument::{
    FormatSource, ImageAccess, ImageArgument, ImageKind, SamplerSource, TexelPlace, sampler_bits,
};
pub use image_format::{ChannelOrder, ChannelType, ImageFormat};
pub use images::images;
pub use inline_calls::inline_calls;
pub use keep_entry_points::keep_entry_points;
pub use known_faults::known_faults;
pub use loop_results::loop_results;
pub use lower_memory::lower_memory;
pub use memory_model::memory_model;
pub use missing_conversions::missing_conversions;
pub use passes::PASSES;
pub use printf::printf;
pub use promote::{promote_variables, remove_dead_code};
pub use reflection::{
    Access, AddressSpace, Argument, ArgumentKind, Arguments, Kernel, LocalArgument, LocalMemoryError, LocalSize,
    Printf, PrintfArgument, PrintfCall, PrintfKind, ProgramData, Reflection, Relocation, SpecializationConstant,
    SpecializationKind,
};
#[cfg(feature = "json")]
pub use reflection_json::{argument_json, arguments_in_json, hexadecimal, program_data_json};
pub use relaxed_atomics::relaxed_atomics;
pub use repairs::{FrontEndFault, Repair, RepairCode, Repairs};
pub use resolve_builtins::{is_library_name, resolve_builtins};
pub use sign_extensions::sign_extensions;
pub use signed_operands::signed_operands;
pub use specialization_constants::specialization_constants;
pub use uneven_barriers::{DriverCode, uneven_barriers};
pub use volatile_fences::volatile_fences;
pub use wide_vectors::wide_vectors;
pub use widen_variables::widen_variables;
