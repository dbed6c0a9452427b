//! Runs both forms of a program.

use reconverge_structurize::{Branch, Case, Edge, PlanBlock, Selector, Test};

use super::structure::Statement;
use super::{Line, Program};

/// What both forms of a program work on.
#[derive(Default)]
pub struct Machine {
    pub variables: [i64; 26],
    pub selectors: std::collections::BTreeMap<PlanBlock, u32>,
    pub trace: Vec<String>,
    pub fuel: usize,
}

/// How a statement ended.
pub enum Flow {
    Onward,
    Break(PlanBlock),
    Continue(PlanBlock),
    Stop,
}

impl Machine {
    fn variable(&mut self, line: &Line) -> &mut i64 {
        &mut self.variables[usize::from(line.words[1].as_bytes()[0] - b'a')]
    }

    /// Does what a line does and says which of its successors is next.
    fn line(&mut self, line: &Line) -> usize {
        let value = if line.words.len() > 1 && line.branch != Branch::Exit && line.words[0] != "GOTO" {
            *self.variable(line)
        } else {
            0
        };
        match line.words[0].as_str() {
            "ADD" => *self.variable(line) += line.words[2].parse::<i64>().unwrap(),
            "PRINT" => self.trace.push(format!("{}: {value}", line.number)),
            "IF" => return usize::from(value <= 0),
            "ON" => return usize::try_from(value + 1).ok().filter(|&index| index < line.targets.len()).unwrap_or(0),
            _ => {}
        }
        0
    }

    /// The original: line by line.
    pub fn run_lines(&mut self, program: &Program) {
        let mut at = 0;
        while self.fuel > 0 {
            self.fuel -= 1;
            let line = &program.0[at];
            let successor = self.line(line);
            let Some(target) = line.targets.get(successor) else { return };
            at = target.index();
        }
    }

    fn number(&mut self, edge: &Edge, program: &Program) -> u32 {
        match edge.selector.as_ref().unwrap() {
            Selector::Constant(number) => *number,
            Selector::Forward { block } => self.selectors[block],
            Selector::Translate { block, table } => {
                let row = table.iter().find(|row| row.0 == self.selectors[block]);
                row.or(table.last()).unwrap().1
            }
            Selector::Choose(numbers) => {
                let taken = self.line(&program.0[edge.carries[0].source.index()]);
                numbers[edge.carries.iter().position(|carried| carried.successor as usize == taken).unwrap()]
            }
        }
    }

    /// The case that is taken, and whether a test of two ways holds.
    fn decide(&mut self, test: Test, program: &Program) -> (Case, bool) {
        match test {
            Test::Input(input) => {
                let successor = self.line(&program.0[input.index()]);
                (Case::Input { successor: successor as u32 }, successor == 0)
            }
            Test::Selector { block, equals } => (Case::Selector(0), self.selectors[&block] == equals),
            Test::SelectorValue { block } => (Case::Selector(self.selectors[&block]), false),
            Test::Zero => (Case::Selector(0), false),
        }
    }

    /// The structured form.
    pub fn run(&mut self, code: &[Statement], program: &Program) -> Flow {
        for statement in code {
            let flow = match statement {
                Statement::Line(_) if self.fuel == 0 => Flow::Stop,
                Statement::Line(index) => {
                    self.fuel -= 1;
                    self.line(&program.0[*index]);
                    Flow::Onward
                }
                Statement::Select(edge) => {
                    let number = self.number(edge, program);
                    self.selectors.insert(edge.target, number);
                    Flow::Onward
                }
                Statement::If { label, test, then, otherwise } => {
                    let (_, holds) = self.decide(*test, program);
                    let flow = self.run(if holds { then } else { otherwise }, program);
                    match label {
                        Some(label) => ended(flow, *label),
                        None => flow,
                    }
                }
                Statement::Switch { label, test, arms } => {
                    let (case, _) = self.decide(*test, program);
                    let find = |value| arms.iter().position(|arm| arm.values.contains(&value));
                    let first = find(Some(case)).or(find(None)).unwrap();
                    let mut flow = Flow::Onward;
                    for arm in &arms[first..] {
                        flow = self.run(&arm.body, program);
                        if !matches!(flow, Flow::Onward) {
                            break;
                        }
                    }
                    ended(flow, *label)
                }
                Statement::Loop { label, body, continuing } => self.turns(*label, (body, continuing), program),
                Statement::Break(label) => Flow::Break(*label),
                Statement::Continue(label) => Flow::Continue(*label),
                Statement::Return => Flow::Stop,
            };
            if !matches!(flow, Flow::Onward) {
                return flow;
            }
        }
        Flow::Onward
    }

    fn turns(&mut self, label: PlanBlock, parts: (&[Statement], &[Statement]), program: &Program) -> Flow {
        for part in [parts.0, parts.1].into_iter().cycle() {
            match self.run(part, program) {
                Flow::Continue(header) if header == label => {}
                Flow::Onward => {}
                flow => return ended(flow, label),
            }
        }
        unreachable!("a loop has no end of its own")
    }
}

/// A break ends at the construct that it names.
fn ended(flow: Flow, label: PlanBlock) -> Flow {
    if matches!(flow, Flow::Break(header) if header == label) { Flow::Onward } else { flow }
}
