//! The kernels of this project on the emulator of the VC4: memory is that of the interpreter.
//!
//! Integers are equal bit for bit. Floats may differ by [`RELATIVE`] or by the tolerance of the launch, whichever is larger: the chip rounds
//! sums toward zero, multiplies and converts with one rounding of its own, has no denormals, and divides by a refined reciprocal; an error of one
//! unit (2⁻²³) a step adds up over a kernel.

use std::collections::BTreeMap;
use std::path::Path;

use reconverge::pipeline::Level;
use reconverge::{CompileOptions, Format};
use reconverge_codegen::{Vc4Code, vc4};
use reconverge_ir::{Module, OpGroup};
use reconverge_opencl::Reflection;
use reconverge_run::{InterpreterOptions, Launch, Races, Tolerance, compare, interpret_compiled, run_on_vc4};

use crate::cpu::case::{Case, cases, root, scratch_buffers};

mod expected;

/// How far floats may differ.
const RELATIVE: f64 = 1.0 / 65536.0;

fn is_deep() -> bool {
    std::env::var_os("RECONVERGE_DEEP").is_some_and(|value| value == "1")
}

/// What was found.
#[derive(Clone, PartialEq, Eq, Debug)]
enum Verdict {
    /// Memory is that of the interpreter.
    Equal,
    /// The VC4 does not have something, named here, or not enough of it.
    Refused(String),
    /// The SPIR-V has no meaning, and there is nothing to run.
    Invalid(String),
    /// Memory differs, or the emulator or the interpreter failed.
    Wrong(String),
}

fn judge(case: &Case, level: Level) -> Verdict {
    let launch = case.read_launch();
    let source = std::fs::read(&case.module).expect("a module is readable");
    let mut options = CompileOptions::new().level(level).kernel(vc4::kernel_options());
    options.kernel.kernels = launch.kernel.iter().cloned().collect();
    let output = match reconverge::compile(&source, Format::SPIRV, Format::TEXT, &options) {
        Ok(output) => output,
        Err(error) => return Verdict::Invalid(error.to_string()),
    };
    let reflection = output.run.reflection.expect("a kernel has an interface");
    let found = match run_on_vc4(&output.module, &reflection, &launch) {
        Ok(run) => run.buffers,
        Err(error) if error.is(Vc4Code::Unsupported) || error.is(Vc4Code::Limit) => {
            return Verdict::Refused(error.to_string());
        }
        Err(error) => return Verdict::Wrong(error.to_string()),
    };
    match interpreted(&output.module, &reflection, &launch) {
        Ok(expected) => {
            let difference = difference(&launch, &scratch_buffers(&case.launch), &expected, &found);
            difference.map_or(Verdict::Equal, Verdict::Wrong)
        }
        Err(failure) => Verdict::Wrong(format!("only the interpreter fails: {failure}")),
    }
}

fn interpreted(module: &Module, reflection: &Reflection, launch: &Launch) -> Result<Vec<Vec<u8>>, String> {
    let has_subgroups = module.descendants(module.root()).any(|inst| module.op(inst).group() == OpGroup::Subgroup);
    let subgroup_size = if has_subgroups { 16 } else { 32 };
    let options = InterpreterOptions { subgroup_size, races: Races::Ignore, ..InterpreterOptions::default() };
    let ran = interpret_compiled(module, reflection, launch, options).map_err(|error| error.to_string())?;
    ran.failure.map_or(Ok(ran.buffers), |failure| Err(failure.to_string()))
}

/// The first difference between buffers.
fn difference(launch: &Launch, scratch: &[usize], expected: &[Vec<u8>], found: &[Vec<u8>]) -> Option<String> {
    let outputs =
        |buffers: &[Vec<u8>]| launch.outputs().map(|output| buffers[output.index].clone()).collect::<Vec<_>>();
    let Tolerance { absolute, relative } = launch.tolerance;
    // The least normal number: what is smaller is zero.
    let tolerance =
        Tolerance { absolute: absolute.max(f64::from(f32::MIN_POSITIVE)), relative: relative.max(RELATIVE) };
    let launch = Launch { tolerance, ..launch.clone() };
    if let Err(mismatch) = compare(&launch, &outputs(expected).concat(), &outputs(found)) {
        return Some(mismatch.to_string());
    }
    let is_output = |index: usize| launch.outputs().any(|output| output.index == index);
    let mut others =
        expected.iter().zip(found).enumerate().filter(|&(index, _)| !is_output(index) && !scratch.contains(&index));
    others.find(|(_, (expected, found))| expected != found).map(|(index, _)| format!("buffer {index} differs"))
}

/// Runs each case of a folder, at one level or at all: what is refused and what differs is what is known to be.
fn hold_folder(folder: &Path, stride: usize) {
    let stride = if is_deep() { 1 } else { stride };
    let only = std::env::var("RECONVERGE_VC4_ONLY").unwrap_or_default();
    let cases = cases(folder).into_iter().filter(|case| case.name().contains(&only));
    let levels = [Level::Speed, Level::None, Level::Size];
    let mut equal = 0;
    let mut refused: BTreeMap<String, usize> = BTreeMap::new();
    let mut complaints = Vec::new();
    for case in cases.step_by(stride) {
        let levels = if is_deep() { &levels[..] } else { &levels[..1] };
        for &level in levels {
            let verdict = judge(&case, level);
            let name = case.module.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
            let text = format!("{}, -O{}", case.name(), level.name());
            match (verdict, expected::refusal(&name)) {
                (Verdict::Equal, None | Some(expected::ROWS)) => equal += 1,
                (Verdict::Equal, Some(_)) => complaints.push(format!("{text}: is not refused any more")),
                (Verdict::Refused(what), Some(part)) if what.contains(part) => *refused.entry(what).or_default() += 1,
                (Verdict::Refused(what), _) => complaints.push(format!("{text}: refused: {what}")),
                (Verdict::Invalid(what), _) => println!("{text}: {what}"),
                (Verdict::Wrong(what), _) => match expected::difference(&name) {
                    Some(why) => println!("{text}: {what}; {why}"),
                    None => complaints.push(format!("{text}: {what}")),
                },
            }
        }
    }
    println!("{}: {equal} runs equal, {} refused", folder.display(), refused.values().sum::<usize>());
    refused.iter().for_each(|(what, count)| println!("refused {count} times: {what}"));
    assert!(complaints.is_empty(), "{}:\n{}", complaints.len(), complaints.join("\n"));
}

#[test]
fn kernels_of_the_project() {
    hold_folder(&root().join("tests/kernels"), 8);
}

#[test]
fn kernels_with_many_exits() {
    hold_folder(&root().join("tests/kernels/breaks"), 3);
}

#[test]
fn kernels_that_front_ends_get_wrong() {
    hold_folder(&root().join("tests/kernels/faults"), 4);
}

#[test]
fn kernels_of_hard_control_flow() {
    hold_folder(&root().join("tests/kernels/flow"), 4);
}
