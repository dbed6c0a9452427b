//! Inputs and outputs: parameters of the entry point and what it returns.
//!
//! ```text
//! struct Input { float2 uv : TEXCOORD0; float4 frag_coord : SV_Position; };
//! float4 main(Input input) : SV_Target0 { …; return color; }
//! ```
//!
//! One part is a parameter or the result itself, several are a struct; those of a compute shader are parameters. A variable that other functions use is
//! a `static` global, which the entry point copies. A value of another form than the semantic has is a variable.

use reconverge_diagnostic::Diagnostic;
use reconverge_ir::{Inst, Op, decoration, view};
use spirv::{BuiltIn, ExecutionModel as Model, StorageClass};

use super::super::function::vertices::VertexPart;
use super::super::function::{Access, Body, Outputs};
use super::super::{Entry, Lowering, Place};
use super::built_ins::{self, Direction, Form};
use super::parts::{Group, Part, is_mask};
use super::phases::Phase;
use crate::syntax::{
    Effects, Expr, Global, GlobalKind, Local, LocalId, LocalKind, Member, Named, Parameter, Scalar, Shape, Struct,
    StructId, Type, TypeShape,
};
use crate::write::WriteCode;

impl Lowering<'_> {
    /// Declares an interface variable that functions besides entry points use.
    pub(super) fn add_shared_interface(&mut self, variable: Inst, pointee: Inst) -> Result<(), Diagnostic> {
        let is_of_callee = self
            .source
            .uses(variable)
            .any(|used| self.source.function_of(used.user).is_some_and(|function| self.callees.contains(&function)));
        let built_in = self.source.decorated(variable).find().map(|decoration::BuiltIn(built_in)| built_in);
        let is_computed = built_in.is_some_and(|found| {
            built_ins::function(found).is_some()
                || matches!(found, BuiltIn::NumWorkgroups | BuiltIn::PatchVertices)
                || is_mask(found)
        });
        let is_emitted =
            self.source.storage_class(variable) == Some(StorageClass::Output) && !self.hlsl.emitting.is_empty();
        if !(is_of_callee || is_emitted) || is_computed {
            return Ok(());
        }
        let is_of_mesh = self.entries.iter().any(|entry| entry.model == Model::MeshEXT);
        if is_of_mesh && self.source.storage_class(variable) == Some(StorageClass::Output) {
            let message = "an output of a mesh shader that a function uses, in HLSL";
            return self.refuse(WriteCode::Interface, variable, message);
        }
        let ty = self.ty(pointee)?;
        let name = self.name(variable).map(|name| name.trim_start_matches("gl_").to_owned());
        let name = name.unwrap_or_else(|| "value".to_owned());
        let (kind, prefix, suffix) = (GlobalKind::Variable(None), "static".to_owned(), String::new());
        let id = self.text.add_global(Global { name, ty, kind, prefix, suffix, is_written: true });
        self.globals.insert(variable, Place::Global(id));
        Ok(())
    }
}

impl Body<'_, '_> {
    /// Adds the interface: for all functions what functions of the language have, for an entry point its parameters and result.
    pub(in crate::lower) fn hlsl_enter(&mut self, entry: Option<&Entry>) -> Result<(), Diagnostic> {
        if let Some(entry) = entry.filter(|entry| is_tessellation(entry.model)) {
            self.cx.find_patch(entry)?;
        }
        for variable in self.cx.used_variables() {
            if self.source.storage_class(variable) == Some(StorageClass::Input)
                && let Some(decoration::BuiltIn(built_in)) = self.source.decorated(variable).find()
            {
                self.add_computed(variable, built_in)?;
            }
        }
        let Some(entry) = entry else { return self.add_streams_of_callee() };
        self.begin_phase(entry)?;
        self.function.attributes = self.cx.attributes(entry)?;
        let [vertices, patch, inputs] = self.sorted_inputs(entry)?;
        self.add_patch_inputs(entry, patch)?;
        self.add_vertices(entry, &vertices)?;
        let places = self.input_places(entry, &inputs);
        self.bind_inputs(&inputs, &places)?;
        if entry.model == Model::TaskEXT {
            self.check_tasks(entry)?;
        }
        let outputs = self.cx.parts(entry, Direction::Output)?;
        match entry.model {
            Model::Geometry => self.add_streams(entry, &outputs),
            Model::TessellationControl => self.add_phase_outputs(entry, outputs),
            Model::MeshEXT => self.add_mesh(entry, outputs),
            _ => self.add_outputs(entry, &outputs, "Output"),
        }
    }

