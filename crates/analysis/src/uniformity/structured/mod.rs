//! Reconvergence in a structured function: exactly as maximal reconvergence specifies.
//!
//! Lanes that diverged reconverge at the merge block of a selection, at the continue target and the break block of a loop and after a call,
//! and nowhere else. So all lanes that entered a list of the control tree together, and are still in it, execute each of its blocks
//! together, in the same iteration of every loop; only a case with fall-through, and the code at the join of a scope, may be executed by
//! several groups of them one after another.
//!
//! A list can reach only a few places: the merge block at its end, that of the innermost switch, continue target and break block of the
//! innermost loop, the end of the function. With these as bits, a divergent branch is processed in time proportional to its edges: a place
//! is a join of diverged lanes exactly if one edge jumps there and another reaches it too.
//!
//! ```text
//! if d {            ways:  {CONTINUE}  {MERGE}
//!   continue        behind the merge: {CONTINUE, BREAK}
//! }                 ⇒ separated lanes meet at the continue target, not at the merge, which only the second way reaches;
//! rest                the rest of the list is run without those that continued
//! ```
//!
//! Each list is marked at most once for each position, and the search stops at marked lists: linear altogether.

use std::sync::Arc;

use reconverge_control_tree::{ConstructKind, ControlTree, Jump, Node as TreeNode, Owner};
use reconverge_ir::{Module, Op};
use smallvec::SmallVec;

use crate::uniformity::body::{Body, NONE};
use crate::uniformity::regions::{ROOT, Regions};

mod split;

/// Places that an edge can reach, relative to a list.
mod reach {
    /// The merge block of the selection that the list belongs to.
    pub(in crate::uniformity) const END: u8 = 1;
    /// The merge block of the innermost switch, from a selection in it.
    pub(in crate::uniformity) const SWITCH: u8 = 2;
    /// The continue target of the innermost loop.
    pub(in crate::uniformity) const CONTINUE: u8 = 4;
    /// The break block of the innermost loop.
    pub(in crate::uniformity) const BREAK: u8 = 8;
    /// The caller.
    pub(in crate::uniformity) const RETURN: u8 = 16;
    /// The header of the innermost loop, for another iteration.
    pub(in crate::uniformity) const BACK: u8 = 32;
    /// Nowhere: the lane ends.
    pub(in crate::uniformity) const DIES: u8 = 64;
    /// The merge block of the construct itself, or the next block after a conditional exit.
    pub(in crate::uniformity) const OWN: u8 = 128;
    /// Places in another iteration.
    pub(in crate::uniformity) const STAYS: u8 = CONTINUE | BACK;
    /// Places that are inside the loop.
    pub(in crate::uniformity) const INSIDE_LOOP: u8 = END | SWITCH | CONTINUE | BREAK | BACK;
}
use reach::{BACK, BREAK, CONTINUE, DIES, END, INSIDE_LOOP, OWN, RETURN, SWITCH};

/// The function that the structure is read from.
struct Source<'a> {
    module: &'a Module,
    body: &'a Body,
    tree: &'a ControlTree,
}

/// A list of the control tree.
#[derive(Clone, Debug)]
struct ListData {
    /// The construct that it belongs to, [`NONE`] for the function.
    owner: u32,
    /// The innermost selection or loop that it belongs to, ignoring conditional exits.
    frame: u32,
    /// The innermost switch, and the innermost loop.
    switch: u32,
    looped: u32,
    items: (u32, u32),
    region: u32,
    reach: u8,
    /// The list that it falls through to or joins, and the number of lists that fall through to this one.
    falls_into: u32,
    entries: u32,
    is_closed: bool,
}

/// The results for a list.
#[derive(Clone, Copy, Debug)]
struct Marks {
    /// The first item that diverged lanes execute separately, and the first that lanes may have returned before.
    separated: u32,
    left: u32,
    /// The branch that separates them.
    cause: u32,
    /// The constructs that separation was propagated outwards to: the switch, the loop.
    climbed: u8,
}

impl Marks {
    const NOTHING: Marks = Marks { separated: NONE, left: NONE, cause: NONE, climbed: 0 };
}

#[derive(Clone, Copy, Debug)]
enum Item {
    Block(u32),
    Construct(u32),
}

/// A construct of the control tree.
#[derive(Clone, Debug)]
struct ConstructData {
    kind: ConstructKind,
    list: u32,
    /// Its index among the items of the list.
    position: u32,
    /// Its merge block and, of a loop, its continue target.
    merge: u32,
    continue_target: u32,
    region: u32,
    lists: (u32, u32),
    ways: (u32, u32),
    /// The places reached from the rest of its list, and all places reached after it.
    rest: u8,
    after: u8,
}

