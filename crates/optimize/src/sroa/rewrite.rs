//! Accesses of a variable as accesses of its pieces.
//!
//! ```text
//! %v = variable {i32, f32}                       %v.0 = variable i32; %v.4 = variable f32
//! copy_memory_sized %v, %outside, 8       ⇒      %a = load %outside; store %v.0, %a; %b = load %outside + 4; store %v.4, %b
//! %x = load (i64 at %v)                          %c = load %v.0; %d = load %v.4; %x = %c and %d side by side
//! ```
//!
//! Every copy reads all its bytes before it writes. Pieces that are never read are not written; reads of pieces that are never written give
//! `undef`.

use reconverge_analysis::Layouts;
use reconverge_ir::{Builder, Inst, Module, Op, view};
use spirv::StorageClass;

use super::accesses::{Candidate, CandidateAccess, Copy, End, Side};
use super::aggregate::{constituent, rebuilt};
use super::constant_bytes::{ConstantPlace, constant_at, constant_place};
use super::convert::{TypedValue, join, split};
use super::declared::declare_pieces;
use super::leaves::{Leaf, leaf_size};
use super::names::piece_name;
use super::outside::outside;
use super::pieces::{Piece, within};

use reconverge_rewrite::undef::Undefs;

/// The rewriting of accesses to pieces.
pub(super) struct Rewriter<'a> {
    module: &'a mut Module,
    layouts: &'a mut Layouts,
    /// For each candidate its pieces with their types and variables; none if it is not split.
    pieces: Vec<Option<Vec<Piece>>>,
    undefs: Undefs,
}

