//! Runs filled shaders, also from files, and returns their records.

use reconverge_interpret::{Contents, End, Interpreter, Launch, Outcome, Value, no_externals};
use reconverge_ir::decoration::Binding;
use reconverge_ir::{Function, Inst, Module, view};
use reconverge_spirv::{ReadOptions, read};
use spirv::StorageClass;

use super::{ANSWERS, TRACE};
use crate::walk::Walk;

/// The blocks that `main` of a shader by [`as_shader`](super::as_shader) records for these decisions; with a maximal number of records.
///
/// Names are not needed: the buffers are identified by their bindings, decisions first.
///
/// # Errors
/// It cannot be read or run.
pub fn replay(spirv: &[u8], answers: &[u32], room: usize) -> Result<Vec<usize>, String> {
    let words = replay_words(spirv, answers, room)?;
    Ok(words.iter().step_by(2).map(|&word| word as usize).collect())
}

/// The numbers of the blocks that [`replay`] returns, each with the value that the block records.
///
/// # Errors
/// It cannot be read or run, or leaves a word undefined.
pub fn replay_words(spirv: &[u8], answers: &[u32], room: usize) -> Result<Vec<u32>, String> {
    let module = read(spirv, &ReadOptions::default()).map_err(|error| format!("not read: {error}"))?;
    let main = entry_point(&module).ok_or("no entry point")?;
    let is_buffer = |&inst: &Inst| {
        // Before SPIR-V 1.3 buffers are of the class Uniform.
        [StorageClass::StorageBuffer, StorageClass::Uniform].into_iter().any(|class| module.is_variable_of(inst, class))
    };
    let bound = |wanted: u32| {
        let is_wanted = |&buffer: &Inst| module.decorated(buffer).find() == Some(Binding(wanted));
        module.globals().filter(is_buffer).find(is_wanted)
    };
    let trace = bound(1).ok_or("no buffer for the trace")?;
    // A writer may leave out the decisions of a program that makes none.
    let launch = launch([bound(0).unwrap_or(trace), trace], answers, room);
    let outcome = Interpreter::new(&module).run(main, &launch, &mut no_externals);
    let outcome = outcome.map_err(|error| format!("not run: {error}"))?;
    let words = written(&outcome, trace).ok_or("no trace")?;
    words.into_iter().map(|word| word.ok_or_else(|| "an undefined word".to_owned())).collect()
}

/// The words that a function of a shader by [`as_shader`](super::as_shader) writes for the decisions of the walk.
///
/// # Panics
/// If the shader has no such buffers, or the function does not return or leaves a word undefined.
pub fn trace(module: &Module, interpreter: &Interpreter<'_>, function: Function, walk: &Walk) -> Vec<u32> {
    let global = |name| module.globals().find(|&inst| module.name(inst).as_deref() == Some(name));
    let buffers = [ANSWERS, TRACE].map(|name| global(name).expect("the shader has the buffer"));
    let launch = launch(buffers, &walk.answers, walk.blocks.len());
    let outcome = interpreter.run(function, &launch, &mut no_externals).expect("the launch fits");
    assert!(matches!(outcome.only().end, End::Returned(None)), "{}", outcome.only().end);
    let words = written(&outcome, buffers[1]).expect("a buffer is a block that holds an array");
    words.into_iter().map(|word| word.expect("every word was written")).collect()
}

/// With these decisions in one buffer, and space for this number of blocks in the other.
fn launch([answers_at, trace]: [Inst; 2], answers: &[u32], room: usize) -> Launch {
    let block = |words: Vec<u32>| Value::composite(vec![Value::composite(words.into_iter().map(Value::u32).collect())]);
    let contents = |variable, value| Contents { variable, lane: None, value };
    Launch {
        contents: vec![
            contents(answers_at, block(answers.iter().copied().chain([0]).collect())),
            contents(trace, block(vec![0; 2 * room])),
        ],
        observed: vec![trace],
        ..Launch::default()
    }
}

/// The words of a buffer at the end; `None` for undefined ones.
fn written(outcome: &Outcome, buffer: Inst) -> Option<Vec<Option<u32>>> {
    let Some(Value::Composite(members)) = outcome.variable(buffer, 0) else { return None };
    let Value::Composite(words) = members.first()? else { return None };
    Some(words.iter().map(Value::as_u32).collect())
}

fn entry_point(module: &Module) -> Option<Function> {
    let entry = module.globals().find_map(|inst| view::EntryPoint::of(module, inst))?;
    module.cast(entry.function)
}
