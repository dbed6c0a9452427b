//! The parts of one filetest.

use reconverge_ir::Module;
use reconverge_ir::text;

/// The line between input and expectation.
pub(super) const SEPARATOR: &str = "; ----";
/// The prefix of an expectation for the line above.
pub(super) const MARK: &str = "; ^ ";
const HEADER: &str = "; test ";

/// A filetest.
#[derive(Clone, Debug)]
pub(super) struct Case {
    /// The first line after `; test `.
    pub(super) command: String,
    /// Everything before the separator, without expectations for lines.
    pub(super) input: String,
}

impl Case {
    pub(super) fn parse(text: &str) -> Result<Case, String> {
        let first = text.lines().next().unwrap_or_default();
        let command =
            first.strip_prefix(HEADER).ok_or("the first line does not read `; test COMMAND`")?.trim().to_owned();
        let input =
            text.lines().take_while(|line| *line != SEPARATOR).filter(|line| !line.trim_start().starts_with(MARK));
        Ok(Case { command, input: input.flat_map(|line| [line, "\n"]).collect() })
    }

    /// The module that the input describes.
    pub(super) fn module(&self) -> Result<Module, String> {
        text::parse(&self.input).map_err(|error| error.to_string())
    }

    /// The file with this text after the separator.
    pub(super) fn with_output(&self, output: &str) -> String {
        format!("{}{SEPARATOR}\n{output}", self.input)
    }

    /// The file with expectations for lines: `(line from 0, expectation)`, those of one line in the given order.
    pub(super) fn with_marks(&self, marks: &[(usize, String)]) -> String {
        let mut out = String::new();
        for (number, line) in self.input.lines().enumerate() {
            out.push_str(line);
            out.push('\n');
            let indent = &line[..line.len() - line.trim_start().len()];
            for (_, mark) in marks.iter().filter(|(at, _)| *at == number) {
                out.push_str(&format!("{indent}{MARK}{mark}\n"));
            }
        }
        out
    }
}

/// The first lines that differ, with their number in the file.
pub(super) fn difference(found: &str, right: &str) -> String {
    let mut number = 1;
    let (mut left, mut other) = (found.lines(), right.lines());
    loop {
        match (left.next(), other.next()) {
            (Some(found), Some(right)) if found == right => number += 1,
            (None, None) => return "line ends differ".to_owned(),
            (found, right) => {
                let show = |line: Option<&str>| line.unwrap_or("(end of file)").to_owned();
                let (found, right) = (show(found), show(right));
                return format!(
                    "line {number} differs\n  in the file: {found}\n  should be:   {right}\n(RECONVERGE_BLESS=1 rewrites it)"
                );
            }
        }
    }
}
