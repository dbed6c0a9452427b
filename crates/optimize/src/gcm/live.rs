//! The number of values that are live at once in each block, for a plan of code motion.
//!
//! This computes what `analysis::liveness` computes, for a plan instead of a module, and without sets: no instruction has to be moved, and
//! a value adds one to the counter of each block at whose end it is live. From the blocks that use a value, the walk follows predecessors
//! to the block that defines it, and passes loops in one step. Then each block is swept from its end to its start:
//!
//! ```text
//! ^a: %x = …                        live at the end of ^c:   x
//!    ╱      ╲                       %y = f(%x)               x, y: two at once
//! ^b: use %x  ^c: %y = f(%x)        live at the start:       x
//!    ╲      ╱
//! ^d: use %x
//! ```
//!
//! Counted are the results of instructions and the parameters of blocks and of the function, except variables and results of type `void`.
//! Linear in the instructions: the walks of all values may pass at most [`Liveness::EFFORT`] edges for each instruction. Values beyond this
//! limit count in every block that their definition dominates, which overestimates.

use reconverge_analysis::liveness::Liveness;
use reconverge_graph::Grouped;
use reconverge_ir::{Function, Inst, Module, Numbering, Op};

use super::live_walk::LiveWalk;
use crate::body::{Body, NONE, OUTSIDE};

/// The tables that are independent of places.
pub(super) struct LiveCounter {
    /// By instruction, and after them by parameter of the function: whether it is a counted value.
    is_value: Vec<bool>,
    /// By instruction the values that it uses.
    uses: Grouped<u32>,
    /// By block its predecessors.
    predecessors: Grouped<u32>,
}

impl LiveCounter {
    /// Prepares the tables. Linear.
    pub(super) fn new(module: &Module, function: Function, body: &Body) -> LiveCounter {
        let parameters: Vec<Inst> = module.parameters(function).map(|parameter| parameter.inst()).collect();
        let mut numbers = Numbering::around(&parameters);
        for (number, &parameter) in (body.len()..).zip(&parameters) {
            numbers.insert(parameter, number);
        }
        let results = (0..body.len()).map(|inst| is_value(module, body, inst));
        let is_value: Vec<bool> = results.chain(parameters.iter().map(|_| true)).collect();
        let value = |operand: u32| match operand & OUTSIDE {
            0 => Some(operand).filter(|&inst| is_value[inst as usize]),
            _ => numbers.number(body.operand_inst(operand)),
        };
        let uses = Grouped::collect(
            (0..body.len()).map(|inst| body.operands(inst).iter().filter_map(|&operand| value(operand))),
        );
        let predecessors = Grouped::collect((0..body.block_count()).map(|block| body.predecessors(block)));
        LiveCounter { is_value, uses, predecessors }
    }

    /// By block: the maximal number of values that are live at once in it, if each instruction is in its block of `places`. Linear.
    pub(super) fn count(&self, body: &Body, places: &[u32]) -> Vec<u32> {
        // Parameters of the function begin in the first block.
        let begins = places.iter().copied().chain(std::iter::repeat(0)).take(self.is_value.len());
        let mut count = Count {
            counter: self,
            body,
            tallies: begins.map(Tally::new).collect(),
            users: Vec::with_capacity(self.uses.items().len() / 2),
            live_out: vec![0; body.block_count() as usize],
            has_rough: false,
        };
        let layout = lay_out(body, places);
        count.find_users(&layout);
        count.walk();
        count.add_rough();
        count.sweep(&layout)
    }
}

/// Returns whether the result of an instruction is a counted value.
fn is_value(module: &Module, body: &Body, inst: u32) -> bool {
    body.op(inst) != Op::Variable && body.ty(inst).is_some_and(|ty| module.op(ty) != Op::TypeVoid)
}

/// By block the instructions that are in it by a plan: parameters, instructions that moved down, unmoved instructions, instructions that
/// moved up, the terminator.
fn lay_out(body: &Body, places: &[u32]) -> Grouped<u32> {
    let mut layout =
        Grouped::compute(body.block_count() as usize, (0..).zip(places).map(|(inst, &block)| (block, inst)));
    // Instructions that moved down come from blocks with smaller numbers, and those that moved up from blocks with greater numbers.
    for block in 0..body.block_count() {
        let (list, range) = (layout.list_mut(block as usize), body.range(block));
        if list[0] >= range.start && list[list.len() - 1] < range.end {
            continue;
        }
        let own = list.partition_point(|&inst| inst < range.start)..list.partition_point(|&inst| inst < range.end);
        let parameters = range.take_while(|&inst| body.op(inst) == Op::BlockParameter).count();
        list[..own.start + parameters].rotate_left(own.start);
        list[own.end - 1..].rotate_left(1);
    }
    layout
}

