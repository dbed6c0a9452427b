//! The tree as data, and its queries.

use std::ops::Range;

use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use crate::{TreeError, compute};
use reconverge_ir::{Block, Edge, Function, Inst, Module, Numbering, Op};

/// A list of nodes: the body of a function or one of the lists of a construct. An index in one tree.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct List(pub(crate) u32);

impl List {
    /// The index, for tables beside the tree: lists are dense.
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

/// A construct, identified by the block that opens it: valid through edits, as long as that block keeps its terminator.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Construct(pub(crate) Block);

impl Construct {
    /// The construct that a block opens, if its terminator opens one.
    pub fn at(module: &Module, block: Block) -> Option<Construct> {
        let op = module.op(module.terminator(block)?);
        matches!(op, Op::If | Op::StructuredSwitch | Op::Loop | Op::BranchIf).then_some(Construct(block))
    }

    /// The block whose terminator opens the construct. It comes before the construct, in the same list.
    pub const fn opener(self) -> Block {
        self.0
    }
}

/// An element of a list.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Node {
    /// A block.
    Block(Block),
    /// A construct. Its opener comes directly before it.
    Construct(Construct),
}

/// The owner of a list.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Owner {
    /// The body of the function.
    Function,
    /// A list of a construct.
    Construct(Construct, Role),
}

/// The role of a list in its construct.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Role {
    /// The then list of an `if`, of a scope or of a conditional exit.
    Then,
    /// The else list.
    Else,
    /// A target of a switch: the default is 0 unless it goes directly elsewhere, the others follow in operand order.
    Case(u32),
    /// A loop from its header.
    Body,
    /// A loop from its continue target.
    Continue,
    /// A scope from the join of its two arms.
    Join,
}

/// The kind of a construct.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum ConstructKind {
    /// `if`.
    If,
    /// `if` whose two arms join before its merge block: a loop that runs once, and whose break block is the merge block. The ends of its
    /// lists Then and Else continue to its list Join, or leave the scope for the merge block. Lanes do not reconverge at the join, but at
    /// the merge block.
    Scope,
    /// `branch_if`: one edge leaves an enclosing construct, or both do.
    Exit,
    /// `structured_switch`.
    Switch,
    /// `loop`.
    Loop,
}

/// A construct.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ConstructData {
    /// Its kind.
    pub kind: ConstructKind,
    /// The block whose terminator opens it. For a loop this is the preheader.
    pub opener: Block,
    /// Merge block or break block; none for a conditional exit. It comes directly after the construct, in the same list.
    pub merge: Option<Block>,
    /// For a loop: where its body begins.
    pub loop_header: Option<Block>,
    /// For a loop: the continue target, the loop header itself if the loop has no continue list.
    pub continue_target: Option<Block>,
    /// The list that contains it.
    pub parent: List,
    /// Its lists in the order of their roles. An edge that goes directly elsewhere has none.
    pub lists: SmallVec<[List; 2]>,
    pub(crate) blocks: Range<u32>,
}

/// The kind of an edge.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Jump {
    /// Goes to the first block of a list of the construct that its source opens.
    Enter(List),
    /// Goes to the next block of the same list: the other edge of a conditional exit, or a plain `branch`.
    Next,
    /// Goes to the merge block of the innermost `if`, scope or switch, or of the innermost switch out of an `if` or scope.
    Merge(Construct),
    /// Goes to the break block of the innermost loop.
    Break(Construct),
    /// Goes to the continue target of the innermost loop.
    Continue(Construct),
    /// Goes to the header of the innermost loop.
    Back(Construct),
    /// Falls through to another case of the innermost switch.
    FallThrough(List),
    /// Goes to the list Join of the innermost scope, from one of its two other lists.
    Join(List),
}

#[derive(Clone, Debug)]
pub(crate) struct ListData {
    pub(crate) owner: Owner,
    pub(crate) context: Context,
    pub(crate) nodes: Range<u32>,
    pub(crate) blocks: Range<u32>,
    pub(crate) depth: u32,
}

/// The surroundings of a list, ignoring conditional exits.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(crate) struct Context {
    pub(crate) innermost: Option<u32>,
    /// The innermost switch that no loop separates from here.
    pub(crate) switch: Option<u32>,
    /// The innermost loop, and whether it is its continue list.
    pub(crate) looped: Option<(u32, LoopPart)>,
    /// The list itself, ignoring conditional exits, if lists of its construct continue at each other: cases, and lists of a scope.
    pub(crate) beside: Option<List>,
}

/// A part of a loop.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum LoopPart {
    Body,
    Continue,
}

