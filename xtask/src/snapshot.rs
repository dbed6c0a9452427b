//! `cargo xtask snapshot record|compare DIR...`: the output of the command for every module, for comparison across a change that must not
//! change any.
//!
//! A record has one line for each run: the exit code, a hash of what was written to stdout, and the messages. The runs are runs of the
//! release build of the command, so that a change of the libraries' interfaces does not matter.
//!
//! | runs of | with |
//! |---|---|
//! | every SPIR-V module and every function in text form below the folders and below `tests/` | `check`; `compile` at each level, with its structure and without, under each policy; its report |
//! | every kernel there that has a launch | machine code of this CPU for each number of lanes, trusted and checked, with its results; machine code of the VC4 |
//! | the command itself | its help, the passes, what each code means |
//!
//! ```text
//! cargo xtask snapshot record ../shared/corpus      # before the change: target/snapshot.tsv
//! cargo xtask snapshot compare ../shared/corpus     # after it: names each run that differs, and fails if one does
//! ```

use std::collections::BTreeMap;
use std::hash::{DefaultHasher, Hasher};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use reconverge_testing::agreement::files_under;

use crate::programs::{self, Profile, Program};
use crate::table::Table;
use xtask_setup::workspace;

/// The line between a filetest and its expectations.
const EXPECTATION: &str = "; ----";
/// The number of differences that are shown in full.
const SHOWN: usize = 20;

/// The action on the runs.
#[derive(clap::Subcommand)]
pub(crate) enum Action {
    /// Run the command over every module and write the record
    Record(Arguments),
    /// Run it again, compare with the record, and fail if anything differs
    Compare(Arguments),
}

#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// Folders with modules, beside `tests`
    folders: Vec<PathBuf>,
    /// The record
    #[arg(long, value_name = "FILE", default_value = "target/snapshot.tsv")]
    record: PathBuf,
}

/// Records or compares.
pub(crate) fn snapshot(action: &Action) -> Result<(), String> {
    match action {
        Action::Record(arguments) => {
            let runs = run_all(&arguments.folders)?;
            let lines: String = runs.iter().map(|(name, outcome)| format!("{name}\t{}\n", outcome.to_line())).collect();
            std::fs::write(&arguments.record, lines)
                .map_err(|error| format!("{}: {error}", arguments.record.display()))?;
            println!("{} runs recorded in {}", runs.len(), arguments.record.display());
            Ok(())
        }
        Action::Compare(arguments) => {
            let text = std::fs::read_to_string(&arguments.record).map_err(|error| {
                format!("{}: {error}; `cargo xtask snapshot record` makes it", arguments.record.display())
            })?;
            let before = parse(&text)?;
            compare(&before, &run_all(&arguments.folders)?)
        }
    }
}

/// The outcome of a run.
#[derive(Debug, PartialEq, Eq, Clone)]
struct Outcome {
    /// The exit code; none if a signal ended the run.
    code: Option<i32>,
    /// The hash of stdout.
    output: u64,
    messages: String,
}

impl Outcome {
    fn to_line(&self) -> String {
        let code = self.code.map_or_else(|| "signal".to_owned(), |code| code.to_string());
        format!("{code}\t{:016x}\t{}", self.output, serde_json::Value::from(self.messages.as_str()))
    }

    fn from_fields(code: &str, output: &str, messages: &str) -> Option<Outcome> {
        let code = if code == "signal" { None } else { Some(code.parse().ok()?) };
        let output = u64::from_str_radix(output, 16).ok()?;
        Some(Outcome { code, output, messages: serde_json::from_str(messages).ok()? })
    }

    /// In which respect two runs differ.
    fn difference(&self, after: &Outcome) -> &'static str {
        match () {
            () if self.code != after.code => "exit code",
            () if self.output != after.output => "output",
            () => "messages",
        }
    }
}

/// Outcomes by module and arguments.
type Runs = BTreeMap<String, Outcome>;

fn parse(text: &str) -> Result<Runs, String> {
    let run = |(number, line): (usize, &str)| {
        let fields: Vec<&str> = line.splitn(5, '\t').collect();
        let outcome = match fields[..] {
            [file, arguments, code, output, messages] => {
                Outcome::from_fields(code, output, messages).map(|outcome| (format!("{file}\t{arguments}"), outcome))
            }
            _ => None,
        };
        outcome.ok_or_else(|| format!("line {} of the record is no run; record it again", number + 1))
    };
    text.lines().enumerate().map(run).collect()
}

