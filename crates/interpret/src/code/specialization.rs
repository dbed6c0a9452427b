//! Specialization: the values of specialization constants, and the work-group size that a kernel requires.

use reconverge_ir::{Function, Inst, Module, decoration, view};
use spirv::{BuiltIn, ExecutionMode};

use crate::value::mask;
use crate::{Interpreter, Value};

/// The bits that a launch gives to a specialization constant, if any.
pub(crate) fn specialized(module: &Module, constant: Inst, specialization: &[(u32, u64)]) -> Option<u64> {
    if specialization.is_empty() {
        return None;
    }
    let decoration::SpecId(id) = module.decorated(constant).find()?;
    specialization.iter().rev().find(|&&(given, _)| given == id).map(|&(_, bits)| bits)
}

/// A scalar of the kind of another one, with other bits.
pub(super) fn with_bits(value: &Value, bits: u64) -> Value {
    match *value {
        Value::Int { width, .. } => Value::int(width, bits),
        Value::Float { width, .. } => Value::Float { width, bits: bits & mask(width) },
        _ => Value::Bool(bits != 0),
    }
}

/// The built-in of a variable or constant.
pub(crate) fn built_in(module: &Module, inst: Inst) -> Option<BuiltIn> {
    module.decorated(inst).find().map(|decoration::BuiltIn(built_in)| built_in)
}

/// The work-group size that a kernel requires, if it does: the constant decorated `WorkgroupSize` has priority over the execution modes of
/// the entry point.
pub(crate) fn required_size(program: &Interpreter<'_>, function: Function) -> Option<[u32; 3]> {
    let module = program.module;
    let is_size =
        |inst: &Inst| module.op(*inst).is_constant() && built_in(module, *inst) == Some(BuiltIn::WorkgroupSize);
    let constant = module.globals().find(is_size).and_then(|size| program.constant_value(size).ok());
    if let Some(size) = constant {
        let sizes: Vec<u32> = size.elements()?.iter().filter_map(Value::as_u32).collect();
        return sizes.try_into().ok();
    }
    module.globals().find_map(|inst| mode_size(program, inst, function))
}

fn mode_size(program: &Interpreter<'_>, inst: Inst, wanted: Function) -> Option<[u32; 3]> {
    let module = program.module;
    let view::Mode { function, mode, parameters } = view::Mode::of(module, inst)?;
    if function != wanted.inst() {
        return None;
    }
    let literal = |literal| module.literal_words(literal).first().copied();
    let constant = |constant| program.constant_value(constant).ok()?.as_u32();
    let sizes: Vec<u32> = match mode? {
        ExecutionMode::LocalSize => parameters.iter().filter_map(literal).collect(),
        ExecutionMode::LocalSizeId => parameters.iter().filter_map(constant).collect(),
        _ => return None,
    };
    sizes.try_into().ok()
}
