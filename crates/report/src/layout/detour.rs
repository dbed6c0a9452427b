//! Lines between the blocks of a structured function.
//!
//! ```text
//! ┌ if ──────────────────────┐
//! │ ┌ then ───┐ ┌ else ────┐ │     no block is in the frame of a box, between rows of lists, between nodes of a list, and below a list
//! │ │ ┌────┐  │ │          │ │     that is shorter than its row
//! │ │ └─┬──┘  │ └──────────┘ │
//! │ │   └───┐ │              │     an edge out of a list goes down in the frame of the list; if nothing is beside the list on that
//! │ └───────┼─┘              │     side, straight on to the frame of the list around it
//! │         │                │
//! └─────────┼────────────────┘
//! ┌─────┐   └──┐                   at the list that contains its target, it goes along the frame of that list, and comes in at the side
//! │     │◀─────┘
//! └─────┘
//! ```
//!
//! Into a construct, an edge goes to the gap above the row of the list, from there down to the top of its target: what is first in a list has
//! nothing above it.
//!
//! Linear in the lists that an edge leaves and enters.

use reconverge_control_tree::{Construct, ControlTree, List, Owner};
use reconverge_ir::Block;

use super::nested::{Boxes, FRAME, GAP, ListBox, TITLE};
use super::routes::{Arrival, LANES, Side, TIP};
use crate::report::Shape;

/// The boxes of a function.
pub(super) struct Frames<'a> {
    pub(super) tree: &'a ControlTree,
    pub(super) boxes: Boxes,
}

/// What an edge leaves and enters.
pub(super) struct Passage {
    pub(super) source: Shape,
    pub(super) target: Shape,
    /// The lists that it leaves, innermost first.
    pub(super) left: Vec<List>,
    /// The list that contains both ends.
    common: List,
    /// The lists that it enters, outermost first.
    entered: Vec<List>,
    /// The end that is not in the tree, if there is one.
    outside: Option<Shape>,
    /// True if it goes to another list of the construct whose list it leaves.
    is_in_construct: bool,
    /// True if it can go through the gap below its source.
    pub(super) is_near: bool,
}

/// The gap from which an edge enters a list.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Place {
    AboveConstruct,
    AboveRow,
}

/// Where an edge is while it is drawn.
struct Walk {
    side: Side,
    lane: u32,
    bends: Vec<[u32; 2]>,
    /// True if it is in the gap below the node that it left, otherwise it is beside it.
    is_below: bool,
}

impl Passage {
    /// How far it goes: through the gap, in its list, to another list of the construct, out of the construct, and so on.
    pub(super) fn reach(&self) -> usize {
        match self.is_near {
            true => 0,
            false => 1 + 2 * self.left.len() - usize::from(self.is_in_construct),
        }
    }
}

