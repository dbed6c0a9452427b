//! Of what powers of two integers are surely multiples: how many of their lowest bits are zero.
//!
//! ```text
//! %a = shift_left_logical %i, 34        34 zeros
//! %b = shift_right_arithmetic %a, 32     2 zeros: %b is a multiple of 4
//! ^loop(%p), passed 0 and %p + 8         3 zeros
//! ```
//!
//! Compilers scale indices themselves, in all sorts of ways, and then move a byte pointer by them. The least number that holds for
//! all that flows into a value is found from above: every integer starts with 64 zeros, and loses some until nothing changes
//! (Granger, *Static analysis of arithmetical congruences*, 1989, for powers of two alone). A value can change 64 times at worst,
//! and hardly ever does so more than twice; each change looks at the users.

use reconverge_ir::{Inst, Module, Op, Parameter, Slot, Terminator};

use super::chain::integer_constant;

const ALL: u8 = 64;

/// The zeros of all integers of the functions of a module, as it was when they were counted.
#[derive(Clone, Debug, Default)]
pub(super) struct Multiples {
    zeros: Vec<u8>,
}

impl Multiples {
    /// Counts the zeros of all integers.
    pub(super) fn compute(module: &Module) -> Multiples {
        let mut multiples = Multiples { zeros: vec![0; module.capacity()] };
        let blocks = module.functions().flat_map(|function| module.blocks(function));
        let values: Vec<Inst> =
            blocks.flat_map(|block| module.children(block)).filter(|&inst| is_integer(module, inst)).collect();
        for &value in &values {
            multiples.zeros[value.index()] = ALL;
        }
        let mut pending: Vec<Inst> = values.into_iter().rev().collect();
        while let Some(value) = pending.pop() {
            let zeros = multiples.transfer(module, value);
            if zeros >= multiples.zeros[value.index()] {
                continue;
            }
            multiples.zeros[value.index()] = zeros;
            for used in module.uses(value) {
                match (module.cast::<Terminator>(used.user), used.slot) {
                    (Some(jump), Slot::Operand(operand)) => pending.extend(passed_to(module, jump, operand)),
                    (None, Slot::Operand(_)) if is_integer(module, used.user) => pending.push(used.user),
                    _ => {}
                }
            }
        }
        multiples
    }

    /// How many of the lowest bits of an integer are surely zero; none for what was made later.
    pub(super) fn zeros(&self, module: &Module, value: Inst) -> u32 {
        match integer_constant(module, value) {
            Some(constant) => constant.trailing_zeros(),
            None => self.zeros.get(value.index()).copied().map_or(0, u32::from),
        }
    }

    /// The zeros of a value, given those of its operands.
    fn transfer(&self, module: &Module, value: Inst) -> u8 {
        let of = |index: usize| self.zeros(module, module.operand(value, index));
        let shift = || integer_constant(module, module.operand(value, 1)).and_then(|shift| u32::try_from(shift).ok());
        let zeros = match module.op(value) {
            Op::IAdd | Op::ISub | Op::BitwiseOr | Op::BitwiseXor => of(0).min(of(1)),
            Op::BitwiseAnd => of(0).max(of(1)),
            Op::IMul => of(0) + of(1),
            Op::Select => of(1).min(of(2)),
            Op::UConvert | Op::SConvert | Op::CopyObject | Op::SNegate | Op::ExpectKHR => of(0),
            Op::ShiftLeftLogical => shift().map_or(0, |shift| of(0).saturating_add(shift)),
            Op::ShiftRightArithmetic | Op::ShiftRightLogical => shift().map_or(0, |shift| of(0).saturating_sub(shift)),
            Op::BlockParameter => self.passed(module, value),
            _ => 0,
        };
        zeros.min(u32::from(ALL)) as u8
    }

    /// The fewest zeros of what is passed to a parameter.
    fn passed(&self, module: &Module, value: Inst) -> u32 {
        let Some((block, place)) = place_of(module, value) else { return 0 };
        let arguments = module.in_edges(block).map(|edge| module.arguments(edge.terminator).nth(place));
        arguments.map(|argument| argument.map_or(0, |argument| self.zeros(module, argument))).min().unwrap_or(0)
    }
}

fn is_integer(module: &Module, value: Inst) -> bool {
    module.ty(value).is_some_and(|ty| module.op(ty) == Op::TypeInt)
}

fn place_of(module: &Module, parameter: Inst) -> Option<(reconverge_ir::Block, usize)> {
    let block = module.block_of(parameter)?;
    Some((block, module.parameters(block).position(|other| other.inst() == parameter)?))
}

/// The parameter that an operand of a jump is passed to.
fn passed_to(module: &Module, jump: Terminator, operand: usize) -> Option<Inst> {
    let first = reconverge_ir::terminator::first_argument(module.op(jump))?;
    let target = module.cast::<reconverge_ir::Block>(module.operand(jump, 0))?;
    let parameter: Option<Parameter> = module.parameters(target).nth(operand.checked_sub(first)?);
    parameter.map(Inst::from).filter(|&parameter| is_integer(module, parameter))
}
