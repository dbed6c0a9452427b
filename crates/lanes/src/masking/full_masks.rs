//! A version of a loop for the time in which no lane has left it.
//!
//! ```text
//! ^pre:  live = mask; branch ^h(%x)               ^pre:  live = mask; branch ^h'(%x)
//!                                                 ^h'(%i'): mask: that before the loop
//!                                                     any_lane %leaving'   yes ─▶ ^over: branch ^h(%i')
//! ^h(%i): mask: live                       ⇒          no ─▶ …  branch ^h'(%next')
//!   lanes that leave wait; live changes           ^h(%i): mask: live
//!   …  branch ^h(%next)                               …  branch ^h(%next)
//! ```
//!
//! Until the first lane leaves, the live lanes are those that entered. So the version has no live mask that changes, and no blend for
//! values that lanes take out of the loop; where all lanes of the pack entered, its accesses to memory need no mask. When lanes are about
//! to leave, and on every other edge out of the loop, control goes over to the masked loop, which begins the same iteration again. So an
//! innermost loop gets a version if no path through an iteration has an effect before it goes over, and if lanes diverge in it only where
//! they leave: where they diverge otherwise, they soon leave too, and the version would not be worth its compilation.
//!
//! This works on the variables of the transformation, before they become values: the pending masks outside of the loop are the same at the
//! beginning of each iteration of the version, because nothing in the version adds to them. Linear in the loops.

use reconverge_analysis::effects::{has_effect, waits_for_all};
use reconverge_control_tree::{Construct, ConstructKind, Jump};
use reconverge_ir::{Block, Copies, Edge, Effects, Inst, Module, Op, OpGroup, Position, terminator::operand};
use rustc_hash::{FxHashMap, FxHashSet};

use super::Masking;
use super::pending::Waiting;
use crate::divergence::{enclosing, ends_lane, owner_of};

/// The most instructions of a loop that gets a version, those for masks and waiting lanes included.
const SIZE_LIMIT: usize = 128;

/// A conditional exit at which some lanes leave the innermost loop and the others stay.
#[derive(Clone, Copy, Debug)]
pub(super) struct Parting {
    /// The block of the exit.
    pub(super) block: Block,
    /// The masks: before, of those that leave, and of those that stay.
    pub(super) mask: Inst,
    pub(super) leaving: Inst,
    pub(super) staying: Inst,
    /// The mask that the block computes last.
    pub(super) last: Inst,
    /// The block that leads to the list of those that leave, and the block after that list.
    pub(super) list: Option<(Block, Block)>,
    /// The block in which those that leave wait.
    pub(super) wait: Option<Block>,
    /// The block with the test whether lanes stay, and where these continue.
    pub(super) rest: Option<(Block, Block)>,
}

/// A version in the making.
struct Version {
    /// The blocks of the loop, in their order.
    originals: Vec<Block>,
    copies: Copies,
    /// The blocks of the version, with those that were split off.
    copied: Vec<Block>,
    header: Block,
    /// The block in which control enters the masked loop.
    over: Block,
}

