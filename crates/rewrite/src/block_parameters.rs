//! Replacement of block parameters, each by several.
//!
//! ```text
//! p: branch ^b(%a, %i)        p: branch ^b(%a, %i)                    p: branch ^b(%i, %a.low, %a.high)
//! ^b(%x, %n):            ⇒    ^b(%x, %n, %x.low, %x.high):       ⇒    ^b(%n, %x.low, %x.high):
//! ```
//!
//! A pass appends the new parameters, rewrites the function, and removes the old ones when it knows the arguments. Each jump is rewritten
//! once, for all parameters of its block together; one by one, thousands of values at one join would take quadratic time.

use reconverge_ir::{Block, Inst, Module, Op, Parameter, Position, Terminator, terminator};
use rustc_hash::FxHashSet;

/// A jump to a block whose parameters are replaced.
pub struct Jump {
    /// The jump.
    pub terminator: Terminator,
    /// Its arguments for the parameters that are removed.
    pub old: Vec<Inst>,
    /// Its arguments for the parameters that were appended.
    pub new: Vec<Inst>,
}

/// Appends parameters of these types to a block. Jumps pass no arguments for them until [`replace`].
pub fn append(module: &mut Module, block: Block, types: &[Inst]) -> Vec<Parameter> {
    let last = module.parameters(block).last();
    let mut position = last.map_or(Position::AtStart(block.into()), |last| Position::After(last.into()));
    let appended = types.iter().map(|&ty| {
        let parameter = module.edit().insert(position, Op::BlockParameter, Some(ty), &[]);
        position = Position::After(parameter);
        module.cast(parameter).expect("invariant: a parameter is a parameter")
    });
    appended.collect()
}

/// The jumps to a block, with their arguments for some of its parameters.
pub fn jumps(module: &Module, block: Block, old: &[Parameter]) -> Vec<Jump> {
    let places = places(module, block, old);
    let edges = module.in_edges(block).map(|edge| edge.terminator);
    let jumps = edges.map(|terminator| {
        let first = first_argument(module, terminator);
        let old = places.iter().map(|place| module.operand(terminator, first + place)).collect();
        Jump { terminator, old, new: Vec::new() }
    });
    jumps.collect()
}

/// Removes parameters of a block with their arguments, and adds the arguments for the new ones to the jumps.
pub fn replace(module: &mut Module, block: Block, old: &[Parameter], jumps: Vec<Jump>) {
    let places: FxHashSet<usize> = places(module, block, old).into_iter().collect();
    for Jump { terminator, new, .. } in jumps {
        let first = first_argument(module, terminator);
        let operands = module.operands(terminator).enumerate();
        let kept = operands.filter(|&(index, _)| index < first || !places.contains(&(index - first)));
        let operands: Vec<Inst> = kept.map(|(_, operand)| operand).chain(new).collect();
        module.edit().set_operands(terminator, &operands);
    }
    old.iter().for_each(|&parameter| module.edit().delete(parameter));
}

/// The positions of some parameters among all parameters of a block, in order.
fn places(module: &Module, block: Block, some: &[Parameter]) -> Vec<usize> {
    let some: FxHashSet<Parameter> = some.iter().copied().collect();
    let all = module.parameters(block).enumerate();
    all.filter(|(_, parameter)| some.contains(parameter)).map(|(place, _)| place).collect()
}

fn first_argument(module: &Module, jump: Terminator) -> usize {
    terminator::first_argument(module.op(jump)).expect("invariant: only jumps go to a block with parameters")
}
