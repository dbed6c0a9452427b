//! Switches.
//!
//! ```text
//! structured_switch %x default ^d [1 ^a] [2 ^a] [3 ^b]      ⇒      switch x { case 1, 2: { a } case 3: { b } default: { d } }
//! ```
//!
//! A case that ends where the next one begins falls through to it, in languages with fall-through. So the cases are in the order of their
//! fall-through; the others keep the order of the operands, with the default last.

use reconverge_control_tree::{Construct, Jump, List};
use reconverge_diagnostic::Diagnostic;
use reconverge_ir::{Edge, Inst, Op, view};

use super::Body;
use super::flow::{Tail, Tails, Work};
use super::jumps::Breakable;
use crate::syntax::{self, Expr, Label, Scalar, ScalarKind, StatementKind};
use crate::write::{Language, WriteCode};

/// A switch whose cases are filled.
pub(super) struct Cases {
    construct: Construct,
    selector: Expr,
    /// In order, each with its values; no values for the default.
    cases: Vec<Case>,
}

struct Case {
    values: Vec<Label>,
    falls: bool,
}

/// One target of a switch.
struct Target {
    block: Inst,
    edge: Edge,
    values: Vec<Label>,
    list: Option<List>,
}

impl Body<'_, '_> {
    pub(super) fn switch(
        &mut self,
        construct: Construct,
        around: Tails,
        work: &mut Vec<Work>,
    ) -> Result<(), Diagnostic> {
        let place = Inst::from(construct);
        let Some(terminator) = self.source.terminator(construct.opener()) else { return Ok(()) };
        let Some(view::Selection { selector, .. }) = view::Selection::of(self.source, terminator) else {
            return self.refuse(WriteCode::Flow, place, "a switch without a selector");
        };
        let (selector, scalar) = self.selector(selector)?;
        let targets = self.targets(construct, scalar)?;
        let order = self.in_falling_order(&targets, place)?;
        for &(_, falls_to) in &order {
            if let Some(list) = falls_to.and_then(|target| targets[target].list) {
                self.assign_early(list)?;
            }
        }
        let mut cases = Vec::new();
        let mut pushed = Vec::new();
        for (position, &(target, falls_to)) in order.iter().enumerate() {
            let target: &Target = &targets[target];
            let next = order.get(position + 1).map(|&(next, _)| next);
            let falls = falls_to.is_some() && falls_to == next;
            // At the end of a case that falls through, every other jump needs a statement.
            let fallen_to = falls_to.filter(|_| falls).and_then(|next| targets[next].list);
            let tails = match fallen_to {
                Some(list) => std::iter::once(Tail { jump: Jump::FallThrough(list), flag: None }).collect(),
                None => {
                    let mut tails = around.clone();
                    tails.push(Tail { jump: Jump::Merge(construct), flag: None });
                    tails
                }
            };
            pushed.push(Work::Open { place, braces: 2 });
            pushed.push(match target.list {
                Some(list) => Work::Nodes { list, at: 0, tails },
                None => Work::Jump { edge: target.edge, tails },
            });
            pushed.push(Work::Seal);
            cases.push(Case { values: target.values.clone(), falls });
        }
        self.breakables.push(Breakable::new(construct));
        work.push(Work::Switch(Cases { construct, selector, cases }));
        work.extend(pushed.into_iter().rev());
        Ok(())
    }

    /// Assigns the arguments of the edge to a case before the switch, if another case falls through to the block after that edge.
    ///
    /// ```text
    /// switch %x [3 ^e] …; edge ^e: branch ^c(%a); ^b: branch ^c(%d)      ⇒      p = a; switch x { case 2: { p = d; } case 3: { c } }
    /// ```
    ///
    /// The parameters are not read in between: all their uses are after the case.
    fn assign_early(&mut self, list: List) -> Result<(), Diagnostic> {
        let first = self.tree.first_block(list);
        let Some(terminator) = self.source.terminator(first).filter(|_| self.source.op(first) == Op::EdgeBlock) else {
            return Ok(());
        };
        if !self.source.is_bare_edge(first) {
            return self.refuse(
                WriteCode::Flow,
                first.inst(),
                "code on an edge to a case that another case falls through to",
            );
        }
        let target = self.source.target(Edge { terminator, operand: view::Branch::SLOT.target });
        if let Some(target) = target.filter(|_| self.assigned_early.insert(terminator)) {
            self.assign(terminator, target)?;
        }
        Ok(())
    }

