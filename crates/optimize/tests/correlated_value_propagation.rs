//! Behind a branch, what it asked is a constant; what it did not ask is none.

use reconverge_optimize::Analyses;
use std::fmt::Write;

use crate::scalar_support::programs;
use reconverge_analysis::FlowGraph;
use reconverge_ir::terminator::{self, operand};
use reconverge_ir::{Block, Builder, Function, Inst, Module, Op, Position, Terminator, text};
use reconverge_optimize::correlated_value_propagation;
use reconverge_testing::generators::wild::wild;
use reconverge_testing::plain_graph::PlainGraph;
use reconverge_testing::program_from_graph::{self, Values};
use reconverge_testing::programs::{check_equal, check_verified, functions, module};
use reconverge_testing::random::Random;

/// Propagates in the only function. The result is valid, does the same, and has nothing left to do. How many operands became constants.
#[track_caller]
fn propagated(source: &str) -> usize {
    let before = module(source);
    check_verified(&before);
    let mut after = before.clone();
    let function = functions(&before)[0];
    let written = correlated_value_propagation(&mut after, function, &mut Analyses::default());
    check_verified(&after);
    assert!(check_equal(&before, &after) > 0);
    assert_eq!(
        correlated_value_propagation(&mut after.clone(), function, &mut Analyses::default()),
        0,
        "{}",
        text::print(&after)
    );
    written
}

/// Chains of branches that each say something: the work grows with them, and not with what was known above.
#[test]
fn facts_are_forgotten() {
    let chain = |count: usize| {
        let mut source = "func %f: %u32 (%n: %u32, %c: %bool) {\nblock ^b0:\n".to_owned();
        for at in 0..count {
            let next = at + 1;
            writeln!(source, "%k{at}: %bool = i_equal %n, %three\nbranch_if %k{at} ^a{at} ^b{next}").unwrap();
            writeln!(source, "block ^a{at}:\n%x{at}: %u32 = i_add %n, %n\nreturn_value %x{at}\nblock ^b{next}:")
                .unwrap();
        }
        source + "return_value %n\n}"
    };
    for count in [4, 64] {
        assert_eq!(propagated(&chain(count)), 2 * count);
    }
}

/// Lets reachable branches ask about words that their blocks compute, and what they lead to use these.
fn season(module: &mut Module, function: Function, random: &mut Random) {
    let word = Builder::new(module).int_type(32);
    let flow = FlowGraph::compute(module, function);
    let (order, _) = flow.dominators();
    for &node in order.sequence() {
        let block = flow.block(node);
        let words: Vec<Inst> = module.children(block).filter(|&inst| module.ty(inst) == Some(word)).collect();
        let Some(end) = module.terminator(block).filter(|_| !words.is_empty()) else { continue };
        let value = *random.choose(&words);
        match module.op(end) {
            Op::Switch => module.edit().set_operand(end, operand::CONDITION, value),
            Op::BranchIf => ask(module, end, value, random),
            _ => continue,
        }
        let ways: Vec<Block> = module.successors(block).collect();
        for way in ways {
            use_again(module, way, (word, value), random);
        }
    }
}

/// Lets a branch ask whether a word is a small number, and perhaps what it asked before as well.
fn ask(module: &mut Module, branch: Terminator, word: Inst, random: &mut Random) {
    let mut build = Builder::new(module);
    let (ty, number) = (build.bool_type(), random.below(4) as u32);
    let word_type = build.int_type(32);
    let number = build.constant_word(word_type, number);
    let old = module.operand(branch, operand::CONDITION);
    let mut put =
        |op: Op, operands: &[Inst]| module.edit().insert(Position::Before(branch.into()), op, Some(ty), operands);
    let mut asked = put(*random.choose(&[Op::IEqual, Op::INotEqual]), &[word, number]);
    if random.chance(50) {
        asked = put(*random.choose(&[Op::LogicalAnd, Op::LogicalOr]), &[old, asked]);
    }
    if random.chance(30) {
        asked = put(Op::LogicalNot, &[asked]);
    }
    module.edit().set_operand(branch, operand::CONDITION, asked);
}

/// Lets a word matter at the end of a block: in what it passes on, or in what it computes.
fn use_again(module: &mut Module, block: Block, (ty, word): (Inst, Inst), random: &mut Random) {
    const USERS: [Op; 4] = [Op::IAdd, Op::ISub, Op::IMul, Op::BitwiseXor];
    let users: Vec<Inst> = module.children(block).collect();
    for user in users {
        let first = match module.op(user) {
            Op::FunctionCall => Some(1),
            op if USERS.contains(&op) => Some(0),
            op => terminator::first_argument(op),
        };
        for index in first.unwrap_or(usize::MAX)..module.operand_count(user) {
            if module.ty(module.operand(user, index)) == Some(ty) && random.chance(50) {
                module.edit().set_operand(user, index, word);
            }
        }
    }
}

#[test]
fn random_graphs() {
    let mut written = 0;
    for seed in 0..programs() {
        let graphs: Vec<PlainGraph> = (0..4).map(|index| wild(seed * 10 + index, 4 + index as usize * 5)).collect();
        let mut before = program_from_graph::with_calls_and(&graphs, seed, Values::Mixed).module;
        let mut random = Random::new(seed);
        for function in functions(&before) {
            season(&mut before, function, &mut random);
        }
        check_verified(&before);
        let mut after = before.clone();
        for function in functions(&before) {
            written += correlated_value_propagation(&mut after, function, &mut Analyses::default());
            assert_eq!(
                correlated_value_propagation(&mut after.clone(), function, &mut Analyses::default()),
                0,
                "seed {seed}"
            );
        }
        check_verified(&after);
        assert!(check_equal(&before, &after) > 0, "seed {seed}: nothing was run");
    }
    assert!(written as u64 > programs(), "{written} constants in {} programs", programs());
}
