//! Samplers: every addressing mode with every filter, in units of texels and of the image, on every kind of image, compared with a formula
//! in double precision. The formula continues the image to infinity, and the interpreter folds coordinates, so they share no step.

use crate::common::image::{
    BUFFER, CLAMP, CLAMP_TO_EDGE, DEPTH, FLOAT, Kind, LINEAR, MIRRORED_REPEAT, NEAREST, NONE, NORMALIZED, ONE,
    ONE_ARRAY, R, REPEAT, RGBA, SINT32, THREE, TWO, TWO_ARRAY, TWO_DEPTH, TWO_DEPTH_ARRAY, float_bytes, fours, image,
    launch, samples, sampling,
};
use crate::common::kernel::Kernel;
use reconverge_interpret::{KernelImage, KernelOutcome};

/// The texels of the test: small integers, another one at each place and in each channel.
fn value([x, y, z]: [i64; 3], channel: usize) -> f64 {
    ((x * 5 + y * 7 + z * 11 + 3 * channel as i64) % 16) as f64
}

fn texels(size: [u32; 3], channels: usize) -> Vec<u8> {
    let mut floats = Vec::new();
    for z in 0..i64::from(size[2]) {
        for y in 0..i64::from(size[1]) {
            for x in 0..i64::from(size[0]) {
                floats.extend((0..channels).map(|channel| value([x, y, z], channel) as f32));
            }
        }
    }
    float_bytes(&floats)
}

/// The texel at any index of an axis; `None` for the border.
fn continued(addressing: u32, index: i64, length: i64) -> Option<i64> {
    match addressing {
        CLAMP if !(0..length).contains(&index) => None,
        REPEAT => Some(index.rem_euclid(length)),
        MIRRORED_REPEAT => {
            let index = index.rem_euclid(2 * length);
            Some(if index < length { index } else { 2 * length - 1 - index })
        }
        _ => Some(index.clamp(0, length - 1)),
    }
}

/// An image as the formula sees it.
#[derive(Clone, Copy)]
struct Model {
    axes: usize,
    has_layers: bool,
    size: [u32; 3],
}

impl Model {
    /// The value of a channel at coordinates, in double precision.
    fn sample(self, sampler: u32, coordinates: [f32; 4], channel: usize, border: f64) -> f64 {
        let mut taps = vec![([Some(0i64); 3], 1.0f64)];
        for axis in 0..self.axes {
            let length = f64::from(self.size[axis]);
            let scale = if sampler & NORMALIZED != 0 { length } else { 1.0 };
            let position = f64::from(coordinates[axis]) * scale;
            let neighbours = match sampler & LINEAR != 0 {
                false => vec![(position.floor(), 1.0)],
                true => {
                    let first = (position - 0.5).floor();
                    let part = position - 0.5 - first;
                    vec![(first, 1.0 - part), (first + 1.0, part)]
                }
            };
            let old = taps;
            taps = Vec::new();
            for (index, part) in neighbours {
                for (texel, weight) in &old {
                    let mut texel = *texel;
                    texel[axis] = continued(sampler & 0xe, index as i64, length as i64);
                    taps.push((texel, weight * part));
                }
            }
        }
        let layer = self.has_layers.then(|| {
            let layers = f64::from(self.size[self.axes]);
            f64::from(coordinates[self.axes]).round_ties_even().clamp(0.0, layers - 1.0) as i64
        });
        let add = |sum: f64, (texel, weight): ([Option<i64>; 3], f64)| {
            let value = match texel {
                [Some(x), Some(y), Some(z)] => {
                    let mut texel = [x, y, z];
                    if let Some(layer) = layer {
                        texel[self.axes] = layer;
                    }
                    value(texel, channel)
                }
                _ => border,
            };
            sum + weight * value
        };
        taps.into_iter().fold(0.0, add)
    }
}

const KINDS: [(Kind, Model); 8] = [
    (ONE, Model { axes: 1, has_layers: false, size: [8, 1, 1] }),
    (ONE_ARRAY, Model { axes: 1, has_layers: true, size: [8, 3, 1] }),
    (TWO, Model { axes: 2, has_layers: false, size: [4, 8, 1] }),
    (TWO_ARRAY, Model { axes: 2, has_layers: true, size: [8, 4, 3] }),
    (TWO_DEPTH, Model { axes: 2, has_layers: false, size: [8, 4, 1] }),
    (TWO_DEPTH_ARRAY, Model { axes: 2, has_layers: true, size: [4, 4, 3] }),
    (THREE, Model { axes: 3, has_layers: false, size: [4, 2, 8] }),
    (THREE, Model { axes: 3, has_layers: false, size: [1, 2, 4] }),
];

