//! Inputs and outputs: parameters of the entry point and what it returns.
//!
//! ```text
//! struct VertexOutput { @builtin(position) position: vec4f, @location(0) uv: vec2f }
//! @vertex
//! fn main(@location(0) point: vec3f) -> VertexOutput { … }
//! ```
//!
//! One part at a location is a parameter or the result itself, several are a struct. A built-in input is a parameter. A variable that other
//! functions use is a private variable, which the entry point copies.

use reconverge_diagnostic::Diagnostic;
use reconverge_ir::view::TypeView;
use reconverge_ir::{Inst, Op, decoration, view};
use rustc_hash::FxHashMap;
use spirv::{BuiltIn, ExecutionModel as Model, StorageClass};

use super::super::function::{Access, Body, Outputs};
use super::super::uses::root;
use super::super::{Entry, Place};
use super::built_ins::{Direction, is_mask};
use super::parts::Part;
use crate::interface::InterfaceVariable;
use crate::syntax::{
    Expr, Local, LocalId, LocalKind, Member, Named, Parameter, Scalar, Shape, StatementKind, Struct, Type, TypeShape,
    VariableNote,
};
use crate::write::WriteCode;

impl Body<'_, '_> {
    /// Adds the interface of an entry point: its attributes, parameters and result.
    pub(in crate::lower) fn wgsl_enter(&mut self, entry: Option<&Entry>) -> Result<(), Diagnostic> {
        let Some(entry) = entry else { return Ok(()) };
        self.function.attributes = self.cx.wgsl_attributes(entry)?;
        if entry.model == Model::GLCompute {
            self.function.workgroup_size = self.cx.wgsl_workgroup_size(entry)?;
        }
        let inputs = self.cx.wgsl_parts(entry, Direction::Input)?;
        let places = self.wgsl_input_places(entry, &inputs);
        self.bind_wgsl_inputs(&inputs, &places)?;
        self.add_lane_masks(entry)?;
        let mut outputs = self.cx.wgsl_parts(entry, Direction::Output)?;
        if entry.model == Model::Vertex && !outputs.iter().any(|part| part.attributes.contains("(position)")) {
            outputs.insert(0, self.zero_position(entry));
        }
        self.add_wgsl_outputs(entry, &outputs)
    }

    /// The position of a vertex, which every vertex shader returns.
    fn zero_position(&mut self, entry: &Entry) -> Part {
        Part {
            variable: entry.inst,
            member: None,
            path: Vec::new(),
            name: "position".to_owned(),
            ty: self.cx.text.types.numbers(Scalar::FLOAT, 4),
            attributes: "@builtin(position)".to_owned(),
            is_built_in: true,
            location: 0,
        }
    }

    /// The parameters of the entry point, and the place of each part in them.
    fn wgsl_input_places(&mut self, entry: &Entry, parts: &[Part]) -> Vec<Expr> {
        let located: Vec<Part> = parts.iter().filter(|part| !part.is_built_in).cloned().collect();
        let mut members = Vec::new();
        if located.len() > 1 {
            let ty = self.wgsl_struct(entry, "Input", &located);
            let local = self.input_parameter("in", ty, String::new());
            members = self.members_of_struct(local, &located);
        }
        let mut members = members.into_iter();
        let mut places = Vec::new();
        for part in parts {
            let member = if part.is_built_in { None } else { members.next() };
            places.push(match member {
                Some(member) => member,
                None => self.built_in_parameter(part),
            });
        }
        places
    }

    /// The parameter of a part; variables with one built-in have one.
    fn built_in_parameter(&mut self, part: &Part) -> Expr {
        let known = self.function.parameters.iter().find(|known| known.prefix == part.attributes).map(|one| one.local);
        let local = known.unwrap_or_else(|| self.input_parameter(&part.name, part.ty, part.attributes.clone()));
        self.note_part_of_wgsl(part, Named::Local(self.cx.text.notes.entry_functions.len(), local));
        self.local(local)
    }

    fn input_parameter(&mut self, name: &str, ty: Type, prefix: String) -> LocalId {
        let kind = LocalKind::Parameter;
        let local = self.function.add(Local { name: Some(name.to_owned()), ty, kind, prefix: "" });
        self.function.parameters.push(Parameter { local, is_written: false, prefix, suffix: String::new() });
        local
    }

    fn members_of_struct(&mut self, local: LocalId, parts: &[Part]) -> Vec<Expr> {
        let mut places = Vec::new();
        for (number, part) in parts.iter().enumerate() {
            let base = self.local(local);
            places.push(self.pure(Shape::Member { base, member: number as u32 }, part.ty));
        }
        places
    }

