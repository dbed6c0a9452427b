//! Makes programs up.
//!
//! A budget of statements is spent from the start on; a statement is a compound one with a chance that falls with the depth. What
//! has no meaning where it was put is taken out by [`repair`](super::repair()). Loops nest at most three deep and make at most three
//! trips, so runs stay short.

use super::program::{
    Binary, Carry, Case, Comparison, Condition, Expression, Form, Guard, If, Latch, Leave, List, Loop, PER_LANE, Place,
    Procedure, Program, Reduction, Statement, Storage, Subgroup, Switch, UNIFORMS, Variable,
};
use super::repair::repair;
use crate::random::Random;

/// How deep loops nest, calls not counted.
const LOOP_DEPTH: usize = 3;

/// What a program may hold.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LaneOptions {
    /// How deep statements nest.
    pub depth: usize,
    /// Loops.
    pub loops: bool,
    /// Switches.
    pub switches: bool,
    /// Procedures that are called.
    pub calls: bool,
    /// Variables in memory, private memory and shared memory.
    pub memory: bool,
    /// Conditions that differ from lane to lane.
    pub divergence: bool,
    /// Returns before the end.
    pub returns: bool,
    /// Lanes that end by `kill`, which only fragment shaders have: a module for the interpreter.
    pub kill: bool,
    /// Exchanges through shared memory with barriers, where all lanes come.
    pub barriers: bool,
    /// What the results of operations on the subgroup may decide.
    pub subgroup: SubgroupUse,
    /// Where records stand.
    pub records: Records,
}

/// What the results of operations on the subgroup may decide.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SubgroupUse {
    /// There are none but the ballots of the records.
    None,
    /// They are recorded and never looked at: where lanes go does not depend on who came together.
    Recorded,
    /// Anything.
    Everywhere,
}

/// Where records stand.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Records {
    /// Here and there.
    Some,
    /// In every block that has a statement, first.
    EveryBlock,
}

impl Default for LaneOptions {
    fn default() -> LaneOptions {
        LaneOptions {
            depth: 5,
            loops: true,
            switches: true,
            calls: true,
            memory: true,
            divergence: true,
            returns: true,
            kill: false,
            barriers: false,
            subgroup: SubgroupUse::Everywhere,
            records: Records::Some,
        }
    }
}

/// A random program of about `size` statements. The same seed, size and options make the same program.
pub fn lanes_program(seed: u64, size: usize, options: &LaneOptions) -> Program {
    let mut random = Random::new(seed);
    let globals = if options.memory { random.below(3) } else { 0 };
    let helpers = if options.calls { random.below(3) } else { 0 };
    let mut program = Program { procedures: Vec::new(), globals };
    for number in 0..=helpers {
        let is_start = number == helpers;
        let parameters = if is_start { 0 } else { random.between(1, 2) };
        let arities = program.procedures.iter().map(|procedure| procedure.parameters).collect();
        let budget = if is_start { size } else { size / 4 };
        let mut generator = Generator { random: &mut random, options, arities, globals, locals: 0, budget, is_start };
        let procedure = generator.procedure(parameters);
        program.procedures.push(procedure);
    }
    repair(&mut program);
    program
}

struct Generator<'r> {
    random: &'r mut Random,
    options: &'r LaneOptions,
    /// How many parameters each earlier procedure has.
    arities: Vec<usize>,
    globals: usize,
    locals: usize,
    budget: usize,
    is_start: bool,
}

/// Where a statement stands.
#[derive(Clone, Copy)]
struct At {
    depth: usize,
    loops: usize,
    in_switch: bool,
    in_continuing: bool,
}

impl At {
    fn deeper(self) -> At {
        At { depth: self.depth + 1, ..self }
    }
}

