//! Packs of a work-group: the next one at a return, and switches at barriers.
//!
//! Without barriers one frame serves all packs one after another. With barriers each pack has a frame, and the frames form a ring: a
//! barrier notes in the frame where the pack continues, and continues where the next one stopped. Pack 0 is the first to reach a barrier and
//! the first to leave it. Every other pack compares where it continues with where the pack before it does: they differ if the packs are at
//! different barriers. Pack 0 compares with itself.

use reconverge_diagnostic::Diagnostic;

use super::emit::{Emitter, Label, Patch};
use super::inst::Condition;
use crate::call_memory::header;
use iced_x86::{Code, Instruction, MemoryOperand, Register};

/// A memory operand in the header of the frame.
fn frame(offset: i32) -> MemoryOperand {
    MemoryOperand::with_base_displ(Register::RBP, offset.into())
}

impl Emitter<'_, '_> {
    /// Without barriers: the next pack begins, in the same frame.
    pub(super) fn emit_return(&mut self) -> Result<(), Diagnostic> {
        self.write_fixed([
            Instruction::with2(Code::Mov_r64_rm64, Register::RAX, frame(header::PACK)),
            Instruction::with1(Code::Inc_rm64, Register::RAX),
            Instruction::with2(Code::Mov_rm64_r64, frame(header::PACK), Register::RAX),
            Instruction::with2(Code::Cmp_r64_rm64, Register::RAX, frame(header::PACKS)),
        ])?;
        self.jump_if(Condition::Below, Label::Block(self.layout.resolved[0]));
        self.write_fixed([Instruction::with2(Code::Xor_r32_rm32, Register::EAX, Register::EAX)])?;
        self.jump_to(Label::Epilogue);
        Ok(())
    }

    /// This pack continues at a place, which is filled in, when its turn comes. The next pack continues where it stopped. Returns where the
    /// distance to the place goes.
    fn emit_switch(&mut self) -> Result<usize, Diagnostic> {
        self.uses_divergent = true;
        // `lea rax, [rip + …]`.
        self.write_bytes(&[0x48, 0x8d, 0x05]);
        let distance_at = self.position;
        self.write_bytes(&[0; 4]);
        let before = MemoryOperand::with_base(Register::RCX);
        self.write_fixed([
            Instruction::with2(Code::Mov_rm64_r64, frame(header::RESUME), Register::RAX),
            Instruction::with2(Code::Mov_r64_rm64, Register::RCX, frame(header::BEFORE)),
            Instruction::with2(Code::Cmp_r64_rm64, Register::RAX, before),
        ])?;
        self.jump_if(Condition::NotEqual, Label::Divergent);
        self.write_fixed([
            Instruction::with2(Code::Mov_r64_rm64, Register::RBP, frame(header::NEXT)),
            Instruction::with1(Code::Jmp_rm64, frame(header::RESUME)),
        ])?;
        Ok(distance_at)
    }

    /// With barriers: this pack continues after the switch when its turn comes.
    pub(super) fn emit_barrier(&mut self) -> Result<(), Diagnostic> {
        let distance_at = self.emit_switch()?;
        self.fill(distance_at, self.position);
        Ok(())
    }

    /// With barriers: the end is a barrier too. When the turn of pack 0 comes again, all have ended.
    pub(super) fn emit_return_to_ring(&mut self) -> Result<(), Diagnostic> {
        let distance_at = self.emit_switch()?;
        self.patches.push(Patch { at: distance_at, to: Label::Ended });
        Ok(())
    }
}
