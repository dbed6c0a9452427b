//! Words of the VC4 before programs of others: the assembler `vc4asm` reads our text back to the same words and finds no fault, and the emulator
//! of VC4C leaves the same memory.
//!
//! ```text
//! cargo run --release -p reconverge-testing --example qpu_judges -- vc4asm PROGRAM COUNT [FOLDER of kernels]...
//! cargo run --release -p reconverge-testing --example qpu_judges -- emulator PROGRAM COUNT [FOLDER of kernels]...
//! ```
//!
//! COUNT random programs, and the kernels of the folders. No package installs either program: the first is built from its source
//! (`github.com/maazl/vc4asm`); the second runs words on the emulator of VC4C:
//! `qpu_run CODE -u 'WORDS of a QPU'… -m ADDRESS:FILE… -o ADDRESS:FILE… -c CYCLES`.
//!
//! The emulator counts the delay of a branch in cycles, so that a word which waits, or which comes late from memory, ends it too early. It has to
//! be changed to count instructions. With that, and with the changes of [`with_reads`], random programs leave the same memory.

use std::ffi::OsString;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;

use reconverge::pipeline::Level;
use reconverge::{CompileOptions, Format};
use reconverge_codegen::{Request, vc4};
use reconverge_qpu_check::{data_reason, disassemble};
use reconverge_qpu_emulate::{Launch, Memory, run};
use reconverge_run::{Vc4Image, bind};
use reconverge_testing::first_seed;
use reconverge_testing::generators::lanes::Program;
use reconverge_testing::lanes::{QpuCode, QpuTrial, cpu_program, qpu_code, shrink};

/// With this, programs that differ are made smaller and printed.
const SHRINK: &str = "RECONVERGE_LANES_SHRINK";

fn main() -> Result<(), String> {
    const USAGE: &str = "expected vc4asm or emulator, its program, a number of random programs, and folders of kernels";
    let mut words = std::env::args().skip(1);
    let [judge, program, count] = [(); 3].map(|()| words.next());
    let program = PathBuf::from(program.ok_or(USAGE)?);
    let count = count.and_then(|count| count.parse().ok()).ok_or(USAGE)?;
    let mut code = programs(count);
    for folder in words.map(PathBuf::from) {
        code.extend(kernels(&folder).map_err(|error| format!("{}: {error}", folder.display()))?);
    }
    match judge.as_deref() {
        Some("vc4asm") => assemble(&program, &code),
        Some("emulator") => emulate(&program, &code),
        _ => Err(USAGE.to_owned()),
    }
}

/// The modules of a folder that the VC4 runs, with their launches.
fn kernels(folder: &Path) -> std::io::Result<Vec<(String, QpuCode)>> {
    let mut paths: Vec<PathBuf> = folder.read_dir()?.filter_map(|entry| Some(entry.ok()?.path())).collect();
    paths.retain(|path| path.extension().is_some_and(|extension| extension == "spv"));
    paths.sort();
    let code = |path: PathBuf| {
        let name = path.file_name()?.to_string_lossy().into_owned();
        let base = name.trim_end_matches(".spv").trim_end_matches(".O0");
        let text = std::fs::read_to_string(folder.join(format!("{base}.json"))).ok()?;
        let mut launch = reconverge_run::Launch::from_json(&text).ok()?;
        launch.resolve_files(|file| std::fs::read(folder.join(file)).map_err(|error| error.to_string())).ok()?;
        let options = CompileOptions::new().kernel(vc4::kernel_options()).level(Level::None);
        let output = reconverge::compile(&std::fs::read(&path).ok()?, Format::SPIRV, Format::TEXT, &options).ok()?;
        let binding = bind(&launch, &output.run.reflection?).ok()?;
        let request = Request {
            constants: binding.specialization.clone(),
            ..Request::new(&binding.entry_point, binding.size.local)
        };
        let program = vc4::compile(&output.module, &request).ok()?;
        let image = Vc4Image::new(&program, &binding).ok()?;
        Some((name, QpuCode { words: program.words, image }))
    };
    Ok(paths.into_iter().filter_map(code).collect())
}

