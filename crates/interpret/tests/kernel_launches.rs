//! What kernels start from: sizes, arguments, built-in variables, specialization; and what memory is there.

use crate::common::kernel::{Kernel, PRELUDE, behaviour, bytes, group, words};
use reconverge_diagnostic::Diagnostic;
use reconverge_interpret::{
    BoundBuffer, BufferAddress, End, Holder, KernelArgument, KernelLaunch, KernelOutcome, LaunchCode,
    UndefinedBehaviour,
};

const STORE: &str = "\
  %place: %global = ptr_access_chain %out, %id
  store %place, %value
  return";

fn storing(globals: &str, parameters: &str, body: &str) -> Kernel {
    Kernel::with(globals, parameters, &format!("{body}{STORE}"))
}

/// A kernel whose lanes each store the components of a built-in, 64 bits each.
fn built_in(number: u32, ty: &str, components: u32, prelude: &str) -> Kernel {
    let mut text = format!(
        "{prelude}%pointer = type_pointer Input, {ty}
%var: %pointer = variable Input {{decorate BuiltIn {number}}}
%type = type_function %void, %global64
%wide: %u64 = constant words({components}, 0)
func %k: %void (%out: %global64) type %type {{
block ^entry:
  %i32: %u32 = load %index
  %i: %u64 = u_convert %i32
  %first: %u64 = i_mul %i, %wide
  %value: {ty} = load %var
"
    );
    let is_wide = ty.starts_with("%u64");
    let scalar = if is_wide { "%u64" } else { "%u32" };
    for component in 0..components {
        let part = if components == 1 { "%value".into() } else { format!("%part{component}") };
        if components > 1 {
            text += &format!("  {part}: {scalar} = composite_extract %value, {component}\n");
        }
        let convert = if is_wide { "copy_object" } else { "u_convert" };
        text += &format!(
            "  %long{component}: %u64 = {convert} {part}
  %at{component}: %u64 = i_add %first, %k{component}
  %place{component}: %global64 = ptr_access_chain %out, %at{component}
  store %place{component}, %long{component}
"
        );
    }
    let constants: String =
        (0..components).map(|index| format!("%k{index}: %u64 = constant words({index}, 0)\n")).collect();
    Kernel::whole(&(constants_after(&text, &constants) + "  return\n}\n"))
}

fn constants_after(text: &str, constants: &str) -> String {
    text.replacen("%pointer =", &format!("{constants}%pointer ="), 1)
}

fn longs(kernel: &Kernel, launch: &KernelLaunch) -> Vec<u64> {
    let words = kernel.words(launch);
    words.chunks(2).map(|pair| u64::from(pair[0]) | u64::from(pair[1]) << 32).collect()
}

/// The last of two by three work-groups of 2 × 2 × 3 lanes writes last.
fn grid(components: usize) -> KernelLaunch {
    KernelLaunch {
        groups: [2, 3, 1],
        local: [2, 2, 3],
        offset: [100, 1 << 40, 7],
        work_dim: 2,
        subgroup_size: 8,
        ..group(1, 2 * 12 * components)
    }
}

#[test]
fn built_in_vectors_say_where_a_lane_is() {
    let check = |number: u32, expected: fn([u64; 3]) -> [u64; 3]| {
        let found = longs(&built_in(number, "%u64x3", 3, PRELUDE), &grid(3));
        for (index, found) in found.chunks(3).enumerate() {
            let index = index as u64;
            assert_eq!(found, expected([index % 2, index / 2 % 2, index / 4]), "{number} {index}");
        }
    };
    check(24, |_| [2, 3, 1]);
    check(25, |_| [2, 2, 3]);
    check(26, |_| [1, 2, 0]);
    check(27, |local| local);
    check(28, |[x, y, z]| [100 + 2 + x, (1 << 40) + 4 + y, 7 + z]);
    check(31, |_| [4, 6, 3]);
    check(32, |_| [2, 2, 3]);
    check(33, |_| [100, 1 << 40, 7]);
}

#[test]
fn built_in_scalars_are_as_wide_as_their_variables() {
    let check = |number: u32, expected: fn(u64) -> u64| {
        for ty in ["%u32", "%u64"] {
            let found = longs(&built_in(number, ty, 1, PRELUDE), &grid(1));
            assert_eq!(found, (0..12).map(expected).collect::<Vec<u64>>(), "{number} {ty}");
        }
    };
    check(29, |index| index);
    check(30, |_| 2);
    check(34, |index| (index / 4 * 6 + 4 + index / 2 % 2) * 4 + 2 + index % 2);
    check(36, |index| if index < 8 { 8 } else { 4 });
    check(37, |_| 8);
    check(38, |_| 2);
    check(39, |_| 2);
    check(40, |index| index / 8);
    check(41, |index| index % 8);
}

#[test]
fn subgroup_masks_have_a_bit_a_lane() {
    let check = |number: u32, expected: fn(u64) -> u64| {
        let found = longs(&built_in(number, "%u32x4", 4, PRELUDE), &grid(4));
        for (index, found) in found.chunks(4).enumerate() {
            assert_eq!(found, [expected(index as u64), 0, 0, 0], "{number} {index}");
        }
    };
    check(4416, |index| 1 << (index % 8));
    check(4417, |index| if index < 8 { 0xff << index & 0xff } else { 0xf << (index - 8) & 0xf });
    check(4418, |index| if index < 8 { 0xff << (index + 1) & 0xff } else { 0xf << (index - 7) & 0xf });
    check(4419, |index| (2 << (index % 8)) - 1);
    check(4420, |index| (1 << (index % 8)) - 1);
}

#[test]
fn vulkan_gives_every_subgroup_the_same_size() {
    let shader = PRELUDE.replace("capability Kernel", "capability Shader");
    assert_eq!(longs(&built_in(36, "%u32", 1, &shader), &grid(1)), [8; 12]);
}

#[test]
fn arguments_are_values_buffers_and_memory_of_the_group() {
    let globals = "%f32x3 = type_vector %f32, 3\n%pair = type_struct %u8, %u64\n";
    let body = "  %loaded: %u32 = load %in
  %y: %f32 = composite_extract %v, 1
  %word: %u32 = convert_f_to_u %y
  %long: %u64 = composite_extract %p, 1
  %low: %u32 = u_convert %long
  %is_null: %bool = ptr_equal %nothing, %null
  %one: %u32 = select %is_null, %c100, %c0
  %ab: %u32 = i_add %loaded, %word
  %abc: %u32 = i_add %ab, %low
  %value: %u32 = i_add %abc, %one
";
    let globals = format!("{globals}%null: %global = constant_null\n");
    let kernel = storing(&globals, "%out: %global, %in: %global, %v: %f32x3, %p: %pair, %nothing: %global", body);
    let vector: Vec<u8> = [1.0f32, 20.0, 3.0, 4.0].iter().flat_map(|value| value.to_le_bytes()).collect();
    let pair = [[5u8, 0, 0, 0, 0, 0, 0, 0], 3000u64.to_le_bytes()].concat();
    let mut launch = group(2, 2);
    launch.buffers.push(bytes(&[0, 0, 40_000]));
    launch.arguments.push(KernelArgument::Buffer { index: 1, offset: 8 });
    launch.arguments.push(KernelArgument::Bytes(vector.clone()));
    launch.arguments.push(KernelArgument::Bytes(pair));
    launch.arguments.push(KernelArgument::Bytes(vec![0; 8]));
    assert_eq!(kernel.words(&launch), [43_120; 2]);
    launch.arguments[2] = KernelArgument::Bytes(vector[..12].to_vec());
    assert_eq!(kernel.words(&launch), [43_120; 2]);
    for (index, wrong) in [
        (2, KernelArgument::Bytes(vector[..8].to_vec())),
        (2, KernelArgument::Buffer { index: 0, offset: 0 }),
        (1, KernelArgument::Buffer { index: 2, offset: 0 }),
        (4, KernelArgument::Bytes(vec![0; 4])),
        (3, KernelArgument::Local { bytes: 8 }),
    ] {
        let mut launch = launch.clone();
        launch.arguments[index] = wrong;
        assert_eq!(refused(kernel.launch(&launch)), format!("argument {index} does not fit its parameter"));
    }
    launch.arguments.pop();
    assert_eq!(refused(kernel.launch(&launch)), "the function has 5 parameters, but the launch 4 arguments");
}

#[test]
fn a_struct_by_value_is_an_object_of_each_lane() {
    let globals = "%s = type_struct %u8, %u32\n%ps = type_pointer Function, %s\n";
    let body = "  %field: %private = in_bounds_access_chain %s1, %c1
  %was: %u32 = load %field
  %sum: %u32 = i_add %was, %i
  store %field, %sum
  %value: %u32 = load %field
";
    let kernel = storing(globals, "%out: %global, %s1: %ps", body);
    let mut launch = KernelLaunch { groups: [2, 1, 1], ..group(3, 6) };
    launch.arguments.push(KernelArgument::Bytes([1u8, 0, 0, 0, 50, 0, 0, 0].to_vec()));
    assert_eq!(kernel.words(&launch), [50, 51, 52, 50, 51, 52]);
    launch.arguments[1] = KernelArgument::Bytes(vec![0; 7]);
    assert_eq!(refused(kernel.launch(&launch)), "argument 1 does not fit its parameter");
}

#[test]
fn memory_of_a_group_is_undefined_in_each_group_and_gone_after_it() {
    let globals = "%shared: %local = variable Workgroup\n";
    let body = "  %old: %u32 = load %shared\n  store %shared, %c7\n  %value: %u32 = copy_object %old\n";
    let outcome = storing(globals, "%out: %global", body).outcome(&KernelLaunch { groups: [3, 1, 1], ..group(2, 6) });
    assert_eq!(outcome.failure, None);
    let defined: Vec<bool> = outcome.buffers[0].defined.chunks(4).map(|bytes| bytes[0]).collect();
    assert_eq!(defined, [false, true, false, true, false, true]);
    assert_eq!(outcome.buffers[0].bytes[4..8], [7, 0, 0, 0]);
    let end = Kernel::body(
        "%out: %global, %l: %local",
        "  %far: %local = ptr_access_chain %l, %i\n  store %far, %i\n  return",
    );
    let mut launch = group(4, 1);
    launch.arguments.push(KernelArgument::Local { bytes: 12 });
    let failure = end.failure(&launch);
    assert_eq!((behaviour(&failure), failure.lane.local), (UndefinedBehaviour::OutOfBounds, [3, 0, 0]));
}

const SIZED: &str = "%count: %u32 = spec_constant 2 {decorate SpecId 5}
%twice: %u32 = spec_constant_op 132, %count, %c2
%flag: %bool = spec_constant_false {decorate SpecId 6}
%real: %f32 = spec_constant 1065353216 {decorate SpecId 7}
%cells = type_array %u32, %twice
%cells_pointer = type_pointer Workgroup, %cells
%cells_variable: %cells_pointer = variable Workgroup
";

#[test]
fn specialization_constants_size_arrays_and_enter_constant_operations() {
    let body = "  %last: %u32 = i_sub %twice, %c1
  %cell: %local = access_chain %cells_variable, %last
  store %cell, %twice
  %back: %u32 = load %cell
  %whole: %u32 = convert_f_to_u %real
  %sum: %u32 = i_add %back, %whole
  %value: %u32 = select %flag, %c100, %sum
";
    let kernel = storing(SIZED, "%out: %global", body);
    let with = |specialization: &[(u32, u64)]| {
        kernel.words(&KernelLaunch { specialization: specialization.to_vec(), ..group(1, 1) })
    };
    assert_eq!(with(&[]), [4 + 1]);
    assert_eq!(with(&[(5, 10)]), [20 + 1]);
    assert_eq!(with(&[(7, u64::from(3f32.to_bits())), (5, 500), (99, 1)]), [1000 + 3]);
    assert_eq!(with(&[(6, 1)]), [100]);
    let beyond = storing(SIZED, "%out: %global", &body.replace("i_sub %twice, %c1", "copy_object %c7"));
    let launch = |count| KernelLaunch { specialization: vec![(5, count)], ..group(1, 1) };
    assert_eq!(behaviour(&beyond.failure(&launch(2))), UndefinedBehaviour::OutOfBounds);
    assert_eq!(beyond.words(&launch(4)), [8 + 1]);
}

#[test]
fn a_required_work_group_size_must_be_the_launch_s() {
    let body = "block ^entry:\n  return\n}\n";
    let head = "%type = type_function %void\nfunc %k: %void () type %type {\n";
    let modes = [
        ("entry_point Kernel, %k, \"k\"\nexecution_mode %k, LocalSize, 4, 2, 1\n", vec![]),
        (
            "%x: %u32 = spec_constant 1 {decorate SpecId 0}
%y: %u32 = spec_constant 1 {decorate SpecId 1}
%u32x3 = type_vector %u32, 3
%size: %u32x3 = spec_constant_composite %x, %y, %c1 {decorate BuiltIn 25}\n",
            vec![(0, 4), (1, 2)],
        ),
        (
            "%x: %u32 = spec_constant 1 {decorate SpecId 0}
entry_point Kernel, %k, \"k\"\nexecution_mode_id %k, LocalSizeId, %x, %c2, %c1\n",
            vec![(0, 4)],
        ),
    ];
    for (mode, specialization) in modes {
        let kernel = Kernel::new(&format!("{mode}{head}{body}"));
        let launch = |local| KernelLaunch {
            local,
            specialization: specialization.clone(),
            arguments: Vec::new(),
            ..group(1, 0)
        };
        assert_eq!(kernel.outcome(&launch([4, 2, 1])).executed, 8);
        let wrong = "the kernel requires work-groups of 4 × 2 × 1 lanes, the launch has 2 × 4 × 1";
        assert_eq!(refused(kernel.launch(&launch([2, 4, 1]))), wrong, "{mode}");
    }
}

#[test]
fn launches_of_no_shape_are_refused() {
    const LANES: &str = "a work-group has 1 to 65,535 lanes";
    let kernel = storing("", "%out: %global", "  %value: %u32 = copy_object %i\n");
    let shape = |local, subgroup_size| kernel.launch(&KernelLaunch { local, subgroup_size, ..group(1, 1) });
    assert_eq!(refused(shape([0, 1, 1], 8)), LANES);
    assert_eq!(refused(shape([256, 256, 1], 8)), LANES);
    assert_eq!(refused(shape([u32::MAX; 3], 8)), "a grid has fewer than 2^32 lanes");
    assert_eq!(refused(shape([1, 1, 1], 0)), "a subgroup has 1 to 128 lanes");
    assert_eq!(refused(shape([1, 1, 1], 129)), "a subgroup has 1 to 128 lanes");
    let huge = kernel.launch(&KernelLaunch { groups: [1 << 31, 2, 1], ..group(1, 1) });
    assert_eq!(refused(huge), "a grid has fewer than 2^32 lanes");
    let none = kernel.outcome(&KernelLaunch { groups: [0, 1, 1], ..group(1, 1) });
    assert_eq!((none.executed, words(&none.buffers[0])), (0, vec![0]));
}

/// The form that kernels are lowered to: no parameters, addresses in push constants, 32-bit built-ins.
const LOWERED: &str = "\
capability Shader
capability PhysicalStorageBufferAddresses
memory_model PhysicalStorageBuffer64, Vulkan
%void = type_void
%u32 = type_int 32, 0
%u64 = type_int 64, 0
%u32x2 = type_vector %u32, 2
%u32x3 = type_vector %u32, 3
%c0: %u32 = constant 0
%c1: %u32 = constant 1
%four: %u64 = constant words(4, 0)
%in = type_pointer Input, %u32x3
%gid: %in = variable Input {decorate BuiltIn 28}
%block = type_struct %u64, %u32x2 {decorate Block, member_decorate 0 Offset 0, member_decorate 1 Offset 8}
%block_pointer = type_pointer PushConstant, %block
%push: %block_pointer = variable PushConstant
%push64 = type_pointer PushConstant, %u64
%push2 = type_pointer PushConstant, %u32x2
%word = type_pointer PhysicalStorageBuffer, %u32
%type = type_function %void
func %k: %void () type %type {
block ^entry:
  %ids: %u32x3 = load %gid
  %id: %u32 = composite_extract %ids, 0
  %id64: %u64 = u_convert %id
  %bytes: %u64 = i_mul %id64, %four
  %out_at: %push64 = access_chain %push, %c0
  %out: %u64 = load %out_at
  %address: %u64 = i_add %out, %bytes
  %place: %word = convert_u_to_ptr %address
  %in_at: %push2 = access_chain %push, %c1
  %halves: %u32x2 = load %in_at
  %from: %word = bitcast %halves
  %value: %u32 = load %from, 2, 4
  %there: %u32x2 = bitcast %from
  %again: %word = bitcast %there
  %value2: %u32 = load %again, 2, 4
  %sum: %u32 = i_add %value, %value2
  %with_id: %u32 = i_add %sum, %id
  store %place, %with_id, 2, ALIGN
  return
}
";

#[test]
fn a_lowered_kernel_finds_its_buffers_by_address() {
    let kernel = Kernel::whole(&LOWERED.replace("ALIGN", "4"));
    let launch = KernelLaunch {
        groups: [2, 1, 1],
        local: [2, 1, 1],
        buffers: vec![vec![0; 20], bytes(&[1, 2, 21])],
        push_constants: vec![0; 16],
        addresses: vec![
            BufferAddress { holder: Holder::PushConstants, at: 0, buffer: 0, offset: 4 },
            BufferAddress { holder: Holder::PushConstants, at: 8, buffer: 1, offset: 8 },
        ],
        ..KernelLaunch::default()
    };
    assert_eq!(kernel.words(&launch), [0, 42, 43, 44, 45]);
    let misaligned = Kernel::whole(&LOWERED.replace("ALIGN", "8"));
    let failure = misaligned.failure(&launch);
    assert_eq!((behaviour(&failure), failure.lane.global), (UndefinedBehaviour::Misaligned, [0, 0, 0]));
    let mut beyond = launch.clone();
    beyond.groups = [3, 1, 1];
    let failure = kernel.failure(&beyond);
    assert_eq!((behaviour(&failure), failure.lane.group), (UndefinedBehaviour::OutOfBounds, [2, 0, 0]));
    for (at, buffer) in [(9, 1), (0, 2), (usize::MAX, 0)] {
        let mut wrong = launch.clone();
        wrong.addresses[1] = BufferAddress { holder: Holder::PushConstants, at, buffer, offset: 0 };
        assert_eq!(refused(kernel.launch(&wrong)), "address 1 does not belong to a buffer, or does not fit its place");
    }
}

#[test]
fn a_buffer_may_hold_addresses() {
    let globals = "%pp = type_pointer CrossWorkgroup, %global\n";
    let kernel = storing(
        globals,
        "%out: %global, %table: %pp",
        "  %p: %pp = ptr_access_chain %table, %i\n  %to: %global = load %p\n  %value: %u32 = load %to\n",
    );
    let mut launch = group(2, 2);
    launch.buffers.extend([vec![0; 16], bytes(&[5, 6, 7])]);
    launch.arguments.push(KernelArgument::Buffer { index: 1, offset: 0 });
    launch.addresses = vec![
        BufferAddress { holder: Holder::Buffer(1), at: 8, buffer: 2, offset: 0 },
        BufferAddress { holder: Holder::Buffer(1), at: 0, buffer: 2, offset: 8 },
    ];
    assert_eq!(kernel.words(&launch), [7, 5]);
    launch.addresses.pop();
    assert_eq!(behaviour(&kernel.failure(&launch)), UndefinedBehaviour::NullAddress);
    launch.addresses[0].at = 9;
    assert_eq!(refused(kernel.launch(&launch)), "address 0 does not belong to a buffer, or does not fit its place");
}

#[test]
fn initializers_may_point_into_other_variables() {
    let globals = "%array = type_array %u32, %c4
%array_pointer = type_pointer UniformConstant, %array
%constant = type_pointer UniformConstant, %u32
%to_constant = type_pointer UniformConstant, %constant
%values: %array = constant_composite %c1, %c100, %c7, %c16
%table: %array_pointer = variable UniformConstant, %values
%third: %constant = spec_constant_op 70, %table, %c0, %c2
%held: %to_constant = variable UniformConstant, %third
%zeros: %array = constant_null
%nothing: %array_pointer = variable UniformConstant, %zeros
";
    let body = "  %to: %constant = load %held
  %it: %constant = ptr_access_chain %to, %i
  %found: %u32 = load %it
  %zero_at: %constant = access_chain %nothing, %i
  %zero: %u32 = load %zero_at
  %value: %u32 = i_add %found, %zero
";
    assert_eq!(storing(globals, "%out: %global", body).words(&group(2, 2)), [7, 16]);
}

#[test]
fn generic_pointers_know_where_they_point() {
    let globals = "%shared: %local = variable Workgroup\n";
    let body = "  %mine: %private = variable Function, %c16
  %g0: %generic = ptr_cast_to_generic %out
  %g1: %generic = ptr_cast_to_generic %shared
  %g2: %generic = ptr_cast_to_generic %mine
  %is1: %bool = i_equal %i, %c1
  %is2: %bool = i_equal %i, %c2
  %g01: %generic = select %is1, %g1, %g0
  %g: %generic = select %is2, %g2, %g01
  %semantics: %u32 = generic_ptr_mem_semantics %g
  %as_local: %local = generic_cast_to_ptr_explicit %g, Workgroup
  %null: %local = bitcast %n0
  %is_not: %bool = ptr_equal %as_local, %null
  %tens: %u32 = select %is_not, %c1, %c0
  %value: %u32 = i_add %semantics, %tens
";
    assert_eq!(storing(globals, "%out: %global", body).words(&group(3, 3)), [0x200 + 1, 0x100, 1]);
}

#[test]
fn copies_and_alignment_are_checked() {
    let body = |copy: &str| {
        format!(
            "  %to: %global8 = bitcast %out
  %from: %global8 = bitcast %in
  %odd: %global8 = ptr_access_chain %to, %c2
  {copy}
  return"
        )
    };
    let run = |copy: &str| {
        let kernel = Kernel::with("%n6: %u64 = constant words(6, 0)\n", "%out: %global, %in: %global", &body(copy));
        let mut launch = group(1, 2);
        launch.buffers.push((1..=8).collect());
        launch.arguments.push(KernelArgument::Buffer { index: 1, offset: 0 });
        kernel.outcome(&launch)
    };
    let done = run("copy_memory_sized %odd, %from, %n6, 2, 2");
    assert_eq!((done.failure, &done.buffers[0].bytes[..]), (None, &[0, 0, 1, 2, 3, 4, 5, 6][..]));
    let wrong = run("copy_memory_sized %odd, %from, %n6, 2, 4").failure.unwrap();
    assert_eq!(behaviour(&wrong), UndefinedBehaviour::Misaligned);
    assert_eq!(run("copy_memory_sized %odd, %from, %n6, 2, 2, 2, 8").failure, None);
    let wrong = run("copy_memory_sized %from, %odd, %n6, 2, 8, 2, 4").failure.unwrap();
    assert_eq!(behaviour(&wrong), UndefinedBehaviour::Misaligned);
    let done = run("copy_memory %out, %in");
    assert_eq!(done.buffers[0].bytes, [1, 2, 3, 4, 0, 0, 0, 0]);
}

#[test]
fn a_failure_says_which_lane_and_stops_the_launch() {
    let body = "  %room: %u32 = i_sub %c5, %i\n  %value: %u32 = u_div %c100, %room\n";
    let kernel = storing("", "%out: %global", body);
    let launch = KernelLaunch { groups: [4, 1, 1], local: [3, 2, 1], ..group(1, 64) };
    let failure = kernel.failure(&launch);
    assert_eq!(behaviour(&failure), UndefinedBehaviour::DivisionByZero);
    assert_eq!((failure.lane.group, failure.lane.local, failure.lane.global), ([0; 3], [2, 1, 0], [2, 1, 0]));
    let value = Kernel::new(
        "%type = type_function %u32\nfunc %k: %u32 () type %type {\nblock ^entry:\n  return_value %c1\n}\n",
    );
    let end = value.failure(&KernelLaunch { arguments: Vec::new(), ..group(1, 0) }).end;
    assert!(matches!(end, End::Malformed { .. }), "{end}");
}

#[test]
fn private_variables_begin_anew_in_each_lane() {
    let globals = "%array = type_array %u32, %c3
%values: %array = constant_composite %c7, %c100, %c5
%pointer = type_pointer Private, %array
%cell = type_pointer Private, %u32
%table: %pointer = variable Private, %values
%holder = type_pointer Private, %pointer
%held: %holder = variable Private, %table
";
    let body = "  %cell_at: %cell = access_chain %table, %c1
  %old: %u32 = load %cell_at
  store %cell_at, %c0
  %own: %pointer = load %held
  %again: %cell = access_chain %own, %c1
  %now: %u32 = load %again
  %value: %u32 = i_add %old, %now
";
    let launch = KernelLaunch { groups: [2, 1, 1], ..group(3, 6) };
    assert_eq!(storing(globals, "%out: %global", body).words(&launch), [100; 6]);
}

/// One number of a binding in two descriptor sets is two buffers; a function that is called accesses one of them.
#[test]
fn buffers_are_bound_by_set_and_number() {
    let kernel = Kernel::whole(
        "\
capability Shader
memory_model Logical, GLSL450
%void = type_void
%u32 = type_int 32, 0
%c0: %u32 = constant 0
%words = type_runtime_array %u32 {decorate ArrayStride 4}
%block = type_struct %words {decorate Block, member_decorate 0 Offset 0}
%pointer = type_pointer StorageBuffer, %block
%word = type_pointer StorageBuffer, %u32
%in: %pointer = variable StorageBuffer {decorate DescriptorSet 3, decorate Binding 1}
%out: %pointer = variable StorageBuffer {decorate DescriptorSet 0, decorate Binding 1}
%type = type_function %void
%getter = type_function %u32
func %get: %u32 () type %getter {
block ^entry:
  %from: %word = access_chain %in, %c0, %c0
  %got: %u32 = load %from
  return_value %got
}
func %k: %void () type %type {
block ^entry:
  %value: %u32 = function_call %get
  %to: %word = access_chain %out, %c0, %c0
  store %to, %value
  return
}
",
    );
    let bound = |set, buffer| BoundBuffer { set, binding: 1, buffer };
    let launch = KernelLaunch {
        arguments: Vec::new(),
        buffers: vec![bytes(&[0]), bytes(&[42])],
        bindings: vec![bound(0, 0), bound(3, 1)],
        ..group(1, 0)
    };
    assert_eq!(kernel.words(&launch), [42]);
}

/// The message of a launch that does not start.
fn refused(launched: Result<KernelOutcome, Diagnostic>) -> String {
    let error = launched.expect_err("the launch does not fit");
    assert_eq!(error.code, LaunchCode::Launch);
    error.message
}
