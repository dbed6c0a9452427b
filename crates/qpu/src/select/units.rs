//! The arguments of a QPU, and the loop over its units of work.
//!
//! A unit is a pack of a work-group: 16 work-items. A QPU reads its uniforms once, where the program begins, and runs every `step`-th unit:
//!
//! ```text
//!        uniforms → registers
//! unit:  the kernel for pack p of work-group (x, y, z)
//!        p += step;  while p ≥ packs: p −= packs, x += 1           without barriers
//!        x += 1                                                    with barriers: a QPU for each pack, work-groups one after another
//!        while x ≥ groups.x: x −= groups.x, y += 1;  the same with y and z
//!        if z < groups.z: again
//! ```

use std::collections::BTreeMap;

use reconverge_diagnostic::Diagnostic;
use reconverge_ir::Inst;
use reconverge_lanes::input_of;
use spirv::BuiltIn;

use super::emit::{Emitter, Label, Word};
use super::selector::Selector;
use super::value::{Words, one};
use super::values::Values;
use crate::LANES;
use crate::error::unsupported;
use crate::machine::{
    AddOp, BranchCondition, Condition, Destination, Inst as MachineInst, Operation, ReadPort, SmallImmediate, Source,
    VReg,
};
use crate::program::Uniform;

/// The uniforms that a function reads, and registers that are made of them where the program begins.
#[derive(Debug, Default)]
pub(crate) struct Inputs {
    uniforms: BTreeMap<Uniform, VReg>,
    /// The first row of the QPU, shifted.
    rows: BTreeMap<u8, VReg>,
}

