//! `reconverge man-pages` (feature `man-pages`): writes a manual page for the command, and one for each subcommand.

use std::path::PathBuf;

use crate::exit::Exit;

/// Write the manual pages
#[derive(Debug, clap::Args)]
pub(crate) struct Arguments {
    /// The folder for the pages
    folder: PathBuf,
}

/// Runs the command.
pub(crate) fn run(arguments: &Arguments, command: clap::Command) -> Result<(), Exit> {
    clap_mangen::generate_to(command, &arguments.folder).map_err(|_| Exit::Io)
}
