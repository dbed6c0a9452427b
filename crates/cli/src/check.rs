//! `reconverge check`: holds the rules against a module.

use std::path::PathBuf;

use reconverge::Format;
use reconverge::verify::verify;

use crate::crash::contained;
use crate::diagnostics::{ErrorFormat, Reporter};
use crate::exit::{Exit, LEGEND};
use crate::findings;
use crate::input::{Input, format_parser};

const EXAMPLES: &str = "Examples:
  reconverge check shader.spv
  reconverge check shader.spv --strip-merges
  reconverge check - --from text --error-format json < module.ir";

/// The arguments.
#[derive(Debug, clap::Args)]
#[command(after_help = format!("{EXAMPLES}\n\n{LEGEND}"))]
pub(crate) struct Arguments {
    /// The module: a file (.spv, .ir), or - for stdin
    #[arg(value_name = "IN")]
    input: PathBuf,
    /// The format of the input, whatever its name says
    #[arg(long, value_name = "FORMAT", value_parser = format_parser())]
    from: Option<Format>,
    /// Forget the structure that the input has, and check the rest
    #[arg(long)]
    strip_merges: bool,
    /// Whom the findings are for
    #[arg(long, value_name = "FORMAT", value_enum, default_value = "human")]
    error_format: ErrorFormat,
}

/// Runs the command.
pub(crate) fn run(arguments: &Arguments) -> Exit {
    let reporter = Reporter::new(arguments.error_format);
    let input = match Input::read_or_report(&arguments.input, arguments.from, reporter) {
        Ok(input) => input,
        Err(exit) => return exit,
    };
    contained(&input, None, reporter, |trace| {
        let module = match reconverge::read(&input.bytes, input.format, arguments.strip_merges) {
            Ok(module) => module,
            Err(error) => {
                reporter.report(&findings::of_error(&error, &input, None));
                return error.kind().into();
            }
        };
        trace.finished("read");
        let findings = verify(&module);
        reporter.report(&findings::of_findings(&findings, &input, &module));
        if findings.is_empty() { Exit::Done } else { Exit::Rejected }
    })
}
