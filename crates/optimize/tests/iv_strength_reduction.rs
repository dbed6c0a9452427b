//! Sums of products of a loop's counter become counters, and nothing else does.

use reconverge_interpret::{End, Interpreter, Launch, Value, no_externals};
use reconverge_ir::{Module, Op, text};
use reconverge_optimize::Analyses;
use reconverge_optimize::iv_strength_reduction;
use reconverge_testing::programs::{count, functions, hold_verified, module};
use reconverge_testing::random::Random;

/// What a function of two numbers returns.
fn result(module: &Module, arguments: [u32; 2]) -> Option<Value> {
    let launch = Launch::new(arguments.map(Value::u32));
    let outcome =
        Interpreter::new(module).run(functions(module)[0], &launch, &mut no_externals).expect("a launch that starts");
    match &outcome.lanes[0].end {
        End::Returned(value) => value.clone(),
        other => panic!("{other}\n{}", text::print(module)),
    }
}

/// Runs the pass once and again. How many counters it makes, and the module behind it.
#[track_caller]
fn reduced(before: &Module) -> (usize, Module) {
    hold_verified(before);
    let mut after = before.clone();
    let function = functions(before)[0];
    let made = iv_strength_reduction(&mut after, function, &mut Analyses::default());
    hold_verified(&after);
    for arguments in [[0, 0], [1, 7], [5, 3], [9, 0xFFFF_FFF1], [12, 0x8000_0001]] {
        let [old, new] = [before, &after].map(|module| result(module, arguments));
        assert_eq!(old, new, "{arguments:?}\n{}\n{}", text::print(before), text::print(&after));
    }
    assert_eq!(
        iv_strength_reduction(&mut after.clone(), function, &mut Analyses::default()),
        0,
        "{}",
        text::print(&after)
    );
    (made, after)
}

/// A loop that counts to `%n` and mixes `%x` into what it returns.
fn program(chain: &str, next: &str) -> Module {
    module(&format!(
        "%four: %u32 = constant 4
         func %f: %u32 (%n: %u32, %a: %u32) stage graph {{
         block ^entry:
           %b: %u32 = i_mul %a, %three
           branch ^h(%zero, %one, %zero)
         block ^h(%i: %u32, %s: %u32, %k: %u32):
           %more: %bool = u_less_than %k, %n
           branch_if %more ^body ^out
         block ^body:
           {chain}
           %t: %u32 = i_mul %s, %ten
           %r: %u32 = bitwise_xor %t, %x
           %l: %u32 = i_add %k, %one
           branch ^next
         block ^next:
           {next}
           branch ^h(%j, %r, %l)
         block ^out:
           return_value %s
         }}"
    ))
}

const UP: &str = "%j: %u32 = i_add %i, %one";

#[test]
fn chains_become_counters() {
    let rows: [(&str, &str, usize); 16] = [
        ("%p: %u32 = i_mul %i, %a\n%x: %u32 = i_add %p, %b", UP, 1),
        ("%p: %u32 = i_mul %a, %i\n%x: %u32 = i_sub %p, %b", "%j: %u32 = i_add %a, %i", 1),
        ("%q: %u32 = i_add %b, %i\n%p: %u32 = i_mul %q, %a\n%x: %u32 = shift_left_logical %p, %two", UP, 1),
        ("%p: %u32 = i_mul %i, %a\n%x: %u32 = i_add %p, %b", "%j: %u32 = i_sub %i, %b", 1),
        ("%p: %u32 = i_mul %i, %ten\n%q: %u32 = i_mul %p, %a\n%x: %u32 = i_add %q, %b", UP, 1),
        // One product alone; a product by a power of two; two sums.
        ("%x: %u32 = i_mul %i, %a", UP, 0),
        ("%p: %u32 = i_mul %i, %four\n%x: %u32 = i_add %p, %b", UP, 0),
        ("%p: %u32 = i_add %i, %a\n%x: %u32 = i_add %p, %b", UP, 0),
        // Taken away from something; times itself; times what changes; the product is used once more.
        ("%p: %u32 = i_mul %i, %a\n%x: %u32 = i_sub %b, %p", UP, 0),
        ("%p: %u32 = i_mul %i, %i\n%x: %u32 = i_add %p, %b", UP, 0),
        ("%p: %u32 = i_mul %i, %s\n%x: %u32 = i_add %p, %b", UP, 0),
        ("%p: %u32 = i_mul %i, %a\n%q: %u32 = i_add %p, %b\n%x: %u32 = bitwise_xor %q, %p", UP, 0),
        // A decoration that binds, and one that only permits.
        ("%p: %u32 = i_mul %i, %a\n%x: %u32 = i_add %p, %b {decorate NonUniform}", UP, 0),
        ("%p: %u32 = i_mul %i, %a {decorate NoUnsignedWrap}\n%x: %u32 = i_add %p, %b", UP, 1),
        // The counter grows by what changes; by a factor.
        ("%p: %u32 = i_mul %i, %a\n%x: %u32 = i_add %p, %b", "%j: %u32 = i_add %i, %k", 0),
        ("%p: %u32 = i_mul %i, %a\n%x: %u32 = i_add %p, %b", "%j: %u32 = i_mul %i, %three", 0),
    ];
    for (chain, next, expected) in rows {
        let (made, _) = reduced(&program(chain, next));
        assert_eq!(made, expected, "{chain}; {next}");
    }
}

