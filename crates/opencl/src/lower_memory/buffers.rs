//! The storage buffers of a class of pointers, and the numbers that pointers into them have.
//!
//! ```text
//! one buffer                       a pointer is its number of bytes (or words) in the buffer
//! several, or a pointer is null    bits 31, 30: which buffer, from 1    bits 29 to 0: the number of bytes in it
//!                                  0 is null
//! ```
//!
//! Arithmetic, selections and comparisons of pointers are those of the numbers, and only an access looks at the upper bits
//! (`choices.rs`). A class of *n* buffers needs log2(n + 1) bits for them, rounded up, so a buffer may have 1 GiB if there are up to
//! three. Constant in each buffer.

use reconverge_ir::{Builder, Function, Inst, Module, Op, decoration};
use rustc_hash::FxHashMap;
use spirv::Decoration;

use super::lowering::Lowering;
use crate::arguments::binding_of;

/// A buffer of a class.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum BufferSlot {
    /// The buffer of a pointer argument, which a variable represents.
    Argument(Inst),
    /// The buffer of the program data.
    Program,
}

/// Whether a program can distinguish null pointers of a class.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Null {
    /// It can: null is no address of an object.
    Distinct,
    /// It cannot.
    Unobserved,
}

/// The buffers of a class.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Bound {
    /// The buffers, in the order of their numbers.
    pub(super) slots: Vec<BufferSlot>,
    /// The position of the number of the buffer in a pointer that counts bytes; `None` if pointers have no such number.
    pub(super) shift: Option<u32>,
}

impl Bound {
    /// The buffers of these objects.
    pub(super) fn of(module: &Module, objects: impl Iterator<Item = Inst>, null: Null) -> Bound {
        let mut slots = Vec::new();
        for object in objects {
            let slot = match binding_of(module, object) {
                Some(_) => BufferSlot::Argument(object),
                None => BufferSlot::Program,
            };
            if !slots.contains(&slot) {
                slots.push(slot);
            }
        }
        let is_numbered = null == Null::Distinct || slots.len() > 1;
        let numbers = slots.len() as u32 + 1;
        let shift = is_numbered.then(|| u32::BITS - numbers.next_power_of_two().trailing_zeros().max(1));
        Bound { slots, shift }
    }

    /// The pointer to the first byte of a buffer.
    pub(super) fn start(&self, slot: BufferSlot) -> u32 {
        let number = self.slots.iter().position(|&other| other == slot).unwrap_or(0) as u32 + 1;
        self.shift.map_or(0, |shift| number << shift)
    }
}

/// The variables of the storage buffers of a module.
#[derive(Debug, Default)]
pub(super) struct Buffers {
    arguments: FxHashMap<Inst, Inst>,
    program: FxHashMap<Function, Inst>,
    /// The struct with the array of words.
    block: Option<Inst>,
}

impl Lowering<'_> {
    /// The variable of a buffer, for code of the current function; created at the first call.
    pub(super) fn buffer(&mut self, slot: BufferSlot) -> Inst {
        let known = match slot {
            BufferSlot::Argument(object) => self.buffers.arguments.get(&object),
            BufferSlot::Program => self.buffers.program.get(&self.function),
        };
        if let Some(&variable) = known {
            return variable;
        }
        let (name, binding, aliases) = match slot {
            BufferSlot::Argument(object) => {
                let name = self.module.name(object).unwrap_or_default();
                let binding = binding_of(self.module, object).unwrap_or_default();
                (name, binding, self.module.decorated(object).has(Decoration::Aliased))
            }
            BufferSlot::Program => ("program_data".to_owned(), self.bind_program_data(), false),
        };
        let variable = self.buffer_variable(binding);
        if aliases {
            Builder::new(self.module).add_decoration(variable, Decoration::Aliased);
        }
        if !name.is_empty() {
            self.module.edit().set_name(variable, &name);
        }
        match slot {
            BufferSlot::Argument(object) => self.buffers.arguments.insert(object, variable),
            BufferSlot::Program => self.buffers.program.insert(self.function, variable),
        };
        variable
    }

    fn buffer_variable(&mut self, binding: u32) -> Inst {
        let mut build = Builder::new(self.module);
        let block = *self.buffers.block.get_or_insert_with(|| {
            let words = build.word_array_type();
            build.block_type(&[words], &[0])
        });
        let variable = build.global_variable(spirv::StorageClass::StorageBuffer, block);
        build.add_decoration(variable, decoration::DescriptorSet(0));
        build.add_decoration(variable, decoration::Binding(binding));
        variable
    }

    /// The binding of the program data of the current function: after those of its arguments. Records it in the reflection.
    fn bind_program_data(&mut self) -> u32 {
        let mut binding = 0;
        self.context.change_kernels_of(self.module, self.function, |kernel| {
            let pointers = kernel.arguments.iter().filter(|argument| argument.kind.has_binding()).count() as u32;
            binding = pointers + 1;
            kernel.program_data_binding = Some(binding);
        });
        binding
    }

    /// The pointer to a word of a buffer.
    pub(super) fn word_pointer(&mut self, buffer: Inst, index: Inst) -> Inst {
        let word = self.uint(4);
        let ty = Builder::new(self.module).pointer_type(spirv::StorageClass::StorageBuffer, word);
        let zero = self.word(0);
        self.emit(Op::AccessChain, ty, &[buffer, zero, index])
    }
}
