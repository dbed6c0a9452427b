//! Uniforms that nothing needs, such as the upper words of addresses, are not read.

use rustc_hash::FxHashSet;

use crate::allocate::remove_dead_code;
use crate::machine::{Inst, MachineFunction, ReadPort, Source, VReg};
use crate::program::Uniform;

/// Removes dead code, and from the entry block the reads of uniforms whose registers nothing reads. Gives the uniforms that are left. Linear.
pub(crate) fn remove_unread(function: &mut MachineFunction, uniforms: &[Uniform]) -> Vec<Uniform> {
    remove_dead_code(function);
    let insts = function.blocks.iter().flat_map(|block| &block.insts);
    let mut read: FxHashSet<VReg> = insts.flat_map(Inst::uses).collect();
    read.extend(function.spill_base);
    let mut kept = Vec::new();
    let mut next = uniforms.iter();
    let Some(entry) = function.blocks.first_mut() else { return kept };
    entry.insts.retain(|inst| {
        if inst.sources[0] != Source::Port(ReadPort::Uniform) {
            return true;
        }
        let Some(&uniform) = next.next() else { return true };
        let is_read = inst.definition().is_some_and(|register| read.contains(&register));
        kept.extend(is_read.then_some(uniform));
        is_read
    });
    kept
}
