//! `reconverge`: the command line.
//!
//! The crate `reconverge` does the work; this crate contains the user interface: arguments, files, messages, exit codes.
//! No other crate reads or writes files.
//!
//! | file | contents |
//! |---|---|
//! | `compile/`, `check.rs`, `link.rs`, `graph.rs`, `run/`, `report.rs`, `passes.rs`, `explain.rs`, `completions.rs`, `man_pages.rs`, `demo.rs` | one subcommand each |
//! | `recording.rs`, `lanes.rs` | the report: one page that shows every pass, and lanes in its states |
//! | `graph_page.rs`, `graph_picture.rs`, `arcs/` | a graph as a page, and as pictures of blocks with arcs, on a terminal and as SVG |
//! | `output_format.rs`, `format_options.rs` | formats of outputs: modules, graphs, machine code; the options of formats as flags |
//! | `pipeline_picture.rs` | the passes as a picture |
//! | `machine.rs` | kernels as machine code |
//! | `inspection.rs` | options for people who work on passes |
//! | `levels.rs`, `spelling.rs` | `-O` without a level; `-MD` and others as compilers of C write them |
//! | `source.rs`, `dependencies.rs` | sources, which front ends compile first; the files that an output depends on |
//! | `input.rs`, `output.rs`, `kinds.rs` | files and streams; outputs are written whole or not at all; files of the wrong kind |
//! | `messages.rs`, `diagnostics.rs` | options for messages; messages for people and for programs |
//! | `progress.rs` | progress on a terminal |
//! | `needs.rs`, `compile/needs.rs`, `run/needs.rs` | what flags need and exclude: a row for each, from which errors of usage and help texts are derived |
//! | `named.rs`, `nearest.rs` | arguments that are one of several names; the names nearest to a word that is none |
//! | `findings.rs`, `places.rs`, `shorten.rs` | from errors and findings to messages with a line, of readable length |
//! | `sarif.rs` | findings as SARIF |
//! | `codes.rs` | every code that a message can have, and what it means |
//! | `lowering.rs` | values of the options that say how kernels are lowered |
//! | `structurizing.rs` | options of the structurizer, for every command that runs it |
//! | `why.rs`, `moves.rs`, `gains.rs` | what was added and moved, why, and what was gained |
//! | `terms.rs` | functions, blocks and values by the names and lines of the source |
//! | `crash.rs` | bugs of the compiler: a message and a reproducer |
//! | `help.rs` | `help`: the pages of commands, and topics |
//! | `exit.rs`, `version.rs`, `commit.rs` | exit codes; what this build is, and of which commit |
//!
//! The output depends only on the arguments and the files that they name: no configuration, no clock, no network. The same input, arguments
//! and version produce the same bytes. Of the environment, `NO_COLOR` and `TERM` decide whether messages have colors; `PATH` and the variables of
//! `reconverge-front-ends` decide which front end compiles a source.

use std::ffi::{OsStr, OsString};
use std::process::ExitCode;

use crate::diagnostics::CommandCode;
use clap::{ColorChoice, CommandFactory, FromArgMatches, Parser, Subcommand};

use diagnostics::{Diagnostic, Reporter};
use exit::{Exit, legend};
use messages::{Color, ErrorFormat, Verbosity};

mod arcs;
mod check;
mod codes;
#[cfg(test)]
mod commit;
mod compile;
mod completions;
mod crash;
mod demo;
mod dependencies;
mod diagnostics;
mod dxil;
mod exit;
mod explain;
mod findings;
mod format_options;
mod gains;
mod graph;
mod graph_page;
mod graph_picture;
mod help;
mod input;
mod inspection;
mod kinds;
mod lanes;
mod levels;
mod link;
mod lowering;
mod machine;
#[cfg(feature = "man-pages")]
mod man_pages;
mod messages;
mod moves;
mod named;
mod nearest;
mod needs;
mod output;
mod output_format;
mod pages;
mod passes;
mod pictures_of;
mod pipeline_picture;
mod places;
mod progress;
mod recording;
mod report;
mod run;
mod sarif;
mod shorten;
mod source;
mod spelling;
mod structurizing;
mod terms;
#[cfg_attr(not(feature = "shading"), path = "without_uniformity.rs")]
mod uniformity;
mod version;
mod why;