fn layout(kind: Kind, size: [u32; 3]) -> KernelImage {
    match kind.depth {
        1 => image(DEPTH, FLOAT, size, 4),
        _ => image(RGBA, FLOAT, size, 16),
    }
}

/// Coordinates of a grid around an image, none of them at the edge of a texel, where a mirror image has another texel.
fn grid(model: Model, sampler: u32) -> Vec<[f32; 4]> {
    let along = |axis: usize| -> Vec<f32> {
        match (model.has_layers && axis == model.axes, sampler & NORMALIZED != 0) {
            _ if axis >= model.axes + usize::from(model.has_layers) => vec![0.0],
            (true, _) => vec![-7.0, 0.25, 0.5, 1.5, 1.75, 40.0],
            (false, true) => (-5..7).map(|step| (2 * step + 1) as f32 / 4.0 + 1.0 / 32.0).collect(),
            (false, false) => (-3..i64::from(model.size[axis]) + 3).map(|texel| texel as f32 + 0.375).collect(),
        }
    };
    let (xs, ys, zs) = (along(0), along(1), along(2));
    let mut all = Vec::new();
    for &x in &xs {
        for &y in &ys {
            all.extend(zs.iter().map(|&z| [x, y, z, 0.0]));
        }
    }
    all
}

/// The interpreter's own sums are exact here: texels are small integers, and parts are multiples of 1/8.
#[test]
fn every_addressing_mode_with_every_filter_on_every_kind_of_image() {
    let mut compared = 0;
    for (kind, model) in KINDS {
        let channels = if kind.depth == 1 { 1 } else { 4 };
        let bytes = texels(model.size, channels);
        for filter in [NEAREST, LINEAR] {
            for (addressing, scale) in [
                (CLAMP_TO_EDGE, 0),
                (CLAMP, 0),
                (CLAMP_TO_EDGE, NORMALIZED),
                (CLAMP, NORMALIZED),
                (REPEAT, NORMALIZED),
                (MIRRORED_REPEAT, NORMALIZED),
            ] {
                let sampler = addressing | filter | scale;
                let coordinates = grid(model, sampler);
                let found = samples(kind, layout(kind, model.size), &bytes, sampler, &coordinates);
                for (&at, found) in coordinates.iter().zip(found) {
                    for (channel, found) in found.into_iter().enumerate().take(channels) {
                        // Orders with alpha are transparent outside.
                        let expected = model.sample(sampler, at, channel, 0.0);
                        assert_eq!(found.map(f64::from), Some(expected), "{sampler:#x} at {at:?} of {:?}", model.size);
                        compared += 1;
                    }
                }
            }
        }
    }
    assert!(compared > 20_000, "{compared}");
}

/// At the edges of texels the rules of the specification decide.
#[test]
fn edges_of_texels() {
    let read = |sampler: u32, at: f32| {
        let bytes = float_bytes(&[10.0, 20.0, 30.0, 40.0]);
        samples(ONE, image(R, FLOAT, [4, 1, 1], 4), &bytes, sampler, &[[at, 0.0, 0.0, 0.0]])[0][0]
    };
    let rows = [
        // A texel begins at its edge.
        (CLAMP_TO_EDGE | NEAREST, 1.0, 20.0),
        (CLAMP_TO_EDGE | NEAREST, 4.0, 40.0),
        (CLAMP_TO_EDGE | NEAREST | NORMALIZED, 1.0, 40.0),
        (CLAMP | NEAREST, 4.0, 0.0),
        (CLAMP | NEAREST | NORMALIZED, 1.0, 0.0),
        (CLAMP | NEAREST, -0.0, 10.0),
        (CLAMP | NEAREST, -1e-30, 0.0),
        // The image begins again at 1.
        (REPEAT | NEAREST | NORMALIZED, 1.0, 10.0),
        (REPEAT | NEAREST | NORMALIZED, -1.0, 10.0),
        (REPEAT | NEAREST | NORMALIZED, 7.75, 40.0),
        // 1 - 1e-9 is 1 in single precision, and so is texel 4, which is texel 0.
        (REPEAT | NEAREST | NORMALIZED, -1e-9, 10.0),
        // In the mirror 1.25 is 0.75, where texel 3 begins, and 1 the end of texel 3.
        (MIRRORED_REPEAT | NEAREST | NORMALIZED, 1.0, 40.0),
        (MIRRORED_REPEAT | NEAREST | NORMALIZED, 1.25, 40.0),
        (MIRRORED_REPEAT | NEAREST | NORMALIZED, -0.25, 20.0),
        (MIRRORED_REPEAT | NEAREST | NORMALIZED, 2.0, 10.0),
        // The middle of a texel is that texel; its edge is half of each neighbour.
        (CLAMP_TO_EDGE | LINEAR, 1.5, 20.0),
        (CLAMP_TO_EDGE | LINEAR, 2.0, 25.0),
        (CLAMP_TO_EDGE | LINEAR, 0.0, 10.0),
        (CLAMP | LINEAR, 0.0, 5.0),
        (CLAMP | LINEAR, 4.25, 10.0),
        (REPEAT | LINEAR | NORMALIZED, 0.0, 25.0),
        (REPEAT | LINEAR | NORMALIZED, 1.0, 25.0),
        (MIRRORED_REPEAT | LINEAR | NORMALIZED, 1.0, 40.0),
        // Far away.
        (CLAMP_TO_EDGE | NEAREST, 1e30, 40.0),
        (CLAMP_TO_EDGE | NEAREST, -1e30, 10.0),
        (CLAMP_TO_EDGE | LINEAR, 1e30, 40.0),
        (CLAMP | NEAREST, 1e30, 0.0),
        (CLAMP | LINEAR, -1e30, 0.0),
        (NONE | NEAREST, 3.99, 40.0),
        (NONE | LINEAR, 0.25, 10.0),
    ];
    for (sampler, at, expected) in rows {
        assert_eq!(read(sampler, at), Some(expected), "{sampler:#x} at {at}");
    }
}