/// Names what differs and counts it by arguments.
fn compare(before: &Runs, after: &Runs) -> Result<(), String> {
    let mut counts: BTreeMap<(&str, &str), usize> = BTreeMap::new();
    let mut shown = 0;
    for (name, outcome) in after {
        let (file, arguments) = name.split_once('\t').unwrap_or((name, ""));
        let difference = match before.get(name) {
            Some(known) if known == outcome => continue,
            Some(known) => known.difference(outcome),
            None => "not recorded",
        };
        *counts.entry((arguments, difference)).or_default() += 1;
        shown += 1;
        if shown <= SHOWN {
            println!("{file}: {arguments}: {difference}");
            if let Some(known) = before.get(name).filter(|known| known.messages != outcome.messages) {
                println!("  before: {}\n  after:  {}", known.messages.trim_end(), outcome.messages.trim_end());
            }
        }
    }
    let gone = before.keys().filter(|name| !after.contains_key(*name)).count();
    if counts.is_empty() && gone == 0 {
        println!("{} runs are as recorded", after.len());
        return Ok(());
    }
    let mut table = Table::new(&["arguments", "differs in", "runs"]);
    for ((arguments, difference), count) in counts {
        table.push([arguments.to_owned(), difference.to_owned(), count.to_string()]);
    }
    print!("{table}");
    Err(format!("{shown} of {} runs differ; {gone} recorded ones were not run", after.len()))
}

/// The arguments of every run of a module, its name left out.
fn module_arguments() -> Vec<String> {
    let mut all = vec![
        "check".to_owned(),
        "check --error-format json".to_owned(),
        "compile -O1 --report - -o /dev/null".to_owned(),
    ];
    for level in ["-O0", "-O1", "-Os"] {
        for policy in ["spirv", "bare", "wgsl", "flat"] {
            for strip in ["", " --strip-merges"] {
                all.push(format!("compile {level} --policy {policy}{strip} --error-format json -o -"));
            }
        }
    }
    all
}

/// The arguments of every run of a kernel with a launch, the names of both left out.
const LAUNCHES: [&str; 6] = [
    "run --on cpu --assembly -",
    "run --on cpu --assembly - --width 1",
    "run --on cpu --assembly - --width 8",
    "run --on cpu --assembly - --width 8 --vectors 2",
    "run --on cpu --assembly - --checked",
    "run --on cpu --assembly - --width 1 --checked",
];
/// The arguments of a run that makes machine code of the VC4 of a kernel.
const VC4: &str = "compile --target vc4 --to qpuasm -o -";
/// Arguments of runs without an input.
const PLAIN: [&str; 12] = [
    "--help",
    "check --help",
    "compile --help",
    "explain",
    "explain --help",
    "graph --help",
    "levels",
    "link --help",
    "passes",
    "report --help",
    "run --help",
    "--version",
];

/// A run of the command.
struct Run {
    /// Its name in the record: a file, and the arguments.
    name: String,
    /// The arguments, with names of files.
    arguments: Vec<String>,
    /// The folder in which it runs, so that no message holds a path.
    folder: PathBuf,
    /// A file whose module it gets on stdin.
    input: Option<PathBuf>,
}

impl Run {
    fn new(file: &str, arguments: &str, names: &[&str]) -> Run {
        let words = arguments.split(' ').chain(names.iter().copied());
        Run {
            name: format!("{file}\t{arguments}"),
            arguments: words.map(str::to_owned).collect(),
            folder: workspace::root().to_owned(),
            input: None,
        }
    }

    /// The runs of a module.
    fn of_module(module: &Path) -> impl Iterator<Item = Run> {
        let from = if is_text(module) { "text" } else { "spirv" };
        module_arguments().into_iter().map(move |arguments| Run {
            input: Some(module.to_owned()),
            ..Run::new(&workspace::relative(module), &arguments, &["--from", from, "-"])
        })
    }

    /// The runs of the kernels whose names are that of a launch.
    fn of_launch(launch: &Path, modules: &[PathBuf]) -> Vec<Run> {
        let (Some(folder), Some(name)) = (launch.parent(), launch.file_name().and_then(|name| name.to_str())) else {
            return Vec::new();
        };
        let mut runs = Vec::new();
        for module in modules.iter().filter(|module| module.parent() == Some(folder) && is_of_launch(module, launch)) {
            let Some(kernel) = module.file_name().and_then(|name| name.to_str()) else { continue };
            let file = workspace::relative(module);
            let launches = LAUNCHES.iter().map(|arguments| Run::new(&file, arguments, &[kernel, "--launch", name]));
            let all = launches.chain([Run::new(&file, VC4, &[kernel])]);
            runs.extend(all.map(|run| Run { folder: folder.to_owned(), ..run }));
        }
        runs
    }

