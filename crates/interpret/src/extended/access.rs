//! Extended instructions that read or write memory: what they access, and through which operand.

use spirv::{GlslStd450Op as Glsl, OpenclStd100Op as OpenCl};

use crate::extended::Extended;
use crate::extended::two_results::Second;

/// The effect of an instruction on memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ExtendedAccess {
    /// Stores a second result through the last operand.
    Second(Second),
    LoadVector,
    StoreVector,
    LoadHalf(Placement),
    StoreHalf(Placement),
    /// None that a program could observe.
    Prefetch,
}

/// The layout of vectors of halves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Placement {
    /// Consecutive.
    Packed,
    /// At multiples of their size; the size of three is that of four.
    Aligned,
}

impl ExtendedAccess {
    /// `None` for an instruction without memory accesses.
    pub(crate) fn of(op: Extended) -> Option<ExtendedAccess> {
        Some(match op {
            Extended::Glsl(Glsl::Modf) => ExtendedAccess::Second(Second::Modf),
            Extended::Glsl(Glsl::Frexp) => ExtendedAccess::Second(Second::GlslFrexp),
            Extended::OpenCl(OpenCl::fract) => ExtendedAccess::Second(Second::Fract),
            Extended::OpenCl(OpenCl::frexp) => ExtendedAccess::Second(Second::Frexp),
            Extended::OpenCl(OpenCl::lgamma_r) => ExtendedAccess::Second(Second::LnGamma),
            Extended::OpenCl(OpenCl::modf) => ExtendedAccess::Second(Second::Modf),
            Extended::OpenCl(OpenCl::remquo) => ExtendedAccess::Second(Second::Remainder),
            Extended::OpenCl(OpenCl::sincos) => ExtendedAccess::Second(Second::SinCos),
            Extended::OpenCl(OpenCl::vloadn) => ExtendedAccess::LoadVector,
            Extended::OpenCl(OpenCl::vstoren) => ExtendedAccess::StoreVector,
            Extended::OpenCl(OpenCl::vload_half | OpenCl::vload_halfn) => ExtendedAccess::LoadHalf(Placement::Packed),
            Extended::OpenCl(
                OpenCl::vstore_half | OpenCl::vstore_half_r | OpenCl::vstore_halfn | OpenCl::vstore_halfn_r,
            ) => ExtendedAccess::StoreHalf(Placement::Packed),
            Extended::OpenCl(OpenCl::vloada_halfn) => ExtendedAccess::LoadHalf(Placement::Aligned),
            Extended::OpenCl(OpenCl::vstorea_halfn | OpenCl::vstorea_halfn_r) => {
                ExtendedAccess::StoreHalf(Placement::Aligned)
            }
            Extended::OpenCl(OpenCl::prefetch) => ExtendedAccess::Prefetch,
            _ => return None,
        })
    }

    /// The operand number of the pointer.
    pub(crate) fn pointer(self) -> usize {
        match self {
            ExtendedAccess::Second(Second::Remainder) | ExtendedAccess::StoreVector | ExtendedAccess::StoreHalf(_) => 2,
            ExtendedAccess::Second(_) | ExtendedAccess::LoadVector | ExtendedAccess::LoadHalf(_) => 1,
            ExtendedAccess::Prefetch => 0,
        }
    }
}
