//! Contraction: removal of bare edge blocks.
//!
//! A bare edge block contains only parameters and a jump. An edge to it can go directly to its target, with the arguments of the jump:
//!
//! ```text
//! ^a: branch_if %c ^e ^x                       ^a: OpBranchConditional %c ^t ^x
//! edge ^e: branch ^t(%v)              ⇒        ^t: OpPhi … %v ^a
//! ```
//!
//! It stays a block if any of these holds:
//! - it is a merge block, break block or continue block, or the header of a loop;
//! - something besides its own jump uses its parameters;
//! - a branch would get two edges to one block that pass different values, or, being conditional, two at all (the labels of
//!   `OpBranchConditional` must differ), or a structured switch an edge out of the loop around it (a case must not be the break
//!   or continue block of a loop);
//! - it is the entry, and the block after it has other predecessors or parameters;
//! - it jumps, through bare edge blocks alone, to itself.
//!
//! The arguments that a removed block passes are computed once for all edges that enter it, in terms of its own parameters, from the end of
//! a chain of such blocks to its start. A block without parameters passes the same as the next one, for every incoming edge. Linear in the
//! blocks and in their arguments.

use std::rc::Rc;

use reconverge_diagnostic::Diagnostic;
use reconverge_ir::terminator::operand;
use reconverge_ir::{Block, Function, Inst, Module, Op, OpGroup, Stage, Terminator};
use rustc_hash::{FxBuildHasher, FxHashMap, FxHashSet};

use crate::error::{WriteCode, at_inst};

/// The replacement of an edge to a removed block.
#[derive(Clone)]
struct ContractedEdge {
    /// The first block on the path that is written.
    end: Inst,
    /// The arguments for `end`: parameters of the removed block, and other values.
    passes: Rc<[Inst]>,
}

type Ways = FxHashMap<Inst, ContractedEdge>;

/// The blocks of a function that are written, and the arguments between them.
pub(super) struct Contracted {
    pub(super) function: Function,
    blocks: Vec<Block>,
    entry: Option<Inst>,
    /// The replacements of the edges to removed blocks.
    vanished: Ways,
    /// For blocks with parameters, each predecessor and its arguments.
    incoming: FxHashMap<Inst, Vec<(Block, Vec<Inst>)>>,
    /// The `loop` that enters each loop header.
    loops: FxHashMap<Inst, Inst>,
}

impl Contracted {
    /// Contracts a function.
    pub(super) fn of(module: &Module, function: Function) -> Result<Contracted, Diagnostic> {
        let blocks: Vec<Block> = module.blocks(function).collect();
        check_shapes(module, &blocks)?;
        let mut folding = Folding::candidates(module, &blocks);
        folding.follow(&blocks);
        folding.keep_conflicts(&blocks, module.stage(function));
        folding.follow(&blocks);
        let vanished = folding.ways;
        let mut contracted = Contracted {
            function,
            entry: blocks.first().map(|&entry| end_of(&vanished, entry.into())),
            blocks: blocks.iter().copied().filter(|&block| !vanished.contains_key(&block.into())).collect(),
            vanished,
            incoming: FxHashMap::default(),
            loops: FxHashMap::default(),
        };
        contracted.gather_loops(module, &blocks)?;
        contracted.gather_incoming(module, function)?;
        Ok(contracted)
    }

    /// Returns whether the function has no body.
    pub(super) fn is_empty(&self) -> bool {
        self.blocks.is_empty()
    }

    /// The blocks that are written, in order.
    pub(super) fn blocks(&self) -> &[Block] {
        &self.blocks
    }

    /// Puts the blocks in another order.
    pub(super) fn set_blocks(&mut self, blocks: Vec<Block>) {
        self.blocks = blocks;
    }

    /// The first block of the function.
    pub(super) fn entry(&self) -> Option<Inst> {
        self.entry
    }

    /// The final target of an edge to that block.
    pub(super) fn goes_to(&self, block: Inst) -> Inst {
        end_of(&self.vanished, block)
    }

    /// The successors of a block, with repetitions.
    pub(super) fn successors<'a>(&'a self, module: &'a Module, block: Block) -> impl Iterator<Item = Inst> + 'a {
        module.successors(block).map(|target| self.goes_to(target.into()))
    }

    /// The arguments that a block with parameters gets from each predecessor.
    pub(super) fn incoming(&self, block: Block) -> &[(Block, Vec<Inst>)] {
        self.incoming.get(&block.into()).map_or(&[], |list| list)
    }

