//! Inputs and outputs: members of a struct of the entry point, one for each location.
//!
//! ```text
//! %uv: Input vec2 = variable, Location 1         ⇒      struct FragmentIn { float2 uv [[user(locn1)]]; };
//! %world: Input mat4 = variable, Location 4      ⇒      struct VertexIn { float4 world_0 [[attribute(4)]]; … };
//!                                                       float4x4 world = float4x4(in.world_0, …);
//! ```

use reconverge_diagnostic::Diagnostic;
use reconverge_ir::Inst;
use reconverge_ir::decoration::{self, Component, Decorations, Location};
use reconverge_ir::view::{self, TypeView};
use spirv::{Decoration, ExecutionModel as Model};

use super::super::function::Body;
use super::super::{Lowering, Place};
use super::Copy;
use super::built_ins::Direction;
use crate::interface::InterfaceVariable;
use crate::syntax::{Arguments, Effects, Expr, GlobalId, Named, Role, Shape, Type, TypeShape, VariableNote};
use crate::write::WriteCode;

/// The location of an input or output, and the words of its attribute.
#[derive(Clone)]
pub(super) struct Slot {
    pub(super) variable: Inst,
    pub(super) direction: Direction,
    pub(super) location: u32,
    pub(super) component: u32,
    /// The words of the attribute behind the location.
    pub(super) words: String,
}

impl Slot {
    pub(super) fn is_input(&self) -> bool {
        self.direction == Direction::Input
    }
}

/// The parts of an input or output that is no vector.
struct Parts {
    path: Vec<u32>,
    found: Vec<(Vec<u32>, GlobalId)>,
}

