//! Arguments of kernels on memory of the caller: slices, values, images on slices, samplers.

use std::marker::PhantomData;

use reconverge_lanes_cpu::MemoryRange;
use reconverge_opencl::ImageFormat;

use crate::RunError;
use crate::launch::{Sampler, format_name, image_shape};

/// An argument of a kernel, which is not local memory: a slice, a value, an image, a sampler.
#[derive(Debug)]
pub struct Argument<'a> {
    pub(super) content: Content,
    lifetime: PhantomData<&'a mut [u8]>,
}

/// What an argument is.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Content {
    Memory { range: MemoryRange, element: u64 },
    Value(Vec<u8>),
    Image { range: MemoryRange, element: u64, format: ImageFormat, size: Vec<u32>, shape: [u32; 5] },
    Sampler(Sampler),
}

impl<'a> Argument<'a> {
    /// An image whose texels are a slice, row after row and slice after slice without gaps. The sizes are width, height, depth, as many as it has;
    /// layers are the last.
    ///
    /// ```
    /// use reconverge_run::cpu::{Argument, ImageFormat, format_named};
    ///
    /// let mut texels = vec![0_u8; 4 * 64 * 32];
    /// let format: ImageFormat = format_named("rgba8").unwrap();
    /// assert!(Argument::image(&mut texels[..], format, &[64, 32]).is_ok());
    /// assert!(Argument::image(&mut texels[..], format, &[64, 64]).is_err());
    /// ```
    ///
    /// # Errors
    /// There is no image of this format and size, or the slice does not have its size.
    pub fn image(texels: impl Into<Argument<'a>>, format: ImageFormat, size: &[u32]) -> Result<Argument<'a>, RunError> {
        let shape = image_shape(format, size).map_err(RunError::launch)?;
        let [_, _, depth, _, slice] = shape;
        let bytes = u64::from(depth) * u64::from(slice);
        match texels.into().content {
            Content::Memory { range, element } if range.bytes == bytes => {
                let content = Content::Image { range, element, format, size: size.to_vec(), shape };
                Ok(Argument { content, lifetime: PhantomData })
            }
            Content::Memory { range, .. } => {
                let name = format_name(format);
                let message =
                    format!("an image of {name} with the sizes {size:?} has {bytes} bytes, not {}", range.bytes);
                Err(RunError::launch(message))
            }
            _ => Err(RunError::launch("the texels of an image are a slice")),
        }
    }
}

impl Argument<'_> {
    /// A sampler.
    pub fn sampler(sampler: Sampler) -> Argument<'static> {
        Argument { content: Content::Sampler(sampler), lifetime: PhantomData }
    }

    /// A value in the layout of OpenCL: a vector or a struct.
    pub fn bytes(value: &[u8]) -> Argument<'static> {
        Argument { content: Content::Value(value.to_vec()), lifetime: PhantomData }
    }

    /// The memory of a slice.
    pub(super) fn range(&self) -> Option<MemoryRange> {
        self.memory().map(|memory| memory.range)
    }

    /// The memory of a slice, and the bytes of its elements.
    pub(super) fn memory(&self) -> Option<Slice> {
        match self.content {
            Content::Memory { range, element } | Content::Image { range, element, .. } => {
                Some(Slice { range, element })
            }
            Content::Value(_) | Content::Sampler(_) => None,
        }
    }
}

/// The memory of a slice.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Slice {
    pub(super) range: MemoryRange,
    /// The bytes of an element.
    pub(super) element: u64,
}

/// A slice.
fn memory<'a>(range: MemoryRange, element: usize) -> Argument<'a> {
    Argument { content: Content::Memory { range, element: element as u64 }, lifetime: PhantomData }
}

macro_rules! arguments {
    ($($number:ty)*) => { $(
        /// A buffer.
        impl<'a> From<&'a mut [$number]> for Argument<'a> {
            fn from(buffer: &'a mut [$number]) -> Argument<'a> {
                let (address, bytes) = (buffer.as_mut_ptr() as u64, size_of_val(buffer) as u64);
                memory(MemoryRange { address, bytes, is_writable: true }, size_of::<$number>())
            }
        }

        /// A buffer that the kernel only reads.
        impl<'a> From<&'a [$number]> for Argument<'a> {
            fn from(buffer: &'a [$number]) -> Argument<'a> {
                let (address, bytes) = (buffer.as_ptr() as u64, size_of_val(buffer) as u64);
                memory(MemoryRange { address, bytes, is_writable: false }, size_of::<$number>())
            }
        }

        /// A number.
        impl From<$number> for Argument<'static> {
            fn from(number: $number) -> Argument<'static> {
                Argument::bytes(&number.to_le_bytes())
            }
        }
    )* };
}

arguments!(u8 i8 u16 i16 u32 i32 u64 i64 f32 f64);
