//! Loads and stores, chunk by chunk through a cast pointer.

use reconverge_diagnostic::Diagnostic;
use reconverge_ir::{Inst, Op, view};
use spirv::StorageClass;

use super::super::scalars::{integer, word};
use super::chunks::{Chunks, unsupported};

/// Splits a load.
pub(super) fn load(chunks: &mut Chunks<'_>, inst: Inst, operands: &[Inst]) -> Result<(), Diagnostic> {
    let ty = chunks.module.ty(inst).expect("invariant: a load has a type");
    let size = chunks.size(ty);
    let types = chunks.chunk_types(ty, size);
    let pointers = pointers(chunks, inst, operands[0], &types)?;
    let access = access(chunks, inst, ty, &operands[view::Load::SLOT.memory_access..]);
    let mut build = chunks.before(inst);
    let parts = types.into_iter().zip(pointers).map(|(ty, pointer)| {
        let operands: Vec<Inst> = std::iter::once(pointer).chain(access.iter().copied()).collect();
        build.load(ty, &operands)
    });
    let parts = parts.collect();
    chunks.finish_parts(inst, parts);
    Ok(())
}

/// Splits a store.
pub(super) fn store(chunks: &mut Chunks<'_>, inst: Inst, operands: &[Inst]) -> Result<(), Diagnostic> {
    let ty = chunks.module.ty(operands[1]).expect("invariant: a value has a type");
    let size = chunks.size(ty);
    let types = chunks.chunk_types(ty, size);
    let parts = chunks.parts(operands[1], inst)?;
    let pointers = pointers(chunks, inst, operands[0], &types)?;
    let access = access(chunks, inst, ty, &operands[view::Store::SLOT.memory_access..]);
    let mut build = chunks.before(inst);
    for (part, pointer) in parts.into_iter().zip(pointers) {
        let operands: Vec<Inst> = [pointer, part].into_iter().chain(access.iter().copied()).collect();
        build.store(&operands);
    }
    chunks.replaced.push(inst);
    Ok(())
}

/// Pointers to the chunks; all except the last have one type, and the last is not larger.
fn pointers(chunks: &mut Chunks<'_>, at: Inst, pointer: Inst, types: &[Inst]) -> Result<Vec<Inst>, Diagnostic> {
    let class = chunks.module.storage_class(pointer).ok_or_else(|| unsupported(at, "an access"))?;
    if class == StorageClass::PhysicalStorageBuffer
        && let Some(view::ConvertUToPtr { operand: address }) = view::ConvertUToPtr::of(chunks.module, pointer)
    {
        return Ok(at_addresses(chunks, at, address, types));
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

/// Pointers to the chunks at an address: Vulkan's pointers have no arithmetic, addresses do.
fn at_addresses(chunks: &mut Chunks<'_>, at: Inst, address: Inst, types: &[Inst]) -> Vec<Inst> {
    let address_type = chunks.module.ty(address).expect("invariant: an address has a type");
    let (component, count) = chunks.module.components(types[0]);
    let bytes = u64::from(chunks.module.width(component).unwrap_or(8) / 8 * count);
    let mut build = chunks.before(at);
    let mut pointers = Vec::new();
    for (index, &ty) in types.iter().enumerate() {
        let pointer_type = build.pointer_type(StorageClass::PhysicalStorageBuffer, ty);
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

/// The memory operands of a chunk: the alignment is that of the whole, or the chunk's own size.
fn access(chunks: &mut Chunks<'_>, whole: Inst, ty: Inst, operands: &[Inst]) -> Vec<Inst> {
    let (component, _) = chunks.module.components(ty);
    let bytes = chunks.module.width(component).unwrap_or(8) / 8 * chunks.size(ty);
    let mut operands = operands.to_vec();
    if let Some(alignment) = chunks.module.memory_access(whole).alignment {
        operands[1] = chunks.module.edit().word(alignment.min(bytes));
    }
    operands
}
