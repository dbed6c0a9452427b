//! Uniformity of a whole module: callees first for what they return, then callers first for what they are given.
//!
//! ```text
//! 1  callees first     summary of f: what it returns if its parameters are uniform; which parameters spoil that
//! 2  callers first     parameters of f: what all calls pass; the facts of f
//! ```
//!
//! Functions that are part of a recursion have no summary.

use std::sync::Arc;

use reconverge_graph::{Components, Graph, Node};
use reconverge_ir::{Function, Inst, Module, Op};
use rustc_hash::{FxBuildHasher, FxHashMap, FxHashSet};

use super::body::Body;
use super::cause::{Cause, Fact, Reason};
use super::context::Context;
use super::function::{Entered, Uniformity};
use super::level::Level;
use super::propagation::Shape;
use super::summary::Runs;
use super::variation::{Scope, Variation};
use crate::is_exported;

/// The uniformity of every function of a module, at one scope.
#[derive(Clone, Debug)]
pub struct ModuleUniformity {
    context: Context,
    functions: Vec<Uniformity>,
    /// Where each function stands in the list: a table of what is as large as the answers would be mostly empty room.
    places: FxHashMap<Function, usize>,
}

/// The functions with a body and who calls whom.
struct Calls {
    bodies: Vec<Arc<Body>>,
    components: Components,
    /// By callee: whether others call it.
    is_called: Vec<bool>,
    indices: FxHashMap<Function, usize>,
}

impl ModuleUniformity {
    /// Computes it: summaries of callees first, then the functions, callers first. Near-linear in the instructions, for functions
    /// with few parameters.
    pub fn compute(module: &Module, scope: Scope) -> ModuleUniformity {
        let calls = Calls::compute(module);
        let mut context = Context::compute(module, scope);
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
                context.add_summary(runs.summarize(module, body, &context));
                summarized[callee.index()] = Some(Box::new(runs));
            }
        }
        let entered = with_room(calls.bodies.len());
        let mut callers = Callers { module, calls: &calls, entered, summarized };
        callers.enter_from_outside();
        let mut functions = Vec::with_capacity(calls.bodies.len());
        let mut places = with_room(calls.bodies.len());
        for component in (0..calls.components.count()).rev() {
            for &member in calls.components.members(component) {
                let is_recursive = calls.components.is_cyclic(component);
                let uniformity = callers.function(member.index(), &context, is_recursive);
                callers.pass_on(&uniformity);
                places.insert(uniformity.function(), functions.len());
                functions.push(uniformity);
            }
        }
        ModuleUniformity { context, functions, places }
    }

    /// The scope whose lanes were compared.
    pub fn scope(&self) -> Scope {
        self.context.setting.scope
    }

    /// The answers for a function with a body.
    pub fn function(&self, function: Function) -> Option<&Uniformity> {
        self.places.get(&function).map(|&place| &self.functions[place])
    }

    /// Whether all lanes of the scope that run the entry point enter this function together, whenever it is entered.
    pub fn is_entered_converged(&self, function: Function) -> bool {
        self.function(function).is_some_and(Uniformity::is_entered_converged)
    }

    /// What the function returns, if its parameters are as the argument says and lanes call it together. Divergent for functions without a
    /// body, for those that are part of a recursion, and for those that nobody in the module calls.
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

    /// Where a chain goes on that leaves a function.
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
    fn compute(module: &Module) -> Calls {
        let bodies: Vec<Arc<Body>> = Body::compute_all(module).into_iter().map(Arc::new).collect();
        let indices: FxHashMap<Function, usize> =
            bodies.iter().enumerate().map(|(index, body)| (body.function(), index)).collect();
        let callees = |body: &Arc<Body>| {
            let calls = (0..body.len() as u32).filter(|&number| body.op(number) == Op::FunctionCall);
            let callees = calls.filter_map(|call| module.cast::<Function>(module.operand(body.inst(call), 0)));
            let mut callees: Vec<Node> =
                callees.filter_map(|callee| indices.get(&callee)).map(|&index| Node::new(index)).collect();
            callees.sort_unstable();
            callees.dedup();
            callees
        };
        let graph = Graph::from_successors(Node::new(0), bodies.iter().map(callees));
        let is_called = graph.nodes().map(|node| !graph.predecessors(node).is_empty()).collect();
        Calls { components: Components::compute(&graph), is_called, indices, bodies }
    }
}

