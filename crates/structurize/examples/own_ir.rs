//! A toy compiler: BASIC with line numbers and GOTO in, structured code out. It uses this crate alone.
//!
//! `cargo run -p reconverge-structurize --example own_ir` prints each program before and after. Both are executed and must
//! print the same; a test runs this file too.
//!
//! | file | what |
//! |---|---|
//! | `own_ir.rs` | the language, and what the structurizer asks of it |
//! | `own_ir/structure.rs` | the walk over the plan: statements |
//! | `own_ir/run.rs` | what both forms do |
//! | `own_ir/print.rs` | what the second looks like |
//!
//! Every line of BASIC is a block here. Its variables live in memory, so edges carry no values; a compiler with values in
//! registers passes them along the edges that `Edge::carries` names (crate documentation, "Values").
#![allow(clippy::unwrap_used, missing_docs, unreachable_pub, reason = "a toy, and part of a test as well")]

#[path = "own_ir/print.rs"]
mod print;
#[path = "own_ir/run.rs"]
mod run;
#[path = "own_ir/structure.rs"]
mod structure;

use reconverge_structurize::{Branch, ControlFlow, InputBlock, Options, PlanBlock, structurize};

use print::Printer;
use run::Machine;
use structure::{Around, Walk};

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
