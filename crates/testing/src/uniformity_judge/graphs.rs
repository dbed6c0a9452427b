//! Programs without structure: the claims of the analysis for a function at stage Graph are compared with the behaviour of lanes in the
//! structurized function.
//!
//! ```text
//! before (Graph) ──▶ analysis ──▶ claims ──┐  of instructions and blocks that are still there
//!     │ structurize                        ▼
//! after (Structured) ──▶ interpreter ──▶ judge
//! ```
//!
//! A program comes from a plain graph, irreducible or not, which is filled and then *scattered*: values depend on the number of the lane or
//! on operations across lanes; decisions are requested for each lane, made uniform by a broadcast, or computed from values of the program.
//! Such a program may run forever, so it is observed only for a limited time.

use reconverge_analysis::uniformity::Variation;
use reconverge_ir::terminator::operand;
use reconverge_ir::{Block, Builder, Enumerant, Function, Inst, Module, Op, OpGroup, Slot, decoration, view};
use reconverge_restructure::{Options, structurize};
use spirv::{BuiltIn, Scope, StorageClass};

use super::Claims;
use crate::plain_graph::PlainGraph;
use crate::program_from_graph::{ORACLE, RECORD, with_calls};
use crate::random::Random;

/// A function before and after structurizing.
#[derive(Clone, Debug)]
pub struct GraphProgram {
    /// At stage Graph.
    pub before: Module,
    /// At stage Structured.
    pub after: Module,
    /// The functions to run, without parameters.
    pub start: Function,
    /// The input variable with the number of the lane in its subgroup.
    pub lane: Inst,
}

/// A program with the control flow of a graph.
///
/// # Errors
/// A limit of the structurizer.
pub fn graph_program(graph: &PlainGraph, seed: u64) -> Result<GraphProgram, String> {
    let (before, start, lane) = scattered(graph, seed);
    let after = structurized(&before)?;
    Ok(GraphProgram { before, after, start, lane })
}

/// A function with the control flow of a graph, at stage Graph; and the input variable with the number of the lane.
pub fn scattered(graph: &PlainGraph, seed: u64) -> (Module, Function, Inst) {
    let filled = with_calls(std::slice::from_ref(graph), seed);
    let (mut module, start) = (filled.module, filled.functions[0]);
    let lane = scatter(&mut module, start, &mut Random::new(seed ^ 0x5CA7));
    (module, start, lane)
}

/// A module with every function structurized.
///
/// # Errors
/// A limit of the structurizer.
pub fn structurized(before: &Module) -> Result<Module, String> {
    let mut after = before.clone();
    for function in before.functions() {
        structurize(&mut after, function, &Options::default()).map_err(|error| error.to_string())?;
    }
    Ok(after)
}

/// Adds divergent values at random places. Returns the input variable with the number of the lane.
fn scatter(module: &mut Module, function: Function, random: &mut Random) -> Inst {
    let lane = add_lane(module);
    let blocks: Vec<Block> = module.blocks(function).collect();
    for block in blocks {
        let calls = module.children(block).filter(|&inst| module.op(inst) == Op::FunctionCall).collect::<Vec<Inst>>();
        let callee = |module: &Module, call: Inst| {
            module.callee(call).and_then(|callee| module.name(callee)).unwrap_or_default()
        };
        let Some(&record) = calls.iter().find(|&&call| callee(module, call) == RECORD) else { continue };
        if let Some(&ask) = calls.iter().find(|&&call| callee(module, call) == ORACLE) {
            scatter_condition(module, ask, record, lane, random);
        }
        let value = recorded(module, record);
        if module.block_of(value) == Some(block) && random.chance(25) {
            scatter_value(module, value, lane, random);
        }
    }
    lane
}

fn add_lane(module: &mut Module) -> Inst {
    let mut build = Builder::new(module);
    let u32_type = build.int_type(32);
    let pointer = build.pointer_type(StorageClass::Input, u32_type);
    let class = build.enumerant(StorageClass::Input);
    let lane = build.editor().append_global(Op::Variable, Some(pointer), &[class]);
    build.add_decoration(lane, decoration::BuiltIn(BuiltIn::SubgroupLocalInvocationId));
    lane
}

/// The value that a call of the recording function records: the last argument.
fn recorded(module: &Module, record: Inst) -> Inst {
    let call = view::FunctionCall::of(module, record).expect("invariant: a record is a call");
    call.arguments.at(1).expect("invariant: a record has a number and a value")
}

