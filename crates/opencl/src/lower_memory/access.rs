//! Lowers loads and stores: of memory that has an address, and of cells.
//!
//! ```text
//!                                  %a = i_add %base, %s
//! load %f32x4 %p Aligned 16   ⇒    %q = convert_u_to_ptr %ptr(PhysicalStorageBuffer, f32x4) %a
//!                                  load %f32x4 %q Aligned 16
//!
//!                                  %i = i_add %lid, 3
//! load %f32 %p Aligned 4      ⇒    %q = access_chain %ptr(Workgroup, f32) %tile, %i
//!                                  load %f32 %q
//! ```
//!
//! Aggregates are accessed leaf by leaf. A leaf is split into pieces if the alignment is below the size of its scalars, or if cells have
//! another width. A piece of a cell, which occurs only for cells with atomic accesses, is shifted and masked. A write of a piece must not
//! overwrite concurrent writes to the rest of the cell, so in work-group memory two atomics clear and set the bits.

use reconverge_diagnostic::Diagnostic;
use reconverge_ir::{Inst, Op, view};
use spirv::{MemoryAccess, Scope};

use super::leaves::{Leaf, MemoryOperands, leaves, scalar_bytes};
use super::lowering::{Form, Lowering, Spot};
use super::points_to::Memory;

/// The properties of an access.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Manner {
    /// The alignment of the address.
    pub(super) alignment: u32,
    /// Volatile and Nontemporal.
    pub(super) flags: MemoryAccess,
}

impl Manner {
    /// The properties of a part of the access.
    pub(super) fn at(self, offset: u64) -> Manner {
        Manner { alignment: self.alignment.min(1 << offset.trailing_zeros().min(16)), ..self }
    }
}

