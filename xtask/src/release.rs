//! `cargo xtask release`: makes what a release has, in `target/release-artifacts`.
//!
//! | file | contents |
//! |---|---|
//! | `reconverge-VERSION-x86_64-linux.tar.gz` | the command of `cargo xtask dist`, manual pages, completions, licenses |
//! | `reconverge_VERSION_amd64.deb` | the same as a package for Debian and Ubuntu |
//! | `reconverge-VERSION-x86_64-windows.tar.gz` | the command for Windows, if its toolchain is here |
//! | `reconverge-VERSION.cdx.json` | the crates that the command is made of |
//! | `SHA256SUMS` | the checksums of the others |
//!
//! All times in the files are `SOURCE_DATE_EPOCH`, or that of the commit, so that one commit gives the same bytes wherever it is built with one
//! toolchain.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use archive::{Entry, gzip, tar};
use deb::{Control, deb};
use xtask_setup::tools::MUSL;
use xtask_setup::workspace::{cargo, output, relative, root};

use crate::dist::{build_for_linux, build_for_windows};
use crate::programs::{self, Profile, Program};
use crate::table::Table;

mod archive;
mod deb;
mod materials;

/// Files of the workspace that every archive has.
const PAGES: [&str; 4] = ["README.md", "CHANGELOG.md", "LICENSE-APACHE", "LICENSE-MIT"];

/// A shell.
struct Shell {
    name: &'static str,
    /// Its file of completions in an archive.
    file: &'static str,
    /// The path that it reads completions from in a system; none if there is no such path.
    path: Option<&'static str>,
}

const SHELLS: [Shell; 5] = [
    Shell { name: "bash", file: "reconverge.bash", path: Some("usr/share/bash-completion/completions/reconverge") },
    Shell { name: "elvish", file: "reconverge.elv", path: None },
    Shell { name: "fish", file: "reconverge.fish", path: Some("usr/share/fish/vendor_completions.d/reconverge.fish") },
    Shell { name: "powershell", file: "_reconverge.ps1", path: None },
    Shell { name: "zsh", file: "_reconverge", path: Some("usr/share/zsh/vendor-completions/_reconverge") },
];

/// The package of the workspace that is handed out.
const PACKAGE: &str = "reconverge-cli";

