//! Rotates loops (loop inversion): a test at the top becomes one before the loop and one at its end.
//!
//! *Requires* stage Structured. *Preserves* stage, what every lane does, and convergence. *Breaks* nothing. Idempotent: a rotated loop
//! begins with its body.
//!
//! ```text
//! ^p: loop ^h(%a) break ^m continue ^c        ^p: test with %a for %i
//! ^h(%i): test; branch_if %t ^body ^out           if %t.0 ^enter ^skip merge ^m
//! edge ^out: branch ^m(%i)                    ^enter: loop ^h(%a, …) break ^l continue ^c
//! ^body: …                            ⇒       ^h(%i, …): branch ^body
//! ^c: code; branch ^h(%n)                     ^body: …
//! ^m(%r): …                                   ^c: code; test with %n for %i; branch_if %t.1 ^back ^out
//!                                             edge ^back: branch ^h(%n, …)      edge ^out: branch ^l(%n)
//!                                             edge ^skip: branch ^m(%a)         ^l(%r'): branch ^m(%r')
//! ```
//!
//! A loop is rotated if its header contains only a few pure operations and a conditional exit to the break block, and its continue list
//! ends in a plain jump. There are two copies of these operations then. Values of them that are used in the body, or after the loop, become
//! parameters.
//!
//! Convergence: the operations of the test are pure, so it is not observable which lanes execute them together. The test before the loop is
//! executed by the same lanes as the header in the first iteration. The test at the end is executed by the lanes that reconverged at the
//! continue target (M8) and did not leave it since; these would have reached the header over the back edge. So the same lanes stay. Those
//! that leave reconverge at the loop's own break block (M7), and with those that never entered at the merge block of the `if` (M6), before
//! the code after the loop. This is the set of lanes that reconverged at the original break block.
//!
//! Each loop is rotated once, outer loops first. Linear. As an optimization, only loops are rotated whose test prevents code motion out of
//! the body, or whose first test is invariant in the enclosing loop (`gcm/held_up.rs`); near-linear.

use std::collections::HashMap;
use std::ops::Range;

use reconverge_analysis::Extents;
use reconverge_control_tree::{ConstructData, ConstructKind, ControlTree, Role};
use reconverge_diagnostic::Diagnostic;
use reconverge_ir::{
    Block, Builder, Copies, Function, Inst, Module, Op, Position, Slot, Terminator, Use, terminator::operand,
};
use spirv::SelectionControl;

use super::blocks::{append_parameter, leads_to, make_jumps, new_block, split_before_terminator, split_off_header};
use super::order::put_dominators_first;
use super::view::make_tree_shaped;
use crate::analyses::Analyses;
use crate::body::Body;
use crate::gcm::HeldUp;
use crate::merge_blocks::merge_blocks;
use reconverge_rewrite::capabilities::Carriable;

/// The maximal number of operations of a test that is duplicated.
const TEST_LIMIT: usize = 8;

/// The maximal nesting of a function in which loops are rotated as an optimization: each loop around a block nests it one level deeper, and
/// the structurizer's default limit (`Options::nesting_limit` of the structurizer) must still hold.
const DEPTH_LIMIT: usize = 31;

/// Rotates loops. Returns whether anything changed. See the description of this file.
///
/// # Errors
/// The function is not structured.
pub fn loop_rotate_all(module: &mut Module, function: Function) -> Result<bool, Diagnostic> {
    if module.entry(function).is_none() {
        return Ok(false);
    }
    invert(module, function, |_, _, found| found)
}

/// Rotates the loops that then execute fewer instructions after [`gcm`](fn@crate::gcm); none in functions that nest too deep. Returns
/// whether anything changed. See the description of this file.
///
/// # Errors
/// The function is not structured.
pub fn loop_rotate(module: &mut Module, function: Function, analyses: &mut Analyses) -> Result<bool, Diagnostic> {
    // Many compilers put the test after the first block of a loop; and a block without its test has only one successor.
    let is_joined = merge_blocks(module, function) > 0;
    let mut fresh = Analyses::default();
    let is_rotated = rotate_worthwhile(module, function, if is_joined { &mut fresh } else { analyses })?;
    if is_rotated {
        merge_blocks(module, function);
    }
    Ok(is_joined || is_rotated)
}

