//! Undefined values that reach buffers and atomic operations, with the place that they come from; copies that nobody waits for; what is
//! printed; work-groups of several sizes; arguments by value.

use crate::common::kernel::{Kernel, behaviour, group, words};
use reconverge_interpret::{
    Access, Cause, End, KernelLaunch, KernelOutcome, MemoryObject, RaceRule, Races, UndefinedBehaviour, UndefinedValues,
};
use reconverge_ir::Op;

fn reporting(lanes: u32, words: usize) -> KernelLaunch {
    KernelLaunch { undefined: UndefinedValues::Report, races: Races::Report, ..group(lanes, words) }
}

fn kernel(body: &str) -> Kernel {
    Kernel::with("%one: %f32 = constant 1133903872\n%n32: %u64 = constant words(32, 0)\n", "%out: %global", body)
}

/// The op of the store, the cause, and the op of the origin of the only reported store.
fn origin(kernel: &Kernel, outcome: &KernelOutcome) -> (Op, Cause, Op) {
    assert_eq!(outcome.failure, None);
    let [write] = &outcome.undefined[..] else { panic!("{:?}", outcome.undefined) };
    assert_eq!(write.object, MemoryObject::Buffer(0));
    let origin = write.origin.expect("the origin is known");
    (kernel.module.op(write.place.inst), origin.cause, kernel.module.op(origin.place.inst))
}

#[test]
fn u15_an_undefined_value_is_written_to_a_buffer() {
    let rows = [
        ("%x: %u32 = undef", Cause::NoValue, Op::Undef),
        ("%p: %private = variable Function\n  %x: %u32 = load %p", Cause::NeverWritten, Op::Load),
        // 300 as a float.
        ("%y: %u8 = convert_f_to_u %one\n  %x: %u32 = u_convert %y", Cause::Conversion, Op::ConvertFToU),
        ("%y: %u64 = shift_left_logical %id, %n32\n  %x: %u32 = u_convert %y", Cause::NoValue, Op::Nop),
        ("%x: %u32 = shift_left_logical %c1, %c100", Cause::Shift, Op::ShiftLeftLogical),
        (
            "%p: %private = variable Function\n  %y: %u32 = undef\n  store %p, %y\n  %x: %u32 = load %p",
            Cause::NoValue,
            Op::Undef,
        ),
        (
            "%y: %u32 = undef\n  %v: %u32x2 = composite_construct %i, %y\n  %w: %u32x2 = i_add %v, %v
  %x: %u32 = composite_extract %w, 1",
            Cause::NoValue,
            Op::Undef,
        ),
    ];
    for (text, cause, op) in rows {
        let kernel = kernel(&format!("  {text}\n  store %out, %x\n  return"));
        let outcome = kernel.outcome(&reporting(1, 1));
        match op {
            Op::Nop => assert_eq!(outcome.undefined, [], "{text}"),
            _ => assert_eq!(origin(&kernel, &outcome), (Op::Store, cause, op), "{text}"),
        }
        let ignored = kernel.outcome(&group(1, 1));
        assert_eq!((ignored.undefined.len(), ignored.failure), (0, None));
    }
}

#[test]
fn the_fourth_component_of_three_is_not_written() {
    let globals = "%global4 = type_pointer CrossWorkgroup, %u32x4\n%u32x3 = type_vector %u32, 3\n";
    let body = "  %three: %u32x3 = composite_construct %c1, %c2, %c3
  %four: %u32x4 = vector_shuffle %three, %three, 0, 1, 2, 4294967295
  %place: %global4 = bitcast %out
  store %place, %four
  return";
    let launch = KernelLaunch { buffers: vec![vec![9; 16]], ..reporting(1, 4) };
    let outcome = Kernel::with(globals, "%out: %global", body).outcome(&launch);
    assert_eq!((outcome.undefined.len(), words(&outcome.buffers[0])), (0, vec![1, 2, 3, 0x0909_0909]));
}

