//! What the tests of the kernel passes share: kernels in the text form, passes that are run and held, and the outside judge.

use reconverge_diagnostic::Diagnostic;
use reconverge_ir::{Inst, Module, text};
use reconverge_opencl::{Context, GlobalOffset, KernelOptions};
use reconverge_restructure::{Options, structurize};
use reconverge_testing::judge::{Environment, Validator};
use reconverge_verify::verify;

/// What OpenCL kernels begin with: types by short names, a few constants.
pub(crate) const HEAD: &str = "\
capability Kernel
capability Addresses
capability Int64
memory_model Physical64, OpenCL
%void = type_void
%bool = type_bool
%u8 = type_int 8, 0
%u16 = type_int 16, 0
%u32 = type_int 32, 0
%u64 = type_int 64, 0
%f16 = type_float 16
%f32 = type_float 32
%f64 = type_float 64
%v2u32 = type_vector %u32, 2
%v3u32 = type_vector %u32, 3
%v4u32 = type_vector %u32, 4
%v4u8 = type_vector %u8, 4
%v3f32 = type_vector %f32, 3
%v4f32 = type_vector %f32, 4
%v8f32 = type_vector %f32, 8
%v3u64 = type_vector %u64, 3
%zero: %u32 = constant 0
%one: %u32 = constant 1
%two: %u32 = constant 2
%three: %u32 = constant 3
%four: %u32 = constant 4
%zero64: %u64 = constant words(0, 0)
%one64: %u64 = constant words(1, 0)
%global_u32 = type_pointer CrossWorkgroup, %u32
%global_f32 = type_pointer CrossWorkgroup, %f32
%constant_u32 = type_pointer UniformConstant, %u32
%local_u32 = type_pointer Workgroup, %u32
%local_f32 = type_pointer Workgroup, %f32
%buffer_u32 = type_pointer PhysicalStorageBuffer, %u32
%buffer_u64 = type_pointer PhysicalStorageBuffer, %u64
";

/// A module of the head and this text, which is valid.
pub(crate) fn kernel(body: &str) -> Module {
    let source = format!("{HEAD}{body}");
    let module = text::parse(&source).unwrap_or_else(|error| panic!("{error:?}\n{source}"));
    check_verified(&module);
    module
}

/// The verifier finds nothing.
pub(crate) fn check_verified(module: &Module) {
    let findings = verify(module);
    if let Some(finding) = findings.first() {
        panic!("{} findings, the first: {finding}\n{}", findings.len(), text::print(module));
    }
}

/// A pass.
pub(crate) type Pass = fn(&mut Module, &mut Context) -> Result<bool, Diagnostic>;

/// Runs a pass that changes something; the module is valid afterwards, and a second run changes nothing.
pub(crate) fn run(pass: Pass, module: &mut Module, context: &mut Context) {
    match pass(module, context) {
        Ok(changed) => assert!(changed, "nothing changed\n{}", text::print(module)),
        Err(error) => panic!(
            "{error} at {}\n{}",
            text::print_inst(module, Inst::of_place(error.place).expect("the error is at an instruction")),
            text::print(module)
        ),
    }
    check_verified(module);
    let once = (text::print(module), context.reflection.clone());
    let again = pass(module, context);
    assert_eq!(again, Ok(false), "a second run changes something: {}", text::print(module));
    assert_eq!((text::print(module), context.reflection.clone()), once);
}

/// Runs a pass that may find nothing to do.
pub(crate) fn apply(pass: Pass, module: &mut Module, context: &mut Context) {
    if let Err(error) = pass(module, context) {
        panic!(
            "{error} at {}\n{}",
            text::print_inst(module, Inst::of_place(error.place).expect("the error is at an instruction")),
            text::print(module)
        );
    }
    check_verified(module);
}

/// What a pass refuses.
pub(crate) fn refused(pass: Pass, module: &Module, context: &mut Context) -> Diagnostic {
    pass(&mut module.clone(), context).expect_err("the pass should refuse")
}

/// A context whose launches may have a global offset.
pub(crate) fn with_offset() -> Context {
    Context::new(KernelOptions::new().global_offset(GlobalOffset::Passed))
}

/// `spirv-val` accepts the module for Vulkan, once every function is structured.
pub(crate) fn check_judged(module: &Module) {
    let mut module = module.clone();
    for function in module.functions().collect::<Vec<_>>() {
        structurize(&mut module, function, &Options::default()).unwrap_or_else(|error| panic!("{error}"));
    }
    check_verified(&module);
    let judge = Validator::find().unwrap_or_else(|error| panic!("{error}"));
    if let Err(message) = judge.judge(&module, &[], Environment::Vulkan1_2) {
        panic!("{message}\n{}", text::print(&module));
    }
}

/// How often a word occurs in the printed module.
pub(crate) fn occurrences(module: &Module, word: &str) -> usize {
    text::print(module).matches(word).count()
}

/// The lines of the printed module that hold all of these words.
pub(crate) fn lines(module: &Module, words: &[&str]) -> Vec<String> {
    let printed = text::print(module);
    let found = printed.lines().filter(|line| words.iter().all(|word| line.contains(word)));
    found.map(|line| line.trim().to_owned()).collect()
}
