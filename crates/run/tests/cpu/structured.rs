//! Kernels that arrive structured: what the target `input` makes of a kernel is a kernel again, with merges.
//!
//! ```text
//! SPIR-V ─┬─────────────────────────────── compile at a level ─▶ buffers
//!         └─ target input, at any level ─▶ compile at a level ─▶ the same buffers
//! ```
//!
//! Every module is compiled both ways at one level, and one of [`STRIDE`] is also run. With `RECONVERGE_DEEP=1` all of them are compiled and
//! run at each level.

use reconverge::pipeline::Level;
use reconverge::{CompileOptions, Format, Target};
use reconverge_opencl::Driver;
use reconverge_run::{InterpreterOptions, Launch, Races, interpret_compiled};

use super::case::{Case, cases, root, scratch_buffers};
use super::trial::difference;

const LEVELS: [Level; 3] = [Level::None, Level::Speed, Level::Size];
/// So many cases are compiled for one that is run.
const STRIDE: usize = 20;

/// The kernel as a structured kernel; none if it is not valid for that.
fn structured(source: &[u8], level: Level) -> Option<Vec<u8>> {
    let options = CompileOptions::new().level(level).target(Target::INPUT);
    reconverge::compile(source, Format::SPIRV, Format::SPIRV, &options).ok().map(|output| output.bytes)
}

/// The buffers after a launch of a kernel, or none if the compiler refuses it or the interpreter fails.
fn buffers(source: &[u8], launch: &Launch, level: Level) -> Option<Vec<Vec<u8>>> {
    let mut options = CompileOptions::new().level(level);
    options.kernel.kernels = launch.kernel.iter().cloned().collect();
    let output = reconverge::compile(source, Format::SPIRV, Format::TEXT, &options).ok()?;
    let reflection = output.run.reflection.expect("a kernel has an interface");
    let options = InterpreterOptions { races: Races::Ignore, ..InterpreterOptions::default() };
    let ran = interpret_compiled(&output.module, &reflection, launch, options).ok()?;
    ran.failure.is_none().then_some(ran.buffers)
}

/// The errors of compiling a kernel once more at some levels, for a driver with faults too.
fn errors(source: &[u8], again: &[u8], levels: &[Level]) -> Vec<String> {
    let mut errors = Vec::new();
    let with_driver = |&level: &Level| [Driver::ANY, Driver::LAVAPIPE].map(|driver| (level, driver));
    for (level, driver) in levels.iter().flat_map(with_driver) {
        let mut options = CompileOptions::new().level(level);
        options.kernel.driver = driver;
        let compile = |bytes: &[u8]| reconverge::compile(bytes, Format::SPIRV, Format::SPIRV, &options);
        if let (Ok(_), Err(error)) = (compile(source), compile(again)) {
            errors.push(format!("-O{} for {driver:?}: {error}", level.name()));
        }
    }
    errors
}

/// How the results of the structured kernel differ.
fn differences(case: &Case, source: &[u8], again: &[u8]) -> Vec<String> {
    let launch = case.read_launch();
    let scratch = scratch_buffers(&case.launch);
    let of_level = |level: Level| {
        let expected = buffers(source, &launch, level)?;
        let found = buffers(again, &launch, level);
        let text = match found {
            Some(found) => difference(&launch, &scratch, &expected, &found)?,
            None => "only the structured kernel fails".to_owned(),
        };
        Some(format!("-O{}: {text}", level.name()))
    };
    LEVELS.into_iter().filter_map(of_level).collect()
}

#[test]
fn a_kernel_that_is_structured_compiles_to_the_same_results() {
    let is_deep = std::env::var_os("RECONVERGE_DEEP").is_some_and(|value| value == "1");
    let (mut compiled, mut run, mut wrong) = (0, 0, Vec::new());
    for (number, case) in cases(&root().join("tests/kernels")).iter().enumerate() {
        let source = std::fs::read(&case.module).expect("a module is readable");
        let Some(again) = structured(&source, LEVELS[number % LEVELS.len()]) else { continue };
        compiled += 1;
        // The level after the one that structured it.
        let next = LEVELS[(number + 1) % LEVELS.len()];
        let mut found = errors(&source, &again, if is_deep { &LEVELS } else { std::slice::from_ref(&next) });
        if is_deep || number % STRIDE == 0 {
            run += 1;
            found.extend(differences(case, &source, &again));
        }
        wrong.extend(found.into_iter().map(|text| format!("{}, {text}", case.name())));
    }
    assert!(compiled > 150 && run > 7, "{compiled} kernels were compiled, {run} run");
    assert_eq!(wrong, Vec::<String>::new());
}
