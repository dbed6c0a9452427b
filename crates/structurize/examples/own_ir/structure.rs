//! From a plan to statements: loops, selections, switches, and breaks and continues that name what they leave.
//!
//! ```text
//! merge of a block        statement                        edge to             statement
//!   none                    its code, then its terminator    a merge block       break out of that construct
//!   selection               `if` or `switch`, then on at     the continue        continue that loop
//!   loop                    `loop`       the merge block     the next case       none: it falls through
//!                                                            any other block     none: the code of that block
//! ```

use reconverge_structurize::{Case, Edge, Merge, Origin, Plan, PlanBlock, Selector, Terminator, Test};

/// Structured code. A construct is called by the block that heads it.
pub enum Statement {
    Line(usize),
    If { label: Option<PlanBlock>, test: Test, then: Vec<Statement>, otherwise: Vec<Statement> },
    Loop { label: PlanBlock, body: Vec<Statement>, continuing: Vec<Statement> },
    Switch { label: PlanBlock, test: Test, arms: Vec<Arm> },
    Select(Edge),
    Break(PlanBlock),
    Continue(PlanBlock),
    Return,
}

/// A case: its values (none is the default), its code, and the case that it runs into where it does not leave.
pub struct Arm {
    target: PlanBlock,
    pub values: Vec<Option<Case>>,
    pub body: Vec<Statement>,
    falls_into: Option<PlanBlock>,
}

/// A row of a switch: its value, none for the default, and where it goes.
type Row<'p> = (Option<Case>, &'p Edge);

/// Where control can go from a place without running on: headers with their merge blocks, the innermost loop with its continue
/// target, and the other cases of the switch.
#[derive(Clone, Default)]
pub struct Around {
    merges: Vec<(PlanBlock, PlanBlock)>,
    innermost_loop: Option<(PlanBlock, PlanBlock)>,
    cases: Vec<PlanBlock>,
}

/// Where an edge leads.
#[derive(Clone, Copy, PartialEq)]
pub enum Onward {
    Gone,
    Next(PlanBlock),
    Falls(PlanBlock),
}

/// Walks the plan. Recursion is as deep as constructs nest, which `Options::nesting_limit` bounds.
pub struct Walk<'p>(pub &'p Plan);

impl Walk<'_> {
    /// The code from a block on, until control leaves or runs into the next case.
    pub fn sequence(&self, start: PlanBlock, around: &Around) -> (Vec<Statement>, Onward) {
        let (mut code, mut onward) = (Vec::new(), Onward::Next(start));
        while let Onward::Next(at) = onward {
            let mut inside = Around { cases: Vec::new(), ..around.clone() };
            onward = match self.0.blocks[at.index()].merge {
                Merge::None => self.block(at, around, &mut code),
                Merge::Selection { merge } => {
                    self.line(at, &mut code);
                    inside.merges.push((at, merge));
                    code.push(self.selection(at, &inside));
                    Onward::Next(merge)
                }
                Merge::Loop { merge, continue_target } => {
                    inside.merges.push((at, merge));
                    let (mut body, mut continuing) = (Vec::new(), Vec::new());
                    inside.innermost_loop = Some((at, continue_target));
                    if continue_target != at
                        && let Onward::Next(first) = self.block(at, &inside, &mut body)
                    {
                        body.extend(self.sequence(first, &inside).0);
                    }
                    // The continue target is one block; from there, going to the header ends the turn.
                    inside.innermost_loop = Some((at, at));
                    self.block(continue_target, &inside, &mut continuing);
                    let [body, continuing] = [body, continuing].map(|part| {
                        without_last(part, |last| matches!(last, Statement::Continue(header) if *header == at))
                    });
                    code.push(Statement::Loop { label: at, body, continuing });
                    Onward::Next(merge)
                }
            };
        }
        (code, onward)
    }

    fn line(&self, at: PlanBlock, code: &mut Vec<Statement>) {
        if let Origin::Input(input) = self.0.blocks[at.index()].origin {
            code.push(Statement::Line(input.index()));
        }
    }

    /// A block that heads no selection: its line, then where it goes.
    fn block(&self, at: PlanBlock, around: &Around, code: &mut Vec<Statement>) -> Onward {
        self.line(at, code);
        match &self.0.blocks[at.index()].terminator {
            Terminator::Exit => code.push(Statement::Return),
            Terminator::Unreachable => {}
            Terminator::Branch(edge) => return self.jump(edge, around, code),
            Terminator::Conditional { test, then: yes, otherwise: no } => {
                let (mut then, mut otherwise) = (Vec::new(), Vec::new());
                let (one, other) = (self.jump(yes, around, &mut then), self.jump(no, around, &mut otherwise));
                let mut onward = if one == Onward::Gone { other } else { one };
                // One way runs into the next case and the other runs on here: what runs on goes inside.
                if let (Onward::Falls(_), Onward::Next(next)) | (Onward::Next(next), Onward::Falls(_)) = (one, other) {
                    let arm = if one == Onward::Next(next) { &mut then } else { &mut otherwise };
                    arm.extend(self.sequence(next, around).0);
                    onward = if one == Onward::Next(next) { other } else { one };
                }
                code.push(Statement::If { label: None, test: *test, then, otherwise });
                return onward;
            }
            Terminator::Switch { .. } => unreachable!("a switch has a merge block"),
        }
        Onward::Gone
    }

    /// Where an edge goes, with the number that it passes.
    fn jump(&self, edge: &Edge, around: &Around, code: &mut Vec<Statement>) -> Onward {
        code.extend(edge.selector.is_some().then(|| Statement::Select(edge.clone())));
        let left = around.merges.iter().rfind(|(_, merge)| *merge == edge.target);
        match (around.innermost_loop, left) {
            (Some((header, target)), _) if target == edge.target => code.push(Statement::Continue(header)),
            (_, Some(&(header, _))) => code.push(Statement::Break(header)),
            _ if around.cases.contains(&edge.target) => return Onward::Falls(edge.target),
            _ => return Onward::Next(edge.target),
        }
        Onward::Gone
    }

    fn selection(&self, at: PlanBlock, inside: &Around) -> Statement {
        let arm = |edge: &Edge, around: &Around| {
            let mut code = Vec::new();
            let Onward::Next(first) = self.jump(edge, around, &mut code) else { return (code, Onward::Gone) };
            let (rest, onward) = self.sequence(first, around);
            code.extend(rest);
            (code, onward)
        };
        let (test, rows) = match &self.0.blocks[at.index()].terminator {
            Terminator::Conditional { test, then, otherwise } => {
                let [then, otherwise] = [then, otherwise].map(|edge| {
                    without_last(arm(edge, inside).0, |last| matches!(last, Statement::Break(header) if *header == at))
                });
                return Statement::If { label: Some(at), test: *test, then, otherwise };
            }
            Terminator::Switch { test, default, cases } => {
                (*test, std::iter::once((None, default)).chain(cases.iter().map(|(case, edge)| (Some(*case), edge))))
            }
            _ => unreachable!("the header of a selection decides"),
        };
        let mut groups: Vec<(PlanBlock, Vec<Row<'_>>)> = Vec::new();
        for row in rows {
            match groups.iter_mut().find(|(target, _)| *target == row.1.target) {
                Some((_, rows)) => rows.push(row),
                None => groups.push((row.1.target, vec![row])),
            }
        }
        let targets: Vec<PlanBlock> = groups.iter().map(|(target, _)| *target).collect();
        let mut arms = Vec::new();
        for (target, rows) in groups {
            let cases = targets.iter().copied().filter(|&other| other != target).collect();
            let (body, onward) = arm(&joined(test, &rows), &Around { cases, ..inside.clone() });
            let values = rows.iter().map(|(value, _)| *value).collect();
            let falls_into = if let Onward::Falls(target) = onward { Some(target) } else { None };
            arms.push(Arm { target, values, body, falls_into });
        }
        Statement::Switch { label: at, test, arms: in_order(arms) }
    }
}

