//! Every file below `tests/filetests`, or those that `RECONVERGE_FILETESTS` names.

use std::path::{Path, PathBuf};

use reconverge::pipeline::{ON_REQUEST, PASSES, Work};

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
    for pass in PASSES.iter().filter(|pass| matches!(pass.work, Work::Kernels(_))) {
        let path = folder().join("kernel").join(pass.name).with_extension("ir");
        let text = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        let words: Vec<&str> = text.lines().next().unwrap_or_default().split_whitespace().collect();
        assert_eq!(words[..4], [";", "test", "pass", pass.name], "{}", path.display());
    }
}

#[test]
fn every_pass_on_request_has_filetests() {
    for pass in ON_REQUEST {
        let path = folder().join("structured").join(pass.name);
        let files = std::fs::read_dir(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        let names_it = files
            .map(|file| std::fs::read_to_string(file.unwrap().path()).unwrap())
            .any(|text| text.lines().next().unwrap_or_default().starts_with(&format!("; test pass {}", pass.name)));
        assert!(names_it, "{}", path.display());
    }
}
