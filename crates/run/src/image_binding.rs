//! Images and samplers of a launch, bound to the interface of a compiled kernel.
//!
//! ```text
//! image:rgba8[4,2]   address ▶ where the kernel reads it, or a binding       the buffer of the texels
//!                    4 2 1 16 32 ▶ five words at `shape`                     width, height, depth, bytes of a row, of a slice
//!                    0x10b5, 0x10d2 ▶ two specialization constants           unless the code is for one format
//! ```

use reconverge_opencl::{ChannelOrder, FormatSource, ImageArgument, ImageFormat, ImageKind, SamplerSource, TexelPlace};

use crate::binding::put;
use crate::launch::{Image, Sampler, format_name};
use crate::{Address, Binding, Contents, DescriptorKind, RunError};

/// What a kernel must know of an image besides its texels.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct ImageBinding {
    /// The numbers at `shape`, little-endian.
    shape: [u8; ImageArgument::SHAPE_SIZE as usize],
    /// The specialization constants of its format.
    constants: Vec<(u32, u32)>,
}

impl ImageBinding {
    /// What a kernel must know of an image of a launch.
    ///
    /// # Errors
    /// The image is not what the kernel is compiled for, as the end of a message about the argument.
    pub(crate) fn of(image: &Image, interface: ImageArgument) -> Result<ImageBinding, String> {
        image.check().map_err(|message| format!("is refused: {message}"))?;
        if let Some(advice) = kind_misfit(interface.kind, image.format, &image.size) {
            return Err(format!("is an {}, but the launch gives {image}; {advice}", interface.kind.name()));
        }
        let words = image.shape().map_err(|message| format!("is refused: {message}"))?;
        Ok(ImageBinding { shape: shape_bytes(words), constants: format_constants(image.format, interface.format)? })
    }

    /// Writes it where the kernel reads it. `buffer` is the one with the texels, `block` has the arguments.
    pub(crate) fn bind(
        self,
        interface: ImageArgument,
        buffer: usize,
        block: &mut Contents,
        binding: &mut Binding,
    ) -> Result<(), RunError> {
        match interface.texels {
            TexelPlace::Address { offset } => {
                // The bytes are checked, since the address is written later.
                put(&mut block.bytes, offset as usize, &[0; 8])?;
                block.addresses.push(Address { at: offset as usize, buffer, target: 0 });
            }
            // The buffer is bound at its beginning: the offset stays 0.
            TexelPlace::Binding { binding: number, .. } => binding.describe(DescriptorKind::Storage, number, buffer),
        }
        put(&mut block.bytes, interface.shape as usize, &self.shape)?;
        binding.specialization.extend(self.constants);
        Ok(())
    }
}

/// The five words of a shape as bytes.
pub(crate) fn shape_bytes(words: [u32; 5]) -> [u8; ImageArgument::SHAPE_SIZE as usize] {
    let mut bytes = [0; ImageArgument::SHAPE_SIZE as usize];
    bytes.chunks_exact_mut(4).zip(words).for_each(|(bytes, word)| bytes.copy_from_slice(&word.to_le_bytes()));
    bytes
}

/// The advice for an image with other dimensions than a kind has, or with depths in place of colours.
pub(crate) fn kind_misfit(kind: ImageKind, format: ImageFormat, size: &[u32]) -> Option<String> {
    let is_depth = format.order == ChannelOrder::Depth;
    let name = match (kind.is_depth(), is_depth) {
        (true, false) => "depth32f".to_owned(),
        (false, true) => "r32f".to_owned(),
        _ => format_name(format),
    };
    let fits = kind.is_depth() == is_depth && size.len() == kind.sizes() as usize;
    (!fits).then(|| format!("write image:{name}{}=CONTENTS", sizes_of(kind)))
}

/// The sizes of a kind, as on the command line.
pub(crate) fn sizes_of(kind: ImageKind) -> &'static str {
    match kind {
        ImageKind::D1 | ImageKind::D1Buffer => "[WIDTH]",
        ImageKind::D1Array => "[WIDTH,LAYERS]",
        ImageKind::D2 | ImageKind::D2Depth => "[WIDTH,HEIGHT]",
        ImageKind::D2Array | ImageKind::D2ArrayDepth => "[WIDTH,HEIGHT,LAYERS]",
        ImageKind::D3 => "[WIDTH,HEIGHT,DEPTH]",
    }
}

/// The specialization constants of a format.
///
/// # Errors
/// The code is for another format, as the end of a message about the argument.
pub(crate) fn format_constants(format: ImageFormat, source: FormatSource) -> Result<Vec<(u32, u32)>, String> {
    match source {
        FormatSource::Specialized { order, data_type } => {
            Ok(vec![(order, format.order as u32), (data_type, format.data_type as u32)])
        }
        FormatSource::Fixed(fixed) if fixed == format => Ok(Vec::new()),
        FormatSource::Fixed(fixed) => {
            let (fixed, format) = (format_name(fixed), format_name(format));
            Err(format!(
                "is compiled for an image of {fixed}, but the launch gives one of {format}: compile the kernel for {format}, or give {fixed}"
            ))
        }
    }
}

/// The specialization constant of a sampler, if the code is not for one sampler.
///
/// # Errors
/// The code is for another sampler, or the sampler is undefined, as the end of a message about the argument.
pub(crate) fn sampler_constant(sampler: Sampler, source: SamplerSource) -> Result<Option<(u32, u32)>, String> {
    sampler.check().map_err(|message| format!("is refused: {message}"))?;
    match source {
        SamplerSource::Specialized(id) => Ok(Some((id, sampler.bits()))),
        SamplerSource::Fixed(bits) if bits == sampler.bits() => Ok(None),
        SamplerSource::Fixed(bits) => {
            let fixed = Sampler::from_bits(bits).map_or_else(|| format!("{bits:#x}"), |fixed| fixed.to_string());
            Err(format!(
                "is compiled for the sampler {fixed}, but the launch gives {sampler}: compile the kernel for it, or give {fixed}"
            ))
        }
    }
}
