//! Inputs and outputs of an entry point: arguments and a result.
//!
//! ```text
//! in vec4 a; out vec4 b;      ⇒      @fragment fn main(@location(0) a: vec4<f32>) -> @location(0) vec4<f32> { var b; … return b; }
//! ```
//!
//! An input that only the entry point reads is a value. An output is a variable that is returned. If called functions use one, it is a
//! private variable, which the entry point fills or returns. Blocks, arrays and matrices become one argument for each location.

use naga::{
    Binding, Expression, Handle, Interpolation, Sampling, Scalar, ScalarKind, Span, Statement, StructMember, TypeInner,
};
use reconverge_diagnostic::Diagnostic;
use reconverge_ir::decoration::{self, Component, Location};
use reconverge_ir::view::{self, TypeView};
use reconverge_ir::{Inst, Op};
use rustc_hash::FxHashMap;
use spirv::{Decoration, StorageClass};

use super::super::entry_points::{Entry, naga_stage};
use super::super::{Language, WriteCode};
use super::{Body, arithmetic, built_ins};

/// The maximum nesting of composites in a variable between stages.
const DEEPEST: usize = 8;

/// The values and variables of an entry point for its interface.
#[derive(Default)]
pub(super) struct Interface {
    /// Inputs as values.
    pub(super) inputs: FxHashMap<Inst, Handle<Expression>>,
    outputs: Vec<Output>,
    /// True if this is an entry point.
    is_open: bool,
}

/// A location or built-in that is returned.
struct Output {
    variable: Inst,
    leaf: Leaf,
    ty: Handle<naga::Type>,
}

/// A part of a variable that has a location or is a built-in.
#[derive(Clone)]
struct Leaf {
    /// The steps from the variable.
    path: Vec<u32>,
    ty: Inst,
    binding: Binding,
    /// The type that naga gives a built-in.
    inner: Option<TypeInner>,
    name: Option<String>,
}

impl Body<'_, '_> {
    /// Makes arguments of the inputs and variables of the outputs.
    pub(super) fn open_interface(&mut self, entry: &Entry) -> Result<(), Diagnostic> {
        self.interface.is_open = true;
        let Some(view::EntryPoint { interface, .. }) = view::EntryPoint::of(self.source, entry.inst) else {
            return Ok(());
        };
        for variable in interface.to_vec() {
            let class = view::Variable::of(self.source, variable).and_then(|variable| variable.storage_class);
            let is_used = self.source.uses(variable).any(|used| self.source.block_of(used.user).is_some());
            match class {
                Some(StorageClass::Input) if is_used => self.add_input(entry, variable)?,
                Some(StorageClass::Output) if is_used => self.add_output(entry, variable)?,
                _ => {}
            }
        }
        self.add_result(entry);
        Ok(())
    }

    /// Returns whether only the entry point uses a variable.
    fn is_own(&self, entry: &Entry, variable: Inst) -> bool {
        let mut users = self.source.uses(variable).filter_map(|used| self.source.function_of(used.user));
        users.all(|function| function == entry.function)
    }

    fn is_passed(&self, variable: Inst) -> bool {
        let is_plain = |user: Inst| {
            matches!(
                self.source.op(user),
                Op::Load | Op::AccessChain | Op::InBoundsAccessChain | Op::EntryPoint | Op::CopyMemory
            )
        };
        self.source.uses(variable).any(|used| {
            self.source.parent(used.user).is_some() && !is_plain(used.user) && self.source.block_of(used.user).is_some()
        })
    }

    fn add_input(&mut self, entry: &Entry, variable: Inst) -> Result<(), Diagnostic> {
        let used = self.used_members(variable);
        let leaves = self.leaves(variable)?;
        let Some(pointee) = self.source.pointee(variable) else { return self.unknown(variable) };
        let mut values: FxHashMap<Vec<u32>, Handle<Expression>> = FxHashMap::default();
        for leaf in leaves.into_iter().filter(|leaf| is_used(&used, leaf)) {
            self.check_built_in(&leaf, variable)?;
            let value = self.argument(&leaf)?;
            values.insert(leaf.path.clone(), value);
        }
        let whole = self.assembled(pointee, &mut Vec::new(), &values, variable)?;
        if self.is_own(entry, variable) && !self.is_passed(variable) {
            self.interface.inputs.insert(variable, whole);
            return Ok(());
        }
        let global = self.module.private(variable)?;
        let pointer = self.push(Expression::GlobalVariable(global));
        self.statement(Statement::Store { pointer, value: whole });
        Ok(())
    }