    fn wgsl_struct(&mut self, entry: &Entry, suffix: &str, parts: &[Part]) -> Type {
        let members = parts.iter().map(|part| Member {
            name: part.name.clone(),
            ty: part.ty,
            prefix: part.attributes.clone(),
            suffix: String::new(),
        });
        let stage = match entry.model {
            Model::Vertex => "Vertex",
            Model::Fragment => "Fragment",
            _ => "Compute",
        };
        let found = Struct { name: format!("{stage}{suffix}"), members: members.collect(), is_block: false };
        let id = self.cx.text.add_struct(found);
        for (number, part) in (0..).zip(parts) {
            self.note_part_of_wgsl(part, Named::Member(id, number));
        }
        self.cx.text.types.of(TypeShape::Struct(id))
    }

    /// Notes a part that has a location.
    fn note_part_of_wgsl(&mut self, part: &Part, named: Named) {
        if part.is_built_in {
            return;
        }
        let (is_input, index) = (self.cx.is_input(part.variable), self.cx.blend_index(part.variable));
        let location = part.location;
        let variable = InterfaceVariable { name: String::new(), location, component: 0, index, attribute: None };
        self.cx.text.notes.add_variable(VariableNote { named, entry: self.entry, is_input, variable });
    }

    /// Makes inputs known under their places, or as values that are made of them.
    fn bind_wgsl_inputs(&mut self, parts: &[Part], places: &[Expr]) -> Result<(), Diagnostic> {
        for (number, part) in parts.iter().enumerate() {
            let is_same = |other: &Part| other.variable == part.variable && other.member == part.member;
            if parts[..number].iter().any(is_same) {
                continue;
            }
            let own = parts.iter().zip(places).filter(|(other, _)| is_same(other));
            let values = own.map(|(other, &place)| (other.path.clone(), place)).collect();
            self.bind_wgsl_input(part, &values)?;
        }
        Ok(())
    }

    fn bind_wgsl_input(&mut self, part: &Part, values: &FxHashMap<Vec<u32>, Expr>) -> Result<(), Diagnostic> {
        let Some(ty) = self.type_of_part(part) else { return Ok(()) };
        let value = self.input_of(ty, &mut Vec::new(), values)?;
        if let Some(target) = self.private_variable(part)? {
            self.assign_to(target, value);
            return Ok(());
        }
        let value = self.nameable_input(part.variable, value);
        self.bind_part(part, value);
        Ok(())
    }

    /// The type in the module of the variable of a part, or of its member.
    fn type_of_part(&self, part: &Part) -> Option<Inst> {
        let pointee = self.source.pointee(part.variable)?;
        match part.member {
            Some(member) => self.source.part_type(pointee, member as usize),
            None => Some(pointee),
        }
    }

    /// The private variable of a part that functions use, or its member.
    fn private_variable(&mut self, part: &Part) -> Result<Option<Expr>, Diagnostic> {
        let Some(Place::Global(global)) = self.cx.globals.get(&part.variable).cloned() else { return Ok(None) };
        let whole = self.cx.global(global);
        Ok(Some(match part.member {
            Some(member) => self.member(whole, member, part.variable)?,
            None => whole,
        }))
    }

    /// Makes the variable of a part, or its member, known under a place.
    fn bind_part(&mut self, part: &Part, place: Expr) {
        let Some(member) = part.member else {
            self.interface.insert(part.variable, Access::Whole(place));
            return;
        };
        let known = self.interface.entry(part.variable).or_insert_with(|| Access::Members(Vec::new()));
        if let Access::Members(members) = known {
            members.resize(members.len().max(member as usize + 1), None);
            members[member as usize] = Some(place);
        }
    }

    /// A place, or the name of a value.
    fn nameable_input(&mut self, variable: Inst, value: Expr) -> Expr {
        if matches!(self.cx.text.expressions[value].shape, Shape::Local(_) | Shape::Member { .. }) {
            return value;
        }
        let ty = self.type_of(value);
        let name = Some(self.cx.interface_name(variable, "value"));
        let local = self.function.add(Local { name, ty, kind: LocalKind::Value, prefix: "" });
        self.statement(StatementKind::Declare { local, value: Some(value) });
        self.local(local)
    }

