//! Kernels of this project, with and without their composites: memory is the same.

use std::fs;
use std::path::{Path, PathBuf};

use reconverge::pipeline::Level;
use reconverge::{CompileOptions, Format};
use reconverge_ir::{Module, Op, text};
use reconverge_lanes::scalarize;
use reconverge_rewrite::specialize::{Others, specialize};
use reconverge_run::{InterpreterOptions, Launch, Races, bind, interpret_compiled};
use reconverge_verify::verify_whole;

pub(crate) fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// A launch with the modules that it is for.
pub(crate) struct Case {
    pub(crate) launch: Launch,
    pub(crate) modules: Vec<PathBuf>,
}

pub(crate) fn cases(folder: &Path) -> Vec<Case> {
    let entries = folder.read_dir().expect("the folder is there").map(|entry| entry.expect("it is readable").path());
    let mut launches: Vec<PathBuf> =
        entries.filter(|path| path.extension().is_some_and(|extension| extension == "json")).collect();
    launches.sort();
    let read = |path: PathBuf| {
        let source = fs::read_to_string(&path).expect("it is readable");
        let mut launch = Launch::from_json(&source).expect("it is a launch");
        launch
            .resolve_files(|name| fs::read(folder.join(name)).map_err(|error| error.to_string()))
            .expect("its files are there");
        let document: serde_json::Value = serde_json::from_str(&source).expect("it is JSON");
        let named = document["modules"].as_array().map(|names| {
            names.iter().filter_map(|name| name.as_str()).map(|name| folder.join(name)).collect::<Vec<PathBuf>>()
        });
        let own = || ["spv", "O0.spv"].map(|extension| path.with_extension(extension)).to_vec();
        let modules = named.unwrap_or_else(own).into_iter().filter(|path| path.is_file()).collect();
        Case { launch, modules }
    };
    launches.into_iter().map(read).collect()
}

/// No instruction has a type with parts, except those with a result of two words.
pub(crate) fn hold_scalar(module: &Module, name: &str) {
    let blocks = module.functions().flat_map(|function| module.blocks(function));
    for inst in blocks.flat_map(|block| module.children(block)) {
        let Some(ty) = module.ty(inst) else { continue };
        let is_wide = matches!(module.op(inst), Op::IAddCarry | Op::ISubBorrow | Op::UMulExtended | Op::SMulExtended);
        let is_composite = matches!(module.op(ty), Op::TypeVector | Op::TypeMatrix | Op::TypeArray | Op::TypeStruct);
        assert!(!is_composite || is_wide, "{name}: {}", text::print_inst(module, inst));
    }
}

fn hold_valid(module: &Module, name: &str) {
    let findings = verify_whole(module);
    if let Some(finding) = findings.first() {
        panic!("{name}: {} findings, the first: {finding}\n{}", findings.len(), text::print(module));
    }
}

fn hold_kernel(path: &Path, launch: &Launch, level: Level) {
    let name = format!("{} -O{}", path.display(), level.name());
    let mut options = CompileOptions::new().level(level);
    options.kernel.kernels = launch.kernel.iter().cloned().collect();
    let output = reconverge::compile(&fs::read(path).expect("it is readable"), Format::SPIRV, Format::TEXT, &options)
        .unwrap_or_else(|error| panic!("{name}: {error:?}"));
    let reflection = output.run.reflection.expect("it is a kernel");
    let binding = bind(launch, &reflection).unwrap_or_else(|error| panic!("{name}: {error}"));
    let values: Vec<(u32, u64)> = binding.specialization.iter().map(|&(id, value)| (id, value.into())).collect();
    let mut module = output.module.clone();
    specialize(&mut module, &values, Others::Defaults).unwrap_or_else(|error| panic!("{name}: {error}"));
    let left = module.globals().find(|&global| module.op(global).is_specialization_constant());
    assert_eq!(left, None, "{name}");
    hold_valid(&module, &name);
    for function in module.functions().collect::<Vec<_>>() {
        scalarize(&mut module, function).unwrap_or_else(|error| panic!("{name}: {error}"));
    }
    hold_valid(&module, &name);
    hold_scalar(&module, &name);
    let options = InterpreterOptions { races: Races::Ignore, ..InterpreterOptions::default() };
    let [before, after] = [&output.module, &module].map(|module| {
        interpret_compiled(module, &reflection, launch, options).unwrap_or_else(|error| panic!("{name}: {error}"))
    });
    if let Some(failure) = before.failure.or(after.failure) {
        panic!("{name}: {failure}\n{}", text::print(&module));
    }
    assert!(before.buffers == after.buffers, "{name}: memory differs\n{}", text::print(&module));
}

fn hold_folder(folder: &Path, level: Level) {
    let cases = cases(folder);
    assert!(!cases.is_empty());
    for case in &cases {
        case.modules.iter().for_each(|module| hold_kernel(module, &case.launch, level));
    }
}

#[test]
fn kernels_of_the_project_are_the_same_in_scalars() {
    hold_folder(&root().join("tests/kernels"), Level::None);
}

#[test]
fn optimized_kernels_of_the_project_are_the_same_in_scalars() {
    hold_folder(&root().join("tests/kernels"), Level::Speed);
}

#[test]
fn kernels_of_hard_control_flow_are_the_same_in_scalars() {
    hold_folder(&root().join("tests/kernels/flow"), Level::None);
}

#[test]
fn optimized_kernels_of_hard_control_flow_are_the_same_in_scalars() {
    hold_folder(&root().join("tests/kernels/flow"), Level::Speed);
}
