//! `reconverge check`: verifies a module, then looks for probable errors in its control flow.
//!
//! The verifier comes first; only a valid module is checked further. Each check has a level, which `--allow`, `--warn` and `--deny` change:
//! they take codes, names of WGSL rules, and `--deny` also `warnings`. Each check may be named by one of the three, so that their order does
//! not matter.

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use reconverge::ir::{Function, Module, Op, view};
use reconverge::{Error, Format, ReadModule};
use reconverge_diagnose::{Code, Level, Options, Severity};
use reconverge_verify::verify_whole;
use spirv::Capability;

use crate::crash::{Trace, contained};
use crate::diagnostics::{CommandCode, Diagnostic};
use crate::dxil;
use crate::exit::{Exit, legend};
use crate::input::{Input, merges_of};
use crate::messages::Messages;
use crate::source::{FrontEndCode, InputKind, Reading, SourceFlags, StageFlags, kind_parser, note_on_lines};
use crate::terms::BODY_OF_KERNEL;
use crate::uniformity::UniformityRule;
use crate::{explain, findings, output, sarif, uniformity};

const EXAMPLES: &str = "Examples:
  reconverge check shader.spv
  reconverge check kernel.cl                                 # also .comp, .frag, .hlsl and others
  reconverge check shader.spv --strip-merges
  reconverge check shader.spv --allow F03 --deny warnings --warn subgroup_uniformity
  reconverge check --explain F03
  reconverge check - --from text --error-format json < module.ir";

/// The value of `--deny` besides the names of checks.
const WARNINGS: &str = "warnings";

/// Verify a module, then report probable errors in its control flow
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES, after_long_help = format!("{EXAMPLES}\n\n{}\n{}", checks(), legend()))]
pub(crate) struct Arguments {
    /// Input: a module or a source, as a file, or - for stdin
    #[arg(value_name = "IN", required_unless_present = "explain")]
    input: Option<PathBuf>,
    /// Format or source language of the input; the default depends on the extension
    #[arg(long, value_name = "FORMAT", value_parser = kind_parser())]
    from: Option<InputKind>,
    /// Remove the merge instructions of the input and check the rest
    #[arg(long)]
    strip_merges: bool,
    /// Disable a check; may be repeated
    #[arg(long, value_name = "CHECK")]
    allow: Vec<String>,
    /// Report findings of a check as warnings; may be repeated
    #[arg(long, value_name = "CHECK")]
    warn: Vec<String>,
    /// Report findings of a check as errors; `warnings` means all warnings
    #[arg(long, value_name = "CHECK")]
    deny: Vec<String>,
    /// How findings are written: text on stderr, or SARIF 2.1.0 on stdout
    #[arg(long, value_name = "FORMAT", value_enum, default_value = "text")]
    format: Shape,
    /// Explain the code of a message, as `reconverge explain` does
    #[arg(long, value_name = "CODE", conflicts_with_all = ["input", "from", "strip_merges", "allow", "warn", "deny"])]
    explain: Option<String>,
    /// Print the contents of a file, and check nothing: dxil prints DXIL as LLVM assembly
    #[arg(long, value_name = "FORM", value_enum, conflicts_with_all = ["strip_merges", "allow", "warn", "deny", "format"])]
    dump: Option<Dump>,
    #[command(flatten)]
    source: SourceFlags,
    #[command(flatten)]
    stage: StageFlags,
    #[command(flatten)]
    messages: Messages,
}

/// The part of a file that is printed.
#[derive(Clone, Copy, PartialEq, Eq, Debug, clap::ValueEnum)]
enum Dump {
    /// LLVM assembly
    Dxil,
}

/// The format of findings.
#[derive(Clone, Copy, PartialEq, Eq, Debug, clap::ValueEnum)]
enum Shape {
    /// As messages, in the form of --error-format
    Text,
    /// As a SARIF log, for code scanning
    Sarif,
}

/// The checks, for the help text.
fn checks() -> String {
    let line = |code: &Code| {
        let rule = code.wgsl_rule().map_or_else(String::new, |rule| format!(", {rule}"));
        format!("  {code}  {} ({}{rule})\n", code.title(), code.level().name())
    };
    let lines: String = Code::ALL.iter().map(line).collect();
    format!("Checks of valid modules, and their levels:\n{lines}")
}

