//! Loops that lanes leave in different iterations, and uses of their values after them.
//!
//! ```text
//! place = uniform
//! for (trips) { place = f(trip, place)             the same for all lanes of an iteration
//!     if (differs) { continue } …                  they come together at the continue target
//!     if (differs) { break } … }                   they are not those of one iteration behind the loop
//! if (place & 1) { … } record place; table[place]  so it differs there
//! ```
//!
//! Such a value is used after the loop directly, if its definition dominates the use; through the parameters of a break block, if exits
//! pass different values; or from memory. The rest is random: the place, the loop's form, the computation of the value, an enclosing loop,
//! and the uses.

use super::super::program::{
    Assignable, Binary, Carry, Comparison, Condition, Expression, Form, Guard, If, Latch, Leave, List, Loop, Rest,
    Statement, Switch, UNIFORMS,
};
use super::super::program::{Case, PER_LANE};
use super::{At, Generator, LOOP_DEPTH};

impl Generator<'_> {
    /// A loop, possibly in an outer one, and uses after it.
    pub(super) fn temporal(&mut self, at: At, list: &mut List) {
        let place = if self.random.chance(85) { self.local() } else { self.place() };
        let initial = match self.random.chance(60) {
            true => Expression::Constant(self.random.below(4) as u32),
            false => Expression::Uniform(self.random.below(UNIFORMS)),
        };
        list.push(Statement::Assign { place, value: initial });
        if at.loops + 1 < LOOP_DEPTH && self.random.chance(30) {
            let inside = At { loops: at.loops + 1, in_switch: false, ..at.deeper() };
            let mut body = vec![self.lockstep_loop(inside, place)];
            self.readers(inside, place, &mut body);
            let mut outer = self.left_apart(inside, body);
            outer.latch = *self.random.choose(&[Latch::While, Latch::Until]);
            list.push(Statement::Loop(Box::new(outer)));
        } else {
            list.push(self.lockstep_loop(at, place));
        }
        self.readers(at, place, list);
    }

    /// A loop that computes a value that is uniform in each iteration.
    fn lockstep_loop(&mut self, at: At, place: Assignable) -> Statement {
        let inside = At { loops: at.loops + 1, in_switch: false, ..at.deeper() };
        let value = self.lockstep(place);
        let step = Statement::Assign { place, value };
        let mut body = if self.random.chance(40) { self.list(inside) } else { List::new() };
        if self.random.chance(25) {
            body.push(self.apart(inside, Leave::Continue));
        }
        let mut repeated = self.left_apart(inside, body);
        match self.random.below(10) {
            0..6 => repeated.head.push(step),
            6..8 => repeated.body.insert(0, step),
            _ => repeated.continue_list.insert(0, step),
        }
        // An exit in the middle has the value of the iteration; a guard before the step has that of the previous one.
        if repeated.head.is_empty() && self.random.chance(70) {
            repeated.guard = None;
        }
        if self.random.chance(40) {
            repeated.continue_list.push(Statement::Record { point: 0, value: Expression::Read(place) });
        }
        Statement::Loop(Box::new(repeated))
    }

    /// A loop with this body that lanes mostly leave in different iterations.
    fn left_apart(&mut self, inside: At, mut body: List) -> Loop {
        let is_by_count = self.random.chance(50);
        let trips = match self.random.below(4) {
            _ if !is_by_count || !self.options.divergence => Expression::Constant(3),
            0..2 => Expression::Lane,
            _ => Expression::PerLane(self.random.below(PER_LANE)),
        };
        if !is_by_count || self.random.chance(30) {
            let exit = self.apart(inside, Leave::Loop);
            let index = self.random.below(body.len() + 1);
            body.insert(index, exit);
        }
        let guard = self.random.chance(50).then(|| Guard {
            code: List::new(),
            form: *self.random.choose(&[Form::Merge, Form::Exit, Form::InvertedExit]),
        });
        Loop {
            trips,
            head: List::new(),
            guard,
            body,
            continue_list: self.straight_list(1),
            latch: *self.random.choose(&[Latch::Always, Latch::While, Latch::Until]),
            is_single_block: self.random.chance(10),
            hint: self.hint(),
            carry: if self.random.chance(10) { Carry::All } else { Carry::Needed },
        }
    }

    /// A word that is uniform in an iteration, if that of the place is.
    fn lockstep(&mut self, place: Assignable) -> Expression {
        let operand = match self.random.below(3) {
            0 => Expression::Constant(self.random.between(1, 5) as u32),
            1 => Expression::Uniform(self.random.below(UNIFORMS)),
            _ => Expression::Trip,
        };
        let counted = if self.random.chance(60) { Expression::Trip } else { Expression::Read(place) };
        let operation =
            *self.random.choose(&[Binary::Add, Binary::Add, Binary::Subtract, Binary::Multiply, Binary::Xor]);
        match self.random.chance(20) {
            true => counted,
            false => Expression::Binary(operation, Box::new((counted, operand))),
        }
    }

    /// An exit that some lanes take.
    pub(super) fn apart(&mut self, at: At, leave: Leave) -> Statement {
        let condition = self.divergent(at);
        let form = *self.random.choose(&[Form::Merge, Form::Exit, Form::InvertedExit]);
        let then = vec![Statement::Leave(leave)];
        Statement::If(If { condition, then, otherwise: None, form, carry: Carry::Needed })
    }

    /// A condition that holds for some lanes; in a loop for others in each iteration.
    pub(super) fn divergent(&mut self, at: At) -> Condition {
        if !self.options.divergence {
            return self.condition(at, 1);
        }
        let masked = |word, mask| Expression::Binary(Binary::And, Box::new((word, Expression::Constant(mask))));
        let word = match self.random.below(2) {
            0 => Expression::Lane,
            _ => Expression::PerLane(self.random.below(PER_LANE)),
        };
        let (left, right) = match at.loops > 0 && self.random.chance(70) {
            true => (masked(word, 3), Expression::Trip),
            false => (masked(word, 1 << self.random.below(3)), Expression::Constant(0)),
        };
        let comparison = *self.random.choose(&[Comparison::Equal, Comparison::NotEqual, Comparison::Less]);
        let (left, right) = if comparison == Comparison::Less { (right, left) } else { (left, right) };
        Condition::Compare(comparison, Box::new((left, right)))
    }

    /// A use of a place: in a record, as a condition, a selector, a number of iterations, an address, a vote, an argument.
    fn readers(&mut self, at: At, place: Assignable, list: &mut List) {
        for _ in 0..self.random.between(1, 2) {
            let word = Expression::Read(place);
            let bit = Box::new((word.clone(), Expression::Constant(1)));
            let is_odd = Condition::Compare(
                Comparison::NotEqual,
                Box::new((Expression::Binary(Binary::And, bit), Expression::Constant(0))),
            );
            let reader = match (self.random.below(10), place) {
                (0..3, _) => Statement::Record { point: 0, value: word },
                (3, _) => {
                    let then = vec![self.record()];
                    let otherwise = self.random.chance(50).then(|| vec![self.assign()]);
                    Statement::If(If { condition: is_odd, then, otherwise, form: Form::Merge, carry: self.carry() })
                }
                (4, _) if self.options.switches => self.switch_by(word),
                (5, _) if at.loops < LOOP_DEPTH => {
                    let Statement::Loop(mut repeated) = self.single_block(word) else {
                        unreachable!("a loop is made");
                    };
                    repeated.is_single_block = self.random.chance(50);
                    Statement::Loop(repeated)
                }
                (6, Assignable::Local(index)) if self.table => match self.random.chance(50) {
                    true => Statement::Record { point: 0, value: Expression::Read(Assignable::Element(index)) },
                    false => Statement::Assign { place: Assignable::Element(index), value: self.expression(1) },
                },
                (7, _) => {
                    let condition = Condition::AllEqual(Box::new(word));
                    let condition =
                        if self.options.subgroup == super::SubgroupUse::Everywhere { condition } else { is_odd };
                    let then = vec![self.record()];
                    Statement::If(If { condition, then, otherwise: None, form: Form::Merge, carry: self.carry() })
                }
                (8, _) if !self.arities.is_empty() && at.loops < 2 => {
                    let procedure = self.random.below(self.arities.len());
                    let arguments = vec![word; self.arities[procedure]];
                    Statement::Call { procedure, arguments, result: self.place() }
                }
                _ => {
                    let other = self.leaf_without_reads();
                    let value = Expression::Binary(Binary::Add, Box::new((word, other)));
                    Statement::Assign { place: self.place(), value }
                }
            };
            list.push(reader);
        }
    }

    fn switch_by(&mut self, word: Expression) -> Statement {
        let selector = Expression::Binary(Binary::And, Box::new((word, Expression::Constant(3))));
        let mut cases = Vec::new();
        for label in 0..self.random.between(1, 3) as u32 {
            let body = vec![self.straight()];
            let falls = self.random.chance(30) && self.options.falls;
            cases.push(Case { labels: vec![label], is_default: false, body, falls });
        }
        Statement::Switch(Switch { selector, cases, rest: Rest::End, carry: self.carry() })
    }

    /// Exchanges two values: as arguments of the back edge, if they are SSA values.
    pub(super) fn swap(&mut self) -> List {
        let [left, right, spare] = [0, 1, 2].map(|_| self.local());
        let copy = |place, from| Statement::Assign { place, value: Expression::Read(from) };
        vec![copy(spare, left), copy(left, right), copy(right, spare)]
    }

    /// A call by some lanes of a procedure that may have loops.
    pub(super) fn call_apart(&mut self, at: At) -> Statement {
        let condition = self.divergent(at);
        let then = vec![self.call()];
        let otherwise = self.random.chance(40).then(|| vec![self.call()]);
        Statement::If(If { condition, then, otherwise, form: Form::Merge, carry: self.carry() })
    }
}
