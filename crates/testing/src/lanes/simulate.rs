//! The behaviour of a program, computed from the program itself: masks over the tree of statements.
//!
//! A tangle is a set of lanes. A condition splits it; the lanes that reach the end of a selection, the next iteration of a loop, the exit
//! of a loop or the return of a call are one tangle again (M4 to M9 of maximal reconvergence, which for nested statements is the standard
//! rule). Lanes that fall through to a case are not joined with those that the switch sent there, since no rule requires it (M10).
//!
//! Each record also has the guarantees of a driver without maximal reconvergence ([`Promise`], M11): lanes are certainly converged only if
//! all lanes of the workgroup have taken the same path from the start or from the merge block of a construct that all of them entered and
//! left so. The result of an operation of lanes that are not certainly converged is not guaranteed; if a branch depends on it, neither is
//! anything after the branch.
//!
//! Recursive over the program, whose nesting is bounded.

use super::run::{Ended, Inputs, Record, Run};
use super::subgroup;
use super::tangle::{Arrivals, Doubt, Tangle, Word, Words, binary, combine, compare, doubt_of};
use crate::generators::lanes::{
    Assignable, COMPLETE, Condition, ELEMENTS, Expression, Form, If, Latch, Leave, List, Loop, Procedure, Program,
    Rest, Statement, Switch, TRIPS,
};

/// The maximal number of executed statements.
const STEPS: usize = 2_000_000;

/// The reason why parts of a record are not guaranteed without maximal reconvergence; `None` for those that are.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Promise {
    /// The doubt whether the lane reaches this point next: a branch before depended on a result without a guarantee.
    pub point: Option<Doubt>,
    /// The doubt whether exactly these lanes are converged.
    pub ballot: Option<Doubt>,
    /// The doubt whether the value is this.
    pub value: Option<Doubt>,
}

impl Promise {
    /// The reason why the record as a whole is not guaranteed.
    pub fn doubt(self) -> Option<Doubt> {
        self.point.or(self.ballot).or(self.value)
    }
}

/// The behaviour of a program, with the guarantees without maximal reconvergence.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Simulation {
    /// The behaviour with maximal reconvergence.
    pub run: Run,
    /// By lane and record: the guarantees without maximal reconvergence.
    pub promises: Vec<Vec<Promise>>,
    /// The lanes that returned, which reconverge after the program.
    pub returned: u64,
    /// By lane: the guarantee of its end.
    pub at_end: Vec<Promise>,
}

/// Runs a program in all lanes.
///
/// # Errors
/// It executes too many steps.
pub fn simulate(program: &Program, inputs: &Inputs) -> Result<Simulation, String> {
    let lanes = inputs.lanes;
    let mut machine = Machine {
        program,
        inputs,
        records: vec![Vec::new(); lanes],
        promises: vec![Vec::new(); lanes],
        ends: vec![None; lanes],
        globals: (0..program.globals).map(|index| vec![Word::certain(index as u32 + 1); lanes]).collect(),
        table: (0..ELEMENTS).rev().map(|word| vec![Word::certain(word); lanes]).collect(),
        way: None,
        steps: 0,
    };
    let all = if lanes == 64 { u64::MAX } else { (1 << lanes) - 1 };
    let tangle = Tangle { lanes: all, doubt: None };
    let start = program.procedures.len() - 1;
    let (results, returned) = machine.call(start, Vec::new(), tangle)?;
    let way = machine.way;
    let mut at_end = vec![Promise { point: way, ballot: way.or(returned.doubt), value: way }; lanes];
    for lane in returned.iter(lanes) {
        machine.ends[lane] = Some(Ended::Returned(results[lane].bits));
        at_end[lane].value = way.or(results[lane].doubt);
    }
    let ends = machine.ends.into_iter().map(|end| end.expect("invariant: a lane returns or is killed")).collect();
    let run = Run { records: machine.records, ends };
    Ok(Simulation { run, promises: machine.promises, returned: returned.lanes, at_end })
}

