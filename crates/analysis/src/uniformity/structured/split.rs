//! The effect of a divergent branch in a structured function: the places where lanes reconverge, and the blocks that they execute
//! separately.

use reconverge_control_tree::ConstructKind;
use smallvec::SmallVec;

use super::reach::{BACK, BREAK, CONTINUE, END, OWN, STAYS, SWITCH};
use super::{Item, Structured};
use crate::uniformity::body::NONE;
use crate::uniformity::event::{Event, Side};
use crate::uniformity::regions::ROOT;

/// Places outside a construct where lanes can reconverge.
const OUTSIDE: u8 = END | SWITCH | CONTINUE | BREAK | BACK;
/// The extent of separation.
const TO_SWITCH: u8 = 1;
const TO_LOOP: u8 = 2;

/// The places that each edge of a construct reaches: usually there are few edges.
type Ways = SmallVec<[u8; 16]>;

impl Structured {
    /// The region of a block.
    pub(in crate::uniformity) fn region(&self, node: u32) -> u32 {
        let list = self.layout.places[node as usize].0;
        self.layout.lists.get(list as usize).map_or(ROOT, |list| list.region)
    }

    /// The branch that separates lanes of the block from others that entered the function with them, as far as reported until now.
    pub(in crate::uniformity) fn separator(&self, node: u32) -> Option<u32> {
        let (list, position) = self.layout.places[node as usize];
        let marks = self.marks.get(list as usize)?;
        (position >= marks.separated).then_some(marks.cause)
    }

    /// Returns whether lanes may have returned or ended before the block, while others continue.
    pub(in crate::uniformity) fn is_left(&self, node: u32) -> bool {
        let (list, position) = self.layout.places[node as usize];
        self.marks.get(list as usize).is_none_or(|marks| position >= marks.left)
    }

    /// Records that lanes diverge at the end of the block. Returns the consequences.
    pub(in crate::uniformity) fn split(&mut self, node: u32, events: &mut Vec<Event>) {
        let construct = self.layout.opened[node as usize];
        let Some(data) = self.layout.constructs.get(construct as usize) else { return };
        let ways = Ways::from_slice(&self.layout.ways[data.ways.0 as usize..data.ways.1 as usize]);
        if ways.len() < 2 {
            return;
        }
        let (kind, list, position, merge) = (data.kind, data.list, data.position, data.merge);
        if merge != NONE && ways.iter().filter(|&&way| way & OWN != 0).count() >= 2 {
            events.push(Event::Join { node: merge, branch: node, side: Side::Forward });
        }
        self.meet(construct, &ways, node, events);
        let (first, end) = self.layout.constructs[construct as usize].lists;
        for own in first..end {
            let own = self.layout.own_lists[own as usize];
            self.separate(own, 0, node);
            let data = &self.layout.lists[own as usize];
            // Lanes arrive at a join of a scope over one edge at a time: their values differ, but not among those that are together.
            if matches!(kind, ConstructKind::Switch | ConstructKind::Scope) && data.entries > 0 {
                events.push(Event::Active { region: data.region, branch: node });
            }
            if kind == ConstructKind::Switch && data.entries > 0 {
                self.join_entries(own, node, events);
            }
        }
        self.separate_rest(list, position + 1, self.jumps(construct, &ways), node);
    }

    /// The places outside the construct that its lanes reach before they reconverge, if an edge jumps past its merge block.
    fn jumps(&self, construct: u32, ways: &[u8]) -> u8 {
        let rest = self.layout.constructs[construct as usize].rest;
        let is_jump = ways.iter().any(|&way| way & OUTSIDE != 0);
        let all = ways.iter().fold(0, |all, &way| all | way | if way & OWN != 0 { rest } else { 0 });
        if is_jump { all & OUTSIDE } else { 0 }
    }

