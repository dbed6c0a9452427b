//! The kernels: sources, launches and expected outputs.

use std::fs;
use std::path::{Path, PathBuf};

use reconverge_run::{Launch, compare};

/// A kernel.
pub(crate) struct Kernel {
    pub(crate) name: String,
    pub(crate) source: PathBuf,
    pub(crate) spirv: Vec<u8>,
    pub(crate) launch: Launch,
    expected: Vec<u8>,
}

/// The kernels of some folders that have a source, SPIR-V, a launch and expected outputs, by name.
///
/// # Errors
/// A file cannot be read.
pub(crate) fn find(folders: &[PathBuf]) -> Result<Vec<Kernel>, String> {
    let mut kernels = Vec::new();
    for folder in folders {
        let entries = fs::read_dir(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
        let paths = entries.filter_map(|entry| Some(entry.ok()?.path()));
        for source in paths.filter(|path| path.extension().is_some_and(|extension| extension == "cl")) {
            kernels.extend(Kernel::read(&source)?);
        }
    }
    kernels.sort_by(|left, right| left.name.cmp(&right.name));
    Ok(kernels)
}

impl Kernel {
    fn read(source: &Path) -> Result<Option<Kernel>, String> {
        let [spirv, json] = ["spv", "json"].map(|extension| source.with_extension(extension));
        let name = source.file_stem().and_then(|stem| stem.to_str()).unwrap_or_default().to_owned();
        if !spirv.exists() || !json.exists() {
            return Ok(None);
        }
        let text = read(&json)?;
        let launch = Launch::from_json(&String::from_utf8_lossy(&text));
        let mut launch = launch.map_err(|error| format!("{}: {error}", json.display()))?;
        let beside = |file: &str| read(&json.with_file_name(file));
        launch.resolve_files(beside).map_err(|error| format!("{}: {error}", json.display()))?;
        let Some(expected) = &launch.expected else { return Ok(None) };
        let expected = beside(expected)?;
        Ok(Some(Kernel { name, source: source.to_owned(), spirv: read(&spirv)?, launch, expected }))
    }

    /// Compares the buffers of the launch with the expected outputs.
    ///
    /// # Errors
    /// They differ.
    pub(crate) fn check(&self, buffers: &[Vec<u8>]) -> Result<(), String> {
        let outputs: Vec<Vec<u8>> = self.launch.outputs().map(|output| buffers[output.index].clone()).collect();
        compare(&self.launch, &self.expected, &outputs).map_err(|mismatch| {
            eprintln!("{}: {mismatch}", self.name);
            "the outputs are not the expected ones".to_owned()
        })
    }
}

fn read(path: &Path) -> Result<Vec<u8>, String> {
    fs::read(path).map_err(|error| format!("{}: {error}", path.display()))
}
