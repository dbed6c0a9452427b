//! Addressing: the texels along one axis that a coordinate selects (OpenCL 3.0, section 8.2, "Image Addressing and Filtering").
//!
//! ```text
//! 4 texels:   │ 0 │ 1 │ 2 │ 3 │                coordinate 1.25 of texels
//!             0   1   2   3   4                nearest: texel 1
//!                 ▲                            linear:  v = 0.75: texel 0 and texel 1, 0.75 of the second
//! ```
//!
//! Every operation is one of single precision. A coordinate that is no number, or infinite, selects nothing: the result is undefined. So it
//! is if the sampler promises that coordinates are inside (`None`), and one is not.

use crate::images::open_cl::sampler::{Addressing, Filter, Sampler, Scale};

/// A texel along an axis.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Spot {
    Texel(u32),
    /// Outside, where the border colour is.
    Border,
}

/// The texels along an axis.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) enum Selection {
    One(Spot),
    /// Two neighbours, and how much of the second one counts.
    Two([Spot; 2], f32),
}

impl Sampler {
    /// The texels for a coordinate along an axis of that many texels; `None` if it is undefined.
    pub(crate) fn select(self, coordinate: f32, length: u32) -> Option<Selection> {
        let size = length as f32;
        let position = match (self.addressing, self.scale) {
            (Addressing::Repeat, _) => (coordinate - coordinate.floor()) * size,
            (Addressing::MirroredRepeat, _) => {
                let nearest_even = 2.0 * (0.5 * coordinate).round_ties_even();
                (coordinate - nearest_even).abs() * size
            }
            (_, Scale::Normalized) => coordinate * size,
            (_, Scale::Texels) => coordinate,
        };
        if !position.is_finite() || self.addressing == Addressing::None && !(0.0..size).contains(&position) {
            return None;
        }
        Some(match self.filter {
            Filter::Nearest => Selection::One(self.spot(position.floor(), length)),
            Filter::Linear => {
                let shifted = position - 0.5;
                let first = shifted.floor();
                let spots = [first, first + 1.0].map(|index| self.spot(index, length));
                Selection::Two(spots, shifted - first)
            }
        })
    }

    /// The texel with an index that may be outside.
    fn spot(self, index: f32, length: u32) -> Spot {
        let size = i64::from(length);
        let index = index.clamp(-1.0, length as f32) as i64;
        let wrapped = match self.addressing {
            Addressing::Clamp if !(0..size).contains(&index) => return Spot::Border,
            Addressing::Repeat if index < 0 => index + size,
            Addressing::Repeat if index >= size => index - size,
            _ => index,
        };
        Spot::Texel(wrapped.clamp(0, size - 1) as u32)
    }

    /// The texel for an integer coordinate; `None` if it is undefined.
    pub(crate) fn select_integer(self, index: i64, length: u32) -> Option<Spot> {
        match (u32::try_from(index).ok().filter(|&index| index < length), self.addressing) {
            (Some(index), _) => Some(Spot::Texel(index)),
            (None, Addressing::None) => None,
            (None, Addressing::Clamp) => Some(Spot::Border),
            (None, _) => Some(Spot::Texel(index.clamp(0, i64::from(length) - 1) as u32)),
        }
    }
}

/// The layer of an array: the nearest one, ties to even. Layers are neither normalized nor filtered, and there is no border.
pub(crate) fn layer(coordinate: f32, layers: u32) -> u32 {
    coordinate.round_ties_even().clamp(0.0, (layers - 1) as f32) as u32
}

/// The layer of an array for an integer coordinate.
pub(crate) fn layer_integer(coordinate: i64, layers: u32) -> u32 {
    coordinate.clamp(0, i64::from(layers) - 1) as u32
}
