//! Instructions, with named fields.

use super::operation_names::{AtomicOp, BinaryOp, CastOp, FloatPredicate, IntPredicate, Ordering, Scope};
use super::{BlockId, MemoryEffect, MetadataId, TypeId, ValueId};

/// An instruction.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Instruction {
    /// The operation.
    pub operation: Operation,
    /// The type of its result, or void.
    pub ty: TypeId,
    /// Its result; none if the type is void.
    pub result: Option<ValueId>,
    /// The source location.
    pub location: Option<DebugLocation>,
    /// Metadata: the number of the kind, and the metadata, ordered by kind.
    pub metadata: Vec<(u32, MetadataId)>,
    /// The bit of the input where its record begins.
    pub offset: u64,
}

/// A place in the source.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct DebugLocation {
    /// From 1; 0 if unknown.
    pub line: u32,
    /// From 1; 0 if unknown.
    pub column: u32,
    /// The enclosing subprogram or lexical block.
    pub scope: Option<MetadataId>,
    /// The location of the call, if the instruction was inlined.
    pub inlined_at: Option<MetadataId>,
}

/// The operation of an instruction.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Operation {
    /// Arithmetic on two numbers, or element by element on two vectors.
    Binary {
        /// The operator.
        op: BinaryOp,
        /// The assumptions that are allowed.
        flags: BinaryFlags,
        /// The left side.
        lhs: ValueId,
        /// The right side, of the same type.
        rhs: ValueId,
    },
    /// A conversion to the type of the result.
    Cast {
        /// The conversion.
        op: CastOp,
        /// The converted value.
        value: ValueId,
    },
    /// A comparison of integers or pointers.
    IntCompare {
        /// The predicate.
        predicate: IntPredicate,
        /// The left side.
        lhs: ValueId,
        /// The right side, of the same type.
        rhs: ValueId,
    },
    /// A comparison of floating-point numbers.
    FloatCompare {
        /// The predicate.
        predicate: FloatPredicate,
        /// The assumptions that are allowed.
        flags: FloatFlags,
        /// The left side.
        lhs: ValueId,
        /// The right side, of the same type.
        rhs: ValueId,
    },
    /// One of two values.
    Select {
        /// A boolean, or a vector of them.
        condition: ValueId,
        /// The result if it is true.
        if_true: ValueId,
        /// The result if it is false, of the same type.
        if_false: ValueId,
    },
    /// The value that belongs to the edge on which the block was entered.
    Phi {
        /// A value for each edge into the block.
        incoming: Vec<Incoming>,
    },
    /// The address of a member.
    ElementPointer {
        /// True if the result is undefined outside of the object.
        is_inbounds: bool,
        /// The type that the base points to.
        source: TypeId,
        /// A pointer.
        base: ValueId,
        /// First in units of the source, then into members, whose indices in structs are constants.
        indices: Vec<ValueId>,
    },
    /// A member of a struct or array.
    ExtractValue {
        /// The struct or array.
        aggregate: ValueId,
        /// Into members of members; not empty.
        indices: Vec<u32>,
    },
    /// A struct or array with one member replaced.
    InsertValue {
        /// The struct or array.
        aggregate: ValueId,
        /// The member.
        value: ValueId,
        /// Into members of members; not empty.
        indices: Vec<u32>,
    },
    /// An element of a vector.
    ExtractElement {
        /// The vector.
        vector: ValueId,
        /// An integer.
        index: ValueId,
    },
    /// A vector with one element replaced.
    InsertElement {
        /// The vector.
        vector: ValueId,
        /// The element.
        element: ValueId,
        /// An integer.
        index: ValueId,
    },
    /// Elements of two vectors.
    ShuffleVector {
        /// A vector.
        first: ValueId,
        /// A vector of the same type.
        second: ValueId,
        /// A constant vector of 32-bit indices into both.
        mask: ValueId,
    },
    /// A private variable; the result is its address.
    Alloca {
        /// The type of its contents.
        ty: TypeId,
        /// The number of elements: an integer.
        count: ValueId,
        /// In bytes; 0 for the usual alignment.
        alignment: u32,
    },
    /// A read of memory.
    Load {
        /// The address.
        pointer: ValueId,
        /// In bytes; 0 for the usual alignment.
        alignment: u32,
        /// True if the read must be kept.
        is_volatile: bool,
    },
    /// A write to memory.
    Store {
        /// The address.
        pointer: ValueId,
        /// The written value.
        value: ValueId,
        /// In bytes; 0 for the usual alignment.
        alignment: u32,
        /// True if the write must be kept.
        is_volatile: bool,
    },
    /// An atomic change; the result is what was there before.
    AtomicRmw {
        /// The operator.
        op: AtomicOp,
        /// The address of an integer.
        pointer: ValueId,
        /// The operand.
        value: ValueId,
        /// True if it must be kept.
        is_volatile: bool,
        /// The ordering of other memory accesses.
        ordering: Ordering,
        /// The invocations that see this order.
        scope: Scope,
    },
    /// An atomic exchange if the memory has an expected value; the result is a struct of what was there and whether it was as expected.
    CompareExchange {
        /// The address of an integer.
        pointer: ValueId,
        /// The expected value.
        expected: ValueId,
        /// The written value.
        value: ValueId,
        /// True if it must be kept.
        is_volatile: bool,
        /// True if it may fail without a reason.
        is_weak: bool,
        /// The ordering of other memory accesses if it succeeds.
        success: Ordering,
        /// The ordering of other memory accesses if it fails.
        failure: Ordering,
        /// The invocations that see this order.
        scope: Scope,
    },
    /// An order of memory accesses.
    Fence {
        /// The ordering.
        ordering: Ordering,
        /// The invocations that see this order.
        scope: Scope,
    },
    /// A call of a function of the module.
    Call {
        /// The function, as a value; see [`Module::function_of`](super::Module::function_of).
        callee: ValueId,
        /// One for each parameter.
        arguments: Vec<Argument>,
        /// The memory effect of this call, according to its own attributes.
        memory: MemoryEffect,
        /// The number of LLVM's calling convention.
        calling_convention: u32,
        /// True if the callee does not use the memory of the caller.
        is_tail: bool,
    },
    /// The end of the function.
    Return {
        /// The result, unless it is void.
        value: Option<ValueId>,
    },
    /// A jump.
    Branch {
        /// The next block.
        target: BlockId,
    },
    /// One of two blocks.
    ConditionalBranch {
        /// A boolean.
        condition: ValueId,
        /// The next block if it is true.
        if_true: BlockId,
        /// The next block if it is false.
        if_false: BlockId,
    },
    /// The block whose value equals the selector.
    Switch {
        /// An integer.
        selector: ValueId,
        /// The next block if no value does.
        default: BlockId,
        /// Different values.
        cases: Vec<Case>,
    },
    /// A place that is never reached.
    Unreachable,
}

