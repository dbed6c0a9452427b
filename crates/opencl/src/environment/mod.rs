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
//! remaining instructions ([`capabilities`]), and checked against Vulkan 1.2 ([`allowed`]). The result is SPIR-V 1.5. With bindings for
//! pointers it is SPIR-V 1.3 for Vulkan 1.1, with logical addressing and the memory model GLSL450. Linear in the module.

mod allowed;
mod bindings;
mod capabilities;
mod interface;
mod loops;
mod notes;
mod selections;
mod unused;

use reconverge_diagnostic::Diagnostic;
use reconverge_ir::{Builder, Inst, Module, Op, Position, view};
use spirv::{AddressingModel, MemoryModel};

use super::Context;
use capabilities::Needs;

/// The environment that a module is for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Environment {
    /// The version of SPIR-V.
    version: u32,
    addressing: AddressingModel,
    memory: MemoryModel,
}

/// Vulkan 1.2, with SPIR-V 1.5.
const WITH_ADDRESSES: Environment = Environment {
    version: 0x0001_0500,
    addressing: AddressingModel::PhysicalStorageBuffer64,
    memory: MemoryModel::Vulkan,
};

/// Vulkan 1.1, with SPIR-V 1.3.
const WITH_BINDINGS: Environment =
    Environment { version: 0x0001_0300, addressing: AddressingModel::Logical, memory: MemoryModel::GLSL450 };

/// Converts the module to one for Vulkan 1.2, and fills [`Reflection::features`](super::Reflection::features),
/// [`Reflection::extensions`](super::Reflection::extensions) and
/// [`Reflection::subgroup_operations`](super::Reflection::subgroup_operations). Returns whether anything changed.
///
/// # Errors
/// A remaining feature that Vulkan forbids, by its name.
pub fn environment(module: &mut Module, context: &mut Context) -> Result<bool, Diagnostic> {
    let has_bindings = context.options.has_bindings();
    let environment = if has_bindings { WITH_BINDINGS } else { WITH_ADDRESSES };
    let mut changed = notes::remove_hints(module);
    changed |= notes::settle_contraction(module);
    changed |= notes::keep_shader_notes(module);
    let interfaces = interface::clear(module);
    changed |= unused::remove_unused(module);
    changed |= interface::fill(module, &interfaces, environment);
    allowed::check(module)?;
    if has_bindings {
        changed |= selections::spread_conditions(module);
        changed |= loops::remove_newer_controls(module);
        changed |= bindings::describe(module, context);
    }
    let needs = Needs::compute(module, environment);
    changed |= store_version(module, environment);
    changed |= store_capabilities(module, &needs);
    changed |= store_memory_model(module, environment);
    let reflection = &mut context.reflection;
    reflection.features = needs.features();
    reflection.extensions = needs.device_extensions();
    reflection.subgroup_operations = needs.subgroup_operations();
    Ok(changed)
}

/// Writes the version; the generator stays.
fn store_version(module: &mut Module, environment: Environment) -> bool {
    let header = module.globals().find(|&global| module.op(global) == Op::SpirvHeader);
    let root = module.root();
    let mut editor = module.edit();
    let (slot, version) = (view::SpirvHeader::SLOT.version, editor.word(environment.version));
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

fn store_memory_model(module: &mut Module, environment: Environment) -> bool {
    let model = module.globals().find(|&global| module.op(global) == Op::MemoryModel);
    let mut build = Builder::new(module);
    let words = [build.enumerant(environment.addressing), build.enumerant(environment.memory)];
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
