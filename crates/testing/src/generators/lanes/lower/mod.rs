//! Lowers a program to a module at stage Structured.
//!
//! Statements become blocks in source order. Variables that are SSA values are renamed on the way (Braun and others, "Simple and efficient
//! construction of static single assignment form", 2013, section 2.1, for structured programs): a loop header has a parameter for each
//! variable that the loop assigns; any other join gets its parameters when all its incoming edges are known, for the variables whose values
//! differ, or for all if the program says so. So values may also be live across constructs without parameters.

mod control;
mod joins;
mod procedure;
mod repeat;

use reconverge_ir::{Builder, Function, Inst, Module, Op, Stage};
use spirv::StorageClass;

use super::outside::{RETURNED, SHARED_LANES, Surroundings};
use super::program::{ELEMENTS, Program, Storage};
use super::value::Vocabulary;
use procedure::{Place, ProcedureWriter};

/// The environment of the module.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Outside {
    /// Declared functions: for the interpreter, which runs [`LaneModule::start`].
    Calls,
    /// Buffers: a Vulkan compute shader with the entry point `main`. A loop with assignments has one more exit, which is never taken.
    Shader {
        /// The number of invocations of a work-group.
        local_size: u32,
    },
}

/// A lowered program.
#[derive(Clone, Debug)]
pub struct LaneModule {
    /// The module.
    pub module: Module,
    /// The procedures, in order.
    pub functions: Vec<Function>,
    /// The last of them, where the program starts. No parameters; returns a word.
    pub start: Function,
    /// The input variable with the number of the lane.
    pub lane: Inst,
    /// The push constant variable with the uniform inputs.
    pub uniforms: Inst,
}

/// The state that all procedures share.
struct Shared {
    words: Vocabulary,
    around: Surroundings,
    globals: Vec<Inst>,
    /// The array for elements.
    table: Option<Inst>,
    /// The array for exchanges.
    exchange: Inst,
    functions: Vec<Function>,
    outside: Outside,
}

/// Lowers a program that was [repaired](super::repair()). Linear, plus the arguments of joins.
pub fn lower(program: &Program, outside: Outside) -> LaneModule {
    let mut module = Module::new();
    let mut build = Builder::new(&mut module);
    let words = Vocabulary::new(&mut build);
    let around = Surroundings::write(&mut build, &words, outside);
    let globals = (0..program.globals).map(|index| private(&mut build, &words, &format!("global{index}"))).collect();
    let table = program.table.then(|| private_array(&mut build, &words));
    let exchange = shared_array(&mut build, &words, "exchange");
    let mut shared = Shared { words, around, globals, table, exchange, functions: Vec::new(), outside };
    for (number, procedure) in program.procedures.iter().enumerate() {
        let parameters = vec![shared.words.u32_type; procedure.parameters];
        let function = build.add_function(shared.words.u32_type, &parameters);
        let is_start = number + 1 == program.procedures.len();
        let name = if is_start { "program".to_owned() } else { format!("procedure{number}") };
        build.editor().set_name(function, &name);
        let storage: Vec<Option<Inst>> = procedure
            .variables
            .iter()
            .enumerate()
            .map(|(index, variable)| match variable.storage {
                Storage::Private => Some(private(&mut build, &shared.words, &format!("{name}.v{index}"))),
                Storage::Shared => Some(shared_array(&mut build, &shared.words, &format!("{name}.v{index}"))),
                Storage::Value | Storage::Function => None,
            })
            .collect();
        ProcedureWriter::write(&mut build, &shared, procedure, Place { function, storage: &storage, is_start });
        build.editor().set_stage(function, Stage::Structured);
        shared.functions.push(function);
    }
    let start = *shared.functions.last().expect("invariant: a program has a procedure");
    if let Outside::Shader { local_size } = outside {
        write_main(&mut build, &shared, start, local_size);
    }
    let Surroundings { lane, uniforms, .. } = shared.around;
    LaneModule { module, functions: shared.functions, start, lane, uniforms }
}

/// A private word.
fn private(build: &mut Builder<'_>, words: &Vocabulary, name: &str) -> Inst {
    let pointer = build.pointer_type(StorageClass::Private, words.u32_type);
    let operands = [build.enumerant(StorageClass::Private), words.zero];
    let variable = build.editor().append_global(Op::Variable, Some(pointer), &operands);
    build.editor().set_name(variable, name);
    variable
}

/// The private array, initially descending numbers.
fn private_array(build: &mut Builder<'_>, words: &Vocabulary) -> Inst {
    let length = build.constant_word(words.u32_type, ELEMENTS);
    let array = build.editor().unique(Op::TypeArray, None, &[words.u32_type, length]);
    let pointer = build.pointer_type(StorageClass::Private, array);
    let elements: Vec<Inst> = (0..ELEMENTS).rev().map(|word| build.constant_word(words.u32_type, word)).collect();
    let initial = build.editor().unique(Op::ConstantComposite, Some(array), &elements);
    let operands = [build.enumerant(StorageClass::Private), initial];
    let variable = build.editor().append_global(Op::Variable, Some(pointer), &operands);
    build.editor().set_name(variable, "table");
    variable
}

/// A word of shared memory for each lane.
fn shared_array(build: &mut Builder<'_>, words: &Vocabulary, name: &str) -> Inst {
    let length = build.constant_word(words.u32_type, SHARED_LANES);
    let array = build.editor().unique(Op::TypeArray, None, &[words.u32_type, length]);
    let variable = build.global_variable(StorageClass::Workgroup, array);
    build.editor().set_name(variable, name);
    variable
}

/// The entry point of a shader: calls the program and records its return value.
fn write_main(build: &mut Builder<'_>, shared: &Shared, start: Function, local_size: u32) {
    let words = &shared.words;
    let main = build.add_function(words.void_type, &[]);
    let block = build.add_block(main);
    build.at_end(block);
    let result = build.function_call(words.u32_type, &[start.inst()]);
    let point = build.constant_word(words.u32_type, RETURNED);
    procedure::write_record(build, shared, point, result);
    build.r#return(&[]);
    build.editor().set_stage(main, Stage::Structured);
    build.compute_entry_point(main, &[shared.around.lane], local_size);
}
