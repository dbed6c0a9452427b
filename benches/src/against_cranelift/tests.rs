use reconverge::ir::text;
use reconverge_interpret::Value;
use reconverge_testing::filetest::Kernel;
use reconverge_testing::llvm::is_same;
use reconverge_testing::optimum::{Cost, ladder, measure};

use crate::count::Ran;
use crate::{WAYS, is_same_memory, kernels, ran};

const AS_TRANSLATED: usize = 0;
const SPEED: usize = 1;
const EXITS_FIRST: usize = 2;

/// What stands in front of every function here.
const GLOBALS: &str = "capability Shader\nmemory_model Logical, GLSL450\n%u32 = type_int 32, 0\n%bool = type_bool\n\
                       %zero: %u32 = constant 0\n%one: %u32 = constant 1\n%three: %u32 = constant 3\n\
                       %own_pointer = type_pointer Private, %u32\n%p: %own_pointer = variable Private\n\
                       %cells = type_array %u32, %three\n%row_pointer = type_pointer Private, %cells\n\
                       %row: %row_pointer = variable Private\n";

fn kernel(function: &str, arguments: &[u32]) -> Kernel {
    let module = text::parse(&format!("{GLOBALS}{function}")).unwrap();
    let function = module.functions().next().unwrap();
    let arguments = arguments.iter().copied().map(Value::u32).collect();
    Kernel { name: String::new(), call: String::new(), module, function, arguments, lanes: 1 }
}

fn cost(instructions: u64, terminators: u64) -> Cost {
    Cost { instructions, terminators }
}

/// Runs a kernel, which has to do what ours does.
fn check_same(kernel: &Kernel, way: usize) -> Ran {
    let ours = measure(&kernel.module, kernel.function, &kernel.launch()).unwrap();
    let ran = ran(kernel, &WAYS[way]).unwrap();
    assert!(is_same(ran.result, ours.result()), "{}, {}: {:?}", kernel.name, WAYS[way].name, ran.result);
    assert!(is_same_memory(kernel, &ran, &ours), "{}, {}: {:?}", kernel.name, WAYS[way].name, ran.memory);
    ran
}

#[test]
fn kernels_do_the_same_and_cost_the_same_when_they_are_only_translated() {
    let (alone, with_lanes): (Vec<Kernel>, Vec<Kernel>) =
        kernels().unwrap().into_iter().partition(|kernel| kernel.lanes == 1);
    assert_eq!(alone.len(), 21);
    let large = [ladder(1_000, 500), ladder(1_000, 1_000)].map(Result::unwrap);
    for kernel in alone.iter().chain(&large) {
        let written = measure(&kernel.module, kernel.function, &kernel.launch()).unwrap().cost;
        assert_eq!(check_same(kernel, AS_TRANSLATED).cost.instructions, written.instructions, "{}", kernel.name);
        assert!(check_same(kernel, SPEED).cost.instructions <= written.instructions, "{}", kernel.name);
        assert!(check_same(kernel, EXITS_FIRST).cost.instructions <= written.instructions, "{}", kernel.name);
    }
    for kernel in &with_lanes {
        assert!(ran(kernel, &WAYS[SPEED]).unwrap_err().contains("lanes"), "{}", kernel.name);
    }
}

#[test]
fn an_invariant_product_leaves_a_loop_whose_exit_stands_first() {
    let kernel = kernel(
        "func %f: %u32 (%n: %u32, %a: %u32) {\nblock ^entry:\n  branch ^head(%zero, %zero)\n\
         block ^head(%i: %u32, %s: %u32):\n  %more: %bool = u_less_than %i, %n\n  branch_if %more ^body ^out\n\
         block ^body:\n  %x: %u32 = i_mul %a, %a\n  %t: %u32 = i_add %s, %x\n  %j: %u32 = i_add %i, %one\n\
         \x20 branch ^head(%j, %t)\nblock ^out:\n  return_value %s\n}\n",
        &[10, 6],
    );
    // Eleven comparisons, and three in each of ten iterations.
    assert_eq!(check_same(&kernel, AS_TRANSLATED).cost, cost(41, 23));
    assert_eq!(check_same(&kernel, SPEED).cost, cost(41, 23));
    assert_eq!(check_same(&kernel, EXITS_FIRST).cost, cost(32, 23));
}

