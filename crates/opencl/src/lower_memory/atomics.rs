//! Atomic accesses.
//!
//! Memory with an address is accessed through a pointer to it, work-group memory through its cell, which has the width of the access. If
//! the cell is an integer and the access is of a floating-point number, the values are cast. Private memory has no other readers and
//! writers, and Vulkan has no atomics for it: the access becomes a load, the operation and a store.
//!
//! ```text
//! atomic_i_add %p …, %v  (private)   ⇒   %old = load    %new = i_add %old, %v    store %new
//! ```

use reconverge_diagnostic::Diagnostic;
use reconverge_ir::{Builder, Inst, Op, view};
use spirv::MemoryAccess;

use super::access::Manner;
use super::leaves::scalar_bytes;
use super::lowering::{Form, Lowering, Spot};
use super::points_to::Memory;
use crate::atomics::value_type;

impl Lowering<'_> {
    /// An atomic access.
    pub(super) fn lower_atomic(&mut self, inst: Inst) -> Result<(), Diagnostic> {
        let Some(view::Atomic { pointer, .. }) = view::Atomic::of(self.module, inst) else { return Ok(()) };
        let Some(spot) = self.spot(pointer)? else { return Ok(()) };
        let ty = value_type(self.module, inst).or_else(|| self.module.pointee(pointer));
        let ty = ty.ok_or_else(|| self.unsupported("an atomic access of a value without a type"))?;
        self.changed = true;
        let op = self.module.op(inst);
        let computes = matches!(op, Op::AtomicFAddEXT | Op::AtomicFMinEXT | Op::AtomicFMaxEXT);
        if computes && self.context.options.has_bindings() {
            return Err(self.unsupported(format!("`{}`, with bindings for pointers", op.name())));
        }
        if let Some(bits) = self.module.width(ty).filter(|&bits| bits != 32 && self.context.options.has_bindings()) {
            return Err(self.unsupported(format!("an atomic access of {bits} bits, with bindings for pointers")));
        }
        if self.form(spot.class) == Form::Address {
            let address = self.value(spot);
            let pointer = self.physical_pointer(address, ty);
            self.module.edit().set_operand(inst, view::AtomicLoad::SLOT.pointer, pointer);
            return Ok(());
        }
        match self.cells[&spot.class].memory {
            Memory::Workgroup | Memory::Bindings => {
                let pointer = self.cell_pointer(spot, 0);
                let cell = self.cells[&spot.class].cell;
                if cell != ty {
                    self.cast_atomic(inst, cell)?;
                }
                if let Some(access) = Some(inst).filter(|&inst| self.module.is_live(inst)) {
                    self.module.edit().set_operand(access, view::AtomicLoad::SLOT.pointer, pointer);
                }
                Ok(())
            }
            Memory::Constant => Err(self.unsupported("an atomic access of constant memory")),
            _ => self.expand_atomic(inst, spot, ty),
        }
    }

    /// Adapts an atomic access to cells of another type of the same width.
    fn cast_atomic(&mut self, inst: Inst, cell: Inst) -> Result<(), Diagnostic> {
        let op = self.module.op(inst);
        let first_value = match op {
            Op::AtomicLoad => None,
            Op::AtomicStore | Op::AtomicExchange => Some(view::AtomicStore::SLOT.value),
            Op::AtomicCompareExchange | Op::AtomicCompareExchangeWeak => Some(view::AtomicCompareExchange::SLOT.value),
            _ => {
                let message = format!("`{}` on memory that is also accessed atomically as another type", op.name());
                return Err(self.unsupported(message));
            }
        };
        let count = self.module.operand_count(inst);
        for index in first_value.unwrap_or(count)..count {
            let value = self.bitcast(cell, self.module.operand(inst, index));
            self.module.edit().set_operand(inst, index, value);
        }
        if op != Op::AtomicStore {
            let old = self.module.ty(inst).expect("invariant: the access has a result");
            let next = self.module.next(inst).expect("invariant: a terminator follows");
            let uses: Vec<_> = self.module.uses(inst).collect();
            let here = std::mem::replace(&mut self.at, next);
            let cast = self.emit(Op::Bitcast, old, &[inst]);
            self.at = here;
            self.module.edit().set_type(inst, cell);
            for used in uses {
                if let reconverge_ir::Slot::Operand(index) = used.slot {
                    self.module.edit().set_operand(used.user, index, cast);
                }
            }
        }
        Ok(())
    }

    /// An atomic access of private memory: load, operation, store.
    fn expand_atomic(&mut self, inst: Inst, spot: Spot, ty: Inst) -> Result<(), Diagnostic> {
        let op = self.module.op(inst);
        let bytes = scalar_bytes(self.module, ty)
            .ok_or_else(|| self.unsupported("an atomic access of a value that is not a scalar"))?;
        let manner = Manner { alignment: bytes, flags: MemoryAccess::empty() };
        let new = match op {
            Op::AtomicStore if let Some(store) = view::AtomicStore::of(self.module, inst) => store.value,
            Op::AtomicFlagClear => self.constant(ty, 0),
            _ => {
                let old = self.load_leaf(spot, ty, manner);
                let new = self.atomic_result(inst, old, ty)?;
                let result = match op {
                    Op::AtomicFlagTestAndSet => {
                        let zero = self.constant(ty, 0);
                        let boolean = Builder::new(self.module).bool_type();
                        self.emit(Op::INotEqual, boolean, &[old, zero])
                    }
                    _ => old,
                };
                self.replace(inst, result);
                if let Some(new) = new {
                    self.store_leaf(spot, new, manner);
                }
                return Ok(());
            }
        };
        self.store_leaf(spot, new, manner);
        self.retire(inst);
        Ok(())
    }

    /// The value that an atomic access writes, given the value that it read.
    fn atomic_result(&mut self, inst: Inst, old: Inst, ty: Inst) -> Result<Option<Inst>, Diagnostic> {
        let view::Atomic { value, comparator, .. } =
            view::Atomic::of(self.module, inst).expect("invariant: the access is atomic");
        let boolean = Builder::new(self.module).bool_type();
        let op = self.module.op(inst);
        let plain = match op {
            Op::AtomicLoad => return Ok(None),
            Op::AtomicExchange => return Ok(value),
            Op::AtomicFlagTestAndSet => return Ok(Some(self.constant(ty, 1))),
            Op::AtomicCompareExchange | Op::AtomicCompareExchangeWeak
                if let (Some(value), Some(comparator)) = (value, comparator) =>
            {
                let same = self.emit(Op::IEqual, boolean, &[old, comparator]);
                return Ok(Some(self.emit(Op::Select, ty, &[same, value, old])));
            }
            Op::AtomicIIncrement | Op::AtomicIDecrement => {
                let one = self.constant(ty, 1);
                let op = if op == Op::AtomicIIncrement { Op::IAdd } else { Op::ISub };
                return Ok(Some(self.emit(op, ty, &[old, one])));
            }
            Op::AtomicSMin => Err(Op::SLessThan),
            Op::AtomicUMin => Err(Op::ULessThan),
            Op::AtomicSMax => Err(Op::SGreaterThan),
            Op::AtomicUMax => Err(Op::UGreaterThan),
            Op::AtomicFMinEXT => Err(Op::FOrdLessThan),
            Op::AtomicFMaxEXT => Err(Op::FOrdGreaterThan),
            Op::AtomicIAdd => Ok(Op::IAdd),
            Op::AtomicISub => Ok(Op::ISub),
            Op::AtomicAnd => Ok(Op::BitwiseAnd),
            Op::AtomicOr => Ok(Op::BitwiseOr),
            Op::AtomicXor => Ok(Op::BitwiseXor),
            Op::AtomicFAddEXT => Ok(Op::FAdd),
            _ => return Err(self.unsupported(format!("`{}` on private memory", op.name()))),
        };
        let value = value.expect("invariant: an operation has an operand");
        Ok(Some(match plain {
            Ok(op) => self.emit(op, ty, &[old, value]),
            Err(comparison) => {
                let keeps = self.emit(comparison, boolean, &[old, value]);
                self.emit(Op::Select, ty, &[keeps, old, value])
            }
        }))
    }
}
