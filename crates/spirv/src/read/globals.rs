//! Instructions outside functions.
//!
//! A type or constant is identified by its operands, so it cannot be created before them. In a valid file they come first, with one
//! exception: a type may use a pointer that `OpTypeForwardPointer` announced. Such a type waits for the pointer and is created right after
//! it. Structs never wait, so every cycle is broken at one.
//!
//! ```text
//! OpTypeForwardPointer %p                     %s created, operands open
//! %a = OpTypeArray %p %n              ⇒       %p created
//! %s = OpTypeStruct %a                        %a created, it waited for %p
//! %p = OpTypePointer PhysicalStorage %s       … at the end: operands of %s
//! ```

use std::ops::Range;

use reconverge_diagnostic::Diagnostic;
use reconverge_ir::{Class, Inst, Location, Op, Position};
use rustc_hash::{FxHashMap, FxHashSet};

use super::decorations::decoration_op;
use super::order::Order;
use super::{Reader, Slot, Slots};
use crate::binary::{self, Instruction};
use crate::error::{ReadCode, at_word};
use crate::grammar;
use crate::opcode;

/// The positions of the functions in the file.
pub(super) struct Outline {
    /// The words of each function, from `OpFunction` to `OpFunctionEnd` inclusive, and the location that holds at its beginning.
    pub(super) functions: Vec<(Range<usize>, Option<Location>)>,
    /// Instructions that are after the first function and outside all functions: non-semantic ones about functions.
    pub(super) trailing: Vec<usize>,
}

/// A type or constant whose operands do not all exist yet.
struct Waiting {
    op: Op,
    number: u32,
    ty: Option<u32>,
    slots: Slots,
    /// The number of slots that are known to exist.
    checked: usize,
    location: Option<Location>,
    offset: usize,
}

/// Types and constants, by the instruction that they wait for.
#[derive(Default)]
struct WaitingRoom {
    /// The numbers of announced pointers that are not declared yet, and of everything that waits for one.
    announced: FxHashSet<u32>,
    by_number: FxHashMap<u32, Vec<Waiting>>,
}

