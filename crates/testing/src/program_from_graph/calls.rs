//! Filled functions that record and request decisions by calls.

use reconverge_ir::decoration::LinkageAttributes;
use reconverge_ir::{Builder, Function, Inst, Module};
use spirv::{AddressingModel, Capability, LinkageType, MemoryModel};

use super::body::{Filling, Surroundings, write};
use super::{Filled, Values};
use crate::plain_graph::PlainGraph;
use crate::random::mix;

/// Name of the function that returns the successor to take: `oracle(block) -> number`.
pub const ORACLE: &str = "oracle";
/// Name of the function that records the current block: `record(block, value)`.
pub const RECORD: &str = "record";

/// A module with one function for each graph. `seed` determines the uses of values.
///
/// The module is a shader module with imports, so that validators apply the structured rules to its functions. Linear.
pub fn with_calls(graphs: &[PlainGraph], seed: u64) -> Filled {
    with_calls_and(graphs, seed, Values::Mixed)
}

/// [`with_calls`] with another kind of values.
pub fn with_calls_and(graphs: &[PlainGraph], seed: u64, values: Values) -> Filled {
    let mut module = Module::new();
    let mut build = Builder::new(&mut module);
    let mut calls = write_header(&mut build);
    let u32_type = build.int_type(32);
    let mut functions = Vec::new();
    for (index, graph) in graphs.iter().enumerate() {
        let function = build.add_function(u32_type, &[]);
        build.editor().set_name(function, &format!("graph{index}"));
        let filling = Filling { seed: seed ^ mix(index as u64), values };
        write(&mut build, function, graph, filling, &mut calls);
        functions.push(function);
    }
    Filled { module, functions }
}

struct Calls {
    oracle: Function,
    record: Function,
}

fn write_header(build: &mut Builder<'_>) -> Calls {
    for capability in [Capability::Shader, Capability::Linkage] {
        let word = build.enumerant(capability);
        build.capability(&[word]);
    }
    let model = [build.enumerant(AddressingModel::Logical), build.enumerant(MemoryModel::GLSL450)];
    build.memory_model(&model);
    let (u32_type, void_type) = (build.int_type(32), build.void_type());
    let oracle = build.add_function(u32_type, &[u32_type]);
    let record = build.add_function(void_type, &[u32_type, u32_type]);
    declare(build, oracle, ORACLE);
    declare(build, record, RECORD);
    Calls { oracle, record }
}

/// Names a function and declares it as imported.
fn declare(build: &mut Builder<'_>, function: Function, name: &str) {
    build.editor().set_name(function, name);
    let name = build.editor().text(name);
    build.add_decoration(function, LinkageAttributes { name, linkage: LinkageType::Import });
}

impl Surroundings for Calls {
    fn begin(&mut self, _build: &mut Builder<'_>) {}

    fn record(&mut self, build: &mut Builder<'_>, block: usize, value: Inst) {
        let (u32_type, void_type) = (build.int_type(32), build.void_type());
        let number = build.constant_word(u32_type, block as u32);
        build.function_call(void_type, &[self.record.inst(), number, value]);
    }

    fn ask(&mut self, build: &mut Builder<'_>, block: usize) -> Inst {
        let u32_type = build.int_type(32);
        let number = build.constant_word(u32_type, block as u32);
        build.function_call(u32_type, &[self.oracle.inst(), number])
    }

    fn leave(&mut self, build: &mut Builder<'_>, value: Inst) {
        build.return_value(&[value]);
    }
}
