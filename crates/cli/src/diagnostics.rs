//! Diagnostics: messages on stderr, as text for people or as one JSON object per line for programs.
//!
//! Every JSON line has a `kind`: `diagnostic` here, `why` and `summary` (`why.rs`), `time` and `print` (`compile.rs`). All keys are always
//! present and sorted; a value that does not apply is `null`.
//!
//! ```text
//! {"block":"^body","code":"R18","context":"…","edge":null,"file":"in.ir","function":"%main","function_name":null,
//!  "kind":"diagnostic","message":"…","path":[],"place":{"column":3,"line":12},"severity":"error","source":null,
//!  "source_line":null,"suggestion":null}
//! ```
//!
//! The path of a diagnosis has an object for each step: `block`, `context`, `function`, `message`, `place`, `source`. Long messages and
//! contexts are cut (`shorten.rs`); names are not.

use std::borrow::Cow;
use std::collections::{BTreeMap, HashSet};
use std::fmt;
use std::io::{self, Write};
use std::path::Path;

use annotate_snippets::{AnnotationKind, Group, Level, Origin, Renderer, Snippet};
use reconverge::ir::Inst;
use reconverge::{InternalCode, Place};
use reconverge_diagnose::{Severity, SourcePlace, Sources};
use reconverge_diagnostic::Code;
use serde_json::{Value, json};

use crate::exit::Exit;
use crate::messages::{Color, ErrorFormat, Verbosity, is_live_terminal};
use crate::progress;
use crate::shorten::{ShownLine, shortened};

reconverge_diagnostic::codes! {
    /// Codes of command lines and files.
    pub(crate) enum CommandCode in "The command" {
        Usage = "usage" Options
            "The command line is wrong (exit code 2)."
            "`reconverge help COMMAND` has all options";
        Io = "io" System
            "A file cannot be read or written (exit code 75)."
            "check the path and its permissions";
    }
}

/// The largest number of messages with one code that people see, unless they ask for all.
const SAME_CODE_LIMIT: usize = 20;

/// A message about an input.
#[derive(Clone, Debug)]
pub(crate) struct Diagnostic {
    /// Its severity.
    pub(crate) severity: Severity,
    /// Stable code.
    pub(crate) code: &'static Code,
    /// The message: lower case, no full stop.
    pub(crate) message: String,
    /// The file.
    pub(crate) file: Option<String>,
    /// The place in the file.
    pub(crate) place: Option<Place>,
    /// The line of the file at that place.
    pub(crate) line: Option<ShownLine>,
    /// The function, by its name in the text form.
    pub(crate) function: Option<String>,
    /// The name of the function, if the text form cannot use it: `trace(vf3;`.
    pub(crate) function_name: Option<String>,
    /// The block, by its name in the text form.
    pub(crate) block: Option<String>,
    /// The edge, from block to block.
    pub(crate) edge: Option<(String, String)>,
    /// The instruction, printed.
    pub(crate) context: Option<String>,
    /// The source location of the instruction, in the source of the shader.
    pub(crate) source: Option<SourceLine>,
    /// Additional notes.
    pub(crate) notes: Vec<&'static str>,
    /// The suggestion of a fix.
    pub(crate) suggestion: Option<String>,
    /// The path that leads there.
    pub(crate) path: Vec<Waypoint>,
}

impl Diagnostic {
    /// Returns whether the line of the source is shown.
    pub(crate) fn shows_source(&self) -> bool {
        self.source.as_ref().is_some_and(SourceLine::is_shown)
    }

    /// The diagnostic for someone who reads the source: where its line is shown, the block, the edge and the instruction of the module are left out,
    /// and the function has its name in the source.
    fn in_terms_of_source(&self) -> Cow<'_, Diagnostic> {
        if !self.shows_source() {
            return Cow::Borrowed(self);
        }
        let written = self.function.as_deref().map(|function| function.trim_start_matches('%'));
        let is_number = |name: &str| name.bytes().all(|byte| byte.is_ascii_digit());
        let function = self.function_name.as_deref().or(written.filter(|name| !is_number(name)));
        let path = self.path.iter().map(|step| match step.source.as_ref().is_some_and(SourceLine::is_shown) {
            true => Waypoint { context: None, ..step.clone() },
            false => step.clone(),
        });
        Cow::Owned(Diagnostic {
            function: function.map(str::to_owned),
            function_name: None,
            block: None,
            edge: None,
            context: None,
            path: path.collect(),
            ..self.clone()
        })
    }
}

