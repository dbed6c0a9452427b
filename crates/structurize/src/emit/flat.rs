//! The flat form: a subtree as one loop around one switch.
//!
//! ```text
//!      H(selector) ◀──────┐     H  loop header, merge M, continue C
//!      │                  │     S  switch on the selector, merge N
//!      S ─┬──┬──┬──┐      │
//!         x  y  z …│      │     inside: to another block ⇒ N with its number
//!         └──┴──┴──┤      │
//!                  N ──▶ C┘     outside ⇒ M
//! ```
//!
//! Used at the nesting limit, and for the whole function if an internal argument fails. At the limit, a case is a *piece* (`pieces.rs`),
//! structured by the same code as everything else: an edge to another case goes to N, an edge outside to M. With one case for each block,
//! no argument about order or fall-through is needed. If a case may not break the loop, both go to N, and N has one test for each number of
//! an outside target.

use super::{Context, Emitter, Head, MergeOf, OpenLoop, Start, Step};
use crate::joins::JoinList;
use crate::label::{LabelId, PortSet, Traces, Waiting};
use crate::plan::{Case, Merge, Origin, PlanBlock, Terminator, Test};
use crate::policy::Around;
use crate::reason::Reason;
use crate::work::{NONE, Node};

impl Emitter<'_> {
    /// Flattens the placement subtree of the head's node.
    pub(super) fn flatten(&mut self, head: Head, root: Node) {
        let context = self.frame().context;
        self.note_depth(2);
        let header = self.enter_flat(head, root);
        let near = self.work.input_near(root);
        let [merge, switch_merge] = [self.new_merge_label(), self.new_merge_label()];
        let continue_target = self.new_label();
        let header_label = self.label_of(header);
        let level = context.level + 1;
        self.loops.push(OpenLoop { header: NONE, latch: NONE, merge, continue_target, header_label, level });
        let in_loop = self.loops.len() - 1;

        let switch = self.new_block(Origin::Added(Reason::FlatSwitch { root: near }));
        let switch_label = self.label_of(switch);
        let edge = self.plain_edge(switch_label);
        let block = &mut self.blocks[header.index()];
        block.origin = Origin::Added(Reason::FlatHeader { root: near });
        block.has_selector = true;
        block.merge = Merge::Loop {
            merge: PlanBlock::new(merge as usize),
            continue_target: PlanBlock::new(continue_target as usize),
        };
        block.terminator = Terminator::Branch(edge);

        let inner = Context {
            next: Some(switch_merge),
            around: Around::Case,
            switch: Some(switch_merge),
            switch_level: level + 1,
            in_loop: Some(in_loop),
            level: level + 1,
            depth: context.depth + 2,
        };
        let cases = self.cut_into_pieces(root, context.depth);
        for &node in &cases {
            let is_broken = self.is_broken(node);
            let state = &mut self.states[node as usize];
            state.home = level;
            // Edges back to the header of a loop that is split are placed further out than the contents of the loop.
            state.is_open_header |= is_broken;
        }
        let cases: Vec<_> = cases.into_iter().map(|node| (node, self.new_merge_label())).collect();
        self.blocks[switch.index()].merge = Merge::Selection { merge: PlanBlock::new(switch_merge as usize) };
        self.blocks[switch.index()].terminator = self.flat_switch(header, &cases);
        let steps = &mut self.steps;
        steps.push(Step::Land { label: merge, near: root, of: MergeOf::Loop });
        steps.push(Step::FlatEnd { in_loop, switch_merge, root });
        for (node, label) in cases.into_iter().rev() {
            let start = Start::Node { node, label };
            steps.push(Step::Region { start, context: inner, joins: JoinList::new(), is_scoped: false });
        }
    }

    /// The loop header: the head's own block, or a new one after the entry of the function.
    fn enter_flat(&mut self, head: Head, root: Node) -> PlanBlock {
        if head.block.index() > 0 {
            return head.block;
        }
        self.blocks[0].origin = Origin::Added(Reason::Entry);
        let header = self.new_block(Origin::Added(Reason::Entry));
        let label = self.label_of(header);
        let edge = self.constant_edge(self.work.number(root), label);
        self.blocks[0].terminator = Terminator::Branch(edge);
        header
    }

    fn flat_switch(&self, header: PlanBlock, cases: &[(Node, LabelId)]) -> Terminator {
        let mut rows = Vec::new();
        for &(node, label) in &cases[1..] {
            let ports = self.work.ports_of(node).into_iter();
            rows.extend(ports.map(|port| (Case::Selector(port), self.constant_edge(port, label))));
        }
        let (root, label) = cases[0];
        let mut default = self.constant_edge(self.work.number(root), label);
        if self.work.is_dispatch(root) {
            default.selector = Some(crate::plan::Selector::Forward { block: header });
        }
        Terminator::Switch { test: Test::SelectorValue { block: header }, default, cases: rows }
    }

    /// The merge of the switch and the continue target of a flat form.
    pub(super) fn end_flat(&mut self, in_loop: usize, switch_merge: LabelId, root: Node) {
        let open = self.loops[in_loop];
        let near = self.work.input_near(root);
        let Waiting { ports: mut outside, traces } = self.labels.take(switch_merge);
        let inside =
            outside.take_front(|_, port| self.states[self.work.node_of_port(port) as usize].home >= open.level);
        let merge = self.new_block(Origin::Added(Reason::FlatMerge { root: near }));
        self.labels[switch_merge as usize].block = Some(merge);
        self.blocks[merge.index()].has_selector = inside.len() + outside.len() > 1;
        let last = self.test_breaks(in_loop, [merge, merge], &outside, root);
        let latch = self.new_block(Origin::Added(Reason::FlatLatch { root: near }));
        self.blocks[latch.index()].has_selector = inside.len() > 1;
        for (block, selector, target) in [(last, merge, open.continue_target), (latch, latch, open.header_label)] {
            let mut edge = self.plain_edge(target);
            edge.selector = Some(self.forward(selector, &inside));
            let block = &mut self.blocks[block.index()].terminator;
            *block = match std::mem::replace(block, Terminator::Unreachable) {
                Terminator::Conditional { test, then, .. } => Terminator::Conditional { test, then, otherwise: edge },
                _ => Terminator::Branch(edge),
            };
        }
        self.pass_traces(traces, open.merge, &outside);
        self.labels[open.continue_target as usize].block = Some(latch);
    }

    /// Conditional breaks of the loop, starting at `first`, one for each number in `outside`, by the selector of the other block. The other
    /// edge of the last one is not set yet.
    fn test_breaks(
        &mut self,
        in_loop: usize,
        [first, selector]: [PlanBlock; 2],
        outside: &PortSet,
        root: Node,
    ) -> PlanBlock {
        let merge = self.loops[in_loop].merge;
        let near = self.work.input_near(root);
        let has_merges = self.options.policy.gives_exits_merges();
        let mut block = first;
        for (index, (key, port)) in outside.iter().enumerate() {
            if index > 0 {
                let next = self.new_block(Origin::Added(Reason::FlatMerge { root: near }));
                let label = self.label_of(next);
                let edge = self.plain_edge(label);
                if let Terminator::Conditional { otherwise, .. } = &mut self.blocks[block.index()].terminator {
                    *otherwise = edge;
                }
                if has_merges {
                    self.blocks[block.index()].merge = Merge::Selection { merge: PlanBlock::new(label as usize) };
                }
                block = next;
            }
            let then = self.constant_edge(port, merge);
            let otherwise = then.clone();
            let test = Test::Selector { block: selector, equals: port };
            self.blocks[block.index()].terminator = Terminator::Conditional { test, then, otherwise };
            if let Some(waiting) = self.labels.commit(merge) {
                waiting.ports.insert(key, port);
            }
        }
        block
    }

    /// Keeps for `to` those of the traces that lead to these ports.
    fn pass_traces(&mut self, traces: Traces, to: LabelId, ports: &PortSet) {
        for trace in traces {
            let edge = &self.work.edges[trace as usize];
            if ports.contains(self.key(edge.target), edge.port) {
                self.labels.waiting_mut(to).add_trace(trace, self.work);
            }
        }
    }
}
