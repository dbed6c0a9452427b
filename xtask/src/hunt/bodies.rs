//! `cargo xtask hunt bodies`: random shaders in WGSL and GLSL, beside what other implementations make of them.
//!
//! ```text
//! seed ─▶ WGSL ─┬─ Dawn on SwiftShader ────────────────────────────────────┐
//!               └─ reconverge, level ─▶ valid? ─▶ interpreter, lavapipe ───┼─▶ the same words?
//! seed ─▶ GLSL ─── glslang ─▶ SPIR-V ─┬─▶ interpreter ─────────────────────┤
//!                                     └─ reconverge, level ─▶ valid? ─▶ … ─┘
//! ```
//!
//! Dawn is the package `webgpu` of npm, which node loads from the folder that `--dawn` names (`npm install webgpu@0.6.2`). It runs on SwiftShader, which
//! `cargo xtask setup` installs; the lanes of `--lavapipe` run on the driver that the Vulkan loader finds.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use reconverge::pipeline::Level;
use reconverge::{CompileOptions, Format};
use reconverge_run::vulkan::{Device, DeviceChoice, Instance, InstanceOptions, Requirements};
use reconverge_testing::bodies::{launch_body, recorded};
use reconverge_testing::device;
use reconverge_testing::generators::bodies::{BodyLanguage, body, inputs};
use serde_json::Value;

use super::case::validate;
use super::judge::{Outcome, guarded, refused};
use crate::table::Table;
use xtask_setup::workspace;

/// Runs shaders on Dawn, a line of JSON for each.
const RUNNER: &str = include_str!("dawn.mjs");
/// The number of shaders that a process of node runs.
const BATCH: u64 = 25;

/// The arguments of `cargo xtask hunt bodies`.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// How many bodies in each language
    #[arg(long, default_value_t = 300)]
    programs: u64,
    /// The seed of the first one
    #[arg(long, default_value_t = 0)]
    first: u64,
    /// The folder whose `node_modules` has the package `webgpu`; without it, WGSL is left out
    #[arg(long)]
    dawn: Option<PathBuf>,
    /// Run on lavapipe as well
    #[arg(long)]
    lavapipe: bool,
    /// Write the bodies with the words that Dawn and glslang leave to this folder, as `tests/bodies` has them
    #[arg(long)]
    record: Option<PathBuf>,
    /// Print the source of the first body instead, in this language
    #[arg(long, value_parser = ["wgsl", "glsl"])]
    print: Option<String>,
}

/// Hunts; a fault makes the command fail.
pub(super) fn bodies(arguments: &Arguments) -> Result<(), String> {
    if let Some(language) = &arguments.print {
        let language = if language == "wgsl" { BodyLanguage::Wgsl } else { BodyLanguage::Glsl };
        print!("{}", body(arguments.first, language));
        return Ok(());
    }
    let scratch = workspace::root().join(format!("target/hunt/bodies-{}", std::process::id()));
    fs::create_dir_all(&scratch).map_err(|error| format!("{}: {error}", scratch.display()))?;
    let record = arguments.record.clone();
    let mut hunt = Hunt { scratch, record, device: None, tally: BTreeMap::new(), faults: 0 };
    if arguments.lavapipe {
        let instance = Instance::new(&InstanceOptions::default()).map_err(|error| error.to_string())?;
        let device = instance.open(&DeviceChoice::Default, &Requirements::default());
        hunt.device = Some(device.map_err(|error| error.to_string())?);
    }
    std::panic::set_hook(Box::new(|_| ()));
    let seeds = arguments.first..arguments.first + arguments.programs;
    let result = hunt.glsl(seeds.clone()).and_then(|()| match &arguments.dawn {
        Some(dawn) => hunt.wgsl(seeds, dawn),
        None => Ok(()),
    });
    let _ = std::panic::take_hook();
    let _ = fs::remove_dir_all(&hunt.scratch);
    result?;
    let mut table = Table::new(&["language", "variant", "outcome", "bodies"]);
    for ((language, variant, outcome), count) in &hunt.tally {
        table.push([(*language).to_owned(), variant.clone(), outcome.clone(), count.to_string()]);
    }
    print!("{table}");
    if hunt.faults > 0 { Err(format!("{} faults", hunt.faults)) } else { Ok(()) }
}

