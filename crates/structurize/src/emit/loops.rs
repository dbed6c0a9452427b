//! Loops: a header opens its loop; then the continue target is placed, then the code after the loop.
//!
//! ```text
//!   h ◀──┐             h: loop merge M continue C
//!  ╱ ╲   │             │
//! x   b ─┘      ⇒      body …  ──▶ M (break)
//!                      │
//!                      C ──▶ h
//!                      M: x …
//! ```
//!
//! C is the chosen latch of the header if there is one, the header itself for a loop of one block, and an added block otherwise. It is
//! always a single block.

use super::{Context, Emitter, Head, MergeOf, OpenLoop, Piece, Start, Step};
use crate::joins::JoinList;
use crate::label::{LabelId, Waiting};
use crate::placement::Role;
use crate::plan::{Merge, Origin, PlanBlock, Terminator};
use crate::policy::Around;
use crate::reason::{Fallback, Reason};
use crate::work::{NONE, Node, NodeKind};

use super::ways::Choices;
use smallvec::SmallVec;

impl Emitter<'_> {
    /// Opens the loop of the header: its body becomes a region.
    pub(super) fn open_loop(&mut self, mut head: Head, header: Node) {
        let context = self.frame().context;
        self.note_depth(1);
        let merge = self.new_label();
        let header_label = self.label_of(head.block);
        let is_alone = self.is_one_block_loop(header) && !head.is_merge_or_case;
        let continue_target = if is_alone { header_label } else { self.new_label() };
        self.blocks[head.block.index()].merge = Merge::Loop {
            merge: PlanBlock::new(merge as usize),
            continue_target: PlanBlock::new(continue_target as usize),
        };
        let level = context.level + 1;
        let latch = self.placement[header].latch;
        self.loops.push(OpenLoop { header, latch, merge, continue_target, header_label, level });
        let in_loop = self.loops.len() - 1;

        let after = self.kept(self.placement.children_in(header, Role::After));
        self.await_at(after, self.top());
        // A case is entered again through the switch, so it stays where the flat form placed it.
        if self.pieces.get(header as usize) != Some(&Piece::Root) {
            self.states[header as usize].home = level;
        }
        self.states[header as usize].is_open_header = true;
        if latch != NONE {
            self.states[latch as usize].home = level;
        }
        let own = self.placement.children_in(header, Role::Own);
        let mut joins = JoinList::new();
        for &join in own {
            self.states[join as usize].home = level;
        }
        self.joins.prepend(&mut joins, own, self.top() + 1, self.placement);
        head.has_loop_merge = true;
        head.begins_loop = true;
        let inner = Context {
            next: None,
            around: Around::Loop,
            switch: None,
            switch_level: 0,
            in_loop: Some(in_loop),
            level,
            depth: context.depth + 1,
        };
        let steps = &mut self.steps;
        steps.push(Step::Land { label: merge, near: header, of: MergeOf::Loop });
        if !is_alone {
            steps.push(Step::Continue { in_loop });
        }
        steps.push(Step::Region { start: Start::Head(Box::new(head)), context: inner, joins, is_scoped: false });
    }

    /// Returns whether the loop is one block that branches to itself, and does not end in a switch.
    fn is_one_block_loop(&self, header: Node) -> bool {
        self.work.kinds[header as usize] == NodeKind::Input
            && self.placement.children_in(header, Role::Own).is_empty()
            && self.placement.children_in(header, Role::Arm).is_empty()
            && self.placement[header].latch == NONE
            && self.work.edges_of(header).iter().any(|edge| edge.target == header)
    }

    /// Places the continue target: the chosen latch, or an added block.
    pub(super) fn place_continue(&mut self, in_loop: usize) -> Result<(), Fallback> {
        let open = self.loops[in_loop];
        if open.latch != NONE {
            return self.place_latch(&open);
        }
        let header = self.work.input_near(open.header);
        let block = self.new_block(Origin::Added(Reason::Latch { header }));
        self.labels[open.continue_target as usize].block = Some(block);
        let Waiting { ports, .. } = self.labels.take(open.continue_target);
        self.blocks[block.index()].has_selector = ports.len() > 1;
        let mut edge = self.plain_edge(open.header_label);
        edge.selector = Some(self.forward(block, &ports));
        self.blocks[block.index()].terminator = Terminator::Branch(edge);
        Ok(())
    }

    fn place_latch(&mut self, open: &OpenLoop) -> Result<(), Fallback> {
        let head = self.new_head(open.latch, open.continue_target);
        self.place(head.block, open.latch);
        let label_of = |target: Node| -> LabelId { if target == open.header { open.header_label } else { open.merge } };
        let mut ways: SmallVec<[(LabelId, Choices); 2]> = SmallVec::new();
        for index in self.work.edge_range(open.latch) {
            let label = label_of(self.work.edges[index].target);
            let choices = Choices::Edges(SmallVec::from_slice(&[index as u32]));
            match ways.iter_mut().find(|(other, _)| *other == label) {
                Some((_, all)) => all.unite(choices),
                None => ways.push((label, choices)),
            }
        }
        let mut edges = SmallVec::<[_; 2]>::new();
        for (label, choices) in ways {
            let edge = self.connect(&head, choices.clone(), label);
            edges.push((choices, edge));
        }
        let second = edges.pop();
        let first = edges.pop();
        self.blocks[head.block.index()].terminator = match (first, second) {
            (Some((choices, edge)), Some((others, other))) => {
                self.conditional(&head, [(&choices, edge), (&others, other)])
            }
            (None, Some((_, edge))) => Terminator::Branch(edge),
            _ => return Err(Fallback::NoRoute),
        };
        Ok(())
    }
}
