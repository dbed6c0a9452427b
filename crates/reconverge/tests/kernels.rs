//! The kernels of the project through the library: every module compiles, by the rules after each pass, to the same bytes each time;
//! the validator accepts them; launches that do not fit are told apart.

use std::fs;
use std::path::{Path, PathBuf};

use reconverge::opencl::{GlobalOffset, Int64, KernelOptions, Reflection};
use reconverge::pipeline::Level;
use reconverge::{CompileOptions, Error, Format, Kind, Output, Target, compile};
use reconverge_run::{Argument, InterpreterOptions, Launch, RunError, bind, compare, interpret, interpret_compiled};
use reconverge_testing::is_deep;
use reconverge_testing::judge::{Environment, Validator};

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/kernels")
}

/// The modules of a folder, in order; which of them is told by the end of their names.
fn modules(folder: &Path, is_wanted: fn(&str) -> bool) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let paths = entries.map(|entry| entry.expect("the folder can be read").path());
    let mut paths: Vec<PathBuf> = paths.filter(|path| is_wanted(&path.to_string_lossy())).collect();
    paths.sort();
    assert!(!paths.is_empty(), "no module in {}", folder.display());
    paths
}

fn is_optimized(path: &str) -> bool {
    path.ends_with(".spv") && !path.ends_with(".O0.spv")
}

fn is_plain(path: &str) -> bool {
    path.ends_with(".O0.spv")
}

fn options(kernel: KernelOptions) -> CompileOptions {
    CompileOptions::new().verify_each(true).kernel(kernel).level(Level::None)
}

