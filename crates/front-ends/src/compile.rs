//! The compilation of one source.
//!
//! Everything that the front end writes goes into a private folder, which is removed at the end. The output is read from there, and is
//! SPIR-V or DXIL by its first bytes, whatever the front end says about its success. Stdin is a file in this folder too: a process that
//! reads and writes at once could wait for us while we wait for it.

use std::ffi::OsString;
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

use tempfile::TempDir;

use crate::arguments::{Job, Step, copy_of_stdin};
use crate::error::Ended;
use crate::faults::Fault;
use crate::find::{Chosen, choose};
use crate::process::{self, Finished};
use crate::{FrontEnd, FrontEndError, Settings, SourceKind, Stage, Version, debug_text, depfile, odd_widths};

/// A source.
#[derive(Clone, Copy, Debug)]
pub struct Source<'a> {
    /// The language, and the stage if it is known.
    pub kind: SourceKind,
    /// The file; `None` for text from stdin.
    pub path: Option<&'a Path>,
    /// The text.
    pub text: &'a [u8],
}

impl Source<'_> {
    /// The name of the source in messages and debug information.
    fn name(&self) -> String {
        self.path.map_or_else(|| "<stdin>".to_owned(), |path| path.display().to_string())
    }
}

/// A source that was compiled.
#[derive(Clone, Debug)]
pub struct Compiled {
    /// SPIR-V or DXIL.
    pub module: Vec<u8>,
    /// The front end.
    pub front_end: FrontEnd,
    /// The program that was started.
    pub program: PathBuf,
    /// Its version, if it prints one.
    pub version: Option<Version>,
    /// The output of the program: warnings.
    pub messages: String,
    /// The files that the source includes, if they were requested, the source not among them.
    pub dependencies: Vec<PathBuf>,
    /// True if lines were wanted and no program is installed that writes them.
    pub lacks_lines: bool,
}

/// A command line, before it runs.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CommandLine {
    /// The program.
    pub program: PathBuf,
    /// Its version, if it prints one and is the front end.
    pub version: Option<Version>,
    /// The arguments.
    pub arguments: Vec<OsString>,
}

/// Compiles a source. `observe` gets every command line before it runs.
///
/// # Errors
/// [`FrontEndError`]: no program, a setting that it has not, or one that refused the source, crashed, or wrote no module.
///
/// # Cost
/// Up to four processes: one prints the version, two or three compile. Memory for the source, the module, and at most a mebibyte of messages.
pub fn compile(
    source: Source<'_>,
    settings: &Settings,
    observe: &mut dyn FnMut(&CommandLine),
) -> Result<Compiled, FrontEndError> {
    let chosen = choose(source.kind.language, settings)?;
    let stage = stage_of(source, settings, chosen.front_end)?;
    let folder = private_folder().map_err(io_error("the folder of the front end cannot be made"))?;
    let faults: Vec<&Fault> =
        Fault::of(chosen.front_end, chosen.version).filter(|_| chosen.translator.is_none()).collect();
    let headers = write_headers(&faults, folder.path()).map_err(io_error("a header cannot be written"))?;
    let fault_arguments: Vec<&str> = faults.iter().flat_map(|fault| fault.arguments).copied().collect();
    if source.path.is_none() {
        let written = fs::write(copy_of_stdin(folder.path()), source.text);
        written.map_err(io_error("the text of stdin cannot be written"))?;
    }
    let job = Job {
        program: &chosen.program,
        translator: chosen.translator.as_deref(),
        version: chosen.version,
        language: source.kind.language,
        stage,
        settings,
        path: source.path,
        headers: &headers,
        fault_arguments: &fault_arguments,
        folder: folder.path(),
    };
    let messages = run_all(&(chosen.front_end.row().steps)(&job), &chosen, &job, observe)?;
    let ended = |messages: &str| ended(&chosen.program, Some(0), messages);
    let module = match fs::read(job.output()) {
        Ok(bytes) if !bytes.is_empty() => bytes,
        Ok(_) => return Err(FrontEndError::NoOutput(ended(&messages))),
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Err(FrontEndError::NoOutput(ended(&messages))),
        Err(error) => return Err(io_error("the output of the front end cannot be read")(error)),
    };
    if let Some(what) = fault_of_output(&module, chosen.front_end) {
        return Err(FrontEndError::NoModule { what, ended: ended(&messages) });
    }
    Ok(Compiled {
        module: debug_text::with_source(module, source.text, &source.name(), &names_of(source, &job)),
        dependencies: dependencies(&job)?,
        front_end: chosen.front_end,
        lacks_lines: chosen.lacks_lines,
        version: chosen.version,
        program: chosen.program,
        messages,
    })
}

/// The stage for the front end, after every setting is found to be one of its own.
fn stage_of(source: Source<'_>, settings: &Settings, front_end: FrontEnd) -> Result<Option<Stage>, FrontEndError> {
    if let Some(setting) = settings.made().find(|&setting| !front_end.takes(setting)) {
        return Err(FrontEndError::NotTaken { front_end, setting });
    }
    let language = source.kind.language;
    let of_text = || Stage::of_pragma(source.text).filter(|_| language == crate::Language::GLSL);
    let stage = settings.stage.or(source.kind.stage).or_else(of_text);
    // The user's own arguments may say it: `-T` of dxc, `-S` of glslang.
    let is_said = settings.arguments.iter().any(|argument| {
        let argument = argument.to_string_lossy();
        argument == "-T" || argument == "-S" || argument.starts_with("-fshader-stage=")
    });
    if stage.is_none() && language.needs_stage() && !is_said {
        return Err(FrontEndError::NoStage { language });
    }
    Ok(stage)
}

