//! Sums of products of a loop's counter become counters, and nothing else does.

use reconverge_interpret::{End, Interpreter, Launch, Value, no_externals};
use reconverge_ir::{Module, text};
use reconverge_optimize::Analyses;
use reconverge_optimize::iv_strength_reduction;
use reconverge_testing::programs::{check_verified, functions, module};
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

/// Runs the pass once and again. How many counters it makes.
#[track_caller]
fn reduced(before: &Module) -> usize {
    check_verified(before);
    let mut after = before.clone();
    let function = functions(before)[0];
    let made = iv_strength_reduction(&mut after, function, &mut Analyses::default());
    check_verified(&after);
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
    made
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
        made += reduced(&program(&chain, &format!("%j: %u32 = {op} %i, {step}")));
    }
    assert!(made > 150, "{made}");
}
