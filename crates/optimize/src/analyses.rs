//! Analyses of a module that a session keeps from one pass to the next.
//!
//! ```text
//! gvn ──body──▶ load_pre ──body──▶ dse ──body──▶ gcm     as long as nothing changes the function
//! ```
//!
//! A pass takes the tables of a function. It puts them back if it changed nothing, or if it updated them; so tables that are kept are
//! valid. If a pass changes instructions, but neither blocks nor edges, the tables of blocks and edges stay valid. A pass returns what it
//! preserved, and the session invalidates the rest. Builds with debug assertions compute the tables of blocks, instructions and operands
//! again, and compare.
//!
//! Uniformity is computed for the whole module. It stays valid for a function until it is invalidated: a change of one function does not
//! affect the arguments and results of another one. Builds with debug assertions also compute it again and compare.

use std::sync::Arc;

use reconverge_analysis::uniformity::{ModuleUniformity, Scope};
use reconverge_ir::{Block, Function, Module};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::body::Body;
use crate::flow::Flow;
use reconverge_rewrite::module_facts::ModuleFacts;
use reconverge_rewrite::pass::Preserves;
use reconverge_rewrite::session::SessionState;

/// The analyses of one module: facts about the module, its uniformity, and the tables of its functions. Creating this computes nothing. Its
/// memory is linear in the module.
#[derive(Debug, Default)]
pub struct Analyses {
    facts: ModuleFacts,
    tables: FxHashMap<Function, Tables>,
    uniformity: Option<Arc<ModuleUniformity>>,
    /// The functions that were invalidated since uniformity was computed.
    changed: FxHashSet<Function>,
}

/// The tables that are kept of a function.
#[derive(Debug)]
enum Tables {
    /// The tables of blocks, instructions and operands.
    Body(Box<Body>),
    /// Only the tables of blocks and edges.
    Flow(Box<Flow>),
}

impl Analyses {
    /// Facts about the whole module, each computed at its first use.
    pub fn facts(&self) -> &ModuleFacts {
        &self.facts
    }

    /// The uniformity of the module at subgroup scope, valid for this function; other functions may have changed. Computing it is
    /// near-linear in the whole module. So run one pass over all functions before the next pass.
    pub fn uniformity(&mut self, module: &Module, function: Function) -> Arc<ModuleUniformity> {
        if self.changed.contains(&function) {
            self.uniformity = None;
        }
        let compute = || ModuleUniformity::compute(module, Scope::Subgroup);
        if let Some(kept) = &self.uniformity {
            // Uniform values stay uniform, since passes preserve convergence. In the changed functions, in their callees and in their
            // callers, fewer values may be proved uniform now.
            let is_kept = || !self.changed.is_empty() || is_at_least(&compute(), kept, module, function);
            debug_assert!(is_kept(), "a pass changed what it kept");
            return Arc::clone(kept);
        }
        self.changed.clear();
        Arc::clone(self.uniformity.insert(Arc::new(compute())))
    }

    /// The tables of a function. The caller may put them back.
    pub(crate) fn take(&mut self, module: &Module, function: Function) -> Box<Body> {
        match self.taken(module, function) {
            Some(Tables::Body(body)) => body,
            Some(Tables::Flow(flow)) => Box::new(Body::with_flow(module, flow)),
            None => Box::new(Body::compute(module, function)),
        }
    }

    /// The blocks that the entry of a function reaches, in reverse post-order.
    pub(crate) fn reverse_post_order(&mut self, module: &Module, function: Function) -> Vec<Block> {
        let compute = || Tables::Flow(Box::new(Flow::compute(module, function)));
        let tables = self.taken(module, function).unwrap_or_else(compute);
        let flow = tables.flow();
        let blocks = flow.order().sequence().iter().map(|&node| flow.graph().block(node)).collect();
        self.tables.insert(function, tables);
        blocks
    }

    fn taken(&mut self, module: &Module, function: Function) -> Option<Tables> {
        let kept = self.tables.remove(&function);
        let is_true = |tables: &Tables| match tables {
            Tables::Body(body) => body.is_of(module, function),
            Tables::Flow(flow) => flow.is_of(module, function),
        };
        debug_assert!(kept.as_ref().is_none_or(is_true), "a pass changed what it kept");
        kept
    }

    /// Puts the tables of a function back. If the pass changed the function, the session invalidates the tables that are no longer valid.
    pub(crate) fn keep(&mut self, function: Function, body: Box<Body>) {
        self.tables.insert(function, Tables::Body(body));
    }
}

impl SessionState for Analyses {
    fn invalidate(&mut self, function: Function, preserves: Preserves) {
        self.changed.insert(function);
        match (preserves, self.tables.remove(&function)) {
            (Preserves::All, Some(tables)) => _ = self.tables.insert(function, tables),
            (Preserves::Blocks, Some(tables)) => _ = self.tables.insert(function, Tables::Flow(tables.into_flow())),
            (Preserves::Nothing, _) | (_, None) => (),
        }
    }

    fn invalidate_all(&mut self) {
        *self = Analyses::default();
    }
}

impl Tables {
    fn flow(&self) -> &Flow {
        match self {
            Tables::Body(body) => body.tables_of_blocks(),
            Tables::Flow(flow) => flow,
        }
    }

    fn into_flow(self) -> Box<Flow> {
        match self {
            Tables::Body(body) => body.into_flow(),
            Tables::Flow(flow) => flow,
        }
    }
}

