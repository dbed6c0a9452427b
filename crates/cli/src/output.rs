//! Outputs: written whole or not at all.
//!
//! ```text
//! regular file, or none yet    temporary file in the same folder, then rename: a reader sees the old file or the new one, and
//!                              a failure leaves the old one as it was
//! symbolic link to such        the same for the file that it points to
//! `-`, /dev/stdout             stdout
//! other device, pipe, socket   written straight; there is nothing to keep
//! ```
//!
//! If a command has several outputs, no file is replaced before all of them are written.

use std::fs::{self, File, OpenOptions, Permissions};
use std::io::{self, IsTerminal, Write};
use std::path::{Path, PathBuf};

use tempfile::NamedTempFile;

use crate::diagnostics::{Reporter, io_diagnostic};
use crate::exit::Exit;
use crate::input::is_standard_stream;
use crate::messages::{Color, ErrorFormat, Verbosity};
use crate::progress;

/// Paths that name stdout. They are not opened: that would truncate a file that the shell opened for appending.
const STDOUT_PATHS: [&str; 3] = ["/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"];

/// The content that is written to a file or stream.
#[derive(Clone, Copy)]
pub(crate) struct Output<'b> {
    pub(crate) path: &'b Path,
    pub(crate) bytes: &'b [u8],
}

/// Writes an output.
pub(crate) fn write(path: &Path, bytes: &[u8]) -> io::Result<()> {
    write_all(&[Output { path, bytes }]).map_err(|(_, error)| error)
}

/// Writes to stdout; an error is reported.
pub(crate) fn print(text: &str) -> Result<(), Exit> {
    write(Path::new("-"), text.as_bytes()).map_err(|error| not_printed(&error))
}

/// Reports that stdout cannot be written, unless its reader has ended.
pub(crate) fn not_printed(error: &io::Error) -> Exit {
    if error.kind() != io::ErrorKind::BrokenPipe {
        let reporter = Reporter::new("help", ErrorFormat::Human, Color::Auto, Verbosity::Normal);
        reporter.report(&[io_diagnostic("cannot write to stdout", error, None)]);
    }
    Exit::Io
}

