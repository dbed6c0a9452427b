//! Selects the program: the one that the user names, else the one of an environment variable, else the first that is installed.
//!
//! clang writes SPIR-V itself from version 22 on, and then without lines. If lines are wanted, or the version is older, a pair of clang and
//! llvm-spirv of the same version writes it. A user who names clang gets the llvm-spirv of its version; otherwise the newest pair is taken.

use std::env;
use std::ffi::{OsStr, OsString};
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::front_end::Program;
use crate::{FrontEnd, FrontEndError, Language, Lines, Settings, Version};

/// The flag that names a program.
const FLAG: &str = "--front-end";

/// The variable that names llvm-spirv.
const TRANSLATOR_VARIABLE: &str = "LLVM_SPIRV";

/// The numbers that are tried in names of programs.
const LAST_NUMBER: u32 = 60;

/// The oldest clang whose pair with llvm-spirv is tried.
const FIRST_PAIR: u32 = 14;

/// The programs that compile a source.
#[derive(Clone, Debug)]
pub(crate) struct Chosen {
    pub(crate) front_end: FrontEnd,
    pub(crate) program: PathBuf,
    pub(crate) version: Option<Version>,
    /// The program that translates bitcode to SPIR-V.
    pub(crate) translator: Option<PathBuf>,
    /// True if source lines are requested and there is no program that writes them.
    pub(crate) lacks_lines: bool,
}

/// The program for a language.
///
/// # Errors
/// [`FrontEndError::NotStarted`] if the program that the user names does not start, [`FrontEndError::Missing`] if none is installed.
pub(crate) fn choose(language: Language, settings: &Settings) -> Result<Chosen, FrontEndError> {
    let front_ends = language.front_ends();
    if let Some(program) = &settings.program {
        let found = named(program, FLAG)?;
        let front_end = front_ends.iter().copied().find(|front_end| is_called(*front_end, &found));
        return start(front_end.unwrap_or(front_ends[0]), found, program, FLAG).map(|chosen| of_user(chosen, settings));
    }
    for &front_end in front_ends {
        if let Some(program) = variable(front_end.variable()) {
            let found = named(&program, front_end.variable())?;
            return start(front_end, found, &program, front_end.variable()).map(|chosen| of_user(chosen, settings));
        }
    }
    let is_clang = front_ends.contains(&FrontEnd::CLANG);
    if is_clang
        && settings.lines == Lines::Wanted
        && let Some(pair) = pair()?
    {
        return Ok(pair);
    }
    let mut too_old = Vec::new();
    for &front_end in front_ends {
        for program in names(front_end.row().programs).filter_map(|name| on_path(&name)) {
            let Ok(version) = version_of(front_end, &program) else { continue };
            match version.filter(|&version| version < front_end.row().oldest) {
                Some(version) => too_old.push(format!("{} {version}", front_end.name())),
                None => {
                    let lacks_lines = is_clang && settings.lines == Lines::Wanted;
                    return Ok(Chosen { front_end, program, version, translator: None, lacks_lines });
                }
            }
        }
    }
    let pair = if is_clang { pair()? } else { None };
    pair.ok_or(FrontEndError::Missing { language, too_old })
}

/// The names of programs, in the order in which they are tried.
fn names(programs: &[Program]) -> impl Iterator<Item = String> {
    programs.iter().flat_map(|&program| {
        let (numbered, plain) = match program {
            Program::Numbered(name, first) => (Some((name, first..=LAST_NUMBER)), None),
            Program::Plain(name) => (None, Some(name.to_owned())),
        };
        let numbered =
            numbered.into_iter().flat_map(|(name, numbers)| numbers.map(move |number| format!("{name}-{number}")));
        numbered.chain(plain)
    })
}

/// Returns whether a program has the name of a front end, with a number, an extension or without.
fn is_called(front_end: FrontEnd, program: &Path) -> bool {
    let Some(stem) = program.file_name().and_then(OsStr::to_str) else { return false };
    let stem = stem.strip_suffix(".exe").unwrap_or(stem);
    let name = stem.trim_end_matches(|letter: char| letter.is_ascii_digit() || letter == '.').trim_end_matches('-');
    front_end.row().programs.iter().any(|program| program.name() == name)
}

/// A program that the user names, by path or by a name on PATH.
fn named(program: &OsStr, named_by: &'static str) -> Result<PathBuf, FrontEndError> {
    let path = Path::new(program);
    let found = if path.components().count() > 1 { Some(path.to_owned()) } else { on_path(program) };
    found.ok_or_else(|| not_started(program, named_by, io::Error::from(io::ErrorKind::NotFound)))
}

fn not_started(program: &OsStr, named_by: &'static str, error: io::Error) -> FrontEndError {
    FrontEndError::NotStarted { program: program.to_owned(), named_by, error }
}

