//! Integers as they are in C++: a signed overflow is undefined, and operands of less than 32 bits are computed with 32.
//!
//! ```text
//! i_add %a, %b: i32      ⇒      int(uint(a) + uint(b)), or a + b where nothing can overflow
//! i_add %a, %b: u16      ⇒      ushort(a + b)
//! ```
//!
//! A sum cannot overflow where ranges of the operands show it, or where the code is behind a comparison with a greater number.

use reconverge_ir::view::{self, TypeView};
use reconverge_ir::{Block, Edge, Inst, Op};
use rustc_hash::FxHashSet;

use super::super::function::{Body, Numbers};
use crate::syntax::{Binary, Expr, Scalar, ScalarKind, Unary};

/// The least and the greatest number.
type Range = (i128, i128);

/// The maximum number of operations that a range is computed from, one in another.
const DEEPEST: u32 = 6;

/// The maximum number of blocks that a search visits.
const MOST_BLOCKS: usize = 1000;

impl Body<'_, '_> {
    /// An operator on integers of one type.
    pub(in crate::lower) fn msl_integer(&mut self, operator: Binary, left: Expr, right: Expr, place: Inst) -> Expr {
        let numbers = self.numbers_of(left);
        let ty = self.type_of(left);
        let scalar = numbers.scalar;
        if scalar.width < 32 && numbers.size == 1 && scalar.kind != ScalarKind::Bool {
            return self.promoted(operator, left, right);
        }
        let can_wrap = matches!(operator, Binary::Add | Binary::Subtract | Binary::Multiply | Binary::ShiftLeft);
        if scalar.kind != ScalarKind::Int || !can_wrap || self.cannot_overflow(operator, place) {
            return self.binary(operator, left, right, ty);
        }
        let left = self.cast(left, ScalarKind::Uint);
        let right = if operator == Binary::ShiftLeft { right } else { self.cast(right, ScalarKind::Uint) };
        let unsigned = self.type_of(left);
        let computed = self.binary(operator, left, right, unsigned);
        self.cast(computed, ScalarKind::Int)
    }

    /// A number of 8 or 16 bits: the operands become numbers of 32 bits, and the result is converted.
    fn promoted(&mut self, operator: Binary, left: Expr, right: Expr) -> Expr {
        let ty = self.type_of(left);
        let is_product = operator == Binary::Multiply
            && self.numbers_of(left).scalar == Scalar { kind: ScalarKind::Uint, width: 16 };
        let wide = if is_product { Scalar::UINT } else { Scalar::INT };
        let wide_type = self.cx.text.types.numbers(wide, 1);
        // 65,535 × 65,535 is no `int`.
        let left = if is_product { self.construct([left], wide_type) } else { left };
        let computed = self.binary(operator, left, right, wide_type);
        self.construct([computed], ty)
    }

    /// An operator before an integer.
    pub(in crate::lower) fn msl_prefix(&mut self, operator: Unary, operand: Expr, place: Inst) -> Expr {
        let numbers = self.numbers_of(operand);
        if numbers.scalar.width < 32 && numbers.size == 1 {
            let ty = self.type_of(operand);
            let wide = self.cx.text.types.numbers(Scalar::INT, 1);
            let computed = self.pure(crate::syntax::Shape::Unary { operator, operand }, wide);
            return self.construct([computed], ty);
        }
        let is_safe = operator == Unary::Complement
            || numbers.scalar.kind != ScalarKind::Int
            || self.range(self.source.operand(place, 0), 0).is_some_and(|range| range.0 > least(numbers));
        if is_safe {
            return self.unary(operator, operand);
        }
        let unsigned = self.cast(operand, ScalarKind::Uint);
        let computed = self.unary(operator, unsigned);
        self.cast(computed, ScalarKind::Int)
    }

    /// Returns whether the exact result of an instruction on signed integers is one of its type.
    fn cannot_overflow(&self, operator: Binary, place: Inst) -> bool {
        let is_this = match operator {
            Binary::Add => self.source.op(place) == Op::IAdd,
            Binary::Subtract => self.source.op(place) == Op::ISub,
            Binary::Multiply => self.source.op(place) == Op::IMul,
            _ => false,
        };
        let Some((ty, true)) = self.source.ty(place).zip(Some(is_this)) else { return false };
        let (component, _) = self.source.components(ty);
        let width = self.source.width(component).unwrap_or(32);
        let limit = 1_i128 << (width - 1);
        let fits = |range: Range| range.0 >= -limit && range.1 < limit;
        if self.combined(place, 0).is_some_and(fits) {
            return true;
        }
        let operands = [self.source.operand(place, 0), self.source.operand(place, 1)];
        match (operator, operands.map(|operand| self.range(operand, 0))) {
            (Binary::Add, [None, Some(step)]) => self.is_guarded(operands[0], step, limit, place),
            (Binary::Add, [Some(step), None]) => self.is_guarded(operands[1], step, limit, place),
            (Binary::Subtract, [None, Some(step)]) => self.is_guarded(operands[0], (-step.1, -step.0), limit, place),
            _ => false,
        }
    }