impl Lowering<'_> {
    /// An input or output.
    pub(super) fn add_io(
        &mut self,
        variable: Inst,
        pointee: Inst,
        direction: Direction,
        initializer: Option<Inst>,
    ) -> Result<(), Diagnostic> {
        if let Some(constant) = initializer {
            if self.model_of(variable) == Model::MeshEXT {
                return self.refuse(WriteCode::Interface, variable, "an output of a mesh with a first value in MSL");
            }
            self.first_values.push((variable, constant));
        }
        let is_of_stage = match (self.model_of(variable), direction) {
            (Model::TessellationEvaluation, Direction::Input) => self.add_control_points(variable, pointee)?,
            (Model::MeshEXT, Direction::Output) => self.add_mesh_output(variable, pointee)?,
            _ => false,
        };
        if is_of_stage {
            return Ok(());
        }
        let notes = self.source.decorated(variable);
        if notes.has(Decoration::PerVertexKHR) {
            return self.refuse(WriteCode::Interface, variable, "an input of each vertex in MSL");
        }
        if let Some(decoration::BuiltIn(built_in)) = notes.find() {
            let global = self.built_in_of(built_in, pointee, direction, variable)?;
            self.globals.insert(variable, Place::Global(global));
            return Ok(());
        }
        if let Some(TypeView::Struct { members }) = self.source.type_view(pointee) {
            let members = members.to_vec();
            let has_built_ins = self.source.decorated(pointee).members().any(|note| note.is(Decoration::BuiltIn));
            let used = self.used_members(variable, 0);
            if let Some(used) = used.or_else(|| has_built_ins.then(|| (0..members.len() as u32).collect())) {
                let members = members.into_iter().enumerate().map(|(number, ty)| (ty, used.contains(&(number as u32))));
                return self.add_members(variable, pointee, &members.collect::<Vec<_>>(), direction);
            }
        }
        let location = notes.find().map(|Location(location)| location);
        let slot = Slot {
            variable,
            direction,
            location: location.or_else(|| self.first_location(pointee)).unwrap_or(0),
            component: notes.find().map_or(0, |Component(component)| component),
            words: self.interpolation(notes, variable, direction),
        };
        let name = self.io_name(variable, direction);
        let global = self.io_global(pointee, &slot, name)?;
        self.globals.insert(variable, Place::Global(global));
        Ok(())
    }

    fn io_name(&self, variable: Inst, direction: Direction) -> String {
        let default = if direction == Direction::Input { "value" } else { "result" };
        self.name(variable).unwrap_or_else(|| default.to_owned())
    }

    fn first_location(&self, structure: Inst) -> Option<u32> {
        self.source.decorated(structure).member(0).find().map(|Location(location)| location)
    }

    /// A struct whose members are variables of their own; those that are used are declared.
    fn add_members(
        &mut self,
        variable: Inst,
        structure: Inst,
        members: &[(Inst, bool)],
        direction: Direction,
    ) -> Result<(), Diagnostic> {
        let mut globals = vec![None; members.len()];
        let own = self.source.decorated(variable);
        let mut next = own.find().map(|Location(location)| location);
        for (number, &(ty, is_used)) in members.iter().enumerate() {
            let notes = self.source.decorated(structure).member(number as u32);
            if let Some(decoration::BuiltIn(built_in)) = notes.find() {
                if is_used {
                    globals[number] = Some(self.built_in_of(built_in, ty, direction, variable)?);
                }
                continue;
            }
            let location = notes.find().map(|Location(location)| location).or(next).unwrap_or(0);
            next = Some(location + self.io_locations(ty));
            if is_used {
                let slot = Slot {
                    variable,
                    direction,
                    location,
                    component: notes.find().map_or(0, |Component(component)| component),
                    words: self.member_interpolation([notes, own], variable, direction),
                };
                let name = self.member_name(structure, number as u32);
                let name = name.unwrap_or_else(|| format!("{}_{number}", self.io_name(variable, direction)));
                globals[number] = Some(self.io_global(ty, &slot, name)?);
            }
        }
        self.globals.insert(variable, Place::Members(globals));
        Ok(())
    }

    fn member_interpolation(&self, notes: [Decorations<'_>; 2], variable: Inst, direction: Direction) -> String {
        let [of_member, of_variable] = notes.map(|notes| self.interpolation(notes, variable, direction));
        if of_member.is_empty() { of_variable } else { of_member }
    }

    /// The words for the interpolation of a fragment's input.
    fn interpolation(&self, notes: Decorations<'_>, variable: Inst, direction: Direction) -> String {
        if direction == Direction::Output || self.model_of(variable) != Model::Fragment {
            return String::new();
        }
        let is_linear = notes.has(Decoration::NoPerspective);
        let word = match (notes.has(Decoration::Centroid), notes.has(Decoration::Sample)) {
            _ if notes.has(Decoration::Flat) => "flat",
            (true, _) if is_linear => "centroid_no_perspective",
            (true, _) => "centroid_perspective",
            (_, true) if is_linear => "sample_no_perspective",
            (_, true) => "sample_perspective",
            _ if is_linear => "center_no_perspective",
            _ => return String::new(),
        };
        format!(", {word}")
    }

    /// The global of an input or output: itself a member, or a variable that is made of members.
    fn io_global(&mut self, ty: Inst, slot: &Slot, name: String) -> Result<GlobalId, Diagnostic> {
        let converted = self.ty(ty)?;
        if self.text.types.is_numbers(converted) {
            return self.io_member(converted, slot, name);
        }
        let mut parts = Parts { path: Vec::new(), found: Vec::new() };
        let mut slot = slot.clone();
        let value = self.io_parts(ty, &mut slot, &name, &mut parts)?;
        let is_input = slot.direction == Direction::Input;
        let role = Role::Variable(is_input.then_some(value));
        let whole = self.of_entry(name, converted, role, ("", String::new()));
        if !is_input {
            self.set_written(whole);
            let variable = slot.variable;
            let copies = parts.found.into_iter().map(|(path, part)| Copy { variable, whole, path, part });
            self.msl.copies.extend(copies);
        }
        Ok(whole)
    }

    /// The members of a type that is no vector, and the value that is made of them. The depth is that of the type.
    fn io_parts(&mut self, ty: Inst, slot: &mut Slot, name: &str, parts: &mut Parts) -> Result<Expr, Diagnostic> {
        let converted = self.ty(ty)?;
        let members: Vec<Inst> = match self.source.type_view(ty) {
            Some(TypeView::Matrix { column, count }) => vec![column; count as usize],
            Some(TypeView::Array { element, length }) => match self.source.constant_word(length) {
                Some(count) => vec![element; count as usize],
                None => return self.refuse(WriteCode::Interface, slot.variable, "an array of a specialized length"),
            },
            Some(TypeView::Struct { members }) => members.to_vec(),
            _ => {
                let global = self.io_member(converted, slot, name.to_owned())?;
                parts.found.push((parts.path.clone(), global));
                slot.location += 1;
                return Ok(self.global(global));
            }
        };
        let is_struct = matches!(self.text.types[converted], TypeShape::Struct(_));
        let mut values = Arguments::new();
        for (number, &member) in members.iter().enumerate() {
            if is_struct {
                let notes = self.source.decorated(ty).member(number as u32);
                if let Some(Location(location)) = notes.find() {
                    slot.location = location;
                }
                let words = self.interpolation(notes, slot.variable, slot.direction);
                if !words.is_empty() {
                    slot.words = words;
                }
            }
            let own = self.member_name(ty, number as u32).filter(|_| is_struct);
            let name = own.unwrap_or_else(|| format!("{name}_{number}"));
            parts.path.push(number as u32);
            values.push(self.io_parts(member, slot, &name, parts)?);
            parts.path.pop();
        }
        Ok(self.text.expressions.add(Shape::Construct(values), converted, Effects::PURE))
    }

    /// The attribute of an input or output that is a number or a vector, and its note.
    pub(super) fn attribute_of(&mut self, ty: Type, slot: &Slot) -> Result<(String, InterfaceVariable), Diagnostic> {
        let model = match self.model_of(slot.variable) {
            Model::TessellationEvaluation | Model::MeshEXT => Model::Vertex,
            model => model,
        };
        let Slot { location, component, words, .. } = slot;
        let notes = self.source.decorated(slot.variable);
        let scalar = self.text.types.scalar(ty);
        let is_end =
            matches!((model, slot.direction), (Model::Vertex, Direction::Input) | (Model::Fragment, Direction::Output));
        if scalar.is_some_and(|scalar| scalar.width == 64) || is_end && *component > 0 {
            let message = "an input or output of 64 bits, or at a component, in MSL";
            return self.refuse(WriteCode::Interface, slot.variable, message);
        }
        let index = notes.note(Decoration::Index).and_then(|note| note.words().next()).filter(|&index| index > 0);
        let suffix = match (model, slot.direction, index) {
            (Model::Vertex, Direction::Input, _) => format!("[[attribute({location})]]"),
            (Model::Fragment, Direction::Output, Some(index)) => format!("[[color({location}), index({index})]]"),
            (Model::Fragment, Direction::Output, None) => format!("[[color({location})]]"),
            (Model::Vertex | Model::Fragment, ..) if *component > 0 => {
                format!("[[user(locn{location}_{component}){words}]]")
            }
            (Model::Vertex | Model::Fragment, ..) => format!("[[user(locn{location}){words}]]"),
            _ => return self.refuse(WriteCode::Interface, slot.variable, "an input or output of a kernel in MSL"),
        };
        let entry = self.entry_of(slot.variable).map(|entry| entry.inst);
        if !self.msl.attributes.insert((entry, slot.is_input(), suffix.clone())) {
            let message = format!("two inputs or outputs at location {location} in MSL");
            return self.refuse(WriteCode::Interface, slot.variable, message);
        }
        let variable = InterfaceVariable {
            name: String::new(),
            location: *location,
            component: *component,
            index: index.unwrap_or(0),
            attribute: Some(suffix.trim_start_matches("[[").trim_end_matches("]]").to_owned()),
        };
        Ok((suffix, variable))
    }

    /// A member of the struct of inputs or outputs.
    fn io_member(&mut self, ty: Type, slot: &Slot, name: String) -> Result<GlobalId, Diagnostic> {
        let (suffix, variable) = self.attribute_of(ty, slot)?;
        let role = if slot.direction == Direction::Input { Role::Input } else { Role::Output };
        let global = self.of_entry(name, ty, role, ("", suffix));
        if slot.direction == Direction::Output {
            self.set_written(global);
        }
        let is_input = slot.direction == Direction::Input;
        self.text.notes.add_variable(VariableNote { named: Named::Global(global), entry: None, is_input, variable });
        Ok(global)
    }

    /// Notes an input that has the number of an attribute without a location.
    pub(super) fn note_attribute(&mut self, global: GlobalId, number: u32, attribute: String) {
        let name = String::new();
        let variable = InterfaceVariable { name, location: number, component: 0, index: 0, attribute: Some(attribute) };
        let named = Named::Global(global);
        self.text.notes.add_variable(VariableNote { named, entry: None, is_input: true, variable });
    }
}