impl Masking<'_> {
    /// Adds versions of all loops that are fit for it.
    pub(super) fn add_full_versions(&mut self) {
        // Loops around others, and loops in which lanes diverge elsewhere than where they leave.
        let mut unfit: FxHashSet<Construct> = FxHashSet::default();
        for data in self.tree.constructs() {
            match data.kind {
                ConstructKind::Loop => {
                    let around = enclosing(self.tree, data.opener).map(|(construct, _)| construct);
                    unfit.extend(around);
                }
                ConstructKind::Exit => {}
                _ if self.divergence.splits(data.name()) => unfit.extend(self.tree.innermost_loop(data.opener)),
                _ => {}
            }
        }
        let places: FxHashMap<Block, usize> =
            self.module.blocks(self.function).enumerate().map(|(place, block)| (block, place)).collect();
        let loops: Vec<Construct> = self.tree.constructs().map(|data| data.name()).collect();
        for construct in loops.into_iter().filter(|construct| !unfit.contains(construct)) {
            let Some(&live) = self.live.get(&construct) else { continue };
            let data = self.tree.construct(construct);
            let (Some(header), opener) = (data.loop_header, data.opener) else { continue };
            if let Some(mut blocks) = self.natural_loop(header, opener) {
                blocks.sort_by_key(|block| places.get(block));
                self.add_full_version(header, opener, live, blocks);
            }
        }
    }

    /// Returns whether a jump from a block takes its lanes out of the innermost loop around it.
    pub(super) fn leaves_loop(&self, block: Block, jump: Jump) -> bool {
        let Some(around) = self.tree.innermost_loop(block) else { return false };
        match jump {
            Jump::Break(_) => true,
            Jump::Enter(list) => self.tree.blocks_of_list(list).iter().any(|&inside| {
                let returns = self.module.terminator(inside).is_some_and(|end| ends_lane(self.module.op(end)));
                let mut jumps = self.module.out_edges(inside).filter_map(|edge| self.tree.jump(edge));
                self.tree.innermost_loop(inside) == Some(around)
                    && (returns || jumps.any(|jump| matches!(jump, Jump::Break(_))))
            }),
            jump => owner_of(self.tree, jump).is_some_and(|owner| {
                owner != around && !enclosing(self.tree, self.tree.construct(owner).opener).any(|(c, _)| c == around)
            }),
        }
    }

    fn add_full_version(&mut self, header: Block, opener: Block, live: Inst, blocks: Vec<Block>) {
        let mut version = self.copy_loop(header, blocks);
        self.delete_stores(&version.copied.clone(), |variable| variable == live);
        let originals = version.originals.clone();
        let inside: FxHashSet<Block> = originals.iter().copied().collect();
        let mut done: FxHashSet<Block> = FxHashSet::default();
        for parting in originals.iter().filter_map(|block| self.partings.get(block).copied()).collect::<Vec<_>>() {
            done.extend(parting.wait);
            self.part(&mut version, &parting, &inside);
        }
        let leaves = |masking: &Self, block: &Block| {
            let mut targets = masking.leaves.get(block).into_iter().flatten();
            targets.any(|target| target.is_none_or(|target| !inside.contains(&target)))
        };
        let left: Vec<Block> = originals.iter().copied().filter(|block| leaves(self, block)).collect();
        for &block in left.iter().filter(|block| !done.contains(block)) {
            self.redirect_entries(&version, self.image(&version, block));
        }
        let is_left_at_once = left.contains(&header) && !done.contains(&header);
        self.skip_back_tests(&version);
        self.redirect_exits(&version);
        if !is_left_at_once && self.is_fit(&version) {
            let jump = self.module.terminator(opener).expect("invariant: blocks have terminators");
            self.module.edit().set_operand(jump, operand::TARGET, version.header);
        }
    }

    /// The blocks of a loop; none if they are too large, or contain a barrier, at which all packs must be at one place.
    fn natural_loop(&self, header: Block, opener: Block) -> Option<Vec<Block>> {
        let mut seen = FxHashSet::from_iter([header]);
        let mut blocks = vec![header];
        let mut pending: Vec<Block> = self.module.predecessors(header).filter(|&block| block != opener).collect();
        while let Some(block) = pending.pop() {
            if seen.insert(block) {
                blocks.push(block);
                pending.extend(self.module.predecessors(block));
            }
            if blocks.len() > SIZE_LIMIT {
                return None;
            }
        }
        let insts = || blocks.iter().flat_map(|&block| self.module.children(block));
        let is_small = insts().nth(SIZE_LIMIT).is_none();
        (is_small && !insts().any(|inst| waits_for_all(self.module.op(inst)))).then_some(blocks)
    }

    /// Copies the blocks of a loop before it, with a block that goes over to it.
    fn copy_loop(&mut self, header: Block, originals: Vec<Block>) -> Version {
        let roots: Vec<Inst> = originals.iter().copied().map(Inst::from).collect();
        let mut copies = Copies::new();
        let copied = self.module.edit().copy(&roots, &mut copies);
        for &copy in &copied {
            self.module.edit().move_to(copy, Position::Before(header.into()));
        }
        let copied: Vec<Block> = copied.into_iter().filter_map(|copy| self.module.cast(copy)).collect();
        let copied_header: Block = self.module.cast(copies.image(header)).expect("invariant: a header is a block");
        let over = self.module.edit().insert(Position::Before(header.into()), Op::Block, None, &[]);
        let over: Block = self.module.cast(over).expect("a block is a block");
        let parameters: Vec<Inst> = self.module.parameters(copied_header).map(Inst::from).collect();
        self.branch(over, header, &parameters);
        Version { originals, copies, copied, header: copied_header, over }
    }

    fn image(&self, version: &Version, block: Block) -> Block {
        self.module.cast(version.copies.image(block)).expect("invariant: the copy of a block is a block")
    }

    /// Removes stores to some variables from blocks.
    fn delete_stores(&mut self, blocks: &[Block], is_concerned: impl Fn(Inst) -> bool) {
        for &block in blocks {
            let is_store =
                |&inst: &Inst| self.module.op(inst) == Op::Store && is_concerned(self.module.operand(inst, 0));
            let stores: Vec<Inst> = self.module.children(block).filter(is_store).collect();
            stores.into_iter().for_each(|store| self.module.edit().delete(store));
        }
    }

    /// A conditional exit of the version: control goes over if any lane leaves, else the mask stays what it was.
    fn part(&mut self, version: &mut Version, parting: &Parting, inside: &FxHashSet<Block>) {
        let block = self.image(version, parting.block);
        let [mask, leaving, staying, last] =
            [parting.mask, parting.leaving, parting.staying, parting.last].map(|inst| version.copies.image(inst));
        let tail = self.new_block_after(block);
        let moved: Vec<Inst> = std::iter::successors(self.module.next(last), |&inst| self.module.next(inst)).collect();
        moved.into_iter().for_each(|inst| self.module.edit().move_to(inst, Position::AtEnd(tail.into())));
        version.copied.push(tail);
        let any = self.module.edit().append(block, Op::AnyLane, Some(self.bool_type), &[leaving]);
        self.branch_if(block, any, version.over, tail);
        version.copied.extend(self.module.successors(block));
        self.module.edit().replace_all_uses(staying, mask);
        let image = |masking: &Self, original: Block| match original == parting.block {
            true => tail,
            false => masking.image(version, original),
        };
        if let Some(wait) = parting.wait {
            let outside = self.variables_of_others(wait, inside);
            let wait = image(self, wait);
            self.delete_stores(&[wait], |variable| outside.contains(&variable));
        }
        for (from, to) in [parting.list, parting.rest].into_iter().flatten() {
            let (from, to) = (image(self, from), image(self, to));
            if let Some(end) = self.module.terminator(from) {
                self.module.edit().delete(end);
            }
            self.branch(from, to, &[]);
        }
    }

    /// The variables of pending masks outside of a loop to which a block adds lanes.
    fn variables_of_others(&self, block: Block, inside: &FxHashSet<Block>) -> Vec<Inst> {
        let targets = self.leaves.get(&block).into_iter().flatten().flatten();
        let pending = targets.filter(|target| !inside.contains(target)).filter_map(|target| self.pending.get(target));
        let variables = pending.flat_map(|pending| {
            let arguments = pending.arguments.iter().filter_map(|waiting| match *waiting {
                Waiting::Variable(variable) => Some(variable),
                Waiting::Value(_) => None,
            });
            pending.mask.into_iter().chain(arguments)
        });
        variables.collect()
    }

    /// The version needs no test whether lanes are left at the back edge: they all are.
    fn skip_back_tests(&mut self, version: &Version) {
        let sources: Vec<Block> = self.module.predecessors(version.header).collect();
        for source in sources {
            let mut block = source;
            while let Some(before) = self.only_predecessor(block) {
                let end = self.module.terminator(before).expect("invariant: blocks have terminators");
                let is_test = self.module.op(end) == Op::BranchIf && {
                    let condition = self.module.operand(end, operand::CONDITION);
                    self.module.op(condition) == Op::AnyLane
                };
                if is_test {
                    self.module.edit().delete(end);
                    self.branch(before, block, &[]);
                }
                if is_test || self.module.children(before).nth(1).is_some() {
                    break;
                }
                block = before;
            }
        }
    }

    /// The predecessor of a block without instructions but a jump.
    fn only_predecessor(&self, block: Block) -> Option<Block> {
        let mut predecessors = self.module.predecessors(block);
        let is_bare = self.module.children(block).nth(1).is_none();
        predecessors.next().filter(|_| is_bare && predecessors.next().is_none())
    }

    /// Leads every edge into a block to where control goes over.
    fn redirect_entries(&mut self, version: &Version, block: Block) {
        let edges: Vec<Edge> = self.module.in_edges(block).collect();
        edges.into_iter().for_each(|edge| self.redirect(version, edge));
    }

    /// Leads every edge out of the version to where control goes over.
    fn redirect_exits(&mut self, version: &Version) {
        let inside: FxHashSet<Block> = version.copied.iter().copied().chain([version.over]).collect();
        for &block in &version.copied {
            let is_exit = |edge: &Edge| self.module.target(*edge).is_some_and(|target| !inside.contains(&target));
            let edges: Vec<Edge> = self.module.out_edges(block).filter(is_exit).collect();
            edges.into_iter().for_each(|edge| self.redirect(version, edge));
        }
    }

    fn redirect(&mut self, version: &Version, edge: Edge) {
        let mut jump = edge.terminator;
        if self.module.op(jump) != Op::Branch {
            let block = self.module.edit().split_edge(edge);
            jump = self.module.terminator(block).expect("invariant: the new block has a jump");
        }
        self.module.edit().set_operands(jump, &[version.over.into()]);
    }

    /// Returns whether the version has iterations to the end, and no effect before it goes over.
    fn is_fit(&self, version: &Version) -> bool {
        let mut clean: FxHashSet<Block> = FxHashSet::default();
        let mut dirty: FxHashSet<Block> = FxHashSet::default();
        let mut pending = vec![(version.header, false)];
        let mut goes_round = false;
        while let Some((block, is_dirty)) = pending.pop() {
            let seen = if is_dirty { &mut dirty } else { &mut clean };
            if !seen.insert(block) {
                continue;
            }
            if block == version.over {
                if is_dirty {
                    return false;
                }
                continue;
            }
            let is_dirty = is_dirty || self.module.children(block).any(|inst| self.is_felt_twice(inst));
            for next in self.module.successors(block) {
                goes_round |= next == version.header;
                if next != version.header {
                    pending.push((next, is_dirty));
                }
            }
        }
        goes_round
    }

    /// Returns whether executing an instruction twice differs from executing it once, or other lanes take part in it.
    fn is_felt_twice(&self, inst: Inst) -> bool {
        let module: &Module = self.module;
        let op = module.op(inst);
        if module.cast::<reconverge_ir::Terminator>(inst).is_some() || op.group() == OpGroup::Lane {
            return false;
        }
        let is_own = matches!(op, Op::Load | Op::Store) && self.own.contains(&module.operand(inst, 0));
        !is_own && (has_effect(module, inst) || op.effects().contains(Effects::CONVERGENT))
    }
}
