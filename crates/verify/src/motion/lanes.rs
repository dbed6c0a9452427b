//! Instructions that depend on the lanes of a quad.
//!
//! - C6: a derivative is in its old block, or in a block that dominates it: there the lanes of the quad that executed it are still
//!   converged, and perhaps more. It moves down only as long as all controlling conditions are uniform.
//!
//! All other instructions that depend on other lanes do not move (C2).
//!
//! Here, a condition is uniform if it is computed by pure operations from constants, from inputs that are the same for a draw or dispatch,
//! from results of subgroup operations, and from parameters of blocks that all lanes enter over the same edge. An analysis may prove more;
//! then this check allows less motion than is correct.

use std::collections::HashSet;

use reconverge_ir::{Inst, Module, Op, terminator, terminator::operand, view};
use spirv::StorageClass;

use super::Motion;
use super::origins::{EffectPlace, Moved};
use super::places::{is_read_only, root_and_path};
use crate::Code;
use crate::report::Report;

/// The maximal number of values and edges that are visited for a condition.
const LIMIT: usize = 20_000;

/// Checks C6 for every derivative that moved.
pub(super) fn verify_lanes(report: &mut Report<'_>, motion: &Motion<'_, '_>, moved: &[Moved]) {
    let module = motion.after.module;
    for Moved { inst, to, from } in moved.iter().filter(|moved| module.op(moved.inst).effects().sees_only_its_quad()) {
        if !from.iter().all(|&old| keeps_its_lanes(motion, *to, old)) {
            report.at(Code::C6, *inst, "at its old place more lanes of the quad are converged");
        }
    }
}

fn keeps_its_lanes(motion: &Motion<'_, '_>, to: EffectPlace, old: EffectPlace) -> bool {
    if motion.dominance.dominates(to.block, old.block) {
        return true;
    }
    // From the old block to the new one, every block on the path must branch on uniform conditions, and so must the blocks that decide
    // whether the path is left.
    motion.dominance.dominates(old.block, to.block) && region_is_uniform(motion, old.block, to.block)
}

/// Returns whether every branch on a path from one block to another that it dominates is uniform.
fn region_is_uniform(motion: &Motion<'_, '_>, above: u32, below: u32) -> bool {
    let mut proof = Proof { motion, known: HashSet::new(), pending: vec![Duty::Region(above, below)], left: LIMIT };
    while let Some(duty) = proof.pending.pop() {
        let is_met = match duty {
            Duty::Region(above, below) => proof.region(above, below),
            Duty::Value(value) => proof.value(value),
        };
        if !is_met {
            return false;
        }
    }
    true
}

/// An obligation of the proof.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Duty {
    /// Lanes that execute the first block together and reach the second one enter it together, over the same edge.
    Region(u32, u32),
    /// Lanes that execute the definition of a value together get the same value.
    Value(Inst),
}

/// A proof by obligations, each of which may assume all others (coinduction): there must be a first point where lanes differ.
struct Proof<'a, 'b, 'm> {
    motion: &'a Motion<'b, 'm>,
    known: HashSet<Duty>,
    pending: Vec<Duty>,
    left: usize,
}

