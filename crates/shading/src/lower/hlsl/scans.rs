//! Scans, and reductions of a part of the subgroup, for which the language has no function: a loop over the lanes.
//!
//! ```text
//! uint4 lanes = WaveActiveBallot(true);
//! int least = 2147483647;
//! for (uint i = 0u; i < WaveGetLaneCount(); i++) {
//!     int other = WaveReadLaneAt(value, i);
//!     if (i < WaveGetLaneIndex() && (lanes[i / 32u] >> i % 32u & 1u) != 0u) { least = min(least, other); }
//! }
//! ```
//!
//! All lanes take all rounds, because a lane can be read only while it is in the loop. What is read of one that does not take part is not used.

use reconverge_diagnostic::Diagnostic;
use reconverge_ir::{Inst, Op};

use super::super::function::{Body, Numbers};
use crate::syntax::{
    Binary, Expr, Local, LocalId, LocalKind, Loop, Scalar, ScalarKind, Statement, StatementKind, Type,
};

/// The lanes whose values are combined.
#[derive(Clone, Copy)]
pub(super) enum Part {
    /// Those before this one.
    Before,
    /// This one and those before it.
    UpToOwn,
    /// The cluster of this many lanes with this one.
    Cluster(Expr),
}

impl Body<'_, '_> {
    /// The combined values of some lanes, or what combines with any value to that value.
    pub(super) fn over_lanes(&mut self, inst: Inst, value: Expr, part: Part) -> Result<Expr, Diagnostic> {
        let op = self.source.op(inst);
        let own = self.type_of(value);
        let word = self.cx.text.types.numbers(Scalar::UINT, 1);
        let value = self.repeated(value);
        let before = match part {
            Part::Before => Some(Binary::Less),
            Part::UpToOwn => Some(Binary::LessEqual),
            Part::Cluster(_) => None,
        };
        let lanes = self.active_lanes();
        let lanes = self.repeated(lanes);
        let lane = self.lane();
        let lane = self.repeated(lane);
        let (first, count) = match part {
            Part::Cluster(size) => {
                let size = self.repeated(size);
                let (number, divisor) = (self.local(lane), self.local(size));
                let cluster = self.binary(Binary::Divide, number, divisor, word);
                let factor = self.local(size);
                let first = self.binary(Binary::Multiply, cluster, factor, word);
                (Some(self.name_value(first)), size)
            }
            _ => {
                let count = self.call("WaveGetLaneCount", &[], word);
                (None, self.name_value(count))
            }
        };
        let initial = self.neutral(op, own, inst)?;
        let combined = self.variable_of_value(Some("combined"), initial);
        let zero = self.cx.word(0);
        let counter = self.variable_of_value(None, zero);
        self.open_loop_body(inst)?;
        self.leave_at(counter, count);
        let round = [combined, value, lanes, lane];
        self.take_lane(inst, round, (counter, first), before)?;
        let body = self.close_loop_body();
        let (read, one) = (self.local(counter), self.cx.word(1));
        let next = self.binary(Binary::Add, read, one, word);
        let target = self.local(counter);
        let step = Statement::from(StatementKind::Assign { target, operator: None, value: next });
        self.statement(StatementKind::Loop(Box::new(Loop { body, continuing: vec![step], ..Loop::default() })));
        Ok(self.local(combined))
    }

    /// A variable with its first value.
    fn variable_of_value(&mut self, name: Option<&str>, value: Expr) -> LocalId {
        let ty = self.type_of(value);
        let name = name.map(str::to_owned);
        let local = self.function.add(Local { name, ty, kind: LocalKind::Variable, prefix: "" });
        self.statement(StatementKind::Declare { local, value: Some(value) });
        local
    }

    /// ```text
    /// if (counter >= count) { break; }
    /// ```
    fn leave_at(&mut self, counter: LocalId, count: LocalId) {
        let boolean = self.cx.text.types.numbers(Scalar::BOOL, 1);
        let (number, end) = (self.local(counter), self.local(count));
        let condition = self.binary(Binary::GreaterEqual, number, end, boolean);
        let accept = vec![Statement::from(StatementKind::Break)];
        self.statement(StatementKind::If { condition, accept, reject: Vec::new() });
    }

