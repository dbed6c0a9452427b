//! Launches of the bodies that [`generators::bodies`](crate::generators::bodies) makes, on the interpreter; and bodies with the words that other
//! implementations leave, as `tests/bodies` has them: eight lines of comments before the text, one for each lane.

use reconverge_interpret::{BoundBuffer, Interpreter, KernelLaunch};
use reconverge_ir::{Function, view};
use reconverge_spirv::{ReadOptions, read};

use crate::generators::bodies::{LANES, WORDS, inputs};

/// The words that a body in binary SPIR-V leaves, for the inputs of its seed.
///
/// # Errors
/// Modules that cannot be read or launched, and undefined behaviour.
pub fn launch_body(spirv: &[u8], seed: u64) -> Result<Vec<u32>, String> {
    let module = read(spirv, &ReadOptions::default()).map_err(|error| error.to_string())?;
    let entry = module.globals().find_map(|inst| view::EntryPoint::of(&module, inst)).ok_or("no entry point")?;
    let function = module.cast::<Function>(entry.function).ok_or("the entry point is no function")?;
    let bytes_of = |words: &[u32]| -> Vec<u8> { words.iter().flat_map(|word| word.to_le_bytes()).collect() };
    let launch = KernelLaunch {
        local: [LANES as u32, 1, 1],
        buffers: vec![bytes_of(&inputs(seed)), vec![0; 4 * LANES * WORDS]],
        bindings: vec![BoundBuffer { set: 0, binding: 0, buffer: 0 }, BoundBuffer { set: 0, binding: 1, buffer: 1 }],
        ..KernelLaunch::default()
    };
    let outcome = Interpreter::new(&module).launch_kernel(function, &launch).map_err(|error| error.to_string())?;
    if let Some(failure) = outcome.failure {
        return Err(failure.to_string());
    }
    let words = outcome.buffers[1].bytes.chunks_exact(4);
    Ok(words.filter_map(|word| Some(u32::from_le_bytes(*word.first_chunk()?))).collect())
}

/// A body with the words that must come out of it.
pub fn recorded(text: &str, words: &[u32]) -> String {
    let line = |words: &[u32]| words.iter().fold("//".to_owned(), |line, word| format!("{line} {word:08x}")) + "\n";
    words.chunks(WORDS).map(line).collect::<String>() + text
}

/// The words that a body begins with; none if a line before the text is no line of words.
pub fn words_of(recorded: &str) -> Option<Vec<u32>> {
    let lines = recorded.lines().take(LANES).map(|line| line.strip_prefix("//"));
    let words = lines.flat_map(|line| line.into_iter().flat_map(str::split_whitespace));
    let words: Option<Vec<u32>> = words.map(|word| u32::from_str_radix(word, 16).ok()).collect();
    words.filter(|words| words.len() == LANES * WORDS)
}
