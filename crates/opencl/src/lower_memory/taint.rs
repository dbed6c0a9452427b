//! Integers that came from pointers, followed forward to where they become pointers again.
//!
//! ```text
//! %u = convert_ptr_to_u %p                   bag of %u: class of %p
//! %v = bitwise_and %u, -16            ⇒      bag of %v: the same
//! %q = convert_u_to_ptr %v                   %q joins the class of %p
//! ```
//!
//! A value that gets a bag has its users looked at, once for each time one of their operands gets one. The difference of two such
//! integers is a number again, and so is a product. Comparisons join the bags of both sides: offsets are comparable only in one
//! array. Linear in the uses of such values.

use reconverge_ir::{Block, Inst, Op, Slot, Terminator};

use super::kinds::Traits;
use super::points_to::Walk;
use super::space::{Carries, space_of};
use crate::KernelError;

impl Walk<'_> {
    /// Follows all values that got a bag.
    pub(super) fn spread(&mut self) -> Result<(), KernelError> {
        loop {
            for (inst, bag) in self.classes.take_tainted() {
                let own = self.bag(inst);
                self.classes.unite_bags(own, bag, inst)?;
            }
            let Some(value) = self.pending.pop() else {
                if self.classes.has_tainted() {
                    continue;
                }
                return Ok(());
            };
            let users: Vec<Inst> =
                self.module.uses(value).filter(|used| used.slot != Slot::Type).map(|used| used.user).collect();
            for user in users {
                self.taint_user(value, user)?;
            }
        }
    }

    fn taint_user(&mut self, value: Inst, user: Inst) -> Result<(), KernelError> {
        let module = self.module;
        match module.op(user) {
            Op::ConvertUToPtr | Op::Bitcast if space_of(module, user).is_some() => self.become_pointer(value, user),
            Op::Store if module.operand(user, 1) == value => match self.class(module.operand(user, 0)) {
                Some(target) => self.put(target, value, user),
                None => Ok(()),
            },
            op if op.class() == reconverge_ir::Class::Atomic => match self.class(module.operand(user, 0)) {
                Some(target) if self.carriers.of_value(module, value) != Carries::Nothing => {
                    self.put(target, value, user)
                }
                _ => Ok(()),
            },
            Op::Branch | Op::Loop => self.taint_parameters(value, user),
            Op::IEqual
            | Op::INotEqual
            | Op::ULessThan
            | Op::ULessThanEqual
            | Op::UGreaterThan
            | Op::UGreaterThanEqual => self.join_operands(user),
            op if carries_on(op) => self.taint_result(value, user),
            _ => Ok(()),
        }
    }

    fn become_pointer(&mut self, value: Inst, pointer: Inst) -> Result<(), KernelError> {
        let (Some(class), Some(space)) = (self.class(pointer), space_of(self.module, pointer)) else { return Ok(()) };
        let bag = self.bag(value);
        let read = self.classes.read(bag, space, pointer)?;
        self.classes.unite(read, class, pointer)?;
        self.classes.add_trait(class, Traits::FROM_INTEGER);
        Ok(())
    }

    fn taint_parameters(&mut self, value: Inst, user: Inst) -> Result<(), KernelError> {
        let module = self.module;
        let Some(terminator) = module.cast::<Terminator>(user) else { return Ok(()) };
        let Some(target) = module.operands(user).next().and_then(|target| module.cast::<Block>(target)) else {
            return Ok(());
        };
        for (parameter, argument) in module.parameters(target).zip(module.arguments(terminator)) {
            if argument == value {
                let (from, to) = (self.bag(value), self.bag(parameter.into()));
                self.classes.unite_bags(from, to, user)?;
            }
        }
        Ok(())
    }

    fn join_operands(&mut self, user: Inst) -> Result<(), KernelError> {
        let (a, b) = (self.module.operand(user, 0), self.module.operand(user, 1));
        match (self.bag_of.get(&a), self.bag_of.get(&b)) {
            (Some(&a), Some(&b)) => self.classes.unite_bags(a, b, user),
            _ => Ok(()),
        }
    }

    fn taint_result(&mut self, value: Inst, user: Inst) -> Result<(), KernelError> {
        let module = self.module;
        let is_difference = module.op(user) == Op::ISub
            && (module.operand(user, 0) != value || self.bag_of.contains_key(&module.operand(user, 1)));
        let is_shift = matches!(
            module.op(user),
            Op::ShiftLeftLogical | Op::ShiftRightLogical | Op::ShiftRightArithmetic | Op::VectorExtractDynamic
        );
        let is_condition = module.op(user) == Op::Select && module.operand(user, 0) == value;
        if is_difference || is_condition || (is_shift && module.operand(user, 0) != value) || !self.has_room(user) {
            return Ok(());
        }
        let (from, to) = (self.bag(value), self.bag(user));
        self.classes.unite_bags(from, to, user)
    }

    /// Whether a value has room for half a pointer at least.
    fn has_room(&mut self, value: Inst) -> bool {
        let module = self.module;
        let Some(ty) = module.ty(value) else { return false };
        match module.op(ty) {
            Op::TypeInt => module.literal_word(module.operand(ty, 0)).is_some_and(|width| width >= 32),
            Op::TypeVector => module.op(module.operand(ty, 0)) == Op::TypeInt,
            Op::TypeStruct | Op::TypeArray => true,
            _ => false,
        }
    }
}

/// Whether the result of the op may be the pointer that an operand was.
fn carries_on(op: Op) -> bool {
    matches!(
        op,
        Op::IAdd
            | Op::ISub
            | Op::BitwiseAnd
            | Op::BitwiseOr
            | Op::BitwiseXor
            | Op::Select
            | Op::UConvert
            | Op::SConvert
            | Op::Bitcast
            | Op::CopyObject
            | Op::ExpectKHR
            | Op::ShiftLeftLogical
            | Op::ShiftRightLogical
            | Op::ShiftRightArithmetic
            | Op::CompositeConstruct
            | Op::CompositeExtract
            | Op::CompositeInsert
            | Op::VectorShuffle
            | Op::VectorExtractDynamic
            | Op::VectorInsertDynamic
    )
}
