//! How many values live at once in each block, if instructions stand in the blocks where a plan puts them.
//!
//! What `analysis::liveness` says of a module, but of a plan, and without sets: nothing has to be moved to be counted, and a value adds
//! one to the counter of each block at whose end it lives. From the blocks that use a value the walk goes back over predecessors to the
//! block that defines it, past loops in one step; then each block is swept from its end up:
//!
//! ```text
//! ^a: %x = …                        live at the end of ^c:   x
//!    ╱      ╲                       %y = f(%x)               x, y: two at once
//! ^b: use %x  ^c: %y = f(%x)        live at the start:       x
//!    ╲      ╱
//! ^d: use %x
//! ```
//!
//! Counted are the results of instructions and the parameters of blocks and of the function, but for variables and what has the type
//! `void`. Linear in the instructions, as the edges that all values pass may be no more than [`Liveness::EFFORT`] for each instruction;
//! values for which that does not suffice count wherever their definition dominates, which is never too few.

use std::ops::Range;

use reconverge_analysis::liveness::Liveness;
use reconverge_graph::Grouped;
use reconverge_ir::{Function, Inst, Module, Numbering, Op};

use super::live_walk::Walk;
use crate::body::{Body, NONE, OUTSIDE};

/// Set in a user of a value that lives on behind it.
const LIVES_ON: u32 = 1 << 31;

/// What is the same wherever instructions go.
pub(super) struct LiveCounter {
    /// By instruction, and behind them by parameter of the function: whether it is a value that counts.
    is_value: Vec<bool>,
    /// By instruction the values that it uses.
    uses: Grouped<u32>,
    /// By block its predecessors.
    predecessors: Grouped<u32>,
    /// By value how many uses are of values before it.
    first_users: Vec<u32>,
}

impl LiveCounter {
    /// Prepares to count. Linear.
    pub(super) fn new(module: &Module, function: Function, body: &Body) -> LiveCounter {
        let parameters: Vec<Inst> = module.parameters(function).map(|parameter| parameter.inst()).collect();
        let mut numbers = Numbering::around(&parameters);
        for (number, &parameter) in (body.len()..).zip(&parameters) {
            numbers.insert(parameter, number);
        }
        let has_value = |inst: Inst| module.ty(inst).is_some_and(|ty| module.op(ty) != Op::TypeVoid);
        let results = (0..body.len()).map(|inst| body.op(inst) != Op::Variable && has_value(body.inst(inst)));
        let is_value: Vec<bool> = results.chain(parameters.iter().map(|_| true)).collect();
        let value = |operand: u32| match operand & OUTSIDE {
            0 => Some(operand).filter(|&inst| is_value[inst as usize]),
            _ => numbers.number(body.operand_inst(operand)),
        };
        let uses = Grouped::collect(
            (0..body.len()).map(|inst| body.operands(inst).iter().filter_map(|&operand| value(operand))),
        );
        let predecessors = Grouped::collect((0..body.block_count()).map(|block| body.predecessors(block)));
        let mut first_users = vec![0; is_value.len() + 1];
        uses.items().iter().for_each(|&value| first_users[value as usize + 1] += 1);
        for value in 1..first_users.len() {
            first_users[value] += first_users[value - 1];
        }
        LiveCounter { is_value, uses, predecessors, first_users }
    }

    /// By block: the most values that live at once in it, if each instruction stands in the block of `places`. Linear.
    pub(super) fn count(&self, body: &Body, places: &[u32]) -> Vec<u32> {
        // Parameters of the function begin in the first block.
        let places = places.iter().copied().chain(std::iter::repeat(0));
        let tallies = places.zip(self.first_users.windows(2)).map(|(block, first)| Tally::new(block, first[0]));
        let mut count = Count {
            counter: self,
            body,
            tallies: tallies.collect(),
            users: vec![0; self.uses.items().len()],
            live_out: vec![0; body.block_count() as usize],
            has_rough: false,
        };
        let layout = lay_out(body, &count.tallies);
        count.find_users(&layout);
        count.walk();
        count.add_rough();
        count.sweep(&layout)
    }
}

/// By block the instructions that stand in it by a plan: parameters, what came down, what was there, what came up, the terminator.
fn lay_out(body: &Body, tallies: &[Tally]) -> Grouped<u32> {
    let place = |inst: u32| tallies[inst as usize].block;
    let moved = (0..body.len()).filter(|&inst| place(inst) != body.block_of(inst));
    let arrived = Grouped::compute(body.block_count() as usize, moved.map(|inst| (place(inst), inst)));
    Grouped::collect((0..body.block_count()).map(|block| {
        let range = body.range(block);
        let is_parameter = |inst: &u32| body.op(*inst) == Op::BlockParameter;
        let inner = range.start + range.clone().take_while(is_parameter).count() as u32;
        let own = (inner..range.end - 1).filter(move |&inst| place(inst) == block);
        // What came down stood in blocks with smaller numbers, so it is first.
        let arrived = arrived.list(block as usize);
        let (sunk, risen) = arrived.split_at(arrived.partition_point(|&inst| inst < range.start));
        let inner_as_placed = sunk.iter().copied().chain(own).chain(risen.iter().copied());
        (range.start..inner).chain(inner_as_placed).chain([range.end - 1])
    }))
}

