//! Derives the tree from the terminators.
//!
//! A list is traversed from its first block to the jump that ends it; the lists of a construct on the way are queued, and the traversal
//! continues at its merge block. The meaning of an edge depends on its target and on the constructs around the list:
//!
//! | target | only from | is a |
//! |---|---|---|
//! | merge block of the innermost `if` or switch | anywhere in it | merge |
//! | merge block of the innermost switch, no loop between | anywhere in it | merge |
//! | break block of the innermost loop | its body; its continue list, outside further constructs | break |
//! | continue target of the innermost loop | its body | continue |
//! | header of the innermost loop | its continue list, outside further constructs; its body, if it has none | back edge |
//! | a case of the innermost switch | the list of another case, outside further constructs | fall-through |
//! | the join of the innermost scope | its lists Then and Else, outside further constructs | join |
//! | anything else | | next block of the list |
//!
//! These are SPIR-V's rules on structured exits (section 2.11.3). Conditional exits are not constructs here.
//!
//! An `if` is a scope if its two arms join before its merge block. By the same rules only the ends of its two lists can join there, so
//! there is at most one such place:
//!
//! ```text
//! if %c ^a ^b merge ^m;  ^a: branch ^j;  ^b: branch ^j;  ^j: … branch ^m
//! ```
//!
//! The first traversal finds these places: `^j` is in the list that came first, and the other list leads to it. If there are any, a second
//! traversal gives each of these constructs a third list, from the join on.
//!
//! Two more forms are valid, although a place of the tree has no block of its own there. Bare edge blocks are edges, so an edge to one in
//! another list does what that one does. And a construct may name a loop header instead of its preheader: the loop is where the header is
//! named, and its preheader, which is elsewhere, makes the jump there ([`ControlTree::needs_pad`]).
//!
//! Invariant: a block is placed once in a traversal; so the traversal ends for any input. O(blocks + edges), no recursion.

use rustc_hash::FxHashMap;

use crate::tree::{Context, ListData, LoopPart, NodePlace};
use crate::{ConstructKind, ControlTree, Jump, List, Node, Owner, Role, TreeError, TreeFault};
use reconverge_ir::terminator::operand;
use reconverge_ir::{Block, Function, Inst, Module, Numbering, Op, Terminator};

pub(crate) fn compute(module: &Module, function: Function) -> Result<ControlTree, TreeError> {
    let Some(entry) = module.entry(function) else {
        return Err(TreeError { inst: function.into(), fault: TreeFault::NoBody });
    };
    let blocks: Vec<Block> = module.blocks(function).collect();
    let mut walk = TreeWalk::new(module, function, &blocks, FxHashMap::default());
    walk.run(entry)?;
    if !walk.met.is_empty() {
        walk = TreeWalk::new(module, function, &blocks, std::mem::take(&mut walk.met));
        walk.run(entry)?;
    }
    walk.put_in_order(&blocks);
    Ok(walk.tree)
}

pub(crate) struct TreeWalk<'m> {
    pub(crate) module: &'m Module,
    function: Function,
    pub(crate) tree: ControlTree,
    /// Blocks that are a part of a construct, which only jumps reach: [`NAMED`] for the entry, merge blocks, headers and continue targets;
    /// the list of a case or a join for its first blocks, after edge blocks, where others may go.
    pub(crate) parts: Numbering,
    /// The construct that the next block of the list closes.
    pub(crate) closing: Option<u32>,
    /// The constructs that headers close whose loop is where they are named.
    closed_by_headers: FxHashMap<Block, u32>,
    /// By opener: where the arms of an `if` join, as known before the traversal.
    pub(crate) joins: FxHashMap<Block, Block>,
    /// The joins that the traversal finds.
    met: FxHashMap<Block, Block>,
    /// The targets of bare edge blocks, computed so far.
    landings: FxHashMap<Block, Block>,
    pending: Vec<(List, Block)>,
}

pub(crate) const NAMED: u32 = u32::MAX - 1;

