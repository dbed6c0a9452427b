//! Every file below `tests/filetests`, or those that `RECONVERGE_FILETESTS` names.

use std::path::{Path, PathBuf};

use reconverge::pipeline::{PASSES, Work};

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
