//! Calls of functions that clang leaves as imports.

use crate::kernel_library::{after, refused};
use reconverge_ir::{Inst, Module, Op};
use reconverge_opencl::resolve_builtins;

const HEAD: &str = "\
memory_model Physical64, OpenCL
%void = type_void
%i8 = type_int 8, 0
%i16 = type_int 16, 0
%i32 = type_int 32, 0
%i64 = type_int 64, 0
%f16 = type_float 16
%f32 = type_float 32
%f64 = type_float 64
%f16x4 = type_vector %f16, 4
%i32x4 = type_vector %i32, 4
%bytes = type_pointer CrossWorkgroup, %i8
%generic = type_pointer Generic, %i8
%words = type_pointer Workgroup, %i32
%0i: %i32 = constant_null
%1i: %i32 = constant 1
%2i: %i32 = constant 2
%3i: %i32 = constant 3
%4i: %i32 = constant 4
";

/// A module that calls one imported function from a function with the same parameters or constants in their place.
fn source(symbol: &str, result: &str, parameters: &[&str], arguments: &[&str]) -> String {
    let names = ["%a", "%b", "%c", "%d"];
    let declared: Vec<String> = parameters.iter().zip(names).map(|(ty, name)| format!("{name}: %{ty}")).collect();
    let passed: Vec<String> = arguments
        .iter()
        .zip(names)
        .map(|(argument, name)| if argument.is_empty() { name.to_owned() } else { format!("%{argument}") })
        .collect();
    let end = if result == "void" { "return".to_owned() } else { "return_value %r".to_owned() };
    format!(
        "{HEAD}func %imported: %{result} ({}) {{decorate LinkageAttributes \"{symbol}\" 1}}
         func %f: %{result} ({}) {{
         block ^entry:
           %r: %{result} = function_call %imported{}
           {end}
         }}",
        declared.join(", "),
        declared.join(", "),
        passed.iter().map(|name| format!(", {name}")).collect::<String>()
    )
}

fn resolved(symbol: &str, result: &str, parameters: &[&str], arguments: &[&str]) -> Module {
    let module = after(&source(symbol, result, parameters, arguments), resolve_builtins);
    assert_eq!(module.functions().count(), 1, "the declaration goes");
    module
}

/// The only instruction of an op, with its operands as words; `None` for what is no constant.
fn only(module: &Module, op: Op) -> (Inst, Vec<Option<u32>>) {
    let blocks = module.functions().flat_map(|function| module.blocks(function));
    let found: Vec<Inst> =
        blocks.flat_map(|block| module.children(block)).filter(|&inst| module.op(inst) == op).collect();
    let [inst] = found[..] else { panic!("{} instructions {op:?}", found.len()) };
    (inst, module.operands(inst).map(|operand| module.literal_word(operand)).collect())
}

#[test]
fn atomics_of_open_cl_1() {
    let module = resolved("_Z10atomic_incPU3AS1Vi", "i32", &["bytes"], &[""]);
    let (_, operands) = only(&module, Op::AtomicIIncrement);
    assert_eq!(operands, [None, Some(1), Some(0)]);
    assert_eq!(only(&module, Op::Bitcast).1, [None], "the pointer was one to bytes");
    let module = resolved("_Z10atomic_maxPU3AS3Vjj", "i32", &["words", "i32"], &["", ""]);
    assert_eq!(only(&module, Op::AtomicUMax).1, [None, Some(1), Some(0), None]);
    let module = resolved("_Z8atom_minPU3AS3Vii", "i32", &["words", "i32"], &["", "2i"]);
    assert_eq!(only(&module, Op::AtomicSMin).1, [None, Some(1), Some(0), Some(2)]);
    let module = resolved("_Z11atomic_xchgPU3AS1Vff", "f32", &["bytes", "f32"], &["", ""]);
    assert_eq!(only(&module, Op::AtomicExchange).1, [None, Some(1), Some(0), None]);
}

