//! The members of structs in memory, in MSL and WGSL: in the order of their offsets, with padding, and packed where the language would place
//! them elsewhere.
//!
//! ```text
//! { vec3 position (0); float radius (12); vec4 color (32) }
//!     ⇒      { packed_float3 position; float radius; array<uint, 4> padding; float4 color; }      MSL
//!     ⇒      { position: vec3f, @size(20) radius: f32, color: vec4f }                            WGSL
//! ```
//!
//! A struct is at least as large as its alignment asks for. Where that is too much for the strides and offsets at which it is stored, its
//! members are packed to a smaller alignment.

use reconverge_diagnostic::Diagnostic;
use reconverge_ir::decoration::{MatrixStride, Offset};
use reconverge_ir::view::{self, TypeView};
use reconverge_ir::{Inst, Op};
use spirv::Decoration;

use super::super::Lowering;
use super::super::Target;
use super::extents::{Extent, LARGEST, MatrixNotes, Spot, Stored, power_in};
use crate::syntax::{Length, Member, Scalar, ScalarKind, Type, TypeShape};
use crate::write::WriteCode;

/// A member of a struct with its offset.
#[derive(Clone, Copy)]
struct Placed {
    number: u32,
    ty: Inst,
    offset: u32,
}

/// A layout of a struct.
struct Layout {
    members: Vec<Member>,
    /// The places of the members of the module.
    places: Vec<u32>,
    extent: Extent,
}

/// The size that a struct may have.
#[derive(Clone, Copy)]
struct Bounds {
    size: u32,
    /// The stride of the arrays that have it as their element, if it is the same in all.
    stride: Option<u32>,
}

