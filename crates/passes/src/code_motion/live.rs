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
use reconverge_graph::{Cycle, Grouped, Node};
use reconverge_ir::{Function, Inst, Module, Numbering, Op};

use crate::body::{Body, NONE, OUTSIDE};

/// What an edge counts as, where a step from a cycle to the one around it counts as one.
const EDGE: usize = 16;
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
        let places = || places.iter().copied().chain(std::iter::repeat(0));
        let tallies = places().zip(self.first_users.windows(2)).map(|(block, first)| Tally::new(block, first[0]));
        let mut count = Count {
            counter: self,
            body,
            tallies: tallies.collect(),
            users: vec![0; self.uses.items().len()],
            live_out: vec![0; body.block_count() as usize],
            has_rough: false,
        };
        let layout = Layout::compute(body, &count.tallies);
        count.find_users(&layout);
        count.walk();
        count.add_rough();
        count.sweep(&layout)
    }
}

/// By block the instructions that stand in it by a plan: parameters, what came down, what was there, what came up, the terminator.
struct Layout {
    starts: Vec<u32>,
    insts: Vec<u32>,
}

impl Layout {
    fn compute(body: &Body, tallies: &[Tally]) -> Layout {
        let place = |inst: u32| tallies[inst as usize].block;
        let moved = (0..body.len()).filter(|&inst| place(inst) != body.block_of(inst));
        let arrived = Grouped::compute(body.block_count() as usize, moved.map(|inst| (place(inst), inst)));
        let mut layout = Layout { starts: vec![0], insts: Vec::with_capacity(body.len() as usize) };
        for block in 0..body.block_count() {
            let (range, arrived) = (body.range(block), arrived.list(block as usize));
            // What came down stood in blocks with smaller numbers, so it is first.
            let sunk = arrived.partition_point(|&inst| inst < range.start);
            let is_parameter = |inst: &u32| body.op(*inst) == Op::BlockParameter;
            let parameters = range.clone().take_while(is_parameter).count() as u32;
            let stays = |&inst: &u32| place(inst) == block;
            layout.insts.extend(range.start..range.start + parameters);
            layout.insts.extend_from_slice(&arrived[..sunk]);
            layout.insts.extend((range.start + parameters..range.end - 1).filter(stays));
            layout.insts.extend_from_slice(&arrived[sunk..]);
            layout.insts.push(range.end - 1);
            layout.starts.push(layout.insts.len() as u32);
        }
        layout
    }

