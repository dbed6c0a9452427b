//! The code of a continue list at the top of the next iteration.
//!
//! ```text
//! ^p: loop ^h(%i) break ^m continue ^c      ^p: loop ^top(false, undef) break ^m continue ^latch
//! ^h(%x): body                              ^top(%again, %q): branch ^ask
//!     branch ^c(%a)    branch ^c(%b)        ^ask: if %again ^c ^first merge ^h
//! ^c(%q): code                         ⇒    edge ^first: branch ^h(%i)
//!     branch ^h(%y)                         ^c: code; branch ^h(%y)
//! ^m: …                                     ^h(%x): body
//!                                               branch ^latch(%a)    branch ^latch(%b)
//!                                           ^latch(%r): branch ^top(true, %r)
//! ```
//!
//! Values that the code uses from the body now come from the previous iteration: SSA repair makes them parameters of `^top`. An exit of the
//! code is a break as before.

use reconverge_ir::{Block, Builder, Edge, Inst, Module, Op, Parameter, Position, terminator::operand};
use spirv::SelectionControl;

use super::super::blocks::new_block;
use super::{Continued, name_continue};
use reconverge_rewrite::undef::Undefs;

/// Moves the continue list of a loop to its top. The caller repairs the values that it uses from the body.
pub(super) fn move_to_top(module: &mut Module, continued: &Continued) {
    let Continued { opening, header, target, .. } = *continued;
    let parameters: Vec<Parameter> = module.parameters(target).collect();
    let types: Vec<Inst> = parameters.iter().filter_map(|&parameter| module.ty(parameter)).collect();
    let top = new_block(module, Op::Block, Position::Before(header.into()));
    let ask = new_block(module, Op::Block, Position::After(top.into()));
    let first = new_block(module, Op::EdgeBlock, Position::After(ask.into()));
    let latch = redirect(module, continued, &types);
    let mut build = Builder::new(module);
    let (bool_type, yes, no) = (build.bool_type(), build.constant_bool(true), build.constant_bool(false));
    let again: Inst = build.add_parameter(top, bool_type).into();
    let carried: Vec<Inst> = types.iter().map(|&ty| build.add_parameter(top, ty).into()).collect();
    let mut back: Vec<Inst> = vec![top.into(), yes];
    back.extend(module.parameters(latch).map(Inst::from));
    module.edit().append(latch, Op::Branch, None, &back);
    for (&parameter, &image) in parameters.iter().zip(&carried) {
        module.edit().replace_all_uses(parameter, image);
        module.edit().delete(parameter);
    }
    let initial: Vec<Inst> = module.arguments(opening).collect();
    enter_at(module, continued, top, no, &types);
    module.edit().append(top, Op::Branch, None, &[ask.into()]);
    let control = module.edit().enumerant(SelectionControl::NONE);
    let asked = [again, target.into(), first.into(), header.into(), control];
    module.edit().append(ask, Op::If, None, &asked);
    let start: Vec<Inst> = std::iter::once(header.into()).chain(initial).collect();
    module.edit().append(first, Op::Branch, None, &start);
    for &block in &continued.blocks {
        module.edit().move_to(block, Position::Before(header.into()));
    }
    name_continue(module, opening, latch);
}

/// A new latch that gets all edges of the continue block.
fn redirect(module: &mut Module, continued: &Continued, types: &[Inst]) -> Block {
    let last = continued.blocks.last().copied().unwrap_or(continued.target);
    let latch = new_block(module, Op::Block, Position::After(last.into()));
    for &ty in types {
        Builder::new(module).add_parameter(latch, ty);
    }
    let edges: Vec<Edge> = module.in_edges(continued.target).collect();
    for edge in edges {
        module.edit().set_operand(edge.terminator, edge.operand, latch);
    }
    latch
}

/// Gives the loop another header.
fn enter_at(module: &mut Module, continued: &Continued, top: Block, no: Inst, types: &[Inst]) {
    let mut undefs = Undefs::default();
    let mut operands: Vec<Inst> = module.operands(continued.opening).take(operand::LOOP_ARGUMENTS).collect();
    operands[operand::TARGET] = top.into();
    operands.push(no);
    operands.extend(types.iter().map(|&ty| undefs.undef(module, ty)));
    module.edit().set_operands(continued.opening, &operands);
}
