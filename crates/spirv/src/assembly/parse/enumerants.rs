//! Names of enumerants and of the bits of masks, and their parameters.
//!
//! Names come from the `spirv` crate, parameters from `rspirv`'s grammar. The parameters of a mask are in the order of its bits (SPIR-V
//! section 2.3.1), whatever the order in the text. Older names of masks are the current ones with `KHR` after them, or with `INTEL` in
//! place of `ALTERA`; three are exceptions. A look-up costs the length of a name and of the enumeration's table.

use std::sync::LazyLock;

use rspirv::binary::Disassemble as _;
use rspirv::dr::Operand;
use rspirv::grammar::{LogicalOperand, OperandKind};

use super::debug_enumerants;

/// The exclusive bound of the numbers of enumerants.
const LIMIT: u32 = 8_192;

/// A bit of a mask.
struct NamedBit {
    name: String,
    bit: u32,
}

/// The bits of a mask.
type Bits = LazyLock<Vec<NamedBit>>;

macro_rules! enumerations {
    ($($kind:ident),* $(,)?) => {
        /// The value of a name in an enumeration. Older names are accepted.
        fn value(kind: OperandKind, name: &str) -> Option<u32> {
            match kind {
                $( OperandKind::$kind => name.parse::<spirv::$kind>().ok().map(|enumerant| enumerant as u32), )*
                _ => None,
            }
        }

        /// The name of a value in an enumeration.
        fn value_name(kind: OperandKind, word: u32) -> Option<String> {
            match kind {
                $( OperandKind::$kind => spirv::$kind::from_u32(word).map(|enumerant| format!("{enumerant:?}")), )*
                _ => None,
            }
        }
    };
}

enumerations! {
    SourceLanguage, ExecutionModel, AddressingModel, MemoryModel, ExecutionMode, StorageClass, Dim, SamplerAddressingMode,
    SamplerFilterMode, ImageFormat, ImageChannelOrder, ImageChannelDataType, FPRoundingMode, FPDenormMode, QuantizationModes,
    FPOperationMode, OverflowModes, LinkageType, AccessQualifier, HostAccessQualifier, FunctionParameterAttribute, Decoration,
    BuiltIn, Scope, GroupOperation, KernelEnqueueFlags, Capability, RayQueryIntersection, RayQueryCommittedIntersectionType,
    RayQueryCandidateIntersectionType, PackedVectorFormat, CooperativeMatrixLayout, CooperativeMatrixUse, TensorClampMode,
    InitializationModeQualifier, LoadCacheControl, StoreCacheControl, NamedMaximumNumberOfRegisters, FPEncoding,
    CooperativeVectorMatrixLayout, ComponentType,
}

macro_rules! masks {
    ($($kind:ident),* $(,)?) => {
        /// The bits of a mask by name; `None` if the kind is no mask.
        fn bits(kind: OperandKind) -> Option<&'static [NamedBit]> {
            match kind {
                $( OperandKind::$kind => {
                    static BITS: Bits = LazyLock::new(|| {
                        let bits = (0..32).map(|index| 1 << index);
                        let name = |bit| spirv::$kind::from_bits(bit).map(|mask| mask.disassemble());
                        bits.filter_map(|bit| Some(NamedBit { name: name(bit)?, bit })).collect()
                    });
                    Some(&BITS)
                } )*
                _ => None,
            }
        }
    };
}

masks! {
    ImageOperands, FPFastMathMode, SelectionControl, LoopControl, FunctionControl, MemorySemantics, MemoryAccess,
    KernelProfilingInfo, RayFlags, FragmentShadingRate, RawAccessChainOperands, CooperativeMatrixOperands,
    CooperativeMatrixReduce, TensorAddressingOperands, MatrixMultiplyAccumulateOperands, TensorOperands,
}

/// An unknown name, and the byte of the text at which it begins.
pub(super) type Unknown<'t> = (usize, &'t str);

/// The value of a name, or of names of bits joined by `|`.
pub(super) fn word(kind: OperandKind, text: &str) -> Result<u32, Unknown<'_>> {
    if let Some(names) = debug_enumerants::names(kind) {
        return debug_enumerants::word(kind, names, text);
    }
    let Some(bits) = bits(kind) else {
        return match kind {
            // The names of this enumeration begin with digits, which the crate prefixes with its own name.
            OperandKind::Dim => value(kind, &format!("Dim{text}")),
            _ => value(kind, text),
        }
        .ok_or((0, text));
    };
    mask(text, |name| bit(bits, name))
}

/// The value of a mask whose bits are given by name.
pub(super) fn mask(text: &str, bit: impl Fn(&str) -> Option<u32>) -> Result<u32, Unknown<'_>> {
    let (mut mask, mut offset) = (0, 0);
    for name in text.split('|') {
        mask |= bit(name).ok_or((offset, name))?;
        offset += name.len() + 1;
    }
    Ok(mask)
}

