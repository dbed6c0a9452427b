//! Reads each SPIR-V file that is named, writes it again and says where the two differ.
//!
//! ```text
//! cargo run --example round_trip -- [--out FOLDER] FILE…
//! ```

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use reconverge_ir::Stage;
use reconverge_spirv::{Merges, ReadOptions, WriteOptions, read, same_program, write};

fn main() -> ExitCode {
    let mut folder: Option<PathBuf> = None;
    let mut failures = 0;
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        if argument == "--out" {
            folder = arguments.next().map(PathBuf::from);
            continue;
        }
        if let Err(message) = round_trip(Path::new(&argument), folder.as_deref()) {
            println!("{argument}: {message}");
            failures += 1;
        }
    }
    println!("{failures} differ");
    if failures == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

fn round_trip(path: &Path, folder: Option<&Path>) -> Result<(), String> {
    let bytes = std::fs::read(path).map_err(|error| error.to_string())?;
    let module = read(&bytes, &ReadOptions::default()).map_err(|error| format!("read: {error}"))?;
    let written = write(&module, &WriteOptions::default()).map_err(|error| format!("write: {error}"))?;
    if let (Some(folder), Some(name)) = (folder, path.file_name()) {
        std::fs::write(folder.join(name), &written).map_err(|error| error.to_string())?;
    }
    same_program(&bytes, &written).map_err(|difference| format!("differs: {difference}"))?;
    let stripped = read(&bytes, &ReadOptions { merges: Merges::Strip }).map_err(|error| format!("strip: {error}"))?;
    if stripped.functions().any(|function| stripped.stage(function) != Stage::Graph) {
        return Err("stripped and not at stage Graph".to_owned());
    }
    write(&stripped, &WriteOptions::default()).map_err(|error| format!("write stripped: {error}"))?;
    Ok(())
}
