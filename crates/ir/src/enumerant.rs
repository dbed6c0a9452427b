//! Enumerants and masks of SPIR-V (section 3) as literal words.

use crate::view::{Field, Reader};
use crate::{Builder, Editor, Inst};

/// An enumerant or a mask: one word in SPIR-V.
pub trait Enumerant: Copy {
    /// The word.
    fn word(self) -> u32;
}

/// Words without a name here are written unchanged.
impl Enumerant for u32 {
    fn word(self) -> u32 {
        self
    }
}

macro_rules! enumerations {
    ($($name:ident),* $(,)?) => { $(
        impl Enumerant for spirv::$name {
            fn word(self) -> u32 { self as u32 }
        }

        impl Field<'_> for Option<spirv::$name> {
            fn read(reader: &mut Reader<'_>) -> Option<Option<spirv::$name>> {
                let word: Option<u32> = reader.read()?;
                Some(word.and_then(spirv::$name::from_u32))
            }
        }
    )* };
}

enumerations! {
    AccessQualifier, AddressingModel, BuiltIn, Capability, Decoration, Dim, ExecutionMode, ExecutionModel, FPEncoding, FPRoundingMode,
    FunctionParameterAttribute, GlslStd450Op, GroupOperation, ImageFormat, LinkageType, MemoryModel, OpenclStd100Op, PackedVectorFormat,
    SamplerAddressingMode, SamplerFilterMode, Scope, SourceLanguage, StorageClass,
}

macro_rules! masks {
    ($($name:ident),* $(,)?) => { $(
        impl Enumerant for spirv::$name {
            fn word(self) -> u32 { self.bits() }
        }

        impl Field<'_> for spirv::$name {
            fn read(reader: &mut Reader<'_>) -> Option<spirv::$name> {
                reader.read().map(spirv::$name::from_bits_retain)
            }
        }
    )* };
}

masks! {
    FPFastMathMode, FunctionControl, ImageOperands, LoopControl, MemoryAccess, MemorySemantics, SelectionControl,
}

impl Editor<'_> {
    /// The literal of an enumerant or a mask.
    ///
    /// ```
    /// use reconverge_ir::Module;
    /// use spirv::StorageClass;
    ///
    /// let mut module = Module::new();
    /// let literal = module.edit().enumerant(StorageClass::Workgroup);
    /// assert_eq!(module.literal_word(literal), Some(StorageClass::Workgroup as u32));
    /// ```
    pub fn enumerant(&mut self, enumerant: impl Enumerant) -> Inst {
        self.word(enumerant.word())
    }
}

impl Builder<'_> {
    /// The literal of an enumerant or a mask.
    pub fn enumerant(&mut self, enumerant: impl Enumerant) -> Inst {
        self.editor().enumerant(enumerant)
    }
}
