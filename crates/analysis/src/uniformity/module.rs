//! Uniformity of a whole module: first results, callees first, then arguments, callers first.
//!
//! ```text
//! 1  callees first     summary of f: what it returns if its parameters are uniform; which parameters prevent that
//! 2  callers first     parameters of f: what all calls pass; the facts of f
//! ```
//!
//! Functions that are part of a recursion have no summary.

use std::sync::Arc;

use reconverge_graph::{Components, Graph, Node};
use reconverge_ir::{Function, Inst, Module, Op, view};
use rustc_hash::FxHashSet;
use smallvec::smallvec;

use super::body::Body;
use super::cause::{Cause, Fact, Reason};
use super::context::Context;
use super::function::{Entered, Uniformity};
use super::level::Level;
use super::summary::Runs;
use super::tables::Tables;
use super::variation::{Evidence, Scope, Variation};
use crate::is_exported;

/// The uniformity of every function of a module, at one scope.
#[derive(Clone, Debug)]
pub struct ModuleUniformity {
    context: Context,
    functions: Vec<Uniformity>,
    /// By index of a function in the module, its index in the list.
    places: Vec<u32>,
}

/// The functions with a body, and the call graph.
struct Calls {
    bodies: Vec<Arc<Body>>,
    components: Components,
    /// By callee, whether others call it.
    is_called: Vec<bool>,
}

impl ModuleUniformity {
    /// Computes it: summaries of callees first, then the functions, callers first. Near-linear in the instructions, for functions
    /// with few parameters.
    pub fn compute(module: &Module, scope: Scope) -> ModuleUniformity {
        ModuleUniformity::compute_by(module, scope, Evidence::Possible)
    }

    /// The same, with the given evidence for differences. Each difference of [`Evidence::Shown`] is also one of [`Evidence::Possible`].
    pub fn compute_by(module: &Module, scope: Scope, evidence: Evidence) -> ModuleUniformity {
        let (tables, bodies) = Body::compute_all(module);
        let calls = Calls::compute(module, &tables, bodies);
        let mut context = Context::compute(module, &tables, scope, evidence);
        for (body, _) in calls.bodies.iter().zip(&calls.is_called).filter(|(_, is_called)| **is_called) {
            context.forget_private(body.function());
        }
        let mut summarized: Vec<Option<Box<Runs>>> = calls.bodies.iter().map(|_| None).collect();
        for component in 0..calls.components.count() {
            if let [callee] = calls.components.members(component)
                && !calls.components.is_cyclic(component)
                && calls.is_called[callee.index()]
            {
                let body = &calls.bodies[callee.index()];
                let mut runs = Runs::compute(module, body, &context);
                let summary = runs.summarize(module, body, &context);
                context.set_summary(callee.index(), summary);
                summarized[callee.index()] = Some(Box::new(runs));
            }
        }
        let entered = calls.enter_from_outside(module, evidence);
        let mut callers = Callers { module, calls: &calls, context: &context, entered, summarized };
        let mut functions = Vec::with_capacity(calls.bodies.len());
        let mut places = vec![0; calls.bodies.len()];
        for component in (0..calls.components.count()).rev() {
            for &member in calls.components.members(component) {
                let uniformity = match calls.components.is_cyclic(component) {
                    true => callers.recursive_function(member.index()),
                    false => callers.function(member.index()),
                };
                callers.pass_on(&uniformity);
                places[member.index()] = functions.len() as u32;
                functions.push(uniformity);
            }
        }
        ModuleUniformity { context, functions, places }
    }

    /// The scope whose lanes were compared.
    pub fn scope(&self) -> Scope {
        self.context.setting.scope
    }

    /// The results for a function with a body.
    pub fn function(&self, function: Function) -> Option<&Uniformity> {
        self.context.index_of(function).map(|index| &self.functions[self.places[index] as usize])
    }

    /// Returns whether all lanes of the scope that run the entry point enter this function together, whenever it is entered.
    pub fn is_entered_converged(&self, function: Function) -> bool {
        self.function(function).is_some_and(Uniformity::is_entered_converged)
    }

    /// The return value of the function, if its parameters are as given and lanes call it together. Divergent for functions without a body,
    /// for those that are part of a recursion, and for those that nothing in the module calls.
    pub fn returned(&self, function: Function, arguments: &[Variation]) -> Variation {
        let Some(summary) = self.context.summary(function) else { return Variation::Divergent };
        let mut given = (0..).zip(arguments);
        let spoils = given
            .any(|(index, argument): (usize, _)| summary.depends >> index.min(63) & 1 != 0 && !argument.is_uniform());
        if spoils { Variation::Divergent } else { summary.returned.variation() }
    }

    /// The chain of causes of a fact, the fact first and where lanes first differ last; it may go through calls. Empty if the
    /// fact does not hold. Linear in the chain.
    pub fn why(&self, module: &Module, function: Function, fact: Fact) -> Vec<Cause> {
        let mut chain: Vec<Cause> = Vec::new();
        let mut next = Some((function, fact));
        while let Some((function, fact)) = next.take() {
            let Some(uniformity) = self.function(function) else { break };
            let part = uniformity.why(fact);
            if part.iter().any(|cause| chain.contains(cause)) {
                break;
            }
            chain.extend(part);
            next = chain.last().and_then(|last| self.elsewhere(module, *last));
        }
        chain
    }

