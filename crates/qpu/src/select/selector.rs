//! A function as a whole: values, and what is known of them.

use reconverge_analysis::Layouts;
use reconverge_diagnostic::Diagnostic;
use reconverge_ir::{Block, Inst, Module, Op, OpGroup, Terminator};
use reconverge_lanes::LaneFlow;
use rustc_hash::{FxHashMap, FxHashSet};

use super::emit::{Emitter, Word};
use super::frame::{Frame, Place};
use super::roots::Roots;
use super::units::Inputs;
use super::value::{ScalarType, Words, one, two};
use crate::Specialization;
use crate::error::unsupported;

/// The form of a value of the function in the machine function.
#[derive(Clone, Debug)]
pub(crate) enum Selected {
    /// Words.
    Words(Words),
    /// A pointer into private memory, arguments or inputs.
    Place(Place),
    /// The two parts of a wide result.
    Pair([Words; 2]),
}

impl From<Words> for Selected {
    fn from(words: Words) -> Selected {
        Selected::Words(words)
    }
}

/// Selects the instructions of one function.
pub(crate) struct Selector<'a> {
    pub(crate) module: &'a Module,
    pub(crate) flow: &'a LaneFlow,
    pub(crate) specialization: &'a Specialization,
    pub(crate) emit: Emitter,
    pub(crate) layouts: Layouts,
    pub(crate) frame: Frame,
    pub(crate) inputs: Inputs,
    pub(crate) roots: Roots,
    pub(crate) values: FxHashMap<Inst, Selected>,
    /// True if the packs of a group run at once, each on a QPU of its own.
    pub(crate) is_together: bool,
    /// Comparisons that are made where their flags are used.
    deferred: FxHashSet<Inst>,
}

/// The lanes whose flags a comparison sets.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum FlagLanes {
    All,
    /// Those that execute. The flags of the others are those of `execute`.
    Active,
}