impl Selector<'_> {
    /// The register with a uniform.
    pub(crate) fn uniform(&mut self, uniform: Uniform) -> Word {
        if let Some(&register) = self.memory.inputs.uniforms.get(&uniform) {
            return Word::Register(register);
        }
        let register = self.emit.register();
        self.memory.inputs.uniforms.insert(uniform, register);
        Word::Register(register)
    }

    /// The first row of the QPU, shifted to its place in a setup word.
    pub(crate) fn first_row(&mut self, shift: u8) -> Word {
        if let Some(&register) = self.memory.inputs.rows.get(&shift) {
            return Word::Register(register);
        }
        let register = self.emit.register();
        self.memory.inputs.rows.insert(shift, register);
        Word::Register(register)
    }

    /// Ends the program: the next unit, or the end. Then writes the entry block. Gives the uniforms in the order in which they are read.
    pub(crate) fn finish_units(&mut self, unit: Label) -> Vec<Uniform> {
        self.advance(unit);
        self.emit.push(MachineInst::plain(Operation::End, Destination::Null));
        if self.emit.function.spill_base.is_none() {
            let Word::Register(base) = self.uniform(Uniform::FirstRow) else { return Vec::new() };
            self.emit.function.spill_base = Some(base);
        }
        let mut entry = Vec::new();
        for &register in self.memory.inputs.uniforms.values() {
            entry.push(MachineInst::copy(Destination::Register(register), Source::Port(ReadPort::Uniform)));
        }
        let base = self.memory.inputs.uniforms.get(&Uniform::FirstRow).copied();
        for (&shift, &register) in &self.memory.inputs.rows {
            let base = Source::Register(base.unwrap_or(register));
            let destination = Destination::Register(register);
            entry.push(match shift {
                0 => MachineInst::copy(destination, base),
                _ => {
                    let amount = Source::Small(SmallImmediate(shift));
                    MachineInst::binary(Operation::Add(AddOp::Shl), destination, base, amount)
                }
            });
        }
        for (&value, &register) in &self.emit.entry_constants {
            let destination = Destination::Register(register);
            entry.push(MachineInst::immediate(destination, value));
        }
        self.emit.function.blocks[0].insts = entry;
        self.memory.inputs.uniforms.keys().copied().collect()
    }

    fn advance(&mut self, unit: Label) {
        let counters = [Uniform::Pack, Uniform::Group(0), Uniform::Group(1), Uniform::Group(2)];
        let counters = counters.map(|counter| self.uniform(counter));
        let [pack, x, y, z] = counters.map(|word| self.emit.in_register(word));
        let counts = [0, 1, 2].map(|dimension| self.uniform(Uniform::Count(dimension)));
        let packs = self.values.specialization.packs();
        if self.values.is_together {
            self.emit.increase(x, Word::Constant(1));
        } else {
            let step = self.uniform(Uniform::Step);
            if packs == 1 {
                self.emit.increase(x, step);
            } else {
                self.emit.increase(pack, step);
                self.emit.wrap(pack, Word::Constant(packs), x);
            }
        }
        self.emit.wrap(x, counts[0], y);
        self.emit.wrap(y, counts[1], z);
        self.emit.flags(AddOp::Sub, Word::Register(z), counts[2]);
        self.emit.branch(BranchCondition::Any(Condition::CarrySet), unit);
    }

    /// The number of a lane in its work-group.
    pub(crate) fn index(&mut self) -> Word {
        let lane = self.emit.read(ReadPort::ElementNumber);
        if self.values.specialization.packs() == 1 {
            return lane;
        }
        let pack = self.uniform(Uniform::Pack);
        let first = self.emit.shift(AddOp::Shl, pack, 4);
        self.emit.add(first, lane)
    }

    /// Loads a component of a built-in input.
    pub(crate) fn select_input(&mut self, inst: Inst, built_in: BuiltIn, component: u32) -> Result<(), Diagnostic> {
        let words = self.input(inst, built_in, component)?;
        self.values.set(inst, words);
        Ok(())
    }

    fn input(&mut self, inst: Inst, built_in: BuiltIn, component: u32) -> Result<Words, Diagnostic> {
        let component = component.min(2) as u8;
        Ok(one(match built_in {
            BuiltIn::LocalInvocationId => self.local_id(component),
            BuiltIn::LocalInvocationIndex => self.index(),
            BuiltIn::GlobalInvocationId => {
                let local = self.local_id(component);
                let group = self.uniform(Uniform::Group(component));
                let size = Word::Constant(self.values.specialization.local[component as usize]);
                let first = self.emit.product_of_words(group, size);
                self.emit.add(first, local)
            }
            BuiltIn::WorkgroupId => self.uniform(Uniform::Group(component)),
            BuiltIn::NumWorkgroups => self.uniform(Uniform::Count(component)),
            BuiltIn::SubgroupLocalInvocationId => self.emit.read(ReadPort::ElementNumber),
            BuiltIn::SubgroupSize => Word::Constant(LANES),
            BuiltIn::SubgroupId => match self.values.specialization.packs() {
                1 => Word::Constant(0),
                _ => self.uniform(Uniform::Pack),
            },
            BuiltIn::NumSubgroups => Word::Constant(self.values.specialization.packs()),
            BuiltIn::SubgroupEqMask
            | BuiltIn::SubgroupGeMask
            | BuiltIn::SubgroupGtMask
            | BuiltIn::SubgroupLeMask
            | BuiltIn::SubgroupLtMask => self.lane_mask(built_in, component),
            _ => {
                let what = format!("the built-in input {built_in:?}");
                return Err(unsupported(inst, what));
            }
        }))
    }

    /// The lanes that are before, at or after each lane, as bits.
    fn lane_mask(&mut self, built_in: BuiltIn, component: u8) -> Word {
        if component > 0 {
            return Word::Constant(0);
        }
        let lane = self.emit.read(ReadPort::ElementNumber);
        let bit = self.emit.binary(AddOp::Shl, Word::Constant(1), lane);
        let below = self.emit.sub(bit, Word::Constant(1));
        let all = Word::Constant((1 << LANES) - 1);
        match built_in {
            BuiltIn::SubgroupEqMask => bit,
            BuiltIn::SubgroupLtMask => below,
            BuiltIn::SubgroupLeMask => self.emit.or(bit, below),
            BuiltIn::SubgroupGeMask => self.emit.xor(all, below),
            _ => {
                let through = self.emit.or(bit, below);
                self.emit.xor(all, through)
            }
        }
    }

    /// A component of the number of a lane in its work-group. The first dimension goes fastest.
    fn local_id(&mut self, component: u8) -> Word {
        let local = self.values.specialization.local;
        let place = component as usize;
        if local[place] == 1 {
            return Word::Constant(0);
        }
        let before: u32 = local[..place].iter().product();
        let is_last = local[place + 1..].iter().all(|&size| size == 1);
        // There is one row.
        if before == 1 && is_last {
            return self.index();
        }
        let index = self.index();
        let number = self.small_quotient(index, before);
        if is_last {
            return number;
        }
        let quotient = self.small_quotient(number, local[place]);
        let product = self
            .emit
            .product((quotient, self.values.specialization.items()), (Word::Constant(local[place]), local[place]));
        self.emit.sub(number, product)
    }

    /// The quotient of a number of a work-item and a constant. In a work-group of at most 64 the product with the reciprocal, scaled by 2¹² and
    /// rounded up, is exact: the error of the reciprocal is less than the divisor, and the number times the divisor at most 2¹².
    fn small_quotient(&mut self, number: Word, divisor: u32) -> Word {
        const SCALE: u32 = 12;
        if divisor.is_power_of_two() {
            return self.emit.shift(AddOp::Shr, number, divisor.trailing_zeros());
        }
        if self.values.specialization.items() > 1 << (SCALE / 2) {
            return self.emit.divide(number, Word::Constant(divisor)).0;
        }
        let factor = (1_u32 << SCALE).div_ceil(divisor);
        let product = self.emit.product((number, 1 << SCALE), (Word::Constant(factor), factor));
        self.emit.shift(AddOp::Shr, product, SCALE)
    }

    /// Parks the lanes after the end of a work-group that does not fill its packs at an index.
    pub(crate) fn begin_partial(&mut self, exit: u32) {
        let index = self.index();
        let execute = self.emit.execute;
        let items = self.values.specialization.items();
        let (index, items) = (Word::Register(self.emit.in_register(index)), Word::Register(self.emit.loaded(items)));
        self.emit.copy(execute, Word::Constant(exit));
        self.emit.flags(AddOp::Sub, index, items);
        self.emit.copy_when(execute, Word::Constant(0), Condition::CarrySet);
    }

    /// A scalar of the push constants.
    pub(crate) fn argument(&mut self, offset: u32, words: usize, at: Inst) -> Result<Words, Diagnostic> {
        if !offset.is_multiple_of(4) {
            return Err(self.values.unsupported(at, "a push constant that is not at a word"));
        }
        Ok((0..words as u32).map(|word| self.uniform(Uniform::Argument(offset / 4 + word))).collect())
    }
}