fn rotate_worthwhile(module: &mut Module, function: Function, analyses: &mut Analyses) -> Result<bool, Diagnostic> {
    let is_loop = |block: Block| module.terminator(block).is_some_and(|last| module.op(last) == Op::Loop);
    if !module.blocks(function).any(is_loop) {
        return Ok(false);
    }
    invert(module, function, |module, (tree, is_padded), mut found| {
        let is_deep = tree.lists().any(|list| tree.depth(list) > DEPTH_LIMIT);
        if is_deep || found.is_empty() {
            return Vec::new();
        }
        // The kept tables are those of the function before blocks were added.
        let body = if is_padded { Box::new(Body::compute(module, function)) } else { analyses.take(module, function) };
        let held_up = HeldUp::compute(module, &body);
        found.retain(|(inverted, _)| inverted.is_worthwhile(module, &held_up));
        if !is_padded {
            analyses.keep(function, body);
        }
        found
    })
}

/// A loop, and the range of its construct.
type Found = (Inverted, Range<usize>);

/// Rotates the chosen loops, given the tree and whether the function was changed to compute it. Returns whether anything changed.
fn invert(
    module: &mut Module,
    function: Function,
    choose: impl FnOnce(&Module, (&ControlTree, bool), Vec<Found>) -> Vec<Found>,
) -> Result<bool, Diagnostic> {
    let (tree, is_padded) = make_tree_shaped(module, function)?;
    let carriable = Carriable::compute(module);
    let extents = Extents::compute(module, &tree);
    let found = tree.constructs().filter_map(|data| {
        let inverted = Inverted::find(module, &tree, data, carriable)?;
        Some((inverted, extents.range(&tree, data.name())))
    });
    let found = choose(module, (&tree, is_padded), found.collect());
    for (inverted, range) in &found {
        // New blocks belong to loops around this one or next to it.
        inverted.invert(module, |block| extents.is_in(range, block));
    }
    if !found.is_empty() {
        put_dominators_first(module, function);
    }
    Ok(is_padded || !found.is_empty())
}

/// A loop with a test at its top.
struct Inverted {
    opener: Block,
    header: Block,
    exit: Block,
    /// The block of the back edge.
    back: Block,
    /// The operand of the header's branch with the exit.
    leaving: usize,
    /// The operations of the test.
    test: Vec<Inst>,
}

impl Inverted {
    fn find(module: &Module, tree: &ControlTree, data: &ConstructData, carriable: Carriable) -> Option<Inverted> {
        if data.kind != ConstructKind::Loop {
            return None;
        }
        let (header, exit, target) = (data.loop_header?, data.merge?, data.continue_target?);
        let branch = module.terminator(header).filter(|&last| module.op(last) == Op::BranchIf && target != header)?;
        let ways = [operand::TRUE, operand::FALSE];
        let leaving = ways.into_iter().find(|&index| leads_to(module, module.operand(branch, index), exit))?;
        let staying = module.operand(branch, operand::TRUE + operand::FALSE - leaving);
        let test: Vec<Inst> = module
            .children(header)
            .filter(|&inst| module.op(inst) != Op::BlockParameter && inst != Inst::from(branch))
            .collect();
        let is_pure = |&inst: &Inst| module.op(inst).effects().is_pure() && carriable.is_carriable(module, inst);
        let list = tree.list(data.name(), Role::Continue)?;
        let back = tree.last_block(list);
        let jump = module.terminator(back).filter(|&last| module.op(last) == Op::Branch)?;
        let goes_back = module.operand(jump, operand::TARGET) == header.into();
        let is_taken = test.len() <= TEST_LIMIT
            && test.iter().all(is_pure)
            && goes_back
            && !leads_to(module, staying, exit)
            && module.in_edges(target).next().is_some();
        is_taken.then_some(Inverted { opener: data.opener, header, exit, back, leaving, test })
    }

