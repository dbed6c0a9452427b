//! The lanes of a pack: the values of a function that are the same for all of them, or affine, when they execute every instruction
//! together.
//!
//! They take every branch together, or wait: so a parameter of a block has the join of its arguments, unless the user of the search says
//! that lanes bring different ones ([`PackSearch::diverge`]). Levels rise from below until nothing changes: a counter that begins affine
//! and grows by a uniform step is affine.
//!
//! Invariant: an instruction is evaluated again when one of its operands is raised. A level is raised at most three times: linear in the
//! uses, after the ranges.

use std::collections::VecDeque;

use reconverge_ir::{Block, Function, Inst, Module, Op, Slot, Terminator, terminator, terminator::operand};
use rustc_hash::FxHashMap;

use super::level::Level;
use super::rules::{Rules, Setting};
use super::variation::Variation;
use crate::FlowGraph;
use crate::launch::Facts;
use crate::ranges::{Range, Ranges};

/// The variation of the values of a function among the lanes of a pack, and the ranges of its integers. Values outside the function are
/// uniform.
#[derive(Debug, Default)]
pub struct PackValues {
    levels: FxHashMap<Inst, Level>,
    ranges: Ranges,
}

impl PackValues {
    /// Analyses a function whose lanes take every branch together: at stage Masked, or one at stage Structured for one lane.
    pub fn compute(module: &Module, function: Function, facts: &Facts) -> PackValues {
        let mut search = PackSearch::new(module, function, facts);
        search.settle();
        search.finish()
    }

    fn level(&self, value: Inst) -> Level {
        self.levels.get(&value).copied().unwrap_or(Level::UNIFORM)
    }

    /// The variation of a value.
    pub fn of(&self, value: Inst) -> Variation {
        self.level(value).variation()
    }

    /// Returns whether a value is the same for all lanes.
    pub fn is_uniform(&self, value: Inst) -> bool {
        !self.level(value).differs()
    }

    /// The difference of the low word of an integer or an address between one lane and the next, modulo 2³², if it is the same for all.
    pub fn low_stride(&self, value: Inst) -> Option<u32> {
        self.level(value).low_word().map(i32::cast_unsigned)
    }

    /// The ranges of the integers.
    pub fn ranges(&self) -> &Ranges {
        &self.ranges
    }

    /// The range of an integer, if anything better than its type is known.
    pub fn range(&self, value: Inst) -> Option<Range> {
        self.ranges.of(value)
    }
}

/// The search for the variation of values, to which its user adds the consequences of control flow.
#[derive(Debug)]
pub struct PackSearch<'a> {
    module: &'a Module,
    facts: &'a Facts,
    setting: Setting,
    result: PackValues,
    /// Values to evaluate; those that never were come first, in reverse post-order.
    pending: VecDeque<Inst>,
}

impl<'a> PackSearch<'a> {
    /// Begins with all values, in reverse post-order.
    pub fn new(module: &'a Module, function: Function, facts: &'a Facts) -> PackSearch<'a> {
        let ranges = Ranges::compute(module, function, facts);
        let setting = Setting::of_pack();
        let result = PackValues { levels: FxHashMap::default(), ranges };
        let mut search = PackSearch { module, facts, setting, result, pending: VecDeque::new() };
        let flow = FlowGraph::compute(module, function);
        let blocks: Vec<Block> = flow.order().sequence().iter().map(|&node| flow.block(node)).collect();
        let insts = blocks.into_iter().flat_map(|block| module.children(block));
        search.pending.extend(insts.filter(|&inst| module.ty(inst).is_some()));
        search
    }

    /// Returns whether lanes may have different values, for all that is known so far.
    pub fn is_divergent(&self, value: Inst) -> bool {
        self.level(value).differs()
    }

    /// Lanes have different values of a parameter of a block. Returns whether that is new.
    pub fn diverge(&mut self, parameter: Inst) -> bool {
        self.raise(parameter, Level::Divergent)
    }

    /// Raises levels until nothing changes.
    pub fn settle(&mut self) {
        while let Some(inst) = self.pending.pop_front() {
            let level = self.evaluate(inst);
            self.raise(inst, level);
        }
    }

    /// The results, once nothing changes.
    pub fn finish(self) -> PackValues {
        debug_assert!(self.pending.is_empty(), "the search is settled");
        self.result
    }

    /// The level of a value, unknown as long as it has not been evaluated.
    fn level(&self, value: Inst) -> Level {
        let level = self.result.levels.get(&value).copied();
        level.unwrap_or_else(|| if self.module.block_of(value).is_some() { Level::Unknown } else { Level::UNIFORM })
    }

    fn evaluate(&self, inst: Inst) -> Level {
        let op = self.module.op(inst);
        match op {
            Op::BlockParameter => self.level_of_parameter(inst),
            _ => {
                let launch = Some((self.facts, &self.result.ranges));
                let rules = Rules { module: self.module, setting: &self.setting, launch };
                let level = |operand: u32| self.level(self.module.operand(inst, operand as usize));
                rules.evaluate(inst, op, level).0
            }
        }
    }

    /// An undefined argument is what the others are.
    fn level_of_parameter(&self, parameter: Inst) -> Level {
        let module = self.module;
        let Some(block) = module.block_of(parameter) else { return Level::UNIFORM };
        let Some(place) = module.parameters(block).position(|other| Inst::from(other) == parameter) else {
            return Level::UNIFORM;
        };
        let arguments = module.in_edges(block).filter_map(|edge| module.arguments(edge.terminator).nth(place));
        let defined = arguments.filter(|&argument| module.op(argument) != Op::Undef);
        defined.map(|argument| self.level(argument)).fold(Level::Unknown, Level::join)
    }

    fn raise(&mut self, value: Inst, level: Level) -> bool {
        let known = self.result.levels.entry(value).or_insert(Level::Unknown);
        let level = known.join(level);
        if level == *known {
            return false;
        }
        *known = level;
        for used in self.module.uses(value) {
            let Slot::Operand(index) = used.slot else { continue };
            let user = match self.module.cast::<Terminator>(used.user) {
                Some(jump) => self.parameter_for(jump, index),
                None => Some(used.user),
            };
            // Users without a level are pending.
            self.pending.extend(user.filter(|user| self.result.levels.contains_key(user)));
        }
        true
    }

    fn parameter_for(&self, jump: Terminator, index: usize) -> Option<Inst> {
        let place = index.checked_sub(terminator::first_argument(self.module.op(jump))?)?;
        let target = self.module.cast::<Block>(self.module.operand(jump, operand::TARGET))?;
        self.module.parameters(target).nth(place).map(Inst::from)
    }
}
