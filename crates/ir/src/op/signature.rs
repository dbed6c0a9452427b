//! Signatures: the operands of an op.

/// The kind of an operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[expect(missing_docs, reason = "the enumerant kinds are SPIR-V's operand kinds of the same name")]
pub enum OperandKind {
    /// An instruction with a result: a value, a type, a constant, an instruction set, a function.
    Value,
    /// An execution or memory scope: the id of an integer constant.
    Scope,
    /// Memory semantics: the id of an integer constant.
    Semantics,
    /// A literal word.
    Integer,
    /// A literal with as many words as the type needs.
    Number,
    /// A literal string.
    Text,
    /// Anything: an instruction with a result, or a literal.
    Any,
    /// A successor block.
    Successor,
    /// A merge block, a break block, or a continue target. Not a successor.
    Merge,
    /// A literal and the target block if the selector equals it: two operands.
    Case,
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
    AccessQualifier,
    FPEncoding,
    PackedVectorFormat,
    SamplerAddressingMode,
    SamplerFilterMode,
    FunctionControl,
    SelectionControl,
    /// A literal with the mask's word and its parameters' words.
    LoopControl,
    /// A mask; its parameters are separate operands after it.
    MemoryAccess,
    /// A mask; its parameters are separate operands after it.
    ImageOperands,
}

impl OperandKind {
    /// True for kinds whose operands are literals.
    pub const fn is_literal(self) -> bool {
        !matches!(
            self,
            Self::Value | Self::Scope | Self::Semantics | Self::Any | Self::Successor | Self::Merge | Self::Case
        )
    }

    /// True for enumerations whose enumerants have names in the text form. The other enumerations, masks among them, print as numbers.
    pub fn prints_by_name(self) -> bool {
        crate::text::is_enumeration(self)
    }
}

/// The number of times that an operand occurs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Quantity {
    /// Exactly once.
    One,
    /// Once or not at all.
    Optional,
    /// Any number of times, also none.
    Many,
}

/// One entry of an op's operand list.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Signature {
    /// The name of the operand, from SPIR-V's grammar, in snake case.
    pub name: &'static str,
    /// Its kind.
    pub kind: OperandKind,
    /// The number of times that it occurs.
    pub quantity: Quantity,
    /// True if it belongs to the mask or the enumerant before it, which determines how many there are.
    pub is_parameter: bool,
}

pub(super) const fn one(name: &'static str, kind: OperandKind) -> Signature {
    Signature { name, kind, quantity: Quantity::One, is_parameter: false }
}

pub(super) const fn optional(name: &'static str, kind: OperandKind) -> Signature {
    Signature { name, kind, quantity: Quantity::Optional, is_parameter: false }
}

pub(super) const fn many(name: &'static str, kind: OperandKind) -> Signature {
    Signature { name, kind, quantity: Quantity::Many, is_parameter: false }
}

pub(super) const fn rest(name: &'static str, kind: OperandKind) -> Signature {
    Signature { name, kind, quantity: Quantity::Many, is_parameter: true }
}

impl super::Op {
    /// The kind of operand number `index`; `None` past the end of the signature.
    ///
    /// The number alone determines the kind, since only optional operands follow an optional one, and SPIR-V's grammar takes them in order.
    /// A [`OperandKind::Case`] covers two operands, the literal and the block; both return `Case`.
    pub fn operand_kind(self, index: usize) -> Option<OperandKind> {
        let signature = self.signature();
        match signature.get(index) {
            Some(entry) => Some(entry.kind),
            None => signature.last().filter(|entry| entry.quantity == Quantity::Many).map(|entry| entry.kind),
        }
    }
    /// The minimal number of operands of an instruction of this op.
    pub const fn required_operands(self) -> usize {
        let (signature, mut count) = (self.signature(), 0);
        while count < signature.len() && matches!(signature[count].quantity, Quantity::One) {
            count += 1;
        }
        count
    }

    /// The number of the operand of that name, the first of them if there can be many. Panics if there is none.
    ///
    /// For operands that follow an optional mask it is their number if the mask has no parameters.
    pub const fn slot(self, name: &str) -> usize {
        let (signature, mut index) = (self.signature(), 0);
        while !is_equal(signature[index].name, name) {
            index += 1;
        }
        index
    }
}

/// Returns whether two names are the same. A comparison of strings is not a constant expression.
const fn is_equal(one: &str, other: &str) -> bool {
    let (one, other) = (one.as_bytes(), other.as_bytes());
    let mut index = 0;
    while index < one.len() && index < other.len() && one[index] == other[index] {
        index += 1;
    }
    index == one.len() && index == other.len()
}
