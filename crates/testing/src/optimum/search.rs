//! Every legal assignment of instructions to blocks, and the cheapest of them.
//!
//! ```text
//! ^b:  ┆ store  ┆ store ┆ branch       what stays in its place divides a block into slots; an instruction that may move is tried
//!      0        1       2              in each slot of each block, alone: the verifier says whether it may stand there
//! ```
//!
//! The remaining condition, that definitions come before uses, couples the instructions. They are assigned one after the other, operands
//! before users, to each slot that the verifier allows and that is after all operands and before all users that stay. A branch of the
//! search ends when even the cheapest slots for the remaining instructions would not improve the best assignment (branch and bound; Land
//! and Doig 1960). The best assignment is applied, and counts only if the verifier accepts the whole of it.
//!
//! Exponential; for about twelve instructions and eight blocks. It stops after [`STEPS`] steps.

use std::collections::HashMap;

use reconverge_analysis::FlowGraph;
use reconverge_analysis::effects::has_effect;
use reconverge_graph::DominatorTree;
use reconverge_ir::{Block, Function, Inst, Module, Op, Position};
use reconverge_verify::{Claims, verify, verify_motion};

use super::cost::is_counted;
use super::merges::merged;

/// The maximal number of tested assignments of a single instruction.
const STEPS: u64 = 20_000_000;
/// The maximal number of movable instructions.
const MOVABLE: usize = 16;
/// The maximal number of blocks.
const BLOCKS: usize = 12;

/// The minimal number of executed instructions ([`Cost`](super::Cost)) of the function, for the given block frequencies: over all legal
/// assignments, of the instructions as they are and after combining equal ones. `None` if there are too many instructions or blocks.
///
/// # Errors
/// If no assignment is legal, not even the existing one.
pub fn optimum(module: &Module, function: Function, runs: &HashMap<Block, u64>) -> Result<Option<u64>, String> {
    let mut least = None;
    let versions = std::iter::once((module.clone(), Claims::default())).chain(merged(module, function));
    for (version, claims) in versions {
        let Some(mut search) = OptimumSearch::new(module, &version, &claims, function, runs) else { return Ok(None) };
        search.run();
        if search.steps >= STEPS {
            return Ok(None);
        }
        least = [least, search.best].into_iter().flatten().min();
    }
    least.map(Some).ok_or_else(|| "no assignment is legal".to_owned())
}

/// A slot: the number of the block, and the number of fixed instructions before it in the block.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Slot {
    block: usize,
    step: usize,
    cost: u64,
}

struct OptimumSearch<'a> {
    before: &'a Module,
    version: &'a Module,
    claims: &'a Claims,
    blocks: Vec<Block>,
    dominators: DominatorTree,
    flow: FlowGraph,
    /// The fixed instructions, by block, and their positions.
    fixed: Vec<Vec<Inst>>,
    places: HashMap<Inst, Slot>,
    /// The movable instructions, operands before users, with their slots, the cheapest first.
    movable: Vec<Inst>,
    allowed: Vec<Vec<Slot>>,
    /// The minimal cost of the instructions from each one on.
    rest: Vec<u64>,
    /// The cost of the fixed instructions.
    base: u64,
    best: Option<u64>,
    steps: u64,
}

impl<'a> OptimumSearch<'a> {
    fn new(
        before: &'a Module,
        version: &'a Module,
        claims: &'a Claims,
        function: Function,
        runs: &HashMap<Block, u64>,
    ) -> Option<Self> {
        let flow = FlowGraph::compute(version, function);
        let (_, dominators) = flow.dominators();
        let blocks: Vec<Block> = dominators.preorder().iter().map(|&node| flow.block(node)).collect();
        let mut search = OptimumSearch {
            before,
            version,
            claims,
            fixed: vec![Vec::new(); blocks.len()],
            blocks,
            dominators,
            flow,
            places: HashMap::new(),
            movable: Vec::new(),
            allowed: Vec::new(),
            rest: Vec::new(),
            base: 0,
            best: None,
            steps: 0,
        };
        search.divide(runs);
        if search.movable.len() > MOVABLE || search.blocks.len() > BLOCKS {
            return None;
        }
        let costs: Vec<u64> = search.blocks.iter().map(|block| runs.get(block).copied().unwrap_or(0)).collect();
        search.allowed = (0..search.movable.len()).map(|number| search.slots(number, &costs)).collect();
        search.rest = vec![0; search.movable.len() + 1];
        for number in (0..search.movable.len()).rev() {
            let least = search.allowed[number].first().map_or(0, |slot| slot.cost);
            search.rest[number] = search.rest[number + 1] + least;
        }
        Some(search)
    }

    /// Separates fixed and movable instructions.
    fn divide(&mut self, runs: &HashMap<Block, u64>) {
        for (number, &block) in self.blocks.iter().enumerate() {
            let cost = runs.get(&block).copied().unwrap_or(0);
            for inst in self.version.children(block).filter(|&inst| self.version.op(inst) != Op::BlockParameter) {
                if self.may_move(inst) {
                    self.movable.push(inst);
                    continue;
                }
                self.places.insert(inst, Slot { block: number, step: self.fixed[number].len(), cost });
                self.fixed[number].push(inst);
                self.base += if is_counted(self.version, inst) { cost } else { 0 };
            }
        }
        self.sort_movable();
    }

