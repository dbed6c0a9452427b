//! An image of a launch: what must fit for its texels to be bytes of a buffer (OpenCL 3.0, section 5.3.1.2), and where each texel is.
//!
//! ```text
//! size 3 × 2, texels of 4 bytes, row pitch 16:   t t t · │ t t t ·     the last row ends after its last texel
//! ```

use std::fmt;

use crate::Pointer;
use crate::images::open_cl::KernelImage;
use crate::images::open_cl::format::{Format, Order};
use crate::images::open_cl::shape::{Contents, Shape};

/// An image whose texels are bytes of a buffer.
#[derive(Clone, Copy, Debug)]
pub(crate) struct BoundImage {
    pub(crate) shape: Shape,
    pub(crate) format: Format,
    pub(crate) size: [u32; 3],
    row_pitch: u32,
    slice_pitch: u32,
    buffer: Pointer,
    /// The argument that it is.
    argument: usize,
}

/// A texel that a program must not access: it is outside of the image.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct FailedTexel {
    /// The argument of the launch that the image is.
    pub argument: usize,
    /// The coordinates of the texel; 0 along an axis that the image does not have.
    pub texel: [i64; 3],
    /// The size of the image.
    pub size: [u32; 3],
}

/// A buffer with its length in bytes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ImageBuffer {
    pub(crate) start: Pointer,
    pub(crate) length: u64,
}

impl BoundImage {
    /// An image in a buffer; otherwise what does not fit.
    pub(crate) fn new(
        shape: Shape,
        image: &KernelImage,
        buffer: ImageBuffer,
        argument: usize,
    ) -> Result<BoundImage, String> {
        let &KernelImage { order, data_type, size, row_pitch, slice_pitch } = image;
        let format = Format::of(order, data_type)
            .ok_or_else(|| format!("the channel order {order:#x} with the channel type {data_type:#x} is no format"))?;
        match (shape.contents, format.order) {
            (Contents::Depths, Order::Depth) => {}
            (Contents::Depths, _) => {
                return Err(format!("an image of depths has the channel order 0x10bd, this one {order:#x}"));
            }
            (Contents::Colors, Order::Depth) => {
                return Err(
                    "the channel order 0x10bd is one of depths, and the parameter an image of colours".to_owned()
                );
            }
            _ => {}
        }
        let [width, height, depth] = size;
        if size.contains(&0) || size[shape.coordinates()..].iter().any(|&length| length != 1) {
            return Err(format!("{} cannot have {width} × {height} × {depth} texels", shape.name()));
        }
        let [width, height, depth] = size.map(u128::from);
        let (row_pitch, slice_pitch) = (u128::from(row_pitch), u128::from(slice_pitch));
        let row = width * u128::from(format.texel_size());
        if height > 1 && row_pitch < row {
            return Err(format!("a row has {row} bytes, more than the row pitch of {row_pitch}"));
        }
        let slice = (height - 1) * row_pitch + row;
        if depth > 1 && slice_pitch < slice {
            return Err(format!("a slice has {slice} bytes, more than the slice pitch of {slice_pitch}"));
        }
        let end = (depth - 1) * slice_pitch + slice;
        if end > u128::from(buffer.length) {
            return Err(format!("the image has {end} bytes, and its buffer {}", buffer.length));
        }
        let &KernelImage { row_pitch, slice_pitch, .. } = image;
        Ok(BoundImage { shape, format, size, row_pitch, slice_pitch, buffer: buffer.start, argument })
    }

    /// The first byte of a texel inside of the image.
    pub(crate) fn place(&self, [x, y, z]: [u32; 3]) -> Pointer {
        let [x, y, z] = [x, y, z].map(u64::from);
        let offset = z * u64::from(self.slice_pitch) + y * u64::from(self.row_pitch) + x * self.format.texel_size();
        self.buffer.advanced(offset.cast_signed())
    }

    /// The texel at integer coordinates; otherwise which one is not there.
    pub(crate) fn texel(&self, coordinates: &[i64]) -> Result<[u32; 3], FailedTexel> {
        let mut texel = [0; 3];
        texel.iter_mut().zip(coordinates).for_each(|(to, &from)| *to = from);
        let inside = |axis: usize| u32::try_from(texel[axis]).ok().filter(|&at| at < self.size[axis]);
        match [0, 1, 2].map(inside) {
            [Some(x), Some(y), Some(z)] => Ok([x, y, z]),
            _ => Err(FailedTexel { argument: self.argument, texel, size: self.size }),
        }
    }
}

impl fmt::Display for FailedTexel {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ([x, y, z], [width, height, depth]) = (self.texel, self.size);
        let argument = self.argument;
        write!(
            formatter,
            "texel ({x}, {y}, {z}) of the image of argument {argument}, which has {width} × {height} × {depth} texels"
        )
    }
}
