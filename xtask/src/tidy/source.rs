//! The text files that the checks read, and the syntax tree of those in Rust.

use std::fs;
use std::path::Path;

use xtask_setup::workspace::{relative, root};

/// Every `.rs` and `.md` file of the workspace that is not a build product, ordered by path.
pub(crate) struct Source {
    files: Vec<File>,
}

/// One file.
pub(crate) struct File {
    /// From the workspace root, with forward slashes.
    pub(crate) path: String,
    pub(crate) text: String,
    /// `None` for a file that is not Rust.
    pub(crate) syntax: Option<syn::File>,
}

impl Source {
    /// Reads the workspace. An error names the file that could not be read or parsed.
    pub(crate) fn read() -> Result<Source, String> {
        let mut files = Vec::new();
        let mut folders = vec![root().to_owned()];
        while let Some(folder) = folders.pop() {
            let entries = folder.read_dir().map_err(|error| format!("{}: {error}", folder.display()))?;
            for entry in entries {
                let path = entry.map_err(|error| error.to_string())?.path();
                let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
                if name.starts_with('.') || name == "target" {
                    continue;
                }
                match path.extension().and_then(|extension| extension.to_str()) {
                    _ if path.is_dir() => folders.push(path),
                    Some("rs" | "md") => files.push(File::read(&path)?),
                    _ => {}
                }
            }
        }
        files.sort_by(|a, b| a.path.cmp(&b.path));
        Ok(Source { files })
    }

    /// These files, for tests of the checks.
    #[cfg(test)]
    pub(crate) fn of(files: Vec<File>) -> Source {
        Source { files }
    }

    pub(crate) fn files(&self) -> &[File] {
        &self.files
    }

    /// The file at that path from the root.
    pub(crate) fn file(&self, path: &str) -> Option<&File> {
        self.files.iter().find(|file| file.path == path)
    }
}

impl File {
    fn read(path: &Path) -> Result<File, String> {
        let text = fs::read_to_string(path).map_err(|error| format!("{}: {error}", path.display()))?;
        let path = relative(path);
        let syntax = match path.ends_with(".rs") {
            true => {
                Some(syn::parse_file(&text).map_err(|error| format!("{path}:{}: {error}", error.span().start().line))?)
            }
            false => None,
        };
        Ok(File { path, text, syntax })
    }

    /// The crate's folder name: `ir` for `crates/ir/src/lib.rs`, `xtask` for `xtask/src/main.rs`.
    pub(crate) fn crate_name(&self) -> &str {
        let inside = self.path.strip_prefix("crates/").unwrap_or(&self.path);
        inside.split('/').next().unwrap_or(inside)
    }
}
