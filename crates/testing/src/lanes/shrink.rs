//! Shrinks a program with a failure, as long as it still fails.
//!
//! Statements are removed, constructs are replaced by their contents, conditions and words by constants, variables by values. Changes are
//! tested in order and kept if the program still fails, until none is left. Each change is one traversal; quadratic in the program, times
//! the cost of one test.

use crate::generators::lanes::{
    Assignable, Carry, Condition, Expression, Form, Hint, Latch, List, Program, Rest, Statement, Storage, repair,
};

/// A program that still fails, and that no single change can shrink further.
pub fn shrink(program: &Program, mut fails: impl FnMut(&Program) -> bool) -> Program {
    let mut best = program.clone();
    loop {
        let mut has_changed = false;
        let mut number = 0;
        while let Some(smaller) = changed(&best, number) {
            if weight(&smaller) < weight(&best) && fails(&smaller) {
                best = smaller;
                has_changed = true;
            } else {
                number += 1;
            }
        }
        if !has_changed {
            return best;
        }
    }
}

/// The size of a program.
fn weight(program: &Program) -> usize {
    program.to_string().bytes().filter(|byte| !byte.is_ascii_whitespace()).count()
        + 1000 * program.size()
        + usize::from(program.table)
}

/// The program after change number `number`; `None` if there is no such change.
fn changed(program: &Program, number: usize) -> Option<Program> {
    let mut smaller = program.clone();
    let mut changer = Changer { left: number, is_done: false };
    if smaller.table && !program.to_string().contains("table[") && changer.is_next() {
        smaller.table = false;
    }
    for procedure in (0..program.procedures.len() - 1).rev() {
        if !is_called(program, procedure) && changer.is_next() {
            remove_procedure(&mut smaller, procedure);
        }
    }
    for procedure in &mut smaller.procedures {
        changer.list(&mut procedure.body);
        changer.word(&mut procedure.result);
        for variable in &mut procedure.variables {
            changer.word(&mut variable.initial);
            if variable.storage != Storage::Value && changer.is_next() {
                variable.storage = Storage::Value;
            }
        }
    }
    repair(&mut smaller);
    changer.is_done.then_some(smaller)
}

fn is_called(program: &Program, number: usize) -> bool {
    fn calls(list: &List, number: usize) -> bool {
        list.iter().any(|statement| match statement {
            Statement::Call { procedure, .. } => *procedure == number,
            _ => statement.lists().any(|list| calls(list, number)),
        })
    }
    program.procedures.iter().any(|procedure| calls(&procedure.body, number))
}

/// Removes a procedure without calls.
fn remove_procedure(program: &mut Program, number: usize) {
    fn renumber(list: &mut List, removed: usize) {
        for statement in list {
            if let Statement::Call { procedure, .. } = statement
                && *procedure > removed
            {
                *procedure -= 1;
            }
            statement.lists_mut().for_each(|list| renumber(list, removed));
        }
    }
    program.procedures.remove(number);
    program.procedures.iter_mut().for_each(|procedure| renumber(&mut procedure.body, number));
}

/// Makes the change with the remaining number.
struct Changer {
    left: usize,
    is_done: bool,
}

impl Changer {
    fn is_next(&mut self) -> bool {
        if self.is_done {
            return false;
        }
        self.is_done = self.left == 0;
        self.left = self.left.saturating_sub(1);
        self.is_done
    }

    fn list(&mut self, list: &mut List) {
        let mut size = list.len();
        while size > 1 {
            for start in (0..list.len()).step_by(size) {
                if self.is_next() {
                    list.drain(start..(start + size).min(list.len()));
                    return;
                }
            }
            size /= 2;
        }
        for index in 0..list.len() {
            if self.is_next() {
                list.remove(index);
                return;
            }
            if list[index].lists().next().is_some() && self.is_next() {
                let inner: Vec<Statement> = list[index].lists().flatten().cloned().collect();
                list.splice(index..=index, inner);
                return;
            }
            self.statement(&mut list[index]);
            if self.is_done {
                return;
            }
        }
    }

