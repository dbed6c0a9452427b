//! A head with one way or two ways.
//!
//! ```text
//! out + out     conditional without a merge: both labels are merges or continues
//! arm + out     the same, and the region continues with the arm: break chains stay flat
//! arm + arm     one leaves:     selection around the one that leaves, the other arm is the merge
//!               both fall:      selection around both, a new label is the merge
//! arm + inner   as if both fall
//! ```
//!
//! A case with fall-through into it is not a merge: an arm beside it needs a merge like an arm beside inner.
//!
//! Before a shared merge, two situations require a *scope*, a switch with only a default whose merge can be reached from any selection
//! inside: a join that is reached past the join before it, and a ladder that would nest deeper than the limit.
//!
//! ```text
//!  a                       S (switch 0, merge 2)
//!  ├──────┐                a ──┐
//!  b      │         ⇒      b   │
//!  ├─▶ 1 ─┤                ├─▶ 1 ─▶ 2
//!  └───▶ 2                 └──────▶ 2
//! ```

use super::ways::{Choices, Goal, Way, Ways};
use super::{Context, Emitter, Head, MergeOf, OpenLoop, ScopeHeader, Site, Start, Step};
use crate::cost;
use crate::joins::JoinList;
use crate::label::LabelId;
use crate::plan::{Merge, Origin, PlanBlock, Terminator, Test};
use crate::policy::Around;
use crate::reason::{Fallback, Reason};
use crate::work::{NONE, Node};

/// The number of blocks that leave a loop after its first branch, from which these form a chain.
const CHAIN: u8 = 2;

/// A way of a conditional to a label that there is.
struct Exit {
    choices: Choices,
    label: LabelId,
}