/// What is counted of one value.
#[derive(Clone, Copy)]
struct Tally {
    /// The block that defines it.
    block: u32,
    /// The first of its users.
    first: u32,
    /// How many users there are, and how many of them were not looked at yet.
    users: u32,
    left: u32,
    /// The last block that was seen to use it.
    last: u32,
    /// Whether it is overestimated.
    is_rough: bool,
}

impl Tally {
    fn new(block: u32, first: u32) -> Tally {
        Tally { block, first, users: 0, left: 0, last: NONE, is_rough: false }
    }

    /// Where its users stand.
    fn range(&self) -> Range<usize> {
        self.first as usize..(self.first + self.users) as usize
    }
}

/// What is counted for one choice of places.
struct Count<'a> {
    counter: &'a LiveCounter,
    body: &'a Body,
    /// By value.
    tallies: Vec<Tally>,
    /// The blocks that use values from outside, the lowest first, with [`LIVES_ON`]: room for all uses, of which each value takes as many
    /// as it has such blocks.
    users: Vec<u32>,
    /// By block how many values live at its end.
    live_out: Vec<u32>,
    /// Whether any value is overestimated.
    has_rough: bool,
}

impl Count<'_> {
    fn find_users(&mut self, layout: &Grouped<u32>) {
        for block in 0..self.body.block_count() {
            for &inst in layout.list(block as usize) {
                for &value in self.counter.uses.list(inst as usize) {
                    let tally = &mut self.tallies[value as usize];
                    if tally.block != block && tally.last != block {
                        tally.last = block;
                        self.users[(tally.first + tally.users) as usize] = block;
                        tally.users += 1;
                    }
                }
            }
        }
    }

    /// Walks from the users of each value to its definition.
    fn walk(&mut self) {
        let (counter, limit) = (self.counter, Walk::EDGE * (Liveness::EFFORT * self.body.len() as usize + 1024));
        let mut walk = Walk::new(self.body, &counter.predecessors);
        for (mark, tally) in (1..).zip(&mut self.tallies) {
            (tally.left, tally.last) = (tally.users, NONE);
            if tally.users == 0 {
                continue;
            }
            let users = &mut self.users[tally.range()];
            if walk.steps <= limit {
                walk.begin(tally.block, mark);
                users.iter().for_each(|&user| walk.enter(user));
                walk.run(limit);
            }
            if walk.steps > limit {
                (tally.is_rough, self.has_rough) = (true, true);
                continue;
            }
            walk.count(&mut self.live_out);
            for user in users {
                *user |= if walk.is_live_behind(*user) { LIVES_ON } else { 0 };
            }
        }
        walk.add_cycles(&mut self.live_out);
    }

    /// Adds to each block what is overestimated: the values of the block itself and of those that dominate it.
    fn add_rough(&mut self) {
        if !self.has_rough {
            return;
        }
        let body = self.body;
        let mut rough = vec![0_u32; body.block_count() as usize];
        for tally in self.tallies.iter().filter(|tally| tally.is_rough) {
            rough[tally.block as usize] += 1;
        }
        for block in 0..body.block_count() {
            if block > 0 {
                rough[block as usize] += rough[body.parent(block) as usize];
            }
            self.live_out[block as usize] += rough[block as usize];
        }
    }

    /// By block the most values that live at once, from its end up.
    fn sweep(mut self, layout: &Grouped<u32>) -> Vec<u32> {
        let counter = self.counter;
        let mut most = self.live_out.clone();
        for block in (0..self.body.block_count()).rev() {
            let mut now = self.live_out[block as usize];
            let most = &mut most[block as usize];
            // Parameters begin together, in front of the first instruction.
            let mut beginning = 0;
            for &inst in layout.list(block as usize).iter().rev() {
                let tally = self.tallies[inst as usize];
                if counter.is_value[inst as usize] && !tally.is_rough {
                    let is_unused = tally.last != block && tally.users == 0;
                    beginning += u32::from(is_unused);
                    *most = (*most).max(now + beginning);
                    if self.body.op(inst) != Op::BlockParameter {
                        now = now + beginning - 1;
                        beginning = 0;
                    }
                }
                for &value in counter.uses.list(inst as usize) {
                    let tally = &mut self.tallies[value as usize];
                    if !tally.is_rough && std::mem::replace(&mut tally.last, block) != block {
                        now += u32::from(!lives_on(tally, block, &self.users));
                    }
                }
                *most = (*most).max(now);
            }
        }
        most
    }
}

/// Whether a value lives at the end of a block that uses it. Asked once for each, from the last block up.
fn lives_on(tally: &mut Tally, block: u32, users: &[u32]) -> bool {
    if tally.block == block {
        return tally.users > 0;
    }
    tally.left -= 1;
    users[(tally.first + tally.left) as usize] & LIVES_ON != 0
}
