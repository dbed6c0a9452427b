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

/// The exit codes and what they mean.
pub(crate) const ALL: [(Exit, &str); 7] = [
    (Exit::Done, "done"),
    (Exit::Rejected, "the input is invalid (stderr says what and where)"),
    (Exit::Usage, "the command line is wrong, or does not fit the input"),
    (Exit::Unsupported, "the input uses an unsupported feature"),
    (Exit::Limit, "the input exceeds a documented limit"),
    (Exit::Internal, "an internal error (a reproducer was written; stderr says where)"),
    (Exit::Io, "reading or writing failed"),
];

/// The exit codes, for the help text.
pub(crate) fn legend() -> String {
    let rows: Vec<String> = ALL.iter().map(|&(exit, meaning)| format!("  {:<3} {meaning}", exit as u8)).collect();
    format!("Exit codes:\n{}", rows.join("\n"))
}

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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_of_message_ends_with_a_code_of_the_table() {
        let kinds = [
            Kind::Rejected,
            Kind::Options,
            Kind::Unsupported,
            Kind::Limit,
            Kind::Internal,
            Kind::System,
            Kind::Warning,
            Kind::Note,
            Kind::Off,
        ];
        let of_kinds: Vec<u8> = kinds.map(|kind| Exit::from(kind) as u8).to_vec();
        let of_table: Vec<u8> = ALL.map(|(exit, _)| exit as u8).to_vec();
        assert!(of_kinds.iter().all(|code| of_table.contains(code)), "{of_kinds:?}");
        assert!(of_table.iter().all(|code| of_kinds.contains(code)), "{of_table:?}");
        assert!(of_table.is_sorted(), "{of_table:?}");
    }
}