    /// The instructions of a block.
    fn list(&self, block: u32) -> &[u32] {
        &self.insts[self.starts[block as usize] as usize..self.starts[block as usize + 1] as usize]
    }
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
    fn find_users(&mut self, layout: &Layout) {
        for block in 0..self.body.block_count() {
            for &inst in layout.list(block) {
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
        let (counter, limit) = (self.counter, EDGE * (Liveness::EFFORT * self.body.len() as usize + 1024));
        let mut walk = Walk::new(self.body, &counter.predecessors);
        for (mark, tally) in (1..).zip(&mut self.tallies) {
            (tally.left, tally.last) = (tally.users, NONE);
            if tally.users == 0 {
                continue;
            }
            let users = &mut self.users[tally.range()];
            walk.begin(tally.block, mark);
            users.iter().for_each(|&user| walk.enter(user));
            walk.run(limit);
            if walk.steps > limit {
                (tally.is_rough, self.has_rough) = (true, true);
                continue;
            }
            walk.blocks.iter().for_each(|&block| self.live_out[block as usize] += 1);
            walk.cycles.iter().for_each(|&cycle| walk.live_in_cycle[cycle.index()] += 1);
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
    fn sweep(mut self, layout: &Layout) -> Vec<u32> {
        let counter = self.counter;
        let mut most = self.live_out.clone();
        for block in (0..self.body.block_count()).rev() {
            let mut now = self.live_out[block as usize];
            let most = &mut most[block as usize];
            // Parameters begin together, in front of the first instruction.
            let mut beginning = 0;
            for &inst in layout.list(block).iter().rev() {
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

/// The walk of one value after the other against the edges, from its users to its definition.
///
/// From every block of a cycle one comes to every other. So a value that lives somewhere in a cycle which does not define it lives all
/// through that, and the walk goes on from where the cycle is entered: what is outside of cycles is walked block by block, and cycles one by one.
/// (Boissinot, Hack, Grund, Dupont de Dinechin and Rastello 2008, "Fast liveness checking for SSA-form programs", rest on the same.)
struct Walk<'a> {
    body: &'a Body,
    predecessors: &'a Grouped<u32>,
    /// The node that defines the value, and what marks what was seen for it.
    definition: Node,
    mark: u32,
    /// By block the last mark with which it was seen to have the value at its start, and at its end; by cycle the same.
    seen_in: Vec<u32>,
    seen_out: Vec<u32>,
    seen_cycles: Vec<u32>,
    pending: Vec<u32>,
    /// The blocks outside of cycles at whose end the value lives, and the cycles in which it lives.
    blocks: Vec<u32>,
    cycles: Vec<Cycle>,
    /// By cycle how many values live all through it and not all through the one around it.
    live_in_cycle: Vec<u32>,
    steps: usize,
}

impl<'a> Walk<'a> {
    fn new(body: &'a Body, predecessors: &'a Grouped<u32>) -> Walk<'a> {
        let (blocks, cycles) = (body.block_count() as usize, body.cycles().cycles().len());
        Walk {
            body,
            predecessors,
            definition: body.node(0),
            mark: 0,
            seen_in: vec![0; blocks],
            seen_out: vec![0; blocks],
            seen_cycles: vec![0; cycles],
            pending: Vec::new(),
            blocks: Vec::new(),
            cycles: Vec::new(),
            live_in_cycle: vec![0; cycles],
            steps: 0,
        }
    }

    /// Begins with a value that a block defines.
    fn begin(&mut self, definition: u32, mark: u32) {
        (self.definition, self.mark) = (self.body.node(definition), mark);
        self.pending.clear();
        self.blocks.clear();
        self.cycles.clear();
    }

    /// The outermost cycle that a block is in and the definition is not, if that cycle has one entry; the entries of others may be many.
    fn cycle_of(&mut self, block: u32) -> Option<Cycle> {
        let cycles = self.body.cycles();
        let is_apart = |cycle: &Cycle| !cycles.contains(*cycle, self.definition);
        let mut outermost = cycles.innermost(self.body.node(block)).filter(is_apart)?;
        while let Some(around) = cycles.parent(outermost).filter(is_apart) {
            outermost = around;
            self.steps += 1;
        }
        cycles.is_reducible(outermost).then_some(outermost)
    }

    /// Notes that the value lives at the start of a block.
    fn enter(&mut self, block: u32) {
        match self.cycle_of(block) {
            Some(cycle) => self.enter_cycle(cycle),
            None if std::mem::replace(&mut self.seen_in[block as usize], self.mark) == self.mark => {}
            None => self.pending.push(block),
        }
    }

    fn enter_cycle(&mut self, cycle: Cycle) {
        if std::mem::replace(&mut self.seen_cycles[cycle.index()], self.mark) == self.mark {
            return;
        }
        self.cycles.push(cycle);
        // What goes back to the header comes from the cycle itself, which was seen.
        self.pending.push(self.body.place(self.body.cycles().header(cycle)));
    }

    /// Walks until all is seen, or the limit is passed.
    fn run(&mut self, limit: usize) {
        let predecessors = self.predecessors;
        while self.steps <= limit
            && let Some(block) = self.pending.pop()
        {
            for &source in predecessors.list(block as usize) {
                self.steps += EDGE;
                if let Some(cycle) = self.cycle_of(source) {
                    self.enter_cycle(cycle);
                } else if std::mem::replace(&mut self.seen_out[source as usize], self.mark) != self.mark {
                    self.blocks.push(source);
                    if self.body.node(source) != self.definition {
                        self.enter(source);
                    }
                }
            }
        }
    }

    /// Whether the value lives at the end of a block that uses it.
    fn is_live_behind(&mut self, block: u32) -> bool {
        self.seen_out[block as usize] == self.mark || self.cycle_of(block).is_some()
    }

    /// Adds to each block what lives all through cycles around it.
    fn add_cycles(mut self, live_out: &mut [u32]) {
        let cycles = self.body.cycles();
        for cycle in cycles.cycles() {
            let around = cycles.parent(cycle).map_or(0, |around| self.live_in_cycle[around.index()]);
            self.live_in_cycle[cycle.index()] += around;
        }
        for (block, live) in (0..).zip(live_out) {
            let cycle = cycles.innermost(self.body.node(block));
            *live += cycle.map_or(0, |cycle| self.live_in_cycle[cycle.index()]);
        }
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
