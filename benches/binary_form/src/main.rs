//! The binary form beside SPIR-V and the text form: size, and time to read.
//!
//! ```text
//! cargo run --release -p binary_form -- ../shared/corpus/shaders
//! ```
//!
//! Every `.spv` in the folder is read and written in the binary form and as text; both must read back as the same module. Nothing is stripped.
//! An instruction is one of SPIR-V, names and decorations included. A time is the sum over the files of the shortest of several runs, each with
//! all other files in between; dropping the module is not in it.
//!
//! The last rows are an archive of a million exports of which a hundred are read.

use std::path::Path;
use std::time::Instant;

use reconverge_ir::compare::compare;
use reconverge_ir::{Module, binary, text};
use reconverge_spirv::ReadOptions;

const RUNS: usize = 15;

fn main() {
    let folder = std::env::args().nth(1).unwrap_or_else(|| "../shared/corpus/shaders".to_owned());
    let files = match files(Path::new(&folder)) {
        Ok(files) if !files.is_empty() => files,
        Ok(_) => return eprintln!("{folder} has no .spv"),
        Err(error) => return eprintln!("{folder}: {error}"),
    };
    println!("{} modules\n\n| what | bar | measured | |\n|---|---|---|---|", files.len());
    sizes(&files);
    times(&files);
    archive();
}

/// A module in three forms.
struct Forms {
    spirv: Vec<u8>,
    binary: Vec<u8>,
    text: String,
    instructions: usize,
}

fn files(folder: &Path) -> Result<Vec<Forms>, Box<dyn std::error::Error>> {
    let mut paths: Vec<_> =
        std::fs::read_dir(folder)?.map(|entry| entry.map(|entry| entry.path())).collect::<Result<_, _>>()?;
    paths.retain(|path| path.extension().is_some_and(|extension| extension == "spv"));
    paths.sort();
    paths
        .iter()
        .map(|path| forms(&std::fs::read(path)?).map_err(|error| format!("{}: {error}", path.display()).into()))
        .collect()
}

fn forms(spirv: &[u8]) -> Result<Forms, Box<dyn std::error::Error>> {
    let module = reconverge_spirv::read(spirv, &ReadOptions::default())?;
    let (binary, text) = (binary::write(&module), text::print(&module));
    let again = binary::read(&binary)?;
    compare(&module, &again)?;
    assert_eq!(text::print(&again), text, "the text of the module that was read back");
    assert_eq!(binary::write(&again), binary, "the bytes of the module that was read back");
    Ok(Forms { spirv: spirv.to_vec(), binary, text, instructions: instructions(spirv) })
}

/// The instructions of a SPIR-V module.
fn instructions(spirv: &[u8]) -> usize {
    let words: Vec<u32> =
        spirv.chunks_exact(4).map(|word| u32::from_le_bytes([word[0], word[1], word[2], word[3]])).collect();
    let mut place = 5;
    let mut count = 0;
    while let Some(first) = words.get(place) {
        place += (first >> 16).max(1) as usize;
        count += 1;
    }
    count
}

fn sizes(files: &[Forms]) {
    let per_instruction =
        median(files.iter().map(|file| file.binary.len() as f64 / file.instructions as f64).collect());
    bar("bytes an instruction of SPIR-V, median", "≤ 6", &format!("{per_instruction:.2}"), per_instruction <= 6.0);
    let shares: Vec<f64> = files.iter().map(|file| file.binary.len() as f64 / file.spirv.len() as f64).collect();
    let (middle, greatest) = (median(shares.clone()), shares.iter().copied().fold(0.0, f64::max));
    bar("size over that of SPIR-V, median", "≤ 0.5", &format!("{middle:.3}"), middle <= 0.5);
    bar("size over that of SPIR-V, greatest", "≤ 0.5", &format!("{greatest:.3}"), greatest <= 0.5);
}

