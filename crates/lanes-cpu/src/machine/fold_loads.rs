//! Loads become memory operands of the instructions that use them.
//!
//! ```text
//! vmovss xmm1, [rax]
//! vbroadcastss zmm1, xmm1          vfmadd231ps zmm0, zmm2, [rax]{1to16}
//! vfmadd213ps zmm1, zmm2, zmm0  →
//! ```
//!
//! A load goes into its only use, if that is in the same block with nothing between that may write memory. What a form reads from memory
//! must be what the load reads: the same bytes, or one element for all lanes. A fused product is brought into the form that has the loaded
//! factor last; and, if the sum is used by it alone, into the form that updates the sum. Linear.

use super::constraints::given_kinds;
use super::dce::{for_each_def, for_each_use};
use super::op_codes::Form;
use super::registers::is_register_or_memory;
use super::{Address, Inst, MachineFunction, Operand, Terminator, VReg};
use iced_x86::Code;

/// A load that may become an operand.
#[derive(Clone, Copy)]
struct Load {
    /// The instruction, in its block.
    index: usize,
    address: Address,
    /// The origin of the load: the folded instruction then accesses memory.
    origin: u32,
    bytes: usize,
    /// True if the value is the loaded element in every lane, or in lane 0 with nothing that counts in the others.
    is_element: bool,
}

/// The loads of a block that no write has passed.
type Loads = rustc_hash::FxHashMap<VReg, Load>;

/// Folds the loads of a function.
pub(super) fn fold_loads(function: &mut MachineFunction) {
    let uses = count_uses(function);
    let mut loads = Loads::default();
    for block in &mut function.blocks {
        loads.clear();
        let mut is_folded = vec![false; block.insts.len()];
        for index in 0..block.insts.len() {
            let inst = &mut block.insts[index];
            update_sum(inst, &uses, &loads);
            if let Some(folded) = fold(inst, &loads) {
                is_folded[folded] = true;
            }
            if inst.has_effect && writes_memory(inst) {
                loads.clear();
            }
            if let Some((register, load)) = load_of(inst, index)
                && uses[register.index as usize] == 1
            {
                loads.insert(register, load);
            }
        }
        let mut flags = is_folded.iter();
        block.insts.retain(|_| !flags.next().expect("invariant: one flag an instruction"));
    }
}

fn count_uses(function: &MachineFunction) -> Vec<u32> {
    let mut uses = vec![0; function.classes.len()];
    for block in &function.blocks {
        let mut count = |register: VReg| uses[register.index as usize] += 1;
        block.insts.iter().for_each(|inst| for_each_use(inst, &mut count));
        match &block.end {
            Some(Terminator::Jump(_, arguments)) => arguments.iter().copied().for_each(count),
            Some(Terminator::Table { index, .. }) => count(*index),
            _ => {}
        }
    }
    uses
}

/// Returns whether an instruction with effects may write memory: one that only compares does not.
fn writes_memory(inst: &Inst) -> bool {
    let mut has_defs = false;
    for_each_def(inst, |_| has_defs = true);
    has_defs || inst.operands.iter().any(|operand| matches!(operand, Operand::Memory(_)))
}

/// The load that an instruction is.
fn load_of(inst: &Inst, index: usize) -> Option<(VReg, Load)> {
    let &[Operand::Def(register), Operand::Memory(address)] = inst.operands.as_slice() else { return None };
    if inst.mask.is_some() || inst.has_effect {
        return None;
    }
    let (bytes, is_element) = match inst.code {
        Code::Mov_r32_rm32 => (4, false),
        Code::Mov_r64_rm64 => (8, false),
        Code::EVEX_Vmovss_xmm_k1z_m32
        | Code::EVEX_Vbroadcastss_zmm_k1z_xmmm32
        | Code::EVEX_Vpbroadcastd_zmm_k1z_xmmm32 => (4, true),
        Code::EVEX_Vmovsd_xmm_k1z_m64
        | Code::EVEX_Vbroadcastsd_zmm_k1z_xmmm64
        | Code::EVEX_Vpbroadcastq_zmm_k1z_xmmm64 => (8, true),
        Code::EVEX_Vmovdqu32_zmm_k1z_zmmm512 | Code::EVEX_Vmovdqu64_zmm_k1z_zmmm512 => (64, false),
        Code::VEX_Vmovdqu_ymm_ymmm256 => (32, false),
        _ => return None,
    };
    Some((register, Load { index, address, origin: inst.origin, bytes, is_element }))
}

/// Folds a load into an instruction; which one.
fn fold(inst: &mut Inst, loads: &Loads) -> Option<usize> {
    if inst.operands.iter().any(|operand| matches!(operand, Operand::Memory(_))) {
        return None;
    }
    let form = Form::of(inst.code);
    let place = given_kinds(inst).position(|(_, kind)| is_register_or_memory(kind))?;
    let &Operand::Use(register) = inst.operands.get(place)? else { return None };
    let load = *loads.get(&register)?;
    let is_whole = usize::from(form.memory_bytes) == load.bytes;
    let is_element = load.is_element && usize::from(form.broadcast_bytes) == load.bytes;
    if !is_whole && !is_element {
        return None;
    }
    inst.operands[place] = Operand::Memory(load.address);
    inst.is_broadcast = !is_whole;
    inst.origin = load.origin;
    Some(load.index)
}

/// `a := a · b + c` as `c := a · b + c`, if `c` is free to be changed and `a` is not, or if one of the factors is in memory.
fn update_sum(inst: &mut Inst, uses: &[u32], loads: &Loads) {
    let code = match inst.code {
        Code::EVEX_Vfmadd213ps_zmm_k1z_zmm_zmmm512b32_er => Code::EVEX_Vfmadd231ps_zmm_k1z_zmm_zmmm512b32_er,
        Code::EVEX_Vfmadd213pd_zmm_k1z_zmm_zmmm512b64_er => Code::EVEX_Vfmadd231pd_zmm_k1z_zmm_zmmm512b64_er,
        Code::EVEX_Vfmadd213ps_xmm_k1z_xmm_xmmm128b32 => Code::EVEX_Vfmadd231ps_xmm_k1z_xmm_xmmm128b32,
        Code::EVEX_Vfmadd213pd_xmm_k1z_xmm_xmmm128b64 => Code::EVEX_Vfmadd231pd_xmm_k1z_xmm_xmmm128b64,
        Code::VEX_Vfmadd213ps_ymm_ymm_ymmm256 => Code::VEX_Vfmadd231ps_ymm_ymm_ymmm256,
        Code::VEX_Vfmadd213pd_ymm_ymm_ymmm256 => Code::VEX_Vfmadd231pd_ymm_ymm_ymmm256,
        _ => return,
    };
    let &[Operand::Update { from: a, to }, Operand::Use(b), Operand::Use(c)] = inst.operands.as_slice() else { return };
    let is_alone = |register: VReg| uses[register.index as usize] == 1;
    if inst.mask.is_some() || !is_alone(c) || loads.contains_key(&c) {
        return;
    }
    let (first, last) = if loads.contains_key(&a) { (b, a) } else { (a, b) };
    if !loads.contains_key(&last) && is_alone(a) {
        return;
    }
    inst.code = code;
    inst.operands = [Operand::Update { from: c, to }, Operand::Use(first), Operand::Use(last)].into_iter().collect();
}
