//! The origins of undefined values, and the places at which they reach a buffer.
//!
//! Memory knows for each byte whether it is defined (`memory/bitmask.rs`). This module adds the reports of a kernel launch: a store that
//! makes bytes of a buffer undefined is recorded ([`Origins::found`]), and so is the instruction that the undefined value came from. Its
//! operands are followed backwards (`lanes/trace.rs`) when an undefined value is stored, and only then, so a program without undefined values
//! pays nothing. The origin of a value in memory is kept by its place, so that it survives a store to a variable and the load from it.
//!
//! Rules:
//! - Padding has no value. The bytes of a variable that belong to no member of its type are defined from the start, and stay so.
//! - A front end stores three components as a vector of four. If the fourth one has no value, it is not written, and not reported.
//! - Undefined bytes may be copied and stored in private and local memory. In a buffer they are reported, once for each instruction.
//!
//! Invariant: between two instructions nothing is pending.

use std::collections::{BTreeMap, HashSet};

use reconverge_ir::Inst;

use crate::Pointer;
use crate::value::Owner;

/// The reason why a value is undefined.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Cause {
    /// It was read from memory that was not written.
    NeverWritten,
    /// The program says that it has no value: `undef`, or a component that a shuffle leaves out.
    NoValue,
    /// A float is converted to an integer type that does not contain it.
    Conversion,
    /// A shift is as far as the integer is wide, or farther.
    Shift,
    /// Another operation that has no result for its operands.
    Operation,
}

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
pub(crate) struct Pending {
    pub(crate) place: Pointer,
    /// The element of the stored vector or struct.
    pub(crate) component: Option<usize>,
    /// The previous bytes of a buffer, if the value may be a component that is not there.
    pub(crate) before: Option<Vec<Option<u8>>>,
    /// The source of copied bytes.
    pub(crate) source: Option<Pointer>,
}

/// The undefined values of a launch.
#[derive(Debug, Default)]
pub(crate) struct Origins {
    group: u32,
    /// The origins of undefined values in private and local memory, by their place.
    pub(crate) stored: BTreeMap<(Owner, u32, i64), FoundOrigin>,
    /// The origin of the undefined value that a lane has returned last.
    pub(crate) returned: BTreeMap<usize, FoundOrigin>,
    pub(crate) pending: Vec<Pending>,
    found: Vec<FoundWrite>,
    instructions: HashSet<Inst>,
}

impl Origins {
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
    pub(crate) fn copied(&mut self, target: Pointer, source: Pointer, size: u64) {
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

    pub(crate) fn record(&mut self, lane: usize, inst: Inst, place: Pointer, origin: Option<FoundOrigin>) {
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

impl Cause {
    /// The cause in words, after "it".
    pub const fn text(self) -> &'static str {
        match self {
            Cause::NeverWritten => "is read from memory that was not written",
            Cause::NoValue => "is given no value",
            Cause::Conversion => "is converted from a float that is out of range",
            Cause::Shift => "is shifted as far as it is wide, or farther",
            Cause::Operation => "is the result of an operation that has none for its operands",
        }
    }
}
