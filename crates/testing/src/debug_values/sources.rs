//! Random programs as a front end writes them for debugging: variables in memory, declared by debug information.

use reconverge_ir::debug_info::number;
use reconverge_ir::{Block, Builder, Function, Inst, Module, Op, Position};
use spirv::{NonsemanticShaderDebuginfo100Op, StorageClass};

use crate::generators::structured::{Form, structured};
use crate::program_from_graph::{Filled, RECORD, Values, with_calls_and};
use crate::random::Random;

/// The variables that hold a number; one more holds two of them.
const VARIABLES: usize = 4;
const LOCAL_VARIABLE: u32 = NonsemanticShaderDebuginfo100Op::DebugLocalVariable as u32;

/// A function with variables of the source, which its blocks assign and record. `set` is the instruction set of the debug information.
pub fn source(seed: u64, statements: usize, set: &str) -> (Module, Function) {
    let graph = structured(seed, statements, Form::Plain);
    let Filled { mut module, functions } = with_calls_and(&[graph], seed, Values::Origin);
    let function = functions[0];
    let mut writer = SourceWriter::new(&mut module, function, seed, set);
    writer.assign_everywhere(function);
    (module, function)
}

struct SourceWriter<'m> {
    module: &'m mut Module,
    random: Random,
    int: Inst,
    pointer: Inst,
    /// Variables of a number, and then one of a struct.
    memory: Vec<Inst>,
    indexes: [Inst; 2],
}

impl SourceWriter<'_> {
    /// Declares the variables at the start of a function.
    fn new<'m>(module: &'m mut Module, function: Function, seed: u64, set: &str) -> SourceWriter<'m> {
        let entry = module.entry(function).expect("a filled function has a body");
        let mut build = Builder::new(module);
        let (int, void) = (build.int_type(32), build.void_type());
        let pair = build.editor().append_global(Op::TypeStruct, None, &[int, int]);
        let [pointer, to_pair] = [int, pair].map(|ty| build.pointer_type(StorageClass::Function, ty));
        let class = build.enumerant(StorageClass::Function);
        let mut editor = module.edit();
        let name = editor.text(set);
        let set = editor.append_global(Op::ExtInstImport, None, &[name]);
        let [expression, local] = [number::EXPRESSION, LOCAL_VARIABLE].map(|word| editor.word(word));
        let expression = editor.append_global(Op::ExtInst, Some(void), &[set, expression]);
        let indexes = [0, 1].map(|word| {
            let word = editor.word(word);
            editor.unique(Op::Constant, Some(int), &[word])
        });
        let mut memory = Vec::new();
        let types = std::iter::repeat_n(pointer, VARIABLES).chain([to_pair]);
        let first = editor.module().children(entry).find(|&inst| editor.module().op(inst) != Op::BlockParameter);
        let first = first.expect("a block has a terminator");
        for (index, ty) in types.enumerate() {
            let text = editor.text(&format!("x{index}"));
            let text = editor.append_global(Op::String, None, &[text]);
            let described = editor.append_global(Op::ExtInst, Some(void), &[set, local, text]);
            let variable = editor.insert(Position::AtStart(entry.into()), Op::Variable, Some(ty), &[class]);
            let declare = editor.word(number::DECLARE);
            let operands = [set, declare, described, variable, expression];
            editor.insert(Position::Before(first), Op::ExtInst, Some(void), &operands);
            memory.push(variable);
        }
        SourceWriter { module, random: Random::new(seed), int, pointer, memory, indexes }
    }

    /// Writes assignments before each call of a function that records, and records variables.
    fn assign_everywhere(&mut self, function: Function) {
        let blocks: Vec<Block> = self.module.blocks(function).collect();
        let inside: Vec<Inst> = blocks.iter().flat_map(|&block| self.module.children(block)).collect();
        let records = |&inst: &Inst| {
            let is_call = self.module.op(inst) == Op::FunctionCall;
            is_call && self.module.name(self.module.operand(inst, 0)).as_deref() == Some(RECORD)
        };
        let calls: Vec<Inst> = inside.into_iter().filter(records).collect();
        for call in calls {
            for _ in 0..self.random.below(4) {
                self.assign(call);
            }
            if self.random.chance(60) {
                let place = self.place(call);
                let value = self.module.edit().insert(Position::Before(call), Op::Load, Some(self.int), &[place]);
                self.module.edit().set_operand(call, 2, value);
            }
        }
    }

    /// The memory of a random number.
    fn place(&mut self, before: Inst) -> Inst {
        let variable = self.memory[self.random.below(self.memory.len())];
        if self.module.ty(variable) == Some(self.pointer) {
            return variable;
        }
        let index = self.indexes[self.random.below(2)];
        let (op, ty) = (Op::AccessChain, Some(self.pointer));
        self.module.edit().insert(Position::Before(before), op, ty, &[variable, index])
    }

    fn assign(&mut self, before: Inst) {
        let (int, position) = (Some(self.int), Position::Before(before));
        let from = self.place(before);
        let number = self.random.below(5) as u32;
        let constant = {
            let mut editor = self.module.edit();
            let word = editor.word(number);
            editor.unique(Op::Constant, int, &[word])
        };
        let value = match self.random.below(4) {
            0 => constant,
            op => {
                let op = [Op::IAdd, Op::IMul, Op::BitwiseXor][op - 1];
                let old = self.module.edit().insert(position, Op::Load, int, &[from]);
                self.module.edit().insert(position, op, int, &[old, constant])
            }
        };
        let to = self.place(before);
        self.module.edit().insert(position, Op::Store, None, &[to, value]);
    }
}