impl Default for Diagnostic {
    /// An error without a place. Its code is to be given.
    fn default() -> Diagnostic {
        Diagnostic {
            severity: Severity::Error,
            code: InternalCode::Internal.declared(),
            message: String::new(),
            file: None,
            place: None,
            line: None,
            function: None,
            function_name: None,
            block: None,
            edge: None,
            context: None,
            source: None,
            notes: Vec::new(),
            suggestion: None,
            path: Vec::new(),
        }
    }
}

/// A step of the path that leads to the place of a diagnostic.
#[derive(Clone, Debug, Default)]
pub(crate) struct Waypoint {
    /// The event: lower case, no full stop.
    pub(crate) message: String,
    /// The place in the file.
    pub(crate) place: Option<Place>,
    /// The line of the file at that place.
    pub(crate) line: Option<ShownLine>,
    /// The function, by its name in the text form.
    pub(crate) function: Option<String>,
    /// The block, by its name in the text form.
    pub(crate) block: Option<String>,
    /// The instruction, printed.
    pub(crate) context: Option<String>,
    /// The source location of the instruction, in the source of the shader.
    pub(crate) source: Option<SourceLine>,
}

/// A place in the source of the shader. Displays as the place.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct SourceLine {
    /// The location.
    pub(crate) place: SourcePlace,
    /// The file name for a terminal: control characters are escaped.
    pub(crate) file: String,
    /// The line, if the module embeds the source.
    pub(crate) line: Option<ShownLine>,
}

impl SourceLine {
    /// The source location of an instruction, with its line.
    pub(crate) fn of(sources: &Sources<'_>, inst: Inst) -> Option<SourceLine> {
        sources.place(inst).map(|place| SourceLine::at(sources, place))
    }

    /// A source location, with its line.
    pub(crate) fn at(sources: &Sources<'_>, place: SourcePlace) -> SourceLine {
        let line = sources.line(&place).map(|line| ShownLine::new(line, place.column.max(1) as usize));
        let file = printable(&place.file).into_owned();
        SourceLine { place, file, line }
    }

    /// Returns whether messages show the line.
    fn is_shown(&self) -> bool {
        self.line.is_some()
    }

    /// A source location, without its line.
    pub(crate) fn without_text(place: SourcePlace) -> SourceLine {
        let file = printable(&place.file).into_owned();
        SourceLine { place, file, line: None }
    }
}

impl fmt::Display for SourceLine {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.place.fmt(formatter)
    }
}

/// Prints messages on stderr.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Reporter {
    /// The command, for hints.
    command: &'static str,
    format: ErrorFormat,
    color: Color,
    verbosity: Verbosity,
}

impl Reporter {
    /// A reporter of a command, for people or programs.
    pub(crate) fn new(command: &'static str, format: ErrorFormat, color: Color, verbosity: Verbosity) -> Reporter {
        Reporter { command, format, color, verbosity }
    }

    /// Returns whether long work shows its progress.
    pub(crate) fn shows_progress(self) -> bool {
        self.format == ErrorFormat::Human && self.verbosity != Verbosity::Quiet && is_live_terminal()
    }

    /// Returns whether messages are for people.
    pub(crate) fn is_for_people(self) -> bool {
        self.format == ErrorFormat::Human
    }

    /// Returns whether details are printed too.
    pub(crate) fn is_verbose(self) -> bool {
        self.verbosity == Verbosity::Verbose
    }

    /// Reports an error of the command line.
    pub(crate) fn wrong_usage(self, message: String) -> Exit {
        let code = CommandCode::Usage.declared();
        let suggestion = Some(code.help.replace("COMMAND", self.command));
        self.report(&[Diagnostic { code, message, suggestion, ..Diagnostic::default() }]);
        Exit::Usage
    }

