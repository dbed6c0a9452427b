//! Mesh functions, which make vertices and primitives, and object functions, which start them: MSL 3.0.
//!
//! ```text
//! set_mesh_outputs %v %p            ⇒      if (local_index == 0u) { output_counts = uint2(v, p); }
//! store %gl_MeshVertices[i].0       ⇒      position[i] = …;
//! store %gl_PrimitiveIndices[i]     ⇒      output.set_index(3u * i, …); …
//! return                            ⇒      threadgroup_barrier(mem_flags::mem_threadgroup); … output.set_vertex(i, Vertex{position[i], …});
//! emit_mesh_tasks %x %y %z          ⇒      if (local_index == 0u) { grid.set_threadgroups_per_grid(uint3(x, y, z)); }
//! ```
//!
//! The language sets a vertex or a primitive as a whole, and the module writes parts of them, which several invocations may do. So each part is
//! memory of the threadgroup, of which the vertices and primitives are made when all invocations are done. A function that returns in between
//! becomes one that the entry point calls.

use reconverge_diagnostic::Diagnostic;
use reconverge_ir::decoration::{self, Component, Decorations, Location};
use reconverge_ir::view::{self, TypeView};
use reconverge_ir::{Inst, Op};
use spirv::{BuiltIn, Decoration, ExecutionMode as Mode, ExecutionModel as Model, StorageClass};

use super::super::function::Body;
use super::super::function::vertices::{VertexPart, Vertices};
use super::super::stages::{SET_MESH_OUTPUTS, is_indices};
use super::super::{Entry, Lowering, Place};
use super::built_ins::Direction;
use super::interface::Slot;
use super::members::Members;
use super::mesh_ends::assignment;
use crate::syntax::{GlobalId, Length, Mesh, Role, Scalar, ScalarKind, StructId, Topology, Type, TypeShape};
use crate::write::WriteCode;

/// The greatest numbers of vertices and of primitives of a mesh in the language.
const MOST: [u32; 2] = [256, 512];

/// The elements that outputs belong to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Group {
    Vertices,
    Primitives,
}

/// A part of vertices or of primitives.
#[derive(Clone, Debug)]
pub(super) struct Output {
    /// The array with an element for each vertex or primitive.
    pub(super) array: GlobalId,
    pub(super) members: Members,
    pub(super) group: Group,
}

/// The outputs of a mesh shader.
#[derive(Clone, Debug)]
pub(super) struct Meshes {
    /// The object that the language makes of them.
    pub(super) object: GlobalId,
    /// The numbers of vertices and primitives.
    pub(super) counts: GlobalId,
    pub(super) topology: Topology,
    /// The structs of vertices and of primitives.
    pub(super) structs: [(StructId, Type); 2],
    pub(super) most: [u32; 2],
    pub(super) outputs: Vec<Output>,
}

