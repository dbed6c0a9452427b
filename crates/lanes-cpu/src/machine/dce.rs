//! DCE: deletes unreachable blocks, instructions whose results nothing reads, and parameters of blocks that nothing reads.
//!
//! This is the usual mark and sweep over SSA form. Roots are the instructions that stay in any case ([`is_root`]) and the selectors of
//! jump tables. An argument of a jump is live only if its parameter is, so values that only feed themselves around a loop vanish too.
//!
//! Flags are not registers. An instruction that is there for its flags either writes no register, or ends a block whose terminator reads
//! them, or is marked with [`Inst::has_effect`].

use super::{Base, BlockId, Implicit, Inst, MachineFunction, Operand, Terminator, VReg};

/// The definition of a virtual register.
#[derive(Clone, Copy)]
enum Definition {
    None,
    Inst { block: u32, index: u32 },
    Parameter { block: u32, index: u32 },
}

/// The blocks that the entry reaches.
pub(super) fn reachable_blocks(function: &MachineFunction) -> Vec<bool> {
    let mut is_reachable = vec![false; function.blocks.len()];
    let mut work = vec![BlockId(0)];
    while let Some(BlockId(block)) = work.pop() {
        if std::mem::replace(&mut is_reachable[block as usize], true) {
            continue;
        }
        match &function.blocks[block as usize].end {
            Some(Terminator::Jump(to, _) | Terminator::Barrier { resume: to, .. }) => work.push(*to),
            Some(Terminator::Branch { then, otherwise, .. }) => work.extend([*then, *otherwise]),
            Some(Terminator::Table { default, targets, .. }) => {
                work.push(*default);
                work.extend(targets);
            }
            Some(Terminator::Return | Terminator::Trap(_)) | None => {}
        }
    }
    is_reachable
}

/// Calls a function for each register that an instruction reads.
pub(super) fn for_each_use(inst: &Inst, mut visit: impl FnMut(VReg)) {
    for operand in &inst.operands {
        match *operand {
            Operand::Use(value) | Operand::Update { from: value, .. } => visit(value),
            Operand::Memory(address) => {
                if let Base::Register(base) = address.base {
                    visit(base);
                }
                if let Some(index) = address.index {
                    visit(index);
                }
            }
            Operand::Def(_) | Operand::Immediate(_) => {}
        }
    }
    if let Some(mask) = inst.mask {
        visit(mask);
    }
    if let Some((from, _)) = inst.consumed_mask {
        visit(from);
    }
    for implicit in &inst.implicit {
        if let Implicit::Use(value, _) = *implicit {
            visit(value);
        }
    }
}

/// Calls a function for each register that an instruction writes.
pub(super) fn for_each_def(inst: &Inst, mut visit: impl FnMut(VReg)) {
    for operand in &inst.operands {
        if let Operand::Def(value) | Operand::Update { to: value, .. } = *operand {
            visit(value);
        }
    }
    if let Some((_, to)) = inst.consumed_mask {
        visit(to);
    }
    for implicit in &inst.implicit {
        if let Implicit::Def(value, _) = *implicit {
            visit(value);
        }
    }
}

/// Returns whether an instruction stays although nothing reads its results.
fn is_root(inst: &Inst) -> bool {
    let mut has_defs = false;
    for_each_def(inst, |_| has_defs = true);
    inst.has_effect || !has_defs
}

struct Marker<'f> {
    function: &'f MachineFunction,
    definitions: Vec<Definition>,
    /// The blocks that jump to a block with arguments.
    jumps_to: Vec<Vec<u32>>,
    is_live: Vec<bool>,
    work: Vec<VReg>,
    /// For each block, true for the instructions that stay.
    is_kept: Vec<Vec<bool>>,
}

impl Marker<'_> {
    fn mark(&mut self, value: VReg) {
        if !std::mem::replace(&mut self.is_live[value.index as usize], true) {
            self.work.push(value);
        }
    }

    fn keep(&mut self, block: u32, index: u32) {
        if !std::mem::replace(&mut self.is_kept[block as usize][index as usize], true) {
            let function = self.function;
            for_each_use(&function.blocks[block as usize].insts[index as usize], |value| self.mark(value));
        }
    }

    /// Marks the roots of a block, and notes what it defines.
    fn enter(&mut self, number: u32) {
        let function = self.function;
        let block = &function.blocks[number as usize];
        for (index, parameter) in (0..).zip(&block.parameters) {
            self.definitions[parameter.index as usize] = Definition::Parameter { block: number, index };
        }
        let ends_in_branch = matches!(block.end, Some(Terminator::Branch { .. }));
        for (index, inst) in (0..).zip(&block.insts) {
            for_each_def(inst, |value| {
                self.definitions[value.index as usize] = Definition::Inst { block: number, index };
            });
            let is_last = index as usize + 1 == block.insts.len();
            // The last instruction before a branch sets its flags.
            if is_root(inst) || ends_in_branch && is_last {
                self.keep(number, index);
            }
        }
        match &block.end {
            Some(Terminator::Jump(to, arguments)) if !arguments.is_empty() => {
                self.jumps_to[to.0 as usize].push(number);
            }
            Some(Terminator::Table { index, .. }) => self.mark(*index),
            _ => {}
        }
    }

    fn run(&mut self) {
        while let Some(value) = self.work.pop() {
            match self.definitions[value.index as usize] {
                Definition::None => {}
                Definition::Inst { block, index } => self.keep(block, index),
                Definition::Parameter { block, index } => {
                    let sources = std::mem::take(&mut self.jumps_to[block as usize]);
                    for &source in &sources {
                        if let Some(Terminator::Jump(_, arguments)) = &self.function.blocks[source as usize].end {
                            self.mark(arguments[index as usize]);
                        }
                    }
                    self.jumps_to[block as usize] = sources;
                }
            }
        }
    }
}

/// Deletes what has no effect. The numbers of the blocks that stay do not change; unreachable ones are left empty.
pub(super) fn dce(function: &mut MachineFunction) {
    let is_reachable = reachable_blocks(function);
    for (block, is_reachable) in function.blocks.iter_mut().zip(is_reachable) {
        if !is_reachable {
            *block = Default::default();
        }
    }
    let mut marker = Marker {
        function,
        definitions: vec![Definition::None; function.classes.len()],
        jumps_to: vec![Vec::new(); function.blocks.len()],
        is_live: vec![false; function.classes.len()],
        work: Vec::new(),
        is_kept: function.blocks.iter().map(|block| vec![false; block.insts.len()]).collect(),
    };
    for block in 0..function.blocks.len() as u32 {
        marker.enter(block);
    }
    marker.run();
    let Marker { is_live, is_kept, .. } = marker;
    let live_parameters: Vec<Vec<bool>> = function
        .blocks
        .iter()
        .map(|block| block.parameters.iter().map(|parameter| is_live[parameter.index as usize]).collect())
        .collect();
    for ((block, is_kept), is_live) in function.blocks.iter_mut().zip(&is_kept).zip(&live_parameters) {
        retain(&mut block.insts, is_kept);
        retain(&mut block.parameters, is_live);
        if let Some(Terminator::Jump(to, arguments)) = &mut block.end {
            retain(arguments, &live_parameters[to.0 as usize]);
        }
    }
}

/// Keeps the elements whose flag is set.
fn retain<T>(list: &mut Vec<T>, is_kept: &[bool]) {
    if is_kept.iter().all(|&is_kept| is_kept) {
        return;
    }
    let mut flags = is_kept.iter();
    list.retain(|_| *flags.next().expect("invariant: one flag an element"));
}
