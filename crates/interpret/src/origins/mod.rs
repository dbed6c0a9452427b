//! Where undefined values come from, and where they reach a buffer.
//!
//! Memory knows for each byte whether it is defined (`memory/bitmask.rs`). This module adds the reports of a kernel launch: a store that
//! makes bytes of a buffer undefined is recorded ([`Origins::found`]), and so is the instruction that the undefined value came from. Its
//! operands are followed backwards (`trace.rs`) when an undefined value is stored, and only then, so a program without undefined values
//! pays nothing. The origin of a value in memory is kept by its place, so that it survives a store to a variable and the load from it.
//!
//! Rules:
//! - Padding has no value. The bytes of a variable that belong to no member of its type are defined from the start, and stay so.
//! - A front end stores three components as a vector of four. If the fourth one has no value, it is not written, and not reported.
//! - Undefined bytes may be copied and stored in private and local memory. In a buffer they are reported, once for each instruction.
//!
//! Invariant: between two instructions nothing is pending.

pub(crate) mod trace;

use std::collections::{BTreeMap, HashSet};

use reconverge_ir::Inst;

use crate::decode::code::{Instruction, Operand};
use crate::lanes::frame::Lane;
use crate::memory::Memory;
use crate::types::{TypeId, TypeKind, TypeTable};
use crate::value::Owner;
use crate::{Cause, Pointer, UndefinedValues, Value};

/// The maximal number of recorded stores.
const LIMIT: usize = 16;

/// The origin of an undefined value, with the interpreter's numbers of objects.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct FoundOrigin {
    pub(crate) inst: Inst,
    pub(crate) cause: Cause,
    /// The object that was read, and its variable.
    pub(crate) object: Option<(Owner, u32, Option<Inst>)>,
}

/// An access that a program must not make, to an object that exists.
#[derive(Clone, Copy, Debug)]
pub(crate) struct FoundAccess {
    pub(crate) place: Pointer,
    /// The variable that the object is, if it is one of a function.
    pub(crate) variable: Option<Inst>,
    /// The size of the object.
    pub(crate) size: u64,
}

/// A store of an undefined value to a buffer, with the interpreter's numbers.
#[derive(Clone, Copy, Debug)]
pub(crate) struct FoundWrite {
    pub(crate) group: u32,
    pub(crate) lane: usize,
    pub(crate) inst: Inst,
    pub(crate) object: u32,
    pub(crate) offset: u64,
    pub(crate) origin: Option<FoundOrigin>,
}

/// Bytes that an instruction has made undefined.
#[derive(Debug)]
struct Pending {
    place: Pointer,
    /// The element of the stored vector or struct.
    component: Option<usize>,
    /// What the bytes of a buffer were before, if the value may be a component that is not there.
    before: Option<Vec<Option<u8>>>,
    /// Where the bytes were copied from.
    source: Option<Pointer>,
}

/// The undefined values of a launch.
#[derive(Debug, Default)]
pub(crate) struct Origins {
    group: u32,
    /// The origins of undefined values in private and local memory, by their place.
    stored: BTreeMap<(Owner, u32, i64), FoundOrigin>,
    /// The origin of the undefined value that a lane has returned last.
    returned: BTreeMap<usize, FoundOrigin>,
    pending: Vec<Pending>,
    found: Vec<FoundWrite>,
    instructions: HashSet<Inst>,
}

impl Origins {
    /// What to record in a launch.
    pub(crate) fn of(reported: UndefinedValues) -> Option<Box<Origins>> {
        (reported == UndefinedValues::Report).then(Box::default)
    }

    /// Starts a work-group, whose private and local memory is new.
    pub(crate) fn begin_group(&mut self, group: u32) {
        self.group = group;
        self.stored.clear();
        self.returned.clear();
    }

    /// The recorded stores.
    pub(crate) fn found(&self) -> &[FoundWrite] {
        &self.found
    }

    /// The origins of the values in a range are of no use any more.
    pub(crate) fn forget(&mut self, place: Pointer, size: u64) {
        let range = range_at(place, size);
        let gone: Vec<_> = self.stored.range(range).map(|(&key, _)| key).collect();
        for key in gone {
            self.stored.remove(&key);
        }
    }

    /// A copy from private or local memory to such memory takes the origins along.
    fn copied(&mut self, target: Pointer, source: Pointer, size: u64) {
        let moved = |(&(_, _, offset), &origin): (&(Owner, u32, i64), &FoundOrigin)| {
            ((target.owner, target.object, target.offset.wrapping_add(offset.wrapping_sub(source.offset))), origin)
        };
        let entries: Vec<_> = self.stored.range(range_at(source, size)).map(moved).collect();
        self.stored.extend(entries);
    }

    /// The lane returns an undefined value with this origin.
    pub(crate) fn returns(&mut self, lane: usize, origin: Option<FoundOrigin>) {
        if let Some(origin) = origin {
            self.returned.insert(lane, origin);
        }
    }

    fn record(&mut self, lane: usize, inst: Inst, place: Pointer, origin: Option<FoundOrigin>) {
        if self.found.len() < LIMIT && self.instructions.insert(inst) {
            let (group, offset) = (self.group, place.offset.unsigned_abs());
            self.found.push(FoundWrite { group, lane, inst, object: place.object, offset, origin });
        }
    }
}

fn range_at(place: Pointer, size: u64) -> std::ops::Range<(Owner, u32, i64)> {
    let end = place.offset.saturating_add_unsigned(size);
    (place.owner, place.object, place.offset)..(place.owner, place.object, end)
}

