//! Random functions, as the lowering makes them.

use super::build::{Build, choose, declare, repeat};
use crate::syntax::{
    Binary, Block, Case, Expr, GlobalId, Label, LocalId, LocalKind, Statement, StatementKind, Text, has_continue,
};

pub(super) struct Random {
    state: u64,
    build: Build,
    global: GlobalId,
    numbers: Vec<LocalId>,
    conditions: Vec<LocalId>,
    /// The values in scope: numbers and conditions.
    values: Vec<LocalId>,
    is_in_loop: bool,
    is_in_switch: bool,
    counters: u32,
}

/// The function of a seed.
pub(super) fn function(seed: u64) -> Text {
    let mut build = Build::new();
    let global = build.global("g");
    let mut random = Random {
        state: seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1,
        build,
        global,
        numbers: Vec::new(),
        conditions: Vec::new(),
        values: Vec::new(),
        is_in_loop: false,
        is_in_switch: false,
        counters: 0,
    };
    let mut declarations = Block::new();
    for name in ["a", "b", "c", "d"].into_iter().take(2 + seed as usize / 4 % 3) {
        let local = random.variable(name, false);
        let value = (random.below(9) > 0).then(|| random.literal());
        declarations.push(declare(local, value));
    }
    for name in ["p", "q"] {
        let local = random.variable(name, true);
        let value = (random.below(9) > 0).then(|| random.build.bool(seed.is_multiple_of(3)));
        declarations.push(declare(local, value));
    }
    let variables = random.numbers.clone();
    // Many short functions find more than few long ones.
    let (depth, most) = [(0, 12), (1, 7), (2, 6), (4, 7)][(seed % 4) as usize];
    let mut body = random.list(depth, most);
    if !body.last().is_some_and(Statement::is_jump) {
        for variable in variables {
            let name = random.build.name(variable);
            body.push(random.build.write(name));
        }
    }
    declarations.extend(random.counters());
    declarations.extend(body);
    random.build.text.functions[0].body = declarations;
    random.build.text
}

impl Random {
    fn below(&mut self, limit: u64) -> u64 {
        self.state ^= self.state << 13;
        self.state ^= self.state >> 7;
        self.state ^= self.state << 17;
        (self.state >> 20) % limit
    }

    fn pick<T: Copy>(&mut self, all: &[T]) -> T {
        all[self.below(all.len() as u64) as usize]
    }

    fn variable(&mut self, name: &str, is_condition: bool) -> LocalId {
        let ty = if is_condition { self.build.boolean } else { self.build.int };
        let name = (self.below(3) > 0).then_some(name);
        let local = self.build.local(name, ty, LocalKind::Variable);
        if is_condition { &mut self.conditions } else { &mut self.numbers }.push(local);
        local
    }

    fn literal(&mut self) -> Expr {
        let number = self.below(6) as i64 - 1;
        self.build.number(number)
    }

    /// The declarations of the counters.
    fn counters(&self) -> Block {
        let function = &self.build.text.functions[0];
        let all = (0..function.locals.len() as u32).map(LocalId);
        let is_counter = |local: &LocalId| {
            let is_other = self.numbers.contains(local) || self.conditions.contains(local);
            function[*local].kind == LocalKind::Variable && !is_other
        };
        all.filter(is_counter).map(|local| declare(local, None)).collect()
    }

    fn typed(&self, is_condition: bool) -> Vec<LocalId> {
        let ty = if is_condition { self.build.boolean } else { self.build.int };
        let function = &self.build.text.functions[0];
        let variables = if is_condition { &self.conditions } else { &self.numbers };
        let values = self.values.iter().filter(|value| function[**value].ty == ty);
        let last = values.clone().rev().take(3);
        variables.iter().chain(values).chain(last.clone()).chain(last).copied().collect()
    }

    fn number(&mut self) -> Expr {
        if self.below(5) == 0 {
            return self.literal();
        }
        let local = self.pick(&self.typed(false));
        self.build.name(local)
    }

