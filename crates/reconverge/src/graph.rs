//! A graph without instructions, as a shader: [`skeleton`].
//!
//! ```text
//! a condbr b c          %1 = load conditions[0]
//! b br c           ⇒    selection merge c; branch_if %1 != 0, b, c     b: branch c     c: return
//! c ret
//! ```
//!
//! The shader computes nothing: a block contains only what its terminator needs. Conditions and selectors are read from a storage buffer,
//! word `i` for block `i`, so that they are unknown. The function goes through the second half of the structurizing pass and through the
//! writer, as every function does; the plan is computed from the graph itself, which has hints, weights and convergent blocks that no
//! instruction represents.

use reconverge_diagnostic::Diagnostic;
use reconverge_ir::{Block, Builder, Function, Inst, Module, Op, Position};
use reconverge_restructure::{Structurized, apply_plan};
use reconverge_structurize::{Branch, ControlFlow, Hints, InputBlock, LoopHint, NamedGraph, Origin, structurize};
use reconverge_verify::verify;
use spirv::StorageClass;

use crate::compile::broken_by;
use crate::{CompileOptions, Error};

/// Name of the buffer variable with the conditions; descriptor set 0, binding 0.
pub const CONDITIONS: &str = "conditions";

const STRUCTURIZE: &str = "structurize";

/// The compute shader (SPIR-V 1.3, Vulkan 1.1) whose function `main` has the control flow of `graph`, structurized. Blocks keep
/// their names, added blocks are named by their reasons. A condition holds where the word is not 0; a switch takes case `i` where
/// the word is `i`. Near-linear.
///
/// Only the options of the structurizer apply.
///
/// # Errors
/// [`Error::Pass`] and [`Error::LimitExceeded`] if a limit is exceeded; [`Error::Internal`] for a bug of the compiler.
pub fn skeleton(graph: &NamedGraph, options: &CompileOptions) -> Result<Module, Error> {
    skeleton_observed(graph, options, &mut |_| ()).map(|skeleton| skeleton.module)
}

/// A graph as a shader, and the plan for it.
#[derive(Debug)]
pub struct Skeleton {
    /// The shader, structurized.
    pub module: Module,
    /// The plan that was applied to its function.
    pub structurized: Structurized,
}

/// Does the same as [`skeleton`]; `observe` gets the shader before the plan is applied, with its function at stage Graph.
///
/// # Errors
/// Those of [`skeleton`].
pub fn skeleton_observed(
    graph: &NamedGraph,
    options: &CompileOptions,
    observe: &mut dyn FnMut(&Module),
) -> Result<Skeleton, Error> {
    let split = graph.split(options.structurize.split_blocks);
    let mut shown = Shown::compute(split.as_ref().map_or(graph, |(graph, _)| graph));
    if let Some((_, split)) = &split {
        // A copy branches on the word of its original.
        shown.places.iter_mut().flatten().for_each(|place| *place = split.original(InputBlock::new(*place)).index());
    }
    let mut module = Module::new();
    let refused = |error: Diagnostic| Error::Pass { pass: STRUCTURIZE, function: Some("%main".to_owned()), error };
    let plan = structurize(&shown.graph, &options.structurize);
    let plan = plan.map_err(refused)?;
    let main = write(&mut module, &shown);
    observe(&module);
    let applied = apply_plan(&mut module, main, plan);
    let report = applied.map_err(refused)?;
    for (index, (planned, &block)) in report.plan.blocks.iter().zip(&report.blocks).enumerate() {
        if let Origin::Added(reason) = &planned.origin {
            module.edit().set_name(block, &format!("{}.{index}", reason.name().replace(' ', "_")));
        }
    }
    let findings = verify(&module);
    if !findings.is_empty() {
        return Err(broken_by(STRUCTURIZE, &module, findings));
    }
    let blocks = module.blocks(main).filter(|&block| !module.is_bare_edge(block));
    let parameters_after = blocks.map(|block| module.parameters(block).count()).sum();
    Ok(Skeleton {
        structurized: Structurized { function: main, report, parameters_before: 0, parameters_after },
        module,
    })
}

/// A graph in the form of a function: its entry first, without predecessors, and unreachable blocks last. The other blocks keep their
/// order, so that the plan is that of the graph except for an empty first block.
struct Shown {
    graph: NamedGraph,
    /// The index of each block in the original graph; `None` for an added entry block.
    places: Vec<Option<usize>>,
    reachable: usize,
}

impl Shown {
    fn compute(graph: &NamedGraph) -> Shown {
        let reached = reached(graph);
        let entry = graph.entry();
        let leads_to_entry = |block: InputBlock| reached[block.index()] && graph.successors(block).contains(&entry);
        let in_front = (entry.index() > 0 || graph.blocks().any(leads_to_entry)).then_some(None);
        let (first, last): (Vec<usize>, Vec<usize>) = (0..graph.block_count()).partition(|&block| reached[block]);
        let places: Vec<Option<usize>> = in_front.into_iter().chain(first.into_iter().chain(last).map(Some)).collect();
        let mut numbers = vec![InputBlock::new(0); graph.block_count()];
        for (number, place) in places.iter().enumerate() {
            place.iter().for_each(|&place| numbers[place] = InputBlock::new(number));
        }
        let renumbered = |block: InputBlock| numbers[block.index()];
        let mut shown = NamedGraph::default();
        for place in &places {
            let Some(block) = place.map(InputBlock::new) else {
                shown.add_block("entry.0", Branch::Jump, &[renumbered(entry)]);
                continue;
            };
            let successors: Vec<InputBlock> = graph.successors(block).iter().copied().map(renumbered).collect();
            let added = shown.add_block(graph.name(block), graph.branch(block), &successors);
            shown.set_convergence(added, graph.convergence(block));
            shown.set_weight(added, graph.weight(block));
            let Hints { selection_merge, repeats } = graph.hints(block);
            let repeats = repeats.map(|LoopHint { merge, continue_target }| LoopHint {
                merge: merge.map(renumbered),
                continue_target: continue_target.map(renumbered),
            });
            shown.set_hints(added, Hints { selection_merge: selection_merge.map(renumbered), repeats });
        }
        let reachable = usize::from(in_front.is_some()) + reached.iter().filter(|&&is_reached| is_reached).count();
        Shown { graph: shown, places, reachable }
    }