/// A folder that no other user can read.
fn private_folder() -> io::Result<TempDir> {
    let mut builder = tempfile::Builder::new();
    builder.prefix("reconverge-front-end-");
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        builder.permissions(fs::Permissions::from_mode(0o700));
    }
    builder.tempdir()
}

fn write_headers(faults: &[&Fault], folder: &Path) -> io::Result<Vec<PathBuf>> {
    let headers = faults.iter().filter_map(|fault| fault.header);
    let write = |header: crate::faults::Header| {
        let path = folder.join(header.name);
        fs::write(&path, header.text).map(|()| path)
    };
    headers.map(write).collect()
}

/// Runs the steps in order, up to the first that fails. The messages of all.
fn run_all(
    steps: &[Step],
    chosen: &Chosen,
    job: &Job<'_>,
    observe: &mut dyn FnMut(&CommandLine),
) -> Result<String, FrontEndError> {
    let mut run = |program: &Path, arguments: &[OsString]| {
        let version = chosen.version.filter(|_| program == chosen.program);
        observe(&CommandLine { program: program.to_owned(), version, arguments: arguments.to_vec() });
        let stdin = job.path.is_none().then(|| File::open(job.copy_of_stdin())).transpose();
        let stdin = stdin.map_err(io_error("the text of stdin cannot be read"))?;
        let mut finished =
            process::run(program, arguments, stdin).map_err(io_error("the front end cannot be started"))?;
        finished.messages = without_folder(&finished.messages, job.folder);
        Ok(finished)
    };
    let mut messages = String::new();
    for step in steps {
        let mut finished = run(&step.program, &step.arguments)?;
        let is_doubtful = crash(&finished, chosen).is_some() || odd_widths::may_be_in(&job.output());
        if let Some(probe) = step.probe.as_ref().filter(|_| is_doubtful) {
            // What it prints was printed before.
            run(&step.program, &probe.arguments)?;
            if odd_widths::are_in(&probe.ir) {
                let messages = if finished.status.success() { finished.messages } else { String::new() };
                finished = run(&step.program, &probe.again)?;
                finished.messages.insert_str(0, &messages);
            }
        }
        messages += &finished.messages;
        check_end(step, &finished, chosen, &messages)?;
    }
    Ok(messages)
}

/// The messages with `<stdin>` for the file where its text lies.
fn without_folder(messages: &str, folder: &Path) -> String {
    messages.replace(&*copy_of_stdin(folder).to_string_lossy(), "<stdin>")
}

fn check_end(step: &Step, finished: &Finished, chosen: &Chosen, messages: &str) -> Result<(), FrontEndError> {
    let ended = || ended(&step.program, finished.status.code(), messages);
    match crash(finished, chosen) {
        Some(how) => Err(FrontEndError::Crashed { how, ended: ended() }),
        None if !finished.status.success() => Err(FrontEndError::Refused(ended())),
        None => Ok(()),
    }
}

/// The crash of the front end, if it crashed.
fn crash(finished: &Finished, chosen: &Chosen) -> Option<String> {
    let notice = chosen.front_end.row().crash_notice.filter(|_| !finished.status.success());
    process::crash(finished, notice)
}

fn ended(program: &Path, code: Option<i32>, messages: &str) -> Ended {
    Ended { program: program.display().to_string(), code, messages: messages.to_owned() }
}

fn io_error(what: &'static str) -> impl Fn(io::Error) -> FrontEndError {
    move |error| FrontEndError::Io { what, error }
}

/// The fault in the first bytes of an output, if there is one.
fn fault_of_output(module: &[u8], front_end: FrontEnd) -> Option<String> {
    let is_spirv = debug_text::is_spirv(module);
    let is_dxil = [&b"DXBC"[..], b"BC\xc0\xde"].iter().any(|magic| module.starts_with(magic));
    if is_spirv && !module.len().is_multiple_of(4) {
        return Some(format!("SPIR-V is whole words, and it has {} bytes", module.len()));
    }
    if is_spirv || is_dxil && front_end.row().writes_dxil {
        return None;
    }
    let formats = if front_end.row().writes_dxil { "neither SPIR-V nor DXIL" } else { "not SPIR-V" };
    Some(format!("its {} bytes are {formats}", module.len()))
}

/// The names that the module may have for the source.
fn names_of(source: Source<'_>, job: &Job<'_>) -> Vec<String> {
    let input = job.input().map(|word| word.to_string_lossy().into_owned());
    match (input, source.path) {
        (Some(input), Some(_)) => vec![format!("./{input}"), input],
        _ => ["-", "stdin", "<stdin>", "./-", "./<stdin>"]
            .map(str::to_owned)
            .into_iter()
            .chain([job.copy_of_stdin().to_string_lossy().into_owned()])
            .collect(),
    }
}

/// The files that the source includes, without itself and without what lies in the folder of the compilation.
fn dependencies(job: &Job<'_>) -> Result<Vec<PathBuf>, FrontEndError> {
    if !job.settings.lists_dependencies {
        return Ok(Vec::new());
    }
    let rule = fs::read(job.depfile())
        .map_err(io_error("the front end wrote no list of the files that the source includes"))?;
    let source = job.input().map(PathBuf::from);
    // slangc names the source by its absolute path.
    let absolute = source.as_ref().and_then(|source| fs::canonicalize(source).ok());
    let is_source =
        |path: &PathBuf| Some(path) == source.as_ref() || absolute.is_some() && fs::canonicalize(path).ok() == absolute;
    let is_other = |path: &PathBuf| !is_source(path) && !path.starts_with(job.folder) && path != Path::new("-");
    Ok(depfile::prerequisites(&rule).into_iter().filter(is_other).collect())
}
