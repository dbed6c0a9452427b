//! Block parameters and the arguments of the jumps that feed them, changed many at a time.
//!
//! A jump that gains or loses an argument gets a new list of operands, which takes time in proportion to its length; so what is
//! to change is gathered, and each jump is written once. Invariant: between gathering and [`NewParameters::finish`] a block has
//! more parameters than the jumps to it have arguments.

use std::fmt;

use reconverge_ir::terminator::operand;
use reconverge_ir::{Block, Inst, Module, Op, Position, Terminator};
use rustc_hash::FxHashMap;

/// Most parameters of a block: what a `loop` can pass in one instruction.
pub(crate) const PARAMETER_LIMIT: usize = 65_535 - operand::LOOP_ARGUMENTS;
/// Most arguments that are added to a function, so that memory stays bounded where every value crosses every edge.
pub(crate) const ARGUMENT_LIMIT: usize = 1 << 26;

/// A declared limit on what carrying values may cost.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GrowthLimit {
    /// A block would get too many parameters.
    Parameters {
        /// How many are allowed.
        limit: usize,
    },
    /// The function would get too many arguments.
    Arguments {
        /// How many are allowed.
        limit: usize,
    },
}

impl GrowthLimit {
    /// Holds the limits against parameters of one block and arguments of a function.
    pub(crate) fn check(parameters: usize, arguments: usize) -> Result<(), GrowthLimit> {
        match () {
            () if parameters > PARAMETER_LIMIT => Err(GrowthLimit::Parameters { limit: PARAMETER_LIMIT }),
            () if arguments > ARGUMENT_LIMIT => Err(GrowthLimit::Arguments { limit: ARGUMENT_LIMIT }),
            () => Ok(()),
        }
    }
}

impl fmt::Display for GrowthLimit {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            GrowthLimit::Parameters { limit } => {
                write!(formatter, "a block would need more than {limit} parameters, which is the limit")
            }
            GrowthLimit::Arguments { limit } => {
                write!(formatter, "the blocks would need more than {limit} arguments, which is the limit")
            }
        }
    }
}

/// Parameters that were added to blocks, and arguments that are still to be passed for them.
#[derive(Debug, Default)]
pub(crate) struct NewParameters {
    /// The last parameter of a block and how many it has.
    last: FxHashMap<Block, (Inst, usize)>,
    arguments: FxHashMap<Terminator, Vec<Inst>>,
    passed: usize,
    most: usize,
}

impl NewParameters {
    /// Adds a parameter after those that a block has. Every jump to the block owes an argument.
    pub(crate) fn append(&mut self, module: &mut Module, block: Block, ty: Inst) -> Inst {
        let known = self.last.get(&block).copied();
        let last = known.or_else(|| {
            let numbered = module.parameters(block).zip(1..);
            numbered.last().map(|(parameter, count)| (parameter.into(), count))
        });
        let position = last.map_or(Position::AtStart(block.into()), |(last, _)| Position::After(last));
        let parameter = module.edit().insert(position, Op::BlockParameter, Some(ty), &[]);
        let count = last.map_or(0, |(_, count)| count) + 1;
        self.last.insert(block, (parameter, count));
        self.most = self.most.max(count);
        parameter
    }

    /// What a jump passes for the next of the parameters that were added to its target.
    pub(crate) fn pass(&mut self, jump: Terminator, argument: Inst) {
        self.arguments.entry(jump).or_default().push(argument);
        self.passed += 1;
    }

    /// Whether the limits hold so far.
    pub(crate) fn check(&self) -> Result<(), GrowthLimit> {
        GrowthLimit::check(self.most, self.passed)
    }

    /// Writes the arguments. Linear in the operands of the jumps concerned.
    pub(crate) fn finish(self, module: &mut Module) {
        let mut jumps: Vec<(Terminator, Vec<Inst>)> = self.arguments.into_iter().collect();
        jumps.sort_unstable_by_key(|&(jump, _)| jump);
        for (jump, added) in jumps {
            debug_assert!(
                matches!(module.op(jump), Op::Branch | Op::Loop),
                "a block with parameters is entered by jumps alone"
            );
            let operands: Vec<Inst> = module.operands(jump).chain(added).collect();
            replace_operands(module, jump, &operands);
        }
    }
}

/// Writes a terminator anew with other operands. Its handle dies.
pub(crate) fn replace_operands(module: &mut Module, old: Terminator, operands: &[Inst]) {
    let (op, location) = (module.op(old), module.explicit_location(old));
    let mut editor = module.edit();
    let new = editor.insert(Position::Before(old.into()), op, None, operands);
    editor.set_location(new, location);
    editor.delete(old);
}
