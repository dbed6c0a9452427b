//! Uniform control flow in WGSL, over the syntax tree: which barriers an implementation of WGSL rejects, and what makes them acceptable.
//!
//! A barrier, a derivative or an operation of the subgroup needs all invocations of its scope together, and WGSL asks for a proof by an
//! analysis that every implementation does in the same way. The source of a module has the same rule without the proof: OpenCL C and GLSL state
//! that all work-items of a workgroup reach a barrier or none does. So every condition that decides whether a barrier is reached is the same for the
//! workgroup in a valid program, whatever it is computed from. Such a condition goes through workgroup memory, which WGSL takes as a proof:
//!
//! ```text
//! if (x > data[0]) {                  if (uniform_condition(x > data[0])) {
//!     workgroupBarrier();      ⇒          workgroupBarrier();
//! }                                   }
//!
//!     fn uniform_condition(value: bool) -> bool {
//!         if (invocation_index == 0u) {
//!             shared_condition = value;
//!         }
//!         return workgroupUniformLoad(&shared_condition);
//!     }
//! ```
//!
//! | file | |
//! |---|---|
//! | `graph.rs` | nodes, edges, and which nodes lead to a target |
//! | `environment.rs` | the values of variables, and where branches join |
//! | `sources.rs` | which inputs, variables and images are uniform |
//! | `operations.rs` | the functions of WGSL that the rules are about |
//! | `body.rs`, `statements.rs`, `expressions.rs`, `calls.rs` | a function becomes a graph |
//! | `summary.rs` | what callers have to know about a function |
//! | `paths.rs` | which conditions decide whether an operation is reached |
//! | `causes.rs` | which conditions a barrier needs to be uniform |
//! | `sharing.rs` | the choice of values that go through memory |
//! | `insertion.rs` | the functions and variables that they go through |
//!
//! What the tree has to say: [`Global::is_written`](crate::syntax::Global) is false for variables that are only read by their address space
//! (`uniform`, `immediate`, `storage` with the access `read`) and for constants, and true for all others; the access of a storage image is in its
//! type; inputs of entry points have `@builtin(…)` in the prefix of the parameter or member; only entry points of compute shaders have a
//! size of the workgroup; a parameter that [`is_written`](crate::syntax::Parameter) is a pointer, whose memory is its prefix.
//!
//! Source: WGSL, section 15.2. Time: the size of a function times its nesting, and its size times its parameters; once more for each round of
//! the choice, of which there are at most as many as conditions.

mod body;
mod calls;
mod causes;
pub(crate) mod environment;
mod expressions;
pub(crate) mod graph;
mod insertion;
mod operations;
mod paths;
mod sharing;
mod sources;
mod statements;
mod summary;
#[cfg(all(test, feature = "wgsl-in"))]
mod tests;

use reconverge_ir::Inst;

use crate::source::UniformityRule;
use crate::syntax::Text;
pub use sharing::SharedValue;
pub(crate) use sharing::share;

/// A step on the path from an operation to what may not be uniform, and the instruction that it was made of.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Remark {
    pub(crate) origin: Option<Inst>,
    pub(crate) message: String,
}

/// A violation of a rule.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Finding {
    pub(crate) rule: UniformityRule,
    /// The operation, or the call that leads to it, and what it needs.
    pub(crate) place: Remark,
    /// The calls down to the operation, the first condition, and the value that may differ.
    pub(crate) path: Vec<Remark>,
}

/// The invocations over which control flow and values are uniform.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Scope {
    /// Those of a workgroup, or of a draw.
    Whole,
    /// Those of a subgroup.
    Subgroup,
}

impl Scope {
    /// Returns whether the rule is about this scope.
    fn has(self, rule: UniformityRule) -> bool {
        (rule == UniformityRule::Subgroup) == (self == Scope::Subgroup)
    }
}

/// The violations of a text, in the order of its functions.
pub(crate) fn judge(text: &Text) -> Vec<Finding> {
    let plan = sharing::Plan::default();
    let of_scope = |scope| summary::of_text(text, &plan, scope).into_iter().map(|violation| violation.finding);
    [Scope::Whole, Scope::Subgroup].into_iter().flat_map(of_scope).collect()
}
