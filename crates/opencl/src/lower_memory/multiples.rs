//! Powers of two that divide integers: the number of known trailing zero bits.
//!
//! ```text
//! %a = shift_left_logical %i, 34        34 zeros
//! %b = shift_right_arithmetic %a, 32     2 zeros: %b is a multiple of 4
//! ^loop(%p), passed 0 and %p + 8         3 zeros
//! ```
//!
//! Front ends scale indices themselves, in many ways, and then add them to a byte pointer. The minimum over all values that reach a value
//! is computed as a greatest fixpoint: every integer starts with 64 zeros, and loses some until nothing changes (Granger, *Static analysis
//! of arithmetical congruences*, 1989, for powers of two only).
//!
//! Values are processed in reverse post-order of their blocks, and again in the order in which operands changed: without loops the first
//! result is final. A parameter is not recomputed from all its arguments: each argument that changes lowers it. So a join of thousands of
//! edges costs each edge once for each change. A value can change 64 times in the worst case, but hardly ever changes more than twice.

use std::collections::VecDeque;

use reconverge_ir::{Block, Inst, Module, Op, view};
use rustc_hash::FxHashMap;

use super::chain::integer_constant;
use super::space::operand_of;

const ALL: u8 = 64;

/// The known trailing zeros of all integers of the functions of a module, at the time of the analysis.
#[derive(Clone, Debug, Default)]
pub(super) struct Multiples {
    zeros: Vec<u8>,
}

impl Multiples {
    /// Analyzes all integers among these instructions, which are in reverse post-order of their blocks.
    pub(super) fn compute(module: &Module, insts: &[Inst]) -> Multiples {
        let flows = Flows::compute(module, insts);
        let mut multiples = Multiples { zeros: vec![0; module.capacity()] };
        let values: Vec<Inst> = insts.iter().copied().filter(|&inst| is_integer(module, inst)).collect();
        for &value in values.iter().filter(|&&value| module.op(value) != Op::BlockParameter) {
            multiples.zeros[value.index()] = ALL;
        }
        flows.passed.iter().for_each(|&(_, parameter)| multiples.zeros[parameter.index()] = ALL);
        // Arguments that are not integers of these functions lower a parameter once.
        for &(argument, parameter) in &flows.passed {
            let zeros = multiples.zeros(module, argument);
            multiples.lower(parameter, zeros);
        }
        multiples.settle(module, values, &flows);
        multiples
    }

    /// Lowers values until nothing changes.
    fn settle(&mut self, module: &Module, values: Vec<Inst>, flows: &Flows) {
        let mut is_pending = vec![false; module.capacity()];
        values.iter().for_each(|&value| is_pending[value.index()] = true);
        let mut pending: VecDeque<Inst> = values.into();
        while let Some(value) = pending.pop_front() {
            is_pending[value.index()] = false;
            // A parameter is in the worklist because it was lowered.
            if module.op(value) != Op::BlockParameter && !self.lower(value, self.transfer(module, value)) {
                continue;
            }
            for &user in flows.from(value) {
                let is_parameter = module.op(user) == Op::BlockParameter;
                let changes = !is_parameter || self.lower(user, u32::from(self.zeros[value.index()]));
                if changes && !std::mem::replace(&mut is_pending[user.index()], true) {
                    pending.push_back(user);
                }
            }
        }
    }

    /// Lowers the number of zeros of a value. Returns whether it changed.
    fn lower(&mut self, value: Inst, zeros: u32) -> bool {
        let known = &mut self.zeros[value.index()];
        let has_more = u32::from(*known) > zeros;
        if has_more {
            *known = zeros as u8;
        }
        has_more
    }

    /// The number of trailing bits of an integer that are known to be zero; 0 for later instructions.
    pub(super) fn zeros(&self, module: &Module, value: Inst) -> u32 {
        match integer_constant(module, value) {
            Some(constant) => constant.trailing_zeros(),
            None => self.zeros.get(value.index()).copied().map_or(0, u32::from),
        }
    }

    /// The zeros of a value other than a parameter, given those of its operands.
    fn transfer(&self, module: &Module, value: Inst) -> u32 {
        let of = |value: Inst| self.zeros(module, value);
        let zeros = match module.op(value) {
            Op::UConvert | Op::SConvert | Op::CopyObject | Op::SNegate | Op::ExpectKHR => {
                operand_of(module, value).map_or(0, of)
            }
            Op::Select if let Some(select) = view::Select::of(module, value) => {
                of(select.true_value).min(of(select.false_value))
            }
            op if let Some(view::Binary { left, right }) = view::Binary::of(module, value) => {
                let shift = || integer_constant(module, right).and_then(|shift| u32::try_from(shift).ok());
                match op {
                    Op::IAdd | Op::ISub | Op::BitwiseOr | Op::BitwiseXor => of(left).min(of(right)),
                    Op::BitwiseAnd => of(left).max(of(right)),
                    Op::IMul => of(left) + of(right),
                    Op::ShiftLeftLogical => shift().map_or(0, |shift| of(left).saturating_add(shift)),
                    Op::ShiftRightArithmetic | Op::ShiftRightLogical => {
                        shift().map_or(0, |shift| of(left).saturating_sub(shift))
                    }
                    _ => 0,
                }
            }
            _ => 0,
        };
        zeros.min(u32::from(ALL))
    }
}

/// The integers whose zeros depend on those of an integer.
struct Flows {
    /// By the index of the value: the start of its users in `users`; one more at the end.
    starts: Vec<u32>,
    users: Vec<Inst>,
    /// Arguments for parameters that are integers.
    passed: Vec<(Inst, Inst)>,
}

impl Flows {
    fn compute(module: &Module, insts: &[Inst]) -> Flows {
        let mut parameters: FxHashMap<Block, Vec<Inst>> = FxHashMap::default();
        let mut passed: Vec<(Inst, Inst)> = Vec::new();
        let mut pairs: Vec<(Inst, Inst)> = Vec::new();
        for &inst in insts {
            match view::Jump::of(module, inst) {
                Some(jump) => {
                    let Some(target) = module.cast::<Block>(jump.target) else { continue };
                    let targets = parameters
                        .entry(target)
                        .or_insert_with(|| module.parameters(target).map(Inst::from).collect())
                        .iter();
                    let integers = jump.arguments.iter().zip(targets.copied());
                    passed.extend(integers.filter(|&(_, parameter)| is_integer(module, parameter)));
                }
                None if is_integer(module, inst) => pairs.extend(module.operands(inst).map(|operand| (operand, inst))),
                _ => {}
            }
        }
        pairs.extend_from_slice(&passed);
        let mut starts = vec![0; module.capacity() + 1];
        pairs.iter().for_each(|(from, _)| starts[from.index() + 1] += 1);
        for index in 1..starts.len() {
            starts[index] += starts[index - 1];
        }
        pairs.sort_by_key(|(from, _)| from.index());
        Flows { starts, users: pairs.into_iter().map(|(_, user)| user).collect(), passed }
    }

    fn from(&self, value: Inst) -> &[Inst] {
        &self.users[self.starts[value.index()] as usize..self.starts[value.index() + 1] as usize]
    }
}

fn is_integer(module: &Module, value: Inst) -> bool {
    module.ty(value).is_some_and(|ty| module.op(ty) == Op::TypeInt)
}