#[test]
fn what_opencl_leaves_undefined_has_no_value() {
    let read = |sampler: u32, at: f32| {
        let bytes = float_bytes(&[10.0, 20.0, 30.0, 40.0]);
        samples(ONE, image(R, FLOAT, [4, 1, 1], 4), &bytes, sampler, &[[at, 0.0, 0.0, 0.0]])[0][0]
    };
    let rows = [
        (CLAMP_TO_EDGE | NEAREST, f32::NAN),
        (CLAMP | LINEAR, f32::INFINITY),
        (REPEAT | NEAREST | NORMALIZED, f32::NEG_INFINITY),
        // The position is beyond single precision.
        (CLAMP | NEAREST | NORMALIZED, 3e38),
        // A repetition is one of the whole image, which is 0 to 1.
        (REPEAT | NEAREST, 0.5),
        (MIRRORED_REPEAT | LINEAR, 0.5),
        // The program promised that coordinates are inside.
        (NONE | NEAREST, 4.0),
        (NONE | NEAREST, -0.1),
        (NONE | LINEAR | NORMALIZED, 1.0),
    ];
    for (sampler, at) in rows {
        assert_eq!(read(sampler, at), None, "{sampler:#x} at {at}");
    }
}

fn integer_samples(kernel: &Kernel, layout: KernelImage, texels: &[u8], sampler: u32, at: [i32; 4]) -> KernelOutcome {
    let coordinates = at.iter().flat_map(|word| word.to_le_bytes()).collect();
    let launch = launch(1, layout, Some(sampler), vec![texels.to_vec(), vec![0; 16], coordinates]);
    kernel.outcome(&launch)
}

#[test]
fn integer_coordinates_are_texels() {
    let bytes = float_bytes(&(0..24).map(|number| number as f32).collect::<Vec<f32>>());
    let read = |kind: Kind, size: [u32; 3], sampler: u32, at: [i32; 4]| {
        let outcome = integer_samples(&sampling(kind, "u32", "f32"), image(R, FLOAT, size, 4), &bytes, sampler, at);
        fours(&outcome, 1)[0][0].map(f32::from_bits)
    };
    let flat = |sampler: u32, x: i32, y: i32| read(TWO, [4, 3, 1], sampler, [x, y, 0, 0]);
    for addressing in [NONE, CLAMP_TO_EDGE, CLAMP] {
        assert_eq!(flat(addressing | NEAREST, 2, 1), Some(6.0));
    }
    assert_eq!(flat(CLAMP_TO_EDGE | NEAREST, -5, 9), Some(8.0));
    assert_eq!(flat(CLAMP | NEAREST, 4, 0), Some(0.0));
    assert_eq!(flat(CLAMP | NEAREST, i32::MIN, 0), Some(0.0));
    assert_eq!(flat(NONE | NEAREST, 4, 0), None);
    // Other samplers have no texels to count.
    for sampler in [CLAMP | LINEAR, CLAMP | NEAREST | NORMALIZED, REPEAT | NEAREST, REPEAT | NEAREST | NORMALIZED] {
        assert_eq!(flat(sampler, 1, 1), None, "{sampler:#x}");
    }
    // A layer is the nearest one, and never outside.
    let layers = |layer: i32| read(TWO_ARRAY, [4, 2, 3], CLAMP | NEAREST, [1, 1, layer, 77]);
    assert_eq!((layers(0), layers(2), layers(3), layers(-1)), (Some(5.0), Some(21.0), Some(21.0), Some(5.0)));
    let rows = |layer: i32| read(ONE_ARRAY, [4, 3, 1], CLAMP | NEAREST, [1, layer, 0, 0]);
    assert_eq!((rows(1), rows(100), rows(-9)), (Some(5.0), Some(9.0), Some(1.0)));
    let volume = |z: i32| read(THREE, [2, 3, 4], CLAMP_TO_EDGE | NEAREST, [1, 2, z, 0]);
    assert_eq!((volume(1), volume(9)), (Some(11.0), Some(23.0)));
}

