//! Emits words and conditions.

use reconverge_ir::{Builder, Enumerant, Inst, Op};
use spirv::{GroupOperation, Scope, StorageClass};

use super::outside::Surroundings;
use super::program::{Assignable, Binary, Comparison, Condition, ELEMENTS, Expression, Reduction, Subgroup};

/// Common types and constants.
pub(super) struct Vocabulary {
    pub(super) u32_type: Inst,
    pub(super) bool_type: Inst,
    pub(super) void_type: Inst,
    pub(super) ballot_type: Inst,
    pub(super) zero: Inst,
    /// The scope of a subgroup.
    pub(super) subgroup: Inst,
}

impl Vocabulary {
    pub(super) fn new(build: &mut Builder<'_>) -> Vocabulary {
        let u32_type = build.int_type(32);
        let four = build.editor().word(4);
        Vocabulary {
            u32_type,
            bool_type: build.bool_type(),
            void_type: build.void_type(),
            ballot_type: build.editor().unique(Op::TypeVector, None, &[u32_type, four]),
            zero: build.constant_word(u32_type, 0),
            subgroup: build.constant_word(u32_type, Scope::Subgroup.word()),
        }
    }
}

/// Emits values at the builder's position.
pub(super) struct Values<'a, 'm> {
    pub(super) build: &'a mut Builder<'m>,
    pub(super) words: &'a Vocabulary,
    pub(super) around: &'a Surroundings,
    /// By local variable: its value, or a pointer to it.
    pub(super) locals: &'a [Local],
    pub(super) globals: &'a [Inst],
    /// The array that all procedures share.
    pub(super) table: Option<Inst>,
    /// The counter of the innermost loop.
    pub(super) trip: Option<Inst>,
}

/// The storage of a local variable.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Local {
    /// It is this value.
    Value(Inst),
    /// This pointer points to it.
    Pointer(Inst),
}

impl Values<'_, '_> {
    pub(super) fn constant(&mut self, word: u32) -> Inst {
        self.build.constant_word(self.words.u32_type, word)
    }

    pub(super) fn expression(&mut self, expression: &Expression) -> Inst {
        let ty = self.words.u32_type;
        match expression {
            Expression::Constant(word) => self.constant(*word),
            Expression::Lane => self.build.load(ty, &[self.around.lane]),
            Expression::Uniform(index) => self.uniform(*index),
            Expression::PerLane(index) => {
                let number = self.constant(*index as u32);
                self.build.function_call(ty, &[self.around.input.inst(), number])
            }
            Expression::Trip => self.trip.unwrap_or(self.words.zero),
            Expression::Read(place) => self.read(*place),
            Expression::Binary(operation, operands) => {
                let operands = [self.expression(&operands.0), self.expression(&operands.1)];
                match operation {
                    Binary::Add => self.build.i_add(ty, &operands),
                    Binary::Subtract => self.build.i_sub(ty, &operands),
                    Binary::Multiply => self.build.i_mul(ty, &operands),
                    Binary::Xor => self.build.bitwise_xor(ty, &operands),
                    Binary::And => self.build.bitwise_and(ty, &operands),
                    Binary::Or => self.build.bitwise_or(ty, &operands),
                }
            }
            Expression::Select(choice) => {
                let condition = self.condition(&choice.0);
                let operands = [condition, self.expression(&choice.1), self.expression(&choice.2)];
                self.build.select(ty, &operands)
            }
            Expression::Subgroup(operation, operand) => {
                let operand = self.expression(operand);
                self.subgroup(*operation, operand)
            }
        }
    }

    pub(super) fn condition(&mut self, condition: &Condition) -> Inst {
        let (ty, scope) = (self.words.bool_type, self.words.subgroup);
        match condition {
            Condition::Constant(value) => self.build.constant_bool(*value),
            Condition::Compare(comparison, words) => {
                let operands = [self.expression(&words.0), self.expression(&words.1)];
                match comparison {
                    Comparison::Equal => self.build.i_equal(ty, &operands),
                    Comparison::NotEqual => self.build.i_not_equal(ty, &operands),
                    Comparison::Less => self.build.u_less_than(ty, &operands),
                    Comparison::GreaterEqual => self.build.u_greater_than_equal(ty, &operands),
                }
            }
            Condition::Not(inner) => {
                let inner = self.condition(inner);
                self.build.logical_not(ty, &[inner])
            }
            Condition::Elect => self.build.group_non_uniform_elect(ty, &[scope]),
            Condition::Any(inner) => {
                let inner = self.condition(inner);
                self.build.group_non_uniform_any(ty, &[scope, inner])
            }
            Condition::All(inner) => {
                let inner = self.condition(inner);
                self.build.group_non_uniform_all(ty, &[scope, inner])
            }
            Condition::AllEqual(word) => {
                let word = self.expression(word);
                self.build.group_non_uniform_all_equal(ty, &[scope, word])
            }
            Condition::InverseBallot(inner) => {
                let inner = self.condition(inner);
                let ballot = self.ballot(inner);
                self.build.group_non_uniform_inverse_ballot(ty, &[scope, ballot])
            }
        }
    }

    /// The converged lanes for which a condition holds.
    pub(super) fn ballot(&mut self, condition: Inst) -> Inst {
        self.build.group_non_uniform_ballot(self.words.ballot_type, &[self.words.subgroup, condition])
    }

    /// A word of a ballot.
    pub(super) fn ballot_word(&mut self, ballot: Inst, index: u32) -> Inst {
        let index = self.build.editor().word(index);
        self.build.composite_extract(self.words.u32_type, &[ballot, index])
    }

