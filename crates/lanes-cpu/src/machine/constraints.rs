//! The register constraints of operands.
//!
//! | operand | constraint |
//! |---|---|
//! | `Use` of a register or memory | anything, if the form has no other memory operand: a spilled value is read where it is |
//! | other `Use`, base, index, mask | a register |
//! | `Def` | a register; from the start where it must differ from its inputs |
//! | `Update`, consumed mask | a register, reused by the result |
//! | implicit | the register |
//!
//! Legacy and VEX forms name only the first 16 vector registers. In a function with 32 they need a register below 16, or, where the
//! allocator has no such constraint (results that reuse an operand; [`regalloc2::Algorithm::Fastalloc`]), for one fixed register.

use super::flatten::allocator_register;
use super::op_codes::Form;
use super::registers::{allocator_class, fixed_register, is_register_or_memory, physical};
use super::{Address, Base, Class, Implicit, Inst, Operand, VReg};
use iced_x86::{Code, Mnemonic, OpCodeOperandKind};
use regalloc2::{Operand as AllocatorOperand, OperandConstraint, OperandKind, OperandPos, PReg, PRegSet};

/// The properties of the target and of the allocator that constraints depend on.
pub(super) struct Constraints {
    /// True if there are 32 vector registers.
    pub(super) has_avx512: bool,
    /// True if the allocator knows [`OperandConstraint::Limit`].
    pub(super) has_limits: bool,
}

/// The operands of one instruction while they are listed.
struct List<'l> {
    operands: &'l mut Vec<AllocatorOperand>,
    /// The index of the first operand of the instruction.
    first: usize,
    /// True if vector registers from 16 on have no name in the form.
    is_narrow: bool,
    has_limits: bool,
    /// The number of operands that have a fixed register for lack of a limit.
    fixed: usize,
}

impl List<'_> {
    fn push(&mut self, register: VReg, constraint: OperandConstraint, kind: OperandKind, position: OperandPos) {
        self.operands.push(AllocatorOperand::new(allocator_register(register), constraint, kind, position));
    }

    /// A register of the class that the form can name.
    fn any_register(&mut self, class: Class) -> OperandConstraint {
        if !self.is_narrow || class != Class::Vector {
            OperandConstraint::Reg
        } else if self.has_limits {
            OperandConstraint::Limit(16)
        } else {
            self.fixed_low()
        }
    }

    /// One of the registers below 16, another one for each operand of the instruction.
    fn fixed_low(&mut self) -> OperandConstraint {
        self.fixed += 1;
        OperandConstraint::FixedReg(PReg::new(16 - self.fixed, allocator_class(Class::Vector)))
    }

    fn push_use(&mut self, register: VReg) {
        let constraint = self.any_register(register.class);
        self.push(register, constraint, OperandKind::Use, OperandPos::Early);
    }

    fn push_update(&mut self, from: VReg, to: VReg) {
        if self.is_narrow && from.class == Class::Vector {
            let fixed = self.fixed_low();
            self.push(from, fixed, OperandKind::Use, OperandPos::Early);
            self.push(to, fixed, OperandKind::Def, OperandPos::Late);
            return;
        }
        let reused = self.operands.len() - self.first;
        self.push(from, OperandConstraint::Reg, OperandKind::Use, OperandPos::Early);
        self.push(to, OperandConstraint::Reuse(reused), OperandKind::Def, OperandPos::Late);
    }

    fn push_address(&mut self, address: &Address) {
        if let Base::Register(base) = address.base {
            self.push_use(base);
        }
        if let Some(index) = address.index {
            self.push_use(index);
        }
    }
}

/// Returns whether a spilled operand may be read from memory although the form reads a register or memory: some forms read other bits then.
fn reads_the_same_from_memory(code: Code) -> bool {
    !matches!(
        code.mnemonic(),
        Mnemonic::Bt | Mnemonic::Btc | Mnemonic::Btr | Mnemonic::Bts | Mnemonic::Insertps | Mnemonic::Vinsertps
    )
}

/// The kinds of the operands that an instruction gives. A form that names a register by itself (`cl`) may be given it or not.
pub(super) fn given_kinds(inst: &Inst) -> impl Iterator<Item = (u32, OpCodeOperandKind)> {
    let form = Form::of(inst.code);
    let skips_fixed = inst.operands.len() < form.kinds.len();
    (0..).zip(form.kinds.iter().copied()).filter(move |(_, kind)| !(skips_fixed && is_given_by_form(*kind)))
}

/// Returns whether a form says what an operand is.
pub(super) fn is_given_by_form(kind: OpCodeOperandKind) -> bool {
    kind == OpCodeOperandKind::imm8_const_1 || fixed_register(kind).is_some()
}

