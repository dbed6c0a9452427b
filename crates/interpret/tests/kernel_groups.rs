//! Operations across work-groups and subgroups, against what each is by definition.

use crate::common::kernel::{Kernel, behaviour, bytes, group, word};
use reconverge_interpret::{End, KernelArgument, KernelLaunch, Races, UndefinedBehaviour};

/// What the lanes of the tests have as `%x`.
const VALUES: [u32; 12] = [7, 0x8000_0003, 5, 5, 90, 1, 0xffff_ffff, 12, 3, 3, 65, 2];

/// Every lane stores `%value`, which `body` makes from `%x`, its own of [`VALUES`].
fn kernel(globals: &str, body: &str) -> Kernel {
    let body = format!(
        "  %at: %global = ptr_access_chain %in, %id
  %x: %u32 = load %at
{body}
  %place: %global = ptr_access_chain %out, %id
  store %place, %value
  return"
    );
    Kernel::with(globals, "%out: %global, %in: %global", &body)
}

fn launch(lanes: u32, subgroup_size: u32) -> KernelLaunch {
    let mut launch = KernelLaunch { subgroup_size, ..group(lanes, lanes as usize) };
    launch.buffers.push(bytes(&VALUES[..lanes as usize]));
    launch.arguments.push(KernelArgument::Buffer { index: 1, offset: 0 });
    launch
}

fn run(body: &str, lanes: u32, subgroup_size: u32) -> Vec<u32> {
    kernel("", body).words(&launch(lanes, subgroup_size))
}

/// The values that are defined.
fn some(body: &str, lanes: u32, subgroup_size: u32) -> Vec<Option<u32>> {
    let outcome = kernel("", body).outcome(&launch(lanes, subgroup_size));
    if let Some(failure) = outcome.failure {
        panic!("{failure}");
    }
    let buffer = &outcome.buffers[0];
    let defined = buffer.defined.chunks(4).map(|bytes| bytes[0]);
    buffer.bytes.chunks(4).zip(defined).map(|(bytes, defined)| defined.then(|| word(bytes))).collect()
}

/// A reduction of each kind by definition: the members of a cluster are folded in order.
fn folded(values: &[u32], cluster: usize, kind: &str, fold: impl Fn(u32, u32) -> u32, identity: u32) -> Vec<u32> {
    let of_lane = |lane: usize| {
        let first = lane / cluster * cluster;
        let end = match kind {
            "InclusiveScan" => lane + 1,
            "ExclusiveScan" => lane,
            _ => (first + cluster).min(values.len()),
        };
        values[first..end].iter().copied().reduce(&fold).unwrap_or(identity)
    };
    (0..values.len()).map(of_lane).collect()
}

/// Two integers made one.
type Fold = fn(u32, u32) -> u32;

#[test]
fn integer_reductions_and_scans() {
    let signed_min: Fold = |a, b| i32::min(a as i32, b as i32) as u32;
    let signed_max: Fold = |a, b| i32::max(a as i32, b as i32) as u32;
    let rows: [(&str, Fold, u32); 9] = [
        ("i_add", u32::wrapping_add, 0),
        ("i_mul", u32::wrapping_mul, 1),
        ("u_min", u32::min, u32::MAX),
        ("u_max", u32::max, 0),
        ("s_min", signed_min, i32::MAX as u32),
        ("s_max", signed_max, i32::MIN as u32),
        ("bitwise_and", |a, b| a & b, u32::MAX),
        ("bitwise_or", |a, b| a | b, 0),
        ("bitwise_xor", |a, b| a ^ b, 0),
    ];
    for (name, fold, identity) in rows {
        for kind in ["Reduce", "InclusiveScan", "ExclusiveScan"] {
            for size in [4, 8, 5] {
                let found = run(&format!("  %value: %u32 = group_non_uniform_{name} %c3, {kind}, %x"), 12, size);
                assert_eq!(found, folded(&VALUES, size as usize, kind, fold, identity), "{name} {kind} {size}");
            }
            if name.contains("mul") || name.contains("bitwise") {
                continue;
            }
            for (scope, size) in [("%c2", 12), ("%c3", 8)] {
                let found = run(&format!("  %value: %u32 = group_{name} {scope}, {kind}, %x"), 12, 8);
                assert_eq!(found, folded(&VALUES, size, kind, fold, identity), "group {name} {kind} {scope}");
            }
        }
        let found = run(&format!("  %value: %u32 = group_non_uniform_{name} %c3, ClusteredReduce, %x, %c2"), 12, 8);
        assert_eq!(found, folded(&VALUES, 2, "", fold, identity), "{name} clustered");
    }
}

