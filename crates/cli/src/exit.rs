//! Exit codes, for scripts.

use std::process::ExitCode;

use reconverge::{Kind, Severity};

/// The exit codes of the command. The numbers never change.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Exit {
    /// Success.
    Done = 0,
    /// The input is invalid; the same command fails again.
    Rejected = 1,
    /// The command line is wrong, or asks for something that is not possible for the input.
    Usage = 2,
    /// The input needs an unsupported feature; the message names it.
    Unsupported = 3,
    /// The input exceeds a declared limit.
    Limit = 4,
    /// A bug of the compiler; a reproducer was written.
    Internal = 70,
    /// Reading or writing failed; trying again may help.
    Io = 75,
}

/// The codes, for the help text.
pub(crate) const LEGEND: &str = "Exit codes:
  0   done
  1   the input is invalid (stderr says what and where)
  2   the command line is wrong, or does not fit the input
  3   the input uses an unsupported feature
  4   the input exceeds a documented limit
  70  an internal error (a reproducer was written; stderr says where)
  75  reading or writing failed";

impl Exit {
    /// The end of a command as a result: an error unless it is done.
    pub(crate) fn result(self) -> Result<(), Exit> {
        if self == Exit::Done { Ok(()) } else { Err(self) }
    }
}

impl From<Kind> for Exit {
    fn from(kind: Kind) -> Exit {
        match kind {
            Kind::Rejected => Exit::Rejected,
            Kind::Options => Exit::Usage,
            Kind::Unsupported => Exit::Unsupported,
            Kind::Limit => Exit::Limit,
            Kind::Internal => Exit::Internal,
            Kind::System => Exit::Io,
            kind if kind.severity() == Severity::Error => Exit::Internal,
            _ => Exit::Done,
        }
    }
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> ExitCode {
        ExitCode::from(exit as u8)
    }
}
