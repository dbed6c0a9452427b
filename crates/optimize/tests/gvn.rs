//! What always has the same value becomes one, and nothing else.

use reconverge_ir::{Module, Op};
use reconverge_optimize::Analyses;
use reconverge_optimize::gvn;
use reconverge_testing::programs::{count, functions, hold_equal, hold_verified, module, named};

/// How many instructions and parameters gave way.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
struct Done {
    merged: usize,
    parameters: usize,
}

/// Numbers every function. The result is valid, does the same, and has nothing left to merge.
#[track_caller]
fn numbered(before: &Module) -> (Module, Done) {
    hold_verified(before);
    let mut after = before.clone();
    let mut done = Done::default();
    for function in functions(before) {
        let part = gvn(&mut after, function, &mut Analyses::default());
        assert_eq!(part.replaced.len(), part.merged + part.parameters);
        done.merged += part.merged;
        done.parameters += part.parameters;
    }
    hold_verified(&after);
    hold_equal(before, &after);
    let again: usize =
        functions(before).into_iter().map(|function| gvn(&mut after, function, &mut Analyses::default()).merged).sum();
    assert_eq!(again, 0, "nothing is left to do");
    (after, done)
}

#[test]
fn operands_in_any_order_and_comparisons_in_either_direction() {
    let before = module(
        "func %f: %u32 (%a: %u32, %b: %u32) {
         block ^entry:
           %s: %u32 = i_add %a, %b
           %t: %u32 = i_add %b, %a
           %p: %bool = u_less_than %s, %b
           %q: %bool = u_greater_than %b, %t
           %d: %u32 = i_sub %s, %a
           %e: %u32 = i_sub %a, %s
           %x: %u32 = select %p, %d, %e
           %y: %u32 = select %q, %d, %e
           %r: %u32 = i_mul %x, %y
           return_value %r
         }",
    );
    let (after, done) = numbered(&before);
    assert_eq!((done.merged, count(&after, Op::ISub)), (3, 2));
}

#[test]
fn across_blocks_by_dominance() {
    let before = module(
        "func %f: %u32 (%a: %u32, %b: %u32, %c: %bool) {
         block ^entry:
           %s: %u32 = i_add %a, %b
           branch_if %c ^left ^right
         block ^left:
           %l: %u32 = i_add %a, %b
           %m: %u32 = i_mul %l, %l
           branch ^join(%m)
         block ^right:
           %n: %u32 = i_mul %s, %s
           branch ^join(%n)
         block ^join(%p: %u32):
           %o: %u32 = i_mul %s, %s
           %r: %u32 = i_add %p, %o
           return_value %r
         }",
    );
    let (after, done) = numbered(&before);
    // The products in the arms dominate nothing; the parameter has their value, and is the first place behind them that has.
    assert_eq!((done, count(&after, Op::IMul)), (Done { merged: 2, parameters: 0 }, 2));
    assert_eq!(after.operand(named(&after, "r"), 1), named(&after, "p"));
}

#[test]
fn parameters_of_loops_that_run_in_step() {
    let before = module(
        "func %f: %u32 (%n: %u32, %k: %u32) {
         block ^entry:
           branch ^head(%zero, %zero, %zero, %k)
         block ^head(%i: %u32, %j: %u32, %other: %u32, %same: %u32):
           %x: %u32 = i_add %i, %j
           %i2: %u32 = i_add %i, %one
           %j2: %u32 = i_add %one, %j
           %other2: %u32 = i_add %other, %two
           %more: %bool = u_less_than %i2, %n
           branch_if %more ^around ^out
         edge ^around:
           branch ^head(%i2, %j2, %other2, %same)
         block ^out:
           %y: %u32 = i_add %x, %same
           %z: %u32 = i_add %y, %other
           return_value %z
         }",
    );
    let (after, done) = numbered(&before);
    assert_eq!(done, Done { merged: 1, parameters: 2 });
    let x = named(&after, "x");
    assert_eq!(after.operand(x, 0), after.operand(x, 1));
    assert_eq!(after.operand(named(&after, "y"), 1), named(&after, "k"));
}

