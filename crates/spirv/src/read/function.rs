//! Functions: their signatures, and the positions of their blocks in the file.

use std::ops::Range;

use reconverge_diagnostic::Diagnostic;
use reconverge_ir::{Block, Function, Inst, Location, Op, Position, Stage};

use super::flow::Flow;
use super::globals::{Outline, misplaced};
use super::{Merges, Reader, Slot, Slots};
use crate::binary::{self, Instruction};
use crate::error::{ReadCode, at_word};
use crate::grammar::{self, tells_variable};
use crate::opcode;

/// A block in the file.
pub(super) struct SourceBlock {
    /// The number of its label.
    pub(super) number: u32,
    pub(super) block: Block,
    /// The words from after the label to the terminator, exclusive.
    pub(super) body: Range<usize>,
    pub(super) merge: Option<SourceMerge>,
    /// The debug instructions about variables that are before the label: they are read after it.
    pub(super) ahead: Vec<usize>,
    /// Those after the terminator of the last block: they are read before it.
    pub(super) behind: Vec<usize>,
    /// The location that holds after the label.
    pub(super) in_effect: Option<Location>,
}

/// A merge instruction.
#[derive(Clone, Copy)]
pub(super) struct SourceMerge {
    /// The index of the merge block in the function.
    pub(super) merge: usize,
    /// The index of the continue block, for loops.
    pub(super) continue_block: Option<usize>,
    /// The control literal.
    pub(super) control: Inst,
}

/// A function in the file.
pub(super) struct SourceFunction {
    pub(super) function: Function,
    pub(super) blocks: Vec<SourceBlock>,
    /// True if any instruction states a source location.
    pub(super) is_located: bool,
    /// True if merge instructions were ignored because of their place.
    pub(super) has_misplaced_merge: bool,
}

impl SourceFunction {
    /// The index of the block with that label.
    pub(super) fn index(&self, labels: &[u32], number: u32) -> Option<usize> {
        let index = *labels.get(number as usize)? as usize;
        self.blocks.get(index).filter(|block| block.number == number).map(|_| index)
    }
}