/// Returns whether each value of a function that is uniform in one result is uniform in the other.
fn is_at_least(found: &ModuleUniformity, kept: &ModuleUniformity, module: &Module, function: Function) -> bool {
    let (Some(found), Some(kept)) = (found.function(function), kept.function(function)) else { return false };
    module.blocks(function).all(|block| {
        let mut values = module.children(block);
        (found.is_uniform_branch(block) || !kept.is_uniform_branch(block))
            && values.all(|value| found.of(value).is_uniform() || !kept.of(value).is_uniform())
    })
}

#[cfg(test)]
mod tests {
    use reconverge_ir::{Op, text};

    use super::*;
    use crate::{gvn, partial_dce};

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
        func %g: %void (%b: %u32) {
        block ^alone:
          %two: %u32 = i_add %one, %one
          return
        }";

    /// Parses a module, and returns it with its first function.
    fn parsed(text: &str) -> (Module, Function) {
        let module = text::parse(text).unwrap_or_else(|error| panic!("{error}"));
        let function = module.functions().next().expect("there is one at least");
        (module, function)
    }

    fn program() -> (Module, Function) {
        parsed(PROGRAM)
    }

    #[test]
    fn tables_follow_what_was_merged() {
        let (mut module, function) = program();
        let mut analyses = Analyses::default();
        let done = gvn(&mut module, function, &mut analyses);
        assert_eq!((done.merged, done.parameters), (3, 2));
        let Some(Tables::Body(body)) = analyses.tables.remove(&function) else { panic!("it was kept") };
        assert!(body.is_of(&module, function));
        assert_eq!(body.number(done.replaced[0].0), None, "what is gone has no number");
    }

    #[test]
    fn nothing_is_kept_of_a_function_that_was_forgotten() {
        let (module, function) = program();
        let mut analyses = Analyses::default();
        let body = analyses.take(&module, function);
        analyses.keep(function, body);
        analyses.invalidate(function, Preserves::Nothing);
        assert!(analyses.tables.is_empty());
    }

    #[test]
    fn blocks_stay_known_where_instructions_changed() {
        let (mut module, function) = program();
        let mut analyses = Analyses::default();
        let body = analyses.take(&module, function);
        let (sum, gone) = (body.inst(0), body.inst(1));
        module.edit().replace_all_uses(gone, sum);
        module.edit().delete(gone);
        analyses.keep(function, body);
        analyses.invalidate(function, Preserves::Blocks);
        assert!(matches!(analyses.tables[&function], Tables::Flow(_)));
        let blocks: Vec<Block> = module.blocks(function).collect();
        assert_eq!(analyses.reverse_post_order(&module, function), blocks);
        assert!(analyses.take(&module, function).is_of(&module, function));
    }

    #[test]
    #[cfg(debug_assertions)]
    #[should_panic(expected = "a pass changed what it kept")]
    fn an_edge_that_nobody_told_of_is_noticed() {
        let (mut module, function) = program();
        let mut analyses = Analyses::default();
        analyses.reverse_post_order(&module, function);
        let entry = module.entry(function).expect("there is one");
        module.edit().replace_terminator(entry, Op::Return, &[]);
        analyses.invalidate(function, Preserves::Blocks);
        analyses.take(&module, function);
    }

    #[test]
    fn uniformity_is_kept_for_functions_that_are_not_forgotten() {
        let (module, function) = program();
        let other = module.functions().nth(1).expect("there are two");
        let mut analyses = Analyses::default();
        let first = analyses.uniformity(&module, function);
        analyses.invalidate(function, Preserves::Nothing);
        assert!(Arc::ptr_eq(&first, &analyses.uniformity(&module, other)));
        let second = analyses.uniformity(&module, function);
        assert!(!Arc::ptr_eq(&first, &second));
        assert!(Arc::ptr_eq(&second, &analyses.uniformity(&module, function)), "it is known again");
    }

    /// A sum that two ways need, with this number of terms.
    fn switch(cases: &str) -> (Module, Function) {
        parsed(&format!(
            "%void = type_void
            %u32 = type_int 32, 0
            %one: %u32 = constant 1
            %pointer = type_pointer StorageBuffer, %u32
            func %f: %void (%a: %u32, %p: %pointer) {{
            block ^entry:
              %x: %u32 = i_add %a, %one
              switch %one default ^left [1 ^right] {cases}
            block ^left:
              store %p, %x
              return
            block ^right:
              store %p, %x
              return
            block ^rest:
              return
            }}"
        ))
    }

    #[test]
    fn splitting_asks_about_lanes_where_it_would_split_if_they_never_parted() {
        for (cases, is_asked) in [("", false), ("[2 ^rest] [3 ^rest]", true)] {
            let (mut module, function) = switch(cases);
            let mut analyses = Analyses::default();
            let splits = partial_dce(&mut module, function, &mut analyses);
            let found = (analyses.uniformity.is_some(), splits.copies.len());
            assert_eq!(found, (is_asked, usize::from(is_asked)), "{cases}");
        }
    }

    #[test]
    #[cfg(debug_assertions)]
    #[should_panic(expected = "a pass changed what it kept")]
    fn uniformity_that_nobody_forgot_is_noticed() {
        let (mut module, _) = program();
        let other = module.functions().nth(1).expect("there are two");
        let mut analyses = Analyses::default();
        analyses.uniformity(&module, other);
        let parameter = module.parameters(other).next().expect("there is one");
        let block = module.entry(other).expect("there is one");
        let sum = module.children(block).next().expect("there is one");
        module.edit().set_operand(sum, 0, parameter);
        analyses.uniformity(&module, other);
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
