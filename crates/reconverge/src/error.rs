//! Errors, by kind: invalid input, impossible options, an unsupported feature, an exceeded limit, or a bug of the compiler.

use std::fmt;

use reconverge_diagnostic::{Code, Diagnostic, Kind, Note, Place};
use reconverge_generics::GenericsCode;
use reconverge_ir::{Function, GenericUse, Inst, StageCode, binary, text};
use reconverge_rewrite::GrowthCode;
use reconverge_spirv::{AssemblyCode, ReadCode};
use reconverge_verify::Finding;

reconverge_diagnostic::codes! {
    /// Codes of the pipeline.
    pub enum ErrorCode in "Compiling" {
        UnknownPass = "unknown-pass" Options
            "The options name a pass that does not exist."
            "`reconverge passes` lists the passes";
        ForeignOption = "format-option" Options
            "An option is given to a format that does not have it."
            "leave the option out; `reconverge help compile` lists the options of each format";
        Specialization = "specialization" Options
            "A value is given to a specialization constant that the module does not have, or to one whose type does not have it."
            "the message lists the constants of the module; `ID=VALUE` or `NAME=VALUE` gives one a value of its type: 3=5, 4=0.5, 5=true";
        Nesting = "nesting-limit" Limit
            "A pass would nest constructs deeper than SPIR-V allows (1023)."
            "give --nesting-limit N a smaller number, so that the pass has room, or leave out the pass";
        NotInBuild = "not-in-build" Unsupported
            "The program was built without a format or an engine (exit code 3)."
            "build it with the feature that the message names, or with all: `cargo install` leaves none out";
    }
}

reconverge_diagnostic::codes! {
    /// Codes of outputs whose form the target does not accept.
    pub enum OutputCode in "Writing" {
        Unstructured = "write-unstructured" Options
            "The passes leave a shader that is not structured, and SPIR-V has no such shader (exit code 2)."
            "write text (--to text), or let the pass structurize run last";
    }
}

const BUG: &str = "this is a bug of the compiler: report it, with the folder that the message names";

reconverge_diagnostic::codes! {
    /// The code of a bug of the compiler.
    pub enum InternalCode in "The command" {
        Internal = "internal" Internal
            "The compiler has a bug (exit code 70). It wrote a reproducer."
            BUG;
    }
}

/// The reason why a module cannot be read, compiled or written. Displays as place, function, message and code, with a line for each note and one
/// for what helps.
#[derive(Debug)]
#[non_exhaustive]
pub enum Error {
    /// The input is no module in its format, or one with a feature that is not supported.
    Read(Diagnostic),
    /// The input is a module that breaks rules; all of them.
    Invalid(Vec<Finding>),
    /// The module has generics or interfaces, and the requested output needs a later stage.
    Generic(GenericUse),
    /// The options name a pass that does not exist.
    UnknownPass(String),
    /// An option is given to a format that does not have it.
    ForeignOption {
        /// The option.
        option: &'static str,
        /// The name of the format in messages.
        format: &'static str,
    },
    /// A pass failed.
    Pass {
        /// The pass.
        pass: &'static str,
        /// The function, by its name in the text form, if the pass works on one at a time.
        function: Option<String>,
        /// The error, and its place in the module as the pass left it.
        error: Diagnostic,
    },
    /// The result of a pass exceeds a limit of SPIR-V. The input and the pass are correct.
    LimitExceeded {
        /// The pass.
        pass: &'static str,
        /// The function, by its name in the text form; `None` if what exceeds the limit is not in a function.
        function: Option<String>,
        /// The limit that was exceeded.
        limit: LimitExceeded,
    },
    /// The module cannot be written in the requested format.
    Write(Diagnostic),
    /// A pass of ours broke rules: a bug.
    Internal {
        /// The pass after which the module is invalid.
        pass: &'static str,
        /// The findings.
        findings: Vec<Finding>,
    },
}

