//! The parts of an entry point's interface: numbers and vectors with a location of their own, and built-ins.
//!
//! | in the module | parts |
//! |---|---|
//! | a variable at a location | one; an array, a matrix or a struct has one for each number or vector in it |
//! | a block | those of each member that is used |
//! | a built-in | one |

use reconverge_diagnostic::Diagnostic;
use reconverge_ir::decoration::{self, Component, Decorations, Location};
use reconverge_ir::view::{self, TypeView};
use reconverge_ir::{Inst, Op};
use spirv::{BuiltIn, Decoration, ExecutionModel as Model, StorageClass};

use super::super::{Entry, Lowering};
use super::built_ins::{self, Direction};
use crate::syntax::{ScalarKind, Type, TypeShape};
use crate::write::WriteCode;

/// The maximum nesting of composites in a variable between stages.
const DEEPEST: usize = 8;

/// The maximum number of elements of an array between stages.
const MOST_ELEMENTS: u32 = 64;

/// A part of an interface.
#[derive(Clone, Debug)]
pub(super) struct Part {
    pub(super) variable: Inst,
    /// The member of a block whose members are used apart.
    pub(super) member: Option<u32>,
    /// The members and elements from the variable, or from its member, to the part.
    pub(super) path: Vec<u32>,
    pub(super) name: String,
    /// The type of the part in the language.
    pub(super) ty: Type,
    pub(super) attributes: String,
    pub(super) is_built_in: bool,
    pub(super) location: u32,
}

/// A variable between stages during the search for its parts.
struct Search<'m> {
    variable: Inst,
    model: Model,
    direction: Direction,
    /// The decorations of the variable or member, and those of the variable around it.
    notes: [Decorations<'m>; 2],
    member: Option<u32>,
    path: Vec<u32>,
    next: Option<u32>,
    found: Vec<Part>,
}

impl Search<'_> {
    fn has(&self, decoration: Decoration) -> bool {
        self.notes.iter().any(|notes| notes.has(decoration))
    }
}