    fn condition(&mut self) -> Expr {
        match self.below(5) {
            0 => {
                let operand = self.condition();
                self.build.not(operand)
            }
            1 | 2 => {
                let (left, right) = (self.number(), self.number());
                let operator = self.pick(&[Binary::Less, Binary::LessEqual, Binary::Equal, Binary::NotEqual]);
                self.build.binary(left, operator, right)
            }
            _ => {
                let local = self.pick(&self.typed(true));
                self.build.name(local)
            }
        }
    }

    fn computed(&mut self) -> Expr {
        let (left, right) = (self.number(), self.number());
        match self.below(9) {
            0 => self.build.call("load", &[left]),
            1 => self.build.call("bump", &[left]),
            2 => {
                let variable = self.pick(&self.numbers.clone());
                let name = self.build.name(variable);
                self.build.call("pass", &[name])
            }
            3 => self.build.call("pure", &[left, right]),
            4 => self.build.of_global(self.global),
            5 => left,
            _ => {
                let operator = self.pick(&[Binary::Add, Binary::Subtract, Binary::Multiply, Binary::BitXor]);
                self.build.binary(left, operator, right)
            }
        }
    }

    /// A list of statements whose lists nest at most `depth` deep.
    fn list(&mut self, depth: u32, most: u64) -> Block {
        let count = self.values.len();
        let mut list = Block::new();
        for _ in 0..self.below(most) + 1 {
            self.statement(&mut list, depth);
            if list.last().is_some_and(Statement::is_jump) {
                break;
            }
        }
        self.values.truncate(count);
        list
    }

    fn statement(&mut self, list: &mut Block, depth: u32) {
        let kinds = if depth == 0 { 12 } else { 21 };
        let statement = match self.below(kinds) {
            0..=4 => self.value(),
            5 | 6 => {
                let (variable, value) = (self.pick(&self.numbers.clone()), self.computed());
                self.build.assign(variable, value)
            }
            7 => {
                let (variable, value) = (self.pick(&self.conditions.clone()), self.condition());
                self.build.assign(variable, value)
            }
            8 => {
                let (target, value) = (self.build.of_global(self.global), self.number());
                StatementKind::Assign { target, operator: None, value }.into()
            }
            9 => {
                let (place, value) = (self.number(), self.number());
                StatementKind::Expression(self.build.call("store", &[place, value])).into()
            }
            10 => {
                let value = self.computed();
                let value = if self.build.text.expressions[value].effects == Default::default() {
                    value
                } else {
                    self.literal()
                };
                self.build.write(value)
            }
            11 => self.jump(),
            12..=14 => self.selection(depth),
            15 => self.short_circuit(),
            16 => self.switch(depth),
            17 => self.counted(list, depth),
            18 => self.search(list, depth),
            19 if depth > 1 => self.deep(list),
            _ => self.repetition(depth),
        };
        list.push(statement);
    }

    fn value(&mut self) -> Statement {
        let is_condition = self.below(4) == 0;
        let value = if is_condition { self.condition() } else { self.computed() };
        let ty = self.build.text.expressions[value].ty;
        let number = self.values.len();
        let name = format!("v{number}");
        let name = (self.below(5) == 0).then_some(&*name);
        let local = self.build.local(name, ty, LocalKind::Value);
        self.values.push(local);
        declare(local, Some(value))
    }

    fn jump(&mut self) -> Statement {
        let kind = match self.below(8) {
            0 => StatementKind::Return(None),
            1..=3 if self.is_in_loop => StatementKind::Continue,
            4..=6 if self.is_in_loop || self.is_in_switch => StatementKind::Break,
            _ => return self.value(),
        };
        kind.into()
    }

    fn selection(&mut self, depth: u32) -> Statement {
        let condition = self.condition();
        let accept = if self.below(4) == 0 { Block::new() } else { self.list(depth - 1, 4) };
        let reject = if self.below(2) == 0 { Block::new() } else { self.list(depth - 1, 4) };
        choose(condition, accept, reject)
    }

    fn short_circuit(&mut self) -> Statement {
        let variable = self.pick(&self.conditions.clone());
        let (condition, value) = (self.condition(), self.condition());
        let constant = self.below(2) == 0;
        let constant = self.build.bool(constant);
        let arms = [self.build.assign(variable, value), self.build.assign(variable, constant)];
        let [accept, reject] = arms;
        match self.below(3) {
            0 => choose(condition, vec![accept], vec![reject]),
            1 => choose(condition, vec![reject], vec![accept]),
            _ => choose(condition, vec![accept], Block::new()),
        }
    }

