//! Tests of guarded code: whether an access whose address is not proved stays in the arena.
//!
//! ```text
//! one address        a: sub a, near.first;  cmp a, near.count;  jae fail
//! base + index       the base alone: the space around the buffers is larger than what an index of 32 bits can add
//! an address each    the same for all lanes that execute, in vectors
//! ```
//!
//! An address that is near the buffers is in the arena, with all that an access adds to it (`arena.rs`). A base that is not near belongs to no
//! access to a buffer: no index of 32 bits leads back. So no test fails in a kernel that stays in its buffers. A test that fails ends the call
//! with the address of the first lane that executes.
//!
//! A register that was tested on the way to an instruction is not tested again.

use iced_x86::Code;
use reconverge_diagnostic::Diagnostic;
use reconverge_ir::{Inst, Op};
use reconverge_lanes::CodeRole;
use smallvec::SmallVec;

use super::addresses::Access;
use super::arithmetic::Emitter;
use super::checks::{Check, Extent};
use super::selector::Selector;
use super::value::{Isa, ScalarType, Value};
use crate::call_memory::context;
use crate::machine::{Address, Base, BlockId, Condition, Inst as MachineInst, Operand, Terminator, VReg};

const LONG: ScalarType = ScalarType::Int(64);

/// The registers whose addresses were tested on the way to a block.
#[derive(Default)]
pub(super) struct Tested {
    block: Option<BlockId>,
    registers: SmallVec<[VReg; 4]>,
}

impl Tested {
    fn has(&self, block: BlockId, register: VReg) -> bool {
        self.block == Some(block) && self.registers.contains(&register)
    }

    /// Adds a register, tested in `from`, after which `block` begins.
    fn add(&mut self, from: BlockId, block: BlockId, register: VReg) {
        if self.block != Some(from) {
            self.registers.clear();
        }
        self.block = Some(block);
        self.registers.push(register);
    }
}

impl Selector<'_> {
    /// Tests the addresses of an access by an instruction.
    pub(super) fn guard(&mut self, access: &Access, extent: Extent, at: Inst) -> Result<(), Diagnostic> {
        match access {
            Access::Addresses(addresses) => {
                let outside = self.emit.lanes_outside(addresses);
                let outside = outside.ok_or_else(|| self.values.unsupported(at, "addresses of this type"))?;
                self.guard_lanes(addresses, &outside, extent, at);
            }
            Access::Uniform(address) | Access::Contiguous(address) | Access::Indexed { base: address, .. } => {
                self.guard_base(access, *address, extent, at);
            }
        }
        Ok(())
    }

    fn guard_base(&mut self, access: &Access, address: Address, extent: Extent, at: Inst) {
        let base = match address {
            Address { base: Base::Register(register), index: None, .. } => register,
            _ => self.emit.address_register(address),
        };
        let before = self.emit.block;
        if self.memory.tested.has(before, base) {
            return;
        }
        let context = self.emit.context();
        let [first, count] =
            [context::NEAR_FIRST, context::NEAR_COUNT].map(|offset| Operand::Memory(Address::of(context).plus(offset)));
        let offset = self.emit.update(Code::Sub_r64_rm64, base, first);
        self.emit.push(MachineInst::new(Code::Cmp_r64_rm64, [Operand::Use(offset), count]).with_effect());
        let (fine, failed) = (self.emit.new_block(), self.emit.new_block_for(CodeRole::Failure));
        self.emit.end(Terminator::Branch { condition: Condition::Below, then: fine, otherwise: failed });
        self.emit.block = failed;
        self.fail_outside(access, extent, at);
        self.emit.block = fine;
        self.memory.tested.add(before, fine, base);
    }

    /// Ends the block: the first lane that executes is outside.
    fn fail_outside(&mut self, access: &Access, extent: Extent, at: Inst) {
        let (operand, form) = self.emit.lane_addresses(access, extent.bytes);
        let register = match operand.value {
            Value::Uniform(register) => register,
            varying => {
                let bits = self.emit.mask_bits();
                let lane = self.emit.lowest_lane(bits);
                self.emit.store_scratch(0, operand.ty, &varying);
                self.emit.load_lane(0, operand.ty, lane)
            }
        };
        let address = self.emit.address_of_lane(form, register);
        let address = self.emit.address_register(address);
        self.fail_with(Check::Address(extent), Some(address), at);
    }

    fn guard_lanes(&mut self, addresses: &Value, outside: &Value, extent: Extent, at: Inst) {
        let condition = self.emit.any_flags(outside);
        let (fine, failed) = (self.emit.new_block(), self.emit.new_block_for(CodeRole::Failure));
        self.emit.end(Terminator::Branch { condition, then: failed, otherwise: fine });
        self.emit.block = failed;
        let bits = self.emit.bits_of(outside);
        let lane = self.emit.lowest_lane(bits);
        self.emit.store_scratch(0, LONG, addresses);
        let address = self.emit.load_lane(0, LONG, lane);
        self.emit.lane = (self.emit.pack.isa != Isa::Scalar).then_some(lane);
        self.fail_with(Check::Address(extent), Some(address), at);
        self.emit.lane = None;
        self.emit.block = fine;
    }
}

impl Emitter<'_> {
    /// The lanes that execute and whose addresses are not near.
    fn lanes_outside(&mut self, addresses: &Value) -> Option<Value> {
        let context = self.context();
        let [first, count] = [context::NEAR_FIRST, context::NEAR_COUNT]
            .map(|offset| Value::Uniform(self.load_long(Address::of(context).plus(offset))));
        let offsets = self.binary(Op::ISub, LONG, addresses, &first)?;
        let near = self.compare(Op::ULessThan, LONG, &offsets, &count)?;
        let active = self.active();
        Some(self.without(&active, &near))
    }
}