fn times(files: &[Forms]) {
    let bytes: usize = files.iter().map(|file| file.binary.len()).sum();
    let options = ReadOptions::default();
    let binary = shortest_each(files, |file| binary::read(&file.binary).expect("it was read before"));
    let text = shortest_each(files, |file| text::parse(&file.text).expect("it was printed"));
    let spirv = shortest_each(files, |file| reconverge_spirv::read(&file.spirv, &options).expect("it was read before"));
    let modules: Vec<Module> =
        files.iter().map(|file| binary::read(&file.binary).expect("it was read before")).collect();
    let write = shortest_each(&modules, binary::write);
    let speed = |seconds: f64| bytes as f64 / seconds / 1e6;
    bar("reading, MB of the binary form a second", "≥ 100", &format!("{:.0}", speed(binary)), speed(binary) >= 100.0);
    bar("reading text over reading binary", "≥ 5", &format!("{:.1}", text / binary), text / binary >= 5.0);
    bar("reading SPIR-V over reading binary", "≥ 2", &format!("{:.1}", spirv / binary), spirv / binary >= 2.0);
    bar("writing, MB of the binary form a second", "", &format!("{:.0}", speed(write)), true);
}

fn capacity(module: &Module) -> usize {
    module.capacity()
}

/// A million functions with names for other modules, each with a type and a constant of its own.
fn archive() {
    const EXPORTS: usize = 1_000_000;
    let mut source =
        String::from("capability Kernel\ncapability Linkage\nmemory_model Physical64, OpenCL\n%u32 = type_int 32, 0\n");
    source += "%type = type_function %u32, %u32\n";
    for index in 0..EXPORTS {
        source += &format!("%c{index}: %u32 = constant {index}\n");
    }
    for index in 0..EXPORTS {
        source += &format!(
            "func %f{index}: %u32 (%x: %u32) type %type {{decorate LinkageAttributes \"f{index}\" 0}} {{\nblock ^b:\n  %y: %u32 = i_add %x, %c{index}\n  return_value %y\n}}\n"
        );
    }
    let bytes = binary::write(&text::parse(&source).expect("the source is a module"));
    drop(source);
    let open = shortest(|| binary::Archive::open(&bytes).expect("it was written").symbols().len());
    let archive = binary::Archive::open(&bytes).expect("it was written");
    for count in [100, 1_000, 10_000, 100_000] {
        let seconds = shortest(|| {
            let mut reach = archive.reach();
            for symbol in archive.symbols().iter().step_by(EXPORTS / count) {
                reach.include(symbol.global).expect("it was written");
            }
            capacity(&reach.read().expect("it was written").module)
        });
        let bar_text = if count == 100 { "≤ 30 ms" } else { "" };
        let measured = format!("{:.2} ms", seconds * 1e3);
        bar(
            &format!("{count} of {EXPORTS} exports, without the tables"),
            bar_text,
            &measured,
            count > 100 || seconds <= 0.03,
        );
    }
    bar(
        &format!("tables of {EXPORTS} exports in {} MB", bytes.len() / 1_000_000),
        "",
        &format!("{:.1} ms", open * 1e3),
        true,
    );
}

fn median(mut numbers: Vec<f64>) -> f64 {
    numbers.sort_by(f64::total_cmp);
    numbers[numbers.len() / 2]
}

/// The time of the shortest run, in seconds.
fn shortest(mut run: impl FnMut() -> usize) -> f64 {
    let timed = |_| {
        let start = Instant::now();
        std::hint::black_box(run());
        start.elapsed().as_secs_f64()
    };
    (0..RUNS).map(timed).fold(f64::INFINITY, f64::min)
}

/// The sum of the times of the shortest runs, in seconds.
fn shortest_each<T, R>(inputs: &[T], run: impl Fn(&T) -> R) -> f64 {
    let mut best = vec![f64::INFINITY; inputs.len()];
    for _ in 0..RUNS {
        for (best, input) in best.iter_mut().zip(inputs) {
            let start = Instant::now();
            let result = std::hint::black_box(run(input));
            *best = best.min(start.elapsed().as_secs_f64());
            drop(result);
        }
    }
    best.iter().sum()
}

fn bar(what: &str, bar: &str, measured: &str, is_met: bool) {
    println!(
        "| {what} | {bar} | {measured} | {} |",
        if bar.is_empty() {
            ""
        } else if is_met {
            "met"
        } else {
            "**missed**"
        }
    );
}
