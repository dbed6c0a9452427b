//! Mesh shaders, which write arrays of vertices, of primitives and of their indices, and task shaders, which start them.
//!
//! ```text
//! set_mesh_outputs %v %p            ⇒      SetMeshOutputCounts(v, p);
//! store %gl_MeshVertices[i].0       ⇒      output_vertices[i].position = …;
//! emit_mesh_tasks %x %y %z %data    ⇒      DispatchMesh(x, y, z, data);
//! ```
//!
//! Outputs are written only. A payload is memory of the group of a task shader, and a parameter of a mesh shader.

use reconverge_diagnostic::Diagnostic;
use reconverge_ir::{Inst, Op, decoration, view};
use spirv::{BuiltIn, ExecutionMode as Mode, ExecutionModel as Model, StorageClass};

use super::super::function::{Access, Body};
use super::super::stages::{SET_MESH_OUTPUTS, is_indices};
use super::super::{Entry, Lowering, Place};
use super::parts::{Group, Part};
use crate::syntax::{
    Arguments, Effects, Expr, Global, GlobalId, GlobalKind, Length, Literal, Member, Scalar, ScalarKind, Shape,
    StatementKind, Struct, TypeShape,
};
use crate::write::WriteCode;

// The validator of DXIL requires that a shader sets the numbers of its outputs, writes all distances, and starts mesh shaders once, where all
// invocations come.

/// A pointer to distances, or to one of them.
#[derive(Clone, Copy)]
struct Distances {
    variable: Inst,
    /// The member of a block.
    member: Option<u32>,
    /// The number of the distance; none if all are meant.
    number: Option<Inst>,
}

impl Lowering<'_> {
    /// The topology of a mesh shader.
    pub(super) fn mesh_attribute(&self, entry: &Entry) -> Result<String, Diagnostic> {
        let topology = self.modes(entry).into_iter().find_map(|(mode, _)| match mode {
            Mode::OutputTrianglesEXT => Some("triangle"),
            Mode::OutputLinesEXT => Some("line"),
            _ => None,
        });
        match topology {
            Some(topology) => Ok(format!("[outputtopology(\"{topology}\")]")),
            None => self.refuse(WriteCode::Stage, entry.inst, "a mesh shader of points in HLSL"),
        }
    }

    /// What a task shader hands to mesh shaders: memory of the group in the one, a parameter in the others.
    pub(super) fn add_payload(&mut self, variable: Inst, pointee: Inst) -> Result<(), Diagnostic> {
        let has = |model: Model| self.entries.iter().any(|entry| entry.model == model);
        match (has(Model::TaskEXT), has(Model::MeshEXT)) {
            (true, true) => {
                let message = "a payload of a task and a mesh shader in one text: choose one by --entry";
                self.refuse(WriteCode::Stage, variable, message)
            }
            (true, false) => {
                self.add_memory(variable, pointee, "groupshared", None)?;
                if let Some(Place::Global(global)) = self.globals.get(&variable) {
                    self.hlsl.payload = Some(*global);
                }
                Ok(())
            }
            _ => Ok(()),
        }
    }

    /// The payload of a task shader that has none: the language requires one.
    fn empty_payload(&mut self) -> GlobalId {
        if let Some(known) = self.hlsl.payload {
            return known;
        }
        let word = self.text.types.numbers(Scalar::UINT, 1);
        let member = Member { name: "unused".to_owned(), ty: word, prefix: String::new(), suffix: String::new() };
        let id = self.text.add_struct(Struct { name: "Payload".to_owned(), members: vec![member], is_block: false });
        let ty = self.text.types.of(TypeShape::Struct(id));
        let global = self.text.add_global(Global {
            name: "no_payload".to_owned(),
            ty,
            kind: GlobalKind::Variable(None),
            prefix: "groupshared".to_owned(),
            suffix: String::new(),
            is_written: true,
        });
        self.hlsl.payload = Some(global);
        global
    }
}

