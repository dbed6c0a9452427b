//! Generates programs.
//!
//! A budget of statements is spent from the start on; the probability of a compound statement decreases with the depth.
//! [`repair`](super::repair()) removes invalid statements. Loops nest at most three deep and have at most three iterations, so runs are
//! short.

mod options;
mod temporal;
mod words;

pub use options::{LaneOptions, Records, SubgroupUse};

use super::program::{
    Assignable, Binary, COMPLETE, Carry, Case, Comparison, Condition, Expression, Form, Guard, Hint, If, Latch, Leave,
    List, Loop, PER_LANE, Procedure, Program, Rest, Statement, Storage, Switch, UNIFORMS, Variable,
};
use super::repair::repair;
use crate::random::Random;

/// The maximal nesting of loops, without calls.
const LOOP_DEPTH: usize = 3;

/// A random program of about `size` statements. The seed, size and options determine the program.
pub fn lanes_program(seed: u64, size: usize, options: &LaneOptions) -> Program {
    let mut random = Random::new(seed);
    let globals = if options.memory { random.below(3) } else { 0 };
    let table = options.memory && random.chance(50);
    let helpers = if options.calls { random.below(3) } else { 0 };
    let mut program = Program { procedures: Vec::new(), globals, table };
    for number in 0..=helpers {
        let is_start = number == helpers;
        let parameters = if is_start { 0 } else { random.between(1, 2) };
        let arities = program.procedures.iter().map(|procedure| procedure.parameters).collect();
        let budget = if is_start { size } else { size / 4 };
        let mut generator =
            Generator { random: &mut random, options, arities, globals, table, locals: 0, budget, is_start };
        let procedure = generator.procedure(parameters);
        program.procedures.push(procedure);
    }
    repair(&mut program);
    program
}

struct Generator<'r> {
    random: &'r mut Random,
    options: &'r LaneOptions,
    /// The number of parameters of each earlier procedure.
    arities: Vec<usize>,
    globals: usize,
    /// True if there is an array.
    table: bool,
    locals: usize,
    budget: usize,
    is_start: bool,
}