/// Code without a last statement that goes where control goes anyhow.
fn without_last(mut code: Vec<Statement>, is_idle: impl Fn(&Statement) -> bool) -> Vec<Statement> {
    code.pop_if(|last| is_idle(last));
    code
}

/// Rows of one target as one edge: where they pass different numbers, what decides says which.
fn joined(test: Test, rows: &[Row<'_>]) -> Edge {
    let carries = rows.iter().flat_map(|(_, edge)| edge.carries.iter().copied()).collect();
    let first = rows[0].1;
    let constants = |edge: &Edge| match &edge.selector {
        Some(Selector::Constant(number)) => vec![*number; edge.carries.len().max(1)],
        Some(Selector::Choose(numbers)) => numbers.to_vec(),
        _ => Vec::new(),
    };
    let numbers: Vec<u32> = rows.iter().flat_map(|(_, edge)| constants(edge)).collect();
    let is_one = rows
        .iter()
        .all(|(_, edge)| edge.selector == first.selector && !matches!(edge.selector, Some(Selector::Choose(_))));
    let selector = match test {
        _ if is_one => first.selector.clone(),
        Test::SelectorValue { block } => {
            // The default has no number of its own: it is what is left.
            let from = |value: Option<Case>| if let Some(Case::Selector(number)) = value { number } else { u32::MAX };
            let mut table: Vec<(u32, u32)> = rows.iter().zip(numbers).map(|(row, to)| (from(row.0), to)).collect();
            table.sort_unstable();
            Some(Selector::Translate { block, table: table.into() })
        }
        _ => Some(Selector::Choose(numbers.into())),
    };
    Edge { target: first.target, carries, selector }
}

/// The arms, each in front of the one that it runs into.
fn in_order(mut arms: Vec<Arm>) -> Vec<Arm> {
    let mut ordered: Vec<Arm> = Vec::new();
    while !arms.is_empty() {
        let is_first = |arm: &Arm| !arms.iter().any(|other| other.falls_into == Some(arm.target));
        let mut next = arms.iter().position(is_first);
        while let Some(index) = next {
            let arm = arms.remove(index);
            next = arms.iter().position(|other| arm.falls_into == Some(other.target));
            ordered.push(arm);
        }
    }
    ordered
}
