//! Integers that were converted from pointers, followed forward to where they are converted back.
//!
//! ```text
//! %u = convert_ptr_to_u %p                   bag of %u: class of %p
//! %v = bitwise_and %u, -16            ⇒      bag of %v: the same
//! %q = convert_u_to_ptr %v                   %q joins the class of %p
//! ```
//!
//! The users of a value are processed once for each of their operands that gets a bag. The difference of two such integers is an ordinary
//! integer, and so is a product. Comparisons unite the bags of both sides: offsets are comparable only in one array. Linear in the uses of
//! such values.

use reconverge_diagnostic::Diagnostic;
use reconverge_ir::view::{self, TypeView};
use reconverge_ir::{Block, Inst, Op, Slot};

use super::kinds::Traits;
use super::points_to::PointsToWalk;
use super::space::{Carries, space_of};

impl PointsToWalk<'_> {
    /// Processes the users of all values that got a bag.
    pub(super) fn spread(&mut self) -> Result<(), Diagnostic> {
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

    fn taint_user(&mut self, value: Inst, user: Inst) -> Result<(), Diagnostic> {
        let module = self.module;
        match module.op(user) {
            Op::ConvertUToPtr | Op::Bitcast if space_of(module, user).is_some() => self.become_pointer(value, user),
            Op::Store
                if let Some(store) = view::Store::of(module, user)
                    && store.object == value =>
            {
                match self.class(store.pointer) {
                    Some(target) => self.put(target, value, user),
                    None => Ok(()),
                }
            }
            _ if let Some(atomic) = view::Atomic::of(module, user) => match self.class(atomic.pointer) {
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

    fn become_pointer(&mut self, value: Inst, pointer: Inst) -> Result<(), Diagnostic> {
        let (Some(class), Some(space)) = (self.class(pointer), space_of(self.module, pointer)) else { return Ok(()) };
        let bag = self.bag(value);
        let read = self.classes.read(bag, space, pointer)?;
        self.classes.unite(read, class, pointer)?;
        self.classes.add_trait(class, Traits::FROM_INTEGER);
        Ok(())
    }

    fn taint_parameters(&mut self, value: Inst, user: Inst) -> Result<(), Diagnostic> {
        let module = self.module;
        let Some(jump) = view::Jump::of(module, user) else { return Ok(()) };
        let Some(target) = module.cast::<Block>(jump.target) else { return Ok(()) };
        for (parameter, argument) in module.parameters(target).zip(jump.arguments) {
            if argument == value {
                let (from, to) = (self.bag(value), self.bag(parameter.into()));
                self.classes.unite_bags(from, to, user)?;
            }
        }
        Ok(())
    }

    fn join_operands(&mut self, user: Inst) -> Result<(), Diagnostic> {
        let Some(view::Binary { left, right }) = view::Binary::of(self.module, user) else { return Ok(()) };
        match (self.bag_of.get(&left), self.bag_of.get(&right)) {
            (Some(&a), Some(&b)) => self.classes.unite_bags(a, b, user),
            _ => Ok(()),
        }
    }

    fn taint_result(&mut self, value: Inst, user: Inst) -> Result<(), Diagnostic> {
        let module = self.module;
        let first = module.operands(user).next();
        let is_number = match module.op(user) {
            Op::ISub => view::Binary::of(module, user)
                .is_some_and(|difference| difference.left != value || self.bag_of.contains_key(&difference.right)),
            Op::ShiftLeftLogical | Op::ShiftRightLogical | Op::ShiftRightArithmetic | Op::VectorExtractDynamic => {
                first != Some(value)
            }
            Op::Select => first == Some(value),
            _ => false,
        };
        if is_number || !self.has_room(user) {
            return Ok(());
        }
        let (from, to) = (self.bag(value), self.bag(user));
        self.classes.unite_bags(from, to, user)
    }

    /// Returns whether a value has at least half the width of a pointer.
    fn has_room(&mut self, value: Inst) -> bool {
        let module = self.module;
        match module.ty(value).and_then(|ty| module.type_view(ty)) {
            Some(TypeView::Int { width, .. }) => width >= 32,
            Some(TypeView::Vector { component, .. }) => module.op(component) == Op::TypeInt,
            Some(TypeView::Struct { .. } | TypeView::Array { .. }) => true,
            _ => false,
        }
    }
}

/// Returns whether the result of the op may be the pointer in an operand.
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