    /// The selector as a number of 32 bits.
    fn selector(&mut self, selector: Inst) -> Result<(Expr, Scalar), Diagnostic> {
        let value = self.value(selector)?;
        let scalar = self.numbers_of(value).scalar;
        let word = Scalar { width: 32, ..scalar };
        match (scalar.kind, scalar.width) {
            (ScalarKind::Int | ScalarKind::Uint, 32) => Ok((value, word)),
            (ScalarKind::Int | ScalarKind::Uint, 8 | 16) => {
                let ty = self.cx.text.types.numbers(word, 1);
                Ok((self.construct([value], ty), word))
            }
            _ => self.refuse(WriteCode::Type, selector, "a switch on a number of more than 32 bits"),
        }
    }

    /// The targets in operand order, each once, the default first.
    fn targets(&self, construct: Construct, scalar: Scalar) -> Result<Vec<Target>, Diagnostic> {
        let Some(terminator) = self.source.terminator(construct.opener()) else { return Ok(Vec::new()) };
        let lists = &self.tree.construct(construct).lists;
        let mut targets: Vec<Target> = Vec::new();
        let slots = view::StructuredSwitch::SLOT;
        let cases = self.source.cases(terminator).enumerate().map(|(number, (literal, block))| {
            let operand = slots.cases + 2 * number + 1;
            (Some(literal), block, operand)
        });
        let default = self.source.operand(terminator, slots.default);
        for (literal, block, operand) in std::iter::once((None, default, slots.default)).chain(cases) {
            let value = match literal {
                None => Label::Default,
                Some(literal) => {
                    let word = self.source.literal_word(literal).unwrap_or_default();
                    Label::Value(if scalar.kind == ScalarKind::Int { i64::from(word as i32) } else { i64::from(word) })
                }
            };
            if let Some(known) = targets.iter_mut().find(|target| target.block == block) {
                known.values.push(value);
                continue;
            }
            let list = lists.iter().copied().find(|&list| self.tree.first_block(list).inst() == block);
            targets.push(Target { block, edge: Edge { terminator, operand }, values: vec![value], list });
        }
        Ok(targets)
    }

    /// The targets in the order of the text, each with the one that it falls through to. The default is last if possible.
    fn in_falling_order(&self, targets: &[Target], place: Inst) -> Result<Vec<(usize, Option<usize>)>, Diagnostic> {
        let falls: Vec<Option<usize>> = targets.iter().map(|target| self.falls_to(target, targets)).collect();
        let falls_through = falls.iter().any(Option::is_some);
        if falls_through && self.cx.target.language() == Language::Wgsl {
            return self.refuse(WriteCode::Flow, place, "fall-through in WGSL");
        }
        if let super::super::Target::Hlsl(hlsl) = self.cx.target
            && falls_through
            && !hlsl.has(6, 0)
        {
            return self.refuse(WriteCode::Flow, place, "fall-through in HLSL 5; 6.0 has it");
        }
        let is_fallen_to = |target: usize| falls.contains(&Some(target));
        let starts = (1..targets.len()).chain([0]).filter(|&target| !is_fallen_to(target));
        let mut order = Vec::new();
        for start in starts {
            let mut next = Some(start);
            while let Some(target) = next.filter(|&target| order.iter().all(|&(placed, _)| placed != target)) {
                order.push((target, falls[target]));
                next = falls[target];
            }
        }
        Ok(order)
    }

    /// The target that another one falls through to.
    fn falls_to(&self, target: &Target, targets: &[Target]) -> Option<usize> {
        let blocks = target.list.map_or(&[][..], |list| self.tree.blocks_of_list(list));
        let own = blocks
            .iter()
            .flat_map(|&block| self.source.out_edges(block))
            .chain(target.list.is_none().then_some(target.edge));
        own.filter_map(|edge| self.tree.jump(edge)).find_map(|jump| match jump {
            Jump::FallThrough(list) => targets.iter().position(|target| target.list == Some(list)),
            _ => None,
        })
    }

    /// Creates the statement from the lists of its cases.
    pub(super) fn close_switch(&mut self, switch: Cases) {
        let mut lists: Vec<syntax::Block> = switch.cases.iter().map(|_| self.close_block()).collect();
        lists.reverse();
        let cases = switch.cases.into_iter().zip(lists);
        let cases = cases.map(|(case, body)| syntax::Case { labels: case.values, body, falls: case.falls }).collect();
        let Some(breakable) = self.breakables.pop() else { return };
        self.begin_at(switch.construct);
        self.add_breakable(breakable, StatementKind::Switch { selector: switch.selector, cases });
    }
}
