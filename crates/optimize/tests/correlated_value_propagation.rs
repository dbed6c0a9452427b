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
use reconverge_testing::programs::{count, functions, hold_equal, hold_verified, module};
use reconverge_testing::random::Random;

/// Propagates in the only function. The result is valid, does the same, and has nothing left to do. How many operands became constants.
#[track_caller]
fn propagated(source: &str) -> (Module, usize) {
    let before = module(source);
    hold_verified(&before);
    let mut after = before.clone();
    let function = functions(&before)[0];
    let written = correlated_value_propagation(&mut after, function, &mut Analyses::default());
    hold_verified(&after);
    assert!(hold_equal(&before, &after) > 0);
    assert_eq!(
        correlated_value_propagation(&mut after.clone(), function, &mut Analyses::default()),
        0,
        "{}",
        text::print(&after)
    );
    (after, written)
}

/// How many uses of values become constants behind a condition: `compute` makes `%k`; `%n` and `%c` are used on both ways.
#[track_caller]
fn behind(compute: &str) -> usize {
    propagated(&format!(
        "func %f: %u32 (%n: %u32, %c: %bool, %x: %f32) {{
         block ^entry:
           {compute}
           branch_if %k ^yes ^no
         block ^yes:
           %a: %u32 = i_mul %n, %ten
           %b: %u32 = select %c, %a, %n
           return_value %b
         block ^no:
           %d: %u32 = i_add %n, %ten
           %e: %u32 = select %c, %d, %one
           return_value %e
         }}"
    ))
    .1
}

#[test]
fn what_made_the_condition_so() {
    for (compute, expected) in [
        ("%k: %bool = logical_not %c", 2),
        ("%k: %bool = i_equal %n, %three", 2),
        ("%k: %bool = i_equal %three, %n", 2),
        ("%k: %bool = i_not_equal %n, %three", 1),
        ("%k: %bool = logical_equal %c, %true", 1),
        ("%m: %bool = i_equal %n, %three\n%k: %bool = logical_and %m, %c", 3),
        ("%m: %bool = i_not_equal %n, %three\n%k: %bool = logical_or %c, %m", 2),
        ("%m: %bool = i_equal %n, %three\n%k: %bool = logical_or %m, %c", 1),
        ("%m: %bool = i_equal %n, %three\n%l: %bool = logical_and %m, %c\n%k: %bool = logical_not %l", 2),
    ] {
        assert_eq!(behind(compute), expected, "{compute}");
    }
}

#[test]
fn what_says_nothing() {
    for compute in [
        "%k: %bool = u_less_than %n, %one",
        "%k: %bool = i_equal %n, %n",
        "%z: %f32 = convert_u_to_f %n\n%k: %bool = f_ord_equal %x, %z",
        "%u: %u32 = undef\n%k: %bool = i_equal %u, %three",
    ] {
        assert_eq!(behind(compute), 0, "{compute}");
    }
}

/// A float that equals zero may be either zero, and a quotient tells them apart.
#[test]
fn equal_floats_are_not_the_same() {
    let (after, written) = propagated(
        "%nought: %f32 = constant 0
         func %f: %f32 (%x: %f32) {
         block ^entry:
           %k: %bool = f_ord_equal %x, %nought
           branch_if %k ^yes ^no
         block ^yes:
           %y: %f32 = f_div %x, %x
           return_value %y
         block ^no:
           return_value %x
         }",
    );
    assert_eq!((written, count(&after, Op::FDiv)), (0, 1));
}

/// How many uses of the selector become constants.
#[track_caller]
fn selected(ways: &str, blocks: &str) -> usize {
    propagated(&format!(
        "func %f: %u32 (%n: %u32) {{
         block ^entry:
           switch %n default ^other {ways}
         {blocks}
         block ^other:
           %o: %u32 = i_mul %n, %ten
           return_value %o
         }}"
    ))
    .1
}

#[test]
fn a_selector_is_the_only_literal() {
    let arm = "block ^arm:\n%y: %u32 = i_mul %n, %three\nreturn_value %y";
    let edges = "edge ^first:\nbranch ^arm\nedge ^second:\nbranch ^arm";
    assert_eq!(selected("[7 ^arm]", arm), 1);
    assert_eq!(selected("[7 ^first] [8 ^second]", &format!("{edges}\n{arm}")), 0, "two literals lead there");
    let passed = "block ^arm(%p: %u32):\n%y: %u32 = i_mul %n, %p\nreturn_value %y";
    let edges = "edge ^first:\nbranch ^arm(%n)\nedge ^second:\nbranch ^arm(%one)";
    assert_eq!(selected("[7 ^first] [8 ^second]", &format!("{edges}\n{passed}")), 1, "the edge that passes it");
    let edges = "edge ^first:\nbranch ^arm(%n)\nedge ^second:\nbranch ^arm(%n)";
    assert_eq!(selected("[7 ^first] [8 ^second]", &format!("{edges}\n{passed}")), 0, "the parameter is the selector");
}

/// In front of the branch, behind the arms, and around the loop nothing is known.
#[test]
fn elsewhere_nothing_is_known() {
    let (_, written) = propagated(
        "func %f: %u32 (%n: %u32, %k: %u32) {
         block ^entry:
           branch ^head(%zero, %n)
         block ^head(%i: %u32, %s: %u32):
           %t: %u32 = i_add %s, %i
           %c: %bool = i_equal %i, %three
           branch_if %c ^then ^else
         block ^then:
           branch ^join(%t)
         block ^else:
           %u: %u32 = i_add %t, %i
           branch ^join(%u)
         block ^join(%v: %u32):
           %w: %u32 = i_add %v, %i
           %j: %u32 = i_add %i, %one
           %more: %bool = u_less_than %j, %ten
           branch_if %more ^again ^done
         edge ^again:
           branch ^head(%j, %w)
         block ^done:
           return_value %w
         }",
    );
    assert_eq!(written, 0);
}

/// A branch that asks the same again has a constant condition; what it leads to is known as well.
#[test]
fn asked_again() {
    let (after, written) = propagated(
        "func %f: %u32 (%n: %u32, %c: %bool) {
         block ^entry:
           branch_if %c ^first ^last
         block ^first:
           %k: %bool = i_equal %n, %ten
           %d: %bool = logical_and %c, %k
           branch_if %d ^second ^last_edge
         block ^second:
           branch_if %c ^third ^never
         block ^third:
           return_value %n
         block ^never:
           return_value %zero
         edge ^last_edge:
           branch ^join(%n)
         block ^last:
           branch ^join(%one)
         block ^join(%p: %u32):
           return_value %p
         }",
    );
    assert_eq!(written, 3, "{}", text::print(&after));
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
        assert_eq!(propagated(&chain(count)).1, 2 * count);
    }
}

/// Lets reachable branches ask about words that their blocks compute, and what they lead to use these.
fn season(module: &mut Module, function: Function, random: &mut Random) {
    let word = Builder::new(module).int_type(32, false);
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
    let word_type = build.int_type(32, false);
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
        hold_verified(&before);
        let mut after = before.clone();
        for function in functions(&before) {
            written += correlated_value_propagation(&mut after, function, &mut Analyses::default());
            assert_eq!(
                correlated_value_propagation(&mut after.clone(), function, &mut Analyses::default()),
                0,
                "seed {seed}"
            );
        }
        hold_verified(&after);
        assert!(hold_equal(&before, &after) > 0, "seed {seed}: nothing was run");
    }
    assert!(written as u64 > programs(), "{written} constants in {} programs", programs());
}
