//! The tree during edits: lists as chains of blocks.
//!
//! A construct needs no entry of its own in its list: it follows the block that opens it. So a list is a chain of blocks, a construct is
//! identified by its opener, and every edit changes only the blocks at its ends.
//!
//! ```text
//! list 0:  entry ──▶ m                  opened: entry ↦ [list 1]
//! list 1:    h ──▶ latch                owner of list 1: (entry, Body)
//! ```
//!
//! A fragment has a nest of its own, whose list 0 is the removed code; lists move between nests when fragments do. A nest is a cache of
//! what the terminators define; the tests compare it with [`ControlTree::compute`] after every edit.

use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use crate::{ControlTree, Node, Owner, Role};
use reconverge_ir::Block;

/// The list that is not in a construct: that of a function or a fragment.
pub(crate) const ROOT: u32 = 0;

/// The position of a block.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Spot {
    pub(crate) list: u32,
    pub(crate) previous: Option<Block>,
    pub(crate) next: Option<Block>,
}

/// A list: the opener of its construct and its role, and its ends. Removed lists have no ends.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Chain {
    pub(crate) owner: Option<(Block, Role)>,
    pub(crate) ends: Option<(Block, Block)>,
}

/// Lists as chains of blocks.
#[derive(Clone, Debug)]
pub(crate) struct Nest {
    spots: FxHashMap<Block, Spot>,
    chains: Vec<Chain>,
    opened: FxHashMap<Block, SmallVec<[u32; 2]>>,
}

impl Nest {
    /// A nest with an empty root list.
    pub(crate) fn new() -> Nest {
        let chains = vec![Chain { owner: None, ends: None }];
        Nest { spots: FxHashMap::default(), chains, opened: FxHashMap::default() }
    }

    /// O(blocks).
    pub(crate) fn from_tree(tree: &ControlTree) -> Nest {
        let mut nest = Nest::new();
        nest.chains.clear();
        for list in tree.lists() {
            let owner = match tree.owner(list) {
                Owner::Function => None,
                Owner::Construct(construct, role) => Some((construct.opener(), role)),
            };
            let blocks = tree.nodes(list).iter().filter_map(|&node| match node {
                Node::Block(block) => Some(block),
                Node::Construct(_) => None,
            });
            let number = nest.add_chain(owner);
            let mut previous = None;
            for block in blocks {
                nest.put_after(number, previous, block);
                previous = Some(block);
            }
        }
        for construct in tree.constructs() {
            nest.opened.insert(construct.opener, construct.lists.iter().map(|list| list.0).collect());
        }
        nest
    }

    /// The position of a block; `None` if it is in no list.
    pub(crate) fn spot(&self, block: Block) -> Option<Spot> {
        self.spots.get(&block).copied()
    }

    /// The list of a block. Panics if it is in none.
    pub(crate) fn list(&self, block: Block) -> u32 {
        self.spots[&block].list
    }

    pub(crate) fn next(&self, block: Block) -> Option<Block> {
        self.spots.get(&block).and_then(|spot| spot.next)
    }

    pub(crate) fn previous(&self, block: Block) -> Option<Block> {
        self.spots.get(&block).and_then(|spot| spot.previous)
    }

    pub(crate) fn chain(&self, list: u32) -> Chain {
        self.chains[list as usize]
    }

    pub(crate) fn first(&self, list: u32) -> Option<Block> {
        self.chains[list as usize].ends.map(|(first, _)| first)
    }

    pub(crate) fn last(&self, list: u32) -> Option<Block> {
        self.chains[list as usize].ends.map(|(_, last)| last)
    }

    /// The lists of the construct that a block opens, by role.
    pub(crate) fn lists(&self, opener: Block) -> &[u32] {
        self.opened.get(&opener).map_or(&[], |lists| lists)
    }

    /// The list of a construct that has this role.
    pub(crate) fn list_of(&self, opener: Block, role: Role) -> Option<u32> {
        self.lists(opener).iter().copied().find(|&list| self.chains[list as usize].owner == Some((opener, role)))
    }

    pub(crate) fn is_opener(&self, block: Block) -> bool {
        self.opened.contains_key(&block)
    }

