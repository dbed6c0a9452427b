//! Errors of reading a launch.

use reconverge_diagnostic::{Diagnostic, Place};
use reconverge_interpret::LaunchCode;

/// A launch that cannot be read. The message begins with the path to the value from the root of the document, `args[2].count`, unless the path is
/// empty: then it is about the document itself.
pub(crate) fn unreadable(path: &str, message: impl Into<String>) -> Diagnostic {
    let message = message.into();
    let message = if path.is_empty() { message } else { format!("{path}: {message}") };
    Diagnostic::new(LaunchCode::Launch, Place::Whole, message)
}
