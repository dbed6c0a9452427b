//! Arguments that are one of several names.
//!
//! clap's own parser for them holds all names from the beginning. Here they are listed where somebody asks for help or gives one that is none
//! of them: a process that compiles one small module would take longer to list a hundred passes than to run them.

use std::ffi::OsStr;

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use clap::{Arg, Command, Error};

/// Reads the name of something.
#[derive(Clone, Copy)]
pub(crate) struct Named<T> {
    all: fn() -> Vec<&'static str>,
    find: fn(&str) -> Option<T>,
}

impl<T> Named<T> {
    /// A parser that finds things by their names; `all` gives the names of what is found, in the order in which help has them.
    pub(crate) const fn new(all: fn() -> Vec<&'static str>, find: fn(&str) -> Option<T>) -> Named<T> {
        Named { all, find }
    }
}

impl<T: Clone + Send + Sync + 'static> TypedValueParser for Named<T> {
    type Value = T;

    fn parse_ref(&self, command: &Command, argument: Option<&Arg>, value: &OsStr) -> Result<T, Error> {
        if let Some(found) = value.to_str().and_then(self.find) {
            return Ok(found);
        }
        let refused = PossibleValuesParser::new((self.all)()).parse_ref(command, argument, value);
        Err(refused.expect_err("invariant: what has a name in the list is found"))
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        Some(Box::new((self.all)().into_iter().map(PossibleValue::new)))
    }
}