    /// Reports diagnostics; a quiet reporter reports only errors. Of notes that say the same about one line of the source, the first is
    /// reported: the line became several instructions, or its function several functions. People see at most 20 of one code, unless the
    /// reporter is verbose; programs get all.
    pub(crate) fn report(self, diagnostics: &[Diagnostic]) {
        let is_quiet = self.verbosity == Verbosity::Quiet;
        let mut noted = HashSet::new();
        let mut is_new = |diagnostic: &Diagnostic| {
            let Some(line) = diagnostic.source.as_ref().filter(|_| diagnostic.severity == Severity::Note) else {
                return true;
            };
            noted.insert((diagnostic.code.name, line.place.file.clone(), line.place.line))
        };
        let is_heard = |diagnostic: &&Diagnostic| !is_quiet || diagnostic.severity == Severity::Error;
        let heard = diagnostics.iter().filter(is_heard).filter(|diagnostic| is_new(diagnostic));
        match self.format {
            ErrorFormat::Human => self.show(heard),
            ErrorFormat::Json => say(&heard.map(|diagnostic| format!("{}\n", to_json(diagnostic))).collect::<String>()),
        }
    }

    /// Prints diagnostics for people. The first error of a code has the help of the code, unless it suggests something itself.
    fn show<'d>(self, diagnostics: impl Iterator<Item = &'d Diagnostic>) {
        let renderer = if self.color.is_on() { Renderer::styled() } else { Renderer::plain() };
        let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
        let mut text = String::new();
        for diagnostic in diagnostics {
            let count = counts.entry(diagnostic.code.name).or_default();
            *count += 1;
            if *count > SAME_CODE_LIMIT && !self.is_verbose() {
                continue;
            }
            let help = help_of(diagnostic).filter(|_| *count == 1);
            let diagnostic =
                if self.is_verbose() { Cow::Borrowed(diagnostic) } else { diagnostic.in_terms_of_source() };
            text.push_str(&render(&diagnostic, help, &renderer));
            text.push('\n');
        }
        for (code, count) in counts.into_iter().filter(|&(_, count)| count > SAME_CODE_LIMIT && !self.is_verbose()) {
            text += &format!("and {} more of {code} (--verbose prints all)\n", count - SAME_CODE_LIMIT);
        }
        say(&text);
    }

    /// Passes on what another program printed: the text for people, the diagnostics in it for programs. A quiet reporter omits warnings.
    pub(crate) fn pass_on(self, text: &str, severity: Severity, diagnostics: impl FnOnce() -> Vec<Diagnostic>) {
        match self.format {
            ErrorFormat::Json => self.report(&diagnostics()),
            ErrorFormat::Human if severity == Severity::Error || self.verbosity != Verbosity::Quiet => say(text),
            ErrorFormat::Human => {}
        }
    }

    /// Prints the output of an option: text for people, an object for programs.
    pub(crate) fn note(self, text: &str, object: &Value) {
        match self.format {
            ErrorFormat::Human => say(&format!("{text}\n")),
            ErrorFormat::Json => say(&format!("{object}\n")),
        }
    }

    /// As [`Reporter::note`], for output that no option requests: a quiet reporter omits it.
    pub(crate) fn remark(self, text: &str, object: &Value) {
        if self.verbosity != Verbosity::Quiet {
            self.note(text, object);
        }
    }

    /// As [`Reporter::note`], but only a verbose reporter prints it.
    pub(crate) fn detail(self, text: &str, object: &Value) {
        if self.is_verbose() {
            self.note(text, object);
        }
    }
}

/// Writes to stderr. A closed stderr is not an error.
fn say(text: &str) {
    progress::erase();
    let _ = io::stderr().lock().write_all(text.as_bytes());
}

fn to_json(diagnostic: &Diagnostic) -> Value {
    let edge = diagnostic.edge.as_ref().map(|(from, to)| json!([from, to]));
    let path: Vec<Value> = diagnostic.path.iter().map(step_to_json).collect();
    json!({
        "kind": "diagnostic",
        "severity": diagnostic.severity.name(),
        "code": diagnostic.code.name,
        "message": shortened(&diagnostic.message),
        "file": diagnostic.file,
        "place": place_to_json(diagnostic.place),
        "function": diagnostic.function,
        "function_name": diagnostic.function_name,
        "block": diagnostic.block,
        "edge": edge,
        "context": diagnostic.context.as_deref().map(shortened),
        "source": diagnostic.source.as_ref().map(SourceLine::to_string),
        "source_line": diagnostic.source.as_ref().and_then(|source| source.line.as_ref()).map(|line| line.text.as_str()),
        "suggestion": diagnostic.suggestion.as_deref().or_else(|| help_of(diagnostic)),
        "path": path,
    })
}