#[test]
fn integers_are_not_filtered() {
    let bytes: Vec<u8> = [-3i32, 5, 7, -9].iter().flat_map(|number| number.to_le_bytes()).collect();
    let layout = image(R, SINT32, [4, 1, 1], 4);
    let read = |sampler: u32, at: f32| {
        let coordinates = float_bytes(&[at, 0.0, 0.0, 0.0]);
        let launch = launch(1, layout, Some(sampler), vec![bytes.clone(), vec![0; 16], coordinates]);
        fours(&sampling(ONE, "f32", "u32").outcome(&launch), 1)[0]
    };
    assert_eq!(read(CLAMP | NEAREST, 3.5), [Some((-9i32).cast_unsigned()), Some(0), Some(0), Some(1)]);
    assert_eq!(read(CLAMP | LINEAR, 1.5), [None; 4]);
}

/// Whether alpha is 1 outside depends on the order.
#[test]
fn border_colours() {
    let rows = [
        (0x10b0, 0x10d2, 1),
        (0x10b1, 0x10d2, 0),
        (0x10b2, 0x10d2, 1),
        (0x10b3, 0x10d2, 0),
        (0x10b4, 0x10d4, 1),
        (0x10b5, 0x10d2, 0),
        (0x10b6, 0x10d2, 0),
        (0x10b7, 0x10d2, 0),
        (0x10b8, 0x10d2, 0),
        (0x10b9, 0x10d2, 1),
        (0x10ba, 0x10d2, 0),
        (0x10bb, 0x10d2, 0),
        (0x10bc, 0x10d4, 0),
        (0x10c0, 0x10d2, 0),
        (0x10c1, 0x10d2, 0),
        (0x10c2, 0x10d2, 0),
        (0x10c3, 0x10d2, 0),
    ];
    for (order, data_type, alpha) in rows {
        let outside = samples(ONE, image(order, data_type, [1; 3], 4), &[255; 4], CLAMP | NEAREST, &[[-1.0; 4]])[0];
        assert_eq!(outside, [0.0, 0.0, 0.0, alpha as f32].map(Some), "{order:#x}");
        // Integers too: their alpha is the integer 1.
        if data_type == 0x10d2 && !matches!(order, 0x10b8 | 0x10b9 | 0x10c0..=0x10c2) {
            let layout = image(order, 0x10da, [1; 3], 4);
            let outcome = integer_samples(&sampling(ONE, "u32", "u32"), layout, &[255; 4], CLAMP | NEAREST, [-1; 4]);
            assert_eq!(fours(&outcome, 1)[0], [0, 0, 0, alpha].map(Some), "{order:#x}");
        }
    }
    let depth =
        samples(TWO_DEPTH, image(DEPTH, FLOAT, [1; 3], 4), &float_bytes(&[3.0]), CLAMP | NEAREST, &[[-1.0; 4]])[0];
    assert_eq!(depth[0], Some(0.0));
    // sRGB is decoded before it is filtered: half of 1 and 0.
    let edge = samples(ONE, image(0x10c1, 0x10d2, [1; 3], 4), &[255; 4], CLAMP | LINEAR, &[[0.0; 4]])[0];
    assert_eq!(edge, [0.5; 4].map(Some));
}