    /// The range of a value of integers, of which the type says less.
    fn range(&self, value: Inst, depth: u32) -> Option<Range> {
        let ty = self.source.ty(value)?;
        let (component, _) = self.source.components(ty);
        let TypeView::Int { width, .. } = self.source.type_view(component)? else { return None };
        match self.source.op(value) {
            Op::Constant => {
                let words = self.source.constant_words(value)?;
                let bits = words.iter().rev().fold(0_u64, |bits, &word| bits << 32 | u64::from(word));
                let number = i128::from((bits << (64 - width)) as i64 >> (64 - width));
                Some((number, number))
            }
            Op::ConstantNull => Some((0, 0)),
            Op::ConstantComposite => {
                let mut parts = self.source.operands(value).map(|part| self.range(part, depth + 1));
                let first = parts.next()??;
                parts.try_fold(first, |all, part| part.map(|part| (all.0.min(part.0), all.1.max(part.1))))
            }
            _ if depth > DEEPEST => None,
            _ => {
                let limit = 1_i128 << (width - 1);
                self.combined(value, depth).filter(|range| range.0 >= -limit && range.1 < limit)
            }
        }
    }

    /// The range of the exact result of an operation.
    fn combined(&self, value: Inst, depth: u32) -> Option<Range> {
        let operand = |number: usize| self.source.operand(value, number);
        let of = |number: usize| self.range(operand(number), depth + 1);
        let width_of = |value: Inst| {
            let (component, _) = self.source.components(self.source.ty(value)?);
            self.source.width(component)
        };
        match self.source.op(value) {
            Op::IAdd => of(0).zip(of(1)).map(|(left, right)| (left.0 + right.0, left.1 + right.1)),
            Op::ISub => of(0).zip(of(1)).map(|(left, right)| (left.0 - right.1, left.1 - right.0)),
            Op::IMul => of(0).zip(of(1)).map(|(left, right)| {
                let corners = [left.0 * right.0, left.0 * right.1, left.1 * right.0, left.1 * right.1];
                corners
                    .into_iter()
                    .fold((corners[0], corners[0]), |range, corner| (range.0.min(corner), range.1.max(corner)))
            }),
            Op::BitwiseAnd => {
                let mask = [of(0), of(1)].into_iter().flatten().filter(|range| range.0 >= 0).map(|range| range.1).min();
                mask.map(|mask| (0, mask))
            }
            Op::UMod => of(1).filter(|range| range.0 > 0).map(|range| (0, range.1 - 1)),
            Op::SRem => of(1).filter(|range| range.0 > 0).map(|range| (1 - range.1, range.1 - 1)),
            Op::ShiftRightLogical => {
                let shift = of(1).filter(|range| range.0 > 0)?;
                let width = i128::from(width_of(value)?);
                (shift.0 < width).then(|| (0, (1 << (width - shift.0)) - 1))
            }
            Op::UConvert => {
                width_of(operand(0)).filter(|&from| Some(from) < width_of(value)).map(|from| (0, (1 << from) - 1))
            }
            Op::SConvert => width_of(operand(0))
                .filter(|&from| Some(from) < width_of(value))
                .map(|from| (-(1 << (from - 1)), (1 << (from - 1)) - 1)),
            Op::Select => of(1).zip(of(2)).map(|(left, right)| (left.0.min(right.0), left.1.max(right.1))),
            Op::Bitcast => of(0).filter(|range| range.0 >= 0),
            _ => None,
        }
    }

    /// Returns whether control comes to an instruction only where a value is less than another one, or greater, so that a step does not
    /// overflow.
    fn is_guarded(&self, value: Inst, step: Range, limit: i128, place: Inst) -> bool {
        self.source.uses(value).any(|used| {
            let compared = used.user;
            let (is_below, other) = match (self.source.op(compared), self.source.operand(compared, 0) == value) {
                (Op::SLessThan, true) => (true, self.source.operand(compared, 1)),
                (Op::SLessThan, false) => (false, self.source.operand(compared, 0)),
                (Op::SGreaterThan, true) => (false, self.source.operand(compared, 1)),
                (Op::SGreaterThan, false) => (true, self.source.operand(compared, 0)),
                _ => return false,
            };
            let bound = self.range(other, 0).unwrap_or((-limit, limit - 1));
            let fits = match is_below {
                true => step.0 >= 0 && bound.1 - 1 + step.1 < limit,
                false => step.1 <= 0 && bound.0 + 1 + step.0 >= -limit,
            };
            fits && self.source.uses(compared).any(|branch| self.is_behind(branch.user, place))
        })
    }

    /// Returns whether all paths to an instruction take the edge on which the condition of a terminator holds.
    fn is_behind(&self, terminator: Inst, place: Inst) -> bool {
        let Some(conditional) = view::Conditional::of(self.source, terminator) else { return false };
        let Some(goal) = self.source.block_of(place) else { return false };
        let Some(inside) = self.source.cast::<Block>(conditional.true_target) else { return false };
        let slot = view::BranchIf::SLOT.true_target;
        let Some(entry) = self.tree_blocks().first().copied() else { return false };
        if self.tree_blocks().len() > MOST_BLOCKS {
            return false;
        }
        // Without the edge, the entry does not reach the instruction.
        let (mut seen, mut work) = (FxHashSet::default(), vec![goal]);
        while let Some(block) = work.pop() {
            if block == entry {
                return false;
            }
            if !seen.insert(block) {
                continue;
            }
            for edge in self.source.in_edges(block) {
                let Edge { terminator: before, operand } = edge;
                if before.inst() == terminator && operand == slot && block == inside {
                    continue;
                }
                let Some(source) = self.source.block_of(before) else { return false };
                work.push(source);
            }
        }
        true
    }
}

fn least(numbers: Numbers) -> i128 {
    -(1_i128 << (numbers.scalar.width - 1))
}
