//! Values and their chunks.

use reconverge_diagnostic::Diagnostic;
use reconverge_ir::{Builder, Inst, Module, Op};
use rustc_hash::FxHashMap;

use super::super::Int64;
use super::super::scalars::{is_int, vector_type};
use crate::error;
use reconverge_rewrite::structs::Structs;
use reconverge_rewrite::undef::Undefs;

/// The number of components of a chunk of a vector type.
pub(super) fn chunk_size(module: &Module, ty: Inst, int64: Int64) -> u32 {
    let (component, count) = module.components(ty);
    match int64 {
        Int64::Split if is_int(module, component, 64) => 1,
        _ => count.min(4),
    }
}

/// The chunks of the values of a module.
pub(super) struct Chunks<'m> {
    pub(super) module: &'m mut Module,
    int64: Int64,
    parts: FxHashMap<Inst, Vec<Inst>>,
    /// Structs of two wide vectors, such as sums with carries: a struct of two chunks each.
    couples: FxHashMap<Inst, Vec<Inst>>,
    undefs: Undefs,
    structs: Structs,
    /// Replaced instructions, in the order of the traversal.
    pub(super) replaced: Vec<Inst>,
}

impl<'m> Chunks<'m> {
    /// No chunks yet.
    pub(super) fn new(module: &'m mut Module, int64: Int64) -> Chunks<'m> {
        let (parts, couples) = (FxHashMap::default(), FxHashMap::default());
        let structs = Structs::of(module);
        Chunks { module, int64, parts, couples, undefs: Undefs::default(), structs, replaced: Vec::new() }
    }

    /// A builder before an instruction.
    pub(super) fn before(&mut self, inst: Inst) -> Builder<'_> {
        let mut build = Builder::new(self.module);
        build.before(inst);
        build
    }

    /// The number of components of a chunk of a type.
    pub(super) fn size(&self, ty: Inst) -> u32 {
        chunk_size(self.module, ty, self.int64)
    }

    /// Returns whether values of a type are split.
    pub(super) fn is_cut(&self, ty: Inst) -> bool {
        self.module.op(ty) == Op::TypeVector && self.size(ty) < self.module.components(ty).1
    }

    /// Returns whether a value is split.
    pub(super) fn has_cut(&self, value: Inst) -> bool {
        self.module.ty(value).is_some_and(|ty| self.is_cut(ty))
    }

    /// The types of the chunks of a type, each `size` components except for the last.
    pub(super) fn chunk_types(&mut self, ty: Inst, size: u32) -> Vec<Inst> {
        let (component, count) = self.module.components(ty);
        let mut build = Builder::new(self.module);
        let starts = (0..count).step_by(size as usize);
        starts.map(|start| vector_type(&mut build, component, size.min(count - start))).collect()
    }

    /// The struct type with these members.
    pub(super) fn struct_type(&mut self, members: &[Inst]) -> Inst {
        self.structs.with(&mut Builder::new(self.module), members)
    }

    /// Records the chunks of an instruction.
    pub(super) fn set(&mut self, inst: Inst, parts: Vec<Inst>) {
        self.parts.insert(inst, parts);
        self.replaced.push(inst);
    }

    /// Records the chunks of a parameter.
    pub(super) fn set_parameter(&mut self, parameter: Inst, parts: Vec<Inst>) {
        self.parts.insert(parameter, parts);
    }

    /// Records the structs of chunks of a struct of two wide vectors.
    pub(super) fn set_couple(&mut self, inst: Inst, parts: Vec<Inst>) {
        self.couples.insert(inst, parts);
        self.replaced.push(inst);
    }

    /// The structs of chunks of a struct of two wide vectors.
    pub(super) fn couple(&self, value: Inst) -> Option<Vec<Inst>> {
        self.couples.get(&value).cloned()
    }

