//! Parser of the text form of a graph.
//!
//! Blocks are read in order, their targets are recorded by name, and after the last block every name becomes a block. No
//! recursion, no look ahead; linear.

use std::collections::HashMap;

use reconverge_diagnostic::Diagnostic;

use super::error::{ErrorCode, Fault};
use super::print::word;
use crate::input::{Branch, ControlFlow, Convergence, InputBlock, LoopHint};
use crate::named_graph::{NAME_RULE, NamedGraph, SIZE_LIMIT, is_name, takes};

const TERMINATORS: [Branch; 5] = [Branch::Exit, Branch::Unreachable, Branch::Jump, Branch::Conditional, Branch::Switch];
const ATTRIBUTES: &str = "the attributes are convergent, quad, weight N, merge M, loop M C and entry";

/// Reads the text form of a graph. Linear.
///
/// # Errors
/// The first error, with its place. Targets that are not blocks are reported after all other errors.
pub fn parse(text: &str) -> Result<NamedGraph, Diagnostic> {
    let mut parser = Parser { text, ..Parser::default() };
    let ended = parser.blocks().and_then(|()| parser.resolve());
    ended.map_err(|fault| fault.placed_in(text))?;
    Ok(parser.graph)
}

#[derive(Default)]
struct Parser<'t> {
    text: &'t str,
    graph: NamedGraph,
    by_name: HashMap<&'t str, InputBlock>,
    /// The names of all targets, in the order of the successors.
    targets: Vec<&'t str>,
    /// The names in hints, with the block and kind of each hint.
    hints: Vec<(InputBlock, Hinted, &'t str)>,
    entry: Option<InputBlock>,
}

/// The meaning of a name in a hint.
#[derive(Clone, Copy)]
enum Hinted {
    SelectionMerge,
    LoopMerge,
    ContinueTarget,
}

impl<'t> Parser<'t> {
    fn blocks(&mut self) -> Result<(), Fault> {
        let text = self.text.strip_prefix('\u{feff}').unwrap_or(self.text);
        for line in text.lines() {
            let said = line.split(['#', ';']).next().unwrap_or(line);
            for statement in said.split('|').filter(|statement| !statement.trim().is_empty()) {
                self.block(statement)?;
            }
        }
        match self.by_name.is_empty() {
            true => Err(Fault::new(
                self.text.len(),
                ErrorCode::Empty,
                "the graph has no block; the smallest graph is `name ret`",
            )),
            false => Ok(()),
        }
    }

    /// `name terminator targets, attribute, attribute`
    fn block(&mut self, statement: &'t str) -> Result<(), Fault> {
        let mut clauses = statement.split(',');
        let mut words = clauses.next().unwrap_or(statement).split_whitespace();
        let Some(name) = words.next() else {
            return Err(Fault::new(
                self.offset(statement),
                ErrorCode::MissingTerminator,
                "a name must come before the comma",
            ));
        };
        self.check_name(name)?;
        let branch = self.terminator(name, words.next())?;
        let first = self.targets.len();
        for target in words {
            if self.targets.len() - first == most_targets(branch) {
                return Err(Fault::new(
                    self.offset(target),
                    ErrorCode::ExtraWord,
                    format!(
                        "`{}` takes {}, and `{target}` is one more; attributes come after a comma",
                        word(branch),
                        targets_of(branch)
                    ),
                ));
            }
            self.targets.push(target);
        }
        if !takes(branch, self.targets.len() - first) {
            let message = format!(
                "`{}` takes {}, but there are {}",
                word(branch),
                targets_of(branch),
                self.targets.len() - first
            );
            return Err(Fault::new(self.end_of(statement), ErrorCode::MissingTarget, message));
        }
        let block = self.add(name, branch, first)?;
        let mut said = Vec::new();
        for clause in clauses {
            let attribute = self.attribute(block, clause)?;
            if said.contains(&attribute) {
                return Err(Fault::new(
                    self.offset(attribute),
                    ErrorCode::Attribute,
                    format!("`{attribute}` is given twice"),
                ));
            }
            said.push(attribute);
        }
        Ok(())
    }

    /// Checks that the name can be a block's.
    fn check_name(&self, name: &'t str) -> Result<(), Fault> {
        if !is_name(name) {
            return Err(Fault::new(
                self.offset(name),
                ErrorCode::Character,
                format!("`{}`: {NAME_RULE}", name.escape_debug()),
            ));
        }
        match self.by_name.get(name) {
            None => Ok(()),
            Some(block) => {
                let message = format!("`{name}` is already the name of block {}", block.index());
                Err(Fault::new(self.offset(name), ErrorCode::DuplicateBlock, message))
            }
        }
    }

    fn terminator(&self, name: &'t str, found: Option<&'t str>) -> Result<Branch, Fault> {
        const KNOWN: &str = "the terminators are ret, unreachable, br, condbr and switch";
        let Some(found) = found else {
            let message = format!("block `{name}` has no terminator; {KNOWN}");
            return Err(Fault::new(self.offset(name) + name.len(), ErrorCode::MissingTerminator, message));
        };
        TERMINATORS.into_iter().find(|&branch| word(branch) == found).ok_or_else(|| {
            let message = format!("`{}` is not a terminator; {KNOWN}", found.escape_debug());
            Fault::new(self.offset(found), ErrorCode::UnknownTerminator, message)
        })
    }