    fn switch(&mut self, depth: u32) -> Statement {
        let selector = self.number();
        let was_in_switch = std::mem::replace(&mut self.is_in_switch, true);
        let count = self.below(3) + 1;
        let mut cases = Vec::new();
        for number in 0..count {
            let body = self.list(depth - 1, 4);
            let is_last = number + 1 == count;
            let falls = !is_last && !body.last().is_some_and(Statement::is_jump) && self.below(3) == 0;
            let label = if is_last && self.below(3) > 0 { Label::Default } else { Label::Value(number as i64) };
            cases.push(Case { labels: vec![label], body, falls });
        }
        self.is_in_switch = was_in_switch;
        StatementKind::Switch { selector, cases }.into()
    }

    /// The body of a loop, and its end.
    fn iteration(&mut self, depth: u32) -> (Block, Block) {
        let was = (self.is_in_loop, self.is_in_switch);
        self.is_in_loop = true;
        let body = self.list(depth - 1, 6);
        // The code after the iteration sees what is declared before each `continue`.
        let count = self.values.len();
        for statement in &body {
            match statement.kind {
                StatementKind::Declare { local, .. } => self.values.push(local),
                _ if has_continue(&vec![statement.clone()]) => break,
                _ => {}
            }
        }
        (self.is_in_loop, self.is_in_switch) = (false, false);
        let end = if self.below(2) == 0 { self.list(1, 3) } else { Block::new() };
        let has_return = |statement: &Statement| has_return(statement);
        let end = if end.iter().any(has_return) { Block::new() } else { end };
        self.values.truncate(count);
        (self.is_in_loop, self.is_in_switch) = was;
        (body, end)
    }

    fn repetition(&mut self, depth: u32) -> Statement {
        let (body, end) = self.iteration(depth);
        let break_if = match self.below(3) {
            0 if end.is_empty() => Some(self.build.bool(true)),
            0 | 1 => {
                let mut seen: Vec<LocalId> = Vec::new();
                for statement in &body {
                    match statement.kind {
                        StatementKind::Declare { local, .. } => seen.push(local),
                        _ if has_continue(&vec![statement.clone()]) => break,
                        _ => {}
                    }
                }
                let count = self.values.len();
                self.values.extend(seen);
                let condition = self.condition();
                self.values.truncate(count);
                Some(condition)
            }
            _ => None,
        };
        repeat(body, end, break_if)
    }

    /// A variable that is no operand of other statements.
    fn private(&mut self, letter: char) -> LocalId {
        self.counters += 1;
        let name = format!("{letter}{}", self.counters);
        self.build.variable(&name, self.build.int)
    }

    /// A loop that counts, also before its last statement, and whose exits assign a result. Adds what comes before it.
    fn search(&mut self, list: &mut Block, depth: u32) -> Statement {
        let (counter, result) = (self.private('i'), self.private('r'));
        let exit = |random: &mut Random| {
            let value = random.literal();
            vec![random.build.assign(result, value), StatementKind::Break.into()]
        };
        let (at_end, inside) = (exit(self), exit(self));
        let first = self.literal();
        list.push(self.build.assign(counter, first));
        let (read, limit) = (self.build.name(counter), self.build.number(3));
        let less = self.build.binary(read, Binary::Less, limit);
        let mut body = vec![choose(less, Block::new(), at_end)];
        let was = (std::mem::replace(&mut self.is_in_loop, true), self.is_in_switch);
        body.extend(self.list(depth - 1, 3));
        (self.is_in_loop, self.is_in_switch) = was;
        if !body.last().is_some_and(Statement::is_jump) {
            let condition = self.condition();
            body.push(choose(condition, inside, Block::new()));
            let (read, one) = (self.build.name(counter), self.build.number(1));
            let sum = self.build.binary(read, Binary::Add, one);
            body.push(self.build.assign(counter, sum));
            for _ in 0..self.below(3) {
                let variable = self.pick(&self.numbers.clone());
                let value = if self.below(3) == 0 { self.build.name(counter) } else { self.number() };
                body.push(self.build.assign(variable, value));
            }
        }
        if self.below(2) == 0 {
            let variable = self.pick(&self.numbers.clone());
            let read = if self.below(2) == 0 { result } else { counter };
            let read = self.build.name(read);
            list.push(repeat(body, Block::new(), None));
            return self.build.assign(variable, read);
        }
        repeat(body, Block::new(), None)
    }

