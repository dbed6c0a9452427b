//! Unions that depend on the locations of the objects of classes, which are known last.
//!
//! ```text
//! %l = generic_cast_to_ptr_explicit %x, Workgroup     %x points to local memory: the same pointer. Otherwise: null
//! %e = ptr_equal %x, %y                               the same memory: one class. Otherwise: equal if both are null
//! %t = variable UniformConstant { &%counter }         holds an address: the host keeps it
//! ```
//!
//! A union can cause another one, so rounds are repeated until nothing changes. Each round is linear in the open unions; kernels need one
//! or two.

use reconverge_analysis::Layout;
use reconverge_diagnostic::Diagnostic;
use reconverge_ir::{Inst, Op, view};

use super::chain::integer_constant;
use super::classes::Host;
use super::kinds::{Kinds, Traits};
use super::points_to::{Memory, PointsToWalk, memory};
use super::space::{Space, operand_of, space_of};

/// Larger module constants are stored by the host.
const LARGE_CONSTANT: u64 = 1 << 14;

impl PointsToWalk<'_> {
    /// Makes the unions that depend on the objects of classes, until nothing changes.
    pub(super) fn finish(&mut self) -> Result<(), Diagnostic> {
        for inst in std::mem::take(&mut self.from_integers) {
            let Some(operand) = operand_of(self.module, inst) else { continue };
            let (Some(class), Some(space)) = (self.class(inst), space_of(self.module, inst)) else { continue };
            if integer_constant(self.module, operand) == Some(0) {
                self.classes.add_trait(class, Traits::NULL);
            } else if !self.bag_of.contains_key(&operand)
                && matches!(space, Space::Constant | Space::Generic)
                && self.classes.host() == Host::Addresses
            {
                self.classes.add_kinds(class, Kinds::OUTSIDE, inst)?;
            }
        }
        loop {
            let before = self.classes.union_count();
            self.constants_outside()?;
            self.explicit_casts()?;
            self.generic_comparisons()?;
            self.classes.settle_reads()?;
            self.spread()?;
            if self.classes.union_count() == before {
                return Ok(());
            }
        }
    }

    /// Module constants that contain addresses, which only the host knows, or that are too large for registers, are stored by the host.
    fn constants_outside(&mut self) -> Result<(), Diagnostic> {
        let host = self.classes.host().kind();
        for global in self.module.globals() {
            let is_constant =
                self.module.op(global) == Op::Variable && space_of(self.module, global) == Some(Space::Constant);
            let Some(class) = self.class(global).filter(|_| is_constant) else { continue };
            if !self.classes.kinds(class).contains(host)
                && (self.classes.holds_addresses(class) || self.is_large(global))
            {
                self.classes.add_kinds(class, host, global)?;
                self.classes.note_change();
            }
        }
        Ok(())
    }

    fn is_large(&self, variable: Inst) -> bool {
        let layout = self.module.pointee(variable).map(|ty| Layout::of(self.module, ty));
        layout.is_some_and(|layout| layout.is_ok_and(|layout| layout.size > LARGE_CONSTANT))
    }

    /// A cast that tests whether a pointer points to a space: the result is the pointer, or null.
    fn explicit_casts(&mut self) -> Result<(), Diagnostic> {
        for inst in self.explicit_casts.clone() {
            let Some(cast) = view::GenericCastToPtrExplicit::of(self.module, inst) else { continue };
            let space = space_of(self.module, inst);
            let (Some(source), Some(target)) = (self.class(cast.operand), self.class(inst)) else { continue };
            let fits = match memory(&mut self.classes, source) {
                Memory::Function => space == Some(Space::Function),
                Memory::Workgroup => space == Some(Space::Workgroup),
                Memory::Outside | Memory::Bindings => space == Some(Space::Global),
                Memory::Constant | Memory::Nowhere => false,
            };
            self.classes.add_trait(target, Traits::NULL);
            if fits {
                self.classes.unite(source, target, inst)?;
            }
        }
        Ok(())
    }

    /// Generic pointers to different kinds of memory are equal only if both are null.
    fn generic_comparisons(&mut self) -> Result<(), Diagnostic> {
        for inst in self.generic_comparisons.clone() {
            let Some(view::Binary { left, right }) = view::Binary::of(self.module, inst) else { continue };
            let (Some(first), Some(second)) = (self.class(left), self.class(right)) else { continue };
            if memory(&mut self.classes, first) == memory(&mut self.classes, second) {
                self.classes.unite(first, second, inst)?;
            } else {
                self.classes.add_trait(first, Traits::NULL);
                self.classes.add_trait(second, Traits::NULL);
            }
        }
        Ok(())
    }
}