    /// The chunks of a value. A value that is not split is its only chunk.
    ///
    /// # Errors
    /// The value depends on an instruction that was not split, at `user`.
    pub(super) fn parts(&mut self, value: Inst, user: Inst) -> Result<Vec<Inst>, Diagnostic> {
        if let Some(parts) = self.parts.get(&value) {
            return Ok(parts.clone());
        }
        let ty = self.module.ty(value).expect("invariant: an operand that is a value has a type");
        if !self.is_cut(ty) {
            return Ok(vec![value]);
        }
        let size = self.size(ty);
        let types = self.chunk_types(ty, size);
        let parts = match self.module.op(value) {
            Op::ConstantNull => {
                types.iter().map(|&ty| self.module.edit().unique(Op::ConstantNull, Some(ty), &[])).collect()
            }
            Op::Undef => types.iter().map(|&ty| self.undefs.undef(self.module, ty)).collect(),
            Op::ConstantComposite => self.constant_parts(value, &types, size),
            op => return Err(unsupported(user, op.name())),
        };
        self.parts.insert(value, parts);
        Ok(self.parts[&value].clone())
    }

    fn constant_parts(&mut self, value: Inst, types: &[Inst], size: u32) -> Vec<Inst> {
        let constants: Vec<Inst> = self.module.operands(value).collect();
        let chunks = constants.chunks(size as usize).zip(types);
        let mut editor = self.module.edit();
        let parts = chunks.map(|(chunk, &ty)| match *chunk {
            [single] => single,
            _ => editor.unique(Op::ConstantComposite, Some(ty), chunk),
        });
        parts.collect()
    }

    /// The components of a value, emitted before `at`.
    pub(super) fn single(&mut self, value: Inst, at: Inst) -> Result<Vec<Inst>, Diagnostic> {
        let parts = self.parts(value, at)?;
        let mut singles = Vec::new();
        for part in parts {
            singles.extend(take_apart(&mut self.before(at), part));
        }
        Ok(singles)
    }

    /// The chunks of a value with `size` components each, emitted before `at`.
    pub(super) fn parts_of(&mut self, value: Inst, size: u32, at: Inst) -> Result<Vec<Inst>, Diagnostic> {
        let ty = self.module.ty(value).expect("invariant: an operand that is a value has a type");
        if self.size(ty) == size {
            return self.parts(value, at);
        }
        let singles = self.single(value, at)?;
        let types = self.chunk_types(ty, size);
        let mut build = self.before(at);
        let chunks = singles.chunks(size as usize).zip(types);
        Ok(chunks.map(|(chunk, ty)| put_together(&mut build, ty, chunk)).collect())
    }

    /// Sets the components of an instruction: as chunks if its type is split, otherwise as one vector.
    pub(super) fn finish(&mut self, inst: Inst, singles: &[Inst]) {
        let ty = self.module.ty(inst).expect("invariant: a value has a type");
        let size = self.size(ty);
        let types = self.chunk_types(ty, size);
        let mut build = self.before(inst);
        let chunks = singles.chunks(size as usize).zip(types);
        let parts: Vec<Inst> = chunks.map(|(chunk, ty)| put_together(&mut build, ty, chunk)).collect();
        self.finish_parts(inst, parts);
    }

    /// Sets the chunks of an instruction.
    pub(super) fn finish_parts(&mut self, inst: Inst, parts: Vec<Inst>) {
        if self.has_cut(inst) {
            return self.set(inst, parts);
        }
        let [whole] = parts[..] else { unreachable!("a type that is not cut has one chunk") };
        self.module.edit().replace_all_uses(inst, whole);
        self.replaced.push(inst);
    }
}

/// The components of a vector, or a scalar itself.
pub(super) fn take_apart(build: &mut Builder<'_>, value: Inst) -> Vec<Inst> {
    let ty = build.module().ty(value).expect("invariant: a value has a type");
    let (component, count) = build.module().components(ty);
    if build.module().op(ty) != Op::TypeVector {
        return vec![value];
    }
    if build.module().op(value) == Op::CompositeConstruct && build.module().operand_count(value) == count as usize {
        return build.module().operands(value).collect();
    }
    let extract = |index| {
        let index = build.editor().word(index);
        build.composite_extract(component, &[value, index])
    };
    (0..count).map(extract).collect()
}

/// A vector of these components; a single one is itself.
pub(super) fn put_together(build: &mut Builder<'_>, ty: Inst, singles: &[Inst]) -> Inst {
    match *singles {
        [single] => single,
        _ => build.composite_construct(ty, singles),
    }
}

/// The error for an instruction without an expansion.
pub(super) fn unsupported(at: Inst, what: &str) -> Diagnostic {
    error::unsupported(at, format!("{what} with a vector that the device does not support"))
}
