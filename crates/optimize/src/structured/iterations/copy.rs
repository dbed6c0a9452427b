//! Emits the copies.
//!
//! Invariant: each copy ends where the next begins, in a block whose terminator is written when the next copy is known. In the next copy,
//! the header's parameters are replaced by the arguments of the copied back edge, or by known counter values.

use reconverge_analysis::trip_count::Counter;
use reconverge_ir::view::TypeView;
use reconverge_ir::{Block, Copies, Inst, Module, Op, Position, terminator::operand};
use rustc_hash::FxHashMap;

use super::super::blocks::{new_block, open_scope};
use super::wrap::{open_one_trip, wrap_exits};
use super::{Before, Copied, Joins, LoopShape, Rest, Tested};

/// Writes iterations of a loop: `copied.count` copies, and then `copied.rest`. See the description of the folder.
///
/// The caller removes the blocks that become unreachable, and then parameters with one value. Returns the written blocks.
pub(in super::super) fn write_out(module: &mut Module, shape: &LoopShape, copied: &Copied<'_>) -> Vec<Block> {
    shape.close_values(module);
    let opening = module.terminator(shape.opener).expect("invariant: an opener has a terminator");
    let loop_operands: Vec<Inst> = module.operands(opening).collect();
    let counters = copied.counters.iter().map(|counter| (counter.value, counter)).collect();
    let mut writer =
        IterationWriter { module, shape, copied, counters, last: shape.opener, written: Written::default() };
    let mut arguments: Vec<Inst> = loop_operands[operand::LOOP_ARGUMENTS..].to_vec();
    let mut ends_at = shape.opener;
    for number in 0..copied.count {
        let begin = writer.copy(number, &arguments);
        writer.module.edit().replace_terminator(ends_at, Op::Branch, &[begin.into()]);
        let back: Block = writer.image(shape.back);
        let jump = writer.module.terminator(back).expect("invariant: the copied latch ends in a jump");
        arguments = writer.module.arguments(jump).collect();
        writer.fold_test(number);
        ends_at = back;
    }
    let written = writer.written;
    match copied.rest {
        Rest::Nothing => {
            module.edit().replace_terminator(ends_at, Op::Unreachable, &[]);
            for &block in &shape.blocks {
                module.edit().delete(block);
            }
        }
        Rest::Loop => {
            let mut operands = loop_operands;
            operands.truncate(operand::LOOP_ARGUMENTS);
            operands.extend(arguments);
            module.edit().replace_terminator(ends_at, Op::Loop, &operands);
        }
    }
    wrap_exits(module, shape, copied, &written, ends_at);
    let image = |copies: &Copies, block: Block| module.cast::<Block>(copies.image(block));
    written
        .images
        .iter()
        .flat_map(|copies| shape.blocks.iter().filter_map(move |&block| image(copies, block)))
        .collect()
}

/// The written code.
#[derive(Debug, Default)]
pub(super) struct Written {
    /// One for each copy.
    pub(super) images: Vec<Copies>,
    /// Blocks that were added to open constructs.
    pub(super) openers: Vec<Block>,
}

struct IterationWriter<'a, 'm> {
    module: &'m mut Module,
    shape: &'a LoopShape,
    copied: &'a Copied<'a>,
    counters: FxHashMap<Inst, &'a Counter>,
    last: Block,
    written: Written,
}

impl IterationWriter<'_, '_> {
    /// Adds one copy. Returns its first block.
    fn copy(&mut self, number: u64, arguments: &[Inst]) -> Block {
        let mut copies = Copies::new();
        let parameters: Vec<Inst> = self.module.parameters(self.shape.header).map(Inst::from).collect();
        for (&parameter, &argument) in parameters.iter().zip(arguments) {
            let counter = self.counters.get(&parameter).copied();
            let known = counter.and_then(|counter| self.known(counter, number));
            copies.set(parameter, known.unwrap_or(argument));
        }
        let originals: Vec<Inst> = self.shape.blocks.iter().map(|&block| block.into()).collect();
        for copy in self.module.edit().copy(&originals, &mut copies) {
            self.module.edit().move_to(copy, Position::After(self.last.into()));
            self.last = self.module.cast(copy).expect("invariant: the copy of a block is a block");
        }
        self.written.images.push(copies);
        self.settle_counters(number);
        self.join(number)
    }