/// The order of operations, bit by bit, where rounding shows it.
#[test]
fn the_sum_has_its_order() {
    let mut state = 0x2545_f491u32;
    let mut next = || {
        state ^= state << 13;
        state ^= state >> 17;
        state ^= state << 5;
        (state >> 8) as f32 / 16_777_216.0
    };
    let texels: Vec<f32> = (0..8).map(|_| next() * 100.0).collect();
    let plane = |p: &[f32], [a, b]: [f32; 2]| {
        let sum = (1.0 - a) * (1.0 - b) * p[0] + a * (1.0 - b) * p[1];
        (sum + (1.0 - a) * b * p[2]) + a * b * p[3]
    };
    for _ in 0..100 {
        let at = [0.5 + next(), 0.5 + next(), 0.5 + next(), 0.0];
        let [a, b, c] = [at[0] - 0.5, at[1] - 0.5, at[2] - 0.5];
        let bytes = float_bytes(&texels);
        let one = samples(ONE, image(R, FLOAT, [2, 1, 1], 4), &bytes, CLAMP_TO_EDGE | LINEAR, &[at])[0][0];
        assert_eq!(one, Some((1.0 - a) * texels[0] + a * texels[1]));
        let two = samples(TWO, image(R, FLOAT, [2, 2, 1], 4), &bytes, CLAMP_TO_EDGE | LINEAR, &[at])[0][0];
        assert_eq!(two, Some(plane(&texels, [a, b])));
        let three = samples(THREE, image(R, FLOAT, [2; 3], 4), &bytes, CLAMP_TO_EDGE | LINEAR, &[at])[0][0];
        let mut sum = (1.0 - a) * (1.0 - b) * (1.0 - c) * texels[0];
        sum += a * (1.0 - b) * (1.0 - c) * texels[1];
        sum += (1.0 - a) * b * (1.0 - c) * texels[2];
        sum += a * b * (1.0 - c) * texels[3];
        sum += (1.0 - a) * (1.0 - b) * c * texels[4];
        sum += a * (1.0 - b) * c * texels[5];
        sum += (1.0 - a) * b * c * texels[6];
        sum += a * b * c * texels[7];
        assert_eq!(three, Some(sum));
    }
}

/// Sizes that are no power of two: within the error of the coordinates.
#[test]
fn odd_sizes_are_near_the_formula() {
    let model = Model { axes: 2, has_layers: false, size: [5, 3, 1] };
    let bytes = texels(model.size, 4);
    for addressing in [CLAMP_TO_EDGE, CLAMP, REPEAT, MIRRORED_REPEAT] {
        let sampler = addressing | LINEAR | NORMALIZED;
        let coordinates: Vec<[f32; 4]> =
            (-20..20).map(|step| [step as f32 * 0.137, step as f32 * -0.091 + 0.3, 0.0, 0.0]).collect();
        let found = samples(TWO, layout(TWO, model.size), &bytes, sampler, &coordinates);
        for (&at, found) in coordinates.iter().zip(found) {
            let expected = model.sample(sampler, at, 2, 0.0);
            let found = f64::from(found[2].expect("it is defined"));
            assert!((found - expected).abs() < 1e-4, "{sampler:#x} at {at:?}: {found} and {expected}");
        }
    }
}

#[test]
fn rows_and_slices_may_have_gaps() {
    let mut bytes = vec![0xee; 2 * 40 + 12 + 8];
    let spaced = KernelImage { order: R, data_type: FLOAT, size: [2, 2, 3], row_pitch: 12, slice_pitch: 40 };
    for z in 0..3 {
        for y in 0..2 {
            for x in 0..2 {
                let start = z * 40 + y * 12 + x * 4;
                bytes[start..start + 4].copy_from_slice(&((100 * z + 10 * y + x) as f32).to_le_bytes());
            }
        }
    }
    let read = |kind: Kind, at: [f32; 4]| samples(kind, spaced, &bytes, CLAMP_TO_EDGE | NEAREST, &[at])[0][0];
    assert_eq!(read(THREE, [1.5, 1.5, 2.5, 0.0]), Some(211.0));
    assert_eq!(read(THREE, [0.5, 1.5, 1.5, 0.0]), Some(110.0));
    assert_eq!(read(TWO_ARRAY, [1.5, 0.5, 2.0, 0.0]), Some(201.0));
}

/// An image of a buffer has no sampler in OpenCL.
#[test]
fn an_image_of_a_buffer_is_not_sampled() {
    let outcome = integer_samples(
        &sampling(BUFFER, "u32", "f32"),
        image(R, FLOAT, [4, 1, 1], 4),
        &[0; 16],
        CLAMP | NEAREST,
        [0; 4],
    );
    let text = outcome.failure.expect("it fails").to_string();
    assert!(text.contains("an image of a buffer is read with a sampler"), "{text}");
}
