//! The accesses of a function's variables: every access with its constant offset, or the fact that there are other uses.
//!
//! A variable is a candidate if every use is a load, a store to it, a copy, a lifetime marker, or a pointer at a constant offset with such
//! uses only. Uses are followed from the variable with an explicit stack; linear in uses and leaves.

use reconverge_analysis::{Layout, Layouts};
use reconverge_ir::view::{self, TypeView};
use reconverge_ir::{Block, Inst, Module, Op, Slot};
use rustc_hash::FxHashMap;

use super::component_loads::widen_component_loads;
use super::leaves::{Leaf, compute_leaves};
use reconverge_analysis::effects::{self, is_local_variable};
use reconverge_rewrite::module_facts::ModuleFacts;

/// A load, a store, or the initializer of a variable.
pub(super) struct CandidateAccess {
    /// The load, the store, or the variable.
    pub(super) inst: Inst,
    /// The accessed bytes.
    pub(super) leaves: Vec<Leaf>,
    /// The component that a load takes from its only leaf, a vector; see `component_loads.rs`.
    pub(super) component: Option<u32>,
}

/// A variable that may be split.
pub(super) struct Candidate {
    pub(super) variable: Inst,
    pub(super) accesses: Vec<CandidateAccess>,
    /// Pointers into the variable, each after its base.
    pub(super) pointers: Vec<Inst>,
    pub(super) markers: Vec<Inst>,
    /// The declared leaves of the variable; empty if there are too many.
    pub(super) declared: Vec<Leaf>,
    size: u64,
    pub(super) copies: Vec<(Inst, Side, u64)>,
}

/// The source or target of a copy.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Side {
    Target,
    Source,
}

/// The source or target of a copy, in a candidate.
#[derive(Clone, Copy)]
pub(super) struct End {
    pub(super) candidate: usize,
    pub(super) start: u64,
}

/// A copy from or to a candidate.
pub(super) struct Copy {
    pub(super) inst: Inst,
    pub(super) target: Option<End>,
    pub(super) source: Option<End>,
    /// The copied bytes, as offsets in both objects: the first byte and the number of bytes.
    pub(super) runs: Vec<(u64, u64)>,
}

/// The candidates among the variables of an entry block, and the copies from or to them.
pub(super) fn gather(
    module: &Module,
    facts: &ModuleFacts,
    layouts: &mut Layouts,
    entry: Block,
) -> (Vec<Candidate>, Vec<Copy>) {
    let variables = module.children(entry).filter(|&inst| is_local_variable(module, inst));
    let candidates: Vec<Candidate> = variables
        .filter_map(|variable| UseWalk::run(module, layouts, variable))
        .map(|mut found| {
            widen_component_loads(module, &mut found);
            found
        })
        // Splitting copies needs pointer casts.
        .filter(|found| !is_simple(module, found) && (found.copies.is_empty() || !facts.is_logical(module)))
        .collect();
    let mut copies: Vec<Copy> = Vec::new();
    let mut places: FxHashMap<Inst, usize> = FxHashMap::default();
    for (number, candidate) in candidates.iter().enumerate() {
        for &(inst, side, start) in &candidate.copies {
            let place = *places.entry(inst).or_insert(copies.len());
            if place == copies.len() {
                let runs = runs(module, layouts, inst).expect("invariant: the walk asked for the runs before");
                copies.push(Copy { inst, target: None, source: None, runs });
            }
            let end = Some(End { candidate: number, start });
            match side {
                Side::Target => copies[place].target = end,
                Side::Source => copies[place].source = end,
            }
        }
    }
    (candidates, copies)
}

/// Returns whether a variable is only read and written as a whole, so that there is nothing to split.
fn is_simple(module: &Module, candidate: &Candidate) -> bool {
    let pointee = module.pointee(candidate.variable);
    let mut leaves = candidate.accesses.iter().flat_map(|access| &access.leaves);
    candidate.pointers.is_empty() && candidate.copies.is_empty() && leaves.all(|leaf| Some(leaf.ty) == pointee)
}

/// The walk over the uses of one variable.
struct UseWalk<'a> {
    module: &'a Module,
    layouts: &'a mut Layouts,
    found: Candidate,
    pending: Vec<(Inst, i64)>,
}

