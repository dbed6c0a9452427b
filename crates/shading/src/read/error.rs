//! Errors of texts that cannot be read, with their places.

use std::any::Any;
use std::error::Error;

use naga::front::wgsl;
use naga::valid::ValidationError;
use naga::{SourceLocation, Span, WithSpan};
use reconverge_diagnostic::{Diagnostic, Place};

use crate::source::ReadCode;

/// The messages of naga for a text that it does not know and that WGSL, or an extension of it, may have.
const UNKNOWN: [&str; 9] = [
    "not yet implemented",
    "not currently enabled",
    "not yet supported",
    "identifier: `subgroupElect`",
    "unknown language extension",
    "unknown enable-extension",
    "Not implemented as constant expression",
    "does not support assignments to swizzles",
    "type is too large",
];

fn new(code: ReadCode, place: Option<Place>, message: String) -> Diagnostic {
    Diagnostic::new(code, place.unwrap_or(Place::Line(1, 1)), message)
}

pub(super) fn limit(message: String) -> Diagnostic {
    new(ReadCode::Limit, None, message)
}

pub(super) fn of_wgsl(error: &wgsl::ParseError, text: &str) -> Diagnostic {
    let notes = error.notes().map(|note| format!("; {note}"));
    let message: String = std::iter::once(error.message().to_owned()).chain(notes).collect();
    let is_unsupported = UNKNOWN.iter().any(|words| message.contains(words));
    // Limits of the parser itself, which it has besides ours.
    let is_limit = ["nesting limit", "recursion limit"].iter().any(|words| message.contains(words));
    let code = match (is_unsupported, is_limit) {
        (true, _) => ReadCode::Unsupported,
        (_, true) => ReadCode::Limit,
        _ => ReadCode::Syntax,
    };
    new(code, error.location(text).map(|location| place(location, text)), message)
}

pub(super) fn of_validation(error: &WithSpan<ValidationError>, text: &str) -> Diagnostic {
    // The innermost cause names the rule; those around it say where it is.
    let mut message = Vec::new();
    let mut cause: Option<&dyn Error> = Some(error.as_inner());
    while let Some(error) = cause {
        message.push(error.to_string());
        cause = error.source();
    }
    let location = error.spans().next().and_then(|(span, _)| located(*span, text));
    new(ReadCode::Invalid, location, message.join(": "))
}

pub(super) fn unsupported(place: Option<Place>, message: String) -> Diagnostic {
    new(ReadCode::Unsupported, place, message)
}

/// The error as one of what this reader made of the text.
pub(super) fn of_the_reader(error: Diagnostic) -> Diagnostic {
    let message = format!("the reader of WGSL does not know this yet: {}", error.message);
    new(ReadCode::Unsupported, Some(error.place), message)
}

/// naga panicked, which it does where something is not implemented.
pub(super) fn of_panic(panic: &(dyn Any + Send)) -> Diagnostic {
    let message = panic_message(panic);
    new(ReadCode::Unsupported, None, format!("naga does not translate this text: {message}"))
}

pub(super) fn of_writing(error: &naga::back::spv::Error) -> Diagnostic {
    new(ReadCode::Unsupported, None, format!("there is no SPIR-V for this: {error}"))
}

pub(super) fn of_spirv(error: &Diagnostic) -> Diagnostic {
    new(ReadCode::Unsupported, None, error.message.clone())
}

/// Line and column of a span, from 1; columns count characters.
pub(crate) fn located(span: Span, text: &str) -> Option<Place> {
    span.is_defined().then(|| place(span.location(text), text))
}

fn place(location: SourceLocation, text: &str) -> Place {
    let offset = location.offset as usize;
    let start = offset.saturating_sub((location.line_position as usize).saturating_sub(1));
    let before = text.get(start..offset).map_or(0, |before| before.chars().count());
    Place::Line(location.line_number as usize, before + 1)
}

/// The message of a panic of naga, in a line. It panics where something is not implemented.
fn panic_message(panic: &(dyn std::any::Any + Send)) -> &str {
    let message = panic.downcast_ref::<String>().map(String::as_str).or_else(|| panic.downcast_ref::<&str>().copied());
    message.and_then(|message| message.lines().next()).unwrap_or("it panics")
}