/// Writes several outputs, all of them or none: files are replaced only after everything else is written.
///
/// # Errors
/// The first one that cannot be written, by its index.
pub(crate) fn write_all(outputs: &[Output<'_>]) -> Result<(), (usize, io::Error)> {
    let mut prepared = Vec::with_capacity(outputs.len());
    for (index, &Output { path, bytes }) in outputs.iter().enumerate() {
        prepared.push((index, prepare(path, bytes).map_err(|error| (index, error))?));
    }
    let (files, streams): (Vec<_>, Vec<_>) =
        prepared.into_iter().partition(|(_, output)| matches!(output, Prepared::File { .. }));
    for (index, output) in streams.into_iter().chain(files) {
        output.finish().map_err(|error| (index, error))?;
    }
    Ok(())
}

/// As [`write_all`]; an error is reported, and the exit code is returned. A reader that has ended is not an error to report.
pub(crate) fn write_or_report(outputs: &[Output<'_>], reporter: Reporter) -> Result<(), Exit> {
    write_all(outputs).map_err(|(index, error)| {
        if error.kind() != io::ErrorKind::BrokenPipe {
            let name = outputs[index].path.display().to_string();
            reporter.report(&[io_diagnostic("cannot write the output", &error, Some(&name))]);
        }
        Exit::Io
    })
}

/// A written output that has not replaced its file yet.
enum Prepared<'b> {
    Stdout(&'b [u8]),
    Device(File, &'b [u8]),
    /// The temporary file, beside its final path.
    File {
        temporary: NamedTempFile,
        target: PathBuf,
    },
}

impl Prepared<'_> {
    fn finish(self) -> io::Result<()> {
        match self {
            Prepared::Stdout(bytes) => {
                progress::erase();
                let mut stdout = io::stdout().lock();
                stdout.write_all(bytes)?;
                stdout.flush()
            }
            Prepared::Device(mut device, bytes) => device.write_all(bytes),
            Prepared::File { temporary, target } => {
                let _: File = temporary.persist(target)?;
                Ok(())
            }
        }
    }
}

fn prepare<'b>(path: &Path, bytes: &'b [u8]) -> io::Result<Prepared<'b>> {
    if is_stdout(path) {
        return Ok(Prepared::Stdout(bytes));
    }
    match fs::metadata(path) {
        Ok(existing) if existing.is_dir() => Err(io::Error::from(io::ErrorKind::IsADirectory)),
        Ok(existing) if existing.is_file() => replacement(fs::canonicalize(path)?, bytes, Some(existing.permissions())),
        Ok(_) => Ok(Prepared::Device(OpenOptions::new().write(true).open(path)?, bytes)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => replacement(link_target(path), bytes, None),
        Err(error) => Err(error),
    }
}

/// Returns whether an output goes to stdout.
pub(crate) fn is_stdout(path: &Path) -> bool {
    is_standard_stream(path) || STDOUT_PATHS.iter().any(|name| path == Path::new(name))
}

/// The extension of an output in small letters, which names its format. Streams and devices have none.
pub(crate) fn extension(path: &Path) -> Option<String> {
    let extension = path.extension().filter(|_| !is_stdout(path) && !is_device(path))?;
    Some(extension.to_string_lossy().to_ascii_lowercase())
}

/// Returns whether a file has an extension, in small or capital letters.
pub(crate) fn has_extension(path: &Path, extension: &str) -> bool {
    path.extension().is_some_and(|found| found.eq_ignore_ascii_case(extension))
}

/// The error of an extension that names none of the known formats or forms.
pub(crate) fn no_format(what: &str, extension: &str, mut known: Vec<String>) -> String {
    let last = known.pop().unwrap_or_default();
    let known = known.join(", ");
    format!("the extension .{extension} names no output {what}: use {known} or {last}, or give --to")
}

/// The error if a binary output goes to a terminal, where it is of no use and may change settings.
pub(crate) fn binary_for_terminal(path: &Path) -> Option<String> {
    (is_stdout(path) && io::stdout().is_terminal()).then(|| {
        "the output is binary, and stdout is a terminal: write it to a file (-o FILE, or `-o - > FILE`), pass it on (`-o - | COMMAND`), or \
         choose a text form with --to"
            .to_owned()
    })
}

/// Returns whether two outputs are the same: the same file, or both stdout.
pub(crate) fn is_same(one: &Path, other: &Path) -> bool {
    let place = |path: &Path| fs::canonicalize(path).unwrap_or_else(|_| place_to_be(&link_target(path)));
    match (is_stdout(one), is_stdout(other)) {
        (false, false) => place(one) == place(other) && !is_device(one),
        (one, other) => one && other,
    }
}

/// The final path of a file that does not exist yet; the path as it is if its folder does not exist either.
fn place_to_be(path: &Path) -> PathBuf {
    match (fs::canonicalize(folder_of(path)), path.file_name()) {
        (Ok(folder), Some(name)) => folder.join(name),
        _ => path.to_owned(),
    }
}

fn folder_of(path: &Path) -> &Path {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// Returns whether the path exists and is neither a file nor a folder: writing to `/dev/null` twice loses nothing.
pub(crate) fn is_device(path: &Path) -> bool {
    fs::metadata(path).is_ok_and(|existing| !existing.is_file() && !existing.is_dir())
}

/// The target of a link to a file that does not exist yet; other paths as they are.
fn link_target(path: &Path) -> PathBuf {
    match fs::read_link(path) {
        Ok(target) => path.parent().unwrap_or(Path::new("")).join(target),
        Err(_) => path.to_owned(),
    }
}

fn replacement<'b>(target: PathBuf, bytes: &[u8], permissions: Option<Permissions>) -> io::Result<Prepared<'b>> {
    let mut builder = tempfile::Builder::new();
    builder.prefix(".reconverge-");
    let fresh = fresh_permissions();
    if let Some(fresh) = fresh {
        builder.permissions(fresh);
    }
    let mut temporary = builder.tempfile_in(folder_of(&target)).map_err(without_path)?;
    temporary.write_all(bytes)?;
    if let Some(permissions) = permissions {
        temporary.as_file().set_permissions(permissions)?;
    }
    Ok(Prepared::File { temporary, target })
}

/// The system's error without the name of the temporary file, which users do not know.
fn without_path(error: io::Error) -> io::Error {
    let text = error.to_string();
    match text.split_once(" at path \"") {
        Some((said, _)) => io::Error::new(error.kind(), said.to_owned()),
        None => error,
    }
}

/// The mode of a new file; the user's mask is applied to it.
#[cfg(unix)]
fn fresh_permissions() -> Option<Permissions> {
    use std::os::unix::fs::PermissionsExt;
    Some(Permissions::from_mode(0o666))
}

/// The mode of a new file: the system's default.
#[cfg(not(unix))]
fn fresh_permissions() -> Option<Permissions> {
    None
}