/// What to do about an error that suggests nothing itself.
fn help_of(diagnostic: &Diagnostic) -> Option<&'static str> {
    let help = diagnostic.code.help;
    (diagnostic.severity == Severity::Error && !help.is_empty()).then_some(help)
}

fn step_to_json(step: &Waypoint) -> Value {
    json!({
        "message": shortened(&step.message),
        "place": place_to_json(step.place),
        "function": step.function,
        "block": step.block,
        "context": step.context.as_deref().map(shortened),
        "source": step.source.as_ref().map(SourceLine::to_string),
        "source_line": step.source.as_ref().and_then(|source| source.line.as_ref()).map(|line| line.text.as_str()),
    })
}

fn place_to_json(place: Option<Place>) -> Option<Value> {
    place.map(|place| place.fields().map(|(name, number)| (name.to_owned(), json!(number))).collect())
}

/// A diagnostic for people; `help` is what to do if the diagnostic suggests nothing.
fn render(diagnostic: &Diagnostic, help: Option<&str>, renderer: &Renderer) -> String {
    let file = diagnostic.file.as_deref().map(printable);
    let file = file.as_deref();
    let group = Group::with_title(title(diagnostic));
    // The shown line has the name of the file, if it is a line of the input.
    let is_in_input = |source: &&SourceLine| source.line.is_some() && Some(source.file.as_str()) == file;
    let of_input = diagnostic.source.as_ref().filter(is_in_input).filter(|_| diagnostic.place.is_none());
    let file = file.filter(|_| of_input.is_none());
    let mut group = with_place(group, file, diagnostic.place, diagnostic.line.as_ref(), AnnotationKind::Primary);
    group = with_source(group, diagnostic.source.as_ref());
    let printed = printed(diagnostic.context.as_ref(), diagnostic.line.as_ref());
    let source = diagnostic.source.as_ref().filter(|_| !diagnostic.shows_source());
    let notes = [whereabouts(diagnostic), printed, source.map(|at| format!("from {at}"))];
    group = group.elements(notes.into_iter().flatten().map(|note| Level::NOTE.message(note)));
    group = group.elements(diagnostic.notes.iter().map(|&note| Level::NOTE.message(note)));
    let help = diagnostic.suggestion.as_deref().or(help);
    group = group.elements(help.map(|help| Level::HELP.message(help)));
    let steps = diagnostic.path.chunk_by(are_of_one_line).map(|of_line| {
        let step = &of_line[0];
        let group = Group::with_title(Level::NOTE.secondary_title(title_of_line(of_line)));
        with_source(
            with_place(group, file, step.place, step.line.as_ref(), AnnotationKind::Context),
            step.source.as_ref(),
        )
    });
    let groups: Vec<Group<'_>> = std::iter::once(group).chain(steps).collect();
    format!("{}\n", renderer.render(&groups))
}

/// A name for a terminal: control characters are escaped.
pub(crate) fn printable(name: &str) -> Cow<'_, str> {
    if !name.contains(char::is_control) {
        return Cow::Borrowed(name);
    }
    let escape =
        |letter: char| if letter.is_control() { letter.escape_default().to_string() } else { letter.to_string() };
    Cow::Owned(name.chars().map(escape).collect())
}

/// Shows the place: the line, if there is one.
fn with_place<'a>(
    group: Group<'a>,
    file: Option<&'a str>,
    place: Option<Place>,
    line: Option<&'a ShownLine>,
    kind: AnnotationKind,
) -> Group<'a> {
    let Some(file) = file else { return group };
    match (place, line) {
        (Some(Place::Line(line, column)), Some(shown)) => {
            let annotation = kind.span(word_at(&shown.text, shown.column));
            let snippet = Snippet::source(&shown.text).line_start(line).annotation(annotation);
            // A snippet with a path prints the column itself, which would be that of the shortened line.
            match shown.column == column {
                true => group.element(snippet.path(file)),
                false => group.element(Origin::path(file).line(line).char_column(column)).element(snippet),
            }
        }
        (Some(Place::Line(line, column)), None) => group.element(Origin::path(file).line(line).char_column(column)),
        (Some(Place::Word(word)), _) => {
            group.element(Origin::path(format!("{file}, word {word} (byte {})", word.saturating_mul(4))))
        }
        (Some(place), _) => group.element(Origin::path(format!("{file}, {place}"))),
        (None, _) if kind == AnnotationKind::Primary => group.element(Origin::path(file)),
        (None, _) => group,
    }
}