impl Emitter<'_> {
    /// The only way of a head.
    pub(super) fn follow(&mut self, head: Head, ways: Ways) -> Result<(), Fallback> {
        let way = ways.into_iter().next().expect("invariant: there is one way");
        let label = match way.goal {
            Goal::Out(label) => label,
            Goal::Arm(_) => self.labels.push_arm(),
            Goal::Inner => self.new_label(),
        };
        let edge = self.connect(&head, way.choices, label);
        self.blocks[head.block.index()].terminator = Terminator::Branch(edge);
        match way.goal {
            Goal::Out(_) => {}
            Goal::Arm(node) => {
                self.note_scope_header(&head);
                // A printer looks for the condition of a `while` in the header and in the block that it jumps to.
                let begins_loop = head.begins_loop && head.has_loop_merge;
                let next = Head { begins_loop, ..self.new_head(node, label) };
                self.frame().head = Some(next);
            }
            Goal::Inner => {
                let near = head.near();
                self.steps.push(Step::Land { label, near, of: MergeOf::Selection });
            }
        }
        Ok(())
    }

    /// Two ways of a head, distinguished by one test.
    pub(super) fn select(&mut self, head: Head, ways: Ways) -> Result<(), Fallback> {
        let mut ways = ways.into_iter();
        let (Some(mut first), Some(mut second)) = (ways.next(), ways.next()) else {
            unreachable!("a selection has two ways");
        };
        if matches!(first.goal, Goal::Arm(_)) || matches!(second.goal, Goal::Arm(_)) {
            for way in [&mut first, &mut second] {
                if matches!(way.goal, Goal::Out(label) if self.labels[label as usize].is_fall_through) {
                    way.goal = Goal::Inner;
                }
            }
        }
        match (first.goal, second.goal) {
            (Goal::Out(_), Goal::Out(_)) if self.ends_case(&head) => {
                self.end_case(head, first, second);
                Ok(())
            }
            (Goal::Out(one), Goal::Out(other)) => {
                let first = Exit { choices: first.choices, label: one };
                self.end_conditional(&head, first, Exit { choices: second.choices, label: other });
                Ok(())
            }
            (Goal::Arm(arm), Goal::Out(out)) => {
                self.branch_off(head, arm, first.choices, Exit { choices: second.choices, label: out });
                Ok(())
            }
            (Goal::Out(out), Goal::Arm(arm)) => {
                self.branch_off(head, arm, second.choices, Exit { choices: first.choices, label: out });
                Ok(())
            }
            (Goal::Arm(one), Goal::Arm(other)) => {
                let is_left_nested = match (self.falls(one), self.falls(other)) {
                    (true, true) => return self.select_shared(head, first, second),
                    (false, true) => true,
                    (true, false) => false,
                    (false, false) => self.is_nested_first(one, other),
                };
                let (leaver, rest) = if is_left_nested { (one, other) } else { (other, one) };
                self.select_around(head, leaver, rest, [(one, first.choices), (other, second.choices)]);
                Ok(())
            }
            _ => self.select_shared(head, first, second),
        }
    }

    /// Returns whether a virtual head has one arm and several exits that single numbers distinguish: then each exit is a conditional
    /// without a merge, and the last one continues with the arm. Also if the policy has no other exit for numbers that only leave.
    pub(super) fn is_peeled(&self, head: &Head, ways: &Ways) -> bool {
        let Site::Virtual { .. } = head.site else { return false };
        let is_plain_out = |way: &&Way| match way.goal {
            Goal::Out(label) => !self.labels[label as usize].is_fall_through,
            _ => false,
        };
        let has_arm = ways.iter().any(|way| matches!(way.goal, Goal::Arm(_)));
        let outs = ways.iter().filter(is_plain_out);
        if outs.clone().count() == ways.len() {
            return self.options.policy.joins_ways_out() && !self.is_testable(head, ways);
        }
        let many = outs.clone().filter(|way| way.choices.len() > 1).count();
        let arm_is_many = ways.iter().any(|way| matches!(way.goal, Goal::Arm(_)) && way.choices.len() > 1);
        ways.len() > 2 && has_arm && outs.count() == ways.len() - 1 && many + usize::from(arm_is_many) <= 1
    }

    /// One exit by a conditional without a merge; an added block distinguishes the others.
    pub(super) fn peel(&mut self, mut head: Head, ways: Ways) -> Result<(), Fallback> {
        let is_peeled = |way: &Way| matches!(way.goal, Goal::Out(_)) && way.choices.len() == 1;
        let mut ways = ways;
        let place = ways.iter().position(is_peeled).unwrap_or(0);
        let mut way = ways.remove(place);
        if let Choices::Ports(ports) = &mut way.choices
            && let Some(first) = ports.first()
        {
            let one = ports.take_front(|key, port| (key, port) == first);
            let choices = std::mem::replace(&mut way.choices, Choices::Ports(one));
            if !choices.is_empty() {
                ways.push(Way { goal: way.goal, choices });
            }
        }
        let Goal::Out(out) = way.goal else { unreachable!("just seen") };
        let mut rest = way.choices.none_like();
        for way in ways {
            rest.unite(way.choices);
        }
        let near = head.near();
        let header = self.work.input_near(near);
        let Site::Virtual { ports, traces, .. } = &mut head.site else { unreachable!("requires: a virtual head") };
        let Choices::Ports(rest_ports) = &rest else { unreachable!("a virtual head has ports") };
        *ports = rest_ports.clone();
        let witnesses = traces.clone();
        let witnesses = self.witnesses(&witnesses);
        let block = self.new_block(Origin::Added(Reason::MergeDispatch { header, witnesses }));
        let inside = self.label_of(block);
        if self.takes_merge(&head, out) {
            self.set_selection_merge(&head, inside);
        } else {
            self.nest_rest();
        }
        let one = self.edge(&head, &way.choices, out);
        let other = self.plain_edge(inside);
        self.blocks[head.block.index()].terminator = self.conditional(&head, [(&way.choices, one), (&rest, other)]);
        self.commit(&head, way.choices, out);
        head.block = block;
        self.frame().head = Some(head);
        Ok(())
    }

    /// Of two arms that leave: the first is nested, unless it is much heavier.
    fn is_nested_first(&self, one: Node, other: Node) -> bool {
        let is_in_order = self.work.number(one) < self.work.number(other);
        let arms = if is_in_order { [one, other] } else { [other, one] };
        let rest = cost::last_or_heaviest(arms.into_iter(), |arm| self.weight(arm));
        rest == Some(other)
    }

    fn weight(&self, node: Node) -> u64 {
        self.placement.weight[node as usize]
    }

    fn end_conditional(&mut self, head: &Head, first: Exit, second: Exit) {
        let one = self.edge(head, &first.choices, first.label);
        let other = self.edge(head, &second.choices, second.label);
        let ways = [(&first.choices, one), (&second.choices, other)];
        self.blocks[head.block.index()].terminator = self.conditional(head, ways);
        self.commit(head, first.choices, first.label);
        self.commit(head, second.choices, second.label);
    }

    /// A conditional without a merge: one side leaves, the region continues with the arm.
    fn branch_off(&mut self, mut head: Head, arm: Node, choices: Choices, out: Exit) {
        if self.begins_chain(&head, arm, out.label) {
            head = self.split(head);
        }
        let label = self.labels.push_arm();
        if self.takes_merge(&head, out.label) {
            self.set_selection_merge(&head, label);
        } else {
            self.nest_rest();
        }
        self.end_conditional(&head, Exit { choices, label }, out);
        let next = self.new_head(arm, label);
        self.frame().head = Some(next);
    }

    /// Returns whether a conditional exit to `out` is a selection of its own: then it leaves that selection and those that a break or a
    /// continue leaves.
    fn takes_merge(&self, head: &Head, out: LabelId) -> bool {
        !head.has_loop_merge && self.wants_merge(head, out)
    }

    /// Returns whether the branch of a header would get a merge in a separate block, because an exit to `out` begins a chain. An exit that
    /// only continues early begins none unless `rest` branches too, and goes on; nor does the dispatch of an irreducible cycle.
    fn begins_chain(&self, head: &Head, rest: Node, out: LabelId) -> bool {
        let is_break = || self.loop_around().is_some_and(|open| out == open.merge);
        let edges = self.work.edges_of(rest);
        let goes_on = || edges.len() > 1 && edges.iter().any(|edge| self.placement.contains(rest, edge.target));
        let is_input = matches!(head.site, Site::Real(node) if self.work.is_input(node));
        head.has_loop_merge && is_input && self.wants_merge(head, out) && (is_break() || goes_on())
    }

    /// Returns whether the code after an exit to `out` reads well only after a merge. The condition of a `while` has none, unless a
    /// consumer nests the code after it.
    fn wants_merge(&self, head: &Head, out: LabelId) -> bool {
        let policy = self.options.policy;
        let is_bare = !policy.nests_bare_conditionals() && self.is_while_condition(head, out);
        policy.gives_exits_merges() && self.is_jump_label(out) && !is_bare
    }

    /// Returns whether the head is the first branch of a loop, leaves it, passes nothing on, and has no statements before it. If a loop has
    /// no other exit, the passed values are known after it; if it has one more, a block for the branch would cost more than a level does. A
    /// header with statements would need such a block too.
    fn is_while_condition(&self, head: &Head, out: LabelId) -> bool {
        let Some(open) = self.loop_around() else { return false };
        let Site::Real(node) = head.site else { return head.begins_loop && out == open.merge };
        let has_statements = |node: Node| node != NONE && self.work.has_statements[node as usize];
        let is_behind_statements = !head.has_loop_merge && (has_statements(open.header) || has_statements(node));
        let is_chain = open.header == NONE || self.placement[open.header].inner_exits >= CHAIN;
        let passes_on = is_chain && self.work.passes_values[node as usize];
        head.begins_loop && out == open.merge && !is_behind_statements && !passes_on
    }

    /// The loop around the region.
    fn loop_around(&self) -> Option<&OpenLoop> {
        let context = self.frames.last().expect("invariant: a region is open").context;
        context.in_loop.map(|index| &self.loops[index])
    }

    /// Returns whether the region is a case whose end may not be a conditional.
    fn ends_case(&self, head: &Head) -> bool {
        let context = self.frames.last().expect("invariant: a region is open").context;
        self.options.policy.nests_bare_conditionals() && context.around == Around::Case && !head.has_loop_merge
    }

    /// Returns whether the label is reached by break or continue.
    fn is_jump_label(&self, label: LabelId) -> bool {
        let context = self.frames.last().expect("invariant: a region is open").context;
        let is_of_loop = |open: &OpenLoop| label == open.merge || label == open.continue_target;
        Some(label) == context.switch || self.loop_around().is_some_and(is_of_loop)
    }

    /// Counts the code after a bare conditional one level deeper, if a consumer nests it.
    fn nest_rest(&mut self) {
        if self.options.policy.nests_bare_conditionals() {
            self.note_depth(1);
            self.frame().context.depth += 1;
        }
    }

    /// Two exits at the end of a case, which must not end in a conditional: one of them goes through a merge.
    fn end_case(&mut self, head: Head, first: Way, second: Way) {
        let near = head.near();
        let merge = self.new_label();
        self.set_selection_merge(&head, merge);
        let (one, other) = match (first.goal, second.goal) {
            (Goal::Out(one), Goal::Out(other)) if self.is_jump_label(one) && Some(one) != self.frame().context.next => {
                debug_assert!(self.is_jump_label(one) || self.is_jump_label(other));
                (one, merge)
            }
            (_, Goal::Out(other)) => (merge, other),
            _ => unreachable!("requires: two ways out"),
        };
        let first = Exit { choices: first.choices, label: one };
        self.end_conditional(&head, first, Exit { choices: second.choices, label: other });
        self.steps.push(Step::Land { label: merge, near, of: MergeOf::Selection });
    }

    /// A selection around an arm without fall-through; the other arm is the merge.
    fn select_around(
        &mut self,
        head: Head,
        leaver: Node,
        rest: Node,
        [(one, first), (_, second)]: [(Node, Choices); 2],
    ) {
        let head = self.split(head);
        let [merge, nested] = [self.labels.push_arm(), self.labels.push_arm()];
        let labels = if one == leaver { [nested, merge] } else { [merge, nested] };
        self.set_selection_merge(&head, merge);
        let first = Exit { choices: first, label: labels[0] };
        self.end_conditional(&head, first, Exit { choices: second, label: labels[1] });
        let context = self.frame().context;
        let context = Context { next: None, around: Around::Selection, depth: context.depth + 1, ..context };
        let start = Start::Node { node: leaver, label: nested };
        let steps = &mut self.steps;
        steps.push(Step::Next { node: rest, label: merge });
        steps.push(Step::Region { start, context, joins: JoinList::new(), is_scoped: false });
    }

    /// A selection whose merge is a new label, in a scope of its own if necessary.
    fn select_shared(&mut self, mut head: Head, first: Way, second: Way) -> Result<(), Fallback> {
        let arm_of = |way: &Way| if let Goal::Arm(node) = way.goal { Some(node) } else { None };
        let arms = [arm_of(&first), arm_of(&second)];
        let owner = self.top();
        let frame = self.frames.last_mut().expect("invariant: a region is open");
        let end = self.joins.first_skipped_to(&mut frame.joins, owner, self.placement);
        let chain = arms.iter().flatten().map(|&arm| self.chains[arm as usize]).max().unwrap_or(0);
        let is_ladder = !frame.is_scoped && chain + 1 > self.options.chain_limit;
        let join = if frame.is_scoped || frame.context.switch.is_some() { None } else { frame.joins.first() };
        let is_there = self.scope_header(&head, None).is_some();
        let scope_cost = if is_there { cost::SCOPE_ON_A_JUMP } else { cost::SCOPE };
        let saved = |join: Node| self.inner_skips[join as usize].saturating_mul(cost::LADDER);
        let is_left_at_once = join.is_some_and(|join| saved(join) > scope_cost);
        if self.options.policy.allows_scopes() && (end.is_some() || is_ladder || is_left_at_once) {
            let ways = [first, second];
            if self.would_fall_through(&head, &ways) {
                return self.switch(head, ways.into_iter().collect());
            }
            let [first, second] = ways;
            restore(&mut head, first, second);
            self.open_scope(head, end);
            return Ok(());
        }
        let near = head.near();
        let head = self.split(head);
        let merge = self.new_label();
        self.set_selection_merge(&head, merge);
        let label = |emitter: &mut Self, way: &Way| match way.goal {
            Goal::Arm(_) => emitter.labels.push_arm(),
            Goal::Inner => merge,
            Goal::Out(label) => label,
        };
        let labels = [label(self, &first), label(self, &second)];
        let first = Exit { choices: first.choices, label: labels[0] };
        self.end_conditional(&head, first, Exit { choices: second.choices, label: labels[1] });
        let context = self.frame().context;
        let context = Context { next: Some(merge), around: Around::Selection, depth: context.depth + 1, ..context };
        let steps = &mut self.steps;
        steps.push(Step::Land { label: merge, near, of: MergeOf::Selection });
        for (arm, label) in arms.into_iter().zip(labels).rev() {
            let Some(node) = arm else { continue };
            let start = Start::Node { node, label };
            steps.push(Step::Region { start, context, joins: JoinList::new(), is_scoped: false });
        }
        Ok(())
    }

    /// Opens a scope around the head and the joins before `end`, or around the head alone.
    fn open_scope(&mut self, head: Head, end: Option<Node>) {
        let near = head.near();
        let merge = self.new_merge_label();
        let head = self.write_scope_header(head, merge, end);
        let owner = self.top() + 1;
        let frame = self.frames.last_mut().expect("invariant: a region is open");
        let context = frame.context;
        let level = context.level + 1;
        let joins = match end {
            Some(_) => {
                let (joins, members) = self.joins.split_before(&mut frame.joins, end, owner);
                for member in members {
                    self.states[member as usize].home = level;
                }
                joins
            }
            None => JoinList::new(),
        };
        let context = Context {
            next: Some(merge),
            around: Around::Scope,
            switch: Some(merge),
            switch_level: level,
            level,
            depth: context.depth + 1,
            ..context
        };
        self.steps.push(Step::Land { label: merge, near, of: MergeOf::Selection });
        self.steps.push(Step::Region { start: Start::Head(Box::new(head)), context, joins, is_scoped: end.is_none() });
    }

    /// Creates the header of a scope: a block that only jumps on, if there is one, else the block of the head, whose branch moves into a
    /// separate block.
    fn write_scope_header(&mut self, head: Head, merge: LabelId, end: Option<Node>) -> Head {
        self.note_depth(1);
        if let Some(found) = self.scope_header(&head, end) {
            let block = &mut self.blocks[found.block.index()];
            let old = std::mem::replace(&mut block.terminator, Terminator::Unreachable);
            let Terminator::Branch(default) = old else {
                unreachable!("a block that could head a scope goes on to one")
            };
            block.terminator = Terminator::Switch { test: Test::Zero, default, cases: Vec::new() };
            block.merge = Merge::Selection { merge: PlanBlock::new(merge as usize) };
            self.nesting_depth = self.nesting_depth.max(found.deepest + 1);
            if let Some(depths) = &mut self.depths {
                depths.note_opened(found.node, found.deepest + 1);
            }
            let frame = self.frame();
            frame.scope_header = None;
            frame.deepest = frame.deepest.max(found.deepest + 1);
            return head;
        }
        let header = self.work.input_near(head.near());
        let mut head = self.split(head);
        let block = self.new_block(Origin::Added(Reason::Scope { header }));
        let inside = self.label_of(block);
        let default = self.plain_edge(inside);
        let outer = &mut self.blocks[head.block.index()];
        outer.terminator = Terminator::Switch { test: Test::Zero, default, cases: Vec::new() };
        outer.merge = Merge::Selection { merge: PlanBlock::new(merge as usize) };
        head.block = block;
        head
    }

    /// Records that the block of the head only jumps on.
    fn note_scope_header(&mut self, head: &Head) {
        let Site::Real(node) = head.site else { return };
        if self.blocks[head.block.index()].merge != Merge::None || self.work.is_dispatch(node) {
            return;
        }
        let context = self.frame().context;
        let (block, commits, deepest) = (head.block, self.commits_around(&context), context.depth);
        self.frame().scope_header = Some(ScopeHeader { block, node, commits, deepest });
    }

    /// The number of edges to targets that nothing inside a scope can reach: the merges around, and that of the loop if a switch may not
    /// break it.
    fn commits_around(&self, context: &Context) -> [u32; 3] {
        let breaks = self.options.policy.exits_of_case().breaks;
        let broken = context.in_loop.filter(|_| !breaks).map(|index| self.loops[index].merge);
        [context.next, context.switch, broken].map(|label| label.map_or(0, |label| self.labels[label as usize].commits))
    }

    /// A block of the region that can be the header of a scope around the head and the joins before `end`: no later edge leads to the
    /// merges around the region, all edges into those joins come from after it, and nothing nests too deep.
    fn scope_header(&self, head: &Head, end: Option<Node>) -> Option<ScopeHeader> {
        let frame = self.frames.last()?;
        let found = frame.scope_header?;
        let last = end.and_then(|end| self.joins.previous(end));
        let holds = !head.has_loop_merge
            && found.commits == self.commits_around(&frame.context)
            && last.is_none_or(|last| self.placement.contains(found.node, last))
            && found.deepest < self.options.nesting_limit;
        holds.then_some(found)
    }

    /// Moves the branch of a loop header into a separate block.
    pub(super) fn split(&mut self, mut head: Head) -> Head {
        if !head.has_loop_merge {
            return head;
        }
        let header = self.work.input_near(head.near());
        let block = self.new_block(Origin::Added(Reason::HeaderSplit { header }));
        let label = self.label_of(block);
        let edge = self.plain_edge(label);
        self.blocks[head.block.index()].terminator = Terminator::Branch(edge);
        head.block = block;
        head.has_loop_merge = false;
        head
    }

    pub(super) fn set_selection_merge(&mut self, head: &Head, merge: LabelId) {
        self.note_depth(1);
        self.blocks[head.block.index()].merge = Merge::Selection { merge: PlanBlock::new(merge as usize) };
    }
}

/// Returns the ports of the paths to a virtual head, to group them again.
fn restore(head: &mut Head, first: Way, second: Way) {
    if let (Site::Virtual { ports, .. }, Choices::Ports(one), Choices::Ports(other)) =
        (&mut head.site, first.choices, second.choices)
    {
        ports.unite(one);
        ports.unite(other);
    }
}
