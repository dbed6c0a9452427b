//! Direct3D compute shaders on engines of our own: how many leave the expected words in their resources.
//!
//! `cargo run -p reconverge-testing --example dxil_launches -- FOLDER [interpreter|cpu] [filter]`. A folder has `MANIFEST.tsv`, containers,
//! expected words, and `flow/`, containers with random control flow. Every container is compiled at each level. A line for each that differs,
//! then a table.

mod corpus;
mod cpu;
mod images;
mod interpreter;

use std::collections::BTreeMap;
use std::path::Path;

use reconverge::dxil::TranslateOptions;
use reconverge::dxil::module::view::ResourceClass;
use reconverge::pipeline::Level;
use reconverge::{CompileOptions, Format};
use reconverge_ir::Module;

use crate::corpus::Case;

/// Shaders whose expected words come from a compiler to SPIR-V that is wrong, each with the reason.
const DOUBTFUL: [(&str, &str); 3] =
    [("gcd_and_bits.", "firstbithigh of negative numbers"), ("rare_math.", "msad4"), ("float_special.", "!= of NaN")];

/// A shader at one level.
struct Translated {
    module: Module,
    entry: String,
    thread_group: [u32; 3],
}

/// What an engine makes of a launch.
enum Outcome {
    /// The words of resources, by register.
    Words(Vec<(String, Vec<u32>)>),
    /// It lacks something.
    Unsupported(String),
    /// An element outside of its array or buffer is accessed.
    Outside(String),
    /// It fails.
    Failed(String),
}

#[derive(Default)]
struct Counts {
    equal: usize,
    not_compared: usize,
    differ: usize,
    doubtful: usize,
    /// Equal if indices are kept inside of arrays.
    equal_if_robust: usize,
    unsupported: BTreeMap<String, Vec<String>>,
}

fn main() {
    let mut arguments = std::env::args().skip(1);
    let folder = arguments.next().expect("a folder");
    let engine = match arguments.next().as_deref() {
        None | Some("interpreter") => interpreter::run,
        Some("cpu") => cpu::run,
        Some(other) => panic!("{other}: the engines are interpreter and cpu"),
    };
    let filter = arguments.next().unwrap_or_default();
    let cases = corpus::cases(Path::new(&folder)).unwrap_or_else(|error| panic!("{error}"));
    let mut table = Vec::new();
    for (name, level) in [("-O0", Level::None), ("-O1", Level::Speed), ("-Os", Level::Size)] {
        let mut counts = Counts::default();
        for case in cases.iter().filter(|case| case.name.contains(&filter)) {
            let run =
                |is_robust| match translate(case, level, TranslateOptions { is_robust, ..TranslateOptions::default() })
                {
                    Ok(shader) => engine(case, &shader),
                    Err(message) => Outcome::Failed(message),
                };
            match run(false) {
                Outcome::Outside(message) => {
                    let outcome = run(true);
                    let is_equal = matches!(&outcome, Outcome::Words(words) if case.difference(words).is_none());
                    match is_equal {
                        true => counts.equal_if_robust += 1,
                        false => count(case, &Outcome::Failed(message), name, &mut counts),
                    }
                }
                outcome => count(case, &outcome, name, &mut counts),
            }
        }
        table.push((name, counts));
    }
    println!("level  equal  equal if robust  not compared  expected words doubtful  not supported  differs");
    for (name, counts) in table {
        let unsupported: usize = counts.unsupported.values().map(Vec::len).sum();
        let Counts { equal, not_compared, differ, doubtful, equal_if_robust, .. } = counts;
        println!(
            "{name}    {equal:5}  {equal_if_robust:15}  {not_compared:12}  {doubtful:23}  {unsupported:13}  {differ:7}"
        );
        for (feature, names) in counts.unsupported {
            println!("         {}: {feature}: {}", names.len(), names.join(" "));
        }
    }
}

fn count(case: &Case, outcome: &Outcome, level: &str, counts: &mut Counts) {
    let difference = match outcome {
        Outcome::Unsupported(feature) => {
            return counts.unsupported.entry(feature.clone()).or_default().push(case.name.clone());
        }
        Outcome::Failed(message) | Outcome::Outside(message) => Some(message.clone()),
        Outcome::Words(_) if case.compare == corpus::Compare::Not => return counts.not_compared += 1,
        Outcome::Words(words) => case.difference(words),
    };
    let Some(difference) = difference else { return counts.equal += 1 };
    match DOUBTFUL.iter().find(|(prefix, _)| case.name.starts_with(prefix)) {
        Some((_, reason)) => {
            counts.doubtful += 1;
            println!("{} {level}: {difference} (doubtful: {reason})", case.name);
        }
        None => {
            counts.differ += 1;
            println!("{} {level}: {difference}", case.name);
        }
    }
}

fn translate(case: &Case, level: Level, mut options: TranslateOptions) -> Result<Translated, String> {
    for (class, by) in
        [(ResourceClass::ShaderResource, 100), (ResourceClass::UnorderedAccess, 200), (ResourceClass::Sampler, 300)]
    {
        options.bindings.shift(class, by);
    }
    options.bindings.shift_counters(249);
    let translation = reconverge::dxil::translate(&case.bytes, &options).map_err(|error| error.to_string())?;
    let mut module = translation.module;
    let options = CompileOptions::new().level(level).for_input(Format::DXIL);
    reconverge::run(&mut module, &options, &mut |_, _| ()).map_err(|error| error.to_string())?;
    let thread_group = translation.thread_group.ok_or("not a compute shader")?;
    Ok(Translated { module, entry: translation.entry, thread_group })
}

fn bytes(words: &[u32]) -> Vec<u8> {
    words.iter().flat_map(|word| word.to_le_bytes()).collect()
}

fn words(bytes: &[u8]) -> Vec<u32> {
    bytes.chunks_exact(4).map(|word| u32::from_le_bytes([word[0], word[1], word[2], word[3]])).collect()
}
