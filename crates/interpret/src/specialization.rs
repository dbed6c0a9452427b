//! Specialization: the values of specialization constants, and the work-group size that a kernel requires.

use reconverge_ir::{Function, Inst, Module, Op};

use crate::types::decoration;
use crate::value::mask;
use crate::{Interpreter, Value};

const DECORATION_SPEC_ID: u32 = 1;
const DECORATION_BUILT_IN: u32 = 11;
const BUILT_IN_WORKGROUP_SIZE: u64 = 25;
/// Execution modes (SPIR-V section 3.2.6).
const LOCAL_SIZE: u32 = 17;
const LOCAL_SIZE_ID: u32 = 38;

/// The bits that a launch gives to a specialization constant, if it gives any.
pub(crate) fn specialized(module: &Module, constant: Inst, specialization: &[(u32, u64)]) -> Option<u64> {
    if specialization.is_empty() {
        return None;
    }
    let id = decoration(module, constant, DECORATION_SPEC_ID)?;
    specialization.iter().rev().find(|&&(given, _)| u64::from(given) == id).map(|&(_, bits)| bits)
}

/// A scalar of the kind of another with other bits.
pub(crate) fn with_bits(value: &Value, bits: u64) -> Value {
    match *value {
        Value::Int { width, .. } => Value::int(width, bits),
        Value::Float { width, .. } => Value::Float { width, bits: bits & mask(width) },
        _ => Value::Bool(bits != 0),
    }
}

/// The number of a built-in variable or constant.
pub(crate) fn built_in_number(module: &Module, inst: Inst) -> Option<u32> {
    decoration(module, inst, DECORATION_BUILT_IN).map(|number| number as u32)
}

/// The size that every work-group of a kernel must have, if the module says so: the constant decorated `WorkgroupSize` before the
/// execution modes of the entry point.
pub(crate) fn required_size(program: &Interpreter<'_>, function: Function) -> Option<[u32; 3]> {
    let module = program.module;
    let is_size = |inst: &Inst| {
        module.op(*inst).is_constant()
            && decoration(module, *inst, DECORATION_BUILT_IN) == Some(BUILT_IN_WORKGROUP_SIZE)
    };
    let constant = module.globals().find(is_size).and_then(|size| program.constant_value(size).ok());
    if let Some(size) = constant {
        let sizes: Vec<u32> = size.elements()?.iter().filter_map(Value::as_u32).collect();
        return sizes.try_into().ok();
    }
    module.globals().find_map(|inst| mode_size(program, inst, function))
}

fn mode_size(program: &Interpreter<'_>, inst: Inst, function: Function) -> Option<[u32; 3]> {
    let module = program.module;
    let is_mode = matches!(module.op(inst), Op::ExecutionMode | Op::ExecutionModeId);
    if !is_mode || module.operands(inst).next() != Some(function.inst()) {
        return None;
    }
    let operands: Vec<Inst> = module.operands(inst).skip(1).collect();
    let literals = operands.iter().filter(|&&operand| module.op(operand).is_literal());
    let words: Vec<u32> = literals.filter_map(|&literal| module.literal_word(literal)).collect();
    match words[..] {
        [LOCAL_SIZE, x, y, z] => Some([x, y, z]),
        [LOCAL_SIZE_ID] => {
            let sizes = operands[1..].iter().filter_map(|&size| program.constant_value(size).ok()?.as_u32());
            sizes.collect::<Vec<u32>>().try_into().ok()
        }
        _ => None,
    }
}