impl<'a> Selector<'a> {
    /// A selector of a program whose packs run one after the other.
    pub(crate) fn new(
        module: &'a Module,
        flow: &'a LaneFlow,
        specialization: &'a Specialization,
        frame: Frame,
    ) -> Selector<'a> {
        Selector {
            module,
            flow,
            specialization,
            emit: Emitter::new(),
            layouts: Layouts::new(),
            frame,
            inputs: Inputs::default(),
            roots: Roots::compute(module, flow.blocks()),
            values: FxHashMap::default(),
            is_together: false,
            deferred: FxHashSet::default(),
        }
    }

    pub(crate) fn unsupported(&self, at: Inst, what: &str) -> Diagnostic {
        unsupported(at, format!("`{}`: {what}", self.module.op(at).name()))
    }

    /// The scalar type of a value.
    pub(crate) fn scalar_type(&self, value: Inst) -> Result<ScalarType, Diagnostic> {
        let ty = self.module.ty(value).ok_or_else(|| self.unsupported(value, "a value without a type"))?;
        let scalar = ScalarType::of(self.module, ty);
        match scalar.ok_or_else(|| self.unsupported(value, "a value that is not a scalar"))? {
            ScalarType::Float(64) => Err(self.unsupported(value, "64-bit floats")),
            scalar => Ok(scalar),
        }
    }

    /// The words of a value.
    pub(crate) fn value(&mut self, inst: Inst) -> Result<Words, Diagnostic> {
        match self.values.get(&inst) {
            Some(Selected::Words(words)) => return Ok(words.clone()),
            Some(Selected::Place(_)) => return Err(self.unsupported(inst, "the address of private memory as a value")),
            Some(Selected::Pair(_)) => return Err(self.unsupported(inst, "a pair as a value")),
            None => {}
        }
        if self.deferred.contains(&inst)
            && let Some(condition) = self.compare_flags(inst, FlagLanes::All)?
        {
            return Ok(one(self.emit.boolean(condition)));
        }
        self.constant(inst)
    }

    /// A constant, or an undefined value, which is zero.
    fn constant(&self, inst: Inst) -> Result<Words, Diagnostic> {
        let ty = self.scalar_type(inst)?;
        let bits = match self.module.op(inst) {
            Op::ConstantTrue => u64::MAX,
            Op::ConstantFalse | Op::ConstantNull | Op::Undef => 0,
            Op::Constant => self.module.constant_bits(inst).unwrap_or(0),
            _ => return Err(self.unsupported(inst, "a value that is not known here")),
        };
        Ok(match ty {
            ScalarType::Int(width @ (8 | 16)) | ScalarType::Float(width @ 16) => {
                one(Word::Constant(bits as u32 & ((1 << width) - 1)))
            }
            ty if ty.words() == 2 => two(Word::Constant(bits as u32), Word::Constant((bits >> 32) as u32)),
            _ => one(Word::Constant(bits as u32)),
        })
    }

    /// The low word of a value.
    pub(crate) fn word(&mut self, inst: Inst) -> Result<Word, Diagnostic> {
        Ok(self.value(inst)?[0])
    }

    pub(crate) fn set(&mut self, inst: Inst, words: Words) {
        self.values.insert(inst, Selected::Words(words));
    }

    pub(crate) fn set_word(&mut self, inst: Inst, word: Word) {
        self.deferred.remove(&inst);
        self.set(inst, one(word));
    }

    /// Returns whether a comparison is made where its flags are used.
    pub(crate) fn is_deferred(&self, inst: Inst) -> bool {
        self.deferred.contains(&inst)
    }

    /// Returns whether only selections and the terminator of its own block use a comparison.
    fn may_defer(&self, inst: Inst) -> bool {
        let block = self.module.block_of(inst);
        self.is_comparison(inst)
            && self.module.uses(inst).all(|used| {
                let takes_flags = self.module.op(used.user) == Op::Select && self.module.operand(used.user, 0) == inst
                    || matches!(self.module.op(used.user), Op::If | Op::BranchIf);
                takes_flags && self.module.block_of(used.user) == block
            })
    }

    /// The greatest value of an unsigned 32-bit number, as far as its definition tells.
    pub(crate) fn bound(&self, inst: Inst) -> u32 {
        self.bound_within(inst, 6)
    }

    /// The same as `bound`, through at most this number of definitions.
    fn bound_within(&self, inst: Inst, depth: u32) -> u32 {
        let operand = |place: usize| self.module.operand(inst, place);
        let constant = |place: usize| {
            let operand = operand(place);
            (self.module.op(operand) == Op::Constant).then(|| self.module.constant_bits(operand).unwrap_or(0))
        };
        let below = |place: usize| if depth == 0 { u32::MAX } else { self.bound_within(operand(place), depth - 1) };
        let width = match self.scalar_type(inst) {
            Ok(ScalarType::Int(bits @ (8 | 16))) => (1 << bits) - 1,
            _ => u32::MAX,
        };
        let bound = match self.module.op(inst) {
            Op::Constant => u32::try_from(self.module.constant_bits(inst).unwrap_or(u64::MAX)).unwrap_or(u32::MAX),
            Op::ConstantNull => 0,
            Op::BitwiseAnd => below(0).min(below(1)),
            Op::UMod => constant(1).map_or(u32::MAX, |divisor| (divisor.max(1) - 1) as u32),
            Op::ShiftRightLogical => {
                constant(1).map_or(below(0), |amount| below(0).checked_shr(amount as u32).unwrap_or(0))
            }
            Op::UDiv => {
                constant(1).map_or(below(0), |divisor| below(0) / (divisor.clamp(1, u64::from(u32::MAX)) as u32))
            }
            Op::UConvert => below(0),
            Op::Select => below(1).max(below(2)),
            Op::IAdd => below(0).saturating_add(below(1)),
            Op::IMul => below(0).saturating_mul(below(1)),
            Op::ShiftLeftLogical => constant(1).map_or(u32::MAX, |amount| {
                below(0).saturating_mul(1_u32.checked_shl(amount as u32).unwrap_or(u32::MAX))
            }),
            Op::Load => self.input_bound(inst),
            _ => u32::MAX,
        };
        bound.min(width)
    }

    /// Selects an instruction that is no terminator.
    pub(crate) fn select(&mut self, inst: Inst) -> Result<(), Diagnostic> {
        let op = self.module.op(inst);
        match op.group() {
            OpGroup::Declaration | OpGroup::Lifetime | OpGroup::MemoryBarrier => Ok(()),
            OpGroup::Hint if op == Op::AssumeTrueKHR => Ok(()),
            OpGroup::Variable => self.select_variable(inst),
            OpGroup::Address => self.select_access_chain(inst),
            OpGroup::Load => self.select_load(inst),
            OpGroup::Store => self.select_store(inst),
            OpGroup::Atomic => self.select_atomic(inst),
            OpGroup::ControlBarrier => self.select_barrier(inst),
            OpGroup::Subgroup => self.select_subgroup(inst),
            OpGroup::IntegerComparison | OpGroup::FloatComparison if self.may_defer(inst) => {
                self.deferred.insert(inst);
                Ok(())
            }
            _ => self.select_computation(inst),
        }
    }

    /// Returns the instructions of a block without its terminator.
    pub(crate) fn body(&self, block: Block) -> Vec<Inst> {
        self.module.children(block).filter(|&inst| self.module.cast::<Terminator>(inst).is_none()).collect()
    }
}
