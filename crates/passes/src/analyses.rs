//! What passes found out about a module, kept from one to the next.
//!
//! ```text
//! number_values ──body──▶ join_loads ──body──▶ sweep_stores ──body──▶ move_code     as long as nothing changes the function
//! ```
//!
//! A pass takes the tables of a function, and puts them back where it changed nothing or brought them up to date; so what is kept is true.
//! Whoever changes a function in another way says so ([`Analyses::forget`]). Builds with debug assertions compute the tables of blocks,
//! instructions and operands anew, and compare. (LLVM's analysis managers are told by each pass what it preserved; here a pass that knows
//! nothing of this keeps nothing.)
//!
//! Uniformity is known until a function is forgotten. Where instructions were only moved or copied ([`Analyses::moved`]), the branches at which
//! lanes part are the same as before, and other functions are as they were; what is known of where values of this one differ is not.

use std::rc::Rc;

use reconverge_analysis::uniformity::{ModuleUniformity, Scope};
use reconverge_ir::{Function, Module};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::body::Body;
use crate::module_facts::ModuleFacts;

/// What is known of one module: facts about all of it, and tables of functions, as large together as the functions are. Making it costs
/// nothing.
#[derive(Debug, Default)]
pub struct Analyses {
    facts: ModuleFacts,
    bodies: FxHashMap<Function, Body>,
    uniformity: Option<Rc<ModuleUniformity>>,
    /// The functions in which instructions were moved since uniformity was computed.
    moved: FxHashSet<Function>,
}

impl Analyses {
    /// What the module says about all its functions, computed as it is asked for.
    pub fn facts(&self) -> &ModuleFacts {
        &self.facts
    }

    /// The uniformity at subgroup scope of a function as it is. Where it is not known, computing it is near-linear in the whole module.
    pub fn uniformity(&mut self, module: &Module, function: Function) -> Rc<ModuleUniformity> {
        if self.moved.contains(&function) {
            self.uniformity = None;
        }
        self.branch_uniformity(module)
    }

    /// The same of branches alone: it may know of values as they were before some were moved.
    pub(crate) fn branch_uniformity(&mut self, module: &Module) -> Rc<ModuleUniformity> {
        let uniformity = self.uniformity.get_or_insert_with(|| {
            self.moved.clear();
            Rc::new(ModuleUniformity::compute(module, Scope::Subgroup))
        });
        Rc::clone(uniformity)
    }

    /// Forgets what is known of a function, which is another now. Constant time.
    pub fn forget(&mut self, function: Function) {
        self.bodies.remove(&function);
        self.uniformity = None;
    }

    /// Forgets the tables of a function in which instructions stand elsewhere now, or have copies, and nothing else is another.
    pub(crate) fn moved(&mut self, function: Function) {
        self.bodies.remove(&function);
        self.moved.insert(function);
    }

    /// Forgets everything.
    pub fn forget_all(&mut self) {
        *self = Analyses::default();
    }

    /// The tables of a function, which whoever took them may put back.
    pub(crate) fn take(&mut self, module: &Module, function: Function) -> Body {
        let kept = self.bodies.remove(&function);
        debug_assert!(kept.as_ref().is_none_or(|body| body.is_of(module, function)), "a pass changed what it kept");
        kept.unwrap_or_else(|| Body::compute(module, function))
    }

    /// Puts the tables of a function back where nothing changed in it; else it is forgotten.
    pub(crate) fn put_back(&mut self, function: Function, body: Body, is_changed: bool) {
        if is_changed {
            self.forget(function);
        } else {
            self.keep(function, body);
        }
    }

    /// Keeps the tables of a function as it is.
    pub(crate) fn keep(&mut self, function: Function, body: Body) {
        self.bodies.insert(function, body);
    }
}

#[cfg(test)]
mod tests {
    use reconverge_ir::text;

    use super::*;
    use crate::value_numbering_with;

    const PROGRAM: &str = "%void = type_void
        %u32 = type_int 32, 0
        %one: %u32 = constant 1
        %pointer = type_pointer StorageBuffer, %u32
        func %f: %void (%a: %u32, %p: %pointer) {
        block ^entry:
          %x: %u32 = i_add %a, %one
          %y: %u32 = i_add %one, %a
          %gone: %u32 = load %p
          branch ^next(%y, %x)
        block ^next(%left: %u32, %right: %u32):
          %again: %u32 = i_add %a, %one
          %kept: %u32 = load %p
          %sum: %u32 = i_mul %left, %right
          store %p, %sum
          store %p, %again
          store %p, %kept
          return
        }
        func %g: %void () {
        block ^alone:
          return
        }";

    fn program() -> (Module, Function) {
        let module = text::parse(PROGRAM).unwrap_or_else(|error| panic!("{error}"));
        let function = module.functions().next().expect("there are two");
        (module, function)
    }

    #[test]
    fn tables_follow_what_was_merged() {
        let (mut module, function) = program();
        let mut analyses = Analyses::default();
        let done = value_numbering_with(&mut module, function, &mut analyses);
        assert_eq!((done.merged, done.parameters), (3, 2));
        let body = analyses.bodies.remove(&function).expect("it was kept");
        assert!(body.is_of(&module, function));
        assert_eq!(body.number(done.replaced[0].0), None, "what is gone has no number");
    }

    #[test]
    fn nothing_is_kept_of_a_function_that_was_forgotten() {
        let (module, function) = program();
        let mut analyses = Analyses::default();
        let body = analyses.take(&module, function);
        analyses.keep(function, body);
        analyses.forget(function);
        assert!(analyses.bodies.is_empty());
    }

    #[test]
    fn motion_leaves_what_is_known_of_branches_and_of_other_functions() {
        let (module, function) = program();
        let other = module.functions().nth(1).expect("there are two");
        let mut analyses = Analyses::default();
        let first = analyses.uniformity(&module, function);
        analyses.moved(function);
        assert!(Rc::ptr_eq(&first, &analyses.branch_uniformity(&module)));
        assert!(Rc::ptr_eq(&first, &analyses.uniformity(&module, other)));
        let second = analyses.uniformity(&module, function);
        assert!(!Rc::ptr_eq(&first, &second), "values may differ elsewhere now");
        assert!(Rc::ptr_eq(&second, &analyses.uniformity(&module, function)), "and that is known again");
        analyses.forget(other);
        assert!(!Rc::ptr_eq(&second, &analyses.branch_uniformity(&module)), "a branch may be another");
    }

    #[test]
    #[cfg(debug_assertions)]
    #[should_panic(expected = "a pass changed what it kept")]
    fn a_change_that_nobody_told_of_is_noticed() {
        let (mut module, function) = program();
        let mut analyses = Analyses::default();
        let body = analyses.take(&module, function);
        let last = body.inst(body.len() - 2);
        analyses.keep(function, body);
        module.edit().delete(last);
        analyses.take(&module, function);
    }
}
