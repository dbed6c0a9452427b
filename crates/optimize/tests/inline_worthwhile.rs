//! Calls that are worth it: what moves, what is copied, and how much there is afterwards.

use reconverge_ir::{Function, Module, Op, text};
use reconverge_optimize::{InlineLimits, inline_worthwhile};
use reconverge_testing::behaviour::Version;
use reconverge_testing::equivalence::compare_versions;
use reconverge_testing::programs::{check_verified, functions, module};
use reconverge_testing::random::Random;

const LIMITS: InlineLimits = InlineLimits { body: 48, module: 1 << 20 };

/// Makes a function the one that the module is entered by.
const EXPORT: &str = "{decorate LinkageAttributes \"f\" 0}";

fn function_of(module: &Module, name: &str) -> Function {
    let found = functions(module).into_iter().find(|&function| module.name(function).as_deref() == Some(name));
    found.unwrap_or_else(|| panic!("no %{name} in\n{}", text::print(module)))
}

fn names(module: &Module) -> Vec<String> {
    functions(module).into_iter().filter_map(|function| module.name(function)).collect()
}

/// Inlines what is worth it. The result is valid, and `entered` does the same.
fn inlined(before: &Module, entered: &str) -> (Module, usize) {
    check_verified(before);
    let mut after = before.clone();
    let calls = inline_worthwhile(&mut after, &functions(before), LIMITS);
    check_verified(&after);
    let compared = compare_versions(&Version::new(before), &Version::new(&after), function_of(before, entered), 7);
    match compared {
        Ok(count) => assert!(count > 0, "nothing was run"),
        Err(message) => panic!("{message}\n{}\n{}", text::print(before), text::print(&after)),
    }
    (after, calls)
}

/// Functions that each call the next one, once; `body` says what stands around the call.
fn chain(length: usize, body: fn(&str) -> String) -> Module {
    let mut source = String::new();
    for number in 0..length {
        let call = match number + 1 {
            next if next < length => format!("  %r: %u32 = function_call %link{next}, %a\n"),
            _ => "  %r: %u32 = i_mul %a, %a\n".to_owned(),
        };
        let export = if number == 0 { EXPORT } else { "" };
        source += &format!("func %link{number}: %u32 (%n: %u32) {export} {{\nblock ^entry:\n{}}}\n", body(&call));
    }
    module(&source)
}

fn one_block(call: &str) -> String {
    format!("  %a: %u32 = i_add %n, %one\n{call}  return_value %r\n")
}

fn several_blocks(call: &str) -> String {
    format!(
        "  %a: %u32 = i_add %n, %one
           %c: %bool = u_less_than %a, %ten
           branch_if %c ^yes ^no
         block ^yes:
         {call}  branch ^join(%r)
         edge ^no:
           branch ^join(%a)
         block ^join(%j: %u32):
           %b: %u32 = i_add %j, %n
           return_value %b\n"
    )
}

/// Instructions in functions, and how many were ever made.
fn instructions(module: &Module) -> (usize, usize) {
    let blocks = functions(module).into_iter().flat_map(|function| module.blocks(function));
    (blocks.map(|block| 1 + module.children(block).count()).sum(), module.capacity())
}

#[test]
fn a_chain_of_calls_grows_by_nothing() {
    for body in [one_block, several_blocks] {
        for length in [2, 200, 400] {
            let before = chain(length, body);
            let (after, calls) = inlined(&before, "link0");
            assert_eq!((calls, names(&after)), (length - 1, vec!["link0".to_owned()]));
            let ((held, made), (holds, makes)) = (instructions(&before), instructions(&after));
            assert!(holds < held, "{held} instructions before, {holds} after");
            assert!(makes <= made + 1, "{made} instructions were made before, {makes} after");
        }
    }
}

#[test]
fn many_calls_in_one_block_grow_by_what_is_called() {
    let result = |calls: usize| {
        let mut source = format!(
            "func %g: %u32 (%n: %u32) {{\nblock ^entry:\n{}}}\nfunc %f: %u32 (%n: %u32) {EXPORT} {{\nblock ^entry:\n",
            several_blocks("  %r: %u32 = i_mul %a, %a\n")
        );
        let mut last = "n".to_owned();
        for number in 0..calls {
            source += &format!("  %r{number}: %u32 = function_call %g, %{last}\n");
            last = format!("r{number}");
        }
        let (after, inlined) = inlined(&module(&(source + &format!("  return_value %{last}\n}}\n"))), "f");
        assert_eq!((inlined, names(&after)), (calls, vec!["f".to_owned()]));
        instructions(&after).0
    };
    let (once, twice) = (result(1), result(2));
    assert_eq!(result(200), once + 199 * (twice - once));
}

