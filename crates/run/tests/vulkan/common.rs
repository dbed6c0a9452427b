//! Shaders and devices for the tests. What is missing makes a test fail and say how to get it.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus};

use reconverge_diagnostic::Diagnostic;
use reconverge_run::vulkan::{
    Buffer, Device, DeviceChoice, Dispatch, DispatchTimes, Instance, InstanceOptions, Pipeline, Requirements, Shader,
    Validation,
};

/// Environment variable that names the device of the tests, for a test that runs another one in a process with other drivers.
pub(crate) const DEVICE: &str = "RECONVERGE_VULKAN_TEST_DEVICE";

/// What the shader `ids` needs.
pub(crate) const IDS: [&str; 1] = ["vulkanMemoryModel"];
/// What the shaders with 64-bit integers need.
pub(crate) const WIDE: [&str; 2] = ["shaderInt64", "vulkanMemoryModel"];

/// Environment variable that says to a test in a process of its own what that process lacks.
pub(crate) const CHILD: &str = "RECONVERGE_VULKAN_TEST_CHILD";

/// The folder of the tools of `cargo xtask setup`.
pub(crate) fn tools() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../target/tools")
}

/// Assembles `tests/shaders/{name}.spvasm`.
pub(crate) fn shader(name: &str) -> Vec<u8> {
    let beside = std::env::var_os("RECONVERGE_SPIRV_VAL").map(|path| PathBuf::from(path).with_file_name("spirv-as"));
    let assembler = beside.unwrap_or_else(|| tools().join("spirv/bin/spirv-as"));
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/shaders").join(name).with_extension("spvasm");
    let mut command = Command::new(&assembler);
    command.args(["--target-env", "vulkan1.2", "-o", "-"]).arg(source);
    let output = command.output().unwrap_or_else(|_| panic!("no {}: run `cargo xtask setup`", assembler.display()));
    assert!(output.status.success(), "{name}: {}", String::from_utf8_lossy(&output.stderr));
    output.stdout
}

/// The software device that the tests run on.
pub(crate) fn choice() -> DeviceChoice {
    DeviceChoice::Name(std::env::var(DEVICE).unwrap_or_else(|_| "llvmpipe".to_owned()))
}

/// An instance; without a loader or a layer the test fails.
pub(crate) fn instance(validation: Validation) -> Instance {
    Instance::new(&InstanceOptions { validation }).unwrap_or_else(|error| lacking(&error))
}

/// Opens the device of the tests with these features.
pub(crate) fn open(features: &[&str]) -> Device {
    let requirements = Requirements { features, ..Requirements::default() };
    instance(Validation::Off).open(&choice(), &requirements).unwrap_or_else(|error| lacking(&error))
}

fn lacking(error: &Diagnostic) -> ! {
    panic!("{error}\nrun `cargo xtask setup`, which installs the drivers that the tests need")
}

/// The words of a buffer.
pub(crate) fn words(bytes: &[u8]) -> Vec<u32> {
    bytes.chunks_exact(4).map(|word| u32::from_le_bytes(word.try_into().expect("a chunk of four"))).collect()
}

/// The bytes of words.
pub(crate) fn bytes(words: &[u32]) -> Vec<u8> {
    words.iter().flat_map(|word| word.to_le_bytes()).collect()
}

/// Runs tests of this program, by their full names, in a process with these variables.
pub(crate) fn in_child(tests: &[&str], variables: &[(&str, &OsStr)]) {
    let (status, said) = child(tests, variables);
    assert!(status.success(), "{said}");
    assert!(said.contains(&format!("{} passed", tests.len())), "some of {tests:?} did not run:\n{said}");
}

/// Runs a test of this program in a process that may fall over once the test has passed.
pub(crate) fn passes_in_child(test: &str) {
    let (_, said) = child(&[test], &[(CHILD, "".as_ref())]);
    assert!(said.contains("1 passed"), "{said}");
}

/// How tests of this program end in a process of their own, and what they print.
fn child(tests: &[&str], variables: &[(&str, &OsStr)]) -> (ExitStatus, String) {
    let mut child = Command::new(std::env::current_exe().expect("this program has a path"));
    child.args(["--exact", "--nocapture"]).args(tests).envs(variables.iter().copied());
    let output = child.output().expect("this program starts again");
    let said = [output.stdout, output.stderr].map(|bytes| String::from_utf8_lossy(&bytes).into_owned()).concat();
    (output.status, said)
}

/// Compiles one of the shaders of the folder, or what is refused before a driver sees it.
#[expect(unsafe_code, reason = "a driver trusts the shader")]
pub(crate) fn compile(device: &Device, shader: &Shader<'_>) -> Result<Pipeline, Diagnostic> {
    // SAFETY: the shaders are valid where their features are enabled, and the validation layer looks at the one that is compiled without; each
    // test gives the interface of its shader.
    unsafe { device.compile(shader) }
}

/// Runs one of the shaders of the folder.
#[expect(unsafe_code, reason = "a device does what the shader says")]
pub(crate) fn launch(
    device: &Device,
    pipeline: &Pipeline,
    dispatch: &Dispatch<'_>,
    buffers: &mut [Buffer<'_>],
) -> Result<DispatchTimes, Diagnostic> {
    // SAFETY: each test gives its shader as much memory as it accesses, or the request is refused.
    unsafe { device.dispatch(pipeline, dispatch, buffers) }
}