#[test]
fn float_and_boolean_reductions() {
    let float = |op: &str| {
        let body = format!(
            "  %f: %f32 = convert_u_to_f %i
  %half: %f32 = f_div %f, %two
  %r: %f32 = {op}, %half
  %value: %u32 = bitcast %r"
        );
        let words = kernel("%two: %f32 = constant 1073741824\n", &body).words(&launch(4, 8));
        words.into_iter().map(f32::from_bits).collect::<Vec<f32>>()
    };
    for prefix in ["group_", "group_non_uniform_"] {
        assert_eq!(float(&format!("{prefix}f_add %c3, Reduce")), [3.0; 4]);
        assert_eq!(float(&format!("{prefix}f_min %c3, InclusiveScan")), [0.0; 4]);
        assert_eq!(float(&format!("{prefix}f_max %c3, ExclusiveScan")), [f32::NEG_INFINITY, 0.0, 0.5, 1.0]);
        assert_eq!(float(&format!("{prefix}f_min %c3, ExclusiveScan")), [f32::INFINITY, 0.0, 0.0, 0.0]);
    }
    assert_eq!(float("group_non_uniform_f_mul %c3, ExclusiveScan"), [1.0, 0.0, 0.0, 0.0]);
    let boolean = |op: &str| {
        run(
            &format!("  %b: %bool = u_less_than %i, %c3\n  %r: %bool = {op}, %b\n  %value: %u32 = select %r, %c1, %c0"),
            4,
            4,
        )
    };
    assert_eq!(boolean("group_non_uniform_logical_and %c3, InclusiveScan"), [1, 1, 1, 0]);
    assert_eq!(boolean("group_non_uniform_logical_or %c3, ExclusiveScan"), [0, 1, 1, 1]);
    assert_eq!(boolean("group_non_uniform_logical_xor %c3, InclusiveScan"), [1, 0, 1, 1]);
    for (op, expected) in [("all", [0, 0, 0, 0]), ("any", [1, 1, 1, 1])] {
        assert_eq!(boolean(&format!("group_{op} %c2")), expected);
        assert_eq!(boolean(&format!("group_{op} %c3")), expected);
        assert_eq!(boolean(&format!("group_non_uniform_{op} %c3")), expected);
    }
    let khr = |op: &str| {
        run(
            &format!("  %b: %bool = u_less_than %i, %c3\n  %r: %bool = {op} %b\n  %value: %u32 = select %r, %c1, %c0"),
            4,
            3,
        )
    };
    assert_eq!(khr("subgroup_all_khr"), [1, 1, 1, 0]);
    assert_eq!(khr("subgroup_any_khr"), [1, 1, 1, 0]);
    assert_eq!(khr("subgroup_all_equal_khr"), [1, 1, 1, 1]);
}

#[test]
fn elections_and_equality() {
    let select = "\n  %value: %u32 = select %r, %c1, %c0";
    assert_eq!(run(&format!("  %r: %bool = group_non_uniform_elect %c3{select}"), 6, 4), [1, 0, 0, 0, 1, 0]);
    let equal = |value: &str| run(&format!("  %r: %bool = group_non_uniform_all_equal %c3, {value}{select}"), 4, 2);
    assert_eq!(equal("%x"), [0, 0, 1, 1]);
    assert_eq!(equal("%c7"), [1; 4]);
}

