//! The reason why there is no module.

use std::error::Error;
use std::ffi::OsString;
use std::fmt;
use std::io;

use crate::{FrontEnd, Language, Setting, messages_of};

/// The reason why there is no module.
#[derive(Debug)]
#[non_exhaustive]
pub enum FrontEndError {
    /// A setting is made that the front end does not have.
    NotTaken {
        /// The front end.
        front_end: FrontEnd,
        /// The setting.
        setting: Setting,
    },
    /// The stage of a shader is not known, and its front end needs it.
    NoStage {
        /// The language.
        language: Language,
    },
    /// No front end of the language is installed.
    Missing {
        /// The language.
        language: Language,
        /// The programs that are installed and too old, as name and version.
        too_old: Vec<String>,
    },
    /// The program that the user named cannot be started.
    NotStarted {
        /// The program, as the user named it.
        program: OsString,
        /// The source of the name: a flag or an environment variable.
        named_by: &'static str,
        /// The error of the system.
        error: io::Error,
    },
    /// The front end refuses the source.
    Refused(Ended),
    /// The front end crashed.
    Crashed {
        /// The end of the program, with the signal if there is one.
        how: String,
        /// The text that it printed.
        ended: Ended,
    },
    /// The front end ended well and wrote nothing.
    NoOutput(Ended),
    /// The output of the front end is not a module.
    NoModule {
        /// The fault of the output.
        what: String,
        /// The text that it printed.
        ended: Ended,
    },
    /// A file or a process of the compilation cannot be made.
    Io {
        /// The action that failed.
        what: &'static str,
        /// The error of the system.
        error: io::Error,
    },
}

/// The end of a program that gave no module.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Ended {
    /// The program, as it was started.
    pub program: String,
    /// Its exit code, if it has one.
    pub code: Option<i32>,
    /// The text that it printed.
    pub messages: String,
}

impl FrontEndError {
    /// Returns the text that the front end printed.
    pub fn messages(&self) -> &str {
        match self {
            FrontEndError::Refused(ended)
            | FrontEndError::NoOutput(ended)
            | FrontEndError::Crashed { ended, .. }
            | FrontEndError::NoModule { ended, .. } => &ended.messages,
            _ => "",
        }
    }

    /// Returns a suggestion, if there is one.
    pub fn suggestion(&self) -> Option<String> {
        Some(match self {
            FrontEndError::NoStage { .. } => "--stage compute, or another stage, says it".to_owned(),
            FrontEndError::Missing { language, .. } => {
                let front_ends = language.front_ends();
                let variables: Vec<&str> = front_ends.iter().map(|front_end| front_end.variable()).collect();
                let variables = variables.join(" or ");
                format!("install it: {}; --front-end or {variables} names another program", front_ends[0].install())
            }
            FrontEndError::NotStarted { named_by, .. } => {
                format!("name a program on PATH, or the path of one; without {named_by} an installed one is looked for")
            }
            FrontEndError::Refused(ended) if messages_of(&ended.messages).iter().all(|said| said.line.is_none()) => {
                "no line is named: --std, -D, -I and --front-end-arg go to the front end as they are; --verbose prints its command line".to_owned()
            }
            FrontEndError::Crashed { .. } => {
                "this is a bug of the front end; --front-end tries another version".to_owned()
            }
            FrontEndError::NotTaken { .. } => {
                "--front-end-arg passes an argument on as it is, in the words of the front end".to_owned()
            }
            _ => return None,
        })
    }
}

/// Without what the front end printed.
impl fmt::Display for FrontEndError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            FrontEndError::NotTaken { front_end, setting } => {
                write!(formatter, "{} is not for {}, which has no such setting", setting.flag(), front_end.name())
            }
            FrontEndError::NoStage { language } => {
                write!(formatter, "the stage of the shader is not known, and {} has to be told", language.title())
            }
            FrontEndError::Missing { language, too_old } => {
                let names: Vec<&str> = language.front_ends().iter().map(|front_end| front_end.name()).collect();
                write!(
                    formatter,
                    "there is no front end for {}: {} is not installed",
                    language.title(),
                    names.join(" or ")
                )?;
                match too_old.is_empty() {
                    true => Ok(()),
                    false => write!(formatter, " ({} is too old)", too_old.join(", ")),
                }
            }
            FrontEndError::NotStarted { program, named_by, error } => {
                let program = program.to_string_lossy();
                write!(formatter, "the front end {program}, which {named_by} names, ")?;
                match error.kind() {
                    io::ErrorKind::NotFound => formatter.write_str("is not found"),
                    _ => write!(formatter, "cannot be started: {error}"),
                }
            }
            FrontEndError::Refused(ended) => match ended.code {
                Some(code) => write!(formatter, "{} refused the source (exit code {code})", ended.program),
                None => write!(formatter, "{} refused the source", ended.program),
            },
            FrontEndError::Crashed { how, ended } => write!(formatter, "{} crashed ({how})", ended.program),
            FrontEndError::NoOutput(ended) => {
                write!(formatter, "{} reported success and wrote no module", ended.program)
            }
            FrontEndError::NoModule { what, ended } => {
                write!(formatter, "what {} wrote is no module: {what}", ended.program)
            }
            FrontEndError::Io { what, error } => write!(formatter, "{what}: {error}"),
        }
    }
}

impl Error for FrontEndError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match self {
            FrontEndError::NotStarted { error, .. } | FrontEndError::Io { error, .. } => Some(error),
            _ => None,
        }
    }
}
