//! Calls are replaced by what they call.

use reconverge_ir::{Function, Module, Op, text};
use reconverge_optimize::{InlineError, inline_calls};
use reconverge_testing::programs as common;
use reconverge_testing::programs::{check_equal, check_verified, count, functions, module};
use reconverge_testing::random::Random;

const LIMIT: usize = 1_000_000;

/// Inlines into every function. The result is valid and does the same.
fn inlined(before: &Module) -> (Module, usize) {
    check_verified(before);
    let mut after = before.clone();
    let calls = inline_calls(&mut after, &functions(before), LIMIT).expect("nothing recursive");
    check_verified(&after);
    assert!(check_equal(before, &after) > 0, "nothing was run");
    assert_eq!(inline_calls(&mut after.clone(), &functions(&after), LIMIT), Ok(0), "nothing is left");
    (after, calls)
}

fn blocks(module: &Module, function: Function) -> usize {
    module.blocks(function).count()
}

#[test]
fn what_is_passed_by_value_is_copied() {
    let before = module(
        "%pair = type_struct %u32, %u32
         %pair_pointer = type_pointer Function, %pair
         %pointer = type_pointer Function, %u32
         %seven: %u32 = constant 7
         func %clobber: %u32 (%p: %pair_pointer {decorate FuncParamAttr 2, decorate Alignment 4}) {
         block ^entry:
           %second: %pointer = access_chain %p, %one
           %old: %u32 = load %second
           store %second, %seven
           return_value %old
         }
         func %f: %u32 (%n: %u32) {
         block ^entry:
           %v: %pair_pointer = variable Function
           %second: %pointer = access_chain %v, %one
           store %second, %n
           %a: %u32 = function_call %clobber, %v
           %b: %u32 = load %second
           %sum: %u32 = i_add %a, %b
           return_value %sum
         }",
    );
    check_verified(&before);
    let mut after = before.clone();
    inline_calls(&mut after, &functions(&before), LIMIT).unwrap();
    check_verified(&after);
    let reference = module(
        "func %clobber: %void () {
         block ^entry:
           return
         }
         func %f: %u32 (%n: %u32) {
         block ^entry:
           %sum: %u32 = i_add %n, %n
           return_value %sum
         }",
    );
    let same = text::parse(&text::print(&after)).unwrap();
    let (left, right) = (functions(&same)[1], functions(&reference)[1]);
    let run = |module: &Module, function| {
        let launch = reconverge_interpret::Launch::new([reconverge_interpret::Value::u32(5)]);
        let outcome = reconverge_interpret::run(module, function, &launch, &mut reconverge_interpret::no_externals);
        outcome.unwrap().only().end.clone()
    };
    assert_eq!(run(&same, left), run(&reference, right));
    assert_eq!(count(&after, Op::CopyMemory), 1);
}

#[test]
fn a_circle_of_calls_is_named() {
    let before = module(
        "func %f: %u32 (%n: %u32) {
         block ^entry:
           %x: %u32 = function_call %g, %n
           return_value %x
         }
         func %g: %u32 (%n: %u32) {
         block ^entry:
           %back: %u32 = function_call %f, %n
           return_value %back
         }",
    );
    let all = functions(&before);
    let result = inline_calls(&mut before.clone(), &all[..1], LIMIT);
    assert_eq!(
        result,
        Err(InlineError::Recursion { call: common::named(&before, "back"), circle: vec![all[0], all[1]] })
    );
}

/// Twenty functions that call the next one twice would make a million blocks.
#[test]
fn growth_is_stopped_before_it_happens() {
    let mut source = String::new();
    for level in 0..20 {
        let next = level + 1;
        source += &format!(
            "func %f{level}: %u32 (%n: %u32) {{
             block ^entry:
               %a: %u32 = function_call %f{next}, %n
               %b: %u32 = function_call %f{next}, %a
               return_value %b
             }}\n"
        );
    }
    source += "func %f20: %u32 (%n: %u32) {\nblock ^entry:\n  %a: %u32 = i_add %n, %one\n  return_value %a\n}\n";
    let before = module(&source);
    let mut after = before.clone();
    let result = inline_calls(&mut after, &functions(&before)[..1], 10_000);
    assert!(matches!(result, Err(InlineError::Growth { limit: 10_000, .. })));
    check_verified(&after);
}

/// A random function that calls some of those after it.
fn random_function(random: &mut Random, number: usize, last: usize) -> String {
    let mut out = format!("func %f{number}: %u32 (%n: %u32) {{\nblock ^entry:\n");
    if random.chance(40) {
        let init = if random.chance(50) { ", %three" } else { "" };
        out += &format!("  %v: %pointer = variable Function{init}\n");
        out += if init.is_empty() { "  store %v, %n\n" } else { "" };
        out += "  %old: %u32 = load %v\n  %new: %u32 = i_add %old, %n\n  store %v, %new\n  %s: %u32 = load %v\n";
    } else {
        out += "  %s: %u32 = i_mul %n, %three\n";
    }
    let mut value = "s".to_owned();
    let call = |out: &mut String, value: &mut String, tag: &str, random: &mut Random| {
        for index in 0..random.below(3) {
            if number < last {
                let callee = random.between(number + 1, (number + 3).min(last));
                *out += &format!("  %{tag}{index}: %u32 = function_call %f{callee}, %{value}\n");
                *value = format!("{tag}{index}");
            }
        }
    };
    call(&mut out, &mut value, "a", random);
    if random.chance(60) {
        out += &format!("  %c: %bool = u_less_than %{value}, %ten\n  branch_if %c ^then ^else\nblock ^then:\n");
        let (mut left, mut right) = (value.clone(), value.clone());
        call(&mut out, &mut left, "b", random);
        let is_early = random.chance(50);
        out += &match is_early {
            true => format!("  return_value %{left}\n"),
            false => format!("  branch ^join(%{left})\n"),
        };
        out += "block ^else:\n";
        call(&mut out, &mut right, "d", random);
        out += &format!("  %m: %u32 = i_add %{right}, %two\n  branch ^join(%m)\nblock ^join(%p: %u32):\n");
        value = "p".to_owned();
    }
    call(&mut out, &mut value, "e", random);
    out + &format!("  return_value %{value}\n}}\n")
}

#[test]
fn random_programs_do_the_same() {
    for seed in 0..60 {
        let mut random = Random::new(seed);
        let mut source = String::from("%pointer = type_pointer Function, %u32\n");
        for number in 0..6 {
            source += &random_function(&mut random, number, 5);
        }
        let before = module(&source);
        let (after, _) = inlined(&before);
        assert_eq!(count(&after, Op::FunctionCall), 0, "seed {seed}");
    }
}

/// A deep chain of calls, each behind the other in one block, on a small stack.
#[test]
fn long_chains_need_no_stack() {
    let run = || {
        let mut source = String::new();
        for number in 0..5_000 {
            let body = match number {
                4_999 => "  %a: %u32 = i_add %n, %one\n".to_owned(),
                _ => format!("  %a: %u32 = function_call %link{}, %n\n", number + 1),
            };
            source += &format!("func %link{number}: %u32 (%n: %u32) {{\nblock ^entry:\n{body}  return_value %a\n}}\n");
        }
        let mut chain = module(&source);
        let all = functions(&chain);
        assert_eq!(inline_calls(&mut chain, &all[..1], LIMIT), Ok(4_999));
        assert_eq!(blocks(&chain, all[0]), 1);
    };
    let thread = std::thread::Builder::new().stack_size(1 << 20).spawn(run).unwrap();
    thread.join().unwrap();
}
