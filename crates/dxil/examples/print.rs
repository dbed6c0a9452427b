//! Prints the containers that the arguments name as text, each to standard output, or each FILE.dxil to DIR/FILE.ll after `-o DIR`.

use std::path::Path;
use std::process::ExitCode;

fn main() -> ExitCode {
    let mut arguments = std::env::args().skip(1);
    let (mut folder, mut is_good) = (None, true);
    while let Some(argument) = arguments.next() {
        if argument == "-o" {
            folder = arguments.next();
            continue;
        }
        match print(Path::new(&argument), folder.as_deref()) {
            Ok(()) => {}
            Err(message) => {
                eprintln!("{argument}: {message}");
                is_good = false;
            }
        }
    }
    if is_good { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

fn print(path: &Path, folder: Option<&str>) -> Result<(), String> {
    let bytes = std::fs::read(path).map_err(|error| error.to_string())?;
    let module = reconverge_dxil::read(&bytes).map_err(|error| error.to_string())?;
    let text = reconverge_dxil::text::print(&module);
    match folder {
        None => {
            print!("{text}");
            Ok(())
        }
        Some(folder) => {
            let name = Path::new(path.file_name().unwrap_or_default()).with_extension("ll");
            std::fs::write(Path::new(folder).join(name), text).map_err(|error| error.to_string())
        }
    }
}
