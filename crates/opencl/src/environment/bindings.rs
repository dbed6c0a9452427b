//! The accesses of kernels to their storage buffers: decorations for the driver, and a note for the host.
//!
//! ```text
//! %a {Binding 0}    loads alone                 NonWritable; access: read
//! %b {Binding 1}    stores, and a barrier       Coherent; access: read_write
//! ```
//!
//! In the memory model GLSL450, other invocations see a store to a buffer after a barrier only if the buffer is `Coherent`. Linear in the
//! instructions and in the uses of buffers.

use reconverge_ir::{Builder, Class, Function, Inst, Module, Op, OperandKind, decoration, view};
use spirv::{Decoration, MemorySemantics, StorageClass};

use crate::scalars::constant_value;
use crate::{Access, Context};

/// Decorates all storage buffers, and records their use in the reflection. Returns whether a decoration was added.
pub(super) fn describe(module: &mut Module, context: &mut Context) -> bool {
    let is_buffer = |&global: &Inst| module.is_variable_of(global, StorageClass::StorageBuffer);
    let buffers: Vec<Inst> = module.globals().filter(is_buffer).collect();
    let orders_buffers = orders_buffers(module);
    let mut changed = false;
    for buffer in buffers {
        let decoration::Binding(number) = module.decorated(buffer).find().unwrap_or(decoration::Binding(0));
        let access = access(module, buffer);
        let note = match access {
            Access::Read => Some(Decoration::NonWritable),
            Access::ReadWrite if orders_buffers => Some(Decoration::Coherent),
            Access::ReadWrite | Access::Unused => None,
        };
        if let Some(note) = note.filter(|&note| !module.decorated(buffer).has(note)) {
            Builder::new(module).add_decoration(buffer, note);
            changed = true;
        }
        for function in functions_of(module, buffer) {
            context.change_kernels_of(module, function, |kernel| {
                for argument in &mut kernel.arguments {
                    if let Some((binding, known)) = argument.kind.binding_mut()
                        && binding == number
                    {
                        *known = access;
                    }
                }
            });
        }
    }
    changed
}

/// The kinds of accesses to a buffer.
fn access(module: &Module, buffer: Inst) -> Access {
    let mut accesses = module.uses(buffer).flat_map(|used| module.uses(used.user)).map(|used| used.user).peekable();
    if accesses.peek().is_none() {
        return Access::Unused;
    }
    let writes = |access: Inst| {
        let op = module.op(access);
        op == Op::Store || op.class() == Class::Atomic && op != Op::AtomicLoad
    };
    if accesses.any(writes) { Access::ReadWrite } else { Access::Read }
}

/// The functions with an access to a buffer, each at least once.
fn functions_of(module: &Module, buffer: Inst) -> Vec<Function> {
    let mut functions: Vec<Function> = module.uses(buffer).filter_map(|used| module.function_of(used.user)).collect();
    functions.sort_unstable_by_key(|&function| Inst::from(function));
    functions.dedup();
    functions
}

/// Returns whether a barrier, a fence or an atomic orders accesses to buffers.
fn orders_buffers(module: &Module) -> bool {
    let blocks = module.functions().flat_map(|function| module.blocks(function));
    let mut instructions = blocks.flat_map(|block| module.children(block));
    instructions.any(|inst| {
        let is_ordering =
            view::Atomic::covers(module.op(inst)) || matches!(module.op(inst), Op::ControlBarrier | Op::MemoryBarrier);
        is_ordering
            && module.operands(inst).enumerate().any(|(index, operand)| {
                let is_semantics = module.op(inst).operand_kind(index) == Some(OperandKind::Semantics);
                let word = constant_value(module, operand).filter(|_| is_semantics).unwrap_or(0);
                MemorySemantics::from_bits_retain(word as u32).intersects(MemorySemantics::UNIFORM_MEMORY)
            })
    })
}
