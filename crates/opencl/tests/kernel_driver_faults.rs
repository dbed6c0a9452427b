//! What is done for drivers with faults, and only for those; and constant addresses.

use reconverge_ir::{Module, Op, text, view};
use reconverge_opencl::{
    Context, Driver, Fma, KernelOptions, bounded_indices, constant_addresses, extended_instructions, relaxed_atomics,
    uneven_barriers,
};
use reconverge_verify::verify;
use spirv::GlslStd450Op;

fn parse(text: &str) -> Module {
    let module = text::parse(text).unwrap_or_else(|error| panic!("{error}\n{text}"));
    assert_eq!(verify(&module), []);
    module
}

fn context(driver: Driver) -> Context {
    Context::new(KernelOptions::new().driver(driver))
}

fn count(module: &Module, op: Op) -> usize {
    let insts = module.functions().flat_map(|function| module.descendants(function));
    insts.filter(|&inst| module.op(inst) == op).count()
}

const ARRAY: &str = "
%void = type_void
%u32 = type_int 32 0
%c0: %u32 = constant 0
%c3: %u32 = constant 3
%c16: %u32 = constant 16
%acquire: %u32 = constant 2
%acquire_release: %u32 = constant 8
%device: %u32 = constant 1
%array = type_array %u32 %c16
%arrays = type_pointer Function %array
%cell = type_pointer Function %u32
%shared = type_pointer Workgroup %u32
%word: %shared = variable Workgroup
%fn = type_function %void %u32
func %f: %void (%i: %u32) type %fn control 0 stage graph {
block ^entry:
  %v: %arrays = variable Function
  %p: %cell = access_chain %v, %i
  %q: %cell = access_chain %v, %c3
  store %p, %i
  store %q, %i
  %old: %u32 = atomic_compare_exchange %word, %device, %acquire_release, %acquire, %i, %c0
  return
}
";

/// The number of calls of an instruction of the device in what a call of a type becomes.
fn device_operations(call: &str, ty: &str, wanted: GlslStd450Op, options: KernelOptions) -> usize {
    let text = format!(
        "capability Kernel
%set = ext_inst_import \"OpenCL.std\"
memory_model Physical64, OpenCL
%f16 = type_float 16
%f32 = type_float 32
%f64 = type_float 64
%f32x4 = type_vector %f32, 4
func %f: %{ty} (%a: %{ty}) {{
block ^entry:
  %r: %{ty} = ext_inst %set, {call}
  return_value %r
}}"
    );
    let mut module = text::parse(&text).unwrap_or_else(|error| panic!("{error}\n{text}"));
    assert_eq!(extended_instructions(&mut module, &mut Context::new(options)), Ok(true));
    let insts = module.functions().flat_map(|function| module.descendants(function));
    let calls = insts.filter_map(|inst| view::ExtInst::of(&module, inst));
    calls.filter(|call| call.instruction == wanted as u32).count()
}

#[test]
fn a_product_and_a_sum_are_rounded_once_for_a_driver_that_rounds_twice() {
    for ty in ["f16", "f32", "f64", "f32x4"] {
        let of = |driver, fma| {
            let options = KernelOptions::new().driver(driver).fma(fma);
            device_operations("26, %a, %a, %a", ty, GlslStd450Op::Fma, options)
        };
        assert_eq!(of(Driver::ANY, Fma::Device), 1, "{ty}");
        assert_eq!(of(Driver::LAVAPIPE, Fma::Device), 0, "{ty}");
        assert_eq!(of(Driver::LAVAPIPE, Fma::Fused), 1, "{ty}: as asked");
    }
}

/// Its fallback without AVX-512 truncates 64-bit floats alone.
#[test]
fn doubles_are_rounded_to_even_by_a_formula_for_lavapipe_alone() {
    for (ty, driver, count) in [
        ("f64", Driver::ANY, 1),
        ("f64", Driver::SWIFTSHADER, 1),
        ("f64", Driver::LAVAPIPE, 0),
        ("f32", Driver::LAVAPIPE, 1),
        ("f32x4", Driver::LAVAPIPE, 1),
    ] {
        let options = KernelOptions::new().driver(driver);
        assert_eq!(device_operations("53, %a", ty, GlslStd450Op::RoundEven, options), count, "{ty} {}", driver.name());
    }
}