    /// The `loop` terminator that enters the loop whose header a block is.
    pub(super) fn entering_loop(&self, block: Block) -> Option<Inst> {
        self.loops.get(&block.into()).copied()
    }

    fn gather_loops(&mut self, module: &Module, blocks: &[Block]) -> Result<(), Diagnostic> {
        for terminator in blocks.iter().filter_map(|&block| module.terminator(block)) {
            if module.op(terminator) != Op::Loop {
                continue;
            }
            let header = module.operand(terminator, operand::TARGET);
            if let Some(other) = self.loops.insert(header, terminator.into()) {
                let message = format!("expected one loop terminator for header {header}, found {other} as well");
                return Err(at_inst(WriteCode::Block, terminator, message));
            }
        }
        Ok(())
    }

    fn gather_incoming(&mut self, module: &Module, function: Function) -> Result<(), Diagnostic> {
        for &block in &self.blocks {
            let Some(terminator) = module.terminator(block) else { continue };
            let mut seen = FxHashSet::default();
            for edge in module.out_edges(block) {
                let target = module.target(edge).filter(|&target| module.parent(target) == Some(function.into()));
                let Some(target) = target else {
                    let message = format!("expected a block of the function as operand {}", edge.operand);
                    return Err(at_inst(WriteCode::Operand, terminator, message));
                };
                if !seen.insert(Inst::from(target)) {
                    continue;
                }
                let (end, arguments) = passed(module, &self.vanished, terminator, target.into());
                let expected = module.parameters(end).count();
                if expected != arguments.len() {
                    let message = format!("expected {expected} arguments for {end}, found {}", arguments.len());
                    return Err(at_inst(WriteCode::Arguments, terminator, message));
                }
                if expected == 0 {
                    continue;
                }
                let incoming = self.incoming.entry(end).or_default();
                // A second edge passes the same arguments: otherwise its edge block would have stayed.
                if incoming.last().is_none_or(|(source, _)| *source != block) {
                    incoming.push((block, arguments));
                }
            }
        }
        Ok(())
    }
}

/// Checks that every terminator has the operands that its op requires.
fn check_shapes(module: &Module, blocks: &[Block]) -> Result<(), Diagnostic> {
    for terminator in blocks.iter().filter_map(|&block| module.terminator(block)) {
        let least = match module.op(terminator) {
            Op::Branch => 1,
            Op::Switch => 2,
            Op::BranchIf => 3,
            Op::StructuredSwitch | Op::Loop => 4,
            Op::If => 5,
            _ => 0,
        };
        let found = module.operand_count(terminator);
        if found < least {
            let message = format!("expected at least {least} operands, found {found}");
            return Err(at_inst(WriteCode::Operand, terminator, message));
        }
    }
    Ok(())
}

/// The final target of an edge to a block.
fn end_of(vanished: &Ways, block: Inst) -> Inst {
    vanished.get(&block).map_or(block, |way| way.end)
}

/// The final target of an edge through removed blocks, and the arguments there. Linear in the arguments.
fn passed(module: &Module, vanished: &Ways, terminator: Terminator, target: Inst) -> (Inst, Vec<Inst>) {
    let arguments = module.arguments(terminator);
    match vanished.get(&target) {
        Some(way) => (way.end, replaced(module, target, &way.passes, arguments)),
        None => (target, arguments.collect()),
    }
}

/// Replaces the parameters of a block by its arguments in a list of values.
fn replaced(module: &Module, block: Inst, values: &[Inst], arguments: impl Iterator<Item = Inst>) -> Vec<Inst> {
    let passed: FxHashMap<Inst, Inst> = module.parameters(block).map(Inst::from).zip(arguments).collect();
    values.iter().map(|value| passed.get(value).copied().unwrap_or(*value)).collect()
}

/// The bare edge blocks that may be removed.
struct Folding<'m> {
    module: &'m Module,
    candidates: FxHashSet<Inst>,
    /// Break and continue blocks of loops.
    loop_ends: FxHashSet<Inst>,
    /// For each candidate, the replacement of an edge to it.
    ways: Ways,
}

