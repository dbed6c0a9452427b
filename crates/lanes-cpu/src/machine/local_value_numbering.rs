//! Local value numbering: an instruction that computes what another one of its block has computed is replaced by it.
//!
//! Selection writes the same instructions again and again: the number of a pack, the address of the memory of the work-group, a vector of
//! offsets, the quotient that a remainder needs. Instructions are equal if their codes and immediates are, and if their operands have the
//! same numbers. Constants get a number too, but keep their instructions, because to load one again is cheaper than a register. Linear.
//!
//! The header of a frame does not change within a block: an instruction that changes it ends the block.

use super::dce::for_each_def;
use super::{Address, Base, Inst, MachineFunction, Operand, Terminator, VReg};
use iced_x86::{Code, Mnemonic};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

/// Bytes of the header of a frame.
const HEADER: i32 = 64;

/// The expression of an instruction: its code, immediates, and value numbers of operands.
type Key = SmallVec<[u64; 10]>;

struct Numbering {
    /// The representative of each register: it has the same value.
    numbers: Vec<VReg>,
    /// The register that replaces each register.
    replacements: Vec<VReg>,
}

/// Removes repeated computations from each block.
pub(super) fn number_values(function: &mut MachineFunction) {
    let classes = (0..).zip(&function.classes);
    let registers: Vec<VReg> = classes.map(|(index, &class)| VReg { index, class }).collect();
    let mut numbering = Numbering { numbers: registers.clone(), replacements: registers };
    let mut known: FxHashMap<Key, VReg> = FxHashMap::default();
    for block in &mut function.blocks {
        known.clear();
        let is_branch = matches!(block.end, Some(Terminator::Branch { .. }));
        let count = block.insts.len() - usize::from(is_branch && !block.insts.is_empty());
        for inst in &block.insts[..count] {
            let Some(result) = single_result(inst) else { continue };
            let Some(key) = numbering.key(inst) else { continue };
            let first = *known.entry(key).or_insert(result);
            numbering.numbers[result.index as usize] = first;
            if !is_constant(inst) {
                numbering.replacements[result.index as usize] = first;
            }
        }
    }
    numbering.replace(function);
}

/// The register that an instruction writes, if that is all that it does.
fn single_result(inst: &Inst) -> Option<VReg> {
    if inst.has_effect || inst.is_locked || inst.consumed_mask.is_some() || !inst.implicit.is_empty() {
        return None;
    }
    let (mut result, mut count) = (None, 0);
    for_each_def(inst, |register| {
        result = Some(register);
        count += 1;
    });
    result.filter(|_| count == 1 && !reads_flags(inst.code))
}

fn reads_flags(code: Code) -> bool {
    use Mnemonic as M;
    matches!(
        code.mnemonic(),
        M::Adc
            | M::Sbb
            | M::Seta
            | M::Setae
            | M::Setb
            | M::Setbe
            | M::Sete
            | M::Setne
            | M::Setg
            | M::Setge
            | M::Setl
            | M::Setle
            | M::Setp
            | M::Setnp
            | M::Cmova
            | M::Cmovae
            | M::Cmovb
            | M::Cmovbe
            | M::Cmove
            | M::Cmovne
            | M::Cmovg
            | M::Cmovge
            | M::Cmovl
            | M::Cmovle
            | M::Cmovp
            | M::Cmovnp
    )
}

/// Returns whether an instruction loads a constant.
fn is_constant(inst: &Inst) -> bool {
    match inst.operands.as_slice() {
        [Operand::Def(_), Operand::Immediate(_)] => true,
        [Operand::Def(_), Operand::Memory(address)] => {
            address.base == Base::Constants && inst.code.mnemonic() != Mnemonic::Lea
        }
        _ => false,
    }
}

/// Returns whether memory at an address is the same throughout a block.
fn is_fixed(address: Address) -> bool {
    match address.base {
        Base::Constants => true,
        Base::Frame => address.index.is_none() && address.displacement < HEADER,
        Base::Register(_) | Base::None => false,
    }
}

impl Numbering {
    fn number(&self, register: VReg) -> u64 {
        self.numbers[register.index as usize].index.into()
    }

    fn key(&self, inst: &Inst) -> Option<Key> {
        let mut key = Key::new();
        key.push(inst.code as u64 | u64::from(inst.is_zeroing) << 32 | u64::from(inst.is_broadcast) << 33);
        key.push(inst.mask.map_or(u64::MAX, |mask| self.number(mask)));
        for operand in &inst.operands {
            match *operand {
                Operand::Def(_) => {}
                Operand::Use(register) | Operand::Update { from: register, .. } => key.push(self.number(register)),
                Operand::Immediate(value) => key.push(value.cast_unsigned()),
                Operand::Memory(address) => {
                    if inst.code.mnemonic() != Mnemonic::Lea && !is_fixed(address) {
                        return None;
                    }
                    let (kind, base) = match address.base {
                        Base::Register(register) => (0, self.number(register)),
                        Base::None => (1, 0),
                        Base::Frame => (2, 0),
                        Base::Constants => (3, 0),
                    };
                    let index = address.index.map_or(u64::MAX, |index| self.number(index));
                    let displacement = u64::from(address.displacement.cast_unsigned());
                    key.extend([kind << 8 | u64::from(address.scale) | displacement << 32, base, index]);
                }
            }
        }
        Some(key)
    }

    /// Reads the registers that stay instead of those that go.
    fn replace(&self, function: &mut MachineFunction) {
        let new = |register: &mut VReg| *register = self.replacements[register.index as usize];
        for block in &mut function.blocks {
            for inst in &mut block.insts {
                inst.replace_uses(|register| self.replacements[register.index as usize]);
            }
            match &mut block.end {
                Some(Terminator::Jump(_, arguments)) => arguments.iter_mut().for_each(new),
                Some(Terminator::Table { index, .. }) => new(index),
                _ => {}
            }
        }
    }
}
