//! Public graphics tests through text: do the pixels stay what they were?
//!
//! ```console
//! VK_DRIVER_FILES=…/lvp_icd.x86_64.json cargo run -p reconverge-testing --example graphics_tests -- LANGUAGE LEVEL FILE.amber …
//! ```
//!
//! Each fragment shader of the files is drawn as it is, then written as text in the language (`wgsl`, `glsl`, `hlsl`; `spirv` is the shader
//! as it is compiled), read by a tool of the language and drawn again on the same device. Each difference is a line; the counts follow. The files are those
//! of `external/vulkancts/data/vulkan/amber/graphicsfuzz` in <https://github.com/KhronosGroup/VK-GL-CTS>; `amber.rs` says which are taken. Each
//! file has a process of its own, because drivers crash.

mod amber;
mod renderer;

use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use amber::Test;
use reconverge::{CompileOptions, Format, Level};
use reconverge_shading::{Interface, ResourceKind, ResourcePlace, TextOptions, write};
use reconverge_testing::shading::TextReader;
use reconverge_testing::text_judges::TextEntry;
use renderer::{Drawing, Fragment, Renderer, Uniform};
use spirv::ExecutionModel;

/// What became of a test.
enum Verdict {
    Equal,
    /// This number of pixels have other bytes, by at most this much.
    Different {
        pixels: usize,
        most: u8,
    },
    /// They differ only where the test states no colors: those of its shader are undefined.
    Elsewhere {
        pixels: usize,
    },
    Refused(String),
}

/// The number of tests by what became of them.
#[derive(Default)]
struct Counts {
    equal: usize,
    /// A color of a pixel differs by one step.
    close: usize,
    /// They differ where the test states no colors.
    elsewhere: usize,
    different: usize,
    refused: usize,
    failed: usize,
}

/// The longest time of a file.
const TIME_LIMIT: Duration = Duration::from_secs(150);

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [language, level, files @ ..] = arguments.as_slice() else { panic!("a language, a level and files") };
    if let [word, file] = files
        && word == "--alone"
    {
        return run_file(language, level, Path::new(file));
    }
    let (mut counts, mut unread, mut lost) = (Counts::default(), 0, 0);
    for file in files {
        let name = Path::new(file).file_name().unwrap_or_default().display();
        match by_process(&[language, level, "--alone", file]) {
            // A driver may crash, or take too long.
            None => {
                println!("{name}: no result");
                lost += 1;
            }
            Some(output) => {
                for line in output.lines() {
                    match line {
                        "equal" => counts.equal += 1,
                        _ => {
                            println!("{name}: {line}");
                            let (kind, _) = line.split_once(':').unwrap_or((line, ""));
                            match kind {
                                "close" => counts.close += 1,
                                "elsewhere" => counts.elsewhere += 1,
                                "different" => counts.different += 1,
                                "refused" => counts.refused += 1,
                                "failed" => counts.failed += 1,
                                "not taken" => unread += 1,
                                _ => {}
                            }
                        }
                    }
                }
            }
        }
    }
    let Counts { equal, close, elsewhere, different, refused, failed } = counts;
    println!(
        "{language}: {equal} equal, {close} by one step of a color, {elsewhere} where nothing is stated, {different} different, {refused} refused, {failed} failed; {unread} \
         files not taken, {lost} without a result"
    );
}

/// What this program prints with these arguments, if it ends well and in time.
fn by_process(arguments: &[&str]) -> Option<String> {
    let folder = tempfile::tempdir().ok()?;
    let printed = folder.path().join("printed");
    let mut command = Command::new(std::env::current_exe().ok()?);
    let output = std::fs::File::create(&printed).ok()?;
    let mut child = command.args(arguments).stdout(output).stderr(Stdio::null()).spawn().ok()?;
    let start = Instant::now();
    let status = loop {
        match child.try_wait().ok()? {
            Some(status) => break status,
            None if start.elapsed() > TIME_LIMIT => {
                child.kill().ok()?;
                child.wait().ok()?;
                return None;
            }
            None => std::thread::sleep(Duration::from_millis(5)),
        }
    };
    status.success().then(|| std::fs::read_to_string(printed).ok())?
}