#[test]
fn of_an_address_the_sum_with_an_index_counts() {
    let kernel = kernel(
        "func %f: %u32 (%i: %u32) {\nblock ^entry:\n  %at: %own_pointer = access_chain %row, %i\n  store %at, %i\n\
         \x20 %fixed: %own_pointer = access_chain %row, %one\n  %x: %u32 = load %fixed\n  return_value %x\n}\n",
        &[2],
    );
    let ran = check_same(&kernel, AS_TRANSLATED);
    assert_eq!((ran.cost, ran.result), (cost(3, 1), Some(5)));
    assert_eq!(ran.memory, [vec![3], vec![4, 5, 2]]);
}

/// A loop that reads a variable in each of ten iterations, and what it does besides.
fn reading_loop(besides: &str) -> Kernel {
    let function = format!(
        "func %f: %u32 (%n: %u32) {{\nblock ^entry:\n  branch ^body(%zero, %zero)\nblock ^body(%i: %u32, %s: %u32):\n\
         \x20 %x: %u32 = load %p\n  %t: %u32 = i_add %s, %x\n{besides}  %j: %u32 = i_add %i, %one\n\
         \x20 %more: %bool = u_less_than %j, %n\n  branch_if %more ^around ^out\nedge ^around:\n  branch ^body(%j, %t)\n\
         block ^out:\n  return_value %t\n}}\n"
    );
    kernel(&function, &[10])
}

#[test]
fn a_load_leaves_a_loop_if_nothing_writes_there() {
    let away = reading_loop("  %to: %own_pointer = access_chain %row, %one\n  store %to, %i\n");
    assert_eq!(check_same(&away, SPEED).cost, cost(1 + 4 * 10, 12));
    let there = reading_loop("  store %p, %i\n");
    assert_eq!(check_same(&there, SPEED).cost, cost(5 * 10, 12));
}

#[test]
fn loads_of_what_is_known_go() {
    let kernel = kernel(
        "func %f: %u32 () {\nblock ^entry:\n  %x: %u32 = load %p\n  %y: %u32 = load %p\n  %t: %u32 = i_mul %x, %y\n\
         \x20 store %p, %t\n  %z: %u32 = load %p\n  return_value %z\n}\n",
        &[],
    );
    assert_eq!(check_same(&kernel, AS_TRANSLATED).cost, cost(5, 1));
    assert_eq!(check_same(&kernel, SPEED).cost, cost(3, 1));
}

#[test]
fn a_switch_leads_to_its_default_in_gaps_too() {
    for (value, result) in [(0, 10), (1, 3), (2, 12), (7, 3)] {
        let function = "%ten: %u32 = constant 10\n%twelve: %u32 = constant 12\nfunc %f: %u32 (%n: %u32) {\nblock ^entry:\n\
                        \x20 switch %n default ^other [0 ^first] [2 ^second]\nblock ^first:\n  return_value %ten\n\
                        block ^second:\n  return_value %twelve\nblock ^other:\n  return_value %three\n}\n";
        assert_eq!(check_same(&kernel(function, &[value]), SPEED).result, Some(result));
    }
}

#[test]
fn a_run_that_does_not_end_is_an_error() {
    let kernel = kernel("func %f: %u32 () {\nblock ^entry:\n  branch ^body\nblock ^body:\n  branch ^body\n}\n", &[]);
    assert_eq!(ran(&kernel, &WAYS[SPEED]).unwrap_err(), "does not end");
}
