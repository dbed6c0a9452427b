//! Registers that several blocks share and that are read right after their writes.
//!
//! A register of a file cannot be read by the word after the one that writes it. For the register that says where a lane wakes, that is a
//! lost word at each point of control flow. So one accumulator is given to registers that live in more than one block, if that saves
//! enough: one word for each write with a read after it. The cost is that other registers cannot have the accumulator meanwhile, so the
//! words that are saved must be a part of those that the register is live for. All are weighed by how often their block is executed.

use super::liveness::Liveness;
use crate::machine::{MachineFunction, Operation, VReg};

/// Of how many executed instructions one must be saved.
const SHARE: u64 = 100;

/// Registers for which an accumulator saves enough, the best first.
pub(crate) fn close_registers(function: &MachineFunction, liveness: &Liveness, frequencies: &[u32]) -> Vec<VReg> {
    let saved = saved_words(function, frequencies);
    // For each number of an instruction, the frequencies before it.
    let mut before = vec![0_u64];
    for (block, &frequency) in function.blocks.iter().zip(frequencies) {
        for _ in 0..=block.insts.len() {
            before.push(before[before.len() - 1] + u64::from(frequency));
        }
    }
    let is_worth = |&(register, saved): &(usize, u64)| {
        let range = &liveness.ranges[register];
        let weight = |point: u32| before[(point / 2) as usize];
        let live: u64 = range.iter().map(|segment| weight(segment.end) - weight(segment.start)).sum();
        saved > 0 && !liveness.is_local(range) && saved * SHARE >= live
    };
    let mut worth: Vec<(usize, u64)> = saved.into_iter().enumerate().filter(is_worth).collect();
    worth.sort_by_key(|&(register, saved)| (std::cmp::Reverse(saved), register));
    worth.into_iter().map(|(register, _)| VReg(register as u32)).collect()
}

/// For each register how many words are lost between its writes and reads if it is in a file. None if a rotation reads it: that would have to wait
/// for what the block before wrote.
fn saved_words(function: &MachineFunction, frequencies: &[u32]) -> Vec<u64> {
    let mut saved = vec![0; function.registers as usize];
    let mut is_rotated = vec![false; function.registers as usize];
    for (block, &frequency) in function.blocks.iter().zip(frequencies) {
        let mut written = None;
        for inst in &block.insts {
            for register in inst.uses() {
                is_rotated[register.0 as usize] |= matches!(inst.operation, Operation::Rotate(_));
            }
            if let Some(register) = written
                && inst.uses().any(|used| used == register)
            {
                saved[register.0 as usize] += u64::from(frequency);
            }
            written = inst.definition();
        }
    }
    saved.into_iter().zip(is_rotated).map(|(saved, is_rotated)| if is_rotated { 0 } else { saved }).collect()
}
