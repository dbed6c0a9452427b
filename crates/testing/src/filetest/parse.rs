//! `; test parse`: the error in a text, and its place.

use reconverge_ir::text;

use super::case::Case;

/// The file with the error below its line.
pub(super) fn run(case: &Case) -> Result<String, String> {
    match text::parse(&case.input) {
        Ok(_) => Err("the text reads without error; a test of right input is `; test cat`".to_owned()),
        Err(error) => {
            // The parser counts lines from 1, and the place may be after the last one.
            let last = case.input.lines().count().saturating_sub(1);
            let (line, column) = error.place.line_and_column().ok_or("an error of a text has a line")?;
            let mark = format!("column {column}: {}: {}", error.code, error.message);
            Ok(case.with_marks(&[((line - 1).min(last), mark)]))
        }
    }
}
