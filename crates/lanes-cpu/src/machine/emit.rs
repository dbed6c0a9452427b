//! Code of a whole function: prologue, blocks, jumps, packs, epilogue.
//!
//! ```text
//! image: constants | jump tables | prologue, blocks, epilogue
//! ```
//!
//! The constants are before the code, so that their distance is known when the code is written. A jump backwards is short where it can be;
//! a jump forwards has four bytes, which are filled in at the end. Loops are aligned.
//!
//! The code takes the first frame in `rdi` and keeps the frame of the current pack in `rbp`. What packs do with each other is in
//! [`super::packs`].

use reconverge_diagnostic::Diagnostic;
use reconverge_lanes::CodeRole;

use super::allocate::Allocated;
use super::encode::Places;
use super::flatten::{End, FlatBlock, Part};
use super::inst::{Condition, Operand};
use super::layout::{Layout, lay_out};
use super::{DIVERGENT_BARRIER, Statistics};
use crate::error::{not_allocated, not_encoded};
use iced_x86::{Code, Encoder, Instruction, MemoryOperand, Register};
use regalloc2::{Allocation, Edit, Inst as FlatInst, ProgPoint};
use std::ops::Range;

/// The alignment of loops: the number of bytes that a CPU fetches and decodes at once.
const LOOP_ALIGNMENT: usize = 32;
/// Instructions that do nothing, by length.
const NOPS: [&[u8]; 9] = [
    &[0x90],
    &[0x66, 0x90],
    &[0x0f, 0x1f, 0x00],
    &[0x0f, 0x1f, 0x40, 0x00],
    &[0x0f, 0x1f, 0x44, 0x00, 0x00],
    &[0x66, 0x0f, 0x1f, 0x44, 0x00, 0x00],
    &[0x0f, 0x1f, 0x80, 0x00, 0x00, 0x00, 0x00],
    &[0x0f, 0x1f, 0x84, 0x00, 0x00, 0x00, 0x00, 0x00],
    &[0x66, 0x0f, 0x1f, 0x84, 0x00, 0x00, 0x00, 0x00, 0x00],
];

/// The registers that the caller expects unchanged.
const SAVED: [Register; 6] = [Register::RBX, Register::RBP, Register::R12, Register::R13, Register::R14, Register::R15];

/// Code that does not depend on its address.
#[derive(Debug)]
pub(super) struct Image {
    pub(super) bytes: Vec<u8>,
    /// The offset of the function that is called.
    pub(super) start: usize,
    /// The offset of the entry block.
    pub(super) entry: usize,
    /// From the prologue to the traps.
    pub(super) body: Range<usize>,
    /// The offset of the epilogue.
    pub(super) epilogue: usize,
    /// The instructions that access memory, in order.
    pub(super) accesses: Vec<MemoryAccess>,
    /// What the code is made of, in its order.
    pub(super) parts: Vec<MachinePart>,
    pub(super) frame_size: u32,
    pub(super) statistics: Statistics,
}

/// An instruction that accesses memory.
#[derive(Clone, Copy, Debug)]
pub(super) struct MemoryAccess {
    /// The offset of the instruction.
    pub(super) at: usize,
    /// The origin of the instruction.
    pub(super) origin: u32,
}

/// A part of the code, up to the beginning of the next one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct MachinePart {
    /// The offset of its first instruction from that of the code.
    pub start: usize,
    /// An instruction of the block that it belongs to, as [`super::Inst::origin`]; none for what belongs to the function.
    pub origin: Option<u32>,
    /// Its purpose for that block.
    pub role: CodeRole,
}

/// A place in the code that something refers to before it is known.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Label {
    /// A flat block.
    Block(u32),
    /// The epilogue; the result is in `rax`.
    Epilogue,
    /// The trap of packs that meet different barriers.
    Divergent,
    /// All packs of a ring have ended.
    Ended,
}

/// Four bytes that get the distance from their end to a label.
pub(super) struct Patch {
    pub(super) at: usize,
    pub(super) to: Label,
}

