//! From coordinates to texels along one axis (OpenCL C 3.0, chapter *Image Addressing and Filtering*).
//!
//! ```text
//!                      u                       index, nearest           a, i0, i1, linear
//! none, to edge        s, or s * n             floor(u), clamped        v = u − 0.5; floor(v), floor(v) + 1, clamped
//! clamp                s, or s * n             floor(u), or the border  the same, each or the border
//! repeat               (s − floor(s)) * n      floor(u), wrapped        floor(v), floor(v) + 1, wrapped
//! mirrored repeat      |s − 2 rint(s / 2)| * n floor(u), clamped        floor(v), floor(v) + 1, clamped
//! ```
//!
//! A coordinate that is NaN or far outside is clamped before it becomes an integer, so no address is outside of the image.

use spirv::GlslStd450Op as Glsl;

use super::parts::Sampler;
use crate::formula::{FormulaWriter, Scalar, Shape, Value};
use crate::sampler_bits;

/// The words of addresses.
pub(super) const WORD: Shape = Shape { scalar: Scalar::Int(32), count: 1 };

/// A texel along an axis.
#[derive(Clone, Copy, Debug)]
pub(super) struct Place<'w> {
    /// Its index, always inside of the image.
    pub(super) index: Value<'w>,
    /// Whether it is the texel of the coordinate, and not one at the border; `None` if there is no border.
    pub(super) is_inside: Option<Value<'w>>,
}

/// Two texels along an axis, and the weight of the second.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pair<'w> {
    pub(super) places: [Place<'w>; 2],
    pub(super) weight: Value<'w>,
}

/// The addressing of a sampler.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Mode {
    Edge,
    Clamp,
    Repeat,
    Mirrored,
}

impl Mode {
    const OF_VALUES: [(u32, Mode); 3] = [
        (sampler_bits::CLAMP, Mode::Clamp),
        (sampler_bits::REPEAT, Mode::Repeat),
        (sampler_bits::MIRRORED_REPEAT, Mode::Mirrored),
    ];

    fn of(bits: u32) -> Mode {
        let known = Mode::OF_VALUES.into_iter().find(|&(value, _)| value == bits & sampler_bits::ADDRESS);
        known.map_or(Mode::Edge, |(_, mode)| mode)
    }
}

/// An axis of an image, as a sampler sees it.
#[derive(Clone, Copy)]
pub(super) struct Axis<'w> {
    pub(super) sampler: Sampler,
    /// The texels along the axis.
    pub(super) size: Value<'w>,
}

impl<'w> Axis<'w> {
    fn writer(&self) -> &'w FormulaWriter<'w> {
        self.size.writer()
    }