impl Values<'_> {
    /// The greatest value of an input that is loaded.
    pub(crate) fn input_bound(&self, load: Inst) -> u64 {
        let local = self.specialization.local;
        let bound = match input_of(self.module, self.module.operand(load, 0)) {
            Some((BuiltIn::LocalInvocationId, component @ 0..=2)) => local[component as usize] - 1,
            Some((BuiltIn::LocalInvocationIndex, _)) => self.specialization.items() - 1,
            Some((BuiltIn::SubgroupLocalInvocationId, _)) => LANES - 1,
            Some((BuiltIn::SubgroupSize, _)) => LANES,
            _ => return u64::MAX,
        };
        u64::from(bound)
    }
}

impl Emitter {
    fn increase(&mut self, register: VReg, by: Word) {
        self.binary_to(Destination::Register(register), AddOp::Add, Word::Register(register), by);
    }

    /// While a counter is not below its limit, takes the limit from it and counts the next one.
    fn wrap(&mut self, counter: VReg, limit: Word, next: VReg) {
        let (head, done) = (self.label(), self.label());
        self.place(head);
        self.flags(AddOp::Sub, Word::Register(counter), limit);
        self.branch(BranchCondition::Any(Condition::CarrySet), done);
        self.binary_to(Destination::Register(counter), AddOp::Sub, Word::Register(counter), limit);
        self.increase(next, Word::Constant(1));
        self.jump(head);
        self.place(done);
    }
}
