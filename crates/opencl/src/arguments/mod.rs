//! Converts kernels with parameters to shaders that read their arguments.
//!
//! ```text
//! entry_point Kernel, %k, "k"                         entry_point GLCompute, %k, "k", %block
//! func %k(%a: *global u32, %b: *local f32, %n: u8)    func %k()
//!                                                ⇒      %1 = load %block[0]                        u64
//!                                                       %a = convert_u_to_ptr %1
//!                                                       %b = bitcast %shared                       array of u8, length specialized
//!                                                       %2 = load %block[1]                        u32 at offset 8
//!                                                       %n = u_convert (shift_right_logical %2, 0)
//! ```
//!
//! *Requires* that entry points are not called. *Preserves* the control-flow graph and the types of all values: a parameter becomes a value
//! of the same type. It *changes* only parameters, execution models and sizes of work-groups.
//!
//! The layout is a C struct of the arguments in order, with OpenCL's alignments ([`layout`]); `docs/kernel-abi.md` describes it for host
//! programs. The bytes are read in types that need no feature that the kernel does not need itself: narrow scalars as part of a word,
//! vectors of 8 and 16 in fours ([`read`]). Arguments that do not fit into the push constants are read through the address of a buffer.
//! Structs passed by value are copied to a variable, scalar by scalar. Linear in the arguments' bytes.
//!
//! With bindings ([`Pointers::Bindings`](super::Pointers)), a pointer parameter becomes a pointer to a variable with the decorations
//! `DescriptorSet` and `Binding`, which represents the buffer until `lower_memory` runs, and the other arguments are in a uniform buffer:
//!
//! ```text
//! func %k(%a: *global u32, %n: u32)    ⇒    %buffer = variable CrossWorkgroup u32[] {Binding 0}
//!                                           %a = bitcast %buffer;  %n = load %arguments[0]
//! ```

mod block;
mod buffers;
mod layout;
mod leaves;
mod local_size;
mod program_data;
mod read;
mod spec_ids;

use std::collections::hash_map::Entry;

use reconverge_diagnostic::Diagnostic;
use reconverge_ir::{Builder, Function, Inst, Module, Op, Position, decoration, view};
use rustc_hash::FxHashMap;
use spirv::{ExecutionMode, ExecutionModel, StorageClass};

use super::entry_points::{EntryPoint, entry_points, execution_mode, first_instruction};
use super::found::Found;
use super::{Access, Argument, ArgumentKind, BufferOffsets, Context, Kernel};
use crate::error;
use crate::images::arguments_of_source;
pub(super) use block::load_push_constant;
pub(crate) use buffers::binding_of;
use layout::{Form, KernelLayout};
use local_size::KernelSize;
pub(crate) use program_data::reserve_program_data;
use read::Reader;
pub(crate) use spec_ids::SpecIds;

/// Converts every entry point of the execution model Kernel to a compute shader without parameters, and fills
/// [`Reflection::kernels`](super::Reflection::kernels). Returns whether there was one.
///
/// # Errors
/// Parameters of types without a layout: pipes, queues. An entry point that is called. Struct arguments of more than
/// 16,384 scalars.
pub fn arguments(module: &mut Module, context: &mut Context) -> Result<bool, Diagnostic> {
    let points = entry_points(module).into_iter().filter(|point| point.model == Some(ExecutionModel::Kernel));
    let points: Vec<EntryPoint> = points.collect();
    if points.is_empty() {
        return Ok(false);
    }
    let mut ids = SpecIds::of(module);
    let sizes = local_size::settle(module, &points, &mut ids)?;
    let mut shared = Shared { reserved: layout::behind(module, context), ids };
    let mut lowered: FxHashMap<Function, Kernel> = FxHashMap::default();
    for (point, size) in points.iter().zip(sizes) {
        let model = module.edit().enumerant(ExecutionModel::GLCompute);
        module.edit().set_operand(point.inst, view::EntryPoint::SLOT.execution_model, model);
        let kernel = match lowered.entry(point.function) {
            Entry::Occupied(twin) => twin.into_mut(),
            Entry::Vacant(place) => place.insert(lower(module, context, &mut shared, point, size)?),
        };
        context.reflection.kernels.push(Kernel { name: point.name.clone(), ..kernel.clone() });
    }
    context.found = Found::default();
    Ok(true)
}

/// Data shared by all kernels of a module.
struct Shared {
    /// The number of reserved bytes after the arguments.
    reserved: u64,
    ids: SpecIds,
}