struct Hunt {
    scratch: PathBuf,
    record: Option<PathBuf>,
    device: Option<Device>,
    tally: BTreeMap<(&'static str, String, String), u64>,
    faults: u64,
}

/// A shader with what must come out of it.
struct Subject<'s> {
    language: &'static str,
    seed: u64,
    bytes: &'s [u8],
    format: Format,
    words: &'s [u32],
    runs_on_device: bool,
}

impl Hunt {
    fn wgsl(&mut self, seeds: std::ops::Range<u64>, dawn: &Path) -> Result<(), String> {
        let runner = dawn.join("reconverge_bodies.mjs");
        fs::write(&runner, RUNNER).map_err(|error| format!("{}: {error}", runner.display()))?;
        let driver = workspace::tools().join("swiftshader/vk_swiftshader_icd.json");
        let mut first = seeds.start;
        while first < seeds.end {
            let batch: Vec<u64> = (first..seeds.end.min(first + BATCH)).collect();
            first += BATCH;
            let mut files = Vec::new();
            for &seed in &batch {
                let file = self.scratch.join(format!("{seed}.wgsl"));
                fs::write(&file, body(seed, BodyLanguage::Wgsl)).map_err(|error| error.to_string())?;
                let words = Value::from(inputs(seed)).to_string();
                fs::write(self.scratch.join(format!("{seed}.wgsl.json")), words).map_err(|error| error.to_string())?;
                files.push(file);
            }
            let mut node = Command::new("node");
            node.arg(&runner).args(&files).env("VK_ICD_FILENAMES", &driver);
            let output = node.output().map_err(|error| format!("node: {error}"))?;
            let lines = String::from_utf8_lossy(&output.stdout).into_owned();
            let mut lines = lines.lines();
            for seed in batch {
                let line: Value = lines.next().and_then(|line| serde_json::from_str(line).ok()).unwrap_or_default();
                let Some(words) = line["words"].as_array() else {
                    let message = line["error"].as_str().unwrap_or("no line of the runner").to_owned();
                    self.count("wgsl", "Dawn", Outcome::NotValidBefore, &format!("seed {seed}: {message}"));
                    continue;
                };
                let words: Vec<u32> = words.iter().map(|word| word.as_u64().unwrap_or_default() as u32).collect();
                let text = body(seed, BodyLanguage::Wgsl);
                self.record("wgsl", seed, &words)?;
                let (bytes, format) = (text.as_bytes(), Format::WGSL);
                self.judge(&Subject { language: "wgsl", seed, bytes, format, words: &words, runs_on_device: true });
            }
        }
        Ok(())
    }

    fn glsl(&mut self, seeds: std::ops::Range<u64>) -> Result<(), String> {
        for seed in seeds {
            let (source, spirv) = (self.scratch.join("body.comp"), self.scratch.join("body.spv"));
            fs::write(&source, body(seed, BodyLanguage::Glsl)).map_err(|error| error.to_string())?;
            let mut glslang = Command::new("glslangValidator");
            glslang.args(["-V", "--target-env", "vulkan1.2", "-o"]).arg(&spirv).arg(&source);
            let output = glslang.output().map_err(|error| format!("glslangValidator: {error}"))?;
            if !output.status.success() {
                let message = format!("seed {seed}: {}", String::from_utf8_lossy(&output.stdout));
                self.count("glsl", "glslang", Outcome::NotValidBefore, &message);
                continue;
            }
            let bytes = fs::read(&spirv).map_err(|error| error.to_string())?;
            let mut results = self.results(&bytes, seed).into_iter();
            let words = match results.next() {
                Some((_, Ok(words))) => words,
                Some((_, Err(message))) => {
                    self.count("glsl", "unchanged", Outcome::NotValidBefore, &format!("seed {seed}: {message}"));
                    continue;
                }
                None => continue,
            };
            self.record("comp", seed, &words)?;
            // A driver that is wrong about what glslang writes is no judge of what becomes of it.
            let runs_on_device = results.all(|(_, found)| found.as_ref() == Ok(&words));
            if !runs_on_device {
                println!("glsl: seed {seed}: the driver is wrong about the module of glslang");
            }
            let (bytes, format) = (&bytes[..], Format::SPIRV);
            self.judge(&Subject { language: "glsl", seed, bytes, format, words: &words, runs_on_device });
        }
        Ok(())
    }

