//! Options of formats.
//!
//! The row of a format names its options for reading and for writing. A program derives flags, their help and its errors of usage from the rows, and
//! hands over the values as texts; the code beside the row checks and interprets them. A new option is one entry of such a list.

use std::collections::BTreeMap;

use reconverge_diagnostic::Code;

/// The options of a format, or of several that share them.
#[derive(Clone, Copy, Debug)]
pub struct OptionGroup {
    /// The formats, for headings and messages.
    pub title: &'static str,
    /// The options, in the order of the help text.
    pub options: &'static [FormatOption],
}

impl OptionGroup {
    /// The group of a format without options.
    pub(crate) const NONE: OptionGroup = OptionGroup { title: "", options: &[] };

    /// The option of that name.
    pub fn find(&self, name: &str) -> Option<&'static FormatOption> {
        self.options.iter().find(|option| option.name == name)
    }
}

/// An option of a format.
#[derive(Debug)]
pub struct FormatOption {
    /// The name: `shift` is the flag `--shift`.
    pub name: &'static str,
    /// The kind of its values.
    pub values: OptionKind,
    /// The first sentence of the help text, without a full stop.
    pub help: &'static str,
    /// The rest of the help text; empty if there is none.
    pub details: &'static str,
    /// True if a short help text lists it.
    pub is_common: bool,
    /// Checks all values that are given; the error is what is wrong.
    pub check: fn(&[String]) -> Result<(), String>,
}

/// The kind of the values of an option.
#[derive(Debug)]
pub enum OptionKind {
    /// It has no value: it is given or not.
    Switch,
    /// One text.
    Text {
        /// The name of the value in the help text.
        placeholder: &'static str,
    },
    /// Any number of texts.
    Texts {
        /// The name of a value in the help text.
        placeholder: &'static str,
    },
    /// One of several names.
    Name {
        /// The name of the value in the help text.
        placeholder: &'static str,
        /// The names.
        names: fn() -> Vec<&'static str>,
    },
    /// The contents of a file.
    File {
        /// The name of the value in the help text.
        placeholder: &'static str,
        /// The code of a message about the contents.
        code: &'static Code,
    },
}

/// The values of options, by name. Every value was checked by its option.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct OptionValues(BTreeMap<&'static str, Vec<String>>);

impl OptionValues {
    /// No values.
    pub const NONE: &OptionValues = &OptionValues(BTreeMap::new());

    /// Gives an option its values: none for a switch, the contents for a file.
    ///
    /// # Errors
    /// The option does not accept the values.
    pub fn give(&mut self, option: &'static FormatOption, values: Vec<String>) -> Result<(), String> {
        (option.check)(&values)?;
        self.0.insert(option.name, values);
        Ok(())
    }

    /// Returns whether an option is given.
    pub fn is_given(&self, name: &str) -> bool {
        self.0.contains_key(name)
    }

    /// The values of an option; none if it is not given.
    pub fn all(&self, name: &str) -> &[String] {
        self.0.get(name).map_or(&[], Vec::as_slice)
    }

    /// The value of an option with one value, if it is given.
    pub fn one(&self, name: &str) -> Option<&str> {
        self.all(name).last().map(String::as_str)
    }

    /// The first given option that is not one of a group.
    pub(crate) fn foreign(&self, group: &OptionGroup) -> Option<&'static str> {
        self.0.keys().copied().find(|name| group.find(name).is_none())
    }
}
