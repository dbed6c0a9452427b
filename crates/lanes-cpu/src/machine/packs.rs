//! Packs of a work-group: the next one at a return, and switches at barriers.
//!
//! Without barriers one frame serves all packs one after another. With barriers each pack has a frame, and the frames form a ring: a
//! barrier notes in the frame where the pack goes on, and goes on where the next one stopped. Pack 0 is the first to come to a barrier and
//! the first to leave it. It writes the number of the barrier into the context, and the others compare.

use super::AssembleError;
use super::emit::{Emitter, Label};
use super::inst::Condition;
use iced_x86::{Code, Instruction, MemoryOperand, Register};

/// Where a pack goes on.
const RESUME: i64 = 0;
/// The frame of the next pack.
const NEXT: i64 = 8;
/// The number of the pack.
const PACK: i64 = 16;
/// The address of the context.
const CONTEXT: i64 = 32;
/// The number of packs.
const PACKS: i64 = 40;
/// What the end of a kernel counts as when packs compare where they are.
const SITE_OF_RETURN: u32 = u32::MAX;

/// A memory operand in the frame.
fn frame(offset: i64) -> MemoryOperand {
    MemoryOperand::with_base_displ(Register::RBP, offset)
}

impl Emitter<'_, '_> {
    /// Without barriers: the next pack begins, in the same frame.
    pub(super) fn emit_return(&mut self) -> Result<(), AssembleError> {
        self.write_fixed([
            Instruction::with2(Code::Mov_r64_rm64, Register::RAX, frame(PACK)),
            Instruction::with1(Code::Inc_rm64, Register::RAX),
            Instruction::with2(Code::Mov_rm64_r64, frame(PACK), Register::RAX),
            Instruction::with2(Code::Cmp_r64_rm64, Register::RAX, frame(PACKS)),
        ])?;
        self.jump_if(Condition::Below, Label::Block(self.layout.resolved[0]));
        self.write_fixed([Instruction::with2(Code::Xor_r32_rm32, Register::EAX, Register::EAX)])?;
        self.jump_to(Label::Epilogue);
        Ok(())
    }

    /// Compares where this pack is with where pack 0 is: `rax` gets the number of the pack, and `rcx` the context.
    fn emit_site_check(&mut self, site: u32) -> Result<(), AssembleError> {
        let noted = MemoryOperand::with_base(Register::RCX);
        self.uses_divergent = true;
        self.write_fixed([
            Instruction::with2(Code::Mov_r64_rm64, Register::RCX, frame(CONTEXT)),
            Instruction::with2(Code::Mov_r64_rm64, Register::RAX, frame(PACK)),
            Instruction::with2(Code::Test_rm64_r64, Register::RAX, Register::RAX),
        ])?;
        let to_check = self.short_jump(0x75);
        self.write_fixed([Instruction::with2(Code::Mov_rm32_imm32, noted, site)])?;
        let to_end = self.short_jump(0xeb);
        self.land(to_check);
        self.write_fixed([Instruction::with2(Code::Cmp_rm32_imm32, noted, site)])?;
        self.jump_if(Condition::NotEqual, Label::Divergent);
        self.land(to_end);
        Ok(())
    }

    /// Goes on with the next pack where it stopped.
    fn emit_switch(&mut self) -> Result<(), AssembleError> {
        self.write_fixed([
            Instruction::with2(Code::Mov_r64_rm64, Register::RBP, frame(NEXT)),
            Instruction::with1(Code::Jmp_rm64, frame(RESUME)),
        ])
    }

    /// With barriers: this pack goes on behind the switch when its turn comes.
    pub(super) fn emit_barrier(&mut self, site: u32) -> Result<(), AssembleError> {
        self.emit_site_check(site)?;
        // `lea rax, [rip + …]`: the distance is known when the switch is written.
        self.write_bytes(&[0x48, 0x8d, 0x05]);
        let distance_at = self.position;
        self.write_bytes(&[0; 4]);
        self.write_fixed([Instruction::with2(Code::Mov_rm64_r64, frame(RESUME), Register::RAX)])?;
        self.emit_switch()?;
        self.fill(distance_at, self.position);
        Ok(())
    }

    /// With barriers: the next pack goes on; the last one ends the call.
    pub(super) fn emit_return_to_ring(&mut self) -> Result<(), AssembleError> {
        self.emit_site_check(SITE_OF_RETURN)?;
        self.write_fixed([
            Instruction::with1(Code::Inc_rm64, Register::RAX),
            Instruction::with2(Code::Cmp_r64_rm64, Register::RAX, frame(PACKS)),
        ])?;
        let to_end = self.short_jump(0x73);
        self.emit_switch()?;
        self.land(to_end);
        self.write_fixed([Instruction::with2(Code::Xor_r32_rm32, Register::EAX, Register::EAX)])?;
        self.jump_to(Label::Epilogue);
        Ok(())
    }
}
