//! Cases: a module, and the launch that is beside it.

use std::fs;
use std::path::{Path, PathBuf};

use reconverge::opencl::Fma;
use reconverge_run::Launch;
use serde_json::Value;

/// A module to launch.
pub(crate) struct Case {
    /// The name of its file.
    pub(crate) name: String,
    /// Its file.
    pub(crate) module: PathBuf,
    /// The file of the launch.
    pub(crate) file: PathBuf,
    /// The launch.
    pub(crate) launch: Launch,
    /// The expected contents of all output buffers.
    pub(crate) expected: PathBuf,
    /// The computation of `fma` that it requires: exactly, if the launch states that it needs "exact fma".
    pub(crate) fma: Fma,
    /// The limit of lavapipe that the kernel goes past, if the launch knows one.
    pub(crate) beyond_lavapipe: Option<String>,
}

/// The cases of a folder, by name. A launch says which modules it is for in `modules`; where it does not, they are the files of its
/// own name, `NAME.spv` and `NAME.O0.spv`, as far as they are there.
pub(crate) fn cases(folder: &Path) -> Result<Vec<Case>, String> {
    let entries = folder.read_dir().map_err(|error| format!("{}: {error}", folder.display()))?;
    let mut launches: Vec<PathBuf> = entries
        .filter_map(|entry| entry.ok().map(|entry| entry.path()))
        .filter(|path| path.extension().is_some_and(|extension| extension == "json"))
        .collect();
    launches.sort();
    let mut cases = Vec::new();
    for path in launches {
        let text = fs::read_to_string(&path).map_err(|error| format!("{}: {error}", path.display()))?;
        let mut launch = Launch::from_json(&text).map_err(|error| format!("{}: {error}", path.display()))?;
        launch
            .resolve_files(|name| fs::read(folder.join(name)).map_err(|error| format!("{name}: {error}")))
            .map_err(|error| format!("{}: {error}", path.display()))?;
        let expected = match &launch.expected {
            Some(name) => folder.join(name),
            None => return Err(format!("{}: no \"expected\"", path.display())),
        };
        let document: Value = serde_json::from_str(&text).unwrap_or_default();
        let fma = if document["needs"].to_string().contains("exact fma") { Fma::Exact } else { Fma::Device };
        let beyond = document["beyond"]["lavapipe"].as_str().map(str::to_owned);
        for name in modules_of(&document, &path) {
            let module = folder.join(&name);
            cases.push(Case {
                name,
                module,
                file: path.clone(),
                launch: launch.clone(),
                expected: expected.clone(),
                fma,
                beyond_lavapipe: beyond.clone(),
            });
        }
    }
    Ok(cases)
}

fn modules_of(document: &Value, launch: &Path) -> Vec<String> {
    if let Some(modules) = document["modules"].as_array() {
        return modules.iter().filter_map(|name| name.as_str().map(str::to_owned)).collect();
    }
    let own = ["spv", "O0.spv"].map(|extension| launch.with_extension(extension));
    let present = own.iter().filter(|path| path.is_file());
    present.filter_map(|path| path.file_name()).map(|name| name.to_string_lossy().into_owned()).collect()
}
