//! The components of a texel: red, green, blue, alpha, from the bytes of memory and into them (OpenCL C 3.0, section 6.15.15.7, "Mapping
//! Image Channels to Color Values").
//!
//! ```text
//! RA, unorm8: bytes 255, 51  ⇒  (1.0, 0.0, 0.0, 0.2)      a colour that is missing is 0, a missing alpha 1
//! INTENSITY: byte 51         ⇒  (0.2, 0.2, 0.2, 0.2)
//! ```
//!
//! A channel with an undefined byte is undefined, and no other one.

use crate::fault::Fault;
use crate::images::open_cl::format::{Format, Order, Storage};
use crate::images::open_cl::{numbers, srgb};
use crate::memory::Memory;
use crate::{Access, Pointer};

/// The components of a texel; `None` if undefined.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) enum Texel {
    Floats([Option<f32>; 4]),
    /// Integers of 32 bits, with the sign of the format.
    Integers([Option<u32>; 4]),
}

/// The byte of a format without alpha that no component is in.
const UNUSED_BYTE: u64 = 255;

impl Format {
    /// The texel outside of an image.
    pub(crate) fn border(self) -> Texel {
        let alpha = self.order.border_alpha();
        match self.storage.is_integer() {
            true => Texel::Integers([0, 0, 0, u32::from(alpha)].map(Some)),
            false => Texel::Floats([0.0, 0.0, 0.0, f32::from(alpha)].map(Some)),
        }
    }

    /// Reads the texel at a place.
    pub(crate) fn load(self, memory: &Memory, place: Pointer) -> Result<Texel, Fault> {
        memory.note_texel(Access::Read, place, self.texel_size());
        let size = self.channel_size();
        if let Storage::Packed(_, bits) = self.storage {
            let number = memory.load_word(place, size)?;
            return Ok(Texel::Floats(unpacked(number, bits)));
        }
        let mut channels = [None; 4];
        for (slot, &component) in self.order.channels().iter().enumerate() {
            channels[component] = Some(memory.load_word(place.advanced((slot as u64 * size).cast_signed()), size)?);
        }
        Ok(match self.storage.is_integer() {
            true => Texel::Integers(self.spread(channels, |_, bits| self.integer(bits), [0, 1])),
            false => Texel::Floats(self.spread(channels, |component, bits| self.float(component, bits), [0.0, 1.0])),
        })
    }

    /// The components of channels: a missing one is the first of `missing`, and a missing alpha the second.
    fn spread<T: Copy>(
        self,
        channels: [Option<Option<u64>>; 4],
        number: impl Fn(usize, u64) -> T,
        missing: [T; 2],
    ) -> [Option<T>; 4] {
        let from = |component: usize| match (self.order, component) {
            (Order::Intensity, _) | (Order::Luminance, 0..3) => 0,
            _ => component,
        };
        std::array::from_fn(|component| match channels[from(component)] {
            Some(bits) => bits.map(|bits| number(component, bits)),
            None => Some(missing[usize::from(component == 3)]),
        })
    }

    fn integer(self, bits: u64) -> u32 {
        match self.storage {
            Storage::Signed(width) => numbers::from_signed(width, bits),
            _ => bits as u32,
        }
    }

    fn float(self, component: usize, bits: u64) -> f32 {
        match self.storage {
            Storage::Unorm(width) if self.order.is_srgb() && component < 3 => {
                srgb::decoded(numbers::from_unorm(width, bits))
            }
            Storage::Unorm(width) => numbers::from_unorm(width, bits),
            Storage::Snorm(width) => numbers::from_snorm(width, bits),
            Storage::Half => numbers::from_half(bits),
            _ => f32::from_bits(bits as u32),
        }
    }

    /// Writes the texel at a place. Components that the format does not have are ignored.
    pub(crate) fn store(self, memory: &mut Memory, place: Pointer, texel: Texel) -> Result<(), Fault> {
        let size = self.channel_size();
        if let (Storage::Packed(_, bits), Texel::Floats(components)) = (self.storage, texel) {
            let undefined = components[..3].iter().position(Option::is_none);
            memory.store_channel(place, size, packed(components, bits).ok_or(undefined.unwrap_or(0)))?;
        } else {
            for (slot, &component) in self.order.channels().iter().enumerate() {
                let bits = match texel {
                    Texel::Floats(floats) => floats[component].map(|float| self.float_bits(component, float)),
                    Texel::Integers(integers) => integers[component].map(|integer| self.integer_bits(integer)),
                };
                let place = place.advanced((slot as u64 * size).cast_signed());
                memory.store_channel(place, size, bits.ok_or(component))?;
            }
        }
        if self.order == Order::Srgbx {
            memory.store_channel(place.advanced(3), size, Ok(UNUSED_BYTE))?;
        }
        memory.note_texel(Access::Write, place, self.texel_size());
        Ok(())
    }

    fn float_bits(self, component: usize, number: f32) -> u64 {
        match self.storage {
            Storage::Unorm(width) if self.order.is_srgb() && component < 3 => {
                numbers::to_unorm(width, srgb::encoded(number))
            }
            Storage::Unorm(width) => numbers::to_unorm(width, number),
            Storage::Snorm(width) => numbers::to_snorm(width, number),
            Storage::Half => numbers::to_half(number),
            _ => u64::from(number.to_bits()),
        }
    }

    fn integer_bits(self, number: u32) -> u64 {
        match self.storage {
            Storage::Signed(width) => numbers::to_signed(width, number),
            Storage::Unsigned(width) => numbers::to_unsigned(width, number),
            _ => u64::from(number),
        }
    }
}

/// Red, green and blue of one number: red is in the highest of their bits.
fn unpacked(number: Option<u64>, [red, green, blue]: [u32; 3]) -> [Option<f32>; 4] {
    let channel =
        |shift: u32, bits: u32| number.map(|number| numbers::from_unorm(bits, number >> shift & ((1 << bits) - 1)));
    [channel(green + blue, red), channel(blue, green), channel(0, blue), Some(1.0)]
}

/// One number of red, green and blue; `None` if one is undefined.
fn packed(components: [Option<f32>; 4], bits: [u32; 3]) -> Option<u64> {
    let channels = components.iter().zip(bits);
    let add = |number: u64, (component, bits): (&Option<f32>, u32)| {
        Some(number << bits | numbers::to_unorm(bits, (*component)?))
    };
    channels.into_iter().try_fold(0, add)
}
