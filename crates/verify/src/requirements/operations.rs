//! The requirements of operations in specialization constants (SPIR-V section 3.3.7, `OpSpecConstantOp`).
//!
//! - N1: some need the capability Kernel.
//! - N2: zero extension requires SPIR-V 1.4, Kernel, or an extension.
//! - N3: the operation is one of those that the specification lists.

use reconverge_ir::{Inst, Module, Op, view};
use spirv::Capability;

use crate::Code;
use crate::declared::{Declared, version};

/// Operations that require Kernel: pointers, floats, and conversions between them and integers.
#[rustfmt::skip]
const OF_KERNELS: &[spirv::Op] = {
    use spirv::Op::*;
    &[
        AccessChain, InBoundsAccessChain, PtrAccessChain, InBoundsPtrAccessChain, ConvertFToU, ConvertFToS, ConvertSToF,
        ConvertUToF, ConvertPtrToU, ConvertUToPtr, PtrCastToGeneric, GenericCastToPtr, Bitcast, FNegate, FAdd, FSub,
        FMul, FDiv, FRem, FMod,
    ]
};
/// Operations that all modules may use: composites, integer conversions, integers, booleans, comparisons, lengths of cooperative matrices.
#[rustfmt::skip]
const OF_ALL: &[spirv::Op] = {
    use spirv::Op::*;
    &[
        VectorShuffle, CompositeExtract, CompositeInsert, SConvert, FConvert, QuantizeToF16, SNegate, IAdd, ISub, IMul,
        UDiv, SDiv, UMod, SRem, SMod, LogicalEqual, LogicalNotEqual, LogicalOr, LogicalAnd, LogicalNot, Select, IEqual,
        INotEqual, UGreaterThan, SGreaterThan, UGreaterThanEqual, SGreaterThanEqual, ULessThan, SLessThan,
        ULessThanEqual, SLessThanEqual, ShiftRightLogical, ShiftRightArithmetic, ShiftLeftLogical, BitwiseOr,
        BitwiseXor, BitwiseAnd, Not, CooperativeMatrixLengthKHR, CooperativeMatrixLengthNV,
    ]
};

/// The error in the operation of a specialization constant, if there is one.
pub(super) fn problem(module: &Module, declared: &Declared, constant: Inst) -> Option<(Code, String)> {
    let opcode = view::SpecConstantOp::of(module, constant)?.opcode;
    let name = || {
        let op = Op::ALL.iter().find(|op| op.opcode().map(u32::from) == Some(opcode));
        op.map_or_else(|| format!("operation {opcode}"), |op| format!("`{}`", op.name()))
    };
    let is_of_kernels = declared.has(Capability::Kernel);
    match spirv::Op::from_u32(opcode) {
        Some(spirv::Op::UConvert) => {
            let is_there = declared.version >= version(1, 4)
                || is_of_kernels
                || declared.has_extension("SPV_AMD_gpu_shader_int16");
            (!is_there).then(|| {
                let needs = "SPIR-V 1.4, the capability Kernel or the extension SPV_AMD_gpu_shader_int16";
                (Code::N2, format!("{} in a specialization constant needs {needs}", name()))
            })
        }
        Some(op) if OF_KERNELS.contains(&op) => (!is_of_kernels)
            .then(|| (Code::N1, format!("{} in a specialization constant needs the capability Kernel", name()))),
        Some(op) if OF_ALL.contains(&op) => None,
        _ => Some((Code::N3, format!("{} cannot stand in a specialization constant", name()))),
    }
}
