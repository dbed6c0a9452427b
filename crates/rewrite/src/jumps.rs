//! Block parameters and the arguments of the jumps to their blocks, changed many at a time.
//!
//! A jump that gains or loses an argument gets a new list of operands, which takes time in proportion to its length. So changes are
//! collected, and each jump is rewritten once. Invariant: between collection and [`NewParameters::finish`] a block has more parameters than
//! the jumps to it have arguments.

use std::fmt;
use std::rc::Rc;

use reconverge_diagnostic::{Diagnostic, Place};
use reconverge_ir::terminator::{first_argument, operand};
use reconverge_ir::{Block, Inst, Module, Op, Position, Terminator};
use rustc_hash::FxHashMap;

/// The maximum number of parameters of a block: those that a `loop` can pass in one instruction.
pub const PARAMETER_LIMIT: usize = 65_535 - operand::LOOP_ARGUMENTS;
/// The maximum number of arguments that are added to a function. It bounds memory where every value crosses every edge.
pub const ARGUMENT_LIMIT: usize = 1 << 26;

/// A declared limit on the cost of carrying values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GrowthLimit {
    /// A block would get too many parameters.
    Parameters {
        /// The limit.
        limit: usize,
    },
    /// The function would get too many arguments.
    Arguments {
        /// The limit.
        limit: usize,
    },
}

impl GrowthLimit {
    /// Checks the limits against parameters of one block and arguments of a function.
    pub fn check(parameters: usize, arguments: usize) -> Result<(), GrowthLimit> {
        match () {
            () if parameters > PARAMETER_LIMIT => Err(GrowthLimit::Parameters { limit: PARAMETER_LIMIT }),
            () if arguments > ARGUMENT_LIMIT => Err(GrowthLimit::Arguments { limit: ARGUMENT_LIMIT }),
            () => Ok(()),
        }
    }
}

reconverge_diagnostic::codes! {
    /// Codes of passes that would create too much.
    pub enum GrowthCode in "Compiling" {
        Limit = "growth-limit" Limit
            "A pass would create more blocks or instructions than its limit."
            "leave the pass out, or make the function smaller";
    }
}

impl From<GrowthLimit> for Diagnostic {
    fn from(limit: GrowthLimit) -> Diagnostic {
        Diagnostic::new(GrowthCode::Limit, Place::Whole, limit.to_string())
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

/// The jumps to a block, in order of creation: uses have no defined order.
pub fn jumps_to(module: &Module, block: Block) -> Vec<Terminator> {
    let mut jumps: Vec<Terminator> = module.in_edges(block).map(|edge| edge.terminator).collect();
    jumps.sort_unstable();
    jumps
}

/// Parameters that were added to blocks, and the arguments for them.
#[derive(Debug, Default)]
pub struct NewParameters {
    blocks: FxHashMap<Block, Grown>,
    passed: usize,
    most: usize,
}

/// A block that got parameters.
#[derive(Debug)]
struct Grown {
    /// The jumps to the block, in order of creation.
    jumps: Rc<[Terminator]>,
    last: Option<Inst>,
    count: usize,
    /// The arguments of each jump, one row for each parameter. Rows are written one by one, and read by jump only at the end, so that
    /// memory is accessed in order both times.
    rows: Vec<Vec<Inst>>,
}

impl NewParameters {
    /// Adds a parameter after those of a block. Every jump to the block then lacks an argument.
    pub fn append(&mut self, module: &mut Module, block: Block, ty: Inst) -> Inst {
        let grown = self.grown(module, block);
        let position = grown.last.map_or(Position::AtStart(block.into()), Position::After);
        let parameter = module.edit().insert(position, Op::BlockParameter, Some(ty), &[]);
        grown.last = Some(parameter);
        grown.count += 1;
        let count = grown.count;
        self.most = self.most.max(count);
        parameter
    }

    fn grown(&mut self, module: &Module, block: Block) -> &mut Grown {
        self.blocks.entry(block).or_insert_with(|| {
            let jumps = jumps_to(module, block);
            let (mut last, mut count) = (None, 0);
            for parameter in module.parameters(block) {
                (last, count) = (Some(parameter.into()), count + 1);
            }
            Grown { jumps: jumps.into(), last, count, rows: Vec::new() }
        })
    }

    /// The jumps to a block, in order of creation, as they were when it first got a parameter.
    pub fn jumps(&mut self, module: &Module, block: Block) -> Rc<[Terminator]> {
        self.grown(module, block).jumps.clone()
    }

    /// Adds a row: the arguments of the jumps to a block for the next of its new parameters.
    pub fn pass(&mut self, module: &Module, block: Block, row: Vec<Inst>) {
        self.passed += row.len();
        self.grown(module, block).rows.push(row);
    }

    /// Checks the limits. An error names the one that is exceeded.
    pub fn check(&self) -> Result<(), GrowthLimit> {
        GrowthLimit::check(self.most, self.passed)
    }

    /// Writes the arguments. Linear in the operands of the jumps concerned.
    pub fn finish(self, module: &mut Module) {
        let mut blocks: Vec<(Block, Grown)> = self.blocks.into_iter().collect();
        blocks.sort_unstable_by_key(|&(block, _)| block);
        for (_, Grown { jumps, rows, .. }) in blocks.into_iter().filter(|(_, grown)| !grown.rows.is_empty()) {
            for (number, &jump) in jumps.iter().enumerate() {
                debug_assert!(
                    matches!(module.op(jump), Op::Branch | Op::Loop),
                    "a block with parameters is entered by jumps alone"
                );
                let operands: Vec<Inst> = module.operands(jump).chain(rows.iter().map(|row| row[number])).collect();
                replace_operands(module, jump, &operands);
            }
        }
    }
}

/// Replaces a terminator by one with other operands. The old handle becomes invalid.
pub fn replace_operands(module: &mut Module, old: Terminator, operands: &[Inst]) {
    let (op, location) = (module.op(old), module.explicit_location(old));
    let mut editor = module.edit();
    let new = editor.insert(Position::Before(old.into()), op, None, operands);
    editor.set_location(new, location);
    editor.delete(old);
}

/// Replaces the parameters of a block by the arguments of the only jump to it.
pub fn bind_parameters(module: &mut Module, block: Block) {
    let Some(jump) = module.in_edges(block).next().map(|only| only.terminator) else { return };
    let passed: Vec<(Inst, Inst)> = module.parameters(block).map(Inst::from).zip(module.arguments(jump)).collect();
    let Some(fixed) = first_argument(module.op(jump)).filter(|_| !passed.is_empty()) else { return };
    let kept: Vec<Inst> = module.operands(jump).take(fixed).collect();
    let mut editor = module.edit();
    editor.set_operands(jump, &kept);
    for (parameter, argument) in passed {
        editor.replace_all_uses(parameter, argument);
        editor.delete(parameter);
    }
}