impl Body<'_, '_> {
    /// Stores a distance of a vertex of a mesh shader, or all of them, which are a vector. Those that nothing stores are 0. Returns whether the
    /// pointer is one to distances.
    pub(super) fn store_distances(&mut self, pointer: Inst, value: Expr, inst: Inst) -> Result<bool, Diagnostic> {
        if self.cx.stage() != Model::MeshEXT || self.source.storage_class(pointer) != Some(StorageClass::Output) {
            return Ok(false);
        }
        let Some(place) = self.distances(pointer) else { return Ok(false) };
        let Some(index) = place.number else {
            let target = self.place(pointer)?;
            let ty = self.type_of(target);
            let name = self.repeated(value);
            let mut numbers = Arguments::new();
            for number in 0..self.numbers_of(target).size {
                let (whole, index) = (self.local(name), self.cx.int(i32::from(number)));
                numbers.push(self.element(whole, index, inst)?);
            }
            let value = if let [only] = numbers[..] { only } else { self.construct(numbers, ty) };
            self.assign_to(target, value);
            return Ok(true);
        };
        self.write_place(pointer, value, inst)?;
        let target = self.place(pointer)?;
        let whole = match self.cx.text.expressions[target].shape {
            Shape::Swizzle { base, .. } | Shape::Index { base, .. } if self.word(index).is_some() => base,
            _ => return Ok(true),
        };
        let size = self.numbers_of(whole).size;
        let stored = self.stored_distances(place);
        for number in
            (0..size).filter(|&number| stored.as_ref().is_some_and(|stored| !stored.contains(&u32::from(number))))
        {
            let base = self.cx.text.expressions.copy(whole);
            let target = self.swizzle(base, &[number]);
            let ty = self.type_of(target);
            let zero = self.cx.literal(Literal::Float(0.0), ty);
            self.assign_to(target, zero);
        }
        Ok(true)
    }

    /// The distances that a pointer is one to; `None` for another pointer.
    fn distances(&self, pointer: Inst) -> Option<Distances> {
        let (variable, indexes) = self.path_of(pointer);
        let is_distance = |note: Option<decoration::BuiltIn>| {
            note.is_some_and(|found| matches!(found.0, BuiltIn::ClipDistance | BuiltIn::CullDistance))
        };
        if is_distance(self.source.decorated(variable).find()) {
            let number = indexes.get(1).copied();
            return (!indexes.is_empty()).then_some(Distances { variable, member: None, number });
        }
        let block = self.source.pointee(variable).and_then(|pointee| self.source.element_type(pointee))?;
        let member = self.word(*indexes.get(1)?)?;
        let is_found = is_distance(self.source.decorated(block).member(member).find());
        is_found.then(|| Distances { variable, member: Some(member), number: indexes.get(2).copied() })
    }

    /// The numbers of the distances that are stored; `None` if they may be all.
    fn stored_distances(&self, place: Distances) -> Option<Vec<u32>> {
        let mut numbers = Vec::new();
        let chains = self.source.uses(place.variable).map(|used| used.user);
        for chain in chains.filter(|&user| self.source.block_of(user).is_some()) {
            if let Some(found) = self.distances(chain)
                && found.member == place.member
            {
                numbers.push(self.word(found.number?)?);
            }
        }
        Some(numbers)
    }

    /// Declares the payload and the outputs of a mesh shader.
    pub(super) fn add_mesh(&mut self, entry: &Entry, parts: Vec<Part>) -> Result<(), Diagnostic> {
        self.add_payload_parameter()?;
        let mut insts = self.tree_blocks().iter().flat_map(|&block| self.source.children(block));
        let sets = |inst| view::Opaque::of(self.source, inst).is_some_and(|found| found.opcode == SET_MESH_OUTPUTS);
        if !insts.any(sets) {
            return self.refuse(
                WriteCode::Stage,
                entry.inst,
                "a mesh shader that does not set the numbers of its outputs, in HLSL",
            );
        }
        let (primitives, vertices): (Vec<Part>, Vec<Part>) =
            parts.into_iter().partition(|part| part.group == Group::Primitives);
        let counts = [Mode::OutputVertices, Mode::OutputPrimitivesEXT].map(|mode| self.cx.mode_number(entry, mode));
        let [Some(vertex_count), Some(primitive_count)] = counts else {
            return self.refuse(WriteCode::Stage, entry.inst, "a mesh shader without the numbers of its outputs");
        };
        if !vertices.is_empty() {
            let element = self.interface_struct(entry, "Vertex", &vertices);
            let length = Length::Constant(vertex_count);
            self.add_array_of_vertices(&vertices, element, ("out vertices", "output_vertices", length))?;
        }
        if !primitives.is_empty() {
            let element = self.interface_struct(entry, "Primitive", &primitives);
            let length = Length::Constant(primitive_count);
            self.add_array_of_vertices(&primitives, element, ("out primitives", "output_primitives", length))?;
        }
        self.add_indices(entry, primitive_count)
    }