    fn may_move(&self, inst: Inst) -> bool {
        let op = self.version.op(inst);
        self.version.ty(inst).is_some() && op != Op::Variable && !has_effect(self.version, inst)
    }

    /// Operands before users, even if a combined instruction is not above its users yet.
    fn sort_movable(&mut self) {
        let mut sorted: Vec<Inst> = Vec::new();
        while sorted.len() < self.movable.len() {
            let is_ready = |inst: &Inst| {
                let waits = |operand: Inst| self.movable.contains(&operand) && !sorted.contains(&operand);
                !sorted.contains(inst) && !self.version.operands(*inst).any(waits)
            };
            let next = self.movable.iter().copied().find(is_ready);
            sorted.push(next.expect("invariant: only parameters close cycles of values"));
        }
        self.movable = sorted;
    }

    /// The slots of an instruction if nothing else moves, the cheapest first.
    fn slots(&self, number: usize, costs: &[u64]) -> Vec<Slot> {
        let inst = self.movable[number];
        let mut slots = Vec::new();
        for (block, &cost) in costs.iter().enumerate() {
            let cost = if is_counted(self.version, inst) { cost } else { 0 };
            for step in 0..self.fixed[block].len() {
                let slot = Slot { block, step, cost };
                if self.suits_what_stays(inst, slot) && self.is_legal(&[(inst, slot)]) {
                    slots.push(slot);
                }
            }
        }
        slots.sort_by_key(|slot| slot.cost);
        slots
    }

    /// After fixed operands, before fixed users.
    fn suits_what_stays(&self, inst: Inst, slot: Slot) -> bool {
        let is_behind = self.version.operands(inst).all(|operand| match self.places.get(&operand) {
            Some(place) if place.block == slot.block => place.step < slot.step,
            Some(place) => self.dominates(place.block, slot.block),
            None => self.parameter_block(operand).is_none_or(|block| self.dominates(block, slot.block)),
        });
        is_behind
            && self.version.uses(inst).all(|usage| match self.places.get(&usage.user) {
                Some(place) if place.block == slot.block => slot.step <= place.step,
                Some(place) => self.dominates(slot.block, place.block),
                None => true,
            })
    }

    fn parameter_block(&self, inst: Inst) -> Option<usize> {
        let block = (self.version.op(inst) == Op::BlockParameter).then(|| self.version.block_of(inst)).flatten()?;
        self.blocks.iter().position(|&other| other == block)
    }

    fn dominates(&self, above: usize, below: usize) -> bool {
        let [above, below] = [above, below].map(|number| self.flow.node(self.blocks[number]));
        self.dominators.dominates(above, below)
    }

    fn is_legal(&self, moves: &[(Inst, Slot)]) -> bool {
        verify_motion(self.before, &self.carried_out(moves), self.claims).is_empty()
    }

    /// The module with instructions in their slots; those in one slot in the given order.
    fn carried_out(&self, moves: &[(Inst, Slot)]) -> Module {
        let mut module = self.version.clone();
        for &(inst, slot) in moves {
            let next = self.fixed[slot.block][slot.step];
            module.edit().move_to(inst, Position::Before(next));
        }
        module
    }

    /// Tries all assignments, depth first.
    fn run(&mut self) {
        let mut chosen: Vec<Slot> = Vec::new();
        let mut next = vec![0];
        let mut cost = self.base;
        while let Some(&candidate) = next.last() {
            let number = chosen.len();
            self.steps += 1;
            let slot = self.allowed.get(number).and_then(|slots| slots.get(candidate)).copied();
            if number == self.movable.len() {
                self.finish(&chosen, cost);
            }
            let is_hopeless =
                |slot: &Slot| self.best.is_some_and(|best| cost + slot.cost + self.rest[number + 1] >= best);
            match slot.filter(|slot| !is_hopeless(slot)) {
                _ if self.steps >= STEPS => return,
                Some(slot) => {
                    *next.last_mut().expect("it is not empty") += 1;
                    if self.is_behind_operands(&chosen, slot) {
                        chosen.push(slot);
                        cost += slot.cost;
                        next.push(0);
                    }
                }
                None => {
                    next.pop();
                    cost -= chosen.pop().map_or(0, |slot| slot.cost);
                }
            }
        }
    }

    /// Returns whether a slot for the next instruction is after its assigned operands.
    fn is_behind_operands(&self, chosen: &[Slot], slot: Slot) -> bool {
        self.version.operands(self.movable[chosen.len()]).all(|operand| {
            match self.movable[..chosen.len()].iter().position(|&inst| inst == operand) {
                Some(number) if chosen[number].block == slot.block => chosen[number].step <= slot.step,
                Some(number) => self.dominates(chosen[number].block, slot.block),
                None => true,
            }
        })
    }

    /// All are assigned: the assignment is kept if it is the cheapest so far, and legal as a whole.
    fn finish(&mut self, chosen: &[Slot], cost: u64) {
        if self.best.is_some_and(|best| cost >= best) {
            return;
        }
        let moves: Vec<(Inst, Slot)> = self.movable.iter().copied().zip(chosen.iter().copied()).collect();
        let module = self.carried_out(&moves);
        if verify(&module).is_empty() && verify_motion(self.before, &module, self.claims).is_empty() {
            self.best = Some(cost);
        }
    }
}