    /// Writes a body with its words, if that is wanted.
    fn record(&self, extension: &str, seed: u64, words: &[u32]) -> Result<(), String> {
        let Some(folder) = &self.record else { return Ok(()) };
        let language = if extension == "wgsl" { BodyLanguage::Wgsl } else { BodyLanguage::Glsl };
        let file = folder.join(format!("{seed}.{extension}"));
        fs::write(&file, recorded(&body(seed, language), words)).map_err(|error| format!("{}: {error}", file.display()))
    }

    fn judge(&mut self, subject: &Subject<'_>) {
        for level in Level::ALL {
            let options = CompileOptions::new().level(level).for_input(subject.format);
            let compiled = guarded(|| reconverge::compile(subject.bytes, subject.format, Format::SPIRV, &options));
            let place = format!("{level:?}");
            let output = match compiled.and_then(|compiled| compiled.map_err(refused)) {
                Ok(output) => output.bytes,
                Err((outcome, message)) => {
                    self.count(subject.language, &place, outcome, &format!("seed {}: {message}", subject.seed));
                    continue;
                }
            };
            let file = self.scratch.join("output.spv");
            if let Err(message) = validate(&output, &file, "vulkan1.3") {
                self.count(subject.language, &place, Outcome::Invalid, &format!("seed {}: {message}", subject.seed));
                continue;
            }
            for (engine, found) in self.results(&output, subject.seed) {
                if engine != "interpreter" && !subject.runs_on_device {
                    continue;
                }
                let variant = format!("{place}, {engine}");
                let (outcome, message) = match found {
                    Ok(found) if found == subject.words => (Outcome::Equal, String::new()),
                    Ok(found) => {
                        let pairs = found.iter().zip(subject.words).enumerate();
                        let different = pairs.filter(|(_, (found, expected))| found != expected);
                        let words: Vec<String> = different
                            .map(|(place, (found, expected))| format!("[{place}] {found:#x}, not {expected:#x}"))
                            .take(4)
                            .collect();
                        (Outcome::Different, words.join("; "))
                    }
                    Err(message) => (Outcome::Different, message),
                };
                self.count(subject.language, &variant, outcome, &format!("seed {}: {message}", subject.seed));
            }
        }
    }

    fn count(&mut self, language: &'static str, variant: &str, outcome: Outcome, message: &str) {
        *self.tally.entry((language, variant.to_owned(), format!("{outcome:?}"))).or_default() += 1;
        if outcome != Outcome::Equal {
            self.faults += 1;
            println!("{language}, {variant}: {outcome:?}: {message}");
        }
    }

    /// The words that a module leaves, by engine.
    fn results(&self, spirv: &[u8], seed: u64) -> Vec<(&'static str, Result<Vec<u32>, String>)> {
        let mut results = vec![("interpreter", interpreted(spirv, seed))];
        if let Some(device) = &self.device {
            results.push(("lavapipe", device::run_body(device, spirv, seed)));
        }
        results
    }
}

fn interpreted(spirv: &[u8], seed: u64) -> Result<Vec<u32>, String> {
    guarded(|| launch_body(spirv, seed)).map_err(|(_, message)| message)?
}