    /// A built-in that a function or a constant buffer has.
    fn add_computed(&mut self, variable: Inst, built_in: BuiltIn) -> Result<(), Diagnostic> {
        let Some(pointee) = self.source.pointee(variable) else { return Ok(()) };
        if built_in == BuiltIn::NumWorkgroups {
            if let Some(global) = self.cx.hlsl.dispatch {
                let base = self.cx.global(global);
                let member = self.member(base, 0, variable)?;
                self.interface.insert(variable, Access::Whole(member));
            }
            return Ok(());
        }
        if built_in == BuiltIn::PatchVertices {
            if let Some(count) = self.patch_vertices() {
                self.interface.insert(variable, Access::Whole(count));
            }
            return Ok(());
        }
        if is_mask(built_in) {
            let is_here = self.is_used_here(variable);
            if is_here {
                let mask = self.lane_mask(built_in, variable)?;
                let name = self.name_value(mask);
                let read = self.local(name);
                self.interface.insert(variable, Access::Whole(read));
            }
            return Ok(());
        }
        let Some((name, since)) = built_ins::function(built_in) else { return Ok(()) };
        self.cx.check_version(since, &format!("the built-in {built_in:?}"), variable)?;
        let ty = self.cx.ty(pointee)?;
        let is_bool = self.kind_of(ty) == crate::syntax::ScalarKind::Bool;
        let own = if is_bool { ty } else { self.cx.text.types.numbers(Scalar::UINT, 1) };
        let effects = if is_bool { Effects::READS } else { Effects::PURE };
        let value = self.call_with(name, &[], own, effects);
        self.interface.insert(variable, Access::Whole(value));
        Ok(())
    }

    fn is_used_here(&self, variable: Inst) -> bool {
        let here = self.function.origin;
        let mut uses = self.source.uses(variable);
        uses.any(|used| self.source.function_of(used.user).map(|function| function.inst()) == here)
    }

    /// The parameters of the entry point, and the place of each part in them. Parts with one semantic have one place.
    fn input_places(&mut self, entry: &Entry, parts: &[Part]) -> Vec<Expr> {
        let mut own: Vec<Part> = Vec::new();
        for part in parts {
            if own.iter().all(|known| known.semantic != part.semantic) {
                own.push(part.clone());
            }
        }
        let places = self.own_places(entry, &own);
        let place = |part: &Part| own.iter().position(|known| known.semantic == part.semantic);
        let found: Vec<Expr> = parts.iter().filter_map(place).map(|number| places[number]).collect();
        found.into_iter().map(|place| self.cx.text.expressions.copy(place)).collect()
    }

    fn own_places(&mut self, entry: &Entry, parts: &[Part]) -> Vec<Expr> {
        let has_struct = matches!(entry.model, Model::Vertex | Model::Fragment);
        if !has_struct || parts.len() <= 1 {
            let mut places = Vec::new();
            for part in parts {
                let local = self.declare_input(&part.name, part.ty, [&part.prefix, &part.semantic]);
                let named = Named::Local(self.cx.text.notes.entry_functions.len(), local);
                self.cx.note_part(entry, part, named);
                places.push(self.local(local));
            }
            return places;
        }
        let ty = self.interface_struct(entry, "Input", parts);
        let local = self.declare_input("input", ty, ["", ""]);
        self.members_of(local, parts)
    }

