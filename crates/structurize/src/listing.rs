//! A plan as text: one line per block, indented by the constructs around it.
//!
//! ```text
//! a: loop merge exit continue #3; if a: b else exit
//!   b: if b: exit else #3
//!   #3 (latch): goto a
//! exit: exit
//! ```
//!
//! | written | means |
//! |---|---|
//! | `a` | the input block of that name |
//! | `#3 (latch)`, then `#3` | an added block, by its number in the plan, with the name of its reason |
//! | `selector` before the colon | the block has a selector parameter |
//! | `goto #3 with d` | the edge passes the number of `d` |
//! | `goto #3 with #2` | it passes the selector of `#2` |
//! | `goto #3 with d by a/0, e by a/1` | it passes the number for the successor of `a` that is taken |
//! | `goto #3 with d where #2 is e, …` | it passes a number that depends on the selector of `#2` |
//! | `goto #3 for d` | the edge represents one to `d`, and reaches it in several steps |
//! | `if #3 = d: …` | whether the selector of `#3` is the number of `d` |
//! | `@12` | a number that does not belong to a block: an entry of an irreducible cycle |

use std::fmt;

use crate::constructs::Constructs;
use crate::input::{ControlFlow, InputBlock};
use crate::named_graph::NamedGraph;
use crate::plan::{Block, Case, Edge, Merge, Origin, Plan, PlanBlock, Selector, Terminator, Test};

/// The maximal indentation, so that lines stay readable and the text linear.
const DEEPEST: u32 = 40;

/// A plan with its graph, for printing.
#[derive(Clone, Copy, Debug)]
pub struct Listing<'a> {
    plan: &'a Plan,
    graph: &'a NamedGraph,
}

