//! Checks the requirements of instructions against the uniformity analysis.
//!
//! *Structured functions.* All lanes are converged if the block is complete and all lanes enter the function together.
//!
//! *Functions without structure.* A barrier of a kernel requires that all work-items reach it, wherever it is; so the question is whether a
//! condition that may differ decides this: the branches that the block is control dependent on, directly or through others (`deciding.rs`).
//!
//! ```text
//! if (differs) return; barrier;            the branch decides whether the barrier is reached           reported
//! if (differs) x else y; barrier;          it does not, whatever the graph makes of the two arms       correct
//! switch (differs) { …; default: unreachable } barrier;       nor here: a dead end is not a path around it         correct
//! ```
//!
//! *Derivatives.* Fragment shaders discard, and sample after that: terminated lanes are assumed to continue as helper lanes. Only returns
//! count against a derivative there; in a function that may do both, returns and terminations cannot be distinguished.

use std::cell::OnceCell;

use reconverge_analysis::compute_dead_ends;
use reconverge_analysis::uniformity::{Cause, Fact, ModuleUniformity, Reason, Scope, Source, Uniformity};
use reconverge_graph::Node;
use reconverge_ir::{Block, Class, Effects, Function, Inst, Module, Op, Stage, terminator};
use rustc_hash::FxHashMap;

use super::Asked;
use super::deciding::Deciding;
use super::loads::{Claim, Differences, Loads};
use super::parting::Parting;
use crate::Code;
use crate::program::Program;

/// The limit on compared pairs of operations.
const OPERATION_LIMIT: usize = 64;
/// The number of calls that a chain is followed through to where lanes exit.
const CALL_LIMIT: usize = 16;

/// A violation of a requirement.
pub(super) struct Broken {
    /// The claim, first, and its cause.
    pub(super) chain: Vec<Cause>,
    /// The deciding branch, if that is another claim than the chain's.
    pub(super) decides: Option<Block>,
}

/// The certainty that lanes differ.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Certainty {
    /// They differ by an input or an operation with a different result for each lane.
    Shown,
    /// Nothing shows that they do not differ.
    Open,
    /// It depends on callers that are not in the module.
    Outside,
}

/// Returns whether a cause blames a parameter for which all edges pass equal values, although different instructions compute them.
fn is_same_on_all_paths(module: &Module, cause: &Cause) -> bool {
    let (Fact::Value(parameter), Reason::Paths { .. }) = (cause.fact, cause.reason) else { return false };
    let Some(block) = module.block_of(parameter).filter(|_| module.op(parameter) == Op::BlockParameter) else {
        return false;
    };
    let index = module.parameters(block).position(|other| other.inst() == parameter);
    let arguments = module.in_edges(block).filter_map(|edge| module.arguments(edge.terminator).nth(index?));
    let arguments: Vec<Inst> = arguments.collect();
    arguments.windows(2).all(|pair| is_equal_by_form(module, pair[0], pair[1]))
}

/// Returns whether two values are computed by the same instructions from the same values.
fn is_equal_by_form(module: &Module, one: Inst, other: Inst) -> bool {
    let mut pending = vec![(one, other)];
    for _ in 0..OPERATION_LIMIT {
        let Some((left, right)) = pending.pop() else { return true };
        if left == right {
            continue;
        }
        let op = module.op(left);
        let is_pure =
            op.has_result() && op.effects() == Effects::PURE && op != Op::BlockParameter && op.class() != Class::Group;
        let is_alike = op == module.op(right)
            && module.ty(left) == module.ty(right)
            && module.operand_count(left) == module.operand_count(right);
        if !is_pure || !is_alike || module.operand_count(left) == 0 {
            return false;
        }
        pending.extend(module.operands(left).zip(module.operands(right)));
    }
    false
}

impl Broken {
    /// The certainty that lanes differ.
    pub(super) fn certainty(&self, module: &Module) -> Certainty {
        let Some(last) = self.chain.last() else { return Certainty::Open };
        if self.chain.iter().any(|cause| is_same_on_all_paths(module, cause)) {
            return Certainty::Open;
        }
        match last.reason {
            Reason::Source(source) if source.is_shown() => Certainty::Shown,
            Reason::Source(Source::Parameter | Source::UnknownFunction) => Certainty::Outside,
            _ => Certainty::Open,
        }
    }
}

/// The results at one scope.
pub(super) struct Judge<'p, 'm> {
    program: &'p Program<'m>,
    loads: &'p Loads,
    uniformity: ModuleUniformity,
    /// For loads of variables of several functions: what is stored that differs.
    stored: FxHashMap<Inst, Claim>,
    /// For each function, whether fragments enter it together, except terminated ones.
    entered: Vec<bool>,
    /// For functions without structure, the deciding branches, computed on demand.
    deciding: FxHashMap<Function, Deciding>,
    /// For each function, where lanes diverge, computed on demand.
    partings: Vec<OnceCell<Parting>>,
}