impl Lowering<'_> {
    /// The manner of an instruction's access to a type through a pointer.
    fn manner(&mut self, inst: Inst, pointer: Inst, ty: Inst) -> Result<Manner, Diagnostic> {
        let operands = MemoryOperands::of(self.module.memory_access(inst));
        let natural = self.layouts.of(self.module, ty).map_err(|error| self.unsupported(error.to_string()))?;
        let promised = operands.alignment.unwrap_or(natural.alignment as u32);
        let alignment = self.demands.alignment(pointer, promised);
        Ok(Manner { alignment, flags: operands.flags })
    }

    /// A `load`.
    pub(super) fn lower_load(&mut self, inst: Inst) -> Result<(), Diagnostic> {
        let Some(view::Load { pointer, .. }) = view::Load::of(self.module, inst) else { return Ok(()) };
        let Some(spot) = self.spot(pointer)? else { return Ok(()) };
        let ty = self.module.ty(inst).expect("invariant: a load has a type");
        let manner = self.manner(inst, pointer, ty)?;
        self.changed = true;
        if self.module.op(ty) == Op::TypePointer {
            self.refuse_stored_pointer(spot, ty, "read from")?;
            let bits = self.load_leaf(spot, ty, manner);
            if let Some((class, _)) = self.lowered_class(inst) {
                let place = self.place_of_bits(class, bits);
                self.places.insert(inst, place);
            }
            self.retire(inst);
            return Ok(());
        }
        if let Some((pointer, alignment)) = self.direct_pointer(spot, ty, manner) {
            let mut operands = vec![pointer];
            operands.extend(self.memory_operands(manner, alignment));
            self.module.edit().set_operands(inst, &operands);
            return Ok(());
        }
        let value = if scalar_bytes(self.module, ty).is_some() {
            self.load_leaf(spot, ty, manner)
        } else {
            let data = self.data_type(ty);
            let mut whole = self.emit(Op::Undef, data, &[]);
            for Leaf { ty, offset, path } in leaves(self.module, &mut self.layouts, ty, inst)? {
                self.refuse_stored_pointer(spot, ty, "read from")?;
                let part = self.load_leaf(spot.moved(offset.cast_signed()), ty, manner.at(offset));
                let mut operands = vec![part, whole];
                operands.extend(path.iter().map(|&index| self.module.edit().word(index)));
                whole = self.emit(Op::CompositeInsert, data, &operands);
            }
            whole
        };
        self.replace(inst, value);
        Ok(())
    }

    /// A `store`.
    pub(super) fn lower_store(&mut self, inst: Inst) -> Result<(), Diagnostic> {
        let Some(view::Store { pointer, object: value, .. }) = view::Store::of(self.module, inst) else {
            return Ok(());
        };
        let Some(spot) = self.spot(pointer)? else { return Ok(()) };
        let ty = self.module.ty(value).expect("invariant: what is stored has a type");
        if self.module.op(value) == Op::Undef {
            self.retire(inst);
            return Ok(());
        }
        let manner = self.manner(inst, pointer, ty)?;
        self.changed = true;
        if self.module.op(ty) != Op::TypePointer
            && let Some((pointer, alignment)) = self.direct_pointer(spot, ty, manner)
        {
            let mut operands = vec![pointer, value];
            operands.extend(self.memory_operands(manner, alignment));
            self.module.edit().set_operands(inst, &operands);
            return Ok(());
        }
        if scalar_bytes(self.module, ty).is_some() {
            self.refuse_stored_pointer(spot, ty, "stored in")?;
            let value = self.as_data(value)?;
            self.store_leaf(spot, value, manner);
        } else if self.module.op(value) == Op::ConstantNull {
            let size = self.layouts.of(self.module, ty).map_err(|error| self.unsupported(error.to_string()))?.size;
            self.lower_zeros(spot, size, manner);
        } else {
            for Leaf { ty, offset, path } in leaves(self.module, &mut self.layouts, ty, inst)? {
                self.refuse_stored_pointer(spot, ty, "stored in")?;
                let data = self.data_type(ty);
                let part = self.element(value, &path, data);
                let part = self.as_data(part)?;
                self.store_leaf(spot.moved(offset.cast_signed()), part, manner.at(offset));
            }
        }
        self.retire(inst);
        Ok(())
    }

    /// Pointers in storage buffers have no meaning for the host and for other pointers to the same buffer.
    fn refuse_stored_pointer(&mut self, spot: Spot, ty: Inst, what: &str) -> Result<(), Diagnostic> {
        match self.module.op(ty) == Op::TypePointer && self.points_to.is_bound(spot.class) {
            true => Err(self.unsupported(format!("a pointer that is {what} a buffer, with bindings for pointers"))),
            false => Ok(()),
        }
    }

    /// A value in its memory representation: pointers as their bits.
    pub(super) fn as_data(&mut self, value: Inst) -> Result<Inst, Diagnostic> {
        if let Some(spot) = self.spot(value)? {
            return Ok(self.pointer_bits(spot));
        }
        let ty = self.module.ty(value).expect("invariant: what is stored has a type");
        if self.module.op(ty) != Op::TypePointer {
            return Ok(value);
        }
        match self.module.op(value) {
            Op::ConstantNull | Op::Undef => {
                let wide = self.uint(8);
                Ok(self.constant(wide, 0))
            }
            _ => Err(self.unsupported("a pointer to kernel memory that is stored without lowering")),
        }
    }

    /// The memory operands of a part of an access.
    fn memory_operands(&mut self, manner: Manner, alignment: Option<u32>) -> Vec<Inst> {
        let operands = MemoryOperands { flags: manner.flags, alignment: None };
        operands.written(self.module, alignment).to_vec()
    }

    /// The pointer through which a leaf can be accessed in one piece, with the alignment of the access; `None` if it must be split.
    fn direct_pointer(&mut self, spot: Spot, ty: Inst, manner: Manner) -> Option<(Inst, Option<u32>)> {
        let bytes = scalar_bytes(self.module, ty)?;
        match self.form(spot.class) {
            Form::Address => {
                if manner.alignment < bytes {
                    return None;
                }
                let address = self.value(spot);
                Some((self.physical_pointer(address, ty), Some(manner.alignment)))
            }
            Form::Cells => {
                let cells = &self.cells[&spot.class];
                let is_own = cells.cell == ty && cells.stored == ty;
                let is_whole = is_own && self.part_size(spot, manner, bytes).is_none();
                is_whole.then(|| (self.cell_pointer(spot, 0), None))
            }
            Form::Kept => None,
        }
    }

    /// The value of a scalar or vector in memory; for a pointer its bits.
    pub(super) fn load_leaf(&mut self, spot: Spot, ty: Inst, manner: Manner) -> Inst {
        let ty = self.data_type(ty);
        if let Some((pointer, alignment)) = self.direct_pointer(spot, ty, manner) {
            return self.load_piece(pointer, ty, manner, alignment);
        }
        let (component, count) = self.module.components(ty);
        let scalar = scalar_bytes(self.module, component).expect("invariant: a leaf has scalars");
        if let Some(part) = self.part_size(spot, manner, scalar) {
            return self.load_in_parts(spot, ty, part, manner);
        }
        let bytes = match self.form(spot.class) {
            Form::Address | Form::Kept => manner.alignment.min(scalar),
            Form::Cells => self.cells[&spot.class].bytes,
        };
        if bytes > scalar {
            let scalars: Vec<Inst> = (0..count)
                .map(|index| {
                    let bits = self.load_part_of_cell(spot.moved(i64::from(index * scalar)), scalar, manner);
                    self.bitcast(component, bits)
                })
                .collect();
            return if count == 1 { scalars[0] } else { self.emit(Op::CompositeConstruct, ty, &scalars) };
        }
        let part = self.uint(bytes);
        let parts: Vec<Inst> = (0..count * scalar / bytes)
            .map(|index| {
                let (pointer, ty, alignment) = self.piece_pointer(spot, index, bytes);
                let value = self.load_piece(pointer, ty, manner, alignment);
                // A piece that is a whole scalar may keep its type.
                if ty == component { value } else { self.bitcast(part, value) }
            })
            .collect();
        self.combined(&parts, bytes, ty)
    }

    pub(super) fn load_piece(&mut self, pointer: Inst, ty: Inst, manner: Manner, alignment: Option<u32>) -> Inst {
        let mut operands = vec![pointer];
        operands.extend(self.memory_operands(manner, alignment));
        let stored = self.module.pointee(pointer).unwrap_or(ty);
        let value = self.emit(Op::Load, stored, &operands);
        if stored == ty { value } else { self.narrow_from_word(ty, value) }
    }

    /// Piece number `index` of a leaf: the pointer, the type of the piece and the alignment to be promised.
    fn piece_pointer(&mut self, spot: Spot, index: u32, bytes: u32) -> (Inst, Inst, Option<u32>) {
        if self.form(spot.class) == Form::Cells {
            return (self.cell_pointer(spot, index), self.cells[&spot.class].cell, None);
        }
        let part = self.uint(bytes);
        let address = self.value(spot.moved(i64::from(index * bytes)));
        (self.physical_pointer(address, part), part, Some(bytes))
    }

    /// Stores a scalar or vector, which is not a pointer.
    pub(super) fn store_leaf(&mut self, spot: Spot, value: Inst, manner: Manner) {
        let ty = self.module.ty(value).expect("invariant: what is stored has a type");
        if self.module.op(value) == Op::Undef {
            return;
        }
        if let Some((pointer, alignment)) = self.direct_pointer(spot, ty, manner) {
            return self.store_piece(pointer, value, manner, alignment);
        }
        let (component, _) = self.module.components(ty);
        let scalar = scalar_bytes(self.module, component).expect("invariant: a leaf has scalars");
        if let Some(part) = self.part_size(spot, manner, scalar) {
            return self.store_in_parts(spot, value, part);
        }
        let bytes = match self.form(spot.class) {
            Form::Address | Form::Kept => manner.alignment.min(scalar),
            Form::Cells => self.cells[&spot.class].bytes,
        };
        if bytes > scalar {
            for (index, value) in self.scalars(value).into_iter().enumerate() {
                let bits = self.uint(scalar);
                let bits = self.bitcast(bits, value);
                self.store_part_of_cell(spot.moved(index as i64 * i64::from(scalar)), bits, scalar, manner);
            }
            return;
        }
        let keeps_type = self.cells.get(&spot.class).is_some_and(|cells| cells.cell == component);
        let parts = if keeps_type { self.scalars(value) } else { self.taken_apart(value, bytes) };
        for (index, part) in parts.into_iter().enumerate() {
            let (pointer, ty, alignment) = self.piece_pointer(spot, index as u32, bytes);
            let part = self.bitcast(ty, part);
            self.store_piece(pointer, part, manner, alignment);
        }
    }

    pub(super) fn store_piece(&mut self, pointer: Inst, value: Inst, manner: Manner, alignment: Option<u32>) {
        let stored = self.module.pointee(pointer);
        let value = if self.module.ty(value) == stored { value } else { self.word_from_narrow(value) };
        let mut operands = vec![pointer, value];
        operands.extend(self.memory_operands(manner, alignment));
        self.emit_plain(Op::Store, &operands);
    }

    /// The cell that contains a byte, and the position of the byte's lowest bit in it.
    fn part_of_cell(&mut self, spot: Spot) -> (Inst, Inst) {
        let bytes = self.cells[&spot.class].bytes;
        let pointer = self.cell_pointer(spot, 0);
        let value = self.value(spot);
        let (mask, three) = (self.word(bytes - 1), self.word(3));
        let within = self.binary(Op::BitwiseAnd, value, mask);
        (pointer, self.binary(Op::ShiftLeftLogical, within, three))
    }

    fn load_part_of_cell(&mut self, spot: Spot, bytes: u32, manner: Manner) -> Inst {
        let (pointer, shift) = self.part_of_cell(spot);
        let (cell, whole) = (self.cells[&spot.class].cell, self.cells[&spot.class].bytes);
        let value = self.load_piece(pointer, cell, manner, None);
        let (part, whole) = (self.uint(bytes), self.uint(whole));
        let bits = self.bitcast(whole, value);
        let bits = self.emit(Op::ShiftRightLogical, whole, &[bits, shift]);
        self.emit(Op::UConvert, part, &[bits])
    }

    fn store_part_of_cell(&mut self, spot: Spot, bits: Inst, bytes: u32, manner: Manner) {
        let (pointer, shift) = self.part_of_cell(spot);
        let (cell, whole) = (self.cells[&spot.class].cell, self.cells[&spot.class].bytes);
        let whole = self.uint(whole);
        let mask = self.constant(whole, ((1_u64 << (bytes * 8)) - 1).cast_signed());
        let mask = self.emit(Op::ShiftLeftLogical, whole, &[mask, shift]);
        let mask = self.emit(Op::Not, whole, &[mask]);
        let bits = self.emit(Op::UConvert, whole, &[bits]);
        let bits = self.emit(Op::ShiftLeftLogical, whole, &[bits, shift]);
        if self.cells[&spot.class].memory == Memory::Workgroup {
            let (scope, semantics) = (self.word(Scope::Workgroup), self.word(0));
            self.emit(Op::AtomicAnd, whole, &[pointer, scope, semantics, mask]);
            self.emit(Op::AtomicOr, whole, &[pointer, scope, semantics, bits]);
            return;
        }
        let old = self.load_piece(pointer, cell, manner, None);
        let old = self.bitcast(whole, old);
        let kept = self.emit(Op::BitwiseAnd, whole, &[old, mask]);
        let new = self.emit(Op::BitwiseOr, whole, &[kept, bits]);
        let new = self.bitcast(cell, new);
        self.store_piece(pointer, new, manner, None);
    }
}
