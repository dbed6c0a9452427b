//! Control trees of many structured functions, of files, and of long ladders of early joins.
//!
//! ```text
//! cargo run --release -p reconverge-testing --example control_trees -- 100000              random functions
//! cargo run --release -p reconverge-testing --example control_trees -- 0 shaders/*.spv     files of SPIR-V
//! cargo run --release -p reconverge-testing --example control_trees -- growth [POWER]      time over doublings
//! ```
//!
//! Each function must have a tree, its text must read back as it is, and what is built anew from the tree must do the same
//! (`rebuild.rs`). Files that the verifier does not accept are counted, and left out.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use reconverge_control_tree::{ConstructKind, ControlTree};
use reconverge_ir::{Module, Stage, text};
use reconverge_testing::rebuild::{Figures, judge, structured_module};
use reconverge_verify::verify;

fn main() -> Result<(), String> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let Some((first, files)) = arguments.split_first() else {
        return Err("usage: control_trees COUNT [FILE|DIR]... or control_trees growth".to_owned());
    };
    if first == "growth" {
        return tell_growth(files.first().and_then(|power| power.parse().ok()));
    }
    let count: usize = first.parse().map_err(|error| format!("{first}: {error}"))?;
    let (mut sum, mut modules) = (Figures::default(), 0);
    while sum.functions < count {
        let held = structured_module(modules).and_then(|module| judge(&module, modules));
        sum = sum.and(held.map_err(|message| format!("seed {modules}: {message}"))?);
        modules += 1;
    }
    println!("{modules} random modules: {sum:?}, 0 without tree");
    let (mut sum, mut refused, mut read) = (Figures::default(), 0, 0);
    for path in files.iter().flat_map(|path| files_in(Path::new(path))) {
        let bytes = std::fs::read(&path).map_err(|error| format!("{}: {error}", path.display()))?;
        let module = reconverge_spirv::read(&bytes, &Default::default()).ok();
        match module.filter(|module| verify(module).is_empty()) {
            None => refused += 1,
            Some(module) => {
                read += 1;
                let seen = judge(&module, 1).map_err(|message| format!("{}: {message}", path.display()))?;
                sum = sum.and(seen);
            }
        }
    }
    println!("{read} files, {refused} not accepted: {sum:?}, 0 without tree");
    Ok(())
}

/// The files of SPIR-V in a folder, at any depth, or the file itself.
fn files_in(path: &Path) -> Vec<PathBuf> {
    let (mut found, mut pending) = (Vec::new(), vec![path.to_owned()]);
    while let Some(path) = pending.pop() {
        match std::fs::read_dir(&path) {
            Ok(entries) => pending.extend(entries.flatten().map(|entry| entry.path())),
            Err(_) if path.extension().is_some_and(|extension| extension == "spv") => found.push(path),
            Err(_) => {}
        }
    }
    found.sort();
    found
}

/// How selections stand to each other.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Arrangement {
    /// Each in the false way of the one before; all ways meet before the merge block.
    Nested,
    /// One after the other.
    InRow,
}

/// A number of selections.
fn selections(count: usize, arrangement: Arrangement) -> Module {
    let is_nested = arrangement == Arrangement::Nested;
    let mut body = String::from(
        "%void = type_void\n%bool = type_bool\n%true: %bool = constant_true\nfunc %f: %void () stage structured {\n",
    );
    for at in 0..count {
        let _ = write!(
            body,
            "block ^h{at}:\n  if %true ^t{at} ^e{at} merge ^m{at} control 0\nblock ^t{at}:\n  branch ^j{at}\nblock ^e{at}:\n"
        );
        let next = if is_nested && at + 1 < count { format!("h{}", at + 1) } else { format!("j{at}") };
        let _ = writeln!(body, "  branch ^{next}");
        if !is_nested {
            let next = if at + 1 < count { format!("branch ^h{}", at + 1) } else { "return".to_owned() };
            let _ = write!(body, "block ^j{at}:\n  branch ^m{at}\nblock ^m{at}:\n  {next}\n");
        }
    }
    for at in (0..count).rev().filter(|_| is_nested) {
        let next = if at > 0 { format!("branch ^j{}", at - 1) } else { "return".to_owned() };
        let _ = write!(body, "block ^j{at}:\n  branch ^m{at}\nblock ^m{at}:\n  {next}\n");
    }
    body.push_str("}\n");
    text::parse(&body).expect("the selections are a module")
}

/// Times for sizes that double, or for one size, which can be looked at by a profiler.
fn tell_growth(power: Option<u32>) -> Result<(), String> {
    println!("| scopes | in each other, ms | exponent | in a row, ms | exponent |\n|---|---|---|---|---|");
    let mut before: [Option<Duration>; 2] = [None; 2];
    let powers = power.map_or(10..=17, |power| power..=power);
    for count in powers.map(|power| 1_usize << power) {
        let mut row = format!("| {count} |");
        for (arrangement, before) in [Arrangement::Nested, Arrangement::InRow].into_iter().zip(&mut before) {
            let module = selections(count, arrangement);
            let function = module.functions().find(|&it| module.stage(it) == Stage::Structured);
            let function = function.ok_or("the module has a function")?;
            let mut best = Duration::MAX;
            for _ in 0..7 {
                let start = Instant::now();
                let tree = ControlTree::compute(&module, function).map_err(|error| error.to_string())?;
                best = best.min(start.elapsed());
                let scopes = tree.constructs().filter(|construct| construct.kind == ConstructKind::Scope).count();
                assert_eq!(scopes, count);
            }
            let exponent = before.map_or(f64::NAN, |before| (best.as_secs_f64() / before.as_secs_f64()).log2());
            let _ = write!(row, " {:.2} | {exponent:.2} |", 1e3 * best.as_secs_f64());
            *before = Some(best);
        }
        println!("{row}");
    }
    Ok(())
}
