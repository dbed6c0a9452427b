//! The operands of an operation on an image, read before it is replaced.

use reconverge_diagnostic::Diagnostic;
use reconverge_ir::{Inst, Module, Op, view};

use super::parts::{FormatValue, Image, Images, Sampler, origin, sampler};
use super::{result_shape, unsupported};
use crate::formula::{Scalar, Shape};
use crate::{ImageAccess, error};

/// An operation on an image.
#[derive(Clone, Copy, Debug)]
pub(super) struct Operands {
    pub(super) image: Image,
    pub(super) action: Action,
    /// The shape of the result; of the texel, for a write.
    pub(super) shape: Shape,
}

/// The operation.
#[derive(Clone, Copy, Debug)]
pub(super) enum Action {
    Sample {
        sampler: Sampler,
        coordinate: Inst,
    },
    Read {
        coordinate: Inst,
    },
    Write {
        coordinate: Inst,
        texel: Inst,
    },
    QuerySize,
    QueryFormat,
    QueryOrder,
    /// There is one level.
    QueryLevels,
}

impl Operands {
    /// Reads the operands of an operation.
    pub(super) fn of(module: &Module, images: &Images, inst: Inst) -> Result<Operands, Diagnostic> {
        let op = module.op(inst);
        let invalid = || error::rejected(inst, format!("the operands of `{}`", op.name()));
        let used = view::ImageUse::of(module, inst).ok_or_else(invalid)?;
        let (mut value, mut sampled_by) = (origin(module, used.image), None);
        if let Some(pair) = view::SampledImage::of(module, value) {
            (value, sampled_by) = (pair.image, Some(sampler(module, pair.sampler)));
        }
        let image = images.of(module, value);
        let image = image.ok_or_else(|| unsupported(module, inst, "an image that is no parameter of the kernel"))?;
        let access = view::ImageAccess::of(module, inst);
        if let Some(access) = access {
            let known = [access.operands.lod, access.operands.sample].into_iter().flatten();
            let is_level_0 = known.into_iter().all(|level| is_zero(module, level));
            let others = [access.operands.bias, access.operands.const_offset, access.operands.offset];
            let gradient = access.operands.grad.map(|gradient| gradient.dx);
            if !is_level_0 || others.into_iter().flatten().chain(gradient).next().is_some() {
                return Err(unsupported(module, inst, "levels of images, and offsets"));
            }
        }
        let coordinate = access.map(|access| access.coordinate);
        let (action, shaped) = match op {
            Op::ImageSampleExplicitLod => {
                let sampler =
                    sampled_by.ok_or_else(|| unsupported(module, inst, "a sampler that depends on control flow"))?;
                (Action::Sample { sampler, coordinate: coordinate.ok_or_else(invalid)? }, inst)
            }
            Op::ImageRead => (Action::Read { coordinate: coordinate.ok_or_else(invalid)? }, inst),
            Op::ImageWrite => {
                let texel = access.and_then(|access| access.argument).ok_or_else(invalid)?;
                (Action::Write { coordinate: coordinate.ok_or_else(invalid)?, texel }, texel)
            }
            Op::ImageQuerySize => (Action::QuerySize, inst),
            Op::ImageQuerySizeLod => {
                let level = view::ImageQuerySizeLod::of(module, inst).map(|query| query.level);
                if !level.is_some_and(|level| is_zero(module, level)) {
                    return Err(unsupported(module, inst, "levels of images"));
                }
                (Action::QuerySize, inst)
            }
            Op::ImageQueryFormat => (Action::QueryFormat, inst),
            Op::ImageQueryOrder => (Action::QueryOrder, inst),
            Op::ImageQueryLevels => (Action::QueryLevels, inst),
            _ => return Err(unsupported(module, inst, "images")),
        };
        let shape = result_shape(module, shaped).ok_or_else(invalid)?;
        let operands = Operands { image, action, shape };
        operands.check(module, coordinate).then_some(operands).ok_or_else(invalid)
    }

    /// Returns whether types and access qualifiers fit the operation (SPIR-V, section 3.3.10).
    fn check(&self, module: &Module, coordinate: Option<Inst>) -> bool {
        let sizes = self.image.kind.sizes();
        let is_coordinate = |shape: Shape| {
            let has_type = match self.action {
                Action::Sample { .. } => matches!(shape.scalar, Scalar::Int(32) | Scalar::Float(32)),
                _ => shape.scalar == Scalar::Int(32),
            };
            has_type && shape.count >= sizes
        };
        let is_number = matches!(self.shape.scalar, Scalar::Int(32) | Scalar::Float(16 | 32));
        let is_integer = matches!(self.shape.scalar, Scalar::Int(32 | 64));
        let is_allowed = match self.action {
            Action::Sample { .. } | Action::Read { .. } => {
                self.image.access != ImageAccess::Write && is_number && matches!(self.shape.count, 1 | 4)
            }
            Action::Write { .. } => self.image.access != ImageAccess::Read && is_number,
            Action::QuerySize => is_integer && self.shape.count == sizes,
            Action::QueryFormat | Action::QueryOrder | Action::QueryLevels => is_integer && self.shape.count == 1,
        };
        let coordinate = coordinate.map(|coordinate| result_shape(module, coordinate));
        is_allowed && coordinate.is_none_or(|shape| shape.is_some_and(is_coordinate))
    }

    /// Returns whether the code has control flow.
    pub(super) fn needs_blocks(&self) -> bool {
        let has_format = matches!(self.image.format, FormatValue::Specialized { .. });
        match self.action {
            Action::Sample { sampler, .. } => has_format || matches!(sampler, Sampler::Value(_)),
            Action::Read { .. } => has_format,
            Action::Write { .. } => true,
            _ => false,
        }
    }
}

/// Returns whether a level is known to be the first one: an integer, or a float for a sample.
fn is_zero(module: &Module, level: Inst) -> bool {
    match module.op(level) {
        Op::ConstantNull => true,
        Op::Constant => module.constant_words(level).is_some_and(|words| words.iter().all(|&word| word == 0)),
        _ => false,
    }
}