/// The state of the computation for one value.
#[derive(Clone, Copy)]
struct Tally {
    /// The block that defines it.
    block: u32,
    /// The last of its users that was not visited yet; [`NONE`] after them.
    user: u32,
    /// The last block that was found to use it.
    last: u32,
    /// True if it is overestimated.
    is_rough: bool,
}

impl Tally {
    fn new(block: u32) -> Tally {
        Tally { block, user: NONE, last: NONE, is_rough: false }
    }
}

/// A block that uses a value that is defined in another block.
#[derive(Clone, Copy)]
struct User {
    block: u32,
    /// The one before it; [`NONE`] for the first.
    previous: u32,
    /// True if the value is live at the end of the block.
    lives_on: bool,
}

/// The state of the computation for one choice of places.
struct Count<'a> {
    counter: &'a LiveCounter,
    body: &'a Body,
    /// By value.
    tallies: Vec<Tally>,
    /// The users of all values. Those of one value are a linked list, the last block first.
    users: Vec<User>,
    /// By block: the number of values that are live at its end.
    live_out: Vec<u32>,
    /// True if any value is overestimated.
    has_rough: bool,
}

impl Count<'_> {
    fn find_users(&mut self, layout: &Grouped<u32>) {
        let (uses, tallies, users) = (&self.counter.uses, &mut self.tallies, &mut self.users);
        for block in 0..self.body.block_count() {
            for &inst in layout.list(block as usize) {
                for &value in uses.list(inst as usize) {
                    let tally = &mut tallies[value as usize];
                    if tally.block != block && tally.last != block {
                        tally.last = block;
                        let previous = std::mem::replace(&mut tally.user, users.len() as u32);
                        users.push(User { block, previous, lives_on: false });
                    }
                }
            }
        }
    }

    /// Walks from the users of each value to its definition.
    fn walk(&mut self) {
        let (counter, limit) = (self.counter, LiveWalk::EDGE * (Liveness::EFFORT * self.body.len() as usize + 1024));
        let mut walk = LiveWalk::new(self.body, &counter.predecessors);
        for (mark, tally) in (1..).zip(&mut self.tallies) {
            tally.last = NONE;
            if tally.user == NONE {
                continue;
            }
            if walk.steps <= limit {
                walk.begin(tally.block, mark);
                for_each_user(&mut self.users, tally.user, |user| walk.enter(user.block));
                walk.run(limit);
            }
            if walk.steps > limit {
                (tally.is_rough, self.has_rough) = (true, true);
                continue;
            }
            walk.count(&mut self.live_out);
            for_each_user(&mut self.users, tally.user, |user| user.lives_on = walk.is_live_behind(user.block));
        }
        walk.add_cycles(&mut self.live_out);
    }

    /// Adds the overestimated values to each block: the values of the block itself and of its dominators.
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

    /// By block: the maximal number of values that are live at once, swept from its end.
    ///
    /// The uses of a value are after its definition: in a block with a greater number, or later in the same block. So the sweep visits all
    /// uses before the definition.
    fn sweep(mut self, layout: &Grouped<u32>) -> Vec<u32> {
        let (counter, body) = (self.counter, self.body);
        let mut most = self.live_out.clone();
        for block in (0..body.block_count()).rev() {
            let mut now = self.live_out[block as usize];
            let most = &mut most[block as usize];
            // Parameters begin together, before the first instruction.
            let mut beginning = 0;
            for &inst in layout.list(block as usize).iter().rev() {
                let tally = self.tallies[inst as usize];
                if counter.is_value[inst as usize] && !tally.is_rough {
                    beginning += u32::from(tally.last == NONE);
                    *most = (*most).max(now + beginning);
                    if body.op(inst) != Op::BlockParameter {
                        now = now + beginning - 1;
                        beginning = 0;
                    }
                }
                for &value in counter.uses.list(inst as usize) {
                    let tally = &mut self.tallies[value as usize];
                    now += u32::from(!tally.is_rough && is_last_use(tally, block, &self.users));
                }
                *most = (*most).max(now);
            }
        }
        most
    }
}

/// Returns whether a use is the last use of a value in a block at whose end it is not live.
fn is_last_use(tally: &mut Tally, block: u32, users: &[User]) -> bool {
    let below = std::mem::replace(&mut tally.last, block);
    if below == block {
        return false;
    }
    if tally.block == block {
        return below == NONE;
    }
    let user = users[tally.user as usize];
    tally.user = user.previous;
    !user.lives_on
}

/// Visits a user of a value and all users before it.
fn for_each_user(users: &mut [User], last: u32, mut look_at: impl FnMut(&mut User)) {
    let mut next = last;
    while next != NONE {
        let user = &mut users[next as usize];
        look_at(user);
        next = user.previous;
    }
}