impl<'m> TreeWalk<'m> {
    fn new(module: &'m Module, function: Function, blocks: &[Block], joins: FxHashMap<Block, Block>) -> TreeWalk<'m> {
        let tree = ControlTree {
            lists: Vec::new(),
            constructs: Vec::new(),
            nodes: Vec::with_capacity(blocks.len()),
            places: Vec::with_capacity(blocks.len()),
            numbers: Numbering::around(blocks),
            jumps: Vec::with_capacity(blocks.len()),
            blocks: Vec::with_capacity(blocks.len()),
            outside: Vec::new(),
            apart: FxHashMap::default(),
            bypassed: None,
        };
        TreeWalk {
            module,
            function,
            tree,
            parts: Numbering::around(blocks),
            closing: None,
            closed_by_headers: FxHashMap::default(),
            joins,
            met: FxHashMap::default(),
            landings: FxHashMap::default(),
            pending: Vec::new(),
        }
    }

    fn run(&mut self, entry: Block) -> Result<(), TreeError> {
        self.parts.insert(entry, NAMED);
        self.add_list(Owner::Function, 0, Context::default(), entry);
        while let Some((list, first)) = self.pending.pop() {
            self.walk_list(list, first)?;
        }
        Ok(())
    }

    pub(crate) fn add_list(&mut self, owner: Owner, depth: u32, context: Context, first: Block) -> List {
        let list = List(self.tree.lists.len() as u32);
        let mut context = context;
        if let Owner::Construct(construct, role) = owner
            && (matches!(role, Role::Case(_)) || self.tree.construct(construct).kind == ConstructKind::Scope)
        {
            context.beside = Some(list);
        }
        self.tree.lists.push(ListData { owner, context, nodes: 0..0, blocks: 0..0, depth });
        self.pending.push((list, first));
        list
    }

    /// Traverses one list to its end.
    fn walk_list(&mut self, list: List, first: Block) -> Result<(), TreeError> {
        let start = self.tree.nodes.len() as u32;
        // A loop is here if its header is named by a construct.
        let mut is_named_first = matches!(self.tree.owner(list), Owner::Construct(_, Role::Continue));
        let mut next = Some(first);
        while let Some(block) = next {
            let is_named = std::mem::take(&mut is_named_first) || self.closing.is_some();
            let preheader = if is_named { self.preheader(block) } else { None };
            next = match preheader {
                Some((preheader, open)) => {
                    let closed = self.closing.take();
                    self.closed_by_headers.extend(closed.map(|closed| (block, closed)));
                    self.open_loop(list, preheader, open).map(Some)?
                }
                None => self.walk_block(list, block)?,
            };
        }
        self.tree.lists[list.index()].nodes = start..self.tree.nodes.len() as u32;
        Ok(())
    }

    fn walk_block(&mut self, list: List, block: Block) -> Result<Option<Block>, TreeError> {
        let node = self.tree.nodes.len() as u32;
        if self.tree.numbers.insert(block, node).is_some() {
            return Err(fault(block, TreeFault::Join));
        }
        let closed = self.closing.take().or_else(|| self.closed_by_headers.remove(&block));
        self.add_node(list, Node::Block(block), closed);
        let next = self.end_block(list, block, node)?;
        self.tree.places[node as usize].jumps.end = self.tree.jumps.len() as u32;
        Ok(next)
    }

    pub(crate) fn add_node(&mut self, list: List, node: Node, closed: Option<u32>) {
        let jumps = self.tree.jumps.len() as u32;
        self.tree.nodes.push(node);
        self.tree.places.push(NodePlace { list, order: 0, opened: None, closed, jumps: jumps..jumps });
    }

    /// Reads a block's terminator; returns the next block of the list.
    fn end_block(&mut self, list: List, block: Block, node: u32) -> Result<Option<Block>, TreeError> {
        let terminator = self.module.terminator(block).ok_or(fault(block, TreeFault::NoTerminator))?;
        self.tree.numbers.insert(terminator, node);
        match self.module.op(terminator) {
            Op::Branch => self.go(list, block, terminator),
            Op::Loop if self.tree.apart.contains_key(&block) => {
                let header = self.block(block, terminator, operand::TARGET)?;
                let jump = self.leave(self.context(list), header).ok_or(fault(block, TreeFault::Jump(header)))?;
                self.tree.jumps.push((operand::TARGET, jump));
                Ok(None)
            }
            Op::If => self.open_if(list, block, terminator).map(Some),
            Op::StructuredSwitch => self.open_switch(list, block, terminator).map(Some),
            Op::Loop => self.open_loop(list, block, terminator).map(Some),
            Op::BranchIf => self.open_exit(list, block, terminator),
            Op::Switch => Err(fault(block, TreeFault::Switch)),
            _ => Ok(None),
        }
    }

    /// Follows a plain branch.
    fn go(&mut self, list: List, block: Block, terminator: Terminator) -> Result<Option<Block>, TreeError> {
        let target = self.block(block, terminator, operand::TARGET)?;
        let context = self.context(list);
        if let Some(jump) = self.leave(context, target).or_else(|| self.bypass(context, target)) {
            self.tree.jumps.push((operand::TARGET, jump));
            return Ok(None);
        }
        if self.meets(list, target) {
            return Ok(None);
        }
        self.tree.jumps.push((operand::TARGET, Jump::Next));
        self.fresh(block, target).map(Some)
    }

    pub(crate) fn context(&self, list: List) -> Context {
        self.tree.lists[list.index()].context
    }

    /// The kind of jump of an edge to a block, if it leaves the list.
    pub(crate) fn leave(&self, context: Context, target: Block) -> Option<Jump> {
        let construct = |index: u32| &self.tree.constructs[index as usize];
        let selection = context.innermost.into_iter().chain(context.switch);
        let mut selection = selection.map(construct).filter(|around| around.kind != ConstructKind::Loop);
        if let Some(left) = selection.find(|around| around.merge == Some(target)) {
            return Some(Jump::Merge(left.name()));
        }
        if let Some((index, part)) = context.looped {
            let (around, is_closest) = (construct(index), context.innermost == Some(index));
            let (breaks, continues) = (around.merge == Some(target), around.continue_target == Some(target));
            let (is_header, is_single) =
                (around.loop_header == Some(target), around.loop_header == around.continue_target);
            match part {
                LoopPart::Body if breaks => return Some(Jump::Break(around.name())),
                LoopPart::Body if continues && !is_single => return Some(Jump::Continue(around.name())),
                LoopPart::Body if continues && is_closest => return Some(Jump::Back(around.name())),
                LoopPart::Continue if breaks && is_closest => return Some(Jump::Break(around.name())),
                LoopPart::Continue if is_header && is_closest => return Some(Jump::Back(around.name())),
                _ => {}
            }
        }
        let entered = self.entered(target)?;
        let own = context.beside.filter(|&own| own != entered)?;
        match (self.tree.owner(own), self.tree.owner(entered)) {
            (Owner::Construct(_, Role::Join), _) => None,
            (Owner::Construct(own, _), Owner::Construct(other, into)) if own == other => match into {
                Role::Join => Some(Jump::Join(entered)),
                _ => Some(Jump::FallThrough(entered)),
            },
            _ => None,
        }
    }

    /// The list of another arm or case that begins at a block, which others may go to.
    fn entered(&self, block: Block) -> Option<List> {
        self.parts.number(block).filter(|&part| part != NAMED).map(List)
    }

    /// The kind of jump of an edge to a bare edge block in another list: the same as that of the edge block, seen from here.
    fn bypass(&mut self, context: Context, target: Block) -> Option<Jump> {
        let is_elsewhere = self.tree.numbers.contains(target) || self.entered(target).is_some();
        if !is_elsewhere || !self.module.is_bare_edge(target) {
            return None;
        }
        let landing = self.landing(target);
        let jump = self.leave(context, landing)?;
        self.tree.bypassed = Some(target);
        Some(jump)
    }

    /// The target of a bare edge block, through others. Each is followed once.
    pub(crate) fn landing(&mut self, from: Block) -> Block {
        let mut passed = Vec::new();
        let mut current = from;
        // The counter ends a cycle.
        while self.parts.number(current) != Some(NAMED)
            && passed.len() <= self.module.capacity()
            && let Some(next) = self.landings.get(&current).copied().or_else(|| self.passes_to(current))
        {
            passed.push(current);
            current = next;
        }
        self.landings.extend(passed.into_iter().map(|block| (block, current)));
        current
    }

    /// The target of a bare edge block, unless it has parameters for others. A preheader with parameters is an edge only for a loop that is
    /// elsewhere.
    pub(crate) fn passes_to(&self, block: Block) -> Option<Block> {
        let terminator = self.module.terminator(block).filter(|_| self.module.is_bare_edge(block))?;
        let mut parameters = self.module.parameters(block);
        let is_edge = match self.module.op(terminator) {
            Op::Loop if !self.tree.apart.contains_key(&block) => parameters.next().is_none(),
            _ => parameters.all(|it| self.module.uses(it).all(|used| used.user == terminator.inst())),
        };
        self.block(block, terminator, operand::TARGET).ok().filter(|_| is_edge)
    }

    /// Returns whether a list continues at a block of the other list, so that the two arms of an `if` join there.
    fn meets(&mut self, list: List, target: Block) -> bool {
        let Some(other) = self.tree.list_of(target).filter(|&other| other != list) else { return false };
        let (Owner::Construct(own, role), Owner::Construct(beside, other)) =
            (self.tree.owner(list), self.tree.owner(other))
        else {
            return false;
        };
        let is_way = |role: Role| matches!(role, Role::Then | Role::Else);
        let can_meet = own == beside && is_way(role) && is_way(other) && !self.parts.contains(target);
        can_meet
            && self.joins.is_empty()
            && self.tree.construct(own).kind == ConstructKind::If
            && self.met.insert(own.opener(), target).is_none()
    }

    /// A block that begins a list or is the next of one: no construct names it.
    pub(crate) fn fresh(&self, from: Block, target: Block) -> Result<Block, TreeError> {
        let is_of_another = match self.parts.number(target) {
            None => false,
            Some(NAMED) => true,
            Some(entered) => self.tree.list_of(from) != Some(List(entered)),
        };
        if is_of_another {
            return Err(fault(from, TreeFault::Jump(target)));
        }
        if self.tree.numbers.contains(target) {
            return Err(fault(target, TreeFault::Join));
        }
        Ok(target)
    }

    /// The block whose `loop` has a block as header, with that terminator. Linear in the edges to the header.
    fn preheader(&self, header: Block) -> Option<(Block, Terminator)> {
        let mut ends = self.module.in_edges(header).map(|edge| edge.terminator);
        ends.find_map(|open| {
            let block = self.module.block_of(open).filter(|_| self.module.op(open) == Op::Loop)?;
            (self.module.parent(block) == Some(self.function.into())).then_some((block, open))
        })
    }

    /// The block that a terminator names.
    pub(crate) fn block(&self, at: Block, terminator: Terminator, index: usize) -> Result<Block, TreeError> {
        // By index: iterating over the operands would be quadratic for a wide switch.
        let named = (index < self.module.operand_count(terminator)).then(|| self.module.operand(terminator, index));
        let named = named.and_then(|named| self.module.cast::<Block>(named));
        let named = named.filter(|&block| self.module.parent(block) == Some(Inst::from(self.function)));
        named.ok_or(fault(at, TreeFault::Operand))
    }
}

pub(crate) fn fault(block: Block, fault: TreeFault) -> TreeError {
    TreeError { inst: block.into(), fault }
}
