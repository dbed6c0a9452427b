//! Calls are replaced by what they call.

use reconverge_ir::{Function, Line, Location, Module, Op, text};
use reconverge_opencl::{Context, KernelErrorKind, KernelOptions};
use reconverge_optimize::{InlineError, inline_calls};
use reconverge_testing::programs as common;
use reconverge_testing::programs::{count, functions, hold_equal, hold_verified, module};
use reconverge_testing::random::Random;

const LIMIT: usize = 1_000_000;

/// Inlines into every function. The result is valid and does the same.
fn inlined(before: &Module) -> (Module, usize) {
    hold_verified(before);
    let mut after = before.clone();
    let calls = inline_calls(&mut after, &functions(before), LIMIT).expect("nothing recursive");
    hold_verified(&after);
    assert!(hold_equal(before, &after) > 0, "nothing was run");
    assert_eq!(inline_calls(&mut after.clone(), &functions(&after), LIMIT), Ok(0), "nothing is left");
    (after, calls)
}

fn blocks(module: &Module, function: Function) -> usize {
    module.blocks(function).count()
}

#[test]
fn a_body_of_one_block_goes_in_place_of_the_call() {
    let before = module(
        "func %double: %u32 (%n: %u32) {
         block ^entry:
           %d: %u32 = i_add %n, %n
           return_value %d
         }
         func %f: %u32 (%n: %u32) {
         block ^entry:
           %a: %u32 = function_call %double, %n
           %b: %u32 = function_call %double, %a
           %c: %u32 = i_add %a, %b
           return_value %c
         }",
    );
    let (after, calls) = inlined(&before);
    let f = functions(&after)[1];
    assert_eq!((calls, blocks(&after, f), count(&after, Op::IAdd)), (2, 1, 4));
}

#[test]
fn several_returns_meet_in_a_parameter_of_the_calls_name() {
    let before = module(
        "func %choose: %u32 (%c: %bool, %n: %u32) {
         block ^entry:
           branch_if %c ^a ^b
         block ^a:
           return_value %n
         block ^b:
           return_value %one
         }
         func %f: %u32 (%n: %u32, %c: %bool) {
         block ^entry:
           %first: %u32 = function_call %choose, %c, %n
           %not: %bool = logical_not %c
           %second: %u32 = function_call %choose, %not, %first
           return_value %second
         }",
    );
    let (after, _) = inlined(&before);
    let f = functions(&after)[1];
    let names: Vec<_> = after
        .blocks(f)
        .flat_map(|block| after.parameters(block))
        .filter_map(|parameter| after.name(parameter))
        .collect();
    assert_eq!(names, ["first", "second"]);
    assert_eq!(blocks(&after, f), 7);
}

#[test]
fn one_return_takes_up_what_stood_behind_the_call() {
    let before = module(
        "func %count: %u32 (%n: %u32) {
         block ^entry:
           branch ^header(%zero)
         block ^header(%i: %u32):
           %more: %bool = u_less_than %i, %n
           branch_if %more ^body ^exit
         block ^body:
           %next: %u32 = i_add %i, %two
           branch ^header(%next)
         block ^exit:
           return_value %i
         }
         func %f: %u32 (%n: %u32, %c: %bool) {
         block ^entry:
           branch_if %c ^a ^b
         block ^a:
           %x: %u32 = function_call %count, %n
           %y: %u32 = function_call %count, %x
           branch ^join(%y)
         block ^b:
           branch ^join(%ten)
         block ^join(%p: %u32):
           return_value %p
         }",
    );
    let (after, calls) = inlined(&before);
    assert_eq!((calls, blocks(&after, functions(&after)[1])), (2, 4 + 2 * 3));
}

#[test]
fn variables_move_to_the_top_and_initializers_run_at_each_call() {
    let before = module(
        "%pointer = type_pointer Function, %u32
         func %counter: %u32 (%n: %u32) {
         block ^entry:
           %v: %pointer = variable Function, %three
           %w: %pointer = variable Function
           store %w, %n
           %old: %u32 = load %v
           %add: %u32 = load %w
           %new: %u32 = i_add %old, %add
           store %v, %new
           return_value %new
         }
         func %f: %u32 (%n: %u32) {
         block ^entry:
           branch ^header(%zero, %zero)
         block ^header(%i: %u32, %sum: %u32):
           %more: %bool = u_less_than %i, %ten
           branch_if %more ^body ^exit
         block ^body:
           %x: %u32 = function_call %counter, %n
           %s: %u32 = i_add %sum, %x
           %next: %u32 = i_add %i, %one
           branch ^header(%next, %s)
         block ^exit:
           return_value %sum
         }",
    );
    let (after, _) = inlined(&before);
    let f = functions(&after)[1];
    let entry = after.entry(f).unwrap();
    let variables: Vec<_> = after.children(entry).filter(|&inst| after.op(inst) == Op::Variable).collect();
    assert_eq!(variables.len(), 2);
    assert!(variables.iter().all(|&variable| after.operand_count(variable) == 1), "no initializer is left");
}

