//! The operations of reductions and scans: associative operations with an identity.

use reconverge_ir::{Builder, Inst, Module, Op, view};

use crate::scalars::splat;

/// An operation that combines two values.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum Combine {
    Add,
    FAdd,
    Multiply,
    FMultiply,
    SMin,
    UMin,
    FMin,
    SMax,
    UMax,
    FMax,
    And,
    Or,
    Xor,
}

/// Opcodes of `SPV_KHR_uniform_group_instructions`, which are not in the op table.
const UNIFORM_GROUP: [(u32, Combine); 8] = [
    (6401, Combine::Multiply),
    (6402, Combine::FMultiply),
    (6403, Combine::And),
    (6404, Combine::Or),
    (6405, Combine::Xor),
    (6406, Combine::And),
    (6407, Combine::Or),
    (6408, Combine::Xor),
];

impl Combine {
    /// The operation of a reduction or scan of kernels.
    pub(super) fn of(module: &Module, inst: Inst) -> Option<Combine> {
        match module.op(inst) {
            Op::GroupIAdd => Some(Combine::Add),
            Op::GroupFAdd => Some(Combine::FAdd),
            Op::GroupFMin => Some(Combine::FMin),
            Op::GroupUMin => Some(Combine::UMin),
            Op::GroupSMin => Some(Combine::SMin),
            Op::GroupFMax => Some(Combine::FMax),
            Op::GroupUMax => Some(Combine::UMax),
            Op::GroupSMax => Some(Combine::SMax),
            Op::OpaqueTyped => {
                let opcode = view::OpaqueTyped::of(module, inst)?.opcode;
                UNIFORM_GROUP.iter().find(|(known, _)| *known == opcode).map(|&(_, combine)| combine)
            }
            _ => None,
        }
    }

    /// The corresponding subgroup operation.
    pub(super) fn subgroup_op(self) -> Op {
        match self {
            Combine::Add => Op::GroupNonUniformIAdd,
            Combine::FAdd => Op::GroupNonUniformFAdd,
            Combine::Multiply => Op::GroupNonUniformIMul,
            Combine::FMultiply => Op::GroupNonUniformFMul,
            Combine::SMin => Op::GroupNonUniformSMin,
            Combine::UMin => Op::GroupNonUniformUMin,
            Combine::FMin => Op::GroupNonUniformFMin,
            Combine::SMax => Op::GroupNonUniformSMax,
            Combine::UMax => Op::GroupNonUniformUMax,
            Combine::FMax => Op::GroupNonUniformFMax,
            Combine::And => Op::GroupNonUniformBitwiseAnd,
            Combine::Or => Op::GroupNonUniformBitwiseOr,
            Combine::Xor => Op::GroupNonUniformBitwiseXor,
        }
    }

    /// A word for the name of a function.
    pub(super) fn word(self) -> &'static str {
        match self {
            Combine::Add => "add",
            Combine::FAdd => "f_add",
            Combine::Multiply => "mul",
            Combine::FMultiply => "f_mul",
            Combine::SMin => "s_min",
            Combine::UMin => "u_min",
            Combine::FMin => "f_min",
            Combine::SMax => "s_max",
            Combine::UMax => "u_max",
            Combine::FMax => "f_max",
            Combine::And => "and",
            Combine::Or => "or",
            Combine::Xor => "xor",
        }
    }

    /// Combines two values of a type.
    pub(super) fn write(self, build: &mut Builder<'_>, ty: Inst, [left, right]: [Inst; 2]) -> Inst {
        let op = match self {
            Combine::Add => Op::IAdd,
            Combine::FAdd => Op::FAdd,
            Combine::Multiply => Op::IMul,
            Combine::FMultiply => Op::FMul,
            Combine::And => Op::BitwiseAnd,
            Combine::Or => Op::BitwiseOr,
            Combine::Xor => Op::BitwiseXor,
            Combine::SMin => return choose(build, ty, Op::SLessThan, [left, right]),
            Combine::UMin => return choose(build, ty, Op::ULessThan, [left, right]),
            Combine::FMin => return choose(build, ty, Op::FOrdLessThan, [left, right]),
            Combine::SMax => return choose(build, ty, Op::SGreaterThan, [left, right]),
            Combine::UMax => return choose(build, ty, Op::UGreaterThan, [left, right]),
            Combine::FMax => return choose(build, ty, Op::FOrdGreaterThan, [left, right]),
        };
        build.emit(op, Some(ty), &[left, right])
    }

    /// The identity of the operation, for an integer or floating-point type or a vector of them.
    pub(super) fn identity(self, build: &mut Builder<'_>, ty: Inst) -> Inst {
        let (component, _) = build.module().components(ty);
        let width = build.module().width(component).unwrap_or(32);
        let sign = 1_u64 << (width - 1);
        let (infinity, one) = match width {
            16 => (0x7c00, 0x3c00),
            32 => (0x7f80_0000, 0x3f80_0000),
            _ => (0x7ff0_0000_0000_0000, 0x3ff0_0000_0000_0000),
        };
        let value = match self {
            Combine::Add | Combine::FAdd | Combine::UMax | Combine::Or | Combine::Xor => 0,
            Combine::Multiply => 1,
            Combine::FMultiply => one,
            Combine::SMin => sign - 1,
            Combine::SMax => sign,
            Combine::UMin | Combine::And => u64::MAX,
            Combine::FMin => infinity,
            Combine::FMax => infinity | sign,
        };
        splat(build, ty, value)
    }
}

/// The left value if the comparison holds, else the right.
fn choose(build: &mut Builder<'_>, ty: Inst, comparison: Op, values: [Inst; 2]) -> Inst {
    let (_, count) = build.module().components(ty);
    let bool_type = build.bool_type();
    let bool_type = crate::scalars::vector_type(build, bool_type, count);
    let holds = build.emit(comparison, Some(bool_type), &values);
    build.select(ty, &[holds, values[0], values[1]])
}
