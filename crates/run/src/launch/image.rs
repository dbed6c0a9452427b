//! Images among the arguments: a buffer of texels without gaps, a format and a size.
//!
//! ```text
//! image:rg8[3,2]   texel (0,0) (1,0) (2,0) (0,1) (1,1) (2,1), each r g   ⇒   a buffer u8[12], rows of 6 bytes
//! ```

use std::fmt;

use reconverge_opencl::{ChannelType, ImageFormat};

use crate::launch::format_name::format_name;
use crate::launch::{Buffer, Element, Role, Rule};

/// An image.
#[derive(Clone, PartialEq, Debug)]
pub struct Image {
    /// Its texels, row after row and slice after slice. An element is a channel, or the texel if its channels are in one number.
    pub buffer: Buffer,
    /// The format of a texel.
    pub format: ImageFormat,
    /// Its sizes in texels: width, height, depth, as many as it has; layers are the last. It is empty if its file, which is not read, has them.
    pub size: Vec<u32>,
}

impl Image {
    /// The maximal size in bytes: one less than 2 GiB.
    pub const LIMIT: u64 = i32::MAX as u64;

    /// An image without a name. Its buffer is as large as its texels, or empty if there is no size.
    ///
    /// # Errors
    /// The image is too large, it has more than three sizes, one of them is zero, or there is no such format.
    pub fn new(format: ImageFormat, size: Vec<u32>, rule: Rule, role: Role) -> Result<Image, String> {
        let count = match size[..] {
            [] => 0,
            _ => elements(format, &size)?,
        };
        let buffer = Buffer { name: None, element: element_of(format), count, rule, role };
        Ok(Image { buffer, format, size })
    }

    /// Checks that size, format and buffer fit one another.
    ///
    /// # Errors
    /// Those of [`Image::new`]; a buffer of another size or with other elements than the texels have.
    pub fn check(&self) -> Result<(), String> {
        let count = elements(self.format, &self.size)?;
        let Buffer { element, count: found, .. } = self.buffer;
        if (element, found) != (element_of(self.format), count) {
            let (wanted, element) = (element_of(self.format).name(), element.name());
            return Err(format!("{self} has texels of {wanted}[{count}], and its buffer is {element}[{found}]"));
        }
        Ok(())
    }

    /// Width, height, depth; those that it does not have are 1.
    pub fn extent(&self) -> [u32; 3] {
        extent(&self.size)
    }

    /// The numbers that describe it to a kernel: width, height, depth in texels, and the bytes from one row and from one slice to the next.
    ///
    /// # Errors
    /// Those of [`Image::new`].
    pub fn shape(&self) -> Result<[u32; 5], String> {
        shape(self.format, &self.size)
    }

    /// The sizes of its array of NumPy: height, width, channels for two dimensions; depth before them for three.
    pub fn array_shape(&self) -> Vec<u64> {
        let channels = channels(self.format);
        let sizes = self.size.iter().rev().map(|&size| u64::from(size));
        sizes.chain((channels > 1).then_some(channels as u64)).collect()
    }

    /// The place of an element of its buffer: `texel [3,1]`.
    pub fn place(&self, element: usize) -> String {
        let mut texel = element / channels(self.format);
        let mut place = Vec::new();
        for &size in &self.size {
            place.push((texel % size.max(1) as usize).to_string());
            texel /= size.max(1) as usize;
        }
        format!("texel [{}]", place.join(","))
    }
}

impl fmt::Display for Image {
    /// As on the command line, without contents: `image:rgba8[512,512]`.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "image:{}{}", format_name(self.format), sizes_text(&self.size))
    }
}

/// Sizes as on the command line.
pub(crate) fn sizes_text(sizes: &[u32]) -> String {
    let sizes: Vec<String> = sizes.iter().map(u32::to_string).collect();
    format!("[{}]", sizes.join(","))
}

