//! A head with three or more ways, or an input switch.
//!
//! ```text
//!        X (switch, merge m)
//!   ┌──┬─┴──┬──────┐
//!   a  b ─▶ J    tramp ──▶ break or continue of the loop around
//!   │  fall-│
//!   │through▼
//!   └─────▶ m
//! ```
//!
//! - A leading join J that the head targets directly, and whose other edges all come out of one arm, becomes a case that this arm falls
//!   through to. At most one case falls through to each and each falls through to at most one; a case is printed directly before its
//!   fall-through target. A join that all other ways lead to is not moved: it is the merge block.
//! - Edges to the merge go there directly. A case must not be the merge or continue of the enclosing loop, so such ways get one trampoline
//!   each, or go through the merge if that branches on its selector anyway.
//! - If no edge leads to the merge and at most one arm falls through, that arm is the merge block. If none falls through, it is the arm of
//!   the default, `switch s { case 0: … return } rest`, unless another one is large and much heavier.

use smallvec::SmallVec;

use super::ways::{Choices, Goal, Way, Ways};
use super::{Context, Emitter, Head, MergeOf, OpenLoop, Site, Start, Step};
use crate::cost;
use crate::input::Convergence;
use crate::joins::JoinList;
use crate::label::LabelId;
use crate::placement::Spot;
use crate::plan::{Case, Edge, Origin, PlanBlock, Selector, Terminator, Test};
use crate::policy::Around;
use crate::reason::{Fallback, Reason, Witnesses};
use crate::work::{Node, NodeKind, Port, WorkGraph};

/// A case of the switch.
struct Arm {
    node: Node,
    choices: Choices,
    label: LabelId,
    /// The case that this one falls through to.
    falls_into: Option<usize>,
    is_fallen_into: bool,
}

/// The order of the cases, and their ends.
struct Layout {
    /// The arms in printing order.
    order: SmallVec<[usize; 4]>,
    merge: LabelId,
    /// The arm that is the merge block.
    merge_arm: Option<usize>,
    open: Option<OpenLoop>,
}

/// The ways of a switch, sorted by their treatment.
struct Parts {
    arms: Vec<Arm>,
    to_merge: Choices,
    breaks: Choices,
    continues: Choices,
}

