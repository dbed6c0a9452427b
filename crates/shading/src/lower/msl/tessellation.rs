//! Evaluation shaders of tessellation: vertex functions of a patch, whose control points are a member of the inputs.
//!
//! ```text
//! %color: Input array vec4 = variable, Location 0      ⇒      struct ControlPoint { float4 color [[attribute(0)]]; };
//! %weight: Input f32 = variable, Patch, Location 1            struct VertexIn { patch_control_point<ControlPoint> input; … };
//! load %color[i]                                              in.input[i].color
//! ```
//!
//! Positions of control points and levels of tessellation are attributes as all others: their numbers come behind the locations. What is no
//! vector has an attribute for each of its vectors, and is made of them where it is read.

use reconverge_diagnostic::Diagnostic;
use reconverge_ir::Inst;
use reconverge_ir::decoration::{self, Component, Decorations, Location};
use reconverge_ir::view::{self, TypeView};
use spirv::{BuiltIn, Decoration, ExecutionModel as Model, StorageClass};

use super::super::function::vertices::{VertexPart, Vertices};
use super::super::function::{Access, Body};
use super::super::stages::Domain;
use super::super::{Entry, Lowering};
use super::built_ins::Direction;
use super::interface::Slot;
use super::members::Members;
use crate::syntax::{Arguments, Effects, Expr, GlobalId, Literal, Role, Scalar, Shape, StructId, Type, TypeShape};
use crate::write::WriteCode;

/// The control points of an entry point.
#[derive(Clone, Copy, Debug)]
pub(super) struct Points {
    global: GlobalId,
    structure: StructId,
}

/// The number of levels of tessellation in a variable of the module.
const OUTER_LEVELS: u8 = 4;