#[test]
fn parameters_that_swap_are_two() {
    let before = module(
        "func %f: %u32 (%n: %u32, %a: %u32) {
         block ^entry:
           %b: %u32 = i_add %a, %one
           branch ^head(%zero, %a, %b)
         block ^head(%i: %u32, %x: %u32, %y: %u32):
           %i2: %u32 = i_add %i, %one
           %more: %bool = u_less_than %i2, %n
           branch_if %more ^around ^out
         edge ^around:
           branch ^head(%i2, %y, %x)
         block ^out:
           %r: %u32 = i_sub %x, %y
           return_value %r
         }",
    );
    assert_eq!(numbered(&before).1, Done::default());
}

const MEMORY: &str = "%pointer = type_pointer Function, %u32
%pair = type_struct %u32, %u32
%pair_pointer = type_pointer Function, %pair
";

#[test]
fn loads_of_one_state_are_one() {
    let before = module(&format!(
        "{MEMORY}func %f: %u32 (%n: %u32, %c: %bool) {{
         block ^entry:
           %v: %pair_pointer = variable Function
           %first: %pointer = access_chain %v, %zero
           %second: %pointer = access_chain %v, %one
           store %first, %n
           store %second, %two
           branch_if %c ^left ^right
         block ^left:
           store %second, %three
           branch ^join
         block ^right:
           branch ^join
         block ^join:
           %other: %pointer = access_chain %v, %one
           %x: %u32 = load %second
           %y: %u32 = load %other
           %z: %u32 = load %first
           %s: %u32 = i_add %x, %y
           store %second, %s
           %w: %u32 = load %other
           %t: %u32 = i_add %w, %z
           return_value %t
         }}"
    ));
    let (after, done) = numbered(&before);
    // %other is %second, %y is %x, %z is what was stored first, and %w what was stored last.
    assert_eq!((done.merged, count(&after, Op::Load)), (4, 1));
    let t = named(&after, "t");
    assert_eq!((after.operand(t, 0), after.operand(t, 1)), (named(&after, "s"), named(&after, "n")));
}

#[test]
fn what_a_variable_begins_with_is_read() {
    let before = module(&format!(
        "{MEMORY}func %f: %u32 (%n: %u32) {{
         block ^entry:
           %v: %pointer = variable Function, %three
           %x: %u32 = load %v
           store %v, %n
           %y: %u32 = load %v
           %r: %u32 = i_mul %x, %y
           return_value %r
         }}"
    ));
    let (after, done) = numbered(&before);
    assert_eq!((done.merged, count(&after, Op::Load)), (2, 0));
}

#[test]
fn promises_that_not_all_make_are_dropped() {
    let before = module(
        "func %f: %u32 (%a: %u32, %b: %u32) {
         block ^entry:
           %s: %u32 = i_add %a, %b { decorate 4469, decorate 4470 }
           %t: %u32 = i_add %a, %b { decorate 4470 }
           %r: %u32 = i_mul %s, %t
           return_value %r
         }",
    );
    let (after, _) = numbered(&before);
    let list = after.decorations(named(&after, "s"));
    let words: Vec<_> = list
        .iter()
        .filter(|&&decoration| after.op(decoration) == Op::Decorate)
        .filter_map(|&decoration| after.literal_word(after.operand(decoration, 0)))
        .collect();
    assert_eq!(words, [4470]);
}

#[test]
fn demands_that_differ_keep_instructions_apart() {
    let before = module(
        "func %f: %f32 (%a: %f32, %b: %f32) {
         block ^entry:
           %s: %f32 = f_mul %a, %b { decorate 42 }
           %t: %f32 = f_mul %a, %b
           %u: %f32 = f_mul %b, %a { decorate 42 }
           %v: %f32 = f_mul %b, %a
           %w: %f32 = f_add %s, %t
           %x: %f32 = f_add %u, %v
           %r: %f32 = f_sub %w, %x
           return_value %r
         }",
    );
    // `NoContraction` is no permission. Two products are left, and one sum.
    assert_eq!(numbered(&before).1.merged, 3);
}

