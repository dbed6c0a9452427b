//! Generates kernels from a seed.
//!
//! A statement is in *uniform* control flow, where all work-items of a work-group are converged, or in *divergent* control flow. In uniform
//! control flow every controlling condition reads only uniform variables; these are assigned only there, and only uniform values. So
//! barriers are placed there. A `break`, `continue`, `goto` or `return` under a divergent condition does not leave to uniform control flow:
//! it stays in the outermost divergent construct around it, which has its own labels.
//!
//! ```text
//! uniform:    s; for (u) { barrier; if (v) { ─┐ }  barrier; }  goto L (u);
//! divergent:                                  └ while (v) { break; goto M; }  M: ;
//! ```

use super::expressions::Values;
use super::tree::{
    Case, Default, Exchange, Expression, Form, Function, Kernel, LoopForm, Scalar, Statement, Variable, VariableUse,
    VectorValue,
};
use crate::random::Random;

/// The maximal nesting of statements.
const DEPTH: usize = 4;

/// The kernel of a seed.
pub fn make(seed: u64) -> Kernel {
    let mut random = Random::new(seed);
    let has_barriers = random.chance(75);
    let mut kernel = Kernel { has_barriers, ..blank(&mut random) };
    let callees = *random.choose(&[0, 0, 1, 1, 2, 3]);
    for _ in 0..callees {
        let function = callee(&mut random, &kernel);
        kernel.callees.push(function);
    }
    let mut function = function(&mut random, 0);
    if has_barriers {
        let uniform = |random: &mut Random, use_as| Variable { use_as, ..variable(random) };
        (0..2).for_each(|_| function.variables.push(uniform(&mut random, VariableUse::Uniform)));
    }
    let budget = *random.choose(&[6, 12, 20, 30]);
    let mut maker = Maker { random: &mut random, kernel: &kernel, function, regions: Vec::new(), labels: 0, budget };
    let place = StatementPlace { is_uniform: has_barriers, depth: 0, breaks: false, continues: false, returns: true };
    let mut statements = Vec::new();
    maker.in_region(|maker| {
        while maker.budget > 0 {
            statements.extend(maker.statements(place));
        }
        maker.close(&mut statements);
    });
    kernel.body = Function { statements, ..maker.function };
    kernel
}

/// A kernel without statements and barriers.
fn blank(random: &mut Random) -> Kernel {
    let fields = random.between(2, 4);
    let (unsigned, lanes) = ([Scalar::Uchar, Scalar::Ushort, Scalar::Uint, Scalar::Ulong], [2, 3, 4, 4, 8, 16]);
    Kernel {
        local: *random.choose(&[[8, 1], [8, 1], [4, 2], [5, 1], [16, 1]]),
        groups: random.between(1, 2) as u32,
        is_sized: random.chance(50),
        has_barriers: false,
        table: (*random.choose(&Scalar::ALL), std::array::from_fn(|_| random.word())),
        fields: without_padding((0..fields).map(|_| *random.choose(&Scalar::ALL)).collect()),
        vector: (*random.choose(&unsigned), *random.choose(&lanes)),
        cell: *random.choose(&Scalar::ALL),
        is_cell_argument: random.chance(30),
        callees: Vec::new(),
        body: Function { statements: Vec::new(), result: None, ..function(&mut Random::new(0), 0) },
    }
}

/// Large fields first, and bytes as padding. Clang copies a struct word by word; real padding bytes, which are never written, would make
/// words undefined, since the interpreter has no partly undefined words.
fn without_padding(mut fields: Vec<Scalar>) -> Vec<Scalar> {
    fields.sort_by_key(|field| std::cmp::Reverse(field.bits()));
    let bits = |fields: &[Scalar]| fields.iter().map(|field| field.bits()).sum::<u32>();
    while !bits(&fields).is_multiple_of(fields[0].bits()) {
        fields.push(Scalar::Uchar);
    }
    fields
}

fn variable(random: &mut Random) -> Variable {
    Variable { scalar: *random.choose(&Scalar::ALL), start: random.word(), use_as: VariableUse::Any }
}

/// A function with an empty body.
fn function(random: &mut Random, parameters: usize) -> Function {
    let variables = parameters + random.between(2, 5);
    let mut arrays = Vec::new();
    while random.chance(50) && arrays.len() < 2 {
        arrays.push((*random.choose(&Scalar::ALL), *random.choose(&[2, 4, 8])));
    }
    let pointers = match arrays.len() {
        0 => Vec::new(),
        count => (0..random.below(3)).map(|_| random.below(count)).collect(),
    };
    let records = (0..random.below(3)).map(|_| *random.choose(&[1, 1, 4])).collect();
    Function {
        variables: (0..variables).map(|_| variable(random)).collect(),
        parameters,
        arrays,
        takes_array: false,
        records,
        vectors: *random.choose(&[0, 0, 2]),
        pointers,
        statements: Vec::new(),
        result: None,
        is_inlined: random.chance(60),
    }
}

