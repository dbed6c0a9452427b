//! A front end for a small language with interfaces and generics: it compiles each file apart, to a module in text or binary form.
//! docs/modules.md explains it.

mod compiler;
mod expressions;
mod lexer;

use std::path::Path;
use std::process::ExitCode;

use reconverge_ir::{Module, binary, text};

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [input, output] = arguments.as_slice() else {
        eprintln!("usage: mini_language IN.mini OUT.ir, or OUT.rcv for the binary form");
        return ExitCode::from(2);
    };
    match compile(Path::new(input)).and_then(|module| write(Path::new(output), &module)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("error: {input}: {message}");
            ExitCode::FAILURE
        }
    }
}

/// Compiles a file; the files that it imports are beside it.
fn compile(input: &Path) -> Result<Module, String> {
    let read = |path: &Path| std::fs::read_to_string(path).map_err(|error| format!("{}: {error}", path.display()));
    let beside = |name: &str| read(&input.with_file_name(name));
    compiler::compile(&read(input)?, &beside)
}

fn write(output: &Path, module: &Module) -> Result<(), String> {
    let bytes = match output.extension().is_some_and(|extension| extension == "rcv") {
        true => binary::write(module),
        false => text::print_file(module).into_bytes(),
    };
    std::fs::write(output, bytes).map_err(|error| format!("{}: {error}", output.display()))
}

#[cfg(test)]
mod tests {
    use reconverge::LinkOptions;
    use reconverge::{CompileOptions, Format};
    use reconverge_run::{Argument, InterpreterOptions, Launch, interpret_compiled};

    use super::{Module, Path, binary, compile};

    /// A file as another process reads it.
    fn module(name: &str) -> Module {
        let module = compile(&Path::new(env!("CARGO_MANIFEST_DIR")).join(name)).expect("the file is right");
        binary::read(&binary::write(&module)).expect("what is written is read")
    }

    #[test]
    fn two_files_compiled_apart_run_as_one_program() {
        let files = ["main.mini", "shapes.mini"].map(|name| (name.to_owned(), module(name)));
        let mut program =
            reconverge::link_modules(files.into(), LinkOptions::default()).expect("each import has a definition");
        let run = reconverge::run(&mut program, &CompileOptions::default(), &mut |_, _| ()).expect("it compiles");
        reconverge::write(&program, Format::SPIRV).expect("it is SPIR-V");
        let argument = |flag| Argument::from_flag(flag).expect("an argument");
        let launch = Launch {
            global: [4, 1, 1],
            arguments: vec![argument("out:f32[4]"), argument("in:f32[4]=list(1,2,-1,-3)")],
            ..Launch::default()
        };
        let reflection = run.reflection.expect("there is a kernel");
        let done = interpret_compiled(&program, &reflection, &launch, InterpreterOptions::default());
        let buffers = done.expect("the launch fits the kernel").buffers;
        let results: Vec<f32> = buffers[0].as_chunks().0.iter().map(|&bytes| f32::from_le_bytes(bytes)).collect();
        // Five times the area of a circle, or of a square for negative numbers, and 1,000 times that of the circle.
        assert_eq!(results, [15_015.0, 60_060.0, 15_005.0, 135_045.0]);
    }

    #[test]
    fn errors_have_their_line() {
        let compile = |text: &str| super::compiler::compile(text, &|_| Err("no file".to_owned())).map(|_| ());
        assert_eq!(
            compile("fn f(x: float): float =\n  y"),
            Err("line 2: expected a value, and not `y`, before this, found End".to_owned())
        );
        assert_eq!(compile("import \"a\""), Err("no file".to_owned()));
        let deep = format!("fn f(x: float): float = {}x{}", "(".repeat(200), ")".repeat(200));
        assert!(compile(&deep).is_err_and(|message| message.contains("at most 100 deep")));
    }
}
