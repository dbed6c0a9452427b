//! Creation and splitting of blocks for passes over loops and returns.

use reconverge_diagnostic::Diagnostic;
use reconverge_ir::terminator::operand;
use reconverge_ir::{Block, Builder, Edge, Inst, Module, Op, Position};
use spirv::SelectionControl;

use reconverge_rewrite::jumps::bind_parameters;
use reconverge_rewrite::ssa_repair::RepairError;
use reconverge_rewrite::trivial_parameters::remove_trivial_parameters;
use reconverge_rewrite::undef::Undefs;

use super::DemandCode;

/// Converts an error of SSA repair to an error of a pass.
pub(super) fn repair_failed(module: &Module, error: RepairError) -> Diagnostic {
    match error {
        RepairError::Growth(limit) => limit.into(),
        RepairError::Opaque { value, user } => {
            let op = module.op(value).name();
            let message = format!("the value of `{op}` would need a block parameter, which its type does not allow");
            Diagnostic::new(DemandCode::OpaqueValue, user, message)
        }
    }
}

/// Creates an empty block.
pub(super) fn new_block(module: &mut Module, op: Op, position: Position) -> Block {
    let block = module.edit().insert(position, op, None, &[]);
    module.cast(block).expect("invariant: a block was made")
}

/// Moves all instructions after a block's parameters to a new block right after it. The block has no terminator then.
pub(super) fn split_after_parameters(module: &mut Module, block: Block) -> Block {
    let behind: Vec<Inst> = module.children(block).filter(|&inst| module.op(inst) != Op::BlockParameter).collect();
    move_behind(module, block, &behind)
}

/// Moves a block's terminator to a new block right after it.
pub(super) fn split_before_terminator(module: &mut Module, block: Block) -> Block {
    let last: Vec<Inst> = module.terminator(block).map(Inst::from).into_iter().collect();
    move_behind(module, block, &last)
}

/// The block that can open a selection before a block's terminator: the block itself, or a new block after it if it is a loop header, which
/// must not open a selection (R11).
pub(super) fn split_off_header(module: &mut Module, block: Block) -> Block {
    if !module.in_edges(block).any(|edge| module.op(edge.terminator) == Op::Loop) {
        return block;
    }
    let opener = split_before_terminator(module, block);
    module.edit().append(block, Op::Branch, None, &[opener.into()]);
    opener
}

fn move_behind(module: &mut Module, block: Block, behind: &[Inst]) -> Block {
    let location = behind.first().and_then(|&first| module.location(first));
    let rest = new_block(module, Op::Block, Position::After(block.into()));
    for &inst in behind {
        module.edit().move_to(inst, Position::AtEnd(rest.into()));
    }
    if let Some(&first) = behind.first().filter(|_| location.is_some()) {
        module.edit().set_location(first, location);
    }
    rest
}

/// Splits the edges to a block that come from branches with several successors, so that each can pass arguments. Returns whether there was
/// one.
pub(super) fn make_jumps(module: &mut Module, block: Block) -> bool {
    let edges: Vec<Edge> = module.in_edges(block).collect();
    let mut changed = false;
    for edge in edges {
        if !matches!(module.op(edge.terminator), Op::Branch | Op::Loop) {
            module.edit().split_edge(edge);
            changed = true;
        }
    }
    changed
}

/// The block with the conditional exit that has the edge from `source` to `target`, and the other target of the exit.
pub(super) fn conditional_exit(module: &Module, source: Block, target: Block) -> Option<(Block, Inst)> {
    let (mut block, mut way) = (source, target);
    if module.is_bare_edge(block) {
        (way, block) = (block, module.predecessors(block).next()?);
    }
    let branch = module.terminator(block).filter(|&last| module.op(last) == Op::BranchIf)?;
    let ways = [operand::TRUE, operand::FALSE].map(|index| module.operand(branch, index));
    let other = ways.into_iter().find(|&other| other != way.into())?;
    Some((block, other))
}

/// Returns whether an edge leads to a block, possibly through an edge block.
pub(super) fn leads_to(module: &Module, way: Inst, block: Block) -> bool {
    let through = module.cast::<Block>(way).filter(|&way| module.is_bare_edge(way));
    way == block.into() || through.and_then(|way| module.successors(way).next()) == Some(block)
}

/// Adds a parameter to a block whose incoming edges are all jumps. `argument` gives the argument for the block of each jump.
pub(super) fn append_parameter(
    module: &mut Module,
    block: Block,
    ty: Inst,
    mut argument: impl FnMut(Block) -> Inst,
) -> Inst {
    let mut editor = module.edit();
    let parameter = editor.append_parameter(block, ty, |editor, edge| {
        argument(editor.module().block_of(edge.terminator).expect("invariant: a jump stands in a block"))
    });
    parameter.into()
}

/// A jump to a block that passes undefined values for its parameters, except the last ones, which get the arguments in `last`.
pub(super) fn jump_with(module: &mut Module, block: Block, target: Block, last: &[Inst]) {
    let types: Vec<Inst> = module.parameters(target).filter_map(|parameter| module.ty(parameter)).collect();
    let mut undefs = Undefs::default();
    let mut operands: Vec<Inst> = vec![target.into()];
    for &ty in &types[..types.len() - last.len()] {
        operands.push(undefs.undef(module, ty));
    }
    operands.extend_from_slice(last);
    module.edit().replace_terminator(block, Op::Branch, &operands);
}

/// Removes parameters that all edges pass one value, from blocks that may be deleted already.
pub(super) fn remove_settled_parameters(module: &mut Module, blocks: &[Block]) {
    let live: Vec<Block> = blocks.iter().copied().filter(|&block| module.is_live(block)).collect();
    for &block in &live {
        if module.in_edges(block).count() == 1 && module.predecessors(block).count() == 1 {
            bind_parameters(module, block);
        }
    }
    let parameters: Vec<Inst> = live.iter().flat_map(|&block| module.parameters(block)).map(Inst::from).collect();
    remove_trivial_parameters(module, &parameters);
}

/// The 32-bit constant 0, the selector of a scope.
pub(super) fn zero(module: &mut Module) -> Inst {
    let mut build = Builder::new(module);
    let ty = build.int_type(32);
    build.constant_word(ty, 0)
}

/// Ends a block by a switch with only a default: a scope that edges inside can leave to `merge`.
pub(super) fn open_scope(module: &mut Module, block: Block, body: Block, merge: Block) {
    let selector = zero(module);
    let control = module.edit().enumerant(SelectionControl::NONE);
    let operands = [selector, body.into(), merge.into(), control];
    module.edit().replace_terminator(block, Op::StructuredSwitch, &operands);
}
