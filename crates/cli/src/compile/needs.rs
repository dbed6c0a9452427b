//! What the flags of `compile` need, and what they exclude.

use std::path::PathBuf;

use reconverge::opencl::{
    ArgumentKind, Driver, FormatSource, ImageArgument, LaunchConstant, Reflection, SamplerSource,
};
use reconverge::pipeline::{self, Level};
use reconverge::{Run, Target};

use super::{Arguments, is_shading_language};
use crate::format_options::Inputs;
use crate::inspection::ALL;
use crate::lowering::{LongIntegers, PointerForm};
use crate::machine::{self, flags_of};
use crate::needs;
use crate::output;
use crate::output_format::OutputFormat;
use crate::recording::unknown_form;
use crate::source::InputKind;

type Flag = needs::Flag<Arguments, Answers>;
type Need = needs::Need<Arguments, Answers>;

/// The answers of an input.
pub(super) struct Answers {
    /// True if OpenCL kernels were lowered.
    has_kernels: bool,
    /// True if it is a shader with a description of its interface, which was DXIL.
    is_described: bool,
    /// The formats and samplers that the code is for, by the numbers of their arguments.
    fixed: Vec<(usize, LaunchConstant)>,
    /// The passes that ran.
    ran: Vec<&'static str>,
    /// The passes that the options schedule for it.
    due: Vec<&'static str>,
    /// The optimizations that a limit excludes.
    excluded: Vec<&'static str>,
}

impl Answers {
    /// The answers after a compilation.
    pub(super) fn new(run: &Run, interface: Option<&String>) -> Answers {
        Answers {
            has_kernels: run.reflection.is_some(),
            is_described: interface.is_some(),
            fixed: run.reflection.iter().flat_map(fixed_arguments).collect(),
            ran: run.steps.iter().map(|step| step.pass).collect(),
            due: run.due.clone(),
            excluded: run.excluded.clone(),
        }
    }

    fn has_run(&self, pass: &str) -> bool {
        self.ran.contains(&pass)
    }
}

/// The rows, in the order of their errors. A flag without a row works with every input and beside every other flag.
pub(super) const FLAGS: &[Flag] = &[
    Flag::new("--stop-after", |given| given.inspection.stop_after.is_some(), &[STOP_IS_SCHEDULED, STOP_RAN]),
    Flag::new("--print-after", |given| !given.inspection.print_after.is_empty(), &[PRINTED_ARE_SCHEDULED, PRINTED_RAN]),
    Flag::new("--crash-after", |given| given.inspection.crash_after.is_some(), &[CRASH_IS_SCHEDULED, CRASH_RAN]),
    Flag::new("--passes", |given| !given.inspection.passes.is_empty(), &[NOT_STOPPED, WORK, LAUNCHES, LOWERED]),
    Flag::always(&[Need::of(|given, _, _| given.structurizing.unmet_need())]),
    Flag::new("--buffer-offsets", |given| given.buffer_offsets, &[KERNELS, BINDINGS]),
    Flag::new("--pointers", |given| given.pointers == Some(PointerForm::Bindings), &[KERNELS, NO_MACHINE_BINDS]),
    Flag::new("--pointers", |given| given.pointers == Some(PointerForm::Addresses), &[KERNELS]),
    Flag::new("--int64", |given| given.int64 != LongIntegers::Native, &[KERNELS, VULKAN]),
    Flag::new("--driver", |given| given.driver != Driver::ANY, &[VULKAN, KERNELS_OR_LOOPS]),
    Flag::new("--opt-bisect-limit", |given| given.inspection.opt_bisect_limit.is_some(), &[OPTIMIZATIONS]),
    Flag::always(&[OPTIONS_OF_FORMATS, SETTINGS_OF_SOURCES]),
    Flag::new("--reflection", |given| given.reflection.is_some(), &[DESCRIBED, NO_GRAPH, OWN_REFLECTION]),
    Flag::new("--local-size", |given| !given.machine.local_size.is_empty(), &[MACHINE_CODE, PASSES_TO_CODE]),
    Flag::new("--local-memory", |given| !given.machine.local_memory.is_empty(), &[MACHINE_CODE, PASSES_TO_CODE]),
    Flag::always(&[TARGET_OF_FORMAT, FORMAT_OF_TARGET, CODE, KNOWN_FORMAT]),
    Flag::new("--strip-merges", |given| given.strip_merges, &[NO_ASSUMED_MERGES]),
    Flag::new("--strict", |given| given.strict, &[MERGES_ARE_STRUCTURE, SHADER]),
    Flag::new("--report", |given| given.report.is_some(), &[KNOWN_REPORT, OWN_REPORT]),
    Flag::new("--dependencies", |given| given.dependencies.is_given(), &[RULE_OF_MAKE]),
    Flag::new("--kernel", |given| !given.kernel.is_empty(), &[KERNELS]),
    Flag::new("--global-offset", |given| given.global_offset, &[KERNELS]),
    Flag::new("--printf-buffer", |given| given.printf_buffer.is_some(), &[KERNELS]),
    Flag::new("--fma", |given| given.fma.is_some(), &[KERNELS, FUSED]),
    Flag::new("--image-format", |given| !given.image_format.is_empty(), &[KERNELS, IMAGES]),
    Flag::new("--sampler", |given| !given.sampler.is_empty(), &[KERNELS, SAMPLERS]),
    Flag::new("--keep-going", |given| given.keep_going, &[KERNELS, VULKAN]),
    Flag::new("--spec", |given| !given.spec.is_empty(), &[NO_GRAPH]),
];

