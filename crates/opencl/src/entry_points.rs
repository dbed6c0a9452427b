//! Entry points and what hangs on them: their functions, execution modes and interfaces, and where code goes that runs first.

use reconverge_ir::{Function, Inst, Module, Op, Slot};
use rustc_hash::FxHashSet;
use spirv::{Decoration, ExecutionMode, StorageClass};

/// Operand numbers of `entry_point`.
pub(super) mod operand {
    pub(crate) const MODEL: usize = 0;
    pub(crate) const FUNCTION: usize = 1;
    pub(crate) const NAME: usize = 2;
    pub(crate) const INTERFACE: usize = 3;
}

/// An entry point whose function has a body.
#[derive(Clone, Debug)]
pub(super) struct EntryPoint {
    /// The `entry_point` instruction.
    pub(super) inst: Inst,
    pub(super) function: Function,
    pub(super) name: String,
    /// SPIR-V's number of the execution model.
    pub(super) model: u32,
}

/// The entry points of a module that have a body, in order. Linear in the globals.
pub(super) fn entry_points(module: &Module) -> Vec<EntryPoint> {
    let points = module.globals().filter(|&global| module.op(global) == Op::EntryPoint);
    let points = points.filter_map(|inst| {
        let function = module.cast::<Function>(module.operand(inst, operand::FUNCTION))?;
        module.entry(function)?;
        let name = module.literal_text(module.operand(inst, operand::NAME));
        let model = module.literal_word(module.operand(inst, operand::MODEL))?;
        Some(EntryPoint { inst, function, name, model })
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
    users_as(module, function, operand::FUNCTION, |op| op == Op::EntryPoint)
}

/// What names a function in an operand, oldest first.
fn users_as(module: &Module, function: Function, index: usize, is_wanted: impl Fn(Op) -> bool) -> Vec<Inst> {
    let uses =
        module.uses(function).filter(|used| used.slot == Slot::Operand(index) && is_wanted(module.op(used.user)));
    let mut users: Vec<Inst> = uses.map(|used| used.user).collect();
    users.reverse();
    users
}

/// The execution modes of a function, each with its number. Linear in the uses of the function.
pub(super) fn execution_modes(module: &Module, function: Function) -> impl Iterator<Item = (Inst, u32)> + '_ {
    let modes = users_as(module, function, 0, |op| matches!(op, Op::ExecutionMode | Op::ExecutionModeId));
    modes.into_iter().filter_map(|mode| Some((mode, module.literal_word(module.operand(mode, 1))?)))
}

/// The sizes that a `LocalSize` mode of the function gives.
pub(super) fn local_size_mode(module: &Module, function: Function) -> Option<[u32; 3]> {
    let (mode, _) = execution_modes(module, function).find(|&(_, mode)| mode == ExecutionMode::LocalSize as u32)?;
    let mut words = module.operands(mode).skip(2).map(|operand| module.literal_word(operand));
    Some([words.next()??, words.next()??, words.next()??])
}

/// Where code goes that runs first: the first instruction behind the variables of the function.
pub(super) fn first_instruction(module: &Module, function: Function) -> Inst {
    let entry = module.entry(function).expect("invariant: the function of an entry point has a body");
    let is_leading = |&inst: &Inst| matches!(module.op(inst), Op::Variable | Op::BlockParameter);
    let first = match module.children(entry).filter(is_leading).last() {
        Some(last) => module.next(last),
        None => module.first_child(entry),
    };
    first.expect("invariant: a block ends with a terminator")
}

/// The storage class of a pointer type.
pub(super) fn pointer_class(module: &Module, ty: Inst) -> Option<u32> {
    (module.op(ty) == Op::TypePointer).then(|| module.literal_word(module.operand(ty, 0))).flatten()
}

/// The storage class that a value points into, if it is a pointer.
pub(super) fn class_of(module: &Module, pointer: Inst) -> Option<u32> {
    pointer_class(module, module.ty(pointer)?)
}

/// Whether an instruction is a variable of a storage class.
pub(super) fn is_variable_of(module: &Module, inst: Inst, class: StorageClass) -> bool {
    module.op(inst) == Op::Variable && module.literal_word(module.operand(inst, 0)) == Some(class as u32)
}

/// The operand behind a `decorate` of a kind, if an instruction has one: `BuiltIn`, `SpecId`, `Offset` …
pub(super) fn decoration_word(module: &Module, inst: Inst, kind: Decoration) -> Option<u32> {
    let note = decoration(module, inst, kind)?;
    module.operands(note).nth(1).and_then(|word| module.literal_word(word))
}

/// The `decorate` of a kind that an instruction has.
pub(super) fn decoration(module: &Module, inst: Inst, kind: Decoration) -> Option<Inst> {
    module.decorations(inst).iter().copied().find(|&note| decoration_kind(module, note) == Some(kind as u32))
}

/// The number of the decoration that a note carries; `None` for names.
pub(super) fn decoration_kind(module: &Module, note: Inst) -> Option<u32> {
    let index = match module.op(note) {
        Op::Decorate | Op::DecorateId | Op::DecorateString => 0,
        Op::MemberDecorate | Op::MemberDecorateString => 1,
        _ => return None,
    };
    module.operands(note).nth(index).and_then(|kind| module.literal_word(kind))
}

/// The push-constant variable that an entry point of the function lists in its interface.
pub(super) fn push_constants(module: &Module, function: Function) -> Option<Inst> {
    entry_points_of(module, function).into_iter().find_map(|point| listed_push_constants(module, point))
}

/// The push-constant variable that an entry point lists in its interface.
pub(super) fn listed_push_constants(module: &Module, point: Inst) -> Option<Inst> {
    let mut listed = module.operands(point).skip(operand::INTERFACE);
    listed.find(|&variable| is_variable_of(module, variable, StorageClass::PushConstant))
}

/// Takes variables out of the interfaces of all entry points. Linear in the interfaces.
pub(super) fn leave_interfaces(module: &mut Module, gone: &FxHashSet<Inst>) {
    let points = module.globals().filter(|&global| module.op(global) == Op::EntryPoint);
    for point in points.collect::<Vec<_>>() {
        let operands = module.operands(point).enumerate();
        let kept = operands.filter(|(index, operand)| *index < operand::INTERFACE || !gone.contains(operand));
        let kept: Vec<Inst> = kept.map(|(_, operand)| operand).collect();
        if kept.len() < module.operand_count(point) {
            module.edit().set_operands(point, &kept);
        }
    }
}
