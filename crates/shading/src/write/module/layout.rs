//! Layouts: structs with padding as members, and arrays whose stride is larger than their elements.
//!
//! The languages place members by their own rules and naga writes no offsets. So a gap is a member, and an element with a gap after it is a
//! struct of both:
//!
//! ```text
//! { a: f32 @0, b: f32 @8 }        ⇒    { a: f32, padding: u32, b: f32 }
//! array of f32, stride 16         ⇒    array of { value: f32, padding: u32, padding: u32, padding: u32 }
//! ```
//!
//! A layout that is denser or overlaps cannot be expressed and is rejected.

use naga::{ArraySize, Handle, Scalar, StructMember, TypeInner};
use reconverge_diagnostic::Diagnostic;
use reconverge_ir::Inst;
use reconverge_ir::decoration::{MatrixStride, Offset};
use reconverge_ir::view::{self, TypeView};
use spirv::Decoration;

use super::super::WriteCode;
use super::Converter;

/// The maximum size of a gap that becomes padding, in bytes.
const MOST_PADDING: u32 = 256;

/// The index of the value in the struct that wraps an element.
pub(crate) const VALUE: u32 = 0;

impl Converter<'_> {
    /// Returns whether the elements of an array are in a struct with padding.
    pub(crate) fn is_wrapped(&self, array: Inst) -> bool {
        self.wrapped.contains(&array)
    }

    /// The index of a member of a struct among those of naga.
    pub(crate) fn member(&self, structure: Inst, member: u32) -> Option<u32> {
        self.members.get(&structure)?.get(member as usize).copied()
    }

    /// The number of members that a struct has with its padding.
    pub(crate) fn member_count(&self, structure: Inst) -> usize {
        match self.types.get(&structure).map(|&ty| &self.output.types[ty].inner) {
            Some(TypeInner::Struct { members, .. }) => members.len(),
            _ => 0,
        }
    }

    pub(super) fn array(&mut self, ty: Inst, element: Inst, size: ArraySize) -> Result<Handle<naga::Type>, Diagnostic> {
        let mut base = self.types[&element];
        if matches!(self.output.types[base].inner, TypeInner::Image { .. } | TypeInner::Sampler { .. }) {
            return Ok(self.plain_type(TypeInner::BindingArray { base, size }));
        }
        let natural = self.layout(base, ty)?.to_stride();
        let stride = self.source.array_stride(ty).unwrap_or(natural);
        if stride < natural {
            let message = format!(
                "an array stride of {stride} bytes, less than the {natural} of its elements in {}",
                self.language
            );
            return self.refuse(WriteCode::Layout, ty, message);
        }
        if stride > natural {
            let mut members = Members { inst: ty, members: Vec::new(), end: 0 };
            members.place(self, Some("value".to_owned()), base, 0)?;
            members.pad(self, stride)?;
            base = self
                .named_type(Some("Padded".to_owned()), TypeInner::Struct { members: members.members, span: stride });
            self.wrapped.insert(ty);
            if self.layout(base, ty)?.to_stride() != stride {
                return self.refuse(WriteCode::Layout, ty, format!("an array stride of {stride} bytes"));
            }
        }
        Ok(self.plain_type(TypeInner::Array { base, size, stride }))
    }

    pub(super) fn structure(&mut self, ty: Inst) -> Result<Handle<naga::Type>, Diagnostic> {
        let types: Vec<Inst> =
            view::TypeStruct::of(self.source, ty).map_or_else(Vec::new, |structure| structure.members.to_vec());
        if types.is_empty() {
            return self.refuse(WriteCode::Type, ty, "a struct without members");
        }
        self.check_matrices(ty, &types)?;
        let mut offsets: Vec<Option<u32>> = vec![None; types.len()];
        for (member, Offset(offset)) in self.source.decorated(ty).find_members::<Offset>() {
            if let Some(slot) = offsets.get_mut(member as usize) {
                *slot = Some(offset);
            }
        }
        let has_offsets = offsets.iter().all(Option::is_some);
        let mut order: Vec<usize> = (0..types.len()).collect();
        if has_offsets {
            order.sort_by_key(|&member| offsets[member]);
        }
        let mut members = Members { inst: ty, members: Vec::new(), end: 0 };
        let mut places = vec![0; types.len()];
        for member in order {
            let converted = self.types[&types[member]];
            let layout = self.layout(converted, ty)?;
            let natural = layout.alignment.round_up(members.end);
            let offset = offsets[member].filter(|_| has_offsets).unwrap_or(natural);
            if offset < natural || !layout.alignment.is_aligned(offset) {
                let message =
                    format!("member {member} at offset {offset}, which {} places at {natural}", self.language);
                return self.refuse(WriteCode::Layout, ty, message);
            }
            if offset > natural {
                members.pad(self, offset)?;
            }
            places[member] = members.members.len() as u32;
            members.place(self, self.member_name(ty, member as u32), converted, offset)?;
        }
        let mut alignment = naga::proc::Alignment::ONE;
        for member in &members.members {
            alignment = alignment.max(self.layout(member.ty, ty)?.alignment);
        }
        self.members.insert(ty, places);
        if let Some(stride) = self.stride_of_elements(ty, alignment.round_up(members.end)) {
            members.pad(self, stride)?;
        }
        let span = alignment.round_up(members.end);
        Ok(self.named_type(self.name(ty), TypeInner::Struct { members: members.members, span }))
    }

    /// The stride of the arrays of a struct, if it is larger than the struct: then padding at the struct's end gives it that size, so that
    /// an element needs no wrapping. All these arrays have the same stride, and no struct has a member where the padding would be.
    fn stride_of_elements(&self, structure: Inst, natural: u32) -> Option<u32> {
        let mut stride = None;
        for used in self.source.uses(structure) {
            let user = used.user;
            match self.source.type_view(user) {
                Some(TypeView::Array { .. } | TypeView::RuntimeArray { .. }) => {
                    let found = self.source.array_stride(user)?;
                    if stride.is_some_and(|stride| stride != found) {
                        return None;
                    }
                    stride = Some(found);
                }
                Some(TypeView::Struct { .. }) => {}
                _ => continue,
            }
        }
        let stride = stride.filter(|&stride| stride > natural && (stride - natural) <= MOST_PADDING)?;
        let around = self.source.uses(structure).map(|used| used.user);
        let mut around = around.filter(|&user| view::TypeStruct::of(self.source, user).is_some());
        around.all(|user| self.has_room(user, structure, stride)).then_some(stride)
    }

    /// Returns whether every member of `around` of this struct type has `room` bytes.
    fn has_room(&self, around: Inst, structure: Inst, room: u32) -> bool {
        let Some(view::TypeStruct { members }) = view::TypeStruct::of(self.source, around) else { return false };
        let offsets: Vec<(u32, Offset)> = self.source.decorated(around).find_members::<Offset>().collect();
        let of_it = offsets.iter().filter(|(member, _)| members.at(*member as usize) == Some(structure));
        offsets.len() == members.len()
            && of_it.into_iter().all(|&(_, Offset(start))| {
                offsets.iter().all(|&(_, Offset(other))| other <= start || other >= start + room)
            })
    }

    fn check_matrices(&self, ty: Inst, members: &[Inst]) -> Result<(), Diagnostic> {
        for (member, &part) in members.iter().enumerate() {
            let mut part = part;
            while let Some(TypeView::Array { element, .. } | TypeView::RuntimeArray { element }) =
                self.source.type_view(part)
            {
                part = element;
            }
            let Some(TypeView::Matrix { column, .. }) = self.source.type_view(part) else { continue };
            let decorations = self.source.decorated(ty).member(member as u32);
            if decorations.has(Decoration::RowMajor) {
                return self.refuse(WriteCode::Layout, ty, format!("member {member}: a matrix in rows"));
            }
            let (component, rows) = self.source.components(column);
            let natural = self.source.width(component).unwrap_or(32) / 8 * if rows == 2 { 2 } else { 4 };
            if let Some(MatrixStride(stride)) = decorations.find::<MatrixStride>()
                && stride != natural
            {
                return self.refuse(
                    WriteCode::Layout,
                    ty,
                    format!("member {member}: a matrix stride of {stride} bytes"),
                );
            }
        }
        Ok(())
    }

    fn member_name(&self, ty: Inst, member: u32) -> Option<String> {
        let names = self.source.decorations(ty).iter().filter_map(|&note| view::MemberName::of(self.source, note));
        let name = names.into_iter().find(|name| name.member == member)?.name.to_string();
        super::names::readable(&name)
    }
}