impl Frames<'_> {
    /// What an edge leaves and enters.
    pub(super) fn passage(&self, blocks: [Block; 2], [source, target]: [Shape; 2]) -> Passage {
        let root = self.tree.root();
        let lists = blocks.map(|block| self.tree.list_of(block));
        let outside = match lists {
            [None, _] => Some(source),
            [_, None] => Some(target),
            _ => None,
        };
        let [mut one, mut other] = lists.map(|list| list.unwrap_or(root));
        let (mut left, mut entered) = (Vec::new(), Vec::new());
        while one != other {
            if self.tree.depth(one) >= self.tree.depth(other) {
                left.push(one);
                one = self.around(one);
            } else {
                entered.push(other);
                other = self.around(other);
            }
        }
        entered.reverse();
        let is_in_construct =
            left.last().zip(entered.first()).is_some_and(|(&from, &to)| self.construct(from) == self.construct(to));
        let common = one;
        let mut passage = Passage { source, target, left, common, entered, outside, is_in_construct, is_near: false };
        passage.is_near = passage.left.is_empty() && outside.is_none() && self.is_straight(&passage);
        passage
    }

    /// Returns whether the target is directly below a node of the common list, in the first row of each construct and first in each list.
    fn is_straight(&self, passage: &Passage) -> bool {
        let first = passage.entered.first().map_or(passage.target, |&list| self.construct_of(list));
        let mut is_first = passage.entered.iter().enumerate().map(|(index, &list)| {
            let next = passage.entered.get(index + 1).map_or(passage.target, |&next| self.construct_of(next));
            let list = self.list(list);
            list.row.number == 0 && is_first(list, next)
        });
        first.y == passage.source.y + passage.source.h + GAP && is_first.all(|is_first| is_first)
    }

    /// The lines of an edge that is not near.
    pub(super) fn detour(&self, passage: &Passage, side: Side, lane: u32) -> (Vec<[u32; 2]>, Arrival) {
        let mut walk = Walk { side, lane, bends: Vec::new(), is_below: true };
        let arrival = match (passage.outside, passage.left.last(), passage.entered.first()) {
            (Some(outside), ..) => self.pass_outside(passage, outside, &mut walk),
            (None, Some(&from), Some(&to)) if passage.is_in_construct => {
                self.to_other_list(passage, [from, to], &mut walk)
            }
            _ => self.to_other_node(passage, &mut walk),
        };
        (walk.bends, arrival)
    }

    /// Between the tree and what is outside, and outside: nothing else is there.
    fn pass_outside(&self, passage: &Passage, outside: Shape, walk: &mut Walk) -> Arrival {
        passage.left.iter().for_each(|&list| self.leave(list, walk));
        let line = outside.x - LANES / 2 + walk.lane;
        let Some(&first) = passage.entered.first() else { return Arrival::Side(line) };
        walk.bends.push([line, self.construct_of(first).y - walk.lane]);
        self.enter(passage, Place::AboveConstruct, walk);
        Arrival::Top
    }

    /// From a list to another one of the same construct.
    fn to_other_list(&self, passage: &Passage, [from, to]: [List; 2], walk: &mut Walk) -> Arrival {
        let inner = passage.left.len() - 1;
        passage.left[..inner].iter().for_each(|&list| self.leave(list, walk));
        let (construct, [from, to]) = (self.construct_of(from), [from, to].map(|list| self.list(list)));
        let line = walk.inside(from.frame);
        let [below, above] = [from.row.bottom + walk.lane, to.row.top - walk.lane];
        if to.row.number == from.row.number + 1 {
            walk.bends.push([line, below]);
        } else if to.row.number == from.row.number {
            walk.bends.push([line, above]);
        } else {
            if !walk.is_clear(from) {
                walk.bends.push([line, below]);
            }
            if passage.entered.len() == 1 && walk.is_clear(to) {
                return Arrival::Side(walk.inside(construct));
            }
            walk.bends.push([walk.inside(construct), above]);
        }
        self.enter(passage, Place::AboveRow, walk);
        Arrival::Top
    }

    /// To another node of the common list.
    fn to_other_node(&self, passage: &Passage, walk: &mut Walk) -> Arrival {
        passage.left.iter().for_each(|&list| self.leave(list, walk));
        let node = passage.left.last().map_or(passage.source, |&list| self.construct_of(list));
        let next = passage.entered.first().map_or(passage.target, |&list| self.construct_of(list));
        let is_next = walk.is_below && next.y == node.y + node.h + GAP;
        let frame = self.list(passage.common).frame;
        if passage.entered.is_empty() && !is_next {
            return Arrival::Side(walk.beside(frame, passage.target));
        }
        if !is_next {
            walk.bends.push([walk.inside(frame), next.y - walk.lane]);
        }
        self.enter(passage, Place::AboveConstruct, walk);
        Arrival::Top
    }

    /// Out of a list, to the gap below its construct.
    fn leave(&self, list: List, walk: &mut Walk) {
        let (place, construct) = (self.list(list), self.construct_of(list));
        if walk.is_clear(place) {
            walk.is_below = false;
            return;
        }
        let line = walk.inside(place.frame);
        let bottom = construct.y + construct.h + walk.lane;
        if place.row.is_lowest {
            walk.bends.push([line, bottom]);
        } else {
            walk.bends.extend([[line, place.row.bottom + walk.lane], [walk.inside(construct), bottom]]);
        }
        walk.is_below = true;
    }

    /// From the gap above what is entered to that above the target.
    fn enter(&self, passage: &Passage, mut start: Place, walk: &mut Walk) {
        for (index, &list) in passage.entered.iter().enumerate() {
            let place = self.list(list);
            if place.row.number > 0 && start == Place::AboveConstruct {
                walk.bends.push([walk.inside(self.construct_of(list)), place.row.top - walk.lane]);
            }
            start = Place::AboveConstruct;
            let next = passage.entered.get(index + 1).map_or(passage.target, |&next| self.construct_of(next));
            if !is_first(place, next) {
                walk.bends.push([walk.inside(place.frame), next.y - walk.lane]);
            }
        }
    }

    fn list(&self, list: List) -> &ListBox {
        &self.boxes.lists[list.index()]
    }

    /// The construct of a list.
    fn construct(&self, list: List) -> Option<Construct> {
        match self.tree.owner(list) {
            Owner::Function => None,
            Owner::Construct(construct, _) => Some(construct),
        }
    }

    /// The box of the construct of a list; of the function, its own box.
    fn construct_of(&self, list: List) -> Shape {
        self.construct(list).map_or_else(|| self.list(list).frame, |construct| self.boxes.constructs[&construct])
    }

    /// The list that contains the construct of a list.
    fn around(&self, list: List) -> List {
        self.construct(list).map_or(list, |construct| self.tree.parent(construct))
    }
}

/// Returns whether a node is the first of its list.
fn is_first(list: &ListBox, node: Shape) -> bool {
    node.y == list.frame.y + FRAME + TITLE
}

impl Walk {
    /// Returns whether nothing is beside a list in its row.
    fn is_clear(&self, list: &ListBox) -> bool {
        match self.side {
            Side::Left => list.is_first,
            Side::Right => list.is_last,
        }
    }

    /// A line in the frame of a list or of a construct.
    fn inside(&self, frame: Shape) -> u32 {
        match self.side {
            Side::Left => frame.x + FRAME - self.lane,
            Side::Right => frame.x + frame.w - self.lane,
        }
    }

    /// A line beside a node of a list, with room for an arrow.
    fn beside(&self, frame: Shape, node: Shape) -> u32 {
        match self.side {
            Side::Left => frame.x.saturating_sub(self.lane).min(node.x - TIP),
            Side::Right => (frame.x + frame.w - self.lane).max(node.x + node.w + TIP),
        }
    }
}