impl Constraints {
    /// Lists the operands of an instruction, and returns the registers that it clobbers.
    pub(super) fn list(&self, inst: &Inst, operands: &mut Vec<AllocatorOperand>) -> PRegSet {
        let form = Form::of(inst.code);
        let is_narrow = self.has_avx512 && !form.is_evex;
        debug_assert!(!merges_into_a_def(inst), "{:?} merges into a register that it does not read", inst.code);
        let first = operands.len();
        let mut list = List { operands, first, is_narrow, has_limits: self.has_limits, fixed: 0 };
        let has_memory = inst.operands.iter().any(|operand| matches!(operand, Operand::Memory(_)));
        let may_fold = !has_memory && reads_the_same_from_memory(inst.code);
        for ((_, kind), operand) in given_kinds(inst).zip(&inst.operands) {
            match (*operand, fixed_register(kind)) {
                (Operand::Memory(address), _) => list.push_address(&address),
                (Operand::Immediate(_), _) => {}
                (Operand::Use(register), Some(fixed)) => {
                    let fixed = OperandConstraint::FixedReg(physical(fixed));
                    list.push(register, fixed, OperandKind::Use, OperandPos::Early);
                }
                (Operand::Def(register), Some(fixed)) => {
                    let fixed = OperandConstraint::FixedReg(physical(fixed));
                    list.push(register, fixed, OperandKind::Def, OperandPos::Late);
                }
                (Operand::Update { from, to }, Some(fixed)) => {
                    let fixed = OperandConstraint::FixedReg(physical(fixed));
                    list.push(from, fixed, OperandKind::Use, OperandPos::Early);
                    list.push(to, fixed, OperandKind::Def, OperandPos::Late);
                }
                (Operand::Use(register), None)
                    if may_fold && is_register_or_memory(kind) && !(is_narrow && register.class == Class::Vector) =>
                {
                    list.push(register, OperandConstraint::Any, OperandKind::Use, OperandPos::Early);
                }
                (Operand::Use(register), None) => list.push_use(register),
                (Operand::Def(register), None) => {
                    let constraint = list.any_register(register.class);
                    let is_early = form.has_unique_destination;
                    let position = if is_early { OperandPos::Early } else { OperandPos::Late };
                    list.push(register, constraint, OperandKind::Def, position);
                }
                (Operand::Update { from, to }, None) => list.push_update(from, to),
            }
        }
        if let Some(mask) = inst.mask {
            list.push_use(mask);
        }
        if let Some((from, to)) = inst.consumed_mask {
            list.push_update(from, to);
        }
        let clobbers = list_implicit(inst, &mut list);
        if form.has_unique_destination {
            keep_apart(inst, &mut list);
        }
        clobbers
    }
}

/// Lists the implicit operands, and returns the clobbers.
fn list_implicit(inst: &Inst, list: &mut List<'_>) -> PRegSet {
    let mut clobbers = PRegSet::empty();
    for implicit in &inst.implicit {
        match *implicit {
            Implicit::Use(register, fixed) => {
                let fixed = OperandConstraint::FixedReg(physical(fixed));
                list.push(register, fixed, OperandKind::Use, OperandPos::Early);
            }
            Implicit::Def(register, fixed) => {
                let fixed = OperandConstraint::FixedReg(physical(fixed));
                list.push(register, fixed, OperandKind::Def, OperandPos::Late);
            }
            Implicit::Clobber(register) => clobbers.add(physical(register)),
        }
    }
    clobbers
}

/// An updated register that is also the index must not be overwritten while it is an index: the index lives on until the end.
fn keep_apart(inst: &Inst, list: &mut List<'_>) {
    let updates = inst.operands.iter().filter_map(|operand| match operand {
        Operand::Update { from, .. } => Some(*from),
        _ => None,
    });
    let updated: smallvec::SmallVec<[VReg; 2]> = updates.chain(inst.consumed_mask.map(|(from, _)| from)).collect();
    for operand in &inst.operands {
        if let Operand::Memory(Address { index: Some(index), .. }) = operand
            && updated.contains(index)
        {
            list.push(*index, OperandConstraint::Reg, OperandKind::Use, OperandPos::Late);
        }
    }
}

/// Merge masking reads the destination. Such an instruction must update it. The mask of a blend chooses between its sources.
fn merges_into_a_def(inst: &Inst) -> bool {
    let is_blend = matches!(
        inst.code.mnemonic(),
        Mnemonic::Vpblendmb
            | Mnemonic::Vpblendmw
            | Mnemonic::Vpblendmd
            | Mnemonic::Vpblendmq
            | Mnemonic::Vblendmps
            | Mnemonic::Vblendmpd
    );
    let merges = inst.mask.is_some() && !inst.is_zeroing && !is_blend;
    merges && matches!(inst.operands.first(), Some(Operand::Def(register)) if register.class == Class::Vector)
}