/// The type of the number of a channel, or of a texel in one number.
pub fn element_of(format: ImageFormat) -> Element {
    match format.data_type {
        ChannelType::Snorm8 | ChannelType::Sint8 => Element::I8,
        ChannelType::Snorm16 | ChannelType::Sint16 => Element::I16,
        ChannelType::Sint32 => Element::I32,
        ChannelType::Unorm8 | ChannelType::Uint8 => Element::U8,
        ChannelType::Unorm16 | ChannelType::Uint16 | ChannelType::Unorm565 | ChannelType::Unorm555 => Element::U16,
        ChannelType::Uint32 | ChannelType::Unorm101010 => Element::U32,
        ChannelType::Half => Element::F16,
        ChannelType::Float => Element::F32,
    }
}

/// The numbers of a texel.
pub(crate) fn channels(format: ImageFormat) -> usize {
    if format.data_type.is_packed() { 1 } else { format.order.channels() as usize }
}

/// Three sizes; those that are missing are 1.
fn extent(size: &[u32]) -> [u32; 3] {
    let mut extent = [1; 3];
    extent.iter_mut().zip(size).for_each(|(one, &size)| *one = size);
    extent
}

/// The elements of the buffer of an image.
fn elements(format: ImageFormat, size: &[u32]) -> Result<usize, String> {
    let [_, _, depth, _, slice] = shape(format, size)?;
    Ok(depth as usize * slice as usize / element_of(format).size())
}

/// The sizes of an image, the bytes of a row, and those of a slice.
///
/// # Errors
/// There is no image of this format and size.
pub(crate) fn shape(format: ImageFormat, size: &[u32]) -> Result<[u32; 5], String> {
    if size.is_empty() || size.len() > 3 {
        return Err(format!("an image has one to three sizes, not {}, like image:rgba8[512,512]", size.len()));
    }
    if size.contains(&0) {
        return Err(format!("each size of an image is at least 1, not {}", sizes_text(size)));
    }
    let texel = format.texel_size().ok_or_else(|| format!("OpenCL has no format {}", format_name(format)))?;
    let [width, height, depth] = extent(size);
    let row = u64::from(width).checked_mul(texel.into());
    let slice = row.and_then(|row| row.checked_mul(height.into()));
    let bytes = slice.and_then(|slice| slice.checked_mul(depth.into())).filter(|&bytes| bytes <= Image::LIMIT);
    // No part is larger than the whole.
    match (row, slice, bytes) {
        (Some(row), Some(slice), Some(_)) => Ok([width, height, depth, row as u32, slice as u32]),
        _ => Err(format!(
            "an image has fewer than 2 GiB, and image:{}{} has more",
            format_name(format),
            sizes_text(size)
        )),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::launch::format_name::format_named;

    #[test]
    fn an_image_is_as_large_as_its_texels() {
        let image = |name: &str, size: &[u32]| {
            Image::new(format_named(name).expect(name), size.to_vec(), Rule::Zero, Role::Input)
        };
        let three = image("rg16f", &[3, 2, 5]).expect("an image");
        assert_eq!((three.buffer.element, three.buffer.count), (Element::F16, 60));
        assert_eq!(three.shape(), Ok([3, 2, 5, 12, 24]));
        assert_eq!(three.array_shape(), [5, 2, 3, 2]);
        assert_eq!((three.to_string().as_str(), three.place(59)), ("image:rg16f[3,2,5]", "texel [2,1,4]".to_owned()));
        assert_eq!(image("rgb565", &[7]).expect("an image").array_shape(), [7]);
        for format in ImageFormat::all() {
            let image = Image::new(format, vec![3, 2], Rule::Zero, Role::Output).expect("an image");
            let texel = format.texel_size().expect("a format") as usize;
            assert_eq!(image.buffer.count * image.buffer.element.size(), 6 * texel);
            assert_eq!(channels(format) * image.buffer.element.size(), texel);
            assert_eq!(image.check(), Ok(()));
        }
        for size in [&[0][..], &[4, 0], &[1, 2, 3, 4], &[u32::MAX, u32::MAX, u32::MAX], &[32768, 32768, 1]] {
            assert!(image("rgba8", size).is_err(), "{size:?}");
        }
        assert!(image("r8", &[i32::MAX as u32]).is_ok() && image("r8", &[1 << 31]).is_err());
    }
}