/// A call of a procedure.
struct ProcedureCall {
    locals: Vec<Words>,
    /// The counters of the enclosing loops, innermost last.
    counters: Vec<Vec<u32>>,
    returned: Arrivals,
    results: Words,
    /// By enclosing loop: the lanes that left it, and those that reach its next iteration.
    loops: Vec<(Arrivals, Arrivals)>,
    /// By enclosing switch: the lanes that left it.
    switches: Vec<Arrivals>,
    /// By enclosing selection: the lanes that left an arm by a conditional exit.
    selections: Vec<Arrivals>,
}

struct Machine<'p> {
    program: &'p Program,
    inputs: &'p Inputs,
    records: Vec<Vec<Record>>,
    promises: Vec<Vec<Promise>>,
    ends: Vec<Option<Ended>>,
    globals: Vec<Words>,
    table: Vec<Words>,
    /// The reason why an earlier branch depended on a result without a guarantee.
    way: Option<Doubt>,
    steps: usize,
}

impl Machine<'_> {
    fn lanes(&self) -> usize {
        self.inputs.lanes
    }

    fn call(&mut self, number: usize, arguments: Vec<Words>, tangle: Tangle) -> Result<(Words, Tangle), String> {
        let program = self.program;
        let procedure: &Procedure = &program.procedures[number];
        let mut frame = ProcedureCall {
            locals: arguments,
            counters: Vec::new(),
            returned: Arrivals::default(),
            results: vec![Word::certain(0); self.lanes()],
            loops: Vec::new(),
            switches: Vec::new(),
            selections: Vec::new(),
        };
        for variable in &procedure.variables[procedure.parameters..] {
            let initial = self.expression(&variable.initial, &frame, tangle);
            frame.locals.push(initial);
        }
        let end = self.list(&procedure.body, tangle, &mut frame)?;
        self.leave(&Leave::Return(procedure.result.clone()), end, &mut frame);
        let returned = frame.returned.joined();
        Ok((frame.results, returned))
    }

    /// Executes statements. Returns the lanes that reach the end.
    fn list(&mut self, list: &List, tangle: Tangle, frame: &mut ProcedureCall) -> Result<Tangle, String> {
        let mut tangle = tangle;
        for statement in list {
            if tangle.is_empty() {
                break;
            }
            self.steps += 1;
            if self.steps > STEPS {
                return Err(format!("more than {STEPS} statements"));
            }
            tangle = self.statement(statement, tangle, frame)?;
        }
        Ok(tangle)
    }

    fn statement(
        &mut self,
        statement: &Statement,
        tangle: Tangle,
        frame: &mut ProcedureCall,
    ) -> Result<Tangle, String> {
        match statement {
            Statement::Assign { place, value } => {
                let value = self.expression(value, frame, tangle);
                self.assign(*place, &value, tangle, frame);
            }
            Statement::Record { point, value } => self.record(*point, value, frame, tangle),
            Statement::Call { procedure, arguments, result } => {
                let arguments = arguments.iter().map(|argument| self.expression(argument, frame, tangle)).collect();
                let (results, returned) = self.call(*procedure, arguments, tangle)?;
                self.assign(*result, &results, returned, frame);
                return Ok(returned);
            }
            Statement::If(selection) => return self.selection(selection, tangle, frame),
            Statement::Switch(switch) => return self.switch(switch, tangle, frame),
            Statement::Loop(repeated) => return self.repeat(repeated, tangle, frame),
            Statement::Leave(leave) => {
                self.leave(leave, tangle, frame);
                return Ok(Tangle::EMPTY);
            }
            Statement::Exchange { place } => {
                let words = self.expression(&Expression::Read(*place), frame, tangle);
                let lanes = self.lanes();
                let received: Words = (0..lanes).map(|lane| words[(lane + 1) % lanes]).collect();
                self.assign(*place, &received, tangle, frame);
            }
        }
        Ok(tangle)
    }

    fn record(&mut self, point: u32, value: &Expression, frame: &ProcedureCall, tangle: Tangle) {
        let words = self.expression(value, frame, tangle);
        let way = self.way;
        for lane in tangle.iter(self.lanes()) {
            self.records[lane].push(Record { point, ballot: tangle.lanes, value: words[lane].bits });
            let (ballot, value) = (way.or(tangle.doubt), way.or(words[lane].doubt));
            self.promises[lane].push(Promise { point: way, ballot, value });
        }
    }

    fn assign(&mut self, place: Assignable, value: &Words, tangle: Tangle, frame: &mut ProcedureCall) {
        let words = match place {
            Assignable::Local(index) => &mut frame.locals[index],
            Assignable::Global(index) => &mut self.globals[index],
            Assignable::Element(index) => return self.assign_element(&frame.locals[index], value, tangle),
        };
        for lane in tangle.iter(words.len()) {
            words[lane] = value[lane];
        }
    }

    fn assign_element(&mut self, numbers: &Words, value: &Words, tangle: Tangle) {
        for lane in tangle.iter(numbers.len()) {
            let number = numbers[lane];
            let element = (number.bits % ELEMENTS) as usize;
            self.table[element][lane] = value[lane];
            // It may be any other one.
            let words = self.table.iter_mut().map(|words| &mut words[lane]);
            words.for_each(|word| word.doubt = word.doubt.or(number.doubt));
        }
    }

    fn leave(&mut self, leave: &Leave, tangle: Tangle, frame: &mut ProcedureCall) {
        let none = "invariant: a repaired program leaves what is there";
        match leave {
            Leave::Selection => frame.selections.last_mut().expect(none).add(tangle),
            Leave::Switch => frame.switches.last_mut().expect(none).add(tangle),
            Leave::Loop => frame.loops.last_mut().expect(none).0.add(tangle),
            Leave::Continue => frame.loops.last_mut().expect(none).1.add(tangle),
            Leave::Return(value) => {
                let words = self.expression(value, frame, tangle);
                for lane in tangle.iter(words.len()) {
                    frame.results[lane] = words[lane];
                }
                frame.returned.add(tangle);
            }
            Leave::Kill => tangle.iter(self.ends.len()).for_each(|lane| self.ends[lane] = Some(Ended::Killed)),
        }
    }

    /// The lanes of a tangle for which a condition holds, and the others.
    fn split(&mut self, tangle: Tangle, condition: impl Fn(usize) -> (bool, Option<Doubt>)) -> (Tangle, Tangle) {
        let mut yes = 0;
        for lane in tangle.iter(self.lanes()) {
            let (holds, doubt) = condition(lane);
            yes |= u64::from(holds) << lane;
            self.way = self.way.or(doubt);
        }
        let no = tangle.lanes & !yes;
        let doubt = tangle.doubt.or((yes != 0 && no != 0).then_some(Doubt::Branch));
        (Tangle { lanes: yes, doubt }, Tangle { lanes: no, doubt })
    }

    fn selection(&mut self, selection: &If, tangle: Tangle, frame: &mut ProcedureCall) -> Result<Tangle, String> {
        let condition = self.condition(&selection.condition, frame, tangle);
        let (yes, no) = self.split(tangle, |lane| (condition[lane].bits != 0, condition[lane].doubt));
        if selection.form != Form::Merge {
            self.list(&selection.then, yes, frame)?;
            return match &selection.otherwise {
                Some(otherwise) => self.list(otherwise, no, frame),
                None => Ok(no),
            };
        }
        frame.selections.push(Arrivals::default());
        let then = self.list(&selection.then, yes, frame)?;
        let otherwise = match &selection.otherwise {
            Some(otherwise) => self.list(otherwise, no, frame)?,
            None => no,
        };
        let mut arrivals = frame.selections.pop().expect("invariant: the selection was pushed");
        arrivals.add(then);
        arrivals.add(otherwise);
        Ok(arrivals.merged(tangle))
    }

    fn switch(&mut self, switch: &Switch, tangle: Tangle, frame: &mut ProcedureCall) -> Result<Tangle, String> {
        let mut selector = self.expression(&switch.selector, frame, tangle);
        if switch.rest == Rest::Nowhere {
            selector.iter_mut().for_each(|word| word.bits %= COMPLETE);
        }
        let mut selectors: Vec<u32> = tangle.iter(self.lanes()).map(|lane| selector[lane].bits).collect();
        selectors.dedup();
        let doubt = tangle.doubt.or((selectors.len() > 1).then_some(Doubt::Case));
        let inside = Tangle { doubt, ..tangle };
        let has = |label: u32| switch.cases.iter().position(|case| case.labels.contains(&label));
        let default = switch.cases.iter().position(|case| case.is_default);
        frame.switches.push(Arrivals::default());
        let mut fallen: Vec<Tangle> = Vec::new();
        let mut ended = Vec::new();
        for (index, case) in switch.cases.iter().enumerate() {
            let (direct, _) = self.split(inside, |lane| {
                let target = has(selector[lane].bits).or(default);
                (target == Some(index), selector[lane].doubt)
            });
            let direct = Tangle { doubt: inside.doubt, ..direct };
            let mut entering = std::mem::take(&mut fallen);
            entering.push(direct);
            entering.retain(|group| !group.is_empty());
            let doubt = if entering.len() > 1 { tangle.doubt.or(Some(Doubt::Fall)) } else { inside.doubt };
            let mut ends = Vec::new();
            for group in entering {
                let group = Tangle { doubt: doubt.or(group.doubt), ..group };
                ends.push(self.list(&case.body, group, frame)?);
            }
            if case.falls { fallen = ends } else { ended.extend(ends) }
        }
        let (none, _) =
            self.split(inside, |lane| (has(selector[lane].bits).or(default).is_none(), selector[lane].doubt));
        let mut arrivals = frame.switches.pop().expect("invariant: the switch was pushed");
        ended.into_iter().chain([none]).for_each(|tangle| arrivals.add(tangle));
        Ok(arrivals.merged(tangle))
    }

    fn repeat(&mut self, repeated: &Loop, entered: Tangle, frame: &mut ProcedureCall) -> Result<Tangle, String> {
        let trips = self.expression(&repeated.trips, frame, entered);
        let limit: Words = trips.iter().map(|word| Word { bits: word.bits & (TRIPS - 1), ..*word }).collect();
        frame.counters.push(vec![0; self.lanes()]);
        frame.loops.push((Arrivals::default(), Arrivals::default()));
        let mut tangle = entered;
        while !tangle.is_empty() {
            self.steps += 1;
            tangle = self.trip(repeated, &limit, tangle, frame)?;
        }
        frame.counters.pop();
        let (left, _) = frame.loops.pop().expect("invariant: the loop was pushed");
        Ok(left.merged(entered))
    }

    /// One iteration. Returns the lanes that continue with the next one.
    fn trip(
        &mut self,
        repeated: &Loop,
        limit: &Words,
        tangle: Tangle,
        frame: &mut ProcedureCall,
    ) -> Result<Tangle, String> {
        let mut tangle = self.list(&repeated.head, tangle, frame)?;
        if let Some(guard) = repeated.guard.as_ref().filter(|_| !repeated.is_single_block) {
            let (done, more) = self.split_done(limit, tangle, frame);
            frame.selections.push(Arrivals::default());
            let leaving = self.list(&guard.code, done, frame)?;
            frame.selections.pop();
            self.leave(&Leave::Loop, leaving, frame);
            tangle = more;
        }
        let end = self.list(&repeated.body, tangle, frame)?;
        self.leave(&Leave::Continue, end, frame);
        let innermost = frame.loops.last_mut().expect("invariant: a loop is open");
        let next = std::mem::take(&mut innermost.1).joined();
        let next = self.list(&repeated.continue_list, next, frame)?;
        let counter = frame.counters.last_mut().expect("invariant: a loop is open");
        next.iter(counter.len()).for_each(|lane| counter[lane] += 1);
        if repeated.latch == Latch::Always {
            return Ok(next);
        }
        let (done, more) = self.split_done(limit, next, frame);
        self.leave(&Leave::Loop, done, frame);
        Ok(more)
    }

    fn split_done(&mut self, limit: &Words, tangle: Tangle, frame: &ProcedureCall) -> (Tangle, Tangle) {
        let counter = frame.counters.last().expect("invariant: a loop is open");
        self.split(tangle, |lane| (counter[lane] >= limit[lane].bits, limit[lane].doubt))
    }

    fn words(&self, word: impl Fn(usize) -> u32) -> Words {
        (0..self.lanes()).map(|lane| Word::certain(word(lane))).collect()
    }

    fn expression(&self, expression: &Expression, frame: &ProcedureCall, tangle: Tangle) -> Words {
        match expression {
            Expression::Constant(word) => self.words(|_| *word),
            Expression::Lane => self.words(|lane| lane as u32),
            Expression::Uniform(index) => self.words(|_| self.inputs.uniforms[*index]),
            Expression::PerLane(index) => self.words(|lane| self.inputs.per_lane(lane, *index)),
            Expression::Trip => match frame.counters.last() {
                Some(counter) => self.words(|lane| counter[lane]),
                None => self.words(|_| 0),
            },
            Expression::Read(Assignable::Local(index)) => frame.locals[*index].clone(),
            Expression::Read(Assignable::Global(index)) => self.globals[*index].clone(),
            Expression::Read(Assignable::Element(index)) => {
                let element = |(lane, number): (usize, &Word)| {
                    let word = self.table[(number.bits % ELEMENTS) as usize][lane];
                    Word { doubt: word.doubt.or(number.doubt), ..word }
                };
                frame.locals[*index].iter().enumerate().map(element).collect()
            }
            Expression::Binary(operation, operands) => {
                let left = self.expression(&operands.0, frame, tangle);
                let right = self.expression(&operands.1, frame, tangle);
                combine(&left, &right, |left, right| binary(*operation, left, right))
            }
            Expression::Select(choice) => {
                let condition = self.condition(&choice.0, frame, tangle);
                let yes = self.expression(&choice.1, frame, tangle);
                let no = self.expression(&choice.2, frame, tangle);
                let chosen = (0..self.lanes()).map(|lane| {
                    let word = if condition[lane].bits != 0 { yes[lane] } else { no[lane] };
                    Word { doubt: word.doubt.or(condition[lane].doubt), ..word }
                });
                chosen.collect()
            }
            Expression::Subgroup(operation, word) => {
                let words = self.expression(word, frame, tangle);
                let bits: Vec<u32> = words.iter().map(|word| word.bits).collect();
                let doubt = doubt_of(&words, tangle);
                let results = subgroup::evaluate(*operation, &bits, tangle.lanes);
                results.into_iter().map(|bits| Word { bits, doubt }).collect()
            }
        }
    }

    /// 1 where it holds, 0 where it does not.
    fn condition(&self, condition: &Condition, frame: &ProcedureCall, tangle: Tangle) -> Words {
        let vote =
            |inner: &Words, holds: bool| vec![Word { bits: holds.into(), doubt: doubt_of(inner, tangle) }; inner.len()];
        match condition {
            Condition::Constant(value) => self.words(|_| u32::from(*value)),
            Condition::Compare(comparison, operands) => {
                let left = self.expression(&operands.0, frame, tangle);
                let right = self.expression(&operands.1, frame, tangle);
                combine(&left, &right, |left, right| compare(*comparison, left, right).into())
            }
            Condition::Not(inner) => {
                let inner = self.condition(inner, frame, tangle);
                inner.into_iter().map(|word| Word { bits: 1 - word.bits, ..word }).collect()
            }
            Condition::Elect => {
                let first = tangle.lanes.trailing_zeros();
                let word = |lane: usize| Word { bits: (lane as u32 == first).into(), doubt: tangle.doubt };
                (0..self.lanes()).map(word).collect()
            }
            Condition::Any(inner) => {
                let inner = self.condition(inner, frame, tangle);
                vote(&inner, tangle.iter(inner.len()).any(|lane| inner[lane].bits != 0))
            }
            Condition::All(inner) => {
                let inner = self.condition(inner, frame, tangle);
                vote(&inner, tangle.iter(inner.len()).all(|lane| inner[lane].bits != 0))
            }
            Condition::AllEqual(word) => {
                let words = self.expression(word, frame, tangle);
                let first = tangle.lanes.trailing_zeros() as usize;
                vote(&words, tangle.iter(words.len()).all(|lane| words[lane].bits == words[first].bits))
            }
            Condition::InverseBallot(inner) => self.condition(inner, frame, tangle),
        }
    }
}
