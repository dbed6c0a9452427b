//! The contents of the blocks of a family, and the declarations around them.

/// The contents of a block are a step: it defines `%c`, a condition, and each of its names ends with the name of the block.
#[derive(Clone, Copy, Debug)]
pub(super) struct Dialect {
    /// True if the module is an OpenCL kernel.
    pub(super) is_kernel: bool,
    /// Declarations, and the beginning of the function. `%n` is a number.
    head: &'static str,
    /// The instructions of a block, with `@` for its name.
    step: &'static str,
    /// Parameters of a block with jumps to it, with `@` for its name.
    parameters: &'static str,
    /// The arguments of a jump in a block, with `@` for its name.
    arguments: &'static str,
    /// The arguments of a jump in the entry block.
    first: &'static str,
}

impl Dialect {
    /// The module with these blocks, which come after the entry block and lead to `^end` or begin there.
    pub(super) fn module(&self, blocks: &str) -> String {
        format!("{}{blocks}}}\n", self.head)
    }

    /// The contents of a block with this name.
    pub(super) fn step(&self, name: &str) -> String {
        self.step.replace('@', name)
    }

    /// Begins a block with jumps to it.
    pub(super) fn block(&self, name: &str) -> String {
        format!("block ^{name}{}:\n{}", self.parameters.replace('@', name), self.step(name))
    }

    /// A jump out of a block.
    pub(super) fn goto(&self, from: &str, to: &str) -> String {
        format!("  branch ^{to}{}\n", self.arguments.replace('@', from))
    }

    /// A jump out of the entry block.
    pub(super) fn first_goto(&self, to: &str) -> String {
        format!("  branch ^{to}{}\n", self.first)
    }

    /// The last block, which all jumps finally reach.
    pub(super) fn end(&self) -> String {
        format!("{}  return\n", self.block("end"))
    }
}

/// A kernel whose jumps pass a pointer and a number.
pub(super) const POINTERS: Dialect = Dialect {
    is_kernel: true,
    head: KERNEL_HEAD,
    step: "  %l@: %u32 = load %p@, 2, 4
  %y@: %u32 = i_add %l@, %x@
  %q@: %buffer = in_bounds_ptr_access_chain %p@, %long_one
  store %q@, %y@, 2, 4
  %c@: %bool = u_less_than %y@, %n
",
    parameters: "(%p@: %buffer, %x@: %u32)",
    arguments: "(%q@, %y@)",
    first: "(%out, %n)",
};

/// A kernel whose blocks store to a buffer.
pub(super) const KERNEL: Dialect = Dialect {
    is_kernel: true,
    head: KERNEL_HEAD,
    step: "  %l@: %u32 = load %out, 2, 4
  %y@: %u32 = i_add %l@, %n
  %q@: %buffer = in_bounds_ptr_access_chain %out, %y@
  store %q@, %y@, 2, 4
  %c@: %bool = u_less_than %y@, %n
",
    parameters: "",
    arguments: "",
    first: "",
};

/// A compute shader whose blocks change a variable and store to a buffer.
pub(super) const SHADER: Dialect = Dialect {
    is_kernel: false,
    head: SHADER_HEAD,
    step: "  %l@: %u32 = load %v
  %y@: %u32 = i_add %l@, %n
  %q@: %place = access_chain %buffer, %zero, %y@
  store %q@, %l@
  store %v, %y@
  %c@: %bool = u_less_than %y@, %n
",
    parameters: "",
    arguments: "",
    first: "",
};

const KERNEL_HEAD: &str = "capability Kernel
capability Addresses
capability Int64
memory_model Physical64, OpenCL
entry_point Kernel, %k, \"k\"
%void = type_void
%bool = type_bool
%u32 = type_int 32, 0
%u64 = type_int 64, 0
%zero: %u32 = constant 0
%one: %u32 = constant 1
%long_one: %u64 = constant words(1, 0)
%buffer = type_pointer CrossWorkgroup, %u32
func %k: %void (%out: %buffer, %n: %u32) {
block ^entry:
";

const SHADER_HEAD: &str = "capability Shader
memory_model Logical, GLSL450
entry_point GLCompute, %main, \"main\", %id
execution_mode %main, LocalSize, 64, 1, 1
%void = type_void
%bool = type_bool
%u32 = type_int 32, 0
%zero: %u32 = constant 0
%one: %u32 = constant 1
%v3u32 = type_vector %u32, 3
%input = type_pointer Input, %v3u32
%id: %input = variable Input {decorate BuiltIn 28}
%cells = type_runtime_array %u32 {decorate ArrayStride 4}
%block = type_struct %cells {decorate Block, member_decorate 0 Offset 0}
%block_pointer = type_pointer StorageBuffer, %block
%place = type_pointer StorageBuffer, %u32
%cell = type_pointer Function, %u32
%buffer: %block_pointer = variable StorageBuffer {decorate DescriptorSet 0, decorate Binding 0}
func %main: %void () {
block ^entry:
  %v: %cell = variable Function
  %ids: %v3u32 = load %id
  %n: %u32 = composite_extract %ids, 0
  store %v, %n
";