    fn outcome(&self, command: &Path) -> Result<Outcome, String> {
        let fail = |error: std::io::Error| format!("{}: {error}", self.name);
        let mut bytes = Vec::new();
        if let Some(input) = &self.input {
            bytes = std::fs::read(input).map_err(fail)?;
            let text = std::str::from_utf8(&bytes).ok().filter(|_| is_text(input));
            if let Some(end) = text.and_then(|text| text.find(EXPECTATION)) {
                bytes.truncate(end);
            }
        }
        let mut command = Command::new(command);
        command.args(&self.arguments).current_dir(&self.folder).env_remove("NO_COLOR");
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().map_err(fail)?;
        // A run that refuses its arguments reads nothing.
        let mut stdin = child.stdin.take().expect("invariant: stdin is piped");
        let output = std::thread::scope(|scope| {
            let bytes = &bytes;
            scope.spawn(move || stdin.write_all(bytes));
            child.wait_with_output()
        });
        let output = output.map_err(fail)?;
        let mut hasher = DefaultHasher::new();
        hasher.write(&output.stdout);
        let messages = String::from_utf8_lossy(&output.stderr).into_owned();
        Ok(Outcome { code: output.status.code(), output: hasher.finish(), messages })
    }
}

fn is_text(module: &Path) -> bool {
    module.extension().is_some_and(|extension| extension == "ir")
}

/// Returns whether a module is one of the kernel of a launch: `name.spv` and `name.O0.spv` are modules of `name.json`.
fn is_of_launch(module: &Path, launch: &Path) -> bool {
    let stem = |path: &Path| path.file_stem().and_then(|stem| stem.to_str()).map(str::to_owned);
    let (Some(module_stem), Some(launch_stem)) = (stem(module), stem(launch)) else { return false };
    let rest = module_stem.strip_prefix(&launch_stem);
    !is_text(module) && rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
}

/// Builds the command and runs it, on as many threads as there are cores.
fn run_all(folders: &[PathBuf]) -> Result<Runs, String> {
    let command = programs::build(Program::Binary("reconverge"), Profile::Release)?;
    let folders: Vec<PathBuf> = folders.iter().cloned().chain([workspace::root().join("tests")]).collect();
    let modules = files_under(&folders, &["spv", "ir"])?;
    let launches = files_under(&folders, &["json"])?;
    let mut all: Vec<Run> = PLAIN.iter().map(|arguments| Run::new("", arguments, &[])).collect();
    all.extend(modules.iter().flat_map(|module| Run::of_module(module)));
    all.extend(launches.iter().flat_map(|launch| Run::of_launch(launch, &modules)));
    let next = AtomicUsize::new(0);
    let runs = Mutex::new(Runs::new());
    let failure = Mutex::new(None);
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    std::thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                while let Some(run) = all.get(next.fetch_add(1, Ordering::Relaxed)) {
                    match run.outcome(&command) {
                        Ok(outcome) => {
                            let mut runs = runs.lock().expect("no thread panics while it holds the lock");
                            runs.insert(run.name.clone(), outcome);
                        }
                        Err(message) => {
                            *failure.lock().expect("no thread panics while it holds the lock") = Some(message);
                            return;
                        }
                    }
                }
            });
        }
    });
    match failure.into_inner().expect("no thread panics while it holds the lock") {
        Some(message) => Err(message),
        None => Ok(runs.into_inner().expect("no thread panics while it holds the lock")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn outcome(messages: &str) -> Outcome {
        Outcome { code: Some(3), output: 7, messages: messages.to_owned() }
    }

    #[test]
    fn a_record_reads_back() {
        let runs = Runs::from([
            ("a.spv\tcheck".to_owned(), outcome("two\nlines\tand \"quotes\"")),
            ("b.spv\tcheck".to_owned(), Outcome { code: None, ..outcome("") }),
        ]);
        let text: String = runs.iter().map(|(name, outcome)| format!("{name}\t{}\n", outcome.to_line())).collect();
        assert_eq!(parse(&text), Ok(runs));
        assert!(parse("a.spv\tcheck\t0\n").is_err());
    }

    #[test]
    fn a_launch_is_for_the_modules_of_its_name() {
        let launch = Path::new("a/scan.json");
        for (module, is_of) in
            [("a/scan.spv", true), ("a/scan.O0.spv", true), ("a/scan.ir", false), ("a/scan2.spv", false)]
        {
            assert_eq!(is_of_launch(Path::new(module), launch), is_of, "{module}");
        }
    }

    #[test]
    fn every_difference_fails() {
        let before = Runs::from([("a.spv\tcheck".to_owned(), outcome("one"))]);
        assert_eq!(compare(&before, &before), Ok(()));
        let same = outcome("one");
        let others = [outcome("two"), Outcome { code: Some(0), ..same.clone() }, Outcome { output: 8, ..same.clone() }];
        for other in others {
            assert!(compare(&before, &Runs::from([("a.spv\tcheck".to_owned(), other)])).is_err());
        }
        assert!(compare(&before, &Runs::new()).is_err());
        assert!(compare(&Runs::new(), &before).is_err());
    }
}