#[test]
fn indices_that_vary_are_bounded_for_lavapipe_alone() {
    for driver in [Driver::ANY, Driver::SWIFTSHADER] {
        let mut module = parse(ARRAY);
        assert_eq!(bounded_indices(&mut module, &mut context(driver)), Ok(false));
        assert_eq!(text::print(&module), text::print(&parse(ARRAY)));
    }
    let mut module = parse(ARRAY);
    assert_eq!(bounded_indices(&mut module, &mut context(Driver::LAVAPIPE)), Ok(true));
    assert_eq!(verify(&module), []);
    assert_eq!(count(&module, Op::ExtInst), 1, "the constant index stays\n{}", text::print(&module));
    assert!(text::print(&module).contains("constant 15"), "the last index is 15");
    assert_eq!(bounded_indices(&mut module, &mut context(Driver::LAVAPIPE)), Ok(false), "once is enough");
}

#[test]
fn atomics_lose_their_order_for_lavapipe_alone() {
    let order = |module: &Module| {
        let insts = module.functions().flat_map(|function| module.descendants(function));
        let atomic = insts.filter(|&inst| module.op(inst) == Op::AtomicCompareExchange).last().expect("it is there");
        [2, 3].map(|index| module.literal_word(module.operand(module.operand(atomic, index), 0)))
    };
    let mut module = parse(ARRAY);
    assert_eq!(relaxed_atomics(&mut module, &mut context(Driver::ANY)), Ok(false));
    assert_eq!(order(&module), [Some(8), Some(2)]);
    assert_eq!(relaxed_atomics(&mut module, &mut context(Driver::LAVAPIPE)), Ok(true));
    assert_eq!(order(&module), [Some(0); 2]);
    assert_eq!(relaxed_atomics(&mut module, &mut context(Driver::LAVAPIPE)), Ok(false), "once is enough");
}

/// A loop with a barrier, whose bound is compared with this number.
fn barrier_in_loop(bound: &str) -> Module {
    parse(&format!(
        "capability Shader
memory_model Logical, GLSL450
entry_point GLCompute, %main, \"main\", %lane, %memory
execution_mode %main, LocalSize, 64, 1, 1
%void = type_void
%bool = type_bool
%u32 = type_int 32, 0
%fn = type_function %void
%input = type_pointer Input, %u32
%lane: %input = variable Input {{decorate BuiltIn 29}}
%shared = type_pointer Workgroup, %u32
%memory: %shared = variable Workgroup
%workgroup: %u32 = constant 2
%semantics: %u32 = constant 264
%one: %u32 = constant 1
%zero: %u32 = constant 0
func %main: %void () type %fn control 0 stage structured {{
block ^entry:
  %index: %u32 = load %lane
  %stored: %u32 = load %memory
  loop ^head(%zero) break ^end continue ^next control 0
block ^head(%i: %u32):
  %more: %bool = u_less_than %i, {bound}
  branch_if %more ^body ^leave
edge ^leave:
  branch ^end
block ^body:
  %never: %bool = i_equal %stored, %one
  if %never ^wait ^skip merge ^joined control 0
block ^wait:
  control_barrier %workgroup, %workgroup, %semantics
  branch ^joined
edge ^skip:
  branch ^joined
block ^joined:
  branch ^next
block ^next:
  %j: %u32 = i_add %i, %one
  branch ^head(%j)
block ^end:
  return
}}
"
    ))
}

#[test]
fn barriers_in_loops_that_lanes_iterate_differently_are_found_for_lavapipe_alone() {
    for (bound, expected) in [("%index", 1), ("%stored", 0), ("%one", 0)] {
        let module = barrier_in_loop(bound);
        let found = uneven_barriers(&module, Driver::LAVAPIPE);
        assert_eq!(found.len(), expected, "{bound}");
        assert!(found.iter().all(|&inst| module.op(inst) == Op::ControlBarrier));
        assert_eq!(uneven_barriers(&module, Driver::ANY), []);
    }
}

#[test]
fn constant_addresses_become_instructions_where_they_are_used() {
    let mut module = parse(
        "
%u64 = type_int 64 0
%u32 = type_int 32 0
%shared = type_pointer Workgroup %u32
%word: %shared = variable Workgroup
%c4: %u64 = constant words(4, 0)
%address: %u64 = spec_constant_op 117 %word
%next: %u64 = spec_constant_op 128 %address %c4
%fn = type_function %u64
func %f: %u64 () type %fn control 0 stage graph {
block ^entry:
  %sum: %u64 = i_add %next, %next
  return_value %sum
}
func %g: %u64 () type %fn control 0 stage graph {
block ^entry:
  return_value %c4
}
",
    );
    assert_eq!(constant_addresses(&mut module, &mut Context::default()), Ok(true));
    assert_eq!(verify(&module), []);
    assert_eq!((count(&module, Op::ConvertPtrToU), count(&module, Op::IAdd)), (1, 2), "{}", text::print(&module));
    assert!(!module.globals().any(|global| module.op(global) == Op::SpecConstantOp), "{}", text::print(&module));
    assert_eq!(constant_addresses(&mut module, &mut Context::default()), Ok(false), "once is enough");
}
