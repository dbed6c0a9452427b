//! Debug information of values: beside the code while passes run, in the code otherwise.
//!
//! ```text
//! store %x, %v                                        store %x, %v
//! %1 = DebugDeclare %local %x %e          ⇔           ── record: %local is in %x
//! return                                              return
//! ```
//!
//! [`detach`] removes `DebugDeclare`, `DebugValue` and `DebugFunctionDefinition` from their blocks ([`reconverge_ir::debug_records`]), and
//! removes the operands of `DebugGlobalVariable` and `DebugFunction`, so that debug information is no use of what they named. The code that
//! passes write is then that of a build without debug information. [`attach()`] restores everything.
//!
//! A record states a fact, or it states nothing. If a value is deleted, or is not computed on all paths to the record, the record states
//! `undef`; if the value is computed later in the same block, the record is placed after it. A variable that became a value has a
//! `DebugValue` for each store and for each parameter (`mem2reg`); [`write_value`] creates them. If a variable loses a store for another
//! reason, its declaration is removed ([`forget_store`]), since the memory no longer holds what the variable of the source holds.
//!
//! Debug information requires constant numbers of elements. Numbers that are specialization constants become 0.
//!
//! Linear in the functions that have records.

use reconverge_ir::debug_info::{DebugSet, number, operand, operand_of};
use reconverge_ir::debug_records::{DebugRecord, RecordId, RecordKind, RecordLocation};
use reconverge_ir::view::{self, DerivedPointer, ExtInst};
use reconverge_ir::{Block, Function, Inst, Location, Module, Op, Position};
use rustc_hash::FxHashSet;
use smallvec::SmallVec;

mod attach;

pub use attach::attach;

/// The operand of an instruction of debug information that names what it describes.
fn described(set: DebugSet, instruction: u32) -> Option<usize> {
    match (set, instruction) {
        (_, number::DECLARE | number::VALUE) => Some(operand::DECLARE_VARIABLE),
        (_, number::GLOBAL_VARIABLE) => Some(operand::GLOBAL_VARIABLE_VARIABLE),
        (DebugSet::Literals, number::FUNCTION) => Some(operand::FUNCTION_FUNCTION),
        (DebugSet::Constants, number::FUNCTION_DEFINITION) => Some(operand::DEFINITION_OWNER),
        _ => None,
    }
}

/// Moves the debug information of values from the code to records. Does nothing in a module without debug information.
pub fn detach(module: &mut Module) {
    let sets: Vec<Inst> = module.globals().filter(|&global| DebugSet::of_import(module, global).is_some()).collect();
    let users: Vec<Inst> = sets.iter().flat_map(|&set| module.uses(set)).map(|used| used.user).collect();
    let mut blocks = FxHashSet::default();
    for user in users.into_iter().rev() {
        match module.block_of(user) {
            _ if ExtInst::of(module, user).is_none() => {}
            Some(block) if blocks.insert(block) => detach_block(module, block),
            Some(_) => {}
            None if module.parent(user) == Some(module.root()) => detach_global(module, user),
            None => {}
        }
    }
}

/// Replaces an operand of an instruction of debug information by the set. Returns the operand.
fn take_described(module: &mut Module, inst: Inst) -> Option<Inst> {
    let (set, instruction) = DebugSet::of_inst(module, inst)?;
    let index = described(set, instruction)?;
    let value = operand_of(module, inst, index)?;
    let set = ExtInst::of(module, inst)?.set;
    module.edit().set_operand(inst, ExtInst::SLOT.operands + index, set);
    Some(value)
}

fn detach_global(module: &mut Module, inst: Inst) {
    let Some((set, instruction)) = DebugSet::of_inst(module, inst) else { return };
    if instruction == number::TYPE_ARRAY {
        forget_specialized_counts(module, inst);
    }
    let Some(index) = described(set, instruction) else { return };
    let is_code = |named: &Inst| matches!(module.op(*named), Op::Variable | Op::Function);
    if operand_of(module, inst, index).filter(is_code).is_none() {
        return;
    }
    let value = take_described(module, inst);
    module.edit().add_record(DebugRecord {
        inst,
        kind: RecordKind::Global(ExtInst::SLOT.operands + index),
        value,
        ty: None,
        part: None,
        anchor: None,
        location: RecordLocation::Own,
    });
}

