//! The solver: finds known values and executable blocks, as the greatest fixpoint.
//!
//! Two worklists: blocks that become executable, and values that move down the lattice. A block is visited as a whole once. After that, an
//! instruction is visited when one of its operands moves down, which each operand does at most twice. A parameter meets an argument when
//! the jump becomes executable and when the argument moves down, so the number of jumps to a block counts once. Operations with more
//! operands than `constant_folding` supports are any at once.

use reconverge_analysis::constant_folding::{Constant, Scalar, fold, is_foldable};
use reconverge_graph::Grouped;
use reconverge_ir::{
    Block, Function, Inst, Module, Numbering, Op, OpGroup, Terminator, terminator, terminator::operand,
};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use reconverge_rewrite::constants::taken;

/// The lattice.
#[derive(Clone, PartialEq, Debug)]
enum LatticeValue {
    /// No executable instruction has defined it yet.
    Unseen,
    /// The same in every run.
    Known(Constant),
    /// Not constant.
    Any,
}

/// A use of a value.
#[derive(Clone, Copy, PartialEq, Eq)]
enum User {
    /// An instruction, or a terminator for its condition.
    Inst(u32),
    /// A parameter to which the jump of a block passes it.
    Parameter { parameter: u32, from: u32 },
}

/// The solution.
pub(super) struct Solution {
    blocks: Vec<Block>,
    nodes: Numbering,
    runs: Vec<bool>,
    insts: Vec<Inst>,
    numbers: Numbering,
    states: Vec<LatticeValue>,
    globals: FxHashMap<Inst, Option<Constant>>,
}

impl Solution {
    pub(super) fn compute(module: &Module, function: Function) -> Solution {
        let mut search = Solver::new(module, function);
        search.run();
        search.solution
    }

    /// The known values, in program order.
    pub(super) fn known(&self) -> impl Iterator<Item = (Inst, &Constant)> + '_ {
        self.insts.iter().zip(&self.states).filter_map(|(&inst, state)| match state {
            LatticeValue::Known(constant) => Some((inst, constant)),
            LatticeValue::Unseen | LatticeValue::Any => None,
        })
    }

    /// The executable blocks, in program order.
    pub(super) fn running(&self) -> impl Iterator<Item = Block> + '_ {
        self.blocks.iter().zip(&self.runs).filter(|&(_, &runs)| runs).map(|(&block, _)| block)
    }

    /// Returns whether a block is executable.
    pub(super) fn runs(&self, block: Block) -> bool {
        self.nodes.number(block).is_some_and(|node| self.runs[node as usize])
    }

    /// The condition of a branch or the selector of a switch, if it is known. The operand may already be the constant that replaced a known
    /// value.
    pub(super) fn condition(&self, module: &Module, terminator: Terminator) -> Option<Scalar> {
        if module.op(terminator).group() != OpGroup::Branch {
            return None;
        }
        Constant::of(module, module.operand(terminator, operand::CONDITION))?.as_scalar()
    }

    fn state(&mut self, module: &Module, value: Inst) -> LatticeValue {
        if let Some(number) = self.numbers.number(value) {
            return self.states[number as usize].clone();
        }
        let constant = self.globals.entry(value).or_insert_with(|| Constant::of(module, value));
        constant.clone().map_or(LatticeValue::Any, LatticeValue::Known)
    }
}

struct Solver<'m> {
    module: &'m Module,
    solution: Solution,
    /// For each instruction the node of its block.
    places: Vec<u32>,
    /// For each node the number of its first instruction, and the total at the end.
    starts: Vec<u32>,
    /// Users by the number of the value.
    users: Grouped<User>,
    pending_blocks: Vec<u32>,
    pending_values: Vec<u32>,
}