    /// Replaces known loads and parameters of the newest copy by constants.
    fn settle_counters(&mut self, number: u64) {
        for counter in self.copied.counters {
            let image = self.written.images.last().map(|images| images.image(counter.value));
            let image =
                image.filter(|&image| image != counter.value && self.module.op(image) == self.module.op(counter.value));
            let is_copied = |image: &Inst| {
                let block = self.module.block_of(*image);
                block.is_some() && block != self.module.block_of(counter.value)
            };
            let Some(image) = image.filter(is_copied) else { continue };
            let Some(known) = self.known(counter, number) else { continue };
            self.module.edit().replace_all_uses(image, known);
            if self.module.op(image) == Op::Load {
                self.module.edit().delete(image);
            }
        }
    }

    /// The known value of a counter in an iteration.
    fn known(&mut self, counter: &Counter, number: u64) -> Option<Inst> {
        let bits = *counter.values.get(usize::try_from(number).ok()?)?;
        let ty = self.module.ty(counter.value)?;
        let Some(TypeView::Int { width, is_signed }) = self.module.type_view(ty) else { return None };
        // SPIR-V section 2.2.1: narrow numbers are sign-extended to a word if their type is signed.
        let low =
            if is_signed && width < 32 { ((bits << (64 - width)) as i64 >> (64 - width)) as u32 } else { bits as u32 };
        let words = [low, (bits >> 32) as u32];
        let mut editor = self.module.edit();
        let literal = editor.literal(if width > 32 { &words } else { &words[..1] });
        Some(editor.unique(Op::Constant, Some(ty), &[literal]))
    }

    /// Opens the construct for reconvergence at the continue target of the newest copy. Returns the first block of the copy.
    fn join(&mut self, number: u64) -> Block {
        let (header, target) = (self.image(self.shape.header), self.image(self.shape.target));
        // Inside a construct, the construct names the block after the test, which stays.
        let is_before = |block: Block| self.shape.level.contains(&block) && !self.shape.continued.contains(&block);
        let left = self.copied.test.filter(|tested| tested.repeats == number && is_before(tested.test.block));
        let is_left_before = left.is_some() && !self.shape.leaves_behind_target();
        if self.shape.joins == Joins::Nothing || is_left_before {
            return header;
        }
        let opener = new_block(self.module, Op::Block, Position::Before(header.into()));
        self.written.openers.push(opener);
        match self.shape.joins {
            Joins::Loop => self.written.openers.push(open_one_trip(self.module, opener, header, target)),
            Joins::Scope | Joins::Nothing => open_scope(self.module, opener, header, target),
        }
        opener
    }

    fn image(&self, block: Block) -> Block {
        let images = self.written.images.last().expect("invariant: something was copied");
        self.module.cast(images.image(block)).expect("invariant: the copy of a block is a block")
    }

    /// Replaces the test of the newest copy by its known outcome.
    fn fold_test(&mut self, number: u64) {
        let Some(Tested { test, repeats, before }) = self.copied.test else { return };
        if number < repeats && before == Before::MayLeave {
            return;
        }
        let block = self.image(test.block);
        let branch = self.module.terminator(block).expect("invariant: a test ends in a branch");
        let staying = operand::TRUE + operand::FALSE - test.leaving;
        let index = if number < repeats { staying } else { test.leaving };
        let target = self.module.operand(branch, index);
        let merge = self.module.merge_block(branch);
        let is_joined = merge.is_some_and(|merge| self.module.in_edges(merge).count() > 1);
        if is_joined && index == staying {
            let value = index == operand::TRUE;
            let mut build = reconverge_ir::Builder::new(self.module);
            let constant = build.constant_bool(value);
            self.module.edit().set_operand(branch, operand::CONDITION, constant);
        } else {
            self.module.edit().replace_terminator(block, Op::Branch, &[target]);
        }
    }
}