impl Lowering<'_> {
    /// Declares what mesh shaders make and task shaders start.
    pub(super) fn begin_meshes(&mut self) -> Result<(), Diagnostic> {
        let is_of_meshes = |entry: &&Entry| matches!(entry.model, Model::MeshEXT | Model::TaskEXT);
        let entries: Vec<Entry> = self.entries.iter().filter(is_of_meshes).cloned().collect();
        for (number, entry) in entries.iter().enumerate() {
            if !self.target.msl().has(3, 0) {
                return self.refuse(WriteCode::Stage, entry.inst, "mesh shaders before MSL 3.0");
            }
            if entries[..number].iter().any(|other| other.model == entry.model) {
                let message = "several mesh or task shaders in one text in MSL: choose one by --entry";
                return self.refuse(WriteCode::Stage, entry.inst, message);
            }
            match entry.model {
                Model::MeshEXT => self.begin_mesh(entry)?,
                _ => {
                    let ty = self.text.types.of(TypeShape::MeshGrid);
                    let grid = self.of_entry("grid".to_owned(), ty, Role::Parameter, ("", String::new()));
                    self.set_written(grid);
                    self.msl.grid = Some(grid);
                }
            }
        }
        Ok(())
    }

    fn begin_mesh(&mut self, entry: &Entry) -> Result<(), Diagnostic> {
        let topology = self.modes(entry).into_iter().find_map(|(mode, _)| match mode {
            Mode::OutputTrianglesEXT => Some(Topology::Triangle),
            Mode::OutputLinesEXT => Some(Topology::Line),
            Mode::OutputPoints => Some(Topology::Point),
            _ => None,
        });
        let counts = [Mode::OutputVertices, Mode::OutputPrimitivesEXT].map(|mode| self.mode_number(entry, mode));
        let (Some(topology), [Some(vertices), Some(primitives)]) = (topology, counts) else {
            return self.refuse(WriteCode::Stage, entry.inst, "a mesh shader without the numbers of its outputs");
        };
        let most = [vertices, primitives];
        if vertices > MOST[0] || primitives > MOST[1] {
            let [of_vertices, of_primitives] = MOST;
            let message = format!(
                "a mesh of {vertices} vertices and {primitives} primitives in MSL, which has {of_vertices} and {of_primitives}"
            );
            return self.refuse(WriteCode::Stage, entry.inst, message);
        }
        let structs = ["MeshVertex", "MeshPrimitive"].map(|name| self.empty_struct(name));
        let pair = self.text.types.numbers(Scalar::UINT, 2);
        let memory = ("threadgroup", String::new());
        let counts = self.of_entry("output_counts".to_owned(), pair, Role::Variable(None), memory);
        // The type follows from the outputs, which are not known yet.
        let object = self.of_entry("output".to_owned(), pair, Role::Parameter, ("", String::new()));
        self.set_written(counts);
        self.set_written(object);
        self.msl.meshes = Some(Meshes { object, counts, topology, structs, most, outputs: Vec::new() });
        Ok(())
    }

    /// Gives what a mesh shader makes its type, behind all outputs. A vertex has a position, also if none is written.
    pub(super) fn end_meshes(&mut self) {
        let Some(meshes) = &self.msl.meshes else { return };
        let (object, most, topology) = (meshes.object, meshes.most, meshes.topology);
        let [(vertex, vertex_type), (primitive, primitive_type)] = meshes.structs;
        let is_position = |member: &crate::syntax::Member| member.suffix.starts_with("[[position");
        if !self.text.structure(vertex).members.iter().any(is_position) {
            let position = self.text.types.numbers(Scalar::FLOAT, 4);
            let array = self.mesh_array("position", position, Group::Vertices);
            let member = self.push_member(vertex, "position".to_owned(), position, "[[position]]".to_owned());
            self.add_output(Output { array, members: Members::One(member), group: Group::Vertices });
        }
        let has_primitives = !self.text.structure(primitive).members.is_empty();
        let mesh = Mesh {
            vertex: vertex_type,
            primitive: has_primitives.then_some(primitive_type),
            most_vertices: most[0],
            most_primitives: most[1],
            topology,
        };
        self.text.globals[object.0 as usize].ty = self.text.types.of(TypeShape::Mesh(mesh));
    }

    fn add_output(&mut self, output: Output) {
        if let Some(meshes) = &mut self.msl.meshes {
            meshes.outputs.push(output);
        }
    }

    /// Memory for a part of each vertex or primitive.
    fn mesh_array(&mut self, name: &str, element: Type, group: Group) -> GlobalId {
        let most = self.msl.meshes.as_ref().map_or([1, 1], |meshes| meshes.most);
        let length = Length::Constant(most[group as usize].max(1));
        let ty = self.text.types.of(TypeShape::Array { element, length });
        let array = self.of_entry(name.to_owned(), ty, Role::Variable(None), ("threadgroup", String::new()));
        self.set_written(array);
        array
    }

    /// An output of a mesh shader. Returns whether it is one of vertices, primitives or indices.
    pub(super) fn add_mesh_output(&mut self, variable: Inst, pointee: Inst) -> Result<bool, Diagnostic> {
        let Some(TypeView::Array { element, .. }) = self.source.type_view(pointee) else { return Ok(false) };
        let notes = self.source.decorated(variable);
        let built_in = notes.find().map(|decoration::BuiltIn(found)| found);
        if built_in.is_some_and(is_indices) {
            return Ok(true);
        }
        let group = if self.is_of_primitive(variable, element) { Group::Primitives } else { Group::Vertices };
        let is_block = self.source.decorated(element).has(Decoration::Block);
        let Some(TypeView::Struct { members }) = self.source.type_view(element).filter(|_| is_block) else {
            let location = notes.find().map(|Location(location)| location);
            let name = self.name(variable).filter(|_| built_in.is_none());
            let array = self.mesh_part((variable, element), (notes, location), name, group)?;
            self.globals.insert(variable, Place::Global(array));
            return Ok(true);
        };
        let members = members.to_vec();
        let used = self.used_members(variable, 1);
        let mut parts = vec![None; members.len()];
        let mut next = notes.find().map(|Location(location)| location);
        for (number, &ty) in (0_u32..).zip(&members) {
            let own = self.source.decorated(element).member(number);
            let location = own.find().map(|Location(location)| location).or(next);
            next = location.map(|location| location + self.io_locations(ty));
            if used.as_ref().is_none_or(|used| used.contains(&number)) {
                let name = self.member_name(element, number).filter(|_| !own.has(Decoration::BuiltIn));
                let array = self.mesh_part((variable, ty), (own, location), name, group)?;
                parts[number as usize] = Some(VertexPart::Elements(self.global(array)));
            }
        }
        self.msl.vertices.insert(variable, Vertices::Block(parts));
        Ok(true)
    }

    /// Memory and attributes for what each vertex or primitive has.
    fn mesh_part(
        &mut self,
        (variable, ty): (Inst, Inst),
        (notes, location): (Decorations<'_>, Option<u32>),
        name: Option<String>,
        group: Group,
    ) -> Result<GlobalId, Diagnostic> {
        let Some(structs) = self.msl.meshes.as_ref().map(|meshes| meshes.structs) else {
            return self.refuse(WriteCode::Interface, variable, "an output of another stage");
        };
        let (id, _) = structs[group as usize];
        let element = self.ty(ty)?;
        let (array, members) = match notes.find().map(|decoration::BuiltIn(found)| found) {
            Some(built_in) => {
                let Some(row) = mesh_row(built_in) else {
                    let message = format!("the built-in {built_in:?} of a mesh in MSL");
                    return self.refuse(WriteCode::Interface, variable, message);
                };
                let ty = row.scalar.map_or(element, |scalar| self.text.types.numbers(scalar, 1));
                let array = self.mesh_array(row.name, element, group);
                let suffix = format!("[[{}]]", row.attribute);
                (array, Members::One(self.push_member(id, row.name.to_owned(), ty, suffix)))
            }
            None => {
                let name = name.unwrap_or_else(|| "result".to_owned());
                let array = self.mesh_array(&name, element, group);
                let component = notes.find().map_or(0, |Component(component)| component);
                let (direction, words) = (Direction::Output, String::new());
                let mut slot = Slot { variable, direction, location: location.unwrap_or(0), component, words };
                (array, self.add_attributes(id, ty, (&mut slot, name))?)
            }
        };
        self.add_output(Output { array, members, group });
        Ok(array)
    }

    /// The payload that a task shader hands to mesh shaders.
    pub(super) fn add_msl_payload(&mut self, variable: Inst, pointee: Inst) -> Result<(), Diagnostic> {
        let has = |model: Model| self.entries.iter().any(|entry| entry.model == model);
        let prefix = match (has(Model::TaskEXT), has(Model::MeshEXT)) {
            (true, true) => {
                let message = "a payload of a task and a mesh shader in one text: choose one by --entry";
                return self.refuse(WriteCode::Stage, variable, message);
            }
            (true, false) => "object_data",
            _ => "const object_data",
        };
        let ty = self.ty(pointee)?;
        let name = self.name(variable).unwrap_or_else(|| "payload".to_owned());
        let global = self.of_entry(name, ty, Role::Parameter, (prefix, "[[payload]]".to_owned()));
        if prefix == "object_data" {
            self.set_written(global);
        }
        self.globals.insert(variable, Place::Global(global));
        Ok(())
    }
}