impl Reader<'_> {
    /// Reads the functions: first all signatures, so that calls find their callees, then the bodies.
    pub(super) fn read_functions(&mut self, outline: &Outline) -> Result<(), Diagnostic> {
        let mut functions = Vec::with_capacity(outline.functions.len());
        for (range, location) in &outline.functions {
            functions.push((range.clone(), *location, self.read_frame(range, *location)?));
        }
        self.read_trailing(outline)?;
        let mut labels = vec![u32::MAX; self.insts.len()];
        for (range, location, function) in functions {
            self.in_effect = location;
            let source = self.read_blocks(function, range, &mut labels)?;
            self.read_body(&source, &labels)?;
        }
        Ok(())
    }

    fn read_frame(&mut self, range: &Range<usize>, location: Option<Location>) -> Result<Function, Diagnostic> {
        let instruction = binary::instruction_at(self.words, range.start);
        self.decode(&instruction)?;
        let (ty, number) = self.results(&instruction)?;
        let ty = self.type_inst(ty, &instruction)?;
        let slots = self.slots(&instruction)?;
        let stage = self.module.edit().word(Stage::Graph as u32);
        let [control, function_type] = slots[..] else { unreachable!("the grammar gives OpFunction two operands") };
        // This comes before the creation of the function, whose type may name the function itself.
        if self.slot(function_type).is_none() {
            let message = format!("expected a function type that is declared earlier, found {}", instruction.words[4]);
            return Err(at_word(ReadCode::ForwardReference, instruction.offset + 4, message));
        }
        self.location = location;
        let inst =
            self.create(Op::Function, number, ty, Slots::from_slice(&[function_type, control, Slot::Inst(stage)]));
        self.module.edit().place_global(inst);
        Ok(self.module.cast(inst).expect("invariant: a function is not hoistable"))
    }

    /// Creates the parameters and blocks of a function, and finds the position of each block.
    fn read_blocks(
        &mut self,
        function: Function,
        range: Range<usize>,
        labels: &mut [u32],
    ) -> Result<SourceFunction, Diagnostic> {
        let is_located = self.in_effect.is_some();
        let mut source = SourceFunction { function, blocks: Vec::new(), is_located, has_misplaced_merge: false };
        let mut merges: Vec<Option<usize>> = Vec::new();
        let mut is_open = false;
        let mut ahead = Vec::new();
        for instruction in binary::instructions(self.words, range).skip(1) {
            let instruction = instruction?;
            if self.read_position(&instruction)? {
                source.is_located = true;
                continue;
            }
            match instruction.opcode {
                opcode::FUNCTION_PARAMETER if source.blocks.is_empty() => {
                    self.read_parameter(function, &instruction)?
                }
                opcode::LABEL if !is_open => {
                    let number = self.read_label(&mut source, &instruction)?;
                    let block = source.blocks.last_mut().expect("invariant: a label makes a block");
                    block.ahead = std::mem::take(&mut ahead);
                    labels[number as usize] = source.blocks.len() as u32 - 1;
                    merges.push(None);
                    is_open = true;
                }
                opcode::LABEL | opcode::FUNCTION_END if is_open => return Err(unterminated(&instruction)),
                opcode::FUNCTION_END => match (source.blocks.last_mut(), ahead.first()) {
                    (Some(last), _) => last.behind = std::mem::take(&mut ahead),
                    (None, Some(&offset)) => return Err(misplaced(&binary::instruction_at(self.words, offset))),
                    (None, None) => {}
                },
                _ if !is_open && tells_variable(&instruction, &self.survey) => ahead.push(instruction.offset),
                _ if !is_open => return Err(misplaced(&instruction)),
                opcode::LOOP_MERGE | opcode::SELECTION_MERGE => {
                    self.check_last(&mut source, &mut merges, &instruction)?;
                    merges.last_mut().expect("invariant: a block is open").replace(instruction.offset);
                }
                _ if is_terminator(instruction.opcode) => {
                    let block = source.blocks.last_mut().expect("invariant: a block is open");
                    block.body.end = instruction.offset;
                    // A location holds to the end of the block.
                    (self.location, self.in_effect) = (None, None);
                    is_open = false;
                }
                _ => {
                    self.check_last(&mut source, &mut merges, &instruction)?;
                    self.location = None;
                }
            }
        }
        (self.location, self.in_effect) = (None, None);
        self.read_merges(&mut source, &merges, labels)?;
        Ok(source)
    }

    /// Checks that no merge instruction of the open block is before one that is not a terminator.
    fn check_last(
        &self,
        source: &mut SourceFunction,
        merges: &mut [Option<usize>],
        instruction: &Instruction<'_>,
    ) -> Result<(), Diagnostic> {
        if merges.last_mut().and_then(Option::take).is_none() {
            return Ok(());
        }
        source.has_misplaced_merge = true;
        if self.options.merges == Merges::Keep { Err(not_last(instruction)) } else { Ok(()) }
    }

    fn read_parameter(&mut self, function: Function, instruction: &Instruction<'_>) -> Result<(), Diagnostic> {
        self.decode(instruction)?;
        let (ty, number) = self.results(instruction)?;
        let ty = self.type_inst(ty, instruction)?;
        let inst = self.create(Op::FunctionParameter, number, ty, Slots::new());
        self.module.edit().move_to(inst, Position::AtEnd(function.into()));
        Ok(())
    }

    fn read_label(&mut self, source: &mut SourceFunction, instruction: &Instruction<'_>) -> Result<u32, Diagnostic> {
        self.decode(instruction)?;
        let (_, number) = self.results(instruction)?;
        let number = number.expect("invariant: a label has a result");
        let inst = self.create(Op::Block, Some(number), None, Slots::new());
        self.module.edit().move_to(inst, Position::AtEnd(source.function.into()));
        let block = self.module.cast(inst).expect("invariant: a block is not hoistable");
        let body = instruction.end()..instruction.end();
        source.blocks.push(SourceBlock {
            number,
            block,
            body,
            merge: None,
            ahead: Vec::new(),
            behind: Vec::new(),
            in_effect: self.in_effect,
        });
        Ok(number)
    }

    fn read_merges(
        &mut self,
        source: &mut SourceFunction,
        merges: &[Option<usize>],
        labels: &[u32],
    ) -> Result<(), Diagnostic> {
        if self.options.merges == Merges::Strip {
            return Ok(());
        }
        for (index, &offset) in merges.iter().enumerate() {
            let Some(offset) = offset else { continue };
            let instruction = binary::instruction_at(self.words, offset);
            self.decode(&instruction)?;
            let slots = self.slots(&instruction)?;
            let block = |slot: Slot, word: usize| {
                let Slot::Number(number) = slot else { unreachable!("the grammar has an id here") };
                let found = source.index(labels, number);
                found.ok_or_else(|| no_block(instruction.words[word], offset + word))
            };
            let merge = block(slots[0], 1)?;
            let kind = MergeKind::of(instruction.opcode);
            let continue_block = (kind == MergeKind::Loop).then(|| block(slots[1], 2)).transpose()?;
            if !self.can_head(source, index, kind) {
                source.has_misplaced_merge = true;
                if self.options.merges == Merges::Keep {
                    return Err(heads_nothing(offset, kind));
                }
                continue;
            }
            let control = self.slot(slots[slots.len() - 1]).expect("invariant: a literal exists");
            source.blocks[index].merge = Some(SourceMerge { merge, continue_block, control });
        }
        Ok(())
    }

    /// Returns whether a merge instruction is allowed at the end of a block. In a kernel they are hints, and allowed anywhere.
    fn can_head(&self, source: &SourceFunction, index: usize, kind: MergeKind) -> bool {
        let ends_in = binary::instruction_at(self.words, source.blocks[index].body.end).opcode;
        match kind {
            MergeKind::Loop => index > 0 || !self.survey.is_shader(),
            MergeKind::Selection => matches!(ends_in, opcode::BRANCH_CONDITIONAL | opcode::SWITCH),
        }
    }

    fn read_body(&mut self, source: &SourceFunction, labels: &[u32]) -> Result<(), Diagnostic> {
        let mut targets = Vec::with_capacity(source.blocks.len());
        for block in &source.blocks {
            targets.push(self.read_targets(source, block, labels)?);
        }
        let flow = Flow::of(source, targets);
        let mut exits = Vec::with_capacity(source.blocks.len());
        let mut phis = Vec::with_capacity(source.blocks.len());
        for index in 0..source.blocks.len() {
            let (phi, exit) = self.read_instructions(source, index, &flow, labels)?;
            phis.push(phi);
            exits.push(exit);
        }
        self.read_exits(source, &flow, &phis, &exits)
    }
}