    /// The continuation of a chain that leaves a function.
    fn elsewhere(&self, module: &Module, last: Cause) -> Option<(Function, Fact)> {
        match last.reason {
            Reason::Argument { call, operand } => Some((module.function_of(call)?, Fact::Use { user: call, operand })),
            Reason::Returned { callee } => Some((callee, Fact::Return(callee))),
            Reason::Called { call } => {
                let caller = module.function_of(call)?;
                let block = module.block_of(call)?;
                let is_complete = self.function(caller)?.is_complete(block);
                Some((caller, if is_complete { Fact::Function(caller) } else { Fact::Block(block) }))
            }
            _ => None,
        }
    }
}

impl Calls {
    fn compute(module: &Module, tables: &Tables, bodies: Vec<Arc<Body>>) -> Calls {
        let callees = |body: &Arc<Body>| {
            let calls = (0..body.len() as u32).filter(|&number| body.op(number) == Op::FunctionCall);
            let callees = calls.filter_map(|call| callee(module, body.inst(call)));
            let mut callees: Vec<Node> = callees.filter_map(|callee| tables.index_of(callee)).map(Node::new).collect();
            callees.sort_unstable();
            callees.dedup();
            callees
        };
        let graph = Graph::from_successors(Node::new(0), bodies.iter().map(callees));
        let is_called = graph.nodes().map(|node| !graph.predecessors(node).is_empty()).collect();
        Calls { components: Components::compute(&graph), is_called, bodies }
    }

    /// All lanes enter entry points together, with the same arguments. They enter functions with unknown callers in any way, with any
    /// arguments, unless a difference has to be shown. By index of the function.
    fn enter_from_outside(&self, module: &Module, evidence: Evidence) -> Vec<Entered> {
        let points = module.globals().filter_map(|global| view::EntryPoint::of(module, global));
        let entries: FxHashSet<Inst> = points.map(|point| point.function).collect();
        let entered = self.bodies.iter().zip(&self.is_called).map(|(body, is_called)| {
            let is_entry = entries.contains(&body.function().inst());
            let is_open = is_exported(module, body.function()) || !is_called;
            let count = body.function_parameters().len();
            let is_trusted = is_entry || evidence == Evidence::Shown;
            let level = match (is_trusted, is_open) {
                (true, _) => Level::UNIFORM,
                (false, true) => Level::Divergent,
                (false, false) => Level::Unknown,
            };
            let (levels, arguments) = (smallvec![level; count], smallvec![None; count]);
            Entered { levels, arguments, apart: None, is_converged: is_trusted || !is_open }
        });
        entered.collect()
    }
}

/// The function that a call calls.
fn callee(module: &Module, call: Inst) -> Option<Function> {
    module.cast(view::FunctionCall::of(module, call)?.function)
}

/// The facts that callers pass on.
struct Callers<'a> {
    module: &'a Module,
    calls: &'a Calls,
    context: &'a Context,
    /// By index of the function; empty for those that are done.
    entered: Vec<Entered>,
    /// By index of the function, the runs for its summary.
    summarized: Vec<Option<Box<Runs>>>,
}

impl Callers<'_> {
    /// The facts of a recursive function whose callers outside of the recursion are done.
    fn recursive_function(&mut self, index: usize) -> Uniformity {
        let entered = &mut self.entered[index];
        match self.context.evidence {
            Evidence::Possible => {
                entered.levels.fill(Level::Divergent);
                entered.is_converged = false;
            }
            // Arguments inside the recursion are not shown to differ.
            Evidence::Shown => entered.levels.iter_mut().for_each(|level| *level = level.join(Level::UNIFORM)),
        }
        self.function(index)
    }

    /// The facts of a function all of whose callers are done.
    fn function(&mut self, index: usize) -> Uniformity {
        let body = &self.calls.bodies[index];
        let entered = std::mem::take(&mut self.entered[index]);
        let runs = self.summarized[index].take().map(|runs| *runs);
        let runs = runs.unwrap_or_else(|| Runs::compute(self.module, body, self.context));
        let (mut facts, memory) = runs.finish(self.module, body, self.context, &entered.levels);
        for (number, &inst) in (0_u32..).zip(body.insts()) {
            if body.op(number) == Op::FunctionCall && self.may_end_lanes(inst) {
                facts.shape.end_in_callee(body.node(number));
            }
        }
        Uniformity::new(Arc::clone(body), facts, memory, entered)
    }

    fn may_end_lanes(&self, call: Inst) -> bool {
        let Some(callee) = callee(self.module, call) else { return true };
        let has_body = self.context.index_of(callee).is_some();
        has_body && self.context.summary(callee).is_none_or(|summary| summary.ends_lanes)
    }

    /// Passes the arguments of a function's calls on to its callees.
    fn pass_on(&mut self, uniformity: &Uniformity) {
        let body = &uniformity.body;
        for (number, &call) in (0_u32..).zip(body.insts()) {
            if body.op(number) != Op::FunctionCall {
                continue;
            }
            let Some(index) = callee(self.module, call).and_then(|callee| self.context.index_of(callee)) else {
                continue;
            };
            let entered = &mut self.entered[index];
            let is_together =
                uniformity.is_entered_converged() && uniformity.is_complete(body.block(body.node(number)));
            if !is_together && entered.is_converged {
                entered.is_converged = false;
                entered.apart = Some(call);
            }
            for (index, level) in entered.levels.iter_mut().enumerate() {
                let (given, _) = uniformity.level_of_use(call, index + 1);
                let joined = level.join(given);
                if joined != *level {
                    *level = joined;
                    if given.differs() {
                        entered.arguments[index] = Some((call, index as u32 + 1));
                    }
                }
            }
        }
    }
}