/// Runs the command.
pub(crate) fn run(arguments: &Arguments) -> Result<(), Exit> {
    let reporter = arguments.messages.reporter("check");
    let levels = arguments.levels().map_err(|message| reporter.wrong_usage(message))?;
    let path = match (&arguments.explain, &arguments.input) {
        (Some(code), _) => return explain::explain(code, reporter),
        (None, Some(path)) => path,
        (None, None) => return Err(reporter.wrong_usage("no input file given".to_owned())),
    };
    let reading = arguments.reading();
    if let Some(message) = reading.unmet_need(std::slice::from_ref(path), &arguments.source) {
        return Err(reporter.wrong_usage(message));
    }
    let read = Input::read_or_report(path, &reading, reporter);
    if let (Err(exit), Shape::Sarif) = (&read, arguments.format) {
        output::print(&sarif::log(&[not_checked(path, *exit)]))?;
    }
    let mut input = read?;
    note_on_lines(std::slice::from_ref(&input), reporter);
    dxil::keep_apart(&mut input);
    if arguments.dump == Some(Dump::Dxil) {
        return dxil::dump(&input, reporter);
    }
    contained(&input, None, reporter, |trace| {
        let Checked { diagnostics, exit } = arguments.check(&input, &levels, trace);
        match arguments.format {
            Shape::Text => reporter.report(&diagnostics),
            Shape::Sarif => output::print(&sarif::log(&diagnostics))?,
        }
        exit.result()
    })
}

/// The finding about an input that cannot be read: its messages are on stderr.
fn not_checked(path: &Path, exit: Exit) -> Diagnostic {
    Diagnostic {
        code: if exit == Exit::Io { CommandCode::Io.declared() } else { FrontEndCode::Message.declared() },
        message: "the input is not checked, because it cannot be read; the messages of the reader are on stderr"
            .to_owned(),
        file: Some(path.display().to_string()),
        ..Diagnostic::default()
    }
}

/// The levels that were chosen.
#[derive(Default)]
struct Levels {
    checks: Vec<(Code, Level)>,
    /// Those of the uniformity rules of WGSL.
    rules: Vec<(UniformityRule, Level)>,
}

/// The findings of a check.
struct Checked {
    diagnostics: Vec<Diagnostic>,
    exit: Exit,
}

impl Checked {
    fn failed(error: &Error, input: &Input, module: Option<&Module>) -> Checked {
        Checked { diagnostics: findings::of_error(error, input, module), exit: error.kind().into() }
    }
}

/// The copies of kernels that clang keeps for calls and that nothing calls: an error in a copy is also in its kernel, and is reported
/// there. Linear.
fn uncalled_copies(module: &Module) -> HashSet<Function> {
    let names: HashSet<String> = module.functions().filter_map(|function| module.name(function)).collect();
    let is_called = |function| module.uses(function).any(|used| module.op(used.user) == Op::FunctionCall);
    let is_copy = |function: Function| {
        let name = module.name(function);
        let kernel = name.as_deref().and_then(|name| name.strip_prefix(BODY_OF_KERNEL));
        kernel.is_some_and(|kernel| names.contains(kernel))
    };
    module.functions().filter(|&function| is_copy(function) && !is_called(function)).collect()
}

/// Repairs what front ends of kernels are known to get wrong, as compilation does, and tells of it. A module that cannot be repaired is
/// unchanged, and the rules say what is wrong with it.
fn repaired(module: &mut Module, input: &Input) -> Vec<Diagnostic> {
    let is_kernel = |declared: view::Capability| declared.capability == Some(Capability::Kernel);
    let has_kernels = module.globals().any(|global| view::Capability::of(module, global).is_some_and(is_kernel));
    if !has_kernels || module.generic_use().is_some() {
        return Vec::new();
    }
    let mut copy = module.clone();
    let Ok(repairs) = reconverge::repair(&mut copy) else { return Vec::new() };
    *module = copy;
    findings::of_repairs(&repairs, input)
}

impl Arguments {
    fn reading(&self) -> Reading {
        self.stage.apply(self.source.reading(self.from)).with_lines()
    }