/// The structure of a function, and the facts about its lanes. Copies share the layout.
#[derive(Clone, Debug)]
pub(in crate::uniformity) struct Structured {
    layout: Arc<Layout>,
    /// By list.
    marks: Vec<Marks>,
    leaver: u32,
}

/// The structure of a function.
#[derive(Debug)]
struct Layout {
    lists: Vec<ListData>,
    constructs: Vec<ConstructData>,
    items: Vec<Item>,
    /// For each item, the places reached from there to the end of its list.
    suffixes: Vec<u8>,
    /// Lists by construct.
    own_lists: Vec<u32>,
    /// The places that each edge of a construct reaches, relative to the list of the construct.
    ways: Vec<u8>,
    /// By node, its list and item.
    places: Vec<(u32, u32)>,
    /// By node, the construct that it opens.
    opened: Vec<u32>,
}

impl Structured {
    /// The structure; `None` if the function has no control tree. Linear in blocks and edges.
    pub(in crate::uniformity) fn compute(module: &Module, body: &Body) -> Option<(Structured, Regions)> {
        let tree = ControlTree::compute(module, body.function()).ok()?;
        let (layout, regions) = Layout::compute(module, body, &tree);
        let marks = vec![Marks::NOTHING; layout.lists.len()];
        Some((Structured { layout: Arc::new(layout), marks, leaver: NONE }, regions))
    }
}

impl Layout {
    fn compute(module: &Module, body: &Body, tree: &ControlTree) -> (Layout, Regions) {
        let mut layout = Layout {
            lists: Vec::new(),
            constructs: Vec::new(),
            items: Vec::new(),
            suffixes: Vec::new(),
            own_lists: Vec::new(),
            ways: Vec::new(),
            places: vec![(NONE, 0); body.graph().len()],
            opened: vec![NONE; body.graph().len()],
        };
        layout.read_constructs(body, tree);
        layout.read_lists(body, tree);
        let regions = layout.lay_out_regions();
        layout.reach_up(&Source { module, body, tree });
        layout.reach_down();
        (layout, regions)
    }

    fn read_constructs(&mut self, body: &Body, tree: &ControlTree) {
        let node = |block| body.node_of(block);
        for (index, data) in tree.constructs().enumerate() {
            let first = self.own_lists.len() as u32;
            self.own_lists.extend(data.lists.iter().map(|list| list.index() as u32));
            self.constructs.push(ConstructData {
                kind: data.kind,
                list: data.parent.index() as u32,
                position: 0,
                merge: data.merge.map_or(NONE, node),
                continue_target: data.continue_target.map_or(NONE, node),
                region: ROOT,
                lists: (first, self.own_lists.len() as u32),
                ways: (0, 0),
                rest: 0,
                after: 0,
            });
            if let Some(slot) = self.opened.get_mut(node(data.opener) as usize) {
                *slot = index as u32;
            }
        }
    }

    fn read_lists(&mut self, body: &Body, tree: &ControlTree) {
        for list in tree.lists() {
            let number = list.index() as u32;
            let first = self.items.len() as u32;
            for (position, &node) in tree.nodes(list).iter().enumerate() {
                match node {
                    TreeNode::Block(block) => {
                        let node = body.node_of(block);
                        self.places[node as usize] = (number, position as u32);
                        self.items.push(Item::Block(node));
                    }
                    TreeNode::Construct(construct) => {
                        let index = self.opened[body.node_of(construct.opener()) as usize];
                        self.constructs[index as usize].position = position as u32;
                        self.items.push(Item::Construct(index));
                    }
                }
            }
            let data = self.list_data(body, tree.owner(list), first);
            self.lists.push(data);
        }
    }

    /// The data of a list whose items are the last ones, from `first` on.
    fn list_data(&self, body: &Body, owner: Owner, first: u32) -> ListData {
        let mut data = ListData {
            owner: NONE,
            frame: NONE,
            switch: NONE,
            looped: NONE,
            items: (first, self.items.len() as u32),
            region: ROOT,
            reach: 0,
            falls_into: NONE,
            entries: 0,
            is_closed: false,
        };
        let Owner::Construct(construct, _) = owner else { return data };
        data.owner = self.opened[body.node_of(construct.opener()) as usize];
        let around = &self.lists[self.constructs[data.owner as usize].list as usize];
        (data.frame, data.switch, data.looped) = match self.constructs[data.owner as usize].kind {
            ConstructKind::Exit => (around.frame, around.switch, around.looped),
            ConstructKind::If | ConstructKind::Scope => (data.owner, around.switch, around.looped),
            ConstructKind::Switch => (data.owner, data.owner, around.looped),
            ConstructKind::Loop => (data.owner, NONE, data.owner),
        };
        data
    }

