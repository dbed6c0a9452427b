//! Functions of the OpenCL library that compilers leave as imports; atomic operations by several lanes.

use crate::common::kernel::{Kernel, PRELUDE, group};
use reconverge_interpret::{End, KernelLaunch, Races};

/// A kernel that calls an import of that mangled name as `%imported`.
fn calling(name: &str, result: &str, parameters: &str, body: &str) -> Kernel {
    let kinds: Vec<&str> = parameters.split(", ").filter_map(|parameter| parameter.split(": ").nth(1)).collect();
    let kinds = kinds.iter().map(|kind| format!(", {kind}")).collect::<String>();
    Kernel::whole(&format!(
        "{PRELUDE}%shared: %local = variable Workgroup
%import = type_function {result}{kinds}
%type = type_function %void, %global
func %imported: {result} ({parameters}) type %import {{decorate LinkageAttributes \"{name}\" 1}}
func %k: %void (%out: %global) type %type {{
block ^entry:
  %i: %u32 = load %index
{body}
  return
}}
"
    ))
}

/// What is in memory after each of eight lanes has called an atomic function with its number plus 1, and what each got.
fn atomic(name: &str, value: &str) -> Vec<u32> {
    let (parameters, argument) = match value {
        "" => ("%p: %global8", String::new()),
        value => ("%p: %global8, %v: %u32", format!(", {value}")),
    };
    let body = format!(
        "  %n: %u32 = i_add %i, %c1
  %out8: %global8 = bitcast %out
  %old: %u32 = function_call %imported, %out8{argument}
  %place: %global = ptr_access_chain %out, %n
  store %place, %old"
    );
    calling(name, "%u32", parameters, &body).words(&group(8, 9))
}

#[test]
fn atomic_functions_of_older_versions() {
    assert_eq!(atomic("_Z10atomic_incPU3AS1Vj", ""), [8, 0, 1, 2, 3, 4, 5, 6, 7]);
    assert_eq!(atomic("_Z8atom_decPU3AS1Vi", "")[..3], [0u32.wrapping_sub(8), 0, u32::MAX]);
    assert_eq!(atomic("_Z10atomic_addPU3AS1Vii", "%n"), [36, 0, 1, 3, 6, 10, 15, 21, 28]);
    assert_eq!(atomic("_Z10atomic_maxPU3AS1Vjj", "%n"), [8, 0, 1, 2, 3, 4, 5, 6, 7]);
    assert_eq!(atomic("_Z11atomic_xchgPU3AS1Vjj", "%n"), [8, 0, 1, 2, 3, 4, 5, 6, 7]);
    assert_eq!(atomic("_Z9atomic_orPU3AS1Vjj", "%n")[0], 15);
    assert_eq!(atomic("_Z10atomic_minPU3AS1Vii", "%n")[0], 0);
}

#[test]
fn the_sign_of_a_least_value_is_in_the_name() {
    let least = |name: &str| {
        let body = "  %minus: %u32 = i_sub %c0, %c1
  store %out, %c5
  %old: %u32 = function_call %imported, %out, %minus";
        calling(name, "%u32", "%p: %global, %v: %u32", body).words(&group(1, 1))[0]
    };
    assert_eq!(least("_Z10atomic_minPU3AS1Vii"), u32::MAX);
    assert_eq!(least("_Z10atomic_minPU3AS1Vjj"), 5);
    assert_eq!(least("_Z10atomic_maxPU3AS1Vii"), 5);
    assert_eq!(least("_Z16atomic_fetch_maxPU3AS4VU7_Atomicjj"), u32::MAX);
}

#[test]
fn a_compare_exchange_expects_first() {
    let body = "  %old: %u32 = function_call %imported, %out, %c0, %c7
  %again: %u32 = function_call %imported, %out, %c0, %c5";
    let kernel = calling("_Z14atomic_cmpxchgPU3AS1Vjjj", "%u32", "%p: %global, %expected: %u32, %new: %u32", body);
    assert_eq!(kernel.words(&group(1, 1)), [7]);
}

#[test]
fn fences_and_barriers_of_subgroups() {
    for name in ["_Z9mem_fencej", "_Z14read_mem_fencej", "_Z15write_mem_fencej"] {
        let kernel =
            calling(name, "%void", "%flags: %u32", "  %f: %void = function_call %imported, %c1\n  store %out, %c7");
        assert_eq!(kernel.words(&group(3, 1)), [7]);
    }
    // Each lane stores, then reads its neighbour's.
    let body = "  %mine: %global = ptr_access_chain %out, %i
  store %mine, %i
  %done: %void = function_call %imported, %c1
  %next: %u32 = bitwise_xor %i, %c3
  %other: %global = ptr_access_chain %out, %next
  %got: %u32 = load %other
  %done2: %void = function_call %imported, %c1
  store %mine, %got";
    let kernel = calling("_Z17sub_group_barrierj", "%void", "%flags: %u32", body);
    let outcome = kernel.outcome(&KernelLaunch { subgroup_size: 4, races: Races::Report, ..group(8, 8) });
    assert_eq!((outcome.failure, outcome.races), (None, vec![]));
    assert_eq!(kernel.words(&group(8, 8)), [3, 2, 1, 0, 7, 6, 5, 4]);
}

#[test]
fn address_spaces_can_be_asked_for() {
    let body = "  %mine: %private = variable Function, %c1
  %g: %generic = ptr_cast_to_generic %from
  %c: %local = function_call %imported, %g
  %nothing: %local = bitcast %n0
  %is_null: %bool = ptr_equal %c, %nothing
  %value: %u32 = select %is_null, %c1, %c0
  store %out, %value";
    for (name, found) in [("__to_global", [0, 1, 1]), ("__to_local", [1, 0, 1]), ("__to_private", [1, 1, 0])] {
        for (from, expected) in ["%out", "%shared", "%mine"].iter().zip(found) {
            let kernel = calling(name, "%local", "%p: %generic", &body.replace("%from", from));
            assert_eq!(kernel.words(&group(1, 1)), [expected], "{name} {from}");
        }
    }
    for (from, expected) in [("%out", 2), ("%shared", 1)] {
        let body = format!(
            "  %g: %generic = ptr_cast_to_generic {from}\n  %fence: %u32 = function_call %imported, %g\n  store %out, %fence"
        );
        assert_eq!(calling("_Z9get_fencePU3AS4v", "%u32", "%p: %generic", &body).words(&group(1, 1)), [expected]);
    }
}

#[test]
fn what_is_not_known_is_named() {
    let kernel = calling("_Z6printfPU3AS2Kcz", "%u32", "%p: %global", "  %r: %u32 = function_call %imported, %out");
    let failure = kernel.failure(&group(1, 1));
    assert!(matches!(&failure.end, End::Unsupported { what, .. } if what.contains("_Z6printf")), "{failure}");
}

#[test]
fn atomic_operations_on_wide_integers_floats_and_flags() {
    let body = "  %out64: %global64 = bitcast %out
  %sum: %u64 = atomic_i_add %out64, %c1, %c0, %big
  %float_at: %global = ptr_access_chain %out, %c2
  %float: %globalf = bitcast %float_at
  %real: %f32 = convert_u_to_f %i
  %f: %f32 = atomic_f_add_ext %float, %c1, %c0, %real
  %max_at: %global = ptr_access_chain %out, %c3
  %max: %globalf = bitcast %max_at
  %m: %f32 = atomic_f_max_ext %max, %c1, %c0, %real
  %flag: %global = ptr_access_chain %out, %c4
  %was: %bool = atomic_flag_test_and_set %flag, %c1, %c0
  %one: %u32 = select %was, %c0, %c1
  %count: %global = ptr_access_chain %out, %c5
  %n: %u32 = atomic_i_add %count, %c1, %c0, %one
  return";
    let kernel = Kernel::with("%big: %u64 = constant words(3, 1)\n", "%out: %global", body);
    let words = kernel.words(&group(4, 6));
    assert_eq!(words, [12, 4, 6f32.to_bits(), 3f32.to_bits(), 1, 1]);
}
