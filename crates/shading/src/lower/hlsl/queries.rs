//! Sizes of images, by the parameters of `GetDimensions`.
//!
//! ```text
//! uint width, height, levels; image.GetDimensions(level, width, height, levels);
//! ```

use reconverge_diagnostic::Diagnostic;
use reconverge_ir::{Inst, Op};

use super::super::function::{Body, Numbers};
use crate::syntax::{Expr, Image, ImageDim, LocalId, Scalar, ScalarKind};

/// The variables that `GetDimensions` writes.
struct Dimensions {
    sizes: Vec<LocalId>,
    levels: Option<LocalId>,
    samples: Option<LocalId>,
}

impl Body<'_, '_> {
    /// A query of the size, the levels or the samples.
    pub(super) fn queried_dimensions(&mut self, inst: Inst) -> Result<(), Diagnostic> {
        let op = self.source.op(inst);
        let texture = self.place(self.source.operand(inst, 0))?;
        let image = self.image_type(texture, inst)?;
        let level = match op {
            Op::ImageQuerySizeLod => Some(self.value_as(self.source.operand(inst, 1), ScalarKind::Uint)?),
            Op::ImageQueryLevels => Some(self.cx.word(0)),
            _ => None,
        };
        let found = self.dimensions_of(texture, image, level);
        let chosen: Vec<LocalId> = match op {
            Op::ImageQueryLevels => found.levels.into_iter().collect(),
            Op::ImageQuerySamples => found.samples.into_iter().collect(),
            _ => found.sizes,
        };
        let parts: Vec<Expr> = chosen.iter().map(|&part| self.local(part)).collect();
        let value = match parts[..] {
            [] => return self.unknown(inst),
            [only] => only,
            _ => {
                let size = parts.len() as u8;
                let ty = self.type_of_numbers(Numbers { scalar: Scalar::UINT, size });
                self.construct(parts, ty)
            }
        };
        let value = self.as_result(inst, value)?;
        self.define(inst, value)
    }

    fn dimensions_of(&mut self, texture: Expr, image: Image, level: Option<Expr>) -> Dimensions {
        let names: &[&str] = match image.dim {
            ImageDim::One | ImageDim::Buffer => &["width"],
            ImageDim::Three => &["width", "height", "depth"],
            _ => &["width", "height"],
        };
        let word = self.cx.text.types.numbers(Scalar::UINT, 1);
        let mut sizes: Vec<LocalId> = names.iter().map(|name| self.variable(name, word)).collect();
        if image.is_array || image.dim == ImageDim::Cube && image.is_storage {
            sizes.push(self.variable("layers", word));
        }
        let has_levels = level.is_some() && !image.is_storage && !image.is_multisampled;
        let levels = has_levels.then(|| self.variable("levels", word));
        let samples = image.is_multisampled.then(|| self.variable("samples", word));
        let mut arguments: Vec<Expr> = level.filter(|_| has_levels).into_iter().collect();
        let outs: Vec<LocalId> = sizes.iter().copied().chain(levels).chain(samples).collect();
        arguments.extend(outs.into_iter().map(|out| self.local(out)));
        self.dimensions_call(texture, &arguments);
        if image.dim == ImageDim::Cube && image.is_storage && !image.is_array {
            sizes.pop();
        }
        Dimensions { sizes, levels, samples }
    }
}