    /// Adds a block whose targets, from number `first` on, are not known yet.
    fn add(&mut self, name: &'t str, branch: Branch, first: usize) -> Result<InputBlock, Fault> {
        if self.by_name.len() == SIZE_LIMIT || self.targets.len() > SIZE_LIMIT {
            let message = format!("a graph has at most {SIZE_LIMIT} blocks and as many targets");
            return Err(Fault::new(self.offset(name), ErrorCode::Limit, message));
        }
        let unknown = vec![InputBlock::new(0); self.targets.len() - first];
        let block = self.graph.add_block(name, branch, &unknown);
        self.by_name.insert(name, block);
        Ok(block)
    }

    fn attribute(&mut self, block: InputBlock, clause: &'t str) -> Result<&'t str, Fault> {
        let mut words = clause.split_whitespace();
        let Some(attribute) = words.next() else {
            return Err(Fault::new(
                self.offset(clause),
                ErrorCode::Attribute,
                format!("an attribute is missing here; {ATTRIBUTES}"),
            ));
        };
        match attribute {
            "convergent" => self.graph.set_convergence(block, Convergence::Lanes),
            "quad" => self.graph.set_convergence(block, self.graph.convergence(block).max(Convergence::Quad)),
            "weight" => {
                let weight = self.weight(words.next(), clause)?;
                self.graph.set_weight(block, weight);
            }
            "merge" => {
                let name = words.next().ok_or_else(|| {
                    let message = "`merge` takes one target, but there is none";
                    Fault::new(self.end_of(clause), ErrorCode::MissingTarget, message)
                })?;
                self.hints.push((block, Hinted::SelectionMerge, name));
            }
            "loop" => {
                let said = [Hinted::LoopMerge, Hinted::ContinueTarget].into_iter().zip(words.by_ref().take(2));
                self.hints.extend(said.filter(|(_, name)| *name != "-").map(|(hinted, name)| (block, hinted, name)));
                let mut hints = self.graph.hints(block);
                hints.repeats = Some(LoopHint { merge: None, continue_target: None });
                self.graph.set_hints(block, hints);
            }
            "entry" if self.entry.is_some_and(|entry| entry != block) => {
                return Err(Fault::new(
                    self.offset(attribute),
                    ErrorCode::DuplicateEntry,
                    "another block is already the entry",
                ));
            }
            "entry" => {
                self.entry = Some(block);
                self.graph.set_entry(block);
            }
            _ => {
                let message = format!("`{}` is not an attribute; {ATTRIBUTES}", attribute.escape_debug());
                return Err(Fault::new(self.offset(attribute), ErrorCode::Attribute, message));
            }
        }
        match words.next() {
            None => Ok(attribute),
            Some(extra) => {
                let message = format!("`{}` is more than `{attribute}` takes", extra.escape_debug());
                Err(Fault::new(self.offset(extra), ErrorCode::ExtraWord, message))
            }
        }
    }

    fn weight(&self, number: Option<&'t str>, clause: &'t str) -> Result<u32, Fault> {
        number.and_then(|number| number.parse().ok()).ok_or_else(|| {
            let message = "`weight` takes a number from 0 to 4294967295";
            Fault::new(number.map_or(self.end_of(clause), |number| self.offset(number)), ErrorCode::Number, message)
        })
    }

    /// Every target's name becomes its block.
    fn resolve(&mut self) -> Result<(), Fault> {
        let (text, by_name) = (self.text, &self.by_name);
        let find = |name: &&'t str| {
            by_name.get(name).copied().ok_or_else(|| {
                let message = format!("`{}` is not a block", name.escape_debug());
                Fault::new(offset(text, name), ErrorCode::UnknownTarget, message)
            })
        };
        let targets = self.targets.iter().map(find).collect::<Result<Vec<InputBlock>, Fault>>()?;
        self.graph.resolve(targets);
        for (block, hinted, name) in &self.hints {
            let target = Some(find(name)?);
            let mut hints = self.graph.hints(*block);
            match (hinted, &mut hints.repeats) {
                (Hinted::SelectionMerge, _) => hints.selection_merge = target,
                (Hinted::LoopMerge, Some(repeats)) => repeats.merge = target,
                (Hinted::ContinueTarget, Some(repeats)) => repeats.continue_target = target,
                (_, None) => unreachable!("a hint of a loop follows the word that says there is one"),
            }
            self.graph.set_hints(*block, hints);
        }
        Ok(())
    }

    /// The offset where a part of the text begins.
    fn offset(&self, part: &'t str) -> usize {
        offset(self.text, part)
    }

    /// The offset where the last word of a part of the text ends.
    fn end_of(&self, part: &'t str) -> usize {
        self.offset(part) + part.trim_end().len()
    }
}

/// The offset where a part of a text begins in it.
fn offset(text: &str, part: &str) -> usize {
    part.as_ptr() as usize - text.as_ptr() as usize
}

/// The greatest number of targets that a terminator takes.
const fn most_targets(branch: Branch) -> usize {
    match branch {
        Branch::Exit | Branch::Unreachable => 0,
        Branch::Jump => 1,
        Branch::Conditional => 2,
        Branch::Switch => usize::MAX,
    }
}

/// The number of targets that a terminator takes, in words.
fn targets_of(branch: Branch) -> &'static str {
    match branch {
        Branch::Exit | Branch::Unreachable => "no target",
        Branch::Jump => "one target",
        Branch::Conditional => "two targets",
        Branch::Switch => "a default and any number of cases",
    }
}