impl<'m> Solver<'m> {
    fn new(module: &'m Module, function: Function) -> Solver<'m> {
        let blocks: Vec<Block> = module.blocks(function).collect();
        let mut nodes = Numbering::around(&blocks);
        let (mut insts, mut places, mut starts) = (Vec::new(), Vec::new(), Vec::new());
        for (node, &block) in (0..).zip(&blocks) {
            nodes.insert(block, node);
            starts.push(insts.len() as u32);
            insts.extend(module.children(block));
            places.resize(insts.len(), node);
        }
        starts.push(insts.len() as u32);
        let numbers = Numbering::in_order(&insts);
        let (runs, states) = (vec![false; blocks.len()], vec![LatticeValue::Unseen; insts.len()]);
        let globals = FxHashMap::default();
        let solution = Solution { blocks, nodes, runs, insts, numbers, states, globals };
        let (pending_blocks, pending_values) = (Vec::new(), Vec::new());
        let users = Grouped::compute(0, std::iter::empty());
        let mut search = Solver { module, solution, places, starts, users, pending_blocks, pending_values };
        search.users = search.gather_users();
        search
    }

    fn gather_users(&self) -> Grouped<User> {
        let module = self.module;
        let mut pairs: Vec<(u32, User)> = Vec::new();
        for (user, &inst) in (0..).zip(&self.solution.insts) {
            let first = terminator::first_argument(module.op(inst)).unwrap_or(usize::MAX);
            for (index, value) in module.operands(inst).enumerate() {
                let Some(value) = self.solution.numbers.number(value) else { continue };
                let user = match index.checked_sub(first) {
                    None => Some(User::Inst(user)),
                    Some(argument) => self
                        .parameter(inst, argument)
                        .map(|parameter| User::Parameter { parameter, from: self.places[user as usize] }),
                };
                // An instruction that uses a value twice in a row needs only one visit.
                let pair = user.map(|user| (value, user)).filter(|pair| pairs.last() != Some(pair));
                pairs.extend(pair);
            }
        }
        Grouped::compute(self.solution.insts.len(), pairs.iter().copied())
    }

    /// The parameter for the argument of a jump with this number: parameters are first in a block.
    fn parameter(&self, jump: Inst, argument: usize) -> Option<u32> {
        let node = self.solution.nodes.number(self.module.operand(jump, operand::TARGET))? as usize;
        let number = self.starts[node] as usize + argument;
        let is_inside = number < self.starts[node + 1] as usize;
        (is_inside && self.module.op(self.solution.insts[number]) == Op::BlockParameter).then_some(number as u32)
    }

    fn run(&mut self) {
        self.enter(0);
        loop {
            if let Some(node) = self.pending_blocks.pop() {
                (self.starts[node as usize]..self.starts[node as usize + 1]).for_each(|number| self.look_at(number));
            } else if let Some(value) = self.pending_values.pop() {
                self.tell_users(value);
            } else {
                return;
            }
        }
    }

    fn enter(&mut self, node: u32) {
        if let Some(runs) = self.solution.runs.get_mut(node as usize)
            && !std::mem::replace(runs, true)
        {
            self.pending_blocks.push(node);
        }
    }

    fn tell_users(&mut self, value: u32) {
        for index in 0..self.users.list(value as usize).len() {
            match self.users.list(value as usize)[index] {
                User::Inst(user) if self.solution.runs[self.places[user as usize] as usize] => self.look_at(user),
                User::Parameter { parameter, from } if self.solution.runs[from as usize] => {
                    let state = self.solution.states[value as usize].clone();
                    self.lower(parameter, state);
                }
                User::Inst(_) | User::Parameter { .. } => {}
            }
        }
    }

    /// Visits an instruction of an executable block.
    fn look_at(&mut self, number: u32) {
        let inst = self.solution.insts[number as usize];
        match self.module.op(inst) {
            Op::BlockParameter => {}
            Op::Branch | Op::Loop => self.take_jump(inst),
            op if op.is_terminator() => self.take_branch(inst),
            _ if self.solution.states[number as usize] == LatticeValue::Any => {}
            _ => {
                let state = self.evaluate(inst);
                self.lower(number, state);
            }
        }
    }

    /// Visited once, when its block becomes executable; arguments that move down later update the parameters directly.
    fn take_jump(&mut self, jump: Inst) {
        let module = self.module;
        let Some(first) = terminator::first_argument(module.op(jump)) else { return };
        for (argument, value) in module.operands(jump).skip(first).enumerate() {
            if let Some(parameter) = self.parameter(jump, argument) {
                let state = self.solution.state(module, value);
                self.lower(parameter, state);
            }
        }
        self.enter_target(jump, operand::TARGET);
    }

    fn take_branch(&mut self, branch: Inst) {
        let module = self.module;
        let Some(terminator) = module.cast::<Terminator>(branch) else { return };
        if module.op(branch).group() != OpGroup::Branch {
            return;
        }
        let state = self.solution.state(module, module.operand(branch, operand::CONDITION));
        let condition = match &state {
            LatticeValue::Unseen => return,
            LatticeValue::Known(constant) => constant.as_scalar(),
            LatticeValue::Any => None,
        };
        if let Some(index) = taken(module, terminator, condition) {
            return self.enter_target(branch, index);
        }
        for index in 0..module.operand_count(branch) {
            if terminator::is_successor(module.op(branch), index) {
                self.enter_target(branch, index);
            }
        }
    }

    fn enter_target(&mut self, terminator: Inst, index: usize) {
        if let Some(node) = self.solution.nodes.number(self.module.operand(terminator, index)) {
            self.enter(node);
        }
    }

    fn evaluate(&mut self, inst: Inst) -> LatticeValue {
        let module = self.module;
        let op = module.op(inst);
        if !is_foldable(op) || module.operand_count(inst) > Constant::LEAF_LIMIT {
            return LatticeValue::Any;
        }
        let operands: SmallVec<[(Inst, LatticeValue); 4]> =
            module.operands(inst).map(|operand| (operand, self.solution.state(module, operand))).collect();
        if let (Op::Select, [(_, LatticeValue::Known(Constant::Scalar(condition))), (_, yes), (_, no)]) =
            (op, &*operands)
        {
            return if condition.bits == 1 { yes.clone() } else { no.clone() };
        }
        if operands.iter().any(|(_, state)| *state == LatticeValue::Unseen) {
            return LatticeValue::Unseen;
        }
        let mut known = operands.into_iter().filter(|&(operand, _)| !module.op(operand).is_literal());
        let value = fold(module, inst, |_| match known.next() {
            Some((_, LatticeValue::Known(constant))) => Some(constant),
            _ => None,
        });
        value.map_or(LatticeValue::Any, LatticeValue::Known)
    }

    /// Computes the meet of a value and another possible value.
    fn lower(&mut self, number: u32, state: LatticeValue) {
        let old = &mut self.solution.states[number as usize];
        let new = match (&*old, state) {
            (_, LatticeValue::Unseen) | (LatticeValue::Any, _) => return,
            (LatticeValue::Unseen, state) => state,
            (LatticeValue::Known(known), LatticeValue::Known(other)) if *known == other => return,
            (LatticeValue::Known(_), _) => LatticeValue::Any,
        };
        *old = new;
        self.pending_values.push(number);
    }
}
