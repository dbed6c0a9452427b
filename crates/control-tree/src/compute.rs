//! Derives the tree from the terminators.
//!
//! A list is walked from its first block to the jump that ends it; a construct on the way leaves its lists to be walked later, and
//! the walk goes on at its merge block. What an edge does follows from its target and from what is around the list:
//!
//! | target | only from | is a |
//! |---|---|---|
//! | merge block of the innermost `if` or switch | anywhere in it | merge |
//! | merge block of the innermost switch, no loop between | anywhere in it | merge |
//! | break block of the innermost loop | its body; its continue list, outside further constructs | break |
//! | continue target of the innermost loop | its body | continue |
//! | header of the innermost loop | its continue list, outside further constructs; its body, if it has none | back edge |
//! | a case of the innermost switch | the list of another case, outside further constructs | fall-through |
//! | anything else | | next block of the list |
//!
//! These are SPIR-V's rules on structured exits (section 2.11.3). Conditional exits count as no construct.
//!
//! Invariant: a block is placed once; so the walk ends, whatever the input is. O(blocks + edges), no recursion.

use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use crate::tree::{Context, ListData, Part, Place};
use crate::{
    Construct, ConstructData, ConstructKind, ControlTree, Jump, List, Node, Owner, Role, TreeError, TreeFault,
};
use reconverge_ir::terminator::{is_successor, operand};
use reconverge_ir::{Block, Function, Inst, Module, Numbering, Op, Terminator};

pub(crate) fn compute(module: &Module, function: Function) -> Result<ControlTree, TreeError> {
    let Some(entry) = module.entry(function) else {
        return Err(TreeError { inst: function.into(), fault: TreeFault::NoBody });
    };
    let blocks: Vec<Block> = module.blocks(function).collect();
    let tree = ControlTree {
        lists: Vec::new(),
        constructs: Vec::new(),
        nodes: Vec::with_capacity(blocks.len()),
        places: Vec::with_capacity(blocks.len()),
        numbers: Numbering::around(&blocks),
        jumps: Vec::with_capacity(blocks.len()),
        blocks: Vec::with_capacity(blocks.len()),
        outside: Vec::new(),
    };
    let mut parts = Numbering::around(&blocks);
    parts.insert(entry, NAMED);
    let mut walk = Walk { module, function, tree, parts, closing: None, pending: Vec::new() };
    walk.add_list(Owner::Function, 0, Context::default(), entry);
    while let Some((list, first)) = walk.pending.pop() {
        walk.walk_list(list, first)?;
    }
    walk.put_in_order(&blocks);
    Ok(walk.tree)
}

struct Walk<'m> {
    module: &'m Module,
    function: Function,
    tree: ControlTree,
    /// Blocks that are a part of a construct, where nothing goes but by a jump: [`NAMED`] for the entry, merge blocks, headers and
    /// continue targets; the list of a case for its first blocks, past edge blocks, where others fall through to.
    parts: Numbering,
    /// The construct that the next block of the list closes.
    closing: Option<u32>,
    pending: Vec<(List, Block)>,
}

const NAMED: u32 = u32::MAX - 1;

/// Where a way of a multi-way branch leads.
enum Way {
    /// It is a jump itself.
    Jumps(Jump),
    /// To edge blocks that do nothing but jump.
    LeavesByEdge,
    /// To a block that is in no list yet.
    Goes,
}

