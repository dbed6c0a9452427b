//! `reconverge explain`: what the code of a message means.

use crate::diagnostics::Reporter;
use crate::exit::Exit;
use crate::messages::Messages;
use crate::{codes, output, pages};

const EXAMPLES: &str = "Examples:
  reconverge explain            # all codes
  reconverge explain W01
  reconverge explain kernel-unsupported
  reconverge explain ladder     # a concept";

/// Explain the code of a message or a concept, or list all
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Arguments {
    /// The code in the brackets of a message, such as R18 in error[R18], or a concept; the default is a list of all
    #[arg(value_name = "CODE")]
    code: Option<String>,
    #[command(flatten)]
    messages: Messages,
}

/// Runs the command.
pub(crate) fn run(arguments: &Arguments) -> Result<(), Exit> {
    match &arguments.code {
        Some(code) => explain(code, arguments.messages.reporter("explain")),
        None => output::print(&codes::list()),
    }
}

/// Prints the page about a code.
pub(crate) fn explain(code: &str, reporter: Reporter) -> Result<(), Exit> {
    match pages::page(code) {
        Some(page) => output::print(&without_pictures(page)),
        None => {
            let message = format!("no message has the code `{code}`; `reconverge explain` lists all codes");
            Err(reporter.wrong_usage(message))
        }
    }
}

/// A page as a terminal shows it.
fn without_pictures(page: &str) -> String {
    page.split("\n\n").filter(|paragraph| !paragraph.starts_with("![")).collect::<Vec<_>>().join("\n\n")
}
