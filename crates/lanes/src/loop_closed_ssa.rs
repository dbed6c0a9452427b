//! Loop-closed SSA form: a value of a loop that is used after the loop goes through a parameter of the break block.
//!
//! ```text
//! ^h: %i = …   branch_if %c ^b ^x           ^h: %i = …   branch_if %c ^b ^x
//! edge ^x: branch ^m                  ⇒     edge ^x: branch ^m(%i)
//! ^m: use %i                                ^m(%p): use %p
//! ```
//!
//! Lanes leave a loop in different iterations, so the value at the exit is another one for each lane: a parameter has a place where the
//! values of the lanes join. A loop is left through its break block alone (or by a return), so its parameters see every value.
//! A pointer into a variable cannot go through a parameter: its access chain is copied to where it is used, and its indexes go through
//! parameters. Inner loops come first: what a parameter of theirs passes on is a value of the loop around. Linear in the uses and their nesting.

use reconverge_control_tree::{ConstructKind, ControlTree, Node, pad};
use reconverge_diagnostic::Diagnostic;
use reconverge_ir::{Block, Builder, Edge, Function, Inst, Module, Op, OpGroup, Position, Slot, Use};
use rustc_hash::FxHashSet;
use spirv::StorageClass;

use crate::error::no_tree;

/// Brings a function at stage Structured into the form in which every place of its tree has a block ([`pad`]) and loops are in loop-closed SSA
/// form. Edges to a break block that gets parameters may be split. Returns whether the function was changed, or may have been.
///
/// # Errors
/// The function is not valid at stage Structured.
pub fn loop_closed_ssa(module: &mut Module, function: Function) -> Result<bool, Diagnostic> {
    let padded = pad(module, function).map_err(|error| no_tree(function, error))?;
    let tree = ControlTree::compute(module, function).map_err(|error| no_tree(function, error))?;
    close_loops(module, &tree);
    Ok(padded || tree.constructs().any(|construct| construct.kind == ConstructKind::Loop))
}

fn close_loops(module: &mut Module, tree: &ControlTree) {
    for construct in tree.constructs().rev().filter(|construct| construct.kind == ConstructKind::Loop) {
        let Some(merge) = construct.merge else { continue };
        let blocks = tree.blocks_of(Node::Construct(construct.name()));
        let mut inside: FxHashSet<Block> = blocks.iter().copied().collect();
        for &block in blocks.iter().rev() {
            let chains: Vec<Inst> =
                module.children(block).filter(|&inst| is_chain_into_variable(module, inst)).collect();
            chains.into_iter().rev().for_each(|chain| copy_to_outside_uses(module, &inside, chain));
        }
        for &block in blocks {
            let values: Vec<Inst> = module.children(block).filter(|&inst| module.ty(inst).is_some()).collect();
            for value in values {
                close_value(module, &mut inside, merge, value);
            }
        }
    }
}

/// Returns whether an instruction is the address of a part of a variable.
fn is_chain_into_variable(module: &Module, inst: Inst) -> bool {
    let is_address = module.storage_class(inst) == Some(StorageClass::PhysicalStorageBuffer);
    module.op(inst).group() == OpGroup::Address && !is_address
}

fn copy_to_outside_uses(module: &mut Module, inside: &FxHashSet<Block>, chain: Inst) {
    for used in outside_uses(module, inside, chain) {
        if let Slot::Operand(index) = used.slot {
            let (op, ty, operands) =
                (module.op(chain), module.ty(chain), module.operands(chain).collect::<Vec<Inst>>());
            let copy = module.edit().insert(Position::Before(used.user), op, ty, &operands);
            module.edit().set_operand(used.user, index, copy);
        }
    }
}

fn outside_uses(module: &Module, inside: &FxHashSet<Block>, value: Inst) -> Vec<Use> {
    let is_outside = |used: &Use| module.block_of(used.user).is_some_and(|block| !inside.contains(&block));
    module.uses(value).filter(is_outside).collect()
}

fn close_value(module: &mut Module, inside: &mut FxHashSet<Block>, merge: Block, value: Inst) {
    let outside = outside_uses(module, inside, value);
    if outside.is_empty() {
        return;
    }
    let ty = module.ty(value).expect("invariant: values have types");
    let edges: Vec<Edge> = module.in_edges(merge).collect();
    let parameter = Builder::new(module).add_parameter(merge, ty);
    for edge in edges {
        let mut jump: Inst = edge.terminator.into();
        if module.op(jump) != Op::Branch {
            let block = module.edit().split_edge(edge);
            inside.insert(block);
            jump = module.terminator(block).expect("invariant: the new block has a jump").into();
        }
        let operands: Vec<Inst> = module.operands(jump).chain([value]).collect();
        module.edit().set_operands(jump, &operands);
    }
    for used in outside {
        if let Slot::Operand(index) = used.slot {
            module.edit().set_operand(used.user, index, parameter);
        }
    }
}
