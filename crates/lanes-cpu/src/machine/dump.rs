//! Text of machine functions and of code.

use super::code::Code;
use super::inst::{Address, Base, Class, Implicit, Inst, MachineBlock, MachineFunction, Operand, Terminator, VReg};
use iced_x86::{Decoder, DecoderOptions, Formatter, Instruction, NasmFormatter, OpKind};
use std::fmt;

impl fmt::Display for VReg {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let class = match self.class {
            Class::General => 'g',
            Class::Vector => 'v',
            Class::Mask => 'm',
        };
        write!(formatter, "{class}{}", self.index)
    }
}

impl fmt::Display for Address {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.base {
            Base::Register(base) => write!(formatter, "[{base}")?,
            Base::Frame => write!(formatter, "[frame")?,
            Base::Constants => write!(formatter, "[constants")?,
            Base::None => write!(formatter, "[0")?,
        }
        if let Some(index) = self.index {
            write!(formatter, " + {index}*{}", self.scale)?;
        }
        if self.displacement != 0 {
            write!(formatter, " {:+}", self.displacement)?;
        }
        write!(formatter, "]")
    }
}

impl fmt::Display for Operand {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Operand::Def(register) => write!(formatter, "={register}"),
            Operand::Use(register) => write!(formatter, "{register}"),
            Operand::Update { from, to } => write!(formatter, "{to}={from}"),
            Operand::Memory(address) => write!(formatter, "{address}"),
            Operand::Immediate(value) => write!(formatter, "{value}"),
        }
    }
}

impl fmt::Display for Inst {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}{:?}", if self.is_locked { "lock " } else { "" }, self.code)?;
        for (index, operand) in self.operands.iter().enumerate() {
            write!(formatter, "{} {operand}", if index == 0 { "" } else { "," })?;
        }
        if let Some(mask) = self.mask {
            write!(formatter, " {{{mask}}}{}", if self.is_zeroing { "{z}" } else { "" })?;
        }
        if let Some((from, to)) = self.consumed_mask {
            write!(formatter, " {{{to}={from}}}")?;
        }
        if self.is_broadcast {
            write!(formatter, " broadcast")?;
        }
        for implicit in &self.implicit {
            match implicit {
                Implicit::Use(register, fixed) => write!(formatter, " {fixed:?}:{register}")?,
                Implicit::Def(register, fixed) => write!(formatter, " {fixed:?}:={register}")?,
                Implicit::Clobber(fixed) => write!(formatter, " {fixed:?}:!")?,
            }
        }
        if self.has_effect {
            write!(formatter, " !")?;
        }
        Ok(())
    }
}

/// Registers separated by commas.
fn list(registers: &[VReg]) -> String {
    registers.iter().map(VReg::to_string).collect::<Vec<_>>().join(", ")
}

impl fmt::Display for Terminator {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Terminator::Jump(to, arguments) => write!(formatter, "jump b{}({})", to.0, list(arguments)),
            Terminator::Branch { condition, then, otherwise } => {
                write!(formatter, "branch {condition:?} b{} b{}", then.0, otherwise.0)
            }
            Terminator::Table { index, default, targets } => {
                write!(formatter, "table {index} default b{}:", default.0)?;
                targets.iter().try_for_each(|to| write!(formatter, " b{}", to.0))
            }
            Terminator::Return => write!(formatter, "return"),
            Terminator::Barrier { resume } => write!(formatter, "barrier b{}", resume.0),
            Terminator::Trap(code) => write!(formatter, "trap {code}"),
        }
    }
}

impl fmt::Display for MachineFunction {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (number, MachineBlock { parameters, insts, end, loop_depth, .. }) in self.blocks.iter().enumerate() {
            writeln!(formatter, "b{number}({}): depth {loop_depth}", list(parameters))?;
            insts.iter().try_for_each(|inst| writeln!(formatter, "  {inst}"))?;
            match end {
                Some(end) => writeln!(formatter, "  {end}")?,
                None => writeln!(formatter, "  (open)")?,
            }
        }
        Ok(())
    }
}

impl Code {
    /// The distance of each instruction from the first one: of each line of its text. Linear: it is decoded.
    pub fn offsets(&self) -> Vec<usize> {
        let (_, address) = self.bytes();
        self.instructions().iter().map(|instruction| (instruction.ip() - address) as usize).collect()
    }

    /// The instructions of the code.
    pub fn instructions(&self) -> Vec<Instruction> {
        let (bytes, address) = self.bytes();
        Decoder::with_ip(64, bytes, address, DecoderOptions::NONE).into_iter().collect()
    }
}

impl fmt::Display for Code {
    /// The instructions, each with its distance from the first one.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut names = NasmFormatter::new();
        names.options_mut().set_branch_leading_zeros(false);
        names.options_mut().set_hex_prefix("0x");
        names.options_mut().set_hex_suffix("");
        let mut text = String::new();
        let (_, address) = self.bytes();
        for mut instruction in self.instructions() {
            let offset = instruction.ip() - address;
            // Addresses are relative to the first instruction, so that equal code has equal text.
            if instruction.op0_kind() == OpKind::NearBranch64 {
                instruction.set_near_branch64(instruction.near_branch64().wrapping_sub(address));
            }
            if instruction.is_ip_rel_memory_operand() {
                instruction.set_memory_displacement64(instruction.memory_displacement64().wrapping_sub(address));
            }
            text.clear();
            names.format(&instruction, &mut text);
            writeln!(formatter, "{offset:5x}  {text}")?;
        }
        Ok(())
    }
}
