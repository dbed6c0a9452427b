//! Common parts of compute shaders: capability and memory model, buffers of words, the entry point.

use spirv::{AddressingModel, Capability, Decoration, ExecutionMode, ExecutionModel, MemoryModel, StorageClass};

use crate::decoration::{ArrayStride, Binding, DescriptorSet, Offset};
use crate::{Builder, Inst, Op};

impl Builder<'_> {
    /// The capability `Shader`, and logical addressing.
    pub fn shader_preamble(&mut self) {
        let shader = self.enumerant(Capability::Shader);
        self.capability(&[shader]);
        let model = [self.enumerant(AddressingModel::Logical), self.enumerant(MemoryModel::GLSL450)];
        self.memory_model(&model);
    }

    /// A runtime array of 32-bit words with stride 4.
    pub fn word_array_type(&mut self) -> Inst {
        let u32_type = self.int_type(32);
        let stride = self.decoration(ArrayStride(4));
        self.editor().unique_decorated(Op::TypeRuntimeArray, None, &[u32_type], &[stride])
    }

    /// A new struct type with the decoration `Block` and members at these offsets.
    pub fn block_type(&mut self, members: &[Inst], offsets: &[u32]) -> Inst {
        let block = self.editor().append_global(Op::TypeStruct, None, members);
        for (member, &offset) in offsets.iter().enumerate() {
            self.add_member_decoration(block, member as u32, Offset(offset));
        }
        self.add_decoration(block, Decoration::Block);
        block
    }

    /// `layout(set = 0, binding = …) buffer { uint words[]; } name`: a variable.
    pub fn word_buffer(&mut self, name: &str, binding: u32) -> Inst {
        let words = self.word_array_type();
        let block_type = self.block_type(&[words], &[0]);
        let variable = self.global_variable(StorageClass::StorageBuffer, block_type);
        self.editor().set_name(variable, name);
        self.add_decoration(variable, DescriptorSet(0));
        self.add_decoration(variable, Binding(binding));
        variable
    }

    /// Makes a function the compute entry point `main` with these interface variables, for work-groups of `local_size` × 1 × 1.
    pub fn compute_entry_point(&mut self, main: impl Into<Inst>, interface: &[Inst], local_size: u32) {
        let main = main.into();
        let mut operands = vec![self.enumerant(ExecutionModel::GLCompute), main, self.editor().text("main")];
        operands.extend(interface);
        self.entry_point(&operands);
        let mode = self.enumerant(ExecutionMode::LocalSize);
        let [size, one] = [local_size, 1].map(|word| self.editor().word(word));
        self.execution_mode(&[main, mode, size, one, one]);
    }
}
