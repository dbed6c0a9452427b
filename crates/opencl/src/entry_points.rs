//! Entry points with their functions, execution modes and interfaces, and the position of code that runs first.

use reconverge_ir::view::{self, Operands};
use reconverge_ir::{Function, Inst, Module, Op, Slot};
use rustc_hash::FxHashSet;
use spirv::{ExecutionMode, ExecutionModel, StorageClass};

/// An entry point whose function has a body.
#[derive(Clone, Debug)]
pub(super) struct EntryPoint {
    /// The `entry_point` instruction.
    pub(super) inst: Inst,
    pub(super) function: Function,
    pub(super) name: String,
    pub(super) model: Option<ExecutionModel>,
}

/// The entry points of a module that have a body, in order. Linear in the globals.
pub(super) fn entry_points(module: &Module) -> Vec<EntryPoint> {
    let points = module.globals().filter(|&global| module.op(global) == Op::EntryPoint);
    let points = points.filter_map(|inst| {
        let view::EntryPoint { function, name, execution_model, .. } = view::EntryPoint::of(module, inst)?;
        let function = module.cast::<Function>(function)?;
        module.entry(function)?;
        Some(EntryPoint { inst, function, name: name.to_string(), model: execution_model })
    });
    points.collect()
}

/// The functions of entry points, each once, in the order of the entry points.
pub(super) fn entry_functions(module: &Module) -> Vec<Function> {
    let mut seen = FxHashSet::default();
    let functions = entry_points(module).into_iter().map(|point| point.function);
    functions.filter(|&function| seen.insert(function)).collect()
}

/// The `entry_point` instructions of a function. Linear in the uses of the function.
pub(super) fn entry_points_of(module: &Module, function: Function) -> Vec<Inst> {
    users_as(module, function, view::EntryPoint::SLOT.function, |op| op == Op::EntryPoint)
}

/// The instructions that have a function as an operand, oldest first.
fn users_as(module: &Module, function: Function, index: usize, is_wanted: impl Fn(Op) -> bool) -> Vec<Inst> {
    let uses =
        module.uses(function).filter(|used| used.slot == Slot::Operand(index) && is_wanted(module.op(used.user)));
    let mut users: Vec<Inst> = uses.map(|used| used.user).collect();
    users.reverse();
    users
}

/// The execution modes of a kind that a function has. Linear in the uses of the function.
pub(super) fn execution_modes(module: &Module, function: Function, kind: ExecutionMode) -> Vec<Inst> {
    let mut modes = users_as(module, function, view::ExecutionMode::SLOT.function, view::Mode::covers);
    modes.retain(|&mode| view::Mode::of(module, mode).is_some_and(|mode| mode.mode == Some(kind)));
    modes
}

/// The operands of the first execution mode of a kind.
pub(super) fn execution_mode(module: &Module, function: Function, kind: ExecutionMode) -> Option<Operands<'_>> {
    let first = *execution_modes(module, function, kind).first()?;
    view::Mode::of(module, first).map(|mode| mode.parameters)
}

/// The sizes of a `LocalSize` mode of the function.
pub(super) fn local_size_mode(module: &Module, function: Function) -> Option<[u32; 3]> {
    let sizes = execution_mode(module, function, ExecutionMode::LocalSize)?;
    let mut words = sizes.iter().map(|size| module.literal_word(size));
    Some([words.next()??, words.next()??, words.next()??])
}

/// The position of code that runs first: after the variables of the function.
pub(super) fn first_instruction(module: &Module, function: Function) -> Inst {
    let entry = module.entry(function).expect("invariant: the function of an entry point has a body");
    let is_leading = |&inst: &Inst| matches!(module.op(inst), Op::Variable | Op::BlockParameter);
    let first = match module.children(entry).filter(is_leading).last() {
        Some(last) => module.next(last),
        None => module.first_child(entry),
    };
    first.expect("invariant: a block ends with a terminator")
}

/// The variable with the arguments that an entry point of the function lists in its interface: push constants or a uniform buffer.
pub(super) fn argument_block(module: &Module, function: Function) -> Option<Inst> {
    entry_points_of(module, function).into_iter().find_map(|point| listed_block(module, point))
}

/// The variable with the arguments that an entry point lists in its interface.
pub(super) fn listed_block(module: &Module, point: Inst) -> Option<Inst> {
    let is_block = |&variable: &Inst| {
        module.is_variable_of(variable, StorageClass::PushConstant)
            || module.is_variable_of(variable, StorageClass::Uniform)
    };
    view::EntryPoint::of(module, point)?.interface.iter().find(is_block)
}

/// Removes variables from the interfaces of all entry points. Linear in the interfaces.
pub(super) fn leave_interfaces(module: &mut Module, gone: &FxHashSet<Inst>) {
    let points = module.globals().filter(|&global| module.op(global) == Op::EntryPoint);
    for point in points.collect::<Vec<_>>() {
        let operands = module.operands(point).enumerate();
        let kept =
            operands.filter(|(index, operand)| *index < view::EntryPoint::SLOT.interface || !gone.contains(operand));
        let kept: Vec<Inst> = kept.map(|(_, operand)| operand).collect();
        if kept.len() < module.operand_count(point) {
            module.edit().set_operands(point, &kept);
        }
    }
}
