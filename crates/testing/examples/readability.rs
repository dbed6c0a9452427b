//! The texts of shaders beside those of other writers, by what makes a text long to read.
//!
//! ```console
//! cargo run -p reconverge-testing --example readability -- LANGUAGE PEER [--level 0] [--worst N] FILE …
//! ```
//!
//! PEER is `spirv-cross` (GLSL, HLSL, MSL) or `naga` (all languages), which get the same SPIR-V, or `tint` (WGSL), which gets the same
//! WGSL. Any other PEER is a folder with texts of that writer: that of `NAME.spv` is `FOLDER/NAME.EXTENSION`, up to `#if 0`, where NAME has no
//! point. Only files that both write are compared, those with several entry points by the first. A row has both medians, and how many of our
//! texts have less, as much and more of the property.

use std::path::{Path, PathBuf};
use std::process::Command;

use reconverge::shading::write_text;
use reconverge::{CompileOptions, Format, Level};
use reconverge_ir::{Module, view};
use reconverge_shading::{Language, TextOptions};
use reconverge_testing::text_reading::Property;
use spirv::ExecutionModel;

struct Pair {
    file: String,
    ours: String,
    theirs: String,
}

fn main() {
    let mut words = std::env::args().skip(1);
    let language = words.next().unwrap_or_default();
    let language = Language::ALL.into_iter().find(|known| known.name().eq_ignore_ascii_case(&language));
    let language = language.expect("the first argument is a language: wgsl, glsl, hlsl, msl");
    let peer = words.next().expect("the second argument is a writer: spirv-cross, naga, tint, or a folder");
    let (mut level, mut worst, mut files) = (Level::Speed, 0, Vec::new());
    while let Some(word) = words.next() {
        let mut value = || words.next().unwrap_or_else(|| panic!("{word} needs a value"));
        match word.as_str() {
            "--level" => level = Level::from_name(&value()).expect("a level"),
            "--worst" => worst = value().parse().expect("a number"),
            _ => files.push(PathBuf::from(word)),
        }
    }
    let pairs: Vec<Pair> = files.iter().filter_map(|file| pair(file, language, &peer, level)).collect();
    println!("{language}, ours and {peer}: {} of {} files", pairs.len(), files.len());
    for property in Property::ALL {
        row(property, &pairs);
    }
    let names: usize = pairs.iter().map(|pair| Property::NumberedNames.of(&pair.ours)).sum();
    let lines: usize = pairs.iter().map(|pair| Property::Lines.of(&pair.ours)).sum();
    println!("numbered names in 100 of our lines: {:.1}", 100.0 * names as f64 / lines.max(1) as f64);
    let ratio = |pair: &Pair| Property::Lines.of(&pair.ours) as f64 / Property::Lines.of(&pair.theirs).max(1) as f64;
    let mut by_lines: Vec<&Pair> = pairs.iter().collect();
    by_lines.sort_by(|left, right| ratio(right).total_cmp(&ratio(left)));
    for pair in by_lines.into_iter().take(worst) {
        let measured = |text: &str| Property::ALL.map(|property| property.of(text).to_string()).join("/");
        println!("{}: {} against {}", pair.file, measured(&pair.ours), measured(&pair.theirs));
    }
}

fn row(property: Property, pairs: &[Pair]) {
    let measured: Vec<(usize, usize)> =
        pairs.iter().map(|pair| (property.of(&pair.ours), property.of(&pair.theirs))).collect();
    let count =
        |wanted: std::cmp::Ordering| measured.iter().filter(|(ours, theirs)| ours.cmp(theirs) == wanted).count();
    let [less, equal, more] =
        [std::cmp::Ordering::Less, std::cmp::Ordering::Equal, std::cmp::Ordering::Greater].map(count);
    let ours = median(measured.iter().map(|pair| pair.0));
    let theirs = median(measured.iter().map(|pair| pair.1));
    println!("| {} | {ours}, {theirs} ({less}, {equal}, {more}) |", property.name());
}

