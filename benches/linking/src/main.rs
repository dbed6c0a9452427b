//! Times of `reconverge link` beside those of `spirv-link`, as whole processes, on the programs in `tests/link`.
//!
//! `linking RECONVERGE SPIRV_LINK FOLDER [RUNS]`: each program is linked by both in turn, so that other work on the machine affects both
//! alike. For each the table has the median time in milliseconds of both; the last row is the sum of the medians.

use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use std::time::Instant;

const RUNS: usize = 40;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [ours, theirs, folder, rest @ ..] = arguments.as_slice() else {
        eprintln!("linking RECONVERGE SPIRV_LINK FOLDER [RUNS]");
        return ExitCode::from(2);
    };
    let runs = rest.first().and_then(|runs| runs.parse().ok()).unwrap_or(RUNS);
    let output = std::env::temp_dir().join(format!("linking-{}.spv", std::process::id()));
    let mut sums = [0.0; 2];
    println!("{:<24} {:>10} {:>10}", "program", "reconverge", "spirv-link");
    for program in programs(Path::new(folder)) {
        let mut times = [Vec::new(), Vec::new()];
        for _ in 0..runs {
            times[0].push(time(ours, &["link"], &program, &output));
            times[1].push(time(theirs, &["--allow-pointer-mismatch"], &program, &output));
        }
        let medians = times.map(median);
        sums.iter_mut().zip(medians).for_each(|(sum, median)| *sum += median);
        let name = program.first().and_then(|file| file.parent()?.file_name()).unwrap_or_default();
        println!("{:<24} {:>10.3} {:>10.3}", name.to_string_lossy(), medians[0], medians[1]);
    }
    println!("{:<24} {:>10.3} {:>10.3}", "all", sums[0], sums[1]);
    let _ = fs::remove_file(output);
    ExitCode::SUCCESS
}

/// The modules of each program, in order.
fn programs(folder: &Path) -> Vec<Vec<PathBuf>> {
    let entries = |folder: &Path| -> Vec<PathBuf> {
        let entries = fs::read_dir(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
        let mut paths: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
        paths.sort();
        paths
    };
    let modules = |folder: PathBuf| -> Vec<PathBuf> {
        entries(&folder).into_iter().filter(|path| path.extension() == Some(OsStr::new("spv"))).collect()
    };
    entries(folder)
        .into_iter()
        .filter(|path| path.is_dir())
        .map(modules)
        .filter(|modules| !modules.is_empty())
        .collect()
}

/// The time of a process, in milliseconds.
fn time(tool: &str, flags: &[&str], files: &[PathBuf], output: &Path) -> f64 {
    let mut command = Command::new(tool);
    command.args(flags).args(files).arg("-o").arg(output);
    let start = Instant::now();
    let status = command.status().unwrap_or_else(|error| panic!("{tool}: {error}"));
    let time = start.elapsed();
    assert!(status.success(), "{command:?}");
    time.as_secs_f64() * 1e3
}

fn median(mut times: Vec<f64>) -> f64 {
    times.sort_by(f64::total_cmp);
    times.get(times.len() / 2).copied().unwrap_or(0.0)
}