impl Reader<'_> {
    /// Reads everything outside the functions, and finds the positions of the functions.
    pub(super) fn read_globals(&mut self) -> Result<Outline, Diagnostic> {
        let mut outline = Outline { functions: Vec::new(), trailing: Vec::new() };
        let mut waiting = WaitingRoom::default();
        let mut order = Order::start();
        let mut start = None;
        for instruction in binary::all_instructions(self.words) {
            let instruction = instruction?;
            if start.is_none() {
                order.advance(&instruction)?;
            }
            match (instruction.opcode, start) {
                (opcode::FUNCTION, None) => {
                    self.location = None;
                    start = Some((instruction.offset, self.in_effect.take()));
                }
                (opcode::FUNCTION_END, Some((first, location))) => {
                    outline.functions.push((first..instruction.end(), location));
                    start = None;
                }
                (opcode::FUNCTION, Some(_)) | (opcode::FUNCTION_END, None) => return Err(misplaced(&instruction)),
                (_, Some(_)) => {}
                (_, None) if decoration_op(instruction.opcode).is_some() => self.location = None,
                (_, None) => {
                    if !self.read_position(&instruction)? {
                        self.read_global(&instruction, &mut outline, &mut waiting)?;
                    }
                }
            }
        }
        if let Some((offset, _)) = start {
            return Err(at_word(ReadCode::Layout, offset, "expected OpFunctionEnd, found the end of the file"));
        }
        self.location = None;
        let left = waiting.by_number.into_values().flatten().map(|waiting| waiting.offset).min();
        left.map_or(Ok(outline), |offset| {
            Err(at_word(ReadCode::ForwardReference, offset, "expected operands that are declared earlier"))
        })
    }

    fn read_global(
        &mut self,
        instruction: &Instruction<'_>,
        outline: &mut Outline,
        waiting: &mut WaitingRoom,
    ) -> Result<(), Diagnostic> {
        self.decode(instruction)?;
        let (ty, number) = self.results(instruction)?;
        let op = self.value_op(instruction)?;
        if !stands_at_module_level(op) {
            return Err(misplaced(instruction));
        }
        let trails = matches!(op, Op::ExtInst | Op::OpaquePlain | Op::OpaqueResult | Op::OpaqueTyped);
        if trails && !outline.functions.is_empty() {
            outline.trailing.push(instruction.offset);
            self.location = None;
            return Ok(());
        }
        let slots = self.slots_with_opcode(instruction, op)?;
        if op == Op::TypeForwardPointer {
            waiting.announced.extend(slots.first().and_then(|slot| slot.number()));
        }
        let named = ty.map(Slot::Number).into_iter().chain(slots.iter().copied());
        self.check_order(instruction, op, named, waiting)?;
        let Some(number) = number else {
            let inst = self.create(op, None, None, slots);
            self.module.edit().place_global(inst);
            return Ok(());
        };
        let location = self.location.take();
        let (checked, offset) = (0, instruction.offset);
        self.create_when_ready(Waiting { op, number, ty, slots, checked, location, offset }, waiting);
        Ok(())
    }

    /// Checks that only annotations, and types that name announced pointers, refer to later instructions.
    fn check_order(
        &self,
        instruction: &Instruction<'_>,
        op: Op,
        mut named: impl Iterator<Item = Slot>,
        waiting: &WaitingRoom,
    ) -> Result<(), Diagnostic> {
        let is_about_others = matches!(op, Op::EntryPoint | Op::ExecutionMode | Op::ExecutionModeId | Op::ExtInst)
            || op.class() == Class::Opaque;
        if is_about_others {
            return Ok(());
        }
        let is_late = |slot: Slot| {
            self.slot(slot).is_none() && slot.number().is_some_and(|number| !waiting.announced.contains(&number))
        };
        if !named.any(is_late) {
            return Ok(());
        }
        let name = grammar::opcode_name(instruction.opcode);
        let message = format!("expected {name} after its target, found it before the target");
        Err(at_word(ReadCode::ForwardReference, instruction.offset, message))
    }

    /// The op of an instruction with the same form in the IR and in SPIR-V, opaque ones among them.
    pub(super) fn value_op(&self, instruction: &Instruction<'_>) -> Result<Op, Diagnostic> {
        if let Some(op) = Op::from_opcode(instruction.opcode) {
            return Ok(op);
        }
        let is_structure = matches!(
            instruction.opcode,
            opcode::FUNCTION_PARAMETER
                | opcode::LABEL
                | opcode::PHI
                | opcode::LOOP_MERGE
                | opcode::SELECTION_MERGE
                | opcode::BRANCH
                | opcode::BRANCH_CONDITIONAL
                | opcode::SWITCH
        );
        match (self.decoded.ty, self.decoded.result) {
            _ if is_structure || decoration_op(instruction.opcode).is_some() => Err(misplaced(instruction)),
            (Some(_), Some(_)) => Ok(Op::OpaqueTyped),
            (None, Some(_)) => Ok(Op::OpaqueResult),
            _ => Ok(Op::OpaquePlain),
        }
    }

    /// The operands of the instruction that was decoded last, with the opcode first if it is opaque.
    pub(super) fn slots_with_opcode(&mut self, instruction: &Instruction<'_>, op: Op) -> Result<Slots, Diagnostic> {
        let mut slots = self.slots(instruction)?;
        if op.class() == Class::Opaque {
            let opcode = self.module.edit().word(u32::from(instruction.opcode));
            slots.insert(0, Slot::Inst(opcode));
        }
        Ok(slots)
    }

    /// Creates an instruction when its operands exist, and then all instructions that waited for it.
    fn create_when_ready(&mut self, first: Waiting, room: &mut WaitingRoom) {
        let mut ready = vec![first];
        while let Some(mut waiting) = ready.pop() {
            if let Some(missing) = self.missing(&mut waiting) {
                room.announced.insert(waiting.number);
                room.by_number.entry(missing).or_default().push(waiting);
                continue;
            }
            let ty = waiting.ty.and_then(|ty| self.insts[ty as usize]);
            self.location = waiting.location;
            let inst = self.create(waiting.op, Some(waiting.number), ty, waiting.slots);
            if self.module.parent(inst).is_none() {
                self.module.edit().place_global(inst);
            }
            ready.extend(room.by_number.remove(&waiting.number).into_iter().flatten().rev());
        }
    }

    /// The number of an operand that must exist before the instruction and does not.
    fn missing(&self, waiting: &mut Waiting) -> Option<u32> {
        let exists = |number: u32| self.insts[number as usize].is_some();
        if let Some(ty) = waiting.ty.filter(|&ty| !exists(ty)) {
            return Some(ty);
        }
        if !waiting.op.is_hoistable() {
            return None;
        }
        while let Some(&slot) = waiting.slots.get(waiting.checked) {
            match slot {
                Slot::Number(number) if !exists(number) => return Some(number),
                _ => waiting.checked += 1,
            }
        }
        None
    }

    /// Reads the instructions after the first function and outside all functions, when the functions exist.
    pub(super) fn read_trailing(&mut self, outline: &Outline) -> Result<(), Diagnostic> {
        for &offset in &outline.trailing {
            let instruction = binary::instruction_at(self.words, offset);
            self.decode(&instruction)?;
            let (ty, number) = self.results(&instruction)?;
            let ty = self.type_inst(ty, &instruction)?;
            let op = self.value_op(&instruction)?;
            let slots = self.slots_with_opcode(&instruction, op)?;
            let inst: Inst = self.create(op, number, ty, slots);
            let root = self.module.root();
            self.module.edit().move_to(inst, Position::AtEnd(root));
        }
        Ok(())
    }
}

fn stands_at_module_level(op: Op) -> bool {
    matches!(op.class(), Class::ModuleInstruction | Class::Type | Class::Constant | Class::Opaque)
        || matches!(op, Op::Variable | Op::Undef | Op::ExtInst | Op::Nop)
}

pub(super) fn misplaced(instruction: &Instruction<'_>) -> Diagnostic {
    let message =
        format!("expected an instruction that is allowed here, found {}", grammar::opcode_name(instruction.opcode));
    at_word(ReadCode::Layout, instruction.offset, message)
}