/// The formats and samplers that the code of a kernel is for.
fn fixed_arguments(reflection: &Reflection) -> impl Iterator<Item = (usize, LaunchConstant)> {
    let arguments = reflection.kernels.iter().flat_map(|kernel| kernel.arguments.iter().enumerate());
    arguments.filter_map(|(number, argument)| match argument.kind {
        ArgumentKind::Image(ImageArgument { format: FormatSource::Fixed(format), .. }) => {
            Some((number, LaunchConstant::Format(format)))
        }
        ArgumentKind::Sampler(SamplerSource::Fixed(bits)) => Some((number, LaunchConstant::Sampler(bits))),
        _ => None,
    })
}

const IMAGES: Need = Need::of(|given, answers, flag| misplaced(&given.image_format, answers?, flag, "an image"));

const SAMPLERS: Need = Need::of(|given, answers, flag| misplaced(&given.sampler, answers?, flag, "a sampler"));

/// The error of a format or a sampler that no kernel is compiled for.
fn misplaced(given: &[(usize, LaunchConstant)], answers: &Answers, flag: &str, what: &str) -> Option<String> {
    let (number, _) = given.iter().find(|one| !answers.fixed.contains(one))?;
    Some(format!(
        "{flag} has no effect: argument {number}, counted from 0, is not {what} of a kernel, or the flag is given twice for it"
    ))
}

/// Kernels that become shaders.
const KERNELS: Need = Need::new("OpenCL kernels", without_kernels);

/// Kernels, a shader that was DXIL, or a text in a shading language.
const DESCRIBED: Need = Need::new("OpenCL kernels, shaders in DXIL, text output", |given, answers, flag| {
    // Beside other inputs, a shader is compiled without one, which is noted.
    let is_left_out = given.separate && given.target.has_kernel_passes() && given.inspection.stop_after.is_none();
    let is_text = is_shading_language(given.named_format());
    if is_text || answers?.is_described || is_left_out {
        return None;
    }
    let is_shader = !answers?.has_kernels && given.target.has_kernel_passes() && given.inspection.stop_after.is_none();
    is_shader
        .then(|| {
            format!(
                "{flag} describes OpenCL kernels that become shaders, shaders that were DXIL, and text output; the module has no OpenCL kernel, and a \
                 shader in SPIR-V keeps the sets and bindings of its source"
            )
        })
        .or_else(|| without_kernels(given, answers, flag))
});

