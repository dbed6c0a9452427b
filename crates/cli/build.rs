//! Embeds the pages about codes and concepts, a table of names and texts in the order of the names; and states the commit of the build.
//!
//! A build that is handed out names its commit exactly. Others name the commit at which this script ran last: if it ran for every commit, every
//! commit would build the command again. `SOURCE_DATE_EPOCH` replaces the date of the commit. Without git there is what `cargo package` recorded,
//! or nothing.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs, io};

#[path = "src/commit.rs"]
mod commit;

/// The folders of pages, from the root of the workspace. A page is named as its file.
const FOLDERS: [&str; 2] = ["docs/codes", "docs/concepts"];

fn main() -> io::Result<()> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    state_commit(&root);
    embed_pages(&root)
}

/// Sets `RECONVERGE_COMMIT` and `RECONVERGE_DATE` for the crate; empty if they are not known.
fn state_commit(root: &Path) {
    println!("cargo::rerun-if-env-changed=SOURCE_DATE_EPOCH");
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-changed=src/commit.rs");
    let epoch = env::var("SOURCE_DATE_EPOCH").ok();
    // Not the repository of others that this one lies in.
    let is_repository = git(root, &["rev-parse", "--show-prefix"]).is_some_and(|prefix| prefix.is_empty());
    let of_git = |arguments: &[&str]| git(root, arguments).filter(|_| is_repository);
    let packaged = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(".cargo_vcs_info.json"));
    let of_package = || Some(commit::commit_of_package(&packaged.ok()?)?.to_owned());
    let name = of_git(&["rev-parse", "HEAD"]).or_else(of_package).unwrap_or_default();
    let seconds = epoch.or_else(|| of_git(&["log", "-1", "--format=%ct"]));
    let date = seconds.and_then(|seconds| seconds.parse().ok()).map(commit::date_of).unwrap_or_default();
    println!("cargo::rustc-env=RECONVERGE_COMMIT={}", name.get(..12).unwrap_or(&name));
    println!("cargo::rustc-env=RECONVERGE_DATE={date}");
    if env::var("PROFILE").is_ok_and(|profile| profile == "release") {
        let watched = ["HEAD", "logs/HEAD"].iter().filter_map(|file| of_git(&["rev-parse", "--git-path", file]));
        for file in watched.map(|file| root.join(file)).filter(|file| file.exists()) {
            println!("cargo::rerun-if-changed={}", file.display());
        }
    }
}

/// What git prints; none without git and where it fails.
fn git(root: &Path, arguments: &[&str]) -> Option<String> {
    let output = Command::new("git").arg("-C").arg(root).args(arguments).output().ok()?;
    let printed = String::from_utf8(output.stdout).ok().filter(|_| output.status.success())?;
    Some(printed.trim().to_owned())
}

fn embed_pages(root: &Path) -> io::Result<()> {
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
