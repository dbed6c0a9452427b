//! Signatures: what the operands of an op are.

/// What an operand is.
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
    /// A literal of as many words as the type needs.
    Number,
    /// A literal string.
    Text,
    /// A literal bit mask.
    Mask,
    /// A literal of some SPIR-V enumeration that prints as a number.
    Enumerant,
    /// Anything: an instruction with a result, or a literal.
    Any,
    /// A block that control can go to from here.
    Successor,
    /// A block that closes a construct: a merge block, a break block, a continue target. Not a successor.
    Merge,
    /// A literal and the block that control goes to when the selector equals it: two operands.
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
}

impl OperandKind {
    /// True for kinds whose operands are literals.
    pub const fn is_literal(self) -> bool {
        !matches!(
            self,
            Self::Value | Self::Scope | Self::Semantics | Self::Any | Self::Successor | Self::Merge | Self::Case
        )
    }
}

/// How often an operand occurs.
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
    /// What the operand is.
    pub kind: OperandKind,
    /// How often it occurs.
    pub quantity: Quantity,
}

pub(super) const fn one(kind: OperandKind) -> Signature {
    Signature { kind, quantity: Quantity::One }
}

pub(super) const fn optional(kind: OperandKind) -> Signature {
    Signature { kind, quantity: Quantity::Optional }
}

pub(super) const fn many(kind: OperandKind) -> Signature {
    Signature { kind, quantity: Quantity::Many }
}

impl super::Op {
    /// The kind of operand number `index`; `None` past the end of the signature.
    ///
    /// The number alone decides, since only optional operands follow an optional one, and SPIR-V's grammar takes them in order. A
    /// [`OperandKind::Case`] covers two operands, the literal and the block; both answer `Case`.
    pub fn operand_kind(self, index: usize) -> Option<OperandKind> {
        let signature = self.signature();
        match signature.get(index) {
            Some(entry) => Some(entry.kind),
            None => signature.last().filter(|entry| entry.quantity == Quantity::Many).map(|entry| entry.kind),
        }
    }
}
