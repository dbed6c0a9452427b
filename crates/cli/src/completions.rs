//! `reconverge completions`: prints a completion script for a shell.

use std::path::Path;

use clap_complete::{Shell, generate};

use crate::exit::Exit;
use crate::output;

const EXAMPLES: &str = "Examples:
  reconverge completions bash > ~/.local/share/bash-completion/completions/reconverge
  reconverge completions zsh > ~/.zfunc/_reconverge
  reconverge completions fish > ~/.config/fish/completions/reconverge.fish";

/// Print a completion script for a shell
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Arguments {
    /// The shell
    #[arg(value_enum)]
    shell: Shell,
}

/// Runs the command.
pub(crate) fn run(arguments: &Arguments, mut command: clap::Command) -> Result<(), Exit> {
    let mut script = Vec::new();
    generate(arguments.shell, &mut command, "reconverge", &mut script);
    output::write(Path::new("-"), &script).map_err(|_| Exit::Io)
}