impl Lowering<'_> {
    /// The word of an evaluation shader with its domain and the number of control points, if the module knows it.
    pub(super) fn patch_words(&self, entry: &Entry) -> Result<String, Diagnostic> {
        let domain = match self.tessellated_domain() {
            Some(Domain::Triangle) => "triangle",
            Some(Domain::Quad) => "quad",
            Some(Domain::Isoline) => {
                return self.refuse(WriteCode::Stage, entry.inst, "a tessellation of isolines in MSL");
            }
            None => {
                let message = "a tessellation evaluation shader without the domain, in MSL";
                return self.refuse(WriteCode::Stage, entry.inst, message);
            }
        };
        if self.tessellates_points() {
            return self.refuse(WriteCode::Stage, entry.inst, "a tessellation to points in MSL");
        }
        Ok(match self.points_of_patch(entry) {
            Some(count) => format!("[[patch({domain}, {count})]] vertex"),
            None => format!("[[patch({domain})]] vertex"),
        })
    }

    fn points_of_patch(&self, entry: &Entry) -> Option<u32> {
        self.control_points().or_else(|| self.known_vertices(entry))
    }

    /// An input of an evaluation shader that each control point has. Returns whether it is one.
    pub(super) fn add_control_points(&mut self, variable: Inst, pointee: Inst) -> Result<bool, Diagnostic> {
        let (Some(element), Some(entry)) = (self.type_of_point(variable, pointee), self.entry_of(variable).cloned())
        else {
            return Ok(false);
        };
        let notes = self.source.decorated(variable);
        let points = self.points(&entry);
        let array = self.global(points.global);
        let vertices = match self.source.type_view(element) {
            Some(TypeView::Struct { members }) if self.source.decorated(element).has(Decoration::Block) => {
                let members = members.to_vec();
                let used = self.used_members(variable, 1);
                let mut parts = vec![None; members.len()];
                let mut next = notes.find().map(|Location(location)| location);
                for (number, &ty) in (0_u32..).zip(&members) {
                    let own = self.source.decorated(element).member(number);
                    let location = own.find().map(|Location(location)| location).or(next);
                    next = location.map(|location| location + self.io_locations(ty));
                    if used.as_ref().is_none_or(|used| used.contains(&number)) {
                        let name = self.member_name(element, number);
                        let found = self.point_part(&entry, (variable, ty), (own, location), name)?;
                        parts[number as usize] = Some(self.vertex_part_of(array, found));
                    }
                }
                Vertices::Block(parts)
            }
            _ => {
                let location = notes.find().map(|Location(location)| location);
                let found = self.point_part(&entry, (variable, element), (notes, location), self.name(variable))?;
                Vertices::Value(self.vertex_part_of(array, found))
            }
        };
        self.msl.vertices.insert(variable, vertices);
        Ok(true)
    }

    /// The type of an input for one control point; `None` if it is no input of each control point.
    fn type_of_point(&self, variable: Inst, pointee: Inst) -> Option<Inst> {
        let Some(TypeView::Array { element, .. }) = self.source.type_view(pointee) else { return None };
        let is_input = self.source.storage_class(variable) == Some(StorageClass::Input);
        let built_in = self.source.decorated(variable).find().map(|decoration::BuiltIn(found)| found);
        let is_there = built_in.is_none_or(is_of_points) && !self.is_of_patch(variable, pointee);
        (is_input && is_there).then_some(element)
    }

    /// Adds what each control point has.
    fn point_part(
        &mut self,
        entry: &Entry,
        (variable, ty): (Inst, Inst),
        (notes, location): (Decorations<'_>, Option<u32>),
        name: Option<String>,
    ) -> Result<Members, Diagnostic> {
        let built_in = notes.find().map(|decoration::BuiltIn(found)| found);
        let (name, location) = match built_in {
            Some(found) => {
                let Some((name, place)) = self.attribute_behind(entry, found) else {
                    let message = format!("the built-in {found:?} of control points in MSL");
                    return self.refuse(WriteCode::Interface, variable, message);
                };
                (name.to_owned(), place)
            }
            None => (name.unwrap_or_else(|| "value".to_owned()), location.unwrap_or(0)),
        };
        let component = notes.find().map_or(0, |Component(component)| component);
        let mut slot = Slot { variable, direction: Direction::Input, location, component, words: String::new() };
        let structure = self.points(entry).structure;
        self.add_attributes(structure, ty, (&mut slot, name))
    }

    /// The name of a built-in that is an attribute, and its number: those of all built-ins follow each other.
    fn attribute_behind(&self, entry: &Entry, built_in: BuiltIn) -> Option<(&'static str, u32)> {
        /// The distances of a control point, as many as a device has at least.
        const DISTANCES: u32 = 8;
        let rows = [
            (BuiltIn::Position, "position", 1),
            (BuiltIn::PointSize, "point_size", 1),
            (BuiltIn::TessLevelOuter, "outer_levels", 1),
            (BuiltIn::TessLevelInner, "inner_levels", 1),
            (BuiltIn::ClipDistance, "clip_distance", DISTANCES),
            (BuiltIn::CullDistance, "cull_distance", DISTANCES),
        ];
        let mut number = self.attributes_of(entry);
        for (row, name, count) in rows {
            if row == built_in {
                return Some((name, number));
            }
            number += count;
        }
        None
    }

    /// The first number behind the locations of an entry point's inputs.
    fn attributes_of(&self, entry: &Entry) -> u32 {
        let Some(listed) = view::EntryPoint::of(self.source, entry.inst) else { return 0 };
        let ends = listed.interface.to_vec().into_iter().filter_map(|variable| {
            let is_input = self.source.storage_class(variable) == Some(StorageClass::Input);
            let pointee = self.source.pointee(variable).filter(|_| is_input)?;
            let ty = self.type_of_point(variable, pointee).unwrap_or(pointee);
            let notes = self.source.decorated(variable);
            let first = notes.find().map(|Location(location)| location);
            let Some(TypeView::Struct { members }) = self.source.type_view(ty) else {
                return first.map(|first| first + self.io_locations(ty));
            };
            let (mut next, mut end) = (first, first);
            for (number, &member) in (0_u32..).zip(&members.to_vec()) {
                let own = self.source.decorated(ty).member(number).find().map(|Location(location)| location);
                next = own.or(next).map(|location| location + self.io_locations(member));
                end = end.max(next);
            }
            end
        });
        ends.max().unwrap_or(0)
    }

    /// The control points of an entry point, which are declared where they are first needed.
    fn points(&mut self, entry: &Entry) -> Points {
        if let Some(&known) = self.msl.points.get(&entry.inst) {
            return known;
        }
        let (structure, point) = self.empty_struct("ControlPoint");
        let ty = self.text.types.of(TypeShape::ControlPoints { point });
        let global = self.of_entry("input".to_owned(), ty, Role::Input, ("", String::new()));
        let points = Points { global, structure };
        self.msl.points.insert(entry.inst, points);
        points
    }

    fn vertex_part_of(&mut self, array: Expr, members: Members) -> VertexPart {
        match members {
            Members::One(member) => VertexPart::Members(array, member),
            parts => {
                self.msl.composites.push(parts);
                VertexPart::Composite(array, self.msl.composites.len() as u32 - 1)
            }
        }
    }

    /// A built-in of an evaluation shader that is computed from what the language has; `None` for others.
    pub(super) fn patch_built_in(
        &mut self,
        built_in: BuiltIn,
        ty: Type,
        variable: Inst,
    ) -> Result<Option<Expr>, Diagnostic> {
        let Some(entry) = self.entry_of(variable).filter(|entry| entry.model == Model::TessellationEvaluation).cloned()
        else {
            return Ok(None);
        };
        let is_triangle = self.tessellated_domain() == Some(Domain::Triangle);
        Ok(Some(match built_in {
            BuiltIn::TessCoord => {
                let size = if is_triangle { 3 } else { 2 };
                let place = self.text.types.numbers(Scalar::FLOAT, size);
                let suffix = "[[position_in_patch]]".to_owned();
                let global = self.of_entry("location".to_owned(), place, Role::Parameter, ("", suffix));
                let place = self.global(global);
                if is_triangle {
                    return Ok(Some(place));
                }
                let float = self.text.types.numbers(Scalar::FLOAT, 1);
                let parts: Arguments = [place, self.literal(Literal::Float(0.0), float)].into_iter().collect();
                self.text.expressions.add(Shape::Construct(parts), ty, Effects::PURE)
            }
            BuiltIn::TessLevelOuter => {
                self.patch_levels(&entry, built_in, if is_triangle { 3 } else { OUTER_LEVELS }, ty)
            }
            BuiltIn::TessLevelInner => self.patch_levels(&entry, built_in, if is_triangle { 1 } else { 2 }, ty),
            BuiltIn::PatchVertices => {
                let count = self.patch_size(&entry, variable)?;
                self.text.expressions.add(Shape::Construct([count].into_iter().collect()), ty, Effects::PURE)
            }
            _ => return Ok(None),
        }))
    }

    /// The levels of tessellation: an attribute of those that the domain has. The others are 0.
    fn patch_levels(&mut self, entry: &Entry, built_in: BuiltIn, count: u8, ty: Type) -> Expr {
        let (name, number) = self.attribute_behind(entry, built_in).unwrap_or(("levels", 0));
        let own = self.text.types.numbers(Scalar::FLOAT, count);
        let float = self.text.types.numbers(Scalar::FLOAT, 1);
        let suffix = format!("[[attribute({number})]]");
        let global = self.of_entry(name.to_owned(), own, Role::Input, ("", suffix.clone()));
        let attribute = suffix.trim_matches(['[', ']']).to_owned();
        self.note_attribute(global, number, attribute);
        let length = match self.text.types[ty] {
            TypeShape::Array { length: crate::syntax::Length::Constant(length), .. } => length,
            _ => u32::from(count),
        };
        let mut parts = Arguments::new();
        for part in 0..length {
            let levels = self.global(global);
            parts.push(match part < u32::from(count) {
                true if count == 1 => levels,
                true => {
                    let swizzle = crate::syntax::Swizzle::new(&[part as u8]);
                    self.text.expressions.add(Shape::Swizzle { base: levels, swizzle }, float, Effects::PURE)
                }
                false => self.literal(Literal::Float(0.0), float),
            });
        }
        self.text.expressions.add(Shape::Construct(parts), ty, Effects::PURE)
    }

    /// The number of control points of a patch: that of the text, or of what the host program draws.
    fn patch_size(&mut self, entry: &Entry, place: Inst) -> Result<Expr, Diagnostic> {
        if let Some(count) = self.points_of_patch(entry) {
            return Ok(self.word(count));
        }
        let reads_points = self.used_variables().into_iter().any(|variable| {
            let pointee = self.source.pointee(variable);
            pointee.is_some_and(|pointee| self.type_of_point(variable, pointee).is_some())
        });
        if !reads_points {
            let message = "the number of control points of a patch of which none is read, in MSL";
            return self.refuse(WriteCode::Interface, place, message);
        }
        let points = self.points(entry);
        let object = self.global(points.global);
        let word = self.text.types.numbers(Scalar::UINT, 1);
        let shape = Shape::Method { object, name: "size", arguments: Arguments::new() };
        Ok(self.text.expressions.add(shape, word, Effects::PURE))
    }
}

