//! A toy compiler of some hundred lines, from this crate alone: blocks with jumps in, loops, ifs and breaks of Rust out.
//!
//! `cargo run -p reconverge-structurize --example own_ir` shows a program; `tests/own_ir.rs` compiles and runs what it makes of random
//! ones. Variables are in memory, so edges carry no values: a compiler with phis passes their operands on the edges that `Edge::carries`
//! names (documentation of the crate, "Values"). The walk is as deep as the text is long, which is for toys.
#![allow(missing_docs, unreachable_pub, reason = "a toy, and part of a test as well")]

use reconverge_structurize::{Branch, Case, ControlFlow, Edge, InputBlock, Merge, Options, Origin};
use reconverge_structurize::{Plan, PlanBlock, Policy, Selector, Terminator, Test, structurize};

/// The IR: code, and two targets for a condition that holds or does not, one, or none where the function ends.
pub struct Block {
    pub code: &'static str,
    pub condition: &'static str,
    pub targets: Vec<InputBlock>,
}
pub struct Program(pub Vec<Block>);

#[rustfmt::skip]
impl ControlFlow for Program {
    fn block_count(&self) -> usize { self.0.len() }
    fn entry(&self) -> InputBlock { InputBlock::new(0) }
    fn successors(&self, block: InputBlock) -> &[InputBlock] { &self.0[block.index()].targets }
    fn branch(&self, block: InputBlock) -> Branch {
        [Branch::Exit, Branch::Jump, Branch::Conditional][self.successors(block).len()]
    }
}

/// The body of a function, in loops, ifs and breaks. No case may fall into the next one, hence the policy.
pub fn compile(program: &Program) -> String {
    let plan = structurize(program, &Options::new().policy(Policy::Wgsl)).expect("within the limits");
    let numbers = (0..plan.blocks.len()).filter(|&index| plan.blocks[index].has_selector);
    let numbers: String = numbers.map(|index| format!("let mut way_p{index} = 0;\n")).collect();
    numbers + &Walk(&program.0, &plan).block(PlanBlock::new(0), None, &[])
}

struct Walk<'a>(&'a [Block], &'a Plan);

impl Walk<'_> {
    /// The text from a block on. At its end control is at `next`; a break leads to any of `around`.
    fn block(&self, at: PlanBlock, next: Option<PlanBlock>, around: &[PlanBlock]) -> String {
        let (keyword, merge, last) = match self.1.blocks[at.index()].merge {
            Merge::None => return self.code(at, next, around),
            Merge::Selection { merge } => ("", merge, None),
            Merge::Loop { merge, continue_target } => ("loop ", merge, Some(continue_target)),
        };
        let inside = [around, &[merge], last.as_slice()].concat();
        let mut text = self.code(at, last.or(Some(merge)), &inside);
        if let Some(last) = last.filter(|&last| last != at) {
            text = construct("", last, text) + &self.code(last, Some(at), &inside);
        }
        construct(keyword, merge, text) + &self.block(merge, next, around)
    }

    /// The text of a block, and of what its edges alone lead to.
    fn code(&self, at: PlanBlock, next: Option<PlanBlock>, around: &[PlanBlock]) -> String {
        let block = &self.1.blocks[at.index()];
        let text = if let Origin::Input(input) = block.origin { self.0[input.index()].code } else { "" }.to_owned();
        let rows: Vec<(String, &Edge)> = match &block.terminator {
            Terminator::Exit | Terminator::Unreachable => return text + "return;\n",
            Terminator::Branch(edge) => return text + &self.jump(&[(String::new(), edge)], next, around),
            Terminator::Conditional { test, then, otherwise } => {
                vec![(self.test(test, None), then), (String::new(), otherwise)]
            }
            Terminator::Switch { test, default, cases } => {
                let rows = cases.iter().map(|(case, edge)| (self.test(test, Some(case)), edge));
                rows.chain([(String::new(), default)]).collect()
            }
        };
        let arms = rows.chunk_by(|row, other| row.1.target == other.1.target).filter_map(|rows| {
            let inside = self.jump(rows, next, around);
            let tests: Vec<&str> = rows.iter().map(|row| row.0.as_str()).collect();
            match tests[0] {
                "" => (!inside.is_empty()).then(|| braces(&inside)),
                _ => Some(format!("if {} {}", tests.join(" || "), braces(&inside))),
            }
        });
        text + &arms.collect::<Vec<_>>().join(" else ") + "\n"
    }

    /// The text of edges to one target, with the number that it takes.
    fn jump(&self, rows: &[(String, &Edge)], next: Option<PlanBlock>, around: &[PlanBlock]) -> String {
        let target = rows[0].1.target;
        let number = |edge: &Edge| match edge.selector.as_ref()? {
            Selector::Constant(number) => Some(number.to_string()),
            Selector::Forward { block } => Some(format!("way_{block}")),
            Selector::Translate { block, table } => Some(format!("lookup(way_{block}, &{table:?})")),
            Selector::Choose(numbers) => {
                let condition = self.0[edge.carries[0].source.index()].condition;
                Some(format!("if {condition} {{ {} }} else {{ {} }}", numbers[0], numbers[1]))
            }
        };
        let number = match rows {
            [(_, edge)] => number(edge),
            _ => {
                let each = rows.iter().map(|(test, edge)| Some(format!("if {test} {{ {} }} else ", number(edge)?)));
                each.collect::<Option<String>>().map(|each| each + "{ unreachable!() }")
            }
        };
        let number = number.map_or(String::new(), |number| format!("way_{target} = {number};\n"));
        match around.contains(&target) {
            _ if next == Some(target) => number,
            true => number + &format!("break 'to_{target};\n"),
            false => number + &self.block(target, next, around),
        }
    }

    fn test(&self, test: &Test, case: Option<&Case>) -> String {
        match (test, case) {
            (Test::Input(block), _) => self.0[block.index()].condition.to_owned(),
            (Test::Selector { block, equals }, _) => format!("way_{block} == {equals}"),
            (Test::SelectorValue { block }, Some(Case::Selector(number))) => format!("way_{block} == {number}"),
            _ => unreachable!("the IR has no switch"),
        }
    }
}

/// A block or a loop. Breaks name what stands behind it.
fn construct(keyword: &str, behind: PlanBlock, inside: String) -> String {
    let is_named = keyword == "loop " || inside.contains(&format!("break 'to_{behind};"));
    if is_named { format!("'to_{behind}: {keyword}{}\n", braces(&inside)) } else { inside }
}

fn braces(inside: &str) -> String {
    format!("{{\n    {}\n}}", inside.trim_end().replace('\n', "\n    "))
}

pub fn main() {
    let block = |code, condition, targets: &[usize]| {
        let targets = targets.iter().copied().map(InputBlock::new).collect();
        Block { code, condition, targets }
    };
    let [entry, down] = [block("", "a > 0", &[1, 2]), block("a -= 1;\n", "a == 3", &[3, 2])];
    let [up, end] = [block("b += 2;\n", "b > 9", &[3, 1]), block("print(a, b);\n", "", &[])];
    println!("{}", compile(&Program(vec![entry, down, up, end])));
}
