//! Checks at run time.
//!
//! A check that fails ends the call with its number. What the report needs besides goes to the context of the work-group: the address or
//! the index, the pack and the lane.
//!
//! ```text
//! of each address a:   for each range r of the launch:  a − r.first < r.count ⇒ continue
//!                      none                             ⇒ fail
//! of each index i:     i < length ⇒ continue, else fail
//! ```
//!
//! Bounds are checked in checked code alone, lane by lane, right before the access; `guards.rs` tests those of guarded code. `ranges` says where the ranges are. An index is checked
//! where it is used and not where the access chain is: that may be before the condition that keeps the index in bounds.

use iced_x86::Code;
use reconverge_diagnostic::Diagnostic;
use reconverge_ir::Inst;
use reconverge_lanes::CodeRole;

use super::addresses::Access;
use super::arithmetic::Emitter;
use super::lane_loop::LaneOperand;
use super::selector::Selector;
use super::value::{ScalarType, Value};
use crate::call_memory::{context, header, ranges};
use crate::machine::{Address, BlockId, Class, Condition, Inst as MachineInst, Operand, Terminator, VReg};

const LONG: ScalarType = ScalarType::Int(64);

/// The property that is checked.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Check {
    /// Control does not reach the instruction.
    Unreachable,
    /// All lanes of the pack arrive at the barrier together.
    Barrier,
    /// The bytes of the access are in memory of the launch.
    Address(Extent),
    /// The index is below the length of the array.
    Index {
        /// The elements of the array.
        length: u64,
        /// The bits of the index.
        bits: u32,
    },
}

/// The bytes of an access.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Extent {
    /// The number of bytes.
    pub bytes: u32,
    /// True if they are written.
    pub is_write: bool,
}

impl Extent {
    /// Bytes that are read.
    pub(super) fn read(bytes: u32) -> Extent {
        Extent { bytes, is_write: false }
    }

    /// Bytes that are written.
    pub(super) fn write(bytes: u32) -> Extent {
        Extent { bytes, is_write: true }
    }
}

/// A check, and the instruction for which it is made.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Site {
    /// The property that is checked.
    pub check: Check,
    /// The instruction.
    pub at: Inst,
}

/// An index into an array of this length.
#[derive(Clone, Copy, Debug)]
pub(super) struct CheckedIndex {
    pub(super) index: Inst,
    pub(super) length: u64,
}