/// Kernels, or loops of shaders that may lose values.
const KERNELS_OR_LOOPS: Need =
    Need::of(
        |given, answers, flag| {
            if answers?.has_run("loop_results") { None } else { without_kernels(given, answers, flag) }
        },
    );

fn without_kernels(given: &Arguments, answers: Option<&Answers>, flag: &str) -> Option<String> {
    let Answers { has_kernels, due, .. } = answers?;
    let is_due = due.iter().any(|pass| pipeline::lowers_kernels(pass));
    let why = match given.inspection.stop_after.as_deref() {
        Some(stop) if is_due => format!("--stop-after {stop} ends before they are lowered"),
        _ if given.target.has_kernel_passes() => "the module has no OpenCL kernel".to_owned(),
        _ => format!("--target {} keeps kernels as they are", given.target.name()),
    };
    (!has_kernels).then(|| format!("{flag} is for OpenCL kernels that become shaders, and {why}"))
}

/// A shader, which may be structured.
const SHADER: Need = Need::of(|_, answers, flag| {
    answers?
        .has_kernels
        .then(|| format!("{flag} is for shaders: the control flow of OpenCL kernels is always structurized"))
});

const BINDINGS: Need = Need::new("--pointers bindings", |given, _, flag| {
    let has_addresses = given.pointers_of(given.named_format()) == PointerForm::Addresses;
    has_addresses.then(|| format!("{flag} is for --pointers bindings"))
});

const NO_MACHINE_BINDS: Need = Need::of(|given, _, flag| {
    (given.target != Target::VULKAN).then(|| format!("{flag} bindings is for --target vulkan"))
});

const VULKAN: Need = Need::new("Vulkan", |given, _, flag| {
    let target = given.target.back_end().map(|_| given.target.name())?;
    Some(format!("{flag} is about devices of Vulkan, and --target {target} is another machine"))
});

const MACHINE_CODE: Need = Need::new("Machine code", |given, _, flag| machine::unmet_need(given.target, flag));

const PASSES_TO_CODE: Need = Need::of(|given, answers, flag| {
    let stop = given.inspection.stop_after.as_deref()?;
    let is_lowered = answers?.ran.iter().any(|pass| pipeline::leads_to_code(pass));
    (!is_lowered).then(|| format!("{flag} is for machine code, and --stop-after {stop} ends before the passes to it"))
});

/// A machine that has what `--fma` asks for.
const FUSED: Need = Need::of(|given, _, flag| given.fma?.unmet_need(given.target.back_end()?, flag));

/// Passes of a level, or named ones.
const OPTIMIZATIONS: Need = Need::of(|given, _, flag| {
    let is_unheard = given.level == Level::None && given.inspection.passes.is_empty();
    is_unheard.then(|| format!("{flag} counts optimization passes, and -O0 without --passes runs none"))
});

/// The pass of `--stop-after` is one that runs.
const STOP_IS_SCHEDULED: Need = Need::of(|given, _, _| not_scheduled(given, given.inspection.stop_after.as_slice()));
const STOP_RAN: Need = Need::of(|given, answers, _| not_run(given, answers?, given.inspection.stop_after.as_slice()));

/// The passes of `--print-after` are some that run.
const PRINTED_ARE_SCHEDULED: Need = Need::of(|given, _, _| not_scheduled(given, &given.inspection.print_after));
const PRINTED_RAN: Need = Need::of(|given, answers, _| not_run(given, answers?, &given.inspection.print_after));

/// The pass of `--crash-after` is one that runs.
const CRASH_IS_SCHEDULED: Need = Need::of(|given, _, _| not_scheduled(given, given.inspection.crash_after.as_slice()));
const CRASH_RAN: Need = Need::of(|given, answers, _| not_run(given, answers?, given.inspection.crash_after.as_slice()));

/// The error of an optional pass that `--passes` does not name.
fn not_scheduled(given: &Arguments, names: &[String]) -> Option<String> {
    let mut optional =
        names.iter().filter(|name| pipeline::is_optional(name) && !given.inspection.passes.contains(name));
    optional.next().map(|name| format!("{name} is an optional pass; add --passes {name}"))
}

