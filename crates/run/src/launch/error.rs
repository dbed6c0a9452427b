//! Errors of reading a launch.

use std::fmt;

/// The reason why a launch cannot be read, and the place.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LaunchError {
    /// The path to the value from the root of the document, `args[2].count`; empty for the document itself.
    pub path: String,
    /// The error.
    pub message: String,
}

impl LaunchError {
    pub(crate) fn new(path: impl Into<String>, message: impl Into<String>) -> LaunchError {
        LaunchError { path: path.into(), message: message.into() }
    }
}

impl fmt::Display for LaunchError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.path.as_str() {
            "" => formatter.write_str(&self.message),
            path => write!(formatter, "{path}: {}", self.message),
        }
    }
}

impl std::error::Error for LaunchError {}
