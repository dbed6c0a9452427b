//! Loads behind a join whose value every way in knows become parameters, and no others.

use reconverge_ir::{Module, Op, text};
use reconverge_optimize::Analyses;
use reconverge_optimize::load_pre;
use reconverge_testing::programs::{count, functions, hold_equal, hold_verified, module};

/// Types of pointers that the programs begin with, and a function that writes what it likes.
const MEMORY: &str = "%pair = type_array %u32, %two
%own = type_pointer Function, %u32
%own_pair = type_pointer Function, %pair
%buffer = type_pointer CrossWorkgroup, %u32
%scope: %u32 = constant 2
%semantics: %u32 = constant 264
func %other: %void (%b: %buffer) {
block ^entry:
  store %b, %three
  return
}
";

/// What became of the last function.
struct Done {
    module: Module,
    /// Loads that are gone, and parameters of blocks that are new.
    gone: usize,
    added: usize,
}

/// Joins in the last function. The result is valid, does the same, and has nothing left to join.
#[track_caller]
fn joined(source: &str) -> Done {
    let before = module(&format!("{MEMORY}{source}"));
    hold_verified(&before);
    let mut module = before.clone();
    let function = *functions(&before).last().expect("there is one");
    let gone = load_pre(&mut module, function, &mut Analyses::default());
    hold_verified(&module);
    hold_equal(&before, &module);
    assert_eq!(
        load_pre(&mut module.clone(), function, &mut Analyses::default()),
        0,
        "nothing is left to do: {}",
        text::print(&module)
    );
    assert_eq!(count(&before, Op::Load) - count(&module, Op::Load), gone);
    let added = count(&module, Op::BlockParameter) - count(&before, Op::BlockParameter);
    Done { module, gone, added }
}

/// A function of two arms that come together.
fn diamond(arms: [&str; 2], join: &str) -> String {
    let [left, right] = arms;
    format!(
        "func %f: %u32 (%n: %u32, %c: %bool, %b: %buffer, %d: %buffer) {{
         block ^entry:
           %v: %own = variable Function, %ten
           %e: %u32 = i_mul %n, %three
           branch_if %c ^left ^right
         block ^left:
           {left}
           branch ^join
         block ^right:
           {right}
           branch ^join
         block ^join:
           {join}
           return_value %z
         }}"
    )
}

/// How many loads go, and how many parameters come, behind two arms.
#[track_caller]
fn arms(left: &str, right: &str, join: &str) -> (usize, usize) {
    let done = joined(&diamond([left, right], join));
    (done.gone, done.added)
}

const LOAD: &str = "%z: %u32 = load %b";

#[test]
fn what_each_way_knows() {
    assert_eq!(arms("%x: %u32 = load %b", "store %b, %n", LOAD), (1, 1));
    assert_eq!(arms("store %b, %e", "store %b, %n", LOAD), (1, 1));
    assert_eq!(arms("store %b, %e", "store %b, %e", LOAD), (1, 0), "the one value that is stored");
    assert_eq!(arms("%x: %u32 = load %v", "store %v, %n", "%z: %u32 = load %v"), (1, 1));
    assert_eq!(arms("", "store %v, %n", "%z: %u32 = load %v"), (1, 1), "what the variable begins with");
    let twice = "%y: %u32 = load %b\n%w: %u32 = load %b\n%z: %u32 = i_add %y, %w";
    assert_eq!(arms("store %b, %e", "store %b, %n", twice), (2, 1), "one parameter for both");
}

#[test]
fn where_a_way_knows_nothing_the_load_stays() {
    for (left, right, join) in [
        ("", "store %b, %n", LOAD),
        ("%x: %u32 = load %d", "store %b, %n", LOAD),
        ("%x: %u32 = load %b\nstore %d, %x", "store %b, %n", LOAD),
        ("store %b, %e", "store %b, %n", "store %d, %n\n%z: %u32 = load %b"),
        ("%x: %u32 = load %b", "store %b, %n\n%r: %void = function_call %other %d", LOAD),
        ("%x: %u32 = load %b", "store %b, %n\nmemory_barrier %scope, %semantics", LOAD),
        ("%x: %u32 = load %b", "%o: %u32 = atomic_i_add %b, %scope, %zero, %one", LOAD),
        ("store %b, %e", "store %b, %n", "%z: %u32 = load %b, 1"),
        ("%x: %u32 = load %b, 1", "store %b, %n", LOAD),
        ("store %b, %e", "copy_memory %b, %d", LOAD),
    ] {
        assert_eq!(arms(left, right, join), (0, 0), "{left} and {right}, then {join}");
    }
}

/// Numbers of 16 bits that may only be stored are no parameters; with the capability they are.
#[test]
fn what_can_only_be_stored_stays_in_memory() {
    for (capability, expected) in [("", 0), ("capability Int16\n", 1)] {
        let source = format!(
            "{capability}%bool = type_bool
             %u16 = type_int 16, 0
             %halves = type_pointer StorageBuffer, %u16
             func %f: %u16 (%n: %u16, %c: %bool, %p: %halves) {{
             block ^entry:
               branch_if %c ^left ^right
             block ^left:
               %x: %u16 = load %p
               branch ^join
             block ^right:
               store %p, %n
               branch ^join
             block ^join:
               %z: %u16 = load %p
               return_value %z
             }}"
        );
        let mut parsed = text::parse(&source).unwrap_or_else(|error| panic!("{error:?}"));
        let function = functions(&parsed)[0];
        assert_eq!(load_pre(&mut parsed, function, &mut Analyses::default()), expected);
        hold_verified(&parsed);
    }
}