impl Body<'_, '_> {
    /// Copies the parts of outputs to the members that they are.
    pub(in crate::lower) fn msl_before_return(&mut self) -> Result<(), Diagnostic> {
        let Some(entry) = self.entry.and_then(|inst| view::EntryPoint::of(self.source, inst)) else { return Ok(()) };
        let (place, interface) = (entry.function, entry.interface.to_vec());
        let copies: Vec<Copy> =
            self.cx.msl.copies.iter().filter(|copy| interface.contains(&copy.variable)).cloned().collect();
        for Copy { whole, path, part, .. } in copies {
            let mut value = self.cx.global(whole);
            for &index in &path {
                value = match self.cx.text.types[self.type_of(value)] {
                    TypeShape::Struct(_) => self.member(value, index, place)?,
                    _ => {
                        let index = self.cx.int(index as i32);
                        self.element(value, index, place)?
                    }
                };
            }
            let mut target = self.cx.global(part);
            if let (TypeShape::Array { .. }, Some(&index)) = (self.cx.text.types[self.type_of(target)], path.last()) {
                let index = self.cx.int(index as i32);
                target = self.element(target, index, place)?;
            }
            let wanted = self.type_of(target);
            let value = self.convert(value, wanted, place)?;
            self.assign_to(target, value);
        }
        Ok(())
    }
}