/// The error of a pass that did not run, with the reason.
fn not_run(given: &Arguments, answers: &Answers, names: &[String]) -> Option<String> {
    let name = names.iter().find(|&name| name != ALL && !answers.has_run(name))?;
    let inspection = &given.inspection;
    let stop = inspection.stop_after.as_deref().filter(|stop| answers.has_run(stop));
    let limit = inspection.opt_bisect_limit.filter(|_| answers.excluded.contains(&name.as_str()));
    let why = if let Some(stop) = stop.filter(|_| answers.due.contains(&name.as_str())) {
        format!("--stop-after {stop} ends before it")
    } else if let Some(limit) = limit {
        format!("--opt-bisect-limit {limit} excludes it")
    } else if inspection.passes.contains(name) && pipeline::lowers_kernels(name) {
        NO_KERNEL.to_owned()
    } else if pipeline::leads_to_code(name) {
        format!("it leads to machine code: {}", flags_of(targets_with(name)))
    } else {
        let (level, target) = (given.level.name(), given.target.name());
        format!("neither -O{level} nor --target {target} nor the input needs it")
    };
    Some(format!("{name} did not run: {why}"))
}

const NO_KERNEL: &str = "it lowers OpenCL kernels, and none was lowered";

const NOT_STOPPED: Need = Need::of(|given, _, _| {
    let stop = given.inspection.stop_after.as_deref().filter(|&name| !pipeline::is_optional(name))?;
    let first = given.inspection.passes.first()?;
    Some(format!(
        "{first} would not run: optional passes run after the pipeline, and --stop-after {stop} ends before them"
    ))
});

/// A pass that replaces nothing for devices of Vulkan is for another machine.
const WORK: Need = Need::of(|given, _, flag| {
    let options = given.kernel_options(given.named_format());
    let name = given.inspection.passes.iter().find(|name| pipeline::is_idle(name, &options))?;
    let way = match names_of(targets_with(name)).as_str() {
        "" => "--int64 split and --pointers bindings lower kernels with it".to_owned(),
        targets => format!("--target {targets} --stop-after {name} runs it for a machine that lacks something"),
    };
    Some(format!("{flag} {name} would change nothing: devices of Vulkan have all that it replaces; {way}"))
});

/// Named passes know no launch, which passes to machine code of kernels need. A target with code is for kernels alone.
const LAUNCHES: Need = Need::of(|given, answers, flag| {
    let has_kernels = given.target.back_end().is_some() || answers.is_some_and(|answers| answers.has_kernels);
    let is_blind = |name: &&String| pipeline::needs_launch(name) || has_kernels && pipeline::leads_to_code(name);
    let name = given.inspection.passes.iter().find(is_blind)?;
    let targets = names_of(targets_with(name));
    Some(format!(
        "{flag} {name} does not know the launches of a kernel: --target {targets} --stop-after {name} runs it in its place"
    ))
});

/// The named passes ran, unless a limit excludes them.
const LOWERED: Need = Need::of(|given, answers, _| {
    let answers = answers?;
    let inspection = &given.inspection;
    let is_limited = inspection.stop_after.is_some() || inspection.opt_bisect_limit.is_some();
    let name = inspection.passes.iter().find(|name| !is_limited && !answers.has_run(name))?;
    Some(format!("{name} did not run: {NO_KERNEL}"))
});

/// The format of the output or a source has every option of formats that is given.
const OPTIONS_OF_FORMATS: Need = Need::of(|given, _, _| {
    let is_source = |path: &PathBuf| matches!(given.reading().kind(path), Some(InputKind::Source(_)));
    let inputs = if given.inputs.iter().any(is_source) { Inputs::Sources } else { Inputs::Modules };
    given.written.unmet_need(given.named_format(), inputs).or_else(|| given.written.second_reader(&given.inputs))
});

const SETTINGS_OF_SOURCES: Need = Need::of(|given, _, _| given.reading().unmet_need(&given.inputs, &given.source));

