//! Bound buffers: variables of a descriptor set become addresses among the push constants.
//!
//! ```text
//! %b = variable StorageBuffer                        entry: %a = load (access_chain %addresses, %k)
//! %p = access_chain %b, %zero, %i               ⇒   %p = access_chain %a, %zero, %i
//! %n = array_length %b, 1                            %n = (size of the buffer - offset of member 1) / stride
//! ```
//!
//! After the push constants of the shader is a record for each buffer: its address, 64 bits, and its size in bytes, 32 bits. Addresses are
//! pointers of storage class `PhysicalStorageBuffer`. Variables of other functions stay. Linear in the uses of the variables.

use reconverge_analysis::Layouts;
use reconverge_diagnostic::Diagnostic;
use reconverge_ir::decoration::{Binding, DescriptorSet};
use reconverge_ir::{Builder, Function, Inst, Module, Op, OpGroup, Slot, Use, view};
use spirv::StorageClass;

use crate::error::unsupported;

/// Bytes of the record of a buffer.
pub const BUFFER_RECORD: u32 = 16;
/// The offset of the size in the record.
const SIZE: u32 = 8;

/// A place in descriptor sets.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct BufferSlot {
    /// The descriptor set.
    pub set: u32,
    /// The number of the binding.
    pub binding: u32,
}

/// Replaces the storage and uniform buffers that a function accesses. The record of the buffer in the first slot is at `offset` among the push
/// constants, those of the others follow. Calls are inlined before.
///
/// # Errors
/// A buffer in none of the slots, an array of buffers, or a use of a buffer that is no access.
pub fn bind_buffers(
    module: &mut Module,
    function: Function,
    slots: &[BufferSlot],
    offset: u32,
) -> Result<(), Diagnostic> {
    let buffers = accessed(module, function, slots)?;
    if buffers.is_empty() {
        return Ok(());
    }
    let records = declare(module, &buffers, offset);
    let entry = module.entry(function).ok_or_else(|| unsupported(function, "a function without a body"))?;
    let first = module.children(entry).find(|&inst| module.op(inst) != Op::Variable);
    let first = first.expect("invariant: a block has a terminator");
    let mut layouts = Layouts::new();
    for (place, buffer) in buffers.iter().enumerate() {
        let [address, size] = [0, 1].map(|part| load_member(module, records, 2 * place as u32 + part, first));
        let own = |used: &Use| module.function_of(used.user) == Some(function);
        let uses: Vec<Use> = module.uses(buffer.variable).filter(own).collect();
        for used in uses {
            if let Slot::Operand(index) = used.slot {
                module.edit().set_operand(used.user, index, address);
            }
        }
        let mut rest = vec![address];
        while let Some(pointer) = rest.pop() {
            let users: Vec<Inst> = module.uses(pointer).map(|used| used.user).collect();
            for user in users {
                match module.op(user).group() {
                    OpGroup::Address => {
                        readdress(module, user);
                        rest.push(user);
                    }
                    OpGroup::PointerQuery if module.op(user) == Op::ArrayLength => {
                        replace_length(module, &mut layouts, user, size)?;
                    }
                    OpGroup::Load | OpGroup::Store | OpGroup::Atomic if module.operand(user, 0) == pointer => {}
                    _ => {
                        let what = format!("{} of a buffer", module.op(user).name());
                        return Err(unsupported(user, what));
                    }
                }
            }
        }
    }
    Ok(())
}

/// A buffer that a function accesses.
struct Buffer {
    variable: Inst,
    /// Its place among the slots.
    place: u32,
}

fn accessed(module: &Module, function: Function, slots: &[BufferSlot]) -> Result<Vec<Buffer>, Diagnostic> {
    let mut buffers = Vec::new();
    for variable in module.globals().filter(|&global| module.op(global) == Op::Variable) {
        let class = module.storage_class(variable);
        let is_used = || module.uses(variable).any(|used| module.function_of(used.user) == Some(function));
        if !matches!(class, Some(StorageClass::StorageBuffer | StorageClass::Uniform)) || !is_used() {
            continue;
        }
        let pointee = module.pointee(variable);
        if pointee.is_none_or(|ty| module.op(ty) != Op::TypeStruct) {
            return Err(unsupported(variable, "an array of buffers"));
        }
        let DescriptorSet(set) = module.decorated(variable).find().unwrap_or(DescriptorSet(0));
        let slot = module.decorated(variable).find().map(|Binding(binding)| BufferSlot { set, binding });
        let place = slots.iter().position(|&one| slot == Some(one));
        let place = place.ok_or_else(|| unsupported(variable, "a buffer that is not bound"))?;
        buffers.push(Buffer { variable, place: place as u32 });
    }
    Ok(buffers)
}

/// The push constants that the records are: the address and the size of each buffer.
fn declare(module: &mut Module, buffers: &[Buffer], offset: u32) -> Inst {
    let pointees: Vec<Inst> = buffers.iter().filter_map(|buffer| module.pointee(buffer.variable)).collect();
    let mut build = Builder::new(module);
    let word = build.int_type(32);
    let (mut members, mut offsets) = (Vec::new(), Vec::new());
    for (buffer, pointee) in buffers.iter().zip(pointees) {
        let record = offset + BUFFER_RECORD * buffer.place;
        members.extend([build.pointer_type(StorageClass::PhysicalStorageBuffer, pointee), word]);
        offsets.extend([record, record + SIZE]);
    }
    let block = build.block_type(&members, &offsets);
    build.global_variable(StorageClass::PushConstant, block)
}

fn load_member(module: &mut Module, records: Inst, member: u32, before: Inst) -> Inst {
    let block = module.pointee(records).expect("invariant: it is a variable");
    let ty = module.part_type(block, member as usize).expect("invariant: the block has that member");
    let mut build = Builder::new(module);
    build.before(before);
    let word = build.int_type(32);
    let index = build.constant_word(word, member);
    let pointer = build.pointer_type(StorageClass::PushConstant, ty);
    let chain = build.emit(Op::AccessChain, Some(pointer), &[records, index]);
    build.emit(Op::Load, Some(ty), &[chain])
}

/// The number of elements of an array at the end of a buffer, from the size of the buffer.
fn replace_length(module: &mut Module, layouts: &mut Layouts, length: Inst, size: Inst) -> Result<(), Diagnostic> {
    let unknown = || unsupported(length, "the length of an array without a known layout");
    let view::ArrayLength { structure, member } = view::ArrayLength::of(module, length).ok_or_else(unknown)?;
    let block = module.pointee(structure).ok_or_else(unknown)?;
    let member = member as usize;
    let array = module.part_type(block, member).ok_or_else(unknown)?;
    let offset = layouts.member_offset(module, block, member).map_err(|_| unknown())?;
    let stride = layouts.element_stride(module, array).map_err(|_| unknown())?;
    let mut build = Builder::new(module);
    build.before(length);
    let word = build.int_type(32);
    let [offset, stride] = [offset, stride].map(|bytes| build.constant_word(word, bytes as u32));
    let bytes = build.emit(Op::ISub, Some(word), &[size, offset]);
    let count = build.emit(Op::UDiv, Some(word), &[bytes, stride]);
    module.edit().replace_all_uses(length, count);
    module.edit().delete(length);
    Ok(())
}

/// Gives the address of a part the storage class of what it is a part of.
fn readdress(module: &mut Module, chain: Inst) {
    let pointee = module.pointee(chain).expect("invariant: an address has a type");
    let ty = Builder::new(module).pointer_type(StorageClass::PhysicalStorageBuffer, pointee);
    module.edit().set_type(chain, ty);
}
