//! Public graphics tests through text: do the pixels stay what they were?
//!
//! ```console
//! VK_DRIVER_FILES=…/lvp_icd.x86_64.json cargo run -p reconverge-testing --example graphics_tests -- LANGUAGE LEVEL FILE.amber …
//! ```
//!
//! Each fragment shader of the files is drawn as it is, then written as text in the language (`wgsl`, `glsl`, `hlsl`; `spirv` is the shader
//! as it is compiled), read by a tool of the language and drawn again on the same device. Each difference is a line; the counts follow. The files are those
//! of `external/vulkancts/data/vulkan/amber/graphicsfuzz` in <https://github.com/KhronosGroup/VK-GL-CTS>; `amber.rs` says which are taken.

mod amber;
mod renderer;

use std::path::{Path, PathBuf};
use std::process::Command;

use amber::Test;
use reconverge::{CompileOptions, Format, Level};
use reconverge_shading::{TextOptions, write};
use reconverge_testing::shading::TextReader;
use reconverge_testing::text_judges::TextEntry;
use renderer::Renderer;
use spirv::ExecutionModel;

/// What became of a test.
enum Verdict {
    Equal,
    /// This number of pixels have other bytes, by at most this much.
    Different {
        pixels: usize,
        most: u8,
    },
    Refused(String),
}

fn main() {
    let mut arguments = std::env::args().skip(1);
    let language = arguments.next().expect("a language");
    let level = arguments.next().and_then(|name| Level::from_name(&name)).expect("a level");
    let reader = (language != "spirv").then(|| TextReader::of(&language).unwrap_or_else(|error| panic!("{error}")));
    let vertex = TextEntry { model: ExecutionModel::Vertex, name: "main", version: None };
    let renderer = Renderer::open(&|text| TextReader::Glslang.spirv_of(text, vertex));
    let renderer = renderer.unwrap_or_else(|error| panic!("{error}"));
    let (mut equal, mut close, mut different, mut refused, mut unread, mut failed) = (0, 0, 0, 0, 0, 0);
    for file in arguments.map(PathBuf::from) {
        let name = file.file_name().unwrap_or_default().display();
        let script = std::fs::read_to_string(&file).unwrap_or_else(|error| panic!("{name}: {error}"));
        let tests = match amber::read(&script) {
            Ok(tests) => tests,
            Err(line) => {
                println!("{name}: not taken: {line}");
                unread += 1;
                continue;
            }
        };
        for (number, test) in tests.iter().enumerate() {
            match verdict(test, reader.as_ref(), level, &renderer) {
                Ok(Verdict::Equal) => equal += 1,
                Ok(Verdict::Different { pixels, most: 1 }) => {
                    println!("{name}, {number}: {pixels} pixels differ by 1");
                    close += 1;
                }
                Ok(Verdict::Different { pixels, most }) => {
                    println!("{name}, {number}: {pixels} pixels differ by up to {most}");
                    different += 1;
                }
                Ok(Verdict::Refused(message)) => {
                    println!("{name}, {number}: refused: {message}");
                    refused += 1;
                }
                Err(message) => {
                    println!("{name}, {number}: failed: {message}");
                    failed += 1;
                }
            }
        }
    }
    println!(
        "{language} on {}: {equal} equal, {close} by one step of a color, {different} different, {refused} refused, \
         {failed} failed; {unread} files not taken",
        renderer.name()
    );
}

fn verdict(test: &Test, reader: Option<&TextReader>, level: Level, renderer: &Renderer) -> Result<Verdict, String> {
    let folder = tempfile::tempdir().map_err(|error| error.to_string())?;
    let original = assembled(&test.assembly, folder.path())?;
    let mut module = reconverge::read(&original, Format::SPIRV).map_err(|error| error.to_string())?;
    let format = match reader {
        Some(TextReader::Naga) => Format::WGSL,
        Some(TextReader::Glslang) => Format::GLSL,
        Some(TextReader::Dxc(_)) => Format::HLSL,
        None => Format::SPIRV,
    };
    let options = CompileOptions::new().level(level).for_output(format);
    if let Err(error) = reconverge::run(&mut module, &options, &mut |_, _| ()) {
        return Ok(Verdict::Refused(error.to_string()));
    }
    let mut entry = "main".to_owned();
    let rewritten = match reader {
        None => reconverge_spirv::write(&module, &reconverge_spirv::WriteOptions::default())
            .map_err(|error| error.to_string())?,
        Some(reader) => {
            let written = match write(&module, &TextOptions::new(reader.language())) {
                Ok(written) => written,
                Err(error) => return Ok(Verdict::Refused(error.message)),
            };
            entry.clone_from(&written.interface.entry_points[0].name);
            let entry = TextEntry { model: ExecutionModel::Fragment, name: &entry, version: None };
            reader.spirv_of(&written.text, entry).map_err(|error| format!("{error}\n{}", written.text))?
        }
    };
    let before = renderer.draw(&original, "main", &test.drawing)?;
    let after = renderer.draw(&rewritten, &entry, &test.drawing)?;
    let differences = before.iter().zip(&after).map(|(one, other)| one.abs_diff(*other));
    let most = differences.max().unwrap_or(0);
    let pixels = before.chunks(4).zip(after.chunks(4)).filter(|(one, other)| one != other).count();
    Ok(if most == 0 { Verdict::Equal } else { Verdict::Different { pixels, most } })
}

fn assembled(assembly: &str, folder: &Path) -> Result<Vec<u8>, String> {
    let (source, target) = (folder.join("a.spvasm"), folder.join("a.spv"));
    std::fs::write(&source, assembly).map_err(|error| error.to_string())?;
    let output = Command::new("spirv-as").args(["--target-env", "spv1.0", "-o"]).arg(&target).arg(&source).output();
    let output = output.map_err(|error| format!("spirv-as: {error}"))?;
    match output.status.success() {
        true => std::fs::read(&target).map_err(|error| error.to_string()),
        false => Err(String::from_utf8_lossy(&output.stderr).into_owned()),
    }
}
