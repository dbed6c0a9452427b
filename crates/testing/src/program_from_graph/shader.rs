//! Filled functions of a compute shader, which records into one storage buffer and reads decisions from another one.
//!
//! The positions in both buffers are variables of the module, so that consecutive functions of `main` continue where the previous one
//! stopped. A block writes its number and its value: two words.

use reconverge_ir::{Builder, Inst, Module, Op};
use spirv::StorageClass;

use super::body::{Filling, Surroundings, write};
use super::{Filled, Values};
use crate::plain_graph::PlainGraph;
use crate::random::mix;

/// Name of the buffer variable with the decisions; descriptor set 0, binding 0.
pub const ANSWERS: &str = "answers";
/// Name of the buffer variable that is written to; descriptor set 0, binding 1.
pub const TRACE: &str = "trace";

/// A valid Vulkan compute shader (SPIR-V 1.3) with a function for each graph, called in order by the entry point `main`.
///
/// `functions` names the functions of the graphs; `main` comes after them. Linear.
pub fn as_shader(graphs: &[PlainGraph], seed: u64) -> Filled {
    as_shader_and(graphs, seed, Values::Mixed)
}

/// [`as_shader`] with another kind of values.
pub fn as_shader_and(graphs: &[PlainGraph], seed: u64, values: Values) -> Filled {
    let mut module = Module::new();
    let mut build = Builder::new(&mut module);
    let mut buffers = write_header(&mut build);
    let void_type = build.void_type();
    let mut functions = Vec::new();
    for (index, graph) in graphs.iter().enumerate() {
        let function = build.add_function(void_type, &[]);
        build.editor().set_name(function, &format!("graph{index}"));
        let filling = Filling { seed: seed ^ mix(index as u64), values };
        write(&mut build, function, graph, filling, &mut buffers);
        functions.push(function);
    }
    let main = build.add_function(void_type, &[]);
    let block = build.add_block(main);
    build.at_end(block);
    for function in &functions {
        build.function_call(void_type, &[function.inst()]);
    }
    build.r#return(&[]);
    build.compute_entry_point(main, &[], 1);
    Filled { module, functions }
}

struct Buffers {
    answers: Inst,
    trace: Inst,
    answer_cursor: Inst,
    trace_cursor: Inst,
}

fn write_header(build: &mut Builder<'_>) -> Buffers {
    build.shader_preamble();
    let u32_type = build.int_type(32);
    let pointer = build.pointer_type(StorageClass::Private, u32_type);
    let zero = build.constant_word(u32_type, 0);
    let cursor = |build: &mut Builder<'_>, name: &str| {
        let operands = [build.enumerant(StorageClass::Private), zero];
        let variable = build.editor().append_global(Op::Variable, Some(pointer), &operands);
        build.editor().set_name(variable, name);
        variable
    };
    Buffers {
        answers: build.word_buffer(ANSWERS, 0),
        trace: build.word_buffer(TRACE, 1),
        answer_cursor: cursor(build, "answer_cursor"),
        trace_cursor: cursor(build, "trace_cursor"),
    }
}

impl Buffers {
    /// A pointer to the word at the current position, which is then advanced.
    fn next(&self, build: &mut Builder<'_>, buffer: Inst, cursor: Inst) -> Inst {
        let u32_type = build.int_type(32);
        let pointer = build.pointer_type(StorageClass::StorageBuffer, u32_type);
        let (zero, one) = (build.constant_word(u32_type, 0), build.constant_word(u32_type, 1));
        let index = build.load(u32_type, &[cursor]);
        let next = build.i_add(u32_type, &[index, one]);
        build.store(&[cursor, next]);
        build.access_chain(pointer, &[buffer, zero, index])
    }
}

impl Surroundings for Buffers {
    fn begin(&mut self, _build: &mut Builder<'_>) {}

    fn record(&mut self, build: &mut Builder<'_>, block: usize, value: Inst) {
        let u32_type = build.int_type(32);
        let number = build.constant_word(u32_type, block as u32);
        for word in [number, value] {
            let place = self.next(build, self.trace, self.trace_cursor);
            build.store(&[place, word]);
        }
    }

    fn ask(&mut self, build: &mut Builder<'_>, _block: usize) -> Inst {
        let u32_type = build.int_type(32);
        let place = self.next(build, self.answers, self.answer_cursor);
        build.load(u32_type, &[place])
    }

    fn leave(&mut self, build: &mut Builder<'_>, _value: Inst) {
        build.r#return(&[]);
    }
}