/// The members of a struct that were placed so far.
struct Members {
    /// The struct or array, for messages.
    inst: Inst,
    members: Vec<StructMember>,
    /// The end of the last one.
    end: u32,
}

impl Members {
    fn place(
        &mut self,
        converter: &mut Converter<'_>,
        name: Option<String>,
        ty: Handle<naga::Type>,
        offset: u32,
    ) -> Result<(), Diagnostic> {
        let name = name.or_else(|| Some(format!("member{}", self.members.len())));
        self.members.push(StructMember { name, ty, binding: None, offset });
        self.end = offset + converter.layout(ty, self.inst)?.size;
        Ok(())
    }

    /// Padding up to an offset.
    fn pad(&mut self, converter: &mut Converter<'_>, offset: u32) -> Result<(), Diagnostic> {
        let word = converter.plain_type(TypeInner::Scalar(Scalar::U32));
        let gap = offset - self.end;
        if gap > MOST_PADDING || !self.end.is_multiple_of(4) || !gap.is_multiple_of(4) {
            return converter.refuse(
                WriteCode::Layout,
                self.inst,
                format!("a gap of {gap} bytes in a struct or array"),
            );
        }
        while self.end < offset {
            self.members.push(StructMember {
                name: Some("padding".to_owned()),
                ty: word,
                binding: None,
                offset: self.end,
            });
            self.end += 4;
        }
        Ok(())
    }
}
