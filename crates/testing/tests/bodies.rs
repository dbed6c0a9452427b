//! Bodies of `tests/bodies`, compiled at every level and run on the interpreter: the words are those that Dawn left for WGSL, and the interpreter for
//! what glslang made of GLSL. `cargo xtask hunt bodies --record tests/bodies` writes them.

use std::path::PathBuf;
use std::process::Command;

use reconverge::pipeline::Level;
use reconverge::{CompileOptions, Format, compile};
use reconverge_testing::bodies::{launch_body, words_of};

/// The bodies of a language, by their seed.
fn bodies(extension: &str) -> Vec<(u64, PathBuf)> {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/bodies");
    let files =
        std::fs::read_dir(folder).expect("the bodies are in the project").map(|file| file.expect("a file").path());
    let files = files.filter(|file| file.extension().is_some_and(|found| found == extension));
    let seed =
        |file: &PathBuf| file.file_stem().and_then(|stem| stem.to_str()?.parse().ok()).expect("the name is a seed");
    let mut bodies: Vec<(u64, PathBuf)> = files.map(|file| (seed(&file), file)).collect();
    bodies.sort();
    bodies
}

/// Compiles what a body is in a format, at every level, and compares.
fn judge(seed: u64, bytes: &[u8], format: Format, words: &[u32]) {
    for level in Level::ALL {
        let options = CompileOptions::new().level(level);
        let output = compile(bytes, format, Format::SPIRV, &options);
        let output = output.unwrap_or_else(|error| panic!("seed {seed}, {level:?}: {error}"));
        let found = launch_body(&output.bytes, seed).unwrap_or_else(|error| panic!("seed {seed}, {level:?}: {error}"));
        assert_eq!(found, words, "seed {seed}, {level:?}");
    }
}

#[test]
fn wgsl_does_what_dawn_does() {
    let bodies = bodies("wgsl");
    assert!(bodies.len() >= 20);
    for (seed, file) in bodies {
        let text = std::fs::read_to_string(file).expect("the body is text");
        let words = words_of(&text).expect("the words come first");
        judge(seed, text.as_bytes(), Format::WGSL, &words);
    }
}

#[test]
fn glsl_does_what_glslang_says() {
    let bodies = bodies("comp");
    assert!(bodies.len() >= 20);
    let scratch = std::env::temp_dir().join(format!("reconverge-bodies-{}.spv", std::process::id()));
    for (seed, file) in bodies {
        let words = words_of(&std::fs::read_to_string(&file).expect("the body is text")).expect("the words come first");
        let mut glslang = Command::new("glslangValidator");
        glslang.args(["-V", "--target-env", "vulkan1.2", "-o"]).arg(&scratch).arg(&file);
        let output = glslang.output();
        let output = output
            .expect("there is no glslangValidator: run `cargo xtask setup`, or install the package glslang-tools");
        assert!(output.status.success(), "seed {seed}: {}", String::from_utf8_lossy(&output.stdout));
        let bytes = std::fs::read(&scratch).expect("glslang has written it");
        judge(seed, &bytes, Format::SPIRV, &words);
    }
    std::fs::remove_file(&scratch).expect("the last one is there");
}

#[test]
fn words_that_are_not_complete_are_none() {
    let line = "// 00000000 00000001 00000002 00000003 00000004 00000005 00000006 ffffffff\n";
    let words = words_of(&line.repeat(8)).expect("eight lines");
    assert_eq!((words.len(), words[7]), (64, u32::MAX));
    assert_eq!(words_of(&line.repeat(7)), None);
    assert_eq!(words_of(&line.repeat(8).replace("ffffffff", "fffffffg")), None);
}