#[test]
fn padding_is_defined() {
    let globals =
        "%pair = type_struct %u8, %u32\n%pointer = type_pointer Function, %pair\n%first = type_pointer Function, %u8\n";
    let body = "  %p: %pointer = variable Function
  %a: %first = access_chain %p, %c0
  %small: %u8 = u_convert %c5
  store %a, %small
  %b: %private = access_chain %p, %c1
  store %b, %c7
  copy_memory_sized %out, %p, %eight
  return";
    let text = format!("{globals}%eight: %u64 = constant words(8, 0)\n");
    let kernel = Kernel::with(&text, "%out: %global", body);
    let outcome = kernel.outcome(&reporting(1, 2));
    assert_eq!((outcome.undefined.len(), words(&outcome.buffers[0])), (0, vec![5, 7]));
    let without = Kernel::with(&text, "%out: %global", &body.replace("  store %b, %c7\n", ""));
    let outcome = without.outcome(&reporting(1, 2));
    assert_eq!(origin(&without, &outcome), (Op::CopyMemorySized, Cause::NeverWritten, Op::CopyMemorySized));
    assert_eq!(outcome.undefined[0].offset, 4);
}

#[test]
fn u16_an_atomic_operation_uses_an_undefined_value() {
    let shared = "%shared: %local = variable Workgroup\n";
    let body = "  %old: %u32 = atomic_i_add %shared, %c2, %c0, %c1\n  store %out, %old\n  return";
    let failure = Kernel::with(shared, "%out: %global", body).failure(&reporting(1, 1));
    assert_eq!(behaviour(&failure), UndefinedBehaviour::UndefinedAtomic);
    assert!(matches!(failure.origin.unwrap().object, Some(MemoryObject::Variable(_))), "{failure}");
    let exchanged = "  %old: %u32 = atomic_exchange %shared, %c2, %c0, %c1\n  %new: %u32 = atomic_load %shared, %c2, %c0\n  store %out, %new\n  return";
    assert_eq!(Kernel::with(shared, "%out: %global", exchanged).words(&reporting(1, 1)), [1]);
    let operand = "  %x: %u32 = undef\n  atomic_store %out, %c1, %c0, %x\n  return";
    let failure = kernel(operand).failure(&reporting(1, 1));
    assert_eq!(behaviour(&failure), UndefinedBehaviour::UndefinedAtomic);
}

/// Begins a copy of four words from `%in` to `%tile`; `%e` is where its event is stored.
fn copying(rest: &str) -> Kernel {
    let globals = "%event = type_event
%no_event: %event = constant_null
%events = type_pointer Function, %event
%four: %u64 = constant words(4, 0)
%row = type_array %u32, %c4
%rows = type_pointer Workgroup, %row
%tile4: %rows = variable Workgroup
";
    let begin = "  %e: %events = variable Function
  %tile: %local = access_chain %tile4, %c0
  %one: %event = group_async_copy %c2, %tile, %out, %four, %n1, %no_event
";
    Kernel::with(globals, "%out: %global", &format!("{begin}{rest}\n  return"))
}

#[test]
fn u17_a_copy_is_not_awaited() {
    let failure = copying("").failure(&reporting(4, 4));
    assert_eq!(behaviour(&failure), UndefinedBehaviour::CopyNotAwaited);
    let done = copying("  store %e, %one\n  group_wait_events %c2, %c1, %e");
    assert_eq!(done.words(&reporting(4, 4)), [0; 4]);
}

#[test]
fn u18_an_event_is_awaited_that_is_none() {
    for rest in ["  group_wait_events %c2, %c1, %e", "  store %e, %no_event\n  group_wait_events %c2, %c1, %e"] {
        let failure = copying(rest).failure(&reporting(4, 4));
        assert_eq!(behaviour(&failure), UndefinedBehaviour::NoSuchEvent, "{rest}");
    }
    let again = "  store %e, %one
  group_wait_events %c2, %c1, %e
  group_wait_events %c2, %c1, %e
  %two: %event = group_async_copy %c2, %tile, %out, %four, %n1, %one
  group_wait_events %c2, %c1, %e";
    assert_eq!(copying(again).words(&reporting(4, 4)), [0; 4]);
}

#[test]
fn the_memory_of_a_copy_is_not_accessed_before_the_wait() {
    let wait = "  store %e, %one\n  group_wait_events %c2, %c1, %e";
    let races = |access: &str| copying(&format!("{access}\n{wait}")).outcome(&reporting(4, 4)).races;
    let early = races("  %x: %u32 = load %tile");
    let [race] = &early[..] else { panic!("{early:?}") };
    assert_eq!((race.rule, race.first.access, race.first.is_copy), (RaceRule::InFlight, Access::Write, true));
    assert_eq!(races("  %x: %u32 = load %out"), []);
    assert_eq!(copying(&format!("{wait}\n  %x: %u32 = load %tile")).outcome(&reporting(4, 4)).races, []);
}