/// What callers pass on.
struct Callers<'a> {
    module: &'a Module,
    calls: &'a Calls,
    entered: FxHashMap<Function, (Vec<Level>, Entered)>,
    /// By index of the function: the runs for its summary.
    summarized: Vec<Option<Box<Runs>>>,
}

impl Callers<'_> {
    /// Entry points are entered by all lanes together, with the same arguments; functions of which nobody knows who calls them by
    /// anybody, with anything.
    fn enter_from_outside(&mut self) {
        let module = self.module;
        let points = module.globals().filter(|&global| module.op(global) == Op::EntryPoint);
        let entries: FxHashSet<Inst> = points.map(|point| module.operand(point, 1)).collect();
        for (index, body) in self.calls.bodies.iter().enumerate() {
            let is_entry = entries.contains(&body.function().inst());
            let is_open = is_exported(module, body.function()) || !self.calls.is_called[index];
            let count = body.function_parameters().len();
            let level = match (is_entry, is_open) {
                (true, _) => Level::UNIFORM,
                (false, true) => Level::Divergent,
                (false, false) => Level::Unknown,
            };
            let is_converged = is_entry || !is_open;
            let entered = Entered { arguments: vec![None; count], apart: None, is_converged };
            self.entered.insert(body.function(), (vec![level; count], entered));
        }
    }

    /// The facts of a function all of whose callers are done.
    fn function(&mut self, index: usize, context: &Context, is_recursive: bool) -> Uniformity {
        let body = &self.calls.bodies[index];
        let (mut levels, mut entered) = self.entered.remove(&body.function()).unwrap_or_default();
        if is_recursive {
            levels.fill(Level::Divergent);
            entered.is_converged = false;
        }
        let runs = self.summarized[index].take().map(|runs| *runs);
        let runs = runs.unwrap_or_else(|| Runs::compute(self.module, body, context));
        let (mut facts, memory) = runs.finish((self.module, body), context, &levels);
        for (number, &inst) in (0_u32..).zip(body.insts()) {
            if body.op(number) == Op::FunctionCall && self.may_end_lanes(inst, context) {
                match &mut facts.shape {
                    Shape::Structured(structured) => structured.leave_at(body.node(number)),
                    Shape::Bare(bare) => bare.note_ending(body.node(number)),
                }
            }
        }
        Uniformity::new(Arc::clone(body), facts, memory, entered)
    }

    fn may_end_lanes(&self, call: Inst, context: &Context) -> bool {
        let Some(callee) = self.module.cast::<Function>(self.module.operand(call, 0)) else { return true };
        let has_body = self.calls.indices.contains_key(&callee);
        has_body && context.summary(callee).is_none_or(|summary| summary.ends_lanes)
    }

    /// Passes the arguments of a function's calls on to its callees.
    fn pass_on(&mut self, uniformity: &Uniformity) {
        let body = &uniformity.body;
        for (number, &call) in (0_u32..).zip(body.insts()) {
            if body.op(number) != Op::FunctionCall {
                continue;
            }
            let callee = self.module.cast::<Function>(self.module.operand(call, 0));
            let Some((levels, entered)) = callee.and_then(|callee| self.entered.get_mut(&callee)) else { continue };
            let is_together =
                uniformity.is_entered_converged() && uniformity.is_complete(body.block(body.node(number)));
            if !is_together && entered.is_converged {
                entered.is_converged = false;
                entered.apart = Some(call);
            }
            for (index, level) in levels.iter_mut().enumerate() {
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

/// A table for so many functions.
fn with_room<T>(count: usize) -> FxHashMap<Function, T> {
    FxHashMap::with_capacity_and_hasher(count, FxBuildHasher)
}
