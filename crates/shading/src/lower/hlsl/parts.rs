//! The parts of an entry point's interface: what has a semantic of its own.
//!
//! | in the module | parts |
//! |---|---|
//! | a variable at a location | one: `TEXCOORD`, or `SV_Target` for the output of a fragment shader |
//! | a block | one for each member that is used |
//! | a built-in | one, or one for each four distances |
//!
//! Parts are sorted by location, built-ins are last. Inputs of a fragment shader that nothing uses stay, so that the registers of a vertex shader's outputs fit.

use reconverge_diagnostic::Diagnostic;
use reconverge_ir::Inst;
use reconverge_ir::decoration::{self, Component, Location};
use reconverge_ir::view::{self, TypeView};
use spirv::{BuiltIn, Decoration, ExecutionModel as Model, StorageClass};

use super::super::resources::innermost;
use super::super::stages::{Domain, is_indices};
use super::super::{Entry, Lowering};
use super::built_ins::{Direction, Form};
use crate::interface::InterfaceVariable;
use crate::syntax::{Named, Scalar, Type, TypeShape, VariableNote};
use crate::write::WriteCode;

/// A part of an interface.
#[derive(Clone, Debug)]
pub(super) struct Part {
    pub(super) variable: Inst,
    /// The member of a block.
    pub(super) member: Option<u32>,
    pub(super) name: String,
    /// The type of the part in the language.
    pub(super) ty: Type,
    /// The type of the value in the module.
    pub(super) value: Inst,
    pub(super) semantic: String,
    pub(super) prefix: String,
    pub(super) form: Form,
    pub(super) group: Group,
    /// The location, or a number behind all locations.
    rank: u32,
    /// The location, the component and the index of an output that is blended; `None` for a built-in.
    location: Option<[u32; 3]>,
}

impl Part {
    /// A part that the language requires and the module does not have.
    pub(super) fn unbound(place: Inst, [name, semantic]: [&str; 2], ty: Type) -> Part {
        let (name, semantic) = (name.to_owned(), semantic.to_owned());
        let (prefix, form, group) = (String::new(), Form::Plain, Group::Patch);
        Part {
            variable: place,
            member: None,
            name,
            ty,
            value: place,
            semantic,
            prefix,
            form,
            group,
            rank: BUILT_IN,
            location: None,
        }
    }
}

/// Where the language has a part.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum Group {
    /// Once in each invocation.
    Own,
    /// In each vertex.
    Vertices,
    /// In each primitive.
    Primitives,
    /// Once in each patch.
    Patch,
    /// In a stream of vertices.
    Stream(u32),
}

/// The variable of a part, or the member of a block.
#[derive(Clone, Copy)]
struct Origin {
    variable: Inst,
    member: Option<u32>,
    group: Group,
}

/// The number of outputs of a fragment shader in the language.
const MOST_TARGETS: u32 = 8;

/// What is behind *TEXCOORD* for a part of a location, by its first component.
const COMPONENTS: [&str; 4] = ["", "Y", "Z", "W"];

/// The number of distances, of both kinds together.
const MOST_DISTANCES: u32 = 8;

/// The number of rows of four numbers that a stage hands to another.
const MOST_ROWS: u32 = 32;

/// The rank of built-ins.
const BUILT_IN: u32 = u32::MAX;

