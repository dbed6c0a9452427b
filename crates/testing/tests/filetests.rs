//! Every file below `tests/filetests`, or those that `RECONVERGE_FILETESTS` names.

use std::path::{Path, PathBuf};

#[test]
fn filetests() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/filetests");
    let path = std::env::var_os("RECONVERGE_FILETESTS").map_or(folder, PathBuf::from);
    if let Err(message) = reconverge_testing::filetest::run_all(&path) {
        panic!("{message}");
    }
}