/// Asks a program that the user names for its version.
fn start(
    front_end: FrontEnd,
    found: PathBuf,
    program: &OsStr,
    named_by: &'static str,
) -> Result<Chosen, FrontEndError> {
    let version = version_of(front_end, &found).map_err(|error| not_started(program, named_by, error))?;
    Ok(Chosen { front_end, program: found, version, translator: None, lacks_lines: false })
}

/// The program of the user, with llvm-spirv of its version if that is needed and installed.
fn of_user(chosen: Chosen, settings: &Settings) -> Chosen {
    if chosen.front_end != FrontEnd::CLANG {
        return chosen;
    }
    let is_old = chosen.version.is_some_and(|version| version < chosen.front_end.row().oldest);
    let wants_lines = settings.lines == Lines::Wanted;
    if !is_old && !wants_lines {
        return chosen;
    }
    let of_version = || chosen.version.and_then(|version| on_path(translator_name(version.major)));
    let translator = variable(TRANSLATOR_VARIABLE).map(PathBuf::from).or_else(of_version);
    Chosen { lacks_lines: wants_lines && translator.is_none(), translator, ..chosen }
}

fn translator_name(number: u32) -> String {
    format!("llvm-spirv-{number}")
}

/// The newest pair of clang and llvm-spirv; llvm-spirv of the environment decides about its clang.
fn pair() -> Result<Option<Chosen>, FrontEndError> {
    let of_number = |number: u32, translator: PathBuf| {
        let program = on_path(format!("clang-{number}"))?;
        let version = version_of(FrontEnd::CLANG, &program).ok()?;
        let translator = Some(translator);
        Some(Chosen { front_end: FrontEnd::CLANG, program, version, translator, lacks_lines: false })
    };
    if let Some(named_translator) = variable(TRANSLATOR_VARIABLE) {
        let translator = named(&named_translator, TRANSLATOR_VARIABLE)?;
        let printed = printed_by(&translator, "--version");
        let printed = printed.map_err(|error| not_started(&named_translator, TRANSLATOR_VARIABLE, error))?;
        let number = Version::after("version ", &printed).map(|version| version.major);
        return Ok(number.and_then(|number| of_number(number, translator)));
    }
    let numbers = (FIRST_PAIR..=LAST_NUMBER).rev();
    Ok(numbers
        .filter_map(|number| Some((number, on_path(translator_name(number))?)))
        .find_map(|(number, path)| of_number(number, path)))
}

/// The version of a program; `None` if it prints none.
fn version_of(front_end: FrontEnd, program: &Path) -> io::Result<Option<Version>> {
    let row = front_end.row();
    Ok(Version::after(row.version_follows, &printed_by(program, row.version_argument)?))
}

/// The output of a program for one argument, on stdout and stderr.
fn printed_by(program: &Path, argument: &str) -> io::Result<String> {
    let output = Command::new(program).arg(argument).stdin(Stdio::null()).output()?;
    let [stdout, stderr] = [output.stdout, output.stderr].map(|bytes| String::from_utf8_lossy(&bytes).into_owned());
    Ok(stdout + &stderr)
}

fn variable(name: &str) -> Option<OsString> {
    env::var_os(name).filter(|value| !value.is_empty())
}

/// A program on PATH.
fn on_path(name: impl AsRef<OsStr>) -> Option<PathBuf> {
    let mut file = name.as_ref().to_owned();
    file.push(env::consts::EXE_SUFFIX);
    let folders = env::var_os("PATH")?;
    env::split_paths(&folders).map(|folder| folder.join(&file)).find(|path| is_program(path))
}

#[cfg(unix)]
fn is_program(path: &Path) -> bool {
    use std::os::unix::fs::PermissionsExt;
    path.metadata().is_ok_and(|metadata| metadata.is_file() && metadata.permissions().mode() & 0o111 != 0)
}

#[cfg(not(unix))]
fn is_program(path: &Path) -> bool {
    path.is_file()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_tried_upwards_and_the_plain_name_last() {
        let names: Vec<String> = names(FrontEnd::CLANG.row().programs).collect();
        assert_eq!(names[..2], ["clang-22", "clang-23"]);
        assert_eq!(names.last().map(String::as_str), Some("clang"));
    }

    #[test]
    fn a_program_is_known_by_its_name() {
        let is_clang = |name: &str| is_called(FrontEnd::CLANG, Path::new(name));
        assert!(is_clang("/usr/bin/clang-22") && is_clang("clang") && is_clang("clang-22.1.exe"));
        assert!(!is_clang("clang-format") && !is_clang("glslc"));
        assert!(is_called(FrontEnd::GLSLC, Path::new("./tools/glslc")));
    }
}
