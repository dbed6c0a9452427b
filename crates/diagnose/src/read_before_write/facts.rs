//! Facts on a path: values of integers and booleans, and contents of scalar variables.
//!
//! Only facts that hold for every run along the path are recorded: constants, what is computed from them, and the outcomes of the branches
//! on the path. Facts are kept sorted, so that equal knowledge is equal data.

use reconverge_ir::view::TypeView;
use reconverge_ir::{Inst, Module, Op, terminator};

/// Values by instruction; for a variable, what is in it.
#[derive(Clone, PartialEq, Eq, Hash, Default, Debug)]
pub(super) struct InitializationFacts {
    known: Vec<(Inst, u64)>,
}

impl InitializationFacts {
    /// The value of an instruction, a constant among them.
    pub(super) fn value(&self, module: &Module, inst: Inst) -> Option<u64> {
        match module.op(inst) {
            Op::ConstantTrue => Some(1),
            Op::ConstantFalse => Some(0),
            Op::Constant => {
                let words = module.constant_words(inst)?;
                let width = width(module, inst)?;
                let value = words.iter().take(2).rev().fold(0, |value: u64, &word| (value << 32) | u64::from(word));
                Some(value & mask(width))
            }
            Op::ConstantNull => width(module, inst).map(|_| 0),
            _ => self.stored(inst),
        }
    }

    /// The recorded fact about an instruction.
    pub(super) fn stored(&self, inst: Inst) -> Option<u64> {
        self.known.binary_search_by_key(&inst, |&(key, _)| key).ok().map(|index| self.known[index].1)
    }

    /// Records a value, or that nothing is known.
    pub(super) fn set(&mut self, inst: Inst, value: Option<u64>) {
        match (self.known.binary_search_by_key(&inst, |&(key, _)| key), value) {
            (Ok(index), Some(value)) => self.known[index].1 = value,
            (Ok(index), None) => {
                self.known.remove(index);
            }
            (Err(index), Some(value)) => self.known.insert(index, (inst, value)),
            (Err(_), None) => {}
        }
    }

    /// Removes facts that are no longer needed.
    pub(super) fn retain(&mut self, mut is_kept: impl FnMut(Inst) -> bool) {
        self.known.retain(|&(inst, _)| is_kept(inst));
    }

    /// The value of an instruction that computes one from known operands.
    pub(super) fn computed(&self, module: &Module, inst: Inst) -> Option<u64> {
        let width = width(module, inst)?;
        let operand = |index: usize| self.value(module, operand(module, inst, index)?);
        let signed = |index: usize| {
            let inst = self::operand(module, inst, index)?;
            Some(sign_extended(self.value(module, inst)?, self::width(module, inst)?))
        };
        let value = match module.op(inst) {
            Op::CopyObject | Op::UConvert | Op::Bitcast => operand(0)?,
            Op::SConvert => signed(0)? as u64,
            Op::IAdd => operand(0)?.wrapping_add(operand(1)?),
            Op::ISub => operand(0)?.wrapping_sub(operand(1)?),
            Op::IMul => operand(0)?.wrapping_mul(operand(1)?),
            Op::SNegate => operand(0)?.wrapping_neg(),
            Op::Not => !operand(0)?,
            Op::LogicalNot => operand(0)? ^ 1,
            Op::BitwiseAnd => operand(0)? & operand(1)?,
            Op::BitwiseOr => operand(0)? | operand(1)?,
            Op::BitwiseXor => operand(0)? ^ operand(1)?,
            Op::LogicalAnd => match (operand(0), operand(1)) {
                (Some(0), _) | (_, Some(0)) => 0,
                (left, right) => left? & right?,
            },
            Op::LogicalOr => match (operand(0), operand(1)) {
                (Some(1), _) | (_, Some(1)) => 1,
                (left, right) => left? | right?,
            },
            Op::Select => match operand(0)? {
                0 => operand(2)?,
                _ => operand(1)?,
            },
            Op::IEqual | Op::LogicalEqual => u64::from(operand(0)? == operand(1)?),
            Op::INotEqual | Op::LogicalNotEqual => u64::from(operand(0)? != operand(1)?),
            Op::ULessThan => u64::from(operand(0)? < operand(1)?),
            Op::ULessThanEqual => u64::from(operand(0)? <= operand(1)?),
            Op::UGreaterThan => u64::from(operand(0)? > operand(1)?),
            Op::UGreaterThanEqual => u64::from(operand(0)? >= operand(1)?),
            Op::SLessThan => u64::from(signed(0)? < signed(1)?),
            Op::SLessThanEqual => u64::from(signed(0)? <= signed(1)?),
            Op::SGreaterThan => u64::from(signed(0)? > signed(1)?),
            Op::SGreaterThanEqual => u64::from(signed(0)? >= signed(1)?),
            _ => return None,
        };
        Some(value & mask(width))
    }
}

/// The operand of that number, if it is a scalar.
fn operand(module: &Module, inst: Inst, index: usize) -> Option<Inst> {
    let operand = module.operands(inst).nth(index)?;
    width(module, operand).map(|_| operand)
}

/// Bits of a value that can be known: an integer of at most 64 bits or a boolean.
pub(super) fn width(module: &Module, inst: Inst) -> Option<u32> {
    scalar_width(module, module.ty(inst)?)
}

/// Bits of the values of a type, if they can be known.
pub(super) fn scalar_width(module: &Module, ty: Inst) -> Option<u32> {
    match module.type_view(ty)? {
        TypeView::Bool => Some(1),
        TypeView::Int { width, .. } => Some(width).filter(|&width| (1..=64).contains(&width)),
        _ => None,
    }
}

fn mask(width: u32) -> u64 {
    u64::MAX >> (64 - width.clamp(1, 64))
}

fn sign_extended(value: u64, width: u32) -> i64 {
    let unused = 64 - width.clamp(1, 64);
    ((value << unused) as i64) >> unused
}

/// The literal of a case that goes to a block, if only one does and the default does not.
pub(super) fn case_value(module: &Module, switch: Inst, target: Inst) -> Option<u64> {
    let switch = module.cast(switch)?;
    let width = width(module, module.operand(switch, terminator::operand::CONDITION))?;
    if module.operand(switch, terminator::operand::DEFAULT) == target {
        return None;
    }
    let mut literals = module.cases(switch).filter(|&(_, block)| block == target).map(|(literal, _)| literal);
    let only = literals.next().filter(|_| literals.next().is_none())?;
    Some(literal_value(module, only) & mask(width))
}

/// The target of a switch for a value of its selector.
pub(super) fn switch_target(module: &Module, switch: Inst, value: u64) -> Option<Inst> {
    let switch = module.cast(switch)?;
    let width = width(module, module.operand(switch, terminator::operand::CONDITION))?;
    let case = module.cases(switch).find(|&(literal, _)| literal_value(module, literal) & mask(width) == value);
    Some(case.map_or(module.operand(switch, terminator::operand::DEFAULT), |(_, target)| target))
}

fn literal_value(module: &Module, literal: Inst) -> u64 {
    let words = module.literal_words(literal);
    words.iter().take(2).rev().fold(0, |value: u64, &word| (value << 32) | u64::from(word))
}
