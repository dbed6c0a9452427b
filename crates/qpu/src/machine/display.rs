//! A machine function as text, with virtual registers.

use std::fmt;

use super::{Branch, BranchCondition, Condition, Destination, Inst, MachineFunction, Operation, ReadPort, Source};

impl fmt::Display for MachineFunction {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (place, block) in self.blocks.iter().enumerate() {
            writeln!(formatter, "{place}:")?;
            for inst in &block.insts {
                writeln!(formatter, "    {inst}")?;
            }
            if let Some(branch) = &block.branch {
                writeln!(formatter, "    {branch}")?;
            }
        }
        Ok(())
    }
}

impl fmt::Display for Branch {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.condition {
            BranchCondition::Always => formatter.write_str("branch")?,
            BranchCondition::All(condition) => write!(formatter, "branch.all_{}", condition.name())?,
            BranchCondition::Any(condition) => write!(formatter, "branch.any_{}", condition.name())?,
        }
        write!(formatter, " {}", self.target.0)
    }
}

impl Condition {
    /// The suffix of the assembly language.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Condition::Always => "always",
            Condition::ZeroSet => "zs",
            Condition::ZeroClear => "zc",
            Condition::NegativeSet => "ns",
            Condition::NegativeClear => "nc",
            Condition::CarrySet => "cs",
            Condition::CarryClear => "cc",
        }
    }
}

impl fmt::Display for Inst {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = match self.operation {
            Operation::Move => "mov".to_owned(),
            Operation::Add(op) => format!("{op:?}").to_lowercase(),
            Operation::Multiply(op) => format!("{op:?}").to_lowercase(),
            Operation::Rotate(Some(amount)) => format!("rotate_{amount}"),
            Operation::Rotate(None) => "rotate_r5".to_owned(),
            Operation::Immediate(_) => "ldi".to_owned(),
            Operation::Semaphore(semaphore) if semaphore.is_acquired => format!("sacq {}", semaphore.number),
            Operation::Semaphore(semaphore) => format!("srel {}", semaphore.number),
            Operation::LoadTmu => "ldtmu0".to_owned(),
            Operation::Undefine => "undefine".to_owned(),
            Operation::End => "thrend".to_owned(),
        };
        formatter.write_str(&name)?;
        if self.condition != Condition::Always {
            write!(formatter, ".{}", self.condition.name())?;
        }
        if self.sets_flags {
            formatter.write_str(".sf")?;
        }
        match self.destination {
            Destination::Null if self.source_count() == 0 && !self.sets_flags => {}
            Destination::Null => formatter.write_str(" null")?,
            Destination::Register(register) => write!(formatter, " %{}", register.0)?,
            Destination::Port(port) => write!(formatter, " {}", snake(&format!("{port:?}")))?,
        }
        if let Operation::Immediate(word) = self.operation {
            write!(formatter, ", {word:#x}")?;
        }
        for source in &self.sources[..self.source_count()] {
            match source {
                Source::Register(register) => write!(formatter, ", %{}", register.0)?,
                Source::Small(small) => write!(formatter, ", {}", small_text(small.0))?,
                Source::Port(ReadPort::Result) => formatter.write_str(", r4")?,
                Source::Port(ReadPort::Broadcast) => formatter.write_str(", r5")?,
                Source::Port(port) => write!(formatter, ", {}", snake(&format!("{port:?}")))?,
            }
        }
        Ok(())
    }
}

/// A small immediate as a number.
fn small_text(bits: u8) -> String {
    match bits {
        0..=15 => bits.to_string(),
        16..=31 => (i32::from(bits) - 32).to_string(),
        32..=39 => format!("{}.0", 1_u32 << (bits - 32)),
        _ => format!("1/{}", 1_u32 << (48 - bits.min(47))),
    }
}

fn snake(name: &str) -> String {
    let mut text = String::new();
    for (place, letter) in name.chars().enumerate() {
        if letter.is_ascii_uppercase() && place > 0 {
            text.push('_');
        }
        text.push(letter.to_ascii_lowercase());
    }
    text
}