    /// Returns whether the test prevents code motion, or its first evaluation can leave the enclosing loop.
    fn is_worthwhile(&self, module: &Module, held_up: &HeldUp) -> bool {
        let opening = module.terminator(self.opener).expect("invariant: the opener ends in a loop");
        let begins: HashMap<Inst, Inst> =
            module.parameters(self.header).map(Inst::from).zip(module.arguments(opening)).collect();
        let operands = self.test.iter().flat_map(|&inst| module.operands(inst));
        let asked = operands.filter(|operand| !self.test.contains(operand));
        let mut at_first = asked.map(|value| begins.get(&value).copied().unwrap_or(value));
        held_up.is_holding(self.header) || !self.test.is_empty() && held_up.are_same_around(self.header, &mut at_first)
    }

    fn invert(&self, module: &mut Module, is_inside: impl Fn(Block) -> bool) {
        make_jumps(module, self.exit);
        self.hand_over(module, is_inside);
        let branch = module.terminator(self.header).expect("invariant: the header ends in a branch");
        let staying = module.operand(branch, operand::TRUE + operand::FALSE - self.leaving);
        let out = module.cast(module.operand(branch, self.leaving)).expect("invariant: a way leads to a block");
        let sites = Sites { branch, out, own: self.split_break_block(module) };
        let kept = self.test_values_in_body(module, &sites);
        let first = self.ask_before(module, &sites);
        let next = self.ask_at_the_end(module, &sites);
        for &value in &kept {
            let ty = module.ty(value).expect("invariant: a value has a type");
            let images = [(first.enter, first.copies.image(value)), (next.enter, next.copies.image(value))];
            let passed = |source: Block| images.iter().find(|(block, _)| *block == source).map(|&(_, image)| image);
            let parameter = append_parameter(module, self.header, ty, |source| {
                passed(source).expect("invariant: two ways lead in")
            });
            module.edit().replace_all_uses(value, parameter);
        }
        module.edit().replace_terminator(self.header, Op::Branch, &[staying]);
        module.edit().delete(sites.out);
        for &inst in self.test.iter().rev() {
            module.edit().delete(inst);
        }
    }

    /// Passes values of the header that are used after the loop through the break block.
    fn hand_over(&self, module: &mut Module, is_inside: impl Fn(Block) -> bool) {
        let values: Vec<Inst> = module.children(self.header).filter(|&inst| module.ty(inst).is_some()).collect();
        for value in values {
            let is_outside = |used: &Use| module.block_of(used.user).is_none_or(|block| !is_inside(block));
            let outside: Vec<Use> = module.uses(value).filter(is_outside).collect();
            let Some(ty) = module.ty(value).filter(|_| !outside.is_empty()) else { continue };
            let parameter = append_parameter(module, self.exit, ty, |_| value);
            for used in outside {
                let Slot::Operand(index) = used.slot else { unreachable!("a value of a block is nobody's type") };
                module.edit().set_operand(used.user, index, parameter);
            }
        }
    }

    /// Gives the loop its own break block, which jumps to the old one. It comes after the latch, which may dominate it: the old one may be
    /// anywhere after the header.
    fn split_break_block(&self, module: &mut Module) -> Block {
        let own = new_block(module, Op::Block, Position::After(self.back.into()));
        module.edit().replace_all_uses(self.exit, own);
        let types: Vec<Inst> = module.parameters(self.exit).filter_map(|parameter| module.ty(parameter)).collect();
        let mut operands: Vec<Inst> = vec![self.exit.into()];
        for &ty in &types {
            operands.push(Builder::new(module).add_parameter(own, ty).into());
        }
        module.edit().append(own, Op::Branch, None, &operands);
        own
    }