impl<'a> Listing<'a> {
    /// The listing of a plan. `graph` must be the graph of the plan.
    pub fn new(plan: &'a Plan, graph: &'a NamedGraph) -> Listing<'a> {
        Listing { plan, graph }
    }

    /// A description of the additions and assumptions, as [`Plan::explain`] reports them, with the names of the graph.
    pub fn explain(&self) -> Vec<String> {
        self.plan.explain().iter().map(|line| self.in_names(line)).collect()
    }

    /// The name of a block of the plan: its name in the graph, or `#` and its number.
    pub fn name(&self, block: PlanBlock) -> String {
        match self.plan.blocks[block.index()].origin {
            Origin::Input(input) => self.graph.name(input).to_owned(),
            Origin::Added(_) => format!("#{}", block.index()),
        }
    }

    /// A message that calls blocks `b0` and `p0`, with their names instead.
    pub fn in_names(&self, sentence: &str) -> String {
        let is_letter = |letter: char| letter.is_ascii_alphanumeric();
        let pieces = sentence.split_inclusive(|letter| !is_letter(letter));
        let renamed = pieces.map(|piece| {
            let word = piece.trim_end_matches(|letter| !is_letter(letter));
            self.called(word).map_or_else(|| piece.to_owned(), |name| format!("{name}{}", &piece[word.len()..]))
        });
        renamed.collect()
    }

    /// The name of the block that a word like `b0` or `p0` means.
    fn called(&self, word: &str) -> Option<String> {
        let number = |digits: &str| digits.parse::<usize>().ok().filter(|_| !digits.starts_with('+'));
        if let Some(input) = word.strip_prefix('b').and_then(number) {
            return (input < self.graph.block_count()).then(|| self.graph.name(InputBlock::new(input)).to_owned());
        }
        let planned = word.strip_prefix('p').and_then(number)?;
        (planned < self.plan.blocks.len()).then(|| self.name(PlanBlock::new(planned)))
    }

    /// A selector value.
    fn number(&self, number: u32) -> String {
        match (number as usize) < self.graph.block_count() {
            true => self.graph.name(InputBlock::new(number as usize)).to_owned(),
            false => format!("@{number}"),
        }
    }

    fn line(&self, formatter: &mut fmt::Formatter<'_>, index: usize, block: &Block) -> fmt::Result {
        formatter.write_str(&self.name(PlanBlock::new(index)))?;
        match (&block.origin, block.has_selector) {
            (Origin::Input(_), false) => {}
            (Origin::Input(_), true) => formatter.write_str(" (selector)")?,
            (Origin::Added(reason), false) => write!(formatter, " ({})", reason.name())?,
            (Origin::Added(reason), true) => write!(formatter, " ({}, selector)", reason.name())?,
        }
        formatter.write_str(": ")?;
        match block.merge {
            Merge::None => {}
            Merge::Selection { merge } => write!(formatter, "selection merge {}; ", self.name(merge))?,
            Merge::Loop { merge, continue_target } => {
                write!(formatter, "loop merge {} continue {}; ", self.name(merge), self.name(continue_target))?;
            }
        }
        self.terminator(formatter, &block.terminator)
    }

    fn terminator(&self, formatter: &mut fmt::Formatter<'_>, terminator: &Terminator) -> fmt::Result {
        match terminator {
            Terminator::Exit => formatter.write_str("exit"),
            Terminator::Unreachable => formatter.write_str("unreachable"),
            Terminator::Branch(edge) => write!(formatter, "goto {}", self.edge(edge)),
            Terminator::Conditional { test, then, otherwise } => {
                write!(formatter, "if {}: {} else {}", self.test(*test), self.edge(then), self.edge(otherwise))
            }
            Terminator::Switch { test, default, cases } => {
                write!(formatter, "switch {}: ", self.test(*test))?;
                for (case, edge) in cases {
                    let value = match *case {
                        // The first case is successor 1 and is taken for value 0.
                        Case::Input { successor } => successor.saturating_sub(1).to_string(),
                        Case::Selector(number) => self.number(number),
                    };
                    write!(formatter, "{value}: {}, ", self.edge(edge))?;
                }
                write!(formatter, "default: {}", self.edge(default))
            }
        }
    }

    fn test(&self, test: Test) -> String {
        match test {
            Test::Input(input) => self.graph.name(input).to_owned(),
            Test::Selector { block, equals } => format!("{} = {}", self.name(block), self.number(equals)),
            Test::SelectorValue { block } => self.name(block),
            Test::Zero => "0".to_owned(),
        }
    }

    fn edge(&self, edge: &Edge) -> String {
        let target = self.name(edge.target);
        match &edge.selector {
            Some(Selector::Constant(number)) => format!("{target} with {}", self.number(*number)),
            Some(Selector::Forward { block }) => format!("{target} with {}", self.name(*block)),
            Some(Selector::Choose(numbers)) => {
                let rows = numbers.iter().zip(&edge.carries).map(|(&number, carried)| {
                    format!("{} by {}/{}", self.number(number), self.graph.name(carried.source), carried.successor)
                });
                format!("{target} with {}", rows.collect::<Vec<_>>().join(", "))
            }
            Some(Selector::Translate { block, table }) => {
                let taken = self.name(*block);
                let rows = table
                    .iter()
                    .map(|&(from, to)| format!("{} where {taken} is {}", self.number(to), self.number(from)));
                format!("{target} with {}", rows.collect::<Vec<_>>().join(", "))
            }
            None => target + &self.bound_for(edge),
        }
    }

    /// ` for d`, if an edge represents one to a block that it does not lead to.
    fn bound_for(&self, edge: &Edge) -> String {
        let origin = &self.plan.blocks[edge.target.index()].origin;
        let mut targets: Vec<InputBlock> = Vec::new();
        for carried in &edge.carries {
            let target = self.graph.successors(carried.source).get(carried.successor as usize);
            targets
                .extend(target.filter(|&&target| *origin != Origin::Input(target) && targets.last() != Some(&target)));
        }
        let names: Vec<&str> = targets.iter().map(|&target| self.graph.name(target)).collect();
        if names.is_empty() { String::new() } else { format!(" for {}", names.join(", ")) }
    }
}

impl fmt::Display for Listing<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let constructs = Constructs::compute(self.plan);
        for (index, block) in self.plan.blocks.iter().enumerate() {
            let depth = constructs.depth(PlanBlock::new(index)).min(DEEPEST);
            write!(formatter, "{:1$}", "", 2 * depth as usize)?;
            self.line(formatter, index, block)?;
            formatter.write_str("\n")?;
        }
        Ok(())
    }
}