    /// A parameter of an entry point, with what is before and behind it.
    pub(super) fn declare_input(&mut self, name: &str, ty: Type, [prefix, suffix]: [&str; 2]) -> LocalId {
        let name = Some(name.to_owned());
        let local = self.function.add(Local { name, ty, kind: LocalKind::Parameter, prefix: "" });
        let (prefix, suffix) = (prefix.to_owned(), suffix.to_owned());
        self.function.parameters.push(Parameter { local, is_written: false, prefix, suffix });
        local
    }

    pub(super) fn members_of(&mut self, local: LocalId, parts: &[Part]) -> Vec<Expr> {
        let mut places = Vec::new();
        for (number, part) in parts.iter().enumerate() {
            let base = self.local(local);
            places.push(self.pure(Shape::Member { base, member: number as u32 }, part.ty));
        }
        places
    }

    pub(super) fn interface_struct(&mut self, entry: &Entry, name: &str, parts: &[Part]) -> Type {
        let members = parts.iter().map(|part| Member {
            name: part.name.clone(),
            ty: part.ty,
            prefix: part.prefix.clone(),
            suffix: part.semantic.clone(),
        });
        let is_only = self.cx.entries.len() == 1;
        let name = if is_only { name.to_owned() } else { format!("{}_{name}", entry.name) };
        let found = Struct { name, members: members.collect(), is_block: false };
        let is_alike = |known: &Struct| {
            let mut pairs = known.members.iter().zip(&found.members);
            known.name == found.name
                && known.members.len() == found.members.len()
                && pairs.all(|(one, other)| one.ty == other.ty && one.suffix == other.suffix)
        };
        let known = self.cx.text.structs.iter().position(is_alike).map(|known| StructId(known as u32));
        let id = known.unwrap_or_else(|| self.cx.text.add_struct(found));
        for (number, part) in (0..).zip(parts) {
            self.cx.note_part(entry, part, Named::Member(id, number));
        }
        self.cx.text.types.of(TypeShape::Struct(id))
    }

    /// Makes inputs known under their places, or as variables with their values.
    pub(super) fn bind_inputs(&mut self, parts: &[Part], places: &[Expr]) -> Result<(), Diagnostic> {
        for (number, part) in parts.iter().enumerate() {
            let is_first = number == 0 || !same_place(part, &parts[number - 1]);
            if !self.cx.uses.is_used(part.variable) || !is_first {
                continue;
            }
            let all: Vec<Expr> =
                (number..parts.len()).take_while(|&at| same_place(part, &parts[at])).map(|at| places[at]).collect();
            let value = self.input_value(part, &all)?;
            if let Some(Place::Global(global)) = self.cx.globals.get(&part.variable).cloned() {
                let mut target = self.cx.global(global);
                if let Some(member) = part.member {
                    target = self.member(target, member, part.variable)?;
                }
                let wanted = self.type_of(target);
                let value = self.convert(value, wanted, part.variable)?;
                self.assign_to(target, value);
                continue;
            }
            self.bind(part, value);
        }
        Ok(())
    }