#[test]
fn a_chain_becomes_one_addition() {
    let before = program("%p: %u32 = i_mul %i, %a\n%x: %u32 = i_add %p, %b", UP);
    let (_, after) = reduced(&before);
    // It begins with zero, so nothing is computed in front of the loop.
    assert_eq!([&before, &after].map(|module| count(module, Op::IMul)), [3, 2]);
    assert_eq!([&before, &after].map(|module| count(module, Op::IAdd)), [3, 3]);
}

#[test]
fn what_an_iteration_may_skip_stays() {
    let before = module(
        "func %f: %u32 (%n: %u32, %a: %u32) stage graph {
         block ^entry:
           branch ^h(%zero, %one)
         block ^h(%i: %u32, %s: %u32):
           %more: %bool = u_less_than %i, %n
           branch_if %more ^body ^out
         block ^body:
           %odd: %u32 = bitwise_and %i, %one
           %is_odd: %bool = i_equal %odd, %one
           branch_if %is_odd ^then ^else
         block ^then:
           %p: %u32 = i_mul %i, %a
           %x: %u32 = i_add %p, %three
           branch ^next(%x)
         edge ^else:
           branch ^next(%s)
         block ^next(%t: %u32):
           %j: %u32 = i_add %i, %one
           branch ^h(%j, %t)
         block ^out:
           return_value %s
         }",
    );
    assert_eq!(reduced(&before).0, 0);
}

#[test]
fn chains_of_loops_in_loops() {
    let before = module(
        "func %f: %u32 (%n: %u32, %a: %u32) stage structured {
         block ^entry:
           loop ^outer(%two, %zero) break ^done continue ^outer.next control 0
         block ^outer(%i: %u32, %s: %u32):
           %outer.more: %bool = u_less_than %i, %n
           branch_if %outer.more ^start ^outer.out
         block ^start:
           %row: %u32 = i_mul %i, %a
           %base: %u32 = i_add %row, %n
           loop ^inner(%i, %s) break ^after continue ^next control 0
         block ^inner(%j: %u32, %t: %u32):
           %more: %bool = u_less_than %j, %n
           branch_if %more ^next ^out
         block ^next:
           %scaled: %u32 = i_mul %j, %base
           %moved: %u32 = i_add %scaled, %a
           %mixed: %u32 = bitwise_xor %t, %moved
           %u: %u32 = i_mul %mixed, %ten
           %l: %u32 = i_add %j, %one
           branch ^inner(%l, %u)
         edge ^out:
           branch ^after
         block ^after:
           branch ^outer.next
         block ^outer.next:
           %k: %u32 = i_add %i, %one
           branch ^outer(%k, %t)
         edge ^outer.out:
           branch ^done
         block ^done:
           return_value %s
         }",
    );
    let (made, after) = reduced(&before);
    assert_eq!(made, 2, "{}", text::print(&after));
}

#[test]
fn random_chains() {
    let mut made = 0;
    for seed in 0..400 {
        let mut random = Random::new(seed);
        let (mut chain, mut value) = (String::new(), "%i".to_owned());
        let length = random.between(1, 6);
        for link in 0..length {
            let name = if link + 1 == length { "%x".to_owned() } else { format!("%v{link}") };
            let other = *random.choose(&["%a", "%b", "%n", "%three", "%one", "%zero", "%ten"]);
            let op = *random.choose(&["i_mul", "i_mul", "i_add", "i_sub", "shift_left_logical"]);
            let other = if op == "shift_left_logical" { "%three" } else { other };
            let swapped = matches!(op, "i_mul" | "i_add") && random.chance(50);
            let (left, right) = if swapped { (other, value.as_str()) } else { (value.as_str(), other) };
            chain += &format!("{name}: %u32 = {op} {left}, {right}\n");
            value = name;
        }
        let step = *random.choose(&["%one", "%three", "%a", "%b", "%zero"]);
        let op = *random.choose(&["i_add", "i_sub"]);
        made += reduced(&program(&chain, &format!("%j: %u32 = {op} %i, {step}"))).0;
    }
    assert!(made > 150, "{made}");
}
