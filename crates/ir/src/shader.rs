//! What compute shaders begin and end with: capability and memory model, buffers of words, the entry point.
//!
//! Numbers are those of the SPIR-V specification, section 3.

use crate::{Builder, Inst, Op};

const SHADER: u32 = 1;
const LOGICAL: u32 = 0;
const GLSL450: u32 = 1;
const STORAGE_BUFFER: u32 = 12;
const BLOCK: u32 = 2;
const ARRAY_STRIDE: u32 = 6;
const BINDING: u32 = 33;
const DESCRIPTOR_SET: u32 = 34;
const OFFSET: u32 = 35;
const GL_COMPUTE: u32 = 5;
const LOCAL_SIZE: u32 = 17;

impl Builder<'_> {
    /// The capability `Shader`, and logical addressing.
    pub fn shader_preamble(&mut self) {
        let word = self.editor().word(SHADER);
        self.capability(&[word]);
        let model = [LOGICAL, GLSL450].map(|number| self.editor().word(number));
        self.memory_model(&model);
    }

    /// A decoration: its number, then its literals.
    pub fn decoration(&mut self, words: &[u32]) -> Inst {
        let operands: Vec<Inst> = words.iter().map(|&word| self.editor().word(word)).collect();
        self.editor().unique(Op::Decorate, None, &operands)
    }

    /// Gives an instruction a decoration.
    pub fn add_decoration(&mut self, inst: impl Into<Inst>, words: &[u32]) {
        let decoration = self.decoration(words);
        self.editor().decorate(inst, decoration);
    }

    /// A runtime array of 32-bit words with stride 4.
    pub fn word_array_type(&mut self) -> Inst {
        let u32_type = self.int_type(32, false);
        let stride = self.decoration(&[ARRAY_STRIDE, 4]);
        self.editor().unique_decorated(Op::TypeRuntimeArray, None, &[u32_type], &[stride])
    }

    /// A new struct type that is decorated `Block`, its members at these offsets.
    pub fn block_type(&mut self, members: &[Inst], offsets: &[u32]) -> Inst {
        let block = self.editor().append_global(Op::TypeStruct, None, members);
        for (member, &offset) in offsets.iter().enumerate() {
            let operands = [member as u32, OFFSET, offset].map(|word| self.editor().word(word));
            let decoration = self.editor().unique(Op::MemberDecorate, None, &operands);
            self.editor().decorate(block, decoration);
        }
        self.add_decoration(block, &[BLOCK]);
        block
    }

    /// `layout(set = 0, binding = …) buffer { uint words[]; } name`: a variable.
    pub fn word_buffer(&mut self, name: &str, binding: u32) -> Inst {
        let words = self.word_array_type();
        let block_type = self.block_type(&[words], &[0]);
        let pointer = self.pointer_type(STORAGE_BUFFER, block_type);
        let class = self.editor().word(STORAGE_BUFFER);
        let variable = self.editor().append_global(Op::Variable, Some(pointer), &[class]);
        self.editor().set_name(variable, name);
        self.add_decoration(variable, &[DESCRIPTOR_SET, 0]);
        self.add_decoration(variable, &[BINDING, binding]);
        variable
    }

    /// Makes a function the compute entry point `main` with these interface variables, for work-groups of `local_size` × 1 × 1.
    pub fn compute_entry_point(&mut self, main: impl Into<Inst>, interface: &[Inst], local_size: u32) {
        let main = main.into();
        let mut operands = vec![self.editor().word(GL_COMPUTE), main, self.editor().text("main")];
        operands.extend(interface);
        self.entry_point(&operands);
        let [mode, size, one] = [LOCAL_SIZE, local_size, 1].map(|word| self.editor().word(word));
        self.execution_mode(&[main, mode, size, one, one]);
    }
}
