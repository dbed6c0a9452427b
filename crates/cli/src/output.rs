//! Outputs: all of it or nothing.
//!
//! ```text
//! regular file, or none yet    temporary file in the same folder, then rename: a reader sees the old file or the new one, and
//!                              a failure leaves the old one as it was
//! symbolic link to such        the same for the file that it points to
//! `-`, /dev/stdout             stdout
//! other device, pipe, socket   written straight; there is nothing to keep
//! ```
//!
//! Where a command has several outputs, no file takes its place before all of them are written.

use std::fs::{self, File, OpenOptions, Permissions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use tempfile::NamedTempFile;

use crate::input::is_standard_stream;
use crate::progress;

/// Paths that name stdout. They are not opened: that would cut off a file that the shell opened for appending.
const STDOUT_PATHS: [&str; 3] = ["/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"];

/// Writes an output.
pub(crate) fn write(path: &Path, bytes: &[u8]) -> io::Result<()> {
    write_all(&[(path, bytes)]).map_err(|(_, error)| error)
}

/// Writes several outputs, all of them or none: files take the place of what was there once everything else is written.
///
/// # Errors
/// The first that cannot be written, by its number.
pub(crate) fn write_all(outputs: &[(&Path, &[u8])]) -> Result<(), (usize, io::Error)> {
    let mut prepared = Vec::with_capacity(outputs.len());
    for (index, &(path, bytes)) in outputs.iter().enumerate() {
        prepared.push((index, prepare(path, bytes).map_err(|error| (index, error))?));
    }
    let (files, streams): (Vec<_>, Vec<_>) =
        prepared.into_iter().partition(|(_, output)| matches!(output, Prepared::File { .. }));
    for (index, output) in streams.into_iter().chain(files) {
        output.finish().map_err(|error| (index, error))?;
    }
    Ok(())
}

/// An output that is as good as written.
enum Prepared<'b> {
    Stdout(&'b [u8]),
    Device(File, &'b [u8]),
    /// What it will be, beside where it will be.
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

/// Whether an output goes to stdout.
pub(crate) fn is_stdout(path: &Path) -> bool {
    is_standard_stream(path) || STDOUT_PATHS.iter().any(|name| path == Path::new(name))
}

/// Whether two outputs are one: the same file, or stdout both.
pub(crate) fn is_same(one: &Path, other: &Path) -> bool {
    let place = |path: &Path| fs::canonicalize(path).unwrap_or_else(|_| place_to_be(&link_target(path)));
    match (is_stdout(one), is_stdout(other)) {
        (false, false) => place(one) == place(other) && !is_device(one),
        (one, other) => one && other,
    }
}

/// Where a file that does not exist yet will be; the path as it is if its folder does not exist either.
fn place_to_be(path: &Path) -> PathBuf {
    match (fs::canonicalize(folder_of(path)), path.file_name()) {
        (Ok(folder), Some(name)) => folder.join(name),
        _ => path.to_owned(),
    }
}

fn folder_of(path: &Path) -> &Path {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// Whether it is there, and neither a file nor a folder: what is written to `/dev/null` twice is no loss.
pub(crate) fn is_device(path: &Path) -> bool {
    fs::metadata(path).is_ok_and(|existing| !existing.is_file() && !existing.is_dir())
}

/// Where a link to a file that does not exist yet points; other paths as they are.
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

/// The error of the system without the name of the temporary file, which means nothing to who reads it.
fn without_path(error: io::Error) -> io::Error {
    let text = error.to_string();
    match text.split_once(" at path \"") {
        Some((said, _)) => io::Error::new(error.kind(), said.to_owned()),
        None => error,
    }
}

/// What a new file is created with; the user's mask is applied to it.
#[cfg(unix)]
fn fresh_permissions() -> Option<Permissions> {
    use std::os::unix::fs::PermissionsExt;
    Some(Permissions::from_mode(0o666))
}

/// What a new file is created with: what the system gives.
#[cfg(not(unix))]
fn fresh_permissions() -> Option<Permissions> {
    None
}
