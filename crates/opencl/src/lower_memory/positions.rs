//! Integers of pointers into buffers that are only used as positions: it does not matter where the buffer begins.
//!
//! ```text
//! %a = convert_ptr_to_u %p            %n = i_sub %a, %b                   a number of bytes
//! %b = convert_ptr_to_u %begin        %more = i_not_equal %a, %b          the same for every beginning
//!                                     %c = i_add %a, 4;  convert_u_to_ptr %c
//! ```
//!
//! Optimizers count pointers as integers, so these forms are common where the source has none. They also count up to zero, and then ask
//! whether the integer as a pointer is null. Every other use (a mask, a remainder, a store) needs the address, which there is not. Linear in
//! the uses that it follows.

use reconverge_ir::{Block, Inst, Op, OpGroup, Slot, view};
use rustc_hash::FxHashSet;

use super::classes::Class;
use super::lowering::Lowering;
use super::space::{operand_of, space_of};

impl Lowering<'_> {
    /// Returns whether an integer that was converted from a pointer of a class is only moved, compared with other ones, subtracted from
    /// them, and converted back.
    pub(super) fn is_position(&mut self, integer: Inst, class: Class) -> bool {
        let mut seen: FxHashSet<Inst> = FxHashSet::from_iter([integer]);
        let mut pending = vec![integer];
        while let Some(value) = pending.pop() {
            let users: Vec<(Inst, Slot)> = self.module.uses(value).map(|used| (used.user, used.slot)).collect();
            for (user, slot) in users {
                match self.position_use(value, user, slot, class) {
                    None => return false,
                    Some(Some(next)) if seen.insert(next) => pending.push(next),
                    Some(_) => {}
                }
            }
        }
        true
    }

    /// Returns whether a pointer is only compared with null.
    pub(super) fn is_only_tested(&self, pointer: Inst) -> bool {
        let mut users = self.module.uses(pointer).map(|used| used.user);
        users.all(|user| {
            let sides = view::Binary::of(self.module, user).map(|view::Binary { left, right }| [left, right]);
            matches!(self.module.op(user), Op::PtrEqual | Op::PtrNotEqual)
                && sides.is_some_and(|sides| sides.into_iter().all(|side| side == pointer || self.is_null(side)))
        })
    }

    /// The comparison of an integer with zero for that of a pointer, which is this integer, with null.
    pub(super) fn tested_integer(&mut self, comparison: Inst, op: Op) -> Option<Inst> {
        let view::Binary { left, right } = view::Binary::of(self.module, comparison)?;
        let pointer = if self.is_null(right) { left } else { right };
        let class = self.points_to.class(pointer)?;
        let is_integer = self.module.op(pointer) == Op::ConvertUToPtr && self.points_to.is_bound(class);
        let is_tested = is_integer && self.is_only_tested(pointer);
        let view::ConvertUToPtr { operand } = view::ConvertUToPtr::of(self.module, pointer).filter(|_| is_tested)?;
        let (ty, result) = (self.module.ty(operand)?, self.module.ty(comparison)?);
        let zero = self.module.edit().unique(Op::ConstantNull, Some(ty), &[]);
        Some(self.emit(op, result, &[operand, zero]))
    }

    /// Returns whether a pointer is null, also after casts.
    fn is_null(&self, pointer: Inst) -> bool {
        let mut current = pointer;
        while matches!(self.module.op(current), Op::Bitcast | Op::CopyObject)
            && let Some(operand) = operand_of(self.module, current)
        {
            current = operand;
        }
        self.module.op(current) == Op::ConstantNull
    }

    /// The value that a use of a position makes another position, if it makes one; `None` if it needs an address.
    fn position_use(&mut self, value: Inst, user: Inst, slot: Slot, class: Class) -> Option<Option<Inst>> {
        let module = &*self.module;
        let other = view::Binary::of(module, user)
            .map(|view::Binary { left, right }| (if left == value { right } else { left }, left == value));
        match module.op(user) {
            Op::ConvertUToPtr | Op::Bitcast if space_of(module, user).is_some() => {
                (self.points_to.class(user) == Some(class)).then_some(None)
            }
            Op::IAdd => other.filter(|&(other, _)| !self.points_to.is_pointer(other)).map(|_| Some(user)),
            Op::ISub => match other? {
                (other, _) if self.points_to.is_pointer(other) => Some(None),
                (_, is_left) => is_left.then_some(Some(user)),
            },
            Op::Select if slot != Slot::Operand(0) => Some(Some(user)),
            Op::CopyObject => Some(Some(user)),
            Op::Branch | Op::Loop => {
                let jump = view::Jump::of(module, user)?;
                let target = module.cast::<Block>(jump.target)?;
                let mut passed =
                    module.parameters(target).zip(jump.arguments).filter(|&(_, argument)| argument == value);
                let parameter = passed.next().map(|(parameter, _)| Inst::from(parameter))?;
                passed.next().is_none().then_some(Some(parameter))
            }
            op if op.group() == OpGroup::IntegerComparison => {
                let (other, _) = other?;
                (self.points_to.is_pointer(other) || self.is_zero(other)).then_some(None)
            }
            _ => None,
        }
    }
}
