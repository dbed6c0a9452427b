//! Every file below `tests/filetests`, or those that `RECONVERGE_FILETESTS` names.

use std::path::{Path, PathBuf};

use reconverge::opencl;

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
    for pass in opencl::PASSES {
        let path = folder().join("kernel").join(pass.name).with_extension("ir");
        let text = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        let words: Vec<&str> = text.lines().next().unwrap_or_default().split_whitespace().collect();
        assert_eq!(words[..4], [";", "test", "pass", pass.name], "{}", path.display());
    }
}

#[test]
fn every_optimization_has_filetests() {
    for pass in reconverge_optimize::PASSES {
        let parents = ["passes", "structured"].map(|parent| folder().join(parent));
        let parent = parents.iter().find(|parent| parent.join(pass.name).is_dir());
        check_named(parent.unwrap_or_else(|| panic!("{} has no filetest", pass.name)), pass.name);
    }
}

/// Checks that a folder has a folder of a pass's name with a file that runs it.
fn check_named(parent: &Path, name: &str) {
    let path = parent.join(name);
    let files = std::fs::read_dir(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let mut texts = files.map(|file| std::fs::read_to_string(file.expect("a folder can be read").path()));
    let first = format!("; test pass {name}");
    let names_it = texts.any(|text| text.is_ok_and(|text| text.lines().next().unwrap_or_default().starts_with(&first)));
    assert!(names_it, "{}", path.display());
}
