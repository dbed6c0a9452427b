//! Global variables: buffers, images, samplers, push constants, workgroup and private memory. Those between stages belong to the entry
//! points.

use naga::{AddressSpace, Handle, MemoryDecorations, ResourceBinding, Scalar, Span, StorageAccess, TypeInner};
use reconverge_diagnostic::Diagnostic;
use reconverge_ir::decoration::{Binding, DescriptorSet};
use reconverge_ir::view::{self, TypeView};
use reconverge_ir::{Inst, Op};
use rustc_hash::{FxHashMap, FxHashSet};
use spirv::{Decoration, StorageClass};

use super::super::entry_points::Entry;
use super::super::{Language, WriteCode};
use super::{Converter, SamplerKind, root};

impl Converter<'_> {
    /// Adds the variables that the functions use.
    pub(super) fn add_resources(&mut self, entries: &[Entry]) -> Result<(), Diagnostic> {
        let used = self.used_variables(entries);
        let variables: Vec<Inst> = self.source.globals().filter(|inst| used.contains(inst)).collect();
        let mut free: FxHashMap<u32, u32> = FxHashMap::default();
        for inst in self.source.globals().filter(|&inst| self.source.op(inst) == Op::Variable) {
            if let Some(binding) = self.binding(inst) {
                let next = free.entry(binding.group).or_default();
                *next = (*next).max(binding.binding.saturating_add(1));
            }
        }
        for variable in variables {
            self.add_resource(variable, &mut free)?;
        }
        Ok(())
    }

    /// The global variables that are used in functions that are written.
    fn used_variables(&self, entries: &[Entry]) -> FxHashSet<Inst> {
        let mut used = FxHashSet::default();
        for function in entries.iter().map(|entry| entry.function).chain(self.source.functions()) {
            for block in self.source.blocks(function) {
                let operands = self.source.children(block).flat_map(|inst| self.source.operands(inst));
                used.extend(operands.filter(|&operand| self.source.op(operand) == Op::Variable));
            }
        }
        used
    }

    fn binding(&self, variable: Inst) -> Option<ResourceBinding> {
        let decorations = self.source.decorated(variable);
        let binding = decorations.find().map(|Binding(binding)| binding)?;
        let group = decorations.find().map_or(0, |DescriptorSet(set)| set);
        Some(ResourceBinding { group, binding })
    }

    /// The variable of naga.
    pub(crate) fn global(&self, variable: Inst) -> Option<Handle<naga::GlobalVariable>> {
        self.variables.get(&variable).copied()
    }

    /// The sampler of a variable with an image and a sampler.
    pub(crate) fn sampler(&self, variable: Inst, kind: SamplerKind) -> Option<Handle<naga::GlobalVariable>> {
        self.samplers.get(&(variable, kind)).copied()
    }

    fn add_resource(&mut self, variable: Inst, free: &mut FxHashMap<u32, u32>) -> Result<(), Diagnostic> {
        let Some(view::Variable { storage_class, initializer }) = view::Variable::of(self.source, variable) else {
            return Ok(());
        };
        let Some(pointee) = self.source.pointee(variable) else { return Ok(()) };
        let space = match storage_class {
            Some(StorageClass::Input | StorageClass::Output | StorageClass::Function) => return Ok(()),
            Some(StorageClass::UniformConstant) => return self.add_handle(variable, pointee, free),
            Some(StorageClass::Uniform) if !self.source.decorated(pointee).has(Decoration::BufferBlock) => {
                AddressSpace::Uniform
            }
            Some(StorageClass::Uniform | StorageClass::StorageBuffer) => self.storage(variable, pointee),
            Some(StorageClass::Workgroup) => AddressSpace::WorkGroup,
            Some(StorageClass::Private) => AddressSpace::Private,
            Some(StorageClass::PushConstant) => AddressSpace::Immediate,
            class => {
                return self.refuse(WriteCode::Pointer, variable, format!("a variable of storage class {class:?}"));
            }
        };
        let ty = self.ty(pointee)?;
        let ty = self.with_atomics(variable, pointee, ty)?;
        let init = match initializer {
            Some(constant) => {
                let expression = self.constant(constant)?.expression();
                Some(self.output.global_expressions.append(expression, Span::UNDEFINED))
            }
            None => None,
        };
        let binding = self.binding(variable);
        let is_bound = matches!(space, AddressSpace::Uniform | AddressSpace::Storage { .. });
        let name = self.name(variable).or_else(|| self.name(pointee));
        let added = naga::GlobalVariable {
            name,
            space,
            binding: binding.filter(|_| is_bound),
            ty,
            init,
            memory_decorations: self.memory_decorations(variable, space),
        };
        self.add(variable, added);
        Ok(())
    }

    /// The private variable for a variable between stages that several functions use.
    pub(crate) fn private(&mut self, variable: Inst) -> Result<Handle<naga::GlobalVariable>, Diagnostic> {
        if let Some(known) = self.global(variable) {
            return Ok(known);
        }
        let Some(pointee) = self.source.pointee(variable) else {
            return self.refuse(WriteCode::Interface, variable, "a variable that is no pointer");
        };
        let ty = self.ty(pointee)?;
        let name = self.name(variable);
        let added = naga::GlobalVariable {
            name,
            space: AddressSpace::Private,
            binding: None,
            ty,
            init: None,
            memory_decorations: MemoryDecorations::empty(),
        };
        Ok(self.add(variable, added))
    }

    fn add(&mut self, variable: Inst, added: naga::GlobalVariable) -> Handle<naga::GlobalVariable> {
        let handle = self.output.global_variables.append(added, Span::UNDEFINED);
        self.variables.insert(variable, handle);
        handle
    }

    fn memory_decorations(&self, variable: Inst, space: AddressSpace) -> MemoryDecorations {
        let has = |kind: Decoration| {
            let pointee = self.source.pointee(variable);
            let of_member = pointee.is_some_and(|ty| self.source.decorated(ty).members().any(|note| note.is(kind)));
            self.source.decorated(variable).has(kind) || of_member
        };
        let mut decorations = MemoryDecorations::empty();
        // naga's WGSL has them only as an extension of its own.
        if matches!(space, AddressSpace::Storage { .. }) && self.language != Language::Wgsl {
            decorations.set(MemoryDecorations::COHERENT, has(Decoration::Coherent));
            decorations.set(MemoryDecorations::VOLATILE, has(Decoration::Volatile));
        }
        decorations
    }

    /// The address space of a storage buffer: read-only if it is not writable, or if all of its members are not.
    fn storage(&self, variable: Inst, pointee: Inst) -> AddressSpace {
        let mut block = pointee;
        while let Some(TypeView::Array { element, .. } | TypeView::RuntimeArray { element }) =
            self.source.type_view(block)
        {
            block = element;
        }
        let members = view::TypeStruct::of(self.source, block).map_or(0, |structure| structure.members.len());
        let is_member_read =
            |member: usize| self.source.decorated(block).member(member as u32).has(Decoration::NonWritable);
        let is_read = self.source.decorated(variable).has(Decoration::NonWritable)
            || (members > 0 && (0..members).all(is_member_read));
        let access = if is_read { StorageAccess::LOAD } else { StorageAccess::LOAD | StorageAccess::STORE };
        AddressSpace::Storage { access }
    }

    /// Images and samplers. A combined one becomes an image and up to two samplers.
    fn add_handle(&mut self, variable: Inst, pointee: Inst, free: &mut FxHashMap<u32, u32>) -> Result<(), Diagnostic> {
        let (mut element, mut length) = (pointee, None);
        if let Some(TypeView::Array { element: part, .. } | TypeView::RuntimeArray { element: part }) =
            self.source.type_view(pointee)
        {
            (element, length) = (part, Some(pointee));
        }
        let (image, is_combined) = match self.source.type_view(element) {
            Some(TypeView::SampledImage { image }) => (image, true),
            _ => (element, false),
        };
        let inner = match self.source.type_view(image) {
            Some(TypeView::Image(view)) => {
                let access = self.uses.access.get(&variable).copied().unwrap_or(StorageAccess::LOAD);
                let kind = match self.uses.compared.contains(&variable) {
                    true => SamplerKind::Comparison,
                    false => SamplerKind::Filtering,
                };
                self.image(image, &view, kind, access)?
            }
            Some(TypeView::Other(Op::TypeSampler)) => {
                TypeInner::Sampler { comparison: self.uses.comparing.contains(&variable) }
            }
            _ => {
                return self.refuse(
                    WriteCode::Type,
                    variable,
                    format!("a variable of {}", self.source.op(image).name()),
                );
            }
        };
        if is_combined && length.is_some() {
            return self.refuse(WriteCode::Image, variable, "an array of images with samplers");
        }
        if length.is_some() && self.language == Language::Glsl {
            return self.refuse(WriteCode::Image, variable, "an array of images in GLSL: naga writes none");
        }
        let is_endless = length.is_some_and(|array| self.source.op(array) == Op::TypeRuntimeArray);
        if is_endless && self.language == Language::Hlsl {
            let message = "an array of images without a length in HLSL: naga writes none";
            return self.refuse(WriteCode::Image, variable, message);
        }
        let mut ty = self.plain_type(inner);
        if let Some(array) = length {
            let size = match self.source.type_view(array) {
                Some(TypeView::Array { length, .. }) => {
                    self.source.constant_word(length).and_then(std::num::NonZeroU32::new)
                }
                _ => None,
            };
            let size = size.map_or(naga::ArraySize::Dynamic, naga::ArraySize::Constant);
            ty = self.plain_type(TypeInner::BindingArray { base: ty, size });
        }
        let Some(binding) = self.binding(variable) else {
            return self.refuse(WriteCode::Image, variable, "an image or sampler without a binding");
        };
        let name = self.name(variable);
        let handle = |name: Option<String>, binding: ResourceBinding, ty: Handle<naga::Type>| naga::GlobalVariable {
            name,
            space: AddressSpace::Handle,
            binding: Some(binding),
            ty,
            init: None,
            memory_decorations: MemoryDecorations::empty(),
        };
        self.add(variable, handle(name.clone(), binding, ty));
        let needed = [
            (SamplerKind::Filtering, self.uses.sampled.contains(&variable)),
            (SamplerKind::Comparison, self.uses.comparing.contains(&variable)),
        ];
        for (kind, _) in needed.into_iter().filter(|&(_, is_needed)| is_combined && is_needed) {
            let next = free.entry(binding.group).or_default();
            let own = ResourceBinding { group: binding.group, binding: *next };
            *next += 1;
            let comparison = kind == SamplerKind::Comparison;
            let ty = self.plain_type(TypeInner::Sampler { comparison });
            let suffix = if comparison { "comparison" } else { "sampler" };
            let name = name.as_ref().map(|name| format!("{name}_{suffix}"));
            let added = self.output.global_variables.append(handle(name, own, ty), Span::UNDEFINED);
            self.samplers.insert((variable, kind), added);
        }
        Ok(())
    }

    /// The type of a variable with atomic types where atomic operations point.
    fn with_atomics(
        &mut self,
        variable: Inst,
        pointee: Inst,
        ty: Handle<naga::Type>,
    ) -> Result<Handle<naga::Type>, Diagnostic> {
        let mut ty = ty;
        for pointer in self.uses.atomics.get(&variable).cloned().unwrap_or_default() {
            let path = self.path(pointer, pointee)?;
            ty = self.with_atomic(ty, &path, pointer)?;
        }
        Ok(ty)
    }

    /// The steps from a variable to the target of a pointer, as members of naga; `None` for an element.
    fn path(&self, pointer: Inst, pointee: Inst) -> Result<Vec<Option<u32>>, Diagnostic> {
        let (mut chains, mut at) = (Vec::new(), pointer);
        while at != root(self.source, pointer) {
            if let Some(chain) = view::Chain::of(self.source, at) {
                chains.push(chain.indexes.to_vec());
            }
            at = self.source.operand(at, 0);
        }
        let (mut path, mut ty) = (Vec::new(), pointee);
        for index in chains.into_iter().rev().flatten() {
            let word = self.source.constant_word(index);
            let is_struct = matches!(self.source.type_view(ty), Some(TypeView::Struct { .. }));
            path.push(if is_struct { word.and_then(|member| self.member(ty, member)) } else { None });
            if self.is_wrapped(ty) {
                path.push(Some(super::layout::VALUE));
            }
            let part = self.source.part_type(ty, word.unwrap_or(0) as usize);
            ty = match part {
                Some(part) => part,
                None => return self.refuse(WriteCode::Pointer, pointer, "an access chain that leaves its type"),
            };
        }
        Ok(path)
    }

    /// A type with an atomic at the end of a path. The types along the path are rebuilt from the inside.
    fn with_atomic(
        &mut self,
        ty: Handle<naga::Type>,
        path: &[Option<u32>],
        pointer: Inst,
    ) -> Result<Handle<naga::Type>, Diagnostic> {
        let mut along = vec![ty];
        for step in path {
            let last = along[along.len() - 1];
            let next = match (&self.output.types[last].inner, step) {
                (TypeInner::Struct { members, .. }, Some(member)) => {
                    members.get(*member as usize).map(|member| member.ty)
                }
                (TypeInner::Array { base, .. }, None) => Some(*base),
                _ => None,
            };
            match next {
                Some(next) => along.push(next),
                None => return self.refuse(WriteCode::Pointer, pointer, "an atomic on a component of a vector"),
            }
        }
        let mut inner = match self.output.types[along[along.len() - 1]].inner {
            TypeInner::Scalar(Scalar { kind, width }) => self.plain_type(TypeInner::Atomic(Scalar { kind, width })),
            TypeInner::Atomic(_) => return Ok(ty),
            _ => return self.refuse(WriteCode::Op, pointer, "an atomic on something that is not a number"),
        };
        for (&around, step) in along.iter().zip(path).rev() {
            let mut rebuilt = self.output.types[around].clone();
            match (&mut rebuilt.inner, step) {
                (TypeInner::Struct { members, .. }, Some(member)) => members[*member as usize].ty = inner,
                (TypeInner::Array { base, .. }, _) => *base = inner,
                _ => {}
            }
            inner = self.output.types.insert(rebuilt, Span::UNDEFINED);
        }
        Ok(inner)
    }
}