fn programs(count: u64) -> Vec<(String, QpuCode)> {
    let code = |seed: u64| Some((format!("seed {seed}"), code_of(&cpu_program(seed), seed)?));
    (first_seed()..first_seed() + count).filter_map(code).collect()
}

fn code_of(program: &Program, seed: u64) -> Option<QpuCode> {
    let level = [Level::None, Level::Speed, Level::Size][seed as usize % 3];
    qpu_code(program, seed, QpuTrial { level, lanes: if seed.is_multiple_of(2) { 16 } else { 11 } }).ok()
}

/// The program of a seed made smaller as long as the other emulator does something else, with its text.
fn smaller(qpu_run: &Path, folder: &Path, seed: u64) -> String {
    let differs = |program: &Program| {
        let code = code_of(program, seed)?;
        compared(qpu_run, folder, &code, &emulated(&code)?.0)
    };
    let program = shrink(&cpu_program(seed), |program| differs(program).is_some());
    let text = code_of(&program, seed).map(|code| disassemble(&code.words)).unwrap_or_default();
    format!("{:?}\n{program}\n{text}", differs(&program))
}

fn bytes_of(words: &[u64]) -> Vec<u8> {
    words.iter().flat_map(|word| word.to_le_bytes()).collect()
}

/// What the assembler says against words, if anything. Words without text are data there.
fn assembled(vc4asm: &Path, folder: &Path, words: &[u64]) -> Option<String> {
    let (source, binary) = (folder.join("code.qasm"), folder.join("code.bin"));
    std::fs::write(&source, disassemble(words)).expect("the folder is ours");
    let output = Command::new(vc4asm).arg("-V").arg("-o").arg(&binary).arg(&source).output().expect("it runs");
    let said = String::from_utf8_lossy(&[output.stdout, output.stderr].concat()).trim().to_owned();
    if !output.status.success() || !said.is_empty() {
        return Some(said);
    }
    let found = std::fs::read(&binary).expect("it wrote the words");
    let expected = bytes_of(words);
    let place = found.chunks(8).zip(expected.chunks(8)).position(|(found, expected)| found != expected);
    let place = place.or_else(|| (found.len() != expected.len()).then_some(found.len().min(expected.len()) / 8));
    place.map(|place| format!("word {place} differs"))
}

/// Holds the words against the assembler.
fn assemble(vc4asm: &Path, code: &[(String, QpuCode)]) -> Result<(), String> {
    let folder = tempfile::tempdir().map_err(|error| error.to_string())?;
    let (mut words, mut data, mut complaints) = (0, 0, Vec::new());
    for (name, code) in code {
        words += code.words.len();
        data += code.words.iter().filter(|&&word| data_reason(word).is_some()).count();
        complaints.extend(assembled(vc4asm, folder.path(), &code.words).map(|what| format!("{name}: {what}")));
    }
    println!("{} programs, {words} words, {data} without text", code.len());
    complaints.iter().for_each(|complaint| println!("{complaint}"));
    if complaints.is_empty() { Ok(()) } else { Err(format!("{} of {}", complaints.len(), code.len())) }
}

/// Our memory behind a launch, and its cycles.
fn emulated(code: &QpuCode) -> Option<(Vec<Vec<u8>>, u64)> {
    let mut memory = Memory::new();
    for (address, bytes) in &code.image.regions {
        memory.add(*address, bytes.clone()).expect("regions are apart");
    }
    let report = run(&Launch::new(&code.words, &code.image.uniforms), &mut memory).ok()?;
    let bytes = |&(address, length): &(u32, usize)| memory.bytes(address).unwrap_or_default()[..length].to_vec();
    Some((code.image.buffers.iter().map(bytes).collect(), report.cycles))
}

