//! Large functions, in a thread with a stack of one megabyte.

use crate::common;
use reconverge_ir::{Block, Builder, Module, Op, Stage, text};
use reconverge_verify::{Code, verify};

fn with_small_stack(test: impl FnOnce() + Send + 'static) {
    std::thread::Builder::new()
        .stack_size(1 << 20)
        .spawn(test)
        .expect("a thread starts")
        .join()
        .expect("the test passes");
}

/// `count` diamonds, one after the other: `if` with two arms, and a merge block with a parameter that is the next header.
fn diamonds(count: usize) -> Module {
    let mut module = Module::new();
    let mut build = Builder::new(&mut module);
    let (void, int) = (build.void_type(), build.int_type(32));
    let (condition, zero) = (build.constant_bool(true), build.constant_word(int, 0));
    let control = build.editor().word(0);
    let function = build.add_function(void, &[]);
    build.editor().set_stage(function, Stage::Structured);
    let mut header = build.add_block(function);
    let mut value = zero;
    for _ in 0..count {
        let [first, second, merge]: [Block; 3] = std::array::from_fn(|_| build.add_block(function));
        build.at_end(header);
        build.r#if(&[condition, first.inst(), second.inst(), merge.inst(), control]);
        for arm in [first, second] {
            build.at_end(arm);
            let next = build.i_add(int, &[value, value]);
            build.branch(&[merge.inst(), next]);
        }
        value = build.add_parameter(merge, int).inst();
        header = merge;
    }
    build.at_end(header);
    build.emit(Op::Return, None, &[]);
    module
}

#[test]
fn fifty_thousand_diamonds_are_valid() {
    with_small_stack(|| assert_eq!(verify(&diamonds(50_000)).len(), 0));
}

#[test]
fn a_deep_nest_breaks_the_limit_and_nothing_else() {
    with_small_stack(|| {
        let mut module = Module::new();
        let mut build = Builder::new(&mut module);
        let (void, condition) = (build.void_type(), build.constant_bool(true));
        let control = build.editor().word(0);
        let function = build.add_function(void, &[]);
        build.editor().set_stage(function, Stage::Structured);
        const DEPTH: usize = 20_000;
        let headers: Vec<Block> = (0..=DEPTH).map(|_| build.add_block(function)).collect();
        let sides: Vec<Block> = (0..DEPTH).map(|_| build.add_block(function)).collect();
        let merges: Vec<Block> = (0..DEPTH).map(|_| build.add_block(function)).collect();
        for level in 0..DEPTH {
            let (inner, side, merge) = (headers[level + 1], sides[level], merges[DEPTH - 1 - level]);
            build.at_end(headers[level]);
            build.r#if(&[condition, inner.inst(), side.inst(), merge.inst(), control]);
            build.at_end(side);
            build.branch(&[merge.inst()]);
            build.at_end(merge);
            match level {
                0 => build.emit(Op::Return, None, &[]),
                _ => build.branch(&[merges[DEPTH - level].inst()]),
            };
        }
        build.at_end(headers[DEPTH]);
        build.branch(&[merges[0].inst()]);
        let findings = verify(&module);
        assert_eq!(findings.len(), 1, "{}", common::show(&findings));
        assert_eq!(findings[0].code, Code::R13);
    });
}

#[test]
fn an_unstructured_ladder_is_valid_at_stage_graph() {
    with_small_stack(|| {
        let mut module = Module::new();
        let mut build = Builder::new(&mut module);
        let (void, condition) = (build.void_type(), build.constant_bool(true));
        let function = build.add_function(void, &[]);
        let rungs: Vec<Block> = (0..30_000).map(|_| build.add_block(function)).collect();
        let exits: Vec<Block> = rungs.iter().map(|_| build.add_block(function)).collect();
        for level in 0..rungs.len() {
            build.at_end(rungs[level]);
            match rungs.get(level + 1) {
                Some(next) => {
                    let way = build.add_block(function);
                    build.branch_if(&[condition, next.inst(), way.inst()]);
                    build.at_end(way);
                    build.branch(&[exits[level].inst()]);
                }
                None => drop(build.branch(&[exits[level].inst()])),
            }
            build.at_end(exits[level]);
            match exits.get(level + 1) {
                Some(next) => build.branch(&[next.inst()]),
                None => build.emit(Op::Return, None, &[]),
            };
        }
        let findings = verify(&module);
        assert_eq!(findings.len(), 0, "{}", common::show(&findings));
    });
}

