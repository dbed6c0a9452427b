//! The state of the rewriting: the place of every pointer, and the replacement of instructions.
//!
//! New instructions are inserted before the instruction that they replace, so that they dominate the same uses. Within a block, equal sums,
//! indices and typed pointers are emitted once: the cache is cleared at the start of each block.

use reconverge_analysis::Layouts;
use reconverge_diagnostic::Diagnostic;
use reconverge_ir::{Builder, Enumerant, Function, Inst, Module, Op, Position};
use rustc_hash::FxHashMap;

use super::buffers::Buffers;
use super::cells::Cells;
use super::choices::Choice;
use super::classes::Class;
use super::copy::LongCopy;
use super::demands::Demands;
use super::points_to::{Memory, PointsTo};
use super::program_data::ProgramMemory;
use crate::Context;
use crate::error;
use crate::scalars::{self, integer, vector_type};

/// The lowered form of the pointers of a class.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Form {
    /// 64-bit addresses.
    Address,
    /// 32-bit numbers of units in an array of cells.
    Cells,
    /// They stay pointers, which Vulkan supports.
    Kept,
}

/// A place: a value plus an offset in bytes. Without a value, the offset from address or unit 0.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub(super) struct PointerTarget {
    pub(super) base: Option<Inst>,
    pub(super) offset: i64,
}

impl PointerTarget {
    /// The place at an offset from this one.
    pub(super) fn moved(self, bytes: i64) -> PointerTarget {
        PointerTarget { offset: self.offset.wrapping_add(bytes), ..self }
    }
}

/// A place in the memory of a class.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) struct Spot {
    pub(super) class: Class,
    pub(super) place: PointerTarget,
}

impl Spot {
    pub(super) fn moved(self, bytes: i64) -> Spot {
        Spot { place: self.place.moved(bytes), ..self }
    }
}

/// The key of a computation that is emitted once in a block.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum Key {
    /// The op of two values.
    Binary(Op, Inst, Inst),
    /// The op of one value, with a type.
    Unary(Op, Inst, Inst),
}

/// The state of the rewriting of a module.
pub(super) struct Lowering<'m> {
    pub(super) module: &'m mut Module,
    pub(super) context: &'m mut Context,
    pub(super) points_to: PointsTo,
    pub(super) demands: Demands,
    pub(super) layouts: Layouts,
    pub(super) cells: FxHashMap<Class, Cells>,
    pub(super) places: FxHashMap<Inst, PointerTarget>,
    pub(super) data: ProgramMemory,
    pub(super) cache: FxHashMap<Key, Inst>,
    /// The 64 bits that a place's base was converted from: bits of a pointer that are not an address are preserved.
    pub(super) origins: FxHashMap<Inst, Inst>,
    pub(super) data_types: FxHashMap<Inst, Inst>,
    pub(super) long_copies: Vec<LongCopy>,
    pub(super) buffers: Buffers,
    pub(super) choices: Vec<Choice>,
    /// Instructions to delete at the end.
    pub(super) retired: Vec<Inst>,
    pub(super) function: Function,
    /// The instruction before which all code is emitted.
    pub(super) at: Inst,
    pub(super) changed: bool,
}

impl Lowering<'_> {
    /// The lowered form of the pointers of a class.
    pub(super) fn form(&mut self, class: Class) -> Form {
        if self.cells.contains_key(&class) {
            return Form::Cells;
        }
        match self.points_to.memory(class) {
            Memory::Outside => Form::Address,
            _ => Form::Kept,
        }
    }

    /// The class and form of a lowered pointer.
    pub(super) fn lowered_class(&mut self, pointer: Inst) -> Option<(Class, Form)> {
        let class = self.points_to.class(pointer)?;
        let form = self.form(class);
        (form != Form::Kept).then_some((class, form))
    }

    /// Emits an instruction.
    pub(super) fn emit(&mut self, op: Op, ty: Inst, operands: &[Inst]) -> Inst {
        self.module.edit().insert(Position::Before(self.at), op, Some(ty), operands)
    }

    /// Emits an instruction without a result.
    pub(super) fn emit_plain(&mut self, op: Op, operands: &[Inst]) -> Inst {
        self.module.edit().insert(Position::Before(self.at), op, None, operands)
    }

    /// The result of an op of two values of the type of the first; emitted unless the block already contains it.
    pub(super) fn binary(&mut self, op: Op, a: Inst, b: Inst) -> Inst {
        let key = Key::Binary(op, a, b);
        if let Some(&known) = self.cache.get(&key) {
            return known;
        }
        let ty = self.module.ty(a).expect("invariant: an operand has a type");
        let inst = self.emit(op, ty, &[a, b]);
        self.cache.insert(key, inst);
        inst
    }

    /// The result of an op of one value; emitted unless the block already contains it.
    pub(super) fn unary(&mut self, op: Op, ty: Inst, value: Inst) -> Inst {
        let key = Key::Unary(op, ty, value);
        if let Some(&known) = self.cache.get(&key) {
            return known;
        }
        let inst = self.emit(op, ty, &[value]);
        self.cache.insert(key, inst);
        inst
    }

    /// The same bits as another type.
    pub(super) fn bitcast(&mut self, ty: Inst, value: Inst) -> Inst {
        match self.module.ty(value) == Some(ty) {
            true => value,
            false => self.emit(Op::Bitcast, ty, &[value]),
        }
    }

    /// The unsigned integer type with this number of bytes.
    pub(super) fn uint(&mut self, bytes: u32) -> Inst {
        Builder::new(self.module).int_type(bytes * 8)
    }

    pub(super) fn vector(&mut self, component: Inst, count: u32) -> Inst {
        vector_type(&mut Builder::new(self.module), component, count)
    }

    /// The constant of an integer type.
    pub(super) fn constant(&mut self, ty: Inst, value: i64) -> Inst {
        integer(&mut Builder::new(self.module), ty, value.cast_unsigned())
    }

    /// The 32-bit constant.
    pub(super) fn word(&mut self, value: impl Enumerant) -> Inst {
        scalars::word(&mut Builder::new(self.module), value)
    }

    /// Replaces a value by another one; it is deleted at the end.
    pub(super) fn replace(&mut self, old: Inst, new: Inst) {
        if let Some(name) = self.module.name(old)
            && self.module.name(new).is_none()
            && !self.module.op(new).is_constant()
        {
            self.module.edit().set_name(new, &name);
        }
        self.module.edit().replace_all_uses(old, new);
        self.retire(old);
    }

    /// Marks an instruction for deletion at the end.
    pub(super) fn retire(&mut self, old: Inst) {
        self.retired.push(old);
        self.changed = true;
    }

    /// Deletes the marked instructions. Their source locations move to the next instructions.
    pub(super) fn delete_retired(&mut self) {
        for old in std::mem::take(&mut self.retired).into_iter().rev() {
            if let (Some(location), Some(next)) = (self.module.explicit_location(old), self.module.next(old))
                && self.module.explicit_location(next).is_none()
            {
                self.module.edit().set_location(next, Some(location));
            }
            self.module.edit().delete(old);
        }
    }

    /// An error at the current instruction.
    pub(super) fn unsupported(&self, message: impl Into<String>) -> Diagnostic {
        error::unsupported(self.at, message)
    }
}
