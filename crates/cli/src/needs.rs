//! Needs of flags: what a flag requires, and what it excludes.
//!
//! A command has a table with a row for each flag that does not work everywhere. Errors of usage and the beginning of the help text are derived from the
//! rows: the words and the check of a need are declared together.
//!
//! ```text
//! row: flag, is it given, needs ──┬── described: `WORDS: help text`
//!                                 └── require: before anything is read, and again when the input has answered
//! ```
//!
//! The first row with an unmet need decides the message. Linear in the rows.

use clap::Arg;

use crate::diagnostics::Reporter;
use crate::exit::Exit;

/// A flag of a command with arguments `A`, for inputs that answer `B`.
pub(crate) struct Flag<A: 'static, B: 'static = ()> {
    name: &'static str,
    is_given: fn(&A) -> bool,
    needs: &'static [Need<A, B>],
}

/// A need of flags.
pub(crate) struct Need<A, B = ()> {
    words: &'static str,
    lack: Lack<A, B>,
}

/// The check of a need. It gets the arguments, the answers of the input once it was read, and the name of the flag, and returns the error if the need
/// is not met.
type Lack<A, B> = fn(&A, Option<&B>, &str) -> Option<String>;

impl<A, B> Flag<A, B> {
    /// A flag as it is written; `is_given` is false for the default value, which needs nothing.
    pub(crate) const fn new(name: &'static str, is_given: fn(&A) -> bool, needs: &'static [Need<A, B>]) -> Flag<A, B> {
        Flag { name, is_given, needs }
    }

    /// Needs of every command line.
    pub(crate) const fn always(needs: &'static [Need<A, B>]) -> Flag<A, B> {
        Flag { name: "", is_given: |_| true, needs }
    }

    /// The name without dashes; none for [`Flag::always`].
    pub(crate) fn long(&self) -> Option<&'static str> {
        self.name.strip_prefix("--")
    }

    /// Returns whether it is given.
    pub(crate) fn is_given(&self, arguments: &A) -> bool {
        (self.is_given)(arguments)
    }
}

impl<A, B> Need<A, B> {
    /// A need with its check. The help text begins with the words.
    pub(crate) const fn new(words: &'static str, lack: Lack<A, B>) -> Need<A, B> {
        Need { words, lack }
    }

    /// A need that the help text does not mention.
    pub(crate) const fn of(lack: Lack<A, B>) -> Need<A, B> {
        Need { words: "", lack }
    }
}

/// Reports the first given flag with a need that is not met, as wrong usage: by the arguments alone, or by the answers of the input too.
pub(crate) fn require<A, B>(
    rows: &[Flag<A, B>],
    arguments: &A,
    answers: Option<&B>,
    reporter: Reporter,
) -> Result<(), Exit> {
    let given = rows.iter().filter(|row| row.is_given(arguments));
    let needs = given.flat_map(|row| row.needs.iter().map(|need| (row.name, need.lack)));
    let mut unmet = needs.filter_map(|(flag, lack)| lack(arguments, answers, flag));
    unmet.next().map_or(Ok(()), |message| Err(reporter.wrong_usage(message)))
}

/// The argument with a help text that begins with the words of its needs.
pub(crate) fn described<A, B>(rows: &[Flag<A, B>], argument: Arg) -> Arg {
    let row = rows.iter().find(|row| row.long().is_some() && row.long() == argument.get_long());
    let words = row.into_iter().flat_map(|row| row.needs).map(|need| need.words).filter(|words| !words.is_empty());
    let words = words.collect::<Vec<_>>().join(", ");
    if words.is_empty() {
        return argument;
    }
    let begun = |text: String| {
        let (first, rest) = text.split_at(text.chars().next().map_or(0, char::len_utf8));
        format!("{words}: {}{rest}", first.to_lowercase())
    };
    let [help, long_help] =
        [argument.get_help(), argument.get_long_help()].map(|text| text.map(|text| begun(text.to_string())));
    let argument = help.into_iter().fold(argument, Arg::help);
    long_help.into_iter().fold(argument, Arg::long_help)
}