/// A jump table: an entry is the distance from the table to a block.
struct Table {
    at: usize,
    targets: Vec<u32>,
}

/// Writes the code of a function.
pub(super) struct Emitter<'a, 'f> {
    allocated: &'a Allocated<'f>,
    pub(super) layout: Layout,
    places: Places,
    encoder: Encoder,
    /// The number of bytes written.
    pub(super) position: usize,
    /// The offsets of blocks.
    starts: Vec<usize>,
    pub(super) patches: Vec<Patch>,
    tables: Vec<Table>,
    /// The offset of the next jump table.
    next_table: usize,
    pub(super) uses_divergent: bool,
    has_barriers: bool,
    body: Range<usize>,
    epilogue: usize,
    accesses: Vec<MemoryAccess>,
    /// The offset of the prologue.
    start: usize,
    parts: Vec<MachinePart>,
    statistics: Statistics,
    /// The edits that are not written yet begin here, by flat block.
    edits: Vec<Range<usize>>,
}

/// Writes the code of an allocated function.
pub(super) fn emit(allocated: &Allocated<'_>) -> Result<Image, Diagnostic> {
    let function = allocated.flat.function;
    let slots = (function.frame_bytes as usize).next_multiple_of(64);
    let frame_size = slots + (allocated.output.num_spillslots * 8).next_multiple_of(64);
    if i32::try_from(frame_size).is_err() {
        return Err(not_allocated(format!("a frame of {frame_size} bytes is too large")));
    }
    let tables_at = function.constants.len().next_multiple_of(4);
    let entries: usize = allocated.flat.blocks.iter().map(|block| block.end.table_entries()).sum();
    let start = (tables_at + entries * 4).next_multiple_of(64);
    let mut encoder = Encoder::new(64);
    let mut bytes = Vec::with_capacity(start + allocated.flat.parts.len() * 8 + 256);
    bytes.extend_from_slice(&function.constants);
    bytes.resize(start, 0);
    encoder.set_buffer(bytes);
    let mut emitter = Emitter {
        allocated,
        layout: lay_out(allocated),
        places: Places { slots: slots as i32, has_avx512: function.has_avx512 },
        encoder,
        position: start,
        starts: vec![usize::MAX; allocated.flat.blocks.len()],
        patches: Vec::new(),
        tables: Vec::new(),
        next_table: tables_at,
        uses_divergent: false,
        has_barriers: function.has_barriers(),
        body: start..start,
        epilogue: start,
        accesses: Vec::new(),
        start,
        parts: Vec::new(),
        statistics: Statistics {
            spill_slots: allocated.output.num_spillslots,
            is_allocated_fast: allocated.is_fast,
            ..Statistics::default()
        },
        edits: edits_by_block(allocated),
    };
    emitter.emit_function()?;
    let entry = emitter.starts[emitter.layout.resolved[0] as usize];
    let mut statistics = emitter.statistics;
    let (body, epilogue) = (emitter.body.clone(), emitter.epilogue);
    let (accesses, parts) = (std::mem::take(&mut emitter.accesses), std::mem::take(&mut emitter.parts));
    let bytes = emitter.finish();
    statistics.bytes = bytes.len() - start;
    Ok(Image { bytes, start, entry, body, epilogue, accesses, parts, frame_size: frame_size as u32, statistics })
}

/// The range of the edits of each block.
fn edits_by_block(allocated: &Allocated<'_>) -> Vec<Range<usize>> {
    let edits = &allocated.output.edits;
    let mut next = 0;
    let range_of = |block: &FlatBlock| {
        let first = next;
        while edits.get(next).is_some_and(|(point, _)| point.inst().index() < block.insts.end as usize) {
            next += 1;
        }
        first..next
    };
    allocated.flat.blocks.iter().map(range_of).collect()
}

