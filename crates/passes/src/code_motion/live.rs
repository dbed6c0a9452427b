//! How many values live at once in each block, if instructions stand in the blocks where a plan puts them.
//!
//! What `analysis::liveness` says of a module, but of a plan, and without sets: nothing has to be moved to be counted, and a value adds
//! one to the counter of each block at whose end it lives. From the blocks that use a value the walk goes back over predecessors to the
//! block that defines it; then each block is swept from its end up:
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

use reconverge_analysis::liveness::Liveness;
use reconverge_graph::Grouped;
use reconverge_ir::{Function, Inst, Module, Numbering, Op};

use crate::body::{Body, OUTSIDE};

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
        let layout = lay_out(body, places);
        let mut count = Count {
            counter: self,
            body,
            places,
            users: vec![0; self.uses.items().len()],
            user_counts: vec![0; self.is_value.len()],
            live_out: vec![0; body.block_count() as usize],
            is_rough: vec![false; self.is_value.len()],
        };
        count.find_users(&layout);
        count.walk();
        count.add_rough();
        count.sweep(&layout)
    }
}

/// By block the instructions that stand in it by a plan: parameters, what came down, what was there, what came up, the terminator.
fn lay_out(body: &Body, places: &[u32]) -> Grouped<u32> {
    let place = |inst: u32| places[inst as usize];
    let moved = (0..body.len()).filter(|&inst| place(inst) != body.block_of(inst));
    let (risen, sunk): (Vec<u32>, Vec<u32>) = moved.partition(|&inst| place(inst) < body.block_of(inst));
    let blocks = || (0..body.block_count()).map(|block| body.range(block));
    let is_parameter = |inst: &u32| body.op(*inst) == Op::BlockParameter;
    let parameters = blocks().flat_map(|range| range.take_while(is_parameter));
    let inner = blocks().flat_map(|range| (range.start..range.end - 1).skip_while(is_parameter));
    let own = inner.filter(|&inst| place(inst) == body.block_of(inst));
    let terminators = blocks().map(|range| range.end - 1);
    let (risen, sunk) = (risen.iter().copied(), sunk.iter().copied());
    let all = parameters.chain(sunk).chain(own).chain(risen).chain(terminators);
    Grouped::compute(body.block_count() as usize, all.map(|inst| (place(inst), inst)))
}

/// What is counted for one choice of places.
struct Count<'a> {
    counter: &'a LiveCounter,
    body: &'a Body,
    places: &'a [u32],
    /// The blocks that use values from outside, the lowest first, with [`LIVES_ON`]: room for all uses, of which each value takes as many
    /// as it has such blocks.
    users: Vec<u32>,
    user_counts: Vec<u32>,
    /// By block how many values live at its end.
    live_out: Vec<u32>,
    /// By value whether it is overestimated.
    is_rough: Vec<bool>,
}

