//! Reconvergence points in the terminators of a structured function.
//!
//! A selection has its merge block, a loop its break block and its continue block. No other data is needed: when a lane arrives at one of
//! these blocks, the constructs that it has open determine which constructs it leaves (`scheduling/rejoin.rs`).
//!
//! ```text
//! if %c ^a ^b merge ^m            opens a construct that ends where ^m begins
//! loop ^h break ^m continue ^n    where ^h begins: opens one that ends where ^m begins,
//!                                 and for each iteration one that ends where ^n begins
//! ```
//!
//! A loop is opened at its header and not at the `loop`, since the header may be a merge block: lanes that reconverge there enter together.
//!
//! Edge blocks of a switch that lead to one block with the same arguments represent one edge of SPIR-V, so lanes on them are converged
//! after them:
//!
//! ```text
//! structured_switch %x … [1 ^e] [2 ^f]        ^e, ^f: branch ^case        a construct that ends where ^case begins, for these two
//! ```
//!
//! One pass over the blocks. Blocks are identified by their first instructions, as the position of a lane is.

use std::collections::BTreeMap;

use reconverge_ir::{Block, Inst, Module, Op, Stage};

use crate::Interpreter;
use crate::code::instruction::{Action, Code, Instruction};

const NOTHING: u32 = u32::MAX;

/// The constructs that the terminators of a function open.
#[derive(Debug)]
pub(crate) struct Structure {
    /// By terminator: the number of the selection that it opens. By first instruction of a header: that of its loop.
    opens: Vec<u32>,
    /// By instruction: whether lanes may have to wait there for others, or begin an iteration.
    landings: Vec<bool>,
    constructs: Vec<Construct>,
    /// By terminator: the edges of a switch that are one in SPIR-V.
    bundles: BTreeMap<usize, Vec<Bundle>>,
    /// By instruction: the number of instructions from it on that affect only the lane that executes them.
    quiet: Vec<u32>,
}

/// Edge blocks that represent one edge, and its target.
#[derive(Debug)]
pub(crate) struct Bundle {
    pub(crate) edges: Vec<u32>,
    pub(crate) target: u32,
}

/// A construct that is opened.
#[derive(Clone, Copy, Debug)]
enum Construct {
    /// A selection or switch.
    Selection { merge: u32 },
    /// A loop.
    Loop(LoopPlaces),
}

/// The break block, the header and the continue block of a loop.
#[derive(Clone, Copy, Debug)]
pub(crate) struct LoopPlaces {
    pub(crate) merge: u32,
    pub(crate) header: u32,
    pub(crate) next: u32,
}

impl Structure {
    /// The merge block of the selection or switch that a terminator opens.
    pub(crate) fn selection_at(&self, terminator: usize) -> Option<u32> {
        match self.constructs.get(self.opens[terminator] as usize) {
            Some(&Construct::Selection { merge }) => Some(merge),
            _ => None,
        }
    }

    /// The loop whose header begins with that instruction.
    pub(crate) fn loop_at(&self, first: usize) -> Option<LoopPlaces> {
        match self.constructs.get(self.opens[first] as usize) {
            Some(&Construct::Loop(places)) => Some(places),
            _ => None,
        }
    }

    /// The edges of a switch that are one in SPIR-V, by the number of the switch.
    pub(crate) fn bundles(&self, instruction: usize) -> &[Bundle] {
        self.bundles.get(&instruction).map_or(&[], Vec::as_slice)
    }

    /// The number of instructions from this one on that have no effect visible to other lanes and do not depend on such effects of each
    /// other, so that the order of lanes makes no difference. The last one may be a jump.
    pub(crate) fn quiet_from(&self, instruction: usize) -> u32 {
        self.quiet[instruction]
    }

    /// Returns whether the instruction is the first of a merge block, break block, continue block or loop header, or of a case with several
    /// edges.
    pub(crate) fn is_landing(&self, instruction: usize) -> bool {
        self.landings[instruction]
    }
}

/// The structure of a decoded function at stage Structured.
pub(crate) fn compute(program: &Interpreter<'_>, code: &Code) -> Option<Structure> {
    let module = program.module;
    if module.stage(code.function) != Stage::Structured {
        return None;
    }
    let count = code.instructions.len();
    let mut structure = Structure {
        opens: vec![NOTHING; count],
        landings: vec![false; count],
        constructs: Vec::new(),
        bundles: BTreeMap::new(),
        quiet: quiet_rows(&code.instructions),
    };
    let first = |block: Option<Block>| {
        let block = block.filter(|&block| module.parent(block) == Some(code.function.inst()))?;
        code.blocks.get(program.number(block.inst())? as usize).map(|block| block.first)
    };
    for (number, block) in code.blocks.iter().enumerate() {
        let Some(terminator) = module.terminator(block.block) else { continue };
        let Some(merge) = first(module.merge_block(terminator)) else { continue };
        let end = code.blocks.get(number + 1).map_or(count, |next| next.first as usize);
        let (place, construct) = match module.op(terminator) {
            Op::Loop => {
                let header = first(module.successors(block.block).next());
                let next = first(module.continue_block(terminator));
                let (Some(header), Some(next)) = (header, next) else { continue };
                [header, next].iter().for_each(|&place| structure.landings[place as usize] = true);
                (header as usize, Construct::Loop(LoopPlaces { merge, header, next }))
            }
            _ => (end - 1, Construct::Selection { merge }),
        };
        structure.landings[merge as usize] = true;
        structure.opens[place] = structure.constructs.len() as u32;
        structure.constructs.push(construct);
        if module.op(terminator) == Op::StructuredSwitch {
            let bundles = bundles(module, block.block, &first);
            bundles.iter().for_each(|bundle| structure.landings[bundle.target as usize] = true);
            structure.bundles.insert(end - 1, bundles);
        }
    }
    Some(structure)
}

/// For each instruction, the number of quiet instructions from it on. Each block ends with a jump or with an instruction that is not quiet.
fn quiet_rows(instructions: &[Instruction]) -> Vec<u32> {
    let mut rows = vec![0; instructions.len()];
    let mut next = 0;
    for (row, instruction) in rows.iter_mut().zip(instructions).rev() {
        next = match &instruction.action {
            Action::Branch(_) | Action::BranchIf { .. } | Action::Switch(_) => 1,
            Action::Compute(_) | Action::Chain(_) | Action::Load(_) | Action::Undefined | Action::Fixed(_) => next + 1,
            _ => 0,
        };
        *row = next;
    }
    rows
}

/// The edge blocks of a switch by target and arguments; those that occur several times.
fn bundles(module: &Module, switch: Block, first: &dyn Fn(Option<Block>) -> Option<u32>) -> Vec<Bundle> {
    let mut by_target: BTreeMap<(u32, Vec<Inst>), Vec<u32>> = BTreeMap::new();
    for block in module.successors(switch) {
        let edge = module.terminator(block).filter(|&jump| module.is_bare_edge(block) && module.op(jump) == Op::Branch);
        let Some(jump) = edge else { continue };
        let (Some(from), Some(to)) = (first(Some(block)), first(module.successors(block).next())) else { continue };
        let edges = by_target.entry((to, module.arguments(jump).collect())).or_default();
        if !edges.contains(&from) {
            edges.push(from);
        }
    }
    let several = by_target.into_iter().filter(|(_, edges)| edges.len() > 1);
    several.map(|((target, _), edges)| Bundle { edges, target }).collect()
}