    /// The results of the test that are used elsewhere in the loop.
    fn test_values_in_body(&self, module: &Module, sites: &Sites) -> Vec<Inst> {
        let asks = |user: Inst| {
            user == sites.branch.into() || self.test.contains(&user) || module.block_of(user) == Some(sites.out)
        };
        let is_kept = |value: &&Inst| module.uses(**value).any(|used| !asks(used.user));
        self.test.iter().filter(is_kept).copied().collect()
    }

    /// Writes the test before the loop, in an `if` that contains the loop.
    fn ask_before(&self, module: &mut Module, sites: &Sites) -> Asked {
        let asking = split_off_header(module, self.opener);
        if module.op(asking) == Op::EdgeBlock {
            // An edge block may be anywhere; its replacement dominates the loop.
            module.edit().move_to(asking, Position::Before(self.header.into()));
        }
        let opening = module.terminator(asking).expect("invariant: the preheader ends in a loop");
        let arguments: Vec<Inst> = module.arguments(opening).collect();
        let copies = self.copy_test(module, &arguments, opening);
        let enter = split_before_terminator(module, asking);
        let skip = new_block(module, Op::EdgeBlock, Position::After(enter.into()));
        let passed = self.leave_with(module, sites, &copies, self.exit);
        module.edit().append(skip, Op::Branch, None, &passed);
        let condition = copies.image(module.operand(sites.branch, operand::CONDITION));
        let mut operands = self.ways(condition, enter, skip);
        operands.extend([self.exit.into(), module.edit().enumerant(SelectionControl::NONE)]);
        module.edit().replace_terminator(asking, Op::If, &operands);
        Asked { enter, copies }
    }

    /// Writes the test at the end of the continue list.
    fn ask_at_the_end(&self, module: &mut Module, sites: &Sites) -> Asked {
        let jump = module.terminator(self.back).expect("invariant: the latch ends in a jump");
        let arguments: Vec<Inst> = module.arguments(jump).collect();
        let copies = self.copy_test(module, &arguments, jump);
        let enter = new_block(module, Op::EdgeBlock, Position::After(self.back.into()));
        let back: Vec<Inst> = module.operands(jump).collect();
        module.edit().append(enter, Op::Branch, None, &back);
        let leave = new_block(module, Op::EdgeBlock, Position::After(enter.into()));
        let passed = self.leave_with(module, sites, &copies, sites.own);
        module.edit().append(leave, Op::Branch, None, &passed);
        let condition = copies.image(module.operand(sites.branch, operand::CONDITION));
        let operands = self.ways(condition, enter, leave);
        module.edit().replace_terminator(self.back, Op::BranchIf, &operands);
        Asked { enter, copies }
    }

    fn copy_test(&self, module: &mut Module, arguments: &[Inst], before: Terminator) -> Copies {
        let mut copies = Copies::new();
        for (parameter, &argument) in module.parameters(self.header).zip(arguments) {
            copies.set(parameter, argument);
        }
        for copy in module.edit().copy(&self.test, &mut copies) {
            module.edit().move_to(copy, Position::Before(before.into()));
        }
        copies
    }

    /// The operands of the jump out of the header, with other values and another target.
    fn leave_with(&self, module: &Module, sites: &Sites, copies: &Copies, target: Block) -> Vec<Inst> {
        let jump = module.terminator(sites.out).expect("invariant: an edge block ends in a jump");
        std::iter::once(target.into()).chain(module.arguments(jump).map(|value| copies.image(value))).collect()
    }

    /// The operands of the header's branch, with another condition and other targets, up to the false target.
    fn ways(&self, condition: Inst, enter: Block, leave: Block) -> Vec<Inst> {
        let mut operands: Vec<Inst> = vec![condition, enter.into(), enter.into()];
        operands[self.leaving] = leave.into();
        operands
    }
}

/// The parts of a loop to rotate, outside its test.
struct Sites {
    /// The header's branch.
    branch: Terminator,
    /// The edge block of its exit.
    out: Block,
    /// The loop's own break block.
    own: Block,
}

/// A copy of the test.
struct Asked {
    /// The block that jumps to the header from there.
    enter: Block,
    copies: Copies,
}
