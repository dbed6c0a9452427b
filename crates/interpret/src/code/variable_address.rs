//! The addresses of module-level variables, which are known before memory exists.
//!
//! The module-level variables come first in memory. Their distance is so great that the address of one depends only on its number: an
//! address can be a constant of the module, which is computed before the sizes are known.

use crate::Pointer;
use crate::value::Owner;

/// Unused bytes after each object.
pub(crate) const GAP: u64 = 1 << 20;
/// The part of an address that distinguishes objects of the work-group from those of all lanes.
pub(crate) const GROUP_BIT: u64 = 1 << 47;
/// The distance of module-level variables: more than the maximal total size, and not a power of two, so that the low 32 bits of the
/// addresses differ too.
const VARIABLE_SPACING: u64 = (1 << 31) + GAP;
/// The number of variables of an owner with such an address; later ones have addresses like other objects.
const SPACED_VARIABLES: u32 = 1 << 15;

/// The address of a pointer into a module-level variable that all lanes, or all lanes of a work-group, share.
pub(crate) fn variable_address(pointer: Pointer) -> Option<u64> {
    let base = match pointer.owner {
        _ if pointer.offset == Pointer::LOST => return None,
        Owner::Nobody => 0,
        Owner::Shared => variable_place(pointer.object)?,
        Owner::Group => GROUP_BIT | variable_place(pointer.object)?,
        Owner::Lane(_) => return None,
    };
    Some(base.wrapping_add_signed(pointer.offset))
}

/// The pointer for an address, into the variable that contains it or is nearest to it, if that variable exists.
pub(crate) fn variable_at(address: u64, is_there: impl Fn(Pointer) -> bool) -> Pointer {
    let nowhere = Pointer { owner: Owner::Nobody, object: 0, offset: address.cast_signed() };
    let owner = if address & GROUP_BIT != 0 { Owner::Group } else { Owner::Shared };
    let Some(number) = (((address & !GROUP_BIT) + GAP / 2) / VARIABLE_SPACING).checked_sub(1) else { return nowhere };
    let start = Pointer { owner, object: u32::try_from(number).unwrap_or(u32::MAX), offset: 0 };
    match variable_address(start) {
        Some(place) if is_there(start) => start.advanced(address.wrapping_sub(place).cast_signed()),
        _ => nowhere,
    }
}

/// The index of the variable with a number among the objects of its owner.
pub(crate) fn variable_place(number: u32) -> Option<u64> {
    (number < SPACED_VARIABLES).then(|| (u64::from(number) + 1) * VARIABLE_SPACING)
}
