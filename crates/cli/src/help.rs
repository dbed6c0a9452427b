//! `reconverge help`: a command with all its options, one line for each, or a topic.
//!
//! `-h` has the common options, `help COMMAND` all of them after the examples, and `COMMAND --help` every detail. A topic is made of the tables
//! that the command works by.

use std::ffi::OsString;
use std::io;

use clap::Command;
use clap::builder::StyledStr;
use reconverge::Kind;
use reconverge::Target;
use reconverge::opencl::Feature;
use reconverge_front_ends::Language;

use crate::output_format::OutputFormat;
use crate::{codes, exit};

/// A topic: its name, what it is about, and its text.
pub(crate) struct Topic {
    name: &'static str,
    summary: &'static str,
    text: fn() -> String,
}

/// The topics, in the order of lists.
pub(crate) const TOPICS: [Topic; 3] = [
    Topic { name: "exit-codes", summary: "What the exit code of the command means", text: exit::legend },
    Topic { name: "formats", summary: "Formats, source languages and targets", text: formats },
    Topic { name: "unsupported", summary: "What cannot be compiled, and what to do instead", text: unsupported },
];

/// The order of a page: what the command does, its examples, then the options.
const PAGE: &str = "{about-with-newline}\n{before-help}{usage-heading} {usage}\n\n{all-args}{after-help}";

/// The list of topics, for the help text.
pub(crate) fn topics() -> String {
    let row = |topic: &Topic| format!("  reconverge help {:<12}  {}\n", topic.name, topic.summary);
    format!("Topics:\n{}", TOPICS.iter().map(row).collect::<String>().trim_end())
}

/// The text of the topic that `help NAME` asks for.
pub(crate) fn topic(words: &[OsString]) -> Option<String> {
    let name = named(words)?;
    TOPICS.iter().find(|topic| name == topic.name).map(|topic| (topic.text)())
}

/// Prints the page of the command that `help COMMAND` asks for; false if there is no such command.
pub(crate) fn print_page(words: &[OsString], all: impl FnOnce() -> Command) -> io::Result<bool> {
    let Some(mut page) = named(words).and_then(|name| page(name, all())) else { return Ok(false) };
    page.print_help()?;
    Ok(true)
}

/// The page of a command: every option that is not hidden, in one line.
fn page(name: &str, mut all: Command) -> Option<Command> {
    all.build();
    let (color, command) = (all.get_color(), all.find_subcommand(name)?.clone());
    let examples = command.get_after_help().cloned().unwrap_or_default();
    let details = format!("`reconverge {name} --help` has the details of each option.\n\n{}", topics());
    let command = command.mut_args(|argument| argument.hide_short_help(false));
    let after = StyledStr::from(details);
    Some(command.color(color).before_help(examples).after_help(after).help_template(PAGE))
}

/// The word after `help`, if it is the last.
fn named(words: &[OsString]) -> Option<&str> {
    match words {
        [_, help, name] if help == "help" && name != "help" => name.to_str(),
        _ => None,
    }
}

/// The formats, for the help text.
pub(crate) fn module_formats() -> String {
    format!(
        "Formats:\n{}The extension determines the format, unless --from or --to is given. Without an extension, the content of the \
         input determines its format, and\nthe output has the format of the input. docs/ir.md describes the forms of the IR.",
        OutputFormat::table()
    )
}

fn formats() -> String {
    let language = |language: Language| {
        let front_ends: Vec<&str> = language.front_ends().iter().map(|front_end| front_end.name()).collect();
        format!(
            "  {:<10} .{:<6} {}, compiled by {}\n",
            language.name(),
            language.extension(),
            language.title(),
            front_ends.join(" or ")
        )
    };
    let target = |target: Target| format!("  {:<10} {}\n", target.name(), target.summary());
    format!(
        "{}\n\nSource languages (--from, or the extension):\n{}\nTargets (--target):\n{}",
        module_formats(),
        Language::all().map(language).collect::<String>(),
        Target::all().map(target).collect::<String>()
    )
}

/// Everything that is refused as unsupported: features of kernels, then the codes.
fn unsupported() -> String {
    let feature = |feature: &Feature| format!("  {:<24} {}\n", feature.name(), feature.advice());
    let features: String = Feature::ALL.iter().map(feature).collect();
    let all = codes::groups().into_iter().flat_map(|group| group.codes);
    let refused: String = all
        .filter(|code| code.kind == Kind::Unsupported)
        .map(|code| format!("  {:<24} {}\n", code.name, code.meaning))
        .collect();
    format!(
        "Features of OpenCL C that are not supported, and what to do:\n{features}\nCodes of what is not supported (exit code 3; `reconverge \
         explain CODE` has an example):\n{refused}"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_topic_is_one_word_after_help() {
        let words = |text: &str| text.split(' ').map(OsString::from).collect::<Vec<_>>();
        for Topic { name, .. } in TOPICS {
            assert!(
                topic(&words(&format!("reconverge help {name}"))).is_some_and(|text| text.lines().count() > 5),
                "{name}"
            );
        }
        for other in
            ["reconverge help", "reconverge help no-topic", "reconverge compile formats", "reconverge help formats -h"]
        {
            assert!(topic(&words(other)).is_none(), "{other}");
        }
    }

    #[test]
    fn what_is_not_supported_is_all_that_the_code_refuses() {
        let text = unsupported();
        for code in codes::groups().into_iter().flat_map(|group| group.codes) {
            let is_listed = text.contains(&format!("\n  {:<24} ", code.name));
            assert_eq!(is_listed, code.kind == Kind::Unsupported, "{code}");
        }
        for feature in Feature::ALL {
            assert!(text.contains(feature.name()), "{}", feature.name());
        }
    }
}