    fn length(&self) -> Value<'w> {
        self.size.unsigned_to_float(32)
    }

    /// The texel of a coordinate.
    pub(super) fn nearest(&self, s: Value<'w>) -> Place<'w> {
        self.by_mode(|mode| self.place(mode, self.wrapped(mode, self.scaled(mode, s).floor())), select)
    }

    /// The two texels around a coordinate.
    pub(super) fn linear(&self, s: Value<'w>) -> Pair<'w> {
        self.by_mode(
            |mode| self.pair(mode, self.scaled(mode, s)),
            |is_mode, yes, no| Pair {
                places: [0, 1].map(|index| select(is_mode, yes.places[index], no.places[index])),
                weight: is_mode.select(yes.weight, no.weight),
            },
        )
    }

    /// The texel of a coordinate that is an integer already.
    pub(super) fn of_integer(&self, i: Value<'w>) -> Place<'w> {
        let last = self.size - 1;
        let index = signed_clamp(i, last);
        let is_inside = i.less(self.size);
        match self.sampler {
            Sampler::Fixed(bits) if Mode::of(bits) == Mode::Clamp => Place { index, is_inside: Some(is_inside) },
            Sampler::Fixed(_) => Place { index, is_inside: None },
            Sampler::Value(bits) => {
                let is_other =
                    (self.word_of(bits) & u64::from(sampler_bits::ADDRESS)).differs(u64::from(sampler_bits::CLAMP));
                Place { index, is_inside: Some(is_inside | is_other) }
            }
        }
    }

    fn pair(&self, mode: Mode, u: Value<'w>) -> Pair<'w> {
        let v = u - 0.5;
        let first = v.floor();
        let weight = v - first;
        let places = [first, first + 1.0].map(|i| self.place(mode, self.wrapped(mode, i)));
        Pair { places, weight }
    }

    /// What the mode of the sampler makes of a coordinate: that of each mode, among which a sampler chooses that is not known.
    fn by_mode<T>(&self, of_mode: impl Fn(Mode) -> T, select: impl Fn(Value<'w>, T, T) -> T) -> T {
        match self.sampler {
            Sampler::Fixed(bits) => of_mode(Mode::of(bits)),
            Sampler::Value(bits) => {
                let address = self.word_of(bits) & u64::from(sampler_bits::ADDRESS);
                Mode::OF_VALUES.into_iter().fold(of_mode(Mode::Edge), |otherwise, (value, mode)| {
                    select(address.equals(u64::from(value)), of_mode(mode), otherwise)
                })
            }
        }
    }

    /// The coordinate in texels.
    fn scaled(&self, mode: Mode, s: Value<'w>) -> Value<'w> {
        let n = self.length();
        match mode {
            Mode::Repeat => (s - s.floor()) * n,
            Mode::Mirrored => {
                let whole = (s * 0.5).round_even() * 2.0;
                (s - whole).magnitude() * n
            }
            Mode::Edge | Mode::Clamp => match self.sampler {
                Sampler::Fixed(bits) if bits & sampler_bits::NORMALIZED == 0 => s,
                Sampler::Fixed(_) => s * n,
                Sampler::Value(bits) => {
                    let is_normalized = (self.word_of(bits) & u64::from(sampler_bits::NORMALIZED)).differs(0);
                    is_normalized.select(s * n, s)
                }
            },
        }
    }

    /// The index of a texel beyond the ends, where the image repeats.
    fn wrapped(&self, mode: Mode, i: Value<'w>) -> Value<'w> {
        if mode != Mode::Repeat {
            return i;
        }
        let n = self.length();
        let from_below = i.less(0.0).select(i + n, i);
        i.greater(n - 1.0).select(i - n, from_below)
    }

    /// The texel of a whole number.
    fn place(&self, mode: Mode, i: Value<'w>) -> Place<'w> {
        let n = self.length();
        let last = n - 1.0;
        let index = clamp(i, 0.0, last).to_signed(32);
        let is_inside = (mode == Mode::Clamp).then(|| i.at_least(0.0) & i.less(n));
        Place { index, is_inside }
    }

    fn word_of(&self, inst: reconverge_ir::Inst) -> Value<'w> {
        Value::new(self.writer(), inst, WORD)
    }
}

/// The layer of a coordinate: rounded, clamped, never normalized.
pub(super) fn layer<'w>(coordinate: Value<'w>, layers: Value<'w>) -> Value<'w> {
    let last = layers - 1;
    match coordinate.shape().is_float() {
        true => clamp(coordinate.round_even(), 0.0, last.unsigned_to_float(32)).to_signed(32),
        false => signed_clamp(coordinate, last),
    }
}

/// A float between two bounds; the lower one for NaN.
fn clamp<'w>(x: Value<'w>, low: f64, high: Value<'w>) -> Value<'w> {
    x.writer().glsl(Glsl::NClamp, x.shape(), &[x, x.constant(low), high])
}

/// A signed integer between 0 and a bound.
fn signed_clamp<'w>(i: Value<'w>, last: Value<'w>) -> Value<'w> {
    let zero = i.constant(0);
    i.writer().glsl(Glsl::SClamp, i.shape(), &[i, zero, last])
}

fn select<'w>(condition: Value<'w>, yes: Place<'w>, no: Place<'w>) -> Place<'w> {
    let always = |place: Place<'w>| place.is_inside.unwrap_or_else(|| condition.constant(1));
    let is_inside = match (yes.is_inside, no.is_inside) {
        (None, None) => None,
        _ => Some(condition.select(always(yes), always(no))),
    };
    Place { index: condition.select(yes.index, no.index), is_inside }
}