impl<'p, 'm> Judge<'p, 'm> {
    /// Judges by whatever may differ.
    pub(super) fn new(program: &'p Program<'m>, loads: &'p Loads, scope: Scope) -> Judge<'p, 'm> {
        let differences = Differences { uniformity: loads.uniformity(program, scope), stored: FxHashMap::default() };
        Judge::by_differences(program, loads, differences)
    }

    /// Judges by what is shown to differ.
    pub(super) fn by_evidence(program: &'p Program<'m>, loads: &'p Loads, scope: Scope) -> Judge<'p, 'm> {
        Judge::by_differences(program, loads, loads.differences(program, scope))
    }

    fn by_differences(program: &'p Program<'m>, loads: &'p Loads, differences: Differences) -> Judge<'p, 'm> {
        let Differences { uniformity, stored } = differences;
        let entered = entered_by_survivors(program, &uniformity);
        let partings = program.flows.iter().map(|_| OnceCell::new()).collect();
        Judge { program, loads, uniformity, stored, entered, deciding: FxHashMap::default(), partings }
    }

    /// The violation of a requirement; `None` if it is met.
    pub(super) fn broken(&mut self, asked: &Asked) -> Option<Broken> {
        let module = self.program.module;
        let uniformity = self.uniformity.function(asked.function)?;
        if let Some(operand) = asked.requirement.operand {
            let is_uniform = uniformity.of_use(asked.inst, operand).is_uniform();
            return (!is_uniform).then(|| self.by(asked.function, Fact::Use { user: asked.inst, operand }));
        }
        if asked.requirement.code == Code::W02 {
            return self.broken_derivative(asked);
        }
        let is_entered = uniformity.is_entered_converged();
        if uniformity.is_complete(asked.block) {
            return (!is_entered).then(|| self.by(asked.function, Fact::Function(asked.function)));
        }
        if module.stage(asked.function) == Stage::Structured || asked.requirement.code != Code::W01 {
            return Some(self.by(asked.function, Fact::Block(asked.block)));
        }
        match self.deciding(asked) {
            Some(decides) => {
                let user = module.terminator(decides)?.inst();
                let fact = Fact::Use { user, operand: terminator::operand::CONDITION };
                Some(Broken { decides: Some(decides), ..self.by(asked.function, fact) })
            }
            None => (!is_entered).then(|| self.by(asked.function, Fact::Function(asked.function))),
        }
    }

    fn broken_derivative(&self, asked: &Asked) -> Option<Broken> {
        let uniformity = self.uniformity.function(asked.function)?;
        let number = self.program.number(asked.function)?;
        if !is_together(self.program, uniformity, number, asked.block) {
            return Some(self.by(asked.function, Fact::Block(asked.block)));
        }
        (!self.entered[number]).then(|| self.by(asked.function, Fact::Function(asked.function)))
    }

    fn by(&self, function: Function, fact: Fact) -> Broken {
        let mut chain = self.why(function, fact);
        if let Some(parted) = chain.last().and_then(|last| self.parted_before(last)) {
            chain.pop();
            if let (Some(before), Some(first)) = (chain.last_mut(), parted.first())
                && let (Reason::Separated { .. }, Fact::Branch(branch)) = (before.reason, first.fact)
            {
                (before.reason, before.place) = (Reason::Separated { branch }, first.place);
            }
            chain.extend(parted);
        }
        Broken { chain, decides: None }
    }

    /// The chain of a claim, in the module's own terms.
    fn why(&self, function: Function, fact: Fact) -> Vec<Cause> {
        let mut chain = self.uniformity.why(self.program.module, function, fact);
        self.leave_circle(function, &mut chain);
        for _ in 0..CALL_LIMIT {
            let Some(last) = chain.last_mut() else { break };
            let Some(&(function, fact)) = self.stored.get(&last.place) else { break };
            last.reason = Reason::Contents;
            chain.extend(self.uniformity.why(self.program.module, function, fact));
        }
        chain.retain(|cause| !self.loads.is_added_store(cause.place));
        for cause in &mut chain {
            cause.place = self.loads.origin(cause.place);
            if let Fact::Value(value) = &mut cause.fact {
                *value = self.loads.origin(*value);
            }
        }
        chain
    }

