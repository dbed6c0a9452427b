//! Straight-line code: blocks with one successor that has no other predecessor.
//!
//! ```text
//! ^a: x; branch ^b(%v)   ^b(%p): y      ⇒      ^a: x; y          y uses %v for %p
//! ```
//!
//! A loop header stays separate from a terminator that it cannot have, and a case from the edge block that leads to it if another case
//! falls through to it.

use crate::editor::{may_end_header, substitute_parameters};
use crate::{ControlTree, Node, Owner, Role};
use reconverge_ir::{Block, Inst, Location, Module, Op, Position};

/// Merges blocks with their only successor.
pub(super) fn join_lines(module: &mut Module, tree: &ControlTree) -> bool {
    let mut is_changed = false;
    for list in tree.lists() {
        let is_body = matches!(tree.owner(list), Owner::Construct(_, Role::Body));
        let mut header = is_body.then(|| tree.first_block(list));
        let mut before: Option<Block> = None;
        for &node in tree.nodes(list) {
            let Node::Block(block) = node else {
                before = None;
                continue;
            };
            let joined = before.filter(|&first| can_join(module, first, block, header));
            before = Some(match joined {
                Some(first) => {
                    is_changed = true;
                    let survivor = join(module, first, block);
                    header = header.map(|header| if header == first { survivor } else { header });
                    survivor
                }
                None => block,
            });
        }
    }
    is_changed
}

/// Whether two blocks of a list with a header can be merged.
fn can_join(module: &Module, first: Block, second: Block, header: Option<Block>) -> bool {
    let branch = module.terminator(first).filter(|&last| module.op(last) == Op::Branch);
    let Some(branch) = branch else { return false };
    let end = module.terminator(second).map(|last| module.op(last));
    let mut uses = module.uses(second);
    let is_alone = uses.next().is_some_and(|used| used.user == branch.inst()) && uses.next().is_none();
    is_alone && (header != Some(first) || end.is_some_and(may_end_header))
}

/// Merges two blocks. A bare edge block is merged into the other block, which keeps its name; else the first one stays.
fn join(module: &mut Module, first: Block, second: Block) -> Block {
    let branch = module.terminator(first).expect("invariant: the first block ends in a branch");
    substitute_parameters(module, branch, second);
    let gives_way = module.is_bare_edge(first) && module.op(second) == Op::Block;
    module.edit().delete(branch);
    let (from, to) = if gives_way { (first, second) } else { (second, first) };
    let moved: Vec<Inst> = module.children(from).collect();
    let mut position = if gives_way { Position::AtStart(to.into()) } else { Position::AtEnd(to.into()) };
    let behind = if gives_way { module.first_child(to) } else { moved.first().copied() };
    let location = behind.and_then(|inst| module.location(inst));
    for &inst in &moved {
        module.edit().move_to(inst, position);
        position = Position::After(inst);
    }
    if let Some(inst) = behind {
        keep_location(module, inst, location);
    }
    module.edit().replace_all_uses(from, to);
    module.edit().delete(from);
    to
}

/// Sets an explicit location on an instruction if it inherits another one; returns whether it did.
pub(crate) fn keep_location(module: &mut Module, inst: Inst, location: Option<Location>) -> bool {
    let is_written = module.explicit_location(inst).is_none() && module.location(inst) != location;
    if is_written {
        module.edit().set_location(inst, Some(location.unwrap_or(Location::NONE)));
    }
    is_written
}