impl Error {
    /// The error that a function of a shader is not structured, in a format where it has to be.
    pub(crate) fn unstructured(function: Function) -> Diagnostic {
        let message = "SPIR-V requires structured control flow in shaders, and this function is not structured; write .ir, or run the pass structurize last";
        Diagnostic::new(OutputCode::Unstructured, function.inst(), message)
    }

    /// An error that only a bug of a writer causes.
    pub(crate) fn internal(message: String) -> Diagnostic {
        Diagnostic::new(InternalCode::Internal, Place::Whole, message)
    }

    /// Returns whether the input is none in its format, so that it may be one in another.
    pub fn may_be_of_another_format(&self) -> bool {
        matches!(self, Error::Read(error) if is_of_the_format(error.code))
    }

    /// Returns whether a generic is requested that the module only declares: another module may define it.
    pub fn is_of_open_generic(&self) -> bool {
        self.code() == GenericsCode::Open.declared()
    }

    /// Returns whether merge instructions are where none may be; [`read_repaired`](crate::read_repaired) leaves them out.
    pub(crate) fn is_of_merges(&self) -> bool {
        matches!(self, Error::Read(error) if error.is(ReadCode::Merge))
    }
}

/// Returns whether a code says that something is not in the format at all: every error of a text, and the first bytes of a binary.
fn is_of_the_format(code: &Code) -> bool {
    let texts = [text::ErrorCode::GROUP, AssemblyCode::GROUP];
    let is_of_text = texts.iter().any(|group| group.codes.contains(code));
    is_of_text || FIRST_BYTES.contains(&code)
}

/// Codes of first bytes that are not those of the format.
const FIRST_BYTES: &[&Code] = &[
    ReadCode::Length.declared(),
    ReadCode::Magic.declared(),
    binary::ErrorCode::Magic.declared(),
    #[cfg(feature = "dxil")]
    reconverge_dxil::Code::Container.declared(),
    #[cfg(feature = "shading")]
    reconverge_shading::ReadCode::Language.declared(),
];

/// A limit of SPIR-V (section 2.17) that a pass goes past by growing what it works on.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum LimitExceeded {
    /// Constructs around a block.
    Nesting {
        /// The number of constructs around the deepest block.
        depth: usize,
        /// The largest number that is allowed.
        limit: usize,
    },
    /// Another limit, described by the rule that checks it.
    Rule {
        /// The code of the rule.
        code: reconverge_verify::Code,
        /// The limit that is exceeded, in words.
        message: String,
    },
}

impl fmt::Display for LimitExceeded {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            LimitExceeded::Nesting { depth, limit } => {
                write!(formatter, "would nest constructs {depth} deep, more than SPIR-V's limit of {limit}")
            }
            LimitExceeded::Rule { code, message } => write!(formatter, "exceeds a limit of SPIR-V ({code}): {message}"),
        }
    }
}

impl Error {
    /// The kind of error.
    pub fn kind(&self) -> Kind {
        self.code().kind
    }