    /// A chain that returns to itself through a variable whose stores differ because its loads do continues with another store that
    /// differs, if there is one: that is the origin.
    fn leave_circle(&self, function: Function, chain: &mut Vec<Cause>) {
        let module = self.loads.split(self.program);
        let is_circle = chain.last().is_some_and(|last| !matches!(last.reason, Reason::Source(_)));
        let is_contents = |cause: &Cause| match (cause.fact, cause.reason) {
            (Fact::Value(value), Reason::Separated { .. }) => module.op(value) == Op::Variable,
            _ => false,
        };
        let Some(index) = chain.iter().position(is_contents).filter(|_| is_circle) else { return };
        let Fact::Value(variable) = chain[index].fact else { return };
        let Some(uniformity) = self.uniformity.function(function) else { return };
        let differs = |&user: &Inst| module.op(user) == Op::Store && !uniformity.of_use(user, 1).is_uniform();
        let stores = module.uses(variable).map(|used| used.user).filter(differs);
        let mut chains = stores.take(OPERATION_LIMIT).map(|store| {
            let fact = Fact::Use { user: store, operand: 1 };
            (store, self.uniformity.why(self.program.module, function, fact))
        });
        let ends = |chain: &[Cause]| chain.last().is_some_and(|last| matches!(last.reason, Reason::Source(_)));
        if let Some((store, began)) = chains.find(|(_, began)| ends(began)) {
            chain.truncate(index + 1);
            (chain[index].reason, chain[index].place) = (Reason::Operand(1), store);
            chain.extend(began);
        }
    }

    /// If a chain ends in a block in which lanes exit the function, or end in a callee: the chain of the branch before it at which they
    /// diverge from the other lanes.
    fn parted_before(&self, last: &Cause) -> Option<Vec<Cause>> {
        let (Fact::Branch(block) | Fact::Block(block), Reason::Source(Source::Unstructured)) = (last.fact, last.reason)
        else {
            return None;
        };
        let (program, module) = (self.program, self.program.module);
        let mut place = Some(block);
        for _ in 0..CALL_LIMIT {
            let block = place?;
            let function = module.function_of(block)?;
            let (number, parting) = (program.number(function)?, self.parting(function)?);
            let flow = &program.flows[number];
            if let Some(branch) = flow.whole.find(block).and_then(|node| parting.branch(node)) {
                return Some(self.why(function, Fact::Branch(flow.whole.block(branch))));
            }
            let callee = program.flows[parting.callee(block)?].function;
            place = self.parting(callee)?.ending();
        }
        None
    }

    fn parting(&self, function: Function) -> Option<&Parting> {
        let number = self.program.number(function)?;
        let compute = || Parting::compute(self.program, number, self.uniformity.function(function));
        Some(self.partings[number].get_or_init(compute))
    }

    /// A branch on a condition that may differ, which decides whether control reaches a block: the first in reverse post-order.
    fn deciding(&mut self, asked: &Asked) -> Option<Block> {
        let (program, function) = (self.program, asked.function);
        let flow = &program.flows[program.number(function)?];
        let uniformity = self.uniformity.function(function)?;
        let deciding = self.deciding.entry(function).or_insert_with(|| {
            let dead_ends = compute_dead_ends(program.module, &flow.feasible, flow.whole.blocks());
            let graph = dead_ends.without(&flow.feasible);
            let differs = |&node: &Node| {
                let end = program.module.terminator(flow.whole.block(node));
                let end = end.filter(|_| graph.successors(node).len() > 1);
                end.is_some_and(|end| !uniformity.of_use(end, terminator::operand::CONDITION).is_uniform())
            };
            Deciding::compute(&graph, flow.order.sequence().iter().copied().filter(differs))
        });
        deciding.branch(flow.whole.find(asked.block)?).map(|node| flow.whole.block(node))
    }
}

/// Returns whether all lanes are converged in a block, except terminated ones.
fn is_together(program: &Program<'_>, uniformity: &Uniformity, number: usize, block: Block) -> bool {
    uniformity.is_complete(block) || (uniformity.is_converged(block) && program.may_terminate[number])
}

/// For each function, whether all lanes execute all calls of it together, except terminated ones.
fn entered_by_survivors(program: &Program<'_>, uniformity: &ModuleUniformity) -> Vec<bool> {
    let mut entered = vec![false; program.flows.len()];
    let order: Vec<usize> = program.callees_first().collect();
    for &number in order.iter().rev() {
        let function = program.flows[number].function;
        let callers = &program.callers[number];
        entered[number] = match callers.is_empty() {
            true => uniformity.is_entered_converged(function),
            false => callers.iter().all(|caller| {
                let block = program.module.block_of(caller.call);
                let facts = uniformity.function(program.flows[caller.number].function);
                let is_here =
                    block.zip(facts).is_some_and(|(block, facts)| is_together(program, facts, caller.number, block));
                is_here && entered[caller.number]
            }),
        };
    }
    entered
}
