//! OpenCL C by the real clang, which `cargo xtask setup` installs.

use std::path::Path;

use reconverge_front_ends::{Compiled, FrontEndError, Language, Lines, Settings, Source, SourceKind, compile};

const KERNEL: &str =
    "kernel void twice(global int *values) {\n    size_t i = get_global_id(0);\n    values[i] *= FACTOR;\n}\n";

fn compiled(text: &str, settings: &Settings) -> Result<Compiled, FrontEndError> {
    let kind = SourceKind { language: Language::OPENCL_C, stage: None };
    compile(Source { kind, path: None, text: text.as_bytes() }, settings, &mut |_| ())
}

fn settings() -> Settings {
    Settings { defines: vec!["FACTOR=2".into()], ..Settings::default() }
}

fn contains(module: &[u8], text: &str) -> bool {
    module.windows(text.len()).any(|window| window == text.as_bytes())
}

#[test]
fn a_kernel_from_stdin_becomes_spirv() {
    let compiled = compiled(KERNEL, &settings()).expect("clang is installed");
    assert_eq!(compiled.module[..4], [3, 2, 0x23, 7]);
    assert!(compiled.version.is_some_and(|version| version.major >= 22), "{:?}", compiled.version);
    assert!(contains(&compiled.module, "values"), "names of arguments are kept");
}

#[test]
fn lines_come_with_the_text_and_without_the_folder() {
    let settings = Settings { lines: Lines::Wanted, ..settings() };
    let compiled = compiled(KERNEL, &settings).expect("clang and llvm-spirv are installed");
    assert!(!compiled.lacks_lines);
    assert!(contains(&compiled.module, "<stdin>") && contains(&compiled.module, "values[i] *= FACTOR;"));
    let folder = std::env::current_dir().expect("there is a current folder");
    for text in ["DebugInfo", "reconverge-front-end-", &folder.display().to_string()] {
        assert!(!contains(&compiled.module, text), "{text}");
    }
}

#[test]
fn clang_says_what_is_wrong_and_where() {
    let error = compiled(KERNEL, &Settings::default()).expect_err("FACTOR is not defined");
    assert!(matches!(error, FrontEndError::Refused(_)), "{error}");
    assert!(
        error.messages().contains("<stdin>:3:18: error: use of undeclared identifier 'FACTOR'"),
        "{}",
        error.messages()
    );
}

#[test]
fn included_files_are_listed() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = |name: &str| folder.path().join(name);
    std::fs::write(path("factor one.h"), "#define FACTOR 2\n").expect("the folder is ours");
    std::fs::write(path("k.cl"), format!("#include \"factor one.h\"\n{KERNEL}")).expect("the folder is ours");
    let settings = Settings { lists_dependencies: true, ..Settings::default() };
    let kind = SourceKind::from_path(Path::new("k.cl")).expect("an extension of OpenCL C");
    let text = std::fs::read(path("k.cl")).expect("it was written");
    let compiled = compile(Source { kind, path: Some(&path("k.cl")), text: &text }, &settings, &mut |_| ());
    let compiled = compiled.expect("clang is installed");
    assert!(compiled.dependencies.contains(&path("factor one.h")), "{:?}", compiled.dependencies);
    assert!(!compiled.dependencies.contains(&path("k.cl")), "{:?}", compiled.dependencies);
}
