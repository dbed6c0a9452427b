//! Layouts that the language gives without a word.
//!
//! | | alignment of a vector | array stride | struct |
//! |---|---|---|---|
//! | structured buffer | 1 component | that of the element | up to the alignment of its largest number |
//! | constant buffer | 1 component, within 16 bytes | rounded up to 16, except that of the last element | begins at 16, has no padding at its end |
//!
//! (HLSL, packing rules for constant variables.) A block with another layout, or with integers of 8 bits, is accessed at byte offsets.

use reconverge_ir::Inst;
use reconverge_ir::decoration::{MatrixStride, Offset};
use reconverge_ir::view::{self, TypeView};
use spirv::Decoration;

use super::super::Lowering;

/// The order and stride of a matrix in a struct.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub(super) struct MatrixLayout {
    pub(super) is_in_rows: bool,
    pub(super) stride: Option<u32>,
}

/// The size of a type and its alignment.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Extent {
    pub(super) size: u32,
    pub(super) alignment: u32,
}

/// A member of a struct with its offset.
#[derive(Clone, Copy)]
pub(super) struct Placed {
    pub(super) number: u32,
    pub(super) ty: Inst,
    pub(super) offset: u32,
    pub(super) matrix: MatrixLayout,
}

/// The bytes of a register of a constant buffer.
const REGISTER: u32 = 16;