    /// The blocks of the function.
    fn blocks(&self) -> impl Iterator<Item = InputBlock> + use<> {
        (0..self.reachable).map(InputBlock::new)
    }
}

/// For each block, whether it is reachable.
fn reached(graph: &NamedGraph) -> Vec<bool> {
    let mut reached = vec![false; graph.block_count()];
    let mut stack = vec![graph.entry()];
    while let Some(block) = stack.pop() {
        if !std::mem::replace(&mut reached[block.index()], true) {
            stack.extend(graph.successors(block));
        }
    }
    reached
}

/// Writes the whole shader, `main` at stage Graph, its blocks in their order.
fn write(module: &mut Module, shown: &Shown) -> Function {
    let mut build = Builder::new(module);
    build.shader_preamble();
    let conditions = build.word_buffer(CONDITIONS, 0);
    let void_type = build.void_type();
    let main = build.add_function(void_type, &[]);
    build.editor().set_name(main, "main");
    build.compute_entry_point(main, &[], 1);
    SkeletonWriter::new(&mut build, shown, main, conditions).write();
    main
}

/// The blocks of `main` under construction.
struct SkeletonWriter<'b, 'm> {
    build: &'b mut Builder<'m>,
    shown: &'b Shown,
    blocks: Vec<Block>,
    /// For each block, whether several edges join there.
    is_join: Vec<bool>,
    conditions: Inst,
}

impl<'b, 'm> SkeletonWriter<'b, 'm> {
    fn new(build: &'b mut Builder<'m>, shown: &'b Shown, main: Function, conditions: Inst) -> SkeletonWriter<'b, 'm> {
        let mut in_degree = vec![0_usize; shown.reachable];
        let targets = shown.blocks().flat_map(|block| shown.graph.successors(block));
        targets.for_each(|target| in_degree[target.index()] += 1);
        let mut blocks = Vec::with_capacity(shown.reachable);
        for block in shown.blocks() {
            let made = build.add_block(main);
            build.editor().set_name(made, shown.graph.name(block));
            blocks.push(made);
        }
        let is_join = in_degree.into_iter().map(|count| count > 1).collect();
        SkeletonWriter { build, shown, blocks, is_join, conditions }
    }

    fn write(mut self) {
        self.shown.blocks().for_each(|block| self.terminate(block));
    }

    fn terminate(&mut self, block: InputBlock) {
        let made = self.blocks[block.index()];
        self.build.at_end(made);
        let u32_type = self.build.int_type(32);
        match self.shown.graph.branch(block) {
            Branch::Exit => {
                self.build.r#return(&[]);
            }
            Branch::Unreachable => {
                self.build.unreachable(&[]);
            }
            Branch::Jump => {
                let target = self.blocks[self.shown.graph.successors(block)[0].index()].inst();
                self.build.branch(&[target]);
            }
            Branch::Conditional => {
                let word = self.condition(block);
                let (zero, bool_type) = (self.build.constant_word(u32_type, 0), self.build.bool_type());
                let holds = self.build.i_not_equal(bool_type, &[word, zero]);
                let targets = self.targets(block);
                self.build.at_end(made);
                self.build.branch_if(&[holds, targets[0], targets[1]]);
            }
            Branch::Switch => {
                let word = self.condition(block);
                let targets = self.targets(block);
                self.build.at_end(made);
                let mut operands = vec![word, targets[0]];
                for (value, &target) in targets[1..].iter().enumerate() {
                    operands.extend([self.build.editor().word(value as u32), target]);
                }
                self.build.switch(&operands);
            }
        }
    }

    /// `conditions[block]`
    fn condition(&mut self, block: InputBlock) -> Inst {
        let u32_type = self.build.int_type(32);
        let pointer = self.build.pointer_type(StorageClass::StorageBuffer, u32_type);
        let place =
            self.shown.places[block.index()].expect("invariant: what stands in front of the entry decides nothing");
        let (member, index) = (self.build.constant_word(u32_type, 0), self.build.constant_word(u32_type, place as u32));
        let word = self.build.access_chain(pointer, &[self.conditions, member, index]);
        self.build.load(u32_type, &[word])
    }

    /// The targets of a branch: blocks, or edge blocks before joins.
    fn targets(&mut self, block: InputBlock) -> Vec<Inst> {
        let mut after = self.blocks[block.index()].inst();
        let mut targets = Vec::new();
        for &target in self.shown.graph.successors(block) {
            let made = self.blocks[target.index()].inst();
            if !self.is_join[target.index()] {
                targets.push(made);
                continue;
            }
            after = self.build.editor().insert(Position::After(after), Op::EdgeBlock, None, &[]);
            self.build.at_end(after);
            self.build.branch(&[made]);
            targets.push(after);
        }
        targets
    }
}
