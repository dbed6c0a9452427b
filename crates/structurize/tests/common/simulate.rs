//! Walks the input and the plan with the same decisions and compares which input blocks are met, and
//! which original edge each step takes.

use super::{Lists, Random};
use reconverge_structurize::{Carried, Case, Edge, InputBlock, Origin, Plan, Selector, Terminator, Test};

struct Walk<'a> {
    graph: &'a Lists,
    plan: &'a Plan,
    random: Random,
    /// Last selector value of each plan block.
    values: Vec<Option<u32>>,
    /// The original edge that is under way, and whether a plan edge has carried it.
    under_way: Option<(usize, usize, bool)>,
}

/// Follows one sequence of decisions.
pub fn compare(graph: &Lists, plan: &Plan, seed: u64) -> Result<(), String> {
    let mut walk =
        Walk { graph, plan, random: Random::new(seed), values: vec![None; plan.blocks.len()], under_way: None };
    let mut at = 0;
    let mut met = 0;
    let limit = 4 * graph.successors.len() + 20;
    let mut silent = 0;
    while met < limit {
        let block = &plan.blocks[at];
        if let Origin::Input(input) = block.origin {
            walk.enter(input.index())?;
            met += 1;
            silent = 0;
        }
        silent += 1;
        if silent > 8 * plan.blocks.len() + 8 {
            return Err("control never meets an input block again".into());
        }
        let edge = match &block.terminator {
            Terminator::Exit => {
                let Origin::Input(input) = block.origin else { return Err("exit on an added block".into()) };
                let is_exit = graph.successors[input.index()].is_empty();
                return if is_exit { Ok(()) } else { Err(format!("{input} does not exit")) };
            }
            Terminator::Unreachable => return Err(format!("p{at} is reached")),
            Terminator::Branch(edge) => edge,
            Terminator::Conditional { test, then, otherwise } => {
                if walk.holds(*test)? {
                    then
                } else {
                    otherwise
                }
            }
            Terminator::Switch { test, default, cases } => walk.choose(*test, default, cases)?,
        };
        at = walk.take(edge)?;
    }
    Ok(())
}

impl Walk<'_> {
    fn enter(&mut self, input: usize) -> Result<(), String> {
        match self.under_way {
            None if input != self.graph.entry => return Err(format!("starts at b{input}")),
            Some((source, successor, carried)) => {
                let expected = self.graph.targets(source)[successor];
                if expected != input {
                    return Err(format!("b{source}/{successor} leads to b{input}, not to b{expected}"));
                }
                if !carried {
                    return Err(format!("no edge carries b{source}/{successor}"));
                }
            }
            None => {}
        }
        let count = self.graph.successors[input].len();
        let successor = if count == 0 { 0 } else { self.random.below(count) };
        self.under_way = Some((input, successor, false));
        Ok(())
    }

    /// The decision of the input block, which must be the last one that was met.
    fn decision(&self, block: InputBlock) -> Result<usize, String> {
        match self.under_way {
            Some((source, successor, _)) if source == block.index() => Ok(successor),
            _ => Err(format!("tests {block} when it is not the last block met")),
        }
    }

    fn value(&self, block: reconverge_structurize::PlanBlock) -> Result<u32, String> {
        self.values[block.index()].ok_or(format!("{block} has no selector value"))
    }

    fn holds(&self, test: Test) -> Result<bool, String> {
        match test {
            Test::Input(block) => Ok(self.decision(block)? == 0),
            Test::Selector { block, equals } => Ok(self.value(block)? == equals),
            Test::SelectorValue { .. } | Test::Zero => Err("a value as a condition".into()),
        }
    }

    fn choose<'e>(&self, test: Test, default: &'e Edge, cases: &'e [(Case, Edge)]) -> Result<&'e Edge, String> {
        let wanted = match test {
            Test::Input(block) => Case::Input { successor: self.decision(block)? },
            Test::SelectorValue { block } => Case::Selector(self.value(block)?),
            Test::Zero => Case::Selector(0),
            Test::Selector { .. } => return Err("a condition as a switch value".into()),
        };
        Ok(cases.iter().find(|(case, _)| *case == wanted).map_or(default, |(_, edge)| edge))
    }

    fn take(&mut self, edge: &Edge) -> Result<usize, String> {
        let mut taken = None;
        if !edge.carries.is_empty() {
            let Some((source, successor, carried)) = &mut self.under_way else {
                return Err("an edge carries before any block".into());
            };
            let now = Carried { source: InputBlock::new(*source), successor: *successor };
            taken = edge.carries.iter().position(|&other| other == now);
            if taken.is_none() {
                return Err(format!("{now} takes an edge that carries {:?}", edge.carries));
            }
            if std::mem::replace(carried, true) {
                return Err(format!("{now} is carried twice on its way"));
            }
        }
        let value = match &edge.selector {
            None => None,
            Some(Selector::Constant(number)) => Some(*number),
            Some(Selector::Forward { block }) => Some(self.value(*block)?),
            Some(Selector::Choose(numbers)) => Some(numbers[taken.ok_or("chooses without carrying")?]),
            Some(Selector::Translate { block, table }) => {
                let value = self.value(*block)?;
                let row = table.iter().find(|row| row.0 == value);
                Some(row.ok_or(format!("{value} is not in the table"))?.1)
            }
        };
        if value.is_some() != self.plan.blocks[edge.target.index()].has_selector {
            return Err(format!("selector of {} given: {}", edge.target, value.is_some()));
        }
        self.values[edge.target.index()] = value;
        Ok(edge.target.index())
    }
}