impl Lowering<'_> {
    /// The parts of an entry point's interface in a direction that code uses.
    pub(super) fn wgsl_parts(&mut self, entry: &Entry, direction: Direction) -> Result<Vec<Part>, Diagnostic> {
        let class = if direction == Direction::Input { StorageClass::Input } else { StorageClass::Output };
        let listed = view::EntryPoint::of(self.source, entry.inst);
        let listed = listed.map_or_else(Vec::new, |entry| entry.interface.to_vec());
        let mut parts = Vec::new();
        for variable in listed {
            if self.source.storage_class(variable) == Some(class) && self.uses.is_used(variable) {
                parts.extend(self.parts_of_variable(variable, entry.model, direction)?);
            }
        }
        self.check_locations_of_wgsl(&parts)?;
        // Built-ins come first, then locations in order; a sort keeps the order of others.
        parts.sort_by_key(|part| (!part.is_built_in, part.location));
        Ok(parts)
    }

    /// Refuses two parts at one location.
    fn check_locations_of_wgsl(&self, parts: &[Part]) -> Result<(), Diagnostic> {
        let mut known = rustc_hash::FxHashSet::default();
        for part in parts.iter().filter(|part| !part.is_built_in) {
            let location = part.attributes.split(" @interpolate").next().unwrap_or_default().to_owned();
            if !known.insert(location) {
                let message = "two variables at one location between stages";
                return self.refuse(WriteCode::Interface, part.variable, message);
            }
        }
        Ok(())
    }

    fn parts_of_variable(
        &mut self,
        variable: Inst,
        model: Model,
        direction: Direction,
    ) -> Result<Vec<Part>, Diagnostic> {
        let Some(pointee) = self.source.pointee(variable) else { return Ok(Vec::new()) };
        let notes = self.source.decorated(variable);
        let next = notes.find().map(|Location(location)| location);
        let (notes_of_both, path, found) = ([notes, notes], Vec::new(), Vec::new());
        let mut search = Search { variable, model, direction, notes: notes_of_both, member: None, path, next, found };
        let Some(view::TypeStruct { members }) = view::TypeStruct::of(self.source, pointee) else {
            let name = self.interface_name(variable, if direction == Direction::Input { "value" } else { "result" });
            self.add_wgsl_parts(&mut search, pointee, &name)?;
            return Ok(search.found);
        };
        let used = self.used_interface_members(variable);
        for (number, ty) in members.to_vec().into_iter().enumerate() {
            let number = number as u32;
            let of_member = self.source.decorated(pointee).member(number);
            search.next = of_member.find().map(|Location(location)| location).or(search.next);
            search.notes = [of_member, notes];
            (search.member, search.path) = match used {
                Some(_) => (Some(number), Vec::new()),
                None => (None, vec![number]),
            };
            let own = self.member_name(pointee, number).map(|name| name.trim_start_matches("gl_").to_owned());
            let name = own.unwrap_or_else(|| format!("{}_{number}", self.interface_name(variable, "value")));
            let before = search.found.len();
            if used.as_ref().is_none_or(|used| used.contains(&number)) {
                self.add_wgsl_parts(&mut search, ty, &name)?;
            } else {
                search.next = search.next.map(|next| next + self.io_locations(ty));
            }
            let own_location = |part: &Part| part.is_built_in;
            if search.found[before..].iter().any(own_location) {
                search.next = notes.find().map(|Location(location)| location).or(search.next);
            }
        }
        Ok(search.found)
    }

    /// The members of a block that code uses; `None` if all of them may be.
    pub(super) fn used_interface_members(&self, variable: Inst) -> Option<Vec<u32>> {
        let mut members = Vec::new();
        for used in self.source.uses(variable) {
            if self.source.block_of(used.user).is_none() {
                continue;
            }
            let index = view::Chain::of(self.source, used.user)?.indexes.first()?;
            let is_zero = self.source.op(index) == Op::ConstantNull;
            members.push(if is_zero { 0 } else { self.source.constant_word(index)? });
        }
        Some(members)
    }

    /// The parts of a type; the depth of the path is limited.
    fn add_wgsl_parts(&mut self, search: &mut Search<'_>, ty: Inst, name: &str) -> Result<(), Diagnostic> {
        if search.path.len() > DEEPEST {
            let message = format!("more than {DEEPEST} composites inside one another between stages");
            return self.refuse(WriteCode::Interface, search.variable, message);
        }
        if let Some(decoration::BuiltIn(built_in)) = search.notes[0].find() {
            return self.add_built_in(search, built_in, ty, name);
        }
        let parts = match self.source.type_view(ty) {
            Some(TypeView::Struct { members }) => members.to_vec(),
            Some(TypeView::Matrix { column, count }) => vec![column; count as usize],
            Some(TypeView::Array { element, length }) => match self.source.constant_word(length) {
                Some(length) if length <= MOST_ELEMENTS => vec![element; length as usize],
                _ => {
                    let message = format!("an array of more than {MOST_ELEMENTS} elements between stages");
                    return self.refuse(WriteCode::Interface, search.variable, message);
                }
            },
            _ => return self.add_located_part(search, ty, name),
        };
        let is_struct = matches!(self.source.type_view(ty), Some(TypeView::Struct { .. }));
        for (number, part) in parts.into_iter().enumerate() {
            let number = number as u32;
            if is_struct {
                let notes = self.source.decorated(ty).member(number);
                search.next = notes.find().map(|Location(location)| location).or(search.next);
            }
            let own = self.member_name(ty, number).filter(|_| is_struct);
            let name = own.unwrap_or_else(|| format!("{name}_{number}"));
            search.path.push(number);
            self.add_wgsl_parts(search, part, &name)?;
            search.path.pop();
        }
        Ok(())
    }

    fn add_built_in(
        &mut self,
        search: &mut Search<'_>,
        found: BuiltIn,
        ty: Inst,
        name: &str,
    ) -> Result<(), Diagnostic> {
        // Points have the size 1, and lanes are computed.
        if found == BuiltIn::PointSize || built_ins::is_mask(found) {
            return Ok(());
        }
        let Some(known) = built_ins::built_in(found, search.model, search.direction) else {
            let message = format!("the built-in {found:?} in WGSL");
            return self.refuse(WriteCode::Interface, search.variable, message);
        };
        if let Some(extension) = known.extension {
            self.require(extension, search.variable);
        }
        let own = self.ty(ty)?;
        let ty = if known.size == 0 { own } else { self.text.types.numbers(known.scalar, known.size) };
        let is_invariant = found == BuiltIn::Position && search.has(Decoration::Invariant);
        let invariant = if is_invariant { " @invariant" } else { "" };
        let is_whole = search.member.is_none()
            && search.path.is_empty()
            && self.name(search.variable).is_some_and(|own| !own.starts_with("gl_"));
        search.found.push(Part {
            variable: search.variable,
            member: search.member,
            path: search.path.clone(),
            name: if is_whole { name.to_owned() } else { known.variable.to_owned() },
            ty,
            attributes: format!("@builtin({}){invariant}", known.name),
            is_built_in: true,
            location: 0,
        });
        Ok(())
    }

    fn add_located_part(&mut self, search: &mut Search<'_>, ty: Inst, name: &str) -> Result<(), Diagnostic> {
        let is_part = search.notes.iter().any(|notes| notes.find().is_some_and(|Component(component)| component != 0));
        let refused = [
            (is_part, "a part of a location between stages"),
            (search.has(Decoration::Patch), "a patch between stages"),
        ];
        if let Some((_, what)) = refused.into_iter().find(|(is_so, _)| *is_so) {
            return self.refuse(WriteCode::Interface, search.variable, what);
        }
        let Some(location) = search.next else {
            return self.refuse(WriteCode::Interface, search.variable, "a variable between stages without a location");
        };
        search.next = Some(location + 1);
        let ty = self.ty(ty)?;
        if !self.text.types.is_numbers(ty) || self.text.types.scalar(ty).is_none_or(|one| one.kind == ScalarKind::Bool)
        {
            return self.refuse(WriteCode::Interface, search.variable, "a type between stages without a location");
        }
        let blend = self.blend_source(search)?;
        let attributes = format!("@location({location}){blend}{}", self.interpolation_of(search, ty));
        search.found.push(Part {
            variable: search.variable,
            member: search.member,
            path: search.path.clone(),
            name: name.to_owned(),
            ty,
            attributes,
            is_built_in: false,
            location,
        });
        Ok(())
    }

    /// The attribute of an output that is one of two colors at a location.
    fn blend_source(&mut self, search: &Search<'_>) -> Result<String, Diagnostic> {
        if search.model != Model::Fragment || search.direction == Direction::Input {
            return Ok(String::new());
        }
        let index = |variable: Inst| {
            let notes = self.source.decorated(variable);
            notes.note(Decoration::Index).and_then(|note| note.words().next()).unwrap_or(0)
        };
        let entries = self.entries.iter().filter_map(|entry| view::EntryPoint::of(self.source, entry.inst));
        let has_two = entries.into_iter().any(|entry| entry.interface.iter().any(|variable| index(variable) > 0));
        if !has_two {
            return Ok(String::new());
        }
        let index = index(search.variable);
        self.require("dual_source_blending", search.variable);
        Ok(format!(" @blend_src({index})"))
    }

    fn interpolation_of(&self, search: &Search<'_>, ty: Type) -> String {
        let is_between = matches!(
            (search.model, search.direction),
            (Model::Vertex, Direction::Output) | (Model::Fragment, Direction::Input)
        );
        let is_integer = matches!(
            self.text.types[ty],
            TypeShape::Scalar(scalar) | TypeShape::Vector { scalar, .. } if scalar.is_integer()
        );
        if !is_between {
            return String::new();
        }
        let kind = if search.has(Decoration::NoPerspective) { "linear" } else { "perspective" };
        let words = match (search.has(Decoration::Centroid), search.has(Decoration::Sample)) {
            _ if is_integer || search.has(Decoration::Flat) => "flat".to_owned(),
            (true, _) => format!("{kind}, centroid"),
            (_, true) => format!("{kind}, sample"),
            _ if kind == "linear" => kind.to_owned(),
            _ => return String::new(),
        };
        format!(" @interpolate({words})")
    }
}