const NO_GRAPH: Need = Need::of(|given, _, flag| {
    let is_graph = given.named_format().is_some_and(OutputFormat::is_graph);
    is_graph.then(|| format!("{flag} describes shaders, and the output is a graph"))
});

const TARGET_OF_FORMAT: Need = Need::of(|given, _, _| {
    let format = given.named_format().filter(|_| given.target.back_end().is_none())?;
    Some(format!("the output {} requires --target {}", format.name, format.code_target()?.name()))
});

const FORMAT_OF_TARGET: Need = Need::of(|given, _, _| {
    let is_stopped = given.inspection.stop_after.is_some();
    let own: Vec<OutputFormat> = OutputFormat::of_target(given.target).filter(|_| !is_stopped).collect();
    given.named_format().filter(|format| !own.is_empty() && format.code_target() != Some(given.target))?;
    let list =
        |prefix: &str| own.iter().map(|format| format!("{prefix}{}", format.name)).collect::<Vec<_>>().join(" or ");
    let (target, extensions, names) = (given.target.name(), list("."), list("--to "));
    Some(format!("--target {target} writes machine code: use the extension {extensions}, or {names}"))
});

/// Machine code is made only after the last pass.
const CODE: Need = Need::of(|given, _, _| {
    given.named_format().and_then(OutputFormat::code_target)?;
    given.inspection.stop_after.is_some().then(|| {
        "--stop-after writes the module, and machine code is asked for: use the extension .ir, or --to text".to_owned()
    })
});

const KNOWN_FORMAT: Need = Need::of(|given, _, _| match given.to {
    None => OutputFormat::from_path(&given.output).err(),
    Some(_) => None,
});

const NO_ASSUMED_MERGES: Need = Need::of(|given, _, flag| given.structurizing.unmet_need_without_merges(flag));

const MERGES_ARE_STRUCTURE: Need = Need::of(|given, _, flag| {
    given.structurizing.merges_are_hints().then(|| {
        format!("{flag} and --assume merges=... exclude each other: the first treats merges as the structure, the second does not")
    })
});

/// A file that is neither an input nor the output.
const OWN_REFLECTION: Need = Need::of(|given, _, flag| {
    let own = given.reflection.as_ref()?;
    if let Some(input) = given.inputs.iter().find(|input| output::is_same(input, own)) {
        return Some(format!("{flag} would overwrite the input {}", input.display()));
    }
    let is_output = output::is_same(&given.output, own);
    is_output.then(|| format!("the module and its reflection cannot both be written to {}", own.display()))
});

const KNOWN_REPORT: Need = Need::of(|given, _, _| unknown_form(given.report.as_deref()?));

/// A file that is neither an input nor another output.
const OWN_REPORT: Need = Need::of(|given, _, flag| {
    let own = given.report.as_ref()?;
    let mut others = given.inputs.iter().chain([&given.output]).chain(&given.reflection);
    let other = others.find(|other| output::is_same(other, own))?;
    Some(format!("{flag} would overwrite {}", other.display()))
});

const RULE_OF_MAKE: Need = Need::of(|given, _, _| given.dependencies.unmet_need(&given.output, &given.inputs));

/// The targets whose back ends have a pass.
fn targets_with(pass: &str) -> impl Iterator<Item = Target> {
    let has = move |target: &Target| target.back_end().is_some_and(|end| end.passes().any(|other| other.name == pass));
    Target::all().filter(has)
}

/// Alternatives for the value of `--target`.
fn names_of(targets: impl Iterator<Item = Target>) -> String {
    targets.map(Target::name).collect::<Vec<_>>().join(" or ")
}

#[cfg(test)]
mod tests {
    use clap::{Args, Command};

    use super::{Arguments, FLAGS};

    #[test]
    fn each_row_is_a_flag_of_the_command() {
        let command = Arguments::augment_args(Command::new("compile"));
        let flags: Vec<&str> = command.get_arguments().filter_map(|argument| argument.get_long()).collect();
        for row in FLAGS {
            assert!(row.long().is_none_or(|name| flags.contains(&name)), "{:?}", row.long());
        }
    }
}
