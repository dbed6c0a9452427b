//! From a picture to the texels of an image.
//!
//! ```text
//! format   channel of a sample s, of the most m    a channel that the picture does not have
//! unorm    s/m in the steps of the format          alpha is 1
//! snorm    s/m, never negative                     alpha is 1
//! uint     s                                       alpha is m
//! float    s/m                                     alpha is 1
//! sRGB     as unorm: pictures hold such numbers    alpha is 1
//! ```

use half::f16;
use reconverge_opencl::{ChannelOrder, ChannelType, ImageFormat};

use crate::launch::format_name::format_name;
use crate::launch::picture::{Colours, Depth, Picture, Role, packed, roles, scaled};

/// The texels of a picture in a format, without gaps. Linear in the pixels.
///
/// # Errors
/// The format does not have what the picture has; the message says which formats do.
pub(crate) fn texels(picture: &Picture, format: ImageFormat) -> Result<Vec<u8>, String> {
    let roles = roles(format.order).ok_or_else(|| {
        format!("no picture has red and green alone, as {} has: give an array .npy", format_name(format))
    })?;
    check(picture, format, roles)?;
    let most = picture.depth.most();
    let texel = format.texel_size().unwrap_or_default() as usize;
    let mut bytes = Vec::with_capacity(picture.width as usize * picture.height as usize * texel);
    for pixel in picture.pixels() {
        match packed(format.data_type) {
            None => roles.iter().for_each(|&role| push(pixel.sample(role, most), most, format.data_type, &mut bytes)),
            Some(places) => {
                let parts = roles.iter().zip(places);
                let parts = parts
                    .map(|(&role, (bits, below))| scaled(pixel.sample(role, most), most, (1 << bits) - 1) << below);
                let number: u32 = parts.sum();
                bytes.extend_from_slice(&number.to_le_bytes()[..texel]);
            }
        }
    }
    Ok(bytes)
}

/// Checks that the format has all that the picture has.
fn check(picture: &Picture, format: ImageFormat, roles: &[Role]) -> Result<(), String> {
    let name = format_name(format);
    let with = |data_type| format_name(ImageFormat { data_type, ..format });
    let no_sign = |unsigned| {
        let other = with(unsigned);
        Err(format!("a picture has no signed integers, as {name} has: write {other}, or give an array .npy"))
    };
    match format.data_type {
        ChannelType::Sint8 => return no_sign(ChannelType::Uint8),
        ChannelType::Sint16 => return no_sign(ChannelType::Uint16),
        ChannelType::Sint32 => return no_sign(ChannelType::Uint32),
        ChannelType::Uint8 if picture.depth == Depth::Sixteen => {
            let other = with(ChannelType::Uint16);
            return Err(format!("the picture has 16 bits in a channel, and {name} has 8: write {other}"));
        }
        _ => {}
    }
    let has_colours = matches!(picture.colours, Colours::Rgb | Colours::Rgba);
    if has_colours && roles.contains(&Role::Gray) {
        let other = format_name(ImageFormat { order: ChannelOrder::Rgba, ..format });
        return Err(format!(
            "the picture has red, green and blue, and {name} has one colour: write {other}, or make the picture gray"
        ));
    }
    let is_transparent = || {
        let most = picture.depth.most();
        picture.pixels().any(|pixel| pixel.sample(Role::Alpha, most) != most)
    };
    if !roles.contains(&Role::Alpha) && is_transparent() {
        let other = if has_colours { "rgba8" } else { "ra8" };
        return Err(format!(
            "the picture is transparent in places, and {name} has no alpha: write a format like {other}, or make the picture opaque"
        ));
    }
    Ok(())
}

/// A pixel of a picture.
struct Pixel<'a> {
    bytes: &'a [u8],
    colours: Colours,
    depth: Depth,
}

impl Picture {
    fn pixels(&self) -> impl Iterator<Item = Pixel<'_>> {
        let size = self.colours.samples() * self.depth.bytes();
        self.bytes.chunks_exact(size).map(|bytes| Pixel { bytes, colours: self.colours, depth: self.depth })
    }
}

impl Pixel<'_> {
    /// The sample of a channel; `most` if the picture does not have it.
    fn sample(&self, role: Role, most: u32) -> u32 {
        let index = match (self.colours, role) {
            (Colours::Gray | Colours::GrayAlpha, Role::Gray | Role::Red | Role::Green | Role::Blue) => 0,
            (Colours::Rgb | Colours::Rgba, Role::Gray | Role::Red) => 0,
            (Colours::Rgb | Colours::Rgba, Role::Green) => 1,
            (Colours::Rgb | Colours::Rgba, Role::Blue) => 2,
            (Colours::GrayAlpha, Role::Alpha) => 1,
            (Colours::Rgba, Role::Alpha) => 3,
            (_, Role::Alpha | Role::Unused) => return most,
        };
        match self.depth {
            Depth::Eight => u32::from(self.bytes[index]),
            Depth::Sixteen => u32::from(u16::from_be_bytes([self.bytes[2 * index], self.bytes[2 * index + 1]])),
        }
    }
}

/// Appends a channel, little-endian.
fn push(sample: u32, most: u32, data_type: ChannelType, bytes: &mut Vec<u8>) {
    let fraction = || sample as f32 / most as f32;
    let number = match data_type {
        ChannelType::Unorm8 => scaled(sample, most, 0xff),
        ChannelType::Unorm16 => scaled(sample, most, 0xffff),
        ChannelType::Snorm8 => scaled(sample, most, 0x7f),
        ChannelType::Snorm16 => scaled(sample, most, 0x7fff),
        ChannelType::Half => f16::from_f64(f64::from(sample) / f64::from(most)).to_bits().into(),
        ChannelType::Float => fraction().to_bits(),
        _ => sample,
    };
    bytes.extend_from_slice(&number.to_le_bytes()[..data_type.bytes() as usize]);
}