/// The place of a node, and its surroundings. For a construct only the list is known.
#[derive(Clone, Debug)]
pub(crate) struct NodePlace {
    pub(crate) list: List,
    /// Its place in source order.
    pub(crate) order: u32,
    /// The constructs that it opens and closes.
    pub(crate) opened: Option<u32>,
    pub(crate) closed: Option<u32>,
    /// The kinds of its edges.
    pub(crate) jumps: Range<u32>,
}

/// The structured view of a function. Immutable; see the documentation of the crate.
#[derive(Clone, Debug)]
pub struct ControlTree {
    pub(crate) lists: Vec<ListData>,
    pub(crate) constructs: Vec<ConstructData>,
    pub(crate) nodes: Vec<Node>,
    /// By node.
    pub(crate) places: Vec<NodePlace>,
    /// The nodes of blocks, and of terminators that of their block.
    pub(crate) numbers: Numbering,
    /// With the index of the operand. Those of a block are consecutive, in operand order.
    pub(crate) jumps: Vec<(usize, Jump)>,
    /// Source order.
    pub(crate) blocks: Vec<Block>,
    pub(crate) outside: Vec<Block>,
    /// The loops that do not follow their preheader, by preheader.
    pub(crate) apart: FxHashMap<Block, u32>,
    /// A bare edge block of another list, if edges to it were treated as the jump that the block makes.
    pub(crate) bypassed: Option<Block>,
}

impl ControlTree {
    /// The tree of a function, from its terminators only. O(blocks + edges), no recursion.
    ///
    /// Every function that is valid at stage Structured has one.
    ///
    /// # Errors
    /// The function is not valid at stage Structured, or has no body.
    pub fn compute(module: &Module, function: Function) -> Result<ControlTree, TreeError> {
        compute::compute(module, function)
    }

    /// Returns whether the tree has one of the forms that [`pad`](crate::pad()) removes, in which a place of the tree has no block of its
    /// own: a loop whose header another construct names as its merge block or continue target, which is there and not after its preheader;
    /// or a bare edge block that edges from several lists lead to, of which one contains it.
    pub fn needs_pad(&self) -> bool {
        self.bypassed.is_some() || !self.apart.is_empty()
    }

    /// The list of the function.
    pub fn root(&self) -> List {
        List(0)
    }

    /// All lists. A list comes after those around it.
    pub fn lists(&self) -> impl DoubleEndedIterator<Item = List> + ExactSizeIterator + use<> {
        (0..self.lists.len() as u32).map(List)
    }

    /// All constructs. A construct comes after those around it.
    pub fn constructs(&self) -> impl DoubleEndedIterator<Item = &ConstructData> + ExactSizeIterator {
        self.constructs.iter()
    }

    /// The elements of a list, in order. The first is a block, a construct comes directly after its opener and is followed by a block, or
    /// by nothing if it is a conditional exit whose edges both leave. A loop that is not at its preheader ([`ControlTree::needs_pad`])
    /// follows another construct, or is first in a continue list.
    pub fn nodes(&self, list: List) -> &[Node] {
        let Range { start, end } = self.lists[list.index()].nodes;
        &self.nodes[start as usize..end as usize]
    }

    /// The owner of a list.
    pub fn owner(&self, list: List) -> Owner {
        self.lists[list.index()].owner
    }

    /// The list that contains a construct.
    pub fn parent(&self, construct: Construct) -> List {
        self.construct(construct).parent
    }

    /// The list that contains a block; `None` if the block is not structurally reachable.
    pub fn list_of(&self, block: Block) -> Option<List> {
        self.place(block).map(|place| place.list)
    }

    fn place(&self, block: Block) -> Option<&NodePlace> {
        self.numbers.number(block).map(|node| &self.places[node as usize])
    }

    fn index_of(&self, opener: Block) -> Option<u32> {
        let opened = self.place(opener).and_then(|place| place.opened);
        opened.or_else(|| self.apart.get(&opener).copied())
    }

    /// The data of a construct. Panics if it is not of this tree.
    pub fn construct(&self, construct: Construct) -> &ConstructData {
        let index = self.index_of(construct.0).expect("the construct is of this tree");
        &self.constructs[index as usize]
    }

    /// The construct that a block opens.
    pub fn opened_by(&self, block: Block) -> Option<Construct> {
        self.index_of(block).map(|_| Construct(block))
    }

    /// The construct whose merge block or break block it is.
    pub fn closed_by(&self, block: Block) -> Option<Construct> {
        self.place(block)?.closed.map(|index| self.constructs[index as usize].name())
    }

    /// The list of a construct that has this role.
    pub fn list(&self, construct: Construct, role: Role) -> Option<List> {
        let lists = &self.construct(construct).lists;
        lists.iter().copied().find(|&list| self.owner(list) == Owner::Construct(construct, role))
    }

