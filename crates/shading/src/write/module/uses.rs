//! Uses of global variables that determine their type in naga: atomics, comparisons of depth, reads and writes of images.

use naga::StorageAccess;
use reconverge_diagnostic::Diagnostic;
use reconverge_ir::view;
use reconverge_ir::{Class, Inst, Module, Op, OpGroup};
use rustc_hash::{FxHashMap, FxHashSet};

use super::super::entry_points::Entry;
use super::super::prepare::Prepared;
use super::super::{WriteCode, at_inst};
pub(crate) use crate::lower::uses::{root, sampler_of};

/// The uses of global variables.
#[derive(Default)]
pub(crate) struct Uses {
    /// The pointers of atomics, by the variable that they point into.
    pub(crate) atomics: FxHashMap<Inst, Vec<Inst>>,
    /// Variables of images that are compared with a depth.
    pub(crate) compared: FxHashSet<Inst>,
    /// Variables of images with a sampler that are sampled without a comparison.
    pub(crate) sampled: FxHashSet<Inst>,
    /// The accesses to storage images, by variable.
    pub(crate) access: FxHashMap<Inst, StorageAccess>,
    /// Variables of samplers that compare.
    pub(crate) comparing: FxHashSet<Inst>,
}

impl Uses {
    /// Finds the uses. O(instructions × length of access chains).
    pub(crate) fn of(prepared: &Prepared, entries: &[Entry]) -> Result<Uses, Diagnostic> {
        let source = &prepared.module;
        let mut uses = Uses::default();
        let functions = prepared.callees.iter().copied().chain(entries.iter().map(|entry| entry.function));
        for block in functions.flat_map(|function| source.blocks(function)) {
            for inst in source.children(block) {
                uses.add(source, inst)?;
            }
        }
        Ok(uses)
    }

    fn add(&mut self, source: &Module, inst: Inst) -> Result<(), Diagnostic> {
        let op = source.op(inst);
        if op.class() == Class::Atomic {
            let Some(atomic) = view::Atomic::of(source, inst) else { return Ok(()) };
            let variable = root(source, atomic.pointer);
            if source.op(texel_or(source, atomic.pointer)) == Op::ImageTexelPointer {
                self.allow(variable, StorageAccess::ATOMIC | StorageAccess::LOAD | StorageAccess::STORE);
            } else if source.op(variable) == Op::Variable {
                self.atomics.entry(variable).or_default().push(atomic.pointer);
            } else {
                return Err(at_inst(WriteCode::Pointer, inst, "an atomic through a pointer that is a parameter"));
            }
            return Ok(());
        }
        let Some(used) = view::ImageUse::of(source, inst) else { return Ok(()) };
        let variable = root(source, used.image);
        match op.group() {
            OpGroup::ImageRead if op == Op::ImageRead => self.allow(variable, StorageAccess::LOAD),
            OpGroup::ImageWrite => self.allow(variable, StorageAccess::STORE),
            OpGroup::Sample => {
                let sampler = sampler_of(source, used.image).map(|sampler| root(source, sampler));
                if is_comparison(op) {
                    self.compared.insert(variable);
                    self.comparing.insert(sampler.unwrap_or(variable));
                } else {
                    self.sampled.insert(sampler.unwrap_or(variable));
                }
            }
            _ => {}
        }
        Ok(())
    }

    fn allow(&mut self, variable: Inst, access: StorageAccess) {
        *self.access.entry(variable).or_insert(StorageAccess::empty()) |= access;
    }
}

/// The kind of a sampler, by the operations that use it.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum SamplerKind {
    /// It samples colors.
    Filtering,
    /// It compares depths with a reference.
    Comparison,
}

impl SamplerKind {
    /// The kind of the sampler of an operation.
    pub(crate) fn of(op: Op) -> SamplerKind {
        if is_comparison(op) { SamplerKind::Comparison } else { SamplerKind::Filtering }
    }
}

/// Returns whether an op samples with a comparison.
fn is_comparison(op: Op) -> bool {
    matches!(
        op,
        Op::ImageSampleDrefImplicitLod
            | Op::ImageSampleDrefExplicitLod
            | Op::ImageSampleProjDrefImplicitLod
            | Op::ImageSampleProjDrefExplicitLod
            | Op::ImageDrefGather
    )
}

fn texel_or(source: &Module, pointer: Inst) -> Inst {
    let mut pointer = pointer;
    while source.op(pointer) == Op::CopyObject {
        pointer = source.operand(pointer, 0);
    }
    pointer
}
