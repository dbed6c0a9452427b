//! A front end for a small language with interfaces and generics: it compiles each file apart, to a module in text form.
//! docs/modules.md explains it.

mod compiler;
mod expressions;
mod lexer;

use std::path::Path;
use std::process::ExitCode;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [input, output] = arguments.as_slice() else {
        eprintln!("usage: mini_language IN.mini OUT.ir");
        return ExitCode::from(2);
    };
    match compile(Path::new(input)).and_then(|text| write(output, &text)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("error: {input}: {message}");
            ExitCode::FAILURE
        }
    }
}

/// Compiles a file; the files that it imports are beside it.
fn compile(input: &Path) -> Result<String, String> {
    let read = |path: &Path| std::fs::read_to_string(path).map_err(|error| format!("{}: {error}", path.display()));
    let beside = |name: &str| read(&input.with_file_name(name));
    let module = compiler::compile(&read(input)?, &beside)?;
    Ok(reconverge_ir::text::print(&module))
}

fn write(output: &str, text: &str) -> Result<(), String> {
    std::fs::write(output, text).map_err(|error| format!("{output}: {error}"))
}
