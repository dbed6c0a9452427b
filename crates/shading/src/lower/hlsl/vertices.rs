//! Inputs of each vertex of a primitive: an array of structs.
//!
//! ```text
//! struct Input { float3 normal : TEXCOORD0; float4 position : SV_Position; };
//! void main(triangle Input input[3], …) { … input[1].normal … }
//! ```
//!
//! Inputs that functions of the text use, and those of another form than in the language, are copied to arrays of the module's type.

use reconverge_diagnostic::Diagnostic;
use spirv::{ExecutionMode as Mode, ExecutionModel as Model};

use super::super::function::vertices::{VertexPart, Vertices};
use super::super::function::{Access, Body};
use super::super::{Entry, Place};
use super::built_ins::{Direction, Form};
use super::interface::same_place;
use super::parts::{Group, Part};
use super::phases::Phase;
use crate::syntax::{Expr, Length, Local, LocalKind, Type, TypeShape};
use crate::write::WriteCode;

/// The word before the vertices of a primitive of a geometry shader, and their number.
pub(super) fn primitive(mode: Mode) -> Option<(&'static str, u32)> {
    Some(match mode {
        Mode::InputPoints => ("point", 1),
        Mode::InputLines => ("line", 2),
        Mode::InputLinesAdjacency => ("lineadj", 4),
        Mode::Triangles => ("triangle", 3),
        Mode::InputTrianglesAdjacency => ("triangleadj", 6),
        _ => return None,
    })
}

impl Body<'_, '_> {
    /// Declares the vertices of a primitive or a patch. A shader has them even if it reads none.
    pub(super) fn add_vertices(&mut self, entry: &Entry, parts: &[Part]) -> Result<(), Diagnostic> {
        let patch = self.cx.hlsl.patch.unwrap_or(Length::Constant(1));
        let (word, length) = match entry.model {
            Model::Geometry => {
                let found = self.cx.modes(entry).into_iter().find_map(|(mode, _)| primitive(mode));
                let Some((word, count)) = found else {
                    let message = "a geometry shader without a kind of primitives";
                    return self.refuse(WriteCode::Stage, entry.inst, message);
                };
                (word, Length::Constant(count))
            }
            Model::TessellationControl if self.cx.hlsl.phase == Phase::Patch && parts.is_empty() => return Ok(()),
            Model::TessellationControl => ("InputPatch", patch),
            Model::TessellationEvaluation => ("const OutputPatch", patch),
            _ => return Ok(()),
        };
        let all = match self.cx.hlsl.phase {
            Phase::Patch => self.cx.parts(entry, Direction::Input)?,
            _ => parts.to_vec(),
        };
        let all: Vec<Part> = all.into_iter().filter(|part| part.group == Group::Vertices).collect();
        let structure = self.interface_struct(entry, "Input", &all);
        self.add_array_of_vertices(&all, structure, (word, "input", length))
    }

    /// Declares a parameter that is an array of vertices.
    pub(super) fn add_array_of_vertices(
        &mut self,
        parts: &[Part],
        element: Type,
        (word, name, length): (&str, &str, Length),
    ) -> Result<(), Diagnostic> {
        let ty = self.cx.text.types.of(TypeShape::Array { element, length });
        let array = self.declare_input(name, ty, [word, ""]);
        if let Some(parameter) = self.function.parameters.last_mut() {
            parameter.is_written = word.starts_with("out ");
        }
        let array = self.local(array);
        self.bind_vertices(parts, array, length)
    }

    /// Makes variables of each vertex known under their places in an array of structs.
    fn bind_vertices(&mut self, parts: &[Part], array: Expr, length: Length) -> Result<(), Diagnostic> {
        let is_of_mesh = self.cx.stage() == Model::MeshEXT;
        for (number, part) in parts.iter().enumerate() {
            let is_first = number == 0 || !same_place(part, &parts[number - 1]);
            if is_of_mesh && !is_first {
                let message = "more than four distances in a mesh shader in HLSL";
                return self.refuse(WriteCode::Interface, part.variable, message);
            }
            if !self.cx.uses.is_used(part.variable) || !is_first {
                continue;
            }
            let members = number..number + parts[number..].iter().take_while(|&other| same_place(part, other)).count();
            let is_global = matches!(self.cx.globals.get(&part.variable), Some(Place::Global(_)));
            if is_global || part.form != Form::Plain && !is_of_mesh {
                let Length::Constant(count) = length else {
                    let message =
                        "an input of each vertex of a patch without a known number of vertices, in another form";
                    return self.refuse(WriteCode::Interface, part.variable, message);
                };
                self.copy_vertices(part, members, array, count)?;
            } else {
                self.bind_vertex_part(part, VertexPart::Members(array, number as u32));
            }
        }
        Ok(())
    }

    pub(super) fn bind_vertex_part(&mut self, part: &Part, place: VertexPart) {
        let Some(member) = part.member.map(|member| member as usize) else {
            self.interface.insert(part.variable, Access::Vertices(Vertices::Value(place)));
            return;
        };
        let known = self.interface.entry(part.variable);
        let known = known.or_insert_with(|| Access::Vertices(Vertices::Block(Vec::new())));
        if let Access::Vertices(Vertices::Block(members)) = known {
            members.resize(members.len().max(member + 1), None);
            members[member] = Some(place);
        }
    }

    /// Copies an input of each vertex to an array: the global of its variable, or a variable of the function.
    fn copy_vertices(
        &mut self,
        part: &Part,
        members: std::ops::Range<usize>,
        array: Expr,
        count: u32,
    ) -> Result<(), Diagnostic> {
        let place = part.variable;
        let (target, member) = match self.cx.globals.get(&part.variable).cloned() {
            Some(Place::Global(global)) => (self.cx.global(global), part.member),
            _ => {
                let element = self.cx.ty(part.value)?;
                let ty = self.cx.text.types.of(TypeShape::Array { element, length: Length::Constant(count) });
                let name = Some(part.name.trim_end_matches('0').to_owned());
                let local = self.function.add(Local { name, ty, kind: LocalKind::Variable, prefix: "" });
                self.declare_first(local, None);
                let array = self.local(local);
                self.bind_vertex_part(part, VertexPart::Elements(array));
                (self.local(local), None)
            }
        };
        for vertex in 0..count {
            let mut places = Vec::new();
            for number in members.clone() {
                let index = self.cx.int(vertex as i32);
                let part = VertexPart::Members(array, number as u32);
                places.push(self.part_of_vertex(part, index, place)?);
            }
            let value = self.input_value(part, &places)?;
            let (whole, index) = (self.cx.text.expressions.copy(target), self.cx.int(vertex as i32));
            let mut element = self.element(whole, index, place)?;
            if let Some(member) = member {
                element = self.member(element, member, place)?;
            }
            let wanted: Type = self.type_of(element);
            let value = self.convert(value, wanted, place)?;
            self.assign_to(element, value);
        }
        Ok(())
    }
}
