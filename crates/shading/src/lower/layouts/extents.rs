//! The sizes and alignments of types in memory, and how vectors and matrices are stored.
//!
//! | type | size | alignment |
//! |---|---|---|
//! | number, vector of 2 or 4 | all components | all components |
//! | vector of 3 | 4 components; in WGSL 3 components | 4 components |
//! | packed vector | all components | 1 component |
//! | matrix | that of its columns | that of a column |
//!
//! A vector is packed where it is at an offset that its alignment does not divide, or where less room is than it takes.

use reconverge_diagnostic::Diagnostic;
use reconverge_ir::view::TypeView;
use reconverge_ir::{Inst, Op};
use spirv::StorageClass;

use super::super::function::addresses::ADDRESS;
use super::super::{Lowering, Target};
use crate::syntax::{Length, Scalar, Storage, StoredMatrix, Type, TypeShape};
use crate::write::WriteCode;

/// The largest alignment.
pub(super) const LARGEST: u32 = 16;

/// The size of a type and its alignment.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::lower) struct Extent {
    pub(super) size: u32,
    pub(super) alignment: u32,
}

impl Extent {
    /// The size that it takes in an array.
    fn stride(self) -> u32 {
        self.size.next_multiple_of(self.alignment)
    }
}

/// The order and the stride of the matrices in a member.
#[derive(Clone, Copy, Default)]
pub(super) struct MatrixNotes {
    pub(super) is_in_rows: bool,
    pub(super) stride: Option<u32>,
}

/// A place for a type in memory.
#[derive(Clone, Copy)]
pub(super) struct Spot {
    /// The alignment that its address has.
    pub(super) alignment: u32,
    /// The bytes up to what follows.
    pub(super) room: u32,
    pub(super) matrix: MatrixNotes,
}

/// A type as it is stored.
#[derive(Clone, Copy)]
pub(super) struct Stored {
    pub(super) ty: Type,
    pub(super) extent: Extent,
}

/// The largest power of two that divides a number.
pub(in crate::lower) fn power_in(number: u32) -> u32 {
    if number == 0 { LARGEST } else { 1 << number.trailing_zeros().min(4) }
}

fn packed_extent(scalar: Scalar, size: u8) -> Extent {
    let bytes = u32::from(scalar.width / 8);
    Extent { size: bytes * u32::from(size), alignment: bytes }
}

