//! Words and conditions: constants, inputs, contents of places, subgroup operations.

use super::super::program::{
    Assignable, Binary, Comparison, Condition, Expression, PER_LANE, Reduction, Subgroup, UNIFORMS,
};
use super::{At, Generator, SubgroupUse};

impl Generator<'_> {
    pub(super) fn place(&mut self) -> Assignable {
        match self.random.below(10) {
            0..2 if self.globals > 0 => Assignable::Global(self.random.below(self.globals)),
            2 if self.table => Assignable::Element(self.random.below(self.locals)),
            _ => self.local(),
        }
    }

    pub(super) fn local(&mut self) -> Assignable {
        Assignable::Local(self.random.below(self.locals))
    }

    pub(super) fn read(&mut self) -> Expression {
        Expression::Read(self.place())
    }

    pub(super) fn leaf_without_reads(&mut self) -> Expression {
        match self.random.below(8) {
            0..2 => Expression::Constant(self.random.below(8) as u32),
            2..4 => Expression::Uniform(self.random.below(UNIFORMS)),
            _ if !self.options.divergence => Expression::Uniform(self.random.below(UNIFORMS)),
            4..6 => Expression::Lane,
            _ => Expression::PerLane(self.random.below(PER_LANE)),
        }
    }

    pub(super) fn expression(&mut self, depth: usize) -> Expression {
        match self.random.below(100) {
            0..35 if depth > 0 => {
                let operation = *self.random.choose(&[
                    Binary::Add,
                    Binary::Add,
                    Binary::Subtract,
                    Binary::Multiply,
                    Binary::Xor,
                    Binary::And,
                    Binary::Or,
                ]);
                let left = self.expression(depth - 1);
                let right = self.expression(depth - 1);
                Expression::Binary(operation, Box::new((left, right)))
            }
            35..42 if depth > 0 => {
                let condition = self.comparison();
                let words = (self.expression(depth - 1), self.expression(depth - 1));
                Expression::Select(Box::new((condition, words.0, words.1)))
            }
            42..50 if depth > 0 && self.options.subgroup == SubgroupUse::Everywhere => {
                let operand = self.expression(depth - 1);
                Expression::Subgroup(self.subgroup(), Box::new(operand))
            }
            50..80 => self.read(),
            80..85 => Expression::Trip,
            _ => self.leaf_without_reads(),
        }
    }

    pub(super) fn subgroup(&mut self) -> Subgroup {
        let reductions = [
            Reduction::Add,
            Reduction::UnsignedMin,
            Reduction::UnsignedMax,
            Reduction::And,
            Reduction::Or,
            Reduction::Xor,
        ];
        match self.random.below(10) {
            0 => Subgroup::BroadcastFirst,
            1 => Subgroup::ShuffleLast,
            2 => Subgroup::ShuffleXor(*self.random.choose(&[1, 2, 3])),
            3..5 => Subgroup::Reduce(*self.random.choose(&reductions)),
            5 => Subgroup::Inclusive(*self.random.choose(&reductions)),
            6 => Subgroup::Exclusive(*self.random.choose(&reductions)),
            7 => Subgroup::BallotCount,
            8 => Subgroup::BallotRank,
            _ => Subgroup::Ballot,
        }
    }

    /// A condition at a place: uniform, dependent on the lane number, or any.
    pub(super) fn condition(&mut self, at: At, depth: usize) -> Condition {
        let compare = |comparison, left, right| Condition::Compare(comparison, Box::new((left, right)));
        let small = Expression::Constant(self.random.below(8) as u32);
        match self.random.below(100) {
            0..4 => Condition::Constant(self.random.chance(50)),
            4..16 => {
                let bit = Expression::Constant(1 << self.random.below(2));
                let uniform = Expression::Uniform(self.random.below(UNIFORMS));
                let masked = Expression::Binary(Binary::And, Box::new((uniform, bit)));
                compare(Comparison::NotEqual, masked, Expression::Constant(0))
            }
            16..26 if at.loops > 0 => {
                compare(Comparison::Equal, Expression::Trip, Expression::Constant(self.random.below(3) as u32))
            }
            26..46 if depth > 0 && self.options.subgroup == SubgroupUse::Everywhere => {
                let inner = Box::new(self.condition(at, depth - 1));
                match self.random.below(6) {
                    0 => Condition::Elect,
                    1 => Condition::Any(inner),
                    2 => Condition::All(inner),
                    3 => Condition::AllEqual(Box::new(self.read())),
                    4 => Condition::InverseBallot(inner),
                    _ => Condition::Not(inner),
                }
            }
            46..50 if depth > 0 => Condition::Not(Box::new(self.condition(at, depth - 1))),
            50..62 if self.options.divergence => compare(Comparison::Less, Expression::Lane, small),
            62..80 if self.options.divergence => {
                let bit = Expression::Constant(1 << self.random.below(4));
                let lane = if self.random.chance(50) {
                    Expression::Lane
                } else {
                    Expression::PerLane(self.random.below(PER_LANE))
                };
                let masked = Expression::Binary(Binary::And, Box::new((lane, bit)));
                compare(Comparison::NotEqual, masked, Expression::Constant(0))
            }
            _ => self.comparison(),
        }
    }

    fn comparison(&mut self) -> Condition {
        let comparison =
            *self.random.choose(&[Comparison::Equal, Comparison::NotEqual, Comparison::Less, Comparison::GreaterEqual]);
        let mask = Expression::Constant(3);
        let left = self.read();
        let left = Expression::Binary(Binary::And, Box::new((left, mask)));
        let right = Expression::Constant(self.random.below(4) as u32);
        Condition::Compare(comparison, Box::new((left, right)))
    }
}