impl<'a> Rewriter<'a> {
    /// Creates the variables for the pieces, before the variables that they replace.
    pub(super) fn new(
        module: &'a mut Module,
        layouts: &'a mut Layouts,
        candidates: &[Candidate],
        mut pieces: Vec<Option<Vec<Piece>>>,
    ) -> Rewriter<'a> {
        for (candidate, pieces) in candidates.iter().zip(&mut pieces) {
            let is_whole = pieces.as_ref().is_some_and(|pieces| pieces.len() == 1);
            for piece in pieces.iter_mut().flatten() {
                let name = match is_whole {
                    true => module.name(candidate.variable),
                    false => piece_name(module, candidate, piece),
                };
                make_variable(module, candidate.variable, piece, name);
            }
            if let Some(pieces) = pieces {
                declare_pieces(module, candidate, pieces);
            }
        }
        Rewriter { module, layouts, pieces, undefs: Undefs::default() }
    }

    /// Rewrites all accesses of the candidates, and removes those that are replaced. Returns their number.
    pub(super) fn rewrite(mut self, candidates: &[Candidate], copies: &[Copy]) -> usize {
        let replaced: Vec<usize> = (0..candidates.len()).filter(|&number| self.pieces[number].is_some()).collect();
        for &number in &replaced {
            for access in &candidates[number].accesses {
                self.rewrite_access(number, access);
            }
        }
        for copy in copies {
            self.rewrite_copy(copy);
        }
        for candidate in replaced.iter().map(|&number| &candidates[number]) {
            candidate.markers.iter().for_each(|&marker| reconverge_rewrite::removal::remove(self.module, marker));
            candidate
                .pointers
                .iter()
                .rev()
                .for_each(|&pointer| reconverge_rewrite::removal::remove(self.module, pointer));
            self.module.edit().delete(candidate.variable);
        }
        replaced.len()
    }

    fn rewrite_access(&mut self, number: usize, access: &CandidateAccess) {
        let CandidateAccess { inst, ref leaves, component } = *access;
        match self.module.op(inst) {
            Op::Load => {
                let before = self.module.previous(inst);
                let values: Vec<Inst> =
                    leaves.iter().map(|leaf| self.read(inst, number, leaf.start, leaf.ty)).collect();
                let ty = self.module.ty(inst).expect("invariant: a load has a type");
                let mut build = self.builder(inst);
                let value = match component {
                    Some(component) => {
                        let index = build.editor().word(component);
                        build.composite_extract(ty, &[values[0], index])
                    }
                    None => rebuilt(&mut build, ty, &values),
                };
                self.module.edit().replace_all_uses(inst, value);
                self.replace(inst, before);
            }
            Op::Store => {
                let before = self.module.previous(inst);
                let store = view::Store::of(self.module, inst).expect("invariant: a store stores something");
                let value = store.object;
                leaves.iter().for_each(|leaf| self.write(inst, number, leaf, value));
                self.replace(inst, before);
            }
            _ => {
                let variable = view::Variable::of(self.module, inst);
                let value = variable.and_then(|variable| variable.initializer);
                let value = value.expect("invariant: the variable is initialized");
                let after = std::iter::successors(Some(inst), |&inst| self.module.next(inst));
                let first = after.into_iter().find(|&inst| self.module.op(inst) != Op::Variable);
                let at = first.expect("invariant: a block ends in a terminator");
                leaves.iter().for_each(|leaf| self.write(at, number, leaf, value));
            }
        }
    }

    /// A builder before an instruction.
    fn builder(&mut self, at: Inst) -> Builder<'_> {
        let mut build = Builder::new(self.module);
        build.before(at);
        build
    }

    /// Removes an instruction. The instructions that replace it, after `before`, get its location.
    fn replace(&mut self, inst: Inst, before: Option<Inst>) {
        let parent = self.module.parent(inst).expect("invariant: the instruction is placed");
        let first = before.map_or(self.module.first_child(parent), |before| self.module.next(before));
        let location = self.module.explicit_location(inst);
        if let (Some(first), Some(location)) = (first.filter(|&first| first != inst), location) {
            self.module.edit().set_location(first, Some(location));
        }
        reconverge_rewrite::removal::remove(self.module, inst);
    }

    /// The pieces of a candidate in a range of bytes.
    fn range(&self, number: usize, start: u64, size: u64) -> Vec<Piece> {
        let pieces = self.pieces[number].as_ref().expect("invariant: the candidate was cut into pieces");
        pieces[within(pieces, start, start + size)].to_vec()
    }

    /// The bytes of a candidate from `start` on, as a leaf type.
    fn read(&mut self, at: Inst, number: usize, start: u64, ty: Inst) -> Inst {
        let size = leaf_size(self.module, ty).expect("invariant: only leaves are read");
        let mut parts = Vec::new();
        for piece in self.range(number, start, size) {
            let ty = piece.ty();
            let value = match piece.variable {
                Some(variable) => self.builder(at).load(ty, &[variable]),
                None => self.undefs.undef(self.module, ty),
            };
            parts.push(TypedValue { value, ty });
        }
        join(&mut self.builder(at), &parts, ty)
    }

    /// Writes a leaf of a value to the pieces of a candidate.
    fn write(&mut self, at: Inst, number: usize, leaf: &Leaf, value: Inst) {
        let pieces = self.range(number, leaf.start, leaf.end - leaf.start);
        if pieces.iter().all(|piece| piece.variable.is_none()) || self.module.op(value) == Op::Undef {
            return;
        }
        let mut build = self.builder(at);
        let value = constituent(&mut build, value, leaf);
        let types: Vec<Inst> = pieces.iter().map(Piece::ty).collect();
        let values = match build.module().op(value) {
            Op::ConstantNull => types.iter().map(|&ty| build.emit(Op::ConstantNull, Some(ty), &[])).collect(),
            _ => split(&mut build, TypedValue { value, ty: leaf.ty }, &types),
        };
        for (piece, value) in pieces.iter().zip(values) {
            if let Some(variable) = piece.variable {
                build.store(&[variable, value]);
            }
        }
    }

    fn rewrite_copy(&mut self, copy: &Copy) {
        let before = self.module.previous(copy.inst);
        let target = copy.target.filter(|end| self.pieces[end.candidate].is_some());
        let source = copy.source.filter(|end| self.pieces[end.candidate].is_some());
        match (target, source) {
            (Some(target), Some(source)) => self.copy_within(copy, target, source),
            (Some(target), None) => self.copy_in(copy, target),
            (None, Some(source)) => self.copy_out(copy, source),
            (None, None) => return,
        }
        self.replace(copy.inst, before);
    }

    /// The pieces of one end of a copy.
    fn copied(&self, copy: &Copy, end: End) -> Vec<Piece> {
        let runs = copy.runs.iter();
        runs.flat_map(|&(distance, size)| self.range(end.candidate, end.start + distance, size)).collect()
    }

    fn copy_within(&mut self, copy: &Copy, target: End, source: End) {
        let mut stores = Vec::new();
        for piece in self.copied(copy, target) {
            let Some(variable) = piece.variable else { continue };
            let from = source.start + (piece.start - target.start);
            stores.push((variable, self.read(copy.inst, source.candidate, from, piece.ty())));
        }
        let mut build = self.builder(copy.inst);
        for (variable, value) in stores {
            build.store(&[variable, value]);
        }
    }

    fn copy_in(&mut self, copy: &Copy, target: End) {
        let memory = outside(self.module, self.layouts, copy.inst, Side::Source);
        let constant = constant_place(self.module, self.layouts, memory.pointer);
        let mut stores = Vec::new();
        for piece in self.copied(copy, target) {
            let Some(variable) = piece.variable else { continue };
            let distance = piece.start - target.start;
            let known = constant.and_then(|place| self.constant(copy.inst, place.advanced(distance), piece.ty()));
            let value = known.unwrap_or_else(|| memory.load(&mut self.builder(copy.inst), distance, piece.ty()));
            stores.push((variable, value));
        }
        let mut build = self.builder(copy.inst);
        for (variable, value) in stores {
            build.store(&[variable, value]);
        }
    }

    fn constant(&mut self, at: Inst, place: ConstantPlace, ty: Inst) -> Option<Inst> {
        let mut build = Builder::new(self.module);
        build.before(at);
        constant_at(&mut build, self.layouts, place, ty)
    }

    fn copy_out(&mut self, copy: &Copy, source: End) {
        let memory = outside(self.module, self.layouts, copy.inst, Side::Target);
        let pieces = self.copied(copy, source);
        for piece in pieces.iter().filter(|piece| piece.variable.is_some()) {
            let value = self.read(copy.inst, source.candidate, piece.start, piece.ty());
            memory.store(
                &mut self.builder(copy.inst),
                piece.start - source.start,
                TypedValue { value, ty: piece.ty() },
            );
        }
    }
}

/// Chooses the type of a piece and creates a variable with a name for it, if it needs one.
fn make_variable(module: &mut Module, whole: Inst, piece: &mut Piece, name: Option<String>) {
    let mut build = Builder::new(module);
    let ty = piece.ty.unwrap_or_else(|| build.int_type(piece.size as u32 * 8));
    piece.ty = Some(ty);
    if !(piece.is_read && piece.is_written) {
        return;
    }
    build.before(whole);
    let pointer = build.pointer_type(StorageClass::Function, ty);
    let class = build.enumerant(StorageClass::Function);
    let variable = build.variable(pointer, &[class]);
    piece.variable = Some(variable);
    if let Some(name) = name {
        module.edit().set_name(variable, &name);
    }
}
