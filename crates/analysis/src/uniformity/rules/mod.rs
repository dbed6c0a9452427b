//! The rules: the variation of an instruction's result, depending on its operands.
//!
//! A pure instruction is uniform for uniform operands, and divergent for others, except a few that keep a value affine in the lane number
//! ([`linear`]). Loads, atomics, operations across lanes and inputs differ by themselves ([`sources`], [`group`]).
//!
//! The rules know instructions only. What depends on the rest of a function is left to their users: the contents of variables, calls,
//! parameters, and control flow.
//!
//! | file | content |
//! |---|---|
//! | `linear.rs` | values that are affine in the lane |
//! | `aligned.rs` | lane numbers without their low bits |
//! | `group.rs` | operations across lanes |
//! | `sources.rs` | memory and inputs |

use reconverge_ir::{Class, Effects, Inst, Module, Op, OpGroup, view};

use super::cause::Source;
use super::level::Level;
use super::origin::Origin;
use crate::effects::is_standard_set;
use crate::launch::Facts;
use crate::ranges::Ranges;

mod aligned;
mod group;
mod linear;
mod sources;

pub(super) use sources::{Execution, Setting, built_in_of, root_of};

/// The operands of an operation on two values, and of one on a single value.
const LEFT: u32 = view::Binary::LEFT as u32;
const RIGHT: u32 = view::Binary::RIGHT as u32;
const ONLY: u32 = view::Unary::OPERAND as u32;

/// The rules for the lanes of a scope.
#[derive(Clone, Copy)]
pub(super) struct Rules<'a> {
    pub(super) module: &'a Module,
    pub(super) setting: &'a Setting,
    /// The facts of a launch and what follows from them, if it is known.
    pub(super) launch: Option<(&'a Facts, &'a Ranges)>,
}

/// An instruction, and the levels of its operands where it reads them.
struct Instruction<'a, L> {
    rules: Rules<'a>,
    inst: Inst,
    op: Op,
    level: L,
}

impl Rules<'_> {
    /// The level of an instruction that is neither a block parameter nor a terminator, and its origin.
    pub(super) fn evaluate(&self, inst: Inst, op: Op, level: impl Fn(u32) -> Level) -> (Level, Origin) {
        Instruction { rules: *self, inst, op, level }.evaluate()
    }

    /// Uniform if all operands are.
    pub(super) fn strict(&self, inst: Inst, op: Op, level: impl Fn(u32) -> Level) -> (Level, Origin) {
        Instruction { rules: *self, inst, op, level }.strict()
    }
}