#[test]
fn broadcasts_and_shuffles() {
    let v = VALUES;
    let got = |op: &str| some(&format!("  %value: %u32 = {op}"), 12, 8);
    let each = |source: &dyn Fn(usize) -> Option<usize>| {
        let lane = |lane: usize| source(lane).filter(|&from| from < 12 && from / 8 == lane / 8).map(|from| v[from]);
        (0..12).map(lane).collect::<Vec<Option<u32>>>()
    };
    assert_eq!(got("group_broadcast %c2, %x, %c5"), each(&|_| Some(5)).iter().map(|_| Some(v[5])).collect::<Vec<_>>());
    assert_eq!(got("group_broadcast %c3, %x, %c2"), each(&|lane| Some(lane / 8 * 8 + 2)));
    assert_eq!(got("group_non_uniform_broadcast %c3, %x, %c5"), each(&|lane| Some(lane / 8 * 8 + 5)));
    assert_eq!(got("group_non_uniform_broadcast_first %c3, %x"), each(&|lane| Some(lane / 8 * 8)));
    assert_eq!(got("subgroup_first_invocation_khr %x"), each(&|lane| Some(lane / 8 * 8)));
    assert_eq!(got("subgroup_read_invocation_khr %x, %c1"), each(&|lane| Some(lane / 8 * 8 + 1)));
    assert_eq!(got("group_non_uniform_shuffle_xor %c3, %x, %c3"), each(&|lane| Some(lane ^ 3)));
    assert_eq!(got("group_non_uniform_shuffle_up %c3, %x, %c2"), each(&|lane| lane.checked_sub(2)));
    assert_eq!(got("group_non_uniform_shuffle_down %c3, %x, %c5"), each(&|lane| Some(lane + 5)));
    assert_eq!(got("group_non_uniform_quad_broadcast %c3, %x, %c2"), each(&|lane| Some(lane / 4 * 4 + 2)));
    assert_eq!(got("group_non_uniform_quad_swap %c3, %x, %c0"), each(&|lane| Some(lane ^ 1)));
    assert_eq!(got("group_non_uniform_quad_swap %c3, %x, %c1"), each(&|lane| Some(lane ^ 2)));
    assert_eq!(got("group_non_uniform_quad_swap %c3, %x, %c2"), each(&|lane| Some(lane ^ 3)));
    assert_eq!(
        got("group_non_uniform_rotate_khr %c3, %x, %c1, %c4"),
        each(&|lane| Some(lane / 4 * 4 + (lane + 1) % 4))
    );
    let rotated = some("  %value: %u32 = group_non_uniform_rotate_khr %c3, %x, %c5", 8, 8);
    assert_eq!(rotated, (0..8).map(|lane| Some(v[(lane + 5) % 8])).collect::<Vec<_>>());
    let shuffled = "  %mirrored: %u32 = i_sub %c7, %i\n  %value: %u32 = group_non_uniform_shuffle %c3, %x, %mirrored";
    assert_eq!(some(shuffled, 8, 8), (0..8).map(|lane| Some(v[7 - lane])).collect::<Vec<_>>());
}

#[test]
fn a_broadcast_may_name_a_lane_by_its_place() {
    let body = "  %from: %u64x2 = composite_construct %n1, %n2\n  %value: %u32 = group_broadcast %c2, %x, %from";
    let body = format!("  %linear: %u64 = u_convert %i\n  %own: %global = ptr_access_chain %in, %linear\n{body}")
        .replace("%x,", "%y,")
        .replace("  %from", "  %y: %u32 = load %own\n  %from");
    let text = body + "\n  %here: %global = ptr_access_chain %out, %linear\n  store %here, %value\n  return";
    let kernel = Kernel::with("", "%out: %global, %in: %global", &text);
    let launch = KernelLaunch { local: [3, 4, 1], ..launch(12, 8) };
    assert_eq!(kernel.words(&launch), [VALUES[7]; 12]);
}

