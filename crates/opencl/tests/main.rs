//! The tests of this crate, as one program: it links once.

mod kernel_arguments;
mod kernel_bindings;
mod kernel_builtins;
mod kernel_check;
mod kernel_docs;
mod kernel_driver_faults;
mod kernel_environment;
mod kernel_extended;
mod kernel_group_functions;
mod kernel_library;
mod kernel_loop_results;
mod kernel_memory_model;
mod kernel_precision;
mod kernel_signed_operands;
mod kernel_support;
mod kernel_wide_vectors;
