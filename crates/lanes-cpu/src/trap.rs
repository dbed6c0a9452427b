//! Traps: a launch that ended early, with the kind, the instruction and the work-items.

use std::ops::Range;
use std::sync::Arc;

use reconverge_ir::{Inst, Module};

use crate::call_memory::context;
use crate::engine::Kernel;
use crate::machine::{DIVERGENT_BARRIER, FAULT, Fault, INTERRUPTED};
use crate::select::{Check, Extent, Site};

/// The reason why a launch ended early, and the place.
#[derive(Clone, Debug)]
pub struct Trap {
    /// The kind of the trap.
    pub kind: TrapKind,
    /// The instruction at which it happened, as far as it is known.
    pub at: Option<Inst>,
    /// The module that contains the instruction: what the kernel was transformed into.
    pub module: Arc<Module>,
    /// The work-group.
    pub group: [u32; 3],
    /// The work-items of the work-group of which it was one, by their local index: as few as are known.
    pub items: Option<Range<u32>>,
}

/// The events that end a launch early.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TrapKind {
    /// Lanes of one work-group came to different barriers, or some came to none.
    DivergentBarrier,
    /// A lane came to an `unreachable`.
    Unreachable,
    /// A checked access was not inside of the memory of the launch.
    Outside {
        /// Its first byte.
        address: u64,
        /// Its bytes.
        extent: Extent,
    },
    /// A checked index was not below the length of its array.
    Index {
        /// The index.
        index: i64,
        /// The elements of the array.
        length: u64,
    },
    /// An access to memory that this process does not have.
    Fault {
        /// The address of a byte of the access; none if it is one that no memory can have.
        address: Option<u64>,
    },
    /// The end of the launch was requested.
    Interrupted,
}

/// The end of a call.
pub(crate) struct Ended<'a> {
    /// The code that it returned.
    pub(crate) code: u32,
    /// The last fault of the thread.
    pub(crate) fault: Fault,
    /// The pack that came to the last fault.
    pub(crate) pack: u32,
    /// The context of the work-group.
    pub(crate) context: &'a [u8; 64],
}

impl Trap {
    /// The report of a call for a work-group.
    pub(crate) fn of(kernel: &Kernel, group: [u32; 3], ended: &Ended<'_>) -> Trap {
        let trap = |kind| Trap { kind, at: None, module: Arc::clone(&kernel.module), group, items: None };
        let lanes = kernel.specialization.pack.lanes();
        match ended.code {
            DIVERGENT_BARRIER => trap(TrapKind::DivergentBarrier),
            INTERRUPTED => trap(TrapKind::Interrupted),
            FAULT => {
                let origin = kernel.code.origin(ended.fault.instruction);
                let at = origin.and_then(|origin| kernel.origins.get(origin as usize)).copied();
                let first = ended.pack.saturating_mul(lanes);
                let end = kernel.specialization.items().min(first.saturating_add(lanes));
                Trap { at, items: Some(first..end), ..trap(TrapKind::Fault { address: ended.fault.address }) }
            }
            site => {
                let site = kernel.sites.get(site as usize - 1);
                let kind = site.map_or(TrapKind::Unreachable, |site| ended.kind_of(site));
                let item = ended.word(context::FAILED_PACK) * lanes + ended.word(context::FAILED_LANE);
                Trap { at: site.map(|site| site.at), items: Some(item..item + 1), ..trap(kind) }
            }
        }
    }
}

impl Ended<'_> {
    fn kind_of(&self, site: &Site) -> TrapKind {
        let value = u64::from(self.word(context::FAILED_VALUE)) | u64::from(self.word(context::FAILED_VALUE + 4)) << 32;
        match site.check {
            Check::Unreachable => TrapKind::Unreachable,
            Check::Barrier => TrapKind::DivergentBarrier,
            Check::Address(extent) => TrapKind::Outside { address: value, extent },
            Check::Index { length, bits } => {
                let unused = 64 - bits;
                TrapKind::Index { index: (value << unused).cast_signed() >> unused, length }
            }
        }
    }

    fn word(&self, offset: i32) -> u32 {
        let bytes = self.context[offset as usize..].first_chunk().expect("invariant: a word of the context");
        u32::from_le_bytes(*bytes)
    }
}
