//! Diagnostics as SARIF 2.1.0 (OASIS, 2020), for services that show findings beside code.
//!
//! A place is a line and a column in text, and an offset in bytes in a binary. Steps of a diagnosis are related locations.

use reconverge::Place;
use reconverge_diagnose::Severity;
use serde_json::{Value, json};

use crate::diagnostics::{Diagnostic, SourceLine};

const SCHEMA: &str = "https://json.schemastore.org/sarif-2.1.0.json";

/// One log with all diagnostics, in their order.
pub(crate) fn log(diagnostics: &[Diagnostic]) -> String {
    let mut codes: Vec<&str> = diagnostics.iter().map(|diagnostic| diagnostic.code.name).collect();
    codes.sort_unstable();
    codes.dedup();
    let rules: Vec<Value> = codes.iter().map(|code| json!({ "id": code })).collect();
    let results: Vec<Value> = diagnostics.iter().map(result).collect();
    let driver = json!({ "name": "reconverge", "version": env!("CARGO_PKG_VERSION"), "rules": rules });
    let runs = json!([{ "tool": { "driver": driver }, "columnKind": "unicodeCodePoints", "results": results }]);
    format!("{:#}\n", json!({ "$schema": SCHEMA, "version": "2.1.0", "runs": runs }))
}

fn result(diagnostic: &Diagnostic) -> Value {
    let level = match diagnostic.severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Note | Severity::Info => "note",
    };
    let help = diagnostic.suggestion.as_ref().map_or_else(String::new, |help| format!("; {help}"));
    let mut result = json!({
        "ruleId": diagnostic.code.name, "level": level, "message": { "text": format!("{}{help}", diagnostic.message) },
    });
    let Some(file) = diagnostic.file.as_deref() else { return result };
    let (file_of, place) = shown(file, diagnostic.place, diagnostic.source.as_ref());
    result["locations"] = json!([location(file_of, place, diagnostic.function.as_deref(), None)]);
    let steps = diagnostic.path.iter().map(|step| {
        let (file, place) = shown(file, step.place, step.source.as_ref());
        location(file, place, step.function.as_deref(), Some(&step.message))
    });
    let steps: Vec<Value> = steps.collect();
    if !steps.is_empty() {
        result["relatedLocations"] = json!(steps);
    }
    result
}

/// The place in the source of the shader, if it is known; else in the input.
fn shown<'a>(file: &'a str, place: Option<Place>, source: Option<&'a SourceLine>) -> (&'a str, Option<Place>) {
    match source {
        Some(SourceLine { place, .. }) => {
            (&place.file, Some(Place::Line(place.line.max(1) as usize, place.column.max(1) as usize)))
        }
        None => (file, place),
    }
}

fn location(file: &str, place: Option<Place>, function: Option<&str>, message: Option<&str>) -> Value {
    let region = place.map(|place| match place {
        Place::Line(line, column) => json!({ "startLine": line, "startColumn": column }),
        Place::Word(word) => json!({ "byteOffset": 4 * word, "byteLength": 4 }),
        Place::Byte(byte) => json!({ "byteOffset": byte, "byteLength": 1 }),
        _ => json!({}),
    });
    let mut physical = json!({ "artifactLocation": { "uri": uri(file) } });
    if let Some(region) = region {
        physical["region"] = region;
    }
    let mut location = json!({ "physicalLocation": physical });
    if let Some(function) = function {
        location["logicalLocations"] = json!([{ "name": function, "kind": "function" }]);
    }
    if let Some(message) = message {
        location["message"] = json!({ "text": message });
    }
    location
}

/// The name of a file as a URI reference (RFC 3986): characters that have a meaning there are escaped.
fn uri(file: &str) -> String {
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b"/-._~".contains(&byte);
    let escaped =
        file.bytes().map(|byte| if is_plain(byte) { char::from(byte).to_string() } else { format!("%{byte:02X}") });
    escaped.collect()
}