impl<L: Fn(u32) -> Level> Instruction<'_, L> {
    fn evaluate(&self) -> (Level, Origin) {
        match self.op {
            Op::Variable | Op::Undef => (Level::UNIFORM, Origin::Nothing),
            Op::Load => self.load(),
            Op::ExtInst => self.extended(),
            Op::Select => self.select(),
            Op::IAdd | Op::ISub | Op::SNegate | Op::Not | Op::IMul | Op::ShiftLeftLogical => self.linear(),
            Op::IEqual | Op::INotEqual => self.equality(),
            Op::BitwiseAnd | Op::ShiftRightLogical | Op::UDiv if self.cuts_lane_off() => {
                (Level::UNIFORM, Origin::Nothing)
            }
            Op::BitwiseAnd => self.low_word(),
            Op::CopyObject | Op::CopyLogical => self.copy(),
            Op::UConvert | Op::SConvert | Op::Bitcast => self.convert(),
            Op::ConvertPtrToU if self.has_own_number() => (Level::Divergent, Origin::Source(Source::PrivateMemory)),
            Op::ConvertPtrToU | Op::ConvertUToPtr => self.convert(),
            Op::AccessChain | Op::InBoundsAccessChain => self.chain(),
            Op::CompositeExtract => self.extract(),
            Op::CompositeConstruct => self.construct(),
            Op::AtomicLoad => (Level::Divergent, Origin::Source(Source::SharedMemory)),
            Op::AnyLane => (Level::UNIFORM, Origin::Nothing),
            _ => self.by_class(),
        }
    }

    fn by_class(&self) -> (Level, Origin) {
        let source = match self.op.class() {
            _ if self.op.group() == OpGroup::Lane => Source::Input,
            Class::Atomic => Source::Atomic,
            Class::Group => return self.group(),
            Class::Image => return self.image(),
            _ if is_function_of_operands(self.op) => return self.strict(),
            _ if self.op == Op::IsHelperInvocationEXT => Source::Input,
            Class::Derivative => Source::Group,
            _ => Source::Unknown,
        };
        (Level::Divergent, Origin::Source(source))
    }

    /// Uniform if all operands are.
    fn strict(&self) -> (Level, Origin) {
        self.strict_from(0)
    }

    /// Uniform if all operands from the index `first` on are.
    fn strict_from(&self, first: u32) -> (Level, Origin) {
        let mut is_known = true;
        for operand in first..self.operand_count() {
            match (self.level)(operand) {
                Level::UNIFORM => {}
                Level::Unknown => is_known = false,
                _ => return (Level::Divergent, Origin::Operand(operand)),
            }
        }
        (if is_known { Level::UNIFORM } else { Level::Unknown }, Origin::Nothing)
    }

    fn operand_count(&self) -> u32 {
        self.rules.module.operand_count(self.inst) as u32
    }

    /// A result that differs because an operand does.
    fn by_operand(&self, level: Level, operand: u32) -> (Level, Origin) {
        (level, if level.differs() { Origin::Operand(operand) } else { Origin::Nothing })
    }

    fn extended(&self) -> (Level, Origin) {
        let unknown = (Level::Divergent, Origin::Source(Source::Unknown));
        let module = self.rules.module;
        let Some(view::ExtInst { set, operands, .. }) = view::ExtInst::of(module, self.inst) else { return unknown };
        if module.op(set) != Op::ExtInstImport {
            return unknown;
        }
        let mut types = operands.iter().filter_map(|operand| module.ty(operand));
        if types.any(|ty| module.op(ty) == Op::TypePointer) {
            return unknown;
        }
        if is_standard_set(module, set) { self.strict_from(view::ExtInst::SLOT.operands as u32) } else { unknown }
    }

    /// A read of an image that nothing writes, with uniform operands.
    fn image(&self) -> (Level, Origin) {
        match self.op {
            Op::ImageRead | Op::ImageSparseRead => (Level::Divergent, Origin::Source(Source::SharedMemory)),
            op if op.effects().contains(Effects::DERIVATIVE) => (Level::Divergent, Origin::Source(Source::Group)),
            op if op.effects().contains(Effects::WRITES) => (Level::Divergent, Origin::Source(Source::Unknown)),
            _ => self.strict(),
        }
    }

    fn select(&self) -> (Level, Origin) {
        let slots = view::Select::SLOT;
        let [condition, yes, no] = [slots.condition, slots.true_value, slots.false_value].map(|slot| slot as u32);
        let (left, right) = ((self.level)(yes), (self.level)(no));
        let select = view::Select::of(self.rules.module, self.inst);
        let is_same = select.is_some_and(|select| select.true_value == select.false_value);
        if is_same || !(self.level)(condition).differs() {
            return self.by_operand(left.join(right), if left.differs() { yes } else { no });
        }
        (Level::Divergent, Origin::Operand(condition))
    }

    fn copy(&self) -> (Level, Origin) {
        self.by_operand((self.level)(ONLY), ONLY)
    }

    /// A component of a vector that varies in its first one.
    fn extract(&self) -> (Level, Origin) {
        let module = self.rules.module;
        let composite = view::CompositeExtract::SLOT.composite as u32;
        let level = (self.level)(composite);
        let Some(extract) = view::CompositeExtract::of(module, self.inst) else {
            return self.strict();
        };
        let ty = module.ty(extract.composite).map(|ty| module.op(ty));
        match (level, ty, extract.indexes.first()) {
            (Level::Stride(stride), Some(Op::TypeVector), Some(index)) if stride != 0 => match index {
                0 => (level, Origin::Operand(composite)),
                _ => (Level::UNIFORM, Origin::Nothing),
            },
            _ => self.strict(),
        }
    }

    fn construct(&self) -> (Level, Origin) {
        let module = self.rules.module;
        let first_part = view::CompositeConstruct::SLOT.constituents as u32;
        let first = (self.level)(first_part);
        let is_scalar = self.operand_bits().is_some();
        let rest_is_uniform =
            || (first_part + 1..self.operand_count()).all(|part| (self.level)(part) == Level::UNIFORM);
        let is_vector = module.ty(self.inst).map(|ty| module.op(ty)) == Some(Op::TypeVector);
        match first {
            Level::Stride(stride) if stride != 0 && is_vector && is_scalar && rest_is_uniform() => {
                (first, Origin::Operand(first_part))
            }
            _ => self.strict(),
        }
    }
}

/// Returns whether a divergent operand always makes the result divergent.
pub(super) fn is_strict(op: Op) -> bool {
    is_function_of_operands(op) || matches!(op, Op::Load)
}

/// Returns whether the result depends on the operands alone.
fn is_function_of_operands(op: Op) -> bool {
    let besides = [Effects::READS, Effects::WRITES, Effects::CONVERGENT, Effects::DERIVATIVE, Effects::STRUCTURE];
    !besides.into_iter().any(|effect| op.effects().contains(effect)) && op.class() != Class::Opaque
}

/// Returns whether the result is the same at every execution with the same operands.
pub(super) fn is_invariant(op: Op) -> bool {
    is_function_of_operands(op) && op != Op::Variable
}