    /// Finds the places outside the construct where lanes reconverge that took different edges.
    fn meet(&mut self, construct: u32, ways: &[u8], node: u32, events: &mut Vec<Event>) {
        let jumps = self.jumps(construct, ways);
        let data = &self.layout.constructs[construct as usize];
        let (list, after) = (data.list, data.after);
        // The places that each edge reaches by its own jumps, and all places that it reaches.
        let (mut own, mut all) = (Ways::new(), Ways::new());
        let is_one = jumps.count_ones() == 1;
        for &way in ways {
            let reached = way & !OWN;
            let own_reached = reached | if is_one { 0 } else { self.layout.beyond(list, reached) };
            own.push(own_reached);
            all.push(own_reached | if way & OWN != 0 { after } else { 0 });
        }
        let places = if is_one {
            jumps
        } else if jumps == 0 {
            0
        } else {
            OUTSIDE
        };
        for place in [END, SWITCH, CONTINUE, BREAK] {
            if places & place != 0
                && Self::parts(&own, &all, place, place)
                && let Some(target) = self.place(list, place)
            {
                events.push(Event::Join { node: target, branch: node, side: Side::Forward });
            }
        }
        let leaves = |first, second| Self::parts(&own, &all, first, second);
        if !is_one && jumps != 0 && (leaves(BREAK, STAYS) || leaves(STAYS, BREAK)) {
            self.leave_loop(self.layout.lists[list as usize].looped, node, events);
        }
    }

    /// Returns whether one edge jumps to the first place itself while another reaches the second.
    fn parts(own: &[u8], all: &[u8], first: u8, second: u8) -> bool {
        let others = all.iter().filter(|&&way| way & second != 0).count();
        own.iter().zip(all).any(|(&own, &all)| own & first != 0 && others > usize::from(all & second != 0))
    }

    /// The block of a bit, relative to a list.
    fn place(&self, list: u32, place: u8) -> Option<u32> {
        let list = &self.layout.lists[list as usize];
        let block = match place {
            END => self.layout.constructs.get(list.frame as usize)?.merge,
            SWITCH => self.layout.constructs.get(list.switch as usize)?.merge,
            CONTINUE => self.layout.constructs.get(list.looped as usize)?.continue_target,
            BREAK => self.layout.constructs.get(list.looped as usize)?.merge,
            _ => NONE,
        };
        (block != NONE).then_some(block)
    }

    /// Lanes may enter a case over several edges of the switch itself, together or not: the case's own block is a join.
    fn join_entries(&self, list: u32, branch: u32, events: &mut Vec<Event>) {
        let data = &self.layout.lists[list as usize];
        let blocks = self.layout.items[data.items.0 as usize..data.items.1 as usize].iter().take(2);
        for item in blocks {
            if let (Item::Block(node), true) = (*item, data.entries > 1) {
                events.push(Event::Join { node, branch, side: Side::Forward });
            }
        }
    }

    /// Records that lanes leave a loop in different iterations.
    fn leave_loop(&mut self, looped: u32, branch: u32, events: &mut Vec<Event>) {
        let Some(data) = self.layout.constructs.get(looped as usize) else { return };
        let (merge, region, (first, end)) = (data.merge, data.region, data.lists);
        events.push(Event::Active { region, branch });
        if merge != NONE {
            events.push(Event::Join { node: merge, branch, side: Side::Forward });
        }
        for own in first..end {
            self.separate(self.layout.own_lists[own as usize], 0, branch);
        }
    }

    /// Marks the rest of the list as executed without the lanes that jumped over it, up to the place where they reconverge.
    fn separate_rest(&mut self, list: u32, from: u32, jumps: u8, branch: u32) {
        if jumps == 0 {
            return;
        }
        let is_far = jumps & (CONTINUE | BREAK | BACK) != 0;
        let until = if is_far { TO_LOOP } else { u8::from(jumps & SWITCH != 0) * TO_SWITCH };
        let (mut list, mut from) = (list, from);
        loop {
            self.separate(list, from, branch);
            let (data, marks) = (&self.layout.lists[list as usize], &mut self.marks[list as usize]);
            // The frame is the start of the switch or the loop, where the lanes reconverge.
            let is_met = match until {
                TO_LOOP => data.frame == data.looped,
                TO_SWITCH => data.frame == data.switch,
                _ => !self
                    .layout
                    .constructs
                    .get(data.owner as usize)
                    .is_some_and(|owner| owner.kind == ConstructKind::Exit),
            };
            if is_met || data.owner == NONE || (until != 0 && marks.climbed & until != 0) {
                return;
            }
            marks.climbed |= until;
            let owner = &self.layout.constructs[data.owner as usize];
            (list, from) = (owner.list, owner.position + 1);
        }
    }