/// A built-in of vertices or primitives of a mesh.
struct Row {
    attribute: &'static str,
    name: &'static str,
    /// The type in the language; that of the module if there is none.
    scalar: Option<Scalar>,
}

fn mesh_row(built_in: BuiltIn) -> Option<Row> {
    let (attribute, name, scalar) = match built_in {
        BuiltIn::Position => ("position", "position", None),
        BuiltIn::PointSize => ("point_size", "point_size", None),
        BuiltIn::ClipDistance => ("clip_distance", "clip_distance", None),
        BuiltIn::PrimitiveId => ("primitive_id", "primitive_index", Some(Scalar::UINT)),
        BuiltIn::Layer => ("render_target_array_index", "layer", Some(Scalar::UINT)),
        BuiltIn::ViewportIndex => ("viewport_array_index", "viewport", Some(Scalar::UINT)),
        BuiltIn::CullPrimitiveEXT => ("primitive_culled", "is_culled", Some(Scalar::BOOL)),
        _ => return None,
    };
    Some(Row { attribute, name, scalar })
}

impl Body<'_, '_> {
    /// Sets the numbers of vertices and primitives, which the first invocation does for all. Returns whether the instruction does.
    pub(super) fn set_counts(&mut self, inst: Inst) -> Result<bool, Diagnostic> {
        let Some(opaque) = view::Opaque::of(self.source, inst) else { return Ok(false) };
        let Some(counts) = self.cx.msl.meshes.as_ref().map(|meshes| meshes.counts) else { return Ok(false) };
        if opaque.opcode != SET_MESH_OUTPUTS {
            return Ok(false);
        }
        let mut values = Vec::new();
        for operand in opaque.operands.to_vec() {
            values.push(self.value_as(operand, ScalarKind::Uint)?);
        }
        let target = self.cx.global(counts);
        let ty = self.type_of(target);
        let pair = self.construct(values, ty);
        self.by_first_invocation(Model::MeshEXT, assignment(target, pair))?;
        Ok(true)
    }

