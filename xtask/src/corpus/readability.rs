//! `cargo xtask corpus DIR... --text`: readability of the output. The structure of each module is removed and found again, and the result
//! is translated to text by other tools, and compared with the text of the original module.
//!
//! ```text
//! module ─────────────────────────────▶ spirv-cross, naga ─▶ lines, depth, …
//! module ─ drop, structurize, level ──▶ spirv-cross, naga ─▶ lines, depth, …
//! ```
//!
//! A module whose original a translator rejects is skipped, and so is a folder of such modules. One with longer or deeper text is reported
//! with `--verbose`. The command fails if the text is longer in total at `-O0`, or if fewer modules than [`Writer::least`] in a hundred
//! read at least as well.

use std::path::{Path, PathBuf};
use std::process::Command;

use reconverge::pipeline::Level;
use reconverge::{CompileOptions, Format, Target};

use super::manifest::Manifest;
use super::{file_name, folders_with_manifest, judge_on_threads};
use crate::table::Table;
use xtask_setup::workspace;

const HEADINGS: [&str; 12] = [
    "folder",
    "level",
    "writer",
    "modules",
    "lines before",
    "lines",
    "longer",
    "deeper",
    "neither, %",
    "one-trip loops before",
    "one-trip loops",
    "not written",
];

/// The writer of a text.
#[derive(Clone, Copy)]
enum Writer {
    SpirvCross,
    Naga,
}

impl Writer {
    const ALL: [Writer; 2] = [Writer::SpirvCross, Writer::Naga];

    const fn name(self) -> &'static str {
        match self {
            Writer::SpirvCross => "spirv-cross",
            Writer::Naga => "naga",
        }
    }

    /// The minimum percentage of modules that must be no longer and no deeper at `-O0`: slightly less than the actual one. naga writes the
    /// code after the condition of a `while` into it, so by its text more are deeper.
    const fn least(self) -> f64 {
        match self {
            Writer::SpirvCross => 92.0,
            Writer::Naga => 76.0,
        }
    }

    /// The text of a module in a file; `None` where the writer gives up.
    fn text(self, module: &Path) -> Option<String> {
        let program = workspace::find_program(self.name())?;
        let mut command = Command::new(program);
        match self {
            Writer::SpirvCross => {
                let output = command.args(["-V", "--version", "450"]).arg(module).output().ok()?;
                output.status.success().then(|| String::from_utf8_lossy(&output.stdout).into_owned())
            }
            Writer::Naga => {
                let wgsl = module.with_extension("wgsl");
                let output = command.arg(module).arg(&wgsl).output().ok()?;
                let text = output.status.success().then(|| std::fs::read_to_string(&wgsl).ok()).flatten();
                let _ = std::fs::remove_file(&wgsl);
                text
            }
        }
    }
}

/// The length and depth of a text.
#[derive(Clone, Copy)]
struct Reading {
    lines: usize,
    /// The most braces around anything.
    depth: usize,
    /// `do { … } while (false)`.
    one_trip_loops: usize,
}

impl Reading {
    fn of(text: &str) -> Reading {
        let (mut open, mut depth) = (0_usize, 0);
        for letter in text.chars() {
            match letter {
                '{' => open += 1,
                '}' => open = open.saturating_sub(1),
                _ => {}
            }
            depth = depth.max(open);
        }
        let lines = text.lines().filter(|line| !line.trim().is_empty()).count();
        Reading { lines, depth, one_trip_loops: text.matches("while(false)").count() }
    }
}

/// A module as it was and as it came out, through one writer; nothing where the writer gave up on it.
type Pair = Option<(Reading, Option<Reading>)>;

/// How much is printed.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Detail {
    /// The sums.
    Sums,
    /// The modules that read worse, too.
    Modules,
}

/// Reads the modules of folders at both levels.
pub(crate) fn corpus_text(folders: &[PathBuf], detail: Detail) -> Result<(), String> {
    let missing = Writer::ALL.map(Writer::name).into_iter().find(|name| workspace::find_program(name).is_none());
    if let Some(name) = missing {
        return Err(format!("{name} is not installed: `cargo xtask setup` installs it"));
    }
    let writers: Vec<Writer> = Writer::ALL
        .into_iter()
        .filter(|writer| {
            let is_there = workspace::find_program(writer.name()).is_some();
            if !is_there {
                eprintln!("{} is not there; its rows are left out", writer.name());
            }
            is_there
        })
        .collect();
    let mut table = Table::new(&HEADINGS);
    let mut faults = Vec::new();
    for folder in folders_with_manifest(folders)? {
        let manifest = Manifest::read(&folder)?;
        for level in [Level::None, Level::Speed] {
            let verdicts =
                judge_on_threads(manifest.modules(), &|row, scratch| judge(&row.path, level, &writers, scratch))?;
            for (index, writer) in writers.iter().enumerate() {
                let pairs = verdicts.iter().flatten().map(|pairs| pairs[index]);
                let sum = Sum::of(pairs);
                if sum.modules == 0 {
                    continue;
                }
                table.push(sum.row(&folder, level, *writer));
                if level == Level::None && !sum.reads_well(*writer) {
                    faults.push(format!("{}: through {} it reads worse", file_name(&folder), writer.name()));
                }
            }
            for (module, verdict) in manifest.modules().iter().zip(&verdicts) {
                match verdict {
                    Ok(pairs) if detail == Detail::Modules => {
                        print_worse(&file_name(&module.path), level, &writers, pairs)
                    }
                    Ok(_) => {}
                    Err(message) => faults.push(format!("{}: {message}", file_name(&module.path))),
                }
            }
        }
    }
    print!("{table}");
    faults.iter().for_each(|fault| println!("{fault}"));
    if faults.is_empty() { Ok(()) } else { Err(format!("{} faults", faults.len())) }
}

