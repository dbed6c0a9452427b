//! The uses of a shader's resources, which determine their declarations.

use super::handles::Handles;
use super::operations;
use crate::module::view::ResourceClass;
use crate::module::{Argument, Constant, Function, FunctionId, Module, Operation, Type, TypeId, ValueId};

/// The uses of a resource.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct Usage {
    /// True if anything uses it.
    pub(super) is_used: bool,
    pub(super) is_read: bool,
    pub(super) is_written: bool,
    /// The number of accesses that are of floats, and of integers.
    pub(super) floats: u32,
    pub(super) integers: u32,
    /// The widths in bits of accesses, as a set: the widths themselves are powers of two.
    pub(super) widths: u32,
    /// The widths of atomic operations.
    pub(super) atomic_widths: u32,
    /// True if an offset in its structs is no constant.
    pub(super) has_dynamic_offset: bool,
    /// True if something changes its counter.
    pub(super) counts: bool,
    /// True if a sampler compares depths in it.
    pub(super) compares: bool,
    /// True if something queries its size.
    pub(super) is_measured: bool,
    /// True if an index of the range of registers is no constant.
    pub(super) is_indexed: bool,
    /// True if lanes may have different indices.
    pub(super) is_nonuniform: bool,
}

impl Usage {
    /// The narrowest width of all accesses; 32 bits if there is none.
    pub(super) fn narrowest(&self) -> u32 {
        let all = self.widths | self.atomic_widths;
        if all == 0 { 32 } else { 1 << all.trailing_zeros() }
    }

    /// Returns whether all accesses are of floats.
    pub(super) fn has_only_floats(&self) -> bool {
        self.integers == 0 && self.floats > 0
    }
}

/// The usage of each resource. Linear in the module.
pub(super) fn find(module: &Module, handles: &Handles) -> Vec<Usage> {
    let mut usages = vec![Usage::default(); handles.resources.len()];
    for (index, function) in module.functions.iter().enumerate() {
        let id = FunctionId::new(index as u32);
        for instruction in &function.instructions {
            let Operation::Call { callee, arguments, .. } = &instruction.operation else { continue };
            let Some(number) = operations::number_of_call(module, function, *callee, arguments) else { continue };
            let used = arguments.iter().filter_map(|argument| match argument {
                Argument::Value(value) => handles.get(id, *value),
                Argument::Metadata(_) => None,
            });
            for handle in used {
                let usage = &mut usages[handle.resource];
                usage.is_nonuniform |= handle.is_nonuniform;
                usage.is_indexed |= !matches!(module.constant(function, handle.register), Some(Constant::Integer(_)));
                let is_sampler = handles.resources[handle.resource].class == ResourceClass::Sampler;
                Access { module, function, arguments, result: instruction.ty }.note(number, usage);
                if is_sampler {
                    usage.floats = 0;
                }
            }
        }
    }
    usages
}

/// A call that uses a resource.
struct Access<'a> {
    module: &'a Module,
    function: &'a Function,
    arguments: &'a [Argument],
    result: TypeId,
}

impl Access<'_> {
    fn note(&self, number: u32, usage: &mut Usage) {
        if matches!(number, 68 | 69 | 139 | 140) {
            usage.has_dynamic_offset |= !self.has_constant(3);
        }
        match number {
            // What annotates a handle uses nothing.
            57 | 216 | 217 => return,
            58..=63 | 66 | 68 | 73 | 139 => {
                usage.is_read = true;
                self.note_type(self.first_member(self.result), usage);
            }
            64 | 65 | 74 => {
                (usage.is_read, usage.compares) = (true, true);
                usage.floats += 1;
            }
            67 => self.note_write(5, usage),
            69 | 140 => self.note_write(4, usage),
            70 => usage.counts = true,
            72 | 81 => usage.is_measured = true,
            78 => self.note_atomic(6, usage),
            79 => self.note_atomic(5, usage),
            _ => {}
        }
        usage.is_used = true;
    }

    fn note_write(&self, argument: usize, usage: &mut Usage) {
        usage.is_written = true;
        self.note_type(self.argument_type(argument), usage);
    }

    fn note_atomic(&self, argument: usize, usage: &mut Usage) {
        (usage.is_read, usage.is_written) = (true, true);
        let width = self.argument_type(argument).and_then(|ty| self.module.types.scalar_width(ty)).unwrap_or(32);
        usage.atomic_widths |= width;
        usage.integers += 1;
    }

    fn note_type(&self, ty: Option<TypeId>, usage: &mut Usage) {
        let Some(ty) = ty else { return };
        match self.module.types.is_float(ty) {
            true => usage.floats += 1,
            false => usage.integers += 1,
        }
        usage.widths |= self.module.types.scalar_width(ty).filter(|width| width.is_power_of_two()).unwrap_or(32);
    }

    fn first_member(&self, ty: TypeId) -> Option<TypeId> {
        match &self.module.types[ty] {
            Type::Struct { members: Some(members), .. } => members.first().copied(),
            _ => Some(ty),
        }
    }

    fn has_constant(&self, index: usize) -> bool {
        let Some(&Argument::Value(value)) = self.arguments.get(index) else { return false };
        matches!(self.module.constant(self.function, value), Some(Constant::Integer(_)))
    }

    fn argument_type(&self, index: usize) -> Option<TypeId> {
        let &Argument::Value(value) = self.arguments.get(index)? else { return None };
        Some(self.type_of(value))
    }

    fn type_of(&self, value: ValueId) -> TypeId {
        self.module.value(self.function, value).ty
    }
}