impl Emitter<'_, '_> {
    fn write(&mut self, instruction: &Instruction) -> Result<(), Diagnostic> {
        let length = self
            .encoder
            .encode(instruction, self.position as u64)
            .map_err(|error| not_encoded(format!("{:?}: {error}", instruction.code())))?;
        self.position += length;
        self.statistics.instructions += 1;
        Ok(())
    }

    /// Writes instructions that are right by construction.
    pub(super) fn write_fixed<const N: usize>(
        &mut self,
        instructions: [Result<Instruction, iced_x86::IcedError>; N],
    ) -> Result<(), Diagnostic> {
        for instruction in instructions {
            self.write(&instruction.map_err(not_encoded)?)?;
        }
        Ok(())
    }

    pub(super) fn write_bytes(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.encoder.write_u8(*byte);
        }
        self.position += bytes.len();
    }

    /// Begins a part of the code.
    fn begin_part(&mut self, origin: Option<u32>, role: CodeRole) {
        self.parts.push(MachinePart { start: self.position - self.start, origin, role });
    }

    fn emit_function(&mut self) -> Result<(), Diagnostic> {
        self.begin_part(None, CodeRole::Prologue);
        for register in SAVED {
            self.write_fixed([Instruction::with1(Code::Push_r64, register)])?;
        }
        self.write_fixed([Instruction::with2(Code::Mov_r64_rm64, Register::RBP, Register::RDI)])?;
        self.body.start = self.position;
        let order = std::mem::take(&mut self.layout.order);
        self.jump(0, order.first().copied());
        for (place, &block) in order.iter().enumerate() {
            self.emit_block(block, order.get(place + 1).copied())?;
        }
        self.emit_traps_and_epilogue()
    }

    fn emit_block(&mut self, number: u32, next: Option<u32>) -> Result<(), Diagnostic> {
        let allocated = self.allocated;
        let block = &allocated.flat.blocks[number as usize];
        self.begin_part(Some(allocated.flat.function.blocks[block.source as usize].origin), block.role);
        if self.layout.is_loop_start[number as usize] {
            self.align();
        }
        self.starts[number as usize] = self.position;
        for inst in block.insts.clone() {
            let inst = FlatInst::new(inst as usize);
            self.emit_moves(number, ProgPoint::before(inst))?;
            let allocations = allocated.output.inst_allocs(inst);
            match allocated.flat.parts[inst.index()] {
                Part::Inst { block, index } => {
                    let inst = &allocated.flat.function.blocks[block as usize].insts[index as usize];
                    let instruction = self.places.encode(inst, allocations)?;
                    if inst.operands.iter().any(|operand| matches!(operand, Operand::Memory(_))) {
                        self.accesses.push(MemoryAccess { at: self.position, origin: inst.origin });
                    }
                    self.write(&instruction)?;
                }
                Part::TableAddress { entries } => self.emit_table_address(entries, allocations, &block.end)?,
                Part::Barrier => self.emit_barrier()?,
                Part::TableJump => {
                    let address = register(allocations[0]);
                    self.write_fixed([Instruction::with1(Code::Jmp_rm64, address)])?;
                }
                Part::Branch | Part::Exit => self.emit_end(&block.end, next)?,
            }
            self.emit_moves(number, ProgPoint::after(inst))?;
        }
        Ok(())
    }

    /// Writes the moves of the allocator up to a point.
    fn emit_moves(&mut self, block: u32, point: ProgPoint) -> Result<(), Diagnostic> {
        let edits = &self.allocated.output.edits;
        while let Some((at, Edit::Move { from, to })) = edits.get(self.edits[block as usize].start) {
            if self.edits[block as usize].is_empty() || *at > point {
                break;
            }
            self.edits[block as usize].start += 1;
            if let Some(instruction) = self.places.encode_move(*from, *to) {
                self.write(&instruction)?;
                self.statistics.moves += 1;
            }
        }
        Ok(())
    }

    fn emit_end(&mut self, end: &End, next: Option<u32>) -> Result<(), Diagnostic> {
        match end {
            End::Jump(to) => self.jump(*to, next),
            End::Branch { condition, then, otherwise } => self.branch(*condition, *then, *otherwise, next),
            End::Table(_) => {}
            End::Return if self.has_barriers => self.emit_return_to_ring()?,
            End::Return => self.emit_return()?,
            End::Trap(code) => {
                self.write_fixed([Instruction::with2(Code::Mov_r32_imm32, Register::EAX, *code)])?;
                self.jump_to(Label::Epilogue);
            }
        }
        Ok(())
    }

    /// A jump to a block, unless the block follows.
    fn jump(&mut self, to: u32, next: Option<u32>) {
        let to = self.layout.resolved[to as usize];
        if Some(to) != next {
            self.jump_to(Label::Block(to));
        }
    }

    fn branch(&mut self, condition: Condition, then: u32, otherwise: u32, next: Option<u32>) {
        let resolved = |block: u32| self.layout.resolved[block as usize];
        let (then, otherwise) = (resolved(then), resolved(otherwise));
        if then == otherwise {
            self.jump(then, next);
        } else if next == Some(then) {
            self.jump_unless(condition, Label::Block(otherwise));
        } else if next != Some(otherwise) && self.start_of(Label::Block(otherwise)).is_some() {
            // Backwards, to the next iteration, by one jump.
            self.jump_unless(condition, Label::Block(otherwise));
            self.jump_to(Label::Block(then));
        } else {
            self.jump_if(condition, Label::Block(then));
            self.jump(otherwise, next);
        }
    }

    fn start_of(&self, label: Label) -> Option<usize> {
        match label {
            Label::Block(block) => Some(self.starts[block as usize]).filter(|start| *start != usize::MAX),
            Label::Epilogue | Label::Divergent | Label::Ended => None,
        }
    }

    pub(super) fn jump_to(&mut self, label: Label) {
        self.jump_with(0xeb, &[0xe9], label);
    }

    pub(super) fn jump_if(&mut self, condition: Condition, label: Label) {
        self.jump_on_code(condition_code(condition), label);
    }

    /// The lowest bit of the code of a condition negates it.
    fn jump_unless(&mut self, condition: Condition, label: Label) {
        self.jump_on_code(condition_code(condition) ^ 1, label);
    }

    fn jump_on_code(&mut self, code: u8, label: Label) {
        self.jump_with(0x70 | code, &[0x0f, 0x80 | code], label);
    }

    fn jump_with(&mut self, short: u8, long: &[u8], label: Label) {
        self.statistics.instructions += 1;
        let distance = self.start_of(label).map(|start| start as i64 - (self.position as i64 + 2));
        if let Some(distance) = distance.and_then(|distance| i8::try_from(distance).ok()) {
            self.write_bytes(&[short, distance as u8]);
            return;
        }
        self.write_bytes(long);
        self.patches.push(Patch { at: self.position, to: label });
        self.write_bytes(&[0; 4]);
    }

    /// `address = table + table[min(index, entries)]`: the last entry is the default.
    fn emit_table_address(&mut self, entries: u32, allocations: &[Allocation], end: &End) -> Result<(), Diagnostic> {
        let End::Table(targets) = end else { return Ok(()) };
        let targets = targets.iter().map(|block| self.layout.resolved[*block as usize]).collect();
        let at = self.next_table;
        self.tables.push(Table { at, targets });
        self.next_table += (entries as usize + 1) * 4;
        let [index, address, table] = [0, 1, 2].map(|operand| register(allocations[operand]));
        let entry = MemoryOperand::with_base_index_scale(table, address, 4);
        let narrow = Register::EAX + (address as u32 - Register::RAX as u32);
        self.write_fixed([
            Instruction::with2(Code::Mov_r32_imm32, narrow, entries),
            Instruction::with2(Code::Cmp_r64_rm64, index, address),
            Instruction::with2(Code::Cmovb_r64_rm64, address, index),
            Instruction::with2(
                Code::Lea_r64_m,
                table,
                MemoryOperand::with_base_displ_size(Register::RIP, at as i64, 8),
            ),
            Instruction::with2(Code::Movsxd_r64_rm32, address, entry),
            Instruction::with2(Code::Add_r64_rm64, address, table),
        ])
    }

    fn emit_traps_and_epilogue(&mut self) -> Result<(), Diagnostic> {
        self.begin_part(None, CodeRole::Epilogue);
        let divergent = self.position;
        self.body.end = divergent;
        if self.uses_divergent {
            self.write_fixed([Instruction::with2(Code::Mov_r32_imm32, Register::EAX, DIVERGENT_BARRIER)])?;
            self.jump_to(Label::Epilogue);
        }
        let ended = self.position;
        if self.has_barriers {
            self.write_fixed([Instruction::with2(Code::Xor_r32_rm32, Register::EAX, Register::EAX)])?;
        }
        let epilogue = self.position;
        self.epilogue = epilogue;
        let mut vzeroupper = Instruction::default();
        vzeroupper.set_code(Code::VEX_Vzeroupper);
        self.write(&vzeroupper)?;
        for register in SAVED.into_iter().rev() {
            self.write_fixed([Instruction::with1(Code::Pop_r64, register)])?;
        }
        let mut ret = Instruction::default();
        ret.set_code(Code::Retnq);
        self.write(&ret)?;
        for patch in std::mem::take(&mut self.patches) {
            let to = match patch.to {
                Label::Block(block) => self.starts[block as usize],
                Label::Epilogue => epilogue,
                Label::Divergent => divergent,
                Label::Ended => ended,
            };
            self.fill(patch.at, to);
        }
        Ok(())
    }
}