impl Walk<'_> {
    fn add_list(&mut self, owner: Owner, depth: u32, context: Context, first: Block) -> List {
        let list = List(self.tree.lists.len() as u32);
        let mut context = context;
        if let Owner::Construct(_, Role::Case(_)) = owner {
            context.case = Some(list);
        }
        self.tree.lists.push(ListData { owner, context, nodes: 0..0, blocks: 0..0, depth });
        self.pending.push((list, first));
        list
    }

    /// Walks one list to its end.
    fn walk_list(&mut self, list: List, first: Block) -> Result<(), TreeError> {
        let start = self.tree.nodes.len() as u32;
        let mut next = Some(first);
        while let Some(block) = next {
            let node = self.tree.nodes.len() as u32;
            if self.tree.numbers.insert(block, node).is_some() {
                return Err(fault(block, TreeFault::Join));
            }
            let closed = self.closing.take();
            self.add_node(list, Node::Block(block), closed);
            next = self.end_block(list, block, node)?;
            self.tree.places[node as usize].jumps.end = self.tree.jumps.len() as u32;
        }
        self.tree.lists[list.index()].nodes = start..self.tree.nodes.len() as u32;
        Ok(())
    }

    fn add_node(&mut self, list: List, node: Node, closed: Option<u32>) {
        let jumps = self.tree.jumps.len() as u32;
        self.tree.nodes.push(node);
        self.tree.places.push(Place { list, order: 0, opened: None, closed, jumps: jumps..jumps });
    }

    /// Reads a block's terminator; the next block of the list comes back.
    fn end_block(&mut self, list: List, block: Block, node: u32) -> Result<Option<Block>, TreeError> {
        let terminator = self.module.terminator(block).ok_or(fault(block, TreeFault::NoTerminator))?;
        self.tree.numbers.insert(terminator, node);
        match self.module.op(terminator) {
            Op::Branch => {
                let target = self.block(block, terminator, operand::TARGET)?;
                if let Some(jump) = self.leave(self.context(list), target) {
                    self.tree.jumps.push((operand::TARGET, jump));
                    return Ok(None);
                }
                self.tree.jumps.push((operand::TARGET, Jump::Next));
                self.fresh(block, target).map(Some)
            }
            Op::If => self.open_if(list, block, terminator).map(Some),
            Op::StructuredSwitch => self.open_switch(list, block, terminator).map(Some),
            Op::Loop => self.open_loop(list, block, terminator).map(Some),
            Op::BranchIf => self.open_exit(list, block, terminator),
            Op::Switch => Err(fault(block, TreeFault::Switch)),
            _ => Ok(None),
        }
    }

    fn context(&self, list: List) -> Context {
        self.tree.lists[list.index()].context
    }

    /// The jump that an edge to a block is, if it leaves the list.
    fn leave(&self, context: Context, target: Block) -> Option<Jump> {
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
                Part::Body if breaks => return Some(Jump::Break(around.name())),
                Part::Body if continues && !is_single => return Some(Jump::Continue(around.name())),
                Part::Body if continues && is_closest => return Some(Jump::Back(around.name())),
                Part::Continue if breaks && is_closest => return Some(Jump::Break(around.name())),
                Part::Continue if is_header && is_closest => return Some(Jump::Back(around.name())),
                _ => {}
            }
        }
        let entered = self.entered(target)?;
        let own = context.case.filter(|&own| own != entered)?;
        let switch = |list: List| match self.tree.owner(list) {
            Owner::Construct(switch, _) => Some(switch),
            Owner::Function => None,
        };
        (switch(own) == switch(entered)).then_some(Jump::FallThrough(entered))
    }

    /// The case that others fall into at a block.
    fn entered(&self, block: Block) -> Option<List> {
        self.parts.number(block).filter(|&part| part != NAMED).map(List)
    }

    /// A block that begins a list or is the next of one: no construct names it.
    fn fresh(&self, from: Block, target: Block) -> Result<Block, TreeError> {
        let is_of_another = match self.parts.number(target) {
            None => false,
            Some(NAMED) => true,
            Some(case) => self.tree.list_of(from) != Some(List(case)),
        };
        if is_of_another {
            return Err(fault(from, TreeFault::Jump(target)));
        }
        if self.tree.numbers.contains(target) {
            return Err(fault(target, TreeFault::Join));
        }
        Ok(target)
    }

    fn open_if(&mut self, list: List, block: Block, terminator: Terminator) -> Result<Block, TreeError> {
        let merge = self.block(block, terminator, operand::IF_MERGE)?;
        let index = self.open(list, block, ConstructKind::If, Some(merge))?;
        let context = Context { innermost: Some(index), case: None, ..self.context(list) };
        let mut first: Option<(Block, Jump)> = None;
        for (way, role) in [(operand::TRUE, Role::Then), (operand::FALSE, Role::Else)] {
            let target = self.block(block, terminator, way)?;
            let jump = match first {
                Some((same, jump)) if same == target => jump,
                _ => self.enter(index, role, context, target)?,
            };
            first = Some((target, jump));
            self.tree.jumps.push((way, jump));
        }
        Ok(merge)
    }

    /// The jump that an edge into a construct is, with a list for where it goes unless it goes straight elsewhere.
    fn enter(&mut self, index: u32, role: Role, context: Context, target: Block) -> Result<Jump, TreeError> {
        if let Some(jump) = self.leave(context, target) {
            return Ok(jump);
        }
        let construct = &self.tree.constructs[index as usize];
        let (opener, parent) = (construct.opener, construct.parent);
        self.fresh(opener, target)?;
        let depth = self.tree.lists[parent.index()].depth + 1;
        let list = self.add_list(Owner::Construct(Construct(opener), role), depth, context, target);
        self.tree.constructs[index as usize].lists.push(list);
        Ok(Jump::Enter(list))
    }

    fn open_switch(&mut self, list: List, block: Block, terminator: Terminator) -> Result<Block, TreeError> {
        let merge = self.block(block, terminator, operand::SWITCH_MERGE)?;
        let index = self.open(list, block, ConstructKind::Switch, Some(merge))?;
        let context = Context { innermost: Some(index), switch: Some(index), case: None, ..self.context(list) };
        let mut entered: FxHashMap<Block, Jump> = FxHashMap::default();
        let mut cases: Vec<(List, Block)> = Vec::new();
        let count = self.module.operand_count(terminator);
        for way in (0..count).filter(|&way| is_successor(Op::StructuredSwitch, way)) {
            let target = self.block(block, terminator, way)?;
            let jump = match entered.get(&target) {
                Some(&jump) => jump,
                None => self.enter(index, Role::Case(cases.len() as u32), context, target)?,
            };
            if let (None, Jump::Enter(list)) = (entered.insert(target, jump), jump) {
                cases.push((list, target));
            }
            self.tree.jumps.push((way, jump));
        }
        for &(list, first) in &cases {
            self.parts.insert(first, list.0);
        }
        // Where several lead to one place, the last of them has it, the default only if it is alone.
        for &(list, first) in cases.iter().rev() {
            self.name_entries(list, first);
        }
        Ok(merge)
    }

    /// Names where others fall into a case: past the edge blocks between switch and case.
    fn name_entries(&mut self, list: List, first: Block) {
        let mut current = first;
        while self.module.is_bare_edge(current)
            && let Some(target) = self.plain_target(current)
            && !self.parts.contains(target)
            && self.leave(self.context(list), target).is_none()
        {
            self.parts.insert(target, list.0);
            current = target;
        }
    }

    fn open_loop(&mut self, list: List, block: Block, terminator: Terminator) -> Result<Block, TreeError> {
        let header = self.block(block, terminator, operand::TARGET)?;
        let merge = self.block(block, terminator, operand::BREAK)?;
        let continue_target = self.block(block, terminator, operand::CONTINUE)?;
        let index = self.open(list, block, ConstructKind::Loop, Some(merge))?;
        self.claim(block, header)?;
        let context = |part| Context { innermost: Some(index), looped: Some((index, part)), switch: None, case: None };
        let depth = self.tree.lists[list.index()].depth + 1;
        let body = self.add_list(Owner::Construct(Construct(block), Role::Body), depth, context(Part::Body), header);
        let construct = &mut self.tree.constructs[index as usize];
        (construct.loop_header, construct.continue_target) = (Some(header), Some(continue_target));
        construct.lists.push(body);
        self.tree.jumps.push((operand::TARGET, Jump::Enter(body)));
        if continue_target != header {
            self.claim(block, continue_target)?;
            let owner = Owner::Construct(Construct(block), Role::Continue);
            let list = self.add_list(owner, depth, context(Part::Continue), continue_target);
            self.tree.constructs[index as usize].lists.push(list);
        }
        Ok(merge)
    }

    fn open_exit(&mut self, list: List, block: Block, terminator: Terminator) -> Result<Option<Block>, TreeError> {
        let index = self.open(list, block, ConstructKind::Exit, None)?;
        let mut next = None;
        let targets = [operand::TRUE, operand::FALSE].map(|way| self.block(block, terminator, way));
        let targets = [targets[0]?, targets[1]?];
        let context = self.context(list);
        let ways = targets.map(|target| self.way(context, target));
        if targets[0] != targets[1] && ways.iter().all(|way| matches!(way, Way::Goes)) {
            return Err(fault(block, TreeFault::NoExit));
        }
        let mut first: Option<Jump> = None;
        for (place, way) in ways.into_iter().enumerate() {
            let role = [Role::Then, Role::Else][place];
            let jump = match (way, first) {
                (_, Some(jump)) if targets[0] == targets[1] => jump,
                (Way::Jumps(jump), _) => jump,
                (Way::LeavesByEdge, _) => self.enter(index, role, context, targets[place])?,
                (Way::Goes, _) => {
                    next = Some(self.fresh(block, targets[place])?);
                    Jump::Next
                }
            };
            first = Some(jump);
            self.tree.jumps.push((operand::TRUE + place, jump));
        }
        Ok(next)
    }

    /// Where a way of a conditional branch leads: past bare edge blocks, each followed once.
    fn way(&self, context: Context, target: Block) -> Way {
        if let Some(jump) = self.leave(context, target) {
            return Way::Jumps(jump);
        }
        let mut seen = 0;
        let mut current = target;
        // A chain of edge blocks that are placed or named already is no way out, and so ends; a circle ends by the count.
        while self.module.is_bare_edge(current)
            && self.parts.number(current) != Some(NAMED)
            && seen <= self.module.capacity()
        {
            let Some(target) = self.plain_target(current) else { return Way::Goes };
            if self.leave(context, target).is_some() {
                return Way::LeavesByEdge;
            }
            current = target;
            seen += 1;
        }
        Way::Goes
    }

    fn plain_target(&self, block: Block) -> Option<Block> {
        let terminator = self.module.terminator(block).filter(|&last| self.module.op(last) == Op::Branch)?;
        self.block(block, terminator, operand::TARGET).ok()
    }

    /// Opens a construct behind a block.
    fn open(&mut self, list: List, opener: Block, kind: ConstructKind, merge: Option<Block>) -> Result<u32, TreeError> {
        let index = self.tree.constructs.len() as u32;
        if let Some(merge) = merge {
            self.claim(opener, merge)?;
        }
        self.closing = merge.map(|_| index);
        let node = self.tree.nodes.len() - 1;
        debug_assert_eq!(self.tree.nodes[node], Node::Block(opener), "a construct stands right after its opener");
        self.tree.places[node].opened = Some(index);
        self.add_node(list, Node::Construct(Construct(opener)), None);
        self.tree.constructs.push(ConstructData {
            kind,
            opener,
            merge,
            loop_header: None,
            continue_target: None,
            parent: list,
            lists: SmallVec::new(),
            blocks: 0..0,
        });
        Ok(index)
    }

    /// Gives a block a part in the construct that `opener` opens.
    fn claim(&mut self, opener: Block, block: Block) -> Result<(), TreeError> {
        if self.tree.numbers.contains(block) || self.parts.contains(block) {
            return Err(fault(opener, TreeFault::Taken(block)));
        }
        self.parts.insert(block, NAMED);
        Ok(())
    }

    /// The block that a terminator names.
    fn block(&self, at: Block, terminator: Terminator, index: usize) -> Result<Block, TreeError> {
        // By index: to step through the operands would make a wide switch quadratic.
        let named = (index < self.module.operand_count(terminator)).then(|| self.module.operand(terminator, index));
        let named = named.and_then(|named| self.module.cast::<Block>(named));
        let named = named.filter(|&block| self.module.parent(block) == Some(Inst::from(self.function)));
        named.ok_or(fault(at, TreeFault::Operand))
    }

    /// Puts the blocks in source order, and notes the range of each list and construct.
    fn put_in_order(&mut self, blocks: &[Block]) {
        /// A list, and how many of its nodes are done; or a construct, and how many of its lists are.
        enum Open {
            List(List, usize),
            Construct(u32, usize),
        }
        let mut stack = vec![Open::List(List(0), 0)];
        while let Some(open) = stack.pop() {
            let count = self.tree.blocks.len() as u32;
            match open {
                Open::List(list, done) => {
                    if done == 0 {
                        self.tree.lists[list.index()].blocks.start = count;
                    }
                    let data = &mut self.tree.lists[list.index()];
                    let node = data.nodes.start as usize + done;
                    if node == data.nodes.end as usize {
                        data.blocks.end = count;
                        continue;
                    }
                    stack.push(Open::List(list, done + 1));
                    if let Node::Block(block) = self.tree.nodes[node] {
                        self.tree.blocks.push(block);
                        self.tree.places[node].order = count;
                        // The construct that it opens is the next node.
                        let opened = self.tree.places[node].opened;
                        stack.extend(opened.map(|index| Open::Construct(index, 0)));
                    }
                }
                Open::Construct(index, done) => {
                    let construct = &mut self.tree.constructs[index as usize];
                    if done == 0 {
                        construct.blocks.start = count;
                    }
                    let Some(&list) = construct.lists.get(done) else {
                        construct.blocks.end = count;
                        continue;
                    };
                    stack.push(Open::Construct(index, done + 1));
                    stack.push(Open::List(list, 0));
                }
            }
        }
        let numbers = &self.tree.numbers;
        self.tree.outside = blocks.iter().copied().filter(|&block| !numbers.contains(block)).collect();
    }
}

fn fault(block: Block, fault: TreeFault) -> TreeError {
    TreeError { inst: block.into(), fault }
}
