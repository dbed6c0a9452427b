//! Filtering: the texels around a coordinate with their weights, and the sum (OpenCL 3.0, section 8.2, "Linear Filtering").
//!
//! ```text
//! 2D   T = (1−a)(1−b) T00 + a(1−b) T10 + (1−a)b T01 + ab T11        x changes fastest, then y, then z
//! ```
//!
//! Single precision, from left to right, without fused multiply-add.

use crate::images::open_cl::addressing::{Selection, Spot};
use crate::images::open_cl::texel::Texel;

/// A texel around a coordinate.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Tap {
    /// The texel along each axis; 0 along an axis that the image does not have.
    pub(crate) spots: [Spot; 3],
    pub(crate) weight: f32,
}

/// The texels for what each axis selects: at most two for each axis.
pub(crate) fn taps(axes: &[Selection]) -> Vec<Tap> {
    let mut taps = vec![Tap { spots: [Spot::Texel(0); 3], weight: 1.0 }];
    for (axis, selection) in axes.iter().enumerate() {
        let with = |tap: &Tap, spot: Spot, weight: f32| {
            let mut tap = Tap { weight: if axis == 0 { weight } else { tap.weight * weight }, ..*tap };
            tap.spots[axis] = spot;
            tap
        };
        taps = match *selection {
            Selection::One(spot) => taps.iter().map(|tap| Tap { weight: tap.weight, ..with(tap, spot, 1.0) }).collect(),
            Selection::Two([low, high], part) => {
                let lower = taps.iter().map(|tap| with(tap, low, 1.0 - part));
                let upper = taps.iter().map(|tap| with(tap, high, part));
                lower.chain(upper).collect()
            }
        };
    }
    taps
}

/// The weighted sum of texels. Integers have no sum, unless there is one texel; `None` then.
pub(crate) fn sum(taps: &[Tap], texels: &[Texel]) -> Option<Texel> {
    if let [texel] = *texels {
        return Some(texel);
    }
    let mut total: Option<[Option<f32>; 4]> = None;
    for (tap, texel) in taps.iter().zip(texels) {
        let Texel::Floats(components) = texel else { return None };
        let part = components.map(|component| component.map(|component| tap.weight * component));
        total = Some(match total {
            None => part,
            Some(before) => std::array::from_fn(|index| Some(before[index]? + part[index]?)),
        });
    }
    total.map(Texel::Floats)
}
