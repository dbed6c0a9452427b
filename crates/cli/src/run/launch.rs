//! The launch: from a file, from flags, or from both; flags override the file.

use std::fs;
use std::path::{Path, PathBuf};

use clap::ArgAction;
use reconverge::diagnose::Severity;
use reconverge_run::{Argument, FileMisfit, Launch};

use super::code::LaunchCode;
use crate::diagnostics::CommandCode;
use crate::diagnostics::{Diagnostic, Reporter, io_diagnostic};
use crate::exit::Exit;

/// The launch.
#[derive(PartialEq, Default, Debug, clap::Args)]
#[command(next_help_heading = "Launch")]
#[group(skip)]
pub(super) struct Flags {
    /// Launch as JSON (docs/launch.md); the options below override it
    #[arg(long, value_name = "FILE.json")]
    launch: Option<PathBuf>,
    /// Kernel to run; needed only if the module has several
    #[arg(long, value_name = "NAME")]
    kernel: Option<String>,
    /// Global size: work-items in each dimension
    #[arg(long, value_name = "X[,Y,Z]", value_delimiter = ',', num_args = 1, action = ArgAction::Set)]
    global: Vec<u64>,
    /// Local size: work-items of a work-group in each dimension
    #[arg(long, value_name = "X[,Y,Z]", value_delimiter = ',', num_args = 1, action = ArgAction::Set)]
    local: Vec<u32>,
    /// Global offset, added to every global id
    #[arg(long, value_name = "X[,Y,Z]", value_delimiter = ',', num_args = 1, action = ArgAction::Set)]
    offset: Vec<u64>,
    /// Argument of the kernel, in order; may be repeated
    #[arg(long = "arg", value_name = "ARGUMENT")]
    arguments: Vec<String>,
}

/// The reason why the launch cannot be read.
pub(crate) enum NoLaunch {
    /// A file cannot be read.
    Io { what: &'static str, path: PathBuf, error: std::io::Error },
    /// The launch is invalid.
    Wrong { file: Option<PathBuf>, error: reconverge::diagnostic::Diagnostic },
    /// The command line is wrong.
    Usage(String),
}

impl Flags {
    /// The file of the launch.
    pub(super) fn path(&self) -> Option<&Path> {
        self.launch.as_deref()
    }

    /// Returns whether flags state the launch, or a part of it.
    pub(super) fn is_stated(&self) -> bool {
        self.launch.is_none() || *self != Flags { launch: self.launch.clone(), ..Flags::default() }
    }

    /// The launch.
    pub(super) fn read(&self, reporter: Reporter) -> Result<Launch, NoLaunch> {
        let mut launch = match &self.launch {
            Some(path) => parse(path)?,
            None if self.global.is_empty() => {
                return Err(NoLaunch::Usage(
                    "the launch is missing: give --launch FILE.json, or --global and one --arg per argument of the kernel".to_owned(),
                ));
            }
            None => Launch::default(),
        };
        self.apply(&mut launch)?;
        resolve(&mut launch, self.launch.as_deref(), reporter)?;
        Ok(launch)
    }

    fn apply(&self, launch: &mut Launch) -> Result<(), NoLaunch> {
        if let Some(kernel) = &self.kernel {
            launch.kernel = Some(kernel.clone());
        }
        if !self.global.is_empty() {
            launch.global = three(&self.global, 1, "--global")?;
            launch.dimensions = self.global.len() as u32;
        }
        if !self.local.is_empty() {
            launch.local = Some(three(&self.local, 1, "--local")?);
        }
        if !self.offset.is_empty() {
            launch.offset = three(&self.offset, 0, "--offset")?;
        }
        if !self.arguments.is_empty() {
            let arguments: Result<Vec<Argument>, reconverge::diagnostic::Diagnostic> =
                self.arguments.iter().map(|flag| Argument::from_flag(flag)).collect();
            launch.arguments = arguments.map_err(|error| NoLaunch::Usage(format!("--arg {}", error.message)))?;
        }
        Ok(())
    }
}

/// The launch of a file, with the files that it names.
pub(crate) fn read_launch(path: &Path, reporter: Reporter) -> Result<Launch, NoLaunch> {
    let mut launch = parse(path)?;
    resolve(&mut launch, Some(path), reporter)?;
    Ok(launch)
}

fn parse(path: &Path) -> Result<Launch, NoLaunch> {
    let text = fs::read_to_string(path);
    let text = text.map_err(|error| NoLaunch::Io { what: "cannot read the launch", path: path.to_owned(), error })?;
    Launch::from_json(&text).map_err(|error| NoLaunch::Wrong { file: Some(path.to_owned()), error })
}

/// Reads the files that a launch names, relative to the folder of its own file. Those that are not as large as their buffers are noted.
fn resolve(launch: &mut Launch, file: Option<&Path>, reporter: Reporter) -> Result<(), NoLaunch> {
    let folder = file.and_then(Path::parent).map(Path::to_owned).unwrap_or_default();
    let read = |name: &str| {
        let path = folder.join(name);
        fs::read(&path).map_err(|error| format!("cannot read {}: {error}", path.display()))
    };
    let resolved = launch.resolve_files(read);
    let misfits = resolved.map_err(|error| NoLaunch::Wrong { file: file.map(Path::to_owned), error })?;
    let note = |misfit: &FileMisfit| Diagnostic {
        severity: Severity::Note,
        code: LaunchCode::FileSize.declared(),
        message: misfit.to_string(),
        suggestion: Some("TYPE[]=@FILE makes the buffer as large as its file".to_owned()),
        ..Diagnostic::default()
    };
    reporter.report(&misfits.iter().map(note).collect::<Vec<_>>());
    launch.expected = launch.expected.take().map(|name| folder.join(name).to_string_lossy().into_owned());
    Ok(())
}

/// One to three sizes as three sizes.
fn three<N: Copy>(sizes: &[N], missing: N, flag: &str) -> Result<[N; 3], NoLaunch> {
    match *sizes {
        [x] => Ok([x, missing, missing]),
        [x, y] => Ok([x, y, missing]),
        [x, y, z] => Ok([x, y, z]),
        _ => Err(NoLaunch::Usage(format!("{flag} takes one to three sizes"))),
    }
}

impl NoLaunch {
    /// Reports the error.
    pub(crate) fn report(&self, reporter: Reporter) -> Exit {
        match self {
            NoLaunch::Io { what, path, error } => {
                reporter.report(&[io_diagnostic(what, error, Some(&path.display().to_string()))]);
                Exit::Io
            }
            NoLaunch::Wrong { file, error } => {
                let file = file.as_ref().map(|path| path.display().to_string());
                let (code, message) = (error.code, error.message.clone());
                reporter.report(&[Diagnostic { code, message, file, ..Diagnostic::default() }]);
                Exit::Rejected
            }
            NoLaunch::Usage(message) => {
                let (code, message) = (CommandCode::Usage.declared(), message.clone());
                reporter.report(&[Diagnostic { code, message, ..Diagnostic::default() }]);
                Exit::Usage
            }
        }
    }
}
