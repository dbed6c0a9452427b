//! Kinds of messages.

use std::fmt;

/// The severity of a message.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Severity {
    /// A report of what was done; the program is correct.
    Note,
    /// Information.
    Info,
    /// Probably a mistake; the program is accepted.
    Warning,
    /// The program is rejected.
    Error,
}

impl Severity {
    /// The name for messages.
    pub const fn name(self) -> &'static str {
        match self {
            Severity::Note => "note",
            Severity::Info => "info",
            Severity::Warning => "warning",
            Severity::Error => "error",
        }
    }
}

impl fmt::Display for Severity {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.pad(self.name())
    }
}

/// The kind of a message: whether the work continues, and if not, the reason why it ends.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum Kind {
    /// The input is invalid.
    Rejected,
    /// The options request something that is not possible: a pass or a kernel that does not exist, or a format that cannot express what the
    /// passes leave.
    Options,
    /// The input may be valid, but needs an unsupported feature.
    Unsupported,
    /// The input exceeds a declared limit.
    Limit,
    /// A bug of the compiler.
    Internal,
    /// A file, a device or another program failed.
    System,
    /// The work continues; the program is probably wrong.
    Warning,
    /// The work continues; the program is correct.
    Note,
    /// A warning that is given only if it is requested.
    Off,
}

impl Kind {
    /// The severity of messages of this kind, unless their level is chosen.
    pub const fn severity(self) -> Severity {
        match self {
            Kind::Warning | Kind::Off => Severity::Warning,
            Kind::Note => Severity::Note,
            _ => Severity::Error,
        }
    }

    /// The severity by name, or `off`, for lists.
    pub const fn level(self) -> &'static str {
        match self {
            Kind::Off => "off",
            kind => kind.severity().name(),
        }
    }
}
