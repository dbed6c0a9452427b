//! Removes block parameters that always have one value.
//!
//! ```text
//! branch ^m(%v)   branch ^m(%v)   ^m(%p): use %p     ⇒     branch ^m   branch ^m   ^m: use %v
//! ```
//!
//! *Requires* that arguments dominate the edges that pass them. *Preserves* every value. *Breaks* nothing: the one value reaches the block
//! on every edge, so its definition dominates the block. An argument that is the parameter itself, passed around a cycle, is ignored. The
//! removal of one parameter may make another trivial; a worklist finds those (Braun, Buchwald, Hack, Leißa, Mallon, Zwinkau 2013, section
//! 3.1; groups of parameters that only feed each other stay, see 3.2 there).
//!
//! Invariant: the replacement of a candidate never leads back to it. The result is computed on a table and then written: each jump once.
//! Linear in the candidates' arguments and in the uses of removed parameters.

use reconverge_ir::{Block, Inst, Module, Terminator, terminator};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use crate::jumps::replace_operands;
use crate::substitution::Substitution;

/// Removes those of `parameters` that are trivial. Returns how many were removed.
pub fn remove_trivial_parameters(module: &mut Module, parameters: &[Inst]) -> usize {
    let mut search = TrivialParameterSearch::new(module, parameters);
    let mut worklist: Vec<Inst> = parameters.to_vec();
    while let Some(parameter) = worklist.pop() {
        if let Some(value) = search.only_value(parameter) {
            search.substitution.insert(parameter, value);
            worklist.extend(search.fed.get(&parameter).into_iter().flatten());
        }
    }
    search.write(module)
}

/// The positions of the candidates, and their arguments.
struct TrivialParameterSearch {
    /// Block and number of each candidate, in the order of the blocks that hold them.
    places: Vec<(Inst, Block, usize)>,
    /// The different arguments of each candidate.
    arguments: FxHashMap<Inst, SmallVec<[Inst; 2]>>,
    /// For each candidate, the candidates that it is an argument of.
    fed: FxHashMap<Inst, Vec<Inst>>,
    substitution: Substitution,
}

impl TrivialParameterSearch {
    fn new(module: &Module, candidates: &[Inst]) -> TrivialParameterSearch {
        let mut arguments: FxHashMap<Inst, SmallVec<[Inst; 2]>> =
            candidates.iter().map(|&candidate| (candidate, SmallVec::new())).collect();
        let mut blocks: Vec<Block> = candidates.iter().filter_map(|&candidate| module.block_of(candidate)).collect();
        blocks.sort_unstable();
        blocks.dedup();
        let (mut places, mut fed) = (Vec::new(), FxHashMap::<Inst, Vec<Inst>>::default());
        for block in blocks {
            let jumps: Vec<Terminator> = module.in_edges(block).map(|edge| edge.terminator).collect();
            for (index, parameter) in module.parameters(block).map(Inst::from).enumerate() {
                let Some(list) = arguments.get_mut(&parameter) else { continue };
                places.push((parameter, block, index));
                list.extend(jumps.iter().map(|&jump| argument(module, jump, index)));
                list.sort_unstable();
                list.dedup();
                for &value in list.iter() {
                    fed.entry(value).or_default().push(parameter);
                }
            }
        }
        fed.retain(|value, _| arguments.contains_key(value));
        TrivialParameterSearch { places, arguments, fed, substitution: Substitution::default() }
    }

    /// The one value of a candidate that is not replaced yet, if it has just one.
    fn only_value(&mut self, parameter: Inst) -> Option<Inst> {
        if self.substitution.is_replaced(parameter) {
            return None;
        }
        let list = std::mem::take(self.arguments.get_mut(&parameter)?);
        let mut values: SmallVec<[Inst; 2]> = list.iter().map(|&value| self.substitution.resolve(value)).collect();
        values.retain(|value| *value != parameter);
        values.sort_unstable();
        values.dedup();
        let only = match values.as_slice() {
            &[only] => Some(only),
            _ => None,
        };
        self.arguments.insert(parameter, values);
        only
    }

    fn write(mut self, module: &mut Module) -> usize {
        let places = std::mem::take(&mut self.places);
        let gone: Vec<(Inst, Block, usize)> =
            places.into_iter().filter(|&(parameter, ..)| self.substitution.is_replaced(parameter)).collect();
        for &(parameter, ..) in &gone {
            let value = self.substitution.resolve(parameter);
            module.edit().replace_all_uses(parameter, value);
        }
        for group in gone.chunk_by(|left, right| left.1 == right.1) {
            let jumps: Vec<Terminator> = module.in_edges(group[0].1).map(|edge| edge.terminator).collect();
            for jump in jumps {
                let kept = kept_operands(module, jump, group);
                replace_operands(module, jump, &kept);
            }
            group.iter().for_each(|&(parameter, ..)| module.edit().delete(parameter));
        }
        gone.len()
    }
}

fn first_argument(module: &Module, jump: Terminator) -> usize {
    terminator::first_argument(module.op(jump)).expect("invariant: a block with parameters is entered by jumps alone")
}

fn argument(module: &Module, jump: Terminator, index: usize) -> Inst {
    module.operand(jump, first_argument(module, jump) + index)
}

/// The operands of a jump without the arguments for some parameters, which come in ascending order.
fn kept_operands(module: &Module, jump: Terminator, gone: &[(Inst, Block, usize)]) -> Vec<Inst> {
    let first = first_argument(module, jump);
    let mut gone = gone.iter().map(|&(.., index)| first + index).peekable();
    let operands = module.operands(jump).enumerate();
    operands.filter(|&(number, _)| gone.next_if_eq(&number).is_none()).map(|(_, operand)| operand).collect()
}
