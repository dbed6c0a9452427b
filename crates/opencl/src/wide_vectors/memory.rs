//! Loads and stores, chunk by chunk through a pointer that is cast.

use reconverge_ir::{Inst, Op};
use spirv::{MemoryAccess, StorageClass};

use super::super::KernelError;
use super::super::entry_points::class_of;
use super::super::scalars::{components, integer, width, word};
use super::chunks::{Chunks, unsupported};

/// Cuts a load.
pub(super) fn load(chunks: &mut Chunks<'_>, inst: Inst, operands: &[Inst]) -> Result<(), KernelError> {
    let ty = chunks.module.ty(inst).expect("invariant: a load has a type");
    let size = chunks.size(ty);
    let types = chunks.chunk_types(ty, size);
    let pointers = pointers(chunks, inst, operands[0], &types)?;
    let access = access(chunks, ty, &operands[1..]);
    let mut build = chunks.before(inst);
    let parts = types.into_iter().zip(pointers).map(|(ty, pointer)| {
        let operands: Vec<Inst> = std::iter::once(pointer).chain(access.iter().copied()).collect();
        build.load(ty, &operands)
    });
    let parts = parts.collect();
    chunks.finish_parts(inst, parts);
    Ok(())
}

/// Cuts a store.
pub(super) fn store(chunks: &mut Chunks<'_>, inst: Inst, operands: &[Inst]) -> Result<(), KernelError> {
    let ty = chunks.module.ty(operands[1]).expect("invariant: a value has a type");
    let size = chunks.size(ty);
    let types = chunks.chunk_types(ty, size);
    let parts = chunks.parts(operands[1], inst)?;
    let pointers = pointers(chunks, inst, operands[0], &types)?;
    let access = access(chunks, ty, &operands[2..]);
    let mut build = chunks.before(inst);
    for (part, pointer) in parts.into_iter().zip(pointers) {
        let operands: Vec<Inst> = [pointer, part].into_iter().chain(access.iter().copied()).collect();
        build.store(&operands);
    }
    chunks.replaced.push(inst);
    Ok(())
}

/// Pointers to the chunks; all but the last are of one type, and the last is no larger.
fn pointers(chunks: &mut Chunks<'_>, at: Inst, pointer: Inst, types: &[Inst]) -> Result<Vec<Inst>, KernelError> {
    let class = class_of(chunks.module, pointer).ok_or_else(|| unsupported(at, "an access"))?;
    if chunks.module.op(pointer) == Op::ConvertUToPtr && class == StorageClass::PhysicalStorageBuffer as u32 {
        return Ok(at_addresses(chunks, at, pointer, types));
    }
    let mut build = chunks.before(at);
    let first_type = build.pointer_type(class, types[0]);
    let first = build.bitcast(first_type, &[pointer]);
    let mut pointers = vec![first];
    for (index, &ty) in types.iter().enumerate().skip(1) {
        let index = word(&mut build, index as u32);
        let next = build.in_bounds_ptr_access_chain(first_type, &[first, index]);
        let pointer_type = build.pointer_type(class, ty);
        pointers.push(if ty == types[0] { next } else { build.emit(Op::Bitcast, Some(pointer_type), &[next]) });
    }
    Ok(pointers)
}

/// Pointers to the chunks of what lies at an address: those of Vulkan know no arithmetic, addresses do.
fn at_addresses(chunks: &mut Chunks<'_>, at: Inst, pointer: Inst, types: &[Inst]) -> Vec<Inst> {
    let address = chunks.module.operand(pointer, 0);
    let address_type = chunks.module.ty(address).expect("invariant: an address has a type");
    let (component, count) = components(chunks.module, types[0]);
    let bytes = u64::from(width(chunks.module, component).unwrap_or(8) / 8 * count);
    let mut build = chunks.before(at);
    let mut pointers = Vec::new();
    for (index, &ty) in types.iter().enumerate() {
        let pointer_type = build.pointer_type(StorageClass::PhysicalStorageBuffer as u32, ty);
        let address = match index as u64 * bytes {
            0 => address,
            offset => {
                let offset = integer(&mut build, address_type, offset);
                build.i_add(address_type, &[address, offset])
            }
        };
        pointers.push(build.convert_u_to_ptr(pointer_type, &[address]));
    }
    pointers
}

/// The memory operands of a chunk: as aligned as the whole, or as its own size.
fn access(chunks: &mut Chunks<'_>, ty: Inst, operands: &[Inst]) -> Vec<Inst> {
    let aligned = MemoryAccess::ALIGNED.bits();
    let mask = operands.first().and_then(|&mask| chunks.module.literal_word(mask)).unwrap_or(0);
    let (component, _) = components(chunks.module, ty);
    let bytes = width(chunks.module, component).unwrap_or(8) / 8 * chunks.size(ty);
    let mut operands = operands.to_vec();
    if mask & aligned != 0
        && let Some(alignment) = operands.get(1).and_then(|&literal| chunks.module.literal_word(literal))
    {
        operands[1] = chunks.module.edit().word(alignment.min(bytes));
    }
    operands
}
