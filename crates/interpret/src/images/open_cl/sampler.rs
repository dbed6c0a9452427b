//! Samplers: how coordinates become texels (OpenCL C 3.0, section 6.15.15.1, and SPIR-V, `OpConstantSampler`).
//!
//! ```text
//! CLK_NORMALIZED_COORDS_TRUE | CLK_ADDRESS_REPEAT | CLK_FILTER_LINEAR
//!              1             |         6          |       0x20           = 0x27
//! ```

use reconverge_ir::{Inst, Module, view};
use spirv::{SamplerAddressingMode, SamplerFilterMode};

/// A sampler.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Sampler {
    pub(crate) scale: Scale,
    pub(crate) addressing: Addressing,
    pub(crate) filter: Filter,
}

/// The unit of coordinates.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Scale {
    /// The whole image is 0 to 1.
    Normalized,
    /// A texel is 1 wide.
    Texels,
}

/// The meaning of coordinates outside of the image.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Addressing {
    /// The program promises that there are none.
    None,
    ClampToEdge,
    /// Outside is the border colour.
    Clamp,
    Repeat,
    MirroredRepeat,
}

/// The texels that make a result.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Filter {
    Nearest,
    Linear,
}

const NORMALIZED_BIT: u32 = 1;
const ADDRESSING_BITS: u32 = 0xe;

impl Sampler {
    /// The sampler with these bits of OpenCL C, if there is one.
    pub(crate) fn of_bits(bits: u32) -> Option<Sampler> {
        let addressing = match bits & ADDRESSING_BITS {
            0 => Addressing::None,
            2 => Addressing::ClampToEdge,
            4 => Addressing::Clamp,
            6 => Addressing::Repeat,
            8 => Addressing::MirroredRepeat,
            _ => return None,
        };
        let filter = match bits & !(ADDRESSING_BITS | NORMALIZED_BIT) {
            0x10 => Filter::Nearest,
            0x20 => Filter::Linear,
            _ => return None,
        };
        let scale = if bits & NORMALIZED_BIT != 0 { Scale::Normalized } else { Scale::Texels };
        Some(Sampler { scale, addressing, filter })
    }

    /// The sampler that a constant is.
    pub(crate) fn of_constant(module: &Module, constant: Inst) -> Option<Sampler> {
        let view::ConstantSampler { addressing_mode, normalized, filter_mode, .. } =
            view::ConstantSampler::of(module, constant)?;
        let addressing = match addressing_mode? {
            SamplerAddressingMode::None => Addressing::None,
            SamplerAddressingMode::ClampToEdge => Addressing::ClampToEdge,
            SamplerAddressingMode::Clamp => Addressing::Clamp,
            SamplerAddressingMode::Repeat => Addressing::Repeat,
            SamplerAddressingMode::RepeatMirrored => Addressing::MirroredRepeat,
        };
        let filter = match filter_mode? {
            SamplerFilterMode::Nearest => Filter::Nearest,
            SamplerFilterMode::Linear => Filter::Linear,
        };
        Some(Sampler { scale: if normalized != 0 { Scale::Normalized } else { Scale::Texels }, addressing, filter })
    }

    /// Returns whether coordinates that are floats have a meaning: a texel repeats only if the whole image is 0 to 1.
    pub(crate) fn takes_floats(self) -> bool {
        self.scale == Scale::Normalized || !self.repeats()
    }

    /// Returns whether coordinates that are integers have a meaning.
    pub(crate) fn takes_integers(self) -> bool {
        self.scale == Scale::Texels && self.filter == Filter::Nearest && !self.repeats()
    }

    fn repeats(self) -> bool {
        matches!(self.addressing, Addressing::Repeat | Addressing::MirroredRepeat)
    }
}