/// The construct that a merge instruction declares.
#[derive(Clone, Copy, PartialEq, Eq)]
enum MergeKind {
    Selection,
    Loop,
}

impl MergeKind {
    fn of(opcode: u16) -> MergeKind {
        if opcode == opcode::LOOP_MERGE { MergeKind::Loop } else { MergeKind::Selection }
    }
}

/// Returns whether an instruction ends a block.
pub(crate) fn is_terminator(opcode: u16) -> bool {
    matches!(opcode, opcode::BRANCH | opcode::BRANCH_CONDITIONAL | opcode::SWITCH)
        || Op::from_opcode(opcode).is_some_and(Op::is_terminator)
}

pub(super) fn no_block(id: u32, word: usize) -> Diagnostic {
    at_word(ReadCode::BranchTarget, word, format!("expected the label of a block of this function, found {id}"))
}

fn not_last(instruction: &Instruction<'_>) -> Diagnostic {
    let name = grammar::opcode_name(instruction.opcode);
    let message = format!("expected a terminator after the merge instruction, found {name}");
    at_word(ReadCode::Merge, instruction.offset, message)
}

fn heads_nothing(offset: usize, kind: MergeKind) -> Diagnostic {
    let message = match kind {
        MergeKind::Loop => "expected a loop header that a branch can go back to, found OpLoopMerge in the entry block",
        MergeKind::Selection => "expected OpBranchConditional or OpSwitch after OpSelectionMerge, found something else",
    };
    at_word(ReadCode::Merge, offset, message)
}

fn unterminated(instruction: &Instruction<'_>) -> Diagnostic {
    let name = grammar::opcode_name(instruction.opcode);
    at_word(ReadCode::Terminator, instruction.offset, format!("expected a terminator to end the block, found {name}"))
}
