//! A launch and a module that it is for.

use std::fs;
use std::path::{Path, PathBuf};

use reconverge_run::Launch;

/// A launch and a module that it is for.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Case {
    /// The file of the launch.
    pub(crate) launch: PathBuf,
    /// The SPIR-V.
    pub(crate) module: PathBuf,
}

impl Case {
    /// Its name for messages.
    pub(crate) fn name(&self) -> String {
        let stem = |path: &Path| path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        format!("{} with {}", stem(&self.module), stem(&self.launch))
    }

    /// Reads the launch and the files that it names.
    pub(crate) fn read_launch(&self) -> Launch {
        let source = fs::read_to_string(&self.launch).expect("a launch is readable");
        let mut launch = Launch::from_json(&source).expect("a launch is valid");
        let folder = self.launch.parent().expect("a file is in a folder");
        let read = |name: &str| fs::read(folder.join(name)).map_err(|error| error.to_string());
        launch.resolve_files(read).expect("the files of a launch are there");
        launch
    }
}

/// The buffers whose contents are of no interest, by their position among the buffers: they may hold addresses.
pub(crate) fn scratch_buffers(launch: &Path) -> Vec<usize> {
    let document = read_json(launch);
    let arguments = document["args"].as_array().into_iter().flatten();
    let buffers = arguments.filter(|argument| argument["kind"] == "buffer").enumerate();
    buffers.filter(|(_, buffer)| buffer["scratch"] == true).map(|(index, _)| index).collect()
}

fn read_json(launch: &Path) -> serde_json::Value {
    let source = fs::read_to_string(launch).expect("a launch is readable");
    serde_json::from_str(&source).expect("a launch is JSON")
}

/// The root of the repository.
pub(crate) fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// All launches of a folder with all modules that they are for, in order.
pub(crate) fn cases(folder: &Path) -> Vec<Case> {
    let entries = folder.read_dir().unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let paths = entries.map(|entry| entry.expect("a folder is readable").path());
    let mut launches: Vec<PathBuf> =
        paths.filter(|path| path.extension().is_some_and(|extension| extension == "json")).collect();
    launches.sort();
    launches
        .into_iter()
        .flat_map(|launch| modules(&launch).into_iter().map(move |module| Case { launch: launch.clone(), module }))
        .collect()
}

fn modules(launch: &Path) -> Vec<PathBuf> {
    let document = read_json(launch);
    let folder = launch.parent().expect("a file is in a folder");
    let named = document["modules"].as_array().map(|names| {
        names.iter().filter_map(|name| name.as_str()).map(|name| folder.join(name)).collect::<Vec<PathBuf>>()
    });
    let own = || ["spv", "O0.spv"].map(|extension| launch.with_extension(extension)).to_vec();
    named.unwrap_or_else(own).into_iter().filter(|path| path.is_file()).collect()
}
