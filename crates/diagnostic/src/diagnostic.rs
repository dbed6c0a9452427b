//! A message about an input.

use std::fmt;

use crate::{Code, Kind, Place};

/// A message about an input. Displays as place, message, code, and a line for each note.
///
/// It is small, because it is the error of functions that are called for every instruction: what few messages have is in a box.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Diagnostic {
    /// The declaration of its code.
    pub code: &'static Code,
    /// The place.
    pub place: Place,
    /// The message, with the expected and the found: lower case, no full stop.
    pub message: String,
    more: Option<Box<More>>,
}

#[derive(Clone, PartialEq, Eq, Debug, Default)]
struct More {
    notes: Vec<Note>,
    help: Option<String>,
}

/// A further place, and what is there.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Note {
    /// The place.
    pub place: Place,
    /// The message: lower case, no full stop.
    pub message: String,
}

impl Diagnostic {
    /// A message without notes.
    #[cold]
    pub fn new(code: impl Into<&'static Code>, place: impl Into<Place>, message: impl Into<String>) -> Diagnostic {
        Diagnostic { code: code.into(), place: place.into(), message: message.into(), more: None }
    }

    /// The message at another place.
    pub fn at(self, place: impl Into<Place>) -> Diagnostic {
        Diagnostic { place: place.into(), ..self }
    }

    /// The message with a note.
    pub fn with_note(mut self, place: impl Into<Place>, message: impl Into<String>) -> Diagnostic {
        self.more.get_or_insert_default().notes.push(Note { place: place.into(), message: message.into() });
        self
    }

    /// The message with what helps in this case, which is more than what its code says.
    pub fn with_help(mut self, help: impl Into<String>) -> Diagnostic {
        self.more.get_or_insert_default().help = Some(help.into());
        self
    }

    /// Returns the notes, in order.
    pub fn notes(&self) -> &[Note] {
        self.more.as_ref().map_or(&[], |more| &more.notes)
    }

    /// Returns the help of this case, if there is more than that of the code.
    pub fn help(&self) -> Option<&str> {
        self.more.as_ref()?.help.as_deref()
    }

    /// The kind of its code.
    pub fn kind(&self) -> Kind {
        self.code.kind
    }

    /// Returns whether it has this code.
    pub fn is(&self, code: impl Into<&'static Code>) -> bool {
        self.code == code.into()
    }
}

impl From<Box<Diagnostic>> for Diagnostic {
    /// Readers whose results have to be small keep errors in boxes.
    fn from(boxed: Box<Diagnostic>) -> Diagnostic {
        *boxed
    }
}

impl fmt::Display for Diagnostic {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.place != Place::Whole {
            write!(formatter, "{}: ", self.place)?;
        }
        write!(formatter, "{} [{}]", self.message, self.code)?;
        for Note { place, message } in self.notes() {
            write!(formatter, "\n  {message}")?;
            if *place != Place::Whole {
                write!(formatter, " ({place})")?;
            }
        }
        Ok(())
    }
}

impl std::error::Error for Diagnostic {}