impl Count<'_> {
    /// The block that defines a value; parameters of the function begin in the first.
    fn place(&self, value: u32) -> u32 {
        self.places.get(value as usize).copied().unwrap_or(0)
    }

    /// Where the users of a value stand.
    fn users(&self, value: u32) -> std::ops::Range<usize> {
        let first = self.counter.first_users[value as usize] as usize;
        first..first + self.user_counts[value as usize] as usize
    }

    fn find_users(&mut self, layout: &Grouped<u32>) {
        let counter = self.counter;
        for block in 0..self.body.block_count() {
            for &inst in layout.list(block as usize) {
                for &value in counter.uses.list(inst as usize) {
                    let end = self.users(value).end;
                    let is_new = self.user_counts[value as usize] == 0 || self.users[end - 1] != block;
                    if self.place(value) != block && is_new {
                        self.users[end] = block;
                        self.user_counts[value as usize] += 1;
                    }
                }
            }
        }
    }

    /// Walks from the users of each value to its definition.
    fn walk(&mut self) {
        let counter = self.counter;
        let limit = Liveness::EFFORT * self.body.len() as usize + 1024;
        let blocks = self.body.block_count() as usize;
        // By block the last value, plus one, that was found live at its start, and at its end.
        let (mut seen_in, mut seen_out) = (vec![0_u32; blocks], vec![0_u32; blocks]);
        let (mut pending, mut passed): (Vec<u32>, Vec<u32>) = (Vec::new(), Vec::new());
        let mut steps = 0;
        for value in (0..counter.is_value.len() as u32).filter(|&value| counter.is_value[value as usize]) {
            let (users, definition) = (self.users(value), self.place(value));
            if users.is_empty() {
                continue;
            }
            pending.extend(&self.users[users.clone()]);
            passed.clear();
            pending.iter().for_each(|&block| seen_in[block as usize] = value + 1);
            while let Some(block) = pending.pop() {
                for &source in counter.predecessors.list(block as usize) {
                    steps += 1;
                    if std::mem::replace(&mut seen_out[source as usize], value + 1) == value + 1 {
                        continue;
                    }
                    passed.push(source);
                    if source != definition && std::mem::replace(&mut seen_in[source as usize], value + 1) != value + 1
                    {
                        pending.push(source);
                    }
                }
                if steps > limit {
                    self.is_rough[value as usize] = true;
                    pending.clear();
                    passed.clear();
                }
            }
            passed.iter().for_each(|&block| self.live_out[block as usize] += 1);
            for user in &mut self.users[users] {
                *user |= if seen_out[*user as usize] == value + 1 { LIVES_ON } else { 0 };
            }
        }
    }

    /// Adds to each block what is overestimated: the values of the block itself and of those that dominate it.
    fn add_rough(&mut self) {
        if !self.is_rough.contains(&true) {
            return;
        }
        let body = self.body;
        let mut rough = vec![0_u32; body.block_count() as usize];
        for value in (0..self.is_rough.len() as u32).filter(|&value| self.is_rough[value as usize]) {
            rough[self.place(value) as usize] += 1;
        }
        for block in 0..body.block_count() {
            if block > 0 {
                rough[block as usize] += rough[body.parent(block) as usize];
            }
            self.live_out[block as usize] += rough[block as usize];
        }
    }

    /// By block the most values that live at once, from its end up.
    fn sweep(&self, layout: &Grouped<u32>) -> Vec<u32> {
        let counter = self.counter;
        // By value the last block in which a place was found below which it lives.
        let mut lives_in = vec![u32::MAX; counter.is_value.len()];
        let mut users_left = self.user_counts.clone();
        let mut most = self.live_out.clone();
        for block in (0..self.body.block_count()).rev() {
            let mut now = self.live_out[block as usize];
            let most = &mut most[block as usize];
            // Parameters begin together, in front of the first instruction.
            let mut beginning = 0;
            for &inst in layout.list(block as usize).iter().rev() {
                let is_parameter = self.body.op(inst) == Op::BlockParameter;
                if counter.is_value[inst as usize] && !self.is_rough[inst as usize] {
                    let is_unused = lives_in[inst as usize] != block && self.user_counts[inst as usize] == 0;
                    beginning += u32::from(is_unused);
                    *most = (*most).max(now + beginning);
                    if !is_parameter {
                        now = now + beginning - 1;
                        beginning = 0;
                    }
                }
                for &value in counter.uses.list(inst as usize) {
                    if self.is_rough[value as usize] || std::mem::replace(&mut lives_in[value as usize], block) == block
                    {
                        continue;
                    }
                    now += u32::from(!self.lives_on(value, block, &mut users_left));
                }
                *most = (*most).max(now);
            }
        }
        most
    }

    /// Whether a value lives at the end of a block that uses it. Asked once for each, from the last block up.
    fn lives_on(&self, value: u32, block: u32, users_left: &mut [u32]) -> bool {
        if self.place(value) == block {
            return self.user_counts[value as usize] > 0;
        }
        users_left[value as usize] -= 1;
        let first = self.counter.first_users[value as usize];
        self.users[(first + users_left[value as usize]) as usize] & LIVES_ON != 0
    }
}
