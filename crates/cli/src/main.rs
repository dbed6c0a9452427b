//! `reconverge`: the command line.
//!
//! Everything that is done is done by the crate `reconverge`; here is what a user sees of it: arguments, files, messages, exit codes.
//! No other crate reads or writes anything.
//!
//! | file | what it holds |
//! |---|---|
//! | `compile.rs`, `check.rs`, `graph.rs`, `run/`, `passes.rs` | one subcommand each |
//! | `input.rs`, `output.rs` | files and streams; outputs are written whole or not at all |
//! | `diagnostics.rs` | messages for people and for programs |
//! | `named.rs` | arguments that are one of several names |
//! | `findings.rs`, `places.rs`, `shorten.rs` | from errors and findings to messages with a line, of a length that can be read |
//! | `structurizing.rs` | what the structurizer is told, by every command that runs it |
//! | `why.rs` | what the structurizer added, and why |
//! | `crash.rs` | bugs of ours: a message and a reproducer, nothing lost |
//! | `exit.rs`, `version.rs` | exit codes; what this build is |
//!
//! The command depends on its arguments and the files that they name, on nothing else: no environment variable, no configuration,
//! no clock, no network. The same input, arguments and version give the same bytes.

use std::ffi::OsString;
use std::path::Path;
use std::process::ExitCode;

use clap::{Parser, Subcommand};

#[cfg(target_env = "musl")]
use mimalloc::MiMalloc;
#[cfg(target_env = "musl")]
use reconverge_allocator::{Pool, SizeClasses};

use diagnostics::{Diagnostic, ErrorFormat, Reporter};
use exit::{Exit, LEGEND};

mod check;
mod compile;
mod crash;
mod diagnostics;
mod exit;
mod findings;
mod graph;
mod input;
mod moves;
mod named;
mod output;
mod passes;
mod places;
mod run;
mod shorten;
mod structurizing;
mod version;
mod why;

/// A compiler makes many small lists, for each of which musl's own allocator takes a lock and a walk. Most processes need no more than the
/// pool.
#[cfg(target_env = "musl")]
#[global_allocator]
static ALLOCATOR: Pool<SizeClasses<MiMalloc>> = Pool::before(SizeClasses::over(MiMalloc));

const EXAMPLES: &str = "Examples:
  reconverge compile shader.spv -o structured.spv
  reconverge check structured.spv
  reconverge compile shader.spv -o - --to text | less";

/// Unstructured control flow in, structured control flow that a GPU can run out
#[derive(Debug, Parser)]
#[command(
    name = "reconverge",
    disable_version_flag = true,
    arg_required_else_help = true,
    disable_help_subcommand = true,
    after_help = format!("{EXAMPLES}\n\n{LEGEND}")
)]
struct Arguments {
    /// Print the version
    #[arg(short = 'V', long)]
    version: bool,
    /// With --version: print version, build, formats and passes as JSON
    #[arg(long, requires = "version")]
    json: bool,
    #[command(subcommand)]
    command: Option<Command>,
}

// Each subcommand's arguments are described once it is the one that runs: all of them would take longer than a small module.
#[derive(Debug, Subcommand)]
#[command(defer = true)]
enum Command {
    /// Compile a module: control flow that a GPU can run, OpenCL kernels as Vulkan compute shaders
    Compile(Box<compile::Arguments>),
    /// Hold the rules against a module and print what breaks them
    Check(check::Arguments),
    /// Structurize a graph that stands in a file by itself
    Graph(graph::Arguments),
    /// Run an OpenCL kernel and look at what it gives
    Run(Box<run::Arguments>),
    /// Print the passes, their order, and the reasons for it
    Passes(passes::Arguments),
}

fn main() -> ExitCode {
    let words: Vec<OsString> = std::env::args_os().collect();
    let exit = match Arguments::try_parse_from(&words) {
        Ok(arguments) => run(&arguments),
        Err(error) => wrong_usage(&error, &words),
    };
    exit.into()
}

fn run(arguments: &Arguments) -> Exit {
    match &arguments.command {
        _ if arguments.version => {
            let text = if arguments.json { format!("{}\n", version::object()) } else { version::line() };
            output::write(Path::new("-"), text.as_bytes()).map_or(Exit::Io, |()| Exit::Done)
        }
        Some(Command::Compile(arguments)) => compile::run(arguments),
        Some(Command::Check(arguments)) => check::run(arguments),
        Some(Command::Graph(arguments)) => graph::run(arguments),
        Some(Command::Run(arguments)) => run::run(arguments),
        Some(Command::Passes(arguments)) => passes::run(arguments),
        None => Exit::Usage,
    }
}

/// Help goes to stdout and is no error; everything else that stops the arguments from being read is.
fn wrong_usage(error: &clap::Error, words: &[OsString]) -> Exit {
    if !error.use_stderr() {
        return error.print().map_or(Exit::Io, |()| Exit::Done);
    }
    if wants_json(words) {
        let text = error.render().to_string();
        let (first, rest) = text.trim().split_once('\n').unwrap_or((text.trim(), ""));
        let message = first.trim_start_matches("error: ").to_owned();
        let rest: Vec<&str> = rest.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
        let suggestion = (!rest.is_empty()).then(|| rest.join("; "));
        let usage = Diagnostic { code: "usage".to_owned(), message, suggestion, ..Diagnostic::default() };
        Reporter::new(ErrorFormat::Json).report(&[usage]);
    } else if error.print().is_err() {
        return Exit::Io;
    }
    Exit::Usage
}

/// Whether arguments that could not be read ask for JSON all the same.
fn wants_json(words: &[OsString]) -> bool {
    let is_flag_with_value = words.iter().any(|word| word == "--error-format=json");
    is_flag_with_value || words.windows(2).any(|pair| pair[0] == "--error-format" && pair[1] == "json")
}
