//! Entry points and what hangs on them: their functions, execution modes and interfaces, and where code goes that runs first.

use reconverge_ir::{Function, Inst, Module, Op};
use spirv::{Decoration, ExecutionMode, StorageClass};

/// Operand numbers of `entry_point`.
pub(super) mod operand {
    pub(in crate::kernel) const MODEL: usize = 0;
    pub(in crate::kernel) const FUNCTION: usize = 1;
    pub(in crate::kernel) const NAME: usize = 2;
    pub(in crate::kernel) const INTERFACE: usize = 3;
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
    let mut functions = Vec::new();
    for point in entry_points(module) {
        if !functions.contains(&point.function) {
            functions.push(point.function);
        }
    }
    functions
}

/// The execution modes of a function, each with its number. Linear in the globals.
pub(super) fn execution_modes(module: &Module, function: Function) -> impl Iterator<Item = (Inst, u32)> + '_ {
    module
        .globals()
        .filter(move |&global| {
            matches!(module.op(global), Op::ExecutionMode | Op::ExecutionModeId)
                && module.operand(global, 0) == Inst::from(function)
        })
        .filter_map(|mode| Some((mode, module.literal_word(module.operand(mode, 1))?)))
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
    let points = entry_points(module).into_iter().filter(|point| point.function == function);
    points
        .flat_map(|point| module.operands(point.inst).skip(operand::INTERFACE).collect::<Vec<_>>())
        .find(|&variable| is_variable_of(module, variable, StorageClass::PushConstant))
}
