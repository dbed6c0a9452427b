//! Pictures as files of pictures have them, and images with their texels.
//!
//! ```text
//! PNG ── read_png ──▶ Picture ── texels ──▶ an image of any format that fits
//! PNG ◀── write_png ── Picture ◀── picture_of ── an image of 8 or 16 bits, or of floating-point numbers
//! ```

mod from_texels;
mod to_texels;

use reconverge_opencl::{ChannelOrder, ChannelType};

pub(crate) use from_texels::{misfit, picture_of};
pub(crate) use to_texels::texels;

/// A picture: rows from top to bottom.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Picture {
    /// Pixels of a row.
    pub(crate) width: u32,
    /// Rows.
    pub(crate) height: u32,
    /// The samples of a pixel.
    pub(crate) colours: Colours,
    /// The bits of a sample.
    pub(crate) depth: Depth,
    /// All samples; those of 16 bits are big-endian, as PNG has them.
    pub(crate) bytes: Vec<u8>,
}

/// The samples of a pixel.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Colours {
    Gray,
    GrayAlpha,
    Rgb,
    Rgba,
}

/// The bits of a sample.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Depth {
    Eight,
    Sixteen,
}

impl Colours {
    /// The samples of a pixel.
    pub(crate) const fn samples(self) -> usize {
        match self {
            Colours::Gray => 1,
            Colours::GrayAlpha => 2,
            Colours::Rgb => 3,
            Colours::Rgba => 4,
        }
    }
}

impl Depth {
    /// The bytes of a sample.
    pub(crate) const fn bytes(self) -> usize {
        match self {
            Depth::Eight => 1,
            Depth::Sixteen => 2,
        }
    }

    /// The largest sample.
    pub(crate) const fn most(self) -> u32 {
        match self {
            Depth::Eight => 0xff,
            Depth::Sixteen => 0xffff,
        }
    }
}

/// What a channel of a texel is in a picture.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Role {
    /// The only one besides alpha.
    Gray,
    Red,
    Green,
    Blue,
    Alpha,
    /// A byte without meaning.
    Unused,
}

/// The channels of a texel in memory order. `None` for red and green alone, which no picture has.
fn roles(order: ChannelOrder) -> Option<&'static [Role]> {
    use Role::{Alpha, Blue, Gray, Green, Red, Unused};
    Some(match order {
        ChannelOrder::R
        | ChannelOrder::Rx
        | ChannelOrder::A
        | ChannelOrder::Intensity
        | ChannelOrder::Luminance
        | ChannelOrder::Depth => &[Gray],
        ChannelOrder::Ra => &[Gray, Alpha],
        ChannelOrder::Rg | ChannelOrder::Rgx => return None,
        ChannelOrder::Rgb | ChannelOrder::Rgbx => &[Red, Green, Blue],
        ChannelOrder::Rgba | ChannelOrder::Srgba => &[Red, Green, Blue, Alpha],
        ChannelOrder::Bgra | ChannelOrder::Sbgra => &[Blue, Green, Red, Alpha],
        ChannelOrder::Argb => &[Alpha, Red, Green, Blue],
        ChannelOrder::Abgr => &[Alpha, Blue, Green, Red],
        ChannelOrder::Srgbx => &[Red, Green, Blue, Unused],
    })
}

/// The number of `to + 1` steps that is nearest to a number of `from + 1` steps.
fn scaled(number: u32, from: u32, to: u32) -> u32 {
    let (number, from, to) = (u64::from(number), u64::from(from), u64::from(to));
    ((2 * number * to + from) / (2 * from)) as u32
}

/// The places of red, green and blue in a number, each by its bits and what is below it.
fn packed(data_type: ChannelType) -> Option<[(u32, u32); 3]> {
    match data_type {
        ChannelType::Unorm565 => Some([(5, 11), (6, 5), (5, 0)]),
        ChannelType::Unorm555 => Some([(5, 10), (5, 5), (5, 0)]),
        ChannelType::Unorm101010 => Some([(10, 20), (10, 10), (10, 0)]),
        _ => None,
    }
}
