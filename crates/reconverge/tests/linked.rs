//! OpenCL programs in several files: linked by this project, and by `spirv-link`, they run as expected on the interpreter and on lavapipe,
//! and every output is valid.

use std::fs;
use std::path::{Path, PathBuf};

use reconverge::LinkOptions;
use reconverge::ir::Module;
use reconverge::{CompileOptions, Format, Level, compile, link_modules, read, write};
use reconverge_run::vulkan::DeviceChoice;
use reconverge_run::{InterpreterOptions, Launch, VulkanOptions, compare, interpret, options_for};
use reconverge_testing::device;
use reconverge_testing::judge::{Environment, Validator};

/// Programs that `spirv-link` links to invalid modules: it leaves a call whose callee returns a pointer to another type.
const INVALID: [&str; 1] = ["pointer_results"];

struct Program {
    name: String,
    files: Vec<PathBuf>,
    launch: Launch,
    expected: Vec<u8>,
}

fn programs() -> Vec<Program> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/link");
    let entries = fs::read_dir(&folder).expect("the programs are there").map(|entry| entry.expect("an entry").path());
    let mut folders: Vec<PathBuf> = entries.filter(|path| path.is_dir()).collect();
    folders.sort();
    let program = |folder: PathBuf| {
        let launch = fs::read_to_string(folder.join("launch.json")).expect("there is a launch");
        let files = ["a", "b", "c", "d"].map(|name| folder.join(name).with_extension("spv"));
        Program {
            name: folder.file_name().expect("a folder has a name").to_string_lossy().into_owned(),
            files: files.into_iter().filter(|path| path.exists()).collect(),
            launch: Launch::from_json(&launch).expect("the launch is right"),
            expected: fs::read(folder.join("expected")).expect("the results are there"),
        }
    };
    let all: Vec<Program> = folders.into_iter().map(program).collect();
    assert_eq!(all.len(), 30);
    all
}

impl Program {
    fn linked(&self) -> Module {
        let modules = self.files.iter().map(|path| {
            let bytes = fs::read(path).expect("the module is there");
            (path.display().to_string(), read(&bytes, Format::SPIRV).expect("clang writes what can be read"))
        });
        link_modules(modules.collect(), LinkOptions::default())
            .unwrap_or_else(|errors| panic!("{}: {}", self.name, errors[0]))
    }

    fn check(&self, buffers: &[Vec<u8>], how: &str) {
        let outputs: Vec<Vec<u8>> = self.launch.outputs().map(|output| buffers[output.index].clone()).collect();
        assert_eq!(compare(&self.launch, &self.expected, &outputs), Ok(()), "{} {how}", self.name);
    }

    fn check_interpreted(&self, module: &Module, how: &str) {
        let outputs = interpret(module, &self.launch, InterpreterOptions::default());
        let run = outputs.unwrap_or_else(|error| panic!("{} {how}: {error}", self.name));
        assert!(run.failure.is_none(), "{} {how}: {:?}", self.name, run.failure);
        self.check(&run.buffers, how);
    }
}

#[test]
fn programs_run_on_the_interpreter_as_expected_and_as_those_of_another_linker() {
    let validator = Validator::find().expect("run `cargo xtask setup`");
    for program in programs() {
        let linked = program.linked();
        program.check_interpreted(&linked, "linked");
        let bytes = write(&linked, Format::SPIRV).expect("the linked module can be written");
        let verdict = validator.validate(&bytes, Environment::Universal);
        assert_eq!(verdict, Ok(()), "{}", program.name);
        let bytes = validator.link(&program.files).unwrap_or_else(|error| panic!("{}: {error}", program.name));
        let is_valid = validator.validate(&bytes, Environment::Universal).is_ok();
        assert_eq!(is_valid, !INVALID.contains(&program.name.as_str()), "{}", program.name);
        if is_valid {
            let other = read(&bytes, Format::SPIRV).expect("a valid module can be read");
            program.check_interpreted(&other, "linked by spirv-link");
        }
    }
}

#[test]
fn compiled_programs_are_valid_and_run_on_lavapipe_as_expected() {
    let validator = Validator::find().expect("run `cargo xtask setup`");
    let vulkan = VulkanOptions { device: DeviceChoice::Name("llvmpipe".to_owned()), ..VulkanOptions::default() };
    let kernel = options_for(&vulkan).expect("run `cargo xtask setup`");
    for program in programs() {
        let options =
            CompileOptions::new().kernel(kernel.clone().kernels(program.launch.kernel.clone())).level(Level::None);
        let linked = write(&program.linked(), Format::SPIRV).expect("the linked module can be written");
        let mut inputs = vec![("linked", linked)];
        if !INVALID.contains(&program.name.as_str()) {
            inputs.push(("linked by spirv-link", validator.link(&program.files).expect("spirv-link links it")));
        }
        for (how, bytes) in inputs {
            let output = compile(&bytes, Format::SPIRV, Format::SPIRV, &options);
            let output = output.unwrap_or_else(|error| panic!("{} {how}: {error}", program.name));
            assert_eq!(validator.validate(&output.bytes, Environment::Vulkan1_2), Ok(()), "{} {how}", program.name);
            let reflection = output.run.reflection.expect("kernels have a reflection");
            let run = device::run(&output.bytes, &reflection, &program.launch, &vulkan);
            let run = run.unwrap_or_else(|error| panic!("{} {how}: {error}", program.name));
            program.check(&run.buffers, how);
        }
    }
}