/// Shows the line of the source, if the module embeds it.
fn with_source<'a>(group: Group<'a>, source: Option<&'a SourceLine>) -> Group<'a> {
    let Some(SourceLine { place, file, line: Some(shown) }) = source else { return group };
    let is_known = place.column > 0 && shown.text.chars().count() >= shown.column;
    let range = if is_known { word_at(&shown.text, shown.column) } else { whole(&shown.text) };
    let annotation = AnnotationKind::Primary.span(range);
    let snippet = Snippet::source(shown.text.as_str()).line_start(place.line as usize);
    group.element(snippet.path(file.as_str()).annotation(annotation))
}

/// A line without leading and trailing spaces.
fn whole(line: &str) -> std::ops::Range<usize> {
    let start = line.len() - line.trim_start().len();
    start..start.max(line.trim_end().len())
}

/// Returns whether two steps are shown by the same line of the source.
fn are_of_one_line(one: &Waypoint, other: &Waypoint) -> bool {
    let line = |step: &Waypoint| {
        step.source
            .as_ref()
            .filter(|source| source.line.is_some())
            .map(|source| (source.file.clone(), source.place.line))
    };
    one.place.is_none() && other.place.is_none() && line(one).is_some() && line(one) == line(other)
}

/// The title of the steps of one line: the event at the first, and its consequence at the last.
fn title_of_line(steps: &[Waypoint]) -> String {
    match steps {
        [first, .., last] => format!("{}; {}", shortened(&first.message), step_title(last)),
        steps => steps.iter().map(step_title).collect(),
    }
}

/// The event at a step, and its source location; if no line of the input is shown, the instruction itself.
fn step_title(step: &Waypoint) -> String {
    let source = step.source.as_ref().filter(|source| source.line.is_none());
    let source = source.map_or_else(String::new, |source| format!(" ({source})"));
    let shown = step.place.is_none().then_some(step.context.as_ref()).flatten();
    let shown = shown.map_or_else(String::new, |context| format!(": {}", shortened(context)));
    format!("{}{source}{shown}", shortened(&step.message))
}

fn title(diagnostic: &Diagnostic) -> annotate_snippets::Title<'_> {
    let level = match diagnostic.severity {
        Severity::Error => Level::ERROR,
        Severity::Warning => Level::WARNING,
        Severity::Note => Level::NOTE,
        Severity::Info => Level::INFO,
    };
    let title = level.primary_title(shortened(&diagnostic.message));
    title.id(diagnostic.code.name)
}

/// The function, block and edge in words.
fn whereabouts(diagnostic: &Diagnostic) -> Option<String> {
    let name = |name: &String| shortened(name).into_owned();
    let raw = diagnostic.function_name.as_ref().map_or_else(String::new, |raw| format!(" `{}`", name(raw)));
    let function = diagnostic.function.as_ref().map(|function| format!("function {}{raw}", name(function)));
    let block = diagnostic.block.as_ref().map(|block| format!("block {}", name(block)));
    let edge = diagnostic.edge.as_ref().map(|(from, to)| format!("edge {} → {}", name(from), name(to)));
    let parts: Vec<String> = [function, block, edge].into_iter().flatten().collect();
    (!parts.is_empty()).then(|| format!("in {}", parts.join(", ")))
}

/// The instruction, unless the shown line is this instruction.
fn printed(context: Option<&String>, line: Option<&ShownLine>) -> Option<String> {
    let is_new = |context: &&String| !context.is_empty() && !line.is_some_and(|line| line.shows(context));
    context.filter(is_new).map(|context| shortened(context).into_owned())
}