/// The words for that emulator: it does not read a peripheral for an operation under no condition. Such an operation writes nothing here and sets
/// no flags, so that it may be under any condition.
fn with_reads(words: &[u64]) -> Vec<u64> {
    const NOTHING: u64 = 39;
    let changed = |&word: &u64| {
        let field = |low: u32, width: u32| word >> low & ((1 << width) - 1);
        let (sets_flags, adds) = (field(45, 1) == 1, field(24, 5) != 0);
        let is_idle_add = adds && field(49, 3) == 0 && field(38, 6) == NOTHING && !sets_flags;
        let is_idle_mul = field(29, 3) != 0 && field(46, 3) == 0 && field(32, 6) == NOTHING && (adds || !sets_flags);
        match field(60, 4) {
            14 | 15 => word,
            _ => word | u64::from(is_idle_add) << 49 | u64::from(is_idle_mul) << 46,
        }
    };
    words.iter().map(changed).collect()
}

/// What the other emulator does differently, if anything.
fn compared(qpu_run: &Path, folder: &Path, code: &QpuCode, ours: &[Vec<u8>]) -> Option<String> {
    std::fs::write(folder.join("code.bin"), bytes_of(&with_reads(&code.words))).expect("the folder is ours");
    let at = |option: &str, address: u32, file: &str| -> [OsString; 2] {
        [option.into(), format!("{address:#x}:{}", folder.join(file).display()).into()]
    };
    let mut command = Command::new(qpu_run);
    command.arg(folder.join("code.bin")).args(["-c", "200000000"]);
    for uniforms in &code.image.uniforms {
        let mut text = String::new();
        uniforms.iter().for_each(|word| _ = write!(text, "{word:#x} "));
        command.arg("-u").arg(text);
    }
    for (address, bytes) in code.image.regions.iter().filter(|(_, bytes)| !bytes.is_empty()) {
        let file = format!("in-{address:x}");
        // It reads whole lines.
        let mut bytes = bytes.clone();
        bytes.resize(bytes.len() + 64, 0);
        std::fs::write(folder.join(&file), bytes).expect("the folder is ours");
        command.args(at("-m", *address, &file));
    }
    let has_bytes = |&&(_, length): &&(u32, usize)| length > 0;
    for (address, _) in code.image.buffers.iter().filter(has_bytes) {
        command.args(at("-o", *address, &format!("out-{address:x}")));
    }
    let output = command.output().expect("it runs");
    if !output.status.success() {
        let said = String::from_utf8_lossy(&output.stderr).trim().to_owned();
        return Some(format!("{}: {}", output.status, said.lines().rev().take(6).collect::<Vec<_>>().join(" | ")));
    }
    let differs = |((address, length), ours): (&(u32, usize), &Vec<u8>)| {
        let theirs =
            if *length > 0 { std::fs::read(folder.join(format!("out-{address:x}"))).ok()? } else { Vec::new() };
        let place = theirs.chunks(4).zip(ours.chunks(4)).position(|(theirs, ours)| theirs[..ours.len()] != *ours)?;
        Some(format!("word {place} of the buffer at {address:#x}"))
    };
    code.image.buffers.iter().zip(ours).find_map(differs)
}

/// Holds our memory against that of the other emulator.
fn emulate(qpu_run: &Path, code: &[(String, QpuCode)]) -> Result<(), String> {
    let folder = tempfile::tempdir().map_err(|error| error.to_string())?;
    let (mut equal, mut long, mut complaints) = (0, 0, Vec::new());
    for (name, code) in code {
        match emulated(code) {
            // The other one takes minutes.
            Some((_, cycles)) if cycles * code.image.uniforms.len() as u64 > 20_000_000 => long += 1,
            Some((ours, _)) => match compared(qpu_run, folder.path(), code, &ours) {
                None => equal += 1,
                Some(what) => {
                    let seed = name.strip_prefix("seed ").and_then(|seed| seed.parse().ok());
                    let seed = seed.filter(|_| std::env::var_os(SHRINK).is_some());
                    let smaller = seed.map(|seed| smaller(qpu_run, folder.path(), seed)).unwrap_or_default();
                    complaints.push(format!("{name}: {what}{smaller}"));
                }
            },
            None => {}
        }
    }
    println!("{equal} equal, {long} too long, {} differ", complaints.len());
    complaints.iter().for_each(|complaint| println!("{complaint}"));
    if complaints.is_empty() { Ok(()) } else { Err(format!("{} of {}", complaints.len(), code.len())) }
}