impl<'m> Folding<'m> {
    fn candidates(module: &'m Module, blocks: &[Block]) -> Folding<'m> {
        let [mut closing, mut loop_ends, mut headers] = [const { FxHashSet::with_hasher(FxBuildHasher) }; 3];
        for terminator in blocks.iter().filter_map(|&block| module.terminator(block)) {
            closing.extend(module.merge_block(terminator).map(Inst::from));
            closing.extend(module.continue_block(terminator).map(Inst::from));
            if module.op(terminator) == Op::Loop {
                loop_ends.extend([operand::BREAK, operand::CONTINUE].map(|place| module.operand(terminator, place)));
                headers.insert(module.operand(terminator, operand::TARGET));
            }
        }
        let bare = blocks.iter().copied().filter(|&block| module.is_bare_edge(block));
        let is_needed = |block: Inst| closing.contains(&block) || headers.contains(&block);
        let free = bare.filter(|&block| !is_needed(block.into()) && passes_on_alone(module, block));
        let mut candidates: FxHashSet<Inst> = free.map(Inst::from).collect();
        if let Some(&entry) = blocks.first().filter(|&&entry| !can_give_way(module, entry)) {
            candidates.remove(&entry.into());
        }
        Folding { module, candidates, loop_ends, ways: Ways::default() }
    }

    fn next(&self, block: Inst) -> Inst {
        let jump = self.module.last_child(block).expect("invariant: a bare edge block has a jump");
        self.module.operand(jump, operand::TARGET)
    }

    /// The replacement of an edge to a candidate. If the block after it is a candidate too, its replacement must be known.
    fn way(&self, step: Inst) -> ContractedEdge {
        let module = self.module;
        let next = self.next(step);
        let jump = module.last_child(step).and_then(|last| module.cast::<Terminator>(last));
        let arguments = module.arguments(jump.expect("invariant: a bare edge block has a jump"));
        match self.ways.get(&next) {
            None => ContractedEdge { end: next, passes: arguments.collect() },
            Some(way) if module.parameters(next).next().is_none() => way.clone(),
            Some(way) => ContractedEdge { end: way.end, passes: replaced(module, next, &way.passes, arguments).into() },
        }
    }

    /// Computes the replacement for each candidate. Candidates on a cycle are dropped.
    fn follow(&mut self, blocks: &[Block]) {
        self.ways.clear();
        for &block in blocks {
            let mut path: Vec<Inst> = Vec::new();
            let mut on_path = FxHashSet::default();
            let mut current = Inst::from(block);
            while self.candidates.contains(&current) && !self.ways.contains_key(&current) && on_path.insert(current) {
                path.push(current);
                current = self.next(current);
            }
            if on_path.contains(&current) {
                self.candidates.remove(&current);
            }
            for &step in path.iter().rev().filter(|&step| self.candidates.contains(step)) {
                let way = self.way(step);
                self.ways.insert(step, way);
            }
        }
    }

    /// Keeps the edge blocks without which a multi-way branch would break a rule.
    fn keep_conflicts(&mut self, blocks: &[Block], stage: Stage) {
        for &block in blocks.iter().filter(|&&block| !self.ways.contains_key(&block.into())) {
            let Some(terminator) = self.module.terminator(block) else { continue };
            let op = self.module.op(terminator);
            if op.group() != OpGroup::Branch {
                continue;
            }
            let is_case = op == Op::StructuredSwitch && stage == Stage::Structured;
            let mut reached: FxHashMap<Inst, Inst> = FxHashMap::default();
            let targets: Vec<Inst> = self.module.successors(block).map(Inst::from).collect();
            for target in targets {
                let end = end_of(&self.ways, target);
                let first = *reached.entry(end).or_insert(target);
                if is_case && self.loop_ends.contains(&end) {
                    self.candidates.remove(&target);
                } else if first != target && self.conflicts(terminator, first, target) {
                    let kept = if self.candidates.contains(&target) { target } else { first };
                    self.candidates.remove(&kept);
                }
            }
        }
    }

    /// Returns whether two edges of a branch that end at one block cannot both go there directly.
    fn conflicts(&self, terminator: Terminator, first: Inst, second: Inst) -> bool {
        let is_conditional = matches!(self.module.op(terminator), Op::BranchIf | Op::If);
        is_conditional
            || passed(self.module, &self.ways, terminator, first) != passed(self.module, &self.ways, terminator, second)
    }
}

/// Returns whether only a block's own jump uses its parameters.
fn passes_on_alone(module: &Module, block: Block) -> bool {
    let jump = module.terminator(block).map(Inst::from);
    module.parameters(block).all(|parameter| module.uses(parameter).all(|used| Some(used.user) == jump))
}

/// Returns whether the block after the entry can be the entry instead.
fn can_give_way(module: &Module, entry: Block) -> bool {
    let Some(next) = module.successors(entry).next() else { return false };
    let is_only_way = module.in_edges(next).take(2).count() == 1;
    is_only_way && module.op(next) == Op::Block && module.parameters(next).next().is_none()
}
