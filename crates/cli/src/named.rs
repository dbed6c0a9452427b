//! Arguments that are one of several names.
//!
//! clap's own parser keeps all names from the start. This one lists them only for help or for an unknown name: to list a hundred passes
//! would take longer than to compile a small module.

use std::ffi::OsStr;

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use clap::error::{ContextKind, ContextValue};
use clap::{Arg, Command, Error};

use crate::nearest::nearest;

/// Parses a name.
#[derive(Clone, Copy)]
pub(crate) struct Named<T> {
    all: fn() -> Vec<&'static str>,
    find: fn(&str) -> Option<T>,
    summary: Option<fn(T) -> &'static str>,
    listing: Option<&'static str>,
}

impl<T> Named<T> {
    /// A parser that looks up things by name; `all` returns the names, in the order of the help text.
    pub(crate) const fn new(all: fn() -> Vec<&'static str>, find: fn(&str) -> Option<T>) -> Named<T> {
        Named { all, find, summary: None, listing: None }
    }

    /// The help text has a summary of each.
    pub(crate) const fn with_summaries(self, summary: fn(T) -> &'static str) -> Named<T> {
        Named { summary: Some(summary), ..self }
    }

    /// The error message has the nearest names and says where all are listed, for names that are too many to print.
    pub(crate) const fn listed_by(self, listing: &'static str) -> Named<T> {
        Named { listing: Some(listing), ..self }
    }
}

impl<T: Clone + Send + Sync + 'static> TypedValueParser for Named<T> {
    type Value = T;

    fn parse_ref(&self, command: &Command, argument: Option<&Arg>, value: &OsStr) -> Result<T, Error> {
        if let Some(found) = value.to_str().and_then(self.find) {
            return Ok(found);
        }
        let names = (self.all)();
        let refused = PossibleValuesParser::new(names.clone()).parse_ref(command, argument, value);
        let mut error = refused.expect_err("invariant: what has a name in the list is found");
        if let Some(listing) = self.listing {
            error.remove(ContextKind::ValidValue);
            error.remove(ContextKind::SuggestedValue);
            let near: Vec<String> = nearest(&value.to_string_lossy(), &names).into_iter().map(str::to_owned).collect();
            if !near.is_empty() {
                error.insert(ContextKind::SuggestedValue, ContextValue::Strings(near));
            }
            error.insert(ContextKind::Suggested, ContextValue::StyledStrs(vec![listing.into()]));
        }
        Err(error)
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        let value = |name: &'static str| {
            let summary = self.summary.and_then(|summary| (self.find)(name).map(summary));
            let value = PossibleValue::new(name);
            summary.into_iter().fold(value, PossibleValue::help)
        };
        Some(Box::new((self.all)().into_iter().map(value)))
    }
}
