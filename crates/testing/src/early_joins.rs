//! Selections whose two arms join before their merge block.
//!
//! Front ends rarely produce them, and the structurizer never does, but SPIR-V allows them. They are created from ordinary selections in
//! two ways:
//!
//! ```text
//! [then] [else]  ^m: rest; branch ^x         [then] [else]  ^m: rest; branch ^n     deepened: the merge block is a new one, and what
//!   └──┬───┘                           ⇒       └──┬───┘     ^n: branch ^x           stood behind the selection stands in it
//!
//! [then] [else]  ^m(%p)                      [then] [else]  ^j(%q): branch ^m(%q)   split: the ends of the two arms join before
//!   └──┬───┘                           ⇒       └──┬───┘     ^m(%p)                  the merge block, conditional exits do not
//! ```
//!
//! Every lane does the same as before. Convergence may differ: lanes of the two arms no longer reconverge at the join.

use reconverge_control_tree::{ConstructData, ConstructKind, ControlTree, Jump, List, Node, Role, pad};
use reconverge_ir::terminator::operand;
use reconverge_ir::{Block, Builder, Edge, Function, Inst, Module, Op, Position};

use crate::random::Random;

/// Makes the arms of up to `count` selections of a structured function join before the merge block. Returns their number.
///
/// # Panics
/// The function is not structured.
pub fn join_early(module: &mut Module, function: Function, count: usize, random: &mut Random) -> usize {
    pad(module, function).expect("the function is structured");
    let mut made = 0;
    for _ in 0..count {
        let tree = ControlTree::compute(module, function).expect("the function is structured");
        let candidates = tree.constructs().filter(|construct| construct.kind == ConstructKind::If);
        let candidates: Vec<&ConstructData> =
            candidates.filter(|construct| ends(module, &tree, construct).is_some()).collect();
        if candidates.is_empty() {
            break;
        }
        let chosen = *random.choose(&candidates);
        let rest = Rest::find(module, &tree, chosen).filter(|_| random.chance(60));
        match (rest, ends(module, &tree, chosen)) {
            (Some(rest), _) => rest.deepen(module),
            (None, Some(ends)) => split(module, chosen, ends),
            (None, None) => continue,
        }
        made += 1;
    }
    made
}

/// The edges by which the two arms of an `if` reach its merge block, if both do.
fn ends(module: &Module, tree: &ControlTree, construct: &ConstructData) -> Option<[Edge; 2]> {
    let end = |role: Role| {
        let list = tree.list(construct.name(), role)?;
        ends_of(module, tree, list).into_iter().find(|&edge| tree.jump(edge) == Some(Jump::Merge(construct.name())))
    };
    Some([end(Role::Then)?, end(Role::Else)?])
}

/// The edges by which a list is left at its end: those of its last block, or of its last conditional exit.
fn ends_of(module: &Module, tree: &ControlTree, list: List) -> Vec<Edge> {
    let blocks: Vec<Block> = match tree.nodes(list).last() {
        Some(&Node::Construct(exit)) => tree.construct(exit).lists.iter().map(|&way| tree.last_block(way)).collect(),
        Some(&Node::Block(block)) => vec![block],
        None => Vec::new(),
    };
    let is_branch = |block: &Block| module.terminator(*block).is_some_and(|last| module.op(last) == Op::Branch);
    blocks.into_iter().filter(is_branch).flat_map(|block| module.out_edges(block)).collect()
}

/// A new block at the end of a function, or after a block, with the parameter types of another block.
fn add_block(module: &mut Module, behind: Block, like: Option<Block>) -> (Block, Vec<Inst>) {
    let types: Vec<Inst> =
        like.into_iter().flat_map(|like| module.parameters(like)).filter_map(|it| module.ty(it)).collect();
    let block = module.edit().insert(Position::After(behind.into()), Op::Block, None, &[]);
    let block: Block = module.cast(block).expect("a block was made");
    let parameters = types.into_iter().map(|ty| Builder::new(module).add_parameter(block, ty).into()).collect();
    (block, parameters)
}

/// Redirects the ends of two arms to a new common block.
fn split(module: &mut Module, construct: &ConstructData, ends: [Edge; 2]) {
    let merge = construct.merge.expect("an if has a merge block");
    let before = module.previous(merge).and_then(|before| module.cast(before)).expect("the opener stands before it");
    let (join, parameters) = add_block(module, before, Some(merge));
    let operands: Vec<Inst> = std::iter::once(merge.into()).chain(parameters).collect();
    module.edit().append(join, Op::Branch, None, &operands);
    for edge in ends {
        module.edit().set_operand(edge.terminator, operand::TARGET, join);
    }
}

/// The contents of a list after the merge block of a selection, if they may also be inside that selection.
struct Rest {
    opener: Block,
    /// The last of these blocks in source order.
    last: Block,
    /// The jump at the end of the list, if it leaves the selection: the new merge block is placed there.
    end: Option<Edge>,
}

impl Rest {
    fn find(module: &Module, tree: &ControlTree, construct: &ConstructData) -> Option<Rest> {
        let merge = construct.merge?;
        let list = construct.parent;
        let is_left_once = module.in_edges(merge).count() == 2;
        let blocks = tree.blocks_of_list(list);
        let start = blocks.iter().position(|&block| block == merge)?;
        let rest = &blocks[start..];
        let is_inside = |edge: &Edge| module.target(*edge).is_some_and(|target| rest.contains(&target));
        let ends = ends_of(module, tree, list);
        let mut last = None;
        for edge in rest.iter().flat_map(|&block| module.out_edges(block)).filter(|edge| !is_inside(edge)) {
            let source = module.block_of(edge.terminator)?;
            let may_stay = match tree.jump(edge)? {
                Jump::Continue(_) => true,
                Jump::Break(_) => tree.outwards(source).all(|list| !is_continue(tree, list)),
                Jump::Merge(left) => tree.construct(left).kind == ConstructKind::Switch,
                _ => false,
            };
            let is_end = ends.contains(&edge);
            // In a continue construct every path must reach the latch, so the new merge block must jump on.
            if is_end && last.is_none() {
                last = Some(edge);
            } else if !may_stay {
                return None;
            }
        }
        let is_bound = last.is_none() && tree.outwards(merge).any(|list| is_continue(tree, list));
        (is_left_once && !is_bound).then_some(Rest { opener: construct.opener, last: *rest.last()?, end: last })
    }

    fn deepen(self, module: &mut Module) {
        let target = self.end.and_then(|edge| module.target(edge));
        let (merge, parameters) = add_block(module, self.last, target);
        match target {
            Some(target) => {
                let operands: Vec<Inst> = std::iter::once(target.into()).chain(parameters).collect();
                module.edit().append(merge, Op::Branch, None, &operands);
            }
            None => {
                module.edit().append(merge, Op::Unreachable, None, &[]);
            }
        }
        if let Some(edge) = self.end {
            module.edit().set_operand(edge.terminator, operand::TARGET, merge);
        }
        let open = module.terminator(self.opener).expect("an opener has a terminator");
        module.edit().set_operand(open, operand::IF_MERGE, merge);
    }
}

fn is_continue(tree: &ControlTree, list: List) -> bool {
    matches!(tree.owner(list), reconverge_control_tree::Owner::Construct(_, Role::Continue))
}