/// The place of a statement.
#[derive(Clone, Copy)]
struct At {
    depth: usize,
    loops: usize,
    in_switch: bool,
    in_continue: bool,
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
        let top = At { depth: 0, loops: 0, in_switch: false, in_continue: false };
        let mut body = List::new();
        if !self.is_start && self.options.loops && self.random.chance(40) {
            body.push(self.repeated(At { loops: 1, ..top }));
        }
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
            0..21 => list.push(self.record()),
            21..37 => list.push(self.assign()),
            37..41 if !self.arities.is_empty() && at.loops < 2 && !is_deep => list.push(self.call_apart(at)),
            41..46 if !self.arities.is_empty() && at.loops < 2 => list.push(self.call()),
            46..54 if at.depth > 0 => self.leaving(at, list),
            54..60 if self.options.barriers && self.is_start && at.depth == 0 => {
                list.push(Statement::Exchange { place: self.place() });
            }
            60..75 if !is_deep => self.compound(list, at, Self::selection),
            75..83 if !is_deep && self.options.switches => self.compound(list, at, Self::switch),
            83..90 if !is_deep && self.options.loops && at.loops < LOOP_DEPTH => self.temporal(at, list),
            90..100 if !is_deep && self.options.loops && at.loops < LOOP_DEPTH => {
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
            let mut body = if self.random.chance(10) { List::new() } else { self.list(inside) };
            if at.loops > 0 && self.random.chance(30) {
                let leave = self.random.choose(&[Leave::Continue, Leave::Continue, Leave::Loop, Leave::Switch]).clone();
                let leave = if self.random.chance(70) { self.apart(at, leave) } else { Statement::Leave(leave) };
                body.push(leave);
            }
            cases.push(Case {
                labels,
                is_default: index == default,
                body,
                falls: self.random.chance(30) && self.options.falls,
            });
        }
        let mask = Expression::Constant(if next < 3 { 3 } else { 7 });
        let selector = self.expression(1);
        let selector = Expression::Binary(Binary::And, Box::new((selector, mask)));
        let rest = if self.random.chance(25) { complete(&mut cases) } else { Rest::End };
        Statement::Switch(Switch { selector, cases, rest, carry: self.carry() })
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
                if self.random.chance(40) { self.list(At { in_continue: true, ..at.deeper() }) } else { List::new() };
            Guard { code, form: *self.random.choose(&[Form::Merge, Form::Exit, Form::InvertedExit]) }
        });
        let continue_list = match self.random.below(10) {
            0..4 => List::new(),
            4..7 => self.straight_list(2),
            7 if inside.loops < LOOP_DEPTH && inside.depth < self.options.depth => {
                vec![self.repeated(At { in_continue: true, ..inside })]
            }
            8 => self.swap(),
            _ => self.list(At { in_continue: true, in_switch: false, ..at.deeper() }),
        };
        Statement::Loop(Box::new(Loop {
            trips,
            head: self.straight_list(2),
            guard,
            body: if self.random.chance(5) { List::new() } else { self.list(inside) },
            continue_list,
            latch: *self.random.choose(&[Latch::Always, Latch::Always, Latch::While, Latch::Until]),
            is_single_block: false,
            hint: self.hint(),
            carry: self.carry(),
        }))
    }

    fn single_block(&mut self, trips: Expression) -> Statement {
        Statement::Loop(Box::new(Loop {
            trips,
            head: Vec::new(),
            guard: None,
            body: vec![self.record(), self.assign()],
            continue_list: self.straight_list(1),
            latch: *self.random.choose(&[Latch::While, Latch::Until]),
            is_single_block: true,
            hint: self.hint(),
            carry: self.carry(),
        }))
    }

    /// An exit, mostly conditional.
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
            // Two consecutive ones with the same target.
            let (condition, then) = (self.condition(at, 1), then.clone());
            list.push(Statement::If(If { condition, then, otherwise: None, form, carry: self.carry() }));
        }
        list.push(Statement::If(If { condition, then, otherwise, form, carry: self.carry() }));
    }

    fn leave(&mut self, at: At) -> Leave {
        match self.random.below(12) {
            0..2 => Leave::Selection,
            2..4 if at.in_switch => Leave::Switch,
            4..6 if self.has_returns() && !at.in_continue => Leave::Return(self.expression(1)),
            6 if self.has_kills() && !at.in_continue => Leave::Kill,
            4..8 if at.loops > 0 => Leave::Continue,
            _ if at.loops > 0 => Leave::Loop,
            _ => Leave::Switch,
        }
    }

    /// Returns whether returns are allowed: if all lanes must reach barriers, no exit comes before them.
    fn has_returns(&self) -> bool {
        self.options.returns && !(self.options.barriers && self.is_start)
    }

    fn has_kills(&self) -> bool {
        self.options.kill && !self.options.barriers
    }

    /// A loop that is left together with the enclosing loop: a variable records it.
    fn leave_twice(&mut self, at: At, list: &mut List) {
        let flag = Assignable::Local(self.random.below(self.locals));
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

    fn hint(&mut self) -> Hint {
        if !self.options.hints {
            return Hint::Silent;
        }
        match self.random.below(10) {
            0..3 => Hint::Unroll,
            3..7 => Hint::Peel(self.random.between(1, 3) as u32),
            7 => Hint::DontUnroll,
            _ => Hint::Silent,
        }
    }

    fn carry(&mut self) -> Carry {
        if self.random.chance(20) { Carry::All } else { Carry::Needed }
    }
}

/// Gives the cases of a switch all possible values.
fn complete(cases: &mut [Case]) -> Rest {
    let count = cases.len() as u32;
    for (case, number) in cases.iter_mut().zip(0..) {
        case.labels = (0..COMPLETE).filter(|label| label % count == number).collect();
        case.is_default = false;
    }
    Rest::Nowhere
}