impl Memory {
    /// Notes the undefined parts of a value that is about to be stored.
    pub(crate) fn note_undefined(&mut self, types: &TypeTable, ty: TypeId, place: Pointer, value: &Value) {
        let mut pending = Vec::new();
        let is_like_three = is_like_three(types, ty, value);
        parts(types, ty, place, value, &mut |component, ty, place| {
            let has_no_fourth = is_like_three && component == Some(3) && place.owner == Owner::Shared;
            let before = has_no_fourth.then(|| self.bytes_at(place, types.extent(ty)));
            pending.push(Pending { place, component, before, source: None });
        });
        if let Some(origins) = &mut self.origins {
            origins.pending.append(&mut pending);
        }
    }

    /// Notes a copy of bytes, of which the one at this distance from the start is the first undefined one.
    pub(crate) fn note_undefined_copy(&mut self, target: Pointer, source: Pointer, size: u64, first: u64) {
        let Some(origins) = &mut self.origins else { return };
        match target.owner {
            Owner::Shared if source.owner == Owner::Shared => {}
            Owner::Shared => {
                let [place, source] = [target, source].map(|start| start.advanced(first.cast_signed()));
                origins.pending.push(Pending { place, component: None, before: None, source: Some(source) });
            }
            _ => origins.copied(target, source, size),
        }
    }

    /// The origin of the undefined value that a store has put at a place.
    pub(crate) fn origin_at(&self, place: Pointer) -> Option<FoundOrigin> {
        let origins = self.origins.as_ref()?;
        origins.stored.get(&(place.owner, place.object, place.offset)).copied()
    }

    fn bytes_at(&self, place: Pointer, size: u64) -> Vec<Option<u8>> {
        let Ok((object, range)) = self.locate(place, size) else { return Vec::new() };
        range.map(|index| object.defined.contains(index).then(|| object.bytes[index])).collect()
    }

    /// Completes the notes of an instruction that a lane has executed.
    #[cold]
    fn settle(&mut self, lane: &Lane<'_>, instruction: &Instruction, stored: Option<Operand>) {
        let Some(origins) = &mut self.origins else { return };
        for pending in std::mem::take(&mut origins.pending) {
            let Pending { place, component, before, source } = pending;
            let origin = match source {
                Some(source) => Some(trace::of_memory(self, instruction, source)),
                None => match stored {
                    Some(stored) => trace::origin(self, lane, stored, component),
                    None => self.copied_origin(lane, instruction, place),
                },
            };
            match before {
                Some(before) if origin.is_some_and(|origin| origin.cause == Cause::NoValue) => {
                    self.put_back(place, &before);
                    continue;
                }
                _ => {}
            }
            let Some(origins) = &mut self.origins else { return };
            match (place.owner, origin) {
                (Owner::Shared, origin) => origins.record(lane.index, instruction.inst, place, origin),
                (_, Some(origin)) => drop(origins.stored.insert((place.owner, place.object, place.offset), origin)),
                (_, None) => {}
            }
        }
    }

    /// What is undefined before the first instruction is not reported.
    pub(crate) fn discard_notes(&mut self) {
        self.origins.iter_mut().for_each(|origins| origins.pending.clear());
    }

    /// Whether an instruction has left notes.
    #[inline]
    pub(crate) fn has_notes(&self) -> bool {
        self.origins.as_ref().is_some_and(|origins| !origins.pending.is_empty())
    }

    /// Completes the notes of an instruction, if it left some. Its last value operand is what a store stores.
    #[cold]
    pub(crate) fn complete(&mut self, lane: &Lane<'_>, instruction: &Instruction) {
        let operands = lane.operands(instruction.operands);
        let undefined = operands.iter().find(|&&operand| lane.peek(operand).is_some_and(Value::has_undefined));
        self.settle(lane, instruction, undefined.copied());
    }

    /// The origin of what a copy of a value has written to a place.
    fn copied_origin(&self, lane: &Lane<'_>, instruction: &Instruction, place: Pointer) -> Option<FoundOrigin> {
        let [target, source] = lane.operands(instruction.operands)[..] else { return None };
        let (Some(Value::Pointer(target)), Some(Value::Pointer(source))) = (lane.peek(target), lane.peek(source))
        else {
            return None;
        };
        let source = source.advanced(place.offset.wrapping_sub(target.offset));
        Some(trace::of_memory(self, instruction, source))
    }

    fn put_back(&mut self, place: Pointer, before: &[Option<u8>]) {
        for (index, byte) in before.iter().enumerate() {
            if let Some(byte) = byte {
                let filled = self.fill(place.advanced(index as i64), &[*byte]);
                filled.expect("invariant: the place was stored to");
            }
        }
    }
}

/// Whether a value is a vector of four of which three components are defined, as a front end stores three.
fn is_like_three(types: &TypeTable, ty: TypeId, value: &Value) -> bool {
    let is_vector = matches!(types.kind(ty), Some(TypeKind::Sequence { count: 4, .. }));
    is_vector
        && value
            .elements()
            .is_some_and(|elements| !elements[..3].iter().any(Value::has_undefined) && elements.len() == 4)
}

/// Visits the undefined parts of a value: the element of the whole, the type and the place of the part.
fn parts(
    types: &TypeTable,
    ty: TypeId,
    place: Pointer,
    value: &Value,
    visit: &mut dyn FnMut(Option<usize>, TypeId, Pointer),
) {
    match value {
        Value::Undefined => visit(None, ty, place),
        Value::Composite(elements) => {
            for (index, element) in elements.iter().enumerate() {
                let Some((ty, offset)) = types.element(ty, index as u64) else { continue };
                let place = place.advanced(offset.cast_signed());
                parts(types, ty, place, element, &mut |_, ty, place| visit(Some(index), ty, place));
            }
        }
        _ => {}
    }
}
