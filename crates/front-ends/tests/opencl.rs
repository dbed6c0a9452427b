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

#[test]
fn what_clang_gets_wrong_does_not_happen_and_what_is_absent_is_not_claimed() {
    let source = "#if defined cl_intel_subgroups || defined __opencl_c_pipes\n#error claimed\n#endif\n\
        inline void twice(global long *to, char by) { *to += convert_long(by); *to += convert_uchar_sat(*(global uint *)to); }\n\
        kernel void k(global long *to, global const char *by, global atomic_float *sum) {\n\
        twice(to, by[0]); atomic_fetch_add(sum, 1.0f);\n}\nkernel void broken(global int *to) { undeclared(to); }\n";
    let error = compiled(source, &Settings::default()).expect_err("a function is not declared");
    assert!(error.messages().contains("<stdin>:8:38: error:"), "the header has no lines: {}", error.messages());
    let source = source.replace("undeclared(to);", "");
    let module = compiled(&source, &Settings::default()).expect("clang is installed").module;
    let words: Vec<u32> =
        module.chunks_exact(4).map(|word| u32::from_le_bytes([word[0], word[1], word[2], word[3]])).collect();
    let mut opcodes = Vec::new();
    let mut at = 5;
    while at < words.len() {
        opcodes.push(words[at] & 0xffff);
        at += (words[at] >> 16) as usize;
    }
    const U_CONVERT: u32 = 113;
    const S_CONVERT: u32 = 114;
    const SAT_CONVERT: [u32; 2] = [118, 119];
    const ATOMIC_F_ADD: u32 = 6035;
    assert!(opcodes.contains(&S_CONVERT) && opcodes.contains(&U_CONVERT) && opcodes.contains(&ATOMIC_F_ADD));
    assert!(!opcodes.iter().any(|opcode| SAT_CONVERT.contains(opcode)), "the conversion of one sign is a minimum");
}