fn judge(path: &Path, level: Level, writers: &[Writer], scratch: &Path) -> Result<Vec<Pair>, String> {
    let spirv = std::fs::read(path).map_err(|error| error.to_string())?;
    let options = CompileOptions::new().level(level).strip_merges(true).target(Target::INPUT);
    // What naga writes stands beside what it reads, and the corpus stays as it is.
    std::fs::write(scratch, &spirv).map_err(|error| error.to_string())?;
    let texts: Vec<Option<String>> = writers.iter().map(|writer| writer.text(scratch)).collect();
    let output =
        reconverge::compile(&spirv, Format::SPIRV, Format::SPIRV, &options).map_err(|error| error.to_string())?;
    std::fs::write(scratch, output.bytes).map_err(|error| error.to_string())?;
    let pair = |(writer, text): (&Writer, Option<String>)| {
        text.map(|text| (Reading::of(&text), writer.text(scratch).map(|text| Reading::of(&text))))
    };
    Ok(writers.iter().zip(texts).map(pair).collect())
}

/// The sums over the modules of a folder for one writer.
#[derive(Default)]
struct Sum {
    modules: usize,
    lines: [usize; 2],
    longer: usize,
    deeper: usize,
    worse: usize,
    one_trip_loops: [usize; 2],
    not_written: usize,
}

impl Sum {
    fn of(pairs: impl Iterator<Item = Pair>) -> Sum {
        let mut sum = Sum::default();
        for (before, after) in pairs.flatten() {
            sum.modules += 1;
            let Some(after) = after else {
                sum.not_written += 1;
                continue;
            };
            let (is_longer, is_deeper) = (after.lines > before.lines, after.depth > before.depth);
            sum.longer += usize::from(is_longer);
            sum.deeper += usize::from(is_deeper);
            sum.worse += usize::from(is_longer || is_deeper);
            for (at, reading) in [before, after].into_iter().enumerate() {
                sum.lines[at] += reading.lines;
                sum.one_trip_loops[at] += reading.one_trip_loops;
            }
        }
        sum
    }

    /// The modules in a hundred that are no longer and no deeper.
    fn share(&self) -> f64 {
        100.0 - 100.0 * (self.worse + self.not_written) as f64 / self.modules.max(1) as f64
    }

    fn reads_well(&self, writer: Writer) -> bool {
        self.lines[1] <= self.lines[0] && self.share() >= writer.least()
    }

    fn row(&self, folder: &Path, level: Level, writer: Writer) -> [String; HEADINGS.len()] {
        let [lines_before, lines] = self.lines;
        let [loops_before, loops] = self.one_trip_loops;
        let text = |number: usize| number.to_string();
        [
            file_name(folder),
            format!("-O{}", level.name()),
            writer.name().to_owned(),
            text(self.modules),
            text(lines_before),
            text(lines),
            text(self.longer),
            text(self.deeper),
            format!("{:.1}", self.share()),
            text(loops_before),
            text(loops),
            text(self.not_written),
        ]
    }
}

fn print_worse(name: &str, level: Level, writers: &[Writer], pairs: &[Pair]) {
    for (writer, pair) in writers.iter().zip(pairs) {
        if let Some((before, Some(after))) = pair
            && (after.lines > before.lines || after.depth > before.depth)
        {
            println!(
                "{name}, -O{}, {}: {} lines for {}, {} deep for {}",
                level.name(),
                writer.name(),
                after.lines,
                before.lines,
                after.depth,
                before.depth
            );
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Reading;

    #[test]
    fn a_text_is_measured() {
        let reading =
            Reading::of("void main()\n{\n    do\n    {\n        if (c) { break; }\n\n    } while(false);\n}\n");
        assert_eq!((reading.lines, reading.depth, reading.one_trip_loops), (7, 3, 1));
    }
}