    /// The declaration of its code: that of the first finding for an invalid module.
    pub fn code(&self) -> &'static Code {
        match self {
            Error::Read(error) | Error::Write(error) | Error::Pass { error, .. } => error.code,
            Error::UnknownPass(_) => ErrorCode::UnknownPass.declared(),
            Error::ForeignOption { .. } => ErrorCode::ForeignOption.declared(),
            Error::Generic(_) => StageCode::Generic.declared(),
            Error::LimitExceeded { limit: LimitExceeded::Rule { .. }, .. } => GrowthCode::Limit.declared(),
            Error::LimitExceeded { limit: LimitExceeded::Nesting { .. }, .. } => ErrorCode::Nesting.declared(),
            Error::Internal { .. } => InternalCode::Internal.declared(),
            Error::Invalid(findings) => match findings.first() {
                Some(finding) => finding.code.declared(),
                None => InternalCode::Internal.declared(),
            },
        }
    }

    /// The message, without the code and the place, which [`code`](Self::code) and [`place`](Self::place) return.
    pub fn message(&self) -> String {
        match self {
            Error::Read(error) => error.message.clone(),
            Error::Write(error) => error.message.clone(),
            Error::Pass { pass, error, .. } if error.is(GrowthCode::Limit) => format!("{pass}: {}", error.message),
            Error::Pass { error, .. } => error.message.clone(),
            Error::LimitExceeded { pass, limit, .. } => format!("{pass} {limit}"),
            Error::Generic(found) => found.to_string(),
            Error::UnknownPass(name) => format!("there is no pass {name:?}"),
            Error::ForeignOption { option, format } => format!("{option} is no option of {format}"),
            Error::Invalid(findings) => format!("the module violates rules in {}", places(findings.len())),
            Error::Internal { pass, findings } => {
                let first = findings.first();
                let first =
                    first.map_or_else(String::new, |first| format!("; first {}: {}", first.code, first.message));
                format!("after {pass} the module violates rules in {}{first}", places(findings.len()))
            }
        }
    }

    /// The remedy: that of this case, or the usual one for its code. Empty if there is none.
    pub fn help(&self) -> &str {
        self.help_of_case().unwrap_or(self.code().help)
    }

    /// The remedy in this case, if that is more than what the code says.
    pub fn help_of_case(&self) -> Option<&str> {
        match self {
            Error::Invalid(findings) => findings.first().and_then(|first| first.suggestion.as_deref()),
            _ => self.diagnostic().and_then(Diagnostic::help),
        }
    }

    /// Further places, and what is there.
    pub fn notes(&self) -> &[Note] {
        self.diagnostic().map_or(&[], Diagnostic::notes)
    }

    /// The diagnostic that it wraps, if it is one of a reader, a writer or a pass.
    fn diagnostic(&self) -> Option<&Diagnostic> {
        match self {
            Error::Read(error) | Error::Write(error) | Error::Pass { error, .. } => Some(error),
            _ => None,
        }
    }

    /// The function that the error is about, by its name in the text form, if there is one.
    pub fn function(&self) -> Option<&str> {
        match self {
            Error::Pass { function, .. } | Error::LimitExceeded { function, .. } => function.as_deref(),
            _ => None,
        }
    }

    /// The instruction that the error is about, in the module as the failing step left it, if there is one.
    pub fn inst(&self) -> Option<Inst> {
        match self {
            Error::Pass { error, .. } | Error::Write(error) => Inst::of_place(error.place),
            Error::Generic(found) => Some(found.inst),
            _ => None,
        }
    }

    /// The place of the error, if it is at one place of the input.
    pub fn place(&self) -> Option<Place> {
        match self {
            Error::Read(error) => error.place.in_bytes().known(),
            _ => None,
        }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(place) = self.place() {
            write!(formatter, "{place}: ")?;
        }
        if let Some(function) = self.function() {
            write!(formatter, "in function {function}: ")?;
        }
        formatter.write_str(&self.message())?;
        if let Error::Invalid(findings) = self
            && let Some(first) = findings.first()
        {
            write!(formatter, "; first: {} [{}]\n  in: {}", first.message, first.code, first.context)?;
        } else {
            write!(formatter, " [{}]", self.code())?;
        }
        for Note { place, message } in self.notes() {
            write!(formatter, "\n  note: {message}")?;
            if *place != Place::Whole {
                write!(formatter, " ({place})")?;
            }
        }
        match self.help() {
            "" => Ok(()),
            help => write!(formatter, "\n  help: {help}"),
        }
    }
}

/// It displays the diagnostic that it wraps, so this is no source of its own: no report shows a message twice.
impl std::error::Error for Error {}

fn places(count: usize) -> String {
    format!("{count} {}", if count == 1 { "place" } else { "places" })
}
