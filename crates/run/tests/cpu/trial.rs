//! One case at all levels, on all packs.

use std::collections::HashMap;
use std::fmt;

use reconverge::pipeline::Level;
use reconverge::{CompileOptions, Format};
use reconverge_ir::{Module, OpGroup};
use reconverge_opencl::Reflection;
use reconverge_run::{CpuKernel, CpuOptions, InterpreterOptions, Launch, Races, compare, interpret_compiled};

use super::case::{Case, scratch_buffers};

/// What was found at one level on one pack.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Verdict {
    /// Memory is that of the interpreter.
    Equal,
    /// The engine does not support something, named here.
    Refused(String),
    /// Memory differs, or the engine or the interpreter failed alone.
    Wrong(String),
}

/// A level and a pack.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Setting {
    pub(crate) level: Level,
    pub(crate) width: u32,
    pub(crate) vectors: u32,
}

impl fmt::Display for Setting {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "-O{}, width {}, {} vectors", self.level.name(), self.width, self.vectors)
    }
}

/// The widths that this CPU has.
pub(crate) fn widths() -> Vec<u32> {
    let has_avx2 = std::is_x86_feature_detected!("avx2") && std::is_x86_feature_detected!("fma");
    let has_avx512 = std::is_x86_feature_detected!("avx512f")
        && std::is_x86_feature_detected!("avx512bw")
        && std::is_x86_feature_detected!("avx512dq")
        && std::is_x86_feature_detected!("avx512vl")
        && std::is_x86_feature_detected!("avx512cd");
    let known = [(1, true), (8, has_avx2), (16, has_avx512)];
    known.into_iter().filter(|&(_, is_there)| is_there).map(|(width, _)| width).collect()
}

/// All settings: each level, each width of this CPU, and each number of vectors.
pub(crate) fn settings() -> Vec<Setting> {
    let levels = [Level::None, Level::Speed, Level::Size];
    let packs = || widths().into_iter().flat_map(|width| [1, 2, 4].map(|vectors| (width, vectors)));
    let packs = || packs().filter(|&(width, vectors)| width > 1 || vectors == 1);
    levels
        .into_iter()
        .flat_map(|level| packs().map(move |(width, vectors)| Setting { level, width, vectors }))
        .collect()
}

/// Runs a case with several settings, and calls `report` for each.
pub(crate) fn judge(case: &Case, settings: &[Setting], mut report: impl FnMut(Setting, Verdict)) {
    let launch = case.read_launch();
    let source = std::fs::read(&case.module).expect("a module is readable");
    let scratch = scratch_buffers(&case.launch);
    let mut compiled: HashMap<&'static str, Result<Compiled, String>> = HashMap::new();
    for &setting in settings {
        let kernel =
            compiled.entry(setting.level.name()).or_insert_with(|| Compiled::new(&source, &launch, setting.level));
        let verdict = match kernel {
            Ok(kernel) => kernel.judge(&launch, &scratch, setting),
            Err(error) => Verdict::Refused(error.clone()),
        };
        report(setting, verdict);
    }
}

/// A kernel at one level, with what the interpreter made of it.
struct Compiled {
    module: Module,
    reflection: Reflection,
    /// Whether results depend on the size of subgroups.
    has_subgroups: bool,
    /// Buffers or a failure, by subgroup size.
    expected: HashMap<u32, Result<Vec<Vec<u8>>, String>>,
}

impl Compiled {
    fn new(source: &[u8], launch: &Launch, level: Level) -> Result<Compiled, String> {
        let mut options = CompileOptions::new().level(level);
        options.kernel.kernels = launch.kernel.iter().cloned().collect();
        let output = reconverge::compile(source, Format::SPIRV, Format::TEXT, &options);
        let output = output.map_err(|error| error.to_string())?;
        let module = output.module;
        let has_subgroups = module.descendants(module.root()).any(|inst| module.op(inst).group() == OpGroup::Subgroup);
        let reflection = output.run.reflection.expect("a kernel has an interface");
        Ok(Compiled { has_subgroups, reflection, module, expected: HashMap::new() })
    }

    fn judge(&mut self, launch: &Launch, scratch: &[usize], setting: Setting) -> Verdict {
        let options = CpuOptions {
            width: Some(setting.width),
            vectors: Some(setting.vectors),
            threads: 1,
            ..CpuOptions::default()
        };
        let kernel = match CpuKernel::compile(&self.module, &self.reflection, launch, options) {
            Ok(kernel) => kernel,
            Err(error) => return Verdict::Refused(error.to_string()),
        };
        let expected = self.expected(launch, kernel.pack().lanes());
        for threads in [1, 2] {
            let found = kernel.launch(&self.reflection, launch, threads);
            let found = found.map(|measured| measured.buffers).map_err(|error| error.to_string());
            let difference = match (&expected, &found) {
                (Ok(expected), Ok(found)) => difference(launch, scratch, expected, found),
                (Err(_), Err(_)) => None,
                (Err(failure), Ok(_)) => Some(format!("only the interpreter fails: {failure}")),
                (Ok(_), Err(failure)) => Some(format!("only the engine fails: {failure}")),
            };
            if let Some(difference) = difference {
                return Verdict::Wrong(format!("{threads} threads: {difference}"));
            }
        }
        Verdict::Equal
    }

    fn expected(&mut self, launch: &Launch, lanes: u32) -> Result<Vec<Vec<u8>>, String> {
        let subgroup_size = if self.has_subgroups { lanes } else { 16 };
        let interpret = || {
            let options = InterpreterOptions { subgroup_size, races: Races::Ignore, ..InterpreterOptions::default() };
            let ran = interpret_compiled(&self.module, &self.reflection, launch, options);
            let ran = ran.map_err(|error| error.to_string())?;
            ran.failure.map_or(Ok(ran.buffers), |failure| Err(failure.to_string()))
        };
        self.expected.entry(subgroup_size).or_insert_with(interpret).clone()
    }
}

/// The first difference between buffers: all bytes, or what the tolerance of the launch allows.
pub(crate) fn difference(
    launch: &Launch,
    scratch: &[usize],
    expected: &[Vec<u8>],
    found: &[Vec<u8>],
) -> Option<String> {
    if expected == found {
        return None;
    }
    let outputs =
        |buffers: &[Vec<u8>]| launch.outputs().map(|output| buffers[output.index].clone()).collect::<Vec<_>>();
    if let Err(mismatch) = compare(launch, &outputs(expected).concat(), &outputs(found)) {
        return Some(mismatch.to_string());
    }
    let is_output = |index: usize| launch.outputs().any(|output| output.index == index);
    let mut others =
        expected.iter().zip(found).enumerate().filter(|&(index, _)| !is_output(index) && !scratch.contains(&index));
    others.find(|(_, (expected, found))| expected != found).map(|(index, _)| format!("buffer {index} differs"))
}
