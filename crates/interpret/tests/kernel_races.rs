//! Data races: which pairs of accesses are reported, and which are not.

use crate::common::kernel::{Kernel, group};
use reconverge_interpret::{Access, KernelArgument, KernelLaunch, MemoryObject, Race, Races};
use reconverge_ir::Op;

const SEMANTICS: &str = "%relaxed: %u32 = constant 0
%acquire: %u32 = constant 2
%release: %u32 = constant 4
%both: %u32 = constant 8
%device: %u32 = constant 1
%cell: %local = variable Workgroup
";

/// Four lanes; the lanes below one do the first, the others the second.
fn races(before: &str, first: &str, second: &str) -> (Kernel, Vec<Race>) {
    let kernel = Kernel::with(
        SEMANTICS,
        "%out: %global, %l: %local",
        &format!(
            "  %out8: %global8 = bitcast %out
  %byte1: %global8 = ptr_access_chain %out8, %c1
  %byte2: %global8 = ptr_access_chain %out8, %c2
  %flag: %global = ptr_access_chain %out, %c1
  %b7: %u8 = u_convert %c7
{before}  %below: %bool = u_less_than %i, %c1
  branch_if %below ^first ^second
block ^first:
{first}  branch ^end
block ^second:
{second}  branch ^end
block ^end:
  return"
        ),
    );
    let mut launch = KernelLaunch { races: Races::Report, ..group(2, 4) };
    launch.arguments.push(KernelArgument::Local { bytes: 16 });
    let outcome = kernel.outcome(&launch);
    assert_eq!(outcome.failure, None);
    launch.races = Races::Ignore;
    assert_eq!(kernel.outcome(&launch).races, []);
    (kernel, outcome.races)
}

fn count(before: &str, first: &str, second: &str) -> usize {
    races(before, first, second).1.len()
}

/// Each work-group begins with it, whichever lane ran last.
#[test]
fn the_initial_value_of_local_memory_is_no_write() {
    let kernel = Kernel::with(
        "%start: %local = variable Workgroup %c7\n",
        "%out: %global",
        "  %read: %u32 = load %start\n  return",
    );
    let launch = KernelLaunch { races: Races::Report, groups: [3, 1, 1], ..group(4, 4) };
    let outcome = kernel.outcome(&launch);
    assert_eq!((outcome.failure, outcome.races), (None, vec![]));
}

#[test]
fn two_writes_race_and_the_report_says_where() {
    let (kernel, races) = races("", "  store %flag, %c7\n", "  store %flag, %c5\n");
    let [race] = races[..] else { panic!("{races:?}") };
    assert_eq!((race.object, race.offset), (MemoryObject::Buffer(0), 4));
    assert_eq!((race.first.lane.local, race.second.lane.local), ([0, 0, 0], [1, 0, 0]));
    assert_eq!((race.first.access, race.second.access), (Access::Write, Access::Write));
    assert_ne!(race.first.place.inst, race.second.place.inst);
    assert_eq!(kernel.module.op(race.first.place.inst), Op::Store);
    let text = race.to_string();
    assert!(text.contains("byte 4 of buffer 0") && text.contains("write by lane (1, 0, 0)"), "{text}");
}

#[test]
fn reads_race_with_writes_but_not_with_reads() {
    let (write, read) = ("  store %out, %c7\n", "  %seen: %u32 = load %out\n");
    assert_eq!(count("", write, read), 1);
    assert_eq!(count("", read, write), 1);
    assert_eq!(count("", read, &read.replace("seen", "seen2")), 0);
    assert_eq!(count("", write, "  store %flag, %c7\n"), 0);
}

#[test]
fn bytes_are_told_apart() {
    let (byte1, byte2) = ("  store %byte1, %b7\n", "  store %byte2, %b7\n");
    assert_eq!(count("", byte1, byte2), 0);
    assert_eq!(count("", byte1, "  store %byte1, %b7\n"), 1);
    assert_eq!(count("", byte1, "  store %out, %c7\n"), 1);
    assert_eq!(count("", "  store %out, %c7\n", byte2), 1);
    assert_eq!(count("  store %flag, %c1\n", byte1, byte2), 1, "both lanes write the flag");
}

#[test]
fn memory_of_the_group_is_looked_at_too_and_private_memory_is_not() {
    let (_, found) = races("", "  store %cell, %c7\n", "  %seen: %u32 = load %cell\n");
    let variable = found[0].object;
    assert!(matches!(variable, MemoryObject::Variable(_)), "{variable}");
    let (_, found) = races("", "  store %l, %c7\n", "  store %l, %c5\n");
    assert_eq!(found[0].object, MemoryObject::LocalArgument(1));
    assert_eq!(count("  %mine: %private = variable Function\n", "  store %mine, %c7\n", "  store %mine, %c5\n"), 0);
}

/// A write of one lane, then something in both, then a read by the other.
fn with_between(memory: &str, between: &str) -> usize {
    let before = format!(
        "  %is_first: %bool = i_equal %i, %c0
  branch_if %is_first ^write ^skip
edge ^skip:
  branch ^between
block ^write:
  store {memory}, %c7
  branch ^between
block ^between:
{between}
"
    );
    count(&before, "", &format!("  %seen: %u32 = load {memory}\n"))
}