impl Emitter<'_, '_> {
    /// Fills the code with instructions that do nothing, so that a loop begins where the decoder does.
    fn align(&mut self) {
        let mut rest = self.position.next_multiple_of(LOOP_ALIGNMENT) - self.position;
        while rest > 0 {
            let nop = NOPS[rest.min(NOPS.len()) - 1];
            self.write_bytes(nop);
            rest -= nop.len();
        }
    }

    /// Fills in the distance from the end of four bytes to a place.
    pub(super) fn fill(&mut self, at: usize, to: usize) {
        let distance = (to as i64 - (at as i64 + 4)) as i32;
        self.change(|bytes| bytes[at..at + 4].copy_from_slice(&distance.to_le_bytes()));
    }

    /// Changes what is written. The encoder owns the bytes and lends them only as a whole.
    fn change(&mut self, change: impl FnOnce(&mut [u8])) {
        let mut bytes = self.encoder.take_buffer();
        change(&mut bytes);
        self.encoder.set_buffer(bytes);
    }

    /// Fills in the jump tables.
    fn finish(mut self) -> Vec<u8> {
        let mut bytes = self.encoder.take_buffer();
        for table in &self.tables {
            for (index, block) in table.targets.iter().enumerate() {
                let distance = (self.starts[*block as usize] as i64 - table.at as i64) as i32;
                let at = table.at + index * 4;
                bytes[at..at + 4].copy_from_slice(&distance.to_le_bytes());
            }
        }
        bytes
    }
}

/// The general register of an operand.
fn register(allocation: Allocation) -> Register {
    let register = allocation.as_reg().expect("invariant: the operand must be in a register");
    Register::RAX + register.hw_enc() as u32
}

/// The code of a condition in a conditional jump.
fn condition_code(condition: Condition) -> u8 {
    match condition {
        Condition::Below | Condition::Carry => 0x2,
        Condition::AboveEqual => 0x3,
        Condition::Equal => 0x4,
        Condition::NotEqual => 0x5,
        Condition::BelowEqual => 0x6,
        Condition::Above => 0x7,
        Condition::Parity => 0xa,
        Condition::NoParity => 0xb,
        Condition::Less => 0xc,
        Condition::GreaterEqual => 0xd,
        Condition::LessEqual => 0xe,
        Condition::Greater => 0xf,
    }
}