/// Makes all files, and lists them with their sizes.
pub(crate) fn release() -> Result<(), String> {
    let time = time()?;
    let version = env!("CARGO_PKG_VERSION");
    let folder = root().join("target").join("release-artifacts");
    if folder.exists() {
        fs::remove_dir_all(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    }
    fs::create_dir_all(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    let shared = Shared::make()?;
    let linux = read(&build_for_linux(Some(time))?)?;
    let mut files = vec![
        (format!("reconverge-{version}-x86_64-linux.tar.gz"), shared.archive("reconverge", &linux, "linux", time)?),
        (format!("reconverge_{version}_amd64.deb"), shared.package(&linux, time)?),
        (format!("reconverge-{version}.cdx.json"), materials(time)?),
    ];
    match build_for_windows(Some(time)) {
        Ok(program) => {
            let archive = shared.archive("reconverge.exe", &read(&program)?, "windows", time)?;
            files.push((format!("reconverge-{version}-x86_64-windows.tar.gz"), archive));
        }
        Err(reason) => println!("There is no archive for Windows: {reason}"),
    }
    files.sort();
    let mut table = Table::new(&["file", "bytes"]);
    for (name, bytes) in &files {
        fs::write(folder.join(name), bytes).map_err(|error| format!("{name}: {error}"))?;
        table.push([name.clone(), bytes.len().to_string()]);
    }
    let names: Vec<&String> = files.iter().map(|(name, _)| name).collect();
    let sums = output(Command::new("sha256sum").current_dir(&folder).args(names))?;
    table.push(["SHA256SUMS".to_owned(), sums.len().to_string()]);
    fs::write(folder.join("SHA256SUMS"), sums).map_err(|error| format!("SHA256SUMS: {error}"))?;
    println!("{table}\nThe files are in {}.", relative(&folder));
    Ok(())
}

/// The time of all files: that of `SOURCE_DATE_EPOCH`, or of the commit.
fn time() -> Result<u64, String> {
    let text = match std::env::var("SOURCE_DATE_EPOCH") {
        Ok(text) => text,
        Err(_) => output(Command::new("git").current_dir(root()).args(["log", "-1", "--format=%ct"]))?,
    };
    text.trim().parse().map_err(|_| format!("SOURCE_DATE_EPOCH is {text:?}, no number of seconds"))
}

fn read(path: &Path) -> Result<Vec<u8>, String> {
    fs::read(path).map_err(|error| format!("{}: {error}", relative(path)))
}

/// What the archives have in common, in the order of names.
struct Shared {
    pages: Vec<(&'static str, Vec<u8>)>,
    manual: Vec<(String, Vec<u8>)>,
    completions: Vec<(Shell, Vec<u8>)>,
}

impl Shared {
    fn make() -> Result<Shared, String> {
        let pages: Result<_, String> = PAGES.into_iter().map(|page| Ok((page, read(&root().join(page))?))).collect();
        // Both commands have one place, and the one with the feature must not stay there.
        let manual = manual()?;
        let command = programs::build(Program::Binary("reconverge"), Profile::Tests)?;
        let completions: Result<_, String> = SHELLS
            .into_iter()
            .map(|shell| {
                let text = output(Command::new(&command).args(["completions", shell.name]))?;
                Ok((shell, text.into_bytes()))
            })
            .collect();
        Ok(Shared { pages: pages?, manual, completions: completions? })
    }

    /// An archive with the command under its name.
    fn archive(&self, name: &str, program: &[u8], system: &str, time: u64) -> Result<Vec<u8>, String> {
        let folder = format!("reconverge-{}-x86_64-{system}", env!("CARGO_PKG_VERSION"));
        let mut entries = vec![Entry::program(format!("{folder}/{name}"), program)];
        entries.extend(self.pages.iter().map(|(page, text)| Entry::file(format!("{folder}/{page}"), text.clone())));
        entries.extend(
            self.completions
                .iter()
                .map(|(shell, text)| Entry::file(format!("{folder}/completions/{}", shell.file), text.clone())),
        );
        entries
            .extend(self.manual.iter().map(|(page, text)| Entry::file(format!("{folder}/man/{page}"), text.clone())));
        gzip(&tar(&entries, time)?)
    }

    /// The package for Debian: what is compressed there is compressed.
    fn package(&self, program: &[u8], time: u64) -> Result<Vec<u8>, String> {
        let mut files = vec![Entry::program("usr/bin/reconverge", program)];
        files.extend(self.completions.iter().filter_map(|(shell, text)| Some(Entry::file(shell.path?, text.clone()))));
        for (page, text) in &self.pages {
            files.push(match *page {
                "CHANGELOG.md" => Entry::file("usr/share/doc/reconverge/changelog.gz", gzip(text)?),
                page => Entry::file(format!("usr/share/doc/reconverge/{page}"), text.clone()),
            });
        }
        files.push(Entry::file("usr/share/doc/reconverge/copyright", COPYRIGHT));
        for (page, text) in &self.manual {
            files.push(Entry::file(format!("usr/share/man/man1/{page}.gz"), gzip(text)?));
        }
        deb(&CONTROL, &files, time)
    }
}

const COPYRIGHT: &str = "Reconverge is licensed under the MIT license or the Apache License 2.0, at your option.\n\
    Both are beside this file: LICENSE-MIT and LICENSE-APACHE.\n";

const CONTROL: Control<'_> = Control {
    package: "reconverge",
    version: env!("CARGO_PKG_VERSION"),
    architecture: "amd64",
    summary: "compiler from unstructured to structured control flow for GPUs",
    description: &[
        "Reads SPIR-V, DXIL and sources in OpenCL C, GLSL, HLSL, Slang and WGSL, and writes",
        "structured, optimized SPIR-V for Vulkan. Sources are compiled by the compilers of",
        "their languages, which are packages of their own.",
    ],
};

/// The manual pages, by name. A command with a feature of its own writes them: no user pays for what does.
fn manual() -> Result<Vec<(String, Vec<u8>)>, String> {
    let folder = root().join("target").join("man");
    fs::create_dir_all(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    let command = programs::build_with(Program::Binary("reconverge"), Profile::Tests, &["reconverge-cli/man-pages"])?;
    output(Command::new(command).arg("man-pages").arg(&folder))?;
    let listed = fs::read_dir(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    let mut paths: Vec<PathBuf> = listed.filter_map(|entry| Some(entry.ok()?.path())).collect();
    paths.retain(|path| path.extension().is_some_and(|extension| extension == "1"));
    paths.sort();
    paths.iter().map(|path| Ok((name_of(path), read(path)?))).collect()
}

fn name_of(path: &Path) -> String {
    path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default()
}

/// The crates of the command for Linux.
fn materials(time: u64) -> Result<Vec<u8>, String> {
    let metadata = output(&mut cargo(["metadata", "--locked", "--format-version", "1", "--filter-platform", MUSL]))?;
    let metadata = serde_json::from_str(&metadata).map_err(|error| format!("cargo metadata: {error}"))?;
    let timestamp = output(Command::new("date").args(["--utc", "+%Y-%m-%d", "--date"]).arg(format!("@{time}")))?;
    Ok(format!("{:#}\n", materials::bill(&metadata, PACKAGE, timestamp.trim())?).into_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shared() -> Shared {
        Shared {
            pages: PAGES.map(|page| (page, page.into())).into(),
            manual: vec![("reconverge.1".to_owned(), b".TH reconverge\n".to_vec())],
            completions: SHELLS
                .map(|shell| {
                    let text = shell.name.into();
                    (shell, text)
                })
                .into(),
        }
    }

    #[test]
    fn an_archive_has_the_command_and_what_belongs_to_it() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.tar.gz");
        fs::write(&path, shared().archive("reconverge", b"program", "linux", 0).unwrap()).unwrap();
        let listed = output(Command::new("tar").arg("-tzf").arg(&path)).unwrap();
        let top = format!("reconverge-{}-x86_64-linux/", env!("CARGO_PKG_VERSION"));
        let files: Vec<&str> = listed.lines().map(|line| line.strip_prefix(&top).expect("all in one folder")).collect();
        for file in
            ["reconverge", "LICENSE-MIT", "completions/_reconverge", "completions/reconverge.fish", "man/reconverge.1"]
        {
            assert!(files.contains(&file), "{file}: {listed}");
        }
    }

    #[test]
    fn a_package_installs_pages_where_the_system_looks_for_them() {
        let package = shared().package(b"program", 0).unwrap();
        assert_eq!(package, shared().package(b"program", 0).unwrap());
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.deb");
        fs::write(&path, package).unwrap();
        output(Command::new("ar").arg("x").arg(&path).current_dir(folder.path())).unwrap();
        let listed = output(Command::new("tar").args(["-tzf", "data.tar.gz"]).current_dir(folder.path())).unwrap();
        for file in ["usr/bin/reconverge", "usr/share/man/man1/reconverge.1.gz", "usr/share/doc/reconverge/copyright"] {
            assert!(listed.lines().any(|line| line == file), "{file}: {listed}");
        }
    }
}
