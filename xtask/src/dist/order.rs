//! Which functions of the command run when it compiles, those first that always do; told to the linker.
//!
//! ```text
//! as crates come      ▒▒█▒▒▒▒█▒▒▒█▒▒▒▒▒▒█▒▒▒▒█▒▒▒▒█▒▒     6 MB, of which a process runs a sixth, everywhere
//! in this order       ████████▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒     the same functions, side by side
//! ```
//!
//! A process of two milliseconds waits for the system wherever it comes to code that it has not seen, which then gets it 64 KiB: sixty
//! times and more, where thirty would do. The order is found anew for each build, with modules of the tests, so nothing has to be kept in
//! step. (Pettis and Hansen 1990, "Profile guided code positioning", section 2; what calls what is left out of account: pages are what
//! counts.)

use std::collections::{BTreeMap, BTreeSet};
use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::{fs, io};

use crate::workspace::{output, root};

/// Where modules lie that the command is watched with, and of how many in a folder one is taken. Texts become SPIR-V first.
const MODULES: &[(&str, usize)] = &[("tests/filetests/check", 2), ("tests/filetests/optimum", 1), ("tests/kernels", 8)];
/// Fewer modules than this, and the folders above are not what they were.
const LEAST_MODULES: usize = 30;
/// Fewer functions than this, and their symbols were not seen.
const LEAST_FUNCTIONS: usize = 500;

/// Writes a script for the linker by which the functions that run lie in front of all others. It goes into a folder of its own, under a
/// name that its contents give: whoever links by the same script again does not link.
pub(super) fn write_script(command: &Path, folder: &Path) -> Result<PathBuf, String> {
    let failed = |error: io::Error| format!("{}: {error}", folder.display());
    fs::create_dir_all(folder).map_err(failed)?;
    let modules = modules(command, folder)?;
    if modules.len() < LEAST_MODULES {
        return Err(format!("{} modules are too few to see what runs", modules.len()));
    }
    let mut runs: BTreeMap<String, usize> = BTreeMap::new();
    for module in &modules {
        for function in functions_that_run(command, module, folder)? {
            *runs.entry(function).or_default() += 1;
        }
    }
    println!("{} functions run in {} modules", runs.len(), modules.len());
    if runs.len() < LEAST_FUNCTIONS {
        return Err("those are too few; is the command without symbols?".to_owned());
    }
    let text = script_of(&runs);
    let mut hash = DefaultHasher::new();
    text.hash(&mut hash);
    let script = folder.join(format!("order-{:016x}.ld", hash.finish()));
    fs::write(&script, text).map_err(failed)?;
    Ok(script)
}

/// The modules as SPIR-V. A text that says nothing of how memory is addressed is no whole module, and left out.
fn modules(command: &Path, folder: &Path) -> Result<Vec<PathBuf>, String> {
    let mut modules = Vec::new();
    for &(place, share) in MODULES {
        let failed = |error: io::Error| format!("{place}: {error}");
        let files = fs::read_dir(root().join(place)).map_err(failed)?;
        let mut files: Vec<PathBuf> = files.map(|file| Ok(file?.path())).collect::<io::Result<_>>().map_err(failed)?;
        files.sort();
        let is = |file: &PathBuf, ending| file.extension().is_some_and(|extension| extension == ending);
        modules.extend(files.iter().filter(|file| is(file, "spv")).step_by(share).cloned());
        for text in files.iter().filter(|file| is(file, "ir")).step_by(share) {
            if !fs::read_to_string(text).map_err(failed)?.contains("memory_model") {
                continue;
            }
            let module = folder.join(text.file_stem().expect("invariant: it has an extension")).with_extension("spv");
            output(Command::new(command).arg("compile").arg(text).arg("-O0").arg("-o").arg(&module))?;
            modules.push(module);
        }
    }
    Ok(modules)
}

/// The symbols of functions that run while a module is compiled.
fn functions_that_run(command: &Path, module: &Path, folder: &Path) -> Result<BTreeSet<String>, String> {
    let profile = folder.join("profile");
    // In the folder, since of the name of its file valgrind makes more than a name.
    let mut watched = Command::new("valgrind");
    watched.current_dir(folder).args(["--tool=callgrind", "--demangle=no", "--callgrind-out-file=profile"]);
    output(watched.arg(command).arg("compile").arg(module).args(["-o", "compiled.spv"]))?;
    let profile = fs::read_to_string(&profile).map_err(|error| format!("{}: {error}", profile.display()))?;
    Ok(profile.lines().filter_map(symbol).map(str::to_owned).collect())
}

/// The symbol in a line that names a function for the first time: `fn=(7) name`, or `cfn=` for one that is called. A function inside itself
/// has a `'` and its depth behind it; what has no symbol has its address for a name.
fn symbol(line: &str) -> Option<&str> {
    let (_, name) = line.strip_prefix('c').unwrap_or(line).strip_prefix("fn=(")?.split_once(") ")?;
    let name = name.split('\'').next()?;
    let is_symbol = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '.' | '$');
    (!name.starts_with(|c: char| c.is_ascii_digit()) && name.chars().all(is_symbol)).then_some(name)
}

/// The script: a section of code in front of that for all else, with the functions that run in most modules first.
fn script_of(runs: &BTreeMap<String, usize>) -> String {
    let mut order: Vec<(&String, &usize)> = runs.iter().collect();
    order.sort_by_key(|&(_, count)| std::cmp::Reverse(count));
    let lines = order.iter().map(|(symbol, _)| format!("    *(.text.{symbol} .text.unlikely.{symbol})\n"));
    format!("SECTIONS {{\n  .text.first : {{\n{}  }}\n}} INSERT BEFORE .text;\n", lines.collect::<String>())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn functions_are_found_in_a_profile() {
        let lines =
            ["fn=(1) main", "cfn=(22) _RNvB2_3run'2", "fn=(1)", "calls=1 0", "fn=(3) 0x401000", "cfn=(4) (below main)"];
        assert_eq!(lines.map(symbol), [Some("main"), Some("_RNvB2_3run"), None, None, None, None]);
    }

    #[test]
    fn what_runs_most_comes_first() {
        let runs = BTreeMap::from([("a".to_owned(), 1), ("b".to_owned(), 3), ("c".to_owned(), 1)]);
        let script = script_of(&runs);
        let places = ["b", "a", "c"].map(|symbol| script.find(&format!("*(.text.{symbol} ")).expect("it is there"));
        assert!(places.is_sorted(), "{script}");
    }
}