#[test]
fn ballots() {
    let odd = "  %low: %u32 = bitwise_and %x, %c1\n  %b: %bool = i_equal %low, %c1\n";
    // Odd: lanes 0, 1, 2, 3, 5, 6 of the first eight; 8, 9, 10 of the others.
    let masks = [0b0110_1111, 0b0111];
    for ballot in ["group_non_uniform_ballot %c3, %b", "subgroup_ballot_khr %b"] {
        let word = |index: u32| {
            run(&format!("{odd}  %v: %u32x4 = {ballot}\n  %value: %u32 = composite_extract %v, {index}"), 12, 8)
        };
        assert_eq!(word(0), [[masks[0]; 8].as_slice(), &[masks[1]; 4]].concat());
        assert_eq!(word(3), [0; 12]);
    }
    let on_ballot = |op: &str, ty: &str| {
        let last =
            if ty == "%bool" { "  %value: %u32 = select %r, %c1, %c0" } else { "  %value: %u32 = copy_object %r" };
        let body = format!("{odd}  %v: %u32x4 = group_non_uniform_ballot %c3, %b\n  %r: {ty} = {op}\n{last}");
        run(&body, 12, 8)
    };
    let each =
        |of: &dyn Fn(u32, u32) -> u32| (0..12).map(|lane| of(masks[lane as usize / 8], lane % 8)).collect::<Vec<u32>>();
    let ballot = |name: &str, rest: &str| format!("group_non_uniform_{name} %c3, {rest}");
    assert_eq!(on_ballot(&ballot("inverse_ballot", "%v"), "%bool"), each(&|mask, lane| mask >> lane & 1));
    assert_eq!(on_ballot(&ballot("ballot_bit_extract", "%v, %c3"), "%bool"), each(&|mask, _| mask >> 3 & 1));
    assert_eq!(on_ballot(&ballot("ballot_bit_count", "Reduce, %v"), "%u32"), each(&|mask, _| mask.count_ones()));
    assert_eq!(
        on_ballot(&ballot("ballot_bit_count", "InclusiveScan, %v"), "%u32"),
        each(&|mask, lane| (mask & ((2 << lane) - 1)).count_ones())
    );
    assert_eq!(
        on_ballot(&ballot("ballot_bit_count", "ExclusiveScan, %v"), "%u32"),
        each(&|mask, lane| (mask & ((1 << lane) - 1)).count_ones())
    );
    assert_eq!(on_ballot(&ballot("ballot_find_lsb", "%v"), "%u32"), each(&|mask, _| mask.trailing_zeros()));
    assert_eq!(on_ballot(&ballot("ballot_find_msb", "%v"), "%u32"), each(&|mask, _| 31 - mask.leading_zeros()));
}

/// Lanes below 3 do the first, the others the second.
fn diverged(first: &str, second: &str) -> String {
    format!(
        "  %below: %bool = u_less_than %i, %c3
  branch_if %below ^first ^second
block ^first:
{first}  branch ^join(%f)
block ^second:
{second}  branch ^join(%s)
block ^join(%value: %u32):"
    )
}

#[test]
fn lanes_that_are_not_there_take_no_part() {
    let add = |name: &str| format!("  %{name}: %u32 = group_non_uniform_i_add %c3, Reduce, %c1\n");
    assert_eq!(run(&diverged(&add("f"), &add("s")), 8, 8), [3, 3, 3, 5, 5, 5, 5, 5]);
    let zero = "  %f: %u32 = copy_object %c0\n";
    assert_eq!(run(&diverged(zero, &add("s")), 8, 8), [0, 0, 0, 5, 5, 5, 5, 5]);
    let gone = "  %s: %u32 = group_non_uniform_broadcast %c3, %x, %c0\n";
    assert_eq!(some(&diverged(zero, gone), 5, 8), [Some(0), Some(0), Some(0), None, None]);
}