    /// Marks the items of a list from an index on as executed separately. Each item is marked once.
    fn separate(&mut self, list: u32, from: u32, branch: u32) {
        let mut stack = vec![(list, from)];
        while let Some((list, from)) = stack.pop() {
            let (data, marks) = (&self.layout.lists[list as usize], &mut self.marks[list as usize]);
            let end = marks.separated.min(data.items.1 - data.items.0);
            if from >= end {
                if data.falls_into != NONE && marks.separated == NONE {
                    stack.push((data.falls_into, 0));
                }
                continue;
            }
            marks.separated = from;
            marks.cause = branch;
            let first = data.items.0;
            if data.falls_into != NONE {
                stack.push((data.falls_into, 0));
            }
            self.push_inside(first + from..first + end, &mut stack);
        }
    }

    /// A branch after which lanes may have left the function, or the block of a call in which they may end.
    pub(in crate::uniformity) fn leaver(&self) -> Option<u32> {
        (self.leaver != NONE).then_some(self.leaver)
    }

    /// The lists of the constructs among some items.
    fn push_inside(&self, items: std::ops::Range<u32>, stack: &mut Vec<(u32, u32)>) {
        for item in items {
            if let Item::Construct(construct) = self.layout.items[item as usize] {
                let (first, end) = self.layout.constructs[construct as usize].lists;
                stack.extend(self.layout.own_lists[first as usize..end as usize].iter().map(|&list| (list, 0)));
            }
        }
    }

    /// Records that lanes leave the function in a block, or end in a callee of it, while others continue.
    pub(in crate::uniformity) fn leave_at(&mut self, node: u32) {
        let (list, position) = self.layout.places[node as usize];
        if list != NONE {
            self.leave(list, position, node);
        }
    }

    /// Records that lanes have left the function before this item of a list, while others continue: they are missing in all later items,
    /// and in every iteration of the enclosing loops.
    fn leave(&mut self, list: u32, from: u32, branch: u32) {
        if self.leaver == NONE {
            self.leaver = branch;
        }
        let (mut list, mut from) = (list, from);
        loop {
            let is_known = self.marks[list as usize].left != NONE;
            self.mark_left(list, from);
            let Some(owner) = self.layout.constructs.get(self.layout.lists[list as usize].owner as usize) else {
                return;
            };
            if is_known {
                return;
            }
            let next = (owner.list, owner.position + 1);
            if owner.kind == ConstructKind::Loop {
                let (first, end) = owner.lists;
                for own in first..end {
                    self.mark_left(self.layout.own_lists[own as usize], 0);
                }
            }
            (list, from) = next;
        }
    }

    fn mark_left(&mut self, list: u32, from: u32) {
        let mut stack = vec![(list, from)];
        while let Some((list, from)) = stack.pop() {
            let (data, marks) = (&self.layout.lists[list as usize], &mut self.marks[list as usize]);
            let end = marks.left.min(data.items.1 - data.items.0);
            if from >= end {
                if data.falls_into != NONE && marks.left == NONE {
                    stack.push((data.falls_into, 0));
                }
                marks.left = marks.left.min(from);
                continue;
            }
            marks.left = from;
            let first = data.items.0;
            if data.falls_into != NONE {
                stack.push((data.falls_into, 0));
            }
            self.push_inside(first + from..first + end, &mut stack);
        }
    }
}