impl Emitter<'_> {
    /// Terminates the head with a switch.
    pub(super) fn switch(&mut self, head: Head, ways: Ways) -> Result<(), Fallback> {
        let near = head.near();
        let head = self.split(head);
        let open = self.frame().context.in_loop.map(|index| self.loops[index]);
        let mut parts = self.sort_ways(ways, open.as_ref());
        self.pull_fall_through(&head, &mut parts);
        let merge = self.new_merge_label();
        self.set_selection_merge(&head, merge);
        let merge_arm = self.choose_merge_arm(&head, &parts, open.as_ref());
        if let Some(arm) = merge_arm {
            parts.arms[arm].label = merge;
        } else {
            self.fold_jumps(&mut parts, open.as_ref());
        }
        let layout = Layout { order: chain_order(&parts.arms, self.work), merge, merge_arm, open };
        self.push_regions(&parts.arms, &layout, near);
        self.write_switch(&head, parts, &layout);
        Ok(())
    }

    fn sort_ways(&mut self, ways: Ways, open: Option<&OpenLoop>) -> Parts {
        let none = ways[0].choices.none_like();
        let exits = self.options.policy.exits_of_case();
        let mut parts = Parts {
            arms: Vec::with_capacity(ways.len() + 1),
            to_merge: none.clone(),
            breaks: none.clone(),
            continues: none,
        };
        for way in ways {
            match way.goal {
                Goal::Arm(node) => {
                    let label = self.new_merge_label();
                    parts.arms.push(Arm { node, choices: way.choices, label, falls_into: None, is_fallen_into: false });
                }
                Goal::Out(label) if exits.breaks && open.is_some_and(|open| open.merge == label) => {
                    parts.breaks = way.choices;
                }
                Goal::Out(label) if exits.continues && open.is_some_and(|open| open.continue_target == label) => {
                    parts.continues = way.choices;
                }
                Goal::Inner | Goal::Out(_) => parts.to_merge.unite(way.choices),
            }
        }
        parts
    }

    /// Makes leading joins into cases that another case falls through to.
    fn pull_fall_through(&mut self, head: &Head, parts: &mut Parts) {
        let mut by_pos: SmallVec<[(u32, usize); 6]> =
            (0..).zip(&parts.arms).map(|(index, arm)| (self.placement[arm.node].pos, index)).collect();
        by_pos.sort_unstable();
        // Joins come in ascending position: the next one is always the last choice.
        if let Choices::Edges(edges) = &mut parts.to_merge {
            edges.sort_unstable_by_key(|&index| std::cmp::Reverse(self.key(self.work.edges[index as usize].target)));
        }
        while let Some(join) = self.frame().joins.first() {
            let is_all = self.joins.is_last(join) && self.leads_only_to(&parts.to_merge, join);
            let from = self.falling_arm(head, &parts.to_merge, &by_pos, join).filter(|_| !is_all);
            let from = from.filter(|&from| parts.arms[from].falls_into.is_none());
            let Some(from) = from else { break };
            let choices = self.take_first_target(&mut parts.to_merge, join);
            let frame = self.frames.last_mut().expect("invariant: a region is open");
            self.joins.remove(&mut frame.joins, join);
            self.states[join as usize].home = frame.context.level + 1;
            let label = self.new_merge_label();
            self.labels[label as usize].is_fall_through = true;
            parts.arms[from].falls_into = Some(parts.arms.len());
            by_pos.push((self.placement[join].pos, parts.arms.len()));
            parts.arms.push(Arm { node: join, choices, label, falls_into: None, is_fallen_into: true });
        }
        if let Choices::Edges(edges) = &mut parts.to_merge {
            edges.sort_unstable();
        }
    }

    /// Returns whether all of the choices lead to `join`, which is then the merge block itself.
    fn leads_only_to(&self, choices: &Choices, join: Node) -> bool {
        match choices {
            Choices::Edges(edges) => edges.first().is_some_and(|&index| self.work.edges[index as usize].target == join),
            Choices::Ports(ports) => ports.last_key() == Some(self.placement[join].pos),
        }
    }

    /// The arm of all edges into `join` that do not come from the head.
    fn falling_arm(&self, head: &Head, to_merge: &Choices, by_pos: &[(u32, usize)], join: Node) -> Option<usize> {
        let is_direct = match to_merge {
            Choices::Edges(edges) => edges.last().is_some_and(|&index| self.work.edges[index as usize].target == join),
            Choices::Ports(ports) => ports.first().is_some_and(|(key, _)| key == self.placement[join].pos),
        };
        let is_meeting = match self.placement[join].meeting {
            Convergence::None => false,
            Convergence::Quad => !self.is_input_switch(head),
            Convergence::Lanes => true,
        };
        if !self.options.policy.allows_fall_through() || !is_direct || self.work.is_dispatch(join) || is_meeting {
            return None;
        }
        let arrived = self.states[join as usize].arrived;
        let come = match head.site {
            Site::Real(_) if arrived == 0 => 1,
            Site::Real(_) => return None,
            Site::Virtual { .. } => arrived,
        };
        let sources = self.placement.predecessor_pos(join);
        let missing = (sources.len() as u32).checked_sub(come).filter(|&missing| missing > 0)?;
        let last = *sources.last()?;
        let place = by_pos.partition_point(|&(pos, _)| pos <= last).checked_sub(1)?;
        let (begin, from) = by_pos[place];
        let arm = self.placement.by_pos[begin as usize];
        let inside = sources.len() - sources.partition_point(|&source| source < begin);
        let holds_all = last < self.placement[arm].end && inside == missing as usize;
        holds_all.then_some(from)
    }

    /// Returns whether the head is a switch of the input, whose cases may fall through there.
    fn is_input_switch(&self, head: &Head) -> bool {
        matches!(head.site, Site::Real(node) if self.work.kinds[node as usize] == NodeKind::InputSwitch)
    }

    /// Returns whether a virtual head, an arm and joins of the region form a switch with fall-through: this needs no scope where an edge
    /// skips a join.
    pub(super) fn would_fall_through(&self, head: &Head, ways: &[Way]) -> bool {
        if !matches!(head.site, Site::Virtual { .. }) {
            return false;
        }
        let arm = ways.iter().find_map(|way| if let Goal::Arm(node) = way.goal { Some(node) } else { None });
        let inner = ways.iter().find(|way| way.goal == Goal::Inner);
        let first = self.frames.last().and_then(|frame| frame.joins.first());
        let (Some(arm), Some(inner), Some(join)) = (arm, inner, first) else { return false };
        let is_all = self.joins.is_last(join) && self.leads_only_to(&inner.choices, join);
        let by_pos = [(self.placement[arm].pos, 0)];
        !is_all && self.falling_arm(head, &inner.choices, &by_pos, join).is_some()
    }

    /// Removes the choices for `target`, which comes first.
    fn take_first_target(&self, choices: &mut Choices, target: Node) -> Choices {
        match choices {
            Choices::Edges(edges) => {
                let is_it = |index: u32| self.work.edges[index as usize].target == target;
                let mut taken = SmallVec::new();
                while edges.last().is_some_and(|&index| is_it(index)) {
                    taken.extend(edges.pop());
                }
                taken.sort_unstable();
                Choices::Edges(taken)
            }
            Choices::Ports(ports) => Choices::Ports(ports.take_key(self.placement[target].pos)),
        }
    }

    /// The arm that is the merge block, if nothing else needs one.
    fn choose_merge_arm(&self, head: &Head, parts: &Parts, open: Option<&OpenLoop>) -> Option<usize> {
        let has_fall_through = parts.arms.iter().any(|arm| arm.is_fallen_into);
        if !parts.to_merge.is_empty() || has_fall_through {
            return None;
        }
        let mut falling = (0..parts.arms.len()).filter(|&arm| self.falls_from_case(parts.arms[arm].node, open));
        match (falling.next(), falling.next()) {
            (Some(one), None) => Some(one),
            (None, _) => {
                let mut arms: SmallVec<[usize; 4]> = (0..parts.arms.len()).collect();
                arms.sort_unstable_by_key(|&arm| self.work.number(parts.arms[arm].node));
                let weight = |arm: usize| self.placement.weight[parts.arms[arm].node as usize];
                let blocks = |arm: usize| {
                    let Spot { pos, end, .. } = self.placement[parts.arms[arm].node];
                    end - pos
                };
                let is_default = |arm: &usize| self.is_default(head, &parts.arms[*arm].choices);
                let default = (0..parts.arms.len()).find(is_default).filter(|&default| {
                    let may_nest = |arm: usize| {
                        blocks(arm) <= cost::SMALL_CASE || weight(arm) <= weight(default).saturating_mul(cost::HEAVIER)
                    };
                    (0..parts.arms.len()).all(may_nest)
                });
                default.or_else(|| cost::last_or_heaviest(arms.into_iter(), weight))
            }
            _ => None,
        }
    }

    /// Returns whether the choices include the default of an input switch.
    fn is_default(&self, head: &Head, choices: &Choices) -> bool {
        let Site::Real(node) = head.site else { return false };
        let first = self.work.first_edge[node as usize];
        !self.work.is_dispatch(node) && matches!(choices, Choices::Edges(edges) if edges.contains(&first))
    }

    /// Routes breaks and continues through the merge if that costs no block.
    fn fold_jumps(&mut self, parts: &mut Parts, open: Option<&OpenLoop>) {
        let falls = parts.arms.iter().any(|arm| self.falls_from_case(arm.node, open));
        let has_single = self.single_port(&parts.breaks).is_some() || self.single_port(&parts.continues).is_some();
        let (is_empty, has_arms) = (parts.to_merge.is_empty(), !parts.arms.is_empty());
        // Without an arm nothing would be decided here, and the merge would have the same choice, unless it is between two ways that one
        // test distinguishes.
        let folds_all = if has_arms { self.decides_anyway(parts) } else { is_empty && has_single };
        if folds_all {
            for jumps in [&mut parts.continues, &mut parts.breaks] {
                let none = jumps.none_like();
                parts.to_merge.unite(std::mem::replace(jumps, none));
            }
        } else if is_empty && !falls {
            let jumps =
                if parts.breaks.len() > parts.continues.len() { &mut parts.breaks } else { &mut parts.continues };
            let none = jumps.none_like();
            parts.to_merge.unite(std::mem::replace(jumps, none));
        }
    }

    /// Returns whether the merge will have several targets to distinguish.
    fn decides_anyway(&self, parts: &Parts) -> bool {
        let level = self.frames.last().map_or(0, |frame| frame.context.level);
        let falling = parts.arms.iter().filter(|arm| arm.falls_into.is_none() && self.leaves_to_level(arm.node, level));
        let mut first = self.any_target(&parts.to_merge);
        parts.to_merge.len() >= 2
            || falling.map(|arm| self.exits[arm.node as usize]).any(|exit| *first.get_or_insert(exit) != exit)
    }

    fn any_target(&self, choices: &Choices) -> Option<Node> {
        match choices {
            Choices::Edges(edges) => edges.first().map(|&index| self.work.edges[index as usize].target),
            Choices::Ports(ports) => ports.first().map(|(_, port)| self.work.node_of_port(port)),
        }
    }

    fn push_regions(&mut self, arms: &[Arm], layout: &Layout, near: Node) {
        let &Layout { merge, merge_arm, .. } = layout;
        let context = self.frame().context;
        let level = context.level + 1;
        let around = Around::Case;
        let depth = context.depth + 1;
        let context = Context { around, switch: Some(merge), switch_level: level, level, depth, ..context };
        let steps = &mut self.steps;
        steps.push(match merge_arm {
            Some(arm) => Step::Next { node: arms[arm].node, label: merge },
            None => Step::Land { label: merge, near, of: MergeOf::Selection },
        });
        for &arm in layout.order.iter().rev().filter(|&&arm| Some(arm) != merge_arm) {
            let next = match arms[arm].falls_into {
                Some(into) => Some(arms[into].label),
                None => merge_arm.is_none().then_some(merge),
            };
            let start = Start::Node { node: arms[arm].node, label: arms[arm].label };
            let context = Context { next, ..context };
            steps.push(Step::Region { start, context, joins: JoinList::new(), is_scoped: false });
        }
    }

    /// Creates the terminator and commits its edges.
    fn write_switch(&mut self, head: &Head, mut parts: Parts, layout: &Layout) {
        let merge = layout.merge;
        let none = parts.to_merge.none_like();
        let mut goals: Vec<(LabelId, Choices)> = Vec::with_capacity(layout.order.len() + 3);
        for &arm in &layout.order {
            goals.push((parts.arms[arm].label, std::mem::replace(&mut parts.arms[arm].choices, none.clone())));
        }
        if let Some(open) = layout.open {
            let jumps = [(parts.continues, open.continue_target), (parts.breaks, open.merge)];
            let jumps: SmallVec<[_; 2]> = jumps.into_iter().filter(|(choices, _)| !choices.is_empty()).collect();
            if let [(continues, _), (breaks, _)] = &jumps[..]
                && (self.single_port(continues).is_some() || self.single_port(breaks).is_some())
            {
                goals.push(self.new_deciding_trampoline(head, &jumps));
            } else {
                for (choices, label) in jumps {
                    goals.push((self.new_trampoline(head, &choices, label), choices));
                }
            }
        }
        if !parts.to_merge.is_empty() {
            goals.push((merge, parts.to_merge));
        }
        let default = self.choose_default(head, &goals, merge);
        // The edges of the default need no rows, and may be nearly all.
        let others = goals.iter().enumerate().filter(|&(index, _)| index != default);
        let mut cases = Vec::with_capacity(others.map(|(_, (_, choices))| choices.len()).sum());
        for (index, (label, choices)) in goals.iter().enumerate() {
            if index != default {
                self.push_rows(&mut cases, head, choices, *label);
            }
        }
        let (label, choices) = &goals[default];
        let default = self.edge(head, choices, *label);
        let test = match head.site {
            Site::Real(node) if self.work.kinds[node as usize] != NodeKind::Dispatch => {
                Test::Input(self.work.block(node))
            }
            _ => Test::SelectorValue { block: head.selector_block },
        };
        self.blocks[head.block.index()].terminator = Terminator::Switch { test, default, cases };
        // Nothing is pending at a case, and a trampoline has passed its ports on.
        for (label, choices) in goals.into_iter().filter(|&(label, _)| label == merge) {
            self.commit(head, choices, label);
        }
    }

    /// The port that all of the choices lead to, if it is one.
    fn single_port(&self, choices: &Choices) -> Option<Port> {
        match choices {
            Choices::Ports(ports) => ports.single(),
            Choices::Edges(edges) => {
                let port = |index: u32| self.work.edges[index as usize].port;
                let first = port(*edges.first()?);
                edges.iter().all(|&index| port(index) == first).then_some(first)
            }
        }
    }

    /// A case that only jumps to `label`, the merge or continue of the enclosing loop.
    fn new_trampoline(&mut self, head: &Head, choices: &Choices, label: LabelId) -> LabelId {
        let single = self.single_port(choices);
        self.commit(head, choices.clone(), label);
        let block = self.new_trampoline_block(&[label]);
        self.blocks[block.index()].has_selector = single.is_none();
        let edge = self.passing_edge(block, single, label);
        self.blocks[block.index()].terminator = Terminator::Branch(edge);
        self.label_of(block)
    }

    /// One case for breaks and continues; it distinguishes them by the only port of one of them.
    fn new_deciding_trampoline(&mut self, head: &Head, jumps: &[(Choices, LabelId)]) -> (LabelId, Choices) {
        let mut all = jumps[0].0.none_like();
        for (choices, label) in jumps {
            self.commit(head, choices.clone(), *label);
            all.unite(choices.clone());
        }
        let block = self.new_trampoline_block(&[jumps[0].1, jumps[1].1]);
        self.blocks[block.index()].has_selector = true;
        let ports = [self.single_port(&jumps[0].0), self.single_port(&jumps[1].0)];
        let edges = [0, 1].map(|index: usize| self.passing_edge(block, ports[index], jumps[index].1));
        let [first, second] = edges;
        let (equals, then, otherwise) = match ports {
            [Some(port), _] => (port, first, second),
            [None, Some(port)] => (port, second, first),
            [None, None] => unreachable!("requires: one of the ways has one port"),
        };
        self.blocks[block.index()].terminator =
            Terminator::Conditional { test: Test::Selector { block, equals }, then, otherwise };
        (self.label_of(block), all)
    }

    fn new_trampoline_block(&mut self, labels: &[LabelId]) -> PlanBlock {
        let mut witnesses = Witnesses::new();
        for &label in labels {
            let traces = self.labels.traces(label);
            witnesses.extend(self.witnesses(&traces).into_iter().take(2 / labels.len()));
        }
        self.new_block(Origin::Added(Reason::Trampoline { witnesses }))
    }

    /// An edge of an added block that passes on a port.
    fn passing_edge(&self, block: PlanBlock, single: Option<Port>, label: LabelId) -> Edge {
        match single {
            Some(port) => self.constant_edge(port, label),
            None => Edge { selector: Some(Selector::Forward { block }), ..self.plain_edge(label) },
        }
    }

    /// The goal that is the default: the input's own, else the merge, unless another has at least twice as many choices, else the one with
    /// most choices. So the number of rows is at most twice the choices of all goals but the largest: if a set of numbers is split by one
    /// switch after another, a number gets a row only when its set has shrunk to two thirds, which happens logarithmically often.
    fn choose_default(&self, head: &Head, goals: &[(LabelId, Choices)], merge: LabelId) -> usize {
        if matches!(head.site, Site::Real(node) if !self.work.is_dispatch(node)) {
            let default = goals.iter().position(|(_, choices)| self.is_default(head, choices));
            return default.expect("invariant: some goal holds the default");
        }
        let weight = |&index: &usize| {
            let (label, choices) = &goals[index];
            choices.len() * if *label == merge { 2 } else { 1 }
        };
        (0..goals.len()).rev().max_by_key(weight).expect("invariant: a switch has a goal")
    }

    fn push_rows(&self, cases: &mut Vec<(Case, Edge)>, head: &Head, choices: &Choices, label: LabelId) {
        match choices {
            Choices::Ports(ports) => {
                cases.extend(ports.iter().map(|(_, port)| (Case::Selector(port), self.constant_edge(port, label))));
            }
            Choices::Edges(edges) => {
                for &index in edges {
                    let edge = &self.work.edges[index as usize];
                    if self.work.is_dispatch(edge.source) {
                        let own_port = self.work.own_port(index);
                        cases.push((Case::Selector(own_port), self.constant_edge(edge.port, label)));
                    }
                    for &carried in self.work.carried_by(index) {
                        let case = Case::Input { successor: carried.successor };
                        cases.push((case, self.row_edge(carried, edge.port, label)));
                    }
                }
            }
        }
        debug_assert!(!matches!(head.site, Site::Real(node) if self.work.kinds[node as usize] == NodeKind::Entry));
    }
}

/// The cases in their numbering, but every case directly before its fall-through target.
fn chain_order(arms: &[Arm], work: &WorkGraph) -> SmallVec<[usize; 4]> {
    let mut order = SmallVec::new();
    let mut firsts: SmallVec<[usize; 4]> = (0..arms.len()).filter(|&arm| !arms[arm].is_fallen_into).collect();
    firsts.sort_unstable_by_key(|&arm| work.number(arms[arm].node));
    for first in firsts {
        let mut at = Some(first);
        while let Some(index) = at {
            order.push(index);
            at = arms[index].falls_into;
        }
    }
    order
}