    /// The construct of the list that contains a block.
    pub fn innermost(&self, block: Block) -> Option<Construct> {
        match self.owner(self.list_of(block)?) {
            Owner::Function => None,
            Owner::Construct(construct, _) => Some(construct),
        }
    }

    /// The innermost loop around a block, whether in its body or in its continue list.
    pub fn innermost_loop(&self, block: Block) -> Option<Construct> {
        let context = self.lists[self.list_of(block)?.index()].context;
        context.looped.map(|(index, _)| self.constructs[index as usize].name())
    }

    /// The innermost switch around a block that no loop separates from it: what [`Jump::Merge`] can leave from an `if` in it.
    pub fn innermost_switch(&self, block: Block) -> Option<Construct> {
        let context = self.lists[self.list_of(block)?.index()].context;
        context.switch.map(|index| self.constructs[index as usize].name())
    }

    /// The lists around a block, innermost first: the one that contains it, that of the enclosing construct, …, the root. None if the block
    /// is outside.
    pub fn outwards(&self, block: Block) -> impl Iterator<Item = List> + '_ {
        std::iter::successors(self.list_of(block), |&list| match self.owner(list) {
            Owner::Function => None,
            Owner::Construct(construct, _) => Some(self.parent(construct)),
        })
    }

    /// The number of constructs around the nodes of a list.
    pub fn depth(&self, list: List) -> usize {
        self.lists[list.index()].depth as usize
    }

    /// The kind of an edge; `None` for edges from blocks that are not structurally reachable. Logarithmic in the edges of the block.
    pub fn jump(&self, edge: Edge) -> Option<Jump> {
        let node = self.numbers.number(edge.terminator)?;
        let Range { start, end } = self.places[node as usize].jumps;
        let jumps = &self.jumps[start as usize..end as usize];
        let found = jumps.binary_search_by_key(&edge.operand, |&(operand, _)| operand).ok()?;
        Some(jumps[found].1)
    }

    /// The block after a block in its list, past the construct that it opens.
    pub fn next(&self, block: Block) -> Option<Block> {
        let node = self.numbers.number(block)?;
        let end = self.lists[self.places[node as usize].list.index()].nodes.end;
        let mut behind = self.nodes[node as usize + 1..end as usize].iter();
        behind.find_map(|node| if let Node::Block(block) = node { Some(*block) } else { None })
    }

    /// The block before a block in its list, past the construct that it closes.
    pub fn previous(&self, block: Block) -> Option<Block> {
        let node = self.numbers.number(block)?;
        let start = self.lists[self.places[node as usize].list.index()].nodes.start;
        let mut before = self.nodes[start as usize..node as usize].iter().rev();
        before.find_map(|node| if let Node::Block(block) = node { Some(*block) } else { None })
    }

    /// The first block of a list.
    pub fn first_block(&self, list: List) -> Block {
        self.blocks_of(self.nodes(list)[0])[0]
    }

    /// The last block of a list. It opens the last construct if that is a conditional exit whose edges both leave.
    pub fn last_block(&self, list: List) -> Block {
        match self.nodes(list)[self.nodes(list).len() - 1] {
            Node::Block(block) => block,
            Node::Construct(construct) => construct.0,
        }
    }

    /// All blocks of the tree in source order: a block, then the lists of the construct that it opens, then the next of its list.
    pub fn blocks(&self) -> &[Block] {
        &self.blocks
    }

    /// The blocks of a list and of its contents, in source order.
    pub fn blocks_of_list(&self, list: List) -> &[Block] {
        let Range { start, end } = self.lists[list.index()].blocks;
        &self.blocks[start as usize..end as usize]
    }

    /// The blocks of a node, in source order. Opener and merge block do not belong to the construct: they are nodes of their own. Panics if
    /// the node is not of this tree.
    pub fn blocks_of(&self, node: Node) -> &[Block] {
        let Range { start, end } = match node {
            Node::Block(block) => {
                let order = self.place(block).expect("the block is of this tree").order;
                order..order + 1
            }
            Node::Construct(construct) => self.construct(construct).blocks.clone(),
        };
        &self.blocks[start as usize..end as usize]
    }

    /// The blocks that are not structurally reachable, in the function's order. They are in no list.
    pub fn outside(&self) -> &[Block] {
        &self.outside
    }
}

impl ConstructData {
    /// The construct's name.
    pub fn name(&self) -> Construct {
        Construct(self.opener)
    }
}

impl From<Construct> for Inst {
    fn from(construct: Construct) -> Inst {
        construct.0.into()
    }
}
