//! From the texels of an image to a picture.
//!
//! Normalized channels and unsigned integers of 8 and 16 bits are samples as they are. Floating-point numbers are limited to 0 to 1, of which a sample has 8 bits.

use half::f16;
use reconverge_opencl::{ChannelType, ImageFormat};

use crate::launch::Image;
use crate::launch::format_name::format_name;
use crate::launch::picture::{Colours, Depth, Picture, Role, packed, roles, scaled};

/// The reason why an image is no picture, if it is none.
pub(crate) fn misfit(image: &Image) -> Option<String> {
    let name = format_name(image.format);
    if image.size.len() != 2 {
        return Some(format!("a picture has two dimensions, and {image} has {}", image.size.len()));
    }
    if roles(image.format.order).is_none() {
        return Some(format!("no picture has red and green alone, as {name} has"));
    }
    depth_of(image.format).is_none().then(|| format!("no picture has channels as those of {name}"))
}

/// The picture of an image. `bytes` are its texels. Linear in them.
///
/// # Errors
/// The [`misfit`]; texels that are not those of the image.
pub(crate) fn picture_of(image: &Image, bytes: &[u8]) -> Result<Picture, String> {
    let no_picture = || misfit(image).unwrap_or_else(|| format!("{image} is no picture"));
    let roles = roles(image.format.order).ok_or_else(no_picture)?;
    let (Some(depth), &[width, height]) = (depth_of(image.format), &image.size[..]) else { return Err(no_picture()) };
    let texel = image.format.texel_size().ok_or_else(no_picture)? as usize;
    if bytes.len() != image.buffer.count * image.buffer.element.size() || image.check().is_err() {
        return Err(format!("{image} does not have {} bytes", bytes.len()));
    }
    let (colours, order): (Colours, &[Role]) = match roles {
        [Role::Gray] => (Colours::Gray, &[Role::Gray]),
        [Role::Gray, _] => (Colours::GrayAlpha, &[Role::Gray, Role::Alpha]),
        _ if roles.contains(&Role::Alpha) => (Colours::Rgba, &[Role::Red, Role::Green, Role::Blue, Role::Alpha]),
        _ => (Colours::Rgb, &[Role::Red, Role::Green, Role::Blue]),
    };
    let channels: Vec<usize> = order.iter().filter_map(|role| roles.iter().position(|found| found == role)).collect();
    let mut samples = Vec::with_capacity(width as usize * height as usize * colours.samples() * depth.bytes());
    for texel in bytes.chunks_exact(texel) {
        for &channel in &channels {
            let sample = match packed(image.format.data_type) {
                None => sample(texel, channel, image.format.data_type),
                Some(places) => {
                    let (bits, below) = places[channel];
                    let most = (1 << bits) - 1;
                    scaled(word(texel) >> below & most, most, depth.most())
                }
            };
            match depth {
                Depth::Eight => samples.push(sample as u8),
                Depth::Sixteen => samples.extend_from_slice(&(sample as u16).to_be_bytes()),
            }
        }
    }
    Ok(Picture { width, height, colours, depth, bytes: samples })
}

/// The bits of the samples of a picture, if its channels are those of one.
fn depth_of(format: ImageFormat) -> Option<Depth> {
    match format.data_type {
        ChannelType::Unorm8
        | ChannelType::Uint8
        | ChannelType::Half
        | ChannelType::Float
        | ChannelType::Unorm565
        | ChannelType::Unorm555 => Some(Depth::Eight),
        ChannelType::Unorm16 | ChannelType::Uint16 | ChannelType::Unorm101010 => Some(Depth::Sixteen),
        ChannelType::Snorm8
        | ChannelType::Snorm16
        | ChannelType::Sint8
        | ChannelType::Sint16
        | ChannelType::Sint32
        | ChannelType::Uint32 => None,
    }
}

/// The sample of a channel.
fn sample(texel: &[u8], channel: usize, data_type: ChannelType) -> u32 {
    let size = data_type.bytes() as usize;
    let bits = word(&texel[channel * size..(channel + 1) * size]);
    // NaN becomes 0.
    let of_fraction = |number: f32| (number.clamp(0.0, 1.0) * 255.0).round_ties_even() as u32;
    match data_type {
        ChannelType::Half => of_fraction(f16::from_bits(bits as u16).to_f32()),
        ChannelType::Float => of_fraction(f32::from_bits(bits)),
        _ => bits,
    }
}

fn word(bytes: &[u8]) -> u32 {
    bytes.iter().rev().fold(0, |word, &byte| word << 8 | u32::from(byte))
}