/// Loops in each other that test at the top if a condition is named, and what stands in the innermost one.
fn nested_loops(count: usize, test: Option<&str>, innermost: &str) -> Module {
    let mut written = String::from(
        "%void = type_void\n%bool = type_bool\n%true: %bool = constant_true\n%fn = type_function %void\n\
         func %main: %void () type %fn control 0 stage structured {\nblock ^entry:\n",
    );
    for n in 0..count {
        written += &format!("  loop ^h{n} break ^out{n} continue ^next{n} control 0\nblock ^h{n}:\n");
        written += &match test {
            Some(test) => {
                format!("  branch_if {test} ^body{n} ^leave{n}\nedge ^leave{n}:\n  branch ^out{n}\nblock ^body{n}:\n")
            }
            None => format!("  branch ^body{n}\nblock ^body{n}:\n"),
        };
    }
    written += innermost;
    for n in (0..count).rev() {
        written += &format!("  branch ^next{n}\nblock ^next{n}:\n  branch ^h{n}\nblock ^out{n}:\n");
    }
    written += "  return\n}\n";
    text::parse(&written).expect("the text is a module")
}

/// The other way round the endless loops are entered at both ends, and no order of blocks settles all of them soon.
const RETURN: &str = "  if %true ^r ^go merge ^go control 0\nblock ^r:\n  return\nblock ^go:\n";

#[test]
fn loops_nested_deep_are_judged_in_near_linear_time() {
    with_small_stack(|| {
        for (test, innermost) in [(Some("%true"), ""), (None, ""), (Some("%true"), RETURN), (None, RETURN)] {
            let findings = verify(&nested_loops(20_000, test, innermost));
            assert_eq!(findings.len(), 1, "{test:?} {innermost:?}: {}", common::show(&findings));
            assert_eq!(findings[0].code, Code::R13);
        }
    });
}

/// What a module says about all its functions is looked up once, not along all entry points for each of them.
#[test]
fn thirty_thousand_entry_points_are_valid() {
    const COUNT: usize = 30_000;
    let mut text = "capability Shader\nmemory_model Logical, GLSL450\n".to_owned();
    text.extend((0..COUNT).map(|index| format!("entry_point GLCompute, %m{index}, \"m{index}\"\n")));
    text.extend((0..COUNT).map(|index| format!("execution_mode %m{index}, LocalSize, 64, 1, 1\n")));
    text.push_str("%void = type_void\n%fn = type_function %void\n");
    text.extend((0..COUNT).map(|index| {
        format!("func %m{index}: %void () type %fn control 0 stage structured {{\nblock ^e{index}:\n  return\n}}\n")
    }));
    assert_eq!(verify(&text::parse(&text).expect("the text is right")).len(), 0);
}

#[test]
fn a_switch_with_too_many_cases_is_to_be_split() {
    const COUNT: usize = 16_384;
    let cases: String = (0..COUNT).map(|index| format!(" [{index} ^c{index}]")).collect();
    let blocks: String = (0..COUNT).map(|index| format!("block ^c{index}:\n  return\n")).collect();
    let head = "%void = type_void\n%u32 = type_int 32, 0\n%seven: %u32 = constant 7\n%fn = type_function %void\n";
    let function = "func %main: %void () type %fn control 0 stage graph {\nblock ^a:\n  switch %seven default ^d";
    let text = format!("{head}{function}{cases}\n{blocks}block ^d:\n  return\n}}\n");
    let findings = verify(&text::parse(&text).expect("the text is right"));
    assert_eq!(findings.iter().map(|finding| finding.code).collect::<Vec<_>>(), [Code::R9]);
    assert_eq!(findings[0].message, "the switch has 16384 literals, more than 16383");
    assert_eq!(findings[0].suggestion.as_deref(), Some("split the switch into several"));
}
