//! Rematerialization: sums of a register and a constant are computed where they are used, if several are computed from one register.
//!
//! ```text
//! lea ebx, [rax + 1]                       cmp [rbp + rax * 4], …
//! lea ecx, [rax + 2]                       …
//! loop: cmp …, [rbp + rbx * 4]      →      loop: lea ebx, [rax + 1]
//!       cmp …, [rbp + rcx * 4]                   cmp …, [rbp + rbx * 4]
//! ```
//!
//! Global code motion takes such sums out of loops, where each lives in a register of its own; when there are too few, each is loaded from
//! its spill slot, which costs as much as to make it again. One copy is made in each block that uses the sum. Linear.

use super::dce::for_each_use;
use super::{Base, Class, Inst, MachineFunction, Operand, VReg};
use iced_x86::Code;
use rustc_hash::FxHashMap;

/// So many sums of one register are made where they are used.
const FEWEST: u32 = 3;

/// A sum, and the block that makes it.
struct Sum {
    inst: Inst,
    base: VReg,
    block: usize,
}

/// Makes sums where they are used.
pub(super) fn rematerialize_sums(function: &mut MachineFunction) {
    let mut sums: FxHashMap<VReg, Sum> = FxHashMap::default();
    let mut of_base: FxHashMap<VReg, u32> = FxHashMap::default();
    for (number, block) in function.blocks.iter().enumerate() {
        for inst in &block.insts {
            if let Some((result, base)) = sum_of(inst) {
                sums.insert(result, Sum { inst: inst.clone(), base, block: number });
                *of_base.entry(base).or_default() += 1;
            }
        }
    }
    sums.retain(|_, sum| of_base[&sum.base] >= FEWEST);
    if sums.is_empty() {
        return;
    }
    for number in 0..function.blocks.len() {
        let mut copies: FxHashMap<VReg, VReg> = FxHashMap::default();
        let insts = std::mem::take(&mut function.blocks[number].insts);
        let mut result = Vec::with_capacity(insts.len());
        for mut inst in insts {
            for_each_use(&inst, |register| {
                if sums.get(&register).is_some_and(|sum| sum.block != number) && !copies.contains_key(&register) {
                    let copy = function.register(Class::General);
                    let mut made = sums[&register].inst.clone();
                    made.operands[0] = Operand::Def(copy);
                    result.push(made);
                    copies.insert(register, copy);
                }
            });
            if !copies.is_empty() {
                inst.replace_uses(|register| copies.get(&register).copied().unwrap_or(register));
            }
            result.push(inst);
        }
        function.blocks[number].insts = result;
    }
}

/// The result and the register of a sum with a constant.
fn sum_of(inst: &Inst) -> Option<(VReg, VReg)> {
    match (inst.code, inst.operands.as_slice()) {
        (Code::Lea_r32_m | Code::Lea_r64_m, &[Operand::Def(result), Operand::Memory(address)]) => match address.base {
            Base::Register(base) if address.index.is_none() => Some((result, base)),
            _ => None,
        },
        _ => None,
    }
}