/// Prints a line for each test of a file.
fn run_file(language: &str, level: &str, file: &Path) {
    let level = Level::from_name(level).expect("a level");
    let reader = (language != "spirv").then(|| TextReader::of(language).unwrap_or_else(|error| panic!("{error}")));
    let vertex = TextEntry { model: ExecutionModel::Vertex, name: "main", version: None };
    let script = std::fs::read_to_string(file).unwrap_or_else(|error| panic!("{error}"));
    let tests = match amber::read(&script) {
        Ok(tests) => tests,
        Err(line) => return println!("not taken: {line}"),
    };
    let renderer = Renderer::open(&|text| TextReader::Glslang.spirv_of(text, vertex));
    let renderer = renderer.unwrap_or_else(|error| panic!("{error}"));
    for test in &tests {
        match verdict(test, reader.as_ref(), level, &renderer) {
            Ok(Verdict::Equal) => println!("equal"),
            Ok(Verdict::Different { pixels, most: 1 }) => println!("close: {pixels} pixels differ by 1"),
            Ok(Verdict::Elsewhere { pixels }) => {
                println!("elsewhere: {pixels} pixels differ, of which the test says nothing")
            }
            Ok(Verdict::Different { pixels, most }) => println!("different: {pixels} pixels differ by up to {most}"),
            Ok(Verdict::Refused(message)) => println!("refused: {message}"),
            Err(message) => println!("failed: {message}"),
        }
    }
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
    let (mut entry, mut uniform) = ("main".to_owned(), None);
    let rewritten = match reader {
        None => reconverge_spirv::write(&module, &reconverge_spirv::WriteOptions::default())
            .map_err(|error| error.to_string())?,
        Some(reader) => {
            let written = match write(&module, &TextOptions::new(reader.language())) {
                Ok(written) => written,
                Err(error) => return Ok(Verdict::Refused(error.message)),
            };
            entry.clone_from(&written.interface.entry_points[0].name);
            uniform = push_constants_as_uniform(&written.interface, &test.drawing);
            let entry = TextEntry { model: ExecutionModel::Fragment, name: &entry, version: None };
            reader.spirv_of(&written.text, entry).map_err(|error| format!("{error}\n{}", written.text))?
        }
    };
    let before = renderer.draw(Fragment { spirv: &original, entry: "main" }, &test.drawing)?;
    let mut drawing = test.drawing.clone();
    drawing.uniforms.extend(uniform);
    let after = renderer.draw(Fragment { spirv: &rewritten, entry: &entry }, &drawing)?;
    let most = before.iter().zip(&after).map(|(one, other)| one.abs_diff(*other)).max().unwrap_or(0);
    let pixels = before.chunks(4).zip(after.chunks(4)).enumerate();
    let different: Vec<usize> = pixels.filter(|(_, (one, other))| one != other).map(|(pixel, _)| pixel).collect();
    let width = test.drawing.width as usize;
    let is_stated = |&pixel: &usize| test.expected.iter().any(|area| area.holds(pixel % width, pixel / width));
    let pixels = different.len();
    Ok(match most {
        0 => Verdict::Equal,
        2.. if !different.iter().any(is_stated) => Verdict::Elsewhere { pixels },
        _ => Verdict::Different { pixels, most },
    })
}

/// The push constants where a text has them in a constant buffer: in HLSL.
fn push_constants_as_uniform(interface: &Interface, drawing: &Drawing) -> Option<Uniform> {
    let resource = interface.resources.iter().find(|resource| resource.kind == ResourceKind::PushConstants)?;
    let ResourcePlace::Register { number, space, .. } = resource.place else { return None };
    Some(Uniform { set: space, binding: number, bytes: drawing.push_constants.clone() })
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