#[test]
fn a_barrier_puts_the_memory_in_order_that_it_covers() {
    assert_eq!(with_between("%cell", "  control_barrier %c2, %c2, %local_only"), 0);
    assert_eq!(with_between("%out", "  control_barrier %c2, %c2, %local_only"), 1);
    assert_eq!(with_between("%out", "  control_barrier %c2, %c2, %all"), 0);
    assert_eq!(with_between("%out", "  control_barrier %c2, %c2, %relaxed"), 1);
    assert_eq!(with_between("%out", "  control_barrier %c3, %c3, %all"), 0);
    assert_eq!(with_between("%out", "  memory_barrier %c2, %all"), 1);
}

#[test]
fn atomic_operations_race_with_plain_ones_alone() {
    let add = |name: &str| format!("  %{name}: %u32 = atomic_i_add %out, %device, %relaxed, %c1\n");
    let load = "  %a: %u32 = atomic_load %out, %device, %relaxed\n";
    let (write, read) = ("  store %out, %c7\n", "  %seen: %u32 = load %out\n");
    assert_eq!(count("", &add("x"), &add("y")), 0);
    assert_eq!(count("", load, &add("y")), 0);
    assert_eq!(count("", &add("x"), read), 1);
    assert_eq!(count("", read, &add("x")), 1);
    assert_eq!(count("", write, load), 1);
    assert_eq!(count("", load, write), 1);
    assert_eq!(count("", load, read), 0);
}

/// One lane writes and then stores to the flag; the other spins on the flag and then reads.
fn message(store: &str, load: &str, after: &str) -> usize {
    let second = format!(
        "  branch ^spin
block ^spin:
  {load}
  %arrived: %bool = i_equal %f, %c1
  branch_if %arrived ^go ^again
edge ^again:
  branch ^spin
block ^go:
{after}  %got: %u32 = load %out
"
    );
    count("", &format!("  store %out, %c7\n  {store}\n"), &second)
}

#[test]
fn a_message_orders_what_came_before_it() {
    let store = |semantics: &str| format!("atomic_store %flag, %device, {semantics}, %c1");
    let load = |semantics: &str| format!("%f: %u32 = atomic_load %flag, %device, {semantics}");
    assert_eq!(message(&store("%release"), &load("%acquire"), ""), 0);
    assert_eq!(message(&store("%relaxed"), &load("%acquire"), ""), 1);
    assert_eq!(message(&store("%release"), &load("%relaxed"), ""), 1);
    let exchange = "%old: %u32 = atomic_exchange %flag, %device, %both, %c1";
    assert_eq!(message(exchange, &load("%acquire"), ""), 0);
    let fenced = format!("memory_barrier %device, %release\n  {}", store("%relaxed"));
    assert_eq!(message(&fenced, &load("%relaxed"), "  memory_barrier %device, %acquire\n"), 0);
    assert_eq!(message(&fenced, &load("%relaxed"), ""), 1);
}

#[test]
fn groups_race_with_each_other() {
    let run = |body: &str| {
        let kernel = Kernel::with(SEMANTICS, "%out: %global", &format!("{body}  return"));
        let launch = KernelLaunch { groups: [3, 1, 1], races: Races::Report, ..group(1, 4) };
        kernel.outcome(&launch).races
    };
    let races = run("  store %out, %c7\n");
    assert_eq!((races.len(), races[0].first.lane.group, races[0].second.lane.group), (1, [0; 3], [1, 0, 0]));
    assert_eq!(run("  store %out, %c7\n  control_barrier %c2, %c2, %all\n").len(), 1);
    assert_eq!(run("  %own: %global = ptr_access_chain %out, %id\n  store %own, %c7\n"), []);
    assert_eq!(run("  %x: %u32 = load %out\n"), []);
    assert_eq!(run("  store %cell, %c7\n"), []);
    assert_eq!(run("  %x: %u32 = atomic_i_add %out, %device, %relaxed, %c1\n"), []);
}

#[test]
fn each_pair_of_places_is_reported_once_and_sixteen_are_enough() {
    let launch = |words| KernelLaunch { races: Races::Report, ..group(50, words) };
    let kernel = Kernel::body("%out: %global", "  store %out, %c7\n  return");
    assert_eq!(kernel.outcome(&launch(1)).races.len(), 1);
    let store = |index: u32| {
        format!("  %place{index}: %global = ptr_access_chain %out, %word{index}\n  store %place{index}, %c7\n")
    };
    for (places, expected) in [(5, 5), (40, 16)] {
        let constants: String =
            (0..places).map(|index| format!("%word{index}: %u32 = constant {}\n", 1000 + index)).collect();
        let body: String = (0..places).map(store).collect();
        let kernel = Kernel::with(&constants, "%out: %global", &(body + "  return"));
        assert_eq!(kernel.outcome(&launch(1040)).races.len(), expected);
    }
}