/// A loop that stores on one way round: what it loads is a register.
fn round(front: &str, inside: &str, behind: &str) -> String {
    format!(
        "func %f: %u32 (%n: %u32, %b: %buffer, %d: %buffer) {{
         block ^entry:
           {front}
           branch ^head(%zero)
         block ^head(%i: %u32):
           %j: %u32 = i_add %i, %one
           %x: %u32 = load %b
           %odd: %u32 = bitwise_and %x, %one
           %is_odd: %bool = i_equal %odd, %one
           branch_if %is_odd ^change ^keep
         block ^change:
           {inside}
           branch ^next
         edge ^keep:
           branch ^next
         block ^next:
           %more: %bool = u_less_than %j, %ten
           branch_if %more ^again ^done
         edge ^again:
           branch ^head(%j)
         block ^done:
           {behind}
           return_value %z
         }}"
    )
}

#[test]
fn a_register_for_the_time_of_a_loop() {
    let change = "%y: %u32 = i_mul %x, %n\nstore %b, %y";
    let behind = "%z: %u32 = i_add %n, %n";
    let loops = |front: &str, inside: &str, behind: &str| {
        let done = joined(&round(front, inside, behind));
        (done.gone, done.added)
    };
    assert_eq!(loops("", change, behind), (0, 0), "nothing was loaded in front");
    assert_eq!(loops("store %b, %n", change, behind), (0, 0), "the way round knows nothing where two states meet");
    let known = format!("{change}\n%w: %u32 = load %d");
    assert_eq!(loops("store %b, %n", &known, behind), (0, 0));
    let both = round("store %b, %n", change, behind).replace("block ^next:", "block ^next:\n%u: %u32 = load %b");
    let done = joined(&both);
    assert_eq!((done.gone, done.added), (2, 2), "{}", text::print(&done.module));
}

/// What a loop computes does not leave it as an argument.
#[test]
fn a_value_of_a_loop_stays_in_it() {
    let source = |place: &str| {
        format!(
            "func %f: %u32 (%n: %u32, %c: %bool, %b: %buffer) {{
             block ^entry:
               %w: %u32 = load %b
               store %b, %n
               branch_if %c ^loop ^else
             edge ^loop:
               branch ^head(%zero)
             block ^head(%i: %u32):
               %j: %u32 = i_add %i, %one
               {place}
               %more: %bool = u_less_than %j, %ten
               branch_if %more ^again ^out
             edge ^again:
               branch ^head(%j)
             block ^out:
               branch ^join
             block ^else:
               store %b, %w
               branch ^join
             block ^join:
               %z: %u32 = load %b
               return_value %z
             }}"
        )
    };
    assert_eq!(joined(&source("")).gone, 1, "what was stored in front of the loop");
    assert_eq!(joined(&source("store %b, %j")).gone, 0, "what the last iteration stored");
}

/// A pointer that is computed behind the join may be another one on each way.
#[test]
fn pointers_of_the_join_itself() {
    let source = "func %f: %u32 (%n: %u32, %c: %bool) {
         block ^entry:
           %v: %own_pair = variable Function
           %e0: %own = access_chain %v, %zero
           %e1: %own = access_chain %v, %one
           store %e0, %n
           store %e1, %one
           branch_if %c ^left ^right
         block ^left:
           store %e0, %two
           branch ^join(%zero)
         block ^right:
           store %e1, %three
           branch ^join(%one)
         block ^join(%i: %u32):
           %at: %own = access_chain %v, %i
           %z: %u32 = load %at
           %y: %u32 = load %e0
           %w: %u32 = load %e1
           %s: %u32 = i_add %z, %y
           %t: %u32 = i_add %s, %w
           return_value %t
         }";
    let done = joined(source);
    assert_eq!((done.gone, done.added), (2, 2), "{}", text::print(&done.module));
}

/// A parameter that is passed the same already is used; decorations that allow more stay only where all had them.
#[test]
fn parameters_that_are_there() {
    let source = diamond(["store %b, %e", "store %b, %n"], "%y: %u32 = load %b\n%z: %u32 = i_add %y, %p");
    let source = source.replacen("branch ^join", "branch ^join(%e)", 1);
    let at = source.rfind("branch ^join").expect("the second");
    let source = format!("{}branch ^join(%n){}", &source[..at], &source[at + "branch ^join".len()..]);
    let done = joined(&source.replace("block ^join:", "block ^join(%p: %u32):"));
    assert_eq!((done.gone, done.added), (1, 0));
}

/// Parameters are few, however much is loaded behind a join, and ways in are few; else everything stays.
#[test]
fn growth_has_limits() {
    let places = 40;
    let lines = |line: &dyn Fn(usize) -> String| (0..places).map(line).collect::<Vec<_>>().join("\n");
    let source = format!(
        "%places: %u32 = constant 200
         %array = type_array %u32, %places
         %whole = type_pointer Function, %array
         {}
         func %f: %u32 (%n: %u32, %c: %bool) {{
         block ^entry:
           %v: %whole = variable Function
           {}
           branch_if %c ^left ^right
         block ^left:
           {}
           branch ^join
         block ^right:
           {}
           branch ^join
         block ^join:
           {}
           return_value %n
         }}",
        lines(&|at| format!("%i{at}: %u32 = constant {}", 100 + at)),
        lines(&|at| format!("%p{at}: %own = access_chain %v, %i{at}")),
        lines(&|at| format!("store %p{at}, %n")),
        lines(&|at| format!("store %p{at}, %i{at}")),
        lines(&|at| format!("%l{at}: %u32 = load %p{at}")),
    );
    let done = joined(&source);
    assert!((1..=8).contains(&done.added) && done.gone == done.added, "{} for {}", done.added, done.gone);
}
