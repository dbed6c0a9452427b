//! Messages of front ends, with their places.
//!
//! ```text
//! a.cl:3:7: error: use of undeclared identifier 'x'      clang, dxc, glslc (without a column)
//! ERROR: a.comp:3: 'x' : undeclared identifier           glslang
//! a.slang(3): error 30015: undefined identifier 'x'      slangc
//! ```
//!
//! A line that is none of these belongs to the message before it: the source line, or a second sentence.

/// A message.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Message {
    /// The severity.
    pub severity: Severity,
    /// The file.
    pub file: Option<String>,
    /// The line, from 1.
    pub line: Option<usize>,
    /// The column, from 1.
    pub column: Option<usize>,
    /// The text.
    pub text: String,
    /// The lines that follow it.
    pub context: String,
}

/// The severity of a message.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Severity {
    /// The source is refused.
    #[default]
    Error,
    /// The source is probably wrong.
    Warning,
    /// It explains another message.
    Note,
}

/// The words that front ends write for severities, at the start of what is said.
const WORDS: [(&str, Severity); 8] = [
    ("fatal error", Severity::Error),
    ("internal error", Severity::Error),
    ("error", Severity::Error),
    ("ERROR", Severity::Error),
    ("warning", Severity::Warning),
    ("WARNING", Severity::Warning),
    ("note", Severity::Note),
    ("remark", Severity::Note),
];

/// The messages in what a front end printed. Lines before the first message are left out. Linear.
pub fn messages_of(printed: &str) -> Vec<Message> {
    let mut messages: Vec<Message> = Vec::new();
    for line in printed.lines() {
        match (parse(line), messages.last_mut()) {
            (Some(message), _) => messages.push(message),
            (None, Some(before)) if !line.trim().is_empty() => {
                before.context += if before.context.is_empty() { "" } else { "\n" };
                before.context += line;
            }
            (None, _) => {}
        }
    }
    messages
}

fn parse(line: &str) -> Option<Message> {
    of_glslang(line).or_else(|| of_slangc(line)).or_else(|| of_clang(line)).or_else(|| {
        let (severity, text) = severity(line)?;
        Some(Message { severity, text: text.to_owned(), ..Message::default() })
    })
}

/// The severity that a text begins with, and the rest after its colon. Between them may be a number.
fn severity(text: &str) -> Option<(Severity, &str)> {
    let (word, severity) = WORDS.into_iter().find(|(word, _)| text.starts_with(word))?;
    let (number, rest) = text[word.len()..].split_once(':')?;
    let is_number = number.trim().trim_start_matches('E').chars().all(|letter| letter.is_ascii_digit());
    is_number.then(|| (severity, rest.trim()))
}

/// `ERROR: FILE:LINE: TEXT`.
fn of_glslang(line: &str) -> Option<Message> {
    let (severity, rest) = severity(line).filter(|_| line.starts_with("ERROR: ") || line.starts_with("WARNING: "))?;
    let (place, text) = rest.split_once(": ")?;
    let (file, number) = place.rsplit_once(':')?;
    let line = Some(number.parse().ok()?);
    Some(Message { severity, file: Some(file.to_owned()), line, text: text.trim().to_owned(), ..Message::default() })
}

/// `FILE:LINE:COLUMN: error: TEXT`, without the column, or without both.
fn of_clang(line: &str) -> Option<Message> {
    let (at, (severity, text)) = line.match_indices(": ").find_map(|(at, _)| Some((at, severity(&line[at + 2..])?)))?;
    let place = &line[..at];
    let numbered =
        |text: &str| text.rsplit_once(':').and_then(|(rest, number)| Some((rest.to_owned(), number.parse().ok()?)));
    let message = Message { severity, text: text.to_owned(), ..Message::default() };
    Some(match numbered(place) {
        Some((rest, last)) => match numbered(&rest) {
            Some((file, line)) => Message { file: Some(file), line: Some(line), column: Some(last), ..message },
            None => Message { file: Some(rest), line: Some(last), ..message },
        },
        None => Message { file: Some(place.to_owned()), ..message },
    })
}

/// `FILE(LINE): error NUMBER: TEXT`.
fn of_slangc(line: &str) -> Option<Message> {
    let (place, rest) = line.split_once("): ")?;
    let (severity, text) = severity(rest)?;
    let (file, number) = place.rsplit_once('(')?;
    let number = number.split(',').next()?.parse().ok()?;
    Some(Message {
        severity,
        file: Some(file.to_owned()),
        line: Some(number),
        text: text.to_owned(),
        ..Message::default()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn place(printed: &str) -> (Severity, Option<String>, Option<usize>, Option<usize>, String) {
        let message = messages_of(printed).remove(0);
        (message.severity, message.file, message.line, message.column, message.text)
    }

    #[test]
    fn each_front_end_is_understood() {
        let file = |name: &str| Some(name.to_owned());
        let undeclared = || "'x' : undeclared identifier".to_owned();
        assert_eq!(
            place("a b.cl:3:7: fatal error: 'x' : undeclared identifier\n"),
            (Severity::Error, file("a b.cl"), Some(3), Some(7), undeclared())
        );
        assert_eq!(
            place("WARNING: a.comp:3: 'x' : undeclared identifier \n"),
            (Severity::Warning, file("a.comp"), Some(3), None, undeclared())
        );
        assert_eq!(
            place("dir/a.comp:12: error: 'x' : undeclared identifier\n"),
            (Severity::Error, file("dir/a.comp"), Some(12), None, undeclared())
        );
        assert_eq!(
            place("a.slang(3): error 30015: 'x' : undeclared identifier\n"),
            (Severity::Error, file("a.slang"), Some(3), None, undeclared())
        );
        assert_eq!(
            place("clang: error: no such file\n"),
            (Severity::Error, file("clang"), None, None, "no such file".to_owned())
        );
        assert_eq!(
            place("ERROR: 3 compilation errors.  No code generated.\n"),
            (Severity::Error, None, None, None, "3 compilation errors.  No code generated.".to_owned())
        );
    }

    #[test]
    fn what_follows_a_message_belongs_to_it() {
        let printed = "a.comp\n\na.cl:1:1: warning: one\n    1 | int x\n      | ^\na.cl:2:1: note: two\n\n";
        let messages = messages_of(printed);
        assert_eq!(messages.len(), 2);
        assert_eq!(messages[0].context, "    1 | int x\n      | ^");
        assert_eq!((messages[1].severity, messages[1].context.as_str()), (Severity::Note, ""));
        assert_eq!(messages_of("errors happen\nnothing: here\n"), []);
    }
}
