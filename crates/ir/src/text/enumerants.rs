//! Names of SPIR-V enumerants.
//!
//! An operand whose kind is an enumeration (`Op::operand_kind`) prints as the enumerant's name if SPIR-V has one. The names are those of
//! SPIR-V's grammar, from the `spirv` crate.

use crate::OperandKind;

macro_rules! enumerations {
    ($($kind:ident),* $(,)?) => {
        /// Returns whether the kind is an enumeration whose enumerants have names here.
        pub(crate) fn is_enumeration(kind: OperandKind) -> bool {
            matches!(kind, $( OperandKind::$kind )|*)
        }

        /// The name of a word in an enumeration; `None` if the kind is not an enumeration or the word is unknown.
        pub(crate) fn name(kind: OperandKind, word: u32) -> Option<String> {
            match kind {
                $( OperandKind::$kind => spirv::$kind::from_u32(word).map(|enumerant| format!("{enumerant:?}")), )*
                _ => None,
            }
        }

        /// The word of a name in an enumeration. SPIR-V's aliases are accepted too.
        pub(crate) fn word(kind: OperandKind, name: &str) -> Option<u32> {
            match kind {
                $( OperandKind::$kind => name.parse::<spirv::$kind>().ok().map(|enumerant| enumerant as u32), )*
                _ => None,
            }
        }
    };
}

enumerations! {
    StorageClass,
    Capability,
    ExecutionModel,
    ExecutionMode,
    AddressingModel,
    MemoryModel,
    Dim,
    ImageFormat,
    Decoration,
    SourceLanguage,
    GroupOperation,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_means_its_word() {
        let kinds = [
            OperandKind::StorageClass,
            OperandKind::Capability,
            OperandKind::ExecutionModel,
            OperandKind::ExecutionMode,
            OperandKind::AddressingModel,
            OperandKind::MemoryModel,
            OperandKind::Dim,
            OperandKind::ImageFormat,
            OperandKind::Decoration,
            OperandKind::SourceLanguage,
            OperandKind::GroupOperation,
        ];
        for kind in kinds {
            let named: Vec<u32> = (0..10_000).filter(|&number| name(kind, number).is_some()).collect();
            assert!(named.len() >= 3, "{kind:?}");
            for number in named {
                assert_eq!(word(kind, &name(kind, number).unwrap()), Some(number), "{kind:?}");
            }
        }
        assert_eq!(name(OperandKind::StorageClass, 7).as_deref(), Some("Function"));
        assert_eq!(name(OperandKind::Integer, 7), None);
    }
}