#[test]
fn a_callee_that_never_returns_cuts_off_what_stood_behind() {
    let before = module(
        "func %outside: %void (%n: %u32)
         func %spin: %u32 (%n: %u32) {
         block ^entry:
           %v: %void = function_call %outside, %n
           branch ^again
         block ^again:
           branch ^again
         }
         func %f: %u32 (%n: %u32, %c: %bool) {
         block ^entry:
           branch_if %c ^a ^b
         block ^a:
           %x: %u32 = function_call %spin, %n
           %y: %u32 = i_add %x, %one
           branch ^join(%y)
         block ^b:
           branch ^join(%n)
         block ^join(%p: %u32):
           return_value %p
         }",
    );
    let (after, _) = inlined(&before);
    let f = functions(&after)[1];
    assert_eq!(blocks(&after, f), 5, "entry, a, again, b, join");
    assert_eq!(count(&after, Op::FunctionCall), 2, "calls to what has no body stay");
    assert_eq!(count(&after, Op::IAdd), 0);
}

#[test]
fn returns_in_the_middle_of_unreachable_blocks_do_no_harm() {
    let before = module(
        "func %early: %u32 (%n: %u32) {
         block ^entry:
           return_value %n
         block ^never:
           branch ^nor_this
         block ^nor_this:
           unreachable
         }
         func %f: %u32 (%n: %u32) {
         block ^entry:
           %x: %u32 = function_call %early, %n
           %y: %u32 = i_add %x, %one
           return_value %y
         }",
    );
    inlined(&before);
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
    hold_verified(&before);
    let mut after = before.clone();
    inline_calls(&mut after, &functions(&before), LIMIT).unwrap();
    hold_verified(&after);
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
fn locations_behind_a_call_stay_what_they_were() {
    let before = module(
        "%file = string \"k.cl\"
         func %g: %u32 (%n: %u32) {
         block ^entry:
           %more: %bool = u_less_than %n, %ten
           branch_if %more ^a ^b at %file 1:1
         block ^a:
           return_value %n at %file 2:1
         block ^b:
           return_value %one at %file 3:1
         }
         func %f: %u32 (%n: %u32) {
         block ^entry:
           %x: %u32 = function_call %g, %n at %file 9:1
           %y: %u32 = i_add %x, %one
           return_value %y
         }",
    );
    let (after, _) = inlined(&before);
    let add = common::named(&after, "y");
    assert!(matches!(after.location(add), Some(Location { line: Some(Line { line: 9, .. }), .. })));
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

/// A kernel that calls another kernel, which also runs by itself.
const KERNELS: &str = "
capability Kernel
entry_point Kernel, %k, \"k\"
entry_point Kernel, %l, \"l\"
%p = type_pointer CrossWorkgroup, %u32
func %k: %void (%a: %p) {
block ^entry:
  store %a, %ten
  %x: %void = function_call %l, %a
  return
}
func %l: %void (%a: %p) {
block ^entry:
  %old: %u32 = load %a
  %new: %u32 = i_add %old, %one
  store %a, %new
  return
}
func %unused: %u32 () {
block ^entry:
  return_value %one
}";

#[test]
fn a_kernel_that_is_called_still_runs_by_itself() {
    let before = module(KERNELS);
    hold_verified(&before);
    let mut after = before.clone();
    let mut context = Context::default();
    assert_eq!(reconverge_opencl::inline_calls(&mut after, &mut context), Ok(true));
    assert_eq!(reconverge_opencl::inline_calls(&mut after, &mut context), Ok(false));
    hold_verified(&after);
    assert_eq!(functions(&after).len(), 2);
    assert_eq!(count(&after, Op::FunctionCall), 0);
    let both = module(&KERNELS[..KERNELS.find("func %unused").unwrap()]);
    hold_equal(&both, &after);
}

#[test]
fn errors_of_the_kernel_pass_name_feature_and_place() {
    let recursive = module(
        "entry_point Kernel, %k, \"k\"
         func %k: %void () {
         block ^entry:
           %x: %void = function_call %f
           return
         }
         func %f: %void () {
         block ^entry:
           %back: %void = function_call %f
           return
         }",
    );
    let error = reconverge_opencl::inline_calls(&mut recursive.clone(), &mut Context::default()).unwrap_err();
    assert_eq!(error.kind, KernelErrorKind::Unsupported);
    assert_eq!(error.message, "recursion: f calls f");
    assert_eq!(error.at, common::named(&recursive, "back"));
    let large = module(KERNELS);
    let options = KernelOptions { inline_limit: 10, ..KernelOptions::default() };
    let error = reconverge_opencl::inline_calls(&mut large.clone(), &mut Context::new(options)).unwrap_err();
    assert_eq!((error.kind, error.at), (KernelErrorKind::Limit, common::named(&large, "x")));
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
    hold_verified(&after);
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
