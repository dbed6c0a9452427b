//! Outputs: all of it or nothing.
//!
//! ```text
//! regular file, or none yet    temporary file in the same folder, then rename: a reader sees the old file or the new one, and
//!                              a failure leaves the old one as it was
//! symbolic link to such        the same for the file that it points to
//! `-`, /dev/stdout             stdout
//! other device, pipe, socket   written straight; there is nothing to keep
//! ```

use std::fs::{self, File, OpenOptions, Permissions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use crate::input::is_standard_stream;

/// Paths that name stdout. They are not opened: that would cut off a file that the shell opened for appending.
const STDOUT_PATHS: [&str; 3] = ["/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"];

/// Writes an output.
pub(crate) fn write(path: &Path, bytes: &[u8]) -> io::Result<()> {
    if is_stdout(path) {
        let mut stdout = io::stdout().lock();
        stdout.write_all(bytes)?;
        return stdout.flush();
    }
    match fs::metadata(path) {
        Ok(existing) if existing.is_dir() => Err(io::Error::from(io::ErrorKind::IsADirectory)),
        Ok(existing) if existing.is_file() => replace(&fs::canonicalize(path)?, bytes, Some(existing.permissions())),
        Ok(_) => OpenOptions::new().write(true).open(path)?.write_all(bytes),
        Err(error) if error.kind() == io::ErrorKind::NotFound => replace(&link_target(path), bytes, None),
        Err(error) => Err(error),
    }
}

/// Whether an output goes to stdout.
pub(crate) fn is_stdout(path: &Path) -> bool {
    is_standard_stream(path) || STDOUT_PATHS.iter().any(|name| path == Path::new(name))
}

/// Where a link to a file that does not exist yet points; other paths as they are.
fn link_target(path: &Path) -> PathBuf {
    match fs::read_link(path) {
        Ok(target) => path.parent().unwrap_or(Path::new("")).join(target),
        Err(_) => path.to_owned(),
    }
}

fn replace(path: &Path, bytes: &[u8], permissions: Option<Permissions>) -> io::Result<()> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let mut builder = tempfile::Builder::new();
    builder.prefix(".reconverge-");
    let fresh = fresh_permissions();
    if let Some(fresh) = fresh {
        builder.permissions(fresh);
    }
    let mut file = builder.tempfile_in(folder)?;
    file.write_all(bytes)?;
    if let Some(permissions) = permissions {
        file.as_file().set_permissions(permissions)?;
    }
    let _: File = file.persist(path)?;
    Ok(())
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
