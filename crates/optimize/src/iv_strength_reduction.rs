//! Strength reduction of induction variables: sums of products of a loop's counter become separate counters.
//!
//! ```text
//! ^p: branch ^h(%i0)                            ^p: %t0 = i_mul %i0, %a; %p0 = i_add %t0, %b
//! ^h(%i):                                           branch ^h(%i0, %p0)
//!     %t = i_mul %i, %a                 ⇒       ^h(%i, %p):
//!     %x = i_add %t, %b                             … %p for %x
//!     %j = i_add %i, %one                           %j = i_add %i, %one
//!     branch ^h(%j)                                 %q = i_add %p, %a
//!                                                   branch ^h(%j, %q)
//! ```
//!
//! *Requires* a valid function, at either stage; runs after code motion, which moves loop-invariant code out of loops. *Preserves* control
//! flow, every remaining value and every effect. Idempotent: the new counters are not multiplied.
//!
//! A *counter* is a parameter of a loop header to which the one back edge passes its own value plus or minus a loop-invariant value. A
//! *chain* is a sequence of products with, sums with and differences to loop-invariant values that begins at a counter. Each value in it is
//! used only by the next one, and no decoration affects it. Integers wrap, so the chain of the next counter value is exactly the chain of
//! the current one plus the step times the factors.
//!
//! *Profit.* A chain of two or more operations, one of which is a product by a number that is not a power of two, becomes one addition. A
//! single product stays: a counter would occupy a register through the whole loop and save three quarters of an instruction. In a longer
//! chain, the new counter replaces the value of the chain. The end of the chain must run in every iteration, or the addition would run more
//! often. At most [`MOST`] chains of a loop are replaced.
//!
//! Cocke and Kennedy 1977, "An algorithm for reduction of operator strength"; the chains are those of Cooper, Simpson and Vick 2001, "Operator
//! strength reduction". Linear.

use reconverge_graph::Cycle;
use reconverge_ir::{Block, Function, Inst, Module, Op, Position, terminator, view};

use crate::analyses::Analyses;
use crate::body::{Body, OUTSIDE};
use reconverge_rewrite::promises;

/// The maximal number of chains of one loop that become counters. Each counter is live through the whole loop.
const MOST: usize = 4;

/// Adds counters for chains of loop counters. Returns how many were added.
pub fn iv_strength_reduction(module: &mut Module, function: Function, analyses: &mut Analyses) -> usize {
    if module.entry(function).is_none() {
        return 0;
    }
    let body = analyses.take(module, function);
    let cycles = body.cycles();
    let found: Vec<Chain> = cycles
        .cycles()
        .filter_map(|cycle| Loop::find(&body, cycle))
        .flat_map(|found| found.chains(module).collect::<Vec<Chain>>())
        .collect();
    found.iter().for_each(|chain| chain.write(module));
    analyses.keep(function, body);
    found.len()
}

/// A loop with one entering edge and one back edge, both of which are jumps with arguments.
struct Loop<'a> {
    body: &'a Body,
    cycle: Cycle,
    header: u32,
    /// The blocks that end in the entering edge and in the back edge.
    entry: u32,
    latch: u32,
}

