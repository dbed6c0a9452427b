//! The values of a function: what is known of them, and the form that each has in the machine function.

use reconverge_diagnostic::Diagnostic;
use reconverge_ir::view::TypeView;
use reconverge_ir::{Block, Inst, Module};
use reconverge_lanes::{PackValues, Ranges, Variation};
use rustc_hash::FxHashMap;

use super::Specialization;
use super::symbolic::{Pointer, Wide};
use super::value::{Isa, ScalarType, Value};
use crate::error::unsupported;
use crate::machine::{BlockId, Class, VReg};

/// The form of a value of the function in the machine function.
#[derive(Clone, Debug)]
pub(super) enum Selected {
    /// Registers.
    Value(Value),
    /// `base + stride · lane`, an integer.
    Affine {
        /// A general register.
        base: VReg,
        /// The difference between two neighbouring lanes.
        stride: i64,
    },
    /// A wide integer that a gather can take as it is.
    Wide(Wide),
    /// A pointer into something that has a place.
    Pointer(Pointer),
    /// The two parts of a wide result.
    Pair([Value; 2]),
}

/// The facts of the lanes of a function.
#[derive(Clone, Copy)]
pub(super) struct LaneFacts<'a> {
    /// The shapes of its values, and the ranges that selection may use.
    pub(super) shapes: &'a PackValues,
    /// The ranges that proofs may use: also in scalar code, which has no shapes.
    pub(super) ranges: &'a Ranges,
}

/// The values of a function, and its blocks.
///
/// Invariant: a value has a form from the moment that its instruction is selected, and keeps it. These have none: constants, variables outside
/// of functions, and what is made where a branch or a selection uses its flags (`any_lane`, comparisons, and their conjunctions). All blocks are
/// entered before the first instruction is selected.
pub(super) struct Values<'a> {
    pub(super) module: &'a Module,
    pub(super) shapes: &'a PackValues,
    pub(super) ranges: &'a Ranges,
    pub(super) specialization: &'a Specialization,
    selected: FxHashMap<Inst, Selected>,
    blocks: FxHashMap<Block, BlockId>,
}

impl<'a> Values<'a> {
    /// Values of which none is selected.
    pub(super) fn new(
        module: &'a Module,
        LaneFacts { shapes, ranges }: LaneFacts<'a>,
        specialization: &'a Specialization,
    ) -> Values<'a> {
        let (selected, blocks) = (FxHashMap::default(), FxHashMap::default());
        Values { module, shapes, ranges, specialization, selected, blocks }
    }

    /// The form of a value, if it has one.
    pub(super) fn get(&self, inst: Inst) -> Option<&Selected> {
        self.selected.get(&inst)
    }

    /// Enters the form of a value.
    pub(super) fn set(&mut self, inst: Inst, selected: Selected) {
        self.selected.insert(inst, selected);
    }

    /// Enters the machine block in which the code of a block begins.
    pub(super) fn set_block(&mut self, block: Block, machine: BlockId) {
        self.blocks.insert(block, machine);
    }

    /// The machine block in which the code of a block begins.
    pub(super) fn block(&self, block: Block) -> BlockId {
        self.blocks[&block]
    }

    /// The class of registers that varying values of a type are in.
    pub(super) fn varying_class(&self, ty: ScalarType) -> Class {
        if ty == ScalarType::Bool && self.specialization.pack.isa == Isa::Avx512 { Class::Mask } else { Class::Vector }
    }

    /// The shape of a value; with one lane, everything is uniform.
    pub(super) fn shape(&self, value: Inst) -> Variation {
        if self.specialization.pack.isa == Isa::Scalar { Variation::Uniform } else { self.shapes.of(value) }
    }

    /// The scalar type of a value.
    pub(super) fn scalar_type(&self, value: Inst) -> Result<ScalarType, Diagnostic> {
        let ty = self.module.ty(value).ok_or_else(|| self.unsupported(value, "a value without a type"))?;
        self.scalar_of(ty).ok_or_else(|| self.unsupported(value, "a value that is not a scalar"))
    }

    /// A type as a scalar.
    pub(super) fn scalar_of(&self, ty: Inst) -> Option<ScalarType> {
        match self.module.type_view(ty)? {
            TypeView::Bool => Some(ScalarType::Bool),
            TypeView::Int { width, .. } => Some(ScalarType::Int(width)),
            TypeView::Float { width, .. } => Some(ScalarType::Float(width)),
            TypeView::Pointer { .. } => Some(ScalarType::Int(64)),
            _ => None,
        }
    }

    pub(super) fn unsupported(&self, at: Inst, what: &str) -> Diagnostic {
        unsupported(at, format!("`{}`: {what}", self.module.op(at).name()))
    }

    /// The machine block of a successor of a block.
    pub(super) fn target(&self, block: Inst) -> BlockId {
        self.block(self.module.cast(block).expect("invariant: successors are blocks"))
    }
}

/// The class of registers that uniform values of a type are in.
pub(super) fn uniform_class(ty: ScalarType) -> Class {
    if matches!(ty, ScalarType::Float(_)) { Class::Vector } else { Class::General }
}

/// The low bits of a number.
pub(super) fn truncated(number: i64, bits: u32) -> u64 {
    if bits >= 64 { number as u64 } else { number as u64 & ((1 << bits) - 1) }
}
