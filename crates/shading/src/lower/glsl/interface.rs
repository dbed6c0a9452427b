//! Inputs and outputs: globals with a location, blocks, and built-ins, which the language declares.
//!
//! ```text
//! %uv: Input vec2 = variable, Location 1             ⇒      layout(location = 1) in vec2 uv;
//! %v: Input { vec4, float }[3], BuiltIn Position …   ⇒      gl_in[i].gl_Position
//! ```

use reconverge_diagnostic::Diagnostic;
use reconverge_ir::Inst;
use reconverge_ir::decoration::{self, Component, Location};
use reconverge_ir::view::{self, TypeView};
use spirv::{Decoration, ExecutionModel as Model};

use super::super::{Lowering, Place};
use super::built_ins::{Direction, PerVertex};
use super::globals::BlockText;
use crate::interface::InterfaceVariable;
use crate::syntax::{Global, GlobalKind, Length, Member, Named, StructId, Type, TypeShape, VariableNote};
use crate::write::WriteCode;

impl Lowering<'_> {
    /// An input or output.
    pub(super) fn add_interface(
        &mut self,
        variable: Inst,
        pointee: Inst,
        direction: Direction,
        initializer: Option<Inst>,
    ) -> Result<(), Diagnostic> {
        let notes = self.source.decorated(variable);
        if let Some(constant) = initializer {
            self.first_values.push((variable, constant));
        }
        if let Some(decoration::BuiltIn(built_in)) = notes.find() {
            if let Some(which) = self.vertices_of(built_in, pointee, direction) {
                let element = self.source.element_type(pointee).unwrap_or(pointee);
                let (name, ty) = self.per_vertex_member(built_in, element, direction, variable)?;
                let (global, id) = self.per_vertex(which, &[(name, ty)]);
                let member = self.member_number(id, name);
                self.globals.insert(variable, Place::Element { array: global, member });
                return Ok(());
            }
            let global = self.built_in_variable(built_in, pointee, direction, variable)?;
            self.globals.insert(variable, Place::Global(global));
            return Ok(());
        }
        let mut block = pointee;
        while let Some(TypeView::Array { element, .. } | TypeView::RuntimeArray { element }) =
            self.source.type_view(block)
        {
            block = element;
        }
        let of_members = self.source.decorated(block);
        if of_members.members().any(|note| note.is(Decoration::BuiltIn)) {
            return self.add_built_in_block(variable, [pointee, block], direction);
        }
        if of_members.has(Decoration::Block) {
            return self.add_interface_block(variable, pointee, block, direction);
        }
        let ty = self.ty(pointee)?;
        if self.model() == Model::Vertex
            && direction == Direction::Input
            && matches!(self.text.types[ty], TypeShape::Array { .. })
        {
            self.uses_word("an input of a vertex shader that is an array", variable);
        }
        let is_between = !matches!(
            (self.model(), direction),
            (Model::Vertex, Direction::Input) | (Model::Fragment, Direction::Output)
        );
        // What each vertex has is in an array.
        let is_of_vertices = matches!(
            (self.model(), direction),
            (Model::Geometry | Model::TessellationControl | Model::TessellationEvaluation, Direction::Input)
                | (Model::TessellationControl, Direction::Output)
        );
        let each = match self.source.element_type(pointee).filter(|_| is_of_vertices && !notes.has(Decoration::Patch)) {
            Some(element) => element,
            None => pointee,
        };
        if is_between && self.has_deep_struct(each) {
            self.uses_word("a struct with arrays or structs between stages", variable);
        }
        let ty = self.per_patch_type(variable, ty, direction);
        self.require_storage(pointee, variable);
        let prefix = self.interface_prefix(variable, variable, direction)?;
        let name = self
            .name(variable)
            .unwrap_or_else(|| if direction == Direction::Input { "input_value" } else { "result" }.to_owned());
        let is_written = direction == Direction::Output;
        let kind = GlobalKind::Variable(None);
        let id = self.declare(variable, Global { name, ty, kind, prefix, suffix: String::new(), is_written });
        if let Some(location) = self.glsl_location((variable, variable), direction) {
            self.note_located(variable, Named::Global(id), location, notes.find());
        }
        Ok(())
    }

    /// Returns whether a type is a struct that contains an array or a struct, or an array of structs.
    fn has_deep_struct(&self, ty: Inst) -> bool {
        let is_composite = |ty: &Inst| {
            matches!(
                self.source.type_view(*ty),
                Some(TypeView::Array { .. } | TypeView::RuntimeArray { .. } | TypeView::Struct { .. })
            )
        };
        match self.source.type_view(ty) {
            Some(TypeView::Struct { members }) => members.iter().any(|member| is_composite(&member)),
            Some(TypeView::Array { element, .. }) => {
                matches!(self.source.type_view(element), Some(TypeView::Struct { .. }))
            }
            _ => false,
        }
    }

    /// The type of an input of a tessellation, whose number of vertices the language knows.
    fn per_patch_type(&mut self, variable: Inst, ty: Type, direction: Direction) -> Type {
        let is_patch = self.source.decorated(variable).has(Decoration::Patch);
        let is_tessellation = matches!(self.model(), Model::TessellationControl | Model::TessellationEvaluation);
        match self.text.types[ty] {
            TypeShape::Array { element, .. } if is_tessellation && direction == Direction::Input && !is_patch => {
                self.text.types.of(TypeShape::Array { element, length: Length::Runtime })
            }
            _ => ty,
        }
    }

    /// The language's array of vertices or primitives that has a built-in, if the variable is an array of them.
    fn vertices_of(&self, built_in: spirv::BuiltIn, pointee: Inst, direction: Direction) -> Option<PerVertex> {
        use spirv::BuiltIn as Known;
        let depth = usize::from(matches!(built_in, Known::ClipDistance | Known::CullDistance));
        let mut ty = pointee;
        for _ in 0..depth {
            ty = self.source.element_type(ty)?;
        }
        let is_array =
            matches!(self.source.type_view(ty), Some(TypeView::Array { .. } | TypeView::RuntimeArray { .. }));
        let is_of_vertex =
            matches!(built_in, Known::Position | Known::PointSize | Known::ClipDistance | Known::CullDistance);
        let is_of_primitive = matches!(
            built_in,
            Known::PrimitiveId
                | Known::Layer
                | Known::ViewportIndex
                | Known::CullPrimitiveEXT
                | Known::PrimitiveShadingRateKHR
        );
        match (self.model(), direction) {
            (Model::Geometry | Model::TessellationControl | Model::TessellationEvaluation, Direction::Input)
                if is_array && is_of_vertex =>
            {
                Some(PerVertex::Input)
            }
            (Model::TessellationControl, Direction::Output) if is_array && is_of_vertex => Some(PerVertex::Output),
            (Model::MeshEXT, Direction::Output) if is_array && is_of_vertex => Some(PerVertex::MeshVertices),
            (Model::MeshEXT, Direction::Output) if is_array && is_of_primitive => Some(PerVertex::MeshPrimitives),
            _ => None,
        }
    }

    fn member_number(&self, id: StructId, name: &str) -> u32 {
        self.text.structure(id).members.iter().position(|member| member.name == name).unwrap_or(0) as u32
    }

    /// A block of built-ins: globals of their own, or members of the elements of an array that the language declares.
    fn add_built_in_block(
        &mut self,
        variable: Inst,
        [pointee, block]: [Inst; 2],
        direction: Direction,
    ) -> Result<(), Diagnostic> {
        let Some(view::TypeStruct { members }) = view::TypeStruct::of(self.source, block) else { return Ok(()) };
        let members = members.to_vec();
        let is_array = pointee != block;
        let used = self.used_members(variable, usize::from(is_array));
        let mut globals = vec![None; members.len()];
        let (mut places, mut array) = (vec![0; members.len()], None);
        for (number, &ty) in members.iter().enumerate() {
            let note = self.source.decorated(block).member(number as u32).find();
            let Some(decoration::BuiltIn(built_in)) = note else {
                return self.refuse(WriteCode::Interface, variable, "a block of built-ins and others");
            };
            if used.as_ref().is_some_and(|used| !used.contains(&(number as u32))) {
                continue;
            }
            if is_array {
                let is_primitive = self.model() == Model::MeshEXT
                    && !matches!(
                        built_in,
                        spirv::BuiltIn::Position
                            | spirv::BuiltIn::PointSize
                            | spirv::BuiltIn::ClipDistance
                            | spirv::BuiltIn::CullDistance
                    );
                let which = match (direction, self.model()) {
                    (Direction::Input, _) => PerVertex::Input,
                    (_, Model::MeshEXT) if is_primitive => PerVertex::MeshPrimitives,
                    (_, Model::MeshEXT) => PerVertex::MeshVertices,
                    _ => PerVertex::Output,
                };
                let (name, ty) = self.per_vertex_member(built_in, ty, direction, variable)?;
                let (global, id) = self.per_vertex(which, &[(name, ty)]);
                array = Some(global);
                places[number] = self.member_number(id, name);
            } else {
                globals[number] = Some(self.built_in_variable(built_in, ty, direction, variable)?);
            }
        }
        match array {
            Some(array) => {
                self.places.insert(block, places);
                self.globals.insert(variable, Place::Global(array));
            }
            None => {
                self.globals.insert(variable, Place::Members(globals));
            }
        }
        Ok(())
    }

    /// A block between stages.
    fn add_interface_block(
        &mut self,
        variable: Inst,
        pointee: Inst,
        block: Inst,
        direction: Direction,
    ) -> Result<(), Diagnostic> {
        let Some(view::TypeStruct { members }) = view::TypeStruct::of(self.source, block) else { return Ok(()) };
        let mut converted = Vec::new();
        for (number, ty) in members.to_vec().into_iter().enumerate() {
            let notes = self.source.decorated(block).member(number as u32);
            let location: Option<u32> = notes.find().map(|Location(location)| location);
            let component = notes.find().map(|Component(component)| component);
            // Without locations stages are linked by the names of the block and of its members.
            let location = location.filter(|_| self.target.glsl().has_core_word("a location of a member"));
            if component.is_some() {
                self.uses_word("a component of a location", variable);
            }
            let mut layout: Vec<String> =
                location.map(|location| format!("location = {location}")).into_iter().collect();
            layout.extend(component.map(|component| format!("component = {component}")));
            let mut prefix = if layout.is_empty() { String::new() } else { format!("layout({}) ", layout.join(", ")) };
            let words = self.interpolation_words(block, Some(number as u32), direction);
            prefix.push_str(&words);
            self.note_interpolation(&words, variable);
            self.require_storage(ty, variable);
            let ty = self.ty(ty)?;
            let name = self.member_name(block, number as u32).unwrap_or_else(|| format!("member{number}"));
            converted.push(Member { name, ty, prefix: prefix.trim_end().to_owned(), suffix: String::new() });
        }
        self.uses_word("a block between stages", variable);
        let mut prefix = self.interface_prefix(variable, block, direction)?;
        // What all members have, the block has.
        let count = converted.len() as u32;
        for (decoration, word) in [(Decoration::PerPrimitiveEXT, "perprimitiveEXT"), (Decoration::Patch, "patch")] {
            let has = |member: u32| self.source.decorated(block).member(member).has(decoration);
            if (0..count).all(has) && !prefix.contains(word) {
                let direction = if direction == Direction::Input { "in" } else { "out" };
                let before = prefix.strip_suffix(direction).unwrap_or_default();
                prefix = format!("{before}{word} {direction}");
                for member in &mut converted {
                    member.prefix = member.prefix.replace(word, "").trim().to_owned();
                }
            }
        }
        let lengths: Vec<Inst> = {
            let (mut arrays, mut ty) = (Vec::new(), pointee);
            while ty != block {
                arrays.push(ty);
                ty = self.source.element_type(ty).unwrap_or(block);
            }
            arrays
        };
        let is_written = direction == Direction::Output;
        let text = BlockText { members: converted, prefix, is_written };
        let (_, id) = self.declare_block(variable, block, &lengths, text)?;
        let mut next = self.glsl_location((variable, block), direction);
        for (number, ty) in (0..).zip(members.to_vec()) {
            let notes = self.source.decorated(block).member(number);
            next = notes.find().map(|Location(location)| location).or(next);
            if let Some(location) = next {
                self.note_located(variable, Named::Member(id, number), location, notes.find());
                next = Some(location.saturating_add(self.io_locations(ty)));
            }
        }
        Ok(())
    }

    /// The location of an input or output that the text gives it.
    fn glsl_location(&self, (variable, place): (Inst, Inst), direction: Direction) -> Option<u32> {
        let is_input = direction == Direction::Input;
        let is_end = match self.model() {
            Model::Vertex => is_input,
            Model::Fragment => !is_input,
            _ => false,
        };
        let word = match place == variable {
            true => "a location between stages",
            false => "a location of a member",
        };
        let location = self.source.decorated(variable).find().map(|Location(location)| location);
        location.filter(|_| is_end || self.target.glsl().has_core_word(word))
    }

    fn note_located(&mut self, variable: Inst, named: Named, location: u32, component: Option<Component>) {
        let component = component.map_or(0, |Component(component)| component);
        let (is_input, index) = (self.is_input(variable), self.blend_index(variable));
        let variable = InterfaceVariable { name: String::new(), location, component, index, attribute: None };
        self.text.notes.add_variable(VariableNote { named, entry: None, is_input, variable });
    }

    /// The qualifiers of an input or output: layout, interpolation, direction.
    fn interface_prefix(&mut self, variable: Inst, place: Inst, direction: Direction) -> Result<String, Diagnostic> {
        let notes = self.source.decorated(variable);
        let is_input = direction == Direction::Input;
        let mut layout = Vec::new();
        if let Some(location) = self.glsl_location((variable, place), direction) {
            layout.push(format!("location = {location}"));
        }
        if let Some(Component(component)) = notes.find() {
            self.uses_word("a component of a location", variable);
            layout.push(format!("component = {component}"));
        }
        let words = |kind: Decoration| notes.note(kind).and_then(|note| note.words().next());
        if let Some(index) = words(Decoration::Index) {
            self.uses_word("an index of an output", variable);
            layout.push(format!("index = {index}"));
        }
        for (decoration, word, construct) in [
            (Decoration::XfbBuffer, "xfb_buffer", "captured outputs"),
            (Decoration::XfbStride, "xfb_stride", "captured outputs"),
            (Decoration::Offset, "xfb_offset", "captured outputs"),
            (Decoration::Stream, "stream", "a stream"),
        ] {
            if let Some(value) = words(decoration).filter(|_| !is_input) {
                self.uses_word(construct, variable);
                layout.push(format!("{word} = {value}"));
            }
        }
        let has_locations = place != variable || !layout.is_empty();
        if self.target.glsl().is_vulkan() && !has_locations {
            return self.refuse(
                WriteCode::Interface,
                variable,
                "an input or output without a location in GLSL for Vulkan",
            );
        }
        let layout = if layout.is_empty() { String::new() } else { format!("layout({}) ", layout.join(", ")) };
        let words = self.interpolation_words(variable, None, direction);
        self.note_interpolation(&words, variable);
        let direction = if is_input { "in" } else { "out" };
        Ok(format!("{layout}{words}{direction}"))
    }

    /// The words for the interpolation of an input or output, or of a member of a block.
    fn interpolation_words(&self, inst: Inst, member: Option<u32>, direction: Direction) -> String {
        let notes = match member {
            Some(member) => self.source.decorated(inst).member(member),
            None => self.source.decorated(inst),
        };
        let words = [
            (Decoration::PerPrimitiveEXT, "perprimitiveEXT "),
            (Decoration::PerVertexKHR, "pervertexEXT "),
            (Decoration::Invariant, "invariant "),
            (Decoration::Flat, "flat "),
            (Decoration::NoPerspective, "noperspective "),
            (Decoration::Centroid, "centroid "),
            (Decoration::Sample, "sample "),
            (Decoration::Patch, "patch "),
        ];
        // GLSL ES requires the word on the integers that a stage gives, too, and Vulkan only on those that a fragment takes.
        let gives = direction == Direction::Output && self.model() == Model::Vertex;
        // A block has no such word, but its members do.
        let whole = self.source.pointee(inst).unwrap_or(inst);
        let is_block = member.is_none() && self.source.decorated(whole).has(Decoration::Block);
        let is_flat = self.target.glsl().is_embedded() && gives && !is_block && self.has_integers(inst, member);
        let is_said = |decoration| notes.has(decoration) || decoration == Decoration::Flat && is_flat;
        words.into_iter().filter(|&(decoration, _)| is_said(decoration)).map(|(_, word)| word).collect()
    }

    /// Notes the words for interpolation that not all versions have.
    fn note_interpolation(&mut self, words: &str, place: Inst) {
        for word in words.split_whitespace() {
            match word {
                "perprimitiveEXT" => self.require("GL_EXT_mesh_shader", place),
                "pervertexEXT" => self.require("GL_EXT_fragment_shader_barycentric", place),
                _ => self.uses_word(word, place),
            }
        }
    }

    /// Returns whether a variable, or a member of a block, consists of integers or contains some.
    fn has_integers(&self, inst: Inst, member: Option<u32>) -> bool {
        let whole = self.source.pointee(inst).unwrap_or(inst);
        let part = member.and_then(|member| {
            let view::TypeStruct { members } = view::TypeStruct::of(self.source, whole)?;
            members.at(member as usize)
        });
        let parts = self.types_in(part.unwrap_or(whole));
        parts.into_iter().any(|part| matches!(self.source.type_view(part), Some(TypeView::Int { .. })))
    }
}