    /// A value of the module from its parts; those that are not used are zero. The depth of the path is limited.
    fn input_of(
        &mut self,
        ty: Inst,
        path: &mut Vec<u32>,
        values: &FxHashMap<Vec<u32>, Expr>,
    ) -> Result<Expr, Diagnostic> {
        let wanted = self.cx.ty(ty)?;
        if let Some(&value) = values.get(path) {
            let value = self.cx.text.expressions.copy(value);
            let (from, shape) = (self.type_of(value), self.cx.text.types[wanted]);
            // A mask of samples is a number in the language.
            return match (shape, self.cx.text.types[from]) {
                (TypeShape::Array { element, .. }, TypeShape::Scalar(_)) => {
                    let mask = self.convert(value, element, ty)?;
                    Ok(self.construct([mask], wanted))
                }
                _ => self.convert(value, wanted, ty),
            };
        }
        if !values.keys().any(|known| known.starts_with(path)) {
            return self.cx.zero(wanted, ty);
        }
        let parts = match self.source.type_view(ty) {
            Some(TypeView::Struct { members }) => members.to_vec(),
            Some(TypeView::Matrix { column, count }) => vec![column; count as usize],
            Some(TypeView::Array { element, length }) => {
                vec![element; self.source.constant_word(length).unwrap_or(0) as usize]
            }
            _ => return self.cx.zero(wanted, ty),
        };
        let mut components = Vec::new();
        for (number, part) in parts.into_iter().enumerate() {
            path.push(number as u32);
            components.push(self.input_of(part, path, values)?);
            path.pop();
        }
        Ok(self.construct(components, wanted))
    }

    /// Computes the masks of lanes that the entry point reads.
    fn add_lane_masks(&mut self, entry: &Entry) -> Result<(), Diagnostic> {
        let listed = view::EntryPoint::of(self.source, entry.inst);
        for variable in listed.map_or_else(Vec::new, |entry| entry.interface.to_vec()) {
            let note = self.source.decorated(variable).find();
            let Some(decoration::BuiltIn(built_in)) = note.filter(|found: &decoration::BuiltIn| is_mask(found.0))
            else {
                continue;
            };
            if !self.cx.uses.is_used(variable) {
                continue;
            }
            if self.cx.globals.contains_key(&variable) {
                return self.refuse(WriteCode::Interface, variable, "a mask of lanes in a function, in WGSL");
            }
            let mask = self.lane_mask(built_in, variable)?;
            let name = self.name_value(mask);
            let read = self.local(name);
            self.interface.insert(variable, Access::Whole(read));
        }
        Ok(())
    }

    /// The number of the lane: a parameter of the entry point.
    pub(in crate::lower) fn wgsl_lane(&mut self, place: Inst) -> Result<Expr, Diagnostic> {
        if self.entry.is_none() {
            return self.refuse(WriteCode::Op, place, "the number of the lane in a function, in WGSL");
        }
        self.cx.require("subgroups", place);
        let part = Part {
            variable: place,
            member: None,
            path: Vec::new(),
            name: "lane".to_owned(),
            ty: self.cx.text.types.numbers(Scalar::UINT, 1),
            attributes: "@builtin(subgroup_invocation_id)".to_owned(),
            is_built_in: true,
            location: 0,
        };
        Ok(self.built_in_parameter(&part))
    }

    /// The variable of the result, and the places of outputs in it.
    fn add_wgsl_outputs(&mut self, entry: &Entry, parts: &[Part]) -> Result<(), Diagnostic> {
        let (ty, name) = match parts {
            [] => return Ok(()),
            [only] => (only.ty, only.name.clone()),
            _ => (self.wgsl_struct(entry, "Output", parts), "out".to_owned()),
        };
        if let [only] = parts {
            self.function.suffix.clone_from(&only.attributes);
            self.note_part_of_wgsl(only, Named::Result);
        }
        let result = self.function.add(Local { name: Some(name), ty, kind: LocalKind::Variable, prefix: "" });
        let places = match parts {
            [_] => vec![self.local(result)],
            _ => self.members_of_struct(result, parts),
        };
        self.declare_first(result, None);
        self.function.result = ty;
        self.outputs = Some(Outputs { result, copies: Vec::new() });
        for (part, place) in parts.iter().zip(places) {
            if part.variable != entry.inst {
                self.add_wgsl_output(part, place)?;
            }
        }
        self.assign_first_outputs(parts)
    }

