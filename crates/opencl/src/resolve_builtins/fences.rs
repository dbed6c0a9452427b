//! Memory fences of OpenCL 1.x, the barrier of a subgroup, and the address space of a generic pointer as flags.
//!
//! The flags `CLK_LOCAL_MEM_FENCE` (1) and `CLK_GLOBAL_MEM_FENCE` (2) are SPIR-V's semantics bits `WorkgroupMemory` (0x100) and
//! `CrossWorkgroupMemory` (0x200). Flags that are not constant count as both.

use reconverge_ir::Inst;
use spirv::{MemorySemantics, Scope};

use super::Site;
use super::atomics::scope;

/// The shift from the flags to the semantics bits.
const SHIFT: u32 = 8;
const BOTH: u32 = 3;

/// Emits the instructions for a fence; `None` for every other function.
pub(super) fn write(site: &mut Site<'_, '_>) -> Option<Option<Inst>> {
    Some(match (site.mangled.name.as_str(), site.arguments.len()) {
        ("mem_fence", 1) => fence(site, MemorySemantics::ACQUIRE_RELEASE),
        ("read_mem_fence", 1) => fence(site, MemorySemantics::ACQUIRE),
        ("write_mem_fence", 1) => fence(site, MemorySemantics::RELEASE),
        ("sub_group_barrier", 1) => barrier(site, Scope::Subgroup),
        ("sub_group_barrier", 2) => {
            let scope = scope(site, 1);
            barrier(site, scope)
        }
        ("get_fence", 1) => Some(address_space(site)),
        _ => return None,
    })
}

fn fence(site: &mut Site<'_, '_>, order: MemorySemantics) -> Option<Inst> {
    let semantics = order | memory(site);
    let operands = [site.word(Scope::Workgroup), site.word(semantics)];
    site.build.memory_barrier(&operands);
    None
}

fn barrier(site: &mut Site<'_, '_>, memory_scope: Scope) -> Option<Inst> {
    let semantics = MemorySemantics::ACQUIRE_RELEASE | memory(site);
    let operands = [site.word(Scope::Subgroup), site.word(memory_scope), site.word(semantics)];
    site.build.control_barrier(&operands);
    None
}

/// The semantics bits for the flags of the first argument.
fn memory(site: &Site<'_, '_>) -> MemorySemantics {
    MemorySemantics::from_bits_retain((site.constant_argument(0).unwrap_or(BOTH) & BOTH) << SHIFT)
}

fn address_space(site: &mut Site<'_, '_>) -> Inst {
    let word = site.build.int_type(32);
    let semantics = site.build.generic_ptr_mem_semantics(word, &[site.arguments[0]]);
    let shift = site.word(SHIFT);
    let flags = site.build.shift_right_logical(word, &[semantics, shift]);
    let both = site.word(BOTH);
    site.build.bitwise_and(word, &[flags, both])
}