impl<'a> Loop<'a> {
    fn find(body: &'a Body, cycle: Cycle) -> Option<Loop<'a>> {
        let cycles = body.cycles();
        let header = body.place(cycles.header(cycle));
        let (mut latches, mut entries): (Vec<u32>, Vec<u32>) =
            body.predecessors(header).partition(|&source| cycles.contains(cycle, body.node(source)));
        let (latch, entry) = (latches.pop()?, entries.pop()?);
        let is_simple = latches.is_empty() && entries.is_empty() && cycles.is_reducible(cycle);
        let carries = |source: u32| terminator::first_argument(body.op(body.terminator(source))).is_some();
        (is_simple && carries(latch) && carries(entry)).then_some(Loop { body, cycle, header, entry, latch })
    }

    fn chains(&self, module: &Module) -> impl Iterator<Item = Chain> {
        let parameters = self.body.range(self.header).take_while(|&inst| self.body.op(inst) == Op::BlockParameter);
        let counters = (0..).zip(parameters).filter_map(|(index, parameter)| self.counter(module, index, parameter));
        let chains = counters.flat_map(move |counter| {
            let users = module.uses(self.body.inst(counter.parameter)).filter_map(|used| self.body.number(used.user));
            let mut users: Vec<u32> = users.filter(|&user| user != counter.next).collect();
            users.sort_unstable();
            users.dedup();
            users.into_iter().filter_map(move |user| self.chain(module, &counter, user)).collect::<Vec<Chain>>()
        });
        chains.take(MOST)
    }

    /// A parameter to which the back edge passes its own value plus a step.
    fn counter(&self, module: &Module, index: u32, parameter: u32) -> Option<Counter> {
        let body = self.body;
        let ty = body.ty(parameter).filter(|&ty| module.op(ty) == Op::TypeInt)?;
        let next = Some(body.argument(self.latch, index)).filter(|&next| next & OUTSIDE == 0)?;
        self.other(module, next, parameter)?;
        matches!(body.op(next), Op::IAdd | Op::ISub).then_some(Counter { parameter, index, next, ty })
    }

    /// The chain that begins with a counter, if it is worth a new counter.
    fn chain(&self, module: &Module, counter: &Counter, first: u32) -> Option<Chain> {
        let body = self.body;
        let (mut links, mut value, mut user) = (Vec::new(), counter.parameter, Some(first));
        let mut is_product = false;
        while let Some((inst, other)) = user.and_then(|inst| Some((inst, self.other(module, inst, value)?))) {
            links.push(inst);
            is_product |= body.op(inst) == Op::IMul && !is_power_of_two(module, other);
            value = inst;
            let mut uses = module.uses(body.inst(inst));
            user = uses.next().filter(|_| uses.next().is_none()).and_then(|used| body.number(used.user));
        }
        let is_worth = links.len() >= 2
            && is_product
            && body.dominates(body.block_of(value), self.latch)
            && links.iter().all(|&link| self.is_own(link) && promises::is_free(module, body.inst(link)));
        is_worth.then(|| Chain {
            header: body.block(self.header),
            entry: body.block(self.entry),
            latch: body.block(self.latch),
            counter: body.inst(counter.parameter),
            index: counter.index as usize,
            next: body.inst(counter.next),
            ty: counter.ty,
            links: links.into_iter().map(|link| body.inst(link)).collect(),
        })
    }

    /// The other operand of an operation that can be part of a chain, if it is loop-invariant.
    fn other(&self, module: &Module, inst: u32, value: u32) -> Option<Inst> {
        let &[left, right] = self.body.operands(inst) else { return None };
        let other = match self.body.op(inst) {
            Op::IMul | Op::IAdd if right == value => left,
            Op::IMul | Op::IAdd | Op::ISub | Op::ShiftLeftLogical if left == value => right,
            _ => return None,
        };
        let is_fixed = other & OUTSIDE != 0 || !self.is_inside(self.body.block_of(other));
        let [inst, value, other] = [self.body.inst(inst), self.body.inst(value), self.body.operand_inst(other)];
        let is_typed = |other: Inst| module.ty(other) == module.ty(value);
        let is_one_type = is_typed(inst) && (is_typed(other) || module.op(inst) == Op::ShiftLeftLogical);
        (is_fixed && is_one_type && other != value).then_some(other)
    }

    fn is_inside(&self, block: u32) -> bool {
        self.body.cycles().contains(self.cycle, self.body.node(block))
    }

    /// Returns whether an instruction is in this loop and in no inner loop.
    fn is_own(&self, inst: u32) -> bool {
        self.body.cycles().innermost(self.body.node(self.body.block_of(inst))) == Some(self.cycle)
    }
}

/// A counter.
struct Counter {
    parameter: u32,
    /// Its number among the parameters of the header.
    index: u32,
    /// The argument on the back edge.
    next: u32,
    ty: Inst,
}

/// A chain that becomes a counter. Its operands are read when the counter is written: by then they may be counters of the outer loop.
struct Chain {
    header: Block,
    entry: Block,
    latch: Block,
    counter: Inst,
    index: usize,
    next: Inst,
    ty: Inst,
    links: Vec<Inst>,
}

impl Chain {
    fn write(&self, module: &mut Module) {
        let [before, back] = [self.entry, self.latch].map(|block| in_front_of_jump(module, block));
        let opening = module.terminator(self.entry).expect("invariant: a block ends in a terminator");
        let mut start = module.arguments(opening).nth(self.index).expect("invariant: each parameter is given a value");
        let mut step = other_operand(module, self.next, self.counter);
        let mut value = self.counter;
        for &link in &self.links {
            let (op, other) = (module.op(link), other_operand(module, link, value));
            start = emit(module, before, op, self.ty, [start, other]);
            if is_scaling(op) {
                step = emit(module, before, op, self.ty, [step, other]);
            }
            value = link;
        }
        let parameter = module.edit().append_parameter(self.header, self.ty, |_, _| start);
        let next = emit(module, back, module.op(self.next), self.ty, [parameter.into(), step]);
        let jump = module.terminator(self.latch).expect("invariant: a block ends in a terminator");
        let last = module.operand_count(jump) - 1;
        module.edit().set_operand(jump, last, next);
        if let Some(name) = module.name(value) {
            module.edit().set_name(parameter, &name);
        }
        module.edit().replace_all_uses(value, parameter);
        for &link in self.links.iter().rev() {
            module.edit().delete(link);
        }
    }
}

/// Returns whether an operation multiplies a step as it multiplies a value.
fn is_scaling(op: Op) -> bool {
    matches!(op, Op::IMul | Op::ShiftLeftLogical)
}

fn other_operand(module: &Module, inst: Inst, value: Inst) -> Inst {
    module.operands(inst).find(|&operand| operand != value).expect("invariant: a link has another operand")
}

/// The end of a block, or of its predecessor if the block is an edge block.
fn in_front_of_jump(module: &Module, mut block: Block) -> Position {
    while module.is_bare_edge(block) {
        block = module.predecessors(block).next().expect("invariant: a reachable edge leads from a block");
    }
    Position::Before(module.terminator(block).expect("invariant: a block ends in a terminator").into())
}

/// Writes an operation, unless an operand is zero or one and determines the result.
fn emit(module: &mut Module, position: Position, op: Op, ty: Inst, [left, right]: [Inst; 2]) -> Inst {
    let is = |value: Inst, number: u32| {
        let constant = view::Constant::of(module, value).and_then(|constant| constant.value.split_first());
        constant.is_some_and(|(&low, high)| low == number && high.iter().all(|&word| word == 0))
    };
    match op {
        Op::IMul if is(left, 0) || is(right, 1) => left,
        Op::IMul if is(left, 1) || is(right, 0) => right,
        Op::IAdd if is(left, 0) => right,
        Op::IAdd | Op::ISub if is(right, 0) => left,
        Op::ShiftLeftLogical if is(left, 0) => left,
        _ => module.edit().insert(position, op, Some(ty), &[left, right]),
    }
}

fn is_power_of_two(module: &Module, value: Inst) -> bool {
    let constant = view::Constant::of(module, value);
    constant.is_some_and(|constant| constant.value.iter().map(|word| word.count_ones()).sum::<u32>() == 1)
}