#[test]
fn a_body_that_moves_keeps_its_names_and_the_parameter_becomes_the_argument() {
    let before = module(&format!(
        "func %inner: %u32 (%p: %u32) {{
         block ^entry:
           %product: %u32 = i_mul %p, %p
           return_value %product
         }}
         func %f: %u32 (%n: %u32) {EXPORT} {{
         block ^entry:
           %r: %u32 = function_call %inner, %n
           return_value %r
         }}"
    ));
    let (after, _) = inlined(&before, "f");
    let block = after.entry(function_of(&after, "f")).unwrap();
    let product = after.first_child(block).unwrap();
    assert_eq!((after.op(product), after.name(product).as_deref()), (Op::IMul, Some("product")));
    let argument = after.operand(product, 0);
    assert_eq!(after.name(argument).as_deref(), Some("n"));
}

#[test]
fn what_is_entered_or_named_otherwise_stays() {
    let callee = |export: &str| {
        format!(
            "func %g: %u32 (%p: %u32) {export} {{\nblock ^entry:\n  return_value %p\n}}
             func %f: %u32 (%n: %u32) {EXPORT} {{
             block ^entry:
               %r: %u32 = function_call %g, %n
               return_value %r
             }}\n"
        )
    };
    let exported = module(&callee(&EXPORT.replace("\"f\"", "\"g\"")));
    let reflection = "%reflection = ext_inst_import \"NonSemantic.ClspvReflection.5\"\n";
    let described = format!("{reflection}{}%about: %void = ext_inst %reflection, 1, %g\n", callee(""));
    for before in [exported, module(&described)] {
        let (after, calls) = inlined(&before, "f");
        assert_eq!((calls, names(&after)), (1, vec!["g".to_owned(), "f".to_owned()]));
    }
    let (after, _) = inlined(&module(&callee("")), "f");
    assert_eq!(names(&after), ["f"]);
}

/// A function that may call those behind it, before, between and behind two ways.
fn random_function(random: &mut Random, number: usize, total: usize) -> String {
    let export = if number == 0 { EXPORT } else { "" };
    let mut out =
        format!("func %f{number}: %u32 (%n: %u32) {export} {{\nblock ^entry:\n  %s: %u32 = i_mul %n, %three\n");
    let call = |out: &mut String, value: &mut String, tag: &str, random: &mut Random| {
        for index in 0..random.below(3) {
            if number + 1 < total {
                let callee = random.between(number + 1, total - 1);
                *out += &format!("  %{tag}{index}: %u32 = function_call %f{callee}, %{value}\n");
                *value = format!("{tag}{index}");
            }
        }
    };
    let mut value = "s".to_owned();
    call(&mut out, &mut value, "a", random);
    if random.chance(60) {
        out += &format!("  %c: %bool = u_less_than %{value}, %ten\n  branch_if %c ^then ^else\nblock ^then:\n");
        let mut left = value.clone();
        call(&mut out, &mut left, "b", random);
        out += &match random.chance(50) {
            true => format!("  return_value %{left}\nblock ^else:\n"),
            false => format!("  %l: %u32 = i_add %{left}, %one\n  return_value %l\nblock ^else:\n"),
        };
    }
    call(&mut out, &mut value, "d", random);
    out + &format!("  %e: %u32 = i_add %{value}, %two\n  return_value %e\n}}\n")
}

#[test]
fn random_programs_do_the_same() {
    let (mut moved, mut copied) = (0, 0);
    for seed in 0..200 {
        let mut random = Random::new(seed);
        let source: String = (0..8).map(|number| random_function(&mut random, number, 8)).collect();
        let before = module(&source);
        let (after, calls) = inlined(&before, "f0");
        let gone = functions(&before).len() - functions(&after).len();
        moved += gone;
        copied += calls - gone;
    }
    assert!(moved > 200 && copied > 200, "{moved} bodies moved, {copied} copied");
}