#[test]
fn what_is_printed_has_its_lane() {
    let text = |text: &str| {
        let bytes: Vec<String> = text.bytes().chain([0]).map(|byte| format!("%b{byte}")).collect();
        let constants: std::collections::BTreeSet<u8> = text.bytes().chain([0]).collect();
        let constants: String = constants.iter().map(|byte| format!("%b{byte}: %u8 = constant {byte}\n")).collect();
        format!(
            "%set = ext_inst_import \"OpenCL.std\"\n{constants}%length: %u32 = constant {}\n%string = type_array %u8, %length
%constants = type_pointer UniformConstant, %string\n%character = type_pointer UniformConstant, %u8
%value: %string = constant_composite {}\n%format: %constants = variable UniformConstant, %value\n",
            bytes.len(),
            bytes.join(", ")
        )
    };
    let body = "  %first: %character = access_chain %format, %c0
  %x: %u32 = undef
  %r: %u32 = ext_inst %set, 184, %first, %i, %x
  %at: %global = ptr_access_chain %out, %id
  store %at, %r
  return";
    let kernel = Kernel::with(&text("%3u|%d%%\n"), "%out: %global", body);
    let outcome = kernel.outcome(&group(2, 2));
    let printed: Vec<(u64, &[u8])> =
        outcome.printed.iter().map(|printed| (printed.lane.global[0], &printed.bytes[..])).collect();
    assert_eq!(printed, [(0, &b"  0|undef%\n"[..]), (1, b"  1|undef%\n")]);
    assert_eq!(words(&outcome.buffers[0]), [0, 0]);
    let limited = kernel.outcome(&KernelLaunch { printed_limit: 12, ..group(2, 2) });
    assert_eq!((limited.printed.len(), words(&limited.buffers[0])), (1, vec![0, u32::MAX]));
    let wrong = Kernel::with(&text("%y"), "%out: %global", body).failure(&group(1, 1));
    assert!(matches!(wrong.end, End::Unsupported { .. }), "{wrong}");
}

#[test]
fn the_last_work_groups_may_be_smaller() {
    let globals = "%size: %in64x3 = variable Input {decorate BuiltIn 25}\n%whole: %in64x3 = variable Input {decorate BuiltIn 32}\n";
    let body = "  %v: %u64x3 = load %size
  %x: %u64 = composite_extract %v, 0
  %w: %u64x3 = load %whole
  %y: %u64 = composite_extract %w, 0
  control_barrier %c2, %c2, %all
  %sum: %u64 = i_add %x, %y
  %n: %u32 = u_convert %sum
  %at: %global = ptr_access_chain %out, %id
  store %at, %n
  return";
    let kernel = Kernel::with(globals, "%out: %global", body);
    let launch = KernelLaunch { groups: [3, 1, 1], global: Some([10, 1, 1]), ..group(4, 10) };
    assert_eq!(kernel.words(&launch), [8, 8, 8, 8, 8, 8, 8, 8, 6, 6]);
    let wrong = KernelLaunch { groups: [2, 1, 1], ..launch };
    assert!(kernel.launch(&wrong).is_err());
}

#[test]
fn a_parameter_by_value_points_to_a_copy() {
    let kernel = |attribute: &str| {
        Kernel::new(&format!(
            "%type = type_function %void, %global
%callee = type_function %u32, %private
func %f: %u32 (%p: %private{attribute}) type %callee {{
block ^entry:
  %old: %u32 = load %p
  %new: %u32 = i_add %old, %c1
  store %p, %new
  return_value %new
}}
func %k: %void (%out: %global) type %type {{
block ^entry:
  %p: %private = variable Function
  store %p, %c5
  %one: %u32 = function_call %f, %p
  %two: %u32 = function_call %f, %p
  %sum: %u32 = i_add %one, %two
  store %out, %sum
  return
}}
"
        ))
    };
    assert_eq!(kernel(" {decorate FuncParamAttr 2}").words(&group(1, 1)), [12]);
    assert_eq!(kernel(" {decorate FuncParamAttr 5}").words(&group(1, 1)), [13]);
}
