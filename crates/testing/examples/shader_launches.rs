//! Shaders as text and back, and their launches: how many have the expected outputs.
//!
//! `cargo run -p reconverge-testing --example shader_launches -- FOLDER [wgsl|glsl|hlsl] [LEVEL]`. GLSL is read by `glslangValidator`, HLSL by the
//! command that `RECONVERGE_DXC` names. The level is 0 unless another is given. A file `NAME.json` is the launch of each `NAME.*.spv`, and
//! `NAME.expected` the bytes of its outputs; without it the module as it is says what is expected.

use std::path::{Path, PathBuf};

use reconverge::{CompileOptions, Format, Level, compile};
use reconverge_run::Launch;
use reconverge_spirv::{ReadOptions, read};
use reconverge_testing::lanes::{Expected, check_launch, launch_outputs};
use reconverge_testing::shading::TextReader;
use reconverge_testing::text_judges::TextEntry;

const FUEL: u64 = 400_000_000;

fn main() {
    let folder = std::env::args().nth(1).expect("a folder");
    let language = std::env::args().nth(2).unwrap_or_else(|| "wgsl".to_owned());
    let reader = TextReader::of(&language).unwrap_or_else(|error| panic!("{error}"));
    let level = std::env::args().nth(3).map_or(Level::None, |level| Level::from_name(&level).expect("a level"));
    let files = std::fs::read_dir(&folder).expect("a folder that can be read");
    let mut files: Vec<PathBuf> = files.filter_map(|entry| entry.ok().map(|entry| entry.path())).collect();
    files.sort();
    let (mut right, mut refused, mut wrong) = (0, 0, 0);
    for launch_path in files.iter().filter(|file| file.extension().is_some_and(|extension| extension == "json")) {
        let launch = std::fs::read_to_string(launch_path).expect("a file");
        let Ok(launch) = Launch::from_json(&launch) else { continue };
        let outputs = std::fs::read(launch_path.with_extension("expected")).ok();
        let stem = launch_path.file_stem().and_then(|stem| stem.to_str()).unwrap_or_default();
        let is_module = |file: &&PathBuf| {
            let name = file.file_name().and_then(|name| name.to_str()).unwrap_or_default();
            name.starts_with(&format!("{stem}.")) && name.ends_with(".spv")
        };
        for module in files.iter().filter(is_module) {
            let outputs = outputs.clone().map_or_else(|| outputs_of(module, &launch), Ok);
            let judged = outputs
                .and_then(|outputs| launched(module, Expected { launch: &launch, outputs: &outputs }, &reader, level));
            match judged {
                Ok(true) => right += 1,
                Ok(false) => refused += 1,
                Err(message) => {
                    wrong += 1;
                    println!("{}: {message}", module.display());
                }
            }
        }
    }
    println!("right {right}, refused {refused}, wrong {wrong}");
}

/// The outputs of a module as it is, one behind the other.
fn outputs_of(path: &Path, launch: &Launch) -> Result<Vec<u8>, String> {
    let bytes = std::fs::read(path).map_err(|error| error.to_string())?;
    let module = read(&bytes, &ReadOptions::default()).map_err(|error| error.to_string())?;
    Ok(launch_outputs(&module, launch, FUEL)?.0.concat())
}

/// Whether a module can be written as text, which then has the expected outputs.
fn launched(path: &Path, expected: Expected<'_>, reader: &TextReader, level: Level) -> Result<bool, String> {
    let bytes = std::fs::read(path).map_err(|error| error.to_string())?;
    let format = match reader {
        TextReader::Naga => Format::WGSL,
        TextReader::Glslang => Format::GLSL,
        TextReader::Dxc(_) => Format::HLSL,
    };
    let Ok(output) = compile(&bytes, Format::SPIRV, format, &CompileOptions::new().level(level)) else {
        return Ok(false);
    };
    let text = String::from_utf8(output.bytes).map_err(|error| error.to_string())?;
    let module = read(&reader.spirv_of(&text, TextEntry::COMPUTE)?, &ReadOptions::default())
        .map_err(|error| error.to_string())?;
    check_launch(&module, expected, FUEL).map(|_| true)
}
