//! Operations whose operands may be exchanged.

use reconverge_ir::Op;

/// Returns whether an operation has the same result if its two operands are exchanged.
pub fn is_commutative(op: Op) -> bool {
    matches!(
        op,
        Op::IAdd
            | Op::FAdd
            | Op::IMul
            | Op::FMul
            | Op::Dot
            | Op::IAddCarry
            | Op::UMulExtended
            | Op::SMulExtended
            | Op::LogicalEqual
            | Op::LogicalNotEqual
            | Op::LogicalOr
            | Op::LogicalAnd
            | Op::IEqual
            | Op::INotEqual
            | Op::FOrdEqual
            | Op::FUnordEqual
            | Op::FOrdNotEqual
            | Op::FUnordNotEqual
            | Op::LessOrGreater
            | Op::Ordered
            | Op::Unordered
            | Op::BitwiseOr
            | Op::BitwiseXor
            | Op::BitwiseAnd
            | Op::PtrEqual
            | Op::PtrNotEqual
    )
}
