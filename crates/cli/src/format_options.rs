//! The flags of the options of formats. Flags, help and errors of usage are derived from the rows of the formats.

use std::fmt;
use std::path::{Path, PathBuf};

use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{Arg, ArgAction, ArgMatches, Args, Command, FromArgMatches};
use reconverge::{Code, Format, FormatOption, OptionGroup, OptionKind, OptionValues};
use reconverge_front_ends::Stage;

use crate::diagnostics::{Diagnostic, Reporter, io_diagnostic};
use crate::exit::Exit;
use crate::input::{Input, is_standard_stream, name_of, read};
use crate::output_format::OutputFormat;
use crate::source::{Reading, stage_parser};

/// The options that sources have too, with their meaning there.
const OF_SOURCES: [(&str, &str); 2] = [
    ("stage", "its stage, if neither the name of the file nor the text says it"),
    ("entry", "the function where the shader begins"),
];

fn meaning_in_sources(option: &FormatOption) -> Option<&'static str> {
    OF_SOURCES.iter().find(|(name, _)| *name == option.name).map(|&(_, meaning)| meaning)
}

/// The groups with options, each once.
fn groups(all: impl Iterator<Item = &'static OptionGroup>) -> Vec<&'static OptionGroup> {
    let mut groups: Vec<&OptionGroup> = Vec::new();
    for group in all.filter(|group| !group.options.is_empty()) {
        if groups.iter().all(|known| known.title != group.title) {
            groups.push(group);
        }
    }
    groups
}

fn read_groups() -> Vec<&'static OptionGroup> {
    groups(Format::all().map(Format::read_options))
}

fn write_groups() -> Vec<&'static OptionGroup> {
    groups(OutputFormat::written().map(|format| format.options))
}

/// The flag of an option.
fn flag(group: &'static OptionGroup, option: &'static FormatOption) -> Arg {
    let meaning = meaning_in_sources(option).map_or_else(String::new, |meaning| format!("; of a source: {meaning}"));
    let help = format!("{}{meaning}", option.help);
    let arg = Arg::new(option.name).long(option.name).help_heading(group.title).hide_short_help(!option.is_common);
    let arg = match option.details {
        "" => arg.help(help),
        details => arg.long_help(format!("{help}\n\n{details}")).help(help),
    };
    let checked = move |text: &str| (option.check)(&[text.to_owned()]).map(|()| text.to_owned());
    match option.values {
        OptionKind::Switch => arg.action(ArgAction::SetTrue),
        OptionKind::Text { placeholder } => arg.value_name(placeholder).value_parser(checked),
        OptionKind::Texts { placeholder } => {
            arg.value_name(placeholder).value_parser(checked).action(ArgAction::Append)
        }
        // Of a source, more stages are known than are written.
        OptionKind::Name { placeholder, .. } if option.name == "stage" => {
            arg.value_name(placeholder).value_parser(stage_parser().map(|stage| stage.name().to_owned()))
        }
        OptionKind::Name { placeholder, names } => {
            arg.value_name(placeholder).value_parser(PossibleValuesParser::new(names()))
        }
        OptionKind::File { placeholder, .. } => arg.value_name(placeholder).value_parser(clap::value_parser!(PathBuf)),
    }
}

/// A given option.
#[derive(Clone)]
struct Given {
    group: &'static OptionGroup,
    option: &'static FormatOption,
    /// Texts, or the path of a file.
    values: Vec<String>,
    path: Option<PathBuf>,
}

impl fmt::Debug for Given {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "--{} {:?} {:?}", self.option.name, self.values, self.path)
    }
}