    /// Starts mesh shaders, and ends the invocation.
    pub(super) fn start_meshes(&mut self, inst: Inst) -> Result<(), Diagnostic> {
        let (Some(tasks), Some(grid)) = (view::EmitMeshTasksEXT::of(self.source, inst), self.cx.msl.grid) else {
            return self.unknown(inst);
        };
        if self.entry.is_none() {
            return self.refuse(WriteCode::Op, inst, "emit_mesh_tasks in a function that is called, in MSL");
        }
        let mut counts = Vec::new();
        for count in [tasks.group_count_x, tasks.group_count_y, tasks.group_count_z] {
            counts.push(self.value_as(count, ScalarKind::Uint)?);
        }
        let triple = self.cx.text.types.numbers(Scalar::UINT, 3);
        let counts = self.construct(counts, triple);
        let object = self.cx.global(grid);
        let call = self.cx.method_statement(object, "set_threadgroups_per_grid", &[counts]);
        self.by_first_invocation(Model::TaskEXT, call)?;
        self.statement(crate::syntax::StatementKind::Return(None));
        Ok(())
    }

    /// Writes a value to memory. Indices of primitives are set one by one.
    pub(in crate::lower) fn msl_write_memory(
        &mut self,
        pointer: Inst,
        value: crate::syntax::Expr,
        inst: Inst,
    ) -> Result<(), Diagnostic> {
        let (variable, path) = self.path_of(pointer);
        let is_output = self.source.storage_class(variable) == Some(StorageClass::Output);
        if !is_output || !self.cx.built_in_of_variable(variable).is_some_and(is_indices) {
            self.check_behind_address(pointer, inst)?;
            if self.store_volatile(pointer, value, inst)? {
                return Ok(());
            }
            return self.write_place(pointer, value, inst);
        }
        self.set_indices(&path, value, inst)
    }

    /// Returns whether a pointer is one to memory of a threadgroup that outputs are made of.
    pub(super) fn is_memory_of_mesh(&self, pointer: Inst) -> bool {
        let (variable, _) = self.path_of(pointer);
        self.source.op(variable) == Op::Variable
            && self.source.storage_class(variable) == Some(StorageClass::Output)
            && self.cx.model_of(variable) == Model::MeshEXT
    }
}
