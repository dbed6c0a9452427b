//! Every file below `tests/filetests`, or those that `RECONVERGE_FILETESTS` names.

use std::path::{Path, PathBuf};

use reconverge::pipeline::{ON_REQUEST, OPTIMIZATIONS, PASSES, Work};

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/filetests")
}

#[test]
fn filetests() {
    let path = std::env::var_os("RECONVERGE_FILETESTS").map_or_else(folder, PathBuf::from);
    if let Err(message) = reconverge_testing::filetest::run_all(&path) {
        panic!("{message}");
    }
}

#[test]
fn every_pass_over_kernels_has_a_filetest() {
    for pass in PASSES.iter().filter(|pass| matches!(pass.work, Work::Input(_) | Work::Kernels(_))) {
        let path = folder().join("kernel").join(pass.name).with_extension("ir");
        let text = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        let words: Vec<&str> = text.lines().next().unwrap_or_default().split_whitespace().collect();
        assert_eq!(words[..4], [";", "test", "pass", pass.name], "{}", path.display());
    }
}

#[test]
fn every_pass_on_request_has_filetests() {
    ON_REQUEST.iter().for_each(|pass| hold_named(&folder().join("structured"), pass.name));
}

#[test]
fn every_optimization_has_filetests() {
    OPTIMIZATIONS.iter().for_each(|pass| hold_named(&folder().join("passes"), pass.name));
}

/// Holds that a folder has a folder of a pass's name with a file that runs it.
fn hold_named(parent: &Path, name: &str) {
    let path = parent.join(name);
    let files = std::fs::read_dir(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let mut texts = files.map(|file| std::fs::read_to_string(file.expect("a folder can be read").path()));
    let first = format!("; test pass {name}");
    let names_it = texts.any(|text| text.is_ok_and(|text| text.lines().next().unwrap_or_default().starts_with(&first)));
    assert!(names_it, "{}", path.display());
}
