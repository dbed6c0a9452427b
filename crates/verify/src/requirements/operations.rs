//! What operations in specialization constants need (SPIR-V section 3.3.7, `OpSpecConstantOp`).
//!
//! - N1: some need the capability Kernel.
//! - N2: widening without a sign is of SPIR-V 1.4, of Kernel, or of an extension.
//! - N3: the operation is one of those that the specification lists.

use reconverge_ir::{Inst, Module, Op};
use spirv::Capability;

use crate::Code;
use crate::declared::{Declared, version};

/// `OpUConvert`.
const U_CONVERT: u32 = 113;

/// What is wrong with the operation of a specialization constant.
pub(super) fn problem(module: &Module, declared: &Declared, constant: Inst) -> Option<(Code, String)> {
    let opcode = module.literal_word(module.operand(constant, 0))?;
    let name = || {
        let op = Op::ALL.iter().find(|op| op.opcode().map(u32::from) == Some(opcode));
        op.map_or_else(|| format!("operation {opcode}"), |op| format!("`{}`", op.name()))
    };
    let is_of_kernels = declared.has(Capability::Kernel);
    match opcode {
        U_CONVERT => {
            let is_there = declared.version >= version(1, 4)
                || is_of_kernels
                || declared.has_extension("SPV_AMD_gpu_shader_int16");
            (!is_there).then(|| {
                let needs = "SPIR-V 1.4, the capability Kernel or the extension SPV_AMD_gpu_shader_int16";
                (Code::N2, format!("{} in a specialization constant needs {needs}", name()))
            })
        }
        // Addresses, floats, and what converts them.
        65..=67 | 70 | 109..=112 | 117 | 120..=122 | 124 | 127 | 129 | 131 | 133 | 136 | 140 | 141 => (!is_of_kernels)
            .then(|| (Code::N1, format!("{} in a specialization constant needs the capability Kernel", name()))),
        // Composites, conversions, integers, truth values, comparisons, the lengths of cooperative matrices.
        79
        | 81
        | 82
        | 114..=116
        | 126
        | 128
        | 130
        | 132
        | 134
        | 135
        | 137..=139
        | 164..=179
        | 194..=200
        | 4460
        | 5362 => None,
        _ => Some((Code::N3, format!("{} cannot stand in a specialization constant", name()))),
    }
}