    /// A round of the loop: the value of a lane is combined with the others if the lane takes part.
    fn take_lane(
        &mut self,
        inst: Inst,
        [combined, value, lanes, lane]: [LocalId; 4],
        (counter, first): (LocalId, Option<LocalId>),
        before: Option<Binary>,
    ) -> Result<(), Diagnostic> {
        let word = self.cx.text.types.numbers(Scalar::UINT, 1);
        let boolean = self.cx.text.types.numbers(Scalar::BOOL, 1);
        let mut number = self.local(counter);
        if let Some(first) = first {
            let first = self.local(first);
            number = self.binary(Binary::Add, first, number, word);
        }
        let number = self.name_value(number);
        let (read, from) = (self.local(value), self.local(number));
        let own = self.type_of(read);
        let other = self.wave_call("WaveReadLaneAt", &[read, from], own);
        let other = self.name_value(other);
        let (mask, number_again) = (self.local(lanes), self.local(number));
        let mut takes_part = self.bit_of_lane(mask, number_again, inst)?;
        if let Some(before) = before {
            let (number, lane) = (self.local(number), self.local(lane));
            let is_before = self.binary(before, number, lane, boolean);
            takes_part = self.binary(Binary::And, is_before, takes_part, boolean);
        }
        let (so_far, other) = (self.local(combined), self.local(other));
        let both = self.combined(inst, so_far, other)?;
        let target = self.local(combined);
        let accept = vec![Statement::from(StatementKind::Assign { target, operator: None, value: both })];
        self.statement(StatementKind::If { condition: takes_part, accept, reject: Vec::new() });
        Ok(())
    }

    /// The values of two lanes combined.
    fn combined(&mut self, inst: Inst, left: Expr, right: Expr) -> Result<Expr, Diagnostic> {
        let ty = self.type_of(left);
        Ok(match self.source.op(inst) {
            Op::GroupNonUniformIAdd | Op::GroupNonUniformFAdd => self.binary(Binary::Add, left, right, ty),
            Op::GroupNonUniformIMul | Op::GroupNonUniformFMul => self.binary(Binary::Multiply, left, right, ty),
            Op::GroupNonUniformSMin | Op::GroupNonUniformUMin | Op::GroupNonUniformFMin => {
                self.call("min", &[left, right], ty)
            }
            Op::GroupNonUniformSMax | Op::GroupNonUniformUMax | Op::GroupNonUniformFMax => {
                self.call("max", &[left, right], ty)
            }
            Op::GroupNonUniformBitwiseAnd => self.binary(Binary::BitAnd, left, right, ty),
            Op::GroupNonUniformBitwiseOr => self.binary(Binary::BitOr, left, right, ty),
            Op::GroupNonUniformBitwiseXor => self.binary(Binary::BitXor, left, right, ty),
            Op::GroupNonUniformLogicalAnd => self.both(Binary::And, left, right, ty)?,
            Op::GroupNonUniformLogicalOr => self.both(Binary::Or, left, right, ty)?,
            Op::GroupNonUniformLogicalXor => self.compare_by(Binary::NotEqual, left, right, ty)?,
            _ => return self.unknown(inst),
        })
    }

    /// What combines with any value to that value.
    fn neutral(&mut self, op: Op, ty: Type, inst: Inst) -> Result<Expr, Diagnostic> {
        let numbers = self.numbers_of_type(ty);
        let one = self.cx.text.types.numbers(numbers.scalar, 1);
        let number = self.cx.number(neutral_bits(op, numbers.scalar), one, inst)?;
        Ok(match numbers {
            Numbers { size: 1, .. } => number,
            _ => self.construct([number], ty),
        })
    }
}

/// The bits of the number that combines with any other to that other.
fn neutral_bits(op: Op, scalar: Scalar) -> u64 {
    let sign = 1 << (scalar.width - 1);
    let (one, infinity) = match scalar.width {
        16 => (0x3c00, 0x7c00),
        32 => (0x3f80_0000, 0x7f80_0000),
        _ => (0x3ff0_0000_0000_0000, 0x7ff0_0000_0000_0000),
    };
    match op {
        Op::GroupNonUniformIMul => 1,
        Op::GroupNonUniformFMul => one,
        Op::GroupNonUniformSMin => sign - 1,
        Op::GroupNonUniformSMax => sign,
        Op::GroupNonUniformUMin | Op::GroupNonUniformBitwiseAnd => u64::MAX,
        Op::GroupNonUniformFMin => infinity,
        Op::GroupNonUniformFMax => infinity | sign,
        Op::GroupNonUniformLogicalAnd if scalar.kind == ScalarKind::Bool => 1,
        _ => 0,
    }
}
