//! Memory operands: the optional operands of a load, a store or a copy (SPIR-V section 3.26).

use std::array::IntoIter;
use std::iter::Flatten;

use spirv::MemoryAccess as Mask;

use super::fields::{Field, Reader};
use crate::{Inst, Module, Op, view};

/// The mask with its parameters, which follow it in the order of its bits.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct MemoryAccess {
    /// The mask, including unnamed flags.
    pub mask: Mask,
    /// `Aligned`: the minimal alignment of the address.
    pub alignment: Option<u32>,
    /// `MakePointerAvailable`: the scope.
    pub make_available: Option<Inst>,
    /// `MakePointerVisible`: the scope.
    pub make_visible: Option<Inst>,
    /// `AliasScopeINTELMask`: the list of scopes.
    pub alias_scope: Option<Inst>,
    /// `NoAliasINTELMask`: the list of scopes.
    pub no_alias: Option<Inst>,
}

impl Default for MemoryAccess {
    /// No operands.
    fn default() -> MemoryAccess {
        MemoryAccess {
            mask: Mask::empty(),
            alignment: None,
            make_available: None,
            make_visible: None,
            alias_scope: None,
            no_alias: None,
        }
    }
}

impl MemoryAccess {
    /// Returns whether the access is volatile.
    pub fn is_volatile(self) -> bool {
        self.mask.contains(Mask::VOLATILE)
    }
}

impl Field<'_> for MemoryAccess {
    fn read(reader: &mut Reader<'_>) -> Option<MemoryAccess> {
        let mask: Mask = reader.read()?;
        Some(MemoryAccess {
            mask,
            alignment: parameter(reader, (mask & Mask::ALIGNED).bits()),
            make_available: parameter(reader, (mask & Mask::MAKE_POINTER_AVAILABLE).bits()),
            make_visible: parameter(reader, (mask & Mask::MAKE_POINTER_VISIBLE).bits()),
            alias_scope: parameter(reader, (mask & Mask::ALIAS_SCOPE_INTEL_MASK).bits()),
            no_alias: parameter(reader, (mask & Mask::NO_ALIAS_INTEL_MASK).bits()),
        })
    }
}

/// The parameter of a flag, unless `flag`, the flag in the mask, is zero. `None` also if it is missing.
pub(super) fn parameter<'m, F: Field<'m>>(reader: &mut Reader<'m>, flag: u32) -> Option<F> {
    (flag != 0).then(|| reader.read()).flatten()
}

impl Module {
    /// The memory operands of an instruction, those of the target for a copy. Empty if there are none.
    pub fn memory_access(&self, inst: impl Into<Inst>) -> MemoryAccess {
        self.memory_accesses(inst).next().unwrap_or_default()
    }

    /// The memory operands of an instruction: of a copy up to two, for target and source, or one for both.
    pub fn memory_accesses(&self, inst: impl Into<Inst>) -> Flatten<IntoIter<Option<MemoryAccess>, 2>> {
        let inst = inst.into();
        let (first, second) = match self.op(inst) {
            Op::Load => (view::Load::of(self, inst).and_then(|load| load.memory_access), None),
            Op::Store => (view::Store::of(self, inst).and_then(|store| store.memory_access), None),
            Op::CopyMemory => {
                view::CopyMemory::of(self, inst).map_or((None, None), |copy| (copy.memory_access, copy.source_access))
            }
            Op::CopyMemorySized => view::CopyMemorySized::of(self, inst)
                .map_or((None, None), |copy| (copy.memory_access, copy.source_access)),
            Op::CooperativeMatrixStoreKHR => {
                (view::CooperativeMatrixStoreKHR::of(self, inst).and_then(|store| store.memory_access), None)
            }
            _ => (None, None),
        };
        [first, second].into_iter().flatten()
    }
}