impl UseWalk<'_> {
    fn run(module: &Module, layouts: &mut Layouts, variable: Inst) -> Option<Candidate> {
        let ty = module.pointee(variable)?;
        let Layout { size, .. } = layouts.of(module, ty).ok()?;
        let declared = compute_leaves(module, layouts, ty, 0).unwrap_or_default();
        let (accesses, pointers, markers, copies) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        let found = Candidate { variable, accesses, pointers, markers, declared, size, copies };
        let mut walk = UseWalk { module, layouts, found, pending: vec![(variable, 0)] };
        if let Some(initializer) = view::Variable::of(module, variable)?.initializer {
            walk.access(variable, module.ty(initializer)?, 0)?;
        }
        while let Some((pointer, offset)) = walk.pending.pop() {
            for used in module.uses(pointer) {
                let Slot::Operand(index) = used.slot else { return None };
                walk.visit(used.user, index, offset)?;
            }
        }
        Some(walk.found)
    }

    /// Processes a use of a pointer that points `offset` bytes into the variable. `None` if the use prevents splitting.
    fn visit(&mut self, user: Inst, index: usize, offset: i64) -> Option<()> {
        let module = self.module;
        if effects::is_volatile(module, user) {
            return None;
        }
        match (module.op(user), index) {
            (Op::Load, view::Access::POINTER) => self.access(user, module.ty(user)?, offset),
            (Op::Store, view::Access::POINTER) => {
                let object = view::Store::of(module, user)?.object;
                self.access(user, module.ty(object)?, offset)
            }
            (Op::CopyMemory | Op::CopyMemorySized, view::Copy::TARGET) => self.copy(user, Side::Target, offset),
            (Op::CopyMemory | Op::CopyMemorySized, view::Copy::SOURCE) => self.copy(user, Side::Source, offset),
            (Op::LifetimeStart | Op::LifetimeStop, view::Access::POINTER) => {
                self.found.markers.push(user);
                Some(())
            }
            (op, view::DerivedPointer::BASE) if view::DerivedPointer::covers(op) => {
                let distance = constant_distance(module, self.layouts, user)?;
                module.pointee(user)?;
                self.found.pointers.push(user);
                self.pending.push((user, offset.checked_add(distance)?));
                Some(())
            }
            _ => None,
        }
    }

    fn access(&mut self, inst: Inst, ty: Inst, offset: i64) -> Option<()> {
        let leaves = compute_leaves(self.module, self.layouts, ty, u64::try_from(offset).ok()?)?;
        let is_inside = leaves.iter().all(|leaf| leaf.end <= self.found.size);
        is_inside.then_some(())?;
        self.found.accesses.push(CandidateAccess { inst, leaves, component: None });
        Some(())
    }

    fn copy(&mut self, inst: Inst, side: Side, offset: i64) -> Option<()> {
        let runs = runs(self.module, self.layouts, inst)?;
        let size = runs.last().map_or(0, |&(start, size)| start + size);
        let start = self.inside(offset, size)?;
        self.found.copies.push((inst, side, start));
        Some(())
    }

    /// The offset as an unsigned number, if all bytes are in the variable.
    fn inside(&self, offset: i64, size: u64) -> Option<u64> {
        let start = u64::try_from(offset).ok()?;
        (start.checked_add(size)? <= self.found.size).then_some(start)
    }
}

/// The copied bytes: all bytes if the size is given, else the leaves of the type.
fn runs(module: &Module, layouts: &mut Layouts, copy: Inst) -> Option<Vec<(u64, u64)>> {
    if let Some(sized) = view::CopyMemorySized::of(module, copy) {
        let size = u64::try_from(constant_integer(module, sized.size)?).ok()?;
        return Some(if size == 0 { Vec::new() } else { vec![(0, size)] });
    }
    let ty = module.pointee(view::Copy::of(module, copy)?.target)?;
    let mut runs: Vec<(u64, u64)> = Vec::new();
    for leaf in compute_leaves(module, layouts, ty, 0)? {
        match runs.last_mut() {
            Some((start, length)) if *start + *length == leaf.start => *length += leaf.end - leaf.start,
            _ => runs.push((leaf.start, leaf.end - leaf.start)),
        }
    }
    Some(runs)
}

/// The offset of a pointer from its base in bytes; `None` if it is not constant.
pub(super) fn constant_distance(module: &Module, layouts: &mut Layouts, pointer: Inst) -> Option<i64> {
    let Some(view::Chain { base, element, indexes }) = view::Chain::of(module, pointer) else { return Some(0) };
    let mut ty = module.pointee(base)?;
    let mut distance: i64 = 0;
    if let Some(element) = element {
        let size = layouts.of(module, ty).ok()?.size;
        distance = constant_integer(module, element)?.checked_mul(i64::try_from(size).ok()?)?;
    }
    for index in indexes {
        let index = constant_integer(module, index)?;
        let bytes = match module.type_view(ty)? {
            TypeView::Struct { members } => {
                let member = usize::try_from(index).ok()?;
                let offset = layouts.member_offset(module, ty, member).ok()?;
                ty = members.at(member)?;
                i64::try_from(offset).ok()?
            }
            TypeView::Array { element, .. }
            | TypeView::RuntimeArray { element }
            | TypeView::Vector { component: element, .. } => {
                let stride = layouts.element_stride(module, ty).ok()?;
                ty = element;
                index.checked_mul(i64::try_from(stride).ok()?)?
            }
            _ => return None,
        };
        distance = distance.checked_add(bytes)?;
    }
    Some(distance)
}

/// The value of an integer constant, taken as signed.
fn constant_integer(module: &Module, constant: Inst) -> Option<i64> {
    let Some(TypeView::Int { width, .. }) = module.type_view(module.ty(constant)?) else { return None };
    match module.op(constant) {
        Op::ConstantNull => Some(0),
        Op::Constant => {
            let words = module.constant_words(constant)?;
            let bits = words.iter().rev().fold(0_u64, |bits, &word| bits << 32 | u64::from(word));
            let unused = 64_u32.checked_sub(width)?;
            Some((bits << unused).cast_signed() >> unused)
        }
        _ => None,
    }
}