    fn check(&self, input: &Input, levels: &Levels, trace: &Trace) -> Checked {
        let violations = uniformity::check(input, &levels.rules, self.severity_of_warnings());
        let ReadModule { mut module, assumptions, .. } = match input.read(merges_of(self.strip_merges)) {
            Ok(read) => read,
            // The rules of the language may be known where the module is not.
            Err(error) => {
                let Checked { diagnostics, exit } = Checked::failed(&error, input, None);
                let exit = if has_error(&violations) { Exit::Rejected } else { exit };
                return Checked { diagnostics: [violations, diagnostics].concat(), exit };
            }
        };
        trace.finished("read");
        let mut notes = findings::of_assumptions(&assumptions, input);
        notes.extend(repaired(&mut module, input));
        let findings = match self.strip_merges {
            true => verify_whole(&module),
            false => reconverge::findings(&mut module, input.format),
        };
        trace.finished("verify");
        if !findings.is_empty() {
            return Checked { diagnostics: findings::of_findings(&findings, input, &module), exit: Exit::Rejected };
        }
        if module.generic_use().is_some()
            && let Err(error) = reconverge::repair(&mut module)
        {
            // What another module defines is not known here: the rules hold, and more can be said once the modules are linked.
            if error.is_of_open_generic() {
                return Checked { diagnostics: Vec::new(), exit: Exit::Done };
            }
            return Checked::failed(&error, input, Some(&module));
        }
        let mut diagnoses = reconverge_diagnose::check(&module, &self.options(&levels.checks, input.format));
        let copies = uncalled_copies(&module);
        diagnoses.retain(|diagnosis| !copies.contains(&diagnosis.function));
        let mut diagnostics = [notes, violations].concat();
        diagnostics.extend(findings::of_diagnoses(&diagnoses, input, &module));
        let exit = if has_error(&diagnostics) { Exit::Rejected } else { Exit::Done };
        Checked { diagnostics, exit }
    }

    fn levels(&self) -> Result<Levels, String> {
        let levels = [(Level::Off, &self.allow), (Level::Warning, &self.warn), (Level::Error, &self.deny)];
        let mut chosen = Levels::default();
        for (level, names) in levels {
            for name in names.iter().filter(|&name| !(level == Level::Error && name == WARNINGS)) {
                let rules = uniformity::rules_named(name);
                let checks = match reconverge_diagnose::codes_named(name) {
                    // The codes of the rules name no other check.
                    Err(_) if !rules.is_empty() => Vec::new(),
                    checks => checks?,
                };
                add(&mut chosen.rules, rules, level, |rule| rule.name())?;
                add(&mut chosen.checks, checks, level, |check| check.name())?;
            }
        }
        Ok(chosen)
    }

    fn severity_of_warnings(&self) -> Severity {
        if self.denies_warnings() { Severity::Error } else { Severity::Warning }
    }

    fn denies_warnings(&self) -> bool {
        self.deny.iter().any(|name| name == WARNINGS)
    }

    /// The level of each check. What WGSL calls an error is one in WGSL, and its rules of uniformity replace the checks about uniformity,
    /// unless a level was chosen.
    fn options(&self, chosen: &[(Code, Level)], format: Format) -> Options {
        let mut options = Options::default();
        if format == Format::WGSL {
            for code in Code::ALL.iter().filter(|code| code.is_wgsl_error()) {
                options.set(*code, if code.is_about_uniformity() { Level::Off } else { Level::Error });
            }
        }
        chosen.iter().for_each(|&(code, level)| options.set(code, level));
        if self.denies_warnings() {
            options.deny_warnings();
        }
        options
    }
}

fn has_error(diagnostics: &[Diagnostic]) -> bool {
    diagnostics.iter().any(|diagnostic| diagnostic.severity == Severity::Error)
}

/// Adds the level of what a name means.
fn add<T: Copy + PartialEq>(
    chosen: &mut Vec<(T, Level)>,
    meant: Vec<T>,
    level: Level,
    name: impl Fn(T) -> &'static str,
) -> Result<(), String> {
    for one in meant {
        if chosen.iter().any(|&(other, before)| other == one && before != level) {
            return Err(format!("{} appears in two of --allow, --warn and --deny", name(one)));
        }
        chosen.push((one, level));
    }
    Ok(())
}
