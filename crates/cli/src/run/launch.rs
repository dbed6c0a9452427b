//! The launch: from a file, from flags, or from both; flags override the file.

use std::fs;
use std::path::{Path, PathBuf};

use clap::ArgAction;
use reconverge_diagnose::Severity;
use reconverge_run::{Argument, FileMisfit, Launch};

use super::code::LaunchCode;
use crate::diagnostics::{Diagnostic, Reporter, io_diagnostic, reason};
use crate::exit::Exit;
use crate::kinds::{FileKind, not_text};

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
    #[arg(long, value_name = "X[,Y,Z]", value_delimiter = ',', num_args = 1, allow_negative_numbers = true, action = ArgAction::Set)]
    global: Vec<u64>,
    /// Local size: work-items of a work-group in each dimension
    #[arg(long, value_name = "X[,Y,Z]", value_delimiter = ',', num_args = 1, allow_negative_numbers = true, action = ArgAction::Set)]
    local: Vec<u32>,
    /// Global offset, added to every global id
    #[arg(long, value_name = "X[,Y,Z]", value_delimiter = ',', num_args = 1, allow_negative_numbers = true, action = ArgAction::Set)]
    offset: Vec<u64>,
    /// Argument of the kernel, in order; may be repeated
    #[arg(long = "arg", value_name = "ARGUMENT")]
    arguments: Vec<String>,
}

impl Flags {
    /// The file of the launch.
    pub(super) fn path(&self) -> Option<&Path> {
        self.launch.as_deref()
    }

    /// The files that arguments on the command line name.
    pub(super) fn argument_files(&self) -> impl Iterator<Item = &Path> {
        self.arguments.iter().filter_map(|argument| argument.split_once("=@").map(|(_, file)| Path::new(file)))
    }

    /// Returns whether flags state the launch, or a part of it.
    pub(super) fn is_stated(&self) -> bool {
        self.launch.is_none() || *self != Flags { launch: self.launch.clone(), ..Flags::default() }
    }

    /// The launch; an error is reported, and the exit code is returned.
    pub(super) fn read(&self, reporter: Reporter) -> Result<Launch, Exit> {
        let mut launch = match &self.launch {
            Some(path) => parse(path, reporter)?,
            None if self.global.is_empty() => {
                let message = "the launch is missing: give --launch FILE.json, or --global and one --arg per argument of the kernel";
                return Err(reporter.wrong_usage(message.to_owned()));
            }
            None => Launch::default(),
        };
        self.apply(&mut launch).map_err(|message| reporter.wrong_usage(message))?;
        resolve(&mut launch, self.launch.as_deref(), reporter)?;
        Ok(launch)
    }

    fn apply(&self, launch: &mut Launch) -> Result<(), String> {
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
            let arguments = self.arguments.iter().map(|flag| Argument::from_flag(flag)).collect::<Result<_, _>>();
            launch.arguments = arguments.map_err(|error| format!("--arg {}", error.message))?;
        }
        Ok(())
    }
}

/// The launch of a file, with the files that it names; an error is reported, and the exit code is returned.
pub(crate) fn read_launch(path: &Path, reporter: Reporter) -> Result<Launch, Exit> {
    let mut launch = parse(path, reporter)?;
    resolve(&mut launch, Some(path), reporter)?;
    Ok(launch)
}

fn parse(path: &Path, reporter: Reporter) -> Result<Launch, Exit> {
    let file = path.display().to_string();
    let bytes = fs::read(path).map_err(|error| {
        reporter.report(&[io_diagnostic("cannot read the launch", &error, Some(&file))]);
        Exit::Io
    })?;
    let text = String::from_utf8(bytes).map_err(|error| {
        let found = not_text(error.as_bytes()).map_or("text in another encoding than UTF-8", FileKind::name);
        let message = format!("the launch is {found}, not JSON");
        let code = reconverge_run::LaunchCode::Launch.declared();
        reporter.report(&[Diagnostic { code, message, file: Some(file), ..Diagnostic::default() }]);
        Exit::Rejected
    })?;
    Launch::from_json(&text).map_err(|error| invalid(error, Some(path), reporter))
}

/// Reports an invalid launch.
fn invalid(error: reconverge_diagnostic::Diagnostic, file: Option<&Path>, reporter: Reporter) -> Exit {
    let file = file.map(|path| path.display().to_string());
    let exit = if file.is_some() { Exit::Rejected } else { Exit::Usage };
    reporter.report(&[Diagnostic { code: error.code, message: error.message, file, ..Diagnostic::default() }]);
    exit
}

/// Reads the files that a launch names, relative to the folder of its own file. Those that are not as large as their buffers are noted.
fn resolve(launch: &mut Launch, file: Option<&Path>, reporter: Reporter) -> Result<(), Exit> {
    let folder = file.and_then(Path::parent).map(Path::to_owned).unwrap_or_default();
    let mut unreadable = None;
    let read = |name: &str| {
        let path = folder.join(name);
        fs::read(&path).map_err(|error| {
            let message = format!("cannot read {}: {}", path.display(), reason(&error));
            unreadable = Some((path, error));
            message
        })
    };
    let misfits = launch.resolve_files(read).map_err(|error| match unreadable {
        Some((path, error)) => {
            let name = path.display().to_string();
            reporter.report(&[io_diagnostic("cannot read the contents of an argument", &error, Some(&name))]);
            Exit::Io
        }
        None => invalid(error, file, reporter),
    })?;
    let note = |misfit: &FileMisfit| Diagnostic {
        severity: Severity::Note,
        code: LaunchCode::FileSize.declared(),
        message: misfit.to_string(),
        suggestion: Some(match misfit.is_image {
            true => {
                "a file of texels has as many bytes as its image; an array .npy or a picture .png has a size".to_owned()
            }
            false => "TYPE[]=@FILE makes the buffer as large as its file".to_owned(),
        }),
        ..Diagnostic::default()
    };
    reporter.report(&misfits.iter().map(note).collect::<Vec<_>>());
    launch.expected = launch.expected.take().map(|name| folder.join(name).to_string_lossy().into_owned());
    Ok(())
}

/// One to three sizes as three sizes.
fn three<N: Copy>(sizes: &[N], missing: N, flag: &str) -> Result<[N; 3], String> {
    match *sizes {
        [x] => Ok([x, missing, missing]),
        [x, y] => Ok([x, y, missing]),
        [x, y, z] => Ok([x, y, z]),
        _ => Err(format!("{flag} takes one to three sizes")),
    }
}
