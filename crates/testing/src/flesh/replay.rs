//! Runs the fleshed shader of a file, whoever wrote it, and says which blocks it went through.

use reconverge_interpret::{Contents, Interpreter, Launch, Value, no_externals};
use reconverge_ir::{Function, Inst, Module, Op};
use reconverge_spirv::{ReadOptions, read};

/// The blocks that `main` of a shader by [`as_shader`](super::as_shader) records when it gets these answers; there is room for so many.
///
/// Names need not be there: the buffers are those of the storage buffers' order, answers first, as tools leave it.
///
/// # Errors
/// What cannot be read or run.
pub fn replay(spirv: &[u8], answers: &[u32], room: usize) -> Result<Vec<usize>, String> {
    let module = read(spirv, &ReadOptions::default()).map_err(|error| format!("not read: {error}"))?;
    let main = entry_point(&module).ok_or("no entry point")?;
    let is_buffer = |&inst: &Inst| module.op(inst) == Op::Variable && is_storage_buffer(&module, inst);
    let mut buffers = module.globals().filter(is_buffer);
    let (answers_at, trace) = buffers.next().zip(buffers.next()).ok_or("fewer than two buffers")?;
    let block = |words: Vec<u32>| Value::composite(vec![Value::composite(words.into_iter().map(Value::u32).collect())]);
    let contents = |variable, value| Contents { variable, lane: None, value };
    let launch = Launch {
        contents: vec![
            contents(answers_at, block(answers.iter().copied().chain([0]).collect())),
            contents(trace, block(vec![0; 2 * room])),
        ],
        observed: vec![trace],
        ..Launch::default()
    };
    let outcome = Interpreter::new(&module).run(main, &launch, &mut no_externals);
    let outcome = outcome.map_err(|error| format!("not run: {error}"))?;
    let Some(Value::Composite(members)) = outcome.variable(trace, 0) else { return Err("no trace".to_owned()) };
    let Value::Composite(words) = &members[0] else { return Err("no words".to_owned()) };
    let number = |word: &Value| word.as_u32().map(|word| word as usize).ok_or_else(|| "an undefined word".to_owned());
    words.iter().step_by(2).map(number).collect()
}

fn entry_point(module: &Module) -> Option<Function> {
    let entry = module.globals().find(|&inst| module.op(inst) == Op::EntryPoint)?;
    module.cast(module.operand(entry, 1))
}

fn is_storage_buffer(module: &Module, variable: Inst) -> bool {
    const STORAGE_BUFFER: u32 = 12;
    module.literal_word(module.operand(variable, 0)) == Some(STORAGE_BUFFER)
}
