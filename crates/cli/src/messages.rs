//! Options of every command: the form of messages, their colors, and how many are printed.

use std::io::{self, IsTerminal};

use clap::ValueEnum;

use crate::diagnostics::Reporter;

/// How messages are printed.
#[derive(Clone, Copy, Debug, clap::Args)]
#[command(next_help_heading = "Messages")]
pub(crate) struct Messages {
    /// Form of the messages on stderr
    #[arg(long, value_name = "FORMAT", value_enum, default_value = "human", hide_short_help = true)]
    error_format: ErrorFormat,
    /// When messages have colors
    #[arg(long, value_name = "WHEN", value_enum, default_value = "auto", hide_short_help = true)]
    color: Color,
    /// Print errors only: no warnings, notes or progress
    #[arg(short, long, conflicts_with = "verbose")]
    quiet: bool,
    /// Print what is read, done and written
    #[arg(short, long)]
    verbose: bool,
}

/// The form of messages.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum ErrorFormat {
    /// Text for people: the code, the place, the line, a suggestion
    Human,
    /// One JSON object a line, for programs
    Json,
}

/// The use of colors in messages.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum Color {
    /// On a terminal, unless NO_COLOR is set or TERM is dumb
    Auto,
    /// Always
    Always,
    /// Never
    Never,
}

/// The verbosity of messages.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Verbosity {
    /// Errors, and the output of options that print something.
    Quiet,
    /// Warnings and notes too.
    Normal,
    /// Also inputs, steps and outputs.
    Verbose,
}

impl Messages {
    /// The reporter of a command for these options.
    pub(crate) fn reporter(&self, command: &'static str) -> Reporter {
        let verbosity = match (self.quiet, self.verbose) {
            (true, _) => Verbosity::Quiet,
            (false, false) => Verbosity::Normal,
            (false, true) => Verbosity::Verbose,
        };
        Reporter::new(command, self.error_format, self.color, verbosity)
    }
}

impl Color {
    /// Returns whether stderr has colors.
    pub(crate) fn is_on(self) -> bool {
        self.is_on_for(&io::stderr())
    }

    /// Returns whether stdout has colors.
    pub(crate) fn is_on_for_output(self) -> bool {
        self.is_on_for(&io::stdout())
    }

    /// Returns whether a stream has colors. `NO_COLOR` (no-color.org) and `TERM` are the only environment variables that the command reads,
    /// and they affect only the look of messages.
    fn is_on_for(self, stream: &impl IsTerminal) -> bool {
        match self {
            Color::Always => true,
            Color::Never => false,
            Color::Auto => is_live(stream) && std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty()),
        }
    }
}

/// Returns whether stderr is a terminal that supports more than plain lines.
pub(crate) fn is_live_terminal() -> bool {
    is_live(&io::stderr())
}

/// Returns whether a stream is such a terminal.
fn is_live(stream: &impl IsTerminal) -> bool {
    stream.is_terminal() && std::env::var_os("TERM").is_none_or(|name| name != "dumb")
}