#[test]
fn lanes_that_are_behind_catch_up() {
    // Each lane goes round as often as its number says; all meet behind the loop.
    let body = "  branch ^head(%c0)
block ^head(%round: %u32):
  %turns: %u32 = group_non_uniform_i_add %c3, Reduce, %c1
  %next: %u32 = i_add %round, %c1
  %more: %bool = u_less_than %round, %i
  branch_if %more ^again ^done
edge ^again:
  branch ^head(%next)
block ^done:
  %all_lanes: %u32 = group_non_uniform_i_add %c3, Reduce, %c1
  %tens: %u32 = i_mul %all_lanes, %c100
  %value: %u32 = i_add %tens, %turns";
    assert_eq!(run(body, 4, 4), [404, 403, 402, 401]);
}

#[test]
fn operations_of_a_whole_group_need_the_whole_group() {
    let add = |name: &str, scope: &str| format!("  %{name}: %u32 = group_i_add {scope}, Reduce, %c1\n");
    for scope in ["%c2", "%c3"] {
        let failure = kernel("", &diverged(&add("f", scope), &add("s", scope))).failure(&launch(8, 8));
        assert_eq!(behaviour(&failure), UndefinedBehaviour::BarrierDivergence);
        assert_eq!((failure.lane.local, failure.other.unwrap().lane.local), ([0, 0, 0], [3, 0, 0]));
    }
    let failure = kernel("", "  %value: %u32 = group_broadcast %c2, %x, %i").failure(&launch(2, 8));
    assert_eq!(behaviour(&failure), UndefinedBehaviour::NotUniform);
    let failure = kernel("", "  %value: %u32 = group_non_uniform_i_add %c2, Reduce, %c1").failure(&launch(2, 8));
    assert!(
        matches!(&failure.end, End::Unsupported { what, .. } if what.contains("group_non_uniform_i_add")),
        "{failure}"
    );
}

const EVENTS: &str = "%three: %u64 = constant words(3, 0)
%four: %u64 = constant words(4, 0)
%event = type_event
%no_event: %event = constant_null
%event_pointer = type_pointer Function, %event
";

#[test]
fn asynchronous_copies_go_both_ways() {
    let kernel = Kernel::with(
        EVENTS,
        "%out: %global, %in: %global, %l: %local",
        "  %e: %event_pointer = variable Function
  %e1: %event = group_async_copy %c2, %l, %in, %n2, %three, %no_event
  %far: %local = ptr_access_chain %l, %c2
  %e2: %event = group_async_copy %c2, %far, %in, %n2, %n1, %e1
  store %e, %e2
  group_wait_events %c2, %c1, %e
  %mine: %local = ptr_access_chain %l, %i
  %got: %u32 = load %mine
  %more: %u32 = i_add %got, %c100
  store %mine, %more
  control_barrier %c2, %c2, %local_only
  %e3: %event = group_async_copy %c2, %out, %l, %four, %n2, %no_event
  store %e, %e3
  group_wait_events %c2, %c1, %e
  return",
    );
    let mut launch = launch(4, 8);
    launch.races = Races::Report;
    launch.buffers[0] = vec![0; 4 * 7];
    launch.arguments.push(KernelArgument::Local { bytes: 16 });
    let outcome = kernel.outcome(&launch);
    assert_eq!((outcome.failure, outcome.races), (None, vec![]));
    // What was gathered: elements 0 and 3 of the input, then 0 and 1; it is scattered to every second word.
    let gathered = [VALUES[0], VALUES[3], VALUES[0], VALUES[1]].map(|value| value.wrapping_add(100));
    let expected = [gathered[0], 0, gathered[1], 0, gathered[2], 0, gathered[3]];
    assert_eq!(outcome.buffers[0].bytes, bytes(&expected));
    launch.arguments[2] = KernelArgument::Local { bytes: 12 };
    assert_eq!(behaviour(&kernel.failure(&launch)), UndefinedBehaviour::OutOfBounds);
}
