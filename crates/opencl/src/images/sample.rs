//! Reads, samples, writes and queries.
//!
//! ```text
//! linear in 2D:   ((1 − a)(1 − b) T00 + a (1 − b) T10) + (1 − a) b T01) + a b T11
//! ```
//!
//! Each texel is addressed on its own, so that one beyond the border has the color of the border. Layers are not filtered.

use spirv::GlslStd450Op as Glsl;

use super::addressing::{Axis, Place, WORD, layer};
use super::channels::{Channels, Numbers, decode, encode};
use super::operands::{Action, Operands};
use super::order::{Color, channels, color, has_opaque_border};
use super::parts::{FormatValue, Sampler};
use super::texels::{Texels, Words};
use crate::formula::{FormulaWriter, Scalar, Value};
use crate::{ChannelOrder, ChannelType, ImageKind, sampler_bits};

/// An operation that is being replaced.
#[derive(Clone, Copy)]
pub(super) struct Site<'a, 'w> {
    pub(super) writer: &'w FormulaWriter<'w>,
    pub(super) operands: &'a Operands,
}

impl<'a, 'w> Site<'a, 'w> {
    /// Writes the operation. Returns its result, if it has one.
    pub(super) fn write(&self) -> Option<Value<'w>> {
        let value = |inst| self.writer.existing(inst).expect("invariant: a coordinate and a texel are numbers");
        let format = || self.operands.image.format.words(self.writer);
        Some(match self.operands.action {
            Action::Sample { sampler, coordinate } => self.result(self.sample(sampler, value(coordinate))),
            Action::Read { coordinate } => self.result(self.read(value(coordinate))),
            Action::Write { coordinate, texel } => {
                self.store(value(coordinate), value(texel));
                return None;
            }
            Action::QuerySize => self.size(),
            Action::QueryFormat => self.number(format()[1], ChannelType::FIRST),
            Action::QueryOrder => self.number(format()[0], ChannelOrder::FIRST),
            Action::QueryLevels => self.writer.constant(self.operands.shape, 1),
        })
    }

    fn kind(&self) -> ImageKind {
        self.operands.image.kind
    }

    fn texels(&self) -> Texels<'a, 'w> {
        Texels { writer: self.writer, image: &self.operands.image }
    }

    fn numbers(&self) -> Numbers {
        if self.operands.shape.is_float() { Numbers::Floats } else { Numbers::Integers }
    }

    /// The axes that are filtered; the one after them is that of the layers, if there are any.
    fn axes(&self) -> u32 {
        self.kind().sizes() - u32::from(self.has_layers())
    }

    fn has_layers(&self) -> bool {
        matches!(self.kind(), ImageKind::D1Array | ImageKind::D2Array | ImageKind::D2ArrayDepth)
    }

    /// A color as the result: some of its numbers, in the width of the result.
    fn result(&self, color: Color<'w>) -> Value<'w> {
        let shape = self.operands.shape;
        let vector = self.writer.vector(&color[..shape.count.min(4) as usize]);
        match shape.scalar {
            Scalar::Float(width) => vector.to_float_width(width),
            Scalar::Int(width) => vector.to_width(width),
            Scalar::Bool => vector,
        }
    }

    fn sample(&self, sampler: Sampler, coordinate: Value<'w>) -> Color<'w> {
        let axis = |number: u32| Axis { sampler, size: self.texels().size_along(number) };
        if !coordinate.shape().is_float() {
            let places = (0..self.axes()).map(|number| axis(number).of_integer(coordinate.component(number)));
            return self.texel(&places.collect::<Vec<_>>(), self.layer(coordinate));
        }
        let nearest = || {
            let places = (0..self.axes()).map(|number| axis(number).nearest(coordinate.component(number)));
            self.texel(&places.collect::<Vec<_>>(), self.layer(coordinate))
        };
        let linear = || {
            let pairs = (0..self.axes()).map(|number| axis(number).linear(coordinate.component(number)));
            let pairs: Vec<_> = pairs.collect();
            let layer = self.layer(coordinate);
            let mut sum: Option<Color<'w>> = None;
            for corner in 0..1_usize << pairs.len() {
                let side = |axis: usize| corner >> axis & 1;
                let places: Vec<Place<'w>> =
                    pairs.iter().enumerate().map(|(axis, pair)| pair.places[side(axis)]).collect();
                let weights = pairs.iter().enumerate().map(|(axis, pair)| match side(axis) {
                    0 => pair.weight.constant(1.0) - pair.weight,
                    _ => pair.weight,
                });
                let weight = weights.reduce(|product, weight| product * weight).expect("invariant: there is an axis");
                let texel = self.texel(&places, layer).map(|channel| channel * weight);
                sum = Some(match sum {
                    None => texel,
                    Some(sum) => std::array::from_fn(|channel| sum[channel] + texel[channel]),
                });
            }
            sum.expect("invariant: there is a corner")
        };
        match (sampler, self.numbers()) {
            (_, Numbers::Integers) => nearest(),
            (Sampler::Fixed(bits), _) if bits & sampler_bits::FILTER == sampler_bits::LINEAR => linear(),
            (Sampler::Fixed(_), _) => nearest(),
            (Sampler::Value(bits), _) => {
                let bits = Value::new(self.writer, bits, WORD);
                let is_linear = (bits & u64::from(sampler_bits::FILTER)).equals(u64::from(sampler_bits::LINEAR));
                self.writer.either(is_linear, linear, nearest)
            }
        }
    }

    /// Reads without a sampler. A coordinate outside of the image is the nearest one inside.
    fn read(&self, coordinate: Value<'w>) -> Color<'w> {
        let place = |number| {
            let index = coordinate.component(number);
            let last = self.texels().size_along(number) - 1;
            let index = self.writer.glsl(Glsl::UMin, WORD, &[index, last]);
            Place { index, is_inside: None }
        };
        let places: Vec<Place<'w>> = (0..self.axes()).map(place).collect();
        self.texel(&places, self.layer(coordinate))
    }

    fn layer(&self, coordinate: Value<'w>) -> Option<Value<'w>> {
        let number = self.axes();
        self.has_layers().then(|| layer(coordinate.component(number), self.texels().size_along(number)))
    }

    /// The color of a texel, or that of the border.
    fn texel(&self, places: &[Place<'w>], layer: Option<Value<'w>>) -> Color<'w> {
        let indices: Vec<Value<'w>> = places.iter().map(|place| place.index).chain(layer).collect();
        let words = self.texels().load(self.texels().offset(&indices));
        let color = self.color(words);
        let is_inside = places.iter().filter_map(|place| place.is_inside).reduce(|all, one| all & one);
        let Some(is_inside) = is_inside else { return color };
        let border = self.border();
        std::array::from_fn(|channel| is_inside.select(color[channel], border[channel]))
    }

    fn color(&self, words: Words<'w>) -> Color<'w> {
        let (writer, numbers) = (self.writer, self.numbers());
        let zeros = || [numbers.constant(writer, 0); 4];
        match self.operands.image.format {
            FormatValue::Fixed(format) => match format.data_type.is_integer() == (numbers == Numbers::Integers) {
                true => {
                    let read = decode(writer, format.data_type, words, format.order.channels());
                    color(writer, format.order, numbers, read)
                }
                false => zeros(),
            },
            format => {
                let [order, data_type] = format.words(writer);
                let decoders: Vec<_> =
                    numbers.types().map(|kind| (kind as u32, move || decode(writer, kind, words, 4))).collect();
                let cases = as_cases(&decoders);
                let read = writer.choose(data_type, &cases, &zeros);
                let swizzles: Vec<_> = ChannelOrder::ALL
                    .into_iter()
                    .map(|order| (order as u32, move || color(writer, order, numbers, read)))
                    .collect();
                writer.choose(order, &as_cases(&swizzles), &zeros)
            }
        }
    }

    /// The color outside of the image.
    fn border(&self) -> Color<'w> {
        let (writer, numbers) = (self.writer, self.numbers());
        let [zero, one] = [0, 1].map(|number| numbers.constant(writer, number));
        let alpha = match self.operands.image.format {
            FormatValue::Fixed(format) if has_opaque_border(format.order) => one,
            FormatValue::Fixed(_) => zero,
            format => {
                let [order, _] = format.words(writer);
                let opaque = ChannelOrder::ALL.into_iter().filter(|&order| has_opaque_border(order));
                let tests = opaque.map(|known| order.equals(u64::from(known as u32)));
                let is_opaque = tests.reduce(|found, test| found | test).expect("invariant: there are such orders");
                is_opaque.select(one, zero)
            }
        };
        [zero, zero, zero, alpha]
    }

    /// Writes a texel, unless it is outside of the image.
    fn store(&self, coordinate: Value<'w>, texel: Value<'w>) {
        let texels = self.texels();
        let count = self.kind().sizes();
        let indices: Vec<Value<'w>> = (0..count).map(|number| coordinate.component(number)).collect();
        let tests = indices.iter().zip(0..).map(|(index, number)| index.less(texels.size_along(number)));
        let is_inside = tests.reduce(|all, one| all & one).expect("invariant: an image has an axis");
        let write = || {
            let words = self.words(texel);
            texels.store(texels.offset(&indices), words);
            []
        };
        self.writer.either(is_inside, write, || []);
    }

    fn words(&self, texel: Value<'w>) -> Words<'w> {
        let (writer, numbers) = (self.writer, self.numbers());
        let zero = numbers.constant(writer, 0);
        let texel = match texel.shape().scalar {
            Scalar::Float(_) => texel.to_float_width(32),
            _ => texel.to_width(32),
        };
        let count = texel.shape().count;
        let rgba: Color<'w> =
            std::array::from_fn(|index| if (index as u32) < count { texel.component(index as u32) } else { zero });
        let zeros = || [writer.constant(WORD, 0); 4];
        match self.operands.image.format {
            FormatValue::Fixed(format) => match format.data_type.is_integer() == (numbers == Numbers::Integers) {
                true => {
                    let kept = channels(writer, format.order, numbers, rgba);
                    encode(writer, format.data_type, kept, format.order.channels())
                }
                false => zeros(),
            },
            format => {
                let [order, data_type] = format.words(writer);
                let swizzles: Vec<_> = ChannelOrder::ALL
                    .into_iter()
                    .map(|order| (order as u32, move || channels(writer, order, numbers, rgba)))
                    .collect();
                let kept: Channels<'w> = writer.choose(order, &as_cases(&swizzles), &|| [zero; 4]);
                let encoders: Vec<_> =
                    numbers.types().map(|kind| (kind as u32, move || encode(writer, kind, kept, 4))).collect();
                writer.choose(data_type, &as_cases(&encoders), &zeros)
            }
        }
    }

    fn size(&self) -> Value<'w> {
        let shape = self.operands.shape;
        let sizes: Vec<Value<'w>> = (0..shape.count.min(self.kind().sizes()))
            .map(|number| self.texels().size_along(number).to_width(shape.width()))
            .collect();
        self.writer.vector(&sizes)
    }

    /// A number of the format, counted from the first of its kind, as SPIR-V has it.
    fn number(&self, number: Value<'w>, first: u32) -> Value<'w> {
        (number - u64::from(first)).to_width(self.operands.shape.width())
    }
}

/// The branches of a switch.
fn as_cases<'f, 'w, F: Fn() -> [Value<'w>; 4]>(branches: &'f [(u32, F)]) -> Vec<(u32, &'f dyn Fn() -> [Value<'w>; 4])> {
    branches.iter().map(|(number, write)| (*number, write as &dyn Fn() -> [Value<'w>; 4])).collect()
}
