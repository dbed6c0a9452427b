//! Pictures in files of PNG (Portable Network Graphics, third edition). Of an animation, the first picture is read; colour profiles and transfer functions are not.

use std::io::Cursor;

use png::{BitDepth, ColorType, Decoder, DecodingError, Encoder, Limits, Transformations};

use crate::launch::Launch;
use crate::launch::picture::{Colours, Depth, Picture};

/// The most bytes of a picture.
const LIMIT: u64 = Launch::BUFFER_LIMIT;

/// The picture of a file. Palettes become colours, and samples of fewer than 8 bits have 8. Linear in the pixels.
///
/// # Errors
/// The file is cut off or invalid, or the picture has more than 1 GiB.
pub(crate) fn read_png(bytes: &[u8]) -> Result<Picture, String> {
    let too_large = || format!("the picture has more than {LIMIT} bytes");
    let broken = |error: DecodingError| match error {
        DecodingError::LimitsExceeded => too_large(),
        DecodingError::IoError(_) => "the file PNG is cut off".to_owned(),
        error => format!("the file PNG is broken: {error}"),
    };
    let limit = usize::try_from(LIMIT).unwrap_or(usize::MAX);
    let mut decoder = Decoder::new_with_limits(Cursor::new(bytes), Limits { bytes: limit });
    decoder.set_transformations(Transformations::EXPAND);
    decoder.set_ignore_text_chunk(true);
    let mut reader = decoder.read_info().map_err(broken)?;
    let size = reader.output_buffer_size().filter(|&size| size <= limit).ok_or_else(too_large)?;
    let mut samples = vec![0; size];
    let info = reader.next_frame(&mut samples).map_err(broken)?;
    samples.truncate(info.buffer_size());
    let colours = match info.color_type {
        ColorType::Grayscale => Colours::Gray,
        ColorType::GrayscaleAlpha => Colours::GrayAlpha,
        ColorType::Rgb => Colours::Rgb,
        ColorType::Rgba => Colours::Rgba,
        ColorType::Indexed => return Err("the file PNG is broken: it has no palette".to_owned()),
    };
    let depth = if info.bit_depth == BitDepth::Sixteen { Depth::Sixteen } else { Depth::Eight };
    let picture = Picture { width: info.width, height: info.height, colours, depth, bytes: samples };
    let pixels = picture.width as usize * picture.height as usize;
    // The first part of an animation may be smaller than the whole.
    match picture.bytes.len() == pixels * colours.samples() * depth.bytes() {
        true => Ok(picture),
        false => Err("the file PNG is broken: rows are missing".to_owned()),
    }
}

/// The file of a picture.
///
/// # Errors
/// The format has no such size.
pub(crate) fn write_png(picture: &Picture) -> Result<Vec<u8>, String> {
    let failed = |error: png::EncodingError| format!("the picture cannot be written: {error}");
    let mut file = Vec::new();
    let mut encoder = Encoder::new(&mut file, picture.width, picture.height);
    encoder.set_color(match picture.colours {
        Colours::Gray => ColorType::Grayscale,
        Colours::GrayAlpha => ColorType::GrayscaleAlpha,
        Colours::Rgb => ColorType::Rgb,
        Colours::Rgba => ColorType::Rgba,
    });
    encoder.set_depth(match picture.depth {
        Depth::Eight => BitDepth::Eight,
        Depth::Sixteen => BitDepth::Sixteen,
    });
    let mut writer = encoder.write_header().map_err(failed)?;
    writer.write_image_data(&picture.bytes).map_err(failed)?;
    writer.finish().map_err(failed)?;
    Ok(file)
}
