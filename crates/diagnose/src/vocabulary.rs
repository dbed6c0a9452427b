//! Queries of several checks about modules and single instructions.

use reconverge_ir::{Inst, Module, Op, view};

/// The entry points, in order. Linear in the instructions at module level: called once per module.
pub(crate) fn entry_points(module: &Module) -> impl Iterator<Item = view::EntryPoint<'_>> {
    module.globals().filter_map(|global| view::EntryPoint::of(module, global))
}

/// Returns whether a load must not be combined with another one of the same address.
pub(crate) fn is_volatile(module: &Module, load: Inst) -> bool {
    module.op(load) == Op::Load && module.memory_access(load).is_volatile()
}