/// A compiler allocates many small lists; for each, musl's own allocator takes a lock and walks a list.
#[cfg(target_env = "musl")]
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

const EXAMPLES: &str = "Examples:
  reconverge demo
  reconverge compile kernel.cl -o kernel.spv            # an OpenCL kernel becomes a Vulkan compute shader
  reconverge run kernel.cl --global 4 --arg 'out:f32[4]=zero'
  reconverge check shader.spv
  reconverge help compile";

/// Structurize and optimize SPIR-V; compile OpenCL kernels to Vulkan compute shaders
#[derive(Debug, Parser)]
#[command(
    name = "reconverge",
    disable_version_flag = true,
    arg_required_else_help = true,
    after_help = format!("{EXAMPLES}\n\n{}", help::topics()),
    after_long_help = format!("{EXAMPLES}\n\n{}\n\n{}", help::topics(), legend())
)]
struct Arguments {
    /// Print the version
    #[arg(short = 'V', long)]
    version: bool,
    /// With --version: print version, build, formats, targets, passes and codes as JSON
    #[arg(long, requires = "version")]
    json: bool,
    #[command(subcommand)]
    command: Option<Command>,
}

// The arguments of a subcommand are described only when it runs: describing all would take longer than compiling a small module.
#[derive(Debug, Subcommand)]
#[command(defer = true)]
enum Command {
    /// Compile and run an example kernel, and show each step
    Demo(demo::Arguments),
    /// Structurize and optimize a module; OpenCL kernels become Vulkan compute shaders or machine code
    Compile(Box<compile::Arguments>),
    /// Verify a module, then report probable errors in its control flow
    Check(check::Arguments),
    /// Run an OpenCL kernel and print or compare its outputs
    Run(Box<run::Arguments>),
    /// Show what every pass does to a module, as one HTML page
    Report(Box<report::Arguments>),
    /// Link modules that were compiled apart
    Link(link::Arguments),
    /// Structurize a control-flow graph without instructions
    Graph(graph::Arguments),
    /// Print the passes, their order, and the reasons for it
    Passes(passes::Arguments),
    /// Explain the code of a message, or list all codes
    Explain(explain::Arguments),
    /// Print a completion script for a shell
    Completions(completions::Arguments),
    /// Write the manual pages
    #[cfg(feature = "man-pages")]
    #[command(hide = true)]
    ManPages(man_pages::Arguments),
}

fn main() -> ExitCode {
    let words = levels::completed(std::env::args_os().collect());
    let command = words.get(1).cloned().unwrap_or_default();
    let words = of_help(spelling::spelled_out(words, |flag| has_flag(&command, flag)));
    if let Some(text) = help::topic(&words) {
        return output::print(&format!("{}\n", text.trim_end())).err().unwrap_or(Exit::Done).into();
    }
    match help::print_page(&words, || colored(&words)) {
        Ok(true) => return Exit::Done.into(),
        Err(error) => return output::not_printed(&error).into(),
        Ok(false) => {}
    }
    let ended = match parsed(&words) {
        Ok(arguments) => run(&arguments),
        Err(error) => Err(wrong_usage(&error, &words)),
    };
    ended.err().unwrap_or(Exit::Done).into()
}

/// Returns whether a command has a long flag.
fn has_flag(command: &OsStr, flag: &str) -> bool {
    let mut all = Arguments::command();
    all.build();
    let command = all.find_subcommand(command);
    command.is_some_and(|command| command.get_arguments().any(|argument| argument.get_long() == Some(flag)))
}