/// Replaces a number of elements that is a specialization constant, as front ends write it, by the constant 0, as for arrays whose length
/// is known only at run time.
fn forget_specialized_counts(module: &mut Module, array: Inst) {
    let first = ExtInst::SLOT.operands + operand::ARRAY_COUNTS;
    for index in first..module.operand_count(array) {
        let count = module.operand(array, index);
        let is_specialized = matches!(
            module.op(count),
            Op::SpecConstant | Op::SpecConstantOp | Op::SpecConstantTrue | Op::SpecConstantFalse
        );
        if let Some(ty) = module.ty(count).filter(|_| is_specialized) {
            let mut editor = module.edit();
            let zero = editor.literal(if editor.module().width(ty) == Some(64) { &[0, 0] } else { &[0] });
            let zero = editor.unique(Op::Constant, Some(ty), &[zero]);
            editor.set_operand(array, index, zero);
        }
    }
}

/// Moves the records out of a block. Linear in the block.
fn detach_block(module: &mut Module, block: Block) {
    let inside: Vec<Inst> = module.children(block).collect();
    let mut waiting: SmallVec<[DebugRecord; 4]> = SmallVec::new();
    // The source location that the next instruction has from the last of several consecutive records.
    let mut lent: Option<Location> = None;
    for inst in inside {
        let Some((_, instruction)) = DebugSet::of_inst(module, inst) else {
            lend(module, inst, lent.take(), &mut waiting);
            if !matches!(module.op(inst), Op::Variable | Op::BlockParameter) {
                for record in waiting.drain(..) {
                    module.edit().add_record(DebugRecord { anchor: record.anchor.or(Some(inst)), ..record });
                }
            }
            continue;
        };
        lent = module.explicit_location(inst).or(lent);
        let location = match module.explicit_location(inst) {
            Some(_) => RecordLocation::Own,
            None => RecordLocation::Inherited,
        };
        let value = take_described(module, inst);
        let (kind, anchor) = match instruction {
            number::DECLARE => (RecordKind::Declare, None),
            number::VALUE => (RecordKind::Value, None),
            number::FUNCTION_DEFINITION => (RecordKind::Definition, module.function_of(block).map(Inst::from)),
            _ => (RecordKind::Plain, None),
        };
        let ty = value.and_then(|value| module.ty(value));
        module.edit().detach(inst);
        waiting.push(DebugRecord { inst, kind, value, ty, part: None, anchor, location });
    }
}

/// Gives an instruction the source location that it had from the records before it.
fn lend(module: &mut Module, inst: Inst, lent: Option<Location>, waiting: &mut [DebugRecord]) {
    if let Some(location) = lent.filter(|_| module.explicit_location(inst).is_none()) {
        module.edit().set_location(inst, Some(location));
        let own = waiting.iter_mut().rev().find(|record| record.location == RecordLocation::Own);
        own.into_iter().for_each(|record| record.location = RecordLocation::Lent);
    }
}

/// The declarations of a variable.
pub fn declarations(module: &Module, variable: Inst) -> impl Iterator<Item = (RecordId, DebugRecord)> + '_ {
    module.debug_records().of(variable).filter(|(_, record)| record.kind == RecordKind::Declare)
}

/// Returns whether a declaration states that the memory holds the variable unchanged, so that a stored value is the value of the variable.
pub fn is_direct(module: &Module, declaration: &DebugRecord) -> bool {
    let expression = operand_of(module, declaration.inst, operand::VALUE_EXPRESSION);
    expression.and_then(|expression| ExtInst::of(module, expression)).is_some_and(|it| it.operands.is_empty())
}