/// Lowers the parameters of one function. Returns the data for the host.
fn lower(
    module: &mut Module,
    context: &Context,
    shared: &mut Shared,
    point: &EntryPoint,
    size: KernelSize,
) -> Result<Kernel, Diagnostic> {
    let function = point.function;
    refuse_calls(module, point)?;
    let parameters: Vec<Inst> = module.parameters(function).map(Inst::from).collect();
    let frame = KernelLayout::compute(module, context, &parameters, shared.reserved)?;
    let mut arguments = Vec::with_capacity(parameters.len());
    let first = first_instruction(module, function);
    buffers::create_uniform(module, point, &parameters, &frame);
    let mut build = Builder::new(module);
    build.before(first);
    let mut reader = Reader::new(build, function, &frame);
    for (&parameter, slot) in parameters.iter().zip(&frame.slots) {
        let kind = match slot.form {
            Form::Local { size, alignment } => {
                let spec_id = shared.ids.next();
                let value = local_memory(reader.build(), parameter, spec_id, size as u32);
                reader.build().editor().replace_all_uses(parameter, value);
                ArgumentKind::Local { spec_id, alignment: (alignment as u32).max(4) }
            }
            Form::Address(address_space) => {
                replace(&mut reader, parameter, slot.offset)?;
                ArgumentKind::Pointer { address_space, offset: slot.offset as u32 }
            }
            Form::Binding(address_space, binding) => {
                let has_offset = context.options.buffer_offsets == BufferOffsets::Passed;
                let offset = has_offset.then_some(slot.offset as u32);
                buffers::replace(&mut reader, parameter, binding, offset);
                ArgumentKind::Binding { address_space, binding, offset, access: Access::Unused }
            }
            Form::Value(layout) => {
                replace(&mut reader, parameter, slot.offset)?;
                value_kind(slot.offset, layout)
            }
            Form::Copied(layout) => {
                copy(&mut reader, function, parameter, slot.offset)?;
                value_kind(slot.offset, layout)
            }
        };
        arguments.push(Argument { name: reader.build().module().name(parameter), kind });
    }
    without_parameters(module, function, &parameters);
    if let Some(roles) = context.image_roles.get(&function) {
        arguments = arguments_of_source(roles, arguments);
    }
    Ok(Kernel {
        name: point.name.clone(),
        local_size: size.local,
        push_constant_size: frame.push_constant_size,
        arguments_in: frame.arguments_in,
        arguments,
        global_offset: frame.global_offset,
        program_data: None,
        program_data_binding: None,
        subgroup_size: subgroup_size(module, function),
        required_local_size: size.required,
        work_dim: None,
    })
}

/// A kernel that another one calls would need its parameters.
fn refuse_calls(module: &Module, point: &EntryPoint) -> Result<(), Diagnostic> {
    let mut users = module.uses(point.function).map(|used| used.user);
    match users.find(|&user| module.op(user) == Op::FunctionCall) {
        Some(call) => Err(error::unsupported(call, format!("a call of the kernel {}", point.name))),
        None => Ok(()),
    }
}

fn value_kind(offset: u64, layout: reconverge_analysis::Layout) -> ArgumentKind {
    ArgumentKind::Value { offset: offset as u32, size: layout.size as u32, alignment: layout.alignment as u32 }
}

/// Replaces a used parameter by its argument.
fn replace(reader: &mut Reader<'_>, parameter: Inst, offset: u64) -> Result<(), Diagnostic> {
    if reader.build().module().is_used(parameter) {
        let ty = reader.build().module().ty(parameter).expect("invariant: a parameter has a type");
        let value = reader.value(parameter, ty, offset)?;
        reader.build().editor().replace_all_uses(parameter, value);
    }
    Ok(())
}

/// Replaces a used pointer parameter by a variable with a copy of the argument.
fn copy(reader: &mut Reader<'_>, function: Function, parameter: Inst, offset: u64) -> Result<(), Diagnostic> {
    if !reader.build().module().is_used(parameter) {
        return Ok(());
    }
    let build = reader.build();
    let module = build.module();
    let pointer = module.ty(parameter).expect("invariant: a parameter has a type");
    let pointee = module.pointee(parameter).expect("invariant: the layout found a pointer");
    let entry = module.entry(function).expect("invariant: a kernel has a body");
    let leaves = leaves::leaves(module, parameter, pointee)?;
    let class = build.enumerant(StorageClass::Function);
    let variable = build.editor().insert(Position::AtStart(entry.into()), Op::Variable, Some(pointer), &[class]);
    for leaf in leaves {
        let value = reader.value(parameter, leaf.ty, offset + leaf.offset)?;
        let build = reader.build();
        let target = match leaf.path.is_empty() {
            true => variable,
            false => {
                let ty = build.pointer_type(StorageClass::Function, leaf.ty);
                let index = leaf.path.iter().map(|&index| super::scalars::word(build, index));
                let operands: Vec<Inst> = [variable].into_iter().chain(index.collect::<Vec<_>>()).collect();
                build.in_bounds_access_chain(ty, &operands)
            }
        };
        build.store(&[target, value]);
    }
    reader.build().editor().replace_all_uses(parameter, variable);
    Ok(())
}

/// Shared memory whose size in bytes is a specialization constant, as a pointer of the parameter's type.
fn local_memory(build: &mut Builder<'_>, parameter: Inst, spec_id: u32, size: u32) -> Inst {
    let u32_type = build.int_type(32);
    let byte = build.int_type(8);
    let literal = build.editor().word(size);
    let length = build.spec_constant(u32_type, &[literal]);
    build.add_decoration(length, decoration::SpecId(spec_id));
    let array = build.type_array(&[byte, length]);
    let variable = build.global_variable(StorageClass::Workgroup, array);
    let ty = build.module().ty(parameter).expect("invariant: a parameter has a type");
    build.bitcast(ty, &[variable])
}

/// Removes the parameters of a function, which have no uses.
fn without_parameters(module: &mut Module, function: Function, parameters: &[Inst]) {
    let result = module.ty(function).expect("invariant: a function has a return type");
    let mut editor = module.edit();
    let ty = editor.unique(Op::TypeFunction, None, &[result]);
    editor.set_operand(function, view::Function::SLOT.function_type, ty);
    parameters.iter().for_each(|&parameter| editor.delete(parameter));
}

fn subgroup_size(module: &Module, function: Function) -> Option<u32> {
    let size = execution_mode(module, function, ExecutionMode::SubgroupSize)?.first()?;
    module.literal_word(size)
}