fn callee(random: &mut Random, kernel: &Kernel) -> Function {
    let parameters = random.between(1, 3);
    let mut function = function(random, parameters);
    function.takes_array = !function.arrays.is_empty() && random.chance(50);
    function.result = Some(*random.choose(&Scalar::ALL));
    let budget = random.between(2, 8);
    let mut maker = Maker { random, kernel, function, regions: Vec::new(), labels: 0, budget };
    let place = StatementPlace { is_uniform: false, depth: 1, breaks: false, continues: false, returns: true };
    let mut statements = Vec::new();
    maker.in_region(|maker| {
        while maker.budget > 0 {
            statements.extend(maker.statements(place));
        }
        maker.close(&mut statements);
    });
    let mut function = Function { statements, ..maker.function };
    function.variables.push(variable(random));
    function
}

/// The place of a statement.
#[derive(Clone, Copy)]
struct StatementPlace {
    is_uniform: bool,
    depth: usize,
    breaks: bool,
    continues: bool,
    returns: bool,
}

impl StatementPlace {
    /// The values that decide whether it is executed.
    fn values(self) -> Values {
        if self.is_uniform { Values::Uniform } else { Values::Any }
    }

    fn deeper(self) -> StatementPlace {
        StatementPlace { depth: self.depth + 1, ..self }
    }

    /// In a loop.
    fn repeated(self) -> StatementPlace {
        StatementPlace { breaks: true, continues: true, ..self.deeper() }
    }

    /// Under a divergent condition.
    fn divergent(self) -> StatementPlace {
        match self.is_uniform {
            true => StatementPlace { is_uniform: false, breaks: false, continues: false, returns: false, ..self },
            false => self,
        }
    }
}

/// The labels of the outermost divergent construct, or of uniform control flow.
struct Region {
    labels: Vec<usize>,
    /// The number of these that are placed.
    placed: usize,
}

pub(super) struct Maker<'r> {
    pub(super) random: &'r mut Random,
    pub(super) kernel: &'r Kernel,
    pub(super) function: Function,
    regions: Vec<Region>,
    labels: usize,
    budget: usize,
}