fn bit(bits: &[NamedBit], name: &str) -> Option<u32> {
    const RENAMED: [(&str, &str); 3] = [
        ("OptNoneINTEL", "OptNoneEXT"),
        ("AllowContractFastINTEL", "AllowContract"),
        ("AllowReassocINTEL", "AllowReassoc"),
    ];
    let find = |name: &str| bits.iter().find(|row| row.name == name).map(|row| row.bit);
    let renamed = || RENAMED.iter().find(|(old, _)| *old == name).and_then(|(_, new)| find(new));
    let unmarked = || name.strip_suffix("KHR").and_then(find);
    let moved = || name.strip_suffix("INTEL").and_then(|stem| find(&format!("{stem}ALTERA")));
    match name {
        "None" | "NoneKHR" | "NoneARM" => Some(0),
        _ => find(name).or_else(renamed).or_else(unmarked).or_else(moved),
    }
}

/// The valid names for an operand of that kind, for messages.
pub(super) fn names(kind: OperandKind) -> Vec<String> {
    if let Some(names) = debug_enumerants::names(kind) {
        return names.iter().map(|&(name, _)| name.to_owned()).collect();
    }
    match (bits(kind), kind) {
        (Some(bits), _) => bits.iter().map(|row| row.name.clone()).collect(),
        (None, OperandKind::Dim) => {
            let names = (0..LIMIT).filter_map(|word| value_name(kind, word));
            names.map(|name| name.trim_start_matches("Dim").to_owned()).collect()
        }
        (None, _) => (0..LIMIT).filter_map(|word| value_name(kind, word)).collect(),
    }
}

/// The name of an enumeration or mask, for messages.
pub(super) fn kind_name(kind: OperandKind) -> String {
    match kind {
        OperandKind::Debuginfo(kind) => format!("{kind:?}"),
        OperandKind::OpenclDebuginfo100(kind) => format!("{kind:?}"),
        _ => format!("{kind:?}"),
    }
}

/// The parameters of a value of an enumeration or mask, in order.
pub(super) fn parameters(kind: OperandKind, word: u32) -> Vec<LogicalOperand> {
    let of_bits = |operand: fn(u32) -> Operand| {
        let bits = (0..32).map(|index| 1 << index).filter(|bit| word & bit != 0);
        bits.flat_map(|bit| operand(bit).additional_operands()).collect()
    };
    match kind {
        OperandKind::ImageOperands => {
            of_bits(|bit| Operand::ImageOperands(spirv::ImageOperands::from_bits_retain(bit)))
        }
        OperandKind::LoopControl => of_bits(|bit| Operand::LoopControl(spirv::LoopControl::from_bits_retain(bit))),
        OperandKind::MemoryAccess => of_bits(|bit| Operand::MemoryAccess(spirv::MemoryAccess::from_bits_retain(bit))),
        OperandKind::TensorAddressingOperands => {
            of_bits(|bit| Operand::TensorAddressingOperands(spirv::TensorAddressingOperands::from_bits_retain(bit)))
        }
        OperandKind::TensorOperands => {
            of_bits(|bit| Operand::TensorOperands(spirv::TensorOperands::from_bits_retain(bit)))
        }
        OperandKind::ExecutionMode => spirv::ExecutionMode::from_u32(word)
            .map_or_else(Vec::new, |mode| Operand::ExecutionMode(mode).additional_operands()),
        OperandKind::Decoration => spirv::Decoration::from_u32(word)
            .map_or_else(Vec::new, |decoration| Operand::Decoration(decoration).additional_operands()),
        _ => Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::super::operands::expected;
    use super::*;
    use rspirv::grammar::{INSTRUCTION_TABLE, OPENCL_DEBUGINFO_100_INSTRUCTION_TABLE};

    /// Kinds of operands that are given by name, of instructions and as parameters.
    fn kinds() -> Vec<OperandKind> {
        let core = INSTRUCTION_TABLE.iter().flat_map(|row| row.operands);
        let debug = OPENCL_DEBUGINFO_100_INSTRUCTION_TABLE.iter().flat_map(|row| row.operands);
        let mut kinds: Vec<OperandKind> = core.chain(debug).map(|operand| operand.kind).collect();
        for kind in [OperandKind::Decoration, OperandKind::ExecutionMode] {
            kinds.extend((0..LIMIT).flat_map(|word| parameters(kind, word)).map(|operand| operand.kind));
        }
        kinds.retain(|&kind| kind != OperandKind::IdResult && expected(kind).starts_with("a name of"));
        kinds.sort_by_key(|&kind| kind_name(kind));
        kinds.dedup();
        kinds
    }

    #[test]
    fn every_kind_has_names_that_mean_a_word_each() {
        let kinds = kinds();
        assert!(kinds.len() > 40, "{kinds:?}");
        for kind in kinds {
            let words: Result<BTreeSet<u32>, _> =
                names(kind).iter().map(|name| word(kind, name).map_err(|_| name.clone())).collect();
            let words = words.unwrap_or_else(|name| panic!("{kind:?} {name}"));
            assert!(!words.is_empty(), "{kind:?}");
            assert_eq!(words.len(), names(kind).len(), "{kind:?}");
        }
        assert_eq!(word(OperandKind::MemoryAccess, "Volatile|Aligned"), Ok(3));
        assert_eq!(word(OperandKind::MemoryAccess, "Volatile|aligned"), Err((9, "aligned")));
        assert_eq!(word(OperandKind::CooperativeMatrixReduce, "2x2"), Ok(4));
    }
}
