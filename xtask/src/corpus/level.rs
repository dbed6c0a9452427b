//! `cargo xtask corpus DIR... --level 1`: an optimization level, on every module of the folders, compared with `spirv-opt -O`.
//!
//! [`judge_optimized`] checks it; in addition, the validator must accept the output. Instructions and bytes are those of the whole module
//! as SPIR-V, before, after, and after `spirv-opt`.

use std::path::{Path, PathBuf};
use std::process::Command;

use reconverge::pipeline::Level;
use reconverge::{CompileOptions, Step, Target};
use reconverge_testing::lanes::{Expected, ModuleFigures, judge_optimized};

use super::manifest::{Manifest, Module as Row};
use super::pass::{Case, cases, validate};
use super::pressure::{Pressures, distribution};
use super::{check_accepted, file_name, folders_with_manifest, judge_on_threads};
use crate::table::Table;
use xtask_setup::workspace;

const HEADINGS: [&str; 13] = [
    "folder",
    "level",
    "modules",
    "accepted",
    "launched",
    "runs equal",
    "runs open",
    "instructions",
    "after",
    "spirv-opt",
    "bytes",
    "after",
    "spirv-opt",
];

/// Instructions and bytes.
#[derive(Clone, Copy, Default)]
struct Size {
    instructions: usize,
    bytes: usize,
}

impl Size {
    fn of(spirv: &[u8]) -> Size {
        let words = spirv.chunks_exact(4).map(|word| u32::from_le_bytes([word[0], word[1], word[2], word[3]]));
        let words: Vec<u32> = words.collect();
        let (mut at, mut instructions) = (5, 0);
        while let Some(word) = words.get(at) {
            at += (word >> 16).max(1) as usize;
            instructions += 1;
        }
        Size { instructions, bytes: spirv.len() }
    }

    fn and(self, other: Size) -> Size {
        Size { instructions: self.instructions + other.instructions, bytes: self.bytes + other.bytes }
    }
}

/// The sizes of a module: before, after, and from the other optimizer.
struct Judged {
    figures: ModuleFigures,
    sizes: [Size; 3],
    pressure: Vec<(u32, u32)>,
}

/// Optimizes the modules of folders; what is not accepted makes the command fail.
pub(crate) fn corpus_level(folders: &[PathBuf], level: &str) -> Result<(), String> {
    let level = Level::from_name(level).ok_or_else(|| format!("there is no level {level}"))?;
    let mut table = Table::new(&HEADINGS);
    let mut complaints = Vec::new();
    let mut pressure = Vec::new();
    for folder in folders_with_manifest(folders)? {
        let manifest = Manifest::read(&folder)?;
        let cases = cases(&folder)?;
        let verdicts = judge_on_threads(manifest.modules(), &|row, scratch| {
            judge(level, row, cases.get(&file_name(&row.path)), scratch)
        })?;
        table.push(row(&folder, level, &verdicts));
        pressure.extend(verdicts.iter().flatten().flat_map(|judged| judged.pressure.iter().copied()));
        for (module, verdict) in manifest.modules().iter().zip(verdicts) {
            if let Err(message) = verdict {
                complaints.push(format!("{}: {message}", file_name(&module.path)));
            }
        }
    }
    print!("{table}");
    println!("{}", distribution(&pressure));
    check_accepted(&complaints)
}

fn row(folder: &Path, level: Level, verdicts: &[Result<Judged, String>]) -> [String; HEADINGS.len()] {
    let accepted: Vec<&Judged> = verdicts.iter().filter_map(|verdict| verdict.as_ref().ok()).collect();
    let sum =
        |figure: fn(&ModuleFigures) -> usize| accepted.iter().map(|judged| figure(&judged.figures)).sum::<usize>();
    let size = |version: usize| accepted.iter().map(|judged| judged.sizes[version]).fold(Size::default(), Size::and);
    let [before, after, peer] = [0, 1, 2].map(size);
    let numbers = [
        verdicts.len(),
        accepted.len(),
        sum(|figures| usize::from(figures.launched)),
        sum(|figures| figures.runs),
        sum(|figures| figures.open_runs),
        before.instructions,
        after.instructions,
        peer.instructions,
        before.bytes,
        after.bytes,
        peer.bytes,
    ];
    let [a, b, c, d, e, f, g, h, i, j, k] = numbers.map(|number| number.to_string());
    [file_name(folder), format!("-O{}", level.name()), a, b, c, d, e, f, g, h, i, j, k]
}

fn judge(level: Level, row: &Row, case: Option<&Case>, scratch: &Path) -> Result<Judged, String> {
    let spirv = std::fs::read(&row.path).map_err(|error| error.to_string())?;
    let options = CompileOptions::new().level(level).target(Target::INPUT).verify_each(true);
    let mut pressures = Pressures::default();
    let mut optimize = |module: &mut reconverge::ir::Module| {
        let mut observe = |step: &Step, module: &reconverge::ir::Module| pressures.observe(step, module);
        reconverge::run(module, &options, &mut observe).map(drop).map_err(|error| error.to_string())
    };
    let expected = case.map(|(launch, outputs)| Expected { launch, outputs });
    let figures = judge_optimized(&spirv, expected, &mut optimize)?;
    validate(&figures.spirv, row, scratch)?;
    let sizes = [Size::of(&spirv), Size::of(&figures.spirv), by_peer(&row.path, scratch)?];
    Ok(Judged { figures, sizes, pressure: pressures.pairs() })
}

/// The size of a module after `spirv-opt -O`.
fn by_peer(path: &Path, scratch: &Path) -> Result<Size, String> {
    let peer = workspace::spirv_val().with_file_name(workspace::executable("spirv-opt"));
    let output = Command::new(&peer).arg("-O").arg(path).arg("-o").arg(scratch).output();
    let output = output.map_err(|error| format!("{}: {error}", peer.display()))?;
    if !output.status.success() {
        return Err(format!("spirv-opt: {}", String::from_utf8_lossy(&output.stderr)));
    }
    std::fs::read(scratch).map(|spirv| Size::of(&spirv)).map_err(|error| error.to_string())
}