/// Turns a declaration into a record of a value.
pub fn turn_into_value(module: &mut Module, id: RecordId, value: Option<Inst>) {
    let ty = value.and_then(|value| module.ty(value));
    let Some(DebugRecord { inst, .. }) = module.debug_records().record(id) else { return };
    let mut editor = module.edit();
    let word = editor.word(number::VALUE);
    editor.set_operand(inst, ExtInst::SLOT.instruction, word);
    editor.set_record_kind(id, RecordKind::Value);
    editor.set_record_value(id, value);
    ty.into_iter().for_each(|ty| editor.set_record_type(id, ty));
}

/// Adds a record that a variable of the source, declared by `declaration`, has a value from here on.
pub fn write_value(
    module: &mut Module,
    declaration: &DebugRecord,
    value: Option<Inst>,
    anchor: Inst,
    like: Option<Inst>,
) {
    let record = DebugRecord { value, anchor: Some(anchor), location: RecordLocation::Own, ..*declaration };
    let id = module.edit().copy_record(record);
    let Some(DebugRecord { inst, .. }) = module.debug_records().record(id) else { return };
    let location = like.and_then(|like| module.explicit_location(like));
    module.edit().set_location(inst, location);
    turn_into_value(module, id, value);
}

/// The first instruction of a block that is neither a parameter nor a variable.
pub fn first_anchor(module: &Module, block: Block) -> Inst {
    let first = module.children(block).find(|&inst| !matches!(module.op(inst), Op::BlockParameter | Op::Variable));
    first.unwrap_or(block.into())
}

/// Removes the declarations of a variable that is about to lose a store, or a part of one: its memory will not hold what the variable of
/// the source holds. To be called before the store is removed.
pub fn forget_store(module: &mut Module, store: Inst) {
    if module.debug_records().is_empty() {
        return;
    }
    let target = match module.op(store) {
        Op::Store => view::Store::of(module, store).map(|store| store.pointer),
        Op::CopyMemory | Op::CopyMemorySized => view::Copy::of(module, store).map(|copy| copy.target),
        _ => None,
    };
    let Some(mut pointer) = target else { return };
    while let Some(derived) = DerivedPointer::of(module, pointer) {
        pointer = derived.base;
    }
    let gone: SmallVec<[RecordId; 2]> = declarations(module, pointer).map(|(id, _)| id).collect();
    gone.into_iter().for_each(|id| module.edit().remove_record(id));
}

/// Records at the start of a block that the values of some variables are unknown: those that are described in blocks that are about to be
/// removed and that control passed before this block.
pub fn forget_blocks(module: &mut Module, removed: &[Block], at: Block) {
    if module.debug_records().is_empty() {
        return;
    }
    let mut gone: Vec<DebugRecord> = Vec::new();
    let mut known = FxHashSet::default();
    for &block in removed {
        for anchor in module.children(block).chain([block.into()]) {
            let values = module.debug_records().at(anchor).filter(|(_, record)| record.kind == RecordKind::Value);
            for (_, record) in values {
                if known.insert((operand_of(module, record.inst, operand::LOCAL_VARIABLE), record.part)) {
                    gone.push(record);
                }
            }
        }
    }
    let anchor = first_anchor(module, at);
    let there: Vec<(RecordId, DebugRecord)> = module.debug_records().at(anchor).collect();
    for record in gone {
        module.edit().copy_record(DebugRecord { value: None, anchor: Some(anchor), ..record });
    }
    // The block's own records come after it.
    for (id, _) in there {
        if let Some(record) = module.edit().take_record(id) {
            module.edit().add_record(record);
        }
    }
}

/// The function of a record, if it belongs to one.
fn function_of(module: &Module, record: &DebugRecord) -> Option<Function> {
    module.function_of(record.anchor?)
}

/// Places an instruction at module level before another one, or among the globals.
fn write_global(module: &mut Module, ty: Option<Inst>, operands: &[Inst]) -> Inst {
    let mut editor = module.edit();
    let inst = editor.create(Op::ExtInst, ty, operands);
    editor.place_global(inst);
    inst
}

/// `DebugInfoNone` before an instruction at module level.
fn write_none(module: &mut Module, before: Inst, set: Inst) -> Inst {
    let ty = module.ty(before);
    let mut editor = module.edit();
    let none = editor.word(number::NONE);
    editor.insert(Position::Before(before), Op::ExtInst, ty, &[set, none])
}
