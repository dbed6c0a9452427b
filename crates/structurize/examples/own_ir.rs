//! A toy compiler: BASIC with line numbers and GOTO in, structured code out. It uses this crate alone.
//!
//! `cargo run -p reconverge-structurize --example own_ir` prints each program before and after. Both are executed and must
//! print the same; a test runs this file too.
//!
//! Every line of BASIC is a block here. Its variables live in memory, so edges carry no values; a compiler with values in
//! registers passes them along the edges that `Edge::carries` names (crate documentation, "Values").
#![allow(clippy::unwrap_used, missing_docs, unreachable_pub, reason = "a toy, and part of a test as well")]

use std::fmt::Write as _;

use reconverge_structurize::{
    Branch, Case, ControlFlow, Edge, InputBlock, Merge, Options, Origin, Plan, PlanBlock, Selector, Terminator, Test,
    structurize,
};

/// The IR: a line of BASIC, what it does, where control goes (`ControlFlow` says in which order).
pub struct Line {
    number: usize,
    words: Vec<String>,
    branch: Branch,
    targets: Vec<InputBlock>,
}
pub struct Program(Vec<Line>);

/// `10 ADD x 3`, `20 PRINT x`, `30 IF x GOTO 10` (where x > 0), `40 ON x GOTO 10 20` (for x = 0, 1), `50 GOTO 10`, `60 END`
pub fn parse(source: &str) -> Program {
    let split = |line: &str| line.split_whitespace().map(str::to_owned).collect::<Vec<_>>();
    let lines: Vec<Vec<String>> = source.trim().lines().map(split).collect();
    let find = |number: &String| InputBlock::new(lines.iter().position(|line| line[0] == *number).unwrap());
    let to_line = |(index, words): (usize, &Vec<String>)| {
        let next = InputBlock::new((index + 1) % lines.len());
        let (branch, targets) = match words[1].as_str() {
            "END" => (Branch::Exit, vec![]),
            "GOTO" => (Branch::Jump, vec![find(&words[2])]),
            "IF" => (Branch::Conditional, vec![find(&words[4]), next]),
            "ON" => (Branch::Switch, std::iter::once(next).chain(words[4..].iter().map(find)).collect()),
            _ => (Branch::Jump, vec![next]),
        };
        Line { number: words[0].parse().unwrap(), words: words[1..].to_vec(), branch, targets }
    };
    Program(lines.iter().enumerate().map(to_line).collect())
}

/// All that the structurizer asks.
impl ControlFlow for Program {
    fn block_count(&self) -> usize {
        self.0.len()
    }
    fn entry(&self) -> InputBlock {
        InputBlock::new(0)
    }
    fn branch(&self, block: InputBlock) -> Branch {
        self.0[block.index()].branch
    }
    fn successors(&self, block: InputBlock) -> &[InputBlock] {
        &self.0[block.index()].targets
    }
}

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
    values: Vec<Option<Case>>,
    body: Vec<Statement>,
    falls_into: Option<PlanBlock>,
}

/// Where control can go from a place without running on: headers with their merge blocks, the innermost loop with its continue
/// target, and the other cases of the switch.
#[derive(Clone, Default)]
struct Around {
    merges: Vec<(PlanBlock, PlanBlock)>,
    innermost_loop: Option<(PlanBlock, PlanBlock)>,
    cases: Vec<PlanBlock>,
}

/// Where an edge leads.
#[derive(Clone, Copy, PartialEq)]
enum Onward {
    Gone,
    Next(PlanBlock),
    Falls(PlanBlock),
}

/// Walks the plan. Recursion is as deep as constructs nest, which `Options::nesting_limit` bounds.
struct Walk<'p>(&'p Plan);

