//! `get_global_id(d)` and its like for a dimension that there is not.
//!
//! ```text
//! %s = load %GlobalSize                                   %in = u_less_than %d, 3
//! %r = vector_extract_dynamic %s, %d     ⇒                %e = vector_extract_dynamic %s, (select %in, %d, 0)
//!                                                         %r = select %in, %e, 1
//! ```
//!
//! OpenCL C gives a size of 1 and an id of 0 for every other `d` (section 6.15.1). llvm-spirv leaves the comparison out, so that the component
//! is undefined. Constant time.

use reconverge_ir::{Builder, Inst, Module, Op, view};
use spirv::{BuiltIn, Decoration};

use crate::repairs::FrontEndFault;
use crate::scalars::{constant_value, integer};

/// The number of dimensions.
const DIMENSIONS: u32 = 3;

/// Repairs the extraction of a component of a built-in variable.
pub(super) fn repair(module: &mut Module, inst: Inst) -> Option<FrontEndFault> {
    let view::VectorExtractDynamic { vector, index } = view::VectorExtractDynamic::of(module, inst)?;
    if is_dimension(module, index) {
        return None;
    }
    let otherwise = elsewhere(module, view::Load::of(module, vector)?.pointer)?;
    let (ty, index_ty) = (module.ty(inst)?, module.ty(index).filter(|&ty| module.op(ty) == Op::TypeInt)?);
    let mut build = Builder::new(module);
    build.before(inst);
    let bool_type = build.bool_type();
    let [limit, zero] = [DIMENSIONS, 0].map(|value| integer(&mut build, index_ty, value.into()));
    let otherwise = integer(&mut build, ty, otherwise);
    let is_in = build.u_less_than(bool_type, &[index, limit]);
    let index = build.select(index_ty, &[is_in, index, zero]);
    let component = build.vector_extract_dynamic(ty, &[vector, index]);
    let result = build.select(ty, &[is_in, component, otherwise]);
    let location = module.explicit_location(inst);
    let mut editor = module.edit();
    [is_in, index, component, result].into_iter().for_each(|made| editor.set_location(made, location));
    editor.replace_all_uses(inst, result);
    editor.delete(inst);
    Some(FrontEndFault::OtherDimension)
}

/// Returns whether an index is known to be that of a dimension: it is a constant, or selected by a comparison.
fn is_dimension(module: &Module, index: Inst) -> bool {
    let is_small = |value| constant_value(module, value).is_some_and(|value| value < u64::from(DIMENSIONS));
    let is_selected = |select: view::Select| {
        let compared =
            view::Binary::of(module, select.condition).filter(|_| module.op(select.condition) == Op::ULessThan);
        let is_limit = |limit| constant_value(module, limit).is_some_and(|limit| limit <= u64::from(DIMENSIONS));
        is_small(select.false_value)
            && compared.is_some_and(|compared| compared.left == select.true_value && is_limit(compared.right))
    };
    is_small(index) || view::Select::of(module, index).is_some_and(is_selected)
}

/// The value of a variable of the launch in dimensions that do not exist; `None` for other variables.
fn elsewhere(module: &Module, variable: Inst) -> Option<u64> {
    let number = module.decorated(variable).note(Decoration::BuiltIn)?.words().next()?;
    match BuiltIn::from_u32(number)? {
        BuiltIn::GlobalSize | BuiltIn::WorkgroupSize | BuiltIn::EnqueuedWorkgroupSize | BuiltIn::NumWorkgroups => {
            Some(1)
        }
        BuiltIn::GlobalInvocationId | BuiltIn::LocalInvocationId | BuiltIn::WorkgroupId | BuiltIn::GlobalOffset => {
            Some(0)
        }
        _ => None,
    }
}
