//! MANIFEST.tsv: one row per module, columns identified by the names in the first line.
//!
//! ```text
//! file        spirv  env        blocks  …       any further columns, separated by tabs
//! a.spv       1.3    vulkan1.1  36
//! ```
//!
//! `file` is required. The environment for the validator is `env` if the folder has it, else `spv` and the version in `spirv`.

use std::collections::HashSet;
use std::fs;
use std::path::{Path, PathBuf};

/// The name of the file that makes a folder a corpus.
pub(crate) const MANIFEST: &str = "MANIFEST.tsv";

/// The column that names the file of a module.
const FILE: &str = "file";

/// The modules of one folder, in the order of the file.
#[derive(Debug)]
pub(crate) struct Manifest {
    modules: Vec<Module>,
}

/// One row.
#[derive(Debug)]
pub(crate) struct Module {
    /// The module's file: folder and name.
    pub(crate) path: PathBuf,
    /// The argument of `spirv-val --target-env`.
    pub(crate) environment: String,
    fields: Vec<(String, String)>,
}

impl Manifest {
    /// Reads `folder/MANIFEST.tsv`. Errors name the file and the line.
    pub(crate) fn read(folder: &Path) -> Result<Manifest, String> {
        let file = folder.join(MANIFEST);
        let text = fs::read_to_string(&file).map_err(|error| format!("{}: {error}", file.display()))?;
        Manifest::parse(folder, &text).map_err(|(line, message)| format!("{}:{line}: {message}", file.display()))
    }

    /// The modules, in the order of the file.
    pub(crate) fn modules(&self) -> &[Module] {
        &self.modules
    }

    fn parse(folder: &Path, text: &str) -> Result<Manifest, (usize, String)> {
        let mut lines = text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty());
        let (_, first) = lines.next().ok_or((1, "no line with column names".to_owned()))?;
        let names: Vec<&str> = first.split('\t').collect();
        let mut seen = HashSet::new();
        let mut modules = Vec::new();
        for (index, line) in lines {
            let module = Module::parse(folder, &names, line).map_err(|message| (index + 1, message))?;
            if !seen.insert(module.path.clone()) {
                return Err((index + 1, format!("{} has a row already", module.path.display())));
            }
            modules.push(module);
        }
        Ok(Manifest { modules })
    }
}

/// Returns whether the manifest of a folder has a column for files of modules. One that cannot be read counts, so that reading it says why.
pub(crate) fn lists_modules(folder: &Path) -> bool {
    let text = fs::read_to_string(folder.join(MANIFEST));
    text.map_or(true, |text| text.lines().next().is_none_or(|names| names.split('\t').any(|name| name == FILE)))
}

impl Module {
    fn parse(folder: &Path, names: &[&str], line: &str) -> Result<Module, String> {
        let cells: Vec<&str> = line.split('\t').collect();
        if cells.len() != names.len() {
            return Err(format!("{} cells, and {} columns", cells.len(), names.len()));
        }
        let fields: Vec<(String, String)> =
            names.iter().zip(cells).map(|(&name, cell)| (name.to_owned(), cell.to_owned())).collect();
        let mut module = Module { path: PathBuf::new(), environment: String::new(), fields };
        module.path = folder.join(module.field(FILE).ok_or("no column `file`")?);
        module.environment = match (module.field("env"), module.field("spirv")) {
            (Some(environment), _) => environment.to_owned(),
            (None, Some(version)) => format!("spv{version}"),
            (None, None) => return Err("neither a column `env` nor a column `spirv`".to_owned()),
        };
        Ok(module)
    }

    /// The cell in the column of that name; `None` where the folder has no such column or it is empty.
    fn field(&self, name: &str) -> Option<&str> {
        let (_, cell) = self.fields.iter().find(|(column, _)| column == name)?;
        Some(cell.as_str()).filter(|cell| !cell.is_empty())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(text: &str) -> Result<Manifest, (usize, String)> {
        Manifest::parse(Path::new("corpus"), text)
    }

    #[test]
    fn columns_are_found_by_name_in_any_order() {
        let manifest =
            parse("blocks\tenv\tfile\tspirv\n54\tvulkan1.1\ta.spv\t1.3\n\n7\tvulkan1.2\tb.spv\t1.5\n").unwrap();
        let modules = manifest.modules();
        assert_eq!(modules.len(), 2);
        assert_eq!(modules[0].path, Path::new("corpus/a.spv"));
        assert_eq!(modules[0].environment, "vulkan1.1");
        assert_eq!(modules[1].field("blocks"), Some("7"));
        assert_eq!(modules[1].field("stage"), None);
    }

    #[test]
    fn without_env_the_version_gives_the_environment() {
        let manifest = parse("file\tspirv\na.spv\t1.4\n").unwrap();
        assert_eq!(manifest.modules()[0].environment, "spv1.4");
    }

    #[test]
    fn errors_name_the_line() {
        let error = |text| parse(text).unwrap_err();
        assert_eq!(error(""), (1, "no line with column names".to_owned()));
        assert_eq!(error("file\tspirv\na.spv\t1.4\nb.spv\n"), (3, "1 cells, and 2 columns".to_owned()));
        assert_eq!(error("name\tspirv\na.spv\t1.4\n").1, "no column `file`");
        assert_eq!(error("file\na.spv\n").1, "neither a column `env` nor a column `spirv`");
        assert_eq!(error("file\tspirv\na\t1.4\na\t1.4\n"), (3, "corpus/a has a row already".to_owned()));
    }
}
