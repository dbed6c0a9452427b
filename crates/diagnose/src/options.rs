//! Options: the level of each check.

use reconverge_diagnostic::Severity;

use crate::Code;

/// The level of a check.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Level {
    /// The check does not run.
    Off,
    /// Its findings are information.
    Info,
    /// Its findings are probably mistakes.
    Warning,
    /// Its findings make the check fail.
    Error,
}

impl Level {
    /// Every level, from the quietest.
    pub const ALL: [Level; 4] = [Level::Off, Level::Info, Level::Warning, Level::Error];

    /// The name, which is WGSL's name of the diagnostic severity.
    pub const fn name(self) -> &'static str {
        match self {
            Level::Off => "off",
            Level::Info => "info",
            Level::Warning => "warning",
            Level::Error => "error",
        }
    }

    /// The level of a name.
    pub fn from_name(name: &str) -> Option<Level> {
        Level::ALL.into_iter().find(|level| level.name() == name)
    }

    /// The severity of its findings; `None` if it does not run.
    pub const fn severity(self) -> Option<Severity> {
        match self {
            Level::Off => None,
            Level::Info => Some(Severity::Info),
            Level::Warning => Some(Severity::Warning),
            Level::Error => Some(Severity::Error),
        }
    }
}

/// The level of each check. The defaults are those of the codes.
///
/// ```
/// use reconverge_diagnose::{Code, Level, Options};
///
/// let mut options = Options::default();
/// options.set(Code::F03, Level::Off);
/// options.set_rule("wgsl", Level::Error).unwrap();
/// options.set_rule("derivative_uniformity", Level::Info).unwrap();
/// assert_eq!(options.level(Code::W02), Level::Info);
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Options {
    levels: Vec<Level>,
    /// By code, whether the level was set explicitly.
    is_chosen: Vec<bool>,
}

impl Default for Options {
    fn default() -> Options {
        Options { levels: Code::ALL.iter().map(|code| code.level()).collect(), is_chosen: vec![false; Code::ALL.len()] }
    }
}

impl Options {
    /// No check runs.
    pub fn off() -> Options {
        Options { levels: vec![Level::Off; Code::ALL.len()], is_chosen: vec![true; Code::ALL.len()] }
    }

    /// The level of a check.
    pub fn level(&self, code: Code) -> Level {
        self.levels[code as usize]
    }

    /// Sets the level of a check.
    pub fn set(&mut self, code: Code, level: Level) {
        self.levels[code as usize] = level;
        self.is_chosen[code as usize] = true;
    }

    /// Sets the level of all checks of a name; see [`codes_named`].
    ///
    /// # Errors
    /// The list of checks, if the name is none of them.
    pub fn set_rule(&mut self, name: &str, level: Level) -> Result<(), String> {
        let codes = codes_named(name)?;
        codes.into_iter().for_each(|code| self.set(code, level));
        Ok(())
    }

    /// Makes all warnings errors.
    pub fn deny_warnings(&mut self) {
        for (level, is_chosen) in self.levels.iter_mut().zip(&mut self.is_chosen) {
            if *level >= Level::Warning {
                (*level, *is_chosen) = (Level::Error, true);
            }
        }
    }

    /// The severity of a check's findings; `None` if it does not run.
    pub(crate) fn severity(&self, code: Code) -> Option<Severity> {
        self.level(code).severity()
    }

    /// The severity of a finding that no rule forbids: a warning at most, unless the level was set explicitly.
    pub(crate) fn severity_of_legal(&self, code: Code) -> Option<Severity> {
        match self.is_chosen[code as usize] {
            true => self.severity(code),
            false => self.level(code).min(Level::Warning).severity(),
        }
    }

    /// Returns whether one of the checks runs.
    pub(crate) fn any(&self, codes: &[Code]) -> bool {
        codes.iter().any(|&code| self.level(code) != Level::Off)
    }
}

/// The name of all checks that are errors in WGSL.
pub const WGSL: &str = "wgsl";

/// The codes of a name: a code, a rule that WGSL lets programs filter, or `wgsl` for all errors of WGSL.
///
/// # Errors
/// The list of checks, if the name is none of them.
pub fn codes_named(name: &str) -> Result<Vec<Code>, String> {
    let is_meant = |code: &Code| {
        let is_in_group = name == WGSL && code.is_wgsl_error();
        code.name().eq_ignore_ascii_case(name) || code.wgsl_rule() == Some(name) || is_in_group
    };
    let codes: Vec<Code> = Code::ALL.iter().copied().filter(is_meant).collect();
    if !codes.is_empty() {
        return Ok(codes);
    }
    let mut names: Vec<&str> = Code::ALL.iter().map(|code| code.name()).collect();
    names.push(WGSL);
    for rule in Code::ALL.iter().filter_map(|code| code.wgsl_rule()) {
        if !names.contains(&rule) {
            names.push(rule);
        }
    }
    Err(format!("unknown check `{name}`; the checks are {}", names.join(", ")))
}
