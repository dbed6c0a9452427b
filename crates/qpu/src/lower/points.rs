//! Points: the next place in execution order where lanes may wait, for control to go to when all lanes of a list have left it.

use reconverge_control_tree::{ConstructKind, Jump, List, Node, Owner, Role};
use reconverge_ir::{Block, Op, OpGroup};

use super::{Flow, Lowering};
use crate::select::emit::Label;

/// A place where lanes may wait.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Point {
    /// A block.
    Block(Block),
    /// The latch of this header: lanes reconverge there that go back.
    Latch(Block),
    /// The end of the function.
    End,
}

impl Lowering<'_, '_> {
    /// The point after a list.
    fn behind(&self, list: List) -> Point {
        let flow = self.select.values.flow;
        let tree = flow.tree();
        let Owner::Construct(construct, role) = tree.owner(list) else { return Point::End };
        let data = tree.construct(construct);
        match data.kind {
            ConstructKind::Exit => {
                let lists = flow.lists(data);
                let place = lists.iter().position(|&other| other == list).unwrap_or(0);
                let mut later = lists[place + 1..].iter().map(|&other| tree.first_block(other));
                if let Some(first) = later.find(|first| self.resumed.contains(first)) {
                    return Point::Block(first);
                }
                match tree.next(data.opener).filter(|next| self.resumed.contains(next)) {
                    Some(next) => Point::Block(next),
                    None => self.behind(data.parent),
                }
            }
            ConstructKind::Loop => {
                let header = data.loop_header;
                let target = data.continue_target.filter(|&target| flow.collects(target));
                let goes_back = header.filter(|header| self.latched.contains(header));
                match (target, goes_back) {
                    (Some(target), _) if role == Role::Body && Some(target) != header => Point::Block(target),
                    (_, Some(header)) => Point::Latch(header),
                    _ => self.merge_of(data.merge),
                }
            }
            ConstructKind::If | ConstructKind::Scope | ConstructKind::Switch => {
                let lists = flow.lists(data);
                let place = lists.iter().position(|&other| other == list).unwrap_or(0);
                let later = lists[place + 1..].iter().map(|&other| tree.first_block(other));
                for first in later.filter(|first| !self.absorbed.contains(first)) {
                    if self.waits(first) {
                        return Point::Block(first);
                    }
                    if let Some(next) = self.waiting_neighbour(first) {
                        return Point::Block(next);
                    }
                }
                self.merge_of(data.merge)
            }
        }
    }

    pub(super) fn merge_of(&self, merge: Option<Block>) -> Point {
        merge.map_or(Point::End, Point::Block)
    }

    /// The block directly after a block in its list, with no construct between them, if lanes wait there.
    fn waiting_neighbour(&self, block: Block) -> Option<Block> {
        let tree = self.select.values.flow.tree();
        let nodes = tree.nodes(tree.list_of(block)?);
        let place = nodes.iter().position(|&node| node == Node::Block(block))?;
        match nodes.get(place + 1) {
            Some(&Node::Block(next)) if self.waits(next) && tree.closed_by(next).is_none() => Some(next),
            _ => None,
        }
    }

    /// The point after a block whose lanes have all left.
    pub(super) fn behind_block(&self, block: Block) -> Point {
        if let Some(next) = self.waiting_neighbour(block) {
            return Point::Block(next);
        }
        let list = self.select.values.flow.tree().list_of(block).expect("invariant: visited blocks are in lists");
        self.behind(list)
    }

    /// Returns whether the entrance of a block needs no test: lanes are there whenever control reaches it, or its code costs less than the
    /// test. After a conditional exit no lane may be left.
    pub(super) fn needs_no_test(&self, block: Block) -> bool {
        let tree = self.select.values.flow.tree();
        match tree.closed_by(block) {
            Some(construct) => tree.construct(construct).kind != ConstructKind::Exit && !self.open.contains(&construct),
            None => self.is_cheap(block),
        }
    }

    /// Returns whether executing a block without lanes is harmless, and costs less than a test and a branch: few instructions without
    /// effects, and a jump to the merge block of its construct, where the other lanes of the construct are.
    pub(super) fn is_cheap(&self, block: Block) -> bool {
        /// Instructions of a test and a branch.
        const COST: usize = 5;
        /// Instructions of a product.
        const PRODUCT: usize = 5;
        let module = self.select.values.module;
        let tree = self.select.values.flow.tree();
        let Some(list) = tree.list_of(block).filter(|&list| tree.nodes(list).len() == 1) else { return false };
        let jump = module.out_edges(block).next().and_then(|edge| tree.jump(edge));
        let goes_to_lanes = match (jump, tree.owner(list)) {
            (Some(Jump::Merge(target)), Owner::Construct(own, _)) => target == own && !self.open.contains(&own),
            _ => false,
        };
        let mut count = 0;
        goes_to_lanes
            && module.children(block).all(|inst| {
                let op = module.op(inst);
                let is_plain = op.effects().is_pure()
                    && !matches!(op.group(), OpGroup::IntegerDivision | OpGroup::FloatArithmetic | OpGroup::Extended);
                count += if op == Op::IMul { PRODUCT } else { 1 };
                (op == Op::Branch || is_plain) && count <= COST
            })
    }

    /// Goes to a point.
    pub(super) fn go(&mut self, point: Point, flow: Flow) {
        if self.is_next(point) {
            self.flow = flow;
            return;
        }
        let label = match (point, flow) {
            (Point::Block(block), Flow::Active) => self.labels(block).block,
            _ => self.entrance_label(point),
        };
        self.select.emit.jump(label);
        self.flow = Flow::None;
    }

    /// Returns whether the code of a point is written next.
    pub(super) fn is_next(&self, point: Point) -> bool {
        self.next == Some(point)
    }

    /// The point that is written after a block.
    pub(super) fn next_of(&self, block: Block) -> Point {
        if let Some(&header) = self.latch_places.get(&block).and_then(|headers| headers.first()) {
            return Point::Latch(header);
        }
        self.next_block(block).map_or(Point::End, Point::Block)
    }

    /// The next block that has code.
    pub(super) fn next_block(&self, block: Block) -> Option<Block> {
        let behind = &self.select.values.flow.blocks()[self.places[&block] + 1..];
        behind.iter().copied().find(|next| !self.absorbed.contains(next))
    }

    pub(super) fn latch(&mut self, header: Block) -> Label {
        if let Some(&latch) = self.latches.get(&header) {
            return latch;
        }
        let latch = self.select.emit.label();
        self.latches.insert(header, latch);
        latch
    }

    /// Goes after a block if no lane waits there or comes there.
    pub(super) fn skip_without_lanes(&mut self, block: Block) {
        let index = self.index(block);
        let behind = self.behind_block(block);
        let label = self.entrance_label(behind);
        self.branch_unless_waiting(index, label);
    }

    /// The label where a point is entered without knowing whether lanes wait there.
    pub(super) fn entrance_label(&mut self, point: Point) -> Label {
        match point {
            Point::Block(block) => {
                let labels = self.labels(block);
                if self.waits(block) {
                    self.entered.insert(block);
                    labels.entrance
                } else {
                    labels.block
                }
            }
            Point::Latch(header) => self.latch(header),
            Point::End => self.end,
        }
    }
}