    /// The constructs around a list with the role of the list in each, innermost first.
    pub(crate) fn around(&self, list: u32) -> impl Iterator<Item = (Block, Role)> + '_ {
        let owner = |list: u32| self.chains[list as usize].owner;
        std::iter::successors(owner(list), move |&(opener, _)| owner(self.list(opener)))
    }

    fn add_chain(&mut self, owner: Option<(Block, Role)>) -> u32 {
        self.chains.push(Chain { owner, ends: None });
        self.chains.len() as u32 - 1
    }

    /// Adds a list that belongs to no construct.
    pub(crate) fn add_loose_list(&mut self) -> u32 {
        self.add_chain(None)
    }

    /// Adds a list with these blocks to the construct that `opener` opens, or will open.
    pub(crate) fn add_list(&mut self, opener: Block, role: Role, blocks: &[Block]) -> u32 {
        let list = self.add_chain(Some((opener, role)));
        let lists = self.opened.entry(opener).or_default();
        lists.push(list);
        let chains = &self.chains;
        lists.sort_by_key(|&list| chains[list as usize].owner.map(|(_, role)| role));
        let mut previous = None;
        for &block in blocks {
            self.put_after(list, previous, block);
            previous = Some(block);
        }
        list
    }

    /// Removes an empty list from its construct.
    pub(crate) fn remove_list(&mut self, opener: Block, list: u32) {
        self.opened.entry(opener).or_default().retain(|&mut other| other != list);
    }

    /// Records that a block opens a construct, which may have no list.
    pub(crate) fn open(&mut self, opener: Block) {
        self.opened.entry(opener).or_default();
    }

    /// Inserts a block into a list: after another one, or first.
    pub(crate) fn put_after(&mut self, list: u32, previous: Option<Block>, block: Block) {
        let chain = &mut self.chains[list as usize];
        let next = match previous {
            Some(previous) => self.spots[&previous].next,
            None => chain.ends.map(|(first, _)| first),
        };
        let (mut first, mut last) = chain.ends.unwrap_or((block, block));
        match previous {
            Some(previous) => self.spots.entry(previous).and_modify(|spot| spot.next = Some(block)),
            None => {
                first = block;
                self.spots.entry(block)
            }
        };
        match next {
            Some(next) => {
                self.spots.entry(next).and_modify(|spot| spot.previous = Some(block));
            }
            None => last = block,
        }
        chain.ends = Some((first, last));
        self.spots.insert(block, Spot { list, previous, next });
    }

    /// Removes a block from its list.
    pub(crate) fn take(&mut self, block: Block) {
        let Some(Spot { list, previous, next }) = self.spots.remove(&block) else { return };
        if let Some(previous) = previous {
            self.spots.entry(previous).and_modify(|spot| spot.next = next);
        }
        if let Some(next) = next {
            self.spots.entry(next).and_modify(|spot| spot.previous = previous);
        }
        let chain = &mut self.chains[list as usize];
        let (first, last) = chain.ends.expect("invariant: a list that holds a block has ends");
        let first = if first == block { next } else { Some(first) };
        let last = if last == block { previous } else { Some(last) };
        chain.ends = first.zip(last);
    }

    /// Assigns the construct that one block opens to another block. O(lists of the construct).
    pub(crate) fn pass_construct(&mut self, from: Block, to: Block) {
        let Some(lists) = self.opened.remove(&from) else { return };
        for &list in &lists {
            let chain = &mut self.chains[list as usize];
            chain.owner = chain.owner.map(|(_, role)| (to, role));
        }
        self.opened.insert(to, lists);
    }

    /// Moves a list of this nest with its contents to another nest, after a block there or to the root's end. The list itself is then
    /// empty. O(blocks).
    pub(crate) fn move_into(&mut self, blocks: &[Block], other: &mut Nest, list: u32, after: Option<Block>) {
        let mut previous = after;
        let mut pending: Vec<(Block, Option<Block>, u32)> = Vec::new();
        for &block in blocks {
            pending.push((block, previous, list));
            previous = Some(block);
        }
        pending.reverse();
        while let Some((block, previous, list)) = pending.pop() {
            self.take(block);
            other.put_after(list, previous, block);
            let Some(lists) = self.opened.remove(&block) else { continue };
            let mut images = SmallVec::new();
            for &inner in &lists {
                let image = other.add_chain(self.chains[inner as usize].owner);
                images.push(image);
                let mut chain: Vec<(Block, Option<Block>, u32)> = Vec::new();
                let mut previous = None;
                for block in self.blocks(inner) {
                    chain.push((block, previous, image));
                    previous = Some(block);
                }
                pending.extend(chain.into_iter().rev());
            }
            other.opened.insert(block, images);
        }
    }

    /// The same nest with other blocks. O(blocks).
    pub(crate) fn map(&self, image: impl Fn(Block) -> Block) -> Nest {
        let mut nest = Nest { spots: FxHashMap::default(), chains: self.chains.clone(), opened: FxHashMap::default() };
        for chain in &mut nest.chains {
            chain.owner = chain.owner.map(|(opener, role)| (image(opener), role));
            chain.ends = chain.ends.map(|(first, last)| (image(first), image(last)));
        }
        let spots = self.spots.iter().map(|(&block, spot)| {
            let spot = Spot { previous: spot.previous.map(&image), next: spot.next.map(&image), ..*spot };
            (image(block), spot)
        });
        nest.spots = spots.collect();
        nest.opened = self.opened.iter().map(|(&block, lists)| (image(block), lists.clone())).collect();
        nest
    }

    /// The blocks of a list itself, in order.
    pub(crate) fn blocks(&self, list: u32) -> impl Iterator<Item = Block> + '_ {
        std::iter::successors(self.first(list), |&block| self.next(block))
    }

    /// The blocks from one to another of the same list, with the contents of the constructs that all but the last of them open, in source
    /// order. `None` if the second does not follow. Linear in the result; in the list if `None`.
    pub(crate) fn source_order(&self, first: Block, last: Block) -> Option<Vec<Block>> {
        let mut blocks = Vec::new();
        let mut current = first;
        while current != last {
            blocks.push(current);
            self.extend_with_construct(current, &mut blocks);
            current = self.next(current)?;
        }
        blocks.push(last);
        Some(blocks)
    }

    /// Appends the blocks of the construct that a block opens, in source order.
    pub(crate) fn extend_with_construct(&self, opener: Block, blocks: &mut Vec<Block>) {
        let firsts = |block: Block| self.lists(block).iter().rev().filter_map(|&list| self.first(list));
        let mut stack: Vec<Block> = firsts(opener).collect();
        while let Some(block) = stack.pop() {
            blocks.push(block);
            stack.extend(self.next(block));
            stack.extend(firsts(block));
        }
    }
}
