//! The states of memory of random programs, against what they do when they run and against their definition.

mod definition;
mod program;
mod run;

use crate::common::Random;
use crate::common::dominance::dominance;
use program::{Action, Pointer, Program, R};
use reconverge_analysis::FlowGraph;
use reconverge_analysis::memory::{Flow, MemoryStates};
use reconverge_graph::{CycleForest, Node};
use reconverge_ir::{Block, Inst, Module, Op, text};

/// A program, its module, and the states of it.
struct Case {
    program: Program,
    states: MemoryStates,
    dominates: Vec<Vec<bool>>,
    /// The instruction of each action.
    insts: Vec<Vec<Inst>>,
}

impl Case {
    fn new(program: Program, limit: Option<usize>) -> Case {
        let source = program.text();
        let module: Module = text::parse(&source).unwrap_or_else(|error| panic!("{error:?}\n{source}"));
        let function = module.functions().find(|&function| module.entry(function).is_some()).expect("a body");
        let flow = FlowGraph::compute(&module, function);
        let (order, dominators) = flow.dominators();
        let cycles = CycleForest::compute(flow.graph(), &order, &dominators);
        let shape = Flow { graph: &flow, order: &order, dominators: &dominators, cycles: &cycles };
        let states = match limit {
            Some(limit) => MemoryStates::compute_within(&module, shape, limit),
            None => MemoryStates::compute(&module, &flow, &order, &dominators, &cycles),
        };
        let blocks: Vec<Block> = module.blocks(function).collect();
        let insts = blocks.iter().map(|&block| {
            let is_action = |&inst: &Inst| {
                let op = module.op(inst);
                !matches!(op, Op::AccessChain | Op::CopyObject | Op::Select | Op::Variable) && !op.is_terminator()
            };
            module.children(block).filter(is_action).collect()
        });
        Case { insts: insts.collect(), dominates: dominance(&program.graph), program, states }
    }

    /// The readers that control reaches, by block and place in it, and where they read.
    fn readers(&self) -> impl Iterator<Item = (usize, usize, &Pointer)> {
        let blocks = self.program.actions.iter().enumerate().filter(|&(block, _)| self.dominates[block][block]);
        blocks.flat_map(|(block, actions)| {
            actions.iter().enumerate().filter_map(move |(place, action)| match action {
                Action::Load(pointer) => Some((block, place, pointer)),
                _ => None,
            })
        })
    }

    fn is_constant(pointer: &Pointer) -> bool {
        matches!(pointer, Pointer::Path(R, _))
    }

    fn node(block: usize) -> Node {
        Node::new(block)
    }
}

#[test]
fn states_are_what_programs_do_when_they_run() {
    for seed in 0..3000 {
        let mut random = Random::new(seed);
        let case = Case::new(Program::random(&mut random), None);
        assert!(!case.states.is_coarse(), "seed {seed}");
        for _ in 0..4 {
            run::check(&case, &mut random, seed);
        }
    }
}

#[test]
fn coarse_states_are_what_programs_do_as_well() {
    let mut coarse = 0;
    for seed in 20_000..22_000 {
        let mut random = Random::new(seed);
        let limit = random.below(20);
        let case = Case::new(Program::random(&mut random), Some(limit));
        coarse += usize::from(case.states.is_coarse());
        for _ in 0..4 {
            run::check(&case, &mut random, seed);
        }
    }
    assert!(coarse > 500, "{coarse} programs had coarse classes");
}

#[test]
fn states_begin_and_end_where_the_definition_says() {
    for seed in 10_000..13_000 {
        definition::check(&Case::new(Program::random(&mut Random::new(seed)), None), seed);
    }
}
