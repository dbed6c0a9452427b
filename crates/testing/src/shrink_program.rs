//! Shrinks a function with a failure, as long as it still fails, and writes the result as a filetest.
//!
//! Branches become jumps, code after a block is removed, values become zero, parameters are removed, blocks that jump are merged with their
//! targets. Each change is kept if the module is valid and still fails. Greedy; quadratic in instructions, times the cost of one test.

use reconverge_ir::terminator::operand;
use reconverge_ir::{Block, Builder, Function, Inst, Module, Op, Terminator, text};
use reconverge_optimize::{Interface, remove_unused_globals};
use reconverge_restructure::{Options, structurize};
use reconverge_rewrite::remove_unreachable;
use reconverge_verify::verify;

use crate::plain_graph::PlainGraph;
use crate::program_from_graph::with_calls;
use crate::unstructure::join_blocks;

/// A module that still fails, and that no single change of the function can shrink further. The function is at stage Graph.
pub fn shrink_program(module: &Module, function: Function, mut fails: impl FnMut(&Module) -> bool) -> Module {
    let mut best = module.clone();
    let mut accept = |candidate: &Module| verify(candidate).is_empty() && fails(candidate);
    loop {
        let mut has_changed = false;
        let mut number = 0;
        while let Some(smaller) = changed(&best, function, number) {
            if smaller.is_some_and(|smaller| {
                let is_better = size(&smaller, function) < size(&best, function) && accept(&smaller);
                if is_better {
                    best = smaller;
                }
                is_better
            }) {
                has_changed = true;
            } else {
                number += 1;
            }
        }
        if !has_changed {
            break;
        }
    }
    for other in best.functions().filter(|&other| other != function).collect::<Vec<_>>() {
        let mut smaller = best.clone();
        smaller.edit().delete(other);
        remove_unused_globals(&mut smaller, Interface::Trimmed);
        if accept(&smaller) {
            best = smaller;
        }
    }
    best
}

/// The size of a function: its instructions; a branch counts for each of its targets.
fn size(module: &Module, function: Function) -> usize {
    module.blocks(function).map(|block| 1 + module.children(block).count() + 2 * module.successors(block).count()).sum()
}

/// The module after change number `number` of the function; none if the change does not apply, `Err` if there is no such change.
#[expect(clippy::option_option, reason = "two different noes: not this one, and no more")]
fn changed(module: &Module, function: Function, number: usize) -> Option<Option<Module>> {
    let insts: Vec<Inst> = module.blocks(function).flat_map(|block| module.children(block)).collect();
    let mut left = number;
    for inst in insts {
        let count = if module.op(inst).is_terminator() { 1 + module.operand_count(inst) } else { 1 };
        if left < count {
            let mut smaller = module.clone();
            let applies = match module.cast::<Terminator>(inst) {
                Some(terminator) => change_terminator(&mut smaller, terminator, left),
                None => remove_value(&mut smaller, inst),
            };
            return Some(applies.then(|| {
                remove_unreachable(&mut smaller, function);
                smaller
            }));
        }
        left -= count;
    }
    None
}

/// Change 0: control ends here, or the next block is merged. Change n: the branch becomes a jump to operand n - 1.
fn change_terminator(module: &mut Module, terminator: Terminator, change: usize) -> bool {
    let block = module.block_of(terminator).expect("invariant: the terminator is in a block");
    let mut build = Builder::new(module);
    build.before(terminator);
    if change == 0 {
        if build.module().successors(block).next().is_none() {
            return false;
        }
        if let Some(next) = only_next(build.module(), block) {
            join_blocks(module, block, next);
            return true;
        }
        build.unreachable(&[]);
    } else {
        let target = build.module().operand(terminator, change - 1);
        let is_target = build.module().successors(block).any(|successor| successor.inst() == target);
        if !is_target || build.module().op(terminator) == Op::Branch {
            return false;
        }
        build.branch(&[target]);
    }
    build.editor().delete(terminator);
    true
}

/// The target of a block's jump, if it has no other predecessor and no parameters.
fn only_next(module: &Module, block: Block) -> Option<Block> {
    let terminator = module.terminator(block).filter(|&terminator| module.op(terminator) == Op::Branch)?;
    let next: Block = module.cast(module.operand(terminator, operand::TARGET))?;
    let is_only = next != block && module.in_edges(next).count() == 1 && module.parameters(next).next().is_none();
    is_only.then_some(next)
}

/// Removes an instruction; its uses become zero.
fn remove_value(module: &mut Module, inst: Inst) -> bool {
    if let Some(ty) = module.ty(inst).filter(|_| module.is_used(inst)) {
        if matches!(module.op(ty), Op::TypePointer | Op::TypeVoid) {
            return false;
        }
        let mut editor = module.edit();
        let zero = editor.unique(Op::ConstantNull, Some(ty), &[]);
        editor.replace_all_uses(inst, zero);
    }
    if module.op(inst) == Op::BlockParameter {
        let block = module.block_of(inst).expect("invariant: a parameter is in a block");
        let place = module.parameters(block).position(|parameter| parameter.inst() == inst);
        let place = place.expect("invariant: it is one of the parameters");
        let terminators: Vec<Terminator> = module.in_edges(block).map(|edge| edge.terminator).collect();
        for terminator in terminators {
            let first = module.operand_count(terminator) - module.arguments(terminator).len();
            let mut operands: Vec<Inst> = module.operands(terminator).collect();
            operands.remove(first + place);
            module.edit().set_operands(terminator, &operands);
        }
    }
    module.edit().delete(inst);
    true
}

/// A filetest of the structurizer for `tests/filetests/bugs/`; `why` describes the failure. The expectation is the current output, if there
/// is any; it is blessed when the bug is fixed.
pub fn filetest(module: &Module, function: Function, why: &str) -> String {
    let why: String = why.lines().flat_map(|line| [";; ", line, "\n"]).collect();
    let after = std::panic::catch_unwind(|| {
        let mut after = module.clone();
        structurize(&mut after, function, &Options::default()).ok().map(|_| text::print(&after))
    });
    let after = after.ok().flatten().unwrap_or_default();
    format!("; test pass structurize\n{why}{}; ----\n{after}", text::print(module))
}

/// A graph as a filetest: its blocks record themselves and request decisions.
pub fn graph_filetest(graph: &PlainGraph, why: &str) -> String {
    let filled = with_calls(std::slice::from_ref(graph), 1);
    filetest(&filled.module, filled.functions[0], &format!("{why}\n{graph}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::generators::wild::wild;

    #[test]
    fn what_is_left_still_fails_and_is_small() {
        let filled = with_calls(&[wild(5, 20)], 5);
        let function = filled.functions[0];
        let has_switch = |module: &Module| {
            module
                .blocks(function)
                .any(|block| module.terminator(block).is_some_and(|terminator| module.op(terminator) == Op::Switch))
        };
        assert!(has_switch(&filled.module));
        let small = shrink_program(&filled.module, function, has_switch);
        assert!(has_switch(&small) && small.blocks(function).count() <= 4, "{}", text::print(&small));
        let test = filetest(&small, function, "a switch");
        assert!(
            test.starts_with("; test pass structurize\n;; a switch\n") && test.contains("structured_switch"),
            "{test}"
        );
    }
}
