//! Integers of pointers into buffers that are only used as positions: it does not matter where the buffer begins.
//!
//! ```text
//! %a = convert_ptr_to_u %p            %n = i_sub %a, %b                   a number of bytes
//! %b = convert_ptr_to_u %begin        %more = i_not_equal %a, %b          the same for every beginning
//!                                     %c = i_add %a, 4;  convert_u_to_ptr %c
//! ```
//!
//! Optimizers count pointers as integers, so these forms are common where the source has none. Every other use (a mask, a remainder, a
//! store) needs the address, which there is not. Linear in the uses that it follows.

use reconverge_ir::{Block, Inst, Op, OpGroup, Slot, view};
use rustc_hash::FxHashSet;

use super::classes::Class;
use super::lowering::Lowering;
use super::space::space_of;

impl Lowering<'_> {
    /// Whether an integer that was converted from a pointer of a class is only moved, compared with other ones, subtracted from them, and
    /// converted back.
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
