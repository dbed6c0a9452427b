//! Failures of launches on this CPU, in the terms of the launch.

use std::fmt;

use reconverge_interpret::UndefinedBehaviour;
use reconverge_lanes_cpu::select::Extent;
use reconverge_lanes_cpu::{Trap, TrapKind};

use crate::{InstructionText, RunCode, RunError};

/// Undefined behaviour of a kernel that ended its launch.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CpuFailure {
    /// The kind of undefined behaviour.
    pub behaviour: UndefinedBehaviour,
    /// The work-group.
    pub group: [u32; 3],
    /// The work-items of which it was one, by their global ids: the first and the last. One, if it is known which one.
    pub items: Option<[[u64; 3]; 2]>,
    /// The access to memory, if it was one.
    pub access: Option<CpuAccess>,
    /// The instruction, in the kernel that was made for this CPU.
    pub place: InstructionText,
}

/// An access that is out of bounds.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum CpuAccess {
    /// Next to a buffer.
    Buffer {
        /// The description of the buffer.
        buffer: BufferText,
        /// The first byte that was accessed, counted from the beginning of the buffer.
        offset: i64,
        /// The bytes, and whether they were to be written; known in checked code.
        extent: Option<Extent>,
    },
    /// At an address that is in no buffer and close to none.
    Address {
        /// The address; none if it is one that no memory can have.
        address: Option<u64>,
        /// The bytes, and whether they were to be written; known in checked code.
        extent: Option<Extent>,
    },
    /// Of an array in private or local memory.
    Element {
        /// The index.
        index: i64,
        /// The elements of the array.
        length: u64,
    },
}

/// A buffer in words.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BufferText {
    /// The name: `argument 0 (out)`.
    pub name: String,
    /// Its bytes.
    pub bytes: u64,
    /// The bytes of an element, if it has elements.
    pub element: Option<u64>,
}

/// The sizes that number work-items.
#[derive(Clone, Copy)]
pub(crate) struct Numbering {
    /// The size of a work-group.
    pub(crate) local: [u32; 3],
    /// The global offset, which is added to every global id.
    pub(crate) offset: [u64; 3],
}

impl Numbering {
    /// The global id of a work-item, from its local index.
    fn global_id(&self, group: [u32; 3], item: u32) -> [u64; 3] {
        let [width, height, _] = self.local.map(u64::from);
        let item = u64::from(item);
        let local = [item % width, item / width % height, item / (width * height)];
        std::array::from_fn(|axis| {
            self.offset[axis] + u64::from(group[axis]) * u64::from(self.local[axis]) + local[axis]
        })
    }
}

/// Finds the place of an address: the buffer, and the offset from its beginning.
pub(crate) type Nearby<'a> = dyn Fn(u64) -> Option<(BufferText, i64)> + 'a;

/// Addresses that a null pointer and a small offset give.
const NULL_PAGE: u64 = 4096;

/// The error that a trap is.
pub(crate) fn of_trap(trap: &Trap, numbering: Numbering, nearby: &Nearby<'_>) -> RunError {
    let access = |address: Option<u64>, extent: Option<Extent>| match address.and_then(nearby) {
        Some((buffer, offset)) => CpuAccess::Buffer { buffer, offset, extent },
        None => CpuAccess::Address { address, extent },
    };
    let (behaviour, access) = match trap.kind {
        TrapKind::Interrupted => return RunError::new(RunCode::Time, "the kernel did not end within the time limit"),
        TrapKind::DivergentBarrier => (UndefinedBehaviour::BarrierDivergence, None),
        TrapKind::Unreachable => (UndefinedBehaviour::Unreachable, None),
        TrapKind::Index { index, length } => {
            (UndefinedBehaviour::OutOfBounds, Some(CpuAccess::Element { index, length }))
        }
        TrapKind::Outside { address, extent } => (of_address(Some(address)), Some(access(Some(address), Some(extent)))),
        TrapKind::Fault { address } => (of_address(address), Some(access(address, None))),
    };
    let id = |item: u32| numbering.global_id(trap.group, item);
    let items = trap.items.clone().filter(|items| !items.is_empty());
    RunError::CpuEnded(Box::new(CpuFailure {
        behaviour,
        group: trap.group,
        items: items.map(|items| [id(items.start), id(items.end - 1)]),
        access,
        place: trap.at.map(|at| InstructionText::of(&trap.module, at)).unwrap_or_default(),
    }))
}

fn of_address(address: Option<u64>) -> UndefinedBehaviour {
    match address {
        Some(address) if address < NULL_PAGE => UndefinedBehaviour::NullAddress,
        _ => UndefinedBehaviour::OutOfBounds,
    }
}

impl fmt::Display for CpuFailure {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let triple = |[x, y, z]: [u64; 3]| format!("({x}, {y}, {z})");
        let group = triple(self.group.map(u64::from));
        match self.items {
            Some([first, last]) if first == last => write!(formatter, "work-item {} of group {group}", triple(first))?,
            Some([first, last]) => {
                write!(formatter, "one of the work-items {} to {} of group {group}", triple(first), triple(last))?;
            }
            None => write!(formatter, "group {group}")?,
        }
        write!(formatter, ": {}", self.behaviour.text())?;
        match &self.access {
            Some(access) => write!(formatter, ": {access}"),
            None => Ok(()),
        }
    }
}

impl fmt::Display for CpuAccess {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let what = |extent: &Option<Extent>| match extent {
            Some(Extent { bytes, is_write }) => {
                format!(
                    "{} of {bytes} byte{}",
                    if *is_write { "a write" } else { "a read" },
                    if *bytes == 1 { "" } else { "s" }
                )
            }
            None => "an access".to_owned(),
        };
        match self {
            CpuAccess::Buffer { buffer: BufferText { name, bytes, element }, offset, extent } => {
                write!(formatter, "{} at byte {offset} of {name}, which has {bytes} bytes", what(extent))?;
                match element.map(i128::from).filter(|&size| size > 0) {
                    Some(size) => {
                        let (index, count) = (i128::from(*offset).div_euclid(size), i128::from(*bytes) / size);
                        write!(formatter, " (element {index} of {count})")
                    }
                    None => Ok(()),
                }
            }
            CpuAccess::Address { address, extent } => match address {
                Some(address) => write!(formatter, "{} at {address:#x}", what(extent)),
                None => write!(formatter, "{} at an address that no memory can have", what(extent)),
            },
            CpuAccess::Element { index, length } => {
                write!(formatter, "element {index} of an array of {length} elements")
            }
        }
    }
}