    /// A selection with many others at the ends of its arms. They assign a variable, which tests read behind them. Adds all but the last statement.
    fn deep(&mut self, list: &mut Block) -> Statement {
        let selector = self.private('s');
        let levels = 6 + self.below(5);
        list.extend(self.nest(levels, selector));
        list.extend(self.test(selector));
        let value = self.build.name(selector);
        self.build.write(value)
    }

    /// A list of nested selections whose ends assign a variable.
    fn nest(&mut self, levels: u64, selector: LocalId) -> Block {
        let mut list = self.list(0, 2);
        if list.last().is_some_and(Statement::is_jump) {
            return list;
        }
        if levels == 0 {
            list.push(self.assign_literal(selector));
            return list;
        }
        let has_own = self.below(4) == 0;
        let inner = if has_own { self.private('s') } else { selector };
        let condition = self.condition();
        let mut other = self.list(0, 2);
        if !other.last().is_some_and(Statement::is_jump) {
            other.push(self.assign_literal(inner));
        }
        let deep = self.nest(levels - 1, inner);
        let (accept, reject) = if self.below(2) == 0 { (deep, other) } else { (other, deep) };
        list.push(choose(condition, accept, reject));
        if has_own || self.below(4) == 0 {
            list.extend(self.test(inner));
        }
        if has_own && self.below(2) == 0 {
            list.extend(self.test(inner));
        }
        if has_own {
            list.push(self.assign_literal(selector));
        }
        list
    }

    fn assign_literal(&mut self, variable: LocalId) -> Statement {
        let value = self.literal();
        self.build.assign(variable, value)
    }

    /// A selection that leaves the list if a variable has a value.
    fn test(&mut self, variable: LocalId) -> Option<Statement> {
        let operator = self.pick(&[Binary::Equal, Binary::Equal, Binary::NotEqual]);
        let (read, literal) = (self.build.name(variable), self.literal());
        let condition = self.build.binary(read, operator, literal);
        let mut accept = self.list(0, 2);
        let is_inside = self.is_in_loop || self.is_in_switch;
        if !accept.last().is_some_and(Statement::is_jump) {
            accept.push(if is_inside { StatementKind::Break } else { StatementKind::Return(None) }.into());
        }
        (is_inside || self.below(3) == 0).then(|| choose(condition, accept, Block::new()))
    }

    /// A loop with a counter.
    fn counted(&mut self, list: &mut Block, depth: u32) -> Statement {
        let is_known = self.below(3) == 0;
        let counter = if is_known { self.pick(&self.numbers.clone()) } else { self.private('i') };
        let first = self.literal();
        if !is_known || self.below(2) == 0 {
            list.push(self.build.assign(counter, first));
        }
        let (before, condition, next) =
            (self.build.value(self.build.int), self.build.value(self.build.boolean), self.build.value(self.build.int));
        let (read, again, limit) = (self.build.name(counter), self.build.name(before), self.build.number(3));
        let less = self.build.binary(again, Binary::Less, limit);
        let mut body = vec![declare(before, Some(read)), declare(condition, Some(less))];
        let is_less = self.build.name(condition);
        body.push(choose(is_less, Block::new(), vec![StatementKind::Break.into()]));
        self.values.push(before);
        let (inner, mut end) = self.iteration(depth);
        self.values.pop();
        body.extend(inner);
        let read = if self.below(2) == 0 { counter } else { before };
        let (read, one) = (self.build.name(read), self.build.number(1));
        let sum = self.build.binary(read, Binary::Add, one);
        end.push(declare(next, Some(sum)));
        let value = self.build.name(next);
        end.push(self.build.assign(counter, value));
        repeat(body, end, None)
    }
}

fn has_return(statement: &Statement) -> bool {
    matches!(statement.kind, StatementKind::Return(_)) || statement.blocks().into_iter().flatten().any(has_return)
}