impl Maker<'_> {
    /// With new labels.
    fn in_region(&mut self, make: impl FnOnce(&mut Self)) {
        let count = *self.random.choose(&[0, 0, 1, 1, 2]);
        let labels = (0..count).map(|index| self.labels + index).collect();
        self.labels += count;
        self.regions.push(Region { labels, placed: 0 });
        make(self);
        self.regions.pop();
    }

    /// Places the remaining labels of the region.
    fn close(&mut self, statements: &mut Vec<Statement>) {
        let region = self.regions.last_mut().expect("invariant: statements are made in a region");
        statements.extend(region.labels[region.placed..].iter().map(|&label| Statement::Label(label)));
        region.placed = region.labels.len();
    }

    fn statements(&mut self, place: StatementPlace) -> Vec<Statement> {
        let count = self.random.between(1, 4);
        (0..count).map(|_| self.statement(place)).collect()
    }

    fn statement(&mut self, place: StatementPlace) -> Statement {
        self.budget = self.budget.saturating_sub(1);
        let nests = place.depth < DEPTH && self.budget > 0;
        match self.random.below(100) {
            0..16 if nests => self.conditional(place),
            16..32 if nests => self.repetition(place),
            32..42 if nests => self.switch(place),
            42..46 if nests => self.entered(place),
            46..54 => self.jump(place),
            54..58 => self.label(),
            58..74 if place.is_uniform => self.exchange(),
            58..62 => self.vector(),
            62..64 => self.gather(),
            64..68 => self.point(),
            68..71 => self.copy(),
            _ => self.assign(place),
        }
    }

    /// Statements under conditions; a divergent construct in uniform control flow gets new labels.
    fn under(&mut self, place: StatementPlace, lists: usize, inside: StatementPlace) -> Vec<Vec<Statement>> {
        let mut made = Vec::new();
        let mut make = |maker: &mut Self| {
            made = (0..lists).map(|_| maker.statements(inside)).collect::<Vec<_>>();
        };
        if place.is_uniform == inside.is_uniform {
            make(self);
            return made;
        }
        let mut rest = Vec::new();
        self.in_region(|maker| {
            make(maker);
            maker.close(&mut rest);
        });
        made.last_mut().expect("requires: there is a list").extend(rest);
        made
    }

    /// The place under a condition, uniform or divergent.
    fn parted(&mut self, place: StatementPlace) -> StatementPlace {
        if self.random.chance(50) { place } else { place.divergent() }
    }

    fn conditional(&mut self, place: StatementPlace) -> Statement {
        let inside = self.parted(place);
        let condition = self.condition(inside.values());
        let mut lists = self.under(place, 2, inside.deeper());
        let or_else = lists.pop().expect("invariant: two lists");
        let then = lists.pop().expect("invariant: two lists");
        let is_one_sided = self.random.chance(40) && self.holds_no_label(&or_else);
        Statement::If { condition, then, or_else: if is_one_sided { Vec::new() } else { or_else } }
    }

    fn holds_no_label(&self, statements: &[Statement]) -> bool {
        statements.iter().all(|statement| match statement {
            Statement::Label(_) => false,
            other => other.lists().into_iter().all(|list| self.holds_no_label(list)),
        })
    }

    fn counter(&mut self, values: Values) -> usize {
        let use_as = match values {
            Values::Uniform => VariableUse::UniformCounter,
            Values::Any => VariableUse::Counter,
        };
        self.function.variables.push(Variable { scalar: Scalar::Uint, start: 0, use_as });
        self.function.variables.len() - 1
    }

    fn repetition(&mut self, place: StatementPlace) -> Statement {
        let inside = self.parted(place);
        let form = *self.random.choose(&[LoopForm::For, LoopForm::For, LoopForm::While, LoopForm::DoWhile]);
        let counter = self.counter(inside.values());
        let condition = match form {
            LoopForm::For => self.expression(2, inside.values()),
            LoopForm::While | LoopForm::DoWhile => self.condition(inside.values()),
        };
        let body = self.under(place, 1, inside.repeated()).pop().expect("invariant: one list");
        Statement::Loop { form, counter, condition, body }
    }

    fn switch(&mut self, place: StatementPlace) -> Statement {
        let inside = self.parted(place);
        let selector = self.expression(2, inside.values());
        let mask = *self.random.choose(&[1, 3, 3, 3, 7]);
        let is_complete = self.random.chance(60);
        let mut numbers: Vec<u64> = (0..=mask).filter(|_| is_complete || self.random.chance(60)).collect();
        if self.random.chance(40) {
            numbers.reverse();
        }
        let mut groups: Vec<Vec<u64>> = Vec::new();
        for number in numbers {
            match groups.last_mut() {
                Some(last) if self.random.chance(15) => last.push(number),
                _ => groups.push(vec![number]),
            }
        }
        let lists = self.under(place, groups.len() + 1, StatementPlace { breaks: true, ..inside.deeper() });
        let mut lists = lists.into_iter();
        let mut cases: Vec<Case> = Vec::new();
        for labels in groups {
            let body = lists.next().expect("invariant: a list for each case");
            cases.push(Case { labels, body, falls: self.random.chance(30) });
        }
        let rest = lists.next().expect("invariant: a list for the default");
        let default = match self.random.below(3) {
            0 if is_complete && self.holds_no_label(&rest) => Default::Unreachable,
            1 if self.holds_no_label(&rest) => Default::None,
            2 if self.holds_no_label(&rest) => Default::Body(self.random.between(0, cases.len()), rest),
            // Labels are placed in order of creation: a jump to a label that is not placed yet is a forward jump.
            _ => Default::Body(cases.len(), rest),
        };
        Statement::Switch { selector, mask, cases, default }
    }

    fn entered(&mut self, place: StatementPlace) -> Statement {
        let inside = self.parted(place);
        let selector = self.expression(2, inside.values());
        let condition = self.condition(inside.values());
        let counter = self.counter(inside.values());
        let count = self.random.between(2, 4);
        let parts = self.under(place, count, inside.repeated());
        Statement::Entered { selector, parts, counter, condition }
    }

    /// A conditional `break`, `continue`, `goto` or `return`.
    fn jump(&mut self, place: StatementPlace) -> Statement {
        let condition = self.condition(place.values());
        let labels = self.regions.last().map_or(0, |region| region.labels.len());
        let jump = match self.random.below(10) {
            0..4 if place.breaks => Statement::Break,
            4..6 if place.continues => Statement::Continue,
            6..7 if place.returns => Statement::Return(self.expression(2, Values::Any)),
            _ if labels > 0 => return self.goto(condition, place),
            _ => return self.assign(place),
        };
        Statement::If { condition, then: vec![jump], or_else: Vec::new() }
    }

    fn goto(&mut self, condition: Expression, place: StatementPlace) -> Statement {
        let region = self.regions.last().expect("invariant: statements are made in a region");
        let index = self.random.below(region.labels.len());
        let (label, is_back) = (region.labels[index], index < region.placed);
        let counter = is_back.then(|| self.counter(place.values()));
        Statement::Goto { label, counter, condition }
    }

    fn label(&mut self) -> Statement {
        let region = self.regions.last_mut().expect("invariant: statements are made in a region");
        match region.labels.get(region.placed) {
            Some(&label) => {
                region.placed += 1;
                Statement::Label(label)
            }
            None => self.vector(),
        }
    }

    fn assign(&mut self, place: StatementPlace) -> Statement {
        let is_uniform = place.is_uniform && self.random.chance(30);
        let operator = *self.random.choose(&["=", "=", "^=", "+=", "-=", "*="]);
        let target = match is_uniform {
            true => self.variable_for(VariableUse::Uniform),
            false => self.target(),
        };
        let value = match (self.callee_with_array(), target.form) {
            (Some(call), Form::Variable(_)) if !is_uniform => call,
            _ => self.expression(3, if is_uniform { Values::Uniform } else { Values::Any }),
        };
        Statement::Assign { place: target, operator, value }
    }

    fn exchange(&mut self) -> Statement {
        let through = [Exchange::Local, Exchange::Local, Exchange::LocalByCall, Exchange::Broadcast, Exchange::Global];
        let through = *self.random.choose(&through);
        let use_as = if through == Exchange::Broadcast { VariableUse::Uniform } else { VariableUse::Any };
        let Form::Variable(into) = self.variable_for(use_as).form else { unreachable!("it gives variables") };
        let value = self.expression(2, Values::Any);
        let index = self.expression(1, Values::Uniform);
        Statement::Exchange { through, value, index, into }
    }

    fn gather(&mut self) -> Statement {
        const OPERATIONS: [&str; 4] = ["atomic_add", "atomic_sub", "atomic_add", "atomic_sub"];
        let is_kernel = self.function.parameters == 0;
        if !is_kernel {
            return self.vector();
        }
        let is_local = self.kernel.has_barriers && self.random.chance(60);
        let word = self.random.below(super::print::SUMS);
        let value = self.expression(2, Values::Any);
        Statement::Gather { is_local, operation: self.name_of(&OPERATIONS), word, value }
    }

    fn point(&mut self) -> Statement {
        if self.function.pointers.is_empty() {
            return self.vector();
        }
        let pointer = self.random.below(self.function.pointers.len());
        let array = self.function.pointers[pointer];
        let (scalar, _) = self.function.arrays[array];
        let condition = self.condition(Values::Any);
        let targets = [(); 2].map(|()| self.pointed(array, scalar));
        Statement::Point { pointer, condition, targets }
    }

    /// A variable or an element of the type.
    fn pointed(&mut self, array: usize, scalar: Scalar) -> Expression {
        let variables = self.function.variables.iter().enumerate();
        let fits = |variable: &Variable| variable.scalar == scalar && variable.use_as == VariableUse::Any;
        let variables: Vec<usize> = variables.filter(|(_, variable)| fits(variable)).map(|(index, _)| index).collect();
        match variables.is_empty() || self.random.chance(60) {
            true => Expression { scalar, form: Form::Element(array), of: vec![self.expression(1, Values::Any)] },
            false => Expression::leaf(scalar, Form::Variable(*self.random.choose(&variables))),
        }
    }

    fn copy(&mut self) -> Statement {
        let count = self.function.records.len();
        if count == 0 {
            return self.vector();
        }
        let [to, from] = [(); 2].map(|()| (self.random.below(count), self.expression(1, Values::Any)));
        Statement::Copy { to, from }
    }

    fn vector(&mut self) -> Statement {
        const OPERATORS: [&str; 6] = ["+", "-", "*", "^", "&", "|"];
        let (count, lanes) = (self.function.vectors, self.kernel.vector.1);
        if count == 0 {
            let place = StatementPlace { is_uniform: false, depth: 0, breaks: false, continues: false, returns: false };
            return self.assign(place);
        }
        let [to, left, right] = [(); 3].map(|()| self.random.below(count));
        let operator = *self.random.choose(&OPERATORS);
        let value = match self.random.below(5) {
            0 => VectorValue::Both(operator, left, right),
            1 => VectorValue::Splat(operator, left, self.expression(2, Values::Any)),
            2 => VectorValue::Shuffle(left, (0..lanes).map(|_| self.random.below(lanes)).collect()),
            3 => VectorValue::Less(left, right),
            _ => VectorValue::Of((0..self.random.between(1, 3)).map(|_| self.expression(2, Values::Any)).collect()),
        };
        Statement::Vector { to, value }
    }
}
