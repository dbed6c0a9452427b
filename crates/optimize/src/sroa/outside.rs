//! Memory that a copy accesses outside the split variables: the same bytes, leaf by leaf.
//!
//! ```text
//! copy_memory_sized %v, %p, 8 Aligned 4     ⇒     load %p Aligned 4; load (%p as bytes, + 4) Aligned 4
//! ```

use reconverge_analysis::Layouts;
use reconverge_ir::{Builder, Inst, Module, view};
use spirv::MemoryAccess;

use super::accesses::Side;
use super::convert::{TypedValue, integer};

/// Memory that a pointer points to.
#[derive(Clone, Copy)]
pub(super) struct Outside {
    pub(super) pointer: Inst,
    pub(super) alignment: u32,
}

impl Outside {
    /// Reads a leaf at an offset from the pointer.
    pub(super) fn load(self, build: &mut Builder<'_>, distance: u64, ty: Inst) -> Inst {
        let address = self.address(build, distance, ty);
        let operands = [address, build.enumerant(MemoryAccess::ALIGNED), self.aligned(build, distance)];
        build.load(ty, &operands)
    }

    /// Writes a leaf at an offset from the pointer.
    pub(super) fn store(self, build: &mut Builder<'_>, distance: u64, part: TypedValue) {
        let address = self.address(build, distance, part.ty);
        let operands = [address, part.value, build.enumerant(MemoryAccess::ALIGNED), self.aligned(build, distance)];
        build.store(&operands);
    }

    fn address(self, build: &mut Builder<'_>, distance: u64, ty: Inst) -> Inst {
        let module = build.module();
        let own = module.ty(self.pointer).expect("invariant: a pointer has a type");
        let class = module.storage_class(self.pointer).expect("invariant: a pointer has a storage class");
        let wanted = build.pointer_type(class, ty);
        let mut address = self.pointer;
        if distance > 0 {
            let byte = build.int_type(8);
            let bytes = build.pointer_type(class, byte);
            if own != bytes {
                address = build.bitcast(bytes, &[address]);
            }
            let index_type = build.int_type(32);
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

/// The memory on one side of a copy, with the alignment of its memory operands, or of the pointee type.
pub(super) fn outside(module: &Module, layouts: &mut Layouts, copy: Inst, side: Side) -> Outside {
    let view::Copy { target, source } = view::Copy::of(module, copy).expect("invariant: a copy has two ends");
    let mut accesses = module.memory_accesses(copy);
    let (first, second) = (accesses.next(), accesses.next());
    let (pointer, access) = match side {
        Side::Target => (target, first),
        // A second mask is for the source alone.
        Side::Source => (source, second.or(first)),
    };
    let given = access.and_then(|access| access.alignment).filter(|alignment| alignment.is_power_of_two());
    let alignment = given.unwrap_or_else(|| {
        let natural = module.pointee(pointer).and_then(|ty| layouts.of(module, ty).ok());
        natural.and_then(|layout| u32::try_from(layout.alignment).ok()).unwrap_or(1)
    });
    Outside { pointer, alignment }
}