impl Proof<'_, '_, '_> {
    fn demand(&mut self, duty: Duty) {
        if self.known.insert(duty) {
            self.pending.push(duty);
        }
    }

    /// A value that is read in a block is uniform there, if lanes are still together since its definition.
    fn demand_operand(&mut self, value: Inst, block: u32) {
        if is_common(self.motion.after.module, value) {
            return;
        }
        self.demand(Duty::Value(value));
        if let Some(source) = self.motion.after.module.block_of(value) {
            self.demand(Duty::Region(self.motion.after.number(source) as u32, block));
        }
    }

    fn region(&mut self, above: u32, below: u32) -> bool {
        let motion = self.motion;
        let (mut known, mut pending) = (HashSet::from([below]), vec![below]);
        while let Some(block) = pending.pop() {
            if block == above {
                continue;
            }
            for source in motion.graph.predecessors(block).filter(|&source| motion.dominance.is_reachable(source)) {
                self.left = self.left.saturating_sub(1);
                if self.left == 0 || !self.decides_uniformly(source) {
                    return false;
                }
                if known.insert(source) {
                    pending.push(source);
                }
            }
        }
        true
    }

    fn decides_uniformly(&mut self, block: u32) -> bool {
        let module = self.motion.after.module;
        let Some(last) = module.terminator(self.motion.after.blocks[block as usize]) else { return false };
        match module.op(last) {
            Op::Branch | Op::Loop => true,
            Op::BranchIf | Op::If | Op::Switch | Op::StructuredSwitch => {
                self.demand_operand(module.operand(last, operand::CONDITION), block);
                true
            }
            _ => false,
        }
    }

    fn value(&mut self, value: Inst) -> bool {
        let module = self.motion.after.module;
        let op = module.op(value);
        self.left = self.left.saturating_sub(1);
        let Some(block) = module.block_of(value) else {
            return op.is_constant()
                || op.is_type()
                || op.is_literal()
                || op == Op::ExtInstImport
                || op == Op::Variable && is_shared_input(module, value);
        };
        let number = self.motion.after.number(block) as u32;
        match op {
            _ if self.left == 0 => false,
            Op::Load => {
                let Some(view::Load { pointer, .. }) = view::Load::of(module, value) else { return false };
                let is_shared = is_shared_input(module, pointer);
                if is_shared {
                    self.demand_operand(pointer, number);
                }
                is_shared
            }
            Op::Undef => false,
            Op::BlockParameter => self.parameter(value, number),
            // Values that are uniform if the lanes execute them together.
            Op::GroupNonUniformBroadcastFirst
            | Op::GroupNonUniformAll
            | Op::GroupNonUniformAny
            | Op::GroupNonUniformAllEqual
            | Op::GroupNonUniformBallot => true,
            _ if op.effects().is_pure() => {
                module.operands(value).for_each(|operand| self.demand_operand(operand, number));
                true
            }
            _ => false,
        }
    }

    /// Lanes that enter a block over the same edge get the same argument, if it is uniform.
    fn parameter(&mut self, parameter: Inst, block: u32) -> bool {
        let (module, after) = (self.motion.after.module, self.motion.after);
        let target = after.blocks[block as usize];
        let number = module.parameters(target).position(|other| other.inst() == parameter);
        let (Some(number), Some(above)) = (number, self.motion.dominance.idom(block)) else { return false };
        self.demand(Duty::Region(above, block));
        for edge in module.in_edges(target) {
            let first = terminator::first_argument(module.op(edge.terminator));
            let argument = first.and_then(|first| module.operands(edge.terminator).nth(first + number));
            let source = module.block_of(edge.terminator);
            let (Some(argument), Some(source)) = (argument, source) else { return false };
            let source = after.number(source) as u32;
            if self.motion.dominance.is_reachable(source) {
                self.demand_operand(argument, source);
            }
        }
        true
    }
}

/// Returns whether a value is the same for all lanes everywhere: it is computed from constants and shared inputs only.
fn is_common(module: &Module, value: Inst) -> bool {
    const FEW: usize = 100;
    let (mut known, mut pending) = (HashSet::from([value]), vec![value]);
    while let Some(value) = pending.pop() {
        let op = module.op(value);
        let is_inside = module.block_of(value).is_some();
        let is_shared = match op {
            Op::Load => loads_shared_input(module, value),
            Op::Variable => is_shared_input(module, value),
            Op::BlockParameter | Op::Undef => false,
            _ if is_inside => op.effects().is_pure(),
            _ => op.is_constant() || op.is_type() || op.is_literal() || op == Op::ExtInstImport,
        };
        if !is_shared || known.len() > FEW {
            return false;
        }
        if is_inside {
            pending.extend(module.operands(value).filter(|&operand| known.insert(operand)));
        }
    }
    true
}

/// Returns whether a pointer points to memory that a draw or dispatch has once and that is not written: push constants and uniform buffers.
fn is_shared_input(module: &Module, pointer: Inst) -> bool {
    let (root, _) = root_and_path(module, pointer);
    let is_shared = matches!(module.storage_class(root), Some(StorageClass::Uniform | StorageClass::PushConstant));
    module.op(root) == Op::Variable && is_shared && is_read_only(module, root)
}

fn loads_shared_input(module: &Module, load: Inst) -> bool {
    view::Load::of(module, load).is_some_and(|load| is_shared_input(module, load.pointer))
}
