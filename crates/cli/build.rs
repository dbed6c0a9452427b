//! Embeds the pages about codes and concepts: a table of names and texts, in the order of the names.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::{env, fs, io};

/// The folders of pages, from the root of the workspace. A page is named as its file.
const FOLDERS: [&str; 2] = ["docs/codes", "docs/concepts"];

fn main() -> io::Result<()> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut pages: Vec<(String, PathBuf)> = Vec::new();
    for folder in FOLDERS.map(|folder| root.join(folder)) {
        println!("cargo::rerun-if-changed={}", folder.display());
        for entry in fs::read_dir(folder)? {
            let path = entry?.path();
            let name = path.file_stem().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
            if path.extension().is_some_and(|extension| extension == "md") && name != "README" {
                pages.push((name, path.canonicalize()?));
            }
        }
    }
    pages.sort();
    let mut table = String::from("&[\n");
    for (name, path) in &pages {
        let _ = writeln!(table, "    ({name:?}, include_str!({path:?})),");
    }
    table.push_str("]\n");
    fs::write(Path::new(&env::var("OUT_DIR").map_err(io::Error::other)?).join("pages.rs"), table)
}