    pub(super) fn bind(&mut self, part: &Part, place: Expr) {
        if part.group == Group::Vertices {
            return self.bind_vertex_part(part, VertexPart::Own(place));
        }
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

    /// The variable of the result, and the places of outputs in it.
    pub(super) fn add_outputs(&mut self, entry: &Entry, parts: &[Part], name: &str) -> Result<(), Diagnostic> {
        if parts.is_empty() {
            return Ok(());
        }
        let is_array =
            self.cx.hlsl.phase != Phase::Whole || matches!(self.cx.text.types[parts[0].ty], TypeShape::Array { .. });
        let (ty, name) = match parts {
            [only] if !is_array => (only.ty, only.name.clone()),
            _ => (self.interface_struct(entry, name, parts), name.to_ascii_lowercase()),
        };
        if let ([only], false) = (parts, is_array) {
            self.function.suffix.clone_from(&only.semantic);
            self.function.prefix.clone_from(&only.prefix);
            self.cx.note_part(entry, only, Named::Result);
        }
        let result = self.function.add(Local { name: Some(name), ty, kind: LocalKind::Variable, prefix: "" });
        let places = match parts {
            [_] if !is_array => vec![self.local(result)],
            _ => self.members_of(result, parts),
        };
        let first = match self.assigns_all(entry, parts) {
            true => None,
            false => Some(self.cx.zero(ty, entry.inst)?),
        };
        self.declare_first(result, first);
        self.function.result = ty;
        let copies = self.bind_outputs(parts, &places)?;
        self.outputs = Some(Outputs { result, copies });
        Ok(())
    }

    /// Makes outputs known under their places. Returns what is copied before the vertex or the result is complete.
    pub(super) fn bind_outputs(&mut self, parts: &[Part], places: &[Expr]) -> Result<Vec<(Expr, Expr)>, Diagnostic> {
        let mut copies = Vec::new();
        for (number, part) in parts.iter().enumerate() {
            let is_first = number == 0 || !same_place(part, &parts[number - 1]);
            if !is_first || self.source.op(part.variable) != Op::Variable {
                continue;
            }
            let all: Vec<Expr> =
                (number..parts.len()).take_while(|&at| same_place(part, &parts[at])).map(|at| places[at]).collect();
            copies.extend(self.add_output(part, &all)?);
            self.assign_first(part)?;
        }
        Ok(copies)
    }

    /// Makes an output known under its place. Returns what is copied before the vertex or the result is complete.
    fn add_output(&mut self, part: &Part, places: &[Expr]) -> Result<Vec<(Expr, Expr)>, Diagnostic> {
        let source = match self.cx.globals.get(&part.variable).cloned() {
            Some(Place::Global(global)) => {
                let mut place = self.cx.global(global);
                if let Some(member) = part.member {
                    place = self.member(place, member, part.variable)?;
                }
                place
            }
            _ if part.form == Form::Plain || self.has_levels_of(part) => {
                self.bind(part, places[0]);
                return Ok(Vec::new());
            }
            _ => {
                let ty = self.cx.ty(part.value)?;
                let (name, kind) = (Some(part.name.trim_end_matches('0').to_owned()), LocalKind::Variable);
                let local = self.function.add(Local { name, ty, kind, prefix: "" });
                let zero = self.cx.zero(ty, part.variable)?;
                self.declare_first(local, Some(zero));
                let place = self.local(local);
                self.bind(part, place);
                self.local(local)
            }
        };
        if part.form.is_of_levels() {
            return self.level_copies(part, source, places[0]);
        }
        let values = self.output_values(part, source, places)?;
        Ok(places.iter().copied().zip(values).collect())
    }

    /// Assigns the value that an output has before the entry point runs.
    fn assign_first(&mut self, part: &Part) -> Result<(), Diagnostic> {
        let variable = part.variable;
        let Some(whole) = view::Variable::of(self.source, variable).and_then(|found| found.initializer) else {
            return Ok(());
        };
        let value = match part.member {
            Some(member) if self.source.op(whole).is_constant() && self.source.op(whole) != Op::ConstantNull => {
                self.source.operand(whole, member as usize)
            }
            _ => whole,
        };
        let is_null = self.source.op(value) == Op::ConstantNull;
        let target = match self.interface.get(&variable).cloned() {
            Some(Access::Whole(place)) => Some(place),
            Some(Access::Members(members)) => {
                part.member.and_then(|member| members.get(member as usize).copied().flatten())
            }
            _ => None,
        };
        let Some(target) = target.filter(|_| !self.cx.globals.contains_key(&variable)) else {
            return match is_null && self.cx.hlsl.emitting.is_empty() && !self.cx.globals.contains_key(&variable) {
                true => Ok(()),
                false => self.refuse(WriteCode::Interface, variable, "an output with a first value in HLSL"),
            };
        };
        if is_null {
            return Ok(());
        }
        let value = self.value(value)?;
        let target = self.cx.text.expressions.copy(target);
        let wanted = self.type_of(target);
        let value = self.convert(value, wanted, variable)?;
        self.assign_to(target, value);
        Ok(())
    }

    /// Returns whether each output is stored as a whole where all lanes pass, and no lane returns before.
    fn assigns_all(&self, entry: &Entry, parts: &[Part]) -> bool {
        let (tree, source) = (&self.tree, self.source);
        let is_outer = |inst: Inst| {
            source.block_of(inst).and_then(|block| tree.list_of(block)).is_some_and(|list| list == tree.root())
        };
        let blocks = || source.blocks(entry.function);
        let returns_early = blocks().any(|block| {
            source.terminator(block).is_some_and(|terminator| {
                let ends = !matches!(
                    source.op(terminator),
                    Op::Branch | Op::BranchIf | Op::If | Op::Loop | Op::StructuredSwitch | Op::Unreachable
                );
                ends && tree.list_of(block).is_some_and(|list| list != tree.root())
            })
        });
        // Whether code does nothing with a pointer but storing what it points to, and does so where all lanes pass.
        let is_stored_through = |pointer: Inst| {
            let in_code = source.uses(pointer).map(|used| used.user).filter(|&user| source.block_of(user).is_some());
            let users: Vec<Inst> = in_code.collect();
            let is_store = |&user: &Inst| view::Store::of(source, user).is_some_and(|store| store.pointer == pointer);
            users.iter().all(is_store) && users.into_iter().any(is_outer)
        };
        let is_stored = |part: &Part| {
            let is_copied = part.form != Form::Plain || self.cx.globals.contains_key(&part.variable);
            let Some(member) = part.member else { return is_copied || is_stored_through(part.variable) };
            let chains = source.uses(part.variable).map(|used| used.user);
            let of_member = chains.filter(|&user| {
                let chain = view::Chain::of(source, user);
                chain.and_then(|chain| chain.indexes.first()).and_then(|index| self.word(index)) == Some(member)
            });
            let of_member: Vec<Inst> = of_member.collect();
            let is_whole = |&chain: &Inst| {
                view::Chain::of(source, chain).is_some_and(|chain| chain.indexes.len() == 1) && is_stored_through(chain)
            };
            is_copied || !of_member.is_empty() && of_member.iter().all(is_whole)
        };
        let has_first =
            |part: &Part| view::Variable::of(source, part.variable).is_some_and(|found| found.initializer.is_some());
        !returns_early && parts.iter().all(|part| is_stored(part) && !has_first(part))
    }

    /// The variable that an entry point returns, behind the copies to it.
    pub(in crate::lower) fn hlsl_entry_result(&mut self) -> Result<Option<Expr>, Diagnostic> {
        let Some(outputs) = self.outputs.clone() else { return Ok(None) };
        self.copy_outputs(&outputs);
        Ok(Some(self.local(outputs.result)))
    }

    /// Copies outputs that are elsewhere to the variable of all.
    pub(super) fn copy_outputs(&mut self, outputs: &Outputs) {
        for &(target, value) in &outputs.copies {
            let target = self.cx.text.expressions.copy(target);
            let value = self.cx.text.expressions.copy(value);
            self.assign_to(target, value);
        }
    }
}

/// Returns whether two parts are of one variable or member.
pub(super) fn same_place(one: &Part, other: &Part) -> bool {
    one.variable == other.variable && one.member == other.member
}

/// Returns whether a stage is one of tessellation.
pub(super) fn is_tessellation(model: Model) -> bool {
    matches!(model, Model::TessellationControl | Model::TessellationEvaluation)
}
