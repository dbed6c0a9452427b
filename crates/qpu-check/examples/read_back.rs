//! Texts of words through the assembler `vc4asm`: it reads them back to the same words.
//!
//! ```text
//! cargo run --release -p reconverge-qpu-check --example read_back -- VC4ASM COUNT [FILE of raw words]...
//! ```
//!
//! COUNT random words, and the words of the files. No package installs the assembler; it is built from its source
//! (`github.com/maazl/vc4asm`).

use std::path::Path;
use std::process::Command;

use reconverge_qpu_check::{data_reason, disassemble};

#[allow(dead_code, reason = "the tests use more of it")]
#[path = "../tests/common/mod.rs"]
mod common;

use common::{Random, valid_word};

/// What the assembler takes as one program.
const PROGRAM: usize = 4096;

fn main() -> Result<(), String> {
    const USAGE: &str = "expected the assembler, a number of random words, and files of raw words";
    let mut arguments = std::env::args_os().skip(1);
    let vc4asm = arguments.next().ok_or(USAGE)?;
    let count = arguments.next().and_then(|count| count.to_str()?.parse().ok()).ok_or(USAGE)?;
    let mut random = Random::new(7);
    let words: Vec<u64> = (0..count).map(|_| valid_word(&mut random)).collect();
    println!("{count} random words, {} with text", read_back(Path::new(&vc4asm), &words)?);
    for path in arguments {
        let bytes = std::fs::read(&path).map_err(|error| format!("{}: {error}", path.display()))?;
        let words = words_of(&bytes);
        println!("{}: {} words, {} with text", path.display(), words.len(), read_back(Path::new(&vc4asm), &words)?);
    }
    Ok(())
}

fn words_of(bytes: &[u8]) -> Vec<u64> {
    let (words, _) = bytes.as_chunks();
    words.iter().map(|&word| u64::from_le_bytes(word)).collect()
}

/// How many of the words have a text of their own, if all come back.
fn read_back(vc4asm: &Path, words: &[u64]) -> Result<usize, String> {
    let folder = std::env::temp_dir().join(format!("reconverge-read-back-{}", std::process::id()));
    std::fs::create_dir_all(&folder).map_err(|error| error.to_string())?;
    let read = words.chunks(PROGRAM).try_for_each(|words| read_program_back(vc4asm, &folder, words));
    std::fs::remove_dir_all(&folder).map_err(|error| error.to_string())?;
    read.map(|()| words.iter().filter(|&&word| data_reason(word).is_none()).count())
}

fn read_program_back(vc4asm: &Path, folder: &Path, words: &[u64]) -> Result<(), String> {
    let [source, binary] = ["in.qasm", "out.bin"].map(|name| folder.join(name));
    let text = disassemble(words);
    std::fs::write(&source, &text).map_err(|error| error.to_string())?;
    let output = Command::new(vc4asm).arg("-o").arg(&binary).arg(&source).output();
    let output = output.map_err(|error| format!("{}: {error}", vc4asm.display()))?;
    if !output.status.success() {
        let messages = String::from_utf8_lossy(&output.stderr) + String::from_utf8_lossy(&output.stdout);
        return Err(format!("{messages}\n{text}"));
    }
    let back = words_of(&std::fs::read(&binary).map_err(|error| error.to_string())?);
    let differs = words.iter().zip(&back).position(|(word, back)| word != back);
    match differs.or_else(|| (words.len() != back.len()).then_some(words.len().min(back.len()))) {
        None => Ok(()),
        Some(place) => Err(format!("word {place} came back as another one: {}", disassemble(&words[place..][..1]))),
    }
}