fn median(values: impl Iterator<Item = usize>) -> usize {
    let mut values: Vec<usize> = values.collect();
    values.sort_unstable();
    values.get(values.len() / 2).copied().unwrap_or_default()
}

/// The texts of a file, if both writers write it.
fn pair(file: &Path, language: Language, peer: &str, level: Level) -> Option<Pair> {
    let input = Format::from_path(file)?;
    let output = match language {
        Language::Wgsl => Format::WGSL,
        Language::Glsl => Format::GLSL,
        Language::Hlsl => Format::HLSL,
        Language::Msl => Format::MSL,
    };
    let bytes = std::fs::read(file).ok()?;
    let mut module = reconverge::read(&bytes, input.for_output(output)).ok()?;
    let options = CompileOptions::new().level(level).for_input(input).for_output(output);
    reconverge::run(&mut module, &options, &mut |_, _| ()).ok()?;
    let (model, entry) = first_entry_point(&module)?;
    let options = TextOptions { entry: Some(entry.clone()), ..TextOptions::new(language) };
    let ours = String::from_utf8(write_text(&module, &options).ok()?).ok()?;
    let theirs = text_of_peer(peer, file, language, model, &entry)?;
    Some(Pair { file: file.file_name()?.display().to_string(), ours, theirs })
}

fn first_entry_point(module: &Module) -> Option<(ExecutionModel, String)> {
    let entry = module.globals().find_map(|inst| view::EntryPoint::of(module, inst))?;
    Some((entry.execution_model?, entry.name.to_string()))
}

/// The text of the same name in a folder. What follows `#if 0` is no text: some writers put a listing of their input there.
fn text_in(folder: &Path, file: &Path) -> Option<String> {
    let stem = |path: &Path| Some(path.file_name()?.to_str()?.split('.').next()?.to_owned());
    let wanted = stem(file)?;
    let mut texts: Vec<PathBuf> =
        std::fs::read_dir(folder).ok()?.filter_map(|entry| Some(entry.ok()?.path())).collect();
    texts.retain(|path| stem(path).as_ref() == Some(&wanted));
    texts.sort();
    let text = std::fs::read_to_string(texts.first()?).ok()?;
    Some(text.split("\n#if 0").next().unwrap_or_default().to_owned())
}

/// What another writer writes of a file.
fn text_of_peer(peer: &str, file: &Path, language: Language, model: ExecutionModel, entry: &str) -> Option<String> {
    let stage = match model {
        ExecutionModel::Vertex => "vert",
        ExecutionModel::Fragment => "frag",
        ExecutionModel::GLCompute => "comp",
        _ => return None,
    };
    match peer {
        "spirv-cross" => {
            let mut command = Command::new("spirv-cross");
            command.arg(file).args(["--entry", entry, "--stage", stage]);
            match language {
                Language::Glsl => command.args(["-V", "--version", "450"]),
                Language::Hlsl => command.args(["--hlsl", "--shader-model", "60"]),
                Language::Msl => command.args(["--msl", "--msl-version", "20400"]),
                Language::Wgsl => return None,
            };
            printed(&mut command)
        }
        "naga" => {
            let folder = tempfile::tempdir().ok()?;
            let extension = match language {
                Language::Glsl => stage,
                Language::Hlsl => "hlsl",
                Language::Msl => "metal",
                Language::Wgsl => "wgsl",
            };
            let target = folder.path().join(format!("text.{extension}"));
            let mut command = Command::new("naga");
            command.arg(file).arg(&target);
            if language != Language::Wgsl {
                command.args(["--entry-point", entry]);
            }
            if language == Language::Glsl {
                command.args(["--profile", "core450"]);
            }
            printed(&mut command)?;
            std::fs::read_to_string(target).ok()
        }
        "tint" => printed(Command::new("tint").args(["--format", "wgsl"]).arg(file)),
        folder => text_in(Path::new(folder), file),
    }
}

/// What a command prints, if it succeeds.
fn printed(command: &mut Command) -> Option<String> {
    let output = command.output().ok()?;
    output.status.success().then(|| String::from_utf8_lossy(&output.stdout).into_owned())
}
