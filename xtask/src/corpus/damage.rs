//! `cargo xtask corpus DIR... --damage WAYS`: checks that modules with damaged merges compile to equivalent ones.
//!
//! From each module this many damaged ones are created ([`damage_structure`]). Each must compile to a module that the validator accepts and
//! that behaves in one lane as before; and with `--strict` it must be rejected exactly if [`reconverge::check`] reports findings.

use std::path::{Path, PathBuf};

use reconverge::pipeline::Level;
use reconverge::{CompileOptions, Format, Kind, Target, Unstructured};
use reconverge_testing::damage::damage_structure;
use reconverge_testing::lanes::judge_damaged;
use reconverge_testing::random::mix;

use super::manifest::{Manifest, Module as Row};
use super::pass::validate;
use super::{check_accepted, file_name, folders_with_manifest, judge_on_threads};
use crate::table::Table;

const HEADINGS: [&str; 7] = ["folder", "modules", "damaged", "accepted", "unstructured", "runs equal", "runs open"];

/// The figures of the damaged variants of a module.
#[derive(Default)]
struct Figures {
    damaged: usize,
    /// Those that broke a rule.
    unstructured: usize,
    runs: usize,
    open_runs: usize,
    complaints: Vec<String>,
}

/// Damages the modules of folders; what does not hold makes the command fail.
pub(crate) fn corpus_damage(folders: &[PathBuf], ways: u64) -> Result<(), String> {
    let mut table = Table::new(&HEADINGS);
    let mut complaints = Vec::new();
    for folder in folders_with_manifest(folders)? {
        let manifest = Manifest::read(&folder)?;
        let verdicts = judge_on_threads(manifest.modules(), &|row, scratch| judge_all(row, ways, scratch))?;
        table.push(row(&folder, &verdicts));
        for (module, verdict) in manifest.modules().iter().zip(verdicts) {
            let told = verdict.map_or_else(|message| vec![message], |figures| figures.complaints);
            complaints.extend(told.into_iter().map(|message| format!("{}: {message}", file_name(&module.path))));
        }
    }
    print!("{table}");
    check_accepted(&complaints)
}

fn row(folder: &Path, verdicts: &[Result<Figures, String>]) -> [String; HEADINGS.len()] {
    let sum = |figure: fn(&Figures) -> usize| verdicts.iter().flatten().map(figure).sum::<usize>();
    let accepted = sum(|figures| figures.damaged - figures.complaints.len());
    let numbers = [
        verdicts.len(),
        sum(|figures| figures.damaged),
        accepted,
        sum(|figures| figures.unstructured),
        sum(|figures| figures.runs),
        sum(|figures| figures.open_runs),
    ];
    let [a, b, c, d, e, f] = numbers.map(|number| number.to_string());
    [file_name(folder), a, b, c, d, e, f]
}

fn judge_all(row: &Row, ways: u64, scratch: &Path) -> Result<Figures, String> {
    let spirv = std::fs::read(&row.path).map_err(|error| error.to_string())?;
    let mut figures = Figures::default();
    for way in 0..ways {
        figures.damaged += 1;
        let damaged = damage_structure(&spirv, mix(way) ^ spirv.len() as u64);
        if let Err(message) = judge(&spirv, &damaged, row, scratch, &mut figures) {
            let kept = scratch.with_file_name(format!("{}.{way}.spv", file_name(&row.path)));
            std::fs::write(&kept, &damaged).map_err(|error| error.to_string())?;
            figures.complaints.push(format!("way {way}, kept as {}: {message}", kept.display()));
        }
    }
    Ok(figures)
}

fn judge(spirv: &[u8], damaged: &[u8], row: &Row, scratch: &Path, figures: &mut Figures) -> Result<(), String> {
    let levels = [Level::None, Level::Speed];
    let options = CompileOptions::new().level(levels[figures.damaged % 2]).target(Target::INPUT).verify_each(true);
    let compile = |options: &CompileOptions| reconverge::compile(damaged, Format::SPIRV, Format::SPIRV, options);
    let mut repaired = || compile(&options).map(|output| output.module).map_err(|error| error.to_string());
    let judged = judge_damaged(spirv, &mut repaired)?;
    figures.runs += judged.runs;
    figures.open_runs += judged.open_runs;
    validate(&judged.spirv, row, scratch)?;
    let is_sound = reconverge::check(damaged, Format::SPIRV).is_ok_and(|(_, findings)| findings.is_empty());
    figures.unstructured += usize::from(!is_sound);
    let strict = options.clone().unstructured(Unstructured::Refused);
    match compile(&strict) {
        Ok(_) if is_sound => Ok(()),
        Err(error) if !is_sound && error.kind() == Kind::Rejected => Ok(()),
        Ok(_) => Err("--strict accepts what is not structured".to_owned()),
        Err(error) => Err(format!("--strict refuses what is structured: {error}")),
    }
}