impl Lowering<'_> {
    /// The members of a struct with offsets, with padding between them; `None` if it has no offsets.
    pub(in crate::lower) fn memory_layout(&mut self, structure: Inst) -> Result<Option<Vec<Member>>, Diagnostic> {
        let Some(placed) = self.offset_members(structure) else { return Ok(None) };
        // Compilers give offsets to structs that no buffer has.
        if placed.iter().any(|member| self.has_conditions(member.ty)) {
            return Ok(None);
        }
        let bounds = self.bounds(structure);
        let mut alignment = self.alignment_limit(structure).min(LARGEST);
        loop {
            if let Some(layout) = self.layout_within(structure, &placed, alignment, bounds)? {
                if layout.places.iter().enumerate().any(|(number, &place)| number as u32 != place)
                    || layout.members.len() != placed.len()
                {
                    self.places.insert(structure, layout.places);
                }
                self.extents.insert(structure, layout.extent);
                return Ok(Some(layout.members));
            }
            if alignment == 1 {
                return self.refuse(
                    WriteCode::Layout,
                    structure,
                    format!("a struct whose members {} places elsewhere", self.target.language()),
                );
            }
            alignment /= 2;
        }
    }

    /// Returns whether a type, or an element of it, is a condition. The depth is that of the type.
    fn has_conditions(&mut self, ty: Inst) -> bool {
        if let Some(&known) = self.with_conditions.get(&ty) {
            return known;
        }
        let found = self.find_conditions(ty);
        self.with_conditions.insert(ty, found);
        found
    }

    fn find_conditions(&mut self, ty: Inst) -> bool {
        match self.source.type_view(ty) {
            Some(TypeView::Bool) => true,
            Some(TypeView::Struct { members }) => {
                members.to_vec().into_iter().any(|member| self.has_conditions(member))
            }
            Some(TypeView::Vector { component, .. }) => self.has_conditions(component),
            Some(TypeView::Array { element, .. } | TypeView::RuntimeArray { element }) => self.has_conditions(element),
            _ => false,
        }
    }

    fn offset_members(&self, structure: Inst) -> Option<Vec<Placed>> {
        let view::TypeStruct { members } = view::TypeStruct::of(self.source, structure)?;
        let mut placed = Vec::new();
        for (number, ty) in members.iter().enumerate() {
            let Offset(offset) = self.source.decorated(structure).member(number as u32).find()?;
            placed.push(Placed { number: number as u32, ty, offset });
        }
        placed.sort_by_key(|member| member.offset);
        Some(placed)
    }

    /// The offsets of the members of a type in a struct, with the bytes up to the next members.
    pub(super) fn offsets_of(&self, structure: Inst, ty: Inst) -> impl Iterator<Item = (u32, u32)> {
        let placed = self.offset_members(structure).unwrap_or_default();
        let next = |at: usize| placed.get(at + 1).map_or(u32::MAX, |member| member.offset);
        let found = placed.iter().enumerate().filter(|(_, member)| member.ty == ty);
        found.map(|(at, member)| (member.offset, next(at) - member.offset)).collect::<Vec<_>>().into_iter()
    }

    fn bounds(&self, structure: Inst) -> Bounds {
        let (mut size, mut strides) = (u32::MAX, Vec::new());
        for used in self.source.uses(structure) {
            match self.source.op(used.user) {
                Op::TypeArray | Op::TypeRuntimeArray => strides.extend(self.source.array_stride(used.user)),
                Op::TypeStruct => {
                    size = self.offsets_of(used.user, structure).map(|(_, room)| room).min().unwrap_or(size).min(size);
                }
                _ => {}
            }
        }
        size = strides.iter().copied().min().unwrap_or(size).min(size);
        strides.dedup();
        Bounds { size, stride: if strides.len() == 1 { strides.first().copied() } else { None } }
    }

    /// The layout with an alignment of at most this; `None` if the members do not fit.
    fn layout_within(
        &mut self,
        structure: Inst,
        placed: &[Placed],
        largest: u32,
        bounds: Bounds,
    ) -> Result<Option<Layout>, Diagnostic> {
        let (mut end, mut last, mut alignment) = (0_u32, 0, 1);
        let (mut members, mut places) = (Vec::new(), vec![0; placed.len()]);
        for (at, member) in placed.iter().enumerate() {
            let limit = placed.get(at + 1).map_or(bounds.size, |next| next.offset);
            let Some(room) = limit.checked_sub(member.offset) else { return Ok(None) };
            let notes = self.source.decorated(structure).member(member.number);
            let matrix = MatrixNotes {
                is_in_rows: notes.has(Decoration::RowMajor),
                stride: notes.find().map(|MatrixStride(stride)| stride),
            };
            let spot = Spot { alignment: largest.min(power_in(member.offset)), room, matrix };
            let Some(Stored { ty, extent }) = self.stored(member.ty, spot)? else { return Ok(None) };
            if end.next_multiple_of(extent.alignment) > member.offset {
                return Ok(None);
            }
            if end.next_multiple_of(extent.alignment) < member.offset {
                alignment = alignment.max(self.pad(&mut members, last, [end, member.offset]));
            }
            places[member.number as usize] = members.len() as u32;
            let name = self.member_name(structure, member.number).unwrap_or_else(|| format!("member{}", member.number));
            members.push(Member { name, ty, prefix: String::new(), suffix: String::new() });
            end = member.offset.saturating_add(extent.size);
            last = member.offset;
            alignment = alignment.max(extent.alignment);
            let is_runtime = matches!(self.source.type_view(member.ty), Some(TypeView::RuntimeArray { .. }));
            if is_runtime {
                let extent = Extent { size: end, alignment };
                return Ok(Some(Layout { members, places, extent }));
            }
        }
        if let Some(stride) = bounds.stride.filter(|&stride| end.next_multiple_of(alignment) < stride) {
            self.pad(&mut members, last, [end, stride]);
            end = stride;
        }
        let size = end.next_multiple_of(alignment);
        let extent = Extent { size, alignment };
        Ok((size <= bounds.size && alignment <= largest).then_some(Layout { members, places, extent }))
    }

    /// Fills the bytes between two offsets: in WGSL by the size of the member before them, which begins at `last`. Returns the alignment of
    /// what it adds.
    fn pad(&mut self, members: &mut Vec<Member>, last: u32, [start, end]: [u32; 2]) -> u32 {
        match members.last_mut().filter(|_| self.target == Target::Wgsl) {
            Some(member) => {
                member.prefix = format!("@size({})", end - last);
                1
            }
            None => {
                members.push(self.padding(start, end));
                if start.is_multiple_of(4) { 4 } else { 1 }
            }
        }
    }

    /// A member that fills the bytes between two offsets.
    fn padding(&mut self, start: u32, end: u32) -> Member {
        let gap = end - start;
        let is_words = start.is_multiple_of(4) && gap.is_multiple_of(4);
        let (scalar, count) = match is_words {
            true => (Scalar::UINT, gap / 4),
            false => (Scalar { kind: ScalarKind::Uint, width: 8 }, gap),
        };
        let element: Type = self.text.types.numbers(scalar, 1);
        let ty = match count {
            1 => element,
            _ => self.text.types.of(TypeShape::Array { element, length: Length::Constant(count) }),
        };
        Member { name: "padding".to_owned(), ty, prefix: String::new(), suffix: String::new() }
    }
}