    /// Rejects built-ins that naga writes in a way that the language does not accept.
    fn check_built_in(&self, leaf: &Leaf, variable: Inst) -> Result<(), Diagnostic> {
        use naga::BuiltIn as Known;
        let Binding::BuiltIn(built_in) = leaf.binding else { return Ok(()) };
        let message = match (self.module.language, built_in) {
            (Language::Glsl, Known::BaseVertex | Known::BaseInstance | Known::DrawIndex) => {
                format!("the built-in {built_in:?} in GLSL below version 4.60, which naga does not write")
            }
            (Language::Glsl, Known::SampleMask) => {
                "the built-in SampleMask in GLSL, an array there and none in naga".to_owned()
            }
            (Language::Hlsl, Known::ClipDistances | Known::CullDistance) => {
                format!("the built-in {built_in:?} in HLSL, whose array naga does not write")
            }
            _ => return Ok(()),
        };
        self.refuse(WriteCode::Interface, variable, message)
    }

    /// Adds the argument of a part, as the type that the variable has.
    fn argument(&mut self, leaf: &Leaf) -> Result<Handle<Expression>, Diagnostic> {
        let ty = match &leaf.inner {
            Some(inner) => self.module.plain_type(inner.clone()),
            None => self.module.ty(leaf.ty)?,
        };
        let binding = self.interpolated(&leaf.binding, ty);
        let number = self.function.arguments.len() as u32;
        self.function.arguments.push(naga::FunctionArgument { name: leaf.name.clone(), ty, binding: Some(binding) });
        let mut value = self.push(Expression::FunctionArgument(number));
        if leaf.inner.is_some()
            && let Some(wanted) = self.module.scalar(self.innermost(leaf.ty))
            && wanted.kind == ScalarKind::Sint
        {
            value = arithmetic::cast(self, value, ScalarKind::Uint, ScalarKind::Sint);
        }
        if let Some(TypeView::Array { .. }) = self.source.type_view(leaf.ty).filter(|_| leaf.inner.is_some()) {
            let ty = self.module.ty(leaf.ty)?;
            value = self.push(Expression::Compose { ty, components: vec![value] });
        }
        Ok(value)
    }

    /// A location with the default interpolation of its type.
    fn interpolated(&self, binding: &Binding, ty: Handle<naga::Type>) -> Binding {
        let mut binding = binding.clone();
        if let Binding::Location { interpolation: interpolation @ None, sampling, .. } = &mut binding {
            let is_float = self.module.output.types[ty].inner.scalar_kind() == Some(ScalarKind::Float);
            *interpolation = Some(if is_float { Interpolation::Perspective } else { Interpolation::Flat });
            *sampling = is_float.then_some(Sampling::Center);
        }
        binding
    }

    /// The element type of an array of one element, such as the sample mask.
    fn innermost(&self, ty: Inst) -> Inst {
        match self.source.type_view(ty) {
            Some(TypeView::Array { element, .. }) => element,
            _ => ty,
        }
    }

    /// A variable of its parts. The depth of `path` is limited.
    fn assembled(
        &mut self,
        ty: Inst,
        path: &mut Vec<u32>,
        values: &FxHashMap<Vec<u32>, Handle<Expression>>,
        variable: Inst,
    ) -> Result<Handle<Expression>, Diagnostic> {
        if let Some(&value) = values.get(path) {
            return Ok(value);
        }
        let converted = self.module.ty(ty)?;
        let is_part_of = |known: &Vec<u32>| known.starts_with(path);
        if !values.keys().any(is_part_of) {
            return Ok(self.push(Expression::ZeroValue(converted)));
        }
        let mut components = Vec::new();
        for (index, part) in self.parts_of(ty, variable)?.into_iter().enumerate() {
            path.push(index as u32);
            components.push(self.assembled(part, path, values, variable)?);
            path.pop();
        }
        Ok(self.push(Expression::Compose { ty: converted, components }))
    }

    fn parts_of(&self, ty: Inst, variable: Inst) -> Result<Vec<Inst>, Diagnostic> {
        Ok(match self.source.type_view(ty) {
            Some(TypeView::Struct { members }) => members.to_vec(),
            Some(TypeView::Matrix { column, count }) => vec![column; count as usize],
            Some(TypeView::Array { element, length }) => match self.source.constant_word(length) {
                Some(length) if length <= 64 => vec![element; length as usize],
                _ => {
                    return self.refuse(
                        WriteCode::Interface,
                        variable,
                        "an array of more than 64 elements between stages",
                    );
                }
            },
            _ => return self.refuse(WriteCode::Interface, variable, "a type between stages without a location"),
        })
    }