impl Selector<'_> {
    /// Ends the block: the check failed, for the lanes that are here.
    pub(super) fn fail(&mut self, check: Check, at: Inst) {
        self.fail_with(check, None, at);
    }

    pub(super) fn fail_with(&mut self, check: Check, value: Option<VReg>, at: Inst) {
        let lane = match self.emit.lane {
            Some(lane) => lane,
            None => {
                let bits = self.emit.mask_bits();
                self.emit.define(Class::General, Code::Tzcnt_r64_rm64, [Operand::Use(bits)])
            }
        };
        let context = self.emit.frame_address(header::CONTEXT);
        let pack = self.emit.frame_address(header::PACK);
        let mut note = |code: Code, offset: i32, value: VReg| {
            let place = Operand::Memory(Address::of(context).plus(offset));
            self.emit.push(MachineInst::new(code, [place, Operand::Use(value)]).with_effect());
        };
        if let Some(value) = value {
            note(Code::Mov_rm64_r64, context::FAILED_VALUE, value);
        }
        note(Code::Mov_rm32_r32, context::FAILED_PACK, pack);
        note(Code::Mov_rm32_r32, context::FAILED_LANE, lane);
        let site = self.memory.add_site(check, at);
        self.emit.end(Terminator::Trap(site));
    }

    /// Checks the addresses of an access by an instruction.
    pub(super) fn check_addresses(&mut self, access: &Access, extent: Extent, at: Inst) {
        if let Access::Uniform(address) = access {
            let address = self.emit.address_register(*address);
            return self.check_address(address, extent, at);
        }
        let (operand, form) = self.emit.lane_addresses(access, extent.bytes);
        self.for_each_lane(&[operand], None, |selector, registers| {
            let address = selector.emit.address_of_lane(form, registers[0]);
            let address = selector.emit.address_register(address);
            selector.check_address(address, extent, at);
            None
        });
    }

    /// Looks for the range that has an address.
    fn check_address(&mut self, address: VReg, extent: Extent, at: Inst) {
        let Extent { bytes, is_write } = extent;
        let count = ranges::COUNTS + 8 * bytes.trailing_zeros() as i32;
        let context = self.emit.frame_address(header::CONTEXT);
        let table = self.emit.load_long(Address::of(context).plus(context::RANGES));
        let end = if is_write { ranges::END_OF_WRITES } else { ranges::END_OF_READS };
        let end = self.emit.load_long(Address::of(table).plus(end));
        let first = self.emit.define(
            Class::General,
            Code::Lea_r64_m,
            [Operand::Memory(Address::of(table).plus(ranges::FIRST))],
        );
        let [head, next, again] = [(); 3].map(|()| self.emit.new_block_for(CodeRole::Check));
        let (failed, found) = (self.emit.new_block_for(CodeRole::Failure), self.emit.new_block());
        let range = self.emit.function.register(Class::General);
        self.emit.function.blocks[head.0 as usize].parameters.push(range);
        self.emit.end(Terminator::Jump(head, vec![first]));

        self.emit.block = head;
        let start = Operand::Memory(Address::of(range));
        let offset = self.emit.update(Code::Sub_r64_rm64, address, start);
        let count = Operand::Memory(Address::of(range).plus(count));
        self.emit.push(MachineInst::new(Code::Cmp_r64_rm64, [Operand::Use(offset), count]).with_effect());
        self.emit.end(Terminator::Branch { condition: Condition::Below, then: found, otherwise: next });

        self.emit.block = next;
        let following = Operand::Memory(Address::of(range).plus(ranges::SIZE));
        let following = self.emit.define(Class::General, Code::Lea_r64_m, [following]);
        self.emit
            .push(MachineInst::new(Code::Cmp_r64_rm64, [Operand::Use(following), Operand::Use(end)]).with_effect());
        self.emit.end(Terminator::Branch { condition: Condition::Below, then: again, otherwise: failed });
        self.emit.block = again;
        self.emit.end(Terminator::Jump(head, vec![following]));

        self.fail_in(failed, Check::Address(extent), address, at);
        self.emit.block = found;
    }

    fn fail_in(&mut self, block: BlockId, check: Check, value: VReg, at: Inst) {
        self.emit.block = block;
        self.fail_with(check, Some(value), at);
    }

    /// Checks indexes before an access by an instruction.
    pub(super) fn check_indexes(&mut self, indexes: &[CheckedIndex], at: Inst) -> Result<(), Diagnostic> {
        for &CheckedIndex { index, length } in indexes {
            let ty = self.values.scalar_type(index)?;
            match self.value(index)? {
                Value::Uniform(register) => self.check_index(register, length, ty.bits(), at),
                value => {
                    self.for_each_lane(&[LaneOperand { value, ty }], None, |selector, registers| {
                        selector.check_index(registers[0], length, ty.bits(), at);
                        None
                    });
                }
            }
        }
        Ok(())
    }

    fn check_index(&mut self, index: VReg, length: u64, bits: u32, at: Inst) {
        let bound = self.emit.constant(LONG, length).uniform().expect("invariant: constants are uniform");
        let (failed, fine) = (self.emit.new_block_for(CodeRole::Failure), self.emit.new_block());
        self.emit.push(MachineInst::new(Code::Cmp_r64_rm64, [Operand::Use(index), Operand::Use(bound)]).with_effect());
        self.emit.end(Terminator::Branch { condition: Condition::Below, then: fine, otherwise: failed });
        self.fail_in(failed, Check::Index { length, bits }, index, at);
        self.emit.block = fine;
    }
}

impl Emitter<'_> {
    pub(super) fn load_long(&mut self, address: Address) -> VReg {
        self.define(Class::General, Code::Mov_r64_rm64, [Operand::Memory(address)])
    }
}
