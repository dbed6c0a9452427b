//! Families: ops with the same operands, read through one struct.

use spirv::{ExecutionMode, GroupOperation};

use super::fields::Reader;
use super::{Cases, ImageOperands, Integers, Operands};
use crate::{Class, Inst, Module, Op, OperandKind, Quantity, view};

/// Declares a family: its struct, its ops, and how the operands are read.
macro_rules! family {
    (
        $(#[$doc:meta])*
        $name:ident$(<$life:lifetime>)? of |$op:ident| $covers:expr;
        read($reader:ident) { $( $(#[$field_doc:meta])* $field:ident: $ty:ty = $value:expr, )* }
    ) => {
        $(#[$doc])*
        #[derive(Clone, core::marker::Copy, PartialEq, Debug)]
        pub struct $name$(<$life>)? {
            $( $(#[$field_doc])* pub $field: $ty, )*
        }

        impl$(<$life>)? $name$(<$life>)? {
            /// Returns whether an op belongs to the family.
            pub const fn covers($op: Op) -> bool {
                $covers
            }

            /// The operands of an instruction of the family; `None` for every other and for a malformed one.
            pub fn of(module: &$($life)? Module, inst: impl Into<Inst>) -> Option<Self> {
                let inst = inst.into();
                let $op = module.op(inst);
                if !Self::covers($op) {
                    return None;
                }
                let mut $reader = Reader::new(module, inst);
                Some($name { $( $field: $value, )* })
            }
        }
    };
}

family! {
    /// One operand, and a result that depends only on it: conversions, negations, tests of a number, derivatives, copies.
    Unary of |op| takes_values(op, 1) && (is_computation(op) || matches!(op, Op::CopyObject | Op::CopyLogical));
    read(reader) {
        /// The operand.
        operand: Inst = reader.read()?,
    }
}

family! {
    /// Two operands, and a result that depends only on them: arithmetic, comparisons, logic, shifts.
    Binary of |op| takes_values(op, 2) && (is_computation(op) || matches!(op, Op::PtrEqual | Op::PtrNotEqual | Op::PtrDiff));
    read(reader) {
        /// The first operand.
        left: Inst = reader.read()?,
        /// The second operand.
        right: Inst = reader.read()?,
    }
}

family! {
    /// The four access chains.
    Chain<'m> of |op| matches!(op, Op::AccessChain | Op::InBoundsAccessChain) || is_pointer_chain(op);
    read(reader) {
        /// The base pointer.
        base: Inst = reader.read()?,
        /// The element offset from the base, for the chains that have one.
        element: Option<Inst> = if is_pointer_chain(op) { Some(reader.read()?) } else { None },
        /// The indices.
        indexes: Operands<'m> = reader.read()?,
    }
}

family! {
    /// Instructions whose result points into the target of their first operand: access chains, casts, copies.
    DerivedPointer of |op| Chain::covers(op) || is_pointer_cast(op);
    read(reader) {
        /// The pointer that the result is derived from.
        base: Inst = reader.read()?,
    }
}

family! {
    /// Instructions that read or write memory through a pointer, or mark its lifetime.
    Access of |op| matches!(op.class(), Class::Atomic) || is_plain_access(op);
    read(reader) {
        /// The pointer; of a copy, the target.
        pointer: Inst = reader.read()?,
    }
}

family! {
    /// `copy_memory` and `copy_memory_sized`.
    Copy of |op| matches!(op, Op::CopyMemory | Op::CopyMemorySized);
    read(reader) {
        /// The target pointer.
        target: Inst = reader.read()?,
        /// The source pointer.
        source: Inst = reader.read()?,
    }
}

family! {
    /// The atomics.
    Atomic of |op| matches!(op.class(), Class::Atomic);
    read(reader) {
        /// The pointer.
        pointer: Inst = reader.read()?,
        /// The memory scope.
        memory: Inst = reader.read()?,
        /// The memory semantics; those for equality in a compare exchange.
        semantics: Inst = reader.read()?,
        /// The memory semantics for inequality, in a compare exchange.
        unequal_semantics: Option<Inst> = if is_compare_exchange(op) { Some(reader.read()?) } else { None },
        /// The stored value or operand; none for a load, an increment or decrement, and a flag.
        value: Option<Inst> = if has_value(op) { Some(reader.read()?) } else { None },
        /// The comparator of a compare exchange.
        comparator: Option<Inst> = if is_compare_exchange(op) { Some(reader.read()?) } else { None },
    }
}

family! {
    /// Operations across a group, a subgroup or a quad; asynchronous copies are not included.
    Group<'m> of |op| matches!(op.class(), Class::Group) && !matches!(op, Op::GroupAsyncCopy | Op::GroupWaitEvents);
    read(reader) {
        /// The execution scope; operations without one are of the subgroup.
        execution: Option<Inst> = if has_scope(op) { Some(reader.read()?) } else { None },
        /// Reduction or scan, if the op can be one.
        operation: Option<GroupOperation> = if has_operation(op) { reader.read::<Option<GroupOperation>>()? } else { None },
        /// The value of each lane; none for an election.
        value: Option<Inst> = if matches!(op, Op::GroupNonUniformElect) { None } else { Some(reader.read()?) },
        /// The remaining operands: a lane, a distance, the size of a cluster.
        arguments: Operands<'m> = reader.read()?,
    }
}

family! {
    /// Operations on an image, or on an image with its sampler.
    ImageUse of |op| matches!(op.class(), Class::Image) && !matches!(op, Op::ImageSparseTexelsResident);
    read(reader) {
        /// The image, or the image with its sampler.
        image: Inst = reader.read()?,
    }
}

family! {
    /// Accesses to an image at a coordinate.
    ImageAccess of |op| has_image_operands(op);
    read(reader) {
        /// The image, or the image with its sampler.
        image: Inst = reader.read()?,
        /// The coordinate.
        coordinate: Inst = reader.read()?,
        /// The depth reference, the gathered component, or the written texel.
        argument: Option<Inst> = if has_image_argument(op) { Some(reader.read()?) } else { None },
        /// The image operands; empty if there are none.
        operands: ImageOperands = reader.read::<Option<ImageOperands>>()?.unwrap_or_default(),
    }
}

family! {
    /// `execution_mode` and `execution_mode_id`.
    Mode<'m> of |op| matches!(op, Op::ExecutionMode | Op::ExecutionModeId);
    read(reader) {
        /// The function of the entry point.
        function: Inst = reader.read()?,
        /// The mode; none if its number has no name.
        mode: Option<ExecutionMode> = reader.holds(1).then(|| reader.read::<Option<ExecutionMode>>()).flatten()?,
        /// The parameters of the mode: literals, or in `execution_mode_id` constants.
        parameters: Operands<'m> = reader.read()?,
    }
}

family! {
    /// Instructions that the op table does not know.
    Opaque<'m> of |op| matches!(op.class(), Class::Opaque);
    read(reader) {
        /// SPIR-V's number of the instruction.
        opcode: u32 = reader.read()?,
        /// The operands after its type and result.
        operands: Operands<'m> = reader.read()?,
    }
}

family! {
    /// Terminators that pass arguments to their only target: `branch` and `loop`.
    Jump<'m> of |op| matches!(op, Op::Branch | Op::Loop);
    read(reader) {
        /// The target.
        target: Inst = reader.read()?,
        /// The arguments for the target's parameters.
        arguments: Operands<'m> = {
            if matches!(op, Op::Loop) {
                let [_, _, _]: [Inst; 3] = [reader.read()?, reader.read()?, reader.read()?];
            }
            reader.read()?
        },
    }
}

family! {
    /// Two-way selections: `branch_if` and `if`.
    Conditional<'m> of |op| matches!(op, Op::BranchIf | Op::If);
    read(reader) {
        /// The condition.
        condition: Inst = reader.read()?,
        /// The target if it is true.
        true_target: Inst = reader.read()?,
        /// The target if it is false.
        false_target: Inst = reader.read()?,
        /// The branch weights: two words or none.
        weights: Integers<'m> = {
            if matches!(op, Op::If) {
                let [_, _]: [Inst; 2] = [reader.read()?, reader.read()?];
            }
            reader.read()?
        },
    }
}

family! {
    /// Multi-way selections: `switch` and `structured_switch`.
    Selection<'m> of |op| matches!(op, Op::Switch | Op::StructuredSwitch);
    read(reader) {
        /// The selector.
        selector: Inst = reader.read()?,
        /// The default target.
        default: Inst = reader.read()?,
        /// The cases.
        cases: Cases<'m> = {
            if matches!(op, Op::StructuredSwitch) {
                let [_, _]: [Inst; 2] = [reader.read()?, reader.read()?];
            }
            reader.read()?
        },
    }
}

impl Unary {
    /// The number of the operand `operand`.
    pub const OPERAND: usize = 0;
}

impl Binary {
    /// The number of the operand `left`.
    pub const LEFT: usize = 0;
    /// The number of the operand `right`.
    pub const RIGHT: usize = 1;
}

impl DerivedPointer {
    /// The number of the operand `base`.
    pub const BASE: usize = view::AccessChain::SLOT.base;
}

impl Access {
    /// The number of the operand `pointer`.
    pub const POINTER: usize = view::Load::SLOT.pointer;
}

impl Copy {
    /// The number of the operand `target`.
    pub const TARGET: usize = view::CopyMemory::SLOT.target;
    /// The number of the operand `source`.
    pub const SOURCE: usize = view::CopyMemory::SLOT.source;
}

/// Returns whether an op takes exactly this number of operands, each a value.
const fn takes_values(op: Op, count: usize) -> bool {
    let (signature, mut index) = (op.signature(), 0);
    while index < signature.len() {
        let entry = &signature[index];
        if !matches!(entry.kind, OperandKind::Value) || !matches!(entry.quantity, Quantity::One) {
            return false;
        }
        index += 1;
    }
    signature.len() == count
}

const fn is_computation(op: Op) -> bool {
    matches!(op.class(), Class::Conversion | Class::Arithmetic | Class::Logical | Class::Bit | Class::Derivative)
}

const fn is_pointer_chain(op: Op) -> bool {
    matches!(op, Op::PtrAccessChain | Op::InBoundsPtrAccessChain)
}

const fn is_pointer_cast(op: Op) -> bool {
    let is_cast = matches!(op, Op::PtrCastToGeneric | Op::GenericCastToPtr | Op::GenericCastToPtrExplicit);
    is_cast || matches!(op, Op::Bitcast | Op::CopyObject)
}

const fn is_plain_access(op: Op) -> bool {
    let is_copy = matches!(op, Op::CopyMemory | Op::CopyMemorySized);
    let is_lifetime = matches!(op, Op::LifetimeStart | Op::LifetimeStop);
    is_copy || is_lifetime || matches!(op, Op::Load | Op::Store | Op::CooperativeMatrixStoreKHR)
}

const fn is_compare_exchange(op: Op) -> bool {
    matches!(op, Op::AtomicCompareExchange | Op::AtomicCompareExchangeWeak)
}

/// Returns whether an atomic takes a value after pointer, scope and semantics.
const fn has_value(op: Op) -> bool {
    matches!(op.signature(), [_pointer, _memory, _semantics, _value, ..])
}

const fn has_scope(op: Op) -> bool {
    matches!(op.signature()[0].kind, OperandKind::Scope)
}

const fn has_operation(op: Op) -> bool {
    matches!(op.signature(), [_, entry, ..] if matches!(entry.kind, OperandKind::GroupOperation))
}

const fn has_image_operands(op: Op) -> bool {
    matches!(op.signature(), [_, _, entry, ..] if matches!(entry.kind, OperandKind::ImageOperands))
        || has_image_argument(op)
}

const fn has_image_argument(op: Op) -> bool {
    matches!(op.signature(), [_, _, _, entry, ..] if matches!(entry.kind, OperandKind::ImageOperands))
}