fn compiled(path: &Path, kernel: KernelOptions) -> Result<Output, Error> {
    let bytes = fs::read(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    compile(&bytes, Format::SPIRV, Format::SPIRV, &options(kernel))
}

/// Compiles a module, which must go.
fn compile_well(path: &Path, kernel: KernelOptions) -> Output {
    compiled(path, kernel).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

fn check_same_twice(paths: Vec<PathBuf>) {
    for path in paths {
        let once = compile_well(&path, KernelOptions::default());
        let twice = compile_well(&path, KernelOptions::default());
        assert!(once.bytes == twice.bytes, "{}: other bytes the second time", path.display());
        let (once, twice) = (once.run.reflection, twice.run.reflection);
        assert!(once.is_some() && once == twice, "{}: another reflection the second time", path.display());
    }
}

#[test]
fn every_optimized_module_compiles_to_the_same_bytes_each_time() {
    check_same_twice(modules(&folder(), is_optimized));
    check_same_twice(modules(&folder().join("breaks"), is_optimized));
}

#[test]
fn every_plain_module_compiles_to_the_same_bytes_each_time() {
    check_same_twice(modules(&folder(), is_plain));
}

/// What is not supported without 64-bit integers: atomics on them, broadcasts of vectors of them, vectors of eight by value.
const LONG: [&str; 4] = ["atomics_wide.spv", "atomics_wide.O0.spv", "group_planes.spv", "group_planes.O0.spv"];

#[test]
fn every_module_compiles_without_long_integers_and_with_an_offset() {
    let kernel = KernelOptions::new().int64(Int64::Split).global_offset(GlobalOffset::Passed);
    for path in modules(&folder(), is_optimized) {
        let output = match compiled(&path, kernel.clone()) {
            Err(error) if LONG.iter().any(|name| path.ends_with(name)) => {
                assert_eq!(error.kind(), Kind::Unsupported, "{}: {error}", path.display());
                continue;
            }
            output => output.unwrap_or_else(|error| panic!("{}: {error}", path.display())),
        };
        let reflection = output.run.reflection.expect("kernels have a reflection");
        assert!(!reflection.features.contains(&"shaderInt64"), "{}", path.display());
        assert!(reflection.kernels.iter().all(|kernel| kernel.global_offset.is_some()), "{}", path.display());
    }
}

/// One module for each thing that could displease the validator; all of them where time is no matter.
const JUDGED: [&str; 11] = [
    "atomics_wide.spv",
    "constant_mix.spv",
    "generic_pointers.O0.spv",
    "goto_tangle.spv",
    "group_scans.spv",
    "half_storage.spv",
    "many_arguments.O0.spv",
    "narrow_vectors.O0.spv",
    "program_tables.spv",
    "subgroup_folds.spv",
    "vector_widths.O0.spv",
];

#[test]
fn the_validator_accepts_what_comes_out() {
    let judge = Validator::find().unwrap_or_else(|error| panic!("{error}"));
    let paths = match is_deep() {
        true => modules(&folder(), |path| path.ends_with(".spv")),
        false => JUDGED.iter().map(|name| folder().join(name)).collect(),
    };
    for path in paths {
        for int64 in [Int64::Native, Int64::Split] {
            let output = match compiled(&path, KernelOptions::new().int64(int64)) {
                Err(_) if int64 == Int64::Split && LONG.iter().any(|name| path.ends_with(name)) => continue,
                output => output.unwrap_or_else(|error| panic!("{}: {error}", path.display())),
            };
            if let Err(message) = judge.validate(&output.bytes, Environment::Vulkan1_2) {
                panic!("{} ({int64:?}): {message}", path.display());
            }
        }
    }
}

#[test]
fn modules_that_clang_writes_wrongly_are_refused_or_give_what_the_source_says() {
    for path in modules(&folder().join("faults"), |path| path.ends_with(".spv")) {
        let output = match compiled(&path, KernelOptions::default()) {
            Ok(output) => output,
            Err(error) => {
                let kind = error.kind();
                assert!(matches!(kind, Kind::Rejected | Kind::Unsupported), "{}: {error}", path.display());
                continue;
            }
        };
        let name = path.file_name().expect("it is a file").to_string_lossy();
        let name = name.split('.').next().unwrap_or_default();
        let read = |ending: &str| fs::read(path.with_file_name(format!("{name}.{ending}"))).expect("it is there");
        let launch = Launch::from_json(&String::from_utf8_lossy(&read("json"))).expect("the launch is right");
        let reflection = output.run.reflection.expect("kernels have a reflection");
        let run = interpret_compiled(&output.module, &reflection, &launch, InterpreterOptions::default());
        let run = run.unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        assert!(run.failure.is_none(), "{}: {:?}", path.display(), run.failure);
        let outputs: Vec<Vec<u8>> = launch.outputs().map(|output| run.buffers[output.index].clone()).collect();
        assert_eq!(compare(&launch, &read("expected"), &outputs), Ok(()), "{}", path.display());
    }
}

/// A kernel with an argument of each kind, and a size that it requires.
const KINDS: &str = "\
capability Kernel
capability Addresses
memory_model Physical64, OpenCL
entry_point Kernel, %k, \"k\"
execution_mode %k, LocalSize, 4, 1, 1
%void = type_void
%u32 = type_int 32, 0
%global_u32 = type_pointer CrossWorkgroup, %u32
%local_u32 = type_pointer Workgroup, %u32
func %k: %void (%result: %global_u32, %count: %u32, %scratch: %local_u32) {
block ^entry:
  store %scratch, %count, 2, 4
  %again: %u32 = load %scratch, 2, 4
  store %result, %again, 2, 4
  return
}
";

fn launch(global: u64, local: Option<[u32; 3]>, flags: &[&str]) -> Launch {
    let arguments = flags.iter().map(|flag| Argument::from_flag(flag).unwrap_or_else(|error| panic!("{error}")));
    Launch { global: [global, 1, 1], local, arguments: arguments.collect(), ..Launch::default() }
}

fn kinds() -> (Output, Reflection) {
    let options = options(KernelOptions::default());
    let output = compile(KINDS.as_bytes(), Format::TEXT, Format::SPIRV, &options).expect("the kernel compiles");
    let reflection = output.run.reflection.clone().expect("a kernel has a reflection");
    (output, reflection)
}

#[test]
fn a_launch_that_fits_is_bound() {
    let (_, reflection) = kinds();
    let binding = bind(&launch(8, None, &["out:u32[2]", "u32=7", "local=6"]), &reflection).expect("it fits");
    assert_eq!((binding.entry_point.as_str(), binding.size.groups, binding.size.local), ("k", [2, 1, 1], [4, 1, 1]));
    assert_eq!(binding.push_constants.bytes, [0, 0, 0, 0, 0, 0, 0, 0, 7, 0, 0, 0]);
    assert_eq!((binding.buffers.len(), binding.push_constants.addresses.len()), (1, 1));
    assert_eq!(binding.specialization.len(), 1, "the size of the local memory");
    assert_eq!(binding.specialization[0].1, 8, "rounded up to the alignment");
}

#[test]
fn what_does_not_fit_is_named() {
    let (_, reflection) = kinds();
    let rows: [(&[&str], &[&str]); 7] = [
        (&["out:u32[2]", "u32=7", "local=18446744073709551615"], &["argument 2 (scratch) of k", "4 GiB"]),
        (&["out:u32[2]", "u32=7"], &["k takes 3 arguments", "2"]),
        (&["out:u32[2]", "u32=7", "local=4", "u32=1"], &["k takes 3 arguments", "4"]),
        (&["u32=7", "u32=7", "local=4"], &["argument 0 (result) of k", "pointer"]),
        (&["out:u32[2]", "local=4", "local=4"], &["argument 1 (count) of k", "value"]),
        (&["out:u32[2]", "u64=7", "local=4"], &["argument 1 (count) of k", "4 bytes", "8"]),
        (&["out:u32[2]", "u32=7", "in:u32[1]"], &["argument 2 (scratch) of k", "local memory"]),
    ];
    for (flags, expected) in rows {
        check_message(bind(&launch(8, None, flags), &reflection), expected);
    }
    let right = ["out:u32[2]", "u32=7", "local=4"];
    let mut empty = launch(8, None, &right);
    empty.arguments[2] = Argument::Local(0);
    let expected = "argument 2 (scratch) of k is refused: an argument in local memory needs at least 1 byte";
    check_message(bind(&empty, &reflection), &[expected]);
    check_message(bind(&launch(8, Some([8, 1, 1]), &right), &reflection), &["[4, 1, 1]", "[8, 1, 1]"]);
    check_message(bind(&launch(6, None, &right), &reflection), &["6", "4"]);
    check_message(bind(&launch(0, None, &right), &reflection), &["zero"]);
    let with_offset = Launch { offset: [1, 0, 0], ..launch(8, None, &right) };
    check_message(bind(&with_offset, &reflection), &["--global-offset"]);
    let other = Launch { kernel: Some("main".to_owned()), ..launch(8, None, &right) };
    check_message(bind(&other, &reflection), &["no kernel main", "the module has k"]);
}

#[test]
fn the_interpreter_names_what_does_not_fit() {
    let module = reconverge::read(KINDS.as_bytes(), Format::TEXT).expect("the text is right");
    let rows: [(&[&str], &[&str]); 3] = [
        (&["out:u32[2]", "u32=7"], &["3 parameters", "2 arguments"]),
        (&["u32=7", "u32=7", "local=4"], &["argument 0"]),
        (&["out:u32[2]", "u64=7", "local=4"], &["argument 1"]),
    ];
    for (flags, expected) in rows {
        check_message(interpret(&module, &launch(8, None, flags), InterpreterOptions::default()), expected);
    }
    let right = launch(8, Some([8, 1, 1]), &["out:u32[2]", "u32=7", "local=4"]);
    check_message(interpret(&module, &right, InterpreterOptions::default()), &["[4, 1, 1]", "[8, 1, 1]"]);
}

#[track_caller]
fn check_message<T: std::fmt::Debug>(result: Result<T, RunError>, expected: &[&str]) {
    let error = result.expect_err("the launch does not fit");
    assert_eq!(error.code().name, "run-launch");
    let message = error.to_string();
    for part in expected {
        assert!(message.contains(part), "{part} is not in: {message}");
    }
}

/// What optimizations make of private memory may have widths that the source does not.
#[test]
fn a_kernel_that_stays_one_is_valid_at_every_level() {
    for level in [Level::None, Level::Speed, Level::Size] {
        let options = CompileOptions::new().level(level).target(Target::INPUT);
        for path in modules(&folder(), is_plain) {
            let bytes = fs::read(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
            if let Err(error) = compile(&bytes, Format::SPIRV, Format::SPIRV, &options) {
                assert_ne!(error.kind(), Kind::Internal, "{}: {error}", path.display());
            }
        }
    }
}
