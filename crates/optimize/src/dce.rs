//! Removes dead instructions.
//!
//! ```text
//! ^h(%i, %j):                                ^h(%i):
//!   %a = i_add %i, %one                        %a = i_add %i, %one
//!   %b = i_mul %j, %j      ; feeds only %j  ⇒  branch_if %c ^h'(%a) …
//!   store %unread, %b      ; never loaded
//!   branch_if %c ^h'(%a, %b) …
//! ```
//!
//! *Requires* nothing. *Preserves* control flow and every visible effect.
//!
//! Mark and sweep. Terminators and instructions with an effect are live from the start; then the operands of live instructions are live.
//! Two rules are special. A live block parameter makes its arguments live, and nothing else does; so parameters and values that only use
//! each other are removed together. An instruction that only writes a variable of the function (a store, a copy or a lifetime marker, whose
//! address leads back to the variable without block parameters) is live only if the variable is live. Each other use of the address, such
//! as a load, makes the variable live. Volatile accesses are effects. Branches stay (Cytron et al. 1991, section 7.1, also removes
//! branches, which needs control dependence).
//!
//! Invariant: a marked instruction has marked operands, except arguments of unmarked parameters. Linear.

use reconverge_ir::{Block, Function, Inst, Module, Op, Terminator, terminator, view};
use rustc_hash::{FxHashMap, FxHashSet};

use reconverge_analysis::effects;
use reconverge_rewrite::jumps::replace_operands;
use reconverge_rewrite::marks::Marks;

/// Removes dead instructions and block parameters. Returns how many were removed.
pub fn dce(module: &mut Module, function: Function) -> usize {
    let needed = LiveSearch::run(module, function);
    let blocks: Vec<Block> = module.blocks(function).collect();
    let mut removed = 0;
    for &block in &blocks {
        removed += remove_parameters(module, block, &needed);
    }
    for &block in blocks.iter().rev() {
        let doomed: Vec<Inst> = module
            .children(block)
            .filter(|inst| !needed.contains(*inst) && !module.op(*inst).is_terminator())
            .collect();
        removed += doomed.len();
        doomed.into_iter().rev().for_each(|inst| reconverge_rewrite::removal::remove(module, inst));
    }
    removed
}

/// Removes the dead parameters of a block, with their arguments.
fn remove_parameters(module: &mut Module, block: Block, needed: &Marks) -> usize {
    let parameters: Vec<Inst> = module.parameters(block).map(Inst::from).collect();
    let kept: Vec<bool> = parameters.iter().map(|parameter| needed.contains(*parameter)).collect();
    let gone = kept.iter().filter(|&&is_kept| !is_kept).count();
    if gone == 0 {
        return 0;
    }
    let jumps: Vec<Terminator> = module.in_edges(block).map(|edge| edge.terminator).collect();
    for jump in jumps {
        let first = terminator::first_argument(module.op(jump)).unwrap_or(module.operand_count(jump));
        let operands = module.operands(jump).enumerate();
        let operands = operands.filter(|&(index, _)| index < first || kept.get(index - first) != Some(&false));
        let operands: Vec<Inst> = operands.map(|(_, operand)| operand).collect();
        replace_operands(module, jump, &operands);
    }
    let doomed = parameters.iter().zip(&kept).filter(|&(_, &is_kept)| !is_kept);
    doomed.for_each(|(&parameter, _)| module.edit().delete(parameter));
    gone
}

struct LiveSearch<'m> {
    module: &'m Module,
    needed: Marks,
    pending: Vec<Inst>,
    /// For each variable: the instructions that only write it.
    writers: FxHashMap<Inst, Vec<Inst>>,
    /// By block parameter: its number among the parameters of its block.
    numbers: FxHashMap<Inst, usize>,
    /// The jumps to blocks, computed on demand.
    jumps: FxHashMap<Block, Vec<Terminator>>,
}

impl<'m> LiveSearch<'m> {
    /// The live instructions of a function.
    fn run(module: &'m Module, function: Function) -> Marks {
        let insts: Vec<Inst> = module.blocks(function).flat_map(|block| module.children(block)).collect();
        let mut search = LiveSearch {
            module,
            needed: Marks::none_of(&insts),
            pending: Vec::new(),
            writers: FxHashMap::default(),
            numbers: FxHashMap::default(),
            jumps: FxHashMap::default(),
        };
        let conditional = search.gather_writers(&insts);
        for block in module.blocks(function) {
            search.numbers.extend(module.parameters(block).enumerate().map(|(number, inst)| (inst.into(), number)));
        }
        for &inst in &insts {
            if effects::has_effect(module, inst) && !conditional.contains(&inst) {
                search.mark(inst);
            }
        }
        while let Some(inst) = search.pending.pop() {
            search.follow(inst);
        }
        search.needed
    }

    /// Finds the instructions that only write variables of the function.
    fn gather_writers(&mut self, insts: &[Inst]) -> FxHashSet<Inst> {
        let module = self.module;
        let mut all = FxHashSet::default();
        for variable in insts.iter().copied().filter(|&inst| effects::is_local_variable(module, inst)) {
            let mut writers = Vec::new();
            let mut pointers = vec![variable];
            while let Some(pointer) = pointers.pop() {
                let users = module.uses(pointer).map(|used| used.user);
                for user in users {
                    let derives = view::DerivedPointer::of(module, user).is_some_and(|derived| derived.base == pointer);
                    let accesses = || view::Access::of(module, user).is_some_and(|access| access.pointer == pointer);
                    if derives {
                        pointers.push(user);
                    } else if accesses() && effects::is_plain_write(module, user) && all.insert(user) {
                        writers.push(user);
                    }
                }
            }
            self.writers.insert(variable, writers);
        }
        all
    }

    fn mark(&mut self, inst: Inst) {
        if self.needed.insert(inst) {
            self.pending.push(inst);
        }
    }

    /// Marks the operands of a live instruction.
    fn follow(&mut self, inst: Inst) {
        let module = self.module;
        let op = module.op(inst);
        let own = terminator::first_argument(op).unwrap_or(module.operand_count(inst));
        module.operands(inst).take(own).for_each(|operand| self.mark(operand));
        match op {
            Op::BlockParameter => self.follow_parameter(inst),
            Op::Variable => {
                let writers = self.writers.remove(&inst).unwrap_or_default();
                writers.into_iter().for_each(|writer| self.mark(writer));
            }
            _ => {}
        }
    }

    fn follow_parameter(&mut self, parameter: Inst) {
        let module = self.module;
        let block = module.block_of(parameter).expect("invariant: a marked instruction stands in a block");
        let number = self.numbers[&parameter];
        let jumps = self.jumps.remove(&block);
        let jumps = jumps.unwrap_or_else(|| module.in_edges(block).map(|edge| edge.terminator).collect());
        for &jump in &jumps {
            let first = terminator::first_argument(module.op(jump));
            let index = first.expect("invariant: a block with parameters is entered by jumps alone") + number;
            self.mark(module.operand(jump, index));
        }
        self.jumps.insert(block, jumps);
    }
}
