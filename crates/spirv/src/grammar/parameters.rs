//! Parameters that follow an enumerant: their number and kinds.
//!
//! The parameters of a mask are in the order of its bits (SPIR-V section 2.3.1); an enumerant of a plain enumeration has those of its row
//! in the specification. Only parameters that are not plain words are listed: the rest are literal words.

use super::PieceKind::{self, Id, Text, Words};
use spirv::{Decoration, MemoryAccess};

/// The parameters of a memory access mask, in order.
pub(super) fn memory_access(mask: u32) -> impl Iterator<Item = PieceKind> {
    const ROWS: [(MemoryAccess, PieceKind); 5] = [
        (MemoryAccess::ALIGNED, Words),
        (MemoryAccess::MAKE_POINTER_AVAILABLE, Id),
        (MemoryAccess::MAKE_POINTER_VISIBLE, Id),
        (MemoryAccess::ALIAS_SCOPE_INTEL_MASK, Id),
        (MemoryAccess::NO_ALIAS_INTEL_MASK, Id),
    ];
    ROWS.into_iter().filter(move |(bit, _)| mask & bit.bits() != 0).map(|(_, kind)| kind)
}

/// The parameters of a decoration that are not plain words; what follows them is.
pub(super) fn decoration(number: u32) -> &'static [PieceKind] {
    const ROWS: [(Decoration, &[PieceKind]); 24] = [
        (Decoration::UniformId, &[Id]),
        (Decoration::LinkageAttributes, &[Text]),
        (Decoration::AlignmentId, &[Id]),
        (Decoration::MaxByteOffsetId, &[Id]),
        (Decoration::NodeSharesPayloadLimitsWithAMDX, &[Id]),
        (Decoration::NodeMaxPayloadsAMDX, &[Id]),
        (Decoration::PayloadNodeNameAMDX, &[Id]),
        (Decoration::PayloadNodeBaseIndexAMDX, &[Id]),
        (Decoration::PayloadNodeArraySizeAMDX, &[Id]),
        (Decoration::ArrayStrideIdEXT, &[Id]),
        (Decoration::OffsetIdEXT, &[Id]),
        (Decoration::ClobberINTEL, &[Text]),
        (Decoration::CounterBuffer, &[Id]),
        (Decoration::UserSemantic, &[Text]),
        (Decoration::UserTypeGOOGLE, &[Text]),
        (Decoration::MemoryALTERA, &[Text]),
        (Decoration::MergeALTERA, &[Text, Text]),
        (Decoration::AliasScopeINTEL, &[Id]),
        (Decoration::NoAliasINTEL, &[Id]),
        (Decoration::ConditionalINTEL, &[Id]),
        (Decoration::HostAccessINTEL, &[Words, Text]),
        (Decoration::InitModeALTERA, &[Words]),
        (Decoration::CacheControlLoadINTEL, &[Words, Words]),
        (Decoration::CacheControlStoreINTEL, &[Words, Words]),
    ];
    ROWS.iter().find(|(row, _)| *row as u32 == number).map_or(&[], |(_, kinds)| kinds)
}
