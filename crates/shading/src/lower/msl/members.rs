//! Members of the structs of control points, vertices and primitives: one for each vector of an input or output.
//!
//! ```text
//! %world: mat4 at location 2      ⇒      float4 world_0 [[user(locn2)]]; float4 world_1 [[user(locn3)]]; …
//! ```

use reconverge_diagnostic::Diagnostic;
use reconverge_ir::Inst;
use reconverge_ir::decoration::Location;
use reconverge_ir::view::TypeView;

use super::super::Lowering;
use super::interface::Slot;
use crate::syntax::{Length, Member, Named, StructId, Type, TypeShape, VariableNote};
use crate::write::WriteCode;

/// The members of a struct that an input or output is.
#[derive(Clone, Debug)]
pub(in crate::lower) enum Members {
    /// It is a member.
    One(u32),
    /// Its parts are members.
    Parts { ty: Type, parts: Vec<Members> },
}

impl Lowering<'_> {
    /// Adds an input or output of a type of the module to a struct. The depth is that of the type.
    pub(super) fn add_attributes(
        &mut self,
        id: StructId,
        ty: Inst,
        (slot, name): (&mut Slot, String),
    ) -> Result<Members, Diagnostic> {
        let converted = self.ty(ty)?;
        let parts: Vec<Inst> = match self.source.type_view(ty) {
            Some(TypeView::Matrix { column, count }) => vec![column; count as usize],
            Some(TypeView::Array { element, length }) => match self.source.constant_word(length) {
                Some(count) => vec![element; count as usize],
                None => return self.refuse(WriteCode::Interface, slot.variable, "an array of a specialized length"),
            },
            Some(TypeView::Struct { members }) => members.to_vec(),
            _ => {
                let (suffix, variable) = self.attribute_of(converted, slot)?;
                let member = self.push_member(id, name, converted, suffix);
                let entry = self.entry_of(slot.variable).map(|entry| entry.inst);
                let is_input = slot.is_input();
                let named = Named::Member(id, member);
                self.text.notes.add_variable(VariableNote { named, entry, is_input, variable });
                slot.location += 1;
                return Ok(Members::One(member));
            }
        };
        let is_struct = matches!(self.text.types[converted], TypeShape::Struct(_));
        let mut found = Vec::new();
        for (number, part) in (0_u32..).zip(parts) {
            if let Some(Location(location)) = self.source.decorated(ty).member(number).find().filter(|_| is_struct) {
                slot.location = location;
            }
            let own = self.member_name(ty, number).filter(|_| is_struct);
            let name = own.unwrap_or_else(|| format!("{name}_{number}"));
            found.push(self.add_attributes(id, part, (slot, name))?);
        }
        Ok(Members::Parts { ty: converted, parts: found })
    }

    /// Adds a member to a struct, and returns its number. An array has its length behind the attribute.
    pub(super) fn push_member(&mut self, id: StructId, name: String, ty: Type, suffix: String) -> u32 {
        let (ty, suffix) = match self.text.types[ty] {
            TypeShape::Array { element, length: Length::Constant(count) } => (element, format!("{suffix} [{count}]")),
            _ => (ty, suffix),
        };
        let members = &mut self.text.structs[id.0 as usize].members;
        members.push(Member { name, ty, prefix: String::new(), suffix });
        members.len() as u32 - 1
    }

    /// Adds a struct without members.
    pub(super) fn empty_struct(&mut self, name: &str) -> (StructId, Type) {
        let added = crate::syntax::Struct { name: name.to_owned(), members: Vec::new(), is_block: false };
        let id = self.text.add_struct(added);
        (id, self.text.types.of(TypeShape::Struct(id)))
    }
}
