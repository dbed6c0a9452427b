//! Images with known texels, for the interpreter: fetches, nearest samples, gathers and sizes.

use reconverge_interpret::{ImageCall, Images, Value};
use reconverge_ir::Op;
use spirv::ImageOperands;

use crate::corpus::{Kind, Resource};

/// The images and samplers of a launch.
pub(crate) fn images(resources: &[Resource]) -> Images {
    let resources = resources.to_vec();
    Images::new(move |call| answer(&resources, call))
}

fn answer(resources: &[Resource], call: &ImageCall<'_>) -> Result<Value, String> {
    let found = |place: reconverge_interpret::Resource| {
        let (set, binding) = call.binding(place)?;
        resources.iter().find(|one| (one.set, one.binding, one.element) == (set, binding, place.index))
    };
    let image = found(call.image).ok_or("an image that is not bound")?;
    let Kind::Image { width, height, .. } = image.kind else { return Err("an image that is none".to_owned()) };
    let size = [width as i64, height.unwrap_or(1) as i64];
    let first = call.operands.first();
    match call.op {
        Op::ImageQuerySize | Op::ImageQuerySizeLod => Ok(call.fill(|axis| (size[axis.min(1)] as u64, 0.0))),
        Op::ImageFetch | Op::ImageRead => {
            let at = first.map(|at| axes(at, |axis| axis.as_i64())).ok_or("a fetch without coordinates")?;
            Ok(call.fill(|channel| texel(image, at, channel)))
        }
        Op::ImageSampleExplicitLod | Op::ImageGather => {
            let sampler = call.sampler.and_then(found).map(|sampler| sampler.kind.clone());
            let Some(Kind::Sampler { is_nearest, wraps }) = sampler else { return Err("no sampler".to_owned()) };
            let at = first.map(|at| axes(at, |axis| axis.as_f64())).ok_or("a sample without coordinates")?;
            let is_gather = call.op == Op::ImageGather;
            if !is_nearest && !is_gather {
                return Err("a linear sampler".to_owned());
            }
            let inside = |axis: usize, number: i64| match wraps {
                true => number.rem_euclid(size[axis]),
                false => number.clamp(0, size[axis] - 1),
            };
            let offset = offset(call)?;
            let middle = if is_gather { 0.5 } else { 0.0 };
            let base = [0, 1].map(|axis| (at[axis] * size[axis] as f64 - middle).floor() as i64 + offset[axis]);
            if !is_gather {
                let at = [0, 1].map(|axis| inside(axis, base[axis]));
                return Ok(call.fill(|channel| texel(image, at, channel)));
            }
            let channel = call.operands.get(1).and_then(Value::as_u32).ok_or("a gather without a component")? as usize;
            // The corners in the order of the specification: lower left, lower right, upper right, upper left.
            let corners = [[0, 1], [1, 1], [1, 0], [0, 0]];
            Ok(call.fill(|corner| {
                let at = [0, 1].map(|axis| inside(axis, base[axis] + corners[corner][axis]));
                texel(image, at, channel)
            }))
        }
        op => Err(format!("{} of an image", op.name())),
    }
}

/// The first two coordinates; the second of one is 0.
fn axes<T: Default + Copy>(at: &Value, number: impl Fn(&Value) -> Option<T>) -> [T; 2] {
    let whole = std::slice::from_ref(at);
    let axes = at.elements().unwrap_or(whole);
    [0, 1].map(|axis| axes.get(axis).and_then(&number).unwrap_or_default())
}

/// The offset among the image operands.
fn offset(call: &ImageCall<'_>) -> Result<[i64; 2], String> {
    let mask = ImageOperands::from_bits_retain(call.mask);
    let offset = ImageOperands::CONST_OFFSET | ImageOperands::OFFSET;
    match mask & offset {
        one if one.is_empty() => Ok([0; 2]),
        // It is the last of those that there are: no operand after it is allowed here.
        _ if !mask.intersects(!(offset | ImageOperands::LOD)) => {
            Ok(call.image_operands.last().map(|offset| axes(offset, |axis| axis.as_i64())).unwrap_or_default())
        }
        _ => Err("image operands that are not modelled".to_owned()),
    }
}

/// A channel of a texel, as an integer and as a number; zero outside of the image.
fn texel(image: &Resource, at: [i64; 2], channel: usize) -> (u64, f64) {
    let word = place(image, at, channel).map_or(0, |place| image.words[place]);
    let is_missing_alpha = matches!(image.kind, Kind::Image { channels, .. } if channel == 3 && channels < 4);
    match is_missing_alpha {
        true => (1, 1.0),
        false => (word.into(), f64::from(f32::from_bits(word))),
    }
}

/// The word of a channel of a texel.
pub(crate) fn place(image: &Resource, at: [i64; 2], channel: usize) -> Option<usize> {
    let Kind::Image { width, height, channels } = image.kind else { return None };
    let [x, y] = at.map(|axis| usize::try_from(axis).unwrap_or(usize::MAX));
    let is_inside = x < width && y < height.unwrap_or(1) && channel < channels;
    is_inside.then(|| (y * width + x) * channels + channel)
}