impl Lowering<'_> {
    /// The members of a struct with explicit offsets; `None` for another one.
    pub(super) fn placed_members(&self, structure: Inst) -> Option<Vec<Placed>> {
        let view::TypeStruct { members } = view::TypeStruct::of(self.source, structure)?;
        let mut placed = Vec::new();
        for (number, ty) in members.iter().enumerate() {
            let number = number as u32;
            let offset = self.source.decorated(structure).member(number).find().map(|Offset(offset)| offset)?;
            placed.push(Placed { number, ty, offset, matrix: self.layout_of_matrix(structure, number) });
        }
        Some(placed)
    }

    pub(super) fn layout_of_matrix(&self, structure: Inst, member: u32) -> MatrixLayout {
        let notes = self.source.decorated(structure).member(member);
        MatrixLayout {
            is_in_rows: notes.has(Decoration::RowMajor),
            stride: notes.find().map(|MatrixStride(stride)| stride),
        }
    }

    /// The bytes of a number.
    pub(super) fn bytes_of(&self, scalar: Inst) -> u32 {
        self.source.width(scalar).unwrap_or(32) / 8
    }

    /// The vectors that a matrix is stored as: how many, and the bytes of each and of a number.
    fn stored_vectors(&self, column: Inst, count: u32, matrix: MatrixLayout) -> (u32, u32, u32) {
        let (component, rows) = self.source.components(column);
        let bytes = self.bytes_of(component);
        let (vectors, size) = if matrix.is_in_rows { (rows, count) } else { (count, rows) };
        (vectors, size * bytes, bytes)
    }

    /// The extent of a type in a structured buffer, if it has the layout that the language gives. The depth is that of the type.
    pub(super) fn structured_extent(&self, ty: Inst, matrix: MatrixLayout) -> Option<Extent> {
        match self.source.type_view(ty)? {
            TypeView::Int { width, .. } | TypeView::Float { width, .. } => {
                (width > 8).then_some(Extent { size: width / 8, alignment: width / 8 })
            }
            TypeView::Vector { component, count } => {
                let bytes = self.bytes_of(component);
                (bytes > 1).then_some(Extent { size: bytes * count, alignment: bytes })
            }
            TypeView::Matrix { column, count } => {
                let (vectors, size, bytes) = self.stored_vectors(column, count, matrix);
                let is_natural = matrix.stride.is_none_or(|stride| stride == size);
                is_natural.then_some(Extent { size: size * vectors, alignment: bytes })
            }
            TypeView::Array { element, length } => {
                let extent = self.structured_extent(element, matrix)?;
                let stride = extent.size.next_multiple_of(extent.alignment);
                let is_natural = self.source.array_stride(ty).is_none_or(|given| given == stride);
                let count = self.source.constant_word(length)?;
                is_natural.then_some(Extent { size: stride.checked_mul(count)?, alignment: extent.alignment })
            }
            TypeView::Struct { .. } => {
                let (mut end, mut alignment) = (0_u32, 1);
                for member in self.placed_members(ty)? {
                    let extent = self.structured_extent(member.ty, member.matrix)?;
                    if member.offset != end.next_multiple_of(extent.alignment) {
                        return None;
                    }
                    end = member.offset + extent.size;
                    alignment = alignment.max(extent.alignment);
                }
                Some(Extent { size: end.next_multiple_of(alignment), alignment })
            }
            _ => None,
        }
    }

    /// The extent of a type in a constant buffer, if it has the layout that the language gives. The depth is that of the type.
    pub(super) fn constant_extent(&self, ty: Inst, matrix: MatrixLayout) -> Option<Extent> {
        match self.source.type_view(ty)? {
            TypeView::Int { width, .. } | TypeView::Float { width, .. } => {
                (width > 8).then_some(Extent { size: width / 8, alignment: width / 8 })
            }
            TypeView::Vector { component, count } => {
                let bytes = self.bytes_of(component);
                let size = bytes * count;
                let alignment = if size > REGISTER { REGISTER } else { bytes };
                (bytes > 1).then_some(Extent { size, alignment })
            }
            TypeView::Matrix { column, count } => {
                let (vectors, size, _) = self.stored_vectors(column, count, matrix);
                let stride = size.next_multiple_of(REGISTER);
                let is_natural = matrix.stride.is_none_or(|given| given == stride);
                is_natural.then_some(Extent { size: stride * (vectors - 1) + size, alignment: REGISTER })
            }
            TypeView::Array { element, length } => {
                let extent = self.constant_extent(element, matrix)?;
                let stride = extent.size.next_multiple_of(REGISTER);
                let is_natural = self.source.array_stride(ty).is_none_or(|given| given == stride);
                let count = self.source.constant_word(length).filter(|&count| count > 0)?;
                let size = stride.checked_mul(count - 1)?.checked_add(extent.size)?;
                is_natural.then_some(Extent { size, alignment: REGISTER })
            }
            TypeView::Struct { .. } => {
                let mut end = 0;
                for member in self.placed_members(ty)? {
                    let extent = self.constant_extent(member.ty, member.matrix)?;
                    if member.offset != next_in_constants(end, extent) {
                        return None;
                    }
                    end = member.offset + extent.size;
                }
                Some(Extent { size: end, alignment: REGISTER })
            }
            _ => None,
        }
    }

    /// The bytes of a block that is not an array without a length. The depth is that of the type.
    pub(super) fn bytes_in_memory(&self, ty: Inst, matrix: MatrixLayout) -> Option<u32> {
        Some(match self.source.type_view(ty)? {
            TypeView::Int { width, .. } | TypeView::Float { width, .. } => width / 8,
            TypeView::Vector { component, count } => self.bytes_of(component) * count,
            TypeView::Matrix { column, count } => {
                let (vectors, size, _) = self.stored_vectors(column, count, matrix);
                matrix.stride.unwrap_or(size).checked_mul(vectors)?
            }
            TypeView::Array { element, length } => {
                let size = self.bytes_in_memory(element, matrix)?;
                let stride = self.source.array_stride(ty).unwrap_or(size);
                stride.checked_mul(self.source.constant_word(length)?)?
            }
            TypeView::Struct { .. } => {
                let mut end = 0;
                for member in self.placed_members(ty)? {
                    end = end.max(member.offset + self.bytes_in_memory(member.ty, member.matrix)?);
                }
                end
            }
            _ => return None,
        })
    }

    /// The word before the type of a member: the order of its matrices.
    pub(in crate::lower) fn hlsl_member_prefix(&self, structure: Inst, member: u32) -> &'static str {
        let matrix = self.layout_of_matrix(structure, member);
        match (matrix.stride, matrix.is_in_rows) {
            (None, _) => "",
            // The rows of the text are the columns of the module.
            (Some(_), false) => "row_major",
            (Some(_), true) => "column_major",
        }
    }

    /// The words of padding behind an element of an array: HLSL has no such arrays here.
    pub(in crate::lower) fn hlsl_padding_of(
        &mut self,
        array: Inst,
        _stride: u32,
    ) -> Result<u32, reconverge_diagnostic::Diagnostic> {
        self.refuse(crate::write::WriteCode::Layout, array, "an array in a layout of its own")
    }
}

/// The offset of a member behind others in a constant buffer.
pub(super) fn next_in_constants(end: u32, extent: Extent) -> u32 {
    let aligned = end.next_multiple_of(extent.alignment);
    if is_across(aligned, extent) { aligned.next_multiple_of(REGISTER) } else { aligned }
}

/// Returns whether a number or vector would be in two registers.
fn is_across(offset: u32, extent: Extent) -> bool {
    extent.alignment < REGISTER && offset % REGISTER + extent.size > REGISTER
}

/// Returns whether a member can be placed at an offset of a constant buffer.
pub(super) fn is_placeable(offset: u32, extent: Extent) -> bool {
    offset.is_multiple_of(extent.alignment) && offset.is_multiple_of(4) && !is_across(offset, extent)
}

/// The place of a member in a constant buffer: `packoffset(c2.y)`.
pub(super) fn pack_offset(offset: u32) -> String {
    let register = offset / REGISTER;
    match offset % REGISTER / 4 {
        0 => format!(": packoffset(c{register})"),
        component => format!(": packoffset(c{register}.{})", ["x", "y", "z", "w"][component as usize]),
    }
}
