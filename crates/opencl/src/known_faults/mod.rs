//! Repairs what front ends of kernels are known to write wrong, where the module tells what the source means.
//!
//! ```text
//! %b: f32x4 = f_convert %a: f32x4                          %b: f32x4 = copy_object %a
//! %d: f64 = function_call %_Z14convert_doublef, %x         %d: f64 = f_convert %x
//! %t: pointers = constant_composite %zero: u64, …     ⇒    %t: pointers = constant_composite %null, …
//! %v = atomic_load %p, acquire, seq_cst                    %v = atomic_load %p, device, acquire
//! %w = atomic_compare_exchange_weak %p, …                  %w = atomic_compare_exchange %p, …
//! %c = image_query_format %i                               %c = i_add (image_query_format %i), 0x10d0
//! ```
//!
//! *Requires* only a module that can be read: it runs before the verifier. *Preserves* modules without kernels, and every instruction that
//! is valid, except for atomics of clang before version 23 whose operands are in the wrong order: there, the generator in the header
//! tells. The same clang writes `convert_T(x)` and `convert_T_sat(x)` between integers of one sign as the conversion of the other sign;
//! the module does not tell them from conversions that are meant, so these are reported and stay (`doubt.rs`).
//!
//! One file for each kind of instruction. Linear in the module.

mod atomics;
mod barriers;
mod conversions;
mod debug_information;
mod decorations;
mod dimensions;
mod doubt;
mod images;
mod null_pointers;
mod vectors;

use reconverge_ir::{Inst, Module, Op, view};
use spirv::Capability;

use crate::repairs::Repair;
use crate::resolve_builtins::resolve_library_calls;

/// The number of LLVM's SPIR-V back end in the list of generators of SPIR-V.
const LLVM_BACK_END: u32 = 43;
/// The number of llvm-spirv in that list.
const LLVM_SPIRV: u32 = 6;
/// The first version of clang without the faults that only its generator number tells.
const REPAIRED_CLANG: u32 = 23;

/// Repairs the module, if it has OpenCL kernels, and adds what was wrong, or is doubtful, in the order of the module. Returns whether the module
/// is changed.
pub fn known_faults(module: &mut Module, found: &mut Vec<Repair>) -> bool {
    let is_kernel = |declared: view::Capability| declared.capability == Some(Capability::Kernel);
    if !module.globals().any(|global| view::Capability::of(module, global).is_some_and(is_kernel)) {
        return false;
    }
    let first = found.len();
    found.extend(debug_information::repair(module));
    found.extend(vectors::repair(module));
    found.extend(null_pointers::repair(module));
    let blocks = module.functions().flat_map(|function| module.blocks(function));
    let insts: Vec<Inst> = blocks.flat_map(|block| module.children(block)).collect();
    let generator = generator(module);
    let is_old_clang = generator >> 16 == LLVM_BACK_END && generator & 0xffff < REPAIRED_CLANG;
    let is_by_llvm_spirv = generator >> 16 == LLVM_SPIRV;
    for &inst in &insts {
        found.extend(decorations::repair(module, inst));
        let mut fault = conversions::repair(module, inst).or_else(|| atomics::repair(module, inst));
        if is_by_llvm_spirv {
            fault = fault.or_else(|| dimensions::repair(module, inst));
        }
        if generator >> 16 == LLVM_BACK_END {
            fault = fault.or_else(|| images::repair(module, inst)).or_else(|| barriers::repair(module, inst));
        }
        if is_old_clang {
            fault = fault.or_else(|| atomics::repair_order(module, inst)).or_else(|| doubt::find(module, inst));
        }
        found.extend(fault.map(|fault| Repair { at: inst, fault }));
    }
    let is_resolved = resolve_library_calls(module, found);
    is_resolved || found[first..].iter().any(|repair| repair.fault.is_repaired())
}

/// The generator in the header: its number and, below that, its version; 0 if there is no header.
fn generator(module: &Module) -> u32 {
    let header = module.globals().find(|&global| module.op(global) == Op::SpirvHeader);
    header.and_then(|header| view::SpirvHeader::of(module, header)).map_or(0, |header| header.generator)
}
