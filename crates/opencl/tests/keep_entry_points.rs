//! The kernels that are asked for stay, with what they need and no more.

use reconverge_ir::{Inst, Module, Op};
use reconverge_opencl::{Context, KernelErrorKind, KernelOptions, keep_entry_points};
use reconverge_testing::programs::{functions, hold_verified, plain_module};

const KERNELS: &str = "
capability Kernel
%cl = ext_inst_import \"OpenCL.std\"
%unused_set = ext_inst_import \"GLSL.std.450\"
memory_model Physical64, OpenCL
entry_point Kernel, %k, \"first\", %id
entry_point Kernel, %l, \"second\", %id, %size
execution_mode %k, LocalSize, 8, 1, 1
execution_mode %l, LocalSize, 4, 1, 1
%void = type_void
%u32 = type_int 32, 0
%u64 = type_int 64, 0
%f64 = type_float 64
%input = type_pointer Input, %u64
%table_pointer = type_pointer UniformConstant, %u32
%one: %u32 = constant 1
%two: %u32 = constant 2
%three: %u64 = constant words(3, 0)
%half: %f64 = constant words(0, 1071644672)
%id: %input = variable Input {decorate BuiltIn 28, decorate LinkageAttributes \"id\" 1}
%size: %input = variable Input {decorate BuiltIn 31}
%table: %table_pointer = variable UniformConstant, %two {decorate LinkageAttributes \"table\" 0}
%unused_table: %table_pointer = variable UniformConstant, %one {decorate LinkageAttributes \"other\" 0}
func %import: %u32 () {decorate LinkageAttributes \"_Z3foov\" 1}
func %helper: %u32 () {decorate LinkageAttributes \"helper\" 0} {
block ^entry:
  %a: %u32 = load %table
  %b: %u32 = function_call %import
  %c: %u32 = ext_inst %cl, 150, %a
  %d: %u32 = i_add %c, %b
  return_value %d
}
func %k: %void () {
block ^entry:
  %a: %u32 = function_call %helper
  %b: %u64 = load %id
  return
}
func %l: %void () {
block ^entry:
  %a: %u64 = load %size
  %b: %u64 = load %id
  %c: %u64 = i_add %a, %three
  return
}
func %unreached: %u32 () {decorate LinkageAttributes \"unreached\" 0} {
block ^entry:
  return_value %one
}
";

fn names(module: &Module, all: impl Iterator<Item = Inst>) -> Vec<String> {
    all.filter_map(|inst| module.name(inst)).collect()
}

fn kept(kernels: &[&str]) -> Module {
    let mut module = plain_module(KERNELS);
    hold_verified(&module);
    let kernels = kernels.iter().map(|&name| name.to_owned()).collect();
    let mut context = Context::new(KernelOptions { kernels, ..KernelOptions::default() });
    assert_eq!(keep_entry_points(&mut module, &mut context), Ok(true));
    hold_verified(&module);
    assert_eq!(keep_entry_points(&mut module, &mut context), Ok(false), "twice is once");
    module
}

#[test]
fn one_kernel_keeps_what_it_reaches() {
    let module = kept(&["first"]);
    let functions = names(&module, module.functions().map(Inst::from));
    assert_eq!(functions, ["import", "helper", "k"]);
    let globals = names(&module, module.globals());
    assert_eq!(globals, ["cl", "void", "u32", "u64", "input", "table_pointer", "two", "id", "table"]);
    assert_eq!(module.globals().filter(|&global| module.op(global) == Op::ExecutionMode).count(), 1);
}

#[test]
fn entry_points_name_what_is_left() {
    let module = kept(&["second"]);
    assert_eq!(names(&module, module.functions().map(Inst::from)), ["l"]);
    let entry = module.globals().find(|&global| module.op(global) == Op::EntryPoint).unwrap();
    assert_eq!(names(&module, module.operands(entry).skip(3)), ["id", "size"]);
}

#[test]
fn without_names_all_kernels_stay() {
    let module = kept(&[]);
    assert_eq!(functions(&module).len(), 3);
    assert_eq!(module.globals().filter(|&global| module.op(global) == Op::EntryPoint).count(), 2);
}

#[test]
fn exports_go_and_imports_stay() {
    let module = kept(&[]);
    let linked = |inst: &Inst| {
        let notes = module.decorations(*inst).iter();
        notes
            .filter(|&&note| module.op(note) == Op::Decorate)
            .any(|&note| module.literal_word(module.operand(note, 0)) == Some(41))
    };
    let linked = module.globals().chain(module.functions().map(Inst::from)).filter(linked);
    assert_eq!(names(&module, linked), ["id", "import"]);
}

#[test]
fn an_unknown_kernel_is_rejected_with_the_names_of_the_known() {
    let mut module = plain_module(KERNELS);
    let options = KernelOptions { kernels: vec!["third".to_owned()], ..KernelOptions::default() };
    let error = keep_entry_points(&mut module, &mut Context::new(options)).unwrap_err();
    assert_eq!(error.kind, KernelErrorKind::Rejected);
    assert_eq!(error.message, "no kernel is named \"third\"; the kernels are: first, second");
}

#[test]
fn a_module_without_kernels_is_rejected() {
    let mut module = plain_module("capability Kernel\nmemory_model Physical64, OpenCL\n");
    let error = keep_entry_points(&mut module, &mut Context::default()).unwrap_err();
    assert_eq!(error.message, "the module has no kernels");
}