    /// Creates a region for each loop; those of cases follow when it is known which are entered by fall-through.
    fn lay_out_regions(&mut self) -> Regions {
        // Every case has a region, and so have the lists of a scope: it is active only where several groups of lanes execute it.
        let mut parents = vec![ROOT];
        let mut fresh = |parent: u32| {
            parents.push(parent);
            parents.len() as u32 - 1
        };
        for list in 1..self.lists.len() {
            let owner = self.lists[list].owner as usize;
            let around = self.lists[self.constructs[owner].list as usize].region;
            self.lists[list].region = match self.constructs[owner].kind {
                ConstructKind::Loop if self.constructs[owner].region == ROOT => {
                    self.constructs[owner].region = fresh(around);
                    self.constructs[owner].region
                }
                ConstructKind::Loop => self.constructs[owner].region,
                ConstructKind::Switch | ConstructKind::Scope => fresh(around),
                ConstructKind::If | ConstructKind::Exit => around,
            };
        }
        let (regions, numbers) = Regions::compute(&parents);
        for list in &mut self.lists {
            list.region = numbers[list.region as usize];
        }
        for construct in &mut self.constructs {
            construct.region = numbers[construct.region as usize];
        }
        regions
    }

    /// Computes the places that each list reaches, inner ones first.
    fn reach_up(&mut self, source: &Source<'_>) {
        self.suffixes = vec![0; self.items.len()];
        for list in (0..self.lists.len()).rev() {
            let (first, end) = self.lists[list].items;
            let mut reached = 0;
            for item in (first..end).rev() {
                reached |= match self.items[item as usize] {
                    Item::Block(node) => self.block_reach(source, list, node),
                    Item::Construct(construct) => self.construct_reach(construct),
                };
                self.suffixes[item as usize] = reached;
            }
            self.lists[list].reach = reached;
        }
    }

    /// The places that the end of a block reaches outside its list. Records the case that it falls through to or the join that it leads to,
    /// and the edges of a construct that it opens.
    fn block_reach(&mut self, source: &Source<'_>, list: usize, node: u32) -> u8 {
        let &Source { module, body, tree } = source;
        let block = body.block(node);
        match module.terminator(block).map(|last| module.op(last)) {
            Some(Op::Return | Op::ReturnValue) => RETURN,
            Some(Op::Unreachable) | None => 0,
            Some(Op::Branch | Op::Loop) => {
                let jump = module.out_edges(block).next().and_then(|edge| tree.jump(edge));
                if let Some(Jump::FallThrough(target) | Jump::Join(target)) = jump {
                    self.note_fall(list, target.index() as u32);
                }
                jump.map_or(0, |jump| self.jump_reach(body, list, jump))
            }
            Some(Op::BranchIf | Op::If | Op::StructuredSwitch) => {
                self.read_ways(source, list, node);
                0
            }
            Some(_) => DIES,
        }
    }

    /// Records that lanes of the list, or of the one that it is a conditional exit of, can continue in another case, or at the join.
    fn note_fall(&mut self, list: usize, fallen: u32) {
        let mut from = list;
        while let Some(owner) = self.constructs.get(self.lists[from].owner as usize)
            && owner.kind == ConstructKind::Exit
        {
            from = owner.list as usize;
        }
        self.lists[from].falls_into = fallen;
        self.lists[fallen as usize].entries += 1;
    }

    /// The places that an edge out of a list reaches, relative to the list.
    fn jump_reach(&self, body: &Body, list: usize, jump: Jump) -> u8 {
        match jump {
            Jump::Enter(_) | Jump::Next | Jump::FallThrough(_) | Jump::Join(_) => 0,
            Jump::Merge(construct) => {
                let opener = body.node_of(construct.opener());
                let left = self.opened.get(opener as usize);
                if left == Some(&self.lists[list].frame) { END } else { SWITCH }
            }
            Jump::Break(_) => BREAK,
            Jump::Continue(_) => CONTINUE,
            Jump::Back(_) => BACK,
        }
    }

    /// Records the places that the edges of the construct reach that a block opens, equal targets once.
    fn read_ways(&mut self, source: &Source<'_>, list: usize, node: u32) {
        let &Source { module, body, tree } = source;
        let construct = self.opened[node as usize];
        let Some(data) = self.constructs.get(construct as usize) else { return };
        let (first_list, end_list) = data.lists;
        for own in first_list..end_list {
            self.close_falls(self.own_lists[own as usize]);
        }
        let mut targets: SmallVec<[(u32, u8); 4]> = SmallVec::new();
        for (target, edge) in body.successors(node).zip(module.out_edges(body.block(node))) {
            let Some(jump) = tree.jump(edge) else { continue };
            targets.push((target, self.way_reach(body, list, construct, jump)));
        }
        targets.sort_unstable_by_key(|&(target, _)| target);
        targets.dedup_by_key(|&mut (target, _)| target);
        let first = self.ways.len() as u32;
        self.ways.extend(targets.iter().map(|&(_, way)| way));
        self.constructs[construct as usize].ways = (first, self.ways.len() as u32);
    }

