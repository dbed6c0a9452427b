//! The declarations of a Vulkan module, computed from its contents.
//!
//! ```text
//! capability Kernel, Addresses, Groups …          capability Shader, Int64, VulkanMemoryModel …
//! memory_model Physical64, OpenCL                 memory_model PhysicalStorageBuffer64, Vulkan
//! entry_point GLCompute, %k, "k", %id         ⇒   entry_point GLCompute, %k, "k", %id, %arguments, %shared
//! execution_mode %k, ContractionOff               (arithmetic of %k is decorated NoContraction)
//! ```
//!
//! The last pass: it *requires* that all others ran, and reports instructions that they did not lower. *Preserves* the control-flow graph
//! and every value. Declarations that only kernels have are removed, then unused instructions. Then the declarations are computed from the
//! remaining instructions ([`capabilities`]), and checked against Vulkan 1.2 ([`allowed`]). The result is SPIR-V 1.5. Linear in the module.

mod allowed;
mod capabilities;
mod interface;
mod notes;
mod unused;

use reconverge_ir::{Builder, Inst, Module, Op, Position, view};
use spirv::{AddressingModel, MemoryModel};

use super::{Context, KernelError};
use capabilities::Needs;

/// SPIR-V 1.5, the newest version for Vulkan 1.2.
const VERSION: u32 = 0x0001_0500;

/// Converts the module to one for Vulkan 1.2, and fills [`Reflection::features`](super::Reflection::features),
/// [`Reflection::extensions`](super::Reflection::extensions) and
/// [`Reflection::subgroup_operations`](super::Reflection::subgroup_operations). Returns whether anything changed.
///
/// # Errors
/// A remaining feature that Vulkan forbids, by its name.
pub fn environment(module: &mut Module, context: &mut Context) -> Result<bool, KernelError> {
    let mut changed = notes::remove_hints(module);
    changed |= notes::settle_contraction(module);
    changed |= notes::keep_shader_notes(module);
    let interfaces = interface::clear(module);
    changed |= unused::remove_unused(module);
    changed |= interface::fill(module, &interfaces);
    allowed::check(module)?;
    let needs = Needs::compute(module);
    changed |= store_version(module);
    changed |= store_capabilities(module, &needs);
    changed |= store_memory_model(module);
    let reflection = &mut context.reflection;
    reflection.features = needs.features();
    reflection.extensions = needs.device_extensions();
    reflection.subgroup_operations = needs.subgroup_operations();
    Ok(changed)
}

/// Writes the version; the generator stays.
fn store_version(module: &mut Module) -> bool {
    let header = module.globals().find(|&global| module.op(global) == Op::SpirvHeader);
    let root = module.root();
    let mut editor = module.edit();
    let (slot, version) = (view::SpirvHeader::SLOT.version, editor.word(VERSION));
    match header {
        Some(header) if editor.module().operand(header, slot) == version => false,
        Some(header) => {
            editor.set_operand(header, slot, version);
            true
        }
        None => {
            let zero = editor.word(0);
            editor.insert(Position::AtStart(root), Op::SpirvHeader, None, &[version, zero, zero]);
            true
        }
    }
}

/// Declares exactly the needed capabilities and extensions.
fn store_capabilities(module: &mut Module, needs: &Needs) -> bool {
    let is_declaration = |op| matches!(op, Op::Capability | Op::Extension);
    let old: Vec<Inst> = module.globals().filter(|&global| is_declaration(module.op(global))).collect();
    let declared = old.iter().filter_map(|&inst| Some((module.op(inst), module.operands(inst).next()?)));
    let declared: Vec<(Op, Inst)> = declared.collect();
    let mut editor = module.edit();
    let capabilities = needs.capabilities().into_iter();
    let mut wanted: Vec<(Op, Inst)> = capabilities.map(|one| (Op::Capability, editor.enumerant(one))).collect();
    wanted.extend(needs.extensions().iter().map(|name| (Op::Extension, editor.text(name))));
    if declared == wanted {
        return false;
    }
    old.into_iter().for_each(|inst| editor.delete(inst));
    let mut globals = editor.module().globals();
    let header = globals.find(|&global| editor.module().op(global) == Op::SpirvHeader);
    drop(globals);
    let mut last = header.expect("invariant: the version was stored before");
    for (op, operand) in wanted {
        last = editor.insert(Position::After(last), op, None, &[operand]);
    }
    true
}

fn store_memory_model(module: &mut Module) -> bool {
    let model = module.globals().find(|&global| module.op(global) == Op::MemoryModel);
    let mut build = Builder::new(module);
    let words = [build.enumerant(AddressingModel::PhysicalStorageBuffer64), build.enumerant(MemoryModel::Vulkan)];
    match model {
        Some(model) if build.module().operands(model).eq(words) => false,
        Some(model) => {
            build.editor().set_operands(model, &words);
            true
        }
        None => {
            build.memory_model(&words);
            true
        }
    }
}