#[test]
fn atomics_of_open_cl_2() {
    let symbol = "_Z25atomic_fetch_max_explicitPU3AS4VU7_Atomicii12memory_order12memory_scope";
    let module = resolved(symbol, "i32", &["generic", "i32", "i32", "i32"], &["", "", "2i", "4i"]);
    assert_eq!(only(&module, Op::AtomicSMax).1, [None, Some(3), Some(2), None], "acquire, subgroup");
    let module = resolved(symbol, "i32", &["generic", "i32", "i32", "i32"], &["", "", "", ""]);
    assert_eq!(only(&module, Op::AtomicSMax).1, [None, Some(1), Some(16), None], "the strongest where it is not known");
    let module = resolved("_Z16atomic_fetch_minPU3AS4VU7_Atomicff", "f32", &["generic", "f32"], &["", ""]);
    assert_eq!(only(&module, Op::AtomicFMinEXT).1, [None, Some(1), Some(16), None]);
}

#[test]
fn fences() {
    let module = resolved("_Z9mem_fencej", "void", &["i32"], &["1i"]);
    assert_eq!(only(&module, Op::MemoryBarrier).1, [Some(2), Some(0x108)]);
    let module = resolved("_Z14read_mem_fencej", "void", &["i32"], &["2i"]);
    assert_eq!(only(&module, Op::MemoryBarrier).1, [Some(2), Some(0x202)]);
    let module = resolved("_Z15write_mem_fencej", "void", &["i32"], &[""]);
    assert_eq!(only(&module, Op::MemoryBarrier).1, [Some(2), Some(0x304)]);
    let module = resolved("_Z17sub_group_barrierj12memory_scope", "void", &["i32", "i32"], &["3i", "1i"]);
    assert_eq!(only(&module, Op::ControlBarrier).1, [Some(3), Some(2), Some(0x308)]);
    let module = resolved("_Z9get_fencePU3AS4v", "i32", &["generic"], &[""]);
    assert_eq!(only(&module, Op::BitwiseAnd).1, [None, Some(3)]);
}

#[test]
fn conversions() {
    let module = resolved("_Z16convert_half_rtzf", "f16", &["f32"], &[""]);
    let (inst, _) = only(&module, Op::FConvert);
    let decorations: Vec<Vec<Option<u32>>> = module
        .decorations(inst)
        .iter()
        .filter(|&&decoration| module.op(decoration) == Op::Decorate)
        .map(|&decoration| module.operands(decoration).map(|operand| module.literal_word(operand)).collect())
        .collect();
    assert_eq!(decorations, [[Some(39), Some(1)]]);
    let module = resolved("_Z13convert_half4Dv4_j", "f16x4", &["i32x4"], &[""]);
    only(&module, Op::ConvertUToF);
    let module = resolved("_Z14convert_doublei", "f64", &["i32"], &[""]);
    only(&module, Op::ConvertSToF);
    let module = resolved("_Z18convert_double_rted", "f64", &["f64"], &[""]);
    assert_eq!(
        module
            .functions()
            .flat_map(|function| module.blocks(function))
            .flat_map(|block| module.children(block))
            .count(),
        1
    );
}

#[test]
fn what_is_not_known_is_named() {
    let named = |symbol: &str| refused(&source(symbol, "i32", &["i32"], &[""]), resolve_builtins);
    assert_eq!(named("_Z8my_thingi"), "call of my_thing, which the module imports");
    assert_eq!(named("printf"), "call of printf, which the module imports");
    assert_eq!(named("_Z10atomic_incPU3AS1Vi"), "call of atomic_inc, which the module imports", "no pointer is passed");
    assert_eq!(named("_Z10atomic_inci"), "call of atomic_inc, which the module imports");
    assert_eq!(named("_Z9mem_fenceii"), "call of mem_fence, which the module imports", "too few arguments");
}

#[test]
fn nothing_to_do() {
    let module = format!("{HEAD}func %f: %void () {{\nblock ^entry:\n  return\n}}");
    after(&module, resolve_builtins);
    let uncalled = format!("{HEAD}func %imported: %void () {{decorate LinkageAttributes \"strange\" 1}}");
    after(&uncalled, resolve_builtins);
}