/// Returns whether control points have a built-in.
fn is_of_points(built_in: BuiltIn) -> bool {
    matches!(built_in, BuiltIn::Position | BuiltIn::PointSize | BuiltIn::ClipDistance | BuiltIn::CullDistance)
}

impl Body<'_, '_> {
    /// Makes inputs and outputs of each vertex known in a function.
    pub(in crate::lower) fn msl_enter(&mut self, _entry: Option<&Entry>) -> Result<(), Diagnostic> {
        for (&variable, vertices) in &self.cx.msl.vertices {
            self.interface.insert(variable, Access::Vertices(vertices.clone()));
        }
        Ok(())
    }

    /// The value that a pointer points to.
    pub(in crate::lower) fn msl_read_memory(&mut self, pointer: Inst, inst: Inst) -> Result<Expr, Diagnostic> {
        self.check_behind_address(pointer, inst)?;
        // The length of an array of control points is that of the largest patch.
        let is_of_all = matches!(self.interface.get(&pointer), Some(Access::Vertices(_)));
        match self.whole_vertices(pointer, inst)? {
            Some(value) if !is_of_all => Ok(value),
            _ => self.read_place(pointer, inst),
        }
    }

    /// An input that is made of members of an element.
    pub(in crate::lower) fn msl_composite(
        &mut self,
        element: Expr,
        number: u32,
        place: Inst,
    ) -> Result<Expr, Diagnostic> {
        let members = self.cx.msl.composites[number as usize].clone();
        self.composite_of(element, &members, place)
    }

    /// The depth is that of the type.
    fn composite_of(&mut self, element: Expr, members: &Members, place: Inst) -> Result<Expr, Diagnostic> {
        match members {
            Members::One(member) => {
                let element = self.cx.text.expressions.copy(element);
                self.member(element, *member, place)
            }
            Members::Parts { ty, parts } => {
                let mut values = Arguments::new();
                for part in parts {
                    values.push(self.composite_of(element, part, place)?);
                }
                Ok(self.construct(values, *ty))
            }
        }
    }
}