impl Generator<'_> {
    fn procedure(&mut self, parameters: usize) -> Procedure {
        let count = parameters + self.random.between(1, 4);
        let variables: Vec<Variable> = (0..count)
            .map(|index| {
                let storage = match self.random.below(10) {
                    _ if index < parameters || !self.options.memory => Storage::Value,
                    0..6 => Storage::Value,
                    6..8 => Storage::Function,
                    8 => Storage::Private,
                    _ => Storage::Shared,
                };
                Variable { storage, initial: self.leaf_without_reads() }
            })
            .collect();
        self.locals = count;
        let top = At { depth: 0, loops: 0, in_switch: false, in_continuing: false };
        let mut body = List::new();
        while self.budget > 0 {
            self.statement(top, &mut body);
        }
        let result = self.expression(1);
        body.push(Statement::Record { point: 0, value: self.read() });
        Procedure { parameters, variables, body, result }
    }

    fn list(&mut self, at: At) -> List {
        let mut list = List::new();
        if self.options.records == Records::EveryBlock {
            list.push(self.record());
        }
        for _ in 0..self.random.between(1, 3) {
            if self.budget > 0 {
                self.statement(at, &mut list);
            }
        }
        list
    }

    fn straight_list(&mut self, at_most: usize) -> List {
        (0..self.random.below(at_most + 1)).map(|_| self.straight()).collect()
    }

    fn statement(&mut self, at: At, list: &mut List) {
        self.budget = self.budget.saturating_sub(1);
        let is_deep = at.depth >= self.options.depth;
        match self.random.below(100) {
            0..22 => list.push(self.record()),
            22..40 => list.push(self.assign()),
            40..46 if !self.arities.is_empty() && at.loops < 2 => list.push(self.call()),
            46..54 if at.depth > 0 => self.leaving(at, list),
            54..60 if self.options.barriers && self.is_start && at.depth == 0 => {
                list.push(Statement::Exchange { place: self.place() });
            }
            60..75 if !is_deep => self.compound(list, at, Self::selection),
            75..83 if !is_deep && self.options.switches => self.compound(list, at, Self::switch),
            83..100 if !is_deep && self.options.loops && at.loops < LOOP_DEPTH => {
                if at.loops > 0 && self.random.chance(30) {
                    return self.leave_twice(at, list);
                }
                self.compound(list, at, Self::repeated);
            }
            _ => list.push(self.straight()),
        }
    }

    fn compound(&mut self, list: &mut List, at: At, make: fn(&mut Self, At) -> Statement) {
        let made = make(self, at);
        list.push(made);
        if self.options.records == Records::EveryBlock {
            list.push(self.record());
        }
    }

    fn straight(&mut self) -> Statement {
        match self.random.below(10) {
            0..5 => self.record(),
            _ => self.assign(),
        }
    }

    fn record(&mut self) -> Statement {
        let value = match self.options.subgroup {
            SubgroupUse::Recorded if self.random.chance(25) => {
                let operand = self.expression(1);
                Expression::Subgroup(self.subgroup(), Box::new(operand))
            }
            _ => self.expression(1),
        };
        Statement::Record { point: 0, value }
    }

    fn assign(&mut self) -> Statement {
        Statement::Assign { place: self.place(), value: self.expression(2) }
    }

    fn call(&mut self) -> Statement {
        let procedure = self.random.below(self.arities.len());
        let arguments = (0..self.arities[procedure]).map(|_| self.expression(1)).collect();
        Statement::Call { procedure, arguments, result: self.place() }
    }

    fn selection(&mut self, at: At) -> Statement {
        let condition = self.condition(at, 2);
        let (mut then, mut otherwise) = match self.random.below(10) {
            0 => (List::new(), Some(self.list(at.deeper()))),
            1 => (vec![self.assign()], self.random.chance(50).then(|| vec![self.assign()])),
            2..6 => (self.list(at.deeper()), None),
            _ => (self.list(at.deeper()), Some(self.list(at.deeper()))),
        };
        if self.random.chance(8) {
            let leave = self.leave(at);
            then.push(Statement::Leave(leave.clone()));
            otherwise.get_or_insert_default().push(Statement::Leave(leave));
        }
        Statement::If(If { condition, then, otherwise, form: Form::Merge, carry: self.carry() })
    }

    fn switch(&mut self, at: At) -> Statement {
        let inside = At { in_switch: true, ..at.deeper() };
        let count = self.random.between(1, 4);
        let default = self.random.below(count + 1);
        let mut next = 0;
        let mut cases = Vec::new();
        for index in 0..count {
            let labels = self.random.below(3).max(usize::from(index != default));
            let labels: Vec<u32> = (0..labels as u32).map(|label| next + label).collect();
            next += labels.len() as u32 + u32::from(self.random.chance(20));
            let body = if self.random.chance(10) { List::new() } else { self.list(inside) };
            cases.push(Case { labels, is_default: index == default, body, falls: self.random.chance(30) });
        }
        let mask = Expression::Constant(if next < 3 { 3 } else { 7 });
        let selector = self.expression(1);
        let selector = Expression::Binary(Binary::And, Box::new((selector, mask)));
        Statement::Switch(Switch { selector, cases, carry: self.carry() })
    }

    fn repeated(&mut self, at: At) -> Statement {
        let inside = At { loops: at.loops + 1, in_switch: false, ..at.deeper() };
        let trips = match self.random.below(10) {
            0..3 => Expression::Constant(self.random.between(1, 3) as u32),
            3..5 => Expression::Uniform(self.random.below(UNIFORMS)),
            _ if !self.options.divergence => Expression::Uniform(self.random.below(UNIFORMS)),
            5..7 => Expression::Lane,
            7 => Expression::PerLane(self.random.below(PER_LANE)),
            _ => self.expression(1),
        };
        if self.random.chance(15) {
            return self.single_block(trips);
        }
        let guard = self.random.chance(65).then(|| {
            let code =
                if self.random.chance(40) { self.list(At { in_continuing: true, ..at.deeper() }) } else { List::new() };
            Guard { code, form: *self.random.choose(&[Form::Merge, Form::Exit, Form::InvertedExit]) }
        });
        let continuing = match self.random.below(10) {
            0..4 => List::new(),
            4..7 => self.straight_list(2),
            _ => self.list(At { in_continuing: true, in_switch: false, ..at.deeper() }),
        };
        Statement::Loop(Box::new(Loop {
            trips,
            head: self.straight_list(2),
            guard,
            body: if self.random.chance(5) { List::new() } else { self.list(inside) },
            continuing,
            latch: *self.random.choose(&[Latch::Always, Latch::Always, Latch::While, Latch::Until]),
            is_single_block: false,
            carry: self.carry(),
        }))
    }

    fn single_block(&mut self, trips: Expression) -> Statement {
        Statement::Loop(Box::new(Loop {
            trips,
            head: Vec::new(),
            guard: None,
            body: vec![self.record(), self.assign()],
            continuing: self.straight_list(1),
            latch: *self.random.choose(&[Latch::While, Latch::Until]),
            is_single_block: true,
            carry: self.carry(),
        }))
    }

    /// A way out, mostly under a condition.
    fn leaving(&mut self, at: At, list: &mut List) {
        let leave = self.leave(at);
        if self.random.chance(15) {
            return list.push(Statement::Leave(leave));
        }
        let condition = self.condition(at, 1);
        let form = *self.random.choose(&[Form::Merge, Form::Exit, Form::InvertedExit]);
        let mut then = List::new();
        if form == Form::Merge {
            then = self.straight_list(2);
        }
        then.push(Statement::Leave(leave));
        let otherwise = self.random.chance(15).then(|| vec![Statement::Leave(self.leave(at))]);
        if otherwise.is_none() && self.random.chance(25) {
            // Two that lead to the same place, one right behind the other.
            let (condition, then) = (self.condition(at, 1), then.clone());
            list.push(Statement::If(If { condition, then, otherwise: None, form, carry: self.carry() }));
        }
        list.push(Statement::If(If { condition, then, otherwise, form, carry: self.carry() }));
    }

    fn leave(&mut self, at: At) -> Leave {
        match self.random.below(12) {
            0..2 => Leave::Selection,
            2..4 if at.in_switch => Leave::Switch,
            4..6 if self.has_returns() && !at.in_continuing => Leave::Return(self.expression(1)),
            6 if self.has_kills() && !at.in_continuing => Leave::Kill,
            4..8 if at.loops > 0 => Leave::Continue,
            _ if at.loops > 0 => Leave::Loop,
            _ => Leave::Switch,
        }
    }

    /// Where all lanes have to come to barriers, none goes away before.
    fn has_returns(&self) -> bool {
        self.options.returns && !(self.options.barriers && self.is_start)
    }

    fn has_kills(&self) -> bool {
        self.options.kill && !self.options.barriers
    }

    /// A loop that is left together with the loop around it: it says so in a variable.
    fn leave_twice(&mut self, at: At, list: &mut List) {
        let flag = Place::Local(self.random.below(self.locals));
        let mark = Expression::Constant(0x7EA);
        let inside = At { loops: at.loops + 1, in_switch: false, ..at.deeper() };
        let condition = self.condition(inside, 1);
        let Statement::Loop(mut repeated) = self.repeated(at) else {
            unreachable!("a loop is made");
        };
        let assign = Statement::Assign { place: flag, value: mark.clone() };
        let then = vec![assign, Statement::Leave(Leave::Loop)];
        let index = self.random.below(repeated.body.len() + 1);
        let exit = If { condition, then, otherwise: None, form: Form::Merge, carry: self.carry() };
        repeated.body.insert(index, Statement::If(exit));
        list.push(Statement::Loop(repeated));
        let is_marked = Condition::Compare(Comparison::Equal, Box::new((Expression::Read(flag), mark)));
        let way = if self.random.chance(70) { Leave::Loop } else { Leave::Continue };
        let then = vec![Statement::Leave(way)];
        list.push(Statement::If(If {
            condition: is_marked,
            then,
            otherwise: None,
            form: Form::Exit,
            carry: Carry::Needed,
        }));
    }

    fn carry(&mut self) -> Carry {
        if self.random.chance(20) { Carry::All } else { Carry::Needed }
    }

    fn place(&mut self) -> Place {
        match self.random.below(10) {
            0..2 if self.globals > 0 => Place::Global(self.random.below(self.globals)),
            _ => Place::Local(self.random.below(self.locals)),
        }
    }

    fn read(&mut self) -> Expression {
        Expression::Read(self.place())
    }

    fn leaf_without_reads(&mut self) -> Expression {
        match self.random.below(8) {
            0..2 => Expression::Constant(self.random.below(8) as u32),
            2..4 => Expression::Uniform(self.random.below(UNIFORMS)),
            _ if !self.options.divergence => Expression::Uniform(self.random.below(UNIFORMS)),
            4..6 => Expression::Lane,
            _ => Expression::PerLane(self.random.below(PER_LANE)),
        }
    }

    fn expression(&mut self, depth: usize) -> Expression {
        match self.random.below(100) {
            0..35 if depth > 0 => {
                let operation = *self.random.choose(&[
                    Binary::Add,
                    Binary::Add,
                    Binary::Subtract,
                    Binary::Multiply,
                    Binary::Xor,
                    Binary::And,
                    Binary::Or,
                ]);
                let left = self.expression(depth - 1);
                let right = self.expression(depth - 1);
                Expression::Binary(operation, Box::new((left, right)))
            }
            35..42 if depth > 0 => {
                let condition = self.comparison();
                let words = (self.expression(depth - 1), self.expression(depth - 1));
                Expression::Select(Box::new((condition, words.0, words.1)))
            }
            42..50 if depth > 0 && self.options.subgroup == SubgroupUse::Everywhere => {
                let operand = self.expression(depth - 1);
                Expression::Subgroup(self.subgroup(), Box::new(operand))
            }
            50..80 => self.read(),
            80..85 => Expression::Trip,
            _ => self.leaf_without_reads(),
        }
    }

    fn subgroup(&mut self) -> Subgroup {
        let reductions = [
            Reduction::Add,
            Reduction::UnsignedMin,
            Reduction::UnsignedMax,
            Reduction::And,
            Reduction::Or,
            Reduction::Xor,
        ];
        match self.random.below(10) {
            0 => Subgroup::BroadcastFirst,
            1 => Subgroup::ShuffleLast,
            2 => Subgroup::ShuffleXor(*self.random.choose(&[1, 2, 3])),
            3..5 => Subgroup::Reduce(*self.random.choose(&reductions)),
            5 => Subgroup::Inclusive(*self.random.choose(&reductions)),
            6 => Subgroup::Exclusive(*self.random.choose(&reductions)),
            7 => Subgroup::BallotCount,
            8 => Subgroup::BallotRank,
            _ => Subgroup::Ballot,
        }
    }

    /// A condition at a place: uniform, in step with the lane number, or any.
    fn condition(&mut self, at: At, depth: usize) -> Condition {
        let compare = |comparison, left, right| Condition::Compare(comparison, Box::new((left, right)));
        let small = Expression::Constant(self.random.below(8) as u32);
        match self.random.below(100) {
            0..4 => Condition::Constant(self.random.chance(50)),
            4..16 => {
                let bit = Expression::Constant(1 << self.random.below(2));
                let uniform = Expression::Uniform(self.random.below(UNIFORMS));
                let masked = Expression::Binary(Binary::And, Box::new((uniform, bit)));
                compare(Comparison::NotEqual, masked, Expression::Constant(0))
            }
            16..26 if at.loops > 0 => {
                compare(Comparison::Equal, Expression::Trip, Expression::Constant(self.random.below(3) as u32))
            }
            26..46 if depth > 0 && self.options.subgroup == SubgroupUse::Everywhere => {
                let inner = Box::new(self.condition(at, depth - 1));
                match self.random.below(6) {
                    0 => Condition::Elect,
                    1 => Condition::Any(inner),
                    2 => Condition::All(inner),
                    3 => Condition::AllEqual(Box::new(self.read())),
                    4 => Condition::InverseBallot(inner),
                    _ => Condition::Not(inner),
                }
            }
            46..50 if depth > 0 => Condition::Not(Box::new(self.condition(at, depth - 1))),
            50..62 if self.options.divergence => compare(Comparison::Less, Expression::Lane, small),
            62..80 if self.options.divergence => {
                let bit = Expression::Constant(1 << self.random.below(4));
                let lane = if self.random.chance(50) {
                    Expression::Lane
                } else {
                    Expression::PerLane(self.random.below(PER_LANE))
                };
                let masked = Expression::Binary(Binary::And, Box::new((lane, bit)));
                compare(Comparison::NotEqual, masked, Expression::Constant(0))
            }
            _ => self.comparison(),
        }
    }

    fn comparison(&mut self) -> Condition {
        let comparison =
            *self.random.choose(&[Comparison::Equal, Comparison::NotEqual, Comparison::Less, Comparison::GreaterEqual]);
        let mask = Expression::Constant(3);
        let left = self.read();
        let left = Expression::Binary(Binary::And, Box::new((left, mask)));
        let right = Expression::Constant(self.random.below(4) as u32);
        Condition::Compare(comparison, Box::new((left, right)))
    }
}
