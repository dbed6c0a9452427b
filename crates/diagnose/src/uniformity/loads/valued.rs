//! Pointer parameters that only pass a value.
//!
//! ```text
//! store %p, %value                                     …
//! call %f(%p)                                          call %f(%value)
//!                                           ⇒
//! func %f(%x: *Function T)                             func %f(%v: T)
//!   %1 = load %x                                         %x = variable; store %x, %v
//!                                                        %1 = load %x
//! ```
//!
//! Front ends pass arguments this way, in variables that they write before each call and never read. The analysis tells the values of
//! different calls apart, but not what one memory holds at different calls. So in a copy of the module the value is the parameter. Linear,
//! but the search for the last store visits a bounded number of steps for each call.

use reconverge_ir::{Function, Inst, Module, Op, Position, Slot, view};
use rustc_hash::FxHashMap;
use spirv::StorageClass;

use super::first_place;
use super::passed::is_known;
use super::stored::last_store_before;
use crate::program::Program;

/// A parameter that passes a value.
pub(super) struct Valued {
    pub(super) parameter: Inst,
    function: Function,
    /// The operand of each call that is this parameter, and the value that it passes.
    calls: Vec<(Inst, usize, Inst)>,
}

/// The parameters, in order.
pub(super) fn find(program: &Program<'_>) -> Vec<Valued> {
    let module = program.module;
    let mut found = Vec::new();
    for (number, flow) in program.flows.iter().enumerate() {
        for (index, parameter) in module.parameters(flow.function).map(Inst::from).enumerate() {
            if module.storage_class(parameter) != Some(StorageClass::Function) || !is_known(program, parameter) {
                continue;
            }
            let calls = program.callers[number].iter().map(|caller| {
                let operand = view::FunctionCall::SLOT.arguments + index;
                Some((caller.call, operand, passed_value(module, caller.call, operand)?))
            });
            if let Some(calls) = calls.collect::<Option<Vec<_>>>() {
                found.push(Valued { parameter, function: flow.function, calls });
            }
        }
    }
    found
}

/// The value that the variable has that a call passes, if no other use can see what the callee makes of it.
fn passed_value(module: &Module, call: Inst, operand: usize) -> Option<Inst> {
    let variable = module.operands(call).nth(operand)?;
    let is_own = module.op(variable) == Op::Variable && module.is_variable_of(variable, StorageClass::Function);
    let is_written_alone = module.uses(variable).all(|used| match (module.op(used.user), used.slot) {
        (Op::Name | Op::LifetimeStart | Op::LifetimeStop, _) => true,
        (Op::FunctionCall, Slot::Operand(1..)) => true,
        (Op::Store, Slot::Operand(0)) => module.operand_count(used.user) == 2,
        _ => false,
    });
    // Passed twice to one call, it would be two variables.
    let is_once = module.operands(call).filter(|&other| other == variable).count() == 1;
    let store = (is_own && is_written_alone && is_once).then(|| last_store_before(module, call, variable))??;
    view::Store::of(module, store).map(|store| store.object)
}

/// Makes the parameters values, in a copy of the module. Returns the new instructions with the parameters that they replace.
pub(super) fn replace(module: &mut Module, valued: &[Valued]) -> FxHashMap<Inst, Inst> {
    let mut origins = FxHashMap::default();
    for Valued { parameter, function, calls } in valued {
        let place = module.entry(*function).zip(first_place(module, *function));
        let types = module.ty(*parameter).zip(module.pointee(*parameter));
        let (Some((entry, place)), Some((pointer, ty))) = (place, types) else { continue };
        let mut editor = module.edit();
        let class = editor.enumerant(StorageClass::Function);
        let value = editor.insert(Position::Before(*parameter), Op::FunctionParameter, Some(ty), &[]);
        let variable = editor.insert(Position::AtStart(entry.into()), Op::Variable, Some(pointer), &[class]);
        let store = editor.insert(place, Op::Store, None, &[variable, value]);
        editor.replace_all_uses(*parameter, variable);
        editor.delete(*parameter);
        calls.iter().for_each(|&(call, operand, passed)| editor.set_operand(call, operand, passed));
        origins.extend([value, variable, store].map(|own| (own, *parameter)));
    }
    origins
}