    /// Adds the places that the cases reach that a list falls through to. A case is processed once.
    fn close_falls(&mut self, list: u32) {
        let mut chain: SmallVec<[u32; 4]> = SmallVec::from_slice(&[list]);
        while let Some(&last) = chain.last() {
            let next = self.lists[last as usize].falls_into;
            if next == NONE || self.lists[last as usize].is_closed {
                break;
            }
            self.lists[last as usize].is_closed = true;
            chain.push(next);
        }
        for pair in chain.windows(2).rev() {
            self.lists[pair[0] as usize].reach |= self.lists[pair[1] as usize].reach;
        }
    }

    /// The places that an edge of a construct reaches, relative to the list of the construct.
    fn way_reach(&self, body: &Body, list: usize, construct: u32, jump: Jump) -> u8 {
        match jump {
            Jump::Next => OWN,
            Jump::Enter(target) | Jump::FallThrough(target) | Jump::Join(target) => {
                self.seen_outside(construct, self.lists[target.index()].reach)
            }
            Jump::Merge(left) if self.is_opened_at(body, construct, left) => OWN,
            jump => self.jump_reach(body, list, jump),
        }
    }

    fn is_opened_at(&self, body: &Body, construct: u32, other: reconverge_control_tree::Construct) -> bool {
        self.opened.get(body.node_of(other.opener()) as usize) == Some(&construct)
    }

    /// The places that a list of a construct reaches, relative to the list of the construct.
    fn seen_outside(&self, construct: u32, reached: u8) -> u8 {
        let data = &self.constructs[construct as usize];
        let own = if reached & END != 0 { OWN } else { 0 };
        match data.kind {
            ConstructKind::Exit => reached,
            ConstructKind::Loop => reached & !INSIDE_LOOP | if reached & BREAK != 0 { OWN } else { 0 },
            ConstructKind::Switch => reached & !(END | SWITCH) | own,
            ConstructKind::If | ConstructKind::Scope => {
                let leaves = if reached & SWITCH != 0 { self.switch_from(data.list as usize) } else { 0 };
                reached & !(END | SWITCH) | own | leaves
            }
        }
    }

    /// The merge block of the innermost switch, relative to a list.
    fn switch_from(&self, list: usize) -> u8 {
        if self.lists[list].frame == self.lists[list].switch { END } else { SWITCH }
    }

    /// The places that a construct reaches outside its list.
    fn construct_reach(&self, construct: u32) -> u8 {
        let (first, end) = self.constructs[construct as usize].lists;
        let lists = self.own_lists[first as usize..end as usize].iter();
        let inside =
            lists.fold(0, |reached, &list| reached | self.seen_outside(construct, self.lists[list as usize].reach));
        let (first, end) = self.constructs[construct as usize].ways;
        let direct = self.ways[first as usize..end as usize].iter().fold(0, |reached, &way| reached | way);
        (inside | direct) & !OWN
    }

    /// Computes the places that are reached after each construct, outer ones first.
    fn reach_down(&mut self) {
        for index in 0..self.constructs.len() {
            let data = &self.constructs[index];
            let list = &self.lists[data.list as usize];
            let behind = list.items.0 + data.position + 1;
            let mut after = if behind < list.items.1 { self.suffixes[behind as usize] } else { 0 };
            if let Some(fallen) = self.lists.get(list.falls_into as usize) {
                after |= fallen.reach;
            }
            let rest = after;
            after |= self.beyond(data.list, after);
            self.constructs[index].rest = rest;
            self.constructs[index].after = after;
        }
    }

    /// The places that are reached after the places that a list reaches, relative to that list.
    fn beyond(&self, list: u32, reached: u8) -> u8 {
        let list = &self.lists[list as usize];
        let mut beyond = 0;
        if let Some(frame) = self.constructs.get(list.frame as usize).filter(|_| reached & END != 0) {
            let leaves = self.switch_from(frame.list as usize);
            let is_selection = matches!(frame.kind, ConstructKind::If | ConstructKind::Scope);
            let is_at_end = is_selection && frame.after & leaves != 0 && list.switch != NONE;
            beyond |= frame.after & !(END | SWITCH) | if is_at_end { SWITCH } else { 0 };
        }
        if let Some(switch) = self.constructs.get(list.switch as usize).filter(|_| reached & SWITCH != 0) {
            beyond |= switch.after & !(END | SWITCH);
        }
        beyond
    }
}