/// The words, where `help --help` means `help help`, and `help COMMAND --help` means `help COMMAND`: clap's own command has no such flag.
fn of_help(words: Vec<OsString>) -> Vec<OsString> {
    let is_flag = |word: &OsString| word == "--help" || word == "-h";
    if words.get(1).is_none_or(|command| command != "help") || !words.iter().any(is_flag) {
        return words;
    }
    let mut kept: Vec<OsString> = words.into_iter().filter(|word| !is_flag(word)).collect();
    if kept.len() == 2 {
        kept.push("help".into());
    }
    kept
}

/// The command line. Help and errors have colors by the same rule as messages.
fn colored(words: &[OsString]) -> clap::Command {
    let color = match color_of(words) {
        Color::Auto => ColorChoice::Auto,
        Color::Always => ColorChoice::Always,
        Color::Never => ColorChoice::Never,
    };
    Arguments::command().color(color)
}

fn parsed(words: &[OsString]) -> Result<Arguments, clap::Error> {
    let mut matches = colored(words).try_get_matches_from(words)?;
    Arguments::from_arg_matches_mut(&mut matches)
}

fn run(arguments: &Arguments) -> Result<(), Exit> {
    match &arguments.command {
        _ if arguments.version => {
            let text = if arguments.json { format!("{}\n", version::object()) } else { version::line() };
            output::print(&text)
        }
        Some(Command::Demo(arguments)) => demo::run(arguments),
        Some(Command::Compile(arguments)) => compile::run(arguments),
        Some(Command::Check(arguments)) => check::run(arguments),
        Some(Command::Run(arguments)) => run::run(arguments),
        Some(Command::Link(arguments)) => link::run(arguments),
        Some(Command::Report(arguments)) => report::run(arguments),
        Some(Command::Graph(arguments)) => graph::run(arguments),
        Some(Command::Passes(arguments)) => passes::run(arguments),
        Some(Command::Explain(arguments)) => explain::run(arguments),
        Some(Command::Completions(arguments)) => completions::run(arguments, Arguments::command()),
        #[cfg(feature = "man-pages")]
        Some(Command::ManPages(arguments)) => man_pages::run(arguments, Arguments::command()),
        None => Err(Exit::Usage),
    }
}

/// Help goes to stdout and is not an error. Everything else that ends parsing is an error.
fn wrong_usage(error: &clap::Error, words: &[OsString]) -> Exit {
    if !error.use_stderr() {
        return error.print().map_or(Exit::Io, |()| Exit::Done);
    }
    if value_of(words, "--error-format") == Some("json") {
        let text = error.render().to_string();
        let (first, rest) = text.trim().split_once('\n').unwrap_or((text.trim(), ""));
        let message = first.trim_start_matches("error: ").to_owned();
        let rest: Vec<&str> = rest.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
        let suggestion = (!rest.is_empty()).then(|| rest.join("; "));
        let usage = Diagnostic { code: CommandCode::Usage.declared(), message, suggestion, ..Diagnostic::default() };
        Reporter::new("", ErrorFormat::Json, Color::Never, Verbosity::Normal).report(&[usage]);
    } else if error.print().is_err() {
        return Exit::Io;
    }
    Exit::Usage
}

/// The requested color mode, also if the arguments cannot be parsed.
fn color_of(words: &[OsString]) -> Color {
    match value_of(words, "--color") {
        Some("always") => Color::Always,
        Some("never") => Color::Never,
        _ => Color::Auto,
    }
}

/// The value of a flag, `--flag=value` or `--flag value`.
fn value_of<'w>(words: &'w [OsString], flag: &str) -> Option<&'w str> {
    let words = || words.iter().map(|word| word.to_str().unwrap_or_default());
    let joined = words().find_map(|word| word.strip_prefix(flag)?.strip_prefix('='));
    joined.or_else(|| words().zip(words().skip(1)).find_map(|(word, next)| (word == flag).then_some(next)))
}