    fn add_output(&mut self, entry: &Entry, variable: Inst) -> Result<(), Diagnostic> {
        let used = self.used_members(variable);
        let leaves = self.leaves(variable)?;
        if self.is_own(entry, variable) {
            self.local_variable(variable)?;
        } else {
            self.module.private(variable)?;
        }
        for leaf in leaves.into_iter().filter(|leaf| is_used(&used, leaf)) {
            self.check_built_in(&leaf, variable)?;
            let ty = match &leaf.inner {
                Some(inner) => self.module.plain_type(inner.clone()),
                None => self.module.ty(leaf.ty)?,
            };
            self.interface.outputs.push(Output { variable, leaf, ty });
        }
        Ok(())
    }

    fn add_result(&mut self, entry: &Entry) {
        let mut members = Vec::new();
        let outputs = std::mem::take(&mut self.interface.outputs);
        for output in &outputs {
            let mut binding = self.interpolated(&output.leaf.binding, output.ty);
            if entry.model == spirv::ExecutionModel::Fragment
                && let Binding::Location { interpolation, sampling, .. } = &mut binding
            {
                (*interpolation, *sampling) = (None, None);
            }
            members.push(StructMember {
                name: output.leaf.name.clone(),
                ty: output.ty,
                binding: Some(binding),
                offset: 0,
            });
        }
        self.interface.outputs = outputs;
        let result = match &mut members[..] {
            [] => return,
            [member] => naga::FunctionResult { ty: member.ty, binding: member.binding.take() },
            _ => naga::FunctionResult { ty: self.result_struct(entry, members), binding: None },
        };
        self.function.result = Some(result);
    }

    fn result_struct(&mut self, entry: &Entry, members: Vec<StructMember>) -> Handle<naga::Type> {
        let mut members = members;
        let mut end = 0;
        for member in &mut members {
            let size = self.module.output.types[member.ty].inner.size(self.module.output.to_ctx());
            member.offset = end;
            end += size.next_multiple_of(16);
        }
        let name = Some(format!("{:?}Output", naga_stage(entry.model)));
        self.module
            .output
            .types
            .insert(naga::Type { name, inner: TypeInner::Struct { members, span: end } }, Span::UNDEFINED)
    }

    /// The result of an entry point; `None` in another function.
    pub(super) fn results(&mut self) -> Result<Option<Handle<Expression>>, Diagnostic> {
        let Some(ty) = self.function.result.as_ref().map(|result| result.ty).filter(|_| self.interface.is_open) else {
            return Ok(None);
        };
        let outputs: Vec<(Inst, Leaf)> =
            self.interface.outputs.iter().map(|output| (output.variable, output.leaf.clone())).collect();
        let mut components = Vec::new();
        for (variable, leaf) in outputs {
            components.push(self.output(variable, &leaf)?);
        }
        if let [value] = components[..] {
            return Ok(Some(value));
        }
        Ok(Some(self.push(Expression::Compose { ty, components })))
    }

    fn output(&mut self, variable: Inst, leaf: &Leaf) -> Result<Handle<Expression>, Diagnostic> {
        let Some(mut ty) = self.source.pointee(variable) else { return self.unknown(variable) };
        let mut pointer = self.memory(variable)?;
        for &step in &leaf.path {
            let is_struct = matches!(self.source.type_view(ty), Some(TypeView::Struct { .. }));
            let index = if is_struct { self.module.member(ty, step).unwrap_or(step) } else { step };
            pointer = self.push(Expression::AccessIndex { base: pointer, index });
            let Some(part) = self.source.part_type(ty, step as usize) else { return self.unknown(variable) };
            ty = part;
        }
        if leaf.inner.is_some() && matches!(self.source.type_view(ty), Some(TypeView::Array { .. })) {
            pointer = self.push(Expression::AccessIndex { base: pointer, index: 0 });
        }
        let value = self.push(Expression::Load { pointer });
        let is_signed = self.module.scalar(self.innermost(ty)).is_some_and(|scalar| scalar.kind == ScalarKind::Sint);
        let is_word = leaf.inner == Some(TypeInner::Scalar(Scalar::U32));
        Ok(if is_signed && is_word { arithmetic::cast(self, value, ScalarKind::Sint, ScalarKind::Uint) } else { value })
    }

    /// The members of a block that are used; `None` if all of them may be.
    fn used_members(&self, variable: Inst) -> Option<Vec<u32>> {
        let mut members = Vec::new();
        for used in self.source.uses(variable) {
            if self.source.block_of(used.user).is_none() {
                continue;
            }
            let index = view::Chain::of(self.source, used.user)?.indexes.first()?;
            members.push(self.word(index)?);
        }
        Some(members)
    }