impl Lowering<'_> {
    /// The parts of an entry point's interface in a direction.
    pub(super) fn parts(&mut self, entry: &Entry, direction: Direction) -> Result<Vec<Part>, Diagnostic> {
        let class = if direction == Direction::Input { StorageClass::Input } else { StorageClass::Output };
        self.hlsl.stage = Some(entry.model);
        let listed = view::EntryPoint::of(self.source, entry.inst);
        let listed = listed.map_or_else(Vec::new, |entry| entry.interface.to_vec());
        let mut parts = Vec::new();
        for variable in listed {
            if self.source.storage_class(variable) == Some(class) {
                self.add_parts(variable, direction, &mut parts)?;
            }
        }
        parts.sort_by_key(|part| part.rank);
        self.check_locations(&parts)?;
        Ok(parts)
    }

    fn add_parts(&mut self, variable: Inst, direction: Direction, parts: &mut Vec<Part>) -> Result<(), Diagnostic> {
        let Some(pointee) = self.source.pointee(variable) else { return Ok(()) };
        let (group, pointee) = self.group_of(variable, pointee, direction);
        let notes = self.source.decorated(variable);
        let mut members = self.source.decorated(pointee).members();
        if notes.has(Decoration::PassthroughNV) || members.any(|note| note.is(Decoration::PassthroughNV)) {
            return self.refuse(WriteCode::Interface, variable, "an input that passes to the output in HLSL");
        }
        let is_used = self.uses.is_used(variable);
        let keeps_unused = self.stage() != Model::Vertex && direction == Direction::Input;
        if let Some(decoration::BuiltIn(built_in)) = notes.find() {
            let is_part = !self.has_other_form(built_in) && built_in != BuiltIn::PointSize && !is_indices(built_in);
            if is_used && is_part {
                self.add_built_in_part(
                    Origin { variable, member: None, group },
                    (built_in, pointee),
                    direction,
                    parts,
                )?;
            }
            return Ok(());
        }
        if !is_used && !keeps_unused {
            return Ok(());
        }
        let first = notes.find().map(|Location(location)| location);
        let is_block = self.source.decorated(pointee).has(Decoration::Block);
        let Some(members) = view::TypeStruct::of(self.source, pointee).filter(|_| is_block) else {
            let Some(location) = first else {
                return self.refuse(WriteCode::Interface, variable, "an input or output without a location");
            };
            return self.add_located(Origin { variable, member: None, group }, (location, pointee), direction, parts);
        };
        let mut next = first;
        for (number, ty) in members.members.to_vec().into_iter().enumerate() {
            let number = number as u32;
            let of_member = self.source.decorated(pointee).member(number);
            if let Some(decoration::BuiltIn(built_in)) = of_member.find() {
                if self.is_member_used(variable, number, group) && built_in != BuiltIn::PointSize {
                    self.add_built_in_part(
                        Origin { variable, member: Some(number), group },
                        (built_in, ty),
                        direction,
                        parts,
                    )?;
                }
                continue;
            }
            next = of_member.find().map(|Location(location)| location).or(next);
            let Some(location) = next else {
                return self.refuse(WriteCode::Interface, variable, "a member of a block without a location");
            };
            self.add_located(Origin { variable, member: Some(number), group }, (location, ty), direction, parts)?;
            next = Some(location + self.io_locations(ty));
        }
        Ok(())
    }

    /// Where the language has a variable, and the type of its value there: that of an element for a variable of each vertex.
    fn group_of(&self, variable: Inst, pointee: Inst, direction: Direction) -> (Group, Inst) {
        match (self.stage(), direction) {
            (Model::TessellationControl, _) | (Model::TessellationEvaluation, Direction::Input)
                if self.is_of_patch(variable, pointee) =>
            {
                (Group::Patch, pointee)
            }
            (Model::Geometry | Model::TessellationControl | Model::TessellationEvaluation, Direction::Input)
            | (Model::TessellationControl, Direction::Output) => match self.source.element_type(pointee) {
                Some(element) if matches!(self.source.type_view(pointee), Some(TypeView::Array { .. })) => {
                    (Group::Vertices, element)
                }
                _ => (Group::Own, pointee),
            },
            (Model::MeshEXT, Direction::Output) => {
                let element = self.source.element_type(pointee).unwrap_or(pointee);
                let is_primitive = self.is_of_primitive(variable, element);
                (if is_primitive { Group::Primitives } else { Group::Vertices }, element)
            }
            (Model::Geometry, Direction::Output) => {
                let of_variable = self.source.decorated(variable).note(Decoration::Stream);
                let of_member = || self.source.decorated(pointee).member(0).note(Decoration::Stream);
                let note = of_variable.or_else(of_member);
                (Group::Stream(note.and_then(|note| note.words().next()).unwrap_or(0)), pointee)
            }
            _ => (Group::Own, pointee),
        }
    }

    /// Returns whether a built-in is the value of a function or of a constant buffer.
    fn has_other_form(&self, built_in: BuiltIn) -> bool {
        super::built_ins::function(built_in).is_some()
            || matches!(built_in, BuiltIn::NumWorkgroups | BuiltIn::PatchVertices)
            || is_mask(built_in)
    }

    /// Returns whether code names a member of a block, or the block as a whole.
    fn is_member_used(&self, variable: Inst, member: u32, group: Group) -> bool {
        let skipped = usize::from(matches!(group, Group::Vertices | Group::Primitives));
        self.source.uses(variable).filter(|used| self.source.block_of(used.user).is_some()).any(|used| {
            let index = view::Chain::of(self.source, used.user).and_then(|chain| chain.indexes.at(skipped));
            let number = index.and_then(|index| match self.source.op(index) {
                reconverge_ir::Op::ConstantNull => Some(0),
                _ => self.source.constant_word(index),
            });
            number.is_none_or(|number| number == member)
        })
    }

    fn add_built_in_part(
        &mut self,
        Origin { variable, member, group }: Origin,
        (built_in, value): (BuiltIn, Inst),
        direction: Direction,
        parts: &mut Vec<Part>,
    ) -> Result<(), Diagnostic> {
        let mut found = self.semantic(built_in, direction, variable)?;
        if built_in == BuiltIn::FragDepth {
            found.name = self.depth_semantic();
        }
        let ty = self.ty(value)?;
        let own = match member {
            None => self.name(variable),
            Some(_) => None,
        };
        let name = own.filter(|name| !name.starts_with("gl_")).unwrap_or_else(|| found.variable.to_owned());
        let part = |ty: Type, semantic: String, name: String| Part {
            variable,
            member,
            name,
            ty,
            value,
            semantic,
            prefix: found.prefix.to_owned(),
            form: found.form,
            group,
            rank: BUILT_IN,
            location: None,
        };
        if found.form == Form::Distances {
            let TypeShape::Array { element, length: crate::syntax::Length::Constant(count) } = self.text.types[ty]
            else {
                return self.refuse(WriteCode::Interface, variable, "distances that are no array");
            };
            let Some(scalar) = self.text.types.scalar(element) else { return Ok(()) };
            for number in 0..count.div_ceil(4) {
                let size = (count - number * 4).min(4) as u8;
                let ty = self.text.types.numbers(scalar, size);
                parts.push(part(ty, format!(": {}{number}", found.name), format!("{name}{number}")));
            }
            return Ok(());
        }
        let Some(own) = self.type_of_form(found, ty) else { return Ok(()) };
        parts.push(part(own, format!(": {}", found.name), name));
        if let Form::Based(semantic) = found.form
            && self.target.hlsl().has(6, 8)
        {
            let int = self.type_of_kind(super::built_ins::Kind::Uint(1), ty);
            parts.push(part(int, format!(": {semantic}"), format!("first_{}", found.variable)));
        }
        Ok(())
    }

    /// The type of a built-in in the language; `None` if the domain of the tessellation does not have it.
    fn type_of_form(&mut self, found: super::built_ins::Semantic, ty: Type) -> Option<Type> {
        Some(match found.form {
            Form::Levels(which) => {
                let length = crate::syntax::Length::Constant(self.levels(which)?);
                let element = self.text.types.numbers(Scalar::FLOAT, 1);
                self.text.types.of(TypeShape::Array { element, length })
            }
            Form::Coordinates if self.hlsl.domain != Some(Domain::Triangle) => {
                self.text.types.numbers(Scalar::FLOAT, 2)
            }
            _ => self.type_of_kind(found.kind, ty),
        })
    }

    /// The semantic of the depth, by what the entry point says of it.
    fn depth_semantic(&self) -> &'static str {
        let functions: Vec<Inst> = self.entries.iter().map(|entry| entry.function.inst()).collect();
        let mut modes = self.source.globals().filter_map(|inst| view::Mode::of(self.source, inst));
        let mode = modes.find(|mode| {
            functions.contains(&mode.function)
                && matches!(mode.mode, Some(spirv::ExecutionMode::DepthGreater | spirv::ExecutionMode::DepthLess))
        });
        match mode.and_then(|mode| mode.mode) {
            Some(spirv::ExecutionMode::DepthGreater) => "SV_DepthGreaterEqual",
            Some(spirv::ExecutionMode::DepthLess) => "SV_DepthLessEqual",
            _ => "SV_Depth",
        }
    }

    fn add_located(
        &mut self,
        Origin { variable, member, group }: Origin,
        (location, value): (u32, Inst),
        direction: Direction,
        parts: &mut Vec<Part>,
    ) -> Result<(), Diagnostic> {
        let notes = self.source.decorated(variable);
        let block = self.source.pointee(variable).map_or(variable, |pointee| innermost(self.source, pointee));
        let of_member = member.map(|member| self.source.decorated(block).member(member));
        let has = |decoration| notes.has(decoration) || of_member.is_some_and(|notes| notes.has(decoration));
        let component = of_member.unwrap_or(notes).find().map_or(0, |Component(component)| component);
        let is_target = self.stage() == Model::Fragment && direction == Direction::Output;
        if component != 0 && is_target {
            return self.refuse(WriteCode::Interface, variable, "a part of an output of a fragment shader in HLSL");
        }
        let (mut ty, mut form) = (self.ty(value)?, Form::Plain);
        if has(Decoration::PerVertexKHR) {
            (ty, form) = (self.type_of_each_vertex(ty, variable)?, Form::EachVertex);
        }
        self.check_interface_type(ty, variable)?;
        let interpolation = [
            (Decoration::PerVertexKHR, "nointerpolation"),
            (Decoration::Flat, "nointerpolation"),
            (Decoration::NoPerspective, "noperspective"),
            (Decoration::Centroid, "centroid"),
            (Decoration::Sample, "sample"),
            (Decoration::Invariant, "precise"),
        ]
        .into_iter()
        .filter_map(|(decoration, word)| has(decoration).then_some(word))
        // What is not interpolated has no point where it is.
        .filter(|word| !(has(Decoration::Flat) && matches!(*word, "centroid" | "sample" | "noperspective")));
        // The rows of the text are the columns of the module, of which each has a location.
        let rows = self.is_matrix(ty).then_some("row_major");
        let words: Vec<&str> = rows.into_iter().chain(interpolation).collect();
        let index = notes.note(Decoration::Index).and_then(|note| note.words().next()).unwrap_or(0);
        let end = location + index + self.io_locations(value);
        if is_target && end > MOST_TARGETS {
            let message = format!("the output SV_Target{} in HLSL, which has {MOST_TARGETS}", end - 1);
            return self.refuse(WriteCode::Interface, variable, message);
        }
        let semantic = match is_target {
            true => format!(": SV_Target{}", location + index),
            false => match self.source_semantic([variable, block], member) {
                Some(semantic) => format!(": {semantic}"),
                None => format!(": TEXCOORD{}{location}", COMPONENTS[component as usize % COMPONENTS.len()]),
            },
        };
        let name = match member {
            Some(member) => self.member_name(block, member).unwrap_or_else(|| format!("member{member}")),
            None => {
                let default = if direction == Direction::Input { "input_value" } else { "result" };
                self.name(variable).unwrap_or_else(|| default.to_owned())
            }
        };
        let (prefix, rank) = (words.join(" "), (location * 2 + index) * 4 + component);
        let location = Some([location, component, index]);
        parts.push(Part { variable, member, name, ty, value, semantic, prefix, form, group, rank, location });
        Ok(())
    }

    /// Notes a part that has a location.
    pub(super) fn note_part(&mut self, entry: &Entry, part: &Part, named: Named) {
        let Some([location, component, index]) = part.location else { return };
        let attribute = Some(part.semantic.trim_start_matches(": ").to_owned());
        let variable = InterfaceVariable { name: String::new(), location, component, index, attribute };
        let is_input = self.is_input(part.variable);
        self.text.notes.add_variable(VariableNote { named, entry: Some(entry.inst), is_input, variable });
    }

    /// The type of an input of each vertex: that of the elements of the array that the module has.
    fn type_of_each_vertex(&mut self, ty: Type, variable: Inst) -> Result<Type, Diagnostic> {
        self.check_version((6, 1), "`GetAttributeAtVertex`", variable)?;
        match self.text.types[ty] {
            TypeShape::Array { element, .. } if self.text.types.is_numbers(element) => Ok(element),
            _ => {
                let message = "an input of each vertex that is no number or vector, in HLSL";
                self.refuse(WriteCode::Interface, variable, message)
            }
        }
    }

    /// Returns whether a type is a matrix or an array of them.
    fn is_matrix(&self, mut ty: Type) -> bool {
        while let TypeShape::Array { element, .. } = self.text.types[ty] {
            ty = element;
        }
        matches!(self.text.types[ty], TypeShape::Matrix { .. } | TypeShape::StoredMatrix(_))
    }

    /// Refuses numbers of 64 bits between stages, and arrays of structs in structs, at which dxc crashes.
    fn check_interface_type(&self, ty: Type, place: Inst) -> Result<(), Diagnostic> {
        let mut stack = vec![ty];
        while let Some(ty) = stack.pop() {
            match self.text.types[ty] {
                TypeShape::Array { element, .. } => stack.push(element),
                TypeShape::Struct(id) => {
                    let members: Vec<Type> = self.text.structure(id).members.iter().map(|member| member.ty).collect();
                    if members.iter().any(|&member| self.is_array_of_structs(member)) {
                        let message = "an array of structs in a struct between stages, in HLSL";
                        return self.refuse(WriteCode::Interface, place, message);
                    }
                    stack.extend(members);
                }
                _ => {
                    if self.text.types.scalar(ty).is_some_and(|scalar| scalar.width == 64) {
                        let message = "an input or output of 64 bits in HLSL";
                        return self.refuse(WriteCode::Interface, place, message);
                    }
                }
            }
        }
        Ok(())
    }

    fn is_array_of_structs(&self, ty: Type) -> bool {
        let mut innermost = ty;
        while let TypeShape::Array { element, .. } = self.text.types[innermost] {
            innermost = element;
        }
        innermost != ty && matches!(self.text.types[innermost], TypeShape::Struct(_))
    }

    /// Two parts of one location have one semantic, which HLSL refuses. Inputs of one built-in are one.
    fn check_locations(&self, parts: &[Part]) -> Result<(), Diagnostic> {
        let mut known = rustc_hash::FxHashSet::default();
        let is_input = |part: &Part| self.source.storage_class(part.variable) == Some(StorageClass::Input);
        for part in parts.iter().filter(|part| part.rank != BUILT_IN || !is_input(part)) {
            if !known.insert((part.group, part.semantic.clone())) {
                let message = format!("two inputs or outputs with the semantic `{}`", part.semantic);
                return self.refuse(WriteCode::Interface, part.variable, message);
            }
        }
        self.check_rows(parts)
    }

    /// Refuses a signature that has no room for its elements, however they are packed.
    fn check_rows(&self, parts: &[Part]) -> Result<(), Diagnostic> {
        let mut components = rustc_hash::FxHashMap::default();
        let mut distances = rustc_hash::FxHashMap::default();
        for part in parts {
            let is_distance = part.form == Form::Distances;
            let (rows, width) = match part.location {
                None if is_distance || part.semantic == ": SV_Position" => {
                    (1, u32::from(self.text.types.size(part.ty)))
                }
                None => continue,
                Some(_) => (self.io_locations(part.value), self.row_width(part)),
            };
            let of_group = distances.entry(part.group).or_insert(0_u32);
            *of_group += if is_distance { width } else { 0 };
            if *of_group > MOST_DISTANCES {
                let message = format!("more than {MOST_DISTANCES} distances for clipping and culling in HLSL");
                return self.refuse(WriteCode::Interface, part.variable, message);
            }
            let total = components.entry(part.group).or_insert(0_u32);
            *total = total.saturating_add(rows.saturating_mul(width));
            if rows > MOST_ROWS || *total > MOST_ROWS * 4 {
                let message =
                    format!("inputs or outputs that do not fit into the {MOST_ROWS} rows of a signature in HLSL");
                return self.refuse(WriteCode::Interface, part.variable, message);
            }
        }
        Ok(())
    }

    /// The numbers in a row of a part.
    fn row_width(&self, part: &Part) -> u32 {
        let mut ty = innermost(self.source, part.value);
        if let Some(TypeView::Matrix { column, .. }) = self.source.type_view(ty) {
            ty = column;
        }
        match self.source.type_view(ty) {
            Some(TypeView::Vector { count, .. }) => count,
            _ => 1,
        }
    }
}

/// Returns whether a built-in is a mask of lanes of the subgroup.
pub(super) fn is_mask(built_in: BuiltIn) -> bool {
    matches!(
        built_in,
        BuiltIn::SubgroupEqMask
            | BuiltIn::SubgroupGeMask
            | BuiltIn::SubgroupGtMask
            | BuiltIn::SubgroupLeMask
            | BuiltIn::SubgroupLtMask
    )
}
