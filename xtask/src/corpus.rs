//! `cargo xtask corpus DIR...`: reads folders of SPIR-V modules that carry a manifest, and prints
//! one row a folder. A module that the manifest names and the folder lacks is an error.

use std::path::{Path, PathBuf};

use crate::table::Table;
use manifest::{MANIFEST, Manifest};

mod manifest;

/// Lists the folders; each holds a manifest or folders that do.
pub(crate) fn corpus(folders: &[PathBuf]) -> Result<(), String> {
    let mut table = Table::new(&["folder", "modules", "blocks", "bytes", "environments"]);
    let mut missing = Vec::new();
    for folder in folders_with_manifest(folders)? {
        let manifest = Manifest::read(&folder)?;
        let modules = manifest.modules();
        missing.extend(
            modules.iter().filter(|module| !module.path.is_file()).map(|module| module.path.display().to_string()),
        );
        let sum = |name: &str| modules.iter().filter_map(|module| module.number(name)).sum::<u64>().to_string();
        let mut environments: Vec<&str> = modules.iter().map(|module| module.environment.as_str()).collect();
        environments.sort_unstable();
        environments.dedup();
        table.push([
            folder.display().to_string(),
            modules.len().to_string(),
            sum("blocks"),
            sum("bytes"),
            environments.join(" "),
        ]);
    }
    print!("{table}");
    match missing.is_empty() {
        true => Ok(()),
        false => Err(format!("named by a manifest and not there: {}", missing.join(", "))),
    }
}

/// The given folders that hold a manifest, and the direct sub-folders of the others that do.
fn folders_with_manifest(folders: &[PathBuf]) -> Result<Vec<PathBuf>, String> {
    let mut found = Vec::new();
    for folder in folders {
        if folder.join(MANIFEST).is_file() {
            found.push(folder.clone());
            continue;
        }
        let below = folders_below(folder)?;
        if below.is_empty() {
            return Err(format!("{}: no {MANIFEST} in it or one folder down", folder.display()));
        }
        found.extend(below);
    }
    Ok(found)
}

fn folders_below(folder: &Path) -> Result<Vec<PathBuf>, String> {
    let entries = folder.read_dir().map_err(|error| format!("{}: {error}", folder.display()))?;
    let mut below: Vec<PathBuf> = entries
        .filter_map(|entry| entry.ok().map(|entry| entry.path()))
        .filter(|path| path.join(MANIFEST).is_file())
        .collect();
    below.sort();
    Ok(below)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    #[test]
    fn folders_are_found_by_their_manifest() {
        let root = tempfile::tempdir().unwrap();
        for (name, manifest) in [("b", "file\tspirv\nm.spv\t1.4\n"), ("a", "file\tspirv\n")] {
            fs::create_dir(root.path().join(name)).unwrap();
            fs::write(root.path().join(name).join(MANIFEST), manifest).unwrap();
        }
        fs::create_dir(root.path().join("empty")).unwrap();
        let (a, b) = (root.path().join("a"), root.path().join("b"));
        assert_eq!(folders_with_manifest(&[root.path().to_owned()]).unwrap(), [a, b.clone()]);
        assert_eq!(folders_with_manifest(std::slice::from_ref(&b)).unwrap(), std::slice::from_ref(&b));
        assert!(folders_with_manifest(&[root.path().join("empty")]).unwrap_err().contains("no MANIFEST.tsv"));
        assert!(folders_with_manifest(&[root.path().join("none")]).is_err());
    }

    #[test]
    fn a_module_that_is_not_there_is_an_error() {
        let root = tempfile::tempdir().unwrap();
        fs::write(root.path().join(MANIFEST), "file\tspirv\nm.spv\t1.4\n").unwrap();
        let folders = [root.path().to_owned()];
        assert!(corpus(&folders).unwrap_err().contains("m.spv"));
        fs::write(root.path().join("m.spv"), []).unwrap();
        assert_eq!(corpus(&folders), Ok(()));
    }
}