/// The given options of some groups, in the order of the groups.
fn given(groups: &[&'static OptionGroup], matches: &ArgMatches) -> Vec<Given> {
    let options = groups.iter().flat_map(|group| group.options.iter().map(move |option| (*group, option)));
    options
        .filter_map(|(group, option)| {
            let name = option.name;
            let (values, path) = match option.values {
                OptionKind::Switch => {
                    return matches.get_flag(name).then(|| Given { group, option, values: Vec::new(), path: None });
                }
                OptionKind::File { .. } => (Vec::new(), Some(matches.get_one::<PathBuf>(name)?.clone())),
                _ => (matches.get_many::<String>(name)?.cloned().collect(), None),
            };
            Some(Given { group, option, values, path })
        })
        .collect()
}

fn with_flags(groups: &[&'static OptionGroup], command: Command) -> Command {
    let flags = groups.iter().flat_map(|group| group.options.iter().map(|option| flag(group, option)));
    command.args(flags)
}

/// Implements the traits with which a command takes the flags of some groups.
macro_rules! flags_of {
    ($flags:ident, $groups:expr) => {
        impl Args for $flags {
            fn augment_args(command: Command) -> Command {
                with_flags(&$groups(), command)
            }

            fn augment_args_for_update(command: Command) -> Command {
                with_flags(&$groups(), command)
            }
        }

        impl FromArgMatches for $flags {
            fn from_arg_matches(matches: &ArgMatches) -> Result<$flags, clap::Error> {
                Ok($flags(given(&$groups(), matches)))
            }

            fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
                self.0 = given(&$groups(), matches);
                Ok(())
            }
        }
    };
}

/// The options for reading.
#[derive(Clone, Debug, Default)]
pub(crate) struct ReadFlags(Vec<Given>);

flags_of!(ReadFlags, read_groups);

impl ReadFlags {
    /// Gives an input its options. They are refused for another format; an error is reported, and the exit code is returned.
    pub(crate) fn apply(&self, input: &mut Input, reporter: Reporter) -> Result<(), Exit> {
        for Given { group, option, values, path } in &self.0 {
            if input.format.read_options().find(option.name).is_none() {
                let name = option.name;
                let title = if input.is_source { "a source" } else { input.format.title() };
                let other = if name == "bindings" { "; --text-bindings numbers the resources of a text" } else { "" };
                let message = format!("--{name} is for {}, and the input is {title}{other}", group.title);
                return Err(reporter.wrong_usage(message));
            }
            let (OptionKind::File { code, .. }, Some(path)) = (&option.values, path) else {
                let refused = |message: String| reporter.wrong_usage(message);
                input.options.give(option, values.clone()).map_err(refused)?;
                continue;
            };
            give_file(&mut input.options, (option, code), path, reporter)?;
        }
        Ok(())
    }
}

/// Gives an option the contents of its file. An error is reported, and the exit code is returned.
fn give_file(
    values: &mut OptionValues,
    (option, code): (&'static FormatOption, &'static Code),
    path: &Path,
    reporter: Reporter,
) -> Result<(), Exit> {
    let file = name_of(path);
    let bytes = read(path).map_err(|error| {
        let message = format!("cannot read the {}", option.name);
        reporter.report(&[io_diagnostic(&message, &error, Some(&file))]);
        Exit::Io
    })?;
    let text = String::from_utf8(bytes)
        .map_err(|error| format!("the file is not text in UTF-8, from byte {} on", error.utf8_error().valid_up_to()));
    text.and_then(|text| values.give(option, vec![text])).map_err(|message| {
        reporter.report(&[Diagnostic { code, message, file: Some(file.clone()), ..Diagnostic::default() }]);
        Exit::Rejected
    })
}

/// The options for writing.
#[derive(Clone, Debug, Default)]
pub(crate) struct WriteFlags(Vec<Given>);

flags_of!(WriteFlags, write_groups);

/// The inputs of a command, for the options that sources have too.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Inputs {
    Modules,
    /// At least one source.
    Sources,
}

impl WriteFlags {
    /// The error if both an input and the file of an option are stdin, which is read once.
    pub(crate) fn second_reader(&self, inputs: &[PathBuf]) -> Option<String> {
        let is_read = inputs.iter().any(|path| is_standard_stream(path));
        let second = self.0.iter().find(|given| given.path.as_deref().is_some_and(is_standard_stream));
        let message = |given: &Given| format!("--{} and the input cannot both be stdin", given.option.name);
        second.filter(|_| is_read).map(message)
    }

    /// The error if an option is given that neither the format of the output nor a source has, or with a value that it does not accept.
    pub(crate) fn unmet_need(&self, format: Option<OutputFormat>, inputs: Inputs) -> Option<String> {
        let has = |option: &FormatOption| format.is_some_and(|format| format.options.find(option.name).is_some());
        let is_used = |given: &Given| {
            has(given.option) || inputs == Inputs::Sources && meaning_in_sources(given.option).is_some()
        };
        if let Some(Given { group, option, .. }) = self.0.iter().find(|given| !is_used(given)) {
            return Some(format!("--{} is for output in {}", option.name, group.title));
        }
        let texts = self.0.iter().filter(|given| has(given.option) && given.path.is_none());
        let mut values = OptionValues::default();
        texts.into_iter().find_map(|given| values.give(given.option, given.values.clone()).err())
    }

    /// The values for a format, with the contents of files. An error is reported, and the exit code is returned.
    pub(crate) fn values(&self, format: Format, reporter: Reporter) -> Result<OptionValues, Exit> {
        let mut values = OptionValues::default();
        for Given { option, values: texts, path, .. } in &self.0 {
            if format.write_options().find(option.name).is_none() {
                continue;
            }
            match (&option.values, path) {
                (OptionKind::File { code, .. }, Some(path)) => give_file(&mut values, (option, code), path, reporter)?,
                _ => {
                    values.give(option, texts.clone()).map_err(|message| reporter.wrong_usage(message))?;
                }
            }
        }
        Ok(values)
    }

    /// The values of an option; none if it is not given.
    pub(crate) fn all(&self, name: &str) -> &[String] {
        let given = self.0.iter().find(|given| given.option.name == name);
        given.map_or(&[], |given| given.values.as_slice())
    }

    /// Returns whether an option is given.
    pub(crate) fn has(&self, name: &str) -> bool {
        self.0.iter().any(|given| given.option.name == name)
    }

    /// The reading of sources, with the options that they have too.
    pub(crate) fn apply(&self, reading: Reading) -> Reading {
        let reading = if self.has("lines") { reading.with_lines() } else { reading };
        let one = |name: &str| self.all(name).last();
        let stage = one("stage").and_then(|name| Stage::from_name(name));
        reading.with_stage(stage, one("entry").cloned())
    }
}
