//! The values of a function: what is known of them, and the form that each has in the machine function.

use reconverge_diagnostic::Diagnostic;
use reconverge_ir::{Block, Inst, Module, Op, Terminator};
use reconverge_lanes::LaneFlow;
use rustc_hash::FxHashMap;

use super::emit::Word;
use super::frame::Place;
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
    /// A comparison that is made where its flags are used.
    Deferred,
}

impl From<Words> for Selected {
    fn from(words: Words) -> Selected {
        Selected::Words(words)
    }
}

/// The values of a function.
///
/// Invariant: a value has a form from the moment that its instruction is selected; constants, pointers to whole variables, and access chains
/// to inputs, which their loads follow, have none.
/// The form of a value changes at most once, from a deferred comparison to the word of its result.
pub(crate) struct Values<'a> {
    pub(crate) module: &'a Module,
    pub(crate) flow: &'a LaneFlow,
    pub(crate) specialization: &'a Specialization,
    /// True if the packs of a group run at once, each on a QPU of its own.
    pub(crate) is_together: bool,
    selected: FxHashMap<Inst, Selected>,
}

impl<'a> Values<'a> {
    /// Values of which none is selected, in a program whose packs run one after the other.
    pub(crate) fn new(module: &'a Module, flow: &'a LaneFlow, specialization: &'a Specialization) -> Values<'a> {
        Values { module, flow, specialization, is_together: false, selected: FxHashMap::default() }
    }

    /// The form of a value, if it has one.
    pub(crate) fn get(&self, inst: Inst) -> Option<&Selected> {
        self.selected.get(&inst)
    }

    /// Enters the form of a value.
    pub(crate) fn set(&mut self, inst: Inst, selected: impl Into<Selected>) {
        self.selected.insert(inst, selected.into());
    }

    /// Returns whether a comparison is made where its flags are used.
    pub(crate) fn is_deferred(&self, inst: Inst) -> bool {
        matches!(self.get(inst), Some(Selected::Deferred))
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

    /// A constant, or an undefined value, which is zero.
    pub(super) fn constant(&self, inst: Inst) -> Result<Words, Diagnostic> {
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

    /// Returns whether only selections and the terminator of its own block use a comparison.
    pub(super) fn may_defer(&self, inst: Inst) -> bool {
        let block = self.module.block_of(inst);
        self.is_comparison(inst)
            && self.module.uses(inst).all(|used| {
                let takes_flags = self.module.op(used.user) == Op::Select && self.module.operand(used.user, 0) == inst
                    || matches!(self.module.op(used.user), Op::If | Op::BranchIf);
                takes_flags && self.module.block_of(used.user) == block
            })
    }

    /// The greatest value of an unsigned number of up to 32 bits, as far as its definition tells.
    pub(crate) fn bound(&self, inst: Inst) -> u32 {
        u32::try_from(self.bound_within(inst, 6)).unwrap_or(u32::MAX)
    }

    /// The greatest value of an unsigned number of any width, through at most this number of definitions.
    fn bound_within(&self, inst: Inst, depth: u32) -> u64 {
        let operand = |place: usize| self.module.operand(inst, place);
        let constant = |place: usize| {
            let operand = operand(place);
            (self.module.op(operand) == Op::Constant).then(|| self.bound_within(operand, 0))
        };
        let below = |place: usize| if depth == 0 { u64::MAX } else { self.bound_within(operand(place), depth - 1) };
        let width = match self.scalar_type(inst) {
            Ok(ScalarType::Int(bits @ (8 | 16 | 32))) => (1 << bits) - 1,
            _ => u64::MAX,
        };
        let bound = match self.module.op(inst) {
            // The bits above a narrow number may be copies of its sign.
            Op::Constant => self.module.constant_bits(inst).unwrap_or(u64::MAX) & width,
            Op::ConstantNull => 0,
            Op::BitwiseAnd => below(0).min(below(1)),
            Op::UMod => constant(1).map_or(u64::MAX, |divisor| divisor.max(1) - 1),
            Op::ShiftRightLogical => {
                constant(1).map_or(below(0), |amount| below(0).checked_shr(amount as u32).unwrap_or(0))
            }
            Op::UDiv => constant(1).map_or(below(0), |divisor| below(0) / divisor.max(1)),
            Op::UConvert => below(0),
            Op::Select => below(1).max(below(2)),
            Op::IAdd => below(0).saturating_add(below(1)),
            Op::IMul => below(0).saturating_mul(below(1)),
            Op::ShiftLeftLogical => constant(1).map_or(u64::MAX, |amount| {
                below(0).saturating_mul(1_u64.checked_shl(amount as u32).unwrap_or(u64::MAX))
            }),
            Op::Load => self.input_bound(inst),
            _ => u64::MAX,
        };
        // A number that exceeds its width wraps.
        bound.min(width)
    }

    /// Returns the instructions of a block without its terminator.
    pub(crate) fn body(&self, block: Block) -> Vec<Inst> {
        self.module.children(block).filter(|&inst| self.module.cast::<Terminator>(inst).is_none()).collect()
    }
}
