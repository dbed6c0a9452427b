//! `reconverge check`: holds the rules against a module, then looks at how control flows in it.
//!
//! The verifier comes first; only a module that it accepts is asked whether its control flow can be meant as it is. How loud each of those
//! checks is can be chosen: `--allow`, `--warn` and `--deny` take codes, names of WGSL rules, and `--deny` also `warnings`. A check is
//! named by one of the three at most, so that their order means nothing.

use std::path::PathBuf;

use reconverge::Format;
use reconverge::diagnose::{self, Code, Level, Options, Severity};
use reconverge::verify::{self, verify_whole};

use crate::crash::contained;
use crate::diagnostics::{ErrorFormat, Reporter};
use crate::exit::{Exit, LEGEND};
use crate::findings;
use crate::input::{Input, format_parser};
use crate::output;

const EXAMPLES: &str = "Examples:
  reconverge check shader.spv
  reconverge check shader.spv --strip-merges
  reconverge check shader.spv --allow F03 --deny warnings --warn subgroup_uniformity
  reconverge check --explain F03
  reconverge check - --from text --error-format json < module.ir";

/// What `--deny` takes beside the names of checks.
const WARNINGS: &str = "warnings";

/// Hold the rules against a module and print what breaks them
#[derive(Debug, clap::Args)]
#[command(after_help = format!("{EXAMPLES}\n\n{}\n{LEGEND}", checks()))]
pub(crate) struct Arguments {
    /// The module: a file (.spv, .ir), or - for stdin
    #[arg(value_name = "IN", required_unless_present = "explain")]
    input: Option<PathBuf>,
    /// The format of the input, whatever its name says
    #[arg(long, value_name = "FORMAT", value_parser = format_parser())]
    from: Option<Format>,
    /// Forget the structure that the input has, and check the rest
    #[arg(long)]
    strip_merges: bool,
    /// Leave a check out
    #[arg(long, value_name = "CHECK")]
    allow: Vec<String>,
    /// Make warnings of what a check finds
    #[arg(long, value_name = "CHECK")]
    warn: Vec<String>,
    /// Make errors of what a check finds; or of all warnings, with `warnings`
    #[arg(long, value_name = "CHECK")]
    deny: Vec<String>,
    /// Print the page about a code, and do nothing else
    #[arg(long, value_name = "CODE", conflicts_with_all = ["input", "from", "strip_merges", "allow", "warn", "deny"])]
    explain: Option<String>,
    /// Whom the findings are for
    #[arg(long, value_name = "FORMAT", value_enum, default_value = "human")]
    error_format: ErrorFormat,
}

/// The checks, for the help text.
fn checks() -> String {
    let line = |code: &Code| {
        let rule = code.wgsl_rule().map_or_else(String::new, |rule| format!(", {rule}"));
        format!("  {code}  {} ({}{rule})\n", code.title(), code.level().name())
    };
    let lines: String = Code::ALL.iter().map(line).collect();
    format!("Checks of a valid module, and how loud they are:\n{lines}")
}

/// Runs the command.
pub(crate) fn run(arguments: &Arguments) -> Exit {
    let reporter = Reporter::new(arguments.error_format);
    let options = match arguments.options() {
        Ok(options) => options,
        Err(message) => return reporter.wrong_usage(message),
    };
    let path = match (&arguments.explain, &arguments.input) {
        (Some(code), _) => return explain(code, reporter),
        (None, Some(path)) => path,
        (None, None) => return reporter.wrong_usage("no input is named".to_owned()),
    };
    let input = match Input::read_or_report(path, arguments.from, reporter) {
        Ok(input) => input,
        Err(exit) => return exit,
    };
    contained(&input, None, reporter, |trace| {
        let mut module = match reconverge::read(&input.bytes, input.format, arguments.strip_merges) {
            Ok(module) => module,
            Err(error) => {
                reporter.report(&findings::of_error(&error, &input, None));
                return error.kind().into();
            }
        };
        trace.finished("read");
        let findings = match arguments.strip_merges {
            true => verify_whole(&module),
            false => reconverge::findings(&mut module, input.format),
        };
        trace.finished("verify");
        if !findings.is_empty() {
            reporter.report(&findings::of_findings(&findings, &input, &module));
            return Exit::Rejected;
        }
        let diagnoses = diagnose::check(&module, &options);
        reporter.report(&findings::of_diagnoses(&diagnoses, &input, &module));
        let is_rejected = diagnoses.iter().any(|diagnosis| diagnosis.severity == Severity::Error);
        if is_rejected { Exit::Rejected } else { Exit::Done }
    })
}

impl Arguments {
    /// How loud each check is.
    fn options(&self) -> Result<Options, String> {
        let levels = [(Level::Off, &self.allow), (Level::Warning, &self.warn), (Level::Error, &self.deny)];
        let mut options = Options::default();
        let mut chosen: Vec<(Code, Level)> = Vec::new();
        for (level, names) in levels {
            for name in names.iter().filter(|&name| !(level == Level::Error && name == WARNINGS)) {
                for code in diagnose::codes_named(name)? {
                    if chosen.iter().any(|&(other, before)| other == code && before != level) {
                        return Err(format!("{code} is named by two of --allow, --warn and --deny"));
                    }
                    chosen.push((code, level));
                    options.set(code, level);
                }
            }
        }
        if self.deny.iter().any(|name| name == WARNINGS) {
            options.deny_warnings();
        }
        Ok(options)
    }
}

/// Prints what there is to say about a code.
fn explain(name: &str, reporter: Reporter) -> Exit {
    let rule = |code: &&verify::Code| code.name().eq_ignore_ascii_case(name);
    let check = |code: &&Code| code.name().eq_ignore_ascii_case(name);
    let text = match (Code::ALL.iter().find(check), verify::Code::ALL.iter().find(rule)) {
        (Some(code), _) => code.page().to_owned(),
        (None, Some(code)) => format!("# {code}\n\n{}\n\nWhat usually helps: {}.\n", code.rule(), code.suggestion()),
        (None, None) => return reporter.wrong_usage(format!("no rule and no check has the code `{name}`")),
    };
    output::write(std::path::Path::new("-"), text.as_bytes()).map_or(Exit::Io, |()| Exit::Done)
}