impl Walk<'_> {
    /// The code from a block on, until control leaves or runs into the next case.
    fn sequence(&self, start: PlanBlock, around: &Around) -> (Vec<Statement>, Onward) {
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
        let mut groups: Vec<(PlanBlock, Vec<(Option<Case>, &Edge)>)> = Vec::new();
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
fn joined(test: Test, rows: &[(Option<Case>, &Edge)]) -> Edge {
    let carries = rows.iter().flat_map(|(_, edge)| edge.carries.iter().copied()).collect();
    let first = rows[0].1;
    let constants = |edge: &Edge| match &edge.selector {
        Some(Selector::Constant(number)) => vec![*number; edge.carries.len().max(1)],
        Some(Selector::Choose(numbers)) => numbers.clone(),
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
            Some(Selector::Translate { block, table })
        }
        _ => Some(Selector::Choose(numbers)),
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

/// What both forms of a program work on.
#[derive(Default)]
struct Machine {
    variables: [i64; 26],
    selectors: std::collections::BTreeMap<PlanBlock, u32>,
    trace: Vec<String>,
    fuel: usize,
}

/// How a statement ended.
enum Flow {
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
    fn run_lines(&mut self, program: &Program) {
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
                numbers[edge.carries.iter().position(|carried| carried.successor == taken).unwrap()]
            }
        }
    }

    /// The case that is taken, and whether a test of two ways holds.
    fn decide(&mut self, test: Test, program: &Program) -> (Case, bool) {
        match test {
            Test::Input(input) => {
                let successor = self.line(&program.0[input.index()]);
                (Case::Input { successor }, successor == 0)
            }
            Test::Selector { block, equals } => (Case::Selector(0), self.selectors[&block] == equals),
            Test::SelectorValue { block } => (Case::Selector(self.selectors[&block]), false),
            Test::Zero => (Case::Selector(0), false),
        }
    }

    /// The structured form.
    fn run(&mut self, code: &[Statement], program: &Program) -> Flow {
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

/// Prints structured code.
struct Printer<'p>(&'p Program);

impl Printer<'_> {
    fn value(&self, index: usize) -> &str {
        &self.0.0[index].words[1]
    }

    fn test(&self, test: Test) -> String {
        match test {
            Test::Input(input) if self.0.branch(input) == Branch::Switch => self.value(input.index()).to_owned(),
            Test::Input(input) => format!("{} > 0", self.value(input.index())),
            Test::Selector { block, equals } => format!("way_{block} == {equals}"),
            Test::SelectorValue { block } => format!("way_{block}"),
            Test::Zero => "0".to_owned(),
        }
    }

    fn select(&self, edge: &Edge) -> String {
        let value = match edge.selector.as_ref().unwrap() {
            Selector::Constant(number) => number.to_string(),
            Selector::Forward { block } => format!("way_{block}"),
            Selector::Translate { block, table } => format!("{table:?}[way_{block}]"),
            Selector::Choose(numbers) => {
                let rows = edge
                    .carries
                    .iter()
                    .zip(numbers)
                    .map(|(carried, number)| format!("{}: {number}", carried.successor));
                let source = edge.carries[0].source;
                format!("[{}][{}]", rows.collect::<Vec<_>>().join(", "), self.test(Test::Input(source)))
            }
        };
        format!("way_{} = {value};", edge.target)
    }

    fn print(&self, code: &[Statement], depth: usize) -> String {
        let mut text = String::new();
        for statement in code {
            let (indent, inside) = ("    ".repeat(depth), depth + 1);
            let line = match statement {
                Statement::Line(index) => match self.0.0[*index].words[0].as_str() {
                    "ADD" => format!("{} += {};", self.value(*index), self.0.0[*index].words[2]),
                    "PRINT" => format!("print({});", self.value(*index)),
                    _ => continue,
                },
                Statement::Select(edge) => self.select(edge),
                Statement::If { label, test, then, otherwise } => {
                    let (then, otherwise) = (self.print(then, inside), self.print(otherwise, inside));
                    let test = self.test(*test);
                    let body = match (then.is_empty(), otherwise.is_empty()) {
                        (true, _) => format!("if (!({test})) {{\n{otherwise}{indent}}}"),
                        (_, true) => format!("if ({test}) {{\n{then}{indent}}}"),
                        _ => format!("if ({test}) {{\n{then}{indent}}} else {{\n{otherwise}{indent}}}"),
                    };
                    match label {
                        Some(label) => labelled(*label, body),
                        None => body,
                    }
                }
                Statement::Loop { label, body, continuing } => {
                    let (body, last) = (self.print(body, inside), self.print(continuing, inside + 1));
                    let last = if last.is_empty() {
                        last
                    } else {
                        format!("{indent}    continuing {{\n{last}{indent}    }}\n")
                    };
                    labelled(*label, format!("loop {{\n{body}{last}{indent}}}"))
                }
                Statement::Switch { label, test, arms } => {
                    let mut body = format!("switch ({}) {{\n", self.test(*test));
                    for arm in arms {
                        for value in &arm.values {
                            let value = match value {
                                Some(Case::Input { successor }) => format!("case {}", successor - 1),
                                Some(Case::Selector(number)) => format!("case {number}"),
                                None => "default".to_owned(),
                            };
                            let _ = writeln!(body, "{indent}{value}:");
                        }
                        body += &self.print(&arm.body, inside);
                    }
                    labelled(*label, body + &indent + "}")
                }
                Statement::Break(label) => format!("break {label};"),
                Statement::Continue(label) => format!("continue {label};"),
                Statement::Return => "return;".to_owned(),
            };
            let _ = writeln!(text, "{indent}{line}");
        }
        text
    }
}

/// The label in front, if anything names it.
fn labelled(label: PlanBlock, body: String) -> String {
    let is_named = body.contains(&format!("break {label};")) || body.contains(&format!("continue {label};"));
    if is_named { format!("{label}: {body}") } else { body }
}

/// Structurizes a program, runs both forms on several inputs, and gives the structured text.
pub fn compile(source: &str) -> String {
    let program = parse(source);
    let plan = structurize(&program, &Options::default()).unwrap();
    let (code, _) = Walk(&plan).sequence(PlanBlock::new(0), &Around::default());
    let text = Printer(&program).print(&code, 0);
    for input in -3..12 {
        let start = || Machine { variables: [input; 26], fuel: 500, ..Machine::default() };
        let (mut before, mut after) = (start(), start());
        before.run_lines(&program);
        after.run(&code, &program);
        assert_eq!(before.trace, after.trace, "input {input}\n{source}\n{text}");
    }
    text
}

pub const PROGRAMS: [&str; 3] = [
    "
10 IF a GOTO 40
20 PRINT a
30 GOTO 50
40 ADD a -2
50 ADD b 1
60 PRINT b
70 IF a GOTO 40
80 END",
    "
10 ON a GOTO 40 60
20 ADD a -3
30 IF a GOTO 10
40 PRINT a
50 ADD b 5
60 PRINT b
70 ADD b -1
80 ON b GOTO 110 10
90 IF b GOTO 60
100 PRINT c
110 END",
    "
10 IF n GOTO 30
20 GOTO 60
30 ADD n -3
40 IF n GOTO 60
50 PRINT n
60 ADD m -1
70 IF m GOTO 30
80 PRINT m
90 END",
];

pub fn main() {
    for source in PROGRAMS {
        println!("{}\n\n{}", source.trim(), compile(source));
    }
}
