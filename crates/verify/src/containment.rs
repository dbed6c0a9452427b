//! Containment of types and constants.
//!
//! - I13: no type or constant contains itself, and no request or lookup uses itself. A pointer does not contain what it points to, so lists and
//!   trees can be declared.
//! - I14: a vector has 2, 3, 4, 8 or 16 components, or with LongVectorEXT as many as one instruction can name; a matrix has 2, 3 or 4
//!   columns. Structs nest 255 deep at most (T12). Other rules check the capabilities for 8 and 16 components.

use reconverge_ir::{Class, Inst, Module, Op, view};
use rustc_hash::FxHashMap;
use spirv::Capability;

use crate::Code;
use crate::layout::{Layout, Line};
use crate::report::Report;

/// The maximal number of components of a long vector: the maximal number of operands of an instruction (section 2.17).
const LONG_VECTOR_LIMIT: u32 = 65_535;

/// The state of the search at an instruction.
#[derive(Clone, Copy, PartialEq, Eq)]
enum SearchState {
    Unseen,
    Open,
    Closed,
}

/// Checks every type and constant. Linear; no recursion.
pub(crate) fn verify_containment(report: &mut Report<'_>, layout: &Layout) {
    if !stand_behind_their_parts(report.module(), layout) {
        verify_circles(report, layout);
    }
    verify_counts(report, layout);
    verify_depths(report, layout);
}

/// The maximal nesting of structs (SPIR-V section 2.17).
const DEPTH_LIMIT: u32 = 255;

/// Computes the nesting of structs, each after its members.
fn verify_depths(report: &mut Report<'_>, layout: &Layout) {
    let module = report.module();
    let mut depths: FxHashMap<Inst, u32> = FxHashMap::default();
    for line in layout.declarations().iter().filter(|line| line.op == Op::TypeStruct) {
        let members = module.operands(line.inst).filter_map(|member| depths.get(&member));
        let depth = members.max().map_or(1, |depth| depth + 1);
        depths.insert(line.inst, depth);
        if depth == DEPTH_LIMIT + 1 {
            report.at(Code::T12, line.inst, format!("structs nest {depth} deep, more than {DEPTH_LIMIT}"));
        }
    }
}

/// Returns whether every type and constant at module level is after its members, as usual: then no cycle exists.
fn stand_behind_their_parts(module: &Module, layout: &Layout) -> bool {
    let is_behind = |(place, line): (u32, &Line)| {
        let is_before = |part: Inst| (1..place).contains(&layout.place(part)) || !is_made_of_parts(module, part);
        !has_parts(line.op)
            || line.op == Op::TypePointer
            || module.ty(line.inst).into_iter().chain(module.operands(line.inst)).all(is_before)
    };
    (1..).zip(layout.declarations()).all(is_behind)
}

/// A depth-first search over the members of types and constants.
fn verify_circles(report: &mut Report<'_>, layout: &Layout) {
    let module = report.module();
    let mut states = vec![SearchState::Unseen; module.capacity()];
    let declarations = layout.declarations().iter().map(|line| line.inst);
    for root in declarations.filter(|&inst| is_made_of_parts(module, inst)) {
        let mut stack = vec![(root, false)];
        while let Some((inst, is_done)) = stack.pop() {
            if is_done {
                states[inst.index()] = SearchState::Closed;
                continue;
            }
            if states[inst.index()] != SearchState::Unseen {
                continue;
            }
            states[inst.index()] = SearchState::Open;
            stack.push((inst, true));
            for part in parts(module, inst) {
                match states[part.index()] {
                    SearchState::Unseen => stack.push((part, false)),
                    SearchState::Open => report.at(Code::I13, inst, format!("{} contains itself", report.name(part))),
                    SearchState::Closed => {}
                }
            }
        }
    }
}

fn is_made_of_parts(module: &Module, inst: Inst) -> bool {
    has_parts(module.op(inst)) && module.op(inst) != Op::TypePointer
}

fn has_parts(op: Op) -> bool {
    matches!(op.class(), Class::Type | Class::Constant) || matches!(op, Op::Specialize | Op::LookupWitness)
}

fn parts(module: &Module, inst: Inst) -> impl Iterator<Item = Inst> + '_ {
    module.ty(inst).into_iter().chain(module.operands(inst)).filter(|&part| is_made_of_parts(module, part))
}

fn verify_counts(report: &mut Report<'_>, layout: &Layout) {
    let module = report.module();
    let mut capabilities = layout.globals().iter().filter_map(|line| view::Capability::of(module, line.inst));
    let has_long = capabilities.any(|declared| declared.capability == Some(Capability::LongVectorEXT));
    for &Line { inst, op, .. } in layout.declarations() {
        let (noun, slot, is_allowed): (_, _, fn(u32) -> bool) = match op {
            Op::TypeVector if has_long => {
                ("components", view::TypeVector::SLOT.count, |count| matches!(count, 1..=LONG_VECTOR_LIMIT))
            }
            Op::TypeVector => ("components", view::TypeVector::SLOT.count, |count| matches!(count, 2..=4 | 8 | 16)),
            Op::TypeMatrix => ("columns", view::TypeMatrix::SLOT.count, |count| matches!(count, 2..=4)),
            _ => continue,
        };
        let count = module.operand(inst, slot);
        if !matches!(*module.literal_words(count), [count] if is_allowed(count)) {
            let found = report.name(count);
            report.at(Code::I14, inst, format!("`{}` cannot have {found} {noun}", op.name()));
        }
    }
}