impl Lowering<'_> {
    fn memory_extent(&self, scalar: Scalar, size: u8) -> Extent {
        let bytes = u32::from(scalar.width / 8);
        let alignment = bytes * u32::from(if size == 3 { 4 } else { size });
        let size = if self.target == Target::Wgsl { bytes * u32::from(size) } else { alignment };
        Extent { size, alignment }
    }

    /// The stored form of a type at a spot; `None` if it cannot be there. The depth is that of the type.
    ///
    /// # Errors
    /// A part of it cannot be expressed.
    pub(super) fn stored(&mut self, ty: Inst, spot: Spot) -> Result<Option<Stored>, Diagnostic> {
        match self.source.type_view(ty) {
            Some(TypeView::Bool) => self.refuse(WriteCode::Layout, ty, "a condition in memory with a layout"),
            Some(TypeView::Int { .. } | TypeView::Float { .. }) => {
                let extent = {
                    let scalar = self.scalar(ty)?;
                    self.memory_extent(scalar, 1)
                };
                let ty = self.ty(ty)?;
                Ok((extent.alignment <= spot.alignment).then_some(Stored { ty, extent }))
            }
            Some(TypeView::Vector { component, count }) => {
                let scalar = self.scalar(component)?;
                Ok(self.stored_vector_type((scalar, count as u8), spot))
            }
            Some(TypeView::Matrix { .. }) => self.stored_matrix_type(ty, spot),
            Some(TypeView::Array { element, .. } | TypeView::RuntimeArray { element }) => {
                self.stored_array(ty, element, spot)
            }
            Some(TypeView::Struct { .. }) => {
                let converted = self.ty(ty)?;
                let Some(&extent) = self.extents.get(&ty) else {
                    return self.refuse(WriteCode::Layout, ty, "a struct without offsets in memory with a layout");
                };
                let fits = extent.alignment <= spot.alignment && extent.size <= spot.room;
                Ok(fits.then_some(Stored { ty: converted, extent }))
            }
            // An address is a number.
            Some(TypeView::Pointer { storage_class: Some(StorageClass::PhysicalStorageBuffer), .. }) => {
                let extent = self.memory_extent(ADDRESS, 1);
                let ty = self.ty(ty)?;
                Ok((extent.alignment <= spot.alignment).then_some(Stored { ty, extent }))
            }
            _ => self.refuse(WriteCode::Layout, ty, format!("{} in memory with a layout", self.source.op(ty).name())),
        }
    }

    /// The stored form of a vector that nothing is known around: packed, unless it has the alignment of its type.
    pub(in crate::lower) fn vector_at(&mut self, ty: Inst, alignment: Option<u32>) -> Result<Type, Diagnostic> {
        let (component, count) = self.source.components(ty);
        let scalar = self.scalar(component)?;
        let packed = packed_extent(scalar, count as u8);
        let spot = Spot {
            alignment: alignment.unwrap_or(packed.alignment),
            room: packed.size,
            matrix: MatrixNotes::default(),
        };
        match self.stored_vector_type((scalar, count as u8), spot) {
            Some(stored) => Ok(stored.ty),
            None => Ok(self.text.types.of(TypeShape::Packed { scalar, size: count as u8 })),
        }
    }

    fn stored_vector_type(&mut self, (scalar, size): (Scalar, u8), spot: Spot) -> Option<Stored> {
        let extent = self.memory_extent(scalar, size);
        if extent.alignment <= spot.alignment && extent.size <= spot.room {
            let ty = self.text.types.of(TypeShape::Vector { scalar, size });
            return Some(Stored { ty, extent });
        }
        let extent = packed_extent(scalar, size);
        let ty = self.text.types.of(TypeShape::Packed { scalar, size });
        (extent.alignment <= spot.alignment && extent.size <= spot.room).then_some(Stored { ty, extent })
    }

    fn stored_matrix_type(&mut self, ty: Inst, spot: Spot) -> Result<Option<Stored>, Diagnostic> {
        let converted = self.ty(ty)?;
        let TypeShape::Matrix { scalar, columns, rows } = self.text.types[converted] else { return Ok(None) };
        let is_in_rows = spot.matrix.is_in_rows;
        let of = |storage| StoredMatrix { scalar, columns, rows, is_in_rows, storage };
        let natural = of(Storage::Natural);
        let (vectors, size) = (u32::from(natural.vectors()), natural.size());
        let stride = spot.matrix.stride.unwrap_or(self.memory_extent(scalar, size).stride());
        let choices = [
            (Storage::Natural, self.memory_extent(scalar, size)),
            (Storage::Filled, self.memory_extent(scalar, 4)),
            (Storage::Packed, packed_extent(scalar, size)),
        ];
        let fits = |extent: Extent| {
            extent.stride() == stride && extent.alignment <= spot.alignment && stride * vectors <= spot.room
        };
        let found = choices.into_iter().find(|&(_, extent)| fits(extent));
        Ok(found.map(|(storage, vector)| {
            let extent = Extent { size: stride * vectors, alignment: vector.alignment };
            let is_plain = storage == Storage::Natural && !is_in_rows;
            let shape = TypeShape::StoredMatrix(of(storage));
            Stored { ty: if is_plain { converted } else { self.text.types.of(shape) }, extent }
        }))
    }

    /// Returns whether the elements of an array are matrices, whose storage depends on the struct around the array.
    fn has_matrices(&self, array: Inst) -> bool {
        let mut ty = array;
        while let Some(TypeView::Array { element, .. } | TypeView::RuntimeArray { element }) = self.source.type_view(ty)
        {
            ty = element;
        }
        matches!(self.source.type_view(ty), Some(TypeView::Matrix { .. }))
    }

    fn stored_array(&mut self, array: Inst, element: Inst, spot: Spot) -> Result<Option<Stored>, Diagnostic> {
        let Some(stride) = self.source.array_stride(array) else {
            return self.refuse(WriteCode::Layout, array, "an array without a stride in memory with a layout");
        };
        let count = match self.source.type_view(array) {
            // The length of a specialized array is not known: nothing can follow it.
            Some(TypeView::Array { length, .. }) => self.source.constant_word(length).unwrap_or(1),
            _ => 0,
        };
        let inner = Spot { alignment: spot.alignment.min(power_in(stride)), room: stride, matrix: spot.matrix };
        let Some(stored) = self.stored(element, inner)? else { return Ok(None) };
        let size = stride.saturating_mul(count);
        let extent = Extent { size, alignment: stored.extent.alignment };
        if self.has_matrices(array) {
            let converted = self.ty(array)?;
            let length = match self.text.types[converted] {
                TypeShape::Array { length, .. } => length,
                _ => Length::Runtime,
            };
            let is_tight = stored.extent.stride() == stride;
            let ty = self.text.types.of(TypeShape::Array { element: stored.ty, length });
            return Ok((is_tight && size <= spot.room).then_some(Stored { ty, extent }));
        }
        let ty = self.ty(array)?;
        let alignment = self.alignment_within(ty);
        let extent = Extent { alignment, ..extent };
        Ok((alignment <= spot.alignment && size <= spot.room).then_some(Stored { ty, extent }))
    }

    /// The alignment of an array of the text: that of its innermost element.
    pub(in crate::lower) fn alignment_within(&self, array: Type) -> u32 {
        let mut ty = array;
        while let TypeShape::Array { element, .. } = self.text.types[ty] {
            ty = element;
        }
        match self.text.types[ty] {
            TypeShape::Scalar(scalar) | TypeShape::Packed { scalar, .. } => u32::from(scalar.width / 8),
            TypeShape::Vector { scalar, size } => self.memory_extent(scalar, size).alignment,
            TypeShape::Matrix { scalar, rows, .. } => self.memory_extent(scalar, rows).alignment,
            TypeShape::StoredMatrix(matrix) => match matrix.storage {
                Storage::Natural => self.memory_extent(matrix.scalar, matrix.size()).alignment,
                Storage::Filled => self.memory_extent(matrix.scalar, 4).alignment,
                Storage::Packed => u32::from(matrix.scalar.width / 8),
            },
            TypeShape::Struct(id) => {
                let known = self.structs.iter().find(|(_, known)| **known == id).map(|(inst, _)| *inst);
                match known.and_then(|inst| self.extents.get(&inst)) {
                    Some(extent) => extent.alignment,
                    // A struct with padding around an element.
                    None => {
                        let members = self.text.structure(id).members.iter();
                        members.map(|member| self.alignment_within(member.ty)).max().unwrap_or(1)
                    }
                }
            }
            _ => LARGEST,
        }
    }

    /// The type of an element of an array in memory.
    pub(in crate::lower) fn memory_element(&mut self, array: Inst) -> Result<Option<Type>, Diagnostic> {
        let Some(stride) = self.source.array_stride(array) else { return Ok(None) };
        let Some(element) = self.source.element_type(array) else { return Ok(None) };
        let is_numbers_or_struct = !self.has_matrices(array) && self.is_stored(element);
        if !is_numbers_or_struct {
            return Ok(None);
        }
        let alignment = power_in(stride).min(self.alignment_limit(array));
        let spot = Spot { alignment, room: stride, matrix: MatrixNotes::default() };
        let Some(stored) = self.stored(element, spot)? else {
            return self.refuse(
                WriteCode::Layout,
                array,
                format!("an array with a stride of {stride} bytes in {}", self.target.language()),
            );
        };
        if stored.extent.stride() == stride {
            return Ok(Some(stored.ty));
        }
        self.wrapped.insert(array);
        self.wrapper(array, stored.ty).map(Some)
    }

    /// Returns whether a type can be stored with a layout: numbers, or what is made of them with offsets.
    fn is_stored(&self, ty: Inst) -> bool {
        match self.source.type_view(ty) {
            Some(TypeView::Int { .. } | TypeView::Float { .. } | TypeView::Vector { .. }) => true,
            Some(TypeView::Pointer { storage_class, .. }) => storage_class == Some(StorageClass::PhysicalStorageBuffer),
            Some(TypeView::Array { element, .. }) => self.source.array_stride(ty).is_some() && self.is_stored(element),
            Some(TypeView::Struct { .. }) => self.extents.contains_key(&ty),
            _ => false,
        }
    }

    /// The words of padding behind an element of an array with a stride of its own.
    pub(in crate::lower) fn memory_padding(&mut self, array: Inst, stride: u32) -> Result<u32, Diagnostic> {
        let Some(element) = self.source.element_type(array) else { return Ok(0) };
        let alignment = power_in(stride).min(self.alignment_limit(array));
        let spot = Spot { alignment, room: stride, matrix: MatrixNotes::default() };
        let size = self.stored(element, spot)?.map_or(0, |stored| stored.extent.size);
        let gap = stride.saturating_sub(size);
        if !gap.is_multiple_of(4) || !size.is_multiple_of(4) {
            return self.refuse(
                WriteCode::Layout,
                array,
                format!("a gap of {gap} bytes between elements in {}", self.target.language()),
            );
        }
        Ok(gap / 4)
    }

    /// The alignment that all places have where a type is stored. The depth is that of the types.
    pub(super) fn alignment_limit(&mut self, ty: Inst) -> u32 {
        if let Some(&known) = self.alignment_limits.get(&ty) {
            return known;
        }
        let limit = self.find_alignment_limit(ty);
        self.alignment_limits.insert(ty, limit);
        limit
    }

    fn find_alignment_limit(&mut self, ty: Inst) -> u32 {
        let mut limit = LARGEST;
        for used in self.source.uses(ty) {
            let user = used.user;
            match self.source.op(user) {
                Op::TypeArray | Op::TypeRuntimeArray if self.source.element_type(user) == Some(ty) => {
                    let stride = self.source.array_stride(user).map_or(LARGEST, power_in);
                    limit = limit.min(stride).min(self.alignment_limit(user));
                }
                Op::TypeStruct => {
                    let offsets = self.offsets_of(user, ty).map(|(offset, _)| power_in(offset));
                    let least = offsets.min().unwrap_or(LARGEST);
                    limit = limit.min(least).min(self.alignment_limit(user));
                }
                _ => {}
            }
        }
        limit
    }
}
