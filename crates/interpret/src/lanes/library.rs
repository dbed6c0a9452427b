//! Calls of functions of the OpenCL library that a front end leaves as imports (`code/library.rs`).

use reconverge_ir::Op;
use spirv::MemorySemantics;

use crate::code::instruction::Instruction;
use crate::code::library::{LibraryFunction, Space};
use crate::fault::Fault;
use crate::lanes::access::address;
use crate::lanes::atomic::{self, Atomic};
use crate::lanes::frame::Lane;
use crate::memory::Memory;
use crate::races::happens_before::EVERYTHING;
use crate::types::TypeId;
use crate::value::Owner;
use crate::{Pointer, Value};

/// `CLK_LOCAL_MEM_FENCE` and `CLK_GLOBAL_MEM_FENCE`.
const LOCAL_FENCE: u32 = 1;
const GLOBAL_FENCE: u32 = 2;

/// Calls a library function in one lane.
pub(crate) fn call(
    memory: &mut Memory,
    lane: &Lane<'_>,
    instruction: &Instruction,
    function: LibraryFunction,
) -> Result<Option<Value>, Fault> {
    /// The argument after the pointer; for `atomic_cmpxchg` the expected value, before the new one.
    const VALUE: usize = 1;
    const EXPECTED: usize = VALUE;
    const NEW: usize = EXPECTED + 1;
    let first = || lane.first(instruction.operands);
    let operand = |index| lane.operand(instruction.operands, index);
    match function {
        LibraryFunction::Atomic(op) => {
            let pointer = address(lane, first()?)?;
            let ty: TypeId = instruction.ty;
            let (value, expected) = match op {
                Op::AtomicIIncrement | Op::AtomicIDecrement => (None, None),
                Op::AtomicCompareExchange => (Some(operand(NEW)?), Some(operand(EXPECTED)?)),
                _ => (Some(operand(VALUE)?), None),
            };
            atomic::apply(
                memory,
                lane,
                &Atomic { op, ty, pointer, value, expected, semantics: MemorySemantics::empty() },
            )
        }
        LibraryFunction::Fence => {
            if let Some(watch) = &memory.watch {
                watch.fence(EVERYTHING);
            }
            Ok(None)
        }
        LibraryFunction::Prefetch => Ok(None),
        LibraryFunction::SubgroupBarrier => unreachable!("lanes meet there"),
        LibraryFunction::Image(_) => unreachable!("the machine has the images"),
        LibraryFunction::Cast(space) => cast(first()?, space).map(Some),
        LibraryFunction::FenceOf => {
            let fence = match first()? {
                Value::Pointer(Pointer { owner: Owner::Group, .. }) => LOCAL_FENCE,
                _ => GLOBAL_FENCE,
            };
            Ok(lane.program.types.integer(instruction.ty, u64::from(fence)))
        }
    }
}

/// The pointer itself if it points to an address space, null otherwise.
pub(crate) fn cast(pointer: &Value, space: Space) -> Result<Value, Fault> {
    match pointer {
        Value::Pointer(Pointer { owner, .. }) => {
            let is_there = match owner {
                Owner::Nobody => true,
                Owner::Shared => space == Space::Global,
                Owner::Group => space == Space::Local,
                Owner::Lane(_) => space == Space::Private,
            };
            Ok(if is_there { pointer.clone() } else { Value::Pointer(Pointer::NULL) })
        }
        Value::Undefined => Ok(Value::Undefined),
        _ => Err(Fault::malformed("a pointer is expected")),
    }
}
