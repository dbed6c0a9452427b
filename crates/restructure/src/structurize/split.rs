//! Node splitting in a function: applies the decisions of `reconverge_structurize::split_nodes` to blocks.
//!
//! ```text
//! ^a: branch_if %p ^b ^e     edge ^e: branch ^c(%one)     ^a: branch_if %p ^b ^f     edge ^f: branch ^c2(%one)
//! ^b: %y = … %x …                                     ⇒   ^b(%z): %y = … %z …
//! ^c(%i): %x = i_add %i, %n                               ^c(%i): %x = i_add %i, %n
//!     branch ^b                                               branch ^b(%x)
//!                                                         ^c2(%j): %x2 = i_add %j, %n
//!                                                             branch ^b(%x2)
//! ```
//!
//! *Requires* stage Graph, no merges, no unreachable block. *Preserves* which instructions are executed in which order, and their values.
//! *Breaks* that each instruction exists once. Copies are after all other blocks, in order, with names, decorations and lines.
//!
//! The size of a block is its number of instructions without parameters and terminator. A block is not copied if it has a variable, an
//! instruction that observes other lanes, or a value with uses elsewhere that no block parameter can carry. If no block may be copied, the
//! function is unchanged.
//!
//! Values: the original and its copies reach a use outside the copied block, so it needs parameters where they join (`split_values.rs`).
//! Values of all other blocks still dominate their uses: a path around such a block would have been one before. Near-linear.

use reconverge_ir::{Block, Copies, Function, Inst, Module, Op, Position};
use reconverge_structurize::{ControlFlow, Convergence, InputBlock, SplitGraph, split_nodes};

use super::input::Input;
use super::observers::Observers;
use super::split_values::{Images, join_values};
use reconverge_analysis::effects::is_local_variable;
use reconverge_rewrite::GrowthLimit;
use reconverge_rewrite::capabilities::Carriable;
use reconverge_rewrite::remove_unreachable;

/// Copies blocks of at most `largest` instructions where that avoids a dispatch. Returns `None` if nothing was copied. Otherwise `input`
/// must be collected again: blocks keep their numbers, and copies have those of the split graph.
///
/// # Errors
/// Declared limits on the cost of carrying the values of copied blocks.
pub(super) fn split_blocks(
    module: &mut Module,
    function: Function,
    input: &Input,
    largest: u32,
) -> Result<Option<SplitGraph>, GrowthLimit> {
    if largest == 0 {
        return Ok(None);
    }
    let mut observers = Observers::new();
    let carriable = Carriable::compute(module);
    let sizes: Vec<Option<u32>> =
        input.blocks.iter().map(|&block| compute_size(module, block, &carriable, &mut observers)).collect();
    let Some(split) = split_nodes(input, largest, |block| sizes[block.index()]) else { return Ok(None) };
    let mut writer = SplitWriter { module, input, split: &split, blocks: input.blocks.clone(), images: Vec::new() };
    writer.copy_blocks(function);
    writer.redirect();
    let groups = writer.groups();
    remove_unreachable(module, function);
    split_critical_edges(module, function);
    join_values(module, function, &groups)?;
    Ok(Some(split))
}

/// The number of instructions of a block; `None` if it must not be copied.
fn compute_size(module: &Module, block: Block, carriable: &Carriable, observers: &mut Observers) -> Option<u32> {
    let terminator = module.terminator(block).map(Inst::from);
    let mut size = 0;
    for inst in module.children(block) {
        let is_used_outside = || module.uses(inst).any(|used| module.block_of(used.user) != Some(block));
        let may_be_copied = !is_local_variable(module, inst)
            && observers.convergence(module, inst) == Convergence::None
            && (carriable.is_carriable(module, inst) || !is_used_outside());
        if !may_be_copied {
            return None;
        }
        size += u32::from(module.op(inst) != Op::BlockParameter && Some(inst) != terminator);
    }
    Some(size)
}

struct SplitWriter<'a> {
    module: &'a mut Module,
    input: &'a Input,
    split: &'a SplitGraph,
    /// The block of each number of the split graph.
    blocks: Vec<Block>,
    /// The replacements of values in each copy.
    images: Vec<Copies>,
}

impl SplitWriter<'_> {
    fn copy_blocks(&mut self, function: Function) {
        let mut last = self.module.blocks(function).last().expect("invariant: a function with copies has blocks");
        for copy in self.split.copies() {
            let original = self.input.block(self.split.original(copy));
            let mut copies = Copies::new();
            let made = self.module.edit().copy(&[original.into()], &mut copies)[0];
            self.module.edit().move_to(made, Position::After(last.into()));
            last = self.module.cast(made).expect("a copy of a block is a block");
            self.blocks.push(last);
            self.images.push(copies);
        }
    }

    /// Redirects each edge with a new target, and each edge of a copy.
    fn redirect(&mut self) {
        for number in 0..self.blocks.len() {
            let (block, original) = (InputBlock::new(number), self.split.original(InputBlock::new(number)));
            for (successor, &target) in self.split.successors(block).iter().enumerate() {
                if block != original || target != self.input.target(original, successor) {
                    self.lead(block, original, successor, target);
                }
            }
        }
    }

    fn lead(&mut self, block: InputBlock, original: InputBlock, successor: usize, target: InputBlock) {
        let copied = block.index().checked_sub(self.input.blocks.len());
        let image = |value: Inst| copied.map_or(value, |copy| self.images[copy].image(value));
        let target = self.blocks[target.index()];
        let passed = self.input.arguments(original, successor).iter().map(|&value| image(value));
        let operands: Vec<Inst> = std::iter::once(target.into()).chain(passed).collect();
        let source = self.blocks[block.index()];
        let edge =
            self.module.out_edges(source).nth(successor).expect("invariant: a copy has the terminator of its original");
        let mut editor = self.module.edit();
        if editor.module().op(edge.terminator) == Op::Branch {
            editor.replace_terminator(source, Op::Branch, &operands);
            return;
        }
        let between = editor.insert(Position::After(source.into()), Op::EdgeBlock, None, &[]);
        editor.append(between, Op::Branch, None, &operands);
        editor.set_operand(edge.terminator, edge.operand, between);
    }

    /// Each copied block with its copies, by the number of the block.
    fn groups(self) -> Vec<(Block, Vec<Images>)> {
        let mut copies: Vec<(usize, Images)> = Vec::new();
        for (copy, images) in self.split.copies().zip(self.images) {
            let block = self.blocks[copy.index()];
            copies.push((self.split.original(copy).index(), Images { block, images }));
        }
        copies.sort_by_key(|&(original, _)| original);
        let mut groups: Vec<(Block, Vec<Images>)> = Vec::new();
        for (original, images) in copies {
            let original = self.blocks[original];
            match groups.last_mut().filter(|(last, _)| *last == original) {
                Some((_, group)) => group.push(images),
                None => groups.push((original, vec![images])),
            }
        }
        groups
    }
}

/// Inserts an edge block on each edge from a block with several successors to one with several predecessors.
fn split_critical_edges(module: &mut Module, function: Function) {
    let blocks: Vec<Block> = module.blocks(function).collect();
    for block in blocks {
        let edges: Vec<_> = module.out_edges(block).collect();
        for edge in edges.iter().filter(|_| edges.len() > 1) {
            let target = module.target(*edge).expect("requires: edges go to blocks");
            if module.in_edges(target).nth(1).is_some() {
                module.edit().split_edge(*edge);
            }
        }
    }
}
