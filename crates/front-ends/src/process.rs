//! One process: started, read to its end, judged by how it ended.
//!
//! Stdout and stderr are one pipe, so that messages keep their order. A front end that prints without end does not fill the memory: what is
//! beyond the limit is read and counted.

use std::ffi::OsString;
use std::fs::File;
use std::io::{self, Read};
use std::path::Path;
use std::process::{Command, ExitStatus, Stdio};

/// The number of bytes of messages that are kept.
const LIMIT: usize = 1 << 20;

/// Variables of the environment that change what front ends make. A module depends on the command line and on what it names.
const CHANGING: [&str; 7] = [
    "CPATH",
    "C_INCLUDE_PATH",
    "CPLUS_INCLUDE_PATH",
    "CCC_OVERRIDE_OPTIONS",
    "COMPILER_PATH",
    "DEPENDENCIES_OUTPUT",
    "SUNPRO_DEPENDENCIES",
];

/// A process that has ended.
pub(crate) struct Finished {
    pub(crate) status: ExitStatus,
    pub(crate) messages: String,
}

/// Runs a process. Without a file, its stdin is empty.
///
/// # Errors
/// The process cannot be started.
pub(crate) fn run(program: &Path, arguments: &[OsString], stdin: Option<File>) -> io::Result<Finished> {
    let (mut reader, writer) = io::pipe()?;
    let mut command = Command::new(program);
    command.args(arguments).stdin(stdin.map_or_else(Stdio::null, Stdio::from));
    command.stdout(writer.try_clone()?).stderr(writer).env("LC_ALL", "C");
    CHANGING.iter().for_each(|name| {
        command.env_remove(name);
    });
    let mut child = command.spawn()?;
    // The ends of the pipe that the command holds.
    drop(command);
    let mut kept = Vec::new();
    let read =
        reader.by_ref().take(LIMIT as u64).read_to_end(&mut kept).and_then(|_| io::copy(&mut reader, &mut io::sink()));
    let status = child.wait()?;
    let left_out = read?;
    let mut messages = String::from_utf8_lossy(&kept).into_owned();
    if left_out > 0 {
        messages += &format!("\n({left_out} more bytes of messages)\n");
    }
    Ok(Finished { status, messages })
}

/// The crash of a process: by a signal, of its own or of a process that it reports about, as shells do; or by a notice that it prints.
/// `None` if it did not crash.
pub(crate) fn crash(finished: &Finished, notice: Option<&str>) -> Option<String> {
    let code = finished.status.code();
    let of_child = code.filter(|code| (129..=159).contains(code)).map(|code| code - 128);
    let signal = signal_of(finished.status).or(of_child);
    let signal = signal.map(|number| match name_of_signal(number) {
        Some(name) => format!("signal {number}, {name}"),
        None => format!("signal {number}"),
    });
    let is_noticed = || notice.is_some_and(|notice| finished.messages.contains(notice));
    signal.or_else(|| is_noticed().then(|| "an internal error".to_owned()))
}

fn name_of_signal(number: i32) -> Option<&'static str> {
    Some(match number {
        4 => "SIGILL",
        6 => "SIGABRT",
        7 => "SIGBUS",
        8 => "SIGFPE",
        9 => "SIGKILL",
        11 => "SIGSEGV",
        15 => "SIGTERM",
        _ => return None,
    })
}

#[cfg(unix)]
fn signal_of(status: ExitStatus) -> Option<i32> {
    std::os::unix::process::ExitStatusExt::signal(&status)
}

#[cfg(not(unix))]
fn signal_of(_: ExitStatus) -> Option<i32> {
    None
}
