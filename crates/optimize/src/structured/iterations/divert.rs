//! Redirects exits of a loop through its continue target, with a flag.
//!
//! ```text
//! loop ^h break ^m continue ^c          loop ^h break ^m continue ^g
//! … branch ^m(%x)                       … branch ^g(true, %x, undef)
//! … branch ^c(%y)                 ⇒     … branch ^g(false, undef, %y)
//! ^c(%q): code; branch ^h               ^g(%out, %p, %r): branch_if %out ^leave ^goes
//!                                       edge ^leave: branch ^m(%p)       ^goes: branch ^c(%r)
//! ```
//!
//! Lanes that leave wait for those that continue at the new continue target, and reconverge at the break block as before. A copy of such a
//! loop has one exit, after its continue target, outside the one-trip loop around the rest of the copy. The loop itself must be unrolled
//! then: SPIR-V requires that a continue list is left only at its end.
//!
//! The caller repairs values that the continue list uses from the body.

use reconverge_ir::{Block, Builder, Edge, Inst, Module, Op, Position, terminator::operand};

use super::super::blocks::{make_jumps, new_block};
use super::LoopShape;
use reconverge_rewrite::undef::Undefs;

/// Redirects the exits of a loop's body through its continue target.
pub(in super::super) fn divert_exits(module: &mut Module, shape: &LoopShape) {
    make_jumps(module, shape.target);
    let gathered = new_block(module, Op::Block, Position::Before(shape.target.into()));
    let mut build = Builder::new(module);
    let (bool_type, yes, no) = (build.bool_type(), build.constant_bool(true), build.constant_bool(false));
    let flag: Inst = build.add_parameter(gathered, bool_type).into();
    let [leaving, going] = [shape.exit, shape.target].map(|block| carried(module, block, gathered));
    let mut undefs = Undefs::default();
    let mut undefined = |module: &mut Module, values: &[Inst]| -> Vec<Inst> {
        let types: Vec<Inst> = values.iter().filter_map(|&value| module.ty(value)).collect();
        types.into_iter().map(|ty| undefs.undef(module, ty)).collect()
    };
    let (nothing_leaving, nothing_going) = (undefined(module, &leaving), undefined(module, &going));
    let edges: Vec<Edge> = module.in_edges(shape.target).collect();
    for edge in edges {
        let passed: Vec<Inst> = module.arguments(edge.terminator).collect();
        redirect(module, edge, gathered, [&[no], &nothing_leaving, &passed]);
    }
    let edges: Vec<Edge> = module.in_edges(shape.exit).collect();
    for edge in edges {
        let source = module.block_of(edge.terminator);
        if source.is_some_and(|source| shape.leaving.contains(&source) && !shape.continued.contains(&source)) {
            let passed: Vec<Inst> = module.arguments(edge.terminator).collect();
            redirect(module, edge, gathered, [&[yes], &passed, &nothing_going]);
        }
    }
    let leave = new_block(module, Op::EdgeBlock, Position::After(gathered.into()));
    let goes = new_block(module, Op::Block, Position::After(leave.into()));
    module.edit().append(gathered, Op::BranchIf, None, &[flag, leave.into(), goes.into()]);
    for (block, target, values) in [(leave, shape.exit, leaving), (goes, shape.target, going)] {
        let operands: Vec<Inst> = std::iter::once(target.into()).chain(values).collect();
        module.edit().append(block, Op::Branch, None, &operands);
    }
    let opening = module.terminator(shape.opener).expect("invariant: an opener has a terminator");
    module.edit().set_operand(opening, operand::CONTINUE, gathered);
}

/// Adds parameters to `at` for those of a block.
fn carried(module: &mut Module, block: Block, at: Block) -> Vec<Inst> {
    let types: Vec<Inst> = module.parameters(block).filter_map(|parameter| module.ty(parameter)).collect();
    types.into_iter().map(|ty| Builder::new(module).add_parameter(at, ty).into()).collect()
}

fn redirect(module: &mut Module, edge: Edge, target: Block, arguments: [&[Inst]; 3]) {
    let source = module.block_of(edge.terminator).expect("invariant: a jump stands in a block");
    let operands: Vec<Inst> = std::iter::once(target.into()).chain(arguments.concat()).collect();
    module.edit().replace_terminator(source, Op::Branch, &operands);
}
