//! The witnesses themselves: one wrong turn or one wrong value anywhere, and the comparison fails.

use reconverge_ir::terminator::operand;
use reconverge_ir::{Builder, Function, Inst, Module, Op, Terminator};
use reconverge_testing::behaviour::Version;
use reconverge_testing::equivalence::{compare_versions, compare_walks};
use reconverge_testing::generators::random::{Cycles, random};
use reconverge_testing::plain_graph::PlainGraph;
use reconverge_testing::program_from_graph::{Filled, with_calls};

fn terminators(module: &Module, function: Function) -> Vec<Terminator> {
    module.blocks(function).filter_map(|block| module.terminator(block)).collect()
}

fn is_noticed(before: &Filled, after: &Module, graph: &PlainGraph) -> bool {
    let versions = (Version::new(&before.module), Version::new(after));
    compare_walks(&versions.0, &versions.1, before.functions[0], graph, 1).is_err()
}

#[test]
fn the_same_is_the_same() {
    for seed in 0..20 {
        let graph = random(seed, 20, Cycles::Irreducible);
        let before = with_calls(std::slice::from_ref(&graph), seed);
        assert!(!is_noticed(&before, &before.module, &graph));
    }
}

#[test]
fn every_swapped_branch_is_noticed() {
    let mut count = 0;
    for seed in 0..10 {
        let graph = random(seed, 20, Cycles::Irreducible);
        let before = with_calls(std::slice::from_ref(&graph), seed);
        for terminator in terminators(&before.module, before.functions[0]) {
            if before.module.op(terminator) != Op::BranchIf {
                continue;
            }
            let mut after = before.module.clone();
            let [yes, no] = [operand::TRUE, operand::FALSE].map(|index| after.operand(terminator, index));
            after.edit().set_operand(terminator, operand::TRUE, no);
            after.edit().set_operand(terminator, operand::FALSE, yes);
            assert!(is_noticed(&before, &after, &graph), "seed {seed}, {terminator:?}");
            count += 1;
        }
    }
    assert!(count > 50);
}

#[test]
fn every_wrong_argument_is_noticed() {
    let mut count = 0;
    for seed in 0..10 {
        let graph = random(seed, 20, Cycles::Irreducible);
        let before = with_calls(std::slice::from_ref(&graph), seed);
        let mut build_on = before.module.clone();
        let mut build = Builder::new(&mut build_on);
        let u32_type = build.int_type(32);
        let wrong = build.constant_word(u32_type, 0xDEAD_BEEF);
        for terminator in terminators(&before.module, before.functions[0]) {
            let arguments: Vec<Inst> = before.module.arguments(terminator).collect();
            for (index, &argument) in arguments.iter().enumerate() {
                if before.module.ty(argument) != Some(u32_type) {
                    continue;
                }
                let mut after = build_on.clone();
                after.edit().set_operand(terminator, operand::BRANCH_ARGUMENTS + index, wrong);
                assert!(is_noticed(&before, &after, &graph), "seed {seed}, {terminator:?}, argument {index}");
                count += 1;
            }
        }
    }
    assert!(count > 50);
}

#[test]
fn any_function_is_compared_by_what_it_returns_and_calls() {
    let text = |value: &str, called: &str| {
        format!(
            "%u32 = type_int 32, 0\n%one: %u32 = constant 1\n%two: %u32 = constant 2\n\
             func %tell: %u32 (%x: %u32) {{decorate LinkageAttributes \"tell\" 1}}\n\
             func %f: %u32 (%n: %u32) {{\nblock ^entry:\n  %a: %u32 = function_call %tell, {called}\n  \
             %b: %u32 = i_add %a, {value}\n  return_value %b\n}}\n"
        )
    };
    let parse = |text: String| reconverge_ir::text::parse(&text).unwrap();
    let before = parse(text("%one", "%n"));
    let function = before.functions().last().unwrap();
    for (value, called, is_same) in [("%one", "%n", true), ("%two", "%n", false), ("%one", "%one", false)] {
        let after = parse(text(value, called));
        let result = compare_versions(&Version::new(&before), &Version::new(&after), function, 1);
        assert_eq!(result.is_ok(), is_same, "{result:?}");
    }
}