/// An argument of a call.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Argument {
    /// A value.
    Value(ValueId),
    /// Metadata, which intrinsics for debuggers take.
    Metadata(MetadataId),
}

/// A value of a phi.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Incoming {
    /// The value.
    pub value: ValueId,
    /// The block that the edge leaves.
    pub block: BlockId,
}

/// A case of a switch.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Case {
    /// A constant integer of the type of the selector.
    pub value: ValueId,
    /// The next block.
    pub target: BlockId,
}

/// The assumptions about a binary operation that are allowed.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct BinaryFlags {
    /// No overflow without sign.
    pub no_unsigned_wrap: bool,
    /// No overflow with sign.
    pub no_signed_wrap: bool,
    /// No remainder, or no bits that are shifted out.
    pub is_exact: bool,
    /// Of floating-point operations.
    pub float: FloatFlags,
}

/// The assumptions about a floating-point operation that are allowed.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct FloatFlags {
    /// All of the others, and any algebraic change. Without it DXIL is precise.
    pub is_fast: bool,
    /// No NaN.
    pub no_nan: bool,
    /// No infinity.
    pub no_infinity: bool,
    /// The sign of zero does not matter.
    pub no_signed_zero: bool,
    /// A division may be a multiplication with the reciprocal.
    pub allow_reciprocal: bool,
}

impl Operation {
    /// Returns whether the instruction ends its block.
    pub fn is_terminator(&self) -> bool {
        matches!(
            self,
            Operation::Return { .. }
                | Operation::Branch { .. }
                | Operation::ConditionalBranch { .. }
                | Operation::Switch { .. }
                | Operation::Unreachable
        )
    }

    /// Calls `visit` with each target of a terminator, in order: once for each edge.
    pub fn for_each_target(&self, mut visit: impl FnMut(BlockId)) {
        match self {
            Operation::Branch { target } => visit(*target),
            Operation::ConditionalBranch { if_true, if_false, .. } => [*if_true, *if_false].into_iter().for_each(visit),
            Operation::Switch { default, cases, .. } => {
                visit(*default);
                cases.iter().for_each(|case| visit(case.target));
            }
            _ => {}
        }
    }

    /// Calls `visit` with each value that the instruction uses, in order; those of phis too.
    pub fn for_each_operand(&self, mut visit: impl FnMut(ValueId)) {
        let mut all = |values: &[ValueId]| values.iter().copied().for_each(&mut visit);
        match self {
            Operation::Binary { lhs, rhs, .. }
            | Operation::IntCompare { lhs, rhs, .. }
            | Operation::FloatCompare { lhs, rhs, .. } => all(&[*lhs, *rhs]),
            Operation::Cast { value, .. } => all(&[*value]),
            Operation::Select { condition, if_true, if_false } => all(&[*condition, *if_true, *if_false]),
            Operation::Phi { incoming } => incoming.iter().for_each(|incoming| all(&[incoming.value])),
            Operation::ElementPointer { base, indices, .. } => {
                all(&[*base]);
                all(indices);
            }
            Operation::ExtractValue { aggregate, .. } => all(&[*aggregate]),
            Operation::InsertValue { aggregate, value, .. } => all(&[*aggregate, *value]),
            Operation::ExtractElement { vector, index } => all(&[*vector, *index]),
            Operation::InsertElement { vector, element, index } => all(&[*vector, *element, *index]),
            Operation::ShuffleVector { first, second, mask } => all(&[*first, *second, *mask]),
            Operation::Alloca { count, .. } => all(&[*count]),
            Operation::Load { pointer, .. } => all(&[*pointer]),
            Operation::Store { pointer, value, .. } | Operation::AtomicRmw { pointer, value, .. } => {
                all(&[*pointer, *value])
            }
            Operation::CompareExchange { pointer, expected, value, .. } => all(&[*pointer, *expected, *value]),
            Operation::Call { callee, arguments, .. } => {
                all(&[*callee]);
                for argument in arguments {
                    if let Argument::Value(value) = argument {
                        all(&[*value]);
                    }
                }
            }
            Operation::Return { value } => value.iter().for_each(|value| all(&[*value])),
            Operation::ConditionalBranch { condition, .. } => all(&[*condition]),
            Operation::Switch { selector, .. } => all(&[*selector]),
            Operation::Fence { .. } | Operation::Branch { .. } | Operation::Unreachable => {}
        }
    }
}