    fn add_wgsl_output(&mut self, part: &Part, place: Expr) -> Result<(), Diagnostic> {
        let Some(value_type) = self.type_of_part(part) else { return Ok(()) };
        let wanted = self.cx.ty(value_type)?;
        let private = self.private_variable(part)?;
        if private.is_none() && part.path.is_empty() && self.type_of(place) == wanted {
            self.bind_part(part, place);
            return Ok(());
        }
        let source = match private {
            Some(private) => private,
            None => self.output_variable(part, wanted),
        };
        let value = self.along(source, value_type, part)?;
        let target = self.type_of(place);
        // A mask of samples is a number in the language.
        let value = match (self.cx.text.types[self.type_of(value)], self.cx.text.types[target]) {
            (TypeShape::Array { .. }, TypeShape::Scalar(_)) => {
                let index = self.cx.int(0);
                self.element(value, index, part.variable)?
            }
            _ => value,
        };
        let value = self.convert(value, target, part.variable)?;
        if let Some(outputs) = &mut self.outputs {
            outputs.copies.push((place, value));
        }
        Ok(())
    }

    /// The variable that has the value of an output until the entry point returns.
    fn output_variable(&mut self, part: &Part, ty: Type) -> Expr {
        let bound = match (self.interface.get(&part.variable), part.member) {
            (Some(Access::Whole(expr)), None) => Some(*expr),
            (Some(Access::Members(members)), Some(member)) => members.get(member as usize).copied().flatten(),
            _ => None,
        };
        if let Some(bound) = bound {
            return self.cx.text.expressions.copy(bound);
        }
        let name = Some(self.cx.interface_name(part.variable, "result"));
        let local = self.function.add(Local { name, ty, kind: LocalKind::Variable, prefix: "" });
        self.declare_first(local, None);
        let place = self.local(local);
        self.bind_part(part, place);
        self.local(local)
    }

    /// Assigns the outputs that have a value before the entry point runs.
    fn assign_first_outputs(&mut self, parts: &[Part]) -> Result<(), Diagnostic> {
        let mut known = rustc_hash::FxHashSet::default();
        for part in parts {
            let initializer = view::Variable::of(self.source, part.variable).and_then(|found| found.initializer);
            let Some(constant) = initializer.filter(|_| known.insert(part.variable)) else { continue };
            // Variables begin as zeros.
            if self.source.op(constant) == Op::ConstantNull {
                continue;
            }
            if part.member.is_some() {
                return self.refuse(WriteCode::Interface, part.variable, "a block with a first value in WGSL");
            }
            let value = self.value(constant)?;
            self.store_value(part.variable, value, part.variable)?;
        }
        Ok(())
    }

    /// A part of the value of a variable of this type.
    fn along(&mut self, source: Expr, ty: Inst, part: &Part) -> Result<Expr, Diagnostic> {
        let (mut value, mut ty) = (source, ty);
        for &step in &part.path {
            value = match self.source.type_view(ty) {
                Some(TypeView::Struct { .. }) => {
                    let member = self.cx.member_place(ty, step);
                    self.member(value, member, part.variable)?
                }
                _ => {
                    let index = self.cx.int(step as i32);
                    self.element(value, index, part.variable)?
                }
            };
            let Some(inner) = self.source.part_type(ty, step as usize) else { return self.unknown(part.variable) };
            ty = inner;
        }
        Ok(value)
    }

    /// The variable that an entry point returns, behind the copies to it.
    pub(in crate::lower) fn wgsl_entry_result(&mut self) -> Result<Option<Expr>, Diagnostic> {
        self.hlsl_entry_result()
    }

    /// Returns whether a store writes the size of points, which the language does not have: they have the size 1.
    ///
    /// # Errors
    /// The size is another one.
    pub(super) fn stores_point_size(&mut self, pointer: Inst, inst: Inst) -> Result<bool, Diagnostic> {
        let is_size = |note: Option<decoration::BuiltIn>| note.is_some_and(|found| found.0 == BuiltIn::PointSize);
        let variable = root(self.source, pointer);
        if self.source.storage_class(variable) != Some(StorageClass::Output) {
            return Ok(false);
        }
        let member = view::Chain::of(self.source, pointer).and_then(|chain| chain.indexes.first());
        let of_member = match (member.and_then(|member| self.word(member)), self.source.pointee(variable)) {
            (Some(member), Some(block)) => is_size(self.source.decorated(block).member(member).find()),
            _ => false,
        };
        if !of_member && !is_size(self.source.decorated(variable).find()) {
            return Ok(false);
        }
        let object = view::Store::of(self.source, inst).map(|store| store.object);
        match object.and_then(|object| self.source.constant_word(object)) == Some(1.0_f32.to_bits()) {
            true => Ok(true),
            false => self.refuse(WriteCode::Interface, inst, "a size of points other than 1 in WGSL"),
        }
    }
}