/// Inserts instructions after another one, and replaces its other uses by the last of them.
fn replace_behind(module: &mut Module, inst: Inst, write: impl FnOnce(&mut Builder<'_>, Inst) -> Inst) {
    let block = module.block_of(inst).expect("invariant: it stands in a block");
    let next = module
        .children(block)
        .skip_while(|&child| child != inst)
        .nth(1)
        .expect("invariant: no terminator is scattered");
    let users: Vec<(Inst, usize)> = module
        .uses(inst)
        .filter_map(|used| match used.slot {
            Slot::Operand(index) => Some((used.user, index)),
            _ => None,
        })
        .collect();
    let mut build = Builder::new(module);
    build.before(next);
    let new = write(&mut build, inst);
    for (user, index) in users {
        build.editor().set_operand(user, index, new);
    }
}

/// Chooses the source of a decision.
fn scatter_condition(module: &mut Module, ask: Inst, record: Inst, lane: Inst, random: &mut Random) {
    let value = recorded(module, record);
    let choice = random.below(100);
    let shift = random.below(4) as u32;
    replace_behind(module, ask, |build, answer| {
        let u32_type = build.int_type(32);
        let bits = build.constant_word(u32_type, 3);
        let by = build.constant_word(u32_type, shift);
        match choice {
            0..30 => first(build, answer),
            30..50 => answer,
            50..75 => {
                let shifted = build.shift_right_logical(u32_type, &[value, by]);
                build.bitwise_and(u32_type, &[shifted, bits])
            }
            75..85 => {
                let number = build.load(u32_type, &[lane]);
                let sum = build.i_add(u32_type, &[value, number]);
                build.bitwise_and(u32_type, &[sum, bits])
            }
            _ => {
                let common = first(build, value);
                build.bitwise_and(u32_type, &[common, bits])
            }
        }
    });
}

fn scatter_value(module: &mut Module, value: Inst, lane: Inst, random: &mut Random) {
    let choice = random.below(100);
    replace_behind(module, value, |build, value| {
        let u32_type = build.int_type(32);
        match choice {
            0..40 => {
                let number = build.load(u32_type, &[lane]);
                build.i_add(u32_type, &[value, number])
            }
            40..60 => {
                let number = build.load(u32_type, &[lane]);
                build.i_sub(u32_type, &[value, number])
            }
            60..80 => first(build, value),
            _ => {
                let common = first(build, value);
                build.bitwise_xor(u32_type, &[value, common])
            }
        }
    });
}

/// The word of the first lane.
fn first(build: &mut Builder<'_>, word: Inst) -> Inst {
    let u32_type = build.int_type(32);
    let scope = build.constant_word(u32_type, Scope::Subgroup.word());
    build.group_non_uniform_broadcast_first(u32_type, &[scope, word])
}

/// Claims about a function before structurizing, applied to the structurized function for the instructions that still exist.
#[derive(Clone, Copy, Debug)]
pub struct Kept<'a, C> {
    /// The claims.
    pub claims: &'a C,
    /// The module of the claims.
    pub before: &'a Module,
    /// The module that runs.
    pub after: &'a Module,
}

impl<C> Kept<'_, C> {
    /// Returns whether an instruction is unchanged, except for its place and its operands.
    fn is_kept(&self, inst: Inst) -> bool {
        let (before, after) = (self.before, self.after);
        inst.index() < before.capacity()
            && before.is_live(inst)
            && after.is_live(inst)
            && before.op(inst) == after.op(inst)
            && before.ty(inst) == after.ty(inst)
            && before.operand_count(inst) == after.operand_count(inst)
    }

    /// Returns whether the exits of a block still depend on the same condition.
    fn is_branch_kept(&self, block: Block) -> bool {
        let condition = |module: &Module| {
            let last = module.terminator(block)?;
            let successors: Vec<Block> = module.successors(block).collect();
            let is_one_way = successors.windows(2).all(|pair| pair[0] == pair[1]);
            (module.op(last).group() == OpGroup::Branch && !is_one_way)
                .then(|| module.operand(last, operand::CONDITION))
        };
        self.is_kept(block.inst())
            && condition(self.before).is_some()
            && condition(self.before) == condition(self.after)
    }
}

impl<C: Claims> Claims for Kept<'_, C> {
    fn of(&self, function: Function, value: Inst) -> Variation {
        if self.is_kept(value) { self.claims.of(function, value) } else { Variation::Divergent }
    }

    fn of_use(&self, function: Function, user: Inst, operand: usize) -> Variation {
        let is_read = self.is_kept(user) && !self.before.op(user).is_terminator();
        if is_read { self.claims.of_use(function, user, operand) } else { Variation::Divergent }
    }

    fn is_uniform_branch(&self, function: Function, block: Block) -> bool {
        self.is_branch_kept(block) && self.claims.is_uniform_branch(function, block)
    }

    fn is_converged(&self, function: Function, block: Block) -> bool {
        self.is_kept(block.inst()) && self.claims.is_converged(function, block)
    }

    fn is_complete(&self, function: Function, block: Block) -> bool {
        self.is_kept(block.inst()) && self.claims.is_complete(function, block)
    }
}
