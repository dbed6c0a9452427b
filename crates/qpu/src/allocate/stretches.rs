//! Stretches: the parts of the code in which the mutex is held.
//!
//! A stretch is a part of the function from the instructions that take the mutex to those that give it back. It may have several of both, and may
//! go over blocks: what is held at the end of a block and at the begin of its successor is one stretch.

use crate::machine::{BlockId, Destination, Inst, MachineFunction, ReadPort, WritePort};

/// A stretch, by its number.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct Stretch(pub(crate) u32);

/// Returns whether an instruction takes the mutex.
pub(crate) fn takes_mutex(inst: &Inst) -> bool {
    inst.ports().any(|port| port == ReadPort::MutexAcquire)
}

/// Returns whether an instruction gives the mutex back.
pub(crate) fn gives_mutex(inst: &Inst) -> bool {
    inst.destination == Destination::Port(WritePort::MutexRelease)
}

/// For each block the stretches of its instructions. The instructions that take the mutex and give it back are in the stretch.
pub(crate) fn stretches(function: &MachineFunction) -> Vec<Vec<Option<Stretch>>> {
    let held_in = held_in(function);
    let mut parent: Vec<u32> = (0..function.blocks.len() as u32).collect();
    let mut all = Vec::with_capacity(function.blocks.len());
    let mut ends = Vec::with_capacity(function.blocks.len());
    for (block, content) in function.blocks.iter().enumerate() {
        // The stretch that comes from above has the number of the block.
        let mut current = held_in[block].then_some(block as u32);
        let stretches = content.insts.iter().map(|inst| {
            if takes_mutex(inst) {
                current = Some(parent.len() as u32);
                parent.push(parent.len() as u32);
            }
            let stretch = current;
            if gives_mutex(inst) {
                current = None;
            }
            stretch
        });
        all.push(stretches.collect::<Vec<Option<u32>>>());
        ends.push(current);
    }
    for (block, end) in ends.iter().enumerate() {
        for successor in function.successors(BlockId(block as u32)) {
            if let Some(end) = *end
                && held_in[successor.0 as usize]
            {
                let (left, right) = (find(&mut parent, end), find(&mut parent, successor.0));
                parent[left as usize] = right;
            }
        }
    }
    let name = |stretch: Option<u32>| stretch.map(|stretch| Stretch(find(&mut parent, stretch)));
    let mut name = name;
    all.into_iter().map(|block| block.into_iter().map(&mut name).collect()).collect()
}

/// For each block whether the mutex may be held at its begin.
fn held_in(function: &MachineFunction) -> Vec<bool> {
    let mut held = vec![false; function.blocks.len()];
    // Whether the mutex is held at the end of a block: known, or as at the begin.
    let end = |block: usize| {
        let insts = &function.blocks[block].insts;
        insts.iter().rev().find(|inst| takes_mutex(inst) || gives_mutex(inst)).map(takes_mutex)
    };
    let ends: Vec<Option<bool>> = (0..function.blocks.len()).map(end).collect();
    let mut worklist: Vec<usize> = (0..ends.len()).filter(|&block| ends[block] == Some(true)).collect();
    while let Some(block) = worklist.pop() {
        for BlockId(successor) in function.successors(BlockId(block as u32)) {
            let successor = successor as usize;
            if !std::mem::replace(&mut held[successor], true) && ends[successor].is_none() {
                worklist.push(successor);
            }
        }
    }
    held
}

fn find(parent: &mut [u32], mut stretch: u32) -> u32 {
    while parent[stretch as usize] != stretch {
        parent[stretch as usize] = parent[parent[stretch as usize] as usize];
        stretch = parent[stretch as usize];
    }
    stretch
}