#[test]
fn effects_and_undefined_values_stay() {
    let before = module(&format!(
        "{MEMORY}func %outside: %u32 (%n: %u32)
         func %f: %u32 (%n: %u32) {{
         block ^entry:
           %v: %pointer = variable Function
           %w: %pointer = variable Function
           %a: %u32 = function_call %outside, %n
           %b: %u32 = function_call %outside, %n
           store %v, %a 1
           %x: %u32 = load %v 1
           %y: %u32 = load %v 1
           %s: %u32 = i_add %x, %y
           %t: %u32 = i_add %s, %b
           return_value %t
         }}"
    ));
    assert_eq!(numbered(&before).1, Done::default());
}

/// A sum and a product in the left arm and behind all; the right arm is `right`, of which `%v` is the same sum.
fn sums_and_products(right: &str) -> Module {
    module(&format!(
        "func %f: %u32 (%a: %u32, %b: %u32, %k: %u32) {{
         block ^entry:
           switch %k default ^join0 [1 ^left] [2 ^right]
         block ^left:
           %s: %u32 = i_add %a, %b
           %p: %u32 = i_mul %s, %a
           branch ^join(%p)
         block ^right:
           %v: %u32 = i_add %b, %a
           {right}
         edge ^join0:
           branch ^join(%zero)
         block ^join(%x: %u32):
           %t: %u32 = i_add %a, %b
           %q: %u32 = i_mul %t, %a
           %r: %u32 = i_sub %x, %q
           return_value %r
         }}"
    ))
}

/// K5: the same product in one arm and behind both is one product above.
#[test]
fn what_runs_anyway_is_computed_above_both() {
    let (after, done) = numbered(&sums_and_products("%w: %u32 = i_add %v, %one\nbranch ^join(%w)"));
    assert_eq!((done.merged, count(&after, Op::IMul), count(&after, Op::IAdd)), (3, 1, 2));
    assert_eq!(after.block_of(named(&after, "v")), after.entry(functions(&after)[0]));
}

/// Both arms alone are no reason: a way that needs neither would compute more.
#[test]
fn what_not_every_way_runs_stays_twice() {
    let before = module(
        "func %f: %u32 (%a: %u32, %b: %u32, %k: %u32) {
         block ^entry:
           switch %k default ^none [1 ^left] [2 ^right]
         block ^left:
           %s: %u32 = i_mul %a, %b
           return_value %s
         block ^right:
           %t: %u32 = i_mul %a, %b
           %u: %u32 = i_add %t, %one
           return_value %u
         block ^none:
           return_value %a
         }",
    );
    assert_eq!(numbered(&before).1, Done::default());
}

/// Operands and memory have to be there: a load goes up only while nothing writes what it reads.
#[test]
fn loads_go_up_within_their_state() {
    let program = |written: &str| {
        module(&format!(
            "{MEMORY}%buffer = type_pointer CrossWorkgroup, %u32
             func %f: %u32 (%a: %u32, %v: %buffer, %w: %buffer) {{
             block ^entry:
               %own: %pointer = variable Function
               %c: %bool = u_less_than %a, %three
               store {written}, %a
               branch_if %c ^left ^right
             block ^left:
               %x: %u32 = load %v
               branch ^join(%x)
             block ^right:
               branch ^join(%zero)
             block ^join(%p: %u32):
               %y: %u32 = load %v
               %own2: %u32 = load %own
               %s: %u32 = i_add %p, %y
               %t: %u32 = i_add %s, %own2
               return_value %t
             }}"
        ))
    };
    let (after, _) = numbered(&program("%own"));
    assert_eq!(count(&after, Op::Load), 1);
    let (after, _) = numbered(&program("%w"));
    assert_eq!(after.block_of(named(&after, "x")), after.entry(functions(&after)[0]));
}

/// The class of the sum goes up by its member in another arm than the class of the product: the sum must stand first all the same.
#[test]
fn operands_go_up_before_users() {
    assert_eq!(numbered(&sums_and_products("branch ^join(%v)")).1.merged, 3);
}
