//! Atomic functions of OpenCL 1.x (`atomic_inc`, `atom_inc`) and of OpenCL 2.0 (`atomic_fetch_max`, `atomic_fetch_max_explicit`).
//!
//! Functions of OpenCL 1.x are relaxed and have device scope; those of 2.0 are by default sequentially consistent with device scope (OpenCL
//! C 3.0, sections 6.15.12.7 and 6.15.12.8). An order or scope that is not a constant counts as the strongest order and as the device.

use reconverge_ir::{Inst, Op};
use spirv::{MemorySemantics, Scope};

use super::Site;
use super::mangling::Element;

/// A family of atomic functions: the part of the names that identifies it, and the ops for signed integers, unsigned integers and floats.
struct Family {
    name: &'static str,
    signed: Op,
    unsigned: Op,
    float: Option<Op>,
}

const fn family(name: &'static str, signed: Op, unsigned: Op, float: Option<Op>) -> Family {
    Family { name, signed, unsigned, float }
}

const FAMILIES: [Family; 10] = [
    family("inc", Op::AtomicIIncrement, Op::AtomicIIncrement, None),
    family("dec", Op::AtomicIDecrement, Op::AtomicIDecrement, None),
    family("add", Op::AtomicIAdd, Op::AtomicIAdd, Some(Op::AtomicFAddEXT)),
    family("sub", Op::AtomicISub, Op::AtomicISub, None),
    family("xchg", Op::AtomicExchange, Op::AtomicExchange, Some(Op::AtomicExchange)),
    family("min", Op::AtomicSMin, Op::AtomicUMin, Some(Op::AtomicFMinEXT)),
    family("max", Op::AtomicSMax, Op::AtomicUMax, Some(Op::AtomicFMaxEXT)),
    family("and", Op::AtomicAnd, Op::AtomicAnd, None),
    family("or", Op::AtomicOr, Op::AtomicOr, None),
    family("xor", Op::AtomicXor, Op::AtomicXor, None),
];

/// Emits the instruction for an atomic function; `None` for every other function.
pub(super) fn write(site: &mut Site<'_, '_>) -> Option<Option<Inst>> {
    let (family, order, scope) = meaning(site)?;
    let parameter = site.mangled.parameters.first().filter(|first| first.pointers == 1 && first.components == 1)?;
    let (op, element) = match parameter.element {
        Element::Signed(width) => (family.signed, site.build.int_type(width)),
        Element::Unsigned(width) => (family.unsigned, site.build.int_type(width)),
        Element::Float(width) => (family.float?, site.build.float_type(width)),
        _ => return None,
    };
    let takes_value = !matches!(op, Op::AtomicIIncrement | Op::AtomicIDecrement);
    if site.result != element || (takes_value && site.arguments.len() < 2) {
        return None;
    }
    let pointer = site.pointer_argument(0, element)?;
    let mut operands = vec![pointer, site.word(scope), site.word(order)];
    operands.extend(takes_value.then(|| site.arguments[1]));
    Some(Some(site.build.emit(op, Some(site.result), &operands)))
}

/// The family of the function, the semantics and the scope.
fn meaning(site: &Site<'_, '_>) -> Option<(&'static Family, MemorySemantics, Scope)> {
    let name = site.mangled.name.as_str();
    let find = |name: &str| FAMILIES.iter().find(|family| family.name == name);
    if let Some(rest) = name.strip_prefix("atomic_fetch_") {
        return match rest.strip_suffix("_explicit") {
            Some(rest) => Some((find(rest)?, order(site, 2), scope(site, 3))),
            None => Some((find(rest)?, MemorySemantics::SEQUENTIALLY_CONSISTENT, Scope::Device)),
        };
    }
    let rest = name.strip_prefix("atomic_").or_else(|| name.strip_prefix("atom_"))?;
    Some((find(rest)?, MemorySemantics::RELAXED, Scope::Device))
}

/// The semantics for an argument of type `memory_order`.
fn order(site: &Site<'_, '_>, index: usize) -> MemorySemantics {
    match site.constant_argument(index) {
        Some(0) => MemorySemantics::RELAXED,
        Some(2) => MemorySemantics::ACQUIRE,
        Some(3) => MemorySemantics::RELEASE,
        Some(4) => MemorySemantics::ACQUIRE_RELEASE,
        _ => MemorySemantics::SEQUENTIALLY_CONSISTENT,
    }
}

/// The scope for an argument of type `memory_scope`.
pub(super) fn scope(site: &Site<'_, '_>, index: usize) -> Scope {
    match site.constant_argument(index) {
        Some(0) => Scope::Invocation,
        Some(1) => Scope::Workgroup,
        Some(3) => Scope::CrossDevice,
        Some(4) => Scope::Subgroup,
        _ => Scope::Device,
    }
}