/// The bytes of a line that an annotation underlines: the word at a column, or the position after the end.
fn word_at(line: &str, column: usize) -> std::ops::Range<usize> {
    let start = line.char_indices().nth(column.saturating_sub(1)).map_or(line.len(), |(offset, _)| offset);
    let word = |character: char| character.is_alphanumeric() || matches!(character, '_' | '%' | '^' | '.');
    let rest = &line[start..];
    let length = rest.find(|character| !word(character)).unwrap_or(rest.len());
    let one = rest.chars().next().map_or(0, char::len_utf8);
    start..start + length.max(one)
}

/// An error of reading or writing.
pub(crate) fn io_diagnostic(what: &str, error: &io::Error, file: Option<&str>) -> Diagnostic {
    let folder = file.and_then(|file| Path::new(file).parent()).filter(|folder| !folder.as_os_str().is_empty());
    let suggestion = match (error.kind(), folder) {
        (io::ErrorKind::IsADirectory, _) => Some("name a file, not a folder".to_owned()),
        (io::ErrorKind::NotFound, Some(folder)) if !folder.exists() => {
            Some(format!("there is no folder {}: check the path, or create it", folder.display()))
        }
        _ => None,
    };
    Diagnostic {
        code: CommandCode::Io.declared(),
        message: format!("{what}: {}", reason(error)),
        file: file.map(str::to_owned),
        suggestion,
        ..Diagnostic::default()
    }
}

/// The words of an error of the system, without its number.
pub(crate) fn reason(error: &io::Error) -> String {
    let text = error.to_string();
    let words = text.split_once(" (os error ").map_or(&*text, |(words, _)| words);
    let (first, rest) = words.split_at(words.chars().next().map_or(0, char::len_utf8));
    first.to_lowercase() + rest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_word_at_a_place_is_underlined() {
        assert_eq!(word_at("  branch ^body(%x)", 10), 9..14);
        assert_eq!(word_at("a = b", 3), 2..3);
        assert_eq!(word_at("ab", 3), 2..2);
        assert_eq!(word_at("ab", 9), 2..2);
        assert_eq!(word_at("é→x", 2), 2..5);
    }

    #[test]
    fn people_see_code_place_line_and_help() {
        let diagnostic = Diagnostic {
            code: reconverge_verify::Code::R18.declared(),
            message: "the merge block is not dominated".to_owned(),
            file: Some("in.ir".to_owned()),
            place: Some(Place::Line(12, 3)),
            line: Some(ShownLine::new("  branch ^merge", 3)),
            function: Some("%main".to_owned()),
            block: Some("^body".to_owned()),
            edge: Some(("^body".to_owned(), "^merge".to_owned())),
            context: Some("branch ^merge".to_owned()),
            suggestion: Some("split the edge".to_owned()),
            ..Diagnostic::default()
        };
        let text = render(&diagnostic, Some("another help"), &Renderer::plain());
        assert_eq!(
            text,
            "error[R18]: the merge block is not dominated\n  --> in.ir:12:3\n   |\n12 |   branch ^merge\n   |   ^^^^^^\n   |\n   \
             = note: in function %main, block ^body, edge ^body → ^merge\n   = help: split the edge\n"
        );
    }

    #[test]
    fn where_the_line_of_the_source_is_shown_no_block_and_no_instruction_is() {
        let place = SourcePlace { file: "a.cl".to_owned(), line: 3, column: 5 };
        let of_source = SourceLine { line: Some(ShownLine::new("    y = x;", 5)), ..SourceLine::without_text(place) };
        let diagnostic = Diagnostic {
            code: reconverge_verify::Code::R18.declared(),
            message: "said".to_owned(),
            function: Some("%scale".to_owned()),
            block: Some("^42".to_owned()),
            context: Some("store %1, %2".to_owned()),
            source: Some(of_source),
            ..Diagnostic::default()
        };
        let rendered = |diagnostic: &Diagnostic| render(diagnostic, None, &Renderer::plain());
        let text = rendered(&diagnostic.in_terms_of_source());
        assert!(text.contains("in function scale\n") && !text.contains("^42") && !text.contains("store"), "{text}");
        let unknown = Diagnostic { source: None, ..diagnostic };
        assert!(rendered(&unknown.in_terms_of_source()).contains("store %1, %2"));
    }
}