    fn statement(&mut self, statement: &mut Statement) {
        match statement {
            Statement::Assign { place, value } => {
                if let Assignable::Element(index) = *place
                    && self.is_next()
                {
                    *place = Assignable::Local(index);
                }
                self.word(value);
            }
            Statement::Record { value, .. } => self.word(value),
            Statement::Call { arguments, .. } => arguments.iter_mut().for_each(|argument| self.word(argument)),
            Statement::If(selection) => {
                self.condition(&mut selection.condition);
                if selection.otherwise.is_some() && self.is_next() {
                    selection.otherwise = None;
                }
                if selection.carry == Carry::All && self.is_next() {
                    selection.carry = Carry::Needed;
                }
                if selection.form != Form::Merge && self.is_next() {
                    selection.form = Form::Merge;
                }
            }
            Statement::Switch(switch) => {
                self.word(&mut switch.selector);
                if switch.rest != Rest::End && self.is_next() {
                    switch.rest = Rest::End;
                    return;
                }
                for index in 0..switch.cases.len() {
                    if self.is_next() {
                        switch.cases.remove(index);
                        return;
                    }
                }
            }
            Statement::Loop(repeated) => {
                self.word(&mut repeated.trips);
                if repeated.hint != Hint::Silent && self.is_next() {
                    repeated.hint = Hint::Silent;
                }
                if repeated.guard.is_some() && self.is_next() {
                    repeated.guard = None;
                }
                if repeated.latch != Latch::Always && repeated.guard.is_some() && self.is_next() {
                    repeated.latch = Latch::Always;
                }
            }
            Statement::Leave(_) | Statement::Exchange { .. } => {}
        }
        statement.lists_mut().for_each(|list| self.list(list));
    }

    fn word(&mut self, word: &mut Expression) {
        if *word != Expression::Constant(0) && self.is_next() {
            *word = Expression::Constant(0);
            return;
        }
        match word {
            Expression::Binary(_, operands) => {
                let operands = [operands.0.clone(), operands.1.clone()];
                self.one_of(word, operands);
            }
            Expression::Select(choice) => {
                let operands = [choice.1.clone(), choice.2.clone()];
                self.one_of(word, operands);
            }
            Expression::Subgroup(_, operand) => {
                let operand = (**operand).clone();
                self.one_of(word, [operand]);
            }
            _ => {}
        }
        if self.is_done {
            return;
        }
        match word {
            Expression::Binary(_, operands) => {
                self.word(&mut operands.0);
                self.word(&mut operands.1);
            }
            Expression::Select(choice) => {
                self.condition(&mut choice.0);
                self.word(&mut choice.1);
                self.word(&mut choice.2);
            }
            Expression::Subgroup(_, operand) => self.word(operand),
            _ => {}
        }
    }

    fn one_of<const COUNT: usize>(&mut self, word: &mut Expression, operands: [Expression; COUNT]) {
        for operand in operands {
            if self.is_next() {
                *word = operand;
                return;
            }
        }
    }

    fn condition(&mut self, condition: &mut Condition) {
        for value in [false, true] {
            if *condition != Condition::Constant(value) && self.is_next() {
                *condition = Condition::Constant(value);
                return;
            }
        }
        let inner = match condition {
            Condition::Not(inner) | Condition::Any(inner) | Condition::All(inner) | Condition::InverseBallot(inner) => {
                (**inner).clone()
            }
            Condition::Compare(_, operands) => {
                self.word(&mut operands.0);
                return self.word(&mut operands.1);
            }
            Condition::AllEqual(word) => return self.word(word),
            Condition::Constant(_) | Condition::Elect => return,
        };
        if self.is_next() {
            *condition = inner;
            return;
        }
        if let Condition::Not(inner) | Condition::Any(inner) | Condition::All(inner) | Condition::InverseBallot(inner) =
            condition
        {
            self.condition(inner);
        }
    }
}
