//! Memory that a copy reaches outside the variables that are taken apart: the same bytes, leaf by leaf.
//!
//! ```text
//! copy_memory_sized %v, %p, 8 Aligned 4     ⇒     load %p Aligned 4; load (%p as bytes, + 4) Aligned 4
//! ```

use reconverge_analysis::Layouts;
use reconverge_ir::{Builder, Inst, Module, Op};

use super::accesses::{Side, pointee};
use super::convert::{Part, integer};
use reconverge_analysis::effects::{WITH_OPERAND, storage_class};

/// SPIR-V's bit of the memory operand that says how an access is aligned.
const ALIGNED: u32 = 2;

/// Memory behind a pointer.
#[derive(Clone, Copy)]
pub(super) struct Outside {
    pub(super) pointer: Inst,
    pub(super) alignment: u32,
}

impl Outside {
    /// Reads a leaf some bytes behind the pointer.
    pub(super) fn load(self, build: &mut Builder<'_>, distance: u64, ty: Inst) -> Inst {
        let address = self.address(build, distance, ty);
        let operands = [address, build.editor().word(ALIGNED), self.aligned(build, distance)];
        build.load(ty, &operands)
    }

    /// Writes a leaf some bytes behind the pointer.
    pub(super) fn store(self, build: &mut Builder<'_>, distance: u64, part: Part) {
        let address = self.address(build, distance, part.ty);
        let operands = [address, part.value, build.editor().word(ALIGNED), self.aligned(build, distance)];
        build.store(&operands);
    }

    fn address(self, build: &mut Builder<'_>, distance: u64, ty: Inst) -> Inst {
        let module = build.module();
        let own = module.ty(self.pointer).expect("invariant: a pointer has a type");
        let class = storage_class(module, own).expect("invariant: a pointer has a storage class");
        let wanted = build.pointer_type(class, ty);
        let mut address = self.pointer;
        if distance > 0 {
            let byte = build.int_type(8, false);
            let bytes = build.pointer_type(class, byte);
            if own != bytes {
                address = build.bitcast(bytes, &[address]);
            }
            let index_type = build.int_type(32, false);
            let index = integer(build, index_type, distance);
            address = build.in_bounds_ptr_access_chain(bytes, &[address, index]);
        }
        if build.module().ty(address) == Some(wanted) { address } else { build.bitcast(wanted, &[address]) }
    }

    fn aligned(self, build: &mut Builder<'_>, distance: u64) -> Inst {
        let common = u64::from(self.alignment) | distance;
        build.editor().word(1 << common.trailing_zeros())
    }
}

/// How one side of a copy is aligned: as its memory operands say, or as the type that it points to asks for.
pub(super) fn alignment(module: &Module, layouts: &mut Layouts, copy: Inst, side: Side) -> u32 {
    let (masks, pointer) = match (module.op(copy), side) {
        (Op::CopyMemorySized, Side::Target) => (3, 0),
        (Op::CopyMemorySized, Side::Source) => (3, 1),
        (_, Side::Target) => (2, 0),
        (_, Side::Source) => (2, 1),
    };
    let operands: Vec<Inst> = module.operands(copy).skip(masks).collect();
    let first = Mask::read(module, &operands);
    // A second mask is the source's own.
    let second = Mask::read(module, &operands[first.length.min(operands.len())..]);
    let given = if side == Side::Source && second.length > 0 { second.alignment } else { first.alignment };
    given.unwrap_or_else(|| {
        let natural = pointee(module, module.operand(copy, pointer)).and_then(|ty| layouts.of(module, ty).ok());
        natural.and_then(|layout| u32::try_from(layout.alignment).ok()).unwrap_or(1)
    })
}

/// One group of memory operands.
struct Mask {
    length: usize,
    alignment: Option<u32>,
}

impl Mask {
    fn read(module: &Module, operands: &[Inst]) -> Mask {
        let Some(mask) = operands.first().and_then(|&mask| module.literal_word(mask)) else {
            return Mask { length: 0, alignment: None };
        };
        let is_aligned = mask & ALIGNED != 0;
        let alignment = operands.get(1).filter(|_| is_aligned).and_then(|&words| module.literal_word(words));
        let length = 1 + (mask & WITH_OPERAND).count_ones() as usize;
        Mask { length, alignment: alignment.filter(|alignment| alignment.is_power_of_two()) }
    }
}
