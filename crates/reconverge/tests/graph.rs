//! Skeletons of graphs, as the validator and the assembler of SPIRV-Tools see them.

use reconverge::graph::skeleton;
use reconverge::structurize::{Branch, ControlFlow, InputBlock, NamedGraph, text};
use reconverge::{CompileOptions, Format, Level, write};
use reconverge_testing::generators::wild::wild;
use reconverge_testing::judge::{Environment, Validator};
use reconverge_testing::plain_graph::{Ending, PlainGraph};

fn named(graph: &PlainGraph) -> NamedGraph {
    let mut named = NamedGraph::default();
    for block in 0..graph.len() {
        let branch = match graph.ending(block) {
            Ending::Exit => Branch::Exit,
            Ending::Jump => Branch::Jump,
            Ending::Conditional => Branch::Conditional,
            Ending::Switch => Branch::Switch,
        };
        let successors: Vec<InputBlock> = graph.successors(block).map(InputBlock::new).collect();
        named.add_block(&format!("\"block\\{block}→"), branch, &successors);
    }
    named.check().expect("a generated graph is one");
    named
}

fn spirv_of(graph: &NamedGraph) -> Vec<u8> {
    let options = CompileOptions::new().level(Level::None);
    let module = skeleton(graph, &options).unwrap_or_else(|error| panic!("{error}\n{graph}"));
    write(&module, Format::SPIRV).unwrap_or_else(|error| panic!("{error}\n{graph}"))
}

#[test]
fn skeletons_are_valid_and_so_is_their_assembly() {
    let validator = Validator::find().expect("the validator is installed");
    for seed in 0..60 {
        let mut graph = named(&wild(seed, 2 + seed as usize % 14));
        if seed % 5 == 0 {
            graph.set_entry(InputBlock::new(graph.block_count() - 1));
        }
        let spirv = spirv_of(&graph);
        let judge = |spirv: &[u8]| {
            validator
                .validate(spirv, Environment::Vulkan1_1)
                .unwrap_or_else(|error| panic!("seed {seed}: {error}\n{graph}"));
        };
        judge(&spirv);
        let assembly =
            reconverge_spirv::disassemble(&spirv).unwrap_or_else(|error| panic!("seed {seed}: {error}\n{graph}"));
        let assembled = validator.assemble(&assembly, Environment::Vulkan1_1);
        let assembled = assembled.unwrap_or_else(|error| panic!("seed {seed}: {error}\n{assembly}"));
        judge(&assembled);
        assert_eq!(assembled.len(), spirv.len(), "seed {seed}\n{assembly}");
    }
}

#[test]
fn a_structured_graph_comes_back_as_it_was() {
    let graph = text::parse("a condbr b d | b condbr b c | c br d | d ret").expect("a graph");
    let assembly = reconverge_spirv::disassemble(&spirv_of(&graph)).expect("what was written can be read");
    assert_eq!(assembly.matches("OpLabel").count(), 4, "{assembly}");
    assert_eq!(assembly.matches("OpLoopMerge").count(), 1, "{assembly}");
    assert_eq!(assembly.matches("OpSelectionMerge").count(), 1, "{assembly}");
    assert_eq!(assembly.matches("OpPhi").count(), 0, "{assembly}");
    for name in ["a", "b", "c", "d"] {
        assert!(assembly.contains(&format!(" \"{name}\"\n")), "{assembly}");
    }
}

#[test]
fn a_switch_too_wide_for_spirv_is_a_limit() {
    let mut graph = NamedGraph::new("head", Branch::Switch, &vec![InputBlock::new(1); 40_000]);
    graph.add_block("exit", Branch::Exit, &[]);
    match skeleton(&graph, &CompileOptions::new().level(Level::None)) {
        Err(error) => assert_eq!(error.kind(), reconverge::Kind::Limit, "{error}"),
        Ok(module) => assert!(write(&module, Format::SPIRV).is_ok()),
    }
}