    fn uniform(&mut self, index: usize) -> Inst {
        let pointer = self.build.pointer_type(StorageClass::PushConstant, self.words.u32_type);
        let member = self.constant(self.around.uniforms_member);
        let index = self.constant(index as u32);
        let place = self.build.access_chain(pointer, &[self.around.uniforms, member, index]);
        self.build.load(self.words.u32_type, &[place])
    }

    pub(super) fn read(&mut self, place: Assignable) -> Inst {
        let pointer = match place {
            Assignable::Element(index) => self.element(index),
            Assignable::Local(index) => match self.locals[index] {
                Local::Value(value) => return value,
                Local::Pointer(pointer) => pointer,
            },
            Assignable::Global(index) => self.globals[index],
        };
        self.build.load(self.words.u32_type, &[pointer])
    }

    /// The address of the element of the shared array whose index is in a variable.
    pub(super) fn element(&mut self, index: usize) -> Inst {
        let number = self.read(Assignable::Local(index));
        let mask = self.constant(ELEMENTS - 1);
        let number = self.build.bitwise_and(self.words.u32_type, &[number, mask]);
        let pointer = self.build.pointer_type(StorageClass::Private, self.words.u32_type);
        let table = self.table.expect("invariant: a program with elements has the array");
        self.build.access_chain(pointer, &[table, number])
    }

    fn subgroup(&mut self, operation: Subgroup, word: Inst) -> Inst {
        let (ty, scope) = (self.words.u32_type, self.words.subgroup);
        match operation {
            Subgroup::BroadcastFirst => self.build.group_non_uniform_broadcast_first(ty, &[scope, word]),
            Subgroup::ShuffleLast => {
                let all = self.build.constant_bool(true);
                let ballot = self.ballot(all);
                let last = self.build.group_non_uniform_ballot_find_msb(ty, &[scope, ballot]);
                self.build.group_non_uniform_shuffle(ty, &[scope, word, last])
            }
            Subgroup::ShuffleXor(mask) => self.shuffle_xor(word, mask),
            Subgroup::Reduce(reduction) => self.reduce(GroupOperation::Reduce, reduction, word),
            Subgroup::Inclusive(reduction) => self.reduce(GroupOperation::InclusiveScan, reduction, word),
            Subgroup::Exclusive(reduction) => self.reduce(GroupOperation::ExclusiveScan, reduction, word),
            Subgroup::BallotCount => self.count(GroupOperation::Reduce, word),
            Subgroup::BallotRank => self.count(GroupOperation::ExclusiveScan, word),
            Subgroup::Ballot => {
                let ballot = self.odd(word);
                self.ballot_word(ballot, 0)
            }
        }
    }

    /// A shuffle whose result is used only if the other lane is active.
    fn shuffle_xor(&mut self, word: Inst, mask: u32) -> Inst {
        let (ty, scope, bool_type) = (self.words.u32_type, self.words.subgroup, self.words.bool_type);
        let all = self.build.constant_bool(true);
        let ballot = self.ballot(all);
        let (low, high) = (self.ballot_word(ballot, 0), self.ballot_word(ballot, 1));
        let (mask, half, one) = (self.constant(mask), self.constant(32), self.constant(1));
        let lane = self.build.load(ty, &[self.around.lane]);
        let other = self.build.bitwise_xor(ty, &[lane, mask]);
        let is_low = self.build.u_less_than(bool_type, &[other, half]);
        let lanes = self.build.select(ty, &[is_low, low, high]);
        let below = self.constant(31);
        let bit = self.build.bitwise_and(ty, &[other, below]);
        let shifted = self.build.shift_right_logical(ty, &[lanes, bit]);
        let is_there = self.build.bitwise_and(ty, &[shifted, one]);
        let is_there = self.build.i_not_equal(bool_type, &[is_there, self.words.zero]);
        let shuffled = self.build.group_non_uniform_shuffle_xor(ty, &[scope, word, mask]);
        self.build.select(ty, &[is_there, shuffled, word])
    }

    fn reduce(&mut self, operation: GroupOperation, reduction: Reduction, word: Inst) -> Inst {
        let operation = self.build.enumerant(operation);
        let (ty, operands) = (self.words.u32_type, [self.words.subgroup, operation, word]);
        match reduction {
            Reduction::Add => self.build.group_non_uniform_i_add(ty, &operands),
            Reduction::UnsignedMin => self.build.group_non_uniform_u_min(ty, &operands),
            Reduction::UnsignedMax => self.build.group_non_uniform_u_max(ty, &operands),
            Reduction::And => self.build.group_non_uniform_bitwise_and(ty, &operands),
            Reduction::Or => self.build.group_non_uniform_bitwise_or(ty, &operands),
            Reduction::Xor => self.build.group_non_uniform_bitwise_xor(ty, &operands),
        }
    }

    /// The lanes whose words are odd.
    fn odd(&mut self, word: Inst) -> Inst {
        let one = self.constant(1);
        let bit = self.build.bitwise_and(self.words.u32_type, &[word, one]);
        let is_odd = self.build.i_not_equal(self.words.bool_type, &[bit, self.words.zero]);
        self.ballot(is_odd)
    }

    fn count(&mut self, operation: GroupOperation, word: Inst) -> Inst {
        let ballot = self.odd(word);
        let operation = self.build.enumerant(operation);
        self.build.group_non_uniform_ballot_bit_count(self.words.u32_type, &[self.words.subgroup, operation, ballot])
    }
}