    /// The indices of primitives, which the language requires.
    fn add_indices(&mut self, entry: &Entry, count: u32) -> Result<(), Diagnostic> {
        let is_of_lines = self.cx.modes(entry).iter().any(|(mode, _)| *mode == Mode::OutputLinesEXT);
        let element = self.cx.text.types.numbers(Scalar::UINT, if is_of_lines { 2 } else { 3 });
        let ty = self.cx.text.types.of(TypeShape::Array { element, length: Length::Constant(count) });
        let local = self.declare_input("output_indices", ty, ["out indices", ""]);
        if let Some(parameter) = self.function.parameters.last_mut() {
            parameter.is_written = true;
        }
        for variable in self.cx.used_variables() {
            if self.cx.built_in_of_variable(variable).is_some_and(is_indices) {
                let place = self.local(local);
                self.interface.insert(variable, Access::Whole(place));
            }
        }
        Ok(())
    }

    fn add_payload_parameter(&mut self) -> Result<(), Diagnostic> {
        for variable in self.cx.used_variables() {
            if self.source.storage_class(variable) != Some(StorageClass::TaskPayloadWorkgroupEXT) {
                continue;
            }
            let Some(pointee) = self.source.pointee(variable) else { continue };
            let ty = self.cx.ty(pointee)?;
            let name = self.cx.name(variable).unwrap_or_else(|| "data".to_owned());
            let local = self.declare_input(&name, ty, ["in payload", ""]);
            let place = self.local(local);
            self.interface.insert(variable, Access::Whole(place));
        }
        Ok(())
    }

    /// Refuses a task shader that starts mesh shaders in several places, or not in all invocations.
    pub(super) fn check_tasks(&self, entry: &Entry) -> Result<(), Diagnostic> {
        let terminators = self.tree_blocks().iter().filter_map(|&block| Some((block, self.source.terminator(block)?)));
        let mut starts = terminators.filter(|(_, found)| self.source.op(*found) == Op::EmitMeshTasksEXT);
        let is_outer = |block| self.tree.list_of(block) == Some(self.tree.root());
        match (starts.next(), starts.next()) {
            (Some((block, _)), None) if is_outer(block) => Ok(()),
            _ => {
                let message = "a task shader that does not start mesh shaders once, in all invocations, in HLSL";
                self.refuse(WriteCode::Stage, entry.inst, message)
            }
        }
    }

    /// Sets the numbers of vertices and primitives. Returns whether the instruction does.
    pub(super) fn set_mesh_counts(&mut self, inst: Inst) -> Result<bool, Diagnostic> {
        let Some(opaque) = view::Opaque::of(self.source, inst) else { return Ok(false) };
        if opaque.opcode != SET_MESH_OUTPUTS {
            return Ok(false);
        }
        let mut arguments = Vec::new();
        for operand in opaque.operands.to_vec() {
            arguments.push(self.value_as(operand, ScalarKind::Uint)?);
        }
        self.call_statement("SetMeshOutputCounts", &arguments);
        Ok(true)
    }

    /// Starts mesh shaders.
    pub(super) fn dispatch_mesh(&mut self, inst: Inst) -> Result<(), Diagnostic> {
        let Some(tasks) = view::EmitMeshTasksEXT::of(self.source, inst) else { return self.unknown(inst) };
        let mut arguments = Vec::new();
        for count in [tasks.group_count_x, tasks.group_count_y, tasks.group_count_z] {
            arguments.push(self.value_as(count, ScalarKind::Uint)?);
        }
        let payload = self.cx.empty_payload();
        arguments.push(self.cx.global(payload));
        let void = self.cx.text.types.of(TypeShape::Void);
        let effects = Effects::READS | Effects::WRITES | Effects::CONVERGENT;
        let callee = crate::syntax::Callee::Intrinsic("DispatchMesh");
        let arguments = arguments.into_iter().collect();
        let call = self.with_effects(Shape::Call { callee, arguments }, void, effects);
        self.statement(StatementKind::Expression(call));
        Ok(())
    }
}