    /// The parts of a variable that have a location or are a built-in.
    fn leaves(&self, variable: Inst) -> Result<Vec<Leaf>, Diagnostic> {
        let Some(pointee) = self.source.pointee(variable) else { return self.unknown(variable) };
        let decorations = self.source.decorated(variable);
        let name = self.module.name(variable);
        let base = decorations.find().map(|Location(location)| location);
        let mut found = Found { path: Vec::new(), next: base, leaves: Vec::new() };
        if let Some(view::TypeStruct { members }) = view::TypeStruct::of(self.source, pointee) {
            for (member, ty) in members.iter().enumerate() {
                let of_member = self.source.decorated(pointee).member(member as u32);
                found.next = of_member.find().map(|Location(location)| location).or(found.next);
                let name = name.as_ref().map(|name| format!("{name}_{member}"));
                let place = Spot { variable, decorations: [of_member, decorations], name };
                found.path = vec![member as u32];
                self.add_leaves(&place, ty, &mut found)?;
            }
            return Ok(found.leaves);
        }
        let place = Spot { variable, decorations: [decorations, decorations], name };
        self.add_leaves(&place, pointee, &mut found)?;
        Ok(found.leaves)
    }

    /// The leaves of a part; the depth of `path` is limited.
    fn add_leaves(&self, spot: &Spot<'_>, ty: Inst, found: &mut Found) -> Result<(), Diagnostic> {
        if found.path.len() > DEEPEST {
            return self.refuse(
                WriteCode::Interface,
                spot.variable,
                format!("more than {DEEPEST} composites inside one another between stages"),
            );
        }
        let [own, around] = spot.decorations;
        let has = |kind: Decoration| own.has(kind) || around.has(kind);
        if let Some(decoration::BuiltIn(source)) = own.find() {
            let invariance = match has(Decoration::Invariant) {
                true => built_ins::Invariance::Invariant,
                false => built_ins::Invariance::Variant,
            };
            let Some((built_in, inner)) = built_ins::built_in(source, invariance) else {
                let message = format!("the built-in {source:?} in {}", self.module.language);
                return self.refuse(WriteCode::Interface, spot.variable, message);
            };
            found.leaves.push(Leaf {
                path: found.path.clone(),
                ty,
                binding: Binding::BuiltIn(built_in),
                inner,
                name: spot.name.clone(),
            });
            return Ok(());
        }
        if matches!(
            self.source.type_view(ty),
            Some(TypeView::Struct { .. } | TypeView::Array { .. } | TypeView::Matrix { .. })
        ) {
            for (index, part) in self.parts_of(ty, spot.variable)?.into_iter().enumerate() {
                found.path.push(index as u32);
                self.add_leaves(spot, part, found)?;
                found.path.pop();
            }
            return Ok(());
        }
        let is_part = own.find().is_some_and(|Component(component)| component != 0);
        let refused = [
            (is_part, "a part of a location between stages"),
            (has(Decoration::Patch), "a patch between stages"),
            (has(Decoration::Index), "a second color of an output"),
        ];
        if let Some((_, what)) = refused.into_iter().find(|(is_so, _)| *is_so) {
            return self.refuse(WriteCode::Interface, spot.variable, what);
        }
        let Some(location) = found.next else {
            return self.refuse(WriteCode::Interface, spot.variable, "a variable between stages without a location");
        };
        found.next = Some(location + 1);
        let interpolation = if has(Decoration::Flat) {
            Some(Interpolation::Flat)
        } else {
            has(Decoration::NoPerspective).then_some(Interpolation::Linear)
        };
        let sampling = if has(Decoration::Centroid) {
            Some(Sampling::Centroid)
        } else {
            has(Decoration::Sample).then_some(Sampling::Sample)
        };
        let interpolation = interpolation.or_else(|| sampling.map(|_| Interpolation::Perspective));
        let binding = Binding::Location { location, interpolation, sampling, blend_src: None, per_primitive: false };
        found.leaves.push(Leaf { path: found.path.clone(), ty, binding, inner: None, name: spot.name.clone() });
        Ok(())
    }
}

/// The parts that were found so far, the path to the current one, and its location.
struct Found {
    path: Vec<u32>,
    next: Option<u32>,
    leaves: Vec<Leaf>,
}

/// A variable between stages, or a member of one, during the search for its parts.
struct Spot<'m> {
    variable: Inst,
    /// Its own decorations, and those of the variable around it.
    decorations: [reconverge_ir::decoration::Decorations<'m>; 2],
    name: Option<String>,
}

fn is_used(members: &Option<Vec<u32>>, leaf: &Leaf) -> bool {
    match (members, leaf.path.first()) {
        (Some(members), Some(first)) => members.contains(first),
        _ => true,
    }
}
