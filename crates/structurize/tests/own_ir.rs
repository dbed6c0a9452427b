//! What the example `own_ir` makes of random programs is compiled, and run beside them.

#[path = "../examples/own_ir.rs"]
mod example;

use std::fmt::Write as _;
use std::process::Command;

use crate::common::Random;
use example::{Block, Program};
use reconverge_structurize::InputBlock;

const PROGRAMS: u64 = 200;
const INPUTS: [i32; 5] = [-2, 0, 1, 3, 7];

/// After so many blocks a program is left, in both forms.
const FUEL: usize = 300;

/// What a block does, and what it does in Rust.
type Code = (&'static str, fn(&mut i32, &mut i32));
const CODES: [Code; 4] = [
    ("a += 1;", |a, _| *a += 1),
    ("a -= 3;", |a, _| *a -= 3),
    ("b += a;", |a, b| *b += *a),
    ("b = 1 - b;", |_, b| *b = 1 - *b),
];

/// A condition, and the same in Rust.
type Condition = (&'static str, fn(i32, i32) -> bool);
const CONDITIONS: [Condition; 4] =
    [("a > 0", |a, _| a > 0), ("b > 1", |_, b| b > 1), ("a == b", |a, b| a == b), ("b & 1 == 0", |_, b| b & 1 == 0)];

/// In front of the functions. A block says that it runs, and hears whether it is time to leave.
const PRELUDE: &str = "#![allow(warnings)]
fn lookup(number: i32, table: &[(i32, i32)]) -> i32 {
    table.iter().find(|row| row.0 == number).unwrap().1
}
fn runs(block: usize, trace: &mut Vec<usize>) -> bool {
    trace.push(block);
    trace.len() < FUEL
}
";

/// Numbers of codes, conditions and targets, block by block.
struct RandomProgram {
    codes: Vec<usize>,
    conditions: Vec<usize>,
    targets: Vec<Vec<usize>>,
}

impl RandomProgram {
    fn new(seed: u64) -> Self {
        let random = &mut Random::new(seed);
        let count = 2 + random.below(14);
        let mut list = |bound: usize| (0..count).map(|_| random.below(bound)).collect::<Vec<_>>();
        let (codes, conditions, ways) = (list(CODES.len()), list(CONDITIONS.len()), list(8));
        let mut targets = |ways: &usize| (0..[0, 1, 1, 2, 2, 2, 2, 2][*ways]).map(|_| random.below(count)).collect();
        let targets = ways.iter().map(&mut targets).collect();
        Self { codes, conditions, targets }
    }

    fn in_ir(&self) -> Program {
        let block = |block: usize| Block {
            code: format!("if !runs({block}, trace) {{ return; }}\n{}\n", CODES[self.codes[block]].0).leak(),
            condition: CONDITIONS[self.conditions[block]].0,
            targets: self.targets[block].iter().copied().map(InputBlock::new).collect(),
        };
        Program((0..self.targets.len()).map(block).collect())
    }

    /// The blocks that it runs through.
    fn trace(&self, input: i32) -> Vec<usize> {
        let (mut a, mut b, mut at, mut trace) = (input, 0, 0, Vec::new());
        loop {
            trace.push(at);
            if trace.len() == FUEL {
                return trace;
            }
            CODES[self.codes[at]].1(&mut a, &mut b);
            at = match self.targets[at][..] {
                [] => return trace,
                [target] => target,
                [then, _] if CONDITIONS[self.conditions[at]].1(a, b) => then,
                [.., otherwise] => otherwise,
            };
        }
    }
}

#[test]
fn the_example_runs() {
    example::main();
}

#[test]
fn random_programs_run_through_the_same_blocks_before_and_after() {
    let mut text = format!("{PRELUDE}const FUEL: usize = {FUEL};\n");
    let (mut main, mut expected) = (String::new(), String::new());
    for seed in 0..PROGRAMS {
        let program = RandomProgram::new(seed);
        let body = example::compile(&program.in_ir());
        let _ = writeln!(text, "fn program_{seed}(mut a: i32, mut b: i32, trace: &mut Vec<usize>) {{\n{body}}}");
        for input in INPUTS {
            let call = format!("program_{seed}({input}, 0, &mut trace)");
            let _ = writeln!(main, "let mut trace = Vec::new(); {call}; println!(\"{seed} {input} {{trace:?}}\");");
            let _ = writeln!(expected, "{seed} {input} {:?}", program.trace(input));
        }
    }
    let _ = writeln!(text, "fn main() {{\n{main}}}");
    let found = output_of(&text);
    let lines = expected.lines().zip(found.lines().chain(std::iter::repeat("nothing")));
    for (expected, found) in lines {
        assert_eq!(expected, found, "seed, input, blocks");
    }
}

/// What a program in Rust prints.
fn output_of(text: &str) -> String {
    let folder = std::path::Path::new(env!("CARGO_TARGET_TMPDIR"));
    let (source, program) = (folder.join("own_ir.rs"), folder.join("own_ir"));
    std::fs::write(&source, text).expect("a file");
    let rustc = Command::new("rustc").args(["--edition", "2024", "-o"]).args([&program, &source]).status();
    assert!(rustc.expect("rustc runs").success(), "rustc refuses {}", source.display());
    let output = Command::new(program).output().expect("the programs run");
    String::from_utf8(output.stdout).expect("numbers")
}
